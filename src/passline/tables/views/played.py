"""Keeps what each player played as the log grows: hands with the wagers decided in them, and results by wager.

It is for the player's own page. Tournaments are left out, since their chips are not money.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, ClassVar

from msgspec import Struct, json
from msgspec.structs import replace

from passline.game import events as e
from passline.store.entry import Stored
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables import events as t
from passline.tables.entries import TableEntry
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.track import Settled
from passline.tables.views.projected import TableFollower


class DecidedWager(Struct, frozen=True, array_like=True):
    """One wager that a roll decided: what was at stake, and what the player won or lost by it, in cents."""

    kind: str
    number: int
    name: str
    cents: int
    net: int


class PlayedRoll(Struct, frozen=True):
    """One roll of a hand that decided something for a player."""

    roll: int
    sequence: int
    at: str
    decided: tuple[DecidedWager, ...]

    @property
    def net(self) -> int:
        """What the player won or lost by the roll."""
        return sum(wager.net for wager in self.decided)


class PlayedHand(Struct, frozen=True):
    """A hand in which something was decided for a player."""

    account: str
    table: str
    table_name: str
    rules: str  # the regulation
    hand: int
    at: str
    first: int  # the sequence of the first roll in it that decided something
    rolls: tuple[PlayedRoll, ...] = ()

    @property
    def net(self) -> int:
        """What the player won or lost in the hand."""
        return sum(roll.net for roll in self.rolls)


class PlayedWager(Struct, frozen=True):
    """All that a player made on one wager: how often it was decided, what was staked, won or lost."""

    kind: str
    number: int
    name: str
    decided: int = 0
    won: int = 0  # how often
    cents: int = 0
    net: int = 0


_Results = dict[str, PlayedWager]
_hands, _results = json.Decoder(PlayedHand), json.Decoder(_Results)
_Key = tuple[str, str, int]
_DECIDED = (e.WagerWon, e.WagerLost, e.MeterPaid)


class PlayedFollower(TableFollower):
    """Keeps the hands and results of every player."""

    tables: ClassVar[dict[str, str]] = {
        "played": """CREATE TABLE played (account TEXT NOT NULL, house_table TEXT NOT NULL, hand INTEGER NOT NULL,
            first INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (account, house_table, hand)) WITHOUT ROWID""",
        "results": "CREATE TABLE results (account TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID",
    }
    indexes: ClassVar[tuple[str, ...]] = (
        "CREATE INDEX played_by_time ON played (account, first)",
        "CREATE INDEX played_by_table ON played (house_table, hand)",
    )

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget what is in memory."""
        self._changed: dict[_Key, PlayedHand] = {}
        self._totals: dict[str, _Results] = {}

    def note(self, writer: ViewWriter, stored: Stored, decision: TableEntry | None) -> None:
        """Add what a roll decided; a correction first takes back what the corrected roll did."""
        if decision is None or decision.after.points is not None:
            return
        kinds = set(map(type, decision.events))
        if t.RollCorrected in kinds:
            self._take_back(writer, decision.after)
        if e.RollSettled in kinds or t.RollCorrected in kinds:
            self._add(writer, stored, decision.after)

    def store(self, writer: ViewWriter) -> None:
        """Write what has changed."""
        writer.write(
            "INSERT INTO played VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body",
            [(*key, hand.first, writer.seal("played", _narrow(hand))) for key, hand in self._changed.items()],
        )
        totals = [(account, writer.seal("results", _narrow(results))) for account, results in self._totals.items()]
        writer.write("INSERT OR REPLACE INTO results VALUES (?, ?)", totals)
        self.forget()

    def _add(self, writer: ViewWriter, stored: Stored, after: LiveTable) -> None:
        entry, track = stored.entry, after.track
        for account, decided in _wagers_decided(after, track.settled).items():
            hand = self._hand(writer, (account, after.id, track.hand)) or PlayedHand(
                account, after.id, after.name, str(after.house["rules"]), track.hand, entry.at, entry.sequence
            )
            roll = PlayedRoll(track.roll, entry.sequence, entry.at, decided)
            self._changed[account, after.id, track.hand] = replace(hand, rolls=(*hand.rolls, roll))
            self._count(writer, account, decided, 1)

    def _take_back(self, writer: ViewWriter, after: LiveTable) -> None:
        """Forget the rolls that a correction replaced, in the hand where they were counted and any later one."""
        assert after.before_roll is not None
        track = after.before_roll.track
        rows = writer.query(
            "SELECT account, hand FROM played WHERE house_table = ? AND hand >= ?", (after.id, track.hand)
        )
        keys = {(account, after.id, hand) for account, hand in rows}
        keys |= {key for key in self._changed if key[1] == after.id and key[2] >= track.hand}
        for key in keys:
            hand = self._hand(writer, key)
            assert hand is not None
            gone = [roll for roll in hand.rolls if roll.roll > track.roll]
            if gone:
                self._changed[key] = replace(hand, rolls=tuple(roll for roll in hand.rolls if roll.roll <= track.roll))
                self._count(writer, key[0], [each for roll in gone for each in roll.decided], -1)

    def _count(self, writer: ViewWriter, account: str, decided: Iterable[DecidedWager], sign: int) -> None:
        totals = self._totals.setdefault(account, played_results(writer, account))
        for wager in decided:
            key = f"{wager.kind}:{wager.number}"
            so_far = totals.get(key) or PlayedWager(wager.kind, wager.number, wager.name)
            totals[key] = replace(
                so_far,
                decided=so_far.decided + sign,
                won=so_far.won + sign * (wager.net > 0),
                cents=so_far.cents + sign * wager.cents,
                net=so_far.net + sign * wager.net,
            )

    def _hand(self, writer: ViewWriter, key: _Key) -> PlayedHand | None:
        return self._changed.get(key) or played_hand(writer, *key)


