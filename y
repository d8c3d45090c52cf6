#!/usr/bin/env python3
"""Run Passline from a checkout, with nothing on the machine but Python 3.11 and pip.

Debian's pip refuses to install into the system (PEP 668) and its Python has no ensurepip. So this launcher makes .venv
without pip and has the system's pip fill it from a lock. A stamp, written last, says what .venv was made from; when the
lock, pyproject.toml, Python or the folder changes, .venv is made again.
"""

import os
import sys

if sys.version_info < (3, 11):
    sys.exit(f"x: Passline needs Python 3.11 or newer; this is Python {sys.version.split()[0]}")

if not sys.flags.isolated:
    # Start over with nothing left in the environment that changes which modules Python finds; from the Python behind an
    # active virtual environment, which may be the one to clear; and with a PATH, which even sys.executable depends on.
    _environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    _environment.setdefault("PATH", os.defpath)
    _python = sys.executable or "python3"
    if sys.prefix != sys.base_prefix:
        _python = os.path.join(sys.base_prefix, "bin", f"python3.{sys.version_info.minor}")
    os.execvpe(_python, [_python, "-I", os.path.abspath(__file__), *sys.argv[1:]], _environment)

import ast
import contextlib
import fcntl
import hashlib
import itertools
import subprocess
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = str(VENV / "bin" / "python")
LOCKS = {"run": "requirements.lock"} | {
    name: f"requirements-{name}.lock" for name in ("exact", "serve", "cluster", "dev")
}
EXACT = ("analyze", "odds", "replay", "shooter", "simulate")  # the commands that need the lock of that name
SERVE = ("export", "serve", "verify")  # likewise
FAST = [
    "-m",
    "not slow and not long",
]  # the tests of `./x test --fast`: all but browsers, kills, fuzzing and other long ones
HELP = """\
./x COMMAND ...        run `passline COMMAND ...`; the first run sets up .venv
./x test               lint, format, types and tests: all that .ci/run runs
./x test --fast        the same with only the tests that matter most, in under two minutes
./x test ARGUMENT ...  only pytest, with these arguments
./x bench              list the benchmarks
./x bench NAME ...     run one of them
./x hooks              have git offer the commit template and check commit messages
./x lock [--upgrade]   make the requirements locks again, after a change of dependencies in pyproject.toml
"""


def main(arguments: Sequence[str]) -> NoReturn:
    """Run one command: the launcher's own, or else passline's."""
    name, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    if name in ("-h", "--help"):
        show_help()
    if name == "test":
        test(rest)
    if name == "bench":
        bench(rest)
    if name == "hooks":
        hooks()
    if name == "lock":
        lock(rest)
    set_up(layer_of(name, rest))
    run(str(VENV / "bin" / "passline"), *arguments)


def layer_of(name: str, rest: Sequence[str]) -> str:
    """Return which lock a passline command needs; the large one of the cluster only for `--on ray`."""
    told = [option.removeprefix("--on=") for option in rest if option.startswith("--on=")]
    told += [place for option, place in itertools.pairwise(rest) if option == "--on"]
    if name == "simulate" and any(place == "ray" or place.startswith("ray:") for place in told):
        return "cluster"
    return "serve" if name in SERVE else "exact" if name in EXACT else "run"


def show_help() -> NoReturn:
    """Print the launcher's commands, and passline's own if .venv is set up."""
    print(HELP, flush=True)
    if is_set_up("run"):
        run(str(VENV / "bin" / "passline"), "--help")
    sys.exit(0)


def test(arguments: Sequence[str]) -> NoReturn:
    """Run every check and stop at the first failure; with arguments, run pytest alone."""
    set_up("dev")
    os.chdir(ROOT)
    is_fast = list(arguments) == ["--fast"]
    if arguments and not is_fast:
        run(PYTHON, "-m", "pytest", *arguments)
    typed = [folder for folder in ("src", "tests", "benchmarks") if any(Path(folder).rglob("*.py"))]
    for step in (
        ["ruff", "check"],
        ["ruff", "format", "--check"],
        ["mypy", *typed, "x"],
        ["pytest", "-n", "2", *(FAST if is_fast else [])],
    ):
        print("==", *step, flush=True)
        code = subprocess.run([PYTHON, "-m", *step], check=False).returncode
        if code:
            fail(f"{' '.join(step)} failed", code=code if code > 0 else 128 - code)
    sys.exit(0)


def bench(arguments: Sequence[str]) -> NoReturn:
    """Run one benchmark, or list them by the first line of their docstrings."""
    scripts = {path.stem: path for path in sorted(ROOT.glob("benchmarks/[!_]*.py"))}
    if not arguments:
        for name, path in scripts.items():
            docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            print(f"{name:<20} {docstring.partition(chr(10))[0]}")
        sys.exit(0)
    if arguments[0] not in scripts:
        fail(f"no benchmark {arguments[0]!r}; there are: {', '.join(scripts) or 'none'}", code=2)
    set_up("dev")  # some play or change the tests
    os.chdir(ROOT)  # which `-m` puts on the path, so that a benchmark can import what it shares with tests
    run(PYTHON, "-m", f"benchmarks.{arguments[0]}", *arguments[1:])


