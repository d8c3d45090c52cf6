"""Players who are level for the last place that goes on: by lot, by an order, or all of them, as the sheet says."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from passline.provable_dice import digest_of_key
from passline.streams.course import THE_HOUSE
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.judges.cut import level_groups
from passline.tournament.plan.schema import Plan
from passline.tournament.plan.sheet import rule_sheet, rule_sheet_text
from passline.tournament.results.lot import drawn_order
from passline.tournament.rules import tournament_of
from tests.tournament.evening import Evening, two_rounds

HEATS = "Heats"
PLAYERS = range(1, 7)


def _plan(**sheet: str) -> Plan:
    plan = two_rounds()
    return replace(plan, sheet=replace(plan.sheet, **sheet))


def _level(plan: Plan, **points: int) -> Evening:
    """Six players at a table, of whom two go on; all have what they began with unless it is said."""
    evening = Evening(plan)
    evening.players(*PLAYERS)
    evening.deal(HEATS, **points)
    return evening


def _draw(evening: Evening) -> tuple[str, ...]:
    return evening.ask(evening.lot(c.DrawCut), THE_HOUSE)


def test_a_lot_decides_who_of_all_that_are_level_goes_on() -> None:
    evening = _level(_plan(ties="shared", cut_ties="by_lot"))
    held = evening.state.round
    assert held is not None
    assert (held.phase, held.cut_level) == ("playing", (1, 2, 3, 4, 5, 6))
    assert "is being drawn" in evening.refused(c.EndRound())
    said = _draw(evening)
    held = evening.state.round
    assert held is not None
    assert (held.phase, len(held.advance)) == ("ended", 2), "two were planned to go on"
    assert any("who were level" in line for line in said), said
    out = [entry for entry in evening.state.entries.values() if entry.status == "eliminated"]
    assert len(out) == 4
    assert {entry.tie_break for entry in out} == {0}, "who is out stays level: prizes are shared by the sheet"


def test_who_is_surely_through_is_not_drawn() -> None:
    evening = _level(_plan(ties="shared", cut_ties="by_lot"), e3=9000, e6=1)
    _draw(evening)
    held = evening.state.round
    assert held is not None
    assert {*held.cut_level} == {1, 2, 4, 5}
    assert 3 in held.advance
    assert 6 not in held.advance
    assert held.cut_through == tuple(one for one in held.cut_level if one in held.advance)


def test_the_lot_of_a_cut_is_drawn_again_from_the_log_alone() -> None:
    evening = _level(_plan(cut_ties="by_lot"))
    committed = [event for event in evening.events() if isinstance(event, e.LotCommitted)][-1]
    _draw(evening)
    (drawn,) = [event for event in evening.events() if isinstance(event, e.CutDrawn)]
    assert digest_of_key(bytes.fromhex(drawn.key)) == committed.digest
    order = drawn_order(tuple(PLAYERS), bytes.fromhex(drawn.key), bytes.fromhex(drawn.hash))
    assert drawn.entries == order
    assert drawn.through == order[:2]


def test_a_lot_of_another_key_or_without_a_tie_is_refused() -> None:
    evening = _level(_plan(cut_ties="by_lot"))
    lot = evening.lot(c.DrawCut)
    assert "was committed with" in evening.refused(replace(lot, key="00" * 32), THE_HOUSE)
    assert "32 bytes" in evening.refused(replace(lot, key="00"), THE_HOUSE)
    assert "the server does it by itself" in evening.refused(lot)
    _draw(evening)
    assert "nobody is level" in evening.refused(lot, THE_HOUSE)


def test_an_order_of_the_cut_is_asked_for_though_cash_is_shared() -> None:
    evening = Evening(_plan(ties="shared", cut_ties="roll_off"))
    evening.players(1, 2, 3)
    evening.seat(HEATS, "t-1")
    evening.ask(c.StartRound())
    held = evening.state.round
    assert held is not None
    points = dict.fromkeys("123", 2500)
    report = c.ReportPoints(number=1, table="t-1", points=points, house=0, rolls=9)
    assert level_groups(evening.state) == []
    evening.ask(report, THE_HOUSE)
    assert level_groups(evening.state) == [("roll_off", (1, 2, 3))]
    assert "part them first" in evening.refused(c.EndRound())
    assert "not by 'earlier_lead'" in evening.refused(c.PartTie(entries=(3, 1, 2), how="earlier_lead"))
    evening.ask(c.PartTie(entries=(3, 1, 2), how="roll_off"))
    assert level_groups(evening.state) == []
    evening.ask(c.EndRound())
    held = evening.state.round
    assert held is not None
    assert held.advance == (1, 3)


def test_only_who_is_level_for_a_prize_is_asked_about_at_the_end() -> None:
    evening = Evening(_plan(ties="roll_off"))
    evening.players(*PLAYERS)
    evening.deal(e1=9000, e2=8000, e5=0, e6=0)
    assert level_groups(evening.state) == [], "who is out anyway is not asked about"
    evening.deal(e1=5, e2=5)
    assert level_groups(evening.state) == [("roll_off", (1, 2))]


@pytest.mark.parametrize(
    ("sheet", "says"),
    [
        ({"ties": "shared"}, "all of them go on, more than planned"),
        ({"ties": "shared", "cut_ties": "by_lot"}, "a lot that is recorded decides"),
        ({"ties": "roll_off"}, "until the places are filled"),
    ],
)
def test_the_sheet_says_what_happens_at_the_cut(sheet: dict[str, str], says: str) -> None:
    plan = _plan(**sheet)
    assert says in rule_sheet_text(rule_sheet(tournament_of(plan.rules), plan, None))


def test_a_round_that_lets_more_go_on_than_planned_says_so() -> None:
    evening = _level(_plan(ties="shared"))
    held = evening.state.round
    assert held is not None
    assert len(held.advance) == 6, "an old plan means what it meant"
    stored = list(evening.log.read_stream(evening.stream.name))[-1]
    assert stored.entry.version == evening.state.version
    evening = Evening(_plan(ties="shared"))
    evening.players(*PLAYERS)
    evening.seat(HEATS, "t-1")
    evening.ask(c.StartRound())
    held = evening.state.round
    assert held is not None
    report = c.ReportPoints(number=1, table="t-1", points=held.stacks, house=0, rolls=9)
    assert evening.ask(report, THE_HOUSE) == ("t-1 is done after 9 rolls",)
    (said,) = evening.ask(c.EndRound())
    assert said == "round 1 is over; 6 go on: those who are level for the last place all go on, where 2 were planned"
