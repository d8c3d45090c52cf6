"""`passline manual`: man pages and shell completion, made from what the commands say of themselves."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

import typer

from passline.cli.exit_codes import EXIT_CODES
from passline.version import __version__

COMPLETIONS = {
    "bash": "bash-completion/completions/passline",
    "zsh": "zsh/site-functions/_passline",
    "fish": "fish/vendor_completions.d/passline.fish",
}
"""Where each shell looks for a program's completion, below a folder such as /usr/local/share."""


def manual(
    context: typer.Context,
    share: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where to write them: such as /usr/local/share or ~/.local/share.")
    ],
) -> None:
    """Write man pages and the completion of bash, zsh and fish below a folder.

    There is a page for the program and one for each command (`man passline-house-check`), made from the same texts as
    --help. What is there already is replaced.
    """
    commands = help_texts(context.find_root().command)
    files = {f"man/man1/{page_name(text)}.1": man_page(text, version=__version__) for text in commands}
    _write_files(share, files | {path: _completion(shell) for shell, path in COMPLETIONS.items()})


def _completion(shell: str) -> str:
    """Return what makes a shell complete the program's commands and options."""
    from typer._completion_shared import get_completion_script

    script = get_completion_script(prog_name="passline", complete_var="_PASSLINE_COMPLETE", shell=shell)
    if shell == "zsh":  # which loads the file when it is first needed, and would complete only from the second time
        script += '\n_passline_completion "$@"'
    return script


def _write_files(share: Path, files: dict[str, str]) -> None:
    """Write files below a folder, each whole, and say how many there are."""
    from passline.atomic_file import whole_file

    for name, text in files.items():
        path = share / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part:
            part.write_text(f"{text}\n", encoding="utf-8")
    pages = sum(name.endswith(".1") for name in files)
    print(f"{share}: {pages} man pages, completion for {', '.join(COMPLETIONS)}")


class Entry(NamedTuple):
    """A word that can be typed (a command, an argument, an option with its value), and what it means."""

    word: str
    meaning: str


class CommandHelp(NamedTuple):
    """The help of one command: its name without `passline`, how it is called, what it does, what it takes."""

    name: tuple[str, ...]
    usage: str
    paragraphs: tuple[str, ...]
    commands: tuple[Entry, ...]
    takes: tuple[Entry, ...]


def help_texts(command: Any, name: tuple[str, ...] = ()) -> Iterator[CommandHelp]:  # noqa: ANN401 - typer's own types
    """Yield the help of a command, or of the whole program, and of every command in it."""
    yield _help_of(name, command)
    for word, inner in _commands_in(command):
        yield from help_texts(inner, (*name, word))


def _help_of(name: tuple[str, ...], command: Any) -> CommandHelp:  # noqa: ANN401
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    usage = ["passline", *name, *(_metavar(argument) for argument in arguments)]
    usage += ["COMMAND ..."] if hasattr(command, "commands") else []
    usage += ["[OPTION ...]"] if options else []
    takes = [Entry(_metavar(word), _on_one_line(word.help + _default(word))) for word in arguments if word.help]
    for option in options:
        names = ", ".join([*option.opts, *option.secondary_opts])
        value = "" if option.is_flag else f" {_metavar(option)}"
        takes.append(Entry(f"{names}{value}", _on_one_line((option.help or "") + _default(option))))
    return CommandHelp(
        name,
        usage=" ".join(usage),
        paragraphs=_paragraphs(command),
        commands=tuple(Entry(word, _paragraphs(inner)[0]) for word, inner in _commands_in(command)),
        takes=(*takes, Entry("-h, --help", "Show this and exit.")),
    )


def _commands_in(command: Any) -> list[tuple[str, Any]]:  # noqa: ANN401
    return sorted(getattr(command, "commands", {}).items())


def _paragraphs(command: Any) -> tuple[str, ...]:  # noqa: ANN401
    return tuple(map(_on_one_line, (command.help or "").strip().split("\n\n")))


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _metavar(parameter: Any) -> str:  # noqa: ANN401
    annotation = parameter.type_descriptor.annotation
    choices = get_args(annotation) if get_origin(annotation) is Literal else ()
    if parameter.param_type_name == "argument":
        word = str(parameter.metavar or parameter.name.upper())
        return word if parameter.required or word.startswith("[") else f"[{word}]"
    if parameter.metavar:
        return str(parameter.metavar)
    return "|".join(choices) if choices else "NUMBER" if annotation is int else "TEXT"


def _default(parameter: Any) -> str:  # noqa: ANN401
    shown = parameter.show_default if isinstance(parameter.show_default, str) else parameter.default
    if shown in (None, "", False, ()) or (not isinstance(parameter.show_default, str) and not parameter.show_default):
        return ""
    if getattr(parameter, "is_flag", False) and not isinstance(parameter.show_default, str):
        return ""
    return f" Default: {shown}."


def page_name(command: CommandHelp) -> str:
    """Return what `man` finds the page by: `passline-house-check` for `passline house check`."""
    return "-".join(("passline", *command.name))


def man_page(command: CommandHelp, *, version: str) -> str:
    r"""Return the man page of a command.

    >>> command = CommandHelp(("hands",), "passline hands PATH...", ("Play hand files.",), (), (Entry("-h", "Help."),))
    >>> print(man_page(command, version="1.0"))  # doctest: +ELLIPSIS
    .TH PASSLINE\-HANDS 1 "" "passline 1.0" "Passline"
    .SH NAME
    passline\-hands \- Play hand files
    .SH SYNOPSIS
    passline hands PATH...
    .SH DESCRIPTION
    Play hand files.
    .SH OPTIONS
    .TP
    \-h
    Help.
    .SH EXIT STATUS
    ...
    """
    name = page_name(command)
    first, *_ = command.paragraphs
    lines = [f'.TH {_escape(name.upper())} 1 "" "passline {version}" "Passline"']
    lines += [".SH NAME", f"{_escape(name)} \\- {_escape(first.rstrip('.'))}"]
    lines += [".SH SYNOPSIS", _text(command.usage), ".SH DESCRIPTION"]
    for number, paragraph in enumerate(command.paragraphs):
        lines += [*([".PP"] if number else []), _text(paragraph)]
    if command.commands:
        lines += [".SH COMMANDS", *_list_entries(command.commands)]
    lines += [".SH OPTIONS", *_list_entries(command.takes)]
    lines += [".SH EXIT STATUS", *_list_entries(Entry(str(code), f"{means}.") for code, means in EXIT_CODES.items())]
    if command.name:
        above = page_name(command._replace(name=command.name[:-1]))
        lines += [".SH SEE ALSO", f"{_escape(above)}(1)"]
    return "\n".join(lines)


def _list_entries(entries: Iterable[Entry]) -> list[str]:
    """Return a list of words, each with its meaning below it and indented."""
    return [line for entry in entries for line in (".TP", _text(entry.word), _text(entry.meaning or " "))]


def _text(text: str) -> str:
    """Return a line of text, which may not begin like a macro."""
    escaped = _escape(text)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _escape(text: str) -> str:
    """Return text with the characters escaped that the formatter would interpret; hyphens can be copied."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
