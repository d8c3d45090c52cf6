"""Bounds on texts of strangers: whatever a parser would make of a text, what is too large in it is found before."""

from __future__ import annotations

import ast
import asyncio
import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import passline
from passline.bounded_text import (
    DEPTH_MAX,
    DIGITS_MAX,
    DOTS_MAX,
    ITEMS_MAX,
    TEXT_MAX,
    OnEventLoop,
    TooLarge,
    check_json,
    check_toml,
    parse_json,
    parse_toml,
)
from passline.rules.clauses import REGULATIONS
from passline.rules.explain.house_template import house_file
from passline.rules.rules import Rules
from passline.tournament.plan.reader import example_text
from tests.cases import budget

WEB = Path(passline.__file__).parent / "web"
_FITTING = settings(max_examples=budget(120, in_sweep=400), deadline=None, suppress_health_check=list(HealthCheck))


def _is_refused(check: Any, text: Any) -> bool:  # noqa: ANN401 - either check, with its text
    try:
        check(text)
    except TooLarge:
        return True
    return False


def _depth(data: object) -> int:
    if isinstance(data, dict):
        return 1 + max(map(_depth, data.values()), default=0)
    return 1 + max(map(_depth, data), default=0) if isinstance(data, list) else 0


def _count(data: object) -> int:
    if isinstance(data, dict):
        return len(data) + sum(map(_count, data.values()))
    return len(data) + sum(map(_count, data)) if isinstance(data, list) else 0


def _is_wide(data: object) -> bool:
    """Return whether there is a number in data that 64 bits do not hold."""
    if isinstance(data, dict | list):
        return any(map(_is_wide, data.values() if isinstance(data, dict) else data))
    return isinstance(data, int) and not -(2**63) <= data < 2**64


_PARTS = ("[", "]", "{", "}", '"', "'", '"""', "'''", "\\", '\\"', "#", "\n", " ", ",", "=", ".", ":", "a", "7", "é")
_SOUP = st.lists(
    st.tuples(st.sampled_from([*_PARTS, "a.", "[[a]]\n", "a=1\n", "a=[", "],", '"""a""""', "''''", "0x", "1e", "-"]),
              st.integers(1, 40)),
    max_size=12,
).map(lambda parts: "".join(part * times for part, times in parts))  # fmt: skip
_VALUE = st.recursive(
    st.integers(-(10**25), 10**25) | st.booleans() | st.text(max_size=8) | st.just('"]}[{\\"'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def _toml_holds(text: str) -> None:
    """Check that a text which passes the bounds is quick to parse: nothing in what tomllib makes of it is large."""
    if _is_refused(check_toml, text):
        return
    try:
        data = tomllib.loads(text)
    except ValueError:
        return
    assert _depth(data) <= DEPTH_MAX * (DOTS_MAX + 1) + DOTS_MAX + 2
    assert _count(data) <= ITEMS_MAX * (DOTS_MAX + 1)
    assert not _is_wide(data)


@_FITTING
@given(text=_SOUP)
def test_no_toml_hides_what_is_too_large(text: str) -> None:
    _toml_holds(text)


@_FITTING
@given(before=_VALUE, times=st.integers(1, 60), after=_SOUP)
def test_no_value_before_hides_what_comes_after_it(before: object, times: int, after: str) -> None:
    hidden = f"a = {_toml(before)}\nb = {'[' * times}{']' * times}\n{'c.' * times}d = 1\n{after}"
    assert _is_refused(check_toml, hidden) or (times <= DOTS_MAX and not _is_wide(before))
    _toml_holds(hidden)


@_FITTING
@given(text=_SOUP | _VALUE.map(json.dumps))
def test_no_json_hides_what_is_too_large(text: str) -> None:
    if _is_refused(check_json, text.encode()):
        return
    try:
        data = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return
    assert _depth(data) <= DEPTH_MAX
    assert _count(data) <= ITEMS_MAX + 1
    assert not _is_wide(data)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a.a.a.a.a.a.a.a.a.a=1", "dots"),
        ("[" + "a." * 9 + "a]", "dots"),
        ('"a" . "a" . a.a.a.a.a.a.a.a = 1', "dots"),
        ("a = " + "9" * (DIGITS_MAX + 1), "digits"),
        ("a = 0x" + "f" * 18, "digits"),
        ("a = 1" + "_1" * 30, "digits"),
        ("a = " + "[" * (DEPTH_MAX + 1), "deep"),
        ('a = ["""x"""", {' + "b." * 9 + "b = 1}]", "dots"),
        ("a = ['''x''''', " + "[" * 33, "deep"),
        ("a = 1\n" * (ITEMS_MAX + 1), "keys and items"),
        ("#" * (TEXT_MAX + 1), "bytes"),
        ("é" * (TEXT_MAX // 2 + 1), "bytes"),
    ],
)  # fmt: skip
def test_toml_is_refused_with_what_is_too_large(text: str, what: str) -> None:
    with pytest.raises(TooLarge, match=what):
        parse_toml(text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"[" * (DEPTH_MAX + 1), "deep"),
        (b'{"a":' * (DEPTH_MAX + 1) + b"1" + b"}" * (DEPTH_MAX + 1), "deep"),
        (b"9" * (DIGITS_MAX + 1), "digits"),
        (b'{"a": -0.' + b"3" * (DIGITS_MAX + 1) + b"}", "digits"),
        (b"[" + b"1," * ITEMS_MAX + b"1]", "keys and items"),
        (b'""' * (ITEMS_MAX + 2), "keys and items"),
        (b"]" * (ITEMS_MAX + 1), "keys and items"),
        (b" " * (TEXT_MAX + 1), "bytes"),
    ],
)
def test_json_is_refused_with_what_is_too_large(text: bytes, what: str) -> None:
    with pytest.raises(TooLarge, match=what):
        check_json(text)


