"""Results of a month beyond luck: one incident each, whoever dealt is involved, and honest months are left in peace."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from msgspec import json
from msgspec.structs import replace

from passline.acts.commands import LookRound, NoteResult, SetValue
from passline.acts.events import IncidentOpened, ResultAlarmed
from passline.acts.state import KnownThing
from passline.automaton.standing import PAIRS, WEIGHTS
from passline.bookkeeping.account import PlayAccount
from passline.bookkeeping.accrual_sums import Accrual
from passline.bookkeeping.result_watch import result_alarms
from passline.bookkeeping.results import EnteredAct, TableResult
from passline.documents.as_text import as_text, listed_rows
from passline.documents.sheet import PrintedSheet
from passline.exact.luck_evidence import prices_of_roll, scale_of, sum_of_prices
from passline.exact.standing import StandingSteps
from passline.office.verify import house_faults
from passline.office.views.investigation import (
    Investigation,
    InvestigationsList,
    find_investigation,
    find_investigations,
    investigation_sheet,
    investigations_table,
    result_meant,
)
from passline.office.views.kept_past import find_filed
from passline.refusal import Refused
from passline.store.timestamps import later
from tests.cases import budget
from tests.exact.luck_sittings import luck_with, steps_of, wager
from tests.office.accounts.beyond_luck import DAY, found_beyond_luck, played
from tests.office.accounts.watched import WatchedTable

_KINDS = ("wager-made", "wager-lost", "wager-won", "roll-settled")
ONE_IN = 20
LAYOUTS = (
    (wager("any_seven", 25_00),),
    (wager("field", 50_00), wager("craps_12", 5_00)),
    (wager("pass", 25_00),),
    (wager("hardway", 10_00, 8, puck=6), wager("place_win", 30_00, 6, puck=6)),
)


def _account(scope: str, subject: str, rolls: Counter[StandingSteps], luck: Fraction, *, begun: int) -> PlayAccount:
    """What is kept of a month of rolls; the first of them was entry `begun`."""
    prices = sum_of_prices({prices_of_roll(steps): count for steps, count in rolls.items()})
    sums = Accrual(won=round(luck), luck=luck, rolls=rolls.total(), prices=prices)
    scale = scale_of(steps_of(LAYOUTS[begun % len(LAYOUTS)]).variance)
    place = {"rules": "section2", "scope": scope, "period": "month", "span": "2026-11", "subject": subject}
    return PlayAccount(**place, sums=sums, scale=scale, scaled_by=begun)  # type: ignore[arg-type]


def _month_alarms(seed: int, *, tables: int = 4, looks: int = 10, rolls: int = 40) -> bool:
    """Whether an honest month ever alarms: tables, each with a crew of its own, and the house, looked at often."""
    random = Random(seed)
    rolled = [Counter[StandingSteps]() for _ in range(tables)]
    luck = [Fraction(0)] * tables
    for _ in range(looks):
        for table in range(tables):
            steps = steps_of(LAYOUTS[(table + 1) % len(LAYOUTS)])
            for place in random.choices(range(len(PAIRS)), WEIGHTS, k=rolls):
                luck[table] += luck_with(steps, place)
            rolled[table][steps] += rolls
        accounts = [_account("house", "", sum(rolled, Counter()), sum(luck, Fraction(0)), begun=1)]
        accounts += [
            _account(scope, f"{scope}-{table}", rolled[table], luck[table], begun=table + 1)
            for table in range(tables)
            for scope in ("table", "crew")
        ]
        if result_alarms(accounts, ONE_IN):
            return True
    return False


def test_honest_months_alarm_at_most_one_time_in_twenty_however_often_somebody_looks() -> None:
    months = budget(10, in_sweep=1_000)
    assert sum(_month_alarms(seed) for seed in range(months)) <= months / ONE_IN


def test_a_result_beyond_luck_opens_one_incident_and_its_crew_does_not_look_into_it() -> None:
    watched = played(10)
    office, found = watched.office, found_beyond_luck(watched)
    assert [(own.alarm.scope, own.people) for own in found] == [
        ("table", ("bea", "dee", "stan")), ("crew", ("bea", "dee", "stan")), ("shift", ("bea", "dee", "stan")),
        ("house", ("bea", "dee", "stan")),
    ]  # fmt: skip
    alarm = found[0].alarm
    made = [10 * Fraction(5_00, 6), 10 * Fraction(7 * 10_00, 495)]
    assert (alarm.order, alarm.bound, alarm.rolls) == (1, 2 * ONE_IN, 10)
    assert alarm.won == 10 * (-20_00 - 10_00) < alarm.low < round(sum(made)) == alarm.expected < alarm.high
    office.at = watched.sitting.at
    told = office.send(found[0].note)
    assert not isinstance(told, Refused), str(told)
    alarmed, opened = told
    assert isinstance(opened, IncidentOpened)
    assert (opened.about, opened.people) == ("table/craps-1", ("bea", "dee", "stan"))
    assert "table craps-1 won -300.00 in 2026-11, where luck alone leaves" in opened.why
    assert isinstance(alarmed, ResultAlarmed)
    assert (alarmed.won, alarmed.month) == (alarm.won, "2026-11")
    assert "nothing has changed" in str(office.send(found[0].note))
    watched.write()
    assert [own.alarm.scope for own in found_beyond_luck(watched)] == ["crew", "shift", "house"]
    incident = office.state.thing("incident", opened.id)
    assert isinstance(incident, KnownThing)
    assert incident.facts["result"] == "result/table/craps-1/2026-11"

    assert office.tries("another-floorperson", "investigate_incident", opened.id, finding="nothing was seen")
    assert not office.tries("another-floorperson", "close_incident", opened.id, outcome="closed")
    draft = as_text(_draft(watched, opened.id))
    assert "nothing was seen" in draft
    assert "Another-Floorperson" in draft
    assert office.tries("compliance", "close_incident", opened.id, outcome="the cameras show honest play")
    assert "the cameras show honest play" in as_text(_draft(watched, opened.id))
    watched.write()
    assert not [fault.what for fault in house_faults(watched.log.read()) if "decided again" in fault.what]


def test_luck_that_is_within_its_band_opens_nothing() -> None:
    watched = played(1)
    assert not found_beyond_luck(watched)
    office = watched.office
    note = NoteResult(
        scope="table", subject="craps-1", month="2026-11", won=-5_00, low=-9_00, high=9_00, rolls=1, bound=40
    )
    assert "-5.00 lies in what luck leaves, -9.00 to 9.00" in str(office.send(note))
    assert "once in 19" in str(office.send(replace(note, won=-10_00, bound=19)))
    office.send(SetValue(key="result_alarm", value=50), "olga")
    assert "once in 50 months" in str(office.send(replace(note, won=-10_00)))
    assert "nobody may give" in str(office.send(replace(note, won=-10_00, bound=50), "olga"))


def test_involved_people_neither_conclude_nor_close() -> None:
    watched = played(0)
    office = watched.office
    note = NoteResult(
        scope="house", subject="", month="2026-11", won=-10_00, low=-9_00, high=9_00, rolls=1, bound=40,
        people=("flo", "olga"),
    )  # fmt: skip
    told = office.send(note)
    assert not isinstance(told, Refused), str(told)
    assert "the house won -10.00" in str(told)
    assert not office.tries("flo", "investigate_incident", "I-1", finding="it was not me")
    assert office.tries("sue", "investigate_incident", "I-1", finding="the cameras were looked at")
    assert not office.tries("olga", "close_incident", "I-1", outcome="it was not me either")


def test_investigations_are_listed_once_they_are_closed_and_filed_too() -> None:
    watched = played(10)
    office, begun = watched.office, watched.sitting.at
    office.at = begun
    for alarmed in found_beyond_luck(watched):
        office.send(alarmed.note)
    assert office.tries("another-floorperson", "investigate_incident", "I-2", finding="nothing was seen")
    office.at = closed = later(begun, 3600)
    assert office.tries("compliance", "close_incident", "I-2", outcome="the cameras show honest play")
    office.does("olga", "report_incident", what="a chip lay on the floor")
    facility = office.facility

    def listed(before: int = 0, limit: int = 10) -> InvestigationsList:
        return find_investigations(watched.views(), office.state, facility, before=before, limit=limit)

    found = listed().found
    assert [(own.id, own.scope, own.state) for own in found] == [
        ("I-4", "house", "open"), ("I-3", "shift", "open"), ("I-2", "crew", "closed"), ("I-1", "table", "open"),
    ], "an incident that is not about a result has no investigation"  # fmt: skip
    office.at = later(closed, 3 * 24 * 3600)
    office.send(LookRound())
    assert "incident/I-2" in office.state.ended, "it is filed"
    assert listed().found == found
    own = found[2]
    assert (own.opened, own.closed) == (facility.minute(begun), facility.minute(closed))
    assert (own.month, own.people) == ("2026-11", ("bea", "dee", "stan"))
    assert (own.finding, own.outcome) == ("nothing was seen", "the cameras show honest play")
    first = listed(limit=3)
    assert (len(first.found), first.earlier) == (3, 2)
    assert listed(first.earlier, 3) == InvestigationsList(found[3:], 0)
    row = listed_rows(investigations_table(found, {"bea": "Bea"}))[2]
    assert (row["number"], row["closed"]) == ("I-2", own.closed)
    assert row["involved"] == "Bea, dee, stan"
    views = watched.views()
    filed = find_filed(views, "section2", ["incident/I-2"])["incident/I-2"]
    meant = result_meant(filed)
    assert meant is not None
    drafted = find_investigation(watched.log, views, office.state, filed, meant)
    sheet = investigation_sheet(drafted, office.state, facility=facility, names={}, at=office.at)
    assert dict(sheet.facts)["Opened"] == own.opened, "when it was opened, though it is filed"


def _drafted_from(watched: WatchedTable, number: str) -> Investigation:
    incident = watched.office.state.thing("incident", number)
    assert incident is not None
    meant = result_meant(incident)
    assert meant is not None
    return find_investigation(watched.log, watched.views(), watched.office.state, incident, meant)


def _draft(watched: WatchedTable, number: str, **changed: object) -> PrintedSheet:
    office, found = watched.office, replace(_drafted_from(watched, number), **changed)
    return investigation_sheet(found, office.state, facility=office.facility, names={"bea": "Bea"}, at=office.at)


def test_ten_figures_of_the_drafted_form_are_those_of_the_raw_log() -> None:
    watched = played(6)
    office = watched.office
    office.at = watched.sitting.at
    for found in found_beyond_luck(watched):
        office.send(found.note)
    fill = TableResult(
        table="craps-1", day=DAY, shift="day",
        acts=(EnteredAct("opener", 1, "table/craps-1", 9_00), EnteredAct("fills", 2, "fill_slip/F-1", 7_00)),
    )  # fmt: skip
    sheet = _draft(watched, "I-1", results=(fill,))
    events = [event for stored in watched.log.read() for event in json.decode(bytes(stored.entry.events))]
    kinds = {kind: [event for event in events if event["event"] == f"{kind}/1"] for kind in _KINDS}
    lost = sum(event["cents"] for event in kinds["wager-lost"])
    paid = sum(event["winnings"] for event in kinds["wager-won"])
    shares = {"pass": Fraction(7, 495), "any_seven": Fraction(1, 6)}
    worth = sum(event["after"]["cents"] * shares[event["after"]["kind"]] for event in kinds["wager-made"])
    rolls = len(kinds["roll-settled"])
    month, shifts, hands, dice, moved = sheet.tables
    [row] = listed_rows(month)
    assert (row["won_cents"], row["expected_cents"]) == (lost - paid, round(worth))
    assert row["luck_cents"] == round(lost - paid - worth)
    assert (row["rolls"], row["keyed_in_%"]) == (rolls, 1.0)
    [shift] = listed_rows(shifts)
    assert (shift["won_cents"], shift["rolls"]) == (lost - paid, rolls)
    sequences = [
        stored.entry.sequence for stored in watched.log.read() if b"wager-made/1" in bytes(stored.entry.events)
    ]
    assert shift["first_entry"] == sequences[0]
    [hand] = listed_rows(hands)
    assert (hand["won_cents"], hand["rolls"], hand["crew"]) == (lost - paid, rolls, "Bea, dee, stan")
    [own] = listed_rows(dice)
    assert (own["hands"], own["rolls"], own["luck_cents"]) == (1, rolls, round(lost - paid - worth))
    [slip] = listed_rows(moved)
    assert (slip["what"], slip["slip"], slip["amount_cents"]) == ("fills", "F-1", 7_00)
