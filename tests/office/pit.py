"""An office with a table in play, for tests of what goes wrong in a pit, and an Arizona house on the day it opens."""

from __future__ import annotations

from typing import Any

from passline.acts.calendar.facility import Facility
from passline.acts.rules import office_of
from passline.acts.state import INCIDENT
from passline.bookkeeping.results import TableResult
from passline.bookkeeping.win import table_results
from passline.office.ledgers.paper_trail import PaperTrail
from tests.office.bookkeeping import KeptOffice
from tests.office.day_file import DAYS, Day, steps_of

PEOPLE = {
    "olga": "owner", "cora": "compliance", "cy": "cashier", "cal": "cashier", "acc": "accountant", "dan": "dealer",
    "dora": "dealer", "bob": "boxperson", "flo": "floorperson", "fay": "floorperson", "gus": "security",
    "ned": "counter", "nia": "counter", "com": "regulator",
}  # fmt: skip


def pit_office(regulation: str) -> KeptOffice:
    """An office with chips in its cage, table T1 with $5,000 in its tray, open, and a box on it."""
    kept = KeptOffice(office_of(regulation), Facility(name="Harbour", zone="America/Denver"), PEOPLE)
    kept.go_to("2026-03-07", "05:00")
    number: dict[str, dict[str, Any]] = {
        "colorado": {"number_on": "top surface", "length": 144},
        "maryland": {"length": 144},
    }
    kept.does("olga", "register_table", "T1", area="main floor", **number.get(regulation, {}))
    for box in ("D1", "D2"):
        kept.does("olga", "enter_drop_box", box)
    kept.does("flo", "attach_drop_box", "T1", drop_box="D1")
    kept.does("cy", "receive_chips", units={"500": 4000, "2500": 400}, delivery="note", signs=("acc", "witness"))
    kept.does("cy", "issue_chips", units={"500": 3000, "2500": 400}, signs=("acc", "witness"))
    do_fill(kept, {"500": 1000})
    count_tray(kept, "opener", {"500": 1000})
    return kept


def send_fill(kept: KeptOffice, units: dict[str, int]) -> str:
    """Bring a fill on its way to T1; return its slip."""
    kept.does("flo", "request_fill", table="T1", units=units)
    slip = f"F-{kept.state.numbers['F']:06}"
    kept.does("cy", "prepare_fill", slip)
    kept.does("gus", "carry_fill", slip)
    return slip


def do_fill(kept: KeptOffice, units: dict[str, int], came: dict[str, int] | None = None) -> str:
    """Fill T1; return the slip."""
    slip = send_fill(kept, units)
    told: dict[str, Any] = {} if came is None else {"units": came}
    kept.does("dan", "accept_fill", slip, **told)
    return slip


def count_tray(kept: KeptOffice, which: str, chips: dict[str, int]) -> None:
    """Have two people count the tray of T1."""
    kept.does("flo", f"count_{which}", "T1", chips=chips, shift="day")
    kept.signs("bob", "second", chips=chips)


def chips_at(kept: KeptOffice, place: str) -> dict[str, int]:
    """Return the chips on record at a place."""
    return kept.state.stocks["chips"].get(place, {})


def only_result(kept: KeptOffice) -> TableResult:
    """Return the result of the only table."""
    (result,) = table_results(kept.events, kept.facility)
    return result


def incident_reasons(kept: KeptOffice) -> list[str]:
    """Return why incidents are open."""
    return [str(incident.facts["why"]) for incident in kept.state.of_kind(INCIDENT)]


def papers_of(kept: KeptOffice) -> list[tuple[str, int]]:
    """What a live table is told of its money."""
    trail = PaperTrail()
    found = [paper for number, done in enumerate(kept.done) for paper in trail.take(number, done.events)]
    return [(paper.paper, paper.cents) for paper in found]


def assert_conserved(kept: KeptOffice) -> None:
    """Check that no chip came from nowhere, and that none is under way."""
    for unit in ("500", "2500"):
        assert sum(place.get(unit, 0) for place in kept.state.stocks["chips"].values()) == 0
    assert not chips_at(kept, "transit")


def arizona_opening() -> Day:
    """Return an Arizona office on the day on which its table T1 may open."""
    day = Day(None)
    lawful, mark, _ = (DAYS / "arizona_opening.txt").read_text(encoding="utf-8").partition("# T1 may open.")
    assert mark
    for step in steps_of(lawful):
        list(day.do(step.text))
    return day


def tell_lines(day: Day, *lines: str) -> list[str]:
    """Return all that comes of the last of these lines."""
    *before, last = lines
    for line in before:
        told = list(day.do(line))
        assert not [answer for answer in told if answer.startswith("refused")], (line, told)
    return list(day.do(last))