def test_what_stands_in_quotes_and_comments_is_not_counted() -> None:
    long = "[{." * 300 + "9" * 300
    assert parse_json(json.dumps({"reason": long, "nonce": "0" * 64}).encode())["reason"] == long
    assert parse_toml(f'# {long}\na = \'{long}\'\nb = """\n{long}"""')["b"] == long


@pytest.mark.parametrize("name", REGULATIONS)
def test_what_people_send_is_far_within_the_bounds(name: str) -> None:
    twice = house_file(Rules.of(name))
    assert parse_toml(twice)
    check_toml(twice.replace("\n", "\n\n") + "# " + twice.replace("\n", "\n# "))


@pytest.mark.parametrize("name", ["colorado", "arizona"])
def test_the_plan_of_a_tournament_is_within_the_bounds(name: str) -> None:
    assert parse_toml(example_text(name))["rules"] == name


def test_no_parser_runs_on_an_event_loop() -> None:
    async def on_the_loop() -> None:
        with pytest.raises(OnEventLoop):
            parse_toml("a = 1")
        with pytest.raises(OnEventLoop):
            parse_json(b"{}")
        assert await asyncio.to_thread(parse_toml, "a = 1") == {"a": 1}

    asyncio.run(on_the_loop())


def test_the_server_has_no_other_parser_of_texts() -> None:
    """The demo reads its own script and plan, which come with the package, and the laboratory in processes of its own.

    Nothing else there parses TOML or CSV.
    """
    found = {}
    for path in WEB.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = {one.name for one in node.names} if isinstance(node, ast.Import | ast.ImportFrom) else set()
            if names & {"tomllib", "csv", "json.loads", "parse_toml", "parse_json", "parse_page", "read_toml"}:
                found[path.relative_to(WEB).as_posix()] = names
    assert set(found) == {"uploads/checks.py", "demo/casino/running.py", "demo/plan.py", "lab/written.py"}
