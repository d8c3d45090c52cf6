"""The command `passline`: its subcommands, and how errors are shown.

exit_codes.py has the exit codes, for the people who call it from scripts.
"""

import errno
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any, ClassVar

import typer
import typer.main
from typer.core import TyperGroup

from passline.cli.exit_codes import FAILED, INTERNAL, INTERRUPTED, REFUSED, UNREAD
from passline.cli.standard_streams import drop_output, open_closed_streams, tolerate_strange_names
from passline.errors import CrapsError
from passline.extras import missing_extra
from passline.version import __version__

# Where each command is: a function, or a Typer for a group of commands. Only the one that is asked for is imported.
_COMMANDS = {
    "analyze": "passline.cli.analyze:analyze",
    "archive": "passline.cli.upkeep:archive",
    "backup": "passline.cli.upkeep:backup",
    "best": "passline.cli.best:best",
    "break-glass": "passline.cli.upkeep:break_glass",
    "certify": "passline.cli.certify:certify",
    "conformance": "passline.cli.conformance:conformance",
    "dice": "passline.cli.dice:dice_commands",
    "duties": "passline.cli.duties:duties",
    "export": "passline.cli.export:export",
    "ledger": "passline.cli.ledger:ledger",
    "hands": "passline.cli.hands:hands",
    "house": "passline.cli.house:house_commands",
    "lab": "passline.cli.lab:lab",
    "manual": "passline.cli.manual:manual",
    "odds": "passline.cli.odds:odds",
    "office": "passline.cli.office:commands",
    "people-report": "passline.cli.people_report:people_report",
    "play": "passline.cli.play.command:play",
    "regulator": "passline.cli.regulator:commands",
    "purge": "passline.cli.upkeep:purge",
    "rehearse": "passline.cli.rehearse:rehearse",
    "replay": "passline.cli.replay:replay",
    "restore": "passline.cli.upkeep:restore",
    "rotate-key": "passline.cli.upkeep:rotate_key",
    "rulebook": "passline.cli.rulebook:rulebook_commands",
    "serve": "passline.cli.serve:serve",
    "shooter": "passline.cli.shooter:shooter",
    "simulate": "passline.cli.simulate:simulate",
    "strategies": "passline.cli.strategies:strategies",
    "tournament": "passline.cli.tournament:commands",
    "upgrade": "passline.cli.upgrade:upgrade",
    "verify": "passline.cli.verify:verify",
}
# These are about no regulation; `upgrade` has a --rulebooks of its own, for those of the old version.
_WITHOUT_RULES = {"backup", "break-glass", "manual", "restore", "rotate-key", "upgrade"}
_ON_A_DAY = {
    *("analyze", "best", "certify", "conformance", "duties", "hands", "house", "odds", "play", "replay", "rulebook"),
    "shooter",
    "strategies",
}  # these are about the text of one day; a server and its log go by the days of their house, `simulate` has an --on
_RULEBOOKS, _DAY = "PASSLINE_RULEBOOKS", "PASSLINE_DAY"  # as `rules/pages/library.py` and `day.py` beside it read them
_EMPTY_OPTION = re.compile(r"(--[\w-]+)=\s*")
_REMEDIES = {
    errno.ENOSPC: "free some room there, or name another place",
    errno.EDQUOT: "free some room there, or name another place",
    errno.EFBIG: "free some room there, or name another place",
    errno.EACCES: "choose a place that you may use, or ask its owner",
    errno.EPERM: "choose a place that you may use, or ask its owner",
    errno.EROFS: "choose a place that can be written to",
    errno.EBADF: "it is not open for writing",
}


