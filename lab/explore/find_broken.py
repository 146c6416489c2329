#!/usr/bin/env python3
"""Does the explorer find each broken variant of the library?

lab/explore/broken/NAME.patch says in its first lines what is broken and which scene finds it:

    What is left out, or done too early.
    Scene: NAME [OPTIONS OF explore-runtime]     (one line for each scene that finds it)

Each patch is applied to copies of the files that it names; what includes them is compiled once more, and linked with the
rest. The scene has to fail, and the schedule that it prints has to fail again. Exit status 1: a variant is not found.

    lab/explore/find_broken.py                all of them
    lab/explore/find_broken.py NAME...        only those
    lab/explore/find_broken.py --applies      looks whether each patch still applies, and builds nothing
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATCHES = ROOT / "lab/explore/broken"
FLAGS = "-std=c++20 -O1 -g1 -w -pthread -DPARLEY_ATOMIC='<lab/explore/atomic.hpp>'"
# What Linux says of the machine does: no other library is needed.
LEFT_OUT = {"parley/detail/runtime/topology.cpp"}
FILES_PER_UNIT = 8
LONGEST_S = 1200


class Variant:
    def __init__(self, path):
        text = path.read_text()
        self.name = path.stem
        self.path = path
        self.files = re.findall(r"^\+\+\+ b/(\S+)", text, re.M)
        self.scenes = [line.split() for line in re.findall(r"^Scene: (.+)$", text, re.M)]
        if not self.scenes or not self.files:
            sys.exit(f"{path}: it does not say 'Scene: NAME', or changes no file")

    def apply(self, into):
        for name in self.files:
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, into / name)
        done = subprocess.run(["patch", "-p1", "--fuzz=0", "--no-backup-if-mismatch", "-s", "-d", into, "-i", self.path],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ValueError(f"{self.path.relative_to(ROOT)} does not apply: {done.stdout.strip()}")


def all_variants(names):
    found = {v.name: v for v in map(Variant, sorted(PATCHES.glob("*.patch")))}
    unknown = [n for n in names if n not in found]
    if unknown:
        print(f"there is no {PATCHES.relative_to(ROOT)}/{unknown[0]}.patch", file=sys.stderr)
        sys.exit(2)
    return [found[n] for n in names] if names else list(found.values())


def check_that_they_apply(variants):
    wrong = 0
    for v in variants:
        with tempfile.TemporaryDirectory() as directory:
            try:
                v.apply(pathlib.Path(directory))
            except (ValueError, OSError) as e:
                print(e, file=sys.stderr)
                wrong = 1
    return wrong


def write_if_new(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def units(build):
    """Files of the library, several in one, and those of the explorer."""
    library = sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "parley").rglob("*.cpp"))
    library = [p for p in library if p not in LEFT_OUT and not p.startswith("parley/tasking/")]
    made = {}
    for first in range(0, len(library), FILES_PER_UNIT):
        name = f"library{first // FILES_PER_UNIT}"
        path = build / f"{name}.cpp"
        write_if_new(path, "".join(f"#include <{p}>\n" for p in library[first:first + FILES_PER_UNIT]))
        made[name] = path
    for p in sorted((ROOT / "lab/explore").rglob("*.cpp")):
        made[p.relative_to(ROOT / "lab/explore").as_posix().replace("/", "_").removesuffix(".cpp")] = p
    return made


def run_ninja(build, jobs, what):
    subprocess.run(["ninja", "-C", build, f"-j{jobs}", "--quiet", *what], check=True, stdout=subprocess.DEVNULL)


def rules():
    return (f"rule compile\n  command = g++ {FLAGS} $includes -MMD -MF $out.d -c $in -o $out\n  depfile = $out.d\n"
            "rule link\n  command = g++ -pthread $in -ldl -o $out\n")


def included(object_file):
    """The files of this project that it was made of, as names below ROOT."""
    text = pathlib.Path(f"{object_file}.d").read_text().replace("\\\n", " ")
    names = set()
    for word in text.split():
        path = pathlib.Path(word)
        if path.is_absolute() and path.is_relative_to(ROOT):
            names.add(path.relative_to(ROOT).as_posix())
    return names


def build_all(build, jobs, variants):
    made = units(build)
    plain = {name: build / "plain" / f"{name}.o" for name in made}
    lines = [rules()]
    for name, path in made.items():
        lines.append(f"build {plain[name]}: compile {path}\n  includes = -I{ROOT}\n")
    write_if_new(build / "build.ninja", "".join(lines))
    # Without the dependencies' log: they are read here.
    run_ninja(build, jobs, [str(p) for p in plain.values()])
    of = {name: included(plain[name]) for name in made}
    for v in variants:
        overlay = build / v.name / "src"
        fresh = build / v.name / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        v.apply(fresh)
        for left in overlay.rglob("*"):  # by a patch of this name that changed other files
            if left.is_file() and left.relative_to(overlay).as_posix() not in v.files:
                left.unlink()
        for name in v.files:
            (overlay / name).parent.mkdir(parents=True, exist_ok=True)
            write_if_new(overlay / name, (fresh / name).read_text())
        objects = []
        for name, path in made.items():
            if of[name].isdisjoint(v.files):
                objects.append(plain[name])
                continue
            objects.append(build / v.name / f"{name}.o")
            lines.append(f"build {objects[-1]}: compile {path}\n  includes = -I{overlay} -I{ROOT}\n")
        lines.append(f"build {build / v.name / 'explore-runtime'}: link {' '.join(map(str, objects))}\n")
    write_if_new(build / "build.ninja", "".join(lines))


def finds(program, v, scene):
    begin = time.monotonic()
    done = subprocess.run([program, *scene], capture_output=True, text=True, timeout=LONGEST_S, check=False)
    took = time.monotonic() - begin
    again = re.search(r"^Again: explore-runtime (.+)$", done.stdout, re.M)
    if done.returncode != 1 or again is None:
        print(f"{v.name}: NOT FOUND by {' '.join(scene)}, {took:.0f} s {done.stderr.strip()}", flush=True)
        return False
    repeated = subprocess.run([program, *again[1].split()], capture_output=True, text=True, timeout=LONGEST_S, check=False)
    if repeated.returncode != 1:
        print(f"{v.name}: found, but not again: {again[1]}", flush=True)
        return False
    what = done.stdout[:done.stdout.index("\nAgain: ")].splitlines()
    what = next((line for line in reversed(what) if not line.startswith("  ")), "")
    print(f"{v.name}: {done.stdout.splitlines()[0]}: {what} ({again[1]})", flush=True)
    return True


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("names", nargs="*", metavar="NAME")
    arguments.add_argument("--applies", action="store_true")
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument("--build", type=pathlib.Path, default=ROOT / "build/broken")
    given = arguments.parse_args()
    variants = all_variants(given.names)
    if given.applies:
        return check_that_they_apply(variants)
    build = given.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    build_all(build, given.jobs, variants)
    missed = 0
    for v in variants:
        program = build / v.name / "explore-runtime"
        run_ninja(build, given.jobs, [str(program)])
        missed += sum(not finds(program, v, scene) for scene in v.scenes) > 0
    print(f"{len(variants) - missed} of {len(variants)} broken variants are found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
