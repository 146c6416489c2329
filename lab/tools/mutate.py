#!/usr/bin/env python3
"""How good are the tests? Breaks the protocol, the channels, the wait loop and what it calls in the runtime one statement at
a time, and counts how many of these mutants the tests kill.

    lab/tools/mutate.py [--work DIR] [--only FILE]... [--every N] [--jobs N] [--list]

All mutants are compiled at once: each mutated place asks a variable whether it is the one that is
broken (mutant schemata: Untch, Offutt and Harrold, ISSTA 1993), and MUTANT_OF_PARLEY=k in the environment
sets it. So each mutant costs a run of the tests and no compilation. A mutant is killed by a failing
test, a crash or the time limit (5 s and 5 times what the same tests take without a mutant). Memory orders
and compiler fences are not mutated: x86 and the compiler hide most of what they are for; they are the business of
lab/models/ and of ThreadSanitizer.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUNTIME = "parley/detail/runtime"
# What is broken. Of the runtime that is what a wait goes through.
ROOMS = {
    "parley/detail/protocol": ["*.hpp"],
    "lab/papers": ["*.hpp"],
    "parley/detail/sync": ["*.hpp"],
    "parley/detail/driver": ["*.hpp", "*.cpp"],
    RUNTIME: ["barrier.*", "blocking.cpp", "handing_on.hpp", "kept_seats.*", "medium.hpp", "noted_waits.hpp", "scope_core.*",
              "seats.*", "thread_host.hpp", "wait.*", "wanting.hpp", "watchdog.*", "weighing.cpp"],
}

SWITCH = """#pragma once
#include <cstdlib>
#include <type_traits>
namespace parley_mutants {
inline const int active = [] {
    const char* k = std::getenv("MUTANT_OF_PARLEY");
    return k != nullptr ? std::atoi(k) : -1;
}();
constexpr bool is(int k) noexcept { return !std::is_constant_evaluated() && active == k; }
// Another value where there is an obvious one, else the same.
template <class F>
constexpr decltype(auto) changed(int k, F value) noexcept(noexcept(value())) {
    using T = std::remove_cvref_t<decltype(value())>;
    constexpr bool is_place = std::is_lvalue_reference_v<decltype(value())>;  // its caller may write there
    if constexpr (std::is_same_v<T, bool> && !is_place) return static_cast<bool>(value()) != is(k);
    else if constexpr (std::is_integral_v<T> && !is_place) return is(k) ? static_cast<T>(value() + 1) : static_cast<T>(value());
    else {
        if (is(k)) std::_Exit(77);  // not a mutant: see NO_MUTANT
        return value();
    }
}
}  // namespace parley_mutants
"""



def tests_of(room, test_filter):
    return (f"tests/test_{room}", f"--gtest_filter={test_filter}", "--gtest_fail_fast", "--gtest_brief=1")


def explorer(*options):
    return ("bin/explore-runtime", "--all", *options)


# The tests that mutants meet, cheapest first.
TESTS = [
    tests_of("protocol", "*"),
    tests_of("papers", "Circulating*:Continuing*:Hijacking*"),
    tests_of("sync", "-*Stress*"),
    tests_of("sim", "-*Explorer*"),
    tests_of("sync", "*Stress*"),
    tests_of("runtime", "*"),
    tests_of("api", "*"),
    tests_of("papers", "-Circulating*:Continuing*:Hijacking*"),
    tests_of("sim", "*Explorer*"),
]
# The explorer says within a moment that a wait never ends, where other tests run into their time limits.
TESTS_OF_WAITS = [
    tests_of("runtime", "WaitLoop*:Asking*:Sleeping*:Watching*:LookingUp*:OwnTasks*:Leaving*:Keeping*:Idle*"),
    explorer("--deviations", "0", "--seeds", "0"),
    explorer("--deviations", "1", "--seeds", "20"),
    tests_of("runtime", "*"),
    tests_of("sim", "Timed*"),
    tests_of("api", "-Weighing.NobodyIsWoken*"),  # what is short is not, in this build, beside other tests
]
TESTS_OF = {room: TESTS_OF_WAITS if room in ("parley/detail/driver", RUNTIME) else TESTS for room in ROOMS}
NO_MUTANT = 77  # the exit status of a test that met a place where there is nothing to change
NOT_CODE = ["parley/detail/protocol/medium.hpp", "lab/papers/medium.hpp", "parley/detail/driver/host.hpp",
            "parley/detail/driver/condition.hpp"]  # concepts

STATEMENT = re.compile(r"^(\s+)((?:\+\+|--|\(void\)|\*)?[A-Za-z_][\w:<>]*(?:(?:\.|->|::)[\w<>]+|\([^;]*\)|\[[^;]*\])*"
                       r"(?:\s*(?:=|\+=|-=|\|=|&=)\s*[^=;][^;]*)?;)(\s*//.*)?$")
NOT_STATEMENTS = re.compile(r"^\s*(return|break|continue|using|static_assert|template|friend|namespace|struct|"
                            r"class|enum|public|private|protected|case|default|else|goto|typedef|constexpr|"
                            r"static|const|auto|extern|requires|throw|base::compiler_fence|PARLEY_)\b")
DECLARATION = re.compile(r"^\s*(?:[\w:<>,]+(?:\s*[*&]+)?\s+)+[*&]?\w+(?:\s*[=({\[].*)?;")
CONDITION = re.compile(r"^(\s*(?:\}\s*)?(?:else\s+)?if )\((.*)\)((?:\s*\[\[\w+\]\])?\s*(?:\{|[^{}]*;)?\s*(?://.*)?)$")
LOOP = re.compile(r"^(\s*(?:\} )?while )\((.*)\)(\s*[{;]?\s*(?:;)?(?://.*)?)$")
RETURN = re.compile(r"^(\s*(?:if \([^;]*\) )?return )([^;{}]+);(\s*//.*)?$")


def balanced(text):
    depth = 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if depth < 0:
            return False
    return depth == 0


def later(value):
    """A value that changed() computes, since it may be void."""
    return f"[&]() -> decltype(auto) {{ return {value}; }}"


class Mutants:
    def __init__(self):
        self.all = []  # (file, line number, what, source line)

    def new(self, file, number, what, line):
        self.all.append((file, number, what, line.strip()))
        return len(self.all) - 1

    def mutate(self, file, text):
        """The same source with its mutants in it. Bodies of functions are what is indented by 8 or more
        in a class, by 4 or more at namespace level; declarations are left out by their form."""
        result = []
        inside = []  # a stack of what each brace opened: is it a function?
        previous_end = ";"
        for number, line in enumerate(text.split("\n"), 1):
            code = line.split("//")[0]
            in_function = bool(inside) and inside[-1]
            changed = line
            starts_statement = previous_end in ";{}:" or previous_end == ")"
            if in_function and code.strip() and starts_statement and "constexpr (" not in code:
                changed = self.mutate_line(file, number, line)
            result.append(changed)
            stripped = code.strip()
            for i, c in enumerate(code):
                if c == "{":
                    before = code[:i]
                    # What is in a function stays in one; ") {", "noexcept {", "const {" begin one.
                    opens = bool(inside) and inside[-1]
                    if not opens and not re.search(r"\b(namespace|struct|class|enum|union|concept|requires)\b", before):
                        opens = bool(re.search(r"(\)|noexcept|const|override|->\s*[\w:<>]+)\s*$", before)) \
                            or previous_end == ")"
                    inside.append(opens)
                elif c == "}" and inside:
                    inside.pop()
            if stripped:
                end = stripped[-1]
                previous_end = end if end in ";{}:)" else ","
                if stripped.startswith(("template", "requires")):
                    previous_end = ";"
        return "\n".join(result)

    def mutate_line(self, file, number, line):
        m = CONDITION.match(line) or LOOP.match(line)
        if m and balanced(m.group(2)) and ";" not in m.group(2) \
                and not re.search(r"(?<![=!<>])=(?!=)", m.group(2)):
            k = self.new(file, number, "condition flipped", line)
            head = f"{m.group(1)}((static_cast<bool>({m.group(2)})) != parley_mutants::is({k}))"
            tail = m.group(3)
            inner = re.match(r"^(\s*return )([^;]+)(;.*)$", tail)
            if inner and inner.group(2).strip() not in ("", "*this"):
                j = self.new(file, number, "result changed", line)
                if re.fullmatch(r"true|false|[\w.]+(\([^;]*\))?( [!=<>]=? .*)?", inner.group(2)):
                    tail = f"{inner.group(1)}parley_mutants::changed({j}, {later(inner.group(2))}){inner.group(3)}"
                else:
                    self.all.pop()
            return head + tail
        if m:
            return line
        m = RETURN.match(line)
        if m and m.group(2).strip() not in ("*this", "nullptr", "std::nullopt", "{}") and balanced(m.group(2)):
            # A variable by its name may have to be moved out.
            if re.fullmatch(r"\w+", m.group(2)) and m.group(2) not in ("true", "false"):
                return line
            if re.search(r"\b(std::nullopt|nullptr|throw)\b", m.group(2)) or "?" in m.group(2):
                return line
            k = self.new(file, number, "result changed", line)
            return f"{m.group(1)}parley_mutants::changed({k}, {later(m.group(2))});{m.group(3) or ''}"
        if NOT_STATEMENTS.match(line) or DECLARATION.match(line):
            return line
        m = STATEMENT.match(line)
        if m and balanced(m.group(2)):
            k = self.new(file, number, "statement deleted", line)
            return f"{m.group(1)}if (parley_mutants::is({k})) {{}} else {m.group(2)}{m.group(3) or ''}"
        return line


def make_tree(work, only):
    """Copies the sources to WORK/src with the mutants in them."""
    source = work / "src"
    source.mkdir(parents=True, exist_ok=True)
    mutants = Mutants()
    broken = [file for room, patterns in ROOMS.items() for pattern in patterns for file in sorted((ROOT / room).glob(pattern))]
    for name in ["CMakeLists.txt", "CMakePresets.json", "LICENSE", "parley", "broker", "cluster", "lab", "command", "cmake",
                 "tests", "examples"]:
        path = ROOT / name
        if path.is_dir():
            for file in path.rglob("*"):
                # Those that are mutated are written once, below: a second time would have them compiled again.
                if file.is_file() and file not in broken:
                    write(source / file.relative_to(ROOT), file.read_bytes())
        elif path.exists():
            write(source / name, path.read_bytes())
    write(source / "parley/detail/base/mutants.hpp", SWITCH.encode())
    for file in broken:
        name = str(file.relative_to(ROOT))
        text = file.read_text()
        if name not in NOT_CODE and (not only or any(part in name for part in only)):
            text = mutants.mutate(name, text)
            # After the first comment, and before all other includes.
            text = re.sub(r"^(#pragma once|#include .*)$", r"\1\n#include <parley/detail/base/mutants.hpp>", text, count=1,
                          flags=re.MULTILINE)
        write(source / name, text.encode())
    return mutants.all


def write(path, content):
    """Only where it differs, so that what is built stays built."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def build(work, jobs, tests):
    binary = work / "build"
    subprocess.run(["cmake", "-S", work / "src", "-B", binary, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                    "-DCMAKE_CXX_FLAGS_DEBUG=-O1", "-DPARLEY_BROKER=OFF", "-DPARLEY_CLUSTER=OFF",
                    "-DPARLEY_RUST_PEERS=OFF", "-DPARLEY_BUILD_EXAMPLES=OFF",
                    "-DPARLEY_WARNINGS_AS_ERRORS=OFF", "-DCMAKE_CXX_FLAGS=-w"],
                   check=True, stdout=subprocess.DEVNULL)
    programs = sorted({pathlib.Path(program).name for program, *_ in tests})
    subprocess.run(["cmake", "--build", binary, "--parallel", str(jobs), "--target"] + programs, check=True)
    return binary


