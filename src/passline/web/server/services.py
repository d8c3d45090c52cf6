"""The parts of a server - the log, the floor, the front desk - and how a request finds them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from ssl import SSLContext
from typing import Any

from msgspec import Struct, field
from starlette.requests import HTTPConnection

from passline.acts.documents import Documents
from passline.office.kept_folders import KeptFolders
from passline.office.runtime import Offices
from passline.people.desk import FrontDesk
from passline.people.provider.desk import ProviderDesk
from passline.store.anchors.anchors import Anchors
from passline.store.sealed import Log
from passline.streams.projection_runner import LogViews
from passline.tables.runtime.floor import Floor
from passline.tournament.runtime import Tournaments
from passline.web.server.gate import Gate
from passline.web.server.loop_load import LoopLoad
from passline.web.server.metrics import Metrics
from passline.web.server.pools import Pools
from passline.web.server.screens import Screens


class Services(Struct):
    """Everything that routes call; one per process."""

    log: Log
    floor: Floor
    desk: FrontDesk
    metrics: Metrics
    clock: Callable[[], str]
    screens: Screens
    views: LogViews  # what pages show of the whole log
    offices: Offices
    tournaments: Tournaments
    provider: ProviderDesk  # log-in by the house's identity provider
    documents: Documents = field(default_factory=Documents)  # that acts of offices name
    folders: KeptFolders = field(default_factory=KeptFolders)  # of gaming days that are closed
    folder_turn: asyncio.Lock = field(default_factory=asyncio.Lock)  # to make one: it takes a processor for seconds
    file_seen: dict[str, str] = field(default_factory=dict)  # rows of the file of compliance, by key: see there
    gate: Gate = field(default_factory=Gate)
    load: LoopLoad = field(default_factory=LoopLoad)
    key_file: Path | None = None  # of the log's key, with which verify checks the vault's rows
    source: str = ""  # the log's location for `passline verify`; empty if it is in memory only
    rules: str = ""  # the regulation that the server was started for; empty: none in particular
    is_demo: bool = False
    pin_seconds: int = 60  # after which who moves money says their PIN again; 0: never
    demo: Any = None  # the computer players of a demo
    anchors: Anchors = field(default_factory=Anchors)  # heads of the log outside its database
    anchors_at: tuple[str, ...] = ()  # where these are
    pools: Pools = field(default_factory=Pools)
    practice: Any = None  # the crew of practice tables
    cup: Any = None  # the tournament of a demo, with its director and computer players
    tls: SSLContext | None = None  # None: plain HTTP
    metrics_at: tuple[str, int] | None = None  # where metrics are served; None: nowhere


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the server that a request came to."""
    services: Services = connection.app.state.services
    return services
