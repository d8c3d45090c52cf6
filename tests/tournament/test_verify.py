"""Attacks on a tournament's log by somebody who has its key: each is told by `verify`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.game.position import PointsMode
from passline.rules.pages.texts import Pages
from passline.store.entry import Entry, Stored
from passline.streams.course import THE_HOUSE
from passline.tables.events import RoundFinished, TableOpened
from passline.tables.verify import LogCheck
from passline.tables.views.dealt_by import DealtBy
from passline.tournament import commands as c
from passline.tournament.course import TOURNAMENT_CODEC
from passline.tournament.rules import TOURNAMENT_RULES
from passline.tournament.verify import TournamentCheck
from tests.tournament.director import Director
from tests.tournament.regulations import known_example

MAIN = "Main event"
STACKS = {str(seat): points * 100 for seat, points in enumerate((100, 2400, 3000, 4000), start=1)}


@pytest.fixture(scope="module")
def rows() -> list[Stored]:
    """The entries of a tournament of which one round was played, without its players' accounts."""
    director = Director(known_example("colorado"))
    for number in range(1, 5):
        director.enter(MAIN, f"Player {number}")
    director.seat(MAIN, "t-1")
    director.ask(c.StartRound())
    held = director.state.round
    assert held is not None
    stacks = dict(zip((str(one.entry) for one in held.seats), (100, 2400, 3000, 4000), strict=True))

    director.ask(c.ReportPoints(number=1, table="t-1", points=stacks, house=500, rolls=60), THE_HOUSE)
    return list(director.log.read_stream(director.stream.name))


def faults(rows: list[Stored], *, says: RoundFinished | None = None, dealt_by: DealtBy | None = None) -> list[str]:
    """What `verify` tells of entries, beside a table that recorded a round as it was."""
    check = TournamentCheck(LogCheck(dealt_by=dealt_by))
    at_table = replace(rows[0].entry, stream="table/t-1")
    found: list[str] = []
    for row in rows:
        if isinstance(TOURNAMENT_CODEC.command(row.entry), c.ReportPoints):
            recorded = says or RoundFinished("spring-classic", 1, STACKS, 500_00, 60)
            found += check.table_faults(at_table, [recorded])
        found += check.faults_of(row)
    return [one for one in found if "who" not in one]  # these people have no accounts


def forged(rows: list[Stored], kind: type, change: Any) -> Iterator[Stored]:  # noqa: ANN401 - a function of a command
    """The entries with one command, and its events, made anew."""
    for row in rows:
        command = TOURNAMENT_CODEC.command(row.entry)
        if isinstance(command, kind):
            events = change(json.decode(row.entry.events))
            entry: Entry = replace(row.entry, events=Raw(json.encode(events)))
            yield replace(row, entry=entry)
        else:
            yield row


def test_a_log_as_it_was_is_accepted(rows: list[Stored]) -> None:
    assert faults(rows) == []


def test_a_tournament_held_by_other_pages_than_the_installed_ones_is_told(
    rows: list[Stored], monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt_by = DealtBy()
    faults(rows, dealt_by=dealt_by)
    assert dealt_by.foreign == []
    others = Pages("colorado", {"colorado/tournament.toml": b""})
    monkeypatch.setattr(TOURNAMENT_RULES, "installed_pages", lambda _name: others)
    faults(rows, dealt_by=dealt_by)
    assert "the installed pages of colorado's tournaments are" in dealt_by.foreign[0]


def test_points_that_changed_hands_are_told(rows: list[Stored]) -> None:
    swapped = dict(zip(("1", "2", "3", "4"), (2400_00, 100_00, 3000_00, 4000_00), strict=True))
    (fault,) = faults(rows, says=RoundFinished("spring-classic", 1, swapped, 500_00, 60))
    assert "are not those that it recorded itself" in fault
    (fault,) = faults(rows, says=RoundFinished("spring-classic", 2, STACKS, 500_00, 60))
    assert "has not finished round 1" in fault


def test_seats_that_were_not_drawn_by_the_lot_are_told(rows: list[Stored]) -> None:
    def moved(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        seats = events[0]["seats"]
        seats[0]["entry"], seats[1]["entry"] = seats[1]["entry"], seats[0]["entry"]
        return events

    assert any("event 1 of draw-seats is written as" in one for one in faults(list(forged(rows, c.DrawSeats, moved))))


def test_a_table_without_limits_needs_its_tournament(rows: list[Stored]) -> None:
    check = TournamentCheck(LogCheck())
    opened = TableOpened(
        table="t-9", name="T 9", house={}, dice="physical", automate=(), buy_in="dealer", is_demo=False, rulebook="",
        points=PointsMode("spring-classic", 1),
    )  # fmt: skip
    at_table = replace(rows[0].entry, stream="table/t-9")
    assert "a tournament that does not play there" in next(check.table_faults(at_table, [opened]))
