# Draws a timeline of `parley run --trace` or `parley sim --trace`: a row per stack of each worker, or per part of a farm,
# slices on top of what they are in, an arrow per steal.
# Usage: timeline_picture.py TIMELINE PICTURE [FROM TO]     (microseconds; PICTURE: .svg, .png)
import json
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("no matplotlib: ./setup --all installs it")

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "parley"
import matplotlib.pyplot as plt

if len(sys.argv) not in (3, 5):
    print("usage: timeline_picture.py TIMELINE PICTURE [FROM TO]", file=sys.stderr)
    sys.exit(2)
try:
    events = json.load(open(sys.argv[1]))
    begin, end = (float(t) for t in sys.argv[3:5]) if len(sys.argv) == 5 else (0.0, float("inf"))
except (OSError, ValueError) as error:
    print(f"timeline_picture.py: {sys.argv[1]}: {error}", file=sys.stderr)
    sys.exit(2)

colours = {"run": "#cfe3d2", "task": "#3a7d44", "looks for tasks": "#f2c14e", "asleep": "#dddddd",
           "gives tasks": "#c8553d", "gets tasks": "#2d7dd2"}
of_farms = {"chooses": "#f2c14e", "gives": "#c8553d", "item": "#3a7d44", "fake task": "#2d7dd2", "collects": "#7a5ea8"}
names, slices, arrows, marks = {}, [], {}, []
open_slices = {}
last = max((e["ts"] for e in events if "ts" in e), default=0.0)
for e in events:
    row = (e["pid"], e["tid"])
    if e["ph"] == "M" and e["name"] == "thread_name":
        names[row] = e["args"]["name"]
    elif e["ph"] == "B":
        open_slices.setdefault(row, []).append(e)
    elif e["ph"] == "E":
        stack = open_slices[row]
        slices.append((row, len(stack) - 1, stack.pop(), e["ts"]))
    elif e["ph"] == "X":
        colours = of_farms
        slices.append((row, 0, e, e["ts"] + e["dur"]))
    elif e["ph"] in "sf":
        arrows.setdefault((e["pid"], e["id"], e["ph"]), []).append((e["ts"], row))
    elif e["name"] == "split":
        marks.append((row, e["ts"]))
for row, stack in open_slices.items():  # what had not ended
    slices += [(row, depth, e, last) for depth, e in enumerate(stack)]

rows = sorted(names)
place = {row: i for i, row in enumerate(rows)}
picture, panel = plt.subplots(figsize=(11, 1.2 + 0.7 * len(rows)))
deepest = {}
for row, depth, e, until in slices:
    if until < begin or e["ts"] > end:
        continue
    height = 0.8 * 0.85**depth
    panel.barh(place[row], until - e["ts"], height, e["ts"], color=colours.get(e["name"], "black"),
               edgecolor="white", linewidth=0.3, zorder=1 + depth)
for row, at in marks:
    if begin <= at <= end:
        panel.plot([at], [place[row]], "k|", markersize=12, zorder=50)
for (recording, request, phase), starts in arrows.items():
    if phase != "s":
        continue
    ends = sorted(arrows.get((recording, request, "f"), []))
    for sent, victim in sorted(starts):  # a request is answered once at a time: by what its thief gets next
        got, thief = next((e for e in ends if e[0] >= sent), (None, None))
        if got is not None and begin <= sent <= end:
            panel.annotate("", (got, place[thief]), (sent, place[victim]), zorder=60,
                           arrowprops={"arrowstyle": "->", "color": "black", "linewidth": 0.8})
panel.set_yticks(range(len(rows)), [names[row] for row in rows])
panel.invert_yaxis()
panel.set_xlabel("microseconds")
if len(sys.argv) == 5:
    panel.set_xlim(begin, end)
panel.legend([plt.Rectangle((0, 0), 1, 1, color=c) for c in colours.values()], colours, ncol=len(colours),
             loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, fontsize=8)
picture.tight_layout()
picture.savefig(sys.argv[2], dpi=130)
