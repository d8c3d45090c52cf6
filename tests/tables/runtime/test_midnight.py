"""A table open over midnight into an amendment's day: what is up ends under the old text, new wagers are of the new."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Coroutine
from datetime import date
from functools import partial, wraps
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.acts.state import ActState
from passline.documents.as_html import as_html
from passline.exact.par.sheet import sheet
from passline.game import commands as c
from passline.game import events as e
from passline.office.verify import OfficeCheck
from passline.papers.house_papers import house_papers
from passline.refusal import Refused
from passline.rules.coming_texts import ComingText
from passline.rules.explain.paper_head import head_of
from passline.rules.pages.amendments import texts_of
from passline.rules.pages.day import days_told_by
from passline.rules.pages.library import FOLDERS
from passline.rules.pages.texts import packed_pages
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.streams.course import Ask
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.entries import HOUSE_CODEC, TABLE_CODEC
from passline.tables.house_events import RulebookKept
from passline.tables.rules_in_force import learn_rulebook, rules_of
from passline.tables.runtime.rulebook_watch import RulebookWatch
from passline.tables.verify import decision_faults
from passline.tables.views.dealt_by import DealtBy
from tests.rules.amended import BEFORE, DAY, NAME, ORDER, amended, write_amended
from tests.tables.changed_rulebook import new_process
from tests.tables.midnight import EVENING, HARD, HARD_6, MIDNIGHT, PASS, PIER, House
from tests.tables.running_floor import ANN, BOB, OPENING, OWNER, ask, done

__all__ = ["amended"]  # a fixture


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test on an event loop of its own."""

    @wraps(test)
    def run(**given: object) -> None:
        asyncio.run(test(**given))

    return run


def won(log: Log) -> list[int]:
    """Return what every hardway won."""
    entries = [stored.entry for stored in log.read() if stored.entry.stream.startswith("table/")]
    events = [event for entry in entries for event in TABLE_CODEC.events(entry)]
    return [event.winnings for event in events if isinstance(event, e.WagerWon) and event.wager.kind == "hardway"]


@in_loop
async def test_a_table_open_over_midnight_settles_under_the_old_text_and_deals_under_the_new(amended: Path) -> None:
    write_amended(amended.parent, ORDER + HARD)
    new_process()
    log = MemoryLog()
    house = House(log, (2, 2), (3, 3), (4, 3), (2, 2), (3, 3))
    table = await house.open()
    old, new = rulebook_of(NAME, BEFORE).digest, rulebook_of(NAME, DAY).digest
    for command in (PASS, k.Roll(seat=1), HARD_6):  # the point is 4
        await done(table, ANN, command)
    await house.floor._look()
    assert table.live.rulebook == old
    house.at = MIDNIGHT
    said = await ask(table, ANN, replace(HARD_6, number=8))  # at once, before anybody has looked
    assert isinstance(said, Refused)
    assert "Order 27-01, in force from 2027-01-01" in str(said)
    assert "as they were made" in str(said)
    await house.floor._look()
    await done(table, ANN, k.Roll(seat=1))
    assert won(log) == [90_00]  # 9 to 1, as it was made
    await house.floor._look()
    assert table.live.rulebook == old  # the pass wager is still up
    await done(table, ANN, k.Roll(seat=1))  # a loser 7
    assert not table.live.game.position.layout
    await house.floor._look()
    assert table.live.rulebook == new
    await done(table, BOB, c.DeclineDice(seat=2))
    await done(table, ANN, c.AcceptDice(seat=1))
    for command in (PASS, k.Roll(seat=1), HARD_6, k.Roll(seat=1)):
        await done(table, ANN, command)
    assert won(log) == [90_00, 50_00]
    await house.floor.close()
    for day in (BEFORE, DAY):  # whatever day it is when somebody verifies it
        new_process()
        with days_told_by({NAME: day}.__getitem__):
            dealt = DealtBy()
            assert list(decision_faults(log.read(), dealt_by=dealt)) == []
            assert not [warning for warning in dealt.warnings() if "installed rulebook" in warning]