def hooks() -> NoReturn:
    """Set git's commit template and hooks for this clone."""
    for key, value in (("commit.template", ".gitmessage"), ("core.hooksPath", ".githooks")):
        subprocess.run(["git", "-C", str(ROOT), "config", key, value], check=True)
    sys.exit(0)


def lock(arguments: Sequence[str]) -> NoReturn:
    """Make the locks, each within the versions of the one before, so that one .venv can hold them all."""
    set_up("dev")
    os.chdir(ROOT)
    compile_ = [PYTHON, "-m", "uv", "pip", "compile", "pyproject.toml", "--python-version", "3.11", "--universal"]
    compile_ += ["--generate-hashes", "--only-binary", ":all:", "--custom-compile-command", "./x lock"]
    compile_ += ["--quiet", "--system-certs"]  # those that pip trusts too
    extra, serve, cluster = ["--extra", "exact"], ["--extra", "serve"], ["--extra", "cluster"]
    for output, options in (
        (LOCKS["run"], ["--group", "build"]),
        (LOCKS["exact"], ["--group", "build", *extra, "--constraints", LOCKS["run"]]),
        (LOCKS["serve"], ["--group", "build", *extra, *serve, "--constraints", LOCKS["exact"]]),
        (LOCKS["cluster"], ["--group", "build", *extra, *serve, *cluster, "--constraints", LOCKS["serve"]]),
        (
            LOCKS["dev"],
            ["--group", "build", "--group", "dev", *extra, *serve, *cluster, "--constraints", LOCKS["cluster"]],
        ),
    ):
        code = subprocess.run([*compile_, *options, "--output-file", output, *arguments], check=False).returncode
        if code:
            fail(f"uv could not make {output}", code=code)
    sys.exit(0)


def run(*command: str) -> NoReturn:
    """Replace this process by the command, so that signals and exit status are its own."""
    os.execv(command[0], command)


def set_up(layer: str) -> None:
    """Bring .venv up to the layer's lock, unless it is there already."""
    if is_set_up(layer):
        return
    umask = os.umask(0o022)  # a stricter one is meant for the user's own files
    with alone() as held:
        if not is_set_up(layer):  # another run may have done it meanwhile
            say(f"setting up .venv from {LOCKS[layer]} (once; about half a minute)")
            fresh = not is_set_up("run")
            if fresh:
                for name in LOCKS:
                    stamp(name).unlink(missing_ok=True)  # first, so that no old stamp outlives what it stands for
                venv.EnvBuilder(with_pip=False, clear=True, symlinks=True).create(VENV)
            pip("--require-hashes", "--only-binary", ":all:", "-r", LOCKS[layer], held=held)
            if fresh:
                pip("--no-deps", "--no-build-isolation", "--editable", ".", held=held)
            for name in {"run", layer}:
                stamp(name).write_text(wanted(name), encoding="ascii")
    os.umask(umask)


def is_set_up(layer: str) -> bool:
    """Return whether .venv was made from the files as they are now."""
    try:
        return os.path.exists(PYTHON) and stamp(layer).read_text(encoding="ascii") == wanted(layer)
    except FileNotFoundError:
        return False


def stamp(layer: str) -> Path:
    """Return the file that records what a layer of .venv was made from."""
    return VENV / f"passline-{layer}.stamp"


def wanted(layer: str) -> str:
    """Return the stamp for the files as they are now. It covers the folder too, which scripts in .venv name."""
    parts = [(ROOT / name).read_bytes() for name in ("pyproject.toml", LOCKS["run"], LOCKS[layer])]
    parts += [os.fsencode(ROOT), b"3.%d" % sys.version_info.minor]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


@contextlib.contextmanager
def alone() -> Iterator[int]:
    """Hold the set-up lock, so that two first runs do not fill .venv at once."""
    with (ROOT / ".venv.lock").open("w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up of .venv")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def pip(*arguments: str, held: int) -> None:
    """Install into .venv with the system's pip. It inherits the set-up lock, so it holds it even if we are killed."""
    command = [sys.executable, "-m", "pip", "--python", PYTHON, "--disable-pip-version-check", "--no-input", "install"]
    done = subprocess.run(
        [*command, "--quiet", *arguments],
        check=False,
        cwd=ROOT,
        env={**os.environ, "PIP_USER": "0"},  # set by some systems, and an error in a virtual environment
        pass_fds=[held],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if "No module named pip" in done.stdout:
        fail(f"{sys.executable} has no pip; on Debian or Ubuntu: sudo apt install python3-pip")
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if line.strip() and not line.startswith("WARNING")]
        fail("\n  ".join(["pip could not fill .venv; it says:", *lines[-8:]]))


def say(message: str) -> None:
    """Print one line of progress to standard error."""
    print("x:", message, file=sys.stderr, flush=True)


def fail(message: str, *, code: int = 1) -> NoReturn:
    """Exit with one message and a status."""
    say(message)
    sys.exit(code)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        fail(str(error))
