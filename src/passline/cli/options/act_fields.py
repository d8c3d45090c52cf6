"""The things and fields of an act as words of the command line."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from passline.bounded_text import read_named_file, text_of_file
from passline.cli.options.server import whole_number, yes_or_no
from passline.errors import CrapsError
from passline.rules.pages.texts import read_toml

_MACHINE_HEADS = ["denomination_cents", "pieces"]
_DIGITS_MAX = 9


def act_arguments(arguments: list[str], fields: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Return the things and the fields that words of the command line name."""
    things, given = list[str](), dict[str, Any]()
    for word in arguments:
        key, is_field, value = word.partition("=")
        if not is_field:
            things.append(word)
        elif key not in fields:
            raise CrapsError(f"{key!r} is not a field of this act; its fields are {', '.join(fields) or 'none'}")
        else:
            given[key] = _value(key, fields[key]["type"], value)
    return things, given


def read_document(file: Path) -> bytes:
    """Return what is in a file that is attached as a document."""
    from passline.web.server.responses import DOCUMENT_MAX

    return read_named_file(file, DOCUMENT_MAX)


def machine_count(file: Path) -> str:
    """Return what a counting machine wrote, as counts are written: by denomination in cents.

    Its file is CSV: `denomination_cents,pieces` in the first line, and a line for each denomination, each once.
    """
    rows = csv.reader(io.StringIO(text_of_file(read_named_file(file), str(file))))
    heads = [head.strip() for head in next(rows, [])]
    if heads != _MACHINE_HEADS:
        raise CrapsError(f"{file}:1: the first line is not {','.join(_MACHINE_HEADS)}")
    found = dict[str, str]()
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not cells:
            continue
        if len(cells) != len(_MACHINE_HEADS) or not all(map(_is_count, cells)):
            raise CrapsError(
                f"{file}:{rows.line_num}: {','.join(cells)[:40]!r} is not a denomination in cents and a number"
            )
        if cells[0] in found:
            raise CrapsError(f"{file}:{rows.line_num}: denomination_cents: {cells[0]} stands there twice")
        found[cells[0]] = cells[1]
    return ",".join(f"{denomination}:{pieces}" for denomination, pieces in found.items())


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX


def read_lines(file: Path, people: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of a file of what was written on manual slips, with the accounts of the people they name."""
    given = read_toml(file)
    if strange := [key for key in given if key != "line"]:
        raise CrapsError(f"{file}: has {', '.join(strange)}; write [[line]] for each act")
    lines = given.get("line", [])
    if not isinstance(lines, list) or not all(isinstance(line, dict) for line in lines):
        raise CrapsError(f"{file}: write [[line]] for each act")
    accounts: dict[str, list[str]] = {}
    for person in people:
        accounts.setdefault(person["name"].casefold(), []).append(person["account"])
    return [_line(file, number, line, accounts) for number, line in enumerate(lines, start=1)]


def _line(file: Path, number: int, line: dict[str, Any], accounts: dict[str, list[str]]) -> dict[str, Any]:
    def account(name: object) -> str:
        found = accounts.get(str(name).casefold(), [])
        if len(found) > 1:
            raise CrapsError(f"{file}, line {number}: {name} is the name of several people: write the account")
        return found[0] if found else str(name)

    signed = {part: account(name) for part, name in (line.get("signed") or {}).items()}
    named = {"by": account(line["by"])} if "by" in line else {}
    occurred = {"occurred": str(line["occurred"])} if "occurred" in line else {}
    return {**line, **named, **occurred, **({"signed": signed} if signed else {})}


def _value(key: str, kind: str, text: str) -> Any:  # noqa: ANN401 - as JSON
    match kind:
        case "yes" | "flag":
            return yes_or_no(key, text)
        case "number" | "cents" | "act":
            return whole_number(key, text)
        case "some" | "things" | "people" | "ids" | "codes":
            return [part.strip() for part in text.split(",") if part.strip()]
        case "units" | "per_thing":
            pairs = (part.partition(":") for part in text.split(",") if part.strip())
            return {name.strip(): whole_number(key, count) for name, _, count in pairs}
        case "checklist":
            return {part.strip(): True for part in text.split(",") if part.strip()}
        case _:
            return text


def figure_value(key: str, kind: str, text: str) -> Any:  # noqa: ANN401 - as JSON
    """Return a figure that the office is told, as its kind is sent."""
    match kind:
        case "count" | "cents":
            return whole_number(key, text)
        case "length":
            count, _, unit = text.partition(" ")
            return {"count": whole_number(key, count), "unit": unit.strip().replace(" ", "_")}
        case "times":
            return [part.strip() for part in text.split(",")]
        case _:
            return text