def _narrow(kept: Any) -> bytes:  # noqa: ANN401 - what msgspec encodes
    """Return what is kept as a body: it is written anew after each roll, and says the same words again and again."""
    return zlib.compress(json.encode(kept), 1)


def _wagers_decided(after: LiveTable, settled: Iterable[Settled]) -> dict[str, tuple[DecidedWager, ...]]:
    """Return what a roll decided, by account; parts of one wager together, and nothing of the crew's."""
    wagers = rules_of(after).wagers
    found: dict[str, dict[tuple[str, int], DecidedWager]] = {}
    for outcome in settled:
        wager = outcome.wager
        player = after.players.get(wager.seat)
        if player is None or wager.owner != "player" or not isinstance(outcome, _DECIDED):
            continue
        staked, net = _stake_and_net(outcome)
        mine = found.setdefault(player.account, {})
        so_far = mine.get((wager.kind, wager.number))
        name = wagers[wager.kind].display_name(wager.number)
        cents, before = (so_far.cents, so_far.net) if so_far else (0, 0)
        mine[wager.kind, wager.number] = DecidedWager(wager.kind, wager.number, name, cents + staked, before + net)
    return {account: tuple(wagers.values()) for account, wagers in found.items()}


def _stake_and_net(outcome: e.WagerWon | e.WagerLost | e.MeterPaid) -> tuple[int, int]:
    """Return the cents that were decided, and what the player won or lost; a meter pays beside the wager's line."""
    if isinstance(outcome, e.MeterPaid):
        return 0, outcome.cents
    paid = outcome.wager.vigorish if outcome.after is None else 0  # when the wager was made
    won = outcome.winnings - outcome.vigorish if isinstance(outcome, e.WagerWon) else -outcome.cents
    return outcome.cents, won - paid


def played_hand(reader: ViewReader, account: str, table: str, hand: int) -> PlayedHand | None:
    """Return one hand of a player; None if nothing was decided for them in it."""
    sql = "SELECT body FROM played WHERE account = ? AND house_table = ? AND hand = ?"
    rows = reader.query(sql, (account, table, hand))
    return _hands.decode(zlib.decompress(reader.unseal("played", rows[0][0]))) if rows else None


def find_played(reader: ViewReader, account: str, *, before: int = 0, limit: int = 100) -> list[PlayedHand]:
    """Return a player's hands, newest first: those that began before an entry of the log, if one is given."""
    sql = "SELECT body FROM played WHERE account = ? AND first < ? ORDER BY first DESC LIMIT ?"
    rows = reader.query(sql, (account, before or 2**62, limit))
    found = [_hands.decode(zlib.decompress(reader.unseal("played", body))) for [body] in rows]
    return [hand for hand in found if hand.rolls]


def played_results(reader: ViewReader, account: str) -> _Results:
    """Return a player's results by wager, each by its kind and number."""
    rows = reader.query("SELECT body FROM results WHERE account = ?", (account,))
    return _results.decode(zlib.decompress(reader.unseal("results", rows[0][0]))) if rows else {}
