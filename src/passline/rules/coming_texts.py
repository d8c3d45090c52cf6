"""What the calendar will bring: the later texts of a regulation, and what each forbids a house that is lawful now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from msgspec import Struct

from passline.rules.house_reader import house_of
from passline.rules.pages.amendments import texts_of
from passline.rules.pages.day import day_in_force
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Rulebook


class ComingText(Struct, frozen=True):
    """A text that is in force from a later day on, by which instruments, and what of a house it will forbid."""

    day: str
    by: tuple[str, ...]
    breaches: tuple[str, ...]

    def __str__(self) -> str:
        by = f" ({', '.join(self.by)})" if self.by else ""
        return f"from {self.day} on{by}: {'; '.join(self.breaches) or 'still lawful'}"


def coming_texts(
    now: Rulebook, later: Iterable[tuple[date, Rulebook]], house: Mapping[str, Any]
) -> Iterator[ComingText]:
    """Yield each later text, in order, with every breach that a house would then have."""
    known = {amendment.instrument for amendment in now.amendments}
    for day, rulebook in later:
        by = [amendment.instrument for amendment in rulebook.amendments if amendment.instrument not in known]
        known |= {*by}
        yield ComingText(day.isoformat(), tuple(by), tuple(map(str, house_of(rulebook, house)[1])))


def announced_to(name: str, house: Mapping[str, Any]) -> tuple[ComingText, ...]:
    """Return what later texts of a regulation mean for a house, as seen from the day whose text is in force.

    >>> announced_to("maryland", {})
    ()
    """
    days = [day for day, _pages in texts_of(name).after(day_in_force(name))]
    return tuple(coming_texts(rulebook_of(name), ((day, rulebook_of(name, day)) for day in days), house))
