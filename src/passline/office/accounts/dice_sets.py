"""Physical sets of dice, and what their rolls say against them: kept after every roll, a correction in its place.

Evidence is kept for each part of a set, and the parts outlive the set, so that nobody begins the evidence anew by
recording another set. A die with a serial number is a part: it takes its evidence along into every cup, to every table
and over every closing. Where papers put one die into two cups, the rolls of both count against it. A set of dice
without numbers has two parts: the set as it was recorded, and the table, whose evidence runs on through its sets for a
month or until an alarm was told. (Dice without numbers that go to another table are not known there.)

Each part's evidence is multiplied by what every roll of its set says. With fair dice such a factor is 1 on average
whatever was chosen before, so a part stays a fair wager however sets are made up, even by somebody who watches the
evidence. A set's evidence is the mean of its parts'. The largest would not do, since with it one could choose; but the
sum over all parts in use is a fair wager too, and it is at least a set's own share of it. So a set alarms when its
mean comes to the office's figure times the number of sets of its size that the parts in use would make. The most parts
count that were ever in use together with one of its own: were it those of now, the level would fall as other tables
close. So take the parts in use at any moment, chosen without regard to their evidence: if the dice are fair and the
figure is 1,000, the chance that a set of these ever alarms from then on is at most 1 in 1,000, however long they are
watched and whichever of them are taken away. (Dice that come later are another chance; so a house that ever brings in
new ones has a false alarm some day.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import exp, log

from msgspec import Struct, json
from msgspec.structs import replace

from passline.exact.dice_evidence import DiceEvidence, alpha_of_each, log_of_mean
from passline.game import events as g
from passline.streams.projection_store import ViewReader, ViewWriter
from passline.tables import events as t
from passline.tables.events import TableEvent

__all__ = [
    "DICE_INDEXES",
    "DICE_TABLES",
    "LOG_MAX",
    "CurvePoint",
    "DiceAlarm",
    "DiceLine",
    "DiceSet",
    "KeptDice",
    "KnownDie",
    "TableMonth",
    "alarmed",
    "dice_lines",
    "dice_set_of",
    "find_alarmed",
    "find_dice_sets",
    "find_unaccounted",
    "keep_dice",
    "keep_dice_sets",
    "newest_dice_set",
    "set_after",
]

DICE_TABLES = {
    "dice_sets": """CREATE TABLE dice_sets (rules TEXT NOT NULL, house_table TEXT NOT NULL, number INTEGER NOT NULL,
        is_in_use INTEGER NOT NULL, is_alarmed INTEGER NOT NULL, is_unaccounted INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (rules, house_table, number)) WITHOUT ROWID""",
    "known_dice": """CREATE TABLE known_dice (rules TEXT NOT NULL, serial TEXT NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (rules, serial)) WITHOUT ROWID""",
}
"""How the tables of dice sets, and of dice with serial numbers, are created."""
DICE_INDEXES = (
    "CREATE INDEX dice_sets_in_use ON dice_sets (rules, is_in_use)",
    "CREATE INDEX dice_sets_alarmed ON dice_sets (rules, is_alarmed)",
    "CREATE INDEX dice_sets_unaccounted ON dice_sets (rules, is_unaccounted)",
)
"""The indexes by which those in use, and those that alarm, are found among all of the years."""
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


class KnownDie(Struct, frozen=True):
    """A die with a serial number: what all its rolls say against it, wherever they were thrown."""

    table: str  # where its office has put it; empty when other dice have come there since
    evidence: DiceEvidence = DiceEvidence()
    among: int = 0  # the most parts that were in use at once while it was


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
    month: TableMonth | None = None  # set aside while these dice, which have numbers, are thrown
    is_taken_away: bool = False  # by the office's papers all of them are, and no others have come
    unaccounted: int = 0  # the entry of the first roll after that
    highest: float = 0.0  # of the logarithm, so far
    highest_without_last: float = 0.0  # what it was before the last roll, in case that is corrected
    rolled: int = 0  # rolls of this set that were ever keyed in, with corrected ones
    last: tuple[int, int] | None = None  # the faces of the last roll, while it can be corrected
    curve: tuple[CurvePoint, ...] = ()
    stride: int = 1  # rolls from one point of the curve to the next
    alarm: DiceAlarm | None = None
    is_in_use: bool = True
    among: int = 0  # the most parts that were in use at once while one of its own was
    first_sequence: int = 0
    last_sequence: int = 0

    @property
    def parts(self) -> int:
        """How many parts it is made of."""
        return sum(len(one.names) for one in self.lines)

    @property
    def sets(self) -> int:
        """How many sets as large as it come to the alarm together: of the most parts in use, rounded up."""
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
        """The natural logarithm of the evidence now: of the mean of its parts'."""
        return log_of_mean([one.evidence.log_value for one in self.lines for _ in one.names])

    @property
    def value(self) -> float:
        """The evidence now; as much as is told at most."""
        return exp(min(self.log_value, LOG_MAX))

    def of(self, name: str) -> DiceEvidence | None:
        """Return what is said against one of its parts."""
        return next((one.evidence for one in self.lines if name in one.names), None)


