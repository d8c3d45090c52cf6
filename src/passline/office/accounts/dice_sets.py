"""Physical sets of dice, and what their rolls say against them: kept after every roll, a correction in its place.

A set is alarming once its evidence comes to the number of sets in use times the office's figure: with a figure of 1,000
all fair sets in use together come there with a chance of at most 1 in 1,000, however long they are watched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp

from msgspec import Struct, json
from msgspec.structs import replace

from passline.exact.dice_evidence import DiceEvidence, alpha_of_each
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
    "DiceSet",
    "alarmed",
    "find_alarmed",
    "find_dice_sets",
    "in_use_of",
    "keep_dice_sets",
    "newest_dice_set",
    "set_after",
]

DICE_TABLES = {
    "dice_sets": """CREATE TABLE dice_sets (rules TEXT NOT NULL, house_table TEXT NOT NULL, number INTEGER NOT NULL,
        is_in_use INTEGER NOT NULL, is_alarmed INTEGER NOT NULL, body BLOB NOT NULL,
        PRIMARY KEY (rules, house_table, number)) WITHOUT ROWID""",
}
"""How the table of dice sets is created."""
DICE_INDEXES = (
    "CREATE INDEX dice_sets_in_use ON dice_sets (rules, is_in_use)",
    "CREATE INDEX dice_sets_alarmed ON dice_sets (rules, is_alarmed)",
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
    sets: int  # in use then
    one_in: int


class DiceSet(Struct, frozen=True, kw_only=True):
    """One set of physical dice at a table."""

    rules: str
    table: str
    number: int
    at: str  # when it came into play
    evidence: DiceEvidence = DiceEvidence()
    highest: float = 0.0  # of the logarithm, so far
    highest_before: float = 0.0  # without the last roll
    ever: float = 0.0  # the highest, with rolls that were corrected since
    rolled: int = 0  # rolls that were ever keyed in, with corrected ones
    last: tuple[int, int] | None = None  # the faces of the last roll, while it can be corrected
    curve: tuple[CurvePoint, ...] = ()
    stride: int = 1  # rolls from one point of the curve to the next
    alarm: DiceAlarm | None = None
    is_in_use: bool = True
    first_sequence: int = 0
    last_sequence: int = 0

    @property
    def value(self) -> float:
        """The evidence now."""
        return self.evidence.value


_decoder = json.Decoder(DiceSet)


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
    evidence = known.evidence.after(first, second)
    now, rolls = evidence.log_value, evidence.rolls
    curve, stride = known.curve, known.stride
    if rolls % stride == 0:
        curve = (*curve, CurvePoint(rolls, round(now, 6), sequence))
        if len(curve) > _POINTS_MAX:
            curve, stride = curve[1::2], stride * 2
    return replace(
        known,
        evidence=evidence,
        highest=max(known.highest, now),
        highest_before=known.highest,
        ever=max(known.ever, now),
        rolled=known.rolled + 1,
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
    rolls = known.evidence.rolls
    curve = known.curve[:-1] if known.curve and known.curve[-1].rolls == rolls else known.curve
    alarm = None if known.alarm and known.alarm.rolls == rolls else known.alarm
    return replace(
        known,
        evidence=known.evidence.without(*known.last),
        highest=known.highest_before,
        last=None,
        curve=curve,
        alarm=alarm,
    )


def alarmed(known: DiceSet, *, sequence: int, at: str, sets: int, one_in: int) -> DiceSet:
    """Return a set with its alarm, if it has just come to the bound; the first alarm stays."""
    if known.alarm is not None or not known.evidence.exceeds(alpha=alpha_of_each(1 / max(one_in, 1), sets)):
        return known
    evidence = int(exp(min(known.evidence.log_value, LOG_MAX)))
    return replace(known, alarm=DiceAlarm(sequence, at, known.evidence.rolls, evidence, sets, one_in))


def keep_dice_sets(writer: ViewWriter, sets: Iterable[DiceSet]) -> None:
    """Write sets of dice, in the place of what they were."""
    rows = [
        (
            *(one.rules, one.table, one.number, int(one.is_in_use), int(one.alarm is not None)),
            writer.seal("dice", json.encode(one)),
        )
        for one in sets
    ]
    writer.write("INSERT OR REPLACE INTO dice_sets VALUES (?, ?, ?, ?, ?, ?)", rows)


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


def in_use_of(reader: ViewReader, rules: str) -> dict[tuple[str, int], DiceSet]:
    """Return the sets of a regulation that are in use, by table and number."""
    sql = "SELECT body FROM dice_sets WHERE rules = ? AND is_in_use = 1"
    return {(one.table, one.number): one for one in _opened(reader, reader.query(sql, (rules,)))}


def _opened(reader: ViewReader, rows: Sequence[Sequence[bytes]]) -> list[DiceSet]:
    return [_decoder.decode(reader.unseal("dice", row[0])) for row in rows]
