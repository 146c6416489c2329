"""`parley sim` for the scripts here: one run, or one for each value of a number."""

import json
import subprocess
import sys


class Simulator:
    def __init__(self, parley, scale=1.0):
        self.parley = parley
        self.scale = scale
        self.known = {}

    def size(self, n):
        """As an option: a size that --scale changes."""
        return str(max(1, round(n * self.scale)))

    def lines(self, verb, program, *words):
        """What a command of `parley` writes with --json; the same command runs once."""
        command = (self.parley, verb, program, *words, "--json", "-")
        if command not in self.known:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
            self.known[command] = [json.loads(line) for line in done.stdout.splitlines()]
        return self.known[command]

    def __call__(self, program, *words):
        return self.lines("sim", program, *words)[0]

    def sweep(self, program, swept, values, *words):
        listed = ",".join(str(v) for v in values)
        return self.lines("sim", program, *words, "--sweep", f"{swept}={listed}")
