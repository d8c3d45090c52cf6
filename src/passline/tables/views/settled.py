"""What the last roll did to each wager, with its arithmetic, for pages; packed where it is sent to every screen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from msgspec import Struct

from passline.game import events as e
from passline.tables.live import LiveTable, Player
from passline.tables.track import Settled

_NOBODY = Player("", "")
_OUTCOMES = {
    e.WagerLost: "lost",
    e.WagerWon: "won",
    e.MeterPaid: "won",
    e.WagerReturned: "returned",
    e.WagerMoved: "moved",
}
METER = "meter"
"""What a line says in the place of odds if it is paid from the meter of a progressive, beside the line of its wager."""


class SettledWager(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a roll did to a wager, with its arithmetic."""

    seat: int
    account: str
    name: str
    kind: str
    number: int
    owner: str
    outcome: str
    cents: int
    winnings: int
    clause: str
    part: str = ""
    pays: str = ""
    vigorish: int = 0
    stays: int = 0  # cents that remain on the layout
    to: int = 0  # the number it moved to


def settled_wagers(live: LiveTable) -> list[SettledWager]:
    """Return what the last roll did, first what was taken, then what was paid.

    Whoever leaves a seat takes its wagers off the track, but for all of a tournament's table as their round ends.
    """
    players = live.left | live.players
    return [_outcome(outcome, players.get(outcome.wager.seat, _NOBODY)) for outcome in live.track.settled]


def packed_settled(settled: Sequence[SettledWager]) -> dict[str, Any]:
    """Return the same for many screens at once: each text once, and a row of numbers for each wager.

    A row has what `SettledWager` has but for the account and the name, which are under its seat; a text is its place
    among the texts, and what is left out at the end of a row is the default.

    >>> lost = SettledWager(2, "b1", "Bob", "field", 0, "player", "lost", 500, 0, "MD-3.A.11.b")
    >>> packed_settled([lost])["players"], packed_settled([lost])["rows"]
    ({2: ('b1', 'Bob')}, [[2, 0, 0, 1, 2, 500, 0, 3]])
    >>> packed_settled([lost])["texts"]
    ['field', 'player', 'lost', 'MD-3.A.11.b']
    """
    texts: dict[str, int] = defaultdict(count().__next__)  # each with its place, the next one when it first comes
    rows = []
    for wager in settled:
        kind, owner, outcome = texts[wager.kind], texts[wager.owner], texts[wager.outcome]
        row = [wager.seat, kind, wager.number, owner, outcome, wager.cents, wager.winnings, texts[wager.clause]]
        if wager.part or wager.pays or wager.vigorish or wager.stays or wager.to:
            row += (texts[wager.part], texts[wager.pays], wager.vigorish, wager.stays, wager.to)
        rows.append(row)
    return {"players": {wager.seat: (wager.account, wager.name) for wager in settled}, "texts": [*texts], "rows": rows}


def unpacked_changes(changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return what news of a table changed, with what a roll decided as a list again."""
    settled = changed.get("settled")
    return {**changed, **({} if settled is None else {"settled": unpacked_settled(settled)})}


def unpacked_settled(packed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what `packed_settled` packed, as JSON has it.

    >>> lost = SettledWager(2, "b1", "Bob", "field", 0, "player", "lost", 500, 0, "MD-3.A.11.b")
    >>> from msgspec import json, to_builtins
    >>> sent = json.encode(packed_settled([lost]))
    >>> unpacked_settled(json.decode(sent)) == [to_builtins(lost)]
    True
    """
    texts, players = packed["texts"], packed["players"]
    found = []
    for row in packed["rows"]:
        account, name = players[str(row[0])]
        known = {"seat": row[0], "account": account, "name": name}
        for key, value in zip(_FIELDS, row[1:], strict=False):
            told = texts[value] if key in _TEXTS else value
            if told or key in _ALWAYS:
                known[key] = told
        found.append(known)
    return found


_FIELDS = tuple(name for name in SettledWager.__struct_fields__ if name not in {"seat", "account", "name"})
_TEXTS = frozenset({"kind", "owner", "outcome", "clause", "part", "pays"})
_ALWAYS = frozenset({"kind", "number", "owner", "outcome", "cents", "winnings", "clause"})


def _outcome(outcome: Settled, player: Player) -> SettledWager:
    wager = outcome.wager
    what = (wager.seat, player.account, player.name, wager.kind, wager.number, wager.owner, _OUTCOMES[type(outcome)])
    match outcome:
        case e.WagerLost():
            return SettledWager(
                *what, outcome.cents, 0, outcome.clause, outcome.part, stays=outcome.after.cents if outcome.after else 0
            )
        case e.WagerWon():
            net, stays = outcome.winnings - outcome.vigorish, outcome.after.cents if outcome.after else 0
            return SettledWager(
                *what, outcome.cents, net, outcome.clause, outcome.part, str(outcome.pays), outcome.vigorish, stays
            )
        case e.MeterPaid():
            return SettledWager(*what, 0, outcome.cents, outcome.clause, pays=METER)
        case e.WagerMoved():
            return SettledWager(
                *what, wager.cents, 0, outcome.clause, stays=outcome.after.cents, to=outcome.after.number
            )
        case _:
            return SettledWager(*what, wager.cents, 0, outcome.clause)
