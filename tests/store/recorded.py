"""A game that writes every command to a log, as a table does."""

from __future__ import annotations

from msgspec import Raw, json

from passline.game import commands as c
from passline.game.craps import CrapsGame
from passline.game.events import DiceSurrendered, Event
from passline.store.entry import Draft
from passline.store.keys import SigningKey
from passline.store.log import Appended
from passline.store.memory import MemoryLog

KEY = SigningKey(bytes(range(32)))


class RecordedGame(CrapsGame):
    """A game that appends one entry per command, with all its events."""

    def __init__(self, log: MemoryLog, rules: str) -> None:
        super().__init__(rules)
        self._log, self._name, self._hand, self._version = log, rules, 1, 0

    def do(self, command: c.Command) -> tuple[Event, ...]:
        """Carry out a command and append it to the log."""
        happened = super().do(command)
        seat = getattr(command, "seat", 0)
        entry = Draft(
            stream="table/golden",
            expected=self._version,
            at=f"2026-11-15T08:00:{self._version:02}.000000Z",
            actor=("passline", "Ann", "Bob")[seat],
            role="player" if seat else "stickperson",
            id=f"command-{self._version}",
            hand=self._hand,
            rules=self._name,
            command=Raw(json.encode(command)),
            events=Raw(json.encode(happened)),
        )
        (result,) = self._log.append([entry])
        assert isinstance(result, Appended)
        self._version += 1
        self._hand += any(isinstance(event, DiceSurrendered) for event in happened)
        return happened


def hand_of_two() -> tuple[MemoryLog, RecordedGame]:
    """Play a hand of two players with a point, odds and a loser 7; return its log and game."""
    log = MemoryLog(KEY, log_id="golden", at="2026-11-15T07:00:00.000000Z")
    game = RecordedGame(log, "maryland")
    ann, bob = game.join(500_00), game.join(300_00)
    game.wager(ann, "pass", 10_00)
    game.wager(bob, "dont_pass", 15_00)
    game.roll(2, 4)
    game.wager(ann, "pass_odds", 50_00)
    game.wager(bob, "place_win", 12_00, 8)
    game.roll(4, 4)
    game.wager(bob, "place_win", 6_00, 8)
    game.remove(bob, "place_win", 8)
    game.roll(3, 4)
    return log, game
