"""A facility: its time zone, gaming day, shifts and business days, on which every deadline depends."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import holidays
from msgspec import Struct

_DAY = timedelta(days=1)
_MINUTE = len("2026-11-15T08:00")
_TIME = -len("08:00")
_MOMENTS_KEPT = 16_384  # as local times: lists and forms of a day name each of its moments many times


def minute_of(moment: str) -> str:
    """Return a moment without its seconds, which nobody writes on paper.

    >>> minute_of("2026-11-15T08:00:30.000000Z")
    '2026-11-15T08:00'
    """
    return moment[:_MINUTE]


class Shift(Struct, frozen=True, forbid_unknown_fields=True):
    """One shift of a gaming day: its name and the local time it begins."""

    name: str
    begins: str  # such as 18:00


class Facility(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where a house deals: everything about it that time depends on.

    >>> harbour = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    >>> str(harbour.gaming_day("2026-11-15T12:59:00.000000Z"))
    '2026-11-14'
    >>> harbour.is_business_day(date(2026, 11, 26))  # Thanksgiving
    False
    """

    name: str
    zone: str
    country: str = "US"
    subdivision: str = ""
    day_begins: str = "06:00"
    shifts: tuple[Shift, ...] = (Shift("day", "06:00"), Shift("swing", "14:00"), Shift("grave", "22:00"))
    areas: tuple[str, ...] = ("main floor",)
    closed_days: tuple[str, ...] = ()  # days of its own on which it does no business
    business_days: tuple[str, ...] = ()  # public holidays on which it does

    def local(self, at: str) -> datetime:
        """Return a moment of the log as local time."""
        return _local_time(self.zone, at)

    def minute(self, at: str) -> str:
        """Return a moment of the log as people write it: the local date and time to the minute.

        >>> Facility(name="Harbour", zone="America/Denver").minute("2026-11-15T12:59:00.000000Z")
        '2026-11-15 05:59'
        """
        return _local_minute(self.zone, at)

    def today(self, at: str) -> date:
        """Return the local date of a moment."""
        return self.local(at).date()

    def gaming_day(self, at: str) -> date:
        """Return the gaming day of a moment: before the day begins it is still the day before."""
        local = self.local(at)
        return local.date() if self.minute(at)[_TIME:] >= self.day_begins else local.date() - _DAY

    def shift_of(self, at: str) -> Shift:
        """Return the shift in which a moment lies."""
        return self.shifts[self._shift_number(at)]

    def _shift_number(self, at: str) -> int:
        since = _since(self.minute(at)[_TIME:], self.day_begins)
        begun = [number for number, shift in enumerate(self.shifts) if _since(shift.begins, self.day_begins) <= since]
        return begun[-1] if begun else len(self.shifts) - 1

    def shift_end(self, at: str) -> str:
        """Return when the shift of a moment ends."""
        number, day = self._shift_number(at), self.gaming_day(at)
        following = self.shifts[number + 1].begins if number + 1 < len(self.shifts) else self.day_begins
        ends_on = day + _DAY if following <= self.day_begins else day
        return self.moment(ends_on, following)

    def moment(self, day: date, time: str) -> str:
        """Return a local date and time as a moment of the log; 24:00 is the end of that date."""
        return _moment(self.zone, day, time)

    def is_business_day(self, day: date) -> bool:
        """Return whether business is done on a date: by the week, the public holidays and the facility's own days."""
        if day.isoformat() in self.closed_days:
            return False
        if day.isoformat() in self.business_days:
            return True
        return day.weekday() < _SATURDAY and day not in _public_holidays(self.country, self.subdivision)


@lru_cache(_MOMENTS_KEPT)
def _moment(zone: str, day: date, time: str) -> str:
    if time == "24:00":
        day, time = day + _DAY, "00:00"
    local = datetime.fromisoformat(f"{day.isoformat()}T{time}").replace(tzinfo=ZoneInfo(zone))
    return f"{local.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"


@lru_cache(_MOMENTS_KEPT)
def _local_time(zone: str, at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone(ZoneInfo(zone))


@lru_cache(_MOMENTS_KEPT)
def _local_minute(zone: str, at: str) -> str:
    return f"{_local_time(zone, at):%Y-%m-%d %H:%M}"


_SATURDAY = 5


def _since(time: str, begins: str) -> int:
    """Return how many minutes after the gaming day's beginning a local time of it comes."""
    minutes = [int(clock[:2]) * 60 + int(clock[3:]) for clock in (time, begins)]
    return (minutes[0] - minutes[1]) % (24 * 60)


@lru_cache(maxsize=32)
def _public_holidays(country: str, subdivision: str) -> holidays.HolidayBase:
    """Return the public holidays of a place; raise LookupError if nobody knows its calendar."""
    try:
        return holidays.country_holidays(country, subdiv=subdivision or None)
    except NotImplementedError:
        raise LookupError(f"no calendar is known of {country!r} {subdivision!r}") from None


NO_FACILITY = Facility(name="", zone="UTC", country="", day_begins="00:00", shifts=(Shift("day", "00:00"),))
"""What a house goes by until its office is set up: UTC, and days that begin at midnight."""


def facility_faults(facility: Facility) -> list[str]:
    """Return everything that is wrong with a facility's figures.

    >>> facility_faults(Facility(name="Harbour", zone="America/Denver", day_begins="6"))
    ["day_begins: '6' is not a time such as 06:00"]
    """
    faults = [] if facility.name.strip() else ["name: is empty"]
    try:
        ZoneInfo(facility.zone)
    except (KeyError, ValueError, OSError):
        faults.append(f"zone: {facility.zone!r} is not a time zone such as America/Denver")
    faults += (
        f"{key}: {time!r} is not a time such as 06:00"
        for key, time in [
            ("day_begins", facility.day_begins),
            *((f"shifts.{shift.name}", shift.begins) for shift in facility.shifts),
        ]
        if not _is_time(time)
    )
    faults += _day_faults(facility)
    try:
        _public_holidays(facility.country, facility.subdivision)
    except LookupError as unknown:
        faults.append(f"country: {unknown}")
    if not facility.shifts:
        faults.append("shifts: a gaming day has at least one")
    if len({shift.name for shift in facility.shifts}) < len(facility.shifts):
        faults.append("shifts: two have the same name")
    if not faults:
        order = [_since(shift.begins, facility.day_begins) for shift in facility.shifts]
        if order[0] or order != sorted(set(order)):
            faults.append(
                f"shifts: the first begins with the gaming day, at {facility.day_begins}, the others after it in order"
            )
    if not facility.areas or any(not area.strip() for area in facility.areas):
        faults.append("areas: name at least one area with tables")
    return faults


def _day_faults(facility: Facility) -> list[str]:
    faults = []
    for key, days in (("closed_days", facility.closed_days), ("business_days", facility.business_days)):
        for day in days:
            try:
                date.fromisoformat(day)
            except ValueError:
                faults.append(f"{key}: {day!r} is not a day such as 2026-11-15")
    return faults


def _is_time(time: str) -> bool:
    try:
        datetime.strptime(time, "%H:%M")  # noqa: DTZ007 - a time of day
    except ValueError:
        return False
    return len(time) == len("06:00")