@in_loop
async def test_paper_page_and_par_sheet_agree_on_every_day(amended: Path) -> None:
    write_amended(amended.parent, ORDER + HARD)
    new_process()
    house = House(MemoryLog())
    table = await house.open()
    for at, day, pays in ((EVENING, BEFORE, "9 to 1"), (MIDNIGHT, DAY, "5 to 1")):
        house.at = at
        await house.floor._look()
        assert house.floor.day_of(NAME) == day
        with days_told_by(house.floor.day_of):
            rules = Rules.of(NAME)
            paper = as_html("", *house_papers(rules, head_of(rules, version="1"), papers=["rules"]))
            par = sheet(NAME, wager="hardway", number="6")
        assert rules.rulebook.digest == table.live.rulebook
        assert str(rules_of(table.live).wagers["hardway"].payouts[6].pays) == pays
        assert ("9 to 1" in paper) == (day == BEFORE)  # nothing else pays that
        assert ("Order 27-01" in paper) == (day == DAY)
        assert pays in str(par.lines[0].pays)
    await house.floor.close()


@in_loop
async def test_a_house_that_the_new_text_forbids_waits_and_is_told_why(amended: Path) -> None:  # noqa: ARG001
    house = House(MemoryLog())
    table = await house.open(2_000_00)
    breach = "wager_cents_max: 200000 is above the maximum, 100000 [QUAY-5.1]"
    announced = ComingText("2027-01-01", ("Order 27-01",), (breach,))
    assert house.floor.rulebooks.texts_to_come(NAME, table.live.house) == (announced,)
    house.at = MIDNIGHT
    await house.floor._look()
    assert table.live.rulebook == rulebook_of(NAME, BEFORE).digest
    assert house.floor.rulebooks.texts_to_come(NAME, table.live.house) == ()
    said = str(await ask(table, ANN, PASS))
    assert "this house breaches it: wager_cents_max: 200000 is above the maximum, 100000" in said
    assert "close the table" in said
    opening = replace(OPENING, name="Craps 2", house={"rules": NAME})
    _id, answer = await house.floor.open(Ask("second", opening, OWNER, "flo"))  # the day needs nobody's consent
    assert not isinstance(answer, Refused), answer
    await house.floor.close()


