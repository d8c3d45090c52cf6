"""Man pages, in the macros that groff and mandoc both know."""

from __future__ import annotations

from collections.abc import Iterable

from passline.cli.manual.help_texts import CommandHelp, Entry
from passline.cli.output.exit_codes import EXIT_CODES

__all__ = ["man_page", "page_name"]


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
    lines = [f'.TH {_escaped(name.upper())} 1 "" "passline {version}" "Passline"']
    lines += [".SH NAME", f"{_escaped(name)} \\- {_escaped(first.rstrip('.'))}"]
    lines += [".SH SYNOPSIS", _text(command.usage), ".SH DESCRIPTION"]
    for number, paragraph in enumerate(command.paragraphs):
        lines += [*([".PP"] if number else []), _text(paragraph)]
    if command.commands:
        lines += [".SH COMMANDS", *_listed(command.commands)]
    lines += [".SH OPTIONS", *_listed(command.takes)]
    lines += [".SH EXIT STATUS", *_listed(Entry(str(code), f"{means}.") for code, means in EXIT_CODES.items())]
    if command.name:
        above = page_name(command._replace(name=command.name[:-1]))
        lines += [".SH SEE ALSO", f"{_escaped(above)}(1)"]
    return "\n".join(lines)


def _listed(entries: Iterable[Entry]) -> list[str]:
    """Return a list of words, each with its meaning below it and indented."""
    return [line for entry in entries for line in (".TP", _text(entry.word), _text(entry.meaning or " "))]


def _text(text: str) -> str:
    """Return a line of text, which may not begin like a macro."""
    escaped = _escaped(text)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def _escaped(text: str) -> str:
    """Return text in which nothing is a command to the formatter; a hyphen is one that can be copied."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
