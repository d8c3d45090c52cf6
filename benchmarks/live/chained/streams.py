"""A log in PostgreSQL with a chain for each stream, a prototype: writers share no lock.

A commit of a writer is a group: its entries, each chained to the one before it in its stream, and the Merkle root of
the heads that these streams have after it. The groups of a writer are a chain of their own. One sealing process reads
the groups that are new, in each writer's order, and seals a checkpoint: the Merkle root over the heads of all streams,
chained to the checkpoint before. The order of entries of different streams is that of the checkpoints.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import LiteralString

import psycopg
from msgspec import Struct, json

from passline.store.database import columns_to_write
from passline.store.entry import ZERO_HASH, Draft, Stored, chain_hash, entry_of
from passline.store.keys import SigningKey, is_signed
from passline.store.log import LogError
from passline.store.postgres_statements import Connection, Literals, data_literal, run_at_once

TOLD = "chained"
"""The channel on which a new checkpoint is told."""
_SCHEMA = """
CREATE SCHEMA chained;
CREATE TABLE chained.entries (
    stream TEXT NOT NULL, version BIGINT NOT NULL, actor TEXT NOT NULL, id TEXT NOT NULL, hand BIGINT NOT NULL,
    body BYTEA NOT NULL, hash BYTEA NOT NULL, PRIMARY KEY (stream, version), UNIQUE (stream, actor, id));
CREATE INDEX entries_by_hand ON chained.entries (stream, hand);
CREATE TABLE chained.given_up (
    stream TEXT NOT NULL, actor TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (stream, actor, id));
CREATE TABLE chained.groups (
    writer INTEGER NOT NULL, number BIGINT NOT NULL, heads BYTEA NOT NULL, hash BYTEA NOT NULL, seal BYTEA NOT NULL,
    PRIMARY KEY (writer, number));
CREATE TABLE chained.checkpoints (
    number BIGINT PRIMARY KEY, writers BYTEA NOT NULL, root BYTEA NOT NULL, hash BYTEA NOT NULL, seal BYTEA NOT NULL);
