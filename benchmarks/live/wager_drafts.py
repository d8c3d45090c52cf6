"""Drafts of entries as a table hands them to its log: a wager that was made."""

from __future__ import annotations

from msgspec import Raw

from passline.store.entry import Draft

COMMAND = Raw(b'{"command":"make-wager","by":"player","seat":7,"wager":"place_win","number":6,"cents":1200}')
EVENTS = Raw(
    b'[{"event":"wager-made/1","after":{"seat":7,"owner":"player","kind":"place_win","number":6,"cents":1200,'
    b'"working":"","vigorish":0,"coupon":0,"pending":[],"late":false,"progress":[]},"clause":"MD-3.A.5"}]'
)


def wager_draft(stream: str, expected: int, number: int) -> Draft:
    """Return the entry of a wager, of a command with this number, after so many of its stream."""
    return Draft(
        stream=stream,
        expected=expected,
        at="2026-11-15T08:00:00.000000Z",
        actor="a1b2c3d4",
        role="player",
        id=f"command-{number}",
        hand=1,
        rules="0123456789abcdef",
        command=COMMAND,
        events=EVENTS,
    )
