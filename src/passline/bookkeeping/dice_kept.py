"""Stores sets of dice in the views after every batch of the log, and finds them by regulation, table and state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import json

from passline.bookkeeping.dice_sets import DiceSet, KnownDie
from passline.streams.projection_store import ViewReader, ViewWriter

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

_decoder = json.Decoder(DiceSet)
_die_decoder = json.Decoder(KnownDie)


def keep_dice_sets(writer: ViewWriter, sets: Iterable[DiceSet]) -> None:
    """Store sets of dice, replacing earlier versions of them."""
    rows = [
        (
            *(
                known.rules,
                known.table,
                known.number,
                int(known.is_in_use),
                int(known.alarm is not None),
                int(known.unaccounted > 0),
            ),
            writer.seal("dice", json.encode(known)),
        )
        for known in sets
    ]
    writer.write("INSERT OR REPLACE INTO dice_sets VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def keep_dice(writer: ViewWriter, dice: Mapping[tuple[str, str], KnownDie]) -> None:
    """Store what is known of single dice, by regulation and serial number."""
    rows = [(*which, writer.seal("die", json.encode(die))) for which, die in dice.items()]
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
    return _sets_of(reader, reader.query(sql, (*given, limit)))


def find_alarmed(reader: ViewReader, rules: str) -> list[DiceSet]:
    """Return the sets of a regulation that raised the alarm."""
    sql = "SELECT body FROM dice_sets WHERE rules = ? AND is_alarmed = 1 ORDER BY house_table, number"
    return _sets_of(reader, reader.query(sql, (rules,)))


def find_unaccounted(reader: ViewReader, rules: str) -> list[DiceSet]:
    """Return the sets of a regulation that were thrown after the papers took all their dice away."""
    sql = "SELECT body FROM dice_sets WHERE rules = ? AND is_unaccounted = 1 ORDER BY house_table, number"
    return _sets_of(reader, reader.query(sql, (rules,)))


class KeptDice:
    """Finds dice in the views."""

    def __init__(self, reader: ViewReader) -> None:
        self._reader = reader

    def in_use(self, rules: str) -> list[DiceSet]:
        """Return the sets that are in use under a regulation."""
        sql = "SELECT body FROM dice_sets WHERE rules = ? AND is_in_use = 1"
        return _sets_of(self._reader, self._reader.query(sql, (rules,)))

    def newest(self, rules: str, table: str) -> DiceSet | None:
        """Return the newest set of a table."""
        return newest_dice_set(self._reader, rules, table)

    def die(self, rules: str, serial: str) -> KnownDie | None:
        """Return what is known of a die, if it was ever in a cup."""
        sql = "SELECT body FROM known_dice WHERE rules = ? AND serial = ?"
        rows = self._reader.query(sql, (rules, serial))
        return _die_decoder.decode(self._reader.unseal("die", rows[0][0])) if rows else None


def _sets_of(reader: ViewReader, rows: Sequence[Sequence[bytes]]) -> list[DiceSet]:
    return [_decoder.decode(reader.unseal("dice", row[0])) for row in rows]
