# Draws what farm-figures measured: a panel for each figure of the paper, the ratio of round robin's time to another
# scheduler's over the number of items, with 95% intervals, and the model as dotted lines.
# Usage: farm_figures.py FILE FOLDER, or farm_figures.py --check to see whether it could.
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

TITLES = {
    6: "6: equal lanes",
    7: "7: the last lane 6 times as fast",
    8: "8: the same, ARRS with other blocks",
    9: "9: the last lane 3 times as slow",
    10: "10: 20 threads on few processors",
    11: "11: molecular dynamics, 8 lanes",
    12: "12: molecular dynamics",
    13: "13: pool of solutions",
}
X_NAMES = {11: "pairs", 12: "lanes", 13: "solutions in the pool"}
STYLES = {"adaptive": "-", "on-demand": "--", "stealing": ":"}
NAMES = {"adaptive": "ARRS"}

lines = [json.loads(line) for line in open(sys.argv[1])]
figures = sorted({line["figure"] for line in lines})
columns = 2 if len(figures) > 1 else 1
rows = (len(figures) + columns - 1) // columns
picture, panels = plt.subplots(rows, columns, figsize=(7.5 * columns, 3.6 * rows), squeeze=False)
for panel in panels.flat[len(figures):]:
    panel.set_visible(False)
for number, axes in zip(figures, panels.flat):
    mine = [line for line in lines if line["figure"] == number]
    series = list(dict.fromkeys((line["series"], line["how"]) for line in mine))
    for place, (name, how) in enumerate(series):
        color = f"C{place}"
        points = [line for line in mine if (line["series"], line["how"]) == (name, how)]
        # Blocks are ARRS's own.
        schedules = ["adaptive"] if number == 8 else list(dict.fromkeys(line["schedule"] for line in points))
        for schedule in schedules:
            drawn = [line for line in points if line["schedule"] == schedule]
            middles = [line["speedup"]["median"] for line in drawn]
            axes.errorbar([line["x"] for line in drawn], middles,
                          yerr=[[m - line["speedup"]["low"] for m, line in zip(middles, drawn)],
                                [line["speedup"]["high"] - m for m, line in zip(middles, drawn)]],
                          color=color, linestyle=STYLES[schedule], marker=".", linewidth=1, capsize=2, elinewidth=0.6,
                          label=f"{name}, {NAMES.get(schedule, schedule)}")
        if points[0]["model"] and number not in (6, 8):
            axes.axhline(points[-1]["model"], color=color, linewidth=0.5, linestyle=(0, (1, 3)))
    if number != 12:
        axes.set_xscale("log")
    axes.axhline(1, color="black", linewidth=0.6)
    ways = list(dict.fromkeys(how for _, how in series))
    axes.set_title("\n".join([TITLES[number]] + [
        (", ".join(n for n, h in series if h == way) + ": " if len(ways) > 1 else "") + way for way in ways]), fontsize=8)
    axes.set_xlabel(X_NAMES.get(number, "items"), fontsize=8)
    axes.set_ylabel("time of RRS / time", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.grid(linewidth=0.3)
    # Beside the panel: there are up to 15 lines.
    axes.legend(frameon=False, fontsize=6, loc="center left", bbox_to_anchor=(1, 0.5))
picture.suptitle(f'{lines[0]["machine"]}, commit {lines[0]["commit"]}', fontsize=8)
picture.tight_layout(rect=(0, 0, 1, 0.985))
for kind in ("svg", "png"):
    picture.savefig(os.path.join(sys.argv[2], f"farm-figures.{kind}"), dpi=100)