def run_test(binary, test, mutant, limit):
    """What killed the mutant, or None."""
    program, *options = test
    environment = dict(os.environ, MUTANT_OF_PARLEY=str(mutant))
    try:
        done = subprocess.run([binary / program, *options], env=environment, timeout=limit, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return f"{program} {options[0]}: time limit"
    if done.returncode == NO_MUTANT:
        return "no mutant"
    if done.returncode == 0:
        return None
    said = done.stdout.decode(errors="replace")
    failed = re.search(r"\[  FAILED  \] ([\w./]+)", said)
    why = failed.group(1) if failed else (said.strip().splitlines() or [""])[-1][:80]
    return f"{pathlib.Path(program).name}: {why or f'ended with {done.returncode}'}"


def time_limits(binary, tests):
    """Seconds for each of the tests. Exits if they fail without any mutant."""
    limits = {}
    for test in tests:
        begin = time.monotonic()
        if (why := run_test(binary, test, -1, 600)) is not None:
            sys.exit(f"mutate: the tests fail without any mutant: {why}")
        limits[test] = 5 + 5 * (time.monotonic() - begin)
    return limits


def room_of(file):
    return next(r for r in ROOMS if file.startswith(r))


def run_tests(binary, file, mutant, limits):
    """What killed it, or None."""
    for test in TESTS_OF[room_of(file)]:
        if (killer := run_test(binary, test, mutant, limits[test])) is not None:
            return killer
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--work", type=pathlib.Path, default=ROOT / "build/mutate")
    arguments.add_argument("--only", action="append", help="only files whose path has this in it; may be said again")
    arguments.add_argument("--every", type=int, default=1, help="only every Nth mutant")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--list", action="store_true", help="show the mutants and stop")
    wanted = arguments.parse_args()

    mutants = make_tree(wanted.work, wanted.only)
    if wanted.list:
        for k, (file, number, what, line) in enumerate(mutants):
            print(f"{k:4} {file}:{number}: {what}: {line}")
        return 0
    tests = list(dict.fromkeys(test for file, *_ in mutants for test in TESTS_OF[room_of(file)]))
    binary = build(wanted.work, wanted.jobs, tests)
    limits = time_limits(binary, tests)
    survivors, killed = [], {room: [0, 0] for room in ROOMS}
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(wanted.jobs) as pool:
        chosen = range(0, len(mutants), wanted.every)
        for k, killer in zip(chosen, pool.map(lambda k: run_tests(binary, mutants[k][0], k, limits), chosen)):
            file, number, what, line = mutants[k]
            if killer == "no mutant":
                continue
            room = room_of(file)
            killed[room][1] += 1
            if killer is None:
                survivors.append(k)
            else:
                killed[room][0] += 1
            print(f"{k:4} {file}:{number}: {what}: {killer or 'SURVIVED: ' + line}", flush=True)
    print(f"\n{time.monotonic() - begin:.0f} s")
    for k in survivors:
        file, number, what, line = mutants[k]
        print(f"survivor {k}: {file}:{number}: {what}: {line}")
    for room, (dead, of) in killed.items():
        if of:
            print(f"{room}: {dead} of {of} mutants killed, {100 * dead / of:.1f}%")
    return 0


if __name__ == "__main__":
    sys.exit(main())
