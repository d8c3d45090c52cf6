"""Heads and marks for the tests of anchors."""

from passline.store.anchors.marks import Mark
from passline.store.entry import Head
from passline.store.sealed import Log


def head_of(log: Log) -> Head:
    head = log.head()
    assert head
    return head


def mark(sequence: int, *, log_id: str = "a-log", hash_: str = "", lost: str = "") -> Mark:
    return Mark(log_id, sequence, hash_ or f"{sequence:064x}", "00" * 64, "2026-11-15T08:00:00.000000Z", lost)
