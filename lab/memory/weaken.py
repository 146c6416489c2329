#!/usr/bin/env python3
"""Weakens the order of each atomic operation of the library by one step, and asks the scenes whether they notice.

  lab/memory/weaken.py                     writes docs/internals/orders.md, and says what nobody notices
  lab/memory/weaken.py --check             writes nothing, and fails if the page would be another one
  lab/memory/weaken.py --only mpsc.hpp     operations of some files alone; writes nothing

An operation, each in turn, is given a weaker order when it runs (explore-memory --weaken), and the scenes that come to it are
explored. Those that no scene finds have their reason in unnoticed.txt. Exit status: 0 if each weaker order is found or has a
reason, and each reason is needed; 1 if not; 2 if it cannot be told.
"""

import argparse
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/internals/orders.md"
HEAD = pathlib.Path(__file__).with_name("orders.head")
UNNOTICED = pathlib.Path(__file__).with_name("unnoticed.txt")

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
        self.number = ""
        self.partners = [p.rsplit(":", 1)[0] for p in partners.split(",") if p]

    def weaker(self):
        steps = LOAD if self.kind == "load" else STORE if self.kind == "store" else BOTH
        found = list(steps.get(self.order, []))
        return found + ["failure:" + o for o in LOAD.get(self.failure, [])]


    def name(self, weaker):
        """As unnoticed.txt has it: no line, because lines move, but a number where a function has several of its kind."""
        order = self.failure if weaker.startswith("failure:") else self.order
        return f"{pathlib.Path(self.file).name} {self.function} {self.kind}{self.number} {order} {weaker}"


def reasons():
    found = {}
    for line in UNNOTICED.read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(" : ")
            if not reason or len(name.split()) != 5:
                raise SystemExit(f"weaken: {UNNOTICED.name} has a line without a name and a reason: {line}")
            found[name] = reason
    return found


def number(operations):
    """Tells those of one kind in one function apart: #1, #2, ..."""
    alike = {}
    for o in operations:
        alike.setdefault((o.file, o.function, o.kind), []).append(o)
    for several in (group for group in alike.values() if len(group) > 1):
        for n, o in enumerate(several, 1):
            o.number = f"#{n}"


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


def partners_of(operation):
    places = {(p.rsplit(":", 1)[0], int(p.rsplit(":", 1)[1])) for p in operation.partners}
    here = sorted(row for file, row in places if file == operation.file)
    elsewhere = sorted(f"{pathlib.Path(file).name}:{row}" for file, row in places if file != operation.file)
    lines = [("line " if len(here) == 1 else "lines ") + ", ".join(map(str, here))] if here else []
    return ", ".join(lines + elsewhere) or "-"


def table(operations, verdicts, known):
    by_file = {}
    for o in operations:
        by_file.setdefault(o.file, []).append(o)
    for file, here in by_file.items():
        yield f"\n## {pathlib.Path(file).name}\n\n"
        yield "| operation | order | partner | found if weaker |\n|---|---|---|---|\n"
        for o in here:
            order = o.order if o.failure == "-" else f"{o.order}, {o.failure}"
            partners = partners_of(o)
            found = []
            for w in o.weaker():
                reason = known.get(o.name(w), "no reason is known")
                found.append(f"{words(w)}: " + (f"`{verdicts[o, w]}`" if verdicts[o, w] else f"no scene ({reason.rstrip('.')})"))
            found = found or ["is relaxed"]
            yield f"| {o.function}(), {o.kind}, line {o.row} | {order} | {partners} | {'; '.join(found)} |\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "build/release/bin/explore-memory", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="compares the page, and writes nothing")
    parser.add_argument("--only", help="operations whose file has this in its path; nothing is written")
    parser.add_argument("--jobs", default=2, type=int, help="so many at a time")
    given = parser.parse_args()
    met = explore(given.program, "--all", "--quick", "--orders")
    if met.returncode != 0:
        print(f"weaken: {given.program} --all --quick --orders: {met.stdout}{met.stderr}", file=sys.stderr)
        return 2
    operations = [Operation(line) for line in met.stdout.splitlines() if not given.only or given.only in line.split("\t")[0]]
    if not operations:
        print(f"weaken: no operation is in a file as '{given.only}'", file=sys.stderr)
        return 2
    number(operations)
    cases = [(o, w) for o in operations for w in o.weaker()]
    with ThreadPoolExecutor(given.jobs) as pool:
        verdicts = dict(zip(cases, pool.map(lambda c: judge(given.program, *c), cases)))
    known = reasons()
    survivors = [c for c in cases if verdicts[c] is None]
    names = {o.name(w) for o, w in survivors}
    unexplained = sorted(n for n in names if n not in known)
    needless = [] if given.only else sorted(n for n in known if n not in names)
    for n in unexplained:
        print(f"no scene finds, and no reason is known: {n}")
    for n in needless:
        print(f"found by a scene, or gone, and still in {UNNOTICED.name}: {n}")
    come_to = {(o.file, o.row) for o in operations}
    missing = [] if given.only else [p for p in in_sources() if p not in come_to]
    for file, row in missing:
        print(f"no scene comes to {file}:{row}")
    counts = (f"{len(operations)} operations, {len(cases)} weaker orders: scenes find {len(cases) - len(survivors)}, "
              f"{len(survivors) - len(unexplained)} have a reason, {len(unexplained)} have none")
    print(counts)
    is_old = False
    if not given.only:
        page = HEAD.read_text() + "\n" + counts + ".\n" + "".join(table(operations, verdicts, known))
        is_old = given.check and page != PAGE.read_text()
        if is_old:
            print(f"{PAGE.relative_to(ROOT)} is not as it would be written: make weaken")
        if not given.check:
            PAGE.write_text(page)
    return 1 if unexplained or needless or missing or is_old else 0


if __name__ == "__main__":
    sys.exit(main())
