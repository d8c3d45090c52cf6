"""Start a server from a data folder or a database, and set it up on the first start."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import uuid4

from msgspec import Struct

from passline.acts.documents import Documents
from passline.dice_sources import system_roll
from passline.office.kept_folders import FOLDERS, KeptFolders
from passline.office.ledgers.delivery import PaperDelivery
from passline.office.runtime import Offices, people_around
from passline.office.views import writing
from passline.office.views.projections import projections_of
from passline.people.desk import FrontDesk
from passline.people.provider.desk import ProviderDesk
from passline.provable_dice import DiceKeys
from passline.refusal import Refused
from passline.rules.rulebook_reader import unsound_regulations
from passline.store.anchors.anchors import Anchors
from passline.store.data_folder import DOCUMENTS_FOLDER, KEY_FILE, dice_secret, open_log
from passline.store.genesis import HOUSE
from passline.store.keys import load_key
from passline.store.sealed import Log
from passline.store.timestamps import utc_now
from passline.streams.commit_process import RemoteWriter
from passline.streams.course import THE_HOUSE, Ask
from passline.streams.projection_runner import LogViews, ViewsSource
from passline.streams.projection_store import VIEWS_FILE, delete_views
from passline.streams.writer import ThreadWriter, Writer
from passline.tables.commands import ElectOffice
from passline.tables.entries import HOUSE_CODEC
from passline.tables.house import fold
from passline.tables.runtime.floor import Floor
from passline.tournament.runtime import Tournaments
from passline.web.auth.proxies import is_among, proxy_networks
from passline.web.demo.casino.history import begins_at, has_room, make_history
from passline.web.demo.cup import DemoCup
from passline.web.demo.players import Demo, first_table, newcomers_regulation
from passline.web.demo.practice import PracticeCrew
from passline.web.pages.frame import regulation
from passline.web.server.clock_keeper import clock_of
from passline.web.server.gate import Gate, bounds_within, files_allowed
from passline.web.server.metrics import Metrics
from passline.web.server.screens import Screens
from passline.web.server.services import Services
from passline.web.server.tls import tls_of

PROVIDER_SECRET_FILE = "provider-secret"  # noqa: S105 - its name
"""The file of the data folder with what this house shows its identity provider, if one was agreed."""
_OFFICE_IGNORED = (
    "--office elsewhere is ignored: it is for a new house, and this one keeps its office here; an owner changes that "
    "under Set up of any office, signed by another owner, or begins a house in another folder with --data"
)


class Settings(Struct, frozen=True):
    """Where a server keeps its log, and who can use it."""

    data: Path
    database: str = ""
    is_demo: bool = False
    hosts: tuple[str, ...] = ()  # names by which it is reached, besides its addresses and localhost
    can_register: bool = True  # whether players can open accounts themselves
    pin_seconds: int = 60  # after which who moves money at a till says their PIN again; 0: never
    anchors: tuple[str, ...] = ()  # where heads of the log are kept outside its database
    proxies: tuple[str, ...] = ()  # addresses that say for whom they send a request
    tls_cert: str = ""  # the file of the certificate with its chain; empty: plain HTTP
    tls_key: str = ""
    metrics_host: str = "127.0.0.1"
    metrics_port: int = -1  # -1: metrics are served nowhere
    pace: float = 1.0  # of the demo's computer players; less than 1 is faster
    rebuild_views: bool = False  # whether what pages show of the log is made again from it
    workers: int = 1  # server processes
    rules: str = ""  # the regulation of the first table of a new house, and which pages show first
    is_office_here: bool = False  # whether a new house keeps its office here; an older one has said so itself


class Prepared(Struct, frozen=True):
    """What the first start has set up."""

    owner_token: str = ""  # of the owner's one-time link, if there is no owner yet
    table: str = ""  # the id of the table that was opened, if any
    notes: tuple[str, ...] = ()  # what the operator should know


def services_for(
    settings: Settings,
    commits: socket.socket | None = None,
    next_commits: Callable[[], Awaitable[socket.socket]] | None = None,
) -> Services:
    """Open the log and return the parts of a server. Nothing runs yet.

    `commits` leads to the process that writes; if it ends, `next_commits` to the one that takes its place.
    """
    log = open_log(settings.data, settings.database, is_demo=settings.is_demo)
    anchors = Anchors.at(log, settings.anchors, settings.data)
    anchors.check_start()
    metrics, clock = Metrics(), clock_of(log)
    is_shared = log.is_shared = bool(settings.database) or settings.workers > 1
    desk = FrontDesk(log, clock, is_demo=settings.is_demo, can_register=settings.can_register)
    keys = DiceKeys(dice_secret(settings.data), log.log_id)
    writer = (
        RemoteWriter(log, commits, metrics.count_commit, anchors.follow, next_commits)
        if commits
        else ThreadWriter(log, metrics.count_commit, anchors.follow)
    )
    floor = _floor_of(log, clock, keys, anchors=anchors, desk=desk, writer=writer)
    offices = Offices(log, floor.writer, clock, people_around(desk.latest, lambda: floor.house.approvals))
    tournaments = Tournaments(log, floor, offices, clock, keys, is_demo=settings.is_demo)
    _connect(floor, offices, tournaments)
    desk.away = offices.away
    screens = Screens(desk)
    provider = ProviderDesk(desk, log, clock, secret=_provider_secret(settings.data))
    return Services(
        log=log,
        floor=floor,
        desk=desk,
        screens=screens,
        offices=offices,
        tournaments=tournaments,
        provider=provider,
        documents=Documents(settings.data / DOCUMENTS_FOLDER),
        folders=KeptFolders(settings.data / FOLDERS, log),
        views=_views_of(settings, log),
        metrics=metrics,
        clock=clock,
        gate=_gate_of(settings, metrics),
        tls=tls_of(settings.tls_cert, settings.tls_key) if settings.tls_cert else None,
        metrics_at=(settings.metrics_host, settings.metrics_port) if settings.metrics_port >= 0 else None,
        pin_seconds=settings.pin_seconds,
        source=settings.database or str(settings.data),
        key_file=settings.data / KEY_FILE,
        rules=settings.rules,
        is_demo=settings.is_demo,
        anchors=anchors,
        anchors_at=settings.anchors,
        demo=Demo(floor, pace=settings.pace, looking=screens.accounts) if settings.is_demo else None,
        cup=DemoCup(tournaments, floor, clock, pace=settings.pace) if settings.is_demo else None,
        practice=PracticeCrew(floor, looking=screens.accounts, is_shared=is_shared, pace=settings.pace),
    )


def _provider_secret(data: Path) -> str:
    """Return what this house shows its identity provider; empty where the provider asks for none."""
    path = data / PROVIDER_SECRET_FILE
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def _floor_of(
    log: Log, clock: Callable[[], str], keys: DiceKeys, *, anchors: Anchors, desk: FrontDesk, writer: Writer
) -> Floor:
    """Return the tables of a house, with what they ask its anchors and its front desk."""
    return Floor(
        log,
        clock=clock,
        keys=keys,
        keep_head=anchors.keep if anchors else None,
        is_behind=lambda: bool(anchors.check_behind()),
        is_unanchored=lambda: bool(anchors.fault),
        employed=desk.is_employee,
        is_sole_owner=desk.is_sole_owner,
        people=desk.latest,
        is_shared=log.is_shared,
        writer=writer,
    )


def _connect(floor: Floor, offices: Offices, tournaments: Tournaments) -> None:
    """Have tables, offices and tournaments tell each other what they must know."""
    floor.clear, offices.keep = offices.clear, floor.keep
    floor.followed = _teller_of(offices, tournaments)
    papers = PaperDelivery(floor, tell=offices.ask, read=offices.events_after)
    floor.opener, offices.deliver = papers.opener, papers.deliver
    offices.meter = floor.meter
    floor.excluded = lambda account: offices.exclusions().why(account)


def _views_of(settings: Settings, log: Log) -> LogViews:
    """Return the views of a log, which a process of their own writes."""
    source = ViewsSource(writing.__name__, str(settings.data), settings.database, log.log_id)
    return LogViews(log, settings.data / VIEWS_FILE, projections_of(log), source)


def _gate_of(settings: Settings, metrics: Metrics) -> Gate:
    """Return what lets connections in, as many as there are files for."""
    proxies = proxy_networks(settings.proxies)
    return Gate(
        bounds_within(files_allowed()),
        is_proxy=lambda address: is_among(address, proxies),
        dropped=lambda reason: metrics.dropped.labels(reason).inc(),
    )


def _teller_of(offices: Offices, tournaments: Tournaments) -> Callable[[str, int], None]:
    """Return what tells offices and tournaments of entries that another process wrote."""

    def tell(stream: str, version: int) -> None:
        offices.notice(stream, version)
        tournaments.notice(stream, version)

    return tell


def prepare(settings: Settings) -> Prepared:
    """Make an owner's link if there is no owner yet, and open a first table if there is none.

    A demo needs neither: it gets a casino with a past.
    """
    begun = begins_at(utc_now()) if settings.is_demo else ""
    log = open_log(settings.data, settings.database, is_demo=settings.is_demo, at=begun)
    anchors = Anchors.at(log, settings.anchors, settings.data)
    if settings.rebuild_views:
        delete_views(settings.data / VIEWS_FILE)
    try:
        notes = [*anchors.check_start(), *anchors.notes_on(settings.data)]  # before anything is written
        if settings.is_demo and has_room(log):
            kept = Documents(settings.data / DOCUMENTS_FOLDER)
            make_history(log, load_key(settings.data / KEY_FILE), kept, system_roll)
        desk = FrontDesk(log, clock_of(log))
        desk.bind()
        link = None if settings.is_demo else desk.first_owner()
        is_new = not any(stream.startswith("table/") for stream in log.streams())
        table = asyncio.run(_open_first_table(log, settings)) if is_new and not settings.is_demo else ""
        if not settings.is_office_here and _office_of(log) == "here":
            notes.append(_OFFICE_IGNORED)
        notes += (
            f"the rulebook of {name} is left out: {str(error).splitlines()[0]}; passline rulebook check {name} "
            "tells all"
            for name, error in unsound_regulations().items()
        )
    finally:
        anchors.close()
        log.close()
    return Prepared(owner_token=link.token if link else "", table=table, notes=tuple(notes))


def _office_of(log: Log) -> str:
    """Return where the house keeps its office: here or elsewhere; empty if it never said."""
    state = None
    for stored in log.read_stream(HOUSE):
        state = fold(state, HOUSE_CODEC.events(stored.entry))
    return state.office if state else ""


async def _open_first_table(log: Log, settings: Settings) -> str:
    floor = Floor(log, clock=clock_of(log), keys=DiceKeys(dice_secret(settings.data), log.log_id))
    await floor.start()
    await floor.record_start()
    if settings.is_office_here:
        await floor.ask_house(Ask(uuid4().hex, ElectOffice(where="here"), THE_HOUSE))
    name = settings.rules or newcomers_regulation()
    table = first_table(f"{regulation(name)} 1", name, is_demo=False)
    id_, answer = await floor.open(Ask(uuid4().hex, table, THE_HOUSE))
    await floor.close()
    return "" if isinstance(answer, Refused) else id_
