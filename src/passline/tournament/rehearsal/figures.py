"""What a rehearsal finds out: the expected rounds, and what came of many runs."""

from __future__ import annotations

from msgspec import Struct


class RehearsedRound(Struct, frozen=True):
    """A round as it is expected: its players and tables, its rolls, and how long it takes."""

    name: str
    players: int
    tables: int
    rolls: int
    minutes: float


class Rehearsal(Struct):
    """What came of many runs of one event."""

    event: str
    strategies: tuple[str, ...]
    entries: tuple[int, ...]  # by strategy
    pace: float  # rolls an hour
    rounds: tuple[RehearsedRound, ...]
    are_chips_bought: bool = False
    by_engine: str = ""  # why the engine deals its tables; empty: the kernels do
    runs: int = 0
    winning_points: list[int] = []
    decided: int = 0  # runs whose final was decided by one wager of the last roll
    last_roll: int = 0  # runs in which the leader changed on the last roll
    level: int = 0  # runs in which several who wager differently had the most points
    wins: list[int] = []  # by strategy
    finalists: list[int] = []  # by strategy: runs in which it had somebody in the final

    @property
    def minutes(self) -> float:
        """All rounds together, one after the other."""
        return sum(played.minutes for played in self.rounds)

    def points_at(self, share: float) -> int:
        """Return the winner's points that this share of the runs stays at or below."""
        ordered = sorted(self.winning_points)
        return ordered[min(int(share * len(ordered)), len(ordered) - 1)]
