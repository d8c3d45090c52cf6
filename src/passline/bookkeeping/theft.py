"""Signs that money is taken from tables, and how soon a theft would be found: by notes, chips and hold.

Notes: the recorded buy-ins of a table against the count of its box. Chips: the tray by the ledger of keyed wagers
against its count, and unexplained differences of openers and of slips on their way. Each shift of a table is evidence
about the table and about its crews (`passline.exact.skim_evidence`), which starts afresh each quarter and after each
alarm. Hold is far weaker evidence, since luck moves it: the exact variance of what was dealt says what it could show at
best.

What is never recorded is not found here: a buy-in that the crew pockets before anybody records it shows only in the
hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from math import ceil, log, sqrt
from statistics import NormalDist
from typing import Literal

from msgspec import Struct

from passline.acts.tills import ShiftKey
from passline.bookkeeping.results import ADDENDUM, TableResult
from passline.bookkeeping.shift_books import ShiftBook
from passline.bookkeeping.shift_buy_ins import ShiftBuyIns
from passline.documents.sheet import SheetTable
from passline.exact.skim_evidence import FOUND_IN, HonestKeying, SkimEvidence, SkimWatch, alarm_bound
from passline.money import dollars

PROMISED_SHIFTS = 60
"""Of the smallest skim that is told: within how many shifts it is found."""
MISKEYED_ONE_IN, MISKEYED_CENTS = "miskeyed_one_in", "miskeyed_cents"
"""The values of an office that say how honest people key."""
_TENTH = Fraction(1, 10)
_CHIP_COUNTS = 2  # of an opener and a closer: each is a record of its own
_QUARTER = 3  # months


class ShiftLook(Struct, frozen=True):
    """The comparison of recorded and counted notes, or chips, in one shift of a table."""

    look: Literal["notes", "chips"]
    table: str
    day: date
    shift: str
    crews: tuple[str, ...]
    records: int
    recorded: int  # cents that should be there
    counted: int

    @property
    def short(self) -> int:
        """The cents that are missing; below zero there is more than was recorded."""
        return self.recorded - self.counted


class SkimAlarm(Struct, frozen=True):
    """The shift after which the evidence reached the bound."""

    table: str
    day: date
    shift: str
    shifts: int  # that spoke together
    short: int  # cents, of these shifts
    evidence: float


class SkimLine(Struct, frozen=True, kw_only=True):
    """The evidence about the notes or chips of one table or crew in a quarter."""

    look: Literal["notes", "chips"]
    kind: Literal["table", "crew"]
    subject: str
    order: int  # in which it began to be watched; the later, the smaller its share of false alarms
    shifts: int
    records: int
    recorded: int
    counted: int
    short: int
    evidence: float
    bound: int  # of the evidence
    smallest: int  # cents a shift that are found within `PROMISED_SHIFTS` shifts, but for once in `FOUND_IN` at most
    tenth: int | None  # within how many shifts a tenth of it is found; None: not within 10,000
    alarms: tuple[SkimAlarm, ...]


class HoldPower(Struct, frozen=True):
    """The smallest theft from a table that its hold could show at best, by the exact variance of what was dealt."""

    table: str
    shifts: int
    deviation: int  # cents of luck in a shift, one standard deviation
    smallest: int  # cents a shift, in `PROMISED_SHIFTS` shifts
    share: Fraction | None  # of the drop


def quarter_of(day: date) -> tuple[date, date]:
    """Return the first and the last day of a quarter.

    >>> [str(end) for end in quarter_of(date(2026, 11, 15))]
    ['2026-10-01', '2026-12-31']
    """
    first = date(day.year, day.month - (day.month - 1) % _QUARTER, 1)
    after = (first + timedelta(days=31 * _QUARTER)).replace(day=1)
    return first, after - timedelta(days=1)


def shift_looks(
    shifts: Iterable[tuple[ShiftBook, TableResult]],
    buy_ins: Mapping[ShiftKey, ShiftBuyIns],
    decided: Mapping[tuple[str, date], int],
) -> Iterator[ShiftLook]:
    """Yield the comparisons of shifts in order, leaving out shifts that are not fully known yet.

    `decided` has the wagers that were decided at a table in a gaming day: records of what its tray should hold.
    """
    known = [(book, result) for book, result in shifts if _is_known(result)]
    played: dict[tuple[str, date | None], int] = {}
    for _, result in known:
        played[result.table, result.day] = played.get((result.table, result.day), 0) + 1
    for book, result in known:
        assert result.day is not None
        logged = buy_ins.get((result.table, result.day, result.shift), ShiftBuyIns())
        told = sum(book.told.get(entered.act, 0) for entered in result.acts if entered.column == "drop")
        place = (result.table, result.day, result.shift, result.crews)
        is_covered = result.ledger is not None
        if logged.records > 0:
            yield ShiftLook("notes", *place, logged.records, told if is_covered else logged.cents, result.drop)
        tray = (result.ledger or 0) - told if is_covered else result.closer
        wagers = decided.get((result.table, result.day), 0) if is_covered else 0
        records = _CHIP_COUNTS + ceil(Fraction(wagers, played[result.table, result.day]))
        yield ShiftLook("chips", *place, records, tray + book.lost, result.closer)


def _is_known(result: TableResult) -> bool:
    return result.is_played and not result.missing and result.day is not None and result.shift != ADDENDUM


class _Watched:
    """The evidence about one table or crew, shift by shift."""

    def __init__(self, order: int, one_in: int) -> None:
        self.order, self.bound = order, alarm_bound(one_in, order)
        self.evidence, self.since = SkimEvidence(), 0
        self.looks: list[ShiftLook] = []
        self.alarms: list[SkimAlarm] = []

    def take(self, look: ShiftLook, keying: HonestKeying) -> None:
        """Take the next shift; after an alarm the evidence begins anew."""
        self.looks.append(look)
        self.evidence = self.evidence.after(records=look.records, short=look.short, keying=keying)
        if self.evidence.log_value >= log(self.bound):
            spoke = self.looks[self.since :]
            short = sum(earlier.short for earlier in spoke)
            place = (look.table, look.day, look.shift, len(spoke))
            self.alarms.append(SkimAlarm(*place, short, self.evidence.value))
            self.evidence, self.since = SkimEvidence(), len(self.looks)


def skim_lines(looks: Iterable[ShiftLook], keying: HonestKeying, one_in: int) -> list[SkimLine]:
    """Return the evidence about tables and crews; honest ones raise an alarm at most once in `one_in` quarters."""
    watched: dict[tuple[str, str, str], _Watched] = {}
    for look in looks:
        for kind, subject in (("table", look.table), *(("crew", crew) for crew in look.crews)):
            key = (look.look, kind, subject)
            if key not in watched:
                watched[key] = _Watched(len(watched) + 1, one_in)
            watched[key].take(look, keying)
    return [_line(key, known, keying) for key, known in watched.items()]


def _line(key: tuple[str, str, str], known: _Watched, keying: HonestKeying) -> SkimLine:
    look, kind, subject = key
    shifts, records = len(known.looks), sum(own.records for own in known.looks)
    recorded, counted = (sum(getattr(own, name) for own in known.looks) for name in ("recorded", "counted"))
    over = max(Fraction(counted - recorded, shifts), Fraction(0))  # as much again is hidden by what nobody recorded
    watch = SkimWatch(records / shifts, keying, known.bound, known.evidence.shifts)
    return SkimLine(
        look="notes" if look == "notes" else "chips",
        kind="table" if kind == "table" else "crew",
        subject=subject,
        order=known.order,
        shifts=shifts,
        records=records,
        recorded=recorded,
        counted=counted,
        short=recorded - counted,
        evidence=known.evidence.value,
        bound=known.bound,
        smallest=watch.smallest_in(PROMISED_SHIFTS) + ceil(over),
        tenth=watch.shifts_to_find(float(_TENTH * Fraction(recorded, shifts) - over)),
        alarms=tuple(known.alarms),
    )


def hold_powers(
    variances: Mapping[str, tuple[Fraction, int]], drops: Mapping[str, int], one_in: int
) -> list[HoldPower]:
    """Return the smallest theft that the hold of each table could show; `variances` has its luck's and how many shifts.

    That is at best: in one look after 60 shifts, against a normal distribution with the exact variance, with the
    expected win known exactly.
    """
    law, found = NormalDist(), []
    for table, (variance, shifts) in sorted(variances.items()):
        deviation = sqrt(variance / shifts)
        far = law.inv_cdf(1 - 1 / (one_in * len(variances))) + law.inv_cdf(1 - 1 / FOUND_IN)
        smallest = ceil(far * deviation / sqrt(PROMISED_SHIFTS))
        share = Fraction(smallest * shifts, drops[table]) if drops.get(table) else None
        found.append(HoldPower(table, shifts, round(deviation), smallest, share))
    return found


def assumptions(keying: HonestKeying, one_in: int) -> tuple[str, ...]:
    """Return, in words, the assumptions behind the figures."""
    keyed = (
        f"At honest tables one record in {keying.one_in} at most is keyed wrongly, by {dollars(keying.cents)} at most,"
    )
    alarms = f"All honest tables and crews of the house together alarm in one quarter in {one_in} at most,"
    found = (
        f"A skim as large as is told is found within {PROMISED_SHIFTS} shifts in {FOUND_IN - 1} of {FOUND_IN} cases,"
    )
    return (
        f"{keyed} and as often too high as too low. The office elects these two figures.",
        f"{alarms} whenever somebody looks and whatever players bring.",
        f"{found} or more, if it begins now and is taken in every shift.",
        "A buy-in that nobody records is in no figure but the hold. What was counted beyond the records hides as much.",
    )


def skim_table(title: str, lines: Sequence[SkimLine], names: Mapping[str, str]) -> SheetTable:
    """Return the lines as a list; `names` has the names of people."""
    return SheetTable(
        title=title,
        heads=(
            *("watched", "of", "who", "shifts", "records", "recorded $", "counted $", "short $"),
            *("evidence to one", "alarm at", "smallest skim a shift $", "shifts to find a tenth", "alarms"),
        ),
        rows=tuple(
            (
                *(line.look, line.kind, names.get(line.subject, line.subject), line.shifts, line.records),
                *(line.recorded, line.counted, line.short, f"{line.evidence:.3g}", line.bound, line.smallest),
                *(line.tenth if line.look == "notes" else None, ", ".join(map(alarm_words, line.alarms))),
            )
            for line in lines
        ),
        nothing="No shift was wholly counted in this quarter.",
    )


def alarm_words(alarm: SkimAlarm) -> str:
    """Return when an alarm came, in words."""
    return f"after {alarm.day} {alarm.shift} at {alarm.table}: {dollars(alarm.short)} short in {alarm.shifts} shifts"