_decoder = json.Decoder(DiceSet)
_die_decoder = json.Decoder(KnownDie)


def dice_set_of(
    rules: str,
    table: str,
    *,
    number: int,
    at: str,
    parts: Mapping[str, DiceEvidence],
    dice: tuple[str, ...] = (),
    among: int = 0,
) -> DiceSet:
    """Return a set made of parts, each with its evidence until now."""
    fresh = DiceSet(rules=rules, table=table, number=number, at=at, lines=dice_lines(parts), dice=dice, among=among)
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
    lines = tuple(replace(one, evidence=one.evidence.after(first, second)) for one in known.lines)
    thrown = replace(known, lines=lines)
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
    faces, rolled_at = known.last, known.last_sequence
    curve = known.curve[:-1] if known.curve and known.curve[-1].sequence == rolled_at else known.curve
    alarm = None if known.alarm and known.alarm.sequence == rolled_at else known.alarm
    return replace(
        known,
        lines=tuple(replace(one, evidence=one.evidence.without(*faces)) for one in known.lines),
        highest=known.highest_without_last,
        last=None,
        curve=curve,
        alarm=alarm,
    )


def alarmed(known: DiceSet, *, sequence: int, at: str, one_in: int) -> DiceSet:
    """Return a set with its alarm, if it has just come to the bound; the first alarm stays."""
    if known.alarm is not None or known.log_value < -log(alpha_of_each(1 / max(one_in, 1), known.sets)):
        return known
    return replace(known, alarm=DiceAlarm(sequence, at, known.rolls, int(known.value), known.sets, one_in))


def keep_dice_sets(writer: ViewWriter, sets: Iterable[DiceSet]) -> None:
    """Write sets of dice, in the place of what they were."""
    rows = [
        (
            *(
                one.rules,
                one.table,
                one.number,
                int(one.is_in_use),
                int(one.alarm is not None),
                int(one.unaccounted > 0),
            ),
            writer.seal("dice", json.encode(one)),
        )
        for one in sets
    ]
    writer.write("INSERT OR REPLACE INTO dice_sets VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def keep_dice(writer: ViewWriter, dice: Mapping[tuple[str, str], KnownDie]) -> None:
    """Write what is known of dice, by regulation and serial number."""
    rows = [(*which, writer.seal("die", json.encode(one))) for which, one in dice.items()]
    writer.write("INSERT OR REPLACE INTO known_dice VALUES (?, ?, ?)", rows)


def newest_dice_set(reader: ViewReader, rules: str, table: str) -> DiceSet | None:
    """Return the newest set of dice of a table, if it has had any."""
    found = find_dice_sets(reader, rules, table=table, limit=1)
    return found[0] if found else None


def find_dice_sets(
    reader: ViewReader, rules: str, *, table: str = "", in_use: bool = False, limit: int = 200
) -> list[DiceSet]:
    """Return the sets of dice of a regulation or one table, the newest of each table first."""
    conditions, given = ["rules = ?"], list[object]([rules])
    if table:
        conditions.append("house_table = ?")
        given.append(table)
    if in_use:
        conditions.append("is_in_use = 1")
    sql = f"""SELECT body FROM dice_sets WHERE {" AND ".join(conditions)}
        ORDER BY house_table, number DESC LIMIT ?"""  # noqa: S608 - our own conditions
    return _opened(reader, reader.query(sql, (*given, limit)))


def find_alarmed(reader: ViewReader, rules: str) -> list[DiceSet]:
    """Return the sets of a regulation that came to the alarm."""
    sql = "SELECT body FROM dice_sets WHERE rules = ? AND is_alarmed = 1 ORDER BY house_table, number"
    return _opened(reader, reader.query(sql, (rules,)))


def find_unaccounted(reader: ViewReader, rules: str) -> list[DiceSet]:
    """Return the sets of a regulation that were thrown after the papers took all their dice away."""
    sql = "SELECT body FROM dice_sets WHERE rules = ? AND is_unaccounted = 1 ORDER BY house_table, number"
    return _opened(reader, reader.query(sql, (rules,)))


class KeptDice:
    """The dice that views know of."""

    def __init__(self, reader: ViewReader) -> None:
        self._reader = reader

    def in_use(self, rules: str) -> list[DiceSet]:
        """Return the sets that are in use under a regulation."""
        sql = "SELECT body FROM dice_sets WHERE rules = ? AND is_in_use = 1"
        return _opened(self._reader, self._reader.query(sql, (rules,)))

    def newest(self, rules: str, table: str) -> DiceSet | None:
        """Return the newest set of a table."""
        return newest_dice_set(self._reader, rules, table)

    def die(self, rules: str, serial: str) -> KnownDie | None:
        """Return what is known of a die, if it was ever in a cup."""
        sql = "SELECT body FROM known_dice WHERE rules = ? AND serial = ?"
        rows = self._reader.query(sql, (rules, serial))
        return _die_decoder.decode(self._reader.unseal("die", rows[0][0])) if rows else None


def _opened(reader: ViewReader, rows: Sequence[Sequence[bytes]]) -> list[DiceSet]:
    return [_decoder.decode(reader.unseal("dice", row[0])) for row in rows]
