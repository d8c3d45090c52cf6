"""Corrects the last roll: it is dealt again with the right faces, and what was done since is done again after it.

Nothing is erased. One event says what was wrong, what happens instead, which money moves, and the table after it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from passline.authority.duties import name_of
from passline.dice import SEVEN, number_text
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.position import Table
from passline.game.wording import seat_name
from passline.money import dollars
from passline.refusal import Refusal, Refused
from passline.rules.rules import Rules
from passline.rules.schema import clause_text, refusal
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.ledger import money_between
from passline.tables.live import BeforeRoll, LiveTable, house_with, version_of, with_faces
from passline.tables.money.unkeyed import correct_unkeyed
from passline.tables.rules_in_force import has_limits, rules_of, rules_under

_REASON_MAX = 500


class _Dealt(Struct, frozen=True):
    """A roll and what followed it, dealt again from before the throw."""

    events: tuple[e.Event, ...]
    table: Table
    kept: tuple[int, ...]
    dropped: tuple[tuple[c.Command, Refused], ...]


def correct_roll(live: LiveTable, command: k.CorrectRoll) -> list[t.RollCorrected] | list[Refusal]:
    """Correct the last roll, before the next throw, if all the money can still follow."""
    rules, faces = rules_of(live), (command.first, command.second)
    if unfit := _unfit(live, rules, command):
        return unfit
    assert live.before_roll is not None
    if not live.is_keyed:
        again = correct_unkeyed(live, live.before_roll, faces)
        if isinstance(again, Refused):
            return list(again.refusals)
        now = _Dealt(*again, tuple(range(len(live.since))), ())
    else:
        now = _deal_again(live, live.before_roll, faces)
    if live.is_keyed and (stuck := _beyond_reach(live, rules, now)):
        return stuck
    was = _faces_now(live)
    names = {seat: player.name for seat, player in live.players.items()}
    corrected = t.RollCorrected(
        corrects=live.landed,
        first=command.first,
        second=command.second,
        was_first=was[0],
        was_second=was[1],
        reason=command.reason,
        redone=now.events,
        table=now.table,
        movements=money_between(live.game, now.table),
        kept=now.kept,
        dropped=tuple(f"{_command_text(command, names)} ({_clauses(refused)})" for command, refused in now.dropped),
        clause=clause_text(rules.procedures.dispute.cite),
    )
    return [corrected]


def _unfit(live: LiveTable, rules: Rules, command: k.CorrectRoll) -> list[Refusal]:
    cite = rules.procedures.dispute.cite
    if live.before_roll is None:
        return [refusal(cite, "there is no roll to correct: none was thrown, it was void, or too much came after it")]
    if live.game.position.dice == "air":
        return [refusal(cite, "the dice are in the air again: the previous roll can no longer be corrected")]
    refusals = []
    if not all(0 < face < SEVEN for face in (command.first, command.second)):
        refusals.append(refusal(cite, f"{command.first}-{command.second} are not the faces of two dice"))
    elif (command.first, command.second) == _faces_now(live):
        refusals.append(refusal(cite, f"{command.first}-{command.second} are the faces already recorded"))
    if not 0 < len(command.reason.strip()) <= _REASON_MAX:
        refusals.append(refusal(cite, f"a correction needs a reason of 1 to {_REASON_MAX} characters"))
    return refusals


def _faces_now(live: LiveTable) -> tuple[int, int]:
    """Return the current faces: at rest, or of the last settled roll."""
    if any(live.game.position.faces):
        return live.game.position.faces
    last = live.track.rolls[-1]
    return last.first, last.second


def _deal_again(live: LiveTable, before: BeforeRoll, faces: tuple[int, int]) -> _Dealt:
    """Deal a roll with these faces from before its throw, then do again what was done since, in order."""
    house, version, table = before.house, before.rules, before.game
    happened: list[e.Event] = []
    kept, dropped = [], []
    for place, done in enumerate(live.since):
        if done.limits:
            house = house_with(house, done.limits)
            version = version_of(house, live.rulebook)
        if done.command is None:
            kept.append(place)
            continue
        command = with_faces(done.command, *faces)
        rules = rules_under(house, live.rulebook, version, live.automate, limits_apply=has_limits(live))
        outcome = act(rules, table, command)
        if isinstance(outcome, Refused):
            dropped.append((command, outcome))
            continue
        kept.append(place)
        happened += outcome[0]
        table = outcome[1]
    return _Dealt(tuple(happened), table, tuple(kept), tuple(dropped))


_EDGE = (c.TakeSeat, c.LeaveSeat, c.BuyIn, c.Fill, c.Credit)
_FIXED = "chips or cash that have since left or entered the table cannot be undone"


def _beyond_reach(live: LiveTable, rules: Rules, now: _Dealt) -> list[Refusal]:
    """Refuse a correction that would change cash or chips that have since left the table."""
    cite = rules.procedures.dispute.cite
    names = {seat: player.name for seat, player in live.players.items()}
    refusals = [
        refusal(cite, f"{_FIXED}: {_command_text(command, names)} ({refused})")
        for command, refused in now.dropped
        if isinstance(command, _EDGE) or (isinstance(command, c.MakeWager) and "cash" in command.media)
    ]
    assert live.before_roll is not None
    then = _deal_again(live, live.before_roll, _faces_now(live))
    left = [[event for event in dealt.events if isinstance(event, e.SeatLeft)] for dealt in (then, now)]
    if not refusals and left[0] != left[1]:
        seats = ", ".join(map(str, sorted({event.seat for event in left[0] if event not in left[1]})))
        why = f"the player at seat {seats} has left since with a different amount than the corrected roll gives"
        refusals.append(refusal(cite, f"{why}; settle it as a dispute"))
    return refusals


def _clauses(refused: Refused) -> str:
    """Return a refusal's clauses only: everybody reads them, and its words may reveal somebody's rack."""
    return (
        ", ".join(dict.fromkeys(refusal.clause for refusal in refused.refusals if refusal.clause))
        or "the order of play"
    )


def _command_text(command: c.Command, names: Mapping[int, str]) -> str:
    """Return a command that can no longer be done, in words. They are stored in the log: do not change them."""
    words = [name_of(command)]
    if isinstance(command, (c.MakeWager, c.ReduceWager, c.RemoveWager, c.CallWager, c.PlaceButton, c.ConfirmWager)):
        words += [command.wager, number_text(command.number)]
    if cents := getattr(command, "cents", 0):
        words.append(dollars(cents))
    seat = getattr(command, "seat", 0)
    who = f"{seat_name(seat, names)}: " if seat else ""
    return f"{who}{' '.join(filter(None, words))}"
