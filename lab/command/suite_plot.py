# Draws what `parley bench` measured of a suite whose workloads have names: for each number of workers one panel with
# speedups over the serial program, with their 10th and 90th percentiles, and one with deviations from the best of each
# workload, with their averages in the legend. Usage: suite_plot.py FILE FOLDER, or suite_plot.py --check to see whether it
# could. The pictures are called as the file.
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("no matplotlib" if sys.argv[1:] != ["--check"] else 1)

if sys.argv[1:] == ["--check"]:
    sys.exit(0)

import json
import os

matplotlib.use("Agg")
import matplotlib.pyplot as plt

LOWEST = -40  # percent: bars that go deeper are cut there and have their figure written at them

lines = [json.loads(line) for line in open(sys.argv[1])]
schedulers = list(dict.fromkeys(line["scheduler"] for line in lines))
counts = sorted({line["workers"] for line in lines})
longest = max(len({line["workload"] for line in lines if line["workers"] == count}) for count in counts)
width = 0.8 / len(schedulers)
figure, panels = plt.subplots(2 * len(counts), 1, figsize=(max(7.0, 2 + 0.62 * longest), 6.2 * len(counts)), squeeze=False)
for number, count in enumerate(counts):
    mine = [line for line in lines if line["workers"] == count]
    workloads = list(dict.fromkeys(line["workload"] for line in mine))
    upper, lower = panels[2 * number][0], panels[2 * number + 1][0]
    deepest = min(line["deviation"] for line in mine)
    for place, scheduler in enumerate(schedulers):
        drawn = [line for line in mine if line["scheduler"] == scheduler]
        if not drawn:
            continue
        xs = [workloads.index(line["workload"]) + (place - (len(schedulers) - 1) / 2) * width for line in drawn]
        speedups = [line["speedup"] for line in drawn]
        ends = [[line["serial_seconds"] / line["seconds"][end] for line in drawn] for end in ("p90", "p10")]
        upper.bar(xs, speedups, width, color=f"C{place}", label=scheduler, capsize=1.5, error_kw={"elinewidth": 0.6},
                  yerr=[[s - low for s, low in zip(speedups, ends[0])], [high - s for s, high in zip(speedups, ends[1])]])
        average = sum(line["deviation"] for line in drawn) / len(drawn)
        lower.bar(xs, [max(line["deviation"], LOWEST) for line in drawn], width, color=f"C{place}",
                  label=f"{scheduler}: {average:.1f}% on average")
        for x, line in zip(xs, drawn):
            if line["deviation"] < LOWEST:
                lower.text(x, LOWEST, f'{line["deviation"]:.0f}', fontsize=6, color="white", ha="center", va="bottom",
                           rotation=90)
    for axes in (upper, lower):
        axes.set_xticks(range(len(workloads)), workloads, rotation=35, ha="right", fontsize=7)
        axes.set_xlim(-0.6, len(workloads) - 0.4)
        axes.grid(axis="y", linewidth=0.3)
        axes.set_axisbelow(True)
        axes.legend(frameon=False, ncols=len(schedulers), loc="lower center", bbox_to_anchor=(0.5, 1.0), fontsize=8)
    upper.axhline(1, color="black", linewidth=0.6)
    upper.set_ylabel(f"speedup, {count} worker" + ("s" if count > 1 else ""))
    lower.axhline(0, color="black", linewidth=0.6)
    lower.set_ylim(max(deepest * 1.05, LOWEST) - 0.1, 0)
    lower.set_ylabel("deviation from the best, %")
figure.suptitle(f'{lines[0]["machine"]}, commit {lines[0]["commit"]}', fontsize=8)
figure.tight_layout()
name = os.path.splitext(os.path.basename(sys.argv[1]))[0]
for kind in ("svg", "png"):
    figure.savefig(os.path.join(sys.argv[2], f"{name}.{kind}"), dpi=150)
