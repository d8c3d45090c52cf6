"""How `passline verify` reads a log: by its archived segments on all processors, or in one piece."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passline.store.entry import Head
    from passline.store.log_place import LogPlace
    from passline.store.log_source import LogSource
    from passline.store.sealed import Log
    from passline.verification.segment_check import LogInParts


def read_in_parts(
    source: LogSource,
    folder: Path,
    key: bytes | None,
    heads: tuple[Head, ...],
    *,
    every_seal: bool,
    told: Callable[[int], None],
) -> tuple[LogInParts | None, str]:
    """Verify a log by its archived segments; return nothing, and in words why, where it must be read in one piece."""
    from passline.store.log import LogError
    from passline.verification.segment_check import NotInParts, verify_parts

    try:
        segments = source.segments() if source.place else []
        if not segments or source.place is None:
            return None, ""
        if every_seal:
            return None, "--every-seal reads the log in one piece"
        count = 0

        def told_all(more: int) -> None:
            nonlocal count
            count += more
            told(count)

        return verify_parts(source.place, segments, folder, key=key, heads=heads, told=told_all), ""
    except (NotInParts, LogError) as error:
        return None, f"the log was read in one piece: {error}"


def seal_archive(place: LogPlace, log: Log, told: Callable[[int], None]) -> str:
    """Verify archived segments and seal what is known after each; return in words what was done.

    `told` is called with how many entries were verified so far.
    """
    from passline.store.archived.database_log import DatabaseLog
    from passline.verification.segment_check import NotInParts, seal_states

    if not isinstance(log, DatabaseLog):
        return "no state is sealed: a log in memory has no archive"
    count = 0

    def told_all(more: int) -> None:
        nonlocal count
        count += more
        told(count)

    try:
        done = seal_states(place, log, log.archived.segments(), told_all)
    except NotInParts as error:
        return f"note: {error}"
    return f"{done:,} {'state' if done == 1 else 'states'} sealed, with which verify uses all processors"
