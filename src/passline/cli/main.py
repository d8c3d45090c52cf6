"""The command `passline`: its subcommands, and how errors are shown.

docs/commands.md has the exit codes in one table, for the people who call it from scripts.
"""

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from passline import __version__
from passline.cli import (
    analyze,
    break_glass,
    conformance,
    export,
    hands,
    odds,
    office,
    replay,
    serve,
    shooter,
    simulate,
    strategies,
    verify,
)
from passline.cli.house_files import command as house
from passline.cli.house_files.comparing import rulebook_commands
from passline.cli.play.command import play
from passline.cli.tournament import command as tournament
from passline.cli.upkeep import backup, restore, rotate_key
from passline.errors import CrapsError
from passline.extras import missing_extra

__all__ = ["app", "main"]

_EXIT_FAILED = 1
_EXIT_REFUSED = 2  # typer's code for a usage error: the caller can fix both
_EXIT_INTERNAL = 70  # EX_SOFTWARE of sysexits.h
_EXIT_INTERRUPTED = 130  # 128 + SIGINT, as in shells
_EXIT_UNREAD = 141  # 128 + SIGPIPE, as in shells
_REMEDIES = {
    errno.ENOSPC: "free some room there, or name another place",
    errno.EDQUOT: "free some room there, or name another place",
    errno.EFBIG: "free some room there, or name another place",
    errno.EACCES: "choose a place that you may use, or ask its owner",
    errno.EPERM: "choose a place that you may use, or ask its owner",
    errno.EROFS: "choose a place that can be written to",
}


class _Stopped(BaseException):
    """A signal that click would turn into an exit code of its own: Ctrl-C, or nobody who reads the output."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class _Commands(TyperGroup):
    """The group of all commands, which leaves signals to `main`."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer's own types, which move between its versions
        """Run a command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise _Stopped(_EXIT_INTERRUPTED) from None
        except BrokenPipeError:
            raise _Stopped(_EXIT_UNREAD) from None


# The application with all commands. -h is --help everywhere, and names of commands and options may be in any case.
app = typer.Typer(
    cls=_Commands,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "token_normalize_func": str.lower},
)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        print(f"passline {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _passline(
    context: typer.Context,
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """The game of craps as the regulators wrote it, executable."""
    del version  # handled by its callback
    if context.invoked_subcommand is None:
        print(context.get_help())


app.command()(analyze.analyze)
app.command()(backup.backup)
app.command()(break_glass.break_glass)
app.command()(conformance.conformance)
app.command()(export.export)
app.command()(hands.hands)
app.add_typer(house.commands, name="house")
app.command()(odds.odds)
app.add_typer(office.commands, name="office")
app.command()(play)
app.command()(replay.replay)
app.command()(restore.restore)
app.command()(rotate_key.rotate_key)
app.add_typer(rulebook_commands, name="rulebook")
app.command()(serve.serve)
app.command()(shooter.shooter)
app.command()(simulate.simulate)
app.command()(strategies.strategies)
app.add_typer(tournament.commands, name="tournament")
app.command()(verify.verify)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; an error prints one line, never a traceback.

    >>> main(["--version"])
    passline 0.1.0
    0
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given)
        print(end="", flush=True)  # raises here rather than at shutdown
    except _Stopped as stopped:
        return _left(stopped.code)
    except KeyboardInterrupt:
        return _EXIT_INTERRUPTED
    except BrokenPipeError:  # `passline ... | head` has read enough
        return _left(_EXIT_UNREAD)
    except Exception as error:  # noqa: BLE001 - the last handler before the user
        if os.environ.get("PASSLINE_DEBUG") == "1":
            traceback.print_exc()
        message, code = _told(error, next((word for word in given if not word.startswith("-")), ""))
        _print_error(message)
        return _left(code)
    return code


def _run(arguments: Sequence[str]) -> int:
    """Run typer, which always raises SystemExit, and return the exit code."""
    try:
        app(args=list(arguments), prog_name="passline")
    except SystemExit as exit_:
        if isinstance(exit_.code, str):  # from sys.exit("message")
            _print_error(exit_.code)
            return _EXIT_FAILED
        return exit_.code or 0
    return 0


def _told(error: Exception, command: str) -> tuple[str, int]:
    """Return what a person is told of an error, and the exit code."""
    if isinstance(error, CrapsError):
        return str(error), _EXIT_REFUSED
    if isinstance(error, ImportError) and (missing := missing_extra(error, f"passline {command}".strip())):
        return str(missing), _EXIT_REFUSED
    if isinstance(error, OSError) and error.strerror:
        remedy = f": {_REMEDIES[error.errno]}" if error.errno in _REMEDIES else ""
        return f"{error.filename or 'standard output'}: {error.strerror}{remedy}", _EXIT_REFUSED
    how = "run it again with PASSLINE_DEBUG=1 and report the traceback"
    return f"internal error: {type(error).__name__}: {error}; {how}", _EXIT_INTERNAL


def _left(code: int) -> int:
    """Return the exit code, with nothing left to be written at shutdown to an output that does not take it."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _print_error(message: str) -> None:
    print("passline:", " ".join(message.split()), file=sys.stderr)
