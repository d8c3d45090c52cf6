"""Checks the documents of a house against their digests, and against those that its log names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from passline.store.data_folder import DOCUMENTS_FOLDER
from passline.store.entry import LogRow
from passline.store.log import LogError

_NAME = re.compile(r"[0-9a-f]{2}/[0-9a-f]{62}")
_SHOWN_MAX = 5


class NamedDocument(Protocol):
    """A document that an entry of the log names."""

    @property
    def digest(self) -> str:
        """Its SHA-256, in hexadecimal."""

    @property
    def entry(self) -> int:
        """The entry's sequence."""

    @property
    def what(self) -> str:
        """For what it was filed."""


NamedDocuments = Callable[[LogRow], Iterable[NamedDocument]]
"""Finds the documents that a row names, given all rows in order: parts above the store know what an entry means."""


def no_documents(row: LogRow) -> Iterable[NamedDocument]:
    """Find none."""
    del row
    return ()


class DamagedDocument(Struct, frozen=True):
    """A document that is missing, or that is not what was stored."""

    digest: str
    found: str = ""  # the digest of what lies there; empty: nothing
    entry: int = 0  # the first that names it; 0: none
    what: str = ""  # for what

    def __str__(self) -> str:
        """What is wrong with it in words."""
        named = f", which entry {self.entry:,} names ({self.what})," if self.entry else ", which no entry names,"
        how = f"was changed after it was stored: its digest is now {self.found}" if self.found else "is missing"
        return f"document {document_name(self.digest)}{named} {how}"


def document_name(digest: str) -> str:
    """Return the name of a document in its folder: its digest, the first byte as a folder of its own.

    >>> document_name("ab" * 32)[:5]
    'ab/ab'
    """
    return f"{digest[:2]}/{digest[2:]}"


def stored_documents(data: Path) -> list[Path]:
    """Return the documents of a data folder. None is ever deleted."""
    found = (data / DOCUMENTS_FOLDER).glob("??/*")
    return sorted(path for path in found if _NAME.fullmatch(f"{path.parent.name}/{path.name}"))


class DocumentCheck:
    """The documents of a backup as they are looked at, one by one, and those among them that are damaged."""

    def __init__(self) -> None:
        self._sound = set[str]()
        self._changed = dict[str, str]()

    def take(self, name: str, data: bytes) -> bool:
        """Look at a document by its name in the folder; return whether it is what was stored."""
        if not _NAME.fullmatch(name):
            raise LogError(f"{name[:80]!r} is not the name of a document")
        digest, found = name.replace("/", ""), sha256(data).hexdigest()
        if digest == found:
            self._sound.add(digest)
        else:
            self._changed[digest] = found
        return digest == found

    def find_damaged(self, named: Iterable[NamedDocument]) -> tuple[DamagedDocument, ...]:
        """Return what is damaged: first what an entry names, in the order of the entries, then what none does."""
        firsts = dict[str, NamedDocument]()
        for document in named:
            firsts.setdefault(document.digest, document)
        lost = [
            DamagedDocument(digest, self._changed.get(digest, ""), document.entry, document.what)
            for digest, document in firsts.items()
            if digest not in self._sound
        ]
        others = sorted((digest, found) for digest, found in self._changed.items() if digest not in firsts)
        return *lost, *(DamagedDocument(digest, found) for digest, found in others)


def check_damaged(
    damaged: Iterable[DamagedDocument], leave_out: Callable[[DamagedDocument], None] | None, undone: str
) -> None:
    """Tell of damaged documents that are to be left out; without anybody to tell, raise LogError, which names them."""
    found = list(damaged)
    if found and leave_out is None:
        more = f"; and {len(found) - _SHOWN_MAX:,} more" if len(found) > _SHOWN_MAX else ""
        raise LogError(f"{'; '.join(map(str, found[:_SHOWN_MAX]))}{more}: {undone}")
    for document in found:
        assert leave_out is not None
        leave_out(document)
