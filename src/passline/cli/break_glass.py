"""`passline break-glass`: let one owner act alone for an hour, when the second one cannot be reached."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passline.errors import CrapsError

__all__ = ["break_glass"]


def break_glass(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The data folder of the house, with the log's key.")],
    *,
    reason: Annotated[str, typer.Option(help="Why two owners cannot act together; it stays in the log.")],
    database: Annotated[
        str, typer.Option(metavar="URL", help="postgresql://USER@HOST/NAME, if the log is there.")
    ] = "",
) -> None:
    """Suspend dual control for an hour. It is recorded, and `passline verify` and the owners' page show it for ever."""
    from passline.people.desk import FrontDesk
    from passline.refusal import Refused
    from passline.store.data_folder import DATABASE_FILE, KEY_FILE, open_log
    from passline.web.server.clock_keeper import clock_of

    if not (data / KEY_FILE).exists() or not (database or (data / DATABASE_FILE).exists()):
        raise CrapsError(f"{data}: is not the data folder of a house with its key; give the one that is served")
    log = open_log(data, database)
    try:
        clock = clock_of(log)  # an hour by the time of the house, whatever the system's clock was set to
        if clock.fault:
            raise CrapsError(clock.fault)
        desk = FrontDesk(log, clock)
        done = desk.break_glass(reason)
        until = desk.people().safeguards.alone_until
    finally:
        log.close()
    if isinstance(done, Refused):
        raise CrapsError(f"--reason: {done}")
    print(f"One owner may act alone until {until}. This is entry {done.sequence} of the log.")
