"""Win, drop, hold and theoretical win of tables, pits, shifts and the house, by day, month and year, side by side.

Hold is given twice: as a share of the drop, which every house counts, and as a share of the handle, the wagers that
were decided, where they are keyed in. Beside it stands the *base hold*: what the wagers that were really made leave the
house by their exact odds, as a share of the same. It is not a figure from a book; other wagers have another base hold.
Luck alone leaves nearly all figures within the band. Nothing of this is known for rolls whose wagers nobody keyed in;
the share of the other rolls is shown.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from passline.bookkeeping.account import PlayAccount, add_up
from passline.bookkeeping.chance import band_of, luck_evidence_of
from passline.bookkeeping.period_sums import PeriodSum, sum_of
from passline.documents.sheet import Cell, SheetTable

StatisticScope = Literal["house", "pit", "table", "shift", "game"]
"""What statistics are of."""
TimeName = Literal["day", "month", "year", "month_before", "month_of_year_before"]
"""The times that stand beside each other."""
STATISTIC_SCOPES: tuple[StatisticScope, ...] = ("table", "pit", "shift", "game", "house")
"""All scopes, the usual one first."""


class StatisticTime(Struct, frozen=True):
    """A period of gaming days, from the first to the last."""

    name: TimeName
    first: date
    last: date

    @property
    def words(self) -> str:
        """Return the name of the period in words.

        >>> [time.words for time in times_until(date(2026, 3, 2))][1:4]
        ['March 2026 to the 2nd', '2026 to 2 March', 'February 2026 to the 2nd']
        """
        last = self.last
        match self.name:
            case "day":
                return f"{last.day} {last:%B %Y}"
            case "year":
                return f"{last.year} to {last.day} {last:%B}"
            case _:
                return f"{last:%B %Y} to the {_ordinal(last.day)}"


def _ordinal(number: int) -> str:
    teens, endings = range(11, 14), {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number % 100 in teens else endings.get(number % 10, 'th')}"


def times_until(day: date) -> tuple[StatisticTime, ...]:
    """Return the periods that are compared: each ends on the same day of its month.

    >>> [(time.name, str(time.first), str(time.last)) for time in times_until(date(2026, 3, 31))][3:]
    [('month_before', '2026-02-01', '2026-02-28'), ('month_of_year_before', '2025-03-01', '2025-03-31')]
    """
    before = day.replace(day=1) - timedelta(days=1)
    year = day.year - 1
    of_year_before = date(year, day.month, min(day.day, monthrange(year, day.month)[1]))
    until = before.replace(day=before.day if _is_last(day) else min(day.day, before.day))
    return (
        StatisticTime("day", day, day),
        StatisticTime("month", day.replace(day=1), day),
        StatisticTime("year", day.replace(month=1, day=1), day),
        StatisticTime("month_before", until.replace(day=1), until),
        StatisticTime("month_of_year_before", of_year_before.replace(day=1), of_year_before),
    )


def _is_last(day: date) -> bool:
    return day.day == monthrange(day.year, day.month)[1]


class Statistic(Struct, frozen=True, kw_only=True):
    """What a table, pit, shift or the house won in a period, by counts and by keyed wagers, in cents."""

    subject: str
    time: TimeName
    first: date
    last: date
    drop: int
    win: int
    hold: float | None  # of the drop
    fills: int
    credits: int
    days: int  # gaming days of tables that are known
    unknown: int  # gaming days of tables of which nobody can say yet what was won
    won: int | None = None  # by the keyed wagers; None: none were keyed in
    handle: int | None = None  # the wagers that were decided
    hold_of_handle: float | None = None
    theoretical: int | None = None  # what those wagers were worth to the house when they were made
    expected: int | None = None  # theoretical win, less what of it still lies on the layout
    base_hold: float | None = None  # theoretical win as a share of the drop, where all rolls were keyed in
    base_hold_of_handle: float | None = None
    luck: int | None = None
    low: int | None = None  # what was won stays between low and high, but for at most one figure in 20
    high: int | None = None
    one_in: int | None = None  # luck alone goes so far at most once in so many, if only this is looked at
    keyed: float | None = None  # the share of the rolls for money whose wagers are known; None: nothing was rolled


def statistic_of(subject: str, time: StatisticTime, counted: PeriodSum, played: PlayAccount | None) -> Statistic:
    """Return a statistic from the counts and the keyed play of a period.

    >>> day = times_until(date(2026, 3, 2))[0]
    >>> known = statistic_of("T1", day, PeriodSum(drop=500_00, win=100_00, days=1), None)
    >>> known.hold, known.base_hold, known.keyed
    (0.2, None, None)
    """
    told = Statistic(
        subject=subject,
        time=time.name,
        first=time.first,
        last=time.last,
        drop=counted.drop,
        win=counted.win,
        hold=counted.hold,
        fills=counted.fills,
        credits=counted.credits,
        days=counted.days,
        unknown=counted.unknown,
    )
    return _with_play(told, played) if played is not None else told


def _with_play(told: Statistic, played: PlayAccount) -> Statistic:
    """Return a statistic with what the keyed wagers say, as far as any were keyed in."""
    keyed, sums = played.coverage, played.sums
    if not sums.rolls and not sums.won and not sums.theoretical:
        return replace(told, keyed=None if keyed is None else float(keyed))
    evidence = luck_evidence_of(played)
    band = band_of(sums, evidence)
    is_whole = keyed == 1 and not told.unknown and told.drop > 0
    return replace(
        told,
        won=sums.won,
        handle=sums.wagered,
        hold_of_handle=sums.won / sums.wagered if sums.wagered else None,
        theoretical=round(sums.theoretical),
        expected=round(sums.theoretical - sums.carried),
        base_hold=float(sums.theoretical / told.drop) if is_whole else None,
        base_hold_of_handle=float(sums.theoretical / sums.wagered) if sums.wagered else None,
        luck=round(sums.luck),
        low=band.low,
        high=band.high,
        one_in=evidence.one_in() if evidence else None,
        keyed=None if keyed is None else float(keyed),
    )


def statistics_of(
    day: date,
    counted: Mapping[TimeName, Mapping[str, PeriodSum]],
    played: Mapping[TimeName, Sequence[PlayAccount]],
) -> list[Statistic]:
    """Return the statistics of all subjects, for each of their periods of which anything is known.

    `counted` has sums by subject; `played` has accounts, which are added up by subject.
    """
    known = {
        time.name: (counted.get(time.name, {}), _by_subject(played.get(time.name, ()))) for time in times_until(day)
    }
    subjects = sorted({subject for sums, accounts in known.values() for subject in (*sums, *accounts)})
    return [
        statistic_of(subject, time, sums.get(subject, PeriodSum()), accounts.get(subject))
        for subject in subjects
        for time in times_until(day)
        for sums, accounts in [known[time.name]]
        if subject in sums or subject in accounts
    ]


def _by_subject(accounts: Sequence[PlayAccount]) -> dict[str, PlayAccount]:
    found: dict[str, PlayAccount] = {}
    for account in accounts:
        known = found.get(account.subject)
        found[account.subject] = account if known is None else add_up(known, account)
    return found


def counted_in(
    time: StatisticTime,
    days: Mapping[str, Mapping[str, PeriodSum]],
    months: Mapping[str, Mapping[str, PeriodSum]],
) -> dict[str, PeriodSum]:
    """Return the counts of a period by subject, from the days of its last month and the months of its year.

    >>> one, two = PeriodSum(win=1), PeriodSum(win=2)
    >>> year = times_until(date(2026, 3, 2))[2]
    >>> days, months = {"T1": {"2026-03-01": one, "2026-03-09": two}}, {"T1": {"2026-02": two, "2026-03": two}}
    >>> counted_in(year, days, months)["T1"].win
    3
    """
    first, last = time.first.isoformat(), time.last.isoformat()
    found: dict[str, list[PeriodSum]] = {}
    for subject, parts in days.items():
        found.setdefault(subject, []).extend(own for day, own in parts.items() if first <= day <= last)
    if time.name == "year":
        for subject, parts in months.items():
            found.setdefault(subject, []).extend(own for month, own in parts.items() if month < last[: len(month)])
    return {subject: sum_of(own) for subject, own in found.items() if own}


_HEADS = (
    *("time", "drop $", "win $", "hold %", "fills $", "credits $", "handle $", "hold of handle %"),
    *("theoretical $", "base hold %", "base hold of handle %", "luck $", "band from $", "band to $"),
    *("luck alone at most 1 in", "rolls keyed in %", "days", "not known"),
)
_NOTES = (
    (
        "Hold: win as a share of the drop. Handle: the keyed wagers that were decided. Theoretical: what the wagers "
        "that were made were worth to the house by their exact laws; base hold is that as a share of the drop, where "
        "every roll was keyed in, or of the handle."
    ),
    (
        "Band: what was won stays in it by luck alone, but for at most one figure in 20. Where wagers are not keyed "
        "in, nobody can know what should have been won: those columns are empty."
    ),
)


def statistics_table(title: str, head: str, found: Sequence[Statistic]) -> SheetTable:
    """Return statistics as a list, with a row for each period of each subject."""
    looked_at = max(sum(own.one_in is not None for own in found), 1)
    times = {time.name: time for own in found for time in [StatisticTime(own.time, own.first, own.last)]}
    return SheetTable(
        title=title,
        heads=(head, *_HEADS),
        widths=(1, 1.9, *(1 for _ in _HEADS[1:-2]), 0.5, 0.6),
        rows=tuple(_row(own, times[own.time], looked_at) for own in found),
        figures=(4,),
        fixed=2,
        notes=_NOTES if found else (),
        nothing="Nothing was counted or played.",
    )


def _row(own: Statistic, time: StatisticTime, looked_at: int) -> tuple[Cell, ...]:
    return (
        *(own.subject or "all", time.words, own.drop, own.win, own.hold, own.fills, own.credits),
        *(own.handle, own.hold_of_handle, own.theoretical, own.base_hold, own.base_hold_of_handle),
        *(own.luck, own.low, own.high, None if own.one_in is None else max(own.one_in // looked_at, 1)),
        *(own.keyed, own.days, own.unknown),
    )
