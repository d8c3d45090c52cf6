"""A gaming day from the views in a data folder: for who reads them without a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from passline.office.kept import names_of_log
from passline.office.views.day_report import OfficePast
from passline.office.views.kept_past import kept_past
from passline.office.views.projections import projections_of
from passline.store.sealed import Log
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewsNotReady, ViewStore

__all__ = ["past_in_folder"]


@contextmanager
def past_in_folder(log: Log, data: Path, office: str, day: date) -> Iterator[OfficePast | None]:
    """Read a gaming day of an office from the views of a data folder; None unless they are as new as the log."""
    if not (data / VIEWS_FILE).exists():
        yield None
        return
    store = ViewStore(data / VIEWS_FILE, log.derive("views"))
    try:
        yield kept_past(log, store, office, day, names_of_log(log)) if _is_whole(log, store) else None
    finally:
        store.close()


def _is_whole(log: Log, store: ViewStore) -> bool:
    """Return whether everything in the log is in the views."""
    try:
        return Projector(log, store, projections_of(log)).last_applied() == log.sequence
    except ViewsNotReady:
        return False
