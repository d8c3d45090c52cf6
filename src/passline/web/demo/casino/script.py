"""What is done in the office of the demo's casino, read from lines of text.

    at -6 09:00
    value table_limit = 4
    cora register_table craps-1 {area = "pit-1"}
    sam test_dice A1 A2 {table = "craps-1", sound = true} signed by dan as dealer, bob as verifier
    cora approve_drop_times {drop_times = ["17:45-18:15"]} on paper

A moment is a day from today on and a local time. `"@sheet"` stands for the digest of a paper as it would be printed
now, `"@house"` for the house file, `"@letter"` for the digest of a letter. `$names` are filled in by who reads it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from string import Template
from typing import Any

from msgspec import Struct

from passline.errors import CrapsError

__all__ = ["Line", "read_script"]

_ACT = re.compile(
    r"(?P<who>\w+) (?P<act>\w+)(?P<things>( [\w.-]+)*?)(?P<fields> \{.*\})?"
    r"(?P<signed> signed by .*?)?(?P<paper> on paper)?$"
)
_SIGNED = re.compile(r"(\w+) as (\w+)")


class Line(Struct, frozen=True, kw_only=True):
    """One line: who does what; the words `at` and `value` in place of somebody are no act."""

    who: str
    what: str = ""
    things: tuple[str, ...] = ()
    fields: dict[str, Any] = {}
    signed: tuple[tuple[str, str], ...] = ()  # account and part
    on_paper: bool = False


def read_script(name: str, known: Mapping[str, object] | None = None) -> Iterator[Line]:
    """Yield the lines of a script beside this module, its `$names` filled in."""
    text = (files(__package__) / f"{name}.txt").read_text(encoding="utf-8")
    for line in Template(text).substitute(known or {}).splitlines():
        if line.strip() and not line.startswith("#"):
            yield line_of(line.strip())


def line_of(text: str) -> Line:
    """Return a line as it is meant.

    >>> line = line_of("cass issue_chips {units = {500 = 40}} signed by abe as witness")
    >>> line.who, line.what, line.fields, line.signed
    ('cass', 'issue_chips', {'units': {'500': 40}}, (('abe', 'witness'),))
    """
    word, _, rest = text.partition(" ")
    if word == "at":
        return Line(who=word, what=rest)
    if word == "value":
        key, _, value = rest.partition(" = ")
        return Line(who=word, what=key, fields=tomllib.loads(f"value = {value}"))
    found = _ACT.fullmatch(text)
    if found is None:
        raise CrapsError(f"{text!r} is no line of a script")
    return Line(
        who=found["who"],
        what=found["act"],
        things=tuple(found["things"].split()),
        fields=tomllib.loads(f"x ={found['fields']}")["x"] if found["fields"] else {},
        signed=tuple(_SIGNED.findall(found["signed"] or "")),
        on_paper=bool(found["paper"]),
    )
