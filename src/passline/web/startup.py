"""From a data directory or a database to a running server: what is opened, and what a first start makes."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from uuid import uuid4

from msgspec import Struct

from passline.dice import OUTCOMES, Roll
from passline.game.refusal import Refused
from passline.people.desk import FrontDesk
from passline.store.data_folder import open_log
from passline.store.log import Log
from passline.store.timestamps import utc_now
from passline.streams.stream import Ask
from passline.tables.duties import THE_HOUSE
from passline.tables.runtime.floor import Floor
from passline.tables.views.log_wording import Annals
from passline.web.demo.newcomers import newcomers_regulation
from passline.web.demo.players import Demo, first_table
from passline.web.pages.frame import regulation
from passline.web.server.metrics import Metrics
from passline.web.server.screens import Screens
from passline.web.server.services import Services

__all__ = ["Prepared", "Settings", "prepare", "services_for"]


class Settings(Struct, frozen=True):
    """Where a server keeps its log, and for whom it is."""

    data: Path
    database: str = ""
    is_demo: bool = False
    hosts: tuple[str, ...] = ()  # names by which it is reached, beside its addresses and localhost
    can_register: bool = True  # whether players open accounts themselves
    pace: float = 1.0  # of a demonstration's computer players


class Prepared(Struct, frozen=True):
    """What a first start has to tell."""

    owner_token: str = ""  # of the one-time link, where there is no owner yet
    table: str = ""  # opened just now


def electronic_roll() -> Roll:
    """Throw electronic dice: the operating system's cryptographic chance, with rejection."""
    return OUTCOMES[secrets.randbelow(len(OUTCOMES))]


def services_for(settings: Settings) -> Services:
    """Open the log and put a server's parts together; nothing runs yet."""
    log = open_log(settings.data, settings.database, is_demo=settings.is_demo)
    metrics = Metrics()
    desk = FrontDesk(log, utc_now, is_demo=settings.is_demo, can_register=settings.can_register)
    floor = Floor(
        log,
        clock=utc_now,
        throw=electronic_roll,
        employed=desk.is_employee,
        is_shared=bool(settings.database),
        measured=metrics.committed,
    )
    screens = Screens(desk)
    return Services(
        log=log,
        floor=floor,
        desk=desk,
        screens=screens,
        annals=Annals(log),
        metrics=metrics,
        clock=utc_now,
        source=settings.database or str(settings.data),
        is_demo=settings.is_demo,
        demo=Demo(floor, pace=settings.pace, looking=screens.accounts) if settings.is_demo else None,
    )


def prepare(settings: Settings) -> Prepared:
    """Do once what a first start does: a link for the owner, and a table to play at."""
    log = open_log(settings.data, settings.database, is_demo=settings.is_demo)
    try:
        link = None if settings.is_demo else FrontDesk(log, utc_now).first_owner()
        is_new = not any(stream.startswith("table/") for stream in log.streams())
        table = asyncio.run(_open_first(log)) if is_new and not settings.is_demo else ""
    finally:
        log.close()
    return Prepared(owner_token=link.token if link else "", table=table)


async def _open_first(log: Log) -> str:
    floor = Floor(log, clock=utc_now, throw=electronic_roll)
    await floor.start()
    name = newcomers_regulation()
    table = first_table(f"{regulation(name)} 1", name, is_demo=False)
    id_, answer = await floor.open(Ask(uuid4().hex, table, THE_HOUSE))
    await floor.close()
    return "" if isinstance(answer, Refused) else id_
