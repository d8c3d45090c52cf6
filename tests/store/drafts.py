"""Drafts for tests of the log."""

from __future__ import annotations

from msgspec import Raw, json

from passline.store.entry import Draft

TABLE = "table/one"


def draft(expected: int, *, stream: str = TABLE, actor: str = "Ann", name: str = "", hand: int = 0) -> Draft:
    """Return a draft of a wager for a stream of this version; its default id is made of actor and version."""
    command = {"command": "make-wager", "seat": 1, "wager": "pass", "cents": 10_00 + expected}
    event = {"event": "wager-made/1", "seat": 1, "owner": 1, "kind": "pass", "cents": 10_00 + expected}
    return Draft(
        stream=stream,
        expected=expected,
        at=f"2026-11-15T08:{expected // 60 % 60:02}:{expected % 60:02}.000000Z",
        actor=actor,
        role="player",
        id=name or f"{actor}-{expected}",
        hand=hand,
        rules="MD/1",
        command=Raw(json.encode(command)),
        events=Raw(json.encode([event])),
    )
