"""docs/commands.md: the exit codes, and every command's help, made from the parser itself."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer.main

from passline.cli.main import app

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "commands.md"
MARK = "<!-- From here on the page is made from the commands themselves: see tests/cli/test_commands_page.py. -->\n"
_WIDTH = 100
_INDENT = 4


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every command with its name, groups before what is in them."""

    def below(name: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401 - click's
        if name:
            yield name, command
        for word, one in sorted(getattr(command, "commands", {}).items()):
            yield from below((*name, word), one)

    yield from below((), typer.main.get_command(app))


def help_text(name: tuple[str, ...], command: Any) -> str:  # noqa: ANN401
    """Return the help of a command as plain text."""
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = ["passline", *name, *(_metavar(one) for one in arguments)]
    usage += ["COMMAND ..."] if hasattr(command, "commands") else []
    usage += ["[OPTION ...]"] if options else []
    paragraphs = (command.help or "").strip().split("\n\n")
    lines = [" ".join(usage), ""]
    for paragraph in paragraphs:
        lines += [*textwrap.wrap(" ".join(paragraph.split()), _WIDTH), ""]
    for word, one in sorted(getattr(command, "commands", {}).items()):
        lines += [f"{word}", *_about((one.help or "").strip().split("\n\n")[0])]
    for one in arguments:
        if getattr(one, "help", ""):
            lines += [_metavar(one), *_about(one.help + _default(one))]
    for one in options:
        names = ", ".join([*one.opts, *one.secondary_opts])
        value = "" if one.is_flag else f" {_metavar(one)}"
        lines += [f"{names}{value}", *_about((one.help or "") + _default(one))]
    return "\n".join([*lines, "-h, --help", *_about("Show this and exit.")])


def _about(text: str) -> list[str]:
    pad = " " * _INDENT
    return textwrap.wrap(" ".join(text.split()), _WIDTH, initial_indent=pad, subsequent_indent=pad)


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


def page() -> str:
    """Return the page as it should be: what people wrote above the mark, and every command below it."""
    above = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    sections = (
        f"\n## passline `{' '.join(name)}`\n\n```text\n{help_text(name, one)}\n```\n" for name, one in commands()
    )
    return above + MARK + "".join(sections)
