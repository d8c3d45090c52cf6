"""The mark that an act leaves on a thing: when it was last done, and from when it counts."""

from __future__ import annotations

from msgspec import Struct


class ActMoments(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The moments from which an act counts that was recorded as of another moment than its entry's."""

    first: str  # the earliest moment that was told: what is owed runs from it
    meets: str  # when it meets a duty
    frees: str  # from when it frees: by its entry, or by a dated document that was told in time
    is_late: bool = False  # it was told later than its page allows: it is marked wherever it is shown
    owed: dict[str, str] = {}  # clocks that go on with it, as clock|kind/id: the moment that each counts from


class DoneMark(Struct, frozen=True):
    """The last time that an act was done to something."""

    number: int
    at: str  # when it took effect
    occurred: str
    by: str
    signed: tuple[str, ...] = ()  # the accounts that signed it
    moments: ActMoments | None = None  # from when it counts, where that is not `occurred`

    @property
    def first(self) -> str:
        """The earliest moment that was recorded for it, from which what is owed runs."""
        return self.moments.first if self.moments else self.occurred

    def owed_since(self, clock: str, subject: str) -> str:
        """Return the moment from which a clock of a thing counts that this act begins or continues."""
        going_on = self.moments.owed.get(f"{clock}|{subject}") if self.moments else None
        return going_on or self.first

    @property
    def meets(self) -> str:
        """The moment at which it counts as meeting a duty."""
        return self.moments.meets if self.moments else self.occurred

    @property
    def frees(self) -> str:
        """The moment from which it permits something, such as by notice or approval."""
        return self.moments.frees if self.moments else self.occurred

    @property
    def is_late(self) -> bool:
        """Whether it was recorded later than its page allows."""
        return self.moments is not None and self.moments.is_late
