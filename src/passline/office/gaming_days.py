"""The gaming days of a house, read from its log by programs that do not run the house."""

from __future__ import annotations

from datetime import timedelta

from passline.acts.calendar.facility import NO_FACILITY, Facility, minute_of
from passline.acts.course import OFFICE_STREAM, OfficeCourse
from passline.acts.judges.scene import Surroundings
from passline.acts.state import ActState
from passline.rules.pages.library import regulations
from passline.store.sealed import Log
from passline.streams.replica import state_in_log


def offices_in(log: Log) -> dict[str, ActState]:
    """Return the offices of a log by their regulations, in the order in which the regulations are listed."""
    course, streams = OfficeCourse(Surroundings(lambda _account: None)), log.streams()
    names = [name for name in regulations() if OFFICE_STREAM + name in streams]
    found = {name: state_in_log(log, OFFICE_STREAM + name, course) for name in names}
    return {name: state for name, state in found.items() if state is not None}


def facility_in(log: Log) -> Facility:
    """Return the facility of the first office that is set up; if there is none, a facility in UTC."""
    return next((state.facility for state in offices_in(log).values() if state.facility), NO_FACILITY)


class GamingDays:
    """The gaming days of a facility.

    >>> days = GamingDays(Facility(name="Harbour", zone="America/Denver"))
    >>> days.day_of("2026-11-15T12:59:59.000000Z"), days.day_of("2026-11-15T13:00:00.000000Z")
    ('2026-11-14', '2026-11-15')
    >>> days.begins("2026-11-15T13:00:00.000000Z", days_before=1)
    '2026-11-14T13:00:00.000000Z'
    """

    def __init__(self, facility: Facility) -> None:
        self._facility = facility

    def day_of(self, at: str) -> str:
        """Return the gaming day of a moment."""
        return self._facility.gaming_day(f"{minute_of(at)}Z").isoformat()  # many entries have the same minute

    def begins(self, at: str, *, days_before: int) -> str:
        """Return when the gaming day began that was so many days before that of a moment."""
        day = self._facility.gaming_day(at) - timedelta(days=days_before)
        return self._facility.moment(day, self._facility.day_begins)
