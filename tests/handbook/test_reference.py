"""The reference says what the code says: every event and command under its name, every field in words."""

from __future__ import annotations

from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

import passline
from handbook.http_page import http_page
from handbook.reference import _COMMANDS, _EVENTS, _EVENTS_ABOUT, _tagged_page, reference_pages
from handbook.struct_tables import fields_table, first_line, members_of, structs_in, tag_of
from passline.game.events import WagerWon
from passline.tournament.plan.schema import Plan, Prize


class Inner(Struct):
    """Something inside."""

    most: Annotated[int, Meta(ge=1, le=1_000)] = 5


class Outer(Struct):
    """A file, for the test.

    With a second paragraph.
    """

    name: str
    kind: Literal["a", "b"] = "a"
    inner: tuple[Inner, ...] = ()
    is_open: bool = False


def test_a_field_is_told_in_words_with_its_bounds_and_its_default() -> None:
    assert fields_table(Inner).splitlines()[2] == "| `most` | whole number, 1 to 1,000 | `5` |  |"
    assert fields_table(Outer, links=(Inner,)).splitlines()[2:] == [
        "| `name` | text | required |  |",
        "| `kind` | `a` or `b` | `a` |  |",
        "| `inner` | list of [Inner](#inner) |  |  |",
        "| `is_open` | true or false | `false` |  |",
    ]
    assert first_line(Outer) == "A file, for the test."
    assert fields_table(Outer, without=("name", "kind", "inner", "is_open")) == "No fields.\n"


def test_what_a_field_is_comes_from_the_comment_behind_it_unless_the_page_says_it() -> None:
    assert "| of the pool |" in fields_table(Prize).splitlines()[2]
    assert "| a share |" in fields_table(Prize, about={"basis_points": "a share"}).splitlines()[2]
    assert "| the house's |" in fields_table(Outer, defaults={"name": "the house's"}).splitlines()[2]


def test_every_part_of_a_file_is_found_from_its_whole() -> None:
    assert structs_in(Outer) == [Outer, Inner]
    assert Prize in structs_in(Plan)


@pytest.mark.parametrize("parts", [_EVENTS, _COMMANDS], ids=["events", "commands"])
def test_every_event_and_command_is_listed_once(parts: dict[str, object]) -> None:
    page = _tagged_page("All", _EVENTS_ABOUT, parts).splitlines()
    tags = {tag_of(struct) for union in parts.values() for struct in members_of(union)}
    assert len(tags) > 40
    assert {tag: page.count(f"### {tag}") for tag in tags} == dict.fromkeys(tags, 1)


def test_an_event_of_a_wager_shows_the_wager_and_the_clause() -> None:
    table = fields_table(WagerWon)
    assert "| `wager` | `Wager` | required |" in table
    assert "| `clause` |" in table


def test_the_page_of_the_api_has_every_route_and_every_message() -> None:
    page = http_page()
    assert "### POST /api/tables/{id}/commands" in page
    assert "| `in-doubt` |" in page
    assert "| 409 | refused by the rules, with every clause |" in page


@pytest.fixture(scope="module")
def python_page() -> str:
    return reference_pages()["python.md"]


@pytest.mark.whole
def test_a_struct_among_the_python_names_shows_its_fields(python_page: str) -> None:
    assert "| `is_for` | true or false | `false` |" in python_page.partition("passline.money.Pays")[2]
    news = python_page.partition("::: passline.client.live_table.News\n")[2].partition("\n::: ")[0]
    assert "| `sequence` | whole number | required |" in news


@pytest.mark.whole
def test_every_public_name_is_in_the_reference(python_page: str) -> None:
    lacking = [
        name for name in passline.__all__ if f".{name}\n" not in python_page and f"## {name}\n" not in python_page
    ]
    assert lacking == []
