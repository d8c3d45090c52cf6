"""How long Passline takes to start: `passline --version`, `import passline` and others, beside `import msgspec`.

Each is run in a process of its own, in turn with the others. The least processor time of all rounds is shown: other
programs on the machine lengthen it by chance, and nothing shortens it. Goals: `passline --version` within 3 times,
`import passline` within 5 times and `passline analyze molly`, whose automaton is cached, within 20 times what
`python -c "import msgspec"` takes: about a second.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import subprocess
import sys
import tempfile

from benchmarks.processor import processor_name

PEER = "import msgspec"
_RUN = "import sys; from passline.cli.main import main; sys.exit(main({words!r}))"
PROGRAMS = {
    'python -c "pass"': "pass",
    f'python -c "{PEER}"': PEER,
    'python -c "import passline"': "import passline",
    'python -c "from passline import CrapsGame"': "from passline import CrapsGame",
    "passline --version": _RUN.format(words=["--version"]),
    "passline house new": _RUN.format(words=["house", "new"]),
    "passline --help": _RUN.format(words=["--help"]),
    "passline analyze molly": _RUN.format(words=["analyze", "molly"]),
}
GOALS = {"passline --version": 3, 'python -c "import passline"': 5, "passline analyze molly": 20}


def seconds(code: str, folder: str) -> float:
    """Return the processor time that a new process takes for a program whose modules are compiled."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = folder
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(arguments: list[str] | None = None) -> int:
    """Measure, and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog="./x bench start", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args(arguments).rounds
    taken: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(rounds + 1):
            for name, code in PROGRAMS.items():
                one = seconds(code, folder)
                if turn:  # the first compiles the modules
                    taken[name].append(one)
    least = {name: min(times) for name, times in taken.items()}
    peer = least[f'python -c "{PEER}"']
    print(f"{processor_name()}; Python {platform.python_version()}; least processor time of {rounds} rounds")
    missed = 0
    for name, value in least.items():
        ratio = value / peer
        goal = f"   goal: within {GOALS[name]}" if name in GOALS else ""
        missed |= name in GOALS and ratio > GOALS[name]
        print(f"  {name:45} {value * 1000:7.1f} ms {ratio:6.2f} x{goal}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
