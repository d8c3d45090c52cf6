"""Statements that go to PostgreSQL as they are, several in one round trip, and values written into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, LiteralString

import psycopg
from psycopg.pq import ConnStatus, Escaping, ExecStatus
from psycopg.pq.abc import PGresult

from passline.store.commit import Tip
from passline.store.database import LAST_ENTRY, columns_to_write, id_key
from passline.store.entry import Stored

Connection = psycopg.Connection[tuple[Any, ...]]
"""A connection to the log's database."""
LAST = LAST_ENTRY.format("passline.")
"""Selects the tip."""
SELECT_ROWS: LiteralString = """SELECT sequence, convert_to(stream, 'UTF8'), version, convert_to(actor, 'UTF8'),
    convert_to(id, 'UTF8'), hand, body, hash, seal FROM passline.entries """
"""Selects rows for `log_row`, with text as bytes."""
_NAMES: LiteralString = "unnest($2, $3, $4) AS draft (stream, actor, id) USING (stream, actor, id)"
_NEW: LiteralString = "unnest($2, $4, $5) AS draft (stream, actor, id) USING (stream, actor, id)"
_STATE: LiteralString = f"""SELECT last.sequence, encode(last.hash, 'hex'), encode(last.seal, 'hex'),
    (SELECT COALESCE(MIN(sequence), 1) FROM passline.entries),
    array_to_string(ARRAY(SELECT COALESCE((SELECT MAX(version) FROM passline.entries WHERE stream = name), 0)
        FROM unnest($1) WITH ORDINALITY AS names (name, place) ORDER BY place), ','),
    CASE WHEN EXISTS (SELECT FROM passline.entries JOIN {_NAMES}) THEN 1 ELSE 0 END,
    CASE WHEN EXISTS (SELECT FROM passline.given_up JOIN {_NAMES}) THEN 1 ELSE 0 END,
    CASE WHEN EXISTS (SELECT FROM passline.archived_ids WHERE key = ANY($5)) THEN 1 ELSE 0 END
    FROM (SELECT) AS none LEFT JOIN ({LAST}) AS last ON TRUE"""  # noqa: S608 - constants only
"""All that a commit is judged by, in one row; which ids are taken or given up is asked only if some are."""
PREPARE_STATE: LiteralString = f"PREPARE passline_state (text[], text[], text[], text[], bigint[]) AS {_STATE}"
"""Makes a connection know that statement."""
_APPEND: LiteralString = f"""INSERT INTO passline.entries (sequence, stream, version, actor, id, hand, body, hash, seal)
    SELECT new.* FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9) AS new
    WHERE (SELECT sequence = $10 AND hash = $11 AND seal = $12 FROM ({LAST}) AS last)
    AND (SELECT MIN(sequence) FROM passline.entries) = 1
    AND NOT EXISTS (SELECT FROM unnest($13, $14) AS expected (name, length)
        WHERE length <> COALESCE((SELECT MAX(version) FROM passline.entries WHERE stream = name), 0))
    AND NOT EXISTS (SELECT FROM passline.entries JOIN {_NEW})
    AND NOT EXISTS (SELECT FROM passline.given_up JOIN {_NEW})
    AND NOT EXISTS (SELECT FROM passline.archived_ids WHERE key = ANY($15))"""  # noqa: S608 - constants only
"""Appends entries, or none of them unless the log is as expected: tip, beginning, streams, no id taken or given up."""
PREPARE_APPEND: LiteralString = f"""PREPARE passline_append (bigint[], text[], bigint[], text[], text[], bigint[],
    bytea[], bytea[], bytea[], bigint, bytea, bytea, text[], bigint[], bigint[]) AS {_APPEND}"""
"""Makes a connection know that statement."""
LOCK_WRITER: LiteralString = "SELECT is_only FROM passline.writer FOR UPDATE"
"""Waits until nobody else writes to the log; until the transaction ends nobody else does."""
PREPARE_LOCK: LiteralString = f"PREPARE passline_lock AS {LOCK_WRITER}"
"""Makes a connection know that statement."""


def run_at_once(connection: Connection, *statements: bytes) -> PGresult:
    """Run statements in one round trip, and return the result of the last one.

    They go to libpq as they are: for what is asked thousands of times a second, preparing each statement and its
    parameters in Python took longer than the database itself.
    """
    result = connection.pgconn.exec_(b"; ".join(statements))
    if result.status not in {ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK}:
        if connection.pgconn.status == ConnStatus.BAD:
            raise psycopg.OperationalError(connection.pgconn.get_error_message())
        raise psycopg.errors.error_from_result(result)
    return result


class Literals:
    """Writes values as a connection's database reads them in a statement."""

    def __init__(self, connection: Connection) -> None:
        self._escape = Escaping(connection.pgconn).escape_literal

    def text(self, value: str) -> bytes:
        """Return a text."""
        data = value.encode()
        if b"\0" in data:
            raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
        return bytes(self._escape(data))

    def texts(self, values: Iterable[str]) -> bytes:
        """Return an array of texts."""
        return b"ARRAY[%b]::text[]" % b", ".join(map(self.text, values))

    def append(self, entries: Sequence[Stored], tip: Tip, lengths: Mapping[str, int]) -> bytes:
        """Return the statement that appends entries if the log ends with a tip, and streams have these lengths."""
        sequences, streams, versions, actors, ids, hands, *data = zip(*map(columns_to_write, entries), strict=True)
        given = [
            *(numbers_literal(sequences), self.texts(streams), numbers_literal(versions)),
            *(self.texts(actors), self.texts(ids), numbers_literal(hands)),
            *(b"ARRAY[%b]::bytea[]" % b", ".join(map(data_literal, column)) for column in data),
            *(b"%d" % tip.sequence, data_literal(tip.hash), data_literal(tip.seal)),
            *(self.texts(lengths), numbers_literal(lengths.values())),
            numbers_literal(map(id_key, streams, actors, ids)),
        ]
        return b"EXECUTE passline_append(%b)" % b", ".join(given)

    def row(self, stored: Stored) -> bytes:
        """Return the columns of an entry."""
        values: list[bytes] = []
        for value in columns_to_write(stored):
            if isinstance(value, bytes):
                values.append(data_literal(value))
            else:
                values.append(self.text(value) if isinstance(value, str) else b"%d" % value)
        return b"(%b)" % b", ".join(values)


def data_literal(value: bytes) -> bytes:
    """Return bytes as a database reads them in a statement."""
    return rb"E'\\x%b'" % value.hex().encode()


def numbers_literal(values: Iterable[int]) -> bytes:
    """Return an array of whole numbers as a database reads it in a statement."""
    return b"ARRAY[%b]::bigint[]" % b", ".join(b"%d" % value for value in values)


def bytes_of_hex_text(value: bytes | None) -> bytes:
    """Return the bytes that the database has written in hex; none for NULL."""
    return bytes.fromhex((value or b"").decode())
