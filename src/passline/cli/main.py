"""The command `passline`: its subcommands, and how errors are shown."""

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from passline import __version__
from passline.cli import (
    analyze,
    break_glass,
    conformance,
    export,
    hands,
    house,
    odds,
    office,
    replay,
    serve,
    shooter,
    simulate,
    strategies,
    verify,
)
from passline.cli.play.command import play
from passline.cli.tournament import command as tournament
from passline.cli.upkeep import backup, restore, rotate_key
from passline.errors import CrapsError

__all__ = ["app", "main"]

_EXIT_FAILED = 1
_EXIT_REFUSED = 2  # typer's code for a usage error: the caller can fix both
_EXIT_INTERNAL = 70  # EX_SOFTWARE of sysexits.h
_EXIT_INTERRUPTED = 130  # 128 + SIGINT, as in shells

# The application with all commands.
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


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
    try:
        code = _run(arguments)
        print(end="", flush=True)  # raises BrokenPipeError here rather than at shutdown
    except KeyboardInterrupt:
        return _EXIT_INTERRUPTED
    except BrokenPipeError:  # `passline ... | head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _EXIT_FAILED
    except CrapsError as error:
        _print_error(str(error))
        return _EXIT_REFUSED
    except Exception as error:  # noqa: BLE001 - the last handler before the user
        if os.environ.get("PASSLINE_DEBUG") == "1":
            traceback.print_exc()
        how = "run it again with PASSLINE_DEBUG=1 and report the traceback"
        _print_error(f"internal error: {type(error).__name__}: {error}; {how}")
        return _EXIT_INTERNAL
    return code


def _run(arguments: Sequence[str] | None) -> int:
    """Run typer, which always raises SystemExit, and return the exit code."""
    try:
        app(args=arguments, prog_name="passline")
    except SystemExit as exit_:
        if isinstance(exit_.code, str):  # from sys.exit("message")
            _print_error(exit_.code)
            return _EXIT_FAILED
        return exit_.code or 0
    return 0


def _print_error(message: str) -> None:
    print("passline:", " ".join(message.split()), file=sys.stderr)
