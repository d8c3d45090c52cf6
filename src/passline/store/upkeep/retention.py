"""How long a house keeps the records of its log, as two owners choose it.

Reading: none of the four regulations says how long; the checklist of systems for table games has five years, which is
the least here. Without a choice everything is kept for ever.
"""

from __future__ import annotations

from collections.abc import Sequence

from passline.store.timestamps import later

RETENTION_YEARS_MIN, RETENTION_YEARS_MAX = 5, 100
"""The fewest years that records are kept (see the reading above), and the most that are not a mistyped number."""
SHORTER_AFTER_DAYS = 90
"""Days after which a shorter time counts: until then an examiner or another owner can find it and have it undone."""
_DAY_SECONDS = 24 * 60 * 60


def retention_fault(years: int) -> str:
    """Return why records cannot be kept for so many years; empty if they can.

    >>> retention_fault(0), retention_fault(7), retention_fault(4)
    ('', '', 'records are kept for 5 to 100 years, or for ever (0), not for 4')
    """
    if years == 0 or RETENTION_YEARS_MIN <= years <= RETENTION_YEARS_MAX:
        return ""
    span = f"{RETENTION_YEARS_MIN} to {RETENTION_YEARS_MAX}"
    return f"records are kept for {span} years, or for ever (0), not for {years}"


def retention_words(years: int) -> str:
    """Return for how long records are kept, in words.

    >>> retention_words(5), retention_words(0)
    ('records are kept for 5 years', 'records are kept for ever')
    """
    return f"records are kept for {f'{years} years' if years else 'ever'}"


def years_kept(chosen: Sequence[tuple[str, int]], at: str) -> int:
    """Return for how many years records are kept at a moment (0: for ever), by what was chosen when.

    A longer time counts at once, a shorter one only later.

    >>> chosen = [("2026-01-01T00:00:00.000000Z", 10), ("2030-06-01T00:00:00.000000Z", 5)]
    >>> days = ("2026-03-01", "2026-04-02", "2030-06-02", "2030-09-01")
    >>> [years_kept(chosen, f"{day}T12:00:00.000000Z") for day in days]
    [0, 10, 10, 5]
    """
    settled = later(at, -SHORTER_AFTER_DAYS * _DAY_SECONDS)
    before = [years for since, years in chosen if since <= settled]
    counting = [before[-1] if before else 0, *(years for since, years in chosen if since > settled)]
    return 0 if 0 in counting else max(counting)
