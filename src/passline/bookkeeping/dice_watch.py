"""Follows the dice of all tables through a log: which set is in use where, and when one raises the alarm.

A set is what the office has put into the cup, if dice have serial numbers; else what the table records as put in; else
what is thrown from one opening to the next. The sets of a table are numbered. If an office has taken dice away and put
no others there, the table must still be throwing the old ones, so they stay its set. Each die has a single evidence,
which every roll of every set with that die goes into: papers that move it elsewhere while it is still thrown do not
restart it. A lot, the dice that an office first recorded on one day while they were in no cup, has a single evidence
too. A shooter is an account at a table: the evidence from its rolls there in a month is kept while others throw.

The projection and `passline verify` both follow it, so that an alarm that was not noted is found by whoever checks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec.structs import replace

from passline.acts.events import ActCompleted, ActEvent, Change
from passline.bookkeeping.dice_sets import (
    DiceSet,
    KnownDie,
    Shooters,
    TableMonth,
    dice_lines,
    dice_set_of,
    set_after,
    with_alarm,
)
from passline.exact.dice_evidence import DiceEvidence
from passline.game import events as g
from passline.tables import events as t
from passline.tables.events import TableEvent

_DIE, _IN_PLAY = "die", "in_play"
_ABOUT = (
    *(t.TableOpened, t.TableClosed, t.PlayerSeated, g.SeatLeft),
    *(g.DiceThrown, g.RollSettled, t.RollCorrected, t.DiceSetPutIn, t.DiceCondemned),
)
_MONTH, _DAY = len("2026-11"), len("2026-11-17")
_LOT = "lot "  # begins the name of a lot; no serial number has a space


def is_about_dice(events: Iterable[TableEvent]) -> bool:
    """Return whether any of these events is about the dice of a table."""
    return any(isinstance(event, _ABOUT) for event in events)


def dice_changes(events: Iterable[ActEvent]) -> list[Change]:
    """Return the changes that events of an office make to dice with serial numbers."""
    completed = (event for event in events if isinstance(event, ActCompleted))
    return [change for event in completed for change in event.changes if change.kind == _DIE]


class DiceBefore(Protocol):
    """Finds what is known of dice that are not in memory."""

    def in_use(self, rules: str) -> Iterable[DiceSet]:
        """Return the sets that are in use under a regulation."""

    def newest(self, rules: str, table: str) -> DiceSet | None:
        """Return the newest set of a table."""

    def die(self, rules: str, serial: str) -> KnownDie | None:
        """Return what is known of a die."""


class NoDiceBefore:
    """Finds nothing: a log is read from its beginning."""

    def in_use(self, _rules: str) -> tuple[DiceSet, ...]:
        """Return no set."""
        return ()

    def newest(self, _rules: str, _table: str) -> None:
        """Return no set."""
        return

    def die(self, _rules: str, _serial: str) -> None:
        """Return no die."""
        return


class DiceWatch:
    """The set of dice that each table throws, and where each die with a serial number is."""

    def __init__(self) -> None:
        self._sets: dict[str, dict[str, DiceSet]] = {}  # by regulation, then table
        self._dice: dict[tuple[str, str], KnownDie] = {}  # by regulation and serial number
        self.moved: dict[tuple[str, str], KnownDie] = {}  # of these, what changed since somebody cleared it

    def of(self, rules: str, table: str) -> DiceSet | None:
        """Return the set that a table throws; None: it is not known."""
        return self._sets.get(rules, {}).get(table)

    def take(
        self,
        rules: str,
        table: str,
        *,
        sequence: int,
        at: str,
        events: Sequence[TableEvent],
        one_in: int,
        before: DiceBefore,
    ) -> list[DiceSet]:
        """Follow an entry of a table with physical dice; return the sets that it changed."""
        was = known = self._newest(rules, table, before)
        changed: list[DiceSet] = []
        is_recorded = any(isinstance(event, t.DiceSetPutIn) for event in events)
        for event in events:
            if isinstance(event, t.DiceSetPutIn) or (isinstance(event, t.TableOpened) and not is_recorded):
                if known is not None and not is_recorded and _lies_there(known):
                    known = replace(known, is_in_use=True)
                    continue
                if known is not None:
                    changed.append(replace(known, is_in_use=False, last=None))
                recorded = event.number if isinstance(event, t.DiceSetPutIn) else 1
                number = max(recorded, known.number + 1) if known else recorded
                self._let_go(known, before)
                fresh = _without_numbers(rules, table, number=number, at=at, known=known)
                known = _with_shooters(fresh, known)
            elif isinstance(event, t.DiceCondemned) and known is not None:
                known = replace(known, is_in_use=False)
            elif known is not None:
                known = self._follow(known, sequence, event, before)
        if known is None or known is was:
            return changed
        self._sets[rules][table] = known
        others: list[DiceSet] = []
        if was is None or (was.number, was.is_in_use) != (known.number, known.is_in_use):
            others = self._count(rules, before)
            known = self._sets[rules][table]
        if known.rolled and (was is None or (known.number, known.rolled) != (was.number, was.rolled)):
            known = with_alarm(known, sequence=sequence, at=at, one_in=one_in)
            self._sets[rules][table] = known
        return [*changed, *others, known]

    def take_office(self, rules: str, changes: Iterable[Change], *, at: str, before: DiceBefore) -> list[DiceSet]:
        """Follow dice that an office put into cups or took away; return the sets that it changed."""
        came: dict[str, list[str]] = {}
        left: dict[str, list[str]] = {}
        for change in changes:
            table = str(change.facts.get("table") or "")
            if self._die(rules, change.id, before) is None and change.state != _IN_PLAY:
                self._move(rules, change.id, KnownDie("", lot=f"received {at[:_DAY]}"))
            if change.state == _IN_PLAY:
                if table:  # else only who stays with it has changed
                    came.setdefault(table, []).append(change.id)
            elif (die := self._die(rules, change.id, before)) is not None and die.table:
                left.setdefault(die.table, []).append(change.id)
        changed = []
        for table in dict.fromkeys((*left, *came)):
            known = self._newest(rules, table, before)
            lay = known.dice if known and not known.is_taken_away else ()
            rest = [serial for serial in lay if serial not in left.get(table, ())]
            cup = tuple(dict.fromkeys((*rest, *came.get(table, ()))))
            if cup:
                changed += self._fill(rules, table, cup, at=at, before=before)
            elif known is not None:
                known = self._sets[rules][table] = replace(known, is_taken_away=True)
                changed.append(known)
        return [*changed, *self._count(rules, before)]

    def _count(self, rules: str, before: DiceBefore) -> list[DiceSet]:
        """Count the parts in use; return the sets in use that have not yet been among so many.

        A die that papers put into two cups is one part.
        """
        in_use = [known for known in self._sets.get(rules, {}).values() if known.is_in_use]
        serials = {serial for dice in in_use for serial in dice.dice}
        parts = len(serials) + sum(dice.parts for dice in in_use if not dice.dice)
        pools = len({name for dice in in_use for line in dice.pools for name in line.names})
        fewer = [
            replace(dice, among=max(dice.among, parts), pooled=max(dice.pooled, pools))
            for dice in in_use
            if dice.among < parts or dice.pooled < pools
        ]
        for changed in fewer:
            self._sets[rules][changed.table] = changed
        for serial in sorted(serials):
            die = self._die(rules, serial, before)
            if die is not None and (die.among < parts or die.pooled < pools):
                more = replace(die, among=max(die.among, parts), pooled=max(die.pooled, pools))
                self._move(rules, serial, more)
        return fewer

    def _fill(self, rules: str, table: str, cup: tuple[str, ...], *, at: str, before: DiceBefore) -> list[DiceSet]:
        """Begin a set of the dice that lie in the cup of a table now; each brings what was said against it."""
        known = self._newest(rules, table, before)
        parts = {serial: self._evidence(rules, serial, before) for serial in cup}
        number = (known.number + bool(known.rolled)) if known else 1
        before_now = {serial: self._die(rules, serial, before) or KnownDie("") for serial in cup}
        if known is not None:
            self._let_go(known, before)
        fresh = dice_set_of(
            rules,
            table,
            number=number,
            at=at,
            parts=parts,
            pools=self._pools(rules, table, known, before_now.values(), at=at, before=before),
            dice=cup,
            among=max(die.among for die in before_now.values()),
            pooled=max(die.pooled for die in before_now.values()),
        )
        if known is not None:
            fresh = replace(fresh, is_in_use=known.is_in_use, month=_month_of(known))
        else:
            fresh = replace(fresh, is_in_use=False)  # until its table opens
        fresh = self._sets[rules][table] = _with_shooters(fresh, known)
        for serial, die in before_now.items():
            self._move(rules, serial, replace(die, table=table))
        return [fresh] if known is None or not known.rolled else [replace(known, is_in_use=False, last=None), fresh]

    def _pools(
        self, rules: str, table: str, known: DiceSet | None, dice: Iterable[KnownDie], *, at: str, before: DiceBefore
    ) -> dict[str, DiceEvidence]:
        """Return what the rolls of a set with serial numbers go into besides its dice: its table's, and its lots'."""
        own = f"table {table} in {at[:_MONTH]}"
        past = known.of(own) if known is not None and known.alarm is None else None
        lots = sorted({f"{_LOT}{die.lot}" for die in dice if die.lot})
        return {own: past or DiceEvidence(), **{lot: self._evidence(rules, lot, before) for lot in lots}}

    def _follow(self, known: DiceSet, sequence: int, event: TableEvent, before: DiceBefore) -> DiceSet:
        """Return a set after an event of its table; what it says is remembered of each die, lot and shooter."""
        if isinstance(event, g.DiceThrown):
            known = self._hand_over(known, event.seat, before)
        known = set_after(self._up_to_date(known, before), sequence, (event,))
        self._learn(known, before)
        return known

    def _hand_over(self, known: DiceSet, seat: int, before: DiceBefore) -> DiceSet:
        """Return a set that somebody else throws, as far as that is so: each shooter goes on from their own past."""
        account, name = known.seated.get(seat, ("", ""))
        shooters = known.shooters
        if account == shooters.account:
            return known
        if shooters.account:
            left = KnownDie("", evidence=shooters.evidence, order=shooters.order)
            self._move(known.rules, _shooter_key(known, shooters.account), left)
        table = known.of(known.table_part)
        stakes = shooters.stakes if shooters.known or table is None else table.value
        others = Shooters(shooters.since, known=shooters.known, stakes=stakes)
        others = replace(others, others=shooters.value if shooters.known else stakes)
        if not account:
            return replace(known, shooters=others)
        past = self._die(known.rules, _shooter_key(known, account), before) or KnownDie("", order=shooters.known + 1)
        throws = replace(others, account=account, name=name, order=past.order, evidence=past.evidence)
        many = max(throws.known, past.order)
        kept = stakes / (many + 1)  # so much is staked on nobody yet
        rest = max(others.value - throws.stake * past.evidence.value, kept)
        return replace(known, shooters=replace(throws, known=many, others=rest))

    def _let_go(self, known: DiceSet | None, before: DiceBefore) -> None:
        """Remember that the dice of a set lie at its table no more, when others take their place.

        Lots of a set that alarmed begin anew: the alarm has told of them.
        """
        if known is not None and known.alarm is not None:
            for lot in _lots_of(known):
                self._move(known.rules, lot, KnownDie("", evidence=self._evidence(known.rules, lot, before).anew()))
        for serial in known.dice if known is not None else ():
            assert known is not None
            die = self._die(known.rules, serial, before)
            if die is not None and die.table == known.table:
                self._move(known.rules, serial, replace(die, table=""))

    def _up_to_date(self, known: DiceSet, before: DiceBefore) -> DiceSet:
        """Return a set with what its dice have also shown elsewhere."""
        parts = {serial: self._evidence(known.rules, serial, before) for serial in known.dice}
        lots = {lot: self._evidence(known.rules, lot, before) for lot in _lots_of(known)}
        if all(known.of(name) == evidence for name, evidence in (*parts.items(), *lots.items())):
            return known
        pools = {name: line.evidence for line in known.pools for name in line.names}
        anew = [lot for lot, evidence in lots.items() if evidence.begun_anew != pools[lot].begun_anew]
        unheard = (*known.unheard, *anew)
        return replace(known, lines=dice_lines(parts), pools=dice_lines({**pools, **lots}), unheard=unheard)

    def _learn(self, known: DiceSet, before: DiceBefore) -> None:
        """Remember of each die what a roll in a set has said against it."""
        for name in (*known.dice, *_lots_of(known)):
            evidence, is_lot = known.of(name), name not in known.dice
            die = self._die(known.rules, name, before) or (KnownDie("") if is_lot else None)
            if die is not None and evidence is not None and die.evidence != evidence:
                self._move(known.rules, name, replace(die, evidence=evidence))

    def _move(self, rules: str, serial: str, die: KnownDie) -> None:
        self._dice[rules, serial] = self.moved[rules, serial] = die

    def _newest(self, rules: str, table: str, before: DiceBefore) -> DiceSet | None:
        if rules not in self._sets:
            self._sets[rules] = {dice.table: dice for dice in before.in_use(rules)}
        tables = self._sets[rules]
        if table not in tables and (found := before.newest(rules, table)) is not None:
            tables[table] = found
        return tables.get(table)

    def _die(self, rules: str, serial: str, before: DiceBefore) -> KnownDie | None:
        known = self._dice.get((rules, serial)) or before.die(rules, serial)
        if known is not None:
            self._dice[rules, serial] = known
        return known

    def _evidence(self, rules: str, serial: str, before: DiceBefore) -> DiceEvidence:
        """Return what was said against a die in all sets that it was in."""
        die = self._die(rules, serial, before)
        return die.evidence if die is not None else DiceEvidence()


def _lots_of(known: DiceSet) -> list[str]:
    """Return the lots that the dice of a set came with."""
    return [name for line in known.pools for name in line.names if name.startswith(_LOT)]


def _shooter_key(known: DiceSet, account: str) -> str:
    """Return under which name a shooter's evidence at the table of a set is kept; no serial number has a space."""
    return f"shooter {account} at {known.table} since {known.shooters.since}"


