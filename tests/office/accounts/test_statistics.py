"""Statistics against the raw log: ten figures of the report, recomputed from its JSON by arithmetic of their own."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

from msgspec import json

from passline.bookkeeping.statistics import statistics_table, times_until
from passline.documents.as_text import listed_rows
from passline.office.views.kept_results import find_sums
from passline.office.views.kept_statistics import find_statistics
from passline.office.views.tax_worksheet import tax_months, tax_sheet
from tests.office.accounts.watched import WatchedTable
from tests.tables.sitting import ANN

_DAY = date(2026, 12, 16)
_ROLLS = ((3, 4), (2, 1), (6, 5), (5, 5), (6, 4), (1, 1), (4, 4), (6, 2))  # comes out empty: every point is made


def _count(watched: WatchedTable, act: str, shift: str, chips: int) -> None:
    office = watched.office
    office.does("flo", act, "craps-1", chips={"500": chips}, shift=shift)
    office.signs("bea", "second", chips={"500": chips})


def _evening(watched: WatchedTable, box: str, following: str, *, chips: int, notes: int) -> None:
    """Count the opener, play, count the closer, drop the box and count it."""
    office, sitting = watched.office, watched.sitting
    office.at = sitting.at
    shift = office.facility.shift_of(office.at).name
    watched.write()
    _count(watched, "count_opener", shift, 400)
    watched.write()
    for first, second in _ROLLS:
        if not sitting.table.game.position.puck:
            sitting.wager(ANN, "pass", 10_00)
        sitting.wager(ANN, "any_seven", 5_00)
        sitting.roll(first, second)
    watched.write()
    office.at = sitting.at
    _count(watched, "count_closer", shift, chips)
    office.does("flo", "drop_table", "craps-1", shift=shift, dropped=box, drop_box=following)
    office.signs("another-floorperson", "viewer")
    cash = {"10000": notes}
    office.does("counter", "count_box", box, cash=cash, team=["counter", "another-counter"])
    office.signs("another-counter", "second", cash=cash)
    office.signs("cashier", "cage", cash=cash)
    watched.write()


def _watched() -> WatchedTable:
    watched = WatchedTable("section2")
    office = watched.office
    office.does("olga", "register_table", "craps-1", area="pit-1")
    for box in ("A", "B", "C"):
        office.does("olga", "enter_drop_box", box)
    office.does("flo", "attach_drop_box", "craps-1", drop_box="A")
    watched.sitting.sit(ANN, 1)
    watched.sitting.shoot(ANN)
    _evening(watched, "A", "B", chips=380, notes=7)
    watched.sitting.wait(32 * 24 * 60)
    _evening(watched, "B", "C", chips=405, notes=3)
    return watched


class _RawLog:
    """The log as JSON, and nothing of the program that wrote it."""

    def __init__(self, watched: WatchedTable) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = [
            (stored.entry.at[:7], event)
            for stored in watched.log.read()
            for event in json.decode(bytes(stored.entry.events))
        ]

    def of(self, kind: str, month: str) -> list[dict[str, Any]]:
        return [event for at, event in self.events if event["event"].startswith(f"{kind}/") and at == month]

    def counted(self, act: str, field: str, month: str) -> int:
        """Cents of a field of an act."""
        acts = [event for event in self.of("act-done", month) if event["act"] == act]
        return sum(int(unit) * count for event in acts for unit, count in event["fields"][field].items())

    def decided(self, kind: str, month: str) -> int:
        return sum(event["cents"] for event in self.of(kind, month))


def test_ten_figures_of_a_month_are_those_of_the_raw_log() -> None:
    watched = _watched()
    views, raw = watched.views(), _RawLog(watched)
    found = find_statistics(views, "section2", watched.office.state, _DAY, scope="table")
    by_time = {own.time: own for own in found}
    assert set(by_time) == {"day", "month", "year", "month_before"}, "a year ago there was nothing"
    november = by_time["month_before"]
    assert (november.first, november.last) == (date(2026, 11, 1), date(2026, 11, 16)), "until the same day"
    told, month = by_time["month"], "2026-12"

    drop = raw.counted("count_box", "cash", month)
    won_by_count = raw.counted("count_closer", "chips", month) + drop - raw.counted("count_opener", "chips", month)
    lost, paid = raw.decided("wager-lost", month), sum(event["winnings"] for event in raw.of("wager-won", month))
    made = [event["after"] for event in raw.of("wager-made", month)]
    theoretical = sum(
        wager["cents"] * {"pass": Fraction(7, 495), "any_seven": Fraction(1, 6)}[wager["kind"]] for wager in made
    )
    handle = lost + raw.decided("wager-won", month)
    assert told.drop == drop == 300_00
    assert told.win == won_by_count
    assert told.hold == won_by_count / drop
    assert told.won == lost - paid
    assert told.handle == handle == sum(wager["cents"] for wager in made)
    assert told.hold_of_handle == (lost - paid) / handle
    assert told.theoretical == told.expected == round(theoretical)
    assert told.base_hold == float(theoretical / drop)
    assert told.base_hold_of_handle == float(theoretical / handle)
    assert told.luck == round(lost - paid - theoretical)
    assert (told.keyed, told.days, told.unknown) == (1.0, 1, 0)
    assert told.low is not None
    assert told.high is not None
    assert told.won is not None
    assert told.low < told.won < told.high

    whole = by_time["year"]
    assert whole.drop == told.drop + raw.counted("count_box", "cash", "2026-11")
    assert whole.handle == 2 * handle
    for scope, subject in (("pit", "pit-1"), ("house", ""), ("game", "craps"), ("shift", told_shift(watched))):
        same = find_statistics(views, "section2", watched.office.state, _DAY, scope=scope, only=subject)  # type: ignore[arg-type]
        of_month = next(own for own in same if own.time == "month")
        played = (of_month.theoretical, of_month.handle)
        assert played == (told.theoretical, told.handle), scope
        if scope != "game":  # which house the table is dealt by, the office does not know here
            assert (of_month.subject, of_month.win, of_month.drop) == (subject, told.win, told.drop)
    (row,) = [
        row for row in listed_rows(statistics_table("", "table", found)) if str(row["time"]).startswith("December")
    ]
    assert told.win in row.values()


def test_the_tax_worksheet_adds_up_what_the_raw_log_has() -> None:
    watched = _watched()
    raw, sums = _RawLog(watched), find_sums(watched.views(), "section2", "2026", "table")
    fees = {"2026-12": 40_00, "2025-12": 9_00}
    november, december, whole = tax_months(sums, fees, 2026, 675)
    for told in (november, december):
        drop = raw.counted("count_box", "cash", told.month)
        moved = raw.counted("count_closer", "chips", told.month) - raw.counted("count_opener", "chips", told.month)
        assert (told.drop, told.inventory, told.win) == (drop, moved, drop + moved)
        assert (told.fills, told.credits, told.days, told.unknown) == (0, 0, 1, 0)
    assert (november.fees, december.fees, whole.fees) == (0, 40_00, 40_00), "of this year"
    assert december.gross == december.win + 40_00
    assert whole.drop == sum(raw.counted("count_box", "cash", month) for month in ("2026-11", "2026-12"))
    assert november.tax == int(Fraction(november.win * 675, 10_000) + Fraction(1, 2))
    assert whole.tax == (november.tax or 0) + (december.tax or 0), "that of its months"
    assert tax_months(sums, {"2026-12": -2 * december.win}, 2026, 675)[-1].tax == november.tax, "a loss is not set off"
    assert tax_months(sums, {}, 2026, None)[-1].tax is None, "no rate is stated"
    sheet = tax_sheet(
        [november, december, whole], 2026, office="section2", facility=watched.office.facility, at=watched.sitting.at,
        until=_DAY,
    )  # fmt: skip
    rows = listed_rows(sheet.tables[0])
    assert [row["gross_revenue_cents"] for row in rows] == [november.gross, december.gross, whole.gross]
    assert rows[-1]["tax_cents"] == whole.tax
    assert dict(sheet.facts)["Rate"] == "6.75 %, as the house has stated it"


def told_shift(watched: WatchedTable) -> str:
    return watched.office.facility.shift_of(watched.sitting.at).name


def test_months_are_compared_until_the_same_day() -> None:
    (*_, before, of_year_before) = times_until(date(2028, 2, 29))
    assert (before.first, before.last) == (date(2028, 1, 1), date(2028, 1, 31)), "the last day with the last day"
    assert (of_year_before.first, of_year_before.last) == (date(2027, 2, 1), date(2027, 2, 28))
    assert times_until(date(2026, 3, 30))[3].last == date(2026, 2, 28)


def test_without_keyed_wagers_nothing_is_said_of_what_should_have_been_won() -> None:
    watched = WatchedTable("section2", is_keyed=False)
    watched.office.does("olga", "register_table", "craps-1", area="pit-1")
    views = watched.views()
    assert find_statistics(views, "section2", watched.office.state, date(2026, 11, 15), scope="table") == []
