# Draws the lines that `parley bench` measured: one group of bars per program and number of workers,
# one bar per scheduler, the height the speedup over the serial program, with its 10th and 90th
# percentile. Usage: plot.py FILE FOLDER, or plot.py --check to see whether it could.
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("no matplotlib" if sys.argv[1:] != ["--check"] else 1)

if sys.argv[1:] == ["--check"]:
    sys.exit(0)

import collections
import json
import os

matplotlib.use("Agg")
import matplotlib.pyplot as plt

lines = [json.loads(line) for line in open(sys.argv[1])]
lines = [line for line in lines if line["seconds"] and line["speedup"]]
schedulers = list(dict.fromkeys(line["scheduler"] for line in lines if line["scheduler"] != "serial"))
groups = collections.OrderedDict()
for line in lines:
    if line["scheduler"] != "serial":
        kind = line["parameters"].get("kind", "")  # of loops
        name = f'{line["program"]} {kind}'.strip() + f'\n{line["workers"]} worker' + ("s" if line["workers"] > 1 else "")
        groups.setdefault(name, {})[line["scheduler"]] = line

width = 0.8 / max(1, len(schedulers))
figure, axes = plt.subplots(figsize=(max(6.0, 1.5 + 1.3 * len(groups)), 4.5))
for place, scheduler in enumerate(schedulers):
    xs, heights, below, above = [], [], [], []
    for x, members in enumerate(groups.values()):
        if scheduler not in members:
            continue
        line = members[scheduler]
        serial, seconds = line["serial_seconds"], line["seconds"]
        xs.append(x + (place - (len(schedulers) - 1) / 2) * width)
        heights.append(line["speedup"])
        below.append(line["speedup"] - serial / seconds["p90"])
        above.append(serial / seconds["p10"] - line["speedup"])
    axes.bar(xs, heights, width, yerr=[below, above], capsize=2, label=scheduler,
             error_kw={"elinewidth": 0.8})
axes.set_xticks(range(len(groups)), list(groups))
axes.set_ylabel("speedup over the serial program")
axes.axhline(1, color="black", linewidth=0.6)
axes.grid(axis="y", linewidth=0.3)
axes.set_axisbelow(True)
if lines:
    axes.set_title(f'{lines[0]["machine"]}, commit {lines[0]["commit"]}', fontsize=8)
axes.legend(frameon=False, ncols=max(1, len(schedulers)), loc="upper center",
            bbox_to_anchor=(0.5, -0.16))
figure.tight_layout()
for kind in ("svg", "png"):
    figure.savefig(os.path.join(sys.argv[2], f"speedup.{kind}"), dpi=150)
