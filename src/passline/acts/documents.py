"""Documents that acts of an office name by their SHA-256: files beside the log, each under its own digest.

They lie in the data folder of the house, also where the log is in PostgreSQL: servers on several machines share it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from msgspec import MsgspecError, Struct

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM, learn_office
from passline.acts.rules import OFFICE_RULES, ActRules
from passline.atomic_file import whole_file
from passline.store.entry import LogRow
from passline.store.keys import sync_folder
from passline.store.log import LogError
from passline.store.sealed import stored_of

_DIGEST = re.compile(r"[0-9a-f]{64}")
_OFFICE_MARK = f'"stream":"{OFFICE_STREAM}'.encode()


class FiledDocument(Struct, frozen=True):
    """A document that an entry of the log names."""

    digest: str
    entry: int
    what: str  # for what it was filed

    def __str__(self) -> str:
        """What it is in words."""
        return f"document {self.digest}, which entry {self.entry} names ({self.what}),"


class Documents:
    """The documents of a house; without a folder they are kept in memory only.

    >>> documents = Documents()
    >>> digest = documents.put(b"a letter")
    >>> documents.has(digest), documents.read(digest), documents.read("00" * 32)
    (True, b'a letter', None)
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._kept: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        """Store a document durably, all of it or nothing, and return its digest; one that is there stays as it is."""
        digest = sha256(data).hexdigest()
        if self._folder is None:
            self._kept[digest] = data
            return digest
        path = self._path(digest)
        try:
            if path.exists() and path.read_bytes() == data:
                return digest
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with whole_file(path) as part, part.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            sync_folder(path.parent)
            sync_folder(self._folder)
        except OSError as error:
            raise LogError(
                f"{path}: {error.strerror or error}: the document was not stored",
                public="the document could not be stored",
            ) from error
        return digest

    def has(self, digest: str) -> bool:
        """Return whether a document is there."""
        if self._folder is None or not _DIGEST.fullmatch(digest):
            return digest in self._kept
        return self._path(digest).is_file()

    def read(self, digest: str) -> bytes | None:
        """Return a document, or None if it is not there. Raise LogError if it is not what was stored."""
        if not self.has(digest):
            return None
        if self._folder is None:
            return self._kept[digest]
        try:
            data = self._path(digest).read_bytes()
        except OSError as error:
            raise LogError(
                f"{self._path(digest)}: {error.strerror or error}", public="the document cannot be read"
            ) from error
        if sha256(data).hexdigest() != digest:
            why = f"document {digest} was changed after it was stored: restore it from a backup of the data folder"
            raise LogError(why, public=why)
        return data

    def status(self, digest: str) -> Literal["stored", "missing", "changed"]:
        """Return whether a document is stored here unchanged, is missing, or was changed."""
        try:
            return "missing" if self.read(digest) is None else "stored"
        except LogError:
            return "changed"

    def filed_faults(self, filed: Iterable[FiledDocument]) -> Iterator[str]:
        """Yield every document that an entry names and that is not here as it was filed."""
        said = {"missing": "is missing", "changed": "was changed after it was filed"}
        for document in filed:
            if (status := self.status(document.digest)) in said:
                yield f"{document} {said[status]}"

    def faults(self) -> Iterator[str]:
        """Yield every document of the folder that is not what was stored."""
        for path in sorted(self._folder.glob("??/*")) if self._folder else ():
            digest = path.parent.name + path.name
            if _DIGEST.fullmatch(digest) and sha256(path.read_bytes()).hexdigest() != digest:
                yield f"document {digest} was changed after it was stored"

    def _path(self, digest: str) -> Path:
        assert self._folder is not None
        return self._folder / digest[:2] / digest[2:]


def named_documents(rules: ActRules, command: c.ActCommand) -> dict[str, str]:
    """Return the digests that a command names, each by where it stands.

    >>> from passline.acts.rules import office_of
    >>> named_documents(office_of("arizona"), c.SetValue(key="table_limit", value=4, document="ab"))
    {'document': 'ab'}
    """
    named: Mapping[str, Any] = {}
    if isinstance(command, c.SetValue):
        named = {"document": command.document}
    elif isinstance(command, c.DoAct):
        named = {**_digests(rules, command.act, command.fields), "paper.document": command.paper.get("document")}
        if (act := rules.act(command.act)) and act.batch:
            for number, line in enumerate(_lines(command.fields.get(act.batch.lines)), start=1):
                own = _digests(rules, str(line.get("act")), line.get("fields") or {})
                named |= {f"line {number}, {key}": digest for key, digest in own.items()}
    return {key: digest for key, digest in named.items() if isinstance(digest, str) and digest}


def _digests(rules: ActRules, name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    act = rules.act(name)
    return {key: given.get(key) for key, field in (act.fields if act else {}).items() if field.type == "document"}


def _lines(value: object) -> list[Mapping[str, Any]]:
    """Return the lines of a batch that can be looked at; judging it refuses the others."""
    lines = value if isinstance(value, list | tuple) else ()
    return [line for line in lines if isinstance(line, Mapping) and isinstance(line.get("fields", {}), Mapping)]


def filed_documents(rules: ActRules | None, entry: int, events: Iterable[e.ActEvent]) -> Iterator[FiledDocument]:
    """Yield the documents that the events of an entry name, under the pages that they were recorded by."""
    for event in events:
        if isinstance(event, e.ValueSet) and event.document:
            yield FiledDocument(event.document, entry, event.key.replace("_", " "))
        elif isinstance(event, e.ActDone):
            act = rules.act(event.act) if rules else None
            fields = act.fields if act else {}
            name = act.name if act else event.act
            given = [event.fields.get(key) for key, field in fields.items() if field.type == "document"]
            for digest in (*given, event.paper.get("document")):
                if digest:
                    yield FiledDocument(digest, entry, name)


class LogDocuments:
    """Finds the documents that a log names, row by row, without deciding anything again.

    >>> from passline.store.memory import MemoryLog
    >>> find = LogDocuments()
    >>> [one for row in MemoryLog().rows() for one in find(row)]
    []
    """

    def __init__(self) -> None:
        self._pages: dict[str, str] = {}  # by stream: the digest of the pages that its office is run by

    def __call__(self, row: LogRow) -> list[FiledDocument]:
        """Return the documents that the next row names; none if it is not an entry, which verifying the log finds."""
        if row.fault or _OFFICE_MARK not in row.body:  # few have it, and decoding takes long
            return []
        try:
            entry = stored_of(row).entry
            events = OFFICE_CODEC.events(entry) if entry.stream.startswith(OFFICE_STREAM) else ()
            learn_office(entry, events)
        except (LogError, MsgspecError, UnicodeDecodeError):
            return []
        found = list(filed_documents(OFFICE_RULES.find(self._pages.get(entry.stream, "")), entry.sequence, events))
        for event in events:
            if isinstance(event, e.OfficeKept):
                self._pages[entry.stream] = event.digest
        return found
