"""Notes and chips that are taken between a record and a count: honest months, and a theft that is found as promised."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import product
from math import cosh, exp, sqrt

import pytest
from msgspec.structs import replace

from passline.acts.commands import NoteSkim
from passline.acts.events import IncidentOpened, SkimAlarmed
from passline.bookkeeping.results import EnteredAct, TableResult
from passline.bookkeeping.shift_books import ShiftBook
from passline.bookkeeping.shift_buy_ins import ShiftBuyIns
from passline.bookkeeping.theft import ShiftLook, SkimLine, hold_powers, shift_looks, skim_lines, skim_table
from passline.exact.skim_evidence import TILTS, HonestKeying, SkimEvidence, alarm_bound
from passline.money import Cents
from passline.office.trial import TrialOffice
from passline.refusal import Refused
from tests.cases import budget
from tests.office.accounts.keyed_months import HARBOUR, KEYING, TABLES, Theft, month_of_looks

ONE_IN = 20
DAY = date(2026, 10, 1)


def test_the_factor_of_an_honest_shift_is_never_above_1_on_average() -> None:
    """Every way in which up to four records can be wrong by the most, weighed by its exact chance."""
    keying = HonestKeying(one_in=3, cents=10_00)
    chances = {0: 2 / 3, -1: 1 / 6, 1: 1 / 6}
    for records in (1, 2, 4):
        mean = 0.0
        for errors in product(chances, repeat=records):
            weight = 1.0
            for error in errors:
                weight *= chances[error]
            short = keying.cents * sum(errors)
            mean += weight * SkimEvidence().after(records=records, short=short, keying=keying).value
        assert mean <= 1 + 1e-12
        assert mean == pytest.approx(1), "and where errors are as wide as elected it loses nothing"


def test_a_mixture_of_starts_and_tilts_by_separate_arithmetic() -> None:
    keying, shifts = HonestKeying(one_in=50, cents=100_00), [(40, 200_00), (55, -100_00), (30, 900_00)]
    evidence = SkimEvidence()
    for records, short in shifts:
        evidence = evidence.after(records=records, short=short, keying=keying)
    total = 1 / (len(shifts) + 1)
    for tilt, start in product(TILTS, range(len(shifts))):
        product_of = 1 / ((start + 1) * (start + 2)) / len(TILTS)
        for records, short in shifts[start:]:
            product_of *= exp(tilt * short / 100_00) / (1 + (cosh(tilt) - 1) / 50) ** records
        total += product_of
    assert evidence.value == pytest.approx(total)


def test_what_a_shift_says_of_notes_and_chips_follows_from_its_counts() -> None:
    result = TableResult(
        table="T1", day=DAY, shift="day", opener=Cents(900_00), closer=Cents(700_00), drop=Cents(480_00),
        ledger=Cents(1210_00), crews=("ann",), acts=(EnteredAct("drop", 7, "drop_box/D1", 480_00),),
    )  # fmt: skip
    book = ShiftBook(result, told={7: 500_00, 8: 710_00}, lost=5_00)
    [notes, chips] = shift_looks([(book, result)], {("T1", DAY, "day"): ShiftBuyIns(4, 500_00)}, {("T1", DAY): 90})
    assert (notes.records, notes.recorded, notes.counted, notes.short) == (4, 500_00, 480_00, 20_00)
    assert (chips.records, chips.recorded, chips.short) == (92, 715_00, 15_00), "of the ledger, and of the opener"
    assert not list(shift_looks([(book, TableResult(table="T1", day=DAY, missing=("the drop",)))], {}, {}))
    unkeyed = TableResult(table="T1", day=DAY, shift="day", drop=Cents(90_00))
    assert [look.look for look in shift_looks([(ShiftBook(unkeyed), unkeyed)], {}, {})] == ["chips"], (
        "nobody logged any"
    )
    logged = {("T1", DAY, "day"): ShiftBuyIns(1, 100_00)}
    assert next(shift_looks([(ShiftBook(unkeyed), unkeyed)], logged, {})).short == 10_00


def test_honest_months_alarm_at_most_one_time_in_twenty() -> None:
    months = budget(3, in_sweep=1_000)
    alarmed = sum(
        any(line.alarms for line in skim_lines(month_of_looks(seed), KEYING, ONE_IN)) for seed in range(months)
    )
    assert alarmed <= months / ONE_IN


def test_a_tenth_of_the_notes_is_found_within_the_shifts_that_the_page_promised() -> None:
    """The page of an honest fortnight promises; then somebody takes a tenth of the notes of one table."""
    before, tries = 14, budget(4, in_sweep=200)
    found = []
    for seed in range(tries):
        table = TABLES[seed % len(TABLES)]
        looks = month_of_looks(seed, theft=Theft(table, 10, after=3 * before))
        known = [look for look in looks if (look.day - DAY).days < before]
        [promise] = [line for line in skim_lines(known, KEYING, ONE_IN) if _is_of(line, table)]
        assert promise.tenth is not None
        assert promise.tenth <= 60
        [line] = [line for line in skim_lines(looks, KEYING, ONE_IN) if _is_of(line, table)]
        first = next((alarm for alarm in line.alarms), None)
        stolen = [look for look in looks if look.look == "notes" and look.table == table][3 * before :]
        ended = stolen[promise.tenth - 1]
        order = [(look.day, look.shift) for look in stolen]
        found.append(
            first is not None and order.index((first.day, first.shift)) <= order.index((ended.day, ended.shift))
        )
    assert sum(found) >= 0.9 * tries


def test_an_alarm_opens_one_incident_that_says_what_is_missing_and_where_to_look() -> None:
    trial = TrialOffice("maryland", HARBOUR, {"olga": "owner"})
    note = NoteSkim(
        look="notes", kind="table", subject="T1", table="T1", day="2026-10-02", shift="day", shifts=4, short=812_00,
        evidence=90, bound=40,
    )  # fmt: skip
    told = trial.send(note)
    assert not isinstance(told, Refused), str(told)
    alarmed, incident = told
    assert alarmed == SkimAlarmed("notes", "table", "T1", "2026-10-02", "day", 4, 812_00, 90, 40)
    assert isinstance(incident, IncidentOpened)
    assert "notes of table T1: 812.00 are missing in 4 shifts until 2026-10-02 day, 90 to one" in incident.why
    assert "nothing has changed" in str(trial.send(note))
    assert "39 to one is less than 40" in str(trial.send(replace(note, shift="swing", evidence=39)))
    assert "nobody may give" in str(trial.send(note, "olga"))


def _is_of(line: SkimLine, table: str) -> bool:
    return (line.look, line.kind, line.subject) == ("notes", "table", table)


def test_alarms_begin_anew_and_stakes_are_shared_out_in_order() -> None:
    looks = [ShiftLook("notes", "T1", DAY, f"s{n}", ("ann",), 10, 2_000_00, 1_000_00) for n in range(9)]
    lines = skim_lines(looks, KEYING, ONE_IN)
    assert [(line.kind, line.order, line.bound) for line in lines] == [
        ("table", 1, 40),
        ("crew", 2, alarm_bound(20, 2)),
    ]
    assert len(lines[0].alarms) > 1
    assert lines[0].alarms[0].short == 1_000_00 * lines[0].alarms[0].shifts
    rows = skim_table("Theft", lines, {"ann": "Ann"}).rows
    assert [row[2] for row in rows] == ["T1", "Ann"]


def test_hidden_by_what_nobody_recorded_a_skim_must_be_larger() -> None:
    exact, over = (
        skim_lines([ShiftLook("notes", "T1", DAY, "day", (), 40, 4_000_00, counted)], KEYING, ONE_IN)[0]
        for counted in (4_000_00, 4_500_00)
    )
    assert over.smallest == exact.smallest + 500_00
    assert exact.tenth is not None
    assert over.tenth is None, "a tenth is less than what nobody recorded"


def test_the_hold_shows_far_less_by_the_exact_variance() -> None:
    [power] = hold_powers({"T1": (Fraction(4 * 2_000_00**2), 4)}, {"T1": 40_000_00}, ONE_IN)
    assert power.deviation == 2_000_00
    assert power.smallest == pytest.approx((1.6449 + 1.2816) * 2_000_00 / sqrt(60), rel=1e-3)
    assert power.share == Fraction(power.smallest, 10_000_00)
