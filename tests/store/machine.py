"""A machine for tests of the clock."""

from __future__ import annotations

from passline.store.timestamps import HouseClock

START = "2026-11-15T08:00:00.000000Z"
SECOND = 1_000_000
NOW = 1_794_729_600 * SECOND  # START


class Machine:
    """A machine whose clock can be set."""

    def __init__(self) -> None:
        self.wall, self.steady = NOW, 5 * SECOND

    def passes(self, seconds: float, *, jump: float = 0.0) -> None:
        """Let time pass; then the clock is set forward, or back."""
        self.steady += int(seconds * SECOND)
        self.wall += int((seconds + jump) * SECOND)

    def clock(self, newest: str = "") -> HouseClock:
        return HouseClock(newest, wall=lambda: self.wall, steady=lambda: self.steady)
