"""A segment of the log as a compressed file: entries of the chain without a gap, in blocks that are read one by one.

It is a sequence of gzip members, so `zcat` prints it. Each but the last is a block: a line an entry, the bytes that
were hashed, behind the seal in hexadecimal digits where the entry has one. Hashes cannot be compressed and follow from
these bytes, so they are left out. The last member is the directory: JSON, with each block's place, its entries, the
hash of the last of them, and what it has of which stream.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256

from msgspec import MsgspecError, Struct, json

from passline.store.archived.files import ArchiveFiles, NewFile
from passline.store.commit import Tip
from passline.store.entry import LogRow, chain_hash, columns_of
from passline.store.log import LogError
from passline.store.named_segments import Segment, segment_name
from passline.store.sealed import stored_of

BLOCK_BYTES = 256 << 10
"""The bytes of a block before it is compressed, but for its last entry: it is read in less than a millisecond."""
_LEVEL = 6
_UNPACKED_MAX = 64 << 20
"""The bytes of a block or a directory before it is compressed, of which no real one has half: a forged one may have
a thousand times what it takes, and is refused before memory is full."""
_GZIP = 16 + zlib.MAX_WBITS  # zlib's name for its own format with gzip's header
_SEAL_DIGITS = 128
_BLOCKS_KEPT = 32  # decompressed, in memory, of all segments together


class StreamSpan(Struct, frozen=True, array_like=True):
    """What a block or a segment has of a stream: versions and hands, from the first to the last."""

    first: int
    last: int
    first_hand: int
    last_hand: int

    @property
    def as_row(self) -> tuple[int, int, int, int]:
        """Its numbers, as a database keeps them."""
        return self.first, self.last, self.first_hand, self.last_hand

    def join(self, later: StreamSpan) -> StreamSpan:
        """Return this span and a later one of the same stream as one."""
        hands = self.first_hand, self.last_hand, later.first_hand, later.last_hand
        return StreamSpan(self.first, later.last, min(hands), max(hands))


class Block(Struct, frozen=True, kw_only=True):
    """A block of a segment: where it lies, and what is in it."""

    offset: int
    size: int
    first: int  # sequence
    last: int
    hash: str  # hex: of its last entry
    seal: str  # hex: likewise, or empty
    streams: dict[str, StreamSpan]


class IdOfEntry(Struct, frozen=True):
    """What an entry is known by, and when it was written."""

    sequence: int
    stream: str
    actor: str
    id: str
    at: str


class _SegmentWriter:
    """A segment that is being written: its blocks so far, and the one that is being gathered."""

    def __init__(self, file: NewFile, before: Tip) -> None:
        self._file, self.tip = file, before
        self.digest, self.size = sha256(), 0
        self._blocks = list[Block]()
        self._first = before.sequence + 1  # of the block that is being gathered
        self._lines, self._bytes, self._streams = list[bytes](), 0, dict[str, StreamSpan]()

    def add(self, row: LogRow) -> None:
        """Add the next row of the chain."""
        entry, tip = stored_of(row).entry, self.tip
        if entry.sequence != tip.sequence + 1 or chain_hash(tip.hash, tip.seal, row.body) != row.hash:
            raise LogError(
                f"entry {tip.sequence + 1} does not continue the one before it: run passline verify on this log; "
                "nothing was archived"
            )
        if self._bytes >= BLOCK_BYTES:
            self._end_block()
        self.tip = Tip(entry.sequence, row.hash, row.seal)
        self._lines.append(row.seal.hex().encode() + row.body)
        self._bytes += len(row.body)
        span = StreamSpan(entry.version, entry.version, entry.hand, entry.hand)
        known = self._streams.get(entry.stream)
        self._streams[entry.stream] = known.join(span) if known else span

    def end(self) -> int:
        """Write what is left and the directory; return where the directory begins."""
        if self._lines:
            self._end_block()
        if not self._blocks:
            raise LogError("there is nothing to archive")
        return self._write(json.encode(self._blocks) + b"\n")

    def _end_block(self) -> None:
        tip, offset = self.tip, self._write(b"\n".join(self._lines) + b"\n")
        self._blocks.append(
            Block(
                offset=offset,
                size=self.size - offset,
                first=self._first,
                last=tip.sequence,
                hash=tip.hash.hex(),
                seal=tip.seal.hex(),
                streams=self._streams,
            )
        )
        self._first, self._lines, self._bytes, self._streams = tip.sequence + 1, [], 0, {}

    def _write(self, text: bytes) -> int:
        """Write a member of the file; return where it begins."""
        if len(text) > _UNPACKED_MAX:
            raise LogError(
                f"entries up to {self.tip.sequence:,} have {len(text):,} bytes together, more than the "
                f"{_UNPACKED_MAX:,} that a block of a segment may have; nothing was archived: report this"
            )
        offset, packed = self.size, _pack(text)
        self._file.write(packed)
        self.digest.update(packed)
        self.size += len(packed)
        return offset


def write_segment(rows: Iterable[LogRow], before: Tip, files: ArchiveFiles, number: int) -> Segment:
    """Write a segment durably and return what the log is to say of it; `before` is the entry before its first.

    Rows that do not continue the chain are refused: what is archived can be verified.
    """
    with files.write(segment_name(number)) as file:
        writer = _SegmentWriter(file, before)
        for row in rows:
            writer.add(row)
        directory = writer.end()
    return Segment(
        number=number,
        first=before.sequence + 1,
        last=writer.tip.sequence,
        before=before.hash.hex(),
        before_seal=before.seal.hex(),
        after=writer.tip.hash.hex(),
        after_seal=writer.tip.seal.hex(),
        digest=writer.digest.hexdigest(),
        size=writer.size,
        directory=directory,
    )


def _pack(text: bytes) -> bytes:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(text) + packer.flush()


class SegmentFile:
    """A segment's file, read by its directory. What cannot be read is a LogError that says where it is."""

    def __init__(self, files: ArchiveFiles, segment: Segment) -> None:
        self.segment, self._files = segment, files

    def check_file(self) -> None:
        """Raise LogError unless the file is, byte by byte, the one that the log names."""
        digest = sha256()
        try:
            for part in self._files.parts(self.segment.name):
                digest.update(part)
        except OSError as error:
            raise LogError(self._unreadable(error.strerror or str(error))) from error
        if digest.hexdigest() != self.segment.digest:
            raise LogError(self._unreadable("is not the file that the log names by its SHA-256"))

    def blocks(self) -> tuple[Block, ...]:
        """Return the blocks of the file, in order."""
        try:
            blocks = _directory(self._files, self.segment)
            _check_places(blocks, self.segment)
        except (OSError, MsgspecError, zlib.error, EOFError, ValueError) as error:
            raise LogError(self._unreadable(f"its directory cannot be read ({error})")) from error
        return blocks

    def span(self, stream: str) -> StreamSpan | None:
        """Return what the segment has of a stream."""
        found: StreamSpan | None = None
        for block in self.blocks():
            if (part := block.streams.get(stream)) is not None:
                found = found.join(part) if found else part
        return found

    def spans(self) -> dict[str, StreamSpan]:
        """Return what the segment has of each stream."""
        names = dict.fromkeys(name for block in self.blocks() for name in block.streams)
        return {name: span for name in names if (span := self.span(name)) is not None}

    def rows(self, *, after: int = 0, until: int = 0) -> Iterator[LogRow]:
        """Yield the rows after a sequence number, up to another (0: to the end)."""
        until = until or self.segment.last
        for tip, block in self._before_each(self.blocks()):
            if block.last > after and block.first <= until:
                for row in self._block_rows(tip, block):
                    assert row.columns is not None
                    if after < row.columns[0] <= until:
                        yield row

    def stream_rows(self, stream: str, *, after: int = 0, hand: int | None = None) -> Iterator[LogRow]:
        """Yield the rows of a stream after a version, or only those of one hand."""
        for tip, block in self._before_each(self.blocks()):
            span = block.streams.get(stream)
            if span is None or span.last <= after:
                continue
            if hand is not None and not span.first_hand <= hand <= span.last_hand:
                continue
            name = stream.encode()
            for row in self._block_rows(tip, block):
                assert row.columns is not None
                _, of, version, _, _, of_hand = row.columns
                if of == name and version > after and hand in {None, of_hand}:
                    yield row

    def ids(self) -> Iterator[list[IdOfEntry]]:
        """Yield what entries are known by, those of a block together, without computing their hashes."""
        for block in self.blocks():
            try:
                lines = (
                    _unpack(self._files, self.segment.name, block.offset, block.size).removesuffix(b"\n").split(b"\n")
                )
                yield [_ids.decode(line[_digits_before(line) :]) for line in lines]
            except (OSError, MsgspecError, zlib.error, EOFError, ValueError) as error:
                raise self._changed_block(block, str(error)) from error

    def checked_rows(self) -> Iterator[LogRow]:
        """Yield all rows for somebody who verifies them: what cannot be read is a row with a fault, at its place."""
        try:
            blocks = self.blocks()
        except LogError as error:
            yield LogRow(b"", b"", b"", fault=f"cannot be read: {error}")
            return
        for tip, block in self._before_each(blocks):
            try:
                rows = list(self._block_rows(tip, block, _read_block))
            except LogError as error:
                yield LogRow(b"", b"", b"", fault=f"cannot be read: {error}")
            else:
                yield from rows

    def unchecked_rows(self) -> Iterator[LogRow]:
        """Yield all rows without their columns, which follow from their bytes; raise LogError where one is changed."""
        for tip, block in self._before_each(self.blocks()):
            yield from self._block_rows(tip, block, _bare_rows_of_block)

    def _before_each(self, blocks: Iterable[Block]) -> Iterator[tuple[Tip, Block]]:
        """Yield each block with the entry before it."""
        segment = self.segment
        tip = Tip(segment.first - 1, bytes.fromhex(segment.before), bytes.fromhex(segment.before_seal))
        for block in blocks:
            yield tip, block
            tip = Tip(block.last, bytes.fromhex(block.hash), bytes.fromhex(block.seal))

    def _block_rows(self, tip: Tip, block: Block, read: _RowsOfBlock | None = None) -> tuple[LogRow, ...]:
        try:
            rows = (read or _rows_of_block)(self._files, self.segment, tip, block.offset, block.size)
        except (OSError, zlib.error, EOFError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise self._changed_block(block, why) from error
        last = rows[-1] if rows else LogRow(b"", b"", b"")
        if (last.hash.hex(), last.seal.hex(), len(rows)) != (block.hash, block.seal, block.last - block.first + 1):
            raise self._changed_block(block, "they do not end with the hash that they had")
        return rows

    def _changed_block(self, block: Block, why: str) -> LogError:
        return LogError(self._unreadable(f"its entries {block.first:,} to {block.last:,} were changed or lost ({why})"))

    def _unreadable(self, why: str) -> str:
        segment = self.segment
        held = f"entries {segment.first:,} to {segment.last:,}"
        return f"{self._files.label(segment.name)}, which has {held}: {why}: {self._files.remedy}"


def _unpack(files: ArchiveFiles, name: str, offset: int, size: int) -> bytes:
    """Return one member of a file; raise ValueError unless it fills its place."""
    packed = files.read(name, offset, size)
    unpacker = zlib.decompressobj(_GZIP)
    text = unpacker.decompress(packed, _UNPACKED_MAX)
    if unpacker.unconsumed_tail:
        raise ValueError(f"it unpacks to more than {_UNPACKED_MAX:,} bytes: it was forged")
    if len(packed) < size or not unpacker.eof or unpacker.unused_data:
        raise ValueError("the file is cut there")
    return text


def _check_places(blocks: Sequence[Block], segment: Segment) -> None:
    """Raise ValueError unless blocks follow one another, from the segment's beginning to where its directory begins."""
    places = [0, *(block.offset + block.size for block in blocks)]
    entries = [segment.first, *(block.last + 1 for block in blocks)]
    begins = [(block.offset, block.first) for block in blocks]
    if begins != [*zip(places, entries, strict=True)][:-1] or (places[-1], entries[-1]) != (
        segment.directory,
        segment.last + 1,
    ):
        raise ValueError("its blocks do not follow one another")
    if any(block.size < 1 or block.last < block.first for block in blocks):
        raise ValueError("it has an empty block")
    for block in blocks:
        bytes.fromhex(block.hash + block.seal)


def _digits_before(line: bytes) -> int:
    """Return how many digits of a seal are before the bytes of an entry."""
    return 0 if line.startswith(b"{") else _SEAL_DIGITS


_ids = json.Decoder(IdOfEntry)


@lru_cache(maxsize=64)
def _directory(files: ArchiveFiles, segment: Segment) -> tuple[Block, ...]:
    size = segment.size - segment.directory
    return json.decode(_unpack(files, segment.name, segment.directory, size), type=tuple[Block, ...])


def _read_block(files: ArchiveFiles, segment: Segment, before: Tip, offset: int, size: int) -> tuple[LogRow, ...]:
    """Return the rows of a block with their columns."""
    rows = _bare_rows_of_block(files, segment, before, offset, size)
    try:
        return tuple([LogRow(row.body, row.hash, row.seal, columns_of(stored_of(row).entry)) for row in rows])
    except LogError as error:  # not of the database, which says itself what to do
        raise ValueError(str(error)) from error


def _bare_rows_of_block(
    files: ArchiveFiles, segment: Segment, before: Tip, offset: int, size: int
) -> tuple[LogRow, ...]:
    """Return the rows of a block with their hashes, each from the one before it."""
    rows = []
    hash_, seal = before.hash, before.seal
    for line in _unpack(files, segment.name, offset, size).removesuffix(b"\n").split(b"\n"):
        body, own_seal = line, b""
        if digits := _digits_before(line):
            body, own_seal = line[digits:], bytes.fromhex(line[:digits].decode())
        hash_ = chain_hash(hash_, seal, body)
        seal = own_seal
        rows.append(LogRow(body, hash_, seal))
    return tuple(rows)


_rows_of_block = lru_cache(maxsize=_BLOCKS_KEPT)(_read_block)
_RowsOfBlock = Callable[[ArchiveFiles, Segment, Tip, int, int], tuple[LogRow, ...]]
