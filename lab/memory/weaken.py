#!/usr/bin/env python3
"""Weakens the order of each atomic operation of the library by one step, and asks the scenes whether they notice.

  lab/memory/weaken.py                     writes docs/internals/orders.md, and says what nobody notices
  lab/memory/weaken.py --only mpsc.hpp     operations of some files alone; writes nothing

An operation, each in turn, is given a weaker order when it runs (explore-memory --weaken), and the scenes that come to it are
explored. Exit status: 0 if some scene finds an error for each of them, 1 if not, 2 if it cannot be told.
"""

import argparse
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/internals/orders.md"
HEAD = pathlib.Path(__file__).with_name("orders.head.md")

LOAD = {"seq_cst": ["acquire"], "acquire": ["relaxed"]}
STORE = {"seq_cst": ["release"], "release": ["relaxed"]}
BOTH = {"seq_cst": ["acq_rel"], "acq_rel": ["acquire", "release"], "acquire": ["relaxed"], "release": ["relaxed"]}
OPERATION = re.compile(r"(?:\.|->)(load|store|exchange|fetch_\w+|compare_exchange_\w+)\(")


class Operation:
    def __init__(self, line):
        place, self.function, self.kind, self.order, self.failure, scenes, partners = line.split("\t")
        self.file, row, column = place.rsplit(":", 2)
        self.row, self.column = int(row), int(column)
        self.scenes = [s for s in scenes.split(",") if s]
        self.partners = [p.rsplit(":", 1)[0] for p in partners.split(",") if p]

    def weaker(self):
        steps = LOAD if self.kind == "load" else STORE if self.kind == "store" else BOTH
        found = list(steps.get(self.order, []))
        return found + ["failure:" + o for o in LOAD.get(self.failure, [])]


def explore(program, *arguments):
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False)


def judge(program, operation, order):
    """The first scene that finds an error, or None."""
    what = f"{operation.file}:{operation.row}:{operation.column}={order}"
    for scene in operation.scenes:
        ran = explore(program, scene, "--weaken", what)
        if ran.returncode == 1:
            return scene
        if ran.returncode != 0 and "no scene comes to" not in ran.stderr:
            raise RuntimeError(f"{scene} with {what}: {ran.stderr.strip()}")
    return None


def in_sources():
    """The lines of the library's room of atomics that have an atomic operation."""
    for path in sorted((ROOT / "parley/detail/sync").glob("*.[hc]pp")):
        for number, text in enumerate(path.read_text().splitlines(), 1):
            code = text.split("//")[0]
            if OPERATION.search(code) and "memory_order" in code or "fence(" in code and "atomic" in code:
                yield f"{path.relative_to(ROOT)}", number


def words(order):
    return order.replace("failure:", "") + (" where it fails" if order.startswith("failure:") else "")


def table(operations, verdicts):
    by_file = {}
    for o in operations:
        by_file.setdefault(o.file, []).append(o)
    for file, here in by_file.items():
        yield f"\n## {pathlib.Path(file).name}\n\n"
        yield "| operation | order | partner | found if weaker |\n|---|---|---|---|\n"
        for o in here:
            order = o.order if o.failure == "-" else f"{o.order}, {o.failure}"
            partners = sorted({f"{pathlib.Path(p.rsplit(':', 1)[0]).name}:{p.rsplit(':', 1)[1]}" for p in o.partners})
            found = [f"{words(w)}: {verdicts[o, w] or '**nothing**'}" for w in o.weaker()] or ["is relaxed"]
            yield f"| {o.function}(), {o.kind}, line {o.row} | {order} | {', '.join(partners) or '-'} | {'; '.join(found)} |\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "build/release/bin/explore-memory", type=pathlib.Path)
    parser.add_argument("--only", help="operations whose file has this in its path; nothing is written")
    parser.add_argument("--jobs", default=2, type=int, help="so many at a time")
    given = parser.parse_args()
    met = explore(given.program, "--all", "--orders")
    if met.returncode != 0:
        print(f"weaken: {given.program} --all --orders: {met.stdout}{met.stderr}", file=sys.stderr)
        return 2
    operations = [Operation(line) for line in met.stdout.splitlines() if not given.only or given.only in line.split("\t")[0]]
    if not operations:
        print(f"weaken: no operation is in a file as '{given.only}'", file=sys.stderr)
        return 2
    cases = [(o, w) for o in operations for w in o.weaker()]
    with ThreadPoolExecutor(given.jobs) as pool:
        verdicts = dict(zip(cases, pool.map(lambda c: judge(given.program, *c), cases)))
    survivors = [c for c in cases if verdicts[c] is None]
    for o, w in survivors:
        print(f"nobody notices {o.file}:{o.row}:{o.column} {o.function}() {o.kind}, {o.order} as {w}")
    known = {(o.file, o.row) for o in operations}
    missing = [] if given.only else [p for p in in_sources() if p not in known]
    for file, row in missing:
        print(f"no scene comes to {file}:{row}")
    print(f"{len(operations)} operations, {len(cases)} weaker orders, {len(cases) - len(survivors)} noticed")
    if not given.only:
        counts = f"{len(operations)} operations; {len(cases)} weaker orders, of which {len(cases) - len(survivors)} are found.\n"
        PAGE.write_text(HEAD.read_text() + "\n" + counts + "".join(table(operations, verdicts)))
    return 1 if survivors or missing else 0


if __name__ == "__main__":
    sys.exit(main())
