"""Verifying decisions: honest play passes, and a forged entry is found at its sequence."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.store.entry import Stored
from passline.streams.course import THE_HOUSE
from passline.tables import commands as k
from passline.tables import house_events as h
from passline.tables.verify import decision_faults
from tests.cases import one_in
from tests.tables.random_commands import TABLES, open_table, play_randomly
from tests.tables.signed_house import SignedHouse
from tests.tables.sitting import CREW, OWNER, PLAYERS, Sitting


def faults(entries: Sequence[Stored]) -> list[tuple[int, str]]:
    return [(fault.sequence, fault.what) for fault in decision_faults(entries)]


@pytest.mark.parametrize(
    ("rules", "dice", "automate"),
    one_in(6, [table for table in TABLES if table[0] != "arizona"], others=pytest.mark.whole),
)
def test_honest_play_has_no_faults(rules: str, dice: str, automate: str) -> None:
    for seed in range(4):
        sitting = open_table(rules, dice, automate)
        play_randomly(sitting, Random(seed), 150)
        assert faults(sitting.entries) == []


def a_game() -> Sitting:
    sitting = Sitting(dice="physical")
    sitting.sit(PLAYERS[0], 1)
    sitting.sit(PLAYERS[1], 2)
    sitting.wager(PLAYERS[0], "pass", 10_00)
    sitting.shoot(PLAYERS[0])
    sitting.roll(2, 4)
    sitting.wager(PLAYERS[0], "place_win", 12_00, 8)
    sitting.roll(4, 4)
    sitting.do(k.CorrectRoll(first=4, second=2, reason="misread"), CREW["boxperson"])
    return sitting


def _with_forged(sitting: Sitting, place: int, change: Callable[[dict[str, Any]], Any]) -> list[Stored]:
    """Return the log with one entry changed, as by somebody who can compute its chain and seals again."""
    stored = sitting.entries[place]
    body = json.decode(stored.body)
    change(body)
    entry = replace(
        stored.entry,
        **{key: body[key] for key in ("actor", "role", "signed_by", "hand", "rules", "at")},
        command=Raw(json.encode(body["command"])),
        events=Raw(json.encode(body["events"])),
    )
    return [*sitting.entries[:place], replace(stored, entry=entry), *sitting.entries[place + 1 :]]


def _place_of(sitting: Sitting, name: str) -> int:
    return next(
        place
        for place, one in enumerate(sitting.entries)
        if any(event["event"].startswith(name) for event in json.decode(one.entry.events))
    )


def _change_event(name: str, **fields: object) -> Callable[[dict[str, Any]], None]:
    def change(body: dict[str, Any]) -> None:
        event = next(one for one in body["events"] if one["event"].startswith(name))
        event.update(fields)

    return change


def _elects_otherwise(body: dict[str, Any]) -> None:
    """Write an opening under a rulebook that nobody kept, with another election than the one the command names."""
    body["command"]["house"]["wager_cents_min"] = 10_00
    _change_event("table-opened", rulebook="0")(body)


def _seats_a_crowd(body: dict[str, Any]) -> None:
    """Write an opening with so many places that whoever folds it would run out of memory."""
    for event in body["events"]:
        if event["event"].startswith("table-opened"):
            event["house"]["seats"] = 10**12


FORGED = [
    ("table-opened", _seats_a_crowd, "are impossible"),
    ("table-opened", _elects_otherwise, "the rules give"),
    ("wager-won", _change_event("wager-won", winnings=99_00), "the rules give"),
    ("wager-won", _change_event("wager-won", clause="XX-1"), "the rules give"),
    ("dice-landed", _change_event("dice-landed", first=3), "the rules give"),
    ("fill-made", _change_event("fill-made", cents=1_00), "the rules give"),
    ("buy-in-made", _change_event("buy-in-made", cents=2000_00), "the rules give"),
    ("roll-corrected", _change_event("roll-corrected", movements=[{"account": "rack/1", "cents": 1}]), "not to zero"),
    ("roll-corrected", lambda body: body.update(signed_by=""), "correct-roll needs the signature of"),
    ("roll-corrected", lambda body: body.update(signed_by=body["actor"]), "who asked for it"),
    ("roll-corrected", lambda body: body.update(role="player"), "would be refused"),
    ("roll-corrected", lambda body: body.update(signed_by="bob"), "is playing at this table"),
    ("wager-made", lambda body: body.update(actor="bob"), "would be refused"),
    ("wager-made", lambda body: body["command"].update(cents=11_00), "the rules give"),
    ("wager-made", lambda body: body["events"].append(body["events"][0]), "are impossible"),
    ("wager-made", lambda body: body["events"].clear(), "0 are written"),
    ("wager-made", lambda body: body["command"].update(by="dealer"), "would have been written as"),
    ("wager-made", lambda body: body.update(hand=7), "it says hand 7"),
    ("wager-made", lambda body: body.update(rules="0"), "rules 0"),
    ("wager-made", lambda body: body["events"][0].update(event="wager-made/9"), "cannot be read"),
    ("table-opened", lambda body: body.update(signed_by=""), "open-table needs the signature of"),
    ("table-opened", _change_event("table-opened", rulebook="0"), "it says hand 0, rules"),
]


@pytest.mark.parametrize(("name", "change", "what"), FORGED)
def test_a_forged_entry_is_found_at_its_sequence(name: str, change: Callable[[dict[str, Any]], Any], what: str) -> None:
    sitting = a_game()
    assert faults(sitting.entries) == []
    place = _place_of(sitting, name)
    found = faults(_with_forged(sitting, place, change))
    assert found[0][0] == place + 1
    assert any(what in text for sequence, text in found if sequence == place + 1), found


def a_dispute() -> Sitting:
    """Return a frozen table, with a report of what Bob's screen at another process had shown."""
    sitting = a_game()
    sitting.do(k.FreezeTable(reason="misread", shown={"1": 6, "2": 0}), PLAYERS[0])
    sitting.do(k.ReportShown(freeze=sitting.table.froze, shown={"2": 5}), THE_HOUSE)
    return sitting


