# Draws who had which core when, from a log of `parley broker --log`: a row per core, a colour per program; dark is what
# the program used, pale what it held and wasted. A section's quanta follow each other from the left.
# Usage: broker_timeline.py LOG PICTURE (.svg, .png)
import json
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("no matplotlib: ./setup --all installs it")

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "parley"
import matplotlib.pyplot as plt

if len(sys.argv) != 3:
    print("usage: broker_timeline.py LOG PICTURE", file=sys.stderr)
    sys.exit(2)
try:
    records = [json.loads(line) for line in open(sys.argv[1])]
    owners = records[0]["owners"]
except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
    print(f"broker_timeline.py: {sys.argv[1]} is no log of a broker ({error})", file=sys.stderr)
    sys.exit(2)

colours = plt.rcParams["axes.prop_cycle"].by_key()["color"]
now = {}  # of each section, in seconds
programs = []
picture, panel = plt.subplots(figsize=(9, 1.2 + 0.5 * len(owners)))
for record in records[1:]:
    kind, what = record["in"]
    if kind != "quantum":
        continue
    begin = now.get(record["section"], 0.0)
    length = 1e-9 * what["length"]
    now[record["section"]] = begin + length
    height = {}  # how much of a core's row is drawn already: programs may share it
    for sample in what["samples"]:
        if sample["program"] not in programs:
            programs.append(sample["program"])
        colour = colours[programs.index(sample["program"]) % len(colours)]
        for core in sample["use"]["cores"]:
            if length == 0 or core["held"] == 0:
                continue
            part = min(1.0, 1e-9 * core["held"] / length)
            used = part * min(1.0, core["useful"] / core["held"])
            bottom = core["core"] - 0.45 + 0.9 * height.get(core["core"], 0.0)
            panel.bar(begin, 0.9 * used, length, bottom, align="edge", color=colour, linewidth=0)
            panel.bar(begin, 0.9 * (part - used), length, bottom + 0.9 * used, align="edge", color=colour, alpha=0.3,
                      linewidth=0)
            height[core["core"]] = height.get(core["core"], 0.0) + part
for index, program in enumerate(programs):
    panel.bar(0, 0, 0, 0, color=colours[index % len(colours)], label=f"program {program}")
panel.set_yticks(range(len(owners)), [f"core {core}" for core in range(len(owners))])
panel.set_ylim(-0.6, len(owners) - 0.4)
panel.set_xlim(0, max(now.values(), default=1.0))
panel.set_xlabel("seconds")
if programs:
    panel.legend(loc="upper right", bbox_to_anchor=(1.0, 1.35), ncols=4, frameon=False)
picture.tight_layout()
try:
    picture.savefig(sys.argv[2], metadata={"Date": None} if sys.argv[2].endswith(".svg") else None)
except (OSError, ValueError) as error:
    print(f"broker_timeline.py: {error}", file=sys.stderr)
    sys.exit(2)
