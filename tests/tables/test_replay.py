"""Judging a log again: what was played comes out the same, and what was forged does not, at its place."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from msgspec import Raw, json
from msgspec.structs import replace

from passline.store.entry import Draft, Head, Stored
from passline.store.genesis import genesis_draft
from passline.store.keys import SigningKey
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.duties import THE_HOUSE, Actor
from passline.tables.entries import house_events
from passline.tables.house import HouseState, JudgedHouse, fold_house, judge_house
from passline.tables.verify import replay_faults
from tests.tables.sitting import AT, CREW, OWNER, PLAYERS, Sitting
from tests.tables.test_random_asks import TABLES, played, sitting_at


def faults(entries: Sequence[Stored]) -> list[tuple[int, str]]:
    return [(fault.sequence, fault.what) for fault in replay_faults(entries)]


@pytest.mark.parametrize(("rules", "dice", "automate"), [one for one in TABLES if one[0] != "arizona"])
def test_what_was_played_is_judged_the_same(rules: str, dice: str, automate: str) -> None:
    for seed in range(4):
        sitting = sitting_at(rules, dice, automate)
        for seat, who in enumerate(PLAYERS[:3], start=1):
            sitting.sit(who, seat)
        played(sitting, Random(seed), 150)
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


def _forged(sitting: Sitting, place: int, change: Callable[[dict[str, Any]], Any]) -> list[Stored]:
    """The log with one entry changed as somebody would who can chain it anew."""
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


def _of(sitting: Sitting, name: str) -> int:
    return next(
        place
        for place, one in enumerate(sitting.entries)
        if any(event["event"].startswith(name) for event in json.decode(one.entry.events))
    )


def _event(name: str, **fields: object) -> Callable[[dict[str, Any]], None]:
    def change(body: dict[str, Any]) -> None:
        event = next(one for one in body["events"] if one["event"].startswith(name))
        event.update(fields)

    return change


FORGED = [
    ("wager-won", _event("wager-won", winnings=99_00), "the rules give"),
    ("wager-won", _event("wager-won", clause="XX-1"), "the rules give"),
    ("dice-landed", _event("dice-landed", first=3), "the rules give"),
    ("fill-made", _event("fill-made", cents=1_00), "the rules give"),
    ("buy-in-made", _event("buy-in-made", cents=2000_00), "the rules give"),
    ("roll-corrected", _event("roll-corrected", movements=[{"account": "rack/1", "cents": 1}]), "not to zero"),
    ("roll-corrected", lambda body: body.update(signed_by=""), "was signed by nobody"),
    ("roll-corrected", lambda body: body.update(signed_by=body["actor"]), "who asked for it"),
    ("roll-corrected", lambda body: body.update(role="player"), "would be refused"),
    ("roll-corrected", lambda body: body.update(signed_by="bob"), "plays at this table"),
    ("wager-made", lambda body: body.update(actor="bob"), "would be refused"),
    ("wager-made", lambda body: body["command"].update(cents=11_00), "the rules give"),
    ("wager-made", lambda body: body["events"].append(body["events"][0]), "does not follow"),
    ("wager-made", lambda body: body["events"].clear(), "0 are written"),
    ("wager-made", lambda body: body["command"].update(by="dealer"), "would have been written as"),
    ("wager-made", lambda body: body.update(hand=7), "it says hand 7"),
    ("wager-made", lambda body: body.update(rules="0"), "rules 0"),
    ("wager-made", lambda body: body["events"][0].update(event="wager-made/9"), "cannot be read"),
    ("table-opened", lambda body: body.update(signed_by=""), "open-table was signed by nobody"),
    ("table-opened", _event("table-opened", rulebook="0"), "it says hand 0, rules"),
]


@pytest.mark.parametrize(("name", "change", "what"), FORGED)
def test_what_was_forged_is_found_where_it_is(name: str, change: Callable[[dict[str, Any]], Any], what: str) -> None:
    sitting = a_game()
    assert faults(sitting.entries) == []
    place = _of(sitting, name)
    found = faults(_forged(sitting, place, change))
    assert found[0][0] == place + 1
    assert any(what in text for sequence, text in found if sequence == place + 1), found


def a_dispute() -> Sitting:
    """A table that stands frozen; Bob's screen was at another process."""
    sitting = a_game()
    sitting.do(k.FreezeTable(reason="misread", shown={"1": 6, "2": 0}), PLAYERS[0])
    sitting.do(k.ReportShown(freeze=sitting.table.froze, shown={"2": 5}), THE_HOUSE)
    return sitting


def _shown(**seats: int) -> Callable[[dict[str, Any]], None]:
    """The same in the command and in the event, as a server would write it that lies."""

    def change(body: dict[str, Any]) -> None:
        shown = {seat.removeprefix("seat"): last for seat, last in seats.items()}
        body["command"]["shown"] = body["events"][0]["shown"] = shown

    return change