@in_loop
async def test_a_log_is_verified_by_the_text_it_keeps_and_says_what_is_missing_without_it(
    amended: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The folder of the regulation is gone; then its text in the log, too."""
    log = MemoryLog()
    house = House(log, (2, 2))
    table = await house.open()
    for command in (PASS, k.Roll(seat=1), HARD_6):
        await done(table, ANN, command)
    await house.floor.close()
    digest, entries = table.live.rulebook, list(log.read())
    monkeypatch.delenv(FOLDERS)
    shutil.rmtree(amended)
    new_process()
    assert list(decision_faults(entries)) == []
    new_process()
    gone = [stored for stored in entries if b"keep-rulebook" not in stored.body]
    said = [fault.what for fault in decision_faults(gone)]
    told = f"the log does not keep the text {digest[:12]} of {NAME}; there is no rulebook '{NAME}'"
    assert said
    assert all(told in what and "--rulebooks DIR names more" in what for what in said), said


AFTER_MIDNIGHT = "2027-01-01T07:01:00.000000Z"  # still the evening before in other places
DAY_AFTER = "2027-01-01T20:00:00.000000Z"  # everywhere


@pytest.mark.parametrize(
    ("at", "knows_place", "is_found"),
    [
        (EVENING, True, False),
        ("2027-01-01T07:00:05.000000Z", True, False),  # judged before midnight, written after it
        (AFTER_MIDNIGHT, True, True),
        (AFTER_MIDNIGHT, False, False),
        (DAY_AFTER, False, True),
    ],
)
@in_loop
async def test_verify_finds_a_stake_under_the_old_text_after_midnight(
    amended: Path,  # noqa: ARG001
    monkeypatch: pytest.MonkeyPatch,
    at: str,
    *,
    knows_place: bool,
    is_found: bool,
) -> None:
    """A server that goes on taking stakes is found by the day of the house, where an office says where that is."""
    log = MemoryLog()
    house = House(log, (2, 2))
    table = await house.open()
    for command in (PASS, k.Roll(seat=1)):
        await done(table, ANN, command)
    house.at = MIDNIGHT
    await house.floor._look()  # keeps the new text, and waits for the pass wager
    house.at = max(at, MIDNIGHT)
    monkeypatch.setattr(RulebookWatch, "refusal_of", lambda *_: None)
    await done(table, ANN, HARD_6)
    await house.floor.close()
    taken = list(log.read())
    [place] = [index for index, stored in enumerate(taken) if b'"hardway"' in stored.body]
    taken[place] = replace(taken[place], entry=replace(taken[place].entry, at=at))
    office = partial(OfficeCheck, offices={NAME: ActState(facility=PIER)} if knows_place else {})
    said = [fault.what for fault in decision_faults(taken, also=(office,)) if "stake" in fault.what]
    told = "a stake is taken on 2027-01-01 under a text that is not in force: Order 27-01 is in force from 2027-01-01"
    assert [what.partition(told)[1] for what in said] == [told] * is_found, said


async def _adopted(log: Log, pages_of_day: date) -> list[Any]:
    """Return a log in which the house adopted the text of a day, by itself."""
    house = House(log)
    table = await house.open()
    house.at = MIDNIGHT
    await house.floor._look()
    assert table.live.rulebook == rulebook_of(NAME, pages_of_day).digest
    await house.floor.close()
    return list(log.read())


@in_loop
async def test_verify_finds_a_text_of_another_day_and_one_that_no_day_brings(amended: Path) -> None:  # noqa: ARG001
    sound = await _adopted(MemoryLog(), DAY)
    assert list(decision_faults(sound)) == []
    [place] = [index for index, stored in enumerate(sound) if b'"rulebook-adopted/' in stored.body]
    entry = sound[place].entry
    assert entry.actor == "house"
    early = replace(entry, at="2026-12-31T09:00:00.000000Z")
    faults = decision_faults([*sound[:place], replace(sound[place], entry=early), *sound[place + 1 :]])
    assert any("Order 27-01 is in force only from 2027-01-01 on" in fault.what for fault in faults)
    [kept] = [i for i, stored in enumerate(sound) if b"keep-rulebook" in stored.body and i > 2]
    [adopted] = TABLE_CODEC.events(entry)
    assert isinstance(adopted, t.RulebookAdopted)
    given = TABLE_CODEC.command(entry)
    assert isinstance(given, k.AdoptRulebook)
    other = texts_of(NAME).on(DAY)
    pages = replace(other, texts={**other.texts, "house.toml": other.texts["house.toml"] + b"# changed\n"})
    keeping = sound[kept].entry
    command, event = HOUSE_CODEC.command(keeping), HOUSE_CODEC.events(keeping)[0]
    assert isinstance(command, k.KeepRulebook)
    assert isinstance(event, RulebookKept)
    keeping = replace(
        keeping,
        command=Raw(json.encode(replace(command, pages=packed_pages(pages)))),
        events=Raw(json.encode((replace(event, digest=pages.digest),))),
    )
    forged = replace(
        entry,
        command=Raw(json.encode(replace(given, digest=pages.digest))),
        events=Raw(json.encode((replace(adopted, digest=pages.digest),))),
    )
    changed = [*sound]
    changed[kept] = replace(sound[kept], entry=keeping)
    changed[place] = replace(sound[place], entry=forged)
    learn_rulebook(pages, is_kept=True)
    said = [fault.what for fault in decision_faults(changed)]
    assert any("a text that no day brings" in what for what in said), said
