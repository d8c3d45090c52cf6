"""Physical sets of dice, and what their rolls say against them: kept after every roll, a correction in its place.

Evidence is kept for each part of a set, and the parts outlive the set, so that nobody begins the evidence anew by
recording another set. A die with a serial number is a part: it takes its evidence along into every cup, to every table
and over every closing. Where papers put one die into two cups, the rolls of both count against it. A set of dice
without numbers has two parts: the set as it was recorded, and the table, whose evidence runs on through its sets for a
month or until an alarm was told. (Dice without numbers that go to another table are not known there.) Dice with numbers
are pooled too: by their table in the same way, and by their lot, which is what the office received on one day. Nobody
is pooled by who threw: a set would have as many more parts, and each makes the alarm come later.

Each part's evidence is multiplied by what every roll of its set says. With fair dice such a factor is 1 on average
whatever was chosen before, so a part stays a fair wager however sets are made up, even by somebody who watches the
evidence. A set's evidence is the mean of its parts'. The largest would not do, since with it one could choose; but the
sum over all parts in use is a fair wager too, and it is at least a set's own share of it. So a set alarms when its
mean comes to the office's figure times the number of sets of its size that the parts in use would make. The most parts
count that were ever in use together with one of its own: were it those of now, the level would fall as other tables
close. So take the parts in use at any moment, chosen without regard to their evidence: if the dice are fair and the
figure is 1,000, the chance that a set of these ever alarms from then on is at most 1 in 1,000, however long they are
watched and whichever of them are taken away. Dice that come later are another chance: `false_alarms_a_year` says how
often a house that brings in new ones must expect to be alarmed for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp, log

from msgspec import Struct
from msgspec.structs import replace

from passline.exact.dice_evidence import DiceEvidence, DiceSequence, alpha_of_each, log_of_mean
from passline.game import events as g
from passline.tables import events as t
from passline.tables.events import TableEvent

__all__ = [
    "LOG_MAX",
    "CurvePoint",
    "DiceAlarm",
    "DiceLine",
    "DiceSet",
    "KnownDie",
    "TableMonth",
    "alarmed",
    "dice_lines",
    "dice_set_of",
    "set_after",
]

_POINTS_MAX = 256
LOG_MAX = 40.0
"""The logarithm of the most evidence that is told; beyond this nobody asks how much."""


class CurvePoint(Struct, frozen=True, array_like=True):
    """The evidence after so many rolls."""

    rolls: int
    log: float  # the natural logarithm
    sequence: int


class DiceAlarm(Struct, frozen=True):
    """The moment at which the evidence against a set came to the bound."""

    sequence: int
    at: str
    rolls: int
    evidence: int
    sets: int  # of its size, by the most parts in use together
    one_in: int


class DiceLine(Struct, frozen=True):
    """Parts of a set that have been in the same rolls, and the evidence that each of them has by these."""

    names: tuple[str, ...]  # serial numbers of dice; or the set as it was recorded, and its table in a month
    evidence: DiceEvidence


class KnownDie(Struct, frozen=True, omit_defaults=True):
    """A die with a serial number: what all its rolls say against it, wherever they were thrown."""

    table: str  # where its office has put it; empty when other dice have come there since
    evidence: DiceEvidence = DiceEvidence()
    among: int = 0  # the most parts that were in use at once while it was
    pooled: int = 0  # and the most pools of dice with numbers
    lot: str = ""  # which it was received with


class TableMonth(Struct, frozen=True):
    """What a table's dice without numbers say in a month, kept while dice with numbers lie there."""

    name: str
    evidence: DiceEvidence
    among: int  # the most parts that were in use at once while it was