_FROZEN_BY = len(a_game().entries) + 1
SHOWN = [
    ("table-frozen", _shown(seat1=_FROZEN_BY, seat2=0), "before the freeze"),
    ("screens-shown", _shown(seat2=_FROZEN_BY), f"entry {_FROZEN_BY} before the freeze, entry {_FROZEN_BY}"),
    ("screens-shown", _shown(seat1=6), "is known already"),
    ("screens-shown", _shown(seat3=5), "nobody is at seat 3"),
    ("screens-shown", _event("screens-shown", shown={"2": 4}), "the rules give"),
    ("screens-shown", lambda body: body.update(actor="olga"), "nobody's to give"),
    ("screens-shown", lambda body: body.update(role="dealer"), "nobody's to give"),
    ("screens-shown", lambda body: body["command"].update(freeze=1), "does not stand frozen"),
]


@pytest.mark.parametrize(("name", "change", "what"), SHOWN)
def test_what_screens_had_shown_is_judged_again(name: str, change: Callable[[dict[str, Any]], Any], what: str) -> None:
    sitting = a_dispute()
    assert faults(sitting.entries) == []
    assert faults(_forged(sitting, _of(sitting, "screens-shown"), _shown(seat2=_FROZEN_BY - 1))) == []
    place = _of(sitting, name)
    found = faults(_forged(sitting, place, change))
    assert any(what in text for sequence, text in found if sequence == place + 1), found


# --- Checkpoints ------------------------------------------------------------------------------------------------------


class House(Sitting):
    """A table in a house whose log has begun."""

    def __init__(self) -> None:
        self.key = SigningKey.new()
        self.state = HouseState()
        super().__init__()
        table, self.entries = self.entries, []
        begun = genesis_draft(self.key.public, log_id="a-log", at=AT)
        self.add(begun)
        self.state = fold_house(None, house_events(self.entries[0].entry))
        self.add(_again(table[0]))

    def ask_house(self, command: k.HouseCommand, by: Actor, signed_by: str = "") -> JudgedHouse:
        last = self.entries[-1]
        head = Head(last.entry.sequence, last.hash.hex(), "")
        verdict = judge_house(self.state, command, by=by, at=AT, head=head, tables=(self.table,), sign=self.key.sign)
        assert isinstance(verdict, JudgedHouse), str(verdict)
        self.add(
            Draft(
                stream="house",
                expected=self.state.version,
                at=self.at,
                actor=by.account,
                role=by.role,
                signed_by=signed_by,
                id=f"house {len(self.entries)}",
                command=Raw(json.encode(command)),
                events=Raw(json.encode(verdict.events)),
            )
        )
        self.state = verdict.after
        return verdict


def _again(stored: Stored) -> Draft:
    entry = stored.entry
    names = ("stream", "at", "actor", "role", "signed_by", "id", "hand", "rules", "command", "events")
    return Draft(expected=entry.version - 1, **{name: getattr(entry, name) for name in names})


def test_a_shift_closed_says_what_the_log_and_the_tables_were() -> None:
    house = House()
    house.sit(PLAYERS[0], 1)
    closed = house.ask_house(k.CloseShift(), CREW["floorperson"], signed_by="bea").events[0]
    assert isinstance(closed, t.ShiftClosed)
    assert (closed.shift, closed.sequence, house.state.shift) == (1, len(house.entries) - 1, 2)
    assert closed.tables[0].balances["rack/1"] == 1000_00
    assert sum(closed.tables[0].balances.values()) == 0
    house.ask_house(k.CloseShift(), OWNER, signed_by="flo")
    assert faults(house.entries) == []


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (_event("shift-closed", shift=5), "shift 5 is closed where 1 was open"),
        (_event("shift-closed", signature="00" * 64), "does not hold"),
        (_event("shift-closed", sequence=2), "is of another log"),
        (_event("shift-closed", tables=[]), "does not hold"),
        (lambda body: body.update(signed_by=""), "was signed by nobody"),
        (lambda body: body.update(role="dealer"), "would be refused"),
    ],
)
def test_a_forged_checkpoint_is_found(change: Callable[[dict[str, Any]], Any], what: str) -> None:
    house = House()
    house.sit(PLAYERS[0], 1)
    house.ask_house(k.CloseShift(), CREW["floorperson"], signed_by="bea")
    found = faults(_forged(house, len(house.entries) - 1, change))
    assert any(what in text for _sequence, text in found), found


def test_a_checkpoint_with_other_balances_is_found_even_if_it_was_signed() -> None:
    house = House()
    house.sit(PLAYERS[0], 1)
    live = house.table
    house.live = replace(live, balances={**live.balances, "bank": 0})
    house.ask_house(k.CloseShift(), OWNER, signed_by="flo")
    assert any("has other balances of craps-1" in text for _sequence, text in faults(house.entries))