def _with_shooters(fresh: DiceSet, known: DiceSet | None) -> DiceSet:
    """Return a set with who sits at its table, and its shooters: begun anew after an alarm was told and in a month."""
    seated = known.seated if known is not None else {}
    if known is not None and known.alarm is None and known.at[:_MONTH] == fresh.at[:_MONTH]:
        return replace(fresh, seated=seated, shooters=known.shooters)
    return replace(fresh, seated=seated, shooters=Shooters(f"set {fresh.number} of {fresh.at[:_MONTH]}"))


def _lies_there(known: DiceSet) -> bool:
    """Return whether an opening table throws the set that it has: it lies in the cup, or was never thrown."""
    return not known.is_taken_away if known.dice else not known.rolled


def _without_numbers(rules: str, table: str, *, number: int, at: str, known: DiceSet | None) -> DiceSet:
    """Return a set of dice without serial numbers: it has no past, but its table has one."""
    month = f"{table} in {at[:_MONTH]}"
    past = _month_of(known) if known is not None else None
    if past is None or past.name != month:
        past = TableMonth(month, DiceEvidence(), 0)
    parts = {f"set {number}": DiceEvidence(), month: past.evidence}
    return dice_set_of(rules, table, number=number, at=at, parts=parts, among=past.among)


def _month_of(known: DiceSet) -> TableMonth | None:
    """Return the evidence of a table's month that a set leaves to the next, unless it was told in an alarm."""
    if known.dice:
        return known.month
    if known.alarm is not None:
        return None
    name = f"{known.table} in {known.at[:_MONTH]}"
    evidence = known.of(name)
    return TableMonth(name, evidence, known.among) if evidence is not None else None
