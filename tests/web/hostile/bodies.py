"""Hostile bodies for any route: JSON that costs a parser dear, and values that no field expects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec import Struct

_JSON = "application/json"
_PLACE = '"@here@"'
_SIZE = 60_000  # bytes, a little below what a request may have


class Body(Struct, frozen=True):
    """One body, with a name by which a failure tells it."""

    name: str
    data: bytes
    kind: str = _JSON


def _text(value: str) -> str:
    return json.dumps(value)


def _nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def _tables(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


def _many(count: int, key: str) -> str:
    return "{" + ",".join(f'"{key}{number}":1' for number in range(count)) + "}"


_TOML = {
    "dotted key": ".".join("a" * 30_000) + "=1",
    "dotted keys": "\n".join(f"{'.'.join('b' * 400)}.k{number}=1" for number in range(70)),
    "dotted table": f"[{'.'.join('a' * 30_000)}]",
    "quoted dots": ".".join(['"a"'] * 15_000) + "=1",
    "many tables": "\n".join(f"[t{number}]" for number in range(7_000)),
    "many keys": "\n".join(f"wager_cents_mi{number}=1" for number in range(3_000)),
    "digits": f"wager_cents_min = {'9' * 5_000}",
    "20 digits": f'rules = "maryland"\nwager_cents_min = {"9" * 20}',
    "hex number": 'rules = "maryland"\nwager_cents_min = 0xffffffffffffffff\nseats = -922337203685477580',
    "hex digits": f"wager_cents_min = 0x{'f' * 50_000}",
    "brackets": f"a = {'[' * 30_000}{']' * 30_000}",
    "braces": "a = " + "{a=" * 15_000 + "1" + "}" * 15_000,
    "open brackets": "a = " + "[" * _SIZE,
    "open text": 'a = "' + "\\" * _SIZE,
    "open block": 'a = """' + '\\"' * 25_000,
    "comments": "#\n" * 30_000,
    "infinite": 'rules = "maryland"\nwager_cents_min = inf\nwager_cents_max = nan\nodds = {"4" = inf}',
    "exponent": 'rules = "maryland"\nwager_cents_min = 1e400\nseats = 1e308',
    "dates": 'rules = "maryland"\nwager_cents_min = 2026-11-17\nseats = 23:59:59\ngame = 2026-11-17T00:00:00Z',
    "zero byte": 'rules = "mary\\u0000land"\ngame = "\\u0000"',
    "list of tables": 'rules = "maryland"\n' + "[[limits]]\n" * 5_000,
    "wrong kinds": 'rules = ["maryland"]\ngame = {a = 1}\nlimits = [1, [2, {b = 3}]]\nprocedures = 4\nevents = {}',
    "events": 'rules = "colorado"\nid = "x"\n' + "[[events]]\nname = 1\n" * 2_500,
    "long key": f"{'k' * _SIZE} = 1",
    "repeated key": "a = 1\n" * 10_000,
}
"""Texts for fields that hold a house or a plan."""
_VALUES = {
    "nested lists": _nested(25_000),
    "lists nested 900 deep": _nested(900),
    "lists nested 60 deep": _nested(60),
    "nested tables": _tables(9_000),
    "tables nested 300 deep": _tables(300),
    "5,000 digits": "9" * 5_000,
    "-5,000 digits": "-" + "9" * 5_000,
    "20 digits": "9" * 20,
    "2**64": str(2**64),
    "-2**63-1": str(-(2**63) - 1),
    "2**53": str(2**53),
    "huge exponent": "1e400",
    "exponent": "1e308",
    "small exponent": "1e-5000",
    "fraction": "0." + "3" * 30_000,
    "NaN": "NaN",
    "Infinity": "-Infinity",
    "huge text": _text("x" * _SIZE),
    "wide text": _text("\U0001f3b2" * 4_000),
    "zero bytes": _text("\0" * 100),
    "lone surrogate": '"\\ud800"',
    "right to left": _text("\u202e" * 50),
    "lines": _text("\n" * 1_000),
    "many keys": _many(4_000, "k"),
    "many like keys": _many(2_500, "wager_cents_mi"),
    "repeated keys": "{" + ",".join(['"rules":"maryland"'] * 2_000) + "}",
    "empty key": '{"":1}',
    "long key": "{" + _text("k" * 50_000) + ":1}",
    "house with limits": '{"rules":"maryland","limits":{'
    + ",".join(f'"w{n}":{{"min":500}}' for n in range(900))
    + "}}",
    "house of wrong kinds": '{"rules":[1],"game":{},"limits":[[]],"procedures":"x","odds":{"4":1e308},"seats":true}',
    "house with huge amounts": '{"rules":"maryland","wager_cents_min":922337203685477580,"wager_cents_max":-1}',
    "list of tables": "[" + ",".join(["{}"] * 15_000) + "]",
    "list of lists": "[" + ",".join(["[]"] * 15_000) + "]",
    "null": "null",
    "true": "true",
    "minus one": "-1",
    "empty text": '""',
    "empty list": "[]",
    "empty table": "{}",
    "text of JSON": _text(_nested(15_000)),
    "text of JSON tables": _text(_tables(9_000)),
    "text of JSON digits": _text('{"rules":' + "9" * 5_000 + "}"),
    "text of JSON numbers": _text('{"rules":"colorado","events":1e400,"id":18446744073709551616}'),
    "text of JSON, broken": _text('{"rules":"colorado",'),
    "text of JSON with a surrogate": '"{\\"rules\\":\\"\\\\ud800\\"}"',
    **{f"TOML: {name}": _text(text) for name, text in _TOML.items()},
}
"""Values as JSON, or as what pretends to be JSON."""
_WHOLE = (
    Body("nothing", b""),
    Body("blanks", b" " * _SIZE),
    Body("a list", b"[]"),
    Body("a text", b'"x"'),
    Body("null", b"null"),
    Body("a number", b"1"),
    Body("5,000 digits", b"9" * 5_000),
    Body("60,000 brackets", b"[" * _SIZE),
    Body("100,000 brackets", b"[" * 100_000),
    Body("60,000 braces", b'{"a":' * 12_000),
    Body("closing brackets", b"]" * _SIZE),
    Body("nested lists", _nested(30_000).encode()),
    Body("nested tables", _tables(9_000).encode()),
    Body("open text", b'"' + b'\\"' * 30_000),
    Body("open text, odd", b'{"a":"' + b'\\"' * 29_000 + b"\\"),
    Body("quotes", b'"' * _SIZE),
    Body("backslashes", b"\\" * _SIZE),
    Body("commas", b"[" + b"," * _SIZE),
    Body("many items", b"[" + b"1," * 29_000 + b"1]"),
    Body("many keys", _many(5_000, "k").encode()),
    Body("zero bytes", b"\0" * 1_000),
    Body("a zero byte after", b"{}\0"),
    Body("not UTF-8", b'{"name":"\xff\xfe\xfa"}'),
    Body("overlong UTF-8", b'{"name":"\xc0\xaf\xed\xa0\x80"}'),
    Body("UTF-16", '{"name":"x"}'.encode("utf-16")),
    Body("with a mark", b"\xef\xbb\xbf{}"),
    Body("two texts", b"{}{}"),
    Body("NaN", b"NaN"),
    Body("comment", b"/* */{}"),
    Body("TOML", b"a = 1"),
    Body("too long", b'"' + b"x" * 70_000 + b'"'),
    Body("plain text", b"{}", "text/plain"),
    Body("a form", b"a=1&b=2", "application/x-www-form-urlencoded"),
    Body("parts", b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x"),
    Body("XML", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "application/xml"),
    Body("no kind", b"{}", ""),
    Body("JSON in UTF-7", b"{}", "application/json; charset=utf-7"),
    Body("bytes", b"\0\1\2", "application/octet-stream"),
)
"""Bodies that need no field."""
WORST = (
    *("nested lists", "lists nested 900 deep", "tables nested 300 deep", "5,000 digits", "20 digits", "2**64"),
    *("many like keys", "lone surrogate", "text of JSON tables", "text of JSON digits"),
    *("TOML: dotted key", "TOML: dotted keys", "TOML: digits", "TOML: brackets", "TOML: many keys", "TOML: infinite"),
)
"""The values that cost today's parsers most, or that they failed at."""
_WORST_WHOLE = ("60,000 brackets", "nested tables", "5,000 digits", "open text, odd", "not UTF-8", "plain text")


def bodies_for(schema: dict[str, Any], named: dict[str, Any], chance: Random, count: int = 200) -> list[Body]:
    """Return so many bodies for a route whose body has this schema: whole, hostile in a field, and mangled."""
    shaped = [_filled(sample, path, name) for sample, path in _places(schema, named) for name in _VALUES]
    chance.shuffle(shaped)
    found = [*_WHOLE, *shaped[: count - len(_WHOLE)]]
    return [*found, *(_mangled(chance.choice(found), chance) for _ in range(count - len(found)))]


def _mangled(body: Body, chance: Random) -> Body:
    """Return a body with some bytes in another place."""
    at, length = chance.randrange(len(body.data) + 1), chance.randrange(1, 40)
    strange = bytes(chance.choice(b'[]{}",:\\0\xff9.e-') for _ in range(length))
    return Body(f"{body.name}, mangled at {at}", body.data[:at] + strange + body.data[at + length :], body.kind)


def worst_bodies_for(schema: dict[str, Any], named: dict[str, Any], chance: Random, fields: int = 3) -> list[Body]:
    """Return the worst bodies: each of `WORST` in a field that may hold anything or a text, as far as there is one."""
    places = list(_places(schema, named))
    open_ends = [place for place in places if place[1][-1:] in (("house",), ("plan",), ("text",), ("toml",))]
    chosen = open_ends or chance.sample(places, min(fields, len(places)))
    shaped = [_filled(sample, path, name) for name in WORST for sample, path in chosen[:fields]]
    return [*(one for one in _WHOLE if one.name in _WORST_WHOLE), *shaped]


def _filled(sample: dict[str, Any], path: tuple[str, ...], name: str) -> Body:
    """Return a sample with a hostile value at a place."""
    text = json.dumps(_with(sample, path)).replace(_PLACE, _VALUES[name])
    return Body(f"{'.'.join(path)}: {name}", text.encode("utf-8", "surrogatepass"))


def _with(sample: object, path: tuple[str, ...]) -> object:
    if not path:
        return _PLACE.strip('"')
    table = sample if isinstance(sample, dict) else {}
    return {**table, path[0]: _with(table.get(path[0]), path[1:])}


def _places(schema: dict[str, Any], named: dict[str, Any]) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
    """Yield each field that a body may have, also of each command it may hold, with a sample of the rest."""
    for variant in _variants(schema, named):
        sample = _sample(variant, named)
        for key, kind in variant.get("properties", {}).items():
            yield sample, (key,)
            for inner in _variants(kind, named):
                filled = {**sample, key: _sample(inner, named)}
                yield from ((filled, (key, below)) for below in inner.get("properties", {}))


def _variants(schema: dict[str, Any], named: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tables that a schema allows."""
    if "$ref" in schema:
        return _variants(named[schema["$ref"].rpartition("/")[2]], named)
    if "anyOf" in schema:
        return [table for one in schema["anyOf"] for table in _variants(one, named)]
    return [schema] if schema.get("type") == "object" else []


def _sample(schema: dict[str, Any], named: dict[str, Any]) -> Any:  # noqa: ANN401 - any JSON
    """Return the least that fits a schema."""
    if "$ref" in schema:
        return _sample(named[schema["$ref"].rpartition("/")[2]], named)
    if "anyOf" in schema:
        return _sample(schema["anyOf"][0], named)
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    match schema.get("type"):
        case "object":
            known = schema.get("properties", {})
            return {key: _sample(known[key], named) for key in schema.get("required", ()) if key in known}
        case "array":
            return []
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case _:
            return "x"
