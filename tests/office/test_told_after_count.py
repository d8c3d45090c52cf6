"""Chips that came or went before a count, and are told after it: they were in that count, and are not counted twice."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.rules import TOLD_LATE, ActRules, office_of
from passline.acts.state import INCIDENT
from passline.bookkeeping.period_sums import sum_of, sums_of_days
from passline.bookkeeping.results import ADDENDUM
from passline.bookkeeping.win import table_results
from passline.office.verify import house_faults
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.timestamps import later
from tests.cases import one_in
from tests.office.bookkeeping import KeptOffice
from tests.office.corrected_story import Step, ToldStory, differing, random_story, results_known, stocks_held
from tests.office.pit import (
    assert_conserved,
    chips_at,
    count_tray,
    incident_reasons,
    papers_of,
    pit_office,
    send_fill,
)

_DAY = "2026-03-07"


def _tell(office: KeptOffice, by: str, act: str, *things: str, as_of: str, **fields: object) -> None:
    """Tell an act as of a time of the day."""
    occurred = office.facility.moment(office.facility.today(office.at), as_of)
    answer = office.send(c.DoAct(act=act, things=things, fields=fields, occurred=occurred), by)
    assert not isinstance(answer, Refused), answer


def _verifies(office: KeptOffice) -> bool:
    log = MemoryLog(SigningKey(bytes(range(32))), log_id="late", at="2025-12-30T00:00:00.000000Z")
    office.write(log)
    return not list(house_faults(log.read()))


@pytest.fixture
def office() -> KeptOffice:
    kept = pit_office("section2")
    kept.go_to(_DAY, "13:00")
    return kept


def test_a_fill_told_after_the_count_that_had_it_is_of_the_shift_before(office: KeptOffice) -> None:
    slip = send_fill(office, {"500": 100})
    office.go_to(_DAY, "14:00")
    count_tray(office, "shift", {"500": 1100})
    count = office.state.acts
    office.go_to(_DAY, "14:10")
    _tell(office, "dan", "accept_fill", slip, as_of="13:50")
    assert chips_at(office, "table/T1") == {"500": 1100}, "it is there once"
    assert not chips_at(office, "players"), "nobody has won or lost it"
    assert_conserved(office)
    assert f"told after table T1 was counted, by act {count}: it was in that count" in incident_reasons(office)[-1]
    day, swing = table_results(office.events, office.facility)
    assert (day.opener, day.fills, day.closer) == (5_000_00, 500_00, 5_500_00)
    assert (swing.opener, swing.fills) == (5_500_00, 0)
    assert day.corrections == (f"act {office.state.acts} was told after act {count}, which had it: $500.00, fills",)
    assert papers_of(office)[-1] == ("shift", 5_500_00), "the ledger of the table has it by the count"
    assert _verifies(office)


def test_after_the_closer_no_chips_are_left_over_for_the_next_opener(office: KeptOffice) -> None:
    slip = send_fill(office, {"500": 100})
    office.go_to(_DAY, "14:00")
    count_tray(office, "closer", {"500": 1080})
    office.go_to(_DAY, "14:10")
    _tell(office, "dan", "accept_fill", slip, as_of="13:50")
    office.go_to("2026-03-08", "06:00")
    before = len(incident_reasons(office))
    count_tray(office, "opener", {"500": 1080})
    assert len(incident_reasons(office)) == before, "the opener is what the closer was"
    first = table_results(office.events, office.facility)[0]
    assert (first.fills, first.closer) == (500_00, 5_400_00)
    assert chips_at(office, "players") == {"500": 20}


def test_what_is_signed_after_a_count_is_of_when_it_was_entered(office: KeptOffice) -> None:
    """A credit that was taken back into the tray, before the count, by an act whose witness signs after it."""
    office.does("flo", "request_credit", table="T1", units={"500": 40})
    office.does("dan", "prepare_credit", "C-000001")
    office.does("flo", "return_credit", "C-000001", reason="the cage was shut")
    waiting = office.state.acts
    office.go_to(_DAY, "14:00")
    count_tray(office, "shift", {"500": 1000})
    answer = office.send(c.SignAct(number=waiting, part="witness"), "bob", "bob")
    assert not isinstance(answer, Refused), answer
    assert chips_at(office, "table/T1") == {"500": 1000}
    assert not chips_at(office, "players")
    day, swing = table_results(office.events, office.facility)
    assert (day.credits, swing.credits) == (0, 0)
    assert_conserved(office)


def test_the_cage_has_a_sale_once_that_is_told_after_its_count(office: KeptOffice) -> None:
    left = {"500": 1990, "2500": 400}
    office.go_to(_DAY, "14:00")
    office.does("cy", "count_cage", units=left)
    office.signs("acc", "second", units=left)
    assert chips_at(office, "unexplained") == {"500": 10}
    office.go_to(_DAY, "14:10")
    _tell(office, "cal", "sell_chips", units={"500": 10}, as_of="13:50")
    assert chips_at(office, "cage") == left
    assert chips_at(office, "players") == {"500": 10}
    assert "told after cage was counted" in incident_reasons(office)[-1]
    assert_conserved(office)


def test_the_reserve_is_held_against_the_record_of_the_moment_it_was_counted(office: KeptOffice) -> None:
    """AZ-II.R.1.c-3: what was issued between the count and its entry stays issued, and is no difference."""
    office.go_to(_DAY, "14:00")
    office.does("cy", "issue_chips", units={"500": 100}, signs=("acc", "witness"))
    office.go_to(_DAY, "14:10")
    _tell(office, "acc", "reconcile_reserve", units={"500": 1000}, as_of="13:50")
    office.signs("cal", "second", units={"500": 1000})
    assert chips_at(office, "reserve") == {"500": 900}
    assert not chips_at(office, "unexplained")
    assert not any("the reserve differs from the record" in why for why in incident_reasons(office))
    assert any("told after more had moved there" in why for why in incident_reasons(office))
    _tell(office, "cal", "store_chips", units={"500": 10}, as_of="13:40")
    office.signs("acc", "witness")
    assert chips_at(office, "reserve") == {"500": 900}, "it was in the count of ten to two"
    assert chips_at(office, "unexplained") == {"500": 10}


def test_a_count_that_found_less_than_has_left_since_is_counted_again(office: KeptOffice) -> None:
    office.go_to(_DAY, "14:00")
    office.does("cy", "issue_chips", units={"500": 100}, signs=("acc", "witness"))
    office.go_to(_DAY, "14:10")
    occurred = office.facility.moment(date.fromisoformat(_DAY), "13:50")
    counted = c.DoAct(act="reconcile_reserve", fields={"units": {"500": 40}}, occurred=occurred)
    answer = office.send(counted, "acc")
    assert isinstance(answer, Refused)
    assert "reserve: 60 more of 500 cents have left since than were counted: count it again" in str(answer)


def test_a_late_fill_is_corrected_where_it_stands(office: KeptOffice) -> None:
    slip = send_fill(office, {"500": 100})
    office.go_to(_DAY, "14:00")
    count_tray(office, "shift", {"500": 1100})
    office.go_to(_DAY, "14:10")
    _tell(office, "dan", "accept_fill", slip, as_of="13:50", units={"500": 100})
    accepted = office.state.acts
    office.does("dan", "correct_accept_fill", slip, corrects=accepted, reason="misread", units={"500": 90})
    office.signs("flo", "floor")
    office.signs("cal", "cage")
    assert chips_at(office, "table/T1") == {"500": 1100}
    assert chips_at(office, "players") == {"500": -10}
    day, swing = table_results(office.events, office.facility)
    assert (day.fills, swing.fills) == (450_00, 0)
    assert_conserved(office)


def test_a_count_of_another_tray_gives_back_what_was_told_after_it(office: KeptOffice) -> None:
    """A count keyed for T1 was that of T2: T1 has its fill, as if nobody had counted it."""
    office.does("olga", "register_table", "T2", area="main floor")
    office.does("flo", "count_opener", "T2", chips={"500": 80}, shift="day")
    office.signs("bob", "second", chips={"500": 80})
    slip = send_fill(office, {"500": 100})
    office.go_to(_DAY, "14:00")
    count_tray(office, "shift", {"500": 70})
    count = office.state.acts
    office.go_to(_DAY, "14:10")
    _tell(office, "dan", "accept_fill", slip, as_of="13:50")
    said: dict[str, Any] = {"corrects": count, "reason": "it was T2", "chips": {"500": 70}, "shift": "day"}
    office.does("flo", "correct_count_shift", "T1", instead="T2", **said)
    office.signs("bob", "second", chips={"500": 70})
    assert chips_at(office, "table/T1") == {"500": 1100}
    assert chips_at(office, "table/T2") == {"500": 70}
    assert chips_at(office, "players") == {"500": 10}
    assert_conserved(office)


def test_pages_without_the_key_move_it_into_the_place_as_before() -> None:
    rules = office_of("section2")
    acts = {
        key: replace(act, moves=replace(act.moves, as_of=False)) if act.moves else act
        for key, act in rules.pages.acts.items()
    }
    before = ActRules(rules.name, "before", replace(rules.pages, acts=acts))
    office = pit_office("section2")
    office.rules = before
    office.go_to(_DAY, "13:00")
    slip = send_fill(office, {"500": 100})
    office.go_to(_DAY, "14:00")
    count_tray(office, "shift", {"500": 1100})
    office.go_to(_DAY, "14:10")
    _tell(office, "dan", "accept_fill", slip, as_of="13:50")
    assert chips_at(office, "table/T1") == {"500": 1200}
    assert all(not event.taken_up for _, event in office.events if isinstance(event, e.ActCompleted))


def test_every_movement_of_chips_says_that_it_is_as_of_its_moment() -> None:
    for regulation in REGULATIONS:
        acts = office_of(regulation).pages.acts
        assert {key for key, act in acts.items() if act.moves and not act.moves.as_of and not act.corrects} == set()
        assert {key for key, act in acts.items() if act.counts and act.counts.stock and not act.counts.as_of} == set()


# --- As if it had been told at once -----------------------------------------------------------------------------------

_ENDS = {"accept_fill", "sell_chips", "redeem_chips", "store_chips"}  # on which no other step of a story waits


class LateStory(ToldStory):
    """An office in which some steps of a story are told after later ones, as of when they were."""

    def tell_late(self, story: list[Step | date], late: dict[int, int], *, closes: bool = False) -> None:
        """Do everything; the steps of `late` only after others, each as of its own time."""
        waiting: dict[int, list[tuple[Step, str]]] = {}
        for number, step in enumerate(story):
            self.at = later(self.at, 30)
            if isinstance(step, date):
                self.end_day(step, closes=closes)
            elif number in late:
                waiting.setdefault(late[number], []).append((step, self.at))
            else:
                self._do(step.by, step.act, step.things, {**step.fields, **step.figures}, step.signs)
            for told, occurred in waiting.pop(number, ()):
                fields = {**told.fields, **told.figures}
                answer = self.send(c.DoAct(act=told.act, things=told.things, fields=fields, occurred=occurred), told.by)
                assert not isinstance(answer, Refused), (told.act, answer)
                for signer, part in told.signs:
                    self.signs(signer, part)


def _late_steps(story: list[Step | date], random: Random, count: int) -> dict[int, int]:
    """Steps that are told after some later ones of the same day."""
    fit = [number for number, step in enumerate(story) if isinstance(step, Step) and step.act in _ENDS]
    days = [number for number, step in enumerate(story) if isinstance(step, date)]
    found = {}
    for number in random.sample(fit, min(count, len(fit))):
        end = next(day for day in days if day > number)
        found[number] = random.randrange(number, end)
    return found


@pytest.mark.parametrize("regulation", ["practice", "section2", "maryland", "colorado"])
@pytest.mark.parametrize("seed", one_in(3, range(6)))
def test_a_story_told_late_leaves_chips_and_results_as_one_told_at_once(regulation: str, seed: int) -> None:
    random = Random(f"late {regulation} {seed}")
    story = random_story(regulation, random, days=2)
    at_once, late = LateStory(regulation), LateStory(regulation)
    at_once.tell_late(story, {})
    steps = _late_steps(story, random, 12)
    late.tell_late(story, steps)
    assert any(event.taken_up for _, event in late.events if isinstance(event, e.ActCompleted)) or not steps
    assert not differing(stocks_held(late.state), stocks_held(at_once.state))
    assert not differing(*(results_known(told.events, told.facility) for told in (late, at_once)))


def test_told_after_its_day_was_closed_it_stands_in_the_addendum_of_the_open_day(office: KeptOffice) -> None:
    slip = send_fill(office, {"500": 100})
    office.does("dan", "accept_fill", slip)
    office.go_to(_DAY, "14:00")
    count_tray(office, "closer", {"500": 1000})
    office.does("ned", "drop_table", "T1", shift="day", dropped="D1", drop_box="D2", signs=("flo", "viewer"))
    office.does("ned", "match_slips", "D1", typed=office.state.things["drop_box/D1"].facts["slips"])
    office.signs("nia", "second")
    office.does("ned", "count_box", "D1", cash={"10000": 7}, team=["ned", "nia"])
    office.signs("nia", "second", cash={"10000": 7})
    office.signs("cy", "cage", cash={"10000": 7})
    office.go_to("2026-03-08", "07:00")
    for incident in office.state.of_kind(INCIDENT, ["open"]):
        office.does("cora", "investigate_incident", incident.id, finding="seen, and nothing is missing")
    office.does("acc", "close_gaming_day", _DAY)
    office.signs("cora", "second")
    (closed,) = table_results(office.events, office.facility)
    assert (closed.fills, closed.win) == (500_00, 200_00)
    occurred = office.facility.moment(date.fromisoformat(_DAY), "13:55")
    fields = {"reason": "it was meant for another table"}
    answer = office.send(c.DoAct(act="reverse_fill", things=(slip,), fields=fields, occurred=occurred), "dan")
    assert not isinstance(answer, Refused), answer
    for who, part in (("flo", "floor"), ("cy", "cage"), ("cora", TOLD_LATE)):
        office.signs(who, part)
    before, addendum = table_results(office.events, office.facility)
    assert before == closed, "the closed day stays as it was closed"
    assert (addendum.shift, addendum.day, addendum.fills) == (ADDENDUM, date(2026, 3, 8), -500_00)
    assert sum_of(sums_of_days([before, addendum]).values()).win == 700_00
    assert chips_at(office, "table/T1") == {"500": 1000}
    assert_conserved(office)
