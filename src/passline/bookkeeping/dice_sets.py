"""Physical sets of dice, and what their rolls say against them: kept after every roll, a correction in its place.

Evidence is kept for each part of a set, and the parts outlive the set, so that nobody begins the evidence anew by
recording another set. A die with a serial number is a part: it takes its evidence along into every cup, to every table
and over every closing. Where papers put one die into two cups, the rolls of both count against it. A set of dice
without numbers has two parts: the set as it was recorded, and the table, whose evidence runs on through its sets for a
month or until an alarm was told. (Dice without numbers that go to another table are not known there.) Dice with numbers
are pooled too: by their table in the same way, and by their lot, which is what the office received on one day. Where
the table knows its shooters, what each has thrown there is evidence as well; they share a part of the table's stakes.

Each part's evidence is multiplied by what every roll of its set says. With fair dice such a factor is 1 on average
whatever was chosen before, so a part stays a fair wager however sets are made up, even by somebody who watches the
evidence. A set's evidence is the mean of its parts' and pools', in which a pool weighs more than a die. The largest
would not do, since with it one could choose; but the weighted sum over all parts in use is a fair wager too, for no
part ever changes its weight, and it is at least a set's own share of it. So a set alarms when its mean comes to the
office's figure times the number of sets of its weight that the parts in use would make. The most parts count that were
ever in use together with one of its own: were it those of now, the level would fall as other tables close. So take the
parts in use at any moment, chosen without regard to their evidence: if the dice are fair and the figure is 1,000, the
chance that a set of these ever alarms from then on is at most 1 in 1,000, however long they are watched and whichever
of them are taken away. Dice that come later are another chance: `false_alarms_a_year` says how often a house that
brings in new ones must expect to be alarmed for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp, log

from msgspec import Struct
from msgspec.structs import replace

from passline.exact.dice_evidence import DiceEvidence, DiceSequence, RollSaid, alpha_of_each, log_of_mean
from passline.game import events as g
from passline.tables import events as t
from passline.tables.events import TableEvent

_POINTS_MAX = 256
_PART_WEIGHT, _POOL_WEIGHT, _SHOOTERS_WEIGHT = 4, 16, 1
"""What a die or another part weighs in the evidence of a set, what a pool of dice with numbers does, and what the
shooters of a table do together, which is taken from the table's own weight.

