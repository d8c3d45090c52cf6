"""The mark that an act leaves on a thing: when it was done last, and from when it counts."""

from __future__ import annotations

from msgspec import Struct

from passline.acts import events as e


class DoneMark(Struct, frozen=True):
    """The last time that an act was done to something."""

    number: int
    at: str  # when it took effect
    occurred: str
    by: str
    signed: tuple[str, ...] = ()  # the accounts that signed it
    moments: e.ActMoments | None = None  # from when it counts, where that is not `occurred`

    @property
    def first(self) -> str:
        """The earliest moment that was told of it: what is owed runs from it."""
        return self.moments.first if self.moments else self.occurred

    def owed_since(self, clock: str, subject: str) -> str:
        """Return the moment that a clock of a thing counts from which it begins, or which goes on with it."""
        going_on = self.moments.owed.get(f"{clock}|{subject}") if self.moments else None
        return going_on or self.first

    @property
    def meets(self) -> str:
        """When it meets a duty."""
        return self.moments.meets if self.moments else self.occurred

    @property
    def frees(self) -> str:
        """From when it frees whom it frees."""
        return self.moments.frees if self.moments else self.occurred

    @property
    def is_late(self) -> bool:
        """Whether it was told later than its page allows."""
        return self.moments is not None and self.moments.is_late
