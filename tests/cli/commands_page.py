"""docs/commands.md: the exit codes, and every command's help, made from the parser itself."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import typer.main

from passline.cli.exit_codes import EXIT_CODES
from passline.cli.main import app
from passline.cli.manual import CommandHelp, help_texts

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "commands.md"
MARK = "<!-- From here on the page is made from the commands themselves: see tests/cli/test_commands_page.py. -->\n"
TABLE = re.compile(r"(?<=\| code \| means \|\n\| --- \| --- \|\n)(\|.*\n)*")
_WIDTH = 100
_INDENT = " " * 4


def commands() -> list[CommandHelp]:
    """Return the help of every command, groups before what is in them."""
    return [one for one in help_texts(typer.main.get_command(app)) if one.name]


def help_text(command: CommandHelp) -> str:
    """Return the help of a command as plain text."""
    lines = [command.usage, ""]
    for paragraph in command.paragraphs:
        lines += [*textwrap.wrap(paragraph, _WIDTH), ""]
    for word, meaning in (*command.commands, *command.takes):
        lines += [word, *textwrap.wrap(meaning, _WIDTH, initial_indent=_INDENT, subsequent_indent=_INDENT)]
    return "\n".join(lines)


def page() -> str:
    """Return the page as it should be: what people wrote above the mark, and every command below it."""
    rows = "".join(f"| {code} | {means} |\n" for code, means in EXIT_CODES.items())
    above = TABLE.sub(lambda _: rows, PAGE.read_text(encoding="utf-8").partition(MARK)[0])
    sections = (f"\n## passline `{' '.join(one.name)}`\n\n```text\n{help_text(one)}\n```\n" for one in commands())
    return above + MARK + "".join(sections)
