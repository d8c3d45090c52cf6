"""Ten figures of the reports of the cage, of credit and of keys, worked out again from the raw log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from msgspec import json

from passline.documents.as_text import listed_rows
from passline.office.trial import TrialOffice
from passline.office.views.cage import tables_of_day
from passline.office.views.day_report import office_day
from tests.office.cage_story import count, opened_cage
from tests.office.reports.raw_log import RawAct, RawEvent, RawLog, cents

_DAY, _FIGURES_MIN = date(2026, 3, 2), 10
_PARTS = ["original", "issue slip into the drop box", "payment slip"]
Figures = Iterator[tuple[str, Any, Any]]


def _worked() -> TrialOffice:
    """A day of a cage with drawers, credit and sensitive keys."""
    office = opened_cage("credit", "keys")
    said = [
        office.do("olga", "enter_key", "K1", opens="release of all boxes", kind="drop box release", by_two=True),
        office.do("olga", "enter_key", "K2", opens="contents of all boxes", kind="drop box contents"),
        office.do(
            "olga", "enter_key", "K3", opens="the broom cupboard", kind="something else", plain=True, by_two=True
        ),
        office.do("cy", "issue_key", "K1", purpose="the drop", holders=["ned"]),
        office.sign("ned", "holder"),
        office.sign("sam", "second"),
        office.do("cy", "issue_key", "K3", purpose="a broom", holders=["nia"]),
        office.sign("nia", "holder"),
        office.do("cora", "enter_patron", "P1", name="Ann"),
        office.do("flo", "request_fill", table="craps-1", units={"2500": 200}),
        office.do("cy", "prepare_fill", "F-000001"),
        office.do("sam", "carry_fill", "F-000001"),
        office.do("dan", "accept_fill", "F-000001"),
        office.do("dan", "count_opener", "craps-1", chips={"2500": 200}, shift="day"),
        office.sign("bob", "second", chips={"2500": 200}),
        office.do("cal", "apply_for_credit", patron="P1", asked=3_000_00, identified=True, bank="good", signed=True),
        office.do("acc", "approve_credit", "CR-000001", limit=2_000_00, signs="second", signed_by="cora"),
    ]
    for chips in (60, 14):
        said += [
            office.do(
                "flo", "issue_marker", table="craps-1", credit="CR-000001", patron="P1", units={"2500": chips},
                signed=True, parts=_PARTS,
            ),
            office.sign("dan", "dealer"),
            office.sign("cal", "second"),
        ]  # fmt: skip
    said += [
        office.do("flo", "pay_marker_in_chips", "M-000001", table="craps-1", units={"2500": 20}, signs="dealer",
                  signed_by="dan"),
        office.do("cy", "transfer_markers", "M-000001", signs="pit", signed_by="flo"),
        office.do("cy", "pay_marker", "M-000001", amount=400_00, patron="P1", signs="second", signed_by="cal"),
        office.do("cy", "sell_chips", units={"2500": 40}),
        office.do("cy", "redeem_chips", units={"2500": 12}),
        office.do("cy", "pay_out", amount=45_00, signed=True, reason="a taxi", signs="second", signed_by="sam"),
        office.do("cy", "return_money", "D1", notes={"10000": 3}, signs="holder", signed_by="cal"),
        count(office, "close_drawer", "cy", "cal", "D1", notes={"10000": 108}, coin={"25": 40}),
        count(office, "count_vault", "cal", "acc", notes={"10000": 403}),
    ]  # fmt: skip
    refused = [answer for answer in said if answer.startswith("refused")]
    assert not refused, refused
    return office


class Cage:
    """The story with its raw log, and the tables of its day."""

    def __init__(self) -> None:
        self.office = _worked()
        self.raw = RawLog(())
        for number, (at, event) in enumerate(self.office.events, start=1):
            self.raw.events.append(RawEvent(at, number, "office/section2", json.decode(json.encode(event))))
        day = office_day(self.office.rules, self.office.state, _DAY, self.office.events)
        self.tables = {table.title: listed_rows(table) for table in tables_of_day(day)}

    def rows(self, title: str) -> list[dict[str, Any]]:
        return next(rows for name, rows in self.tables.items() if name.startswith(title))

    def sum(self, act: str, field: str) -> int:
        return sum(cents(done.fields.get(field)) for done in self.raw.acts(act))


def _accountability(cage: Cage) -> Figures:
    rows = {(row["place"], row["of"]): row for row in cage.rows("Accountability of the cage, by place")}
    drawer, vault = rows["drawer D1", "cash"], rows["vault", "cash"]
    came = cage.sum("issue_money", "notes") + cage.sum("sell_chips", "units") + cage.sum("pay_marker", "amount")
    went = cage.sum("redeem_chips", "units") + cage.sum("pay_out", "amount") + cage.sum("return_money", "notes")
    found = cage.sum("close_drawer", "notes") + cage.sum("close_drawer", "coin")
    yield "opening of the drawer", drawer["opening_cents"], 0
    yield "came into it", drawer["came_cents"], came
    yield "went out of it", drawer["went_cents"], went
    yield "over or short", drawer["over_or_short_cents"], found - came + went
    yield "closing", drawer["closing_cents"], found
    brought, issued = cage.sum("bring_from_bank", "notes"), cage.sum("issue_money", "notes")
    returned = cage.sum("return_money", "notes")
    yield "came into the vault", vault["came_cents"], brought + returned
    yield "went out of it", vault["went_cents"], issued
    yield (
        "over or short there",
        vault["over_or_short_cents"],
        cage.sum("count_vault", "notes") - brought - returned + issued,
    )
    yield "closing there", vault["closing_cents"], cage.sum("count_vault", "notes")
    chips = {row["what"]: row["amount_cents"] for row in cage.rows("Chip float")}
    places = cage.raw.moved("chips")
    yield "out with players", chips["out with players when it ended"], places["players"]
    yield "in the reserve", chips["on record: reserve"], places["reserve"]
    yield "all places together", chips["all places together, which is nothing"], sum(places.values())
    counts = {row["of"]: row for row in cage.rows("Counts of the cage's money")}
    yield "counted in the drawer", counts["D1"]["cash_cents"], found


def _credit(cage: Cage) -> Figures:
    rows = {row["of"]: row for row in cage.rows("Markers, credit and front money")}
    issued = [cents(done.fields["units"]) for done in cage.raw.acts("issue_marker")]
    paid = cage.sum("pay_marker_in_chips", "units") + cage.sum("pay_marker", "amount")
    (approved,) = cage.raw.acts("approve_credit")
    limit = approved.fields["limit"]
    credit = next(row for name, row in rows.items() if "CR-000001" in name)
    first, second = (next(row for name, row in rows.items() if f"M-{n:06}" in name) for n in (1, 2))
    yield "credit that came", credit["came_cents"], limit + paid
    yield "credit that was used", credit["went_cents"], sum(issued)
    yield "credit that is left", credit["closing_cents"], limit + paid - sum(issued)
    yield "first marker", first["came_cents"], issued[0]
    yield "paid of it", first["went_cents"], paid
    yield "left of it", first["closing_cents"], issued[0] - paid
    yield "second marker", second["closing_cents"], issued[1]
    aging = {row["marker"]: row for row in cage.rows("Markers that are not paid")}
    yield "open of the first", aging["M-000001"]["open_cents"], issued[0] - paid
    yield "open of the second", aging["M-000002"]["open_cents"], issued[1]
    together = [row["open_cents"] for row in cage.rows("Markers that are not paid") if row["marker"] == "together"]
    yield "open together", together, [sum(issued) - paid, 0, 0, 0]
    (drop,) = cage.rows("Statistical drop")
    yield "drawn at the table", drop["drawn_at_the_table_cents"], sum(issued)
    yield "statistical drop", drop["statistical_drop_cents"], sum(issued)


def _keys(cage: Cage) -> Figures:
    """The list of keys, and what was done with them in the report of the day."""
    entered, issued = cage.raw.acts("enter_key"), cage.raw.acts("issue_key")
    out = {act.things[0]: act for act in issued}
    for act in entered:
        known = cage.office.state.things[f"key/{act.things[0]}"]
        yield "what it opens", known.facts["opens"], act.fields["opens"]
        yield "where it is", known.state, "out" if act.things[0] in out else "in_cabinet"
        taken: RawAct | None = out.get(act.things[0])
        yield "who has it", known.facts.get("holders") or [], taken.fields["holders"] if taken else []
    told = [row for row in cage.rows("Acts") if "key" in str(row["act"]).casefold()]
    yield "acts about keys", len(told), len(entered) + len(issued)


REPORTS: dict[str, Callable[[Cage], Figures]] = {
    "accountability of the cage": _accountability,
    "markers, credit and their age": _credit,
    "keys": _keys,
}
"""The reports of the cage."""


@pytest.fixture(scope="module")
def cage() -> Cage:
    return Cage()


@pytest.mark.parametrize("report", REPORTS)
def test_ten_figures_of_each_report_of_the_cage_are_those_of_the_raw_log(cage: Cage, report: str) -> None:
    figures = list(REPORTS[report](cage))
    assert len(figures) >= _FIGURES_MIN
    wrong = [(what, reported, raw) for what, reported, raw in figures if reported != raw]
    assert not wrong, wrong