So of the evidence of five dice these have 20/52, their lot 16/52 and their table 15/52, which is 1.24 nats: by so much
it is behind where it alone has heard of a fault. The battery costs 4.16 nats at most. With both it is below 6 in a cup
of three to eight dice from one lot or two; a die that alone has a past, among four others, is up to 6.8 behind.
"""
_MONTH = len("2026-11")
LOG_MAX = 40.0
"""The logarithm of the most evidence that is told; beyond this nobody asks how much."""


class CurvePoint(Struct, frozen=True, array_like=True):
    """The evidence after so many rolls."""

    rolls: int
    log: float  # the natural logarithm
    sequence: int


class DiceAlarm(Struct, frozen=True):
    """The alarm of a set: when the evidence against it reached the bound."""

    sequence: int
    at: str
    rolls: int
    evidence: int
    sets: int  # of its size, by the most parts in use together
    one_in: int


class DiceLine(Struct, frozen=True):
    """Parts of a set that were in exactly the same rolls, and the evidence that each of them therefore has."""

    names: tuple[str, ...]  # serial numbers of dice; or the set as it was recorded, and its table in a month
    evidence: DiceEvidence


class KnownDie(Struct, frozen=True, omit_defaults=True):
    """A die with a serial number, and the evidence from all its rolls at all tables."""

    table: str  # where its office has put it; empty when other dice have come there since
    evidence: DiceEvidence = DiceEvidence()
    among: int = 0  # the most parts that were in use at once while it was
    pooled: int = 0  # and the most pools of dice with numbers
    lot: str = ""  # which it was received with
    order: int = 0  # of a shooter: as which of the table's


class Shooters(Struct, frozen=True, omit_defaults=True):
    """The shooters of a table, and the evidence from each one's rolls there, for a month or until an alarm was noted.

    The first shooter has a half of the stakes, the second a sixth, the k-th 1/(k x (k + 1)): so alpha is shared by all
    who ever come, and what is not yet staked is kept for them. Until the first comes, the table has it all.
    """

    since: str = ""  # when the table began to count them
    account: str = ""  # who threw last, if anybody is known
    name: str = ""
    order: int = 0  # as which shooter
    evidence: DiceEvidence = DiceEvidence()
    known: int = 0  # how many have thrown
    stakes: float = 1.0  # of all: what the table's had come to when the first threw
    others: float = 1.0  # what the stakes of all but this one have come to, with what is not yet staked

    @property
    def stake(self) -> float:
        """The stake on the current shooter."""
        return self.stakes / (self.order * (self.order + 1)) if self.order else 0.0

    @property
    def value(self) -> float:
        """The evidence of all shooters together."""
        return self.others + self.stake * self.evidence.value

    def after(self, said: RollSaid) -> Shooters:
        """Return the shooters after another roll; unchanged if it is not known who threw it."""
        return replace(self, evidence=self.evidence.after(said)) if self.order else self

    def without(self, said: RollSaid) -> Shooters:
        """Return the shooters without the last roll."""
        return replace(self, evidence=self.evidence.without(said)) if self.order else self


class TableMonth(Struct, frozen=True):
    """The month's evidence from a table's dice without numbers, kept while dice with numbers lie there."""

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
    shooters: Shooters = Shooters()
    seated: dict[int, tuple[str, str]] = {}  # account and name by seat
    month: TableMonth | None = None  # set aside while these dice, which have numbers, are thrown
    is_taken_away: bool = False  # by the office's papers all of them are, and no others have come
    unaccounted: int = 0  # the entry of the first roll after that
    highest: float = 0.0  # of the logarithm, so far
    highest_without_last: float = 0.0  # what it was before the last roll, in case that is corrected
    rolled: int = 0  # rolls of this set that were ever keyed in, with corrected ones
    last: tuple[int, int] | None = None  # the faces of the last roll, while it can be corrected
    sequence: DiceSequence = DiceSequence()
    sequence_without_last: DiceSequence = DiceSequence()
    unheard: tuple[str, ...] = ()  # pools that began anew since the last roll, which is not in them
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
        """The number of parts that the set is made of."""
        return sum(len(line.names) for line in self.lines)

    @property
    def table_part(self) -> str:
        """The name of the part or pool of its table."""
        return f"{'table ' if self.dice else ''}{self.table} in {self.at[:_MONTH]}"

    @property
    def shares(self) -> list[tuple[DiceLine, float]]:
        """Its parts, its pools and who throws, each with its share of the evidence."""
        held, weights = (*self.lines, *self.pools), self._weights
        shares = [(line, weight / self._weight) for line, weight in zip(held, weights[:-1], strict=True)]
        if self.shooters.order:
            who = f"shooter {self.shooters.name}, number {self.shooters.order} at this table"
            share = _SHOOTERS_WEIGHT * self.shooters.stake / self._weight
            shares.append((DiceLine((who,), self.shooters.evidence), share))
        return shares

    @property
    def own_share(self) -> float:
        """The share of its own parts in the evidence: its dice, or the set as recorded, without table and pools."""
        return _PART_WEIGHT * (len(self.dice) or 1) / self._weight

    @property
    def _weight(self) -> int:
        return _PART_WEIGHT * self.parts + _POOL_WEIGHT * sum(len(pool.names) for pool in self.pools)

    @property
    def _weights(self) -> list[int]:
        """What its lines weigh, its pools, and the shooters of its table, who have a part of the table's."""
        weights = [_PART_WEIGHT * len(line.names) for line in self.lines]
        weights += [_POOL_WEIGHT * len(pool.names) for pool in self.pools]
        for place, line in enumerate((*self.lines, *self.pools)):
            if self.shooters.known and self.table_part in line.names:
                weights[place] -= _SHOOTERS_WEIGHT
        return [*weights, self._weight - sum(weights)]

    @property
    def sets(self) -> int:
        """How many sets of this weight the house has at most, by which the bound of the alarm is multiplied.

        It is the weight of the most parts and pools ever in use together, divided by this set's weight, rounded up.
        """
        pools = sum(len(pool.names) for pool in self.pools)
        in_use = _PART_WEIGHT * max(self.among, self.parts) + _POOL_WEIGHT * max(self.pooled, pools)
        return -(-in_use // self._weight)

    @property
    def sets_by_pairs(self) -> int:
        """What `sets` was until version 0.2.0, which had no pools of dice with numbers."""
        return -(-max(self.among, self.parts) // self.parts)

    @property
    def rolls(self) -> int:
        """How many rolls are in its evidence, of this set and of those before it."""
        return max(line.evidence.rolls for line in self.lines)

    @property
    def counts(self) -> tuple[int, ...]:
        """How often each pair came in these rolls."""
        return max((line.evidence for line in self.lines), key=lambda evidence: evidence.rolls).counts

    @property
    def log_value(self) -> float:
        """The natural logarithm of the evidence now, the mean over its parts, pools and shooters."""
        logs = [*(line.evidence.log_value for line in (*self.lines, *self.pools)), log(self.shooters.value)]
        return log_of_mean(logs, self._weights)

    @property
    def log_pairs(self) -> float:
        """What `log_value` was until version 0.2.0, which looked only for faults in the frequencies of pairs."""
        return log_of_mean([line.evidence.log_pairs for line in self.lines], [len(line.names) for line in self.lines])

    @property
    def value(self) -> float:
        """The evidence now, but no more than e to the power `LOG_MAX`."""
        return exp(min(self.log_value, LOG_MAX))

    def of(self, name: str) -> DiceEvidence | None:
        """Return the evidence of one of its parts or pools; None: it has none of that name."""
        return next((line.evidence for line in (*self.lines, *self.pools) if name in line.names), None)


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
    """Return a new set made of parts and pools, each with its evidence so far."""
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
    """Return parts grouped by equal evidence, which then needs to be computed only once."""
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
                known = _after_roll(known, sequence, event.first, event.second)
            case t.RollCorrected():
                known = set_after(_taken_back(known), sequence, event.redone)
            case t.PlayerSeated():
                known = replace(known, seated={**known.seated, event.seat: (event.account, event.name)})
            case g.SeatLeft():
                known = replace(known, seated={seat: who for seat, who in known.seated.items() if seat != event.seat})
            case t.TableClosed():
                known = replace(known, is_in_use=False, seated={})
            case _:
                pass
    return known


def _after_roll(known: DiceSet, sequence: int, first: int, second: int) -> DiceSet:
    then, said = known.sequence.after(first, second)
    lines, pools = (
        tuple(replace(line, evidence=line.evidence.after(said)) for line in held) for held in (known.lines, known.pools)
    )
    thrown = replace(
        known,
        lines=lines,
        pools=pools,
        shooters=known.shooters.after(said),
        sequence=then,
        sequence_without_last=known.sequence,
        unheard=(),
    )
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
    pools = {name: pool.evidence for pool in known.pools for name in pool.names}
    heard = pools.keys() - set(known.unheard)
    return replace(
        known,
        lines=tuple(replace(line, evidence=line.evidence.without(said)) for line in known.lines),
        pools=dice_lines({name: held.without(said) if name in heard else held for name, held in pools.items()}),
        shooters=known.shooters.without(said),
        sequence=known.sequence_without_last,
        highest=known.highest_without_last,
        last=None,
        curve=curve,
        alarm=alarm,
        alarm_by_pairs=by_pairs,
    )


def with_alarm(known: DiceSet, *, sequence: int, at: str, one_in: int) -> DiceSet:
    """Return a set with an alarm if its evidence has just reached the bound; an earlier alarm stays."""
    alpha = 1 / max(one_in, 1)
    if known.alarm is None and known.log_value >= -log(alpha_of_each(alpha, known.sets)):
        told = DiceAlarm(sequence, at, known.rolls, int(known.value), known.sets, one_in)
        known = replace(known, alarm=told)
    if known.alarm_by_pairs is None and known.log_pairs >= -log(alpha_of_each(alpha, known.sets_by_pairs)):
        to_one = int(exp(min(known.log_pairs, LOG_MAX)))
        told = DiceAlarm(sequence, at, known.rolls, to_one, known.sets_by_pairs, one_in)
        known = replace(known, alarm_by_pairs=told)
    return known
