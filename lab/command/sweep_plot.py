# Draws the lines of a sweep of `parley sim`: speedup and efficiency over what was swept first, one curve for each
# combination of what was swept beside it. Of a farm the second picture is the time of round robin over its own.
# Usage: sweep_plot.py FILE FOLDER. Each line has what was swept in `swept`.
import json
import os
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "parley"  # the same lines, the same picture
import matplotlib.pyplot as plt

lines = [json.loads(line) for line in open(sys.argv[1])]
swept = next(iter(lines[0]["swept"]))
curves = {}
for line in lines:
    beside = ", ".join(f"{name} {value}" for name, value in line["swept"].items() if name != swept)
    curves.setdefault(beside, []).append(line)

second = ("efficiency", "efficiency") if "efficiency" in lines[0] else ("over_round_robin", "times as fast as round robin")
pictures = [("speedup", "speedup"), second]
figure, axes = plt.subplots(1, 2, figsize=(11, 4.5))
for (key, title), at in zip(pictures, axes):
    for name, points in curves.items():
        if not isinstance(points[0]["swept"][swept], str):
            points = sorted(points, key=lambda line: line["swept"][swept])
        xs = [line["swept"][swept] for line in points]
        at.plot(xs, [line[key] for line in points], label=name, linewidth=1.2, marker="o" if len(xs) <= 60 else None,
                markersize=3)
    at.set_xlabel(swept)
    at.set_ylabel(title)
    at.set_ylim(bottom=0)
    at.grid(linewidth=0.3)
if swept in ("workers", "lanes"):
    most = [min(line["workers"] for line in lines), max(line["workers"] for line in lines)]
    axes[0].plot(most, most, color="black", linewidth=0.6, linestyle="--", label="one for each of the " + swept)
if len(curves) > 1 or swept in ("workers", "lanes"):
    axes[0].legend(frameon=False, fontsize=8)
figure.suptitle(f'{lines[0]["program"]} in virtual time, {lines[0]["machine"]}', fontsize=10)
figure.tight_layout()
for kind in ("svg", "png"):
    figure.savefig(os.path.join(sys.argv[2], f"sweep.{kind}"), dpi=150,
                   metadata={"Date": None} if kind == "svg" else {"Software": None})
