"""What every command says of itself, read from the parser: usage, paragraphs, arguments and options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, get_args, get_origin

__all__ = ["CommandHelp", "Entry", "help_texts"]


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
    for word, one in _commands_in(command):
        yield from help_texts(one, (*name, word))


def _help_of(name: tuple[str, ...], command: Any) -> CommandHelp:  # noqa: ANN401
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = ["passline", *name, *(_metavar(one) for one in arguments)]
    usage += ["COMMAND ..."] if hasattr(command, "commands") else []
    usage += ["[OPTION ...]"] if options else []
    takes = [Entry(_metavar(one), _on_one_line(one.help + _default(one))) for one in arguments if one.help]
    for one in options:
        names = ", ".join([*one.opts, *one.secondary_opts])
        value = "" if one.is_flag else f" {_metavar(one)}"
        takes.append(Entry(f"{names}{value}", _on_one_line((one.help or "") + _default(one))))
    return CommandHelp(
        name,
        usage=" ".join(usage),
        paragraphs=tuple(map(_on_one_line, (command.help or "").strip().split("\n\n"))),
        commands=tuple(Entry(word, _first_paragraph(one)) for word, one in _commands_in(command)),
        takes=(*takes, Entry("-h, --help", "Show this and exit.")),
    )


def _commands_in(command: Any) -> list[tuple[str, Any]]:  # noqa: ANN401
    return sorted(getattr(command, "commands", {}).items())


def _first_paragraph(command: Any) -> str:  # noqa: ANN401
    return _on_one_line((command.help or "").strip().split("\n\n")[0])


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _metavar(one: Any) -> str:  # noqa: ANN401
    annotation = one.type_descriptor.annotation
    choices = get_args(annotation) if get_origin(annotation) is Literal else ()
    if one.metavar:
        return str(one.metavar)
    if one.param_type_name == "argument":
        return str(one.name).upper()
    return "|".join(choices) if choices else "NUMBER" if annotation is int else "TEXT"


def _default(one: Any) -> str:  # noqa: ANN401
    shown = one.show_default if isinstance(one.show_default, str) else one.default
    if shown in (None, "", False, ()) or (not isinstance(one.show_default, str) and not one.show_default):
        return ""
    if getattr(one, "is_flag", False) and not isinstance(one.show_default, str):
        return ""
    return f" Default: {shown}."