class _Stopped(BaseException):
    """A signal that click would turn into an exit code of its own: Ctrl-C, or a closed pipe."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class _ImportedLater(Mapping[str, Any]):
    """The commands by name, each imported when it is first looked at, and made once however often `main` is called."""

    _made: ClassVar[dict[str, Any]] = {}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - see _Commands.invoke
        if name not in self._made:
            module, _, attribute = _COMMANDS[name].partition(":")
            self._made[name] = _make_command(name, getattr(import_module(module), attribute))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


def _make_command(name: str, what: Any) -> Any:  # noqa: ANN401 - see _Commands.invoke
    """Make a command of a function, or a group of commands of a Typer; each takes `--rulebooks`, and some `--on`."""
    command: Any
    if isinstance(what, typer.Typer):
        command = typer.main.get_group(what)
        command.name = name
    else:
        alone = typer.Typer(add_completion=False)
        alone.command(name)(what)
        command = typer.main.get_command(alone)
    if name not in _WITHOUT_RULES:
        for part in getattr(command, "commands", {"": command}).values():
            part.params += _options() if name in _ON_A_DAY else _options()[:1]
    return command


def _add_rulebooks(folders: list[str] | None) -> None:
    """Add folders to the environment, which every process has that a command starts; `main` puts it back."""
    for folder in folders or ():
        if not os.path.isdir(folder):  # noqa: PTH112 - pathlib is slow to import
            raise CrapsError(f"--rulebooks {folder}: is not a folder")
        if os.pathsep in (path := os.path.abspath(folder)):  # noqa: PTH100
            raise CrapsError(f"--rulebooks {folder}: its path has a {os.pathsep!r} in it; move it, or rename it")
        known = os.environ.get(_RULEBOOKS, "").split(os.pathsep)
        os.environ[_RULEBOOKS] = os.pathsep.join(dict.fromkeys(filter(None, (*known, path))))


def _set_day(day: str) -> None:
    """Have the environment name the day whose text is read; `main` puts it back."""
    if day:
        from passline.rules.pages.day import day_named

        os.environ[_DAY] = str(day_named(day, "--on"))


def _options_only(
    rulebooks: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DIR",
            is_eager=True,
            expose_value=False,
            callback=_add_rulebooks,
            help="A folder of rulebooks, beside those of Passline and of PASSLINE_RULEBOOKS. May be repeated.",
        ),
    ] = None,
    on: Annotated[
        str,
        typer.Option(
            metavar="DAY",
            is_eager=True,
            expose_value=False,
            callback=_set_day,
            help="The regulation as it stands on this day, such as 2027-01-01; without it, today.",
        ),
    ] = "",
) -> None:
    """Hold the options of every command that names a regulation."""


@cache
def _options() -> list[Any]:
    holder = typer.Typer(add_completion=False)
    holder.command()(_options_only)
    return typer.main.get_command(holder).params[:2]


class _Commands(TyperGroup):
    """The group of all commands, which leaves signals to `main`."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - see invoke
        super().__init__(**attributes | {"commands": _ImportedLater()})

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - see invoke
        """Return the names of all commands."""
        del ctx
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer's own types, which move between its versions
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, typer.Abort):  # at a prompt, Ctrl-C and Ctrl-D are the latter
            raise _Stopped(INTERRUPTED) from None
        except BrokenPipeError:
            raise _Stopped(UNREAD) from None


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; an error prints one line, never a traceback.

    >>> main(["--version"])
    passline 0.3.0.dev0
    0
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not open_closed_streams():
        _print_error("standard output is closed: give it somewhere to go, such as > /dev/null")
        return REFUSED
    tolerate_strange_names()
    named = {variable: os.environ.get(variable) for variable in (_RULEBOOKS, _DAY)}
    try:
        _refuse_empty(given)
        code = _run(given)
        print(end="", flush=True)  # raises here rather than at shutdown
    except _Stopped as stopped:
        return _leave(stopped.code)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # `passline ... | head` has read enough
        return _leave(UNREAD)
    except Exception as error:  # noqa: BLE001 - the last handler before the user
        if os.environ.get("PASSLINE_DEBUG") == "1":
            import traceback

            traceback.print_exc()
        message, code = _error_text(error, next((word for word in given if not word.startswith("-")), ""))
        _print_error(message)
        return _leave(code)
    finally:
        _put_back(named)
    return code


def _put_back(named: Mapping[str, str | None]) -> None:
    """Have the environment name what it named before the command, for whoever calls `main` again."""
    for variable, value in named.items():
        os.environ.pop(variable, None)
        if value is not None:
            os.environ[variable] = value


def _refuse_empty(arguments: Sequence[str]) -> None:
    """Raise CrapsError if an option or an argument is empty, as `--data "$DATA"` is where DATA is not set."""
    for before, word in zip(("", *arguments), arguments, strict=False):
        if found := _EMPTY_OPTION.fullmatch(word):
            raise CrapsError(f"{found[1]}: is empty; give a value, or leave the option out")
        if not word.strip():
            what = before if before.startswith("--") else "an argument"
            raise CrapsError(f"{what}: is empty; give a value, or leave it out")


def _run(arguments: Sequence[str]) -> int:
    """Run typer, which always raises SystemExit, and return the exit code."""
    try:
        app(args=list(arguments), prog_name="passline")
    except SystemExit as exit_:
        if isinstance(exit_.code, str):  # from sys.exit("message")
            _print_error(exit_.code)
            return FAILED
        return exit_.code or 0
    return 0


def _error_text(error: Exception, command: str) -> tuple[str, int]:
    """Return the message of an error for people, and the exit code."""
    if isinstance(error, CrapsError):
        return str(error), REFUSED
    if isinstance(error, ImportError) and (missing := missing_extra(error, f"passline {command}".strip())):
        return str(missing), REFUSED
    if isinstance(error, UnicodeEncodeError) and "surrogates" in error.reason:
        return "an argument or a file name is not text in UTF-8: write it so", REFUSED
    if isinstance(error, OSError) and error.strerror:
        remedy = f": {_REMEDIES[error.errno]}" if error.errno in _REMEDIES else ""
        return f"{error.filename or 'standard output'}: {error.strerror}{remedy}", REFUSED
    how = "run it again with PASSLINE_DEBUG=1 and report the traceback"
    return f"internal error: {type(error).__name__}: {error}; {how}", INTERNAL


def _leave(code: int) -> int:
    """Flush the output and return the exit code; what a closed output does not take is dropped."""
    try:
        sys.stdout.flush()
    except OSError:
        drop_output(sys.stdout)
    return code


def _print_error(message: str) -> None:
    try:
        print("passline:", " ".join(message.split()), file=sys.stderr, flush=True)
    except OSError:  # nobody reads it; the exit code still tells
        drop_output(sys.stderr)