class DiceSet(Struct, frozen=True, kw_only=True):
    """One set of physical dice at a table."""

    rules: str
    table: str
    number: int
    at: str  # when it came into play
    lines: tuple[DiceLine, ...]
    dice: tuple[str, ...] = ()  # their serial numbers, where they have any
    pools: tuple[DiceLine, ...] = ()  # what else its rolls go into: the table's and the lots' of dice with numbers
    month: TableMonth | None = None  # set aside while these dice, which have numbers, are thrown
    is_taken_away: bool = False  # by the office's papers all of them are, and no others have come
    unaccounted: int = 0  # the entry of the first roll after that
    highest: float = 0.0  # of the logarithm, so far
    highest_without_last: float = 0.0  # what it was before the last roll, in case that is corrected
    rolled: int = 0  # rolls of this set that were ever keyed in, with corrected ones
    last: tuple[int, int] | None = None  # the faces of the last roll, while it can be corrected
    sequence: DiceSequence = DiceSequence()
    sequence_without_last: DiceSequence = DiceSequence()
    curve: tuple[CurvePoint, ...] = ()
    stride: int = 1  # rolls from one point of the curve to the next
    alarm: DiceAlarm | None = None
    alarm_by_pairs: DiceAlarm | None = None  # as programs until version 0.2.0 would have had it
    is_in_use: bool = True
    among: int = 0  # the most parts that were in use at once while one of its own was
    pooled: int = 0  # and the most pools
    first_sequence: int = 0
    last_sequence: int = 0

    @property
    def parts(self) -> int:
        """How many parts it is made of."""
        return sum(len(one.names) for one in self.lines)

    @property
    def sets(self) -> int:
        """How many sets as large as it come to the alarm together: of the most parts and pools in use, rounded up."""
        pools = sum(len(one.names) for one in self.pools)
        return -(-(max(self.among, self.parts) + max(self.pooled, pools)) // (self.parts + pools))

    @property
    def sets_by_pairs(self) -> int:
        """How many they were until version 0.2.0, which knew no pools of dice with numbers."""
        return -(-max(self.among, self.parts) // self.parts)

    @property
    def rolls(self) -> int:
        """How many rolls its evidence has heard of, in this set and those before it."""
        return max(one.evidence.rolls for one in self.lines)

    @property
    def counts(self) -> tuple[int, ...]:
        """How often each pair came, in as many rolls."""
        return max((one.evidence for one in self.lines), key=lambda one: one.rolls).counts

    @property
    def log_value(self) -> float:
        """The natural logarithm of the evidence now: of the mean of its parts' and pools'."""
        return log_of_mean([one.evidence.log_value for one in (*self.lines, *self.pools) for _ in one.names])

    @property
    def log_pairs(self) -> float:
        """What it was until version 0.2.0: by wagers on any fault of the pairs alone."""
        return log_of_mean([one.evidence.log_pairs for one in self.lines for _ in one.names])

    @property
    def value(self) -> float:
        """The evidence now; as much as is told at most."""
        return exp(min(self.log_value, LOG_MAX))

    def of(self, name: str) -> DiceEvidence | None:
        """Return what is said against one of its parts."""
        return next((one.evidence for one in (*self.lines, *self.pools) if name in one.names), None)


def dice_set_of(
    rules: str,
    table: str,
    *,
    number: int,
    at: str,
    parts: Mapping[str, DiceEvidence],
    pools: Mapping[str, DiceEvidence] | None = None,
    dice: tuple[str, ...] = (),
    among: int = 0,
    pooled: int = 0,
) -> DiceSet:
    """Return a set made of parts and pools, each with its evidence until now."""
    fresh = DiceSet(
        rules=rules,
        table=table,
        number=number,
        at=at,
        lines=dice_lines(parts),
        pools=dice_lines(pools or {}),
        dice=dice,
        among=among,
        pooled=pooled,
    )
    so_far = fresh.log_value
    curve = (CurvePoint(fresh.rolls, round(so_far, 6), 0),) if fresh.rolls else ()
    return replace(fresh, highest=so_far, highest_without_last=so_far, curve=curve)


def dice_lines(parts: Mapping[str, DiceEvidence]) -> tuple[DiceLine, ...]:
    """Return parts in lines: those with the same evidence are reckoned once."""
    same: dict[DiceEvidence, list[str]] = {}
    for name, evidence in parts.items():
        same.setdefault(evidence, []).append(name)
    return tuple(DiceLine(tuple(names), evidence) for evidence, names in same.items())


def set_after(known: DiceSet, sequence: int, events: Iterable[TableEvent]) -> DiceSet:
    """Return a set of dice after the events of an entry of its table."""
    for event in events:
        match event:
            case g.DiceThrown():
                known = replace(known, last=None)
            case g.RollSettled():
                known = _rolled(known, sequence, event.first, event.second)
            case t.RollCorrected():
                known = set_after(_taken_back(known), sequence, event.redone)
            case t.TableClosed():
                known = replace(known, is_in_use=False)
            case _:
                pass
    return known


def _rolled(known: DiceSet, sequence: int, first: int, second: int) -> DiceSet:
    then, said = known.sequence.after(first, second)
    lines, pools = (
        tuple(replace(one, evidence=one.evidence.after(said)) for one in held) for held in (known.lines, known.pools)
    )
    thrown = replace(known, lines=lines, pools=pools, sequence=then, sequence_without_last=known.sequence)
    now, rolls = thrown.log_value, thrown.rolls
    curve, stride = known.curve, known.stride
    if rolls - (curve[-1].rolls if curve else 0) >= stride:
        curve = (*curve, CurvePoint(rolls, round(now, 6), sequence))
        if len(curve) > _POINTS_MAX:
            curve, stride = curve[1::2], stride * 2
    return replace(
        thrown,
        highest=max(known.highest, now),
        highest_without_last=known.highest,
        rolled=known.rolled + 1,
        unaccounted=known.unaccounted or (sequence if known.is_taken_away else 0),
        last=(first, second),
        curve=curve,
        stride=stride,
        is_in_use=True,
        first_sequence=known.first_sequence or sequence,
        last_sequence=sequence,
    )


def _taken_back(known: DiceSet) -> DiceSet:
    """Return a set without its last roll, if that was settled: the right one comes in its place."""
    if known.last is None:
        return known
    rolled_at = known.last_sequence
    _, said = known.sequence_without_last.after(*known.last)
    curve = known.curve[:-1] if known.curve and known.curve[-1].sequence == rolled_at else known.curve
    alarm, by_pairs = (
        None if told and told.sequence == rolled_at else told for told in (known.alarm, known.alarm_by_pairs)
    )
    return replace(
        known,
        lines=tuple(replace(one, evidence=one.evidence.without(said)) for one in known.lines),
        pools=tuple(replace(one, evidence=one.evidence.without(said)) for one in known.pools),
        sequence=known.sequence_without_last,
        highest=known.highest_without_last,
        last=None,
        curve=curve,
        alarm=alarm,
        alarm_by_pairs=by_pairs,
    )


def alarmed(known: DiceSet, *, sequence: int, at: str, one_in: int) -> DiceSet:
    """Return a set with its alarm, if it has just come to the bound; the first alarm stays."""
    alpha = 1 / max(one_in, 1)
    if known.alarm is None and known.log_value >= -log(alpha_of_each(alpha, known.sets)):
        told = DiceAlarm(sequence, at, known.rolls, int(known.value), known.sets, one_in)
        known = replace(known, alarm=told)
    if known.alarm_by_pairs is None and known.log_pairs >= -log(alpha_of_each(alpha, known.sets_by_pairs)):
        to_one = int(exp(min(known.log_pairs, LOG_MAX)))
        told = DiceAlarm(sequence, at, known.rolls, to_one, known.sets_by_pairs, one_in)
        known = replace(known, alarm_by_pairs=told)
    return known