def _change_shown(**seats: int) -> Callable[[dict[str, Any]], None]:
    """Change what screens had shown in the command and in the event alike, as a lying server would write it."""

    def change(body: dict[str, Any]) -> None:
        shown = {seat.removeprefix("seat"): last for seat, last in seats.items()}
        body["command"]["shown"] = body["events"][0]["shown"] = shown

    return change


_FROZEN_BY = len(a_game().entries) + 1
SHOWN = [
    ("table-frozen", _change_shown(seat1=_FROZEN_BY, seat2=0), "before the freeze"),
    ("screens-shown", _change_shown(seat2=_FROZEN_BY), f"entry {_FROZEN_BY} before the freeze, entry {_FROZEN_BY}"),
    ("screens-shown", _change_shown(seat1=6), "is already recorded"),
    ("screens-shown", _change_shown(seat3=5), "nobody is at seat 3"),
    ("screens-shown", _change_event("screens-shown", shown={"2": 4}), "the rules give"),
    ("screens-shown", lambda body: body.update(actor="olga"), "nobody may give"),
    ("screens-shown", lambda body: body.update(role="dealer"), "nobody may give"),
    ("screens-shown", lambda body: body["command"].update(freeze=1), "is not frozen, or was frozen by another"),
]


@pytest.mark.parametrize(("name", "change", "what"), SHOWN)
def test_a_forged_report_of_screens_is_found(name: str, change: Callable[[dict[str, Any]], Any], what: str) -> None:
    sitting = a_dispute()
    assert faults(sitting.entries) == []
    assert faults(_with_forged(sitting, _place_of(sitting, "screens-shown"), _change_shown(seat2=_FROZEN_BY - 1))) == []
    place = _place_of(sitting, name)
    found = faults(_with_forged(sitting, place, change))
    assert any(what in text for sequence, text in found if sequence == place + 1), found


# --- Checkpoints ------------------------------------------------------------------------------------------------------


def test_a_checkpoint_holds_the_head_of_the_log_and_the_ledger_of_each_table() -> None:
    house = SignedHouse()
    house.sit(PLAYERS[0], 1)
    closed = house.do_house(k.CloseShift(), CREW["floorperson"], signed_by="bea").events[0]
    assert isinstance(closed, h.ShiftClosed)
    assert (closed.shift, closed.sequence, house.state.shift) == (1, len(house.entries) - 1, 2)
    assert closed.tables[0].balances["rack/1"] == 1000_00
    assert sum(closed.tables[0].balances.values()) == 0
    house.do_house(k.CloseShift(), OWNER, signed_by="flo")
    assert faults(house.entries) == []


_REPORT = {"event": "report-filed/1", "number": 1, "record_class": "security", "table": "craps-1", "text": "a hat"}
_FILE_REPORT = {"command": "file-report", "record_class": "security", "table": "craps-1", "text": "a hat"}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (_change_event("shift-closed", shift=5), "shift 5 is closed where 1 was open"),
        (_change_event("shift-closed", signature="00" * 64), "does not hold"),
        (_change_event("shift-closed", sequence=2), "is of another log"),
        (_change_event("shift-closed", tables=[]), "does not hold"),
        (lambda body: body["events"].insert(0, _REPORT), "1 events, but 2 are written"),
        (lambda body: body.update(command=_FILE_REPORT), "event 1 of file-report is written as"),
        (lambda body: body.update(signed_by=""), "close-shift needs the signature of"),
        (lambda body: body.update(role="dealer"), "would be refused"),
    ],
)
def test_a_forged_checkpoint_is_found(change: Callable[[dict[str, Any]], Any], what: str) -> None:
    house = SignedHouse()
    house.sit(PLAYERS[0], 1)
    house.do_house(k.CloseShift(), CREW["floorperson"], signed_by="bea")
    found = faults(_with_forged(house, len(house.entries) - 1, change))
    assert any(what in text for _sequence, text in found), found


def test_a_checkpoint_with_wrong_balances_is_found_even_if_its_signature_holds() -> None:
    house = SignedHouse()
    house.sit(PLAYERS[0], 1)
    live = house.table
    house.live = replace(live, balances={**live.balances, "bank": 0})
    house.do_house(k.CloseShift(), OWNER, signed_by="flo")
    assert any("has other balances of craps-1" in text for _sequence, text in faults(house.entries))