"""
_TYPES: LiteralString = """text[], bigint[], text[], text[], bigint[], bytea[], bytea[], text[], bigint[], bytea[],
    integer, bigint, bytea, bytea, bytea"""
_APPEND: LiteralString = f"""PREPARE chained_append ({_TYPES}) AS
    WITH written AS (
        INSERT INTO chained.entries SELECT new.* FROM unnest($1, $2, $3, $4, $5, $6, $7) AS new
        WHERE NOT EXISTS (SELECT FROM unnest($8, $9, $10) AS expected (name, length, last)
            WHERE length > 0 AND NOT EXISTS (SELECT FROM chained.entries
                WHERE stream = name AND version = length AND hash = last))
        AND NOT EXISTS (SELECT FROM chained.given_up JOIN unnest($1, $3, $4) AS draft (stream, actor, id)
            USING (stream, actor, id)) RETURNING 1)
    INSERT INTO chained.groups SELECT $11, $12, $13, $14, $15
    WHERE (SELECT count(*) FROM written) = cardinality($1)"""  # noqa: S608 - constants only
_SETTINGS = """SET synchronous_commit = on; SET plan_cache_mode = force_generic_plan; SET jit = off;
    SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off"""  # as PostgresLog has them


class StreamHead(Struct, frozen=True, array_like=True):
    """The end of one stream."""

    stream: str
    version: int
    hash: bytes


class Checkpoint(Struct, frozen=True):
    """A sealed Merkle root over the heads of all streams, with the groups of each writer that it covers."""

    number: int
    writers: dict[str, int]
    root: bytes
    hash: bytes
    seal: bytes


_HEADS, _WRITERS = json.Decoder(list[StreamHead]), json.Decoder(dict[str, int])


def merkle_root(heads: Iterable[StreamHead]) -> bytes:
    """Return the root of a Merkle tree over heads; leaves and nodes are told apart by their first byte.

    >>> one, two = StreamHead("a", 1, bytes(32)), StreamHead("b", 1, bytes(32))
    >>> merkle_root([one, two]) == merkle_root([two, one]), len(merkle_root([one]))
    (False, 32)
    """
    level = [sha256(b"\0" + json.encode(head)).digest() for head in heads] or [ZERO_HASH]
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [sha256(b"\1" + pair[0] + pair[1]).digest() if pair[1:] else pair[0] for pair in pairs]
    return level[0]


def _connect(url: str) -> Connection:
    connection = psycopg.connect(url, autocommit=True)
    connection.execute(_SETTINGS.encode())
    return connection


def create(url: str) -> None:
    """Create the tables."""
    with _connect(url) as connection:
        connection.execute(_SCHEMA.encode())


def _message(what: bytes, number: int, hash_: bytes) -> bytes:
    return b"passline chained " + what + b"\0" + number.to_bytes(8) + hash_


class StreamWriter:
    """One of several writers; each stream has one writer at a time, and a second one finds that its head has moved."""

    def __init__(self, url: str, writer: int, key: SigningKey, *, seals: bool) -> None:
        self._connection, self._writer, self._key, self._seals = _connect(url), writer, key, seals
        self._connection.execute(_APPEND.encode())
        self._heads: dict[str, StreamHead] = {}
        self.number, self._hash, self._seal = 0, ZERO_HASH, b""

    def append(self, drafts: Sequence[Draft]) -> list[Stored]:
        """Append drafts of one group in one round trip and one durable commit; raise LogError if it is refused."""
        heads, stored = dict(self._heads), list[Stored]()
        before = {draft.stream: heads.get(draft.stream, StreamHead(draft.stream, 0, ZERO_HASH)) for draft in drafts}
        for draft in drafts:
            head = heads.get(draft.stream, before[draft.stream])
            if draft.expected != head.version:
                raise LogError(f"{draft.stream} has {head.version} entries here, not {draft.expected}")
            body = json.encode(entry_of(draft, 0))
            hash_ = chain_hash(head.hash, b"", body)
            heads[draft.stream] = StreamHead(draft.stream, head.version + 1, hash_)
            stored.append(Stored(entry_of(draft, 0), body, hash_, b""))
        after = [heads[stream] for stream in before]
        group = chain_hash(self._hash, self._seal, merkle_root(after))
        number = self.number + 1
        seal = self._key.sign(_message(b"group %d" % self._writer, number, group)) if self._seals else b""
        made = (b"%d" % self._writer, b"%d" % number, *map(data_literal, (json.encode(after), group, seal)))
        statement = self._statement(stored, before.values(), made)
        names = Literals(self._connection).texts(sorted(before))
        locks = b"SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(%b) AS name" % names
        try:
            result = run_at_once(self._connection, locks, statement)
        except psycopg.errors.UniqueViolation as error:
            raise LogError(f"a stream or an id of {sorted(before)} was written by somebody else") from error
        if result.command_status != b"INSERT 0 1":
            raise LogError(f"a stream of {sorted(before)} is not as this writer knows it")
        self._heads, self.number, self._hash, self._seal = heads, number, group, seal
        return stored

    def _statement(self, stored: list[Stored], before: Iterable[StreamHead], group: Iterable[bytes]) -> bytes:
        literals, known = Literals(self._connection), list(before)
        _, streams, versions, actors, ids, hands, bodies, hashes, _ = zip(*map(columns_to_write, stored), strict=True)
        given = [
            *(literals.texts(streams), _numbers(versions), literals.texts(actors), literals.texts(ids)),
            *(_numbers(hands), _data(bodies), _data(hashes)),
            *(literals.texts([head.stream for head in known]), _numbers(head.version for head in known)),
            *(_data(head.hash for head in known), *group),
        ]
        return b"EXECUTE chained_append(%b)" % b", ".join(given)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class Sealer:
    """The one process that seals checkpoints over what all writers have committed."""

    def __init__(self, url: str, key: SigningKey) -> None:
        self._connection, self._key = _connect(url), key
        self._heads: dict[str, StreamHead] = {}
        self._writers: dict[str, int] = {}
        self._number, self._hash, self._seal = 0, ZERO_HASH, b""

    def seal(self) -> Checkpoint | None:
        """Seal a checkpoint over the groups that are new, and tell whoever listens; None if there is none."""
        known = json.encode(self._writers).decode()
        found = self._connection.execute(
            """SELECT writer, number, heads FROM chained.groups
               WHERE number > COALESCE((%s::jsonb ->> writer::text)::bigint, 0) ORDER BY number""",
            (known,),
        ).fetchall()
        if not found:
            return None
        for writer, number, heads in found:
            self._writers[str(writer)] = number
            self._heads.update({head.stream: head for head in _HEADS.decode(heads)})
        root = merkle_root(self._heads[name] for name in sorted(self._heads))
        hash_ = chain_hash(self._hash, self._seal, json.encode(self._writers) + root)
        self._number += 1
        seal = self._key.sign(_message(b"checkpoint", self._number, hash_))
        writers = json.encode(self._writers)
        with self._connection.transaction():
            row = (self._number, writers, root, hash_, seal)
            self._connection.execute("INSERT INTO chained.checkpoints VALUES (%s, %s, %s, %s, %s)", row)
            self._connection.execute("SELECT pg_notify(%s, %s)", (TOLD, writers.decode()))
        self._hash, self._seal = hash_, seal
        return Checkpoint(self._number, dict(self._writers), root, hash_, seal)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def verify(connection: Connection, public_key: bytes) -> str:
    """Return what is wrong with a log of chains, naming stream and version or checkpoint; nothing if it is intact."""
    ends: dict[tuple[str, int], bytes] = {}
    before: dict[str, StreamHead] = {}
    for stream, version, body, hash_ in connection.execute(
        "SELECT stream, version, body, hash FROM chained.entries ORDER BY stream, version"
    ):
        last = before.get(stream, StreamHead(stream, 0, ZERO_HASH))
        if version != last.version + 1 or chain_hash(last.hash, b"", body) != hash_:
            return f"entry {version} of {stream} does not continue entry {last.version}"
        before[stream] = StreamHead(stream, version, hash_)
        ends[stream, version] = hash_
    return _verify_checkpoints(connection, public_key, ends, before)


def _verify_checkpoints(
    connection: Connection, public_key: bytes, ends: dict[tuple[str, int], bytes], last: dict[str, StreamHead]
) -> str:
    groups = {
        (writer, number): (_HEADS.decode(heads), hash_)
        for writer, number, heads, hash_ in connection.execute("SELECT writer, number, heads, hash FROM chained.groups")
    }
    heads, covered, hash_, seal = dict[str, StreamHead](), dict[str, int](), ZERO_HASH, b""
    rows = connection.execute("SELECT number, writers, root, hash, seal FROM chained.checkpoints ORDER BY number")
    for at, (number, writers, root, found, sealed) in enumerate(rows.fetchall(), 1):
        told = _WRITERS.decode(writers)
        for writer, until in told.items():
            for group in range(covered.get(writer, 0) + 1, until + 1):
                if (int(writer), group) not in groups:
                    return f"group {group} of writer {writer} is missing, and checkpoint {number} covers it"
                for head in groups[int(writer), group][0]:
                    if ends.get((head.stream, head.version)) != head.hash:
                        return f"checkpoint {number} has an entry {head.version} of {head.stream} that is not there"
                    heads[head.stream] = head
        covered = told
        if merkle_root(heads[name] for name in sorted(heads)) != root:
            return f"the root of checkpoint {number} is not that of its heads"
        hash_ = chain_hash(hash_, seal, writers + root)
        if number != at or hash_ != found or not is_signed(_message(b"checkpoint", number, hash_), sealed, public_key):
            return f"checkpoint {number} does not continue the one before, or its seal is not valid"
        seal = sealed
    uncovered = [head for head in last.values() if heads.get(head.stream) != head]
    return f"{len(uncovered)} streams go on after the last checkpoint" if uncovered else ""


def _numbers(values: Iterable[int]) -> bytes:
    return b"ARRAY[%b]::bigint[]" % b", ".join(b"%d" % value for value in values)


def _data(values: Iterable[bytes]) -> bytes:
    return b"ARRAY[%b]::bytea[]" % b", ".join(map(data_literal, values))
