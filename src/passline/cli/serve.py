"""`passline serve`: live tables in a browser."""

from __future__ import annotations

import errno
import gc
import os
import re
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from passline.cli.options.game import LISTED, complete_regulation, regulation_named
from passline.errors import CrapsError
from passline.extras import extra_for
from passline.store.address import ANY_DATABASE, DATABASE_URL

if TYPE_CHECKING:
    from passline.web.startup import Prepared, Settings
    from passline.web.workers import Parent

_HostOption = Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all networks.")]
_PortOption = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any free one.")]
_DataOption = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The folder of the log and its key; created if it is missing.")
]
_DatabaseOption = Annotated[str, typer.Option(metavar="URL", help=f"{DATABASE_URL}, for servers on several machines.")]
_DemoOption = Annotated[
    bool, typer.Option("--demo", help="Play money and computer players, without accounts; on this machine only.")
]
_WorkersOption = Annotated[
    int,
    typer.Option(
        min=1, max=64, help="Server processes; each serves some of the tables. Two to four are a good number."
    ),
]
_NameOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="A host name by which browsers reach this server. May be repeated; IP addresses need none."
    ),
]
_ProxyOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS",
        help="A proxy (or network of them) before this server; its X-Forwarded-For is believed. May be repeated.",
    ),
]
_RegistrationOption = Annotated[
    Literal["auto", "open", "closed"],
    typer.Option(
        help="open: players create accounts themselves; closed: an owner or a floorperson opens their accounts; "
        "auto: open if only this machine reaches the server, otherwise closed."
    ),
]
_PinSecondsOption = Annotated[
    int,
    typer.Option(
        min=0,
        max=3600,
        help="After how many idle seconds an act of the office or a tournament that moves money asks for the PIN "
        "again; 0: never.",
    ),
]
_AnchorOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHERE",
        help=f"Keep heads of the log outside its database: a file on another volume, {ANY_DATABASE}, https://..., "
        "or print:DEVICE. May be repeated.",
    ),
]
_TLSCertOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Serve HTTPS with this certificate and its chain, in PEM.")
]
_TLSKeyOption = Annotated[Path | None, typer.Option(metavar="FILE", help="The key of that certificate, in PEM.")]
_MetricsPortOption = Annotated[
    int | None,
    typer.Option(
        min=0, max=65535, help="Serve /metrics for Prometheus on this port; each further process takes the next."
    ),
]
_MetricsHostOption = Annotated[str, typer.Option(help="The address for metrics.")]
_OfficeOption = Annotated[
    Literal["here", "elsewhere"],
    typer.Option(help="Where a new house keeps its back office; here: tables for money open when their list is green."),
]
_RulesOption = Annotated[
    str,
    typer.Option(
        metavar="REGULATION",
        help=f"The regulation of the first table of a new house, and the one that pages show first; {LISTED}.",
        show_default="the one with the most wagers",
        autocompletion=complete_regulation,
    ),
]
_RebuildViewsOption = Annotated[
    bool, typer.Option("--rebuild-views", help="Make again from the log what pages show of it: records, search, hands.")
]
_STOP_SECONDS = 5
_BACKLOG = 2048
_HOST_NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?")
_PORT_SECONDS, _PORT_LOOK_SECONDS = 2.0, 0.05  # for a port that the processes of a killed server still hold


def serve(
    *,
    host: _HostOption = "127.0.0.1",
    port: _PortOption = 8000,
    data: _DataOption = None,
    database: _DatabaseOption = "",
    demo: _DemoOption = False,
    workers: _WorkersOption = 1,
    name: _NameOption = None,
    proxy: _ProxyOption = None,
    registration: _RegistrationOption = "auto",
    anchor: _AnchorOption = None,
    tls_cert: _TLSCertOption = None,
    tls_key: _TLSKeyOption = None,
    metrics_port: _MetricsPortOption = None,
    metrics_host: _MetricsHostOption = "127.0.0.1",
    rebuild_views: _RebuildViewsOption = False,
    office: _OfficeOption = "here",
    pin_seconds: _PinSecondsOption = 60,
    rules: _RulesOption = "",
) -> None:
    """Serve live tables to browsers: the lobby, tables, the crew's console and the regulator's page."""
    with _no_collector():
        _check_installed()
        _check(host, database, demo=demo, workers=workers)
        _check_tls(tls_cert, tls_key)
        names = tuple(map(_host_name, name or ()))
        from passline.web.auth.proxies import proxy_networks
        from passline.web.startup import Settings, prepare

        proxy_networks(proxy or ())

        with _folder(data, demo=demo) as folder:
            settings = Settings(
                data=folder,
                database=database,
                is_demo=demo,
                hosts=(socket.gethostname(), *names),
                proxies=tuple(proxy or ()),
                anchors=tuple(anchor or ()),
                can_register=_may_register(registration, host, (*names, *(proxy or ()))),
                tls_cert=str(tls_cert or ""),
                tls_key=str(tls_key or ""),
                metrics_host=metrics_host,
                metrics_port=-1 if metrics_port is None else metrics_port,
                rebuild_views=rebuild_views,
                is_office_here=office == "here",
                pin_seconds=pin_seconds,
                workers=workers,
                rules=_first_rules(rules),
            )
            with nullcontext() if database else locked_folder(folder):
                listening = listening_socket(host, port)
                if demo:
                    print(
                        "A casino with three days of history is made first, if it is not there yet; it takes seconds."
                    )
                prepared = prepare(settings)
                _greet(listening, settings, prepared, is_kept=data is not None or not demo)
                _warn(host, settings)
                _run(listening, settings)


def _check(host: str, database: str, *, demo: bool, workers: int) -> None:
    from passline.web.server.network import is_only_here

    if demo and not is_only_here(host):
        raise CrapsError(f"--host {host}: a demo has no log-in, so it serves this machine only; leave --host out")
    if demo and database:
        raise CrapsError("--demo keeps its log in its own folder; leave --database out")
    if demo and workers > 1:
        raise CrapsError(f"--workers {workers}: a demo is one process; leave --workers out")


def _first_rules(rules: str) -> str:
    """Return the regulation of the first table by its name; raise CrapsError if it is unknown or unsound."""
    from passline.rules.rulebook_reader import rulebook_of

    return rulebook_of(regulation_named(rules)).name if rules else ""


def _check_tls(certificate: Path | None, key: Path | None) -> None:
    if key is not None and certificate is None:
        raise CrapsError(f"--tls-key {key}: a key needs its certificate; add --tls-cert FILE")
    if certificate is not None:
        from passline.web.server.tls import tls_of

        tls_of(str(certificate), str(key or ""))


def _host_name(name: str) -> str:
    """Return a name by which a server is reached as requests have it; raise CrapsError if none could.

    >>> _host_name("Craps.Example.")
    'craps.example'
    """
    found = name.lower().removesuffix(".")
    if not _HOST_NAME.fullmatch(found):
        raise CrapsError(
            f"--name {name}: is not the name of a machine, such as craps.example, without https:// and port"
        )
    return found


@contextmanager
def _no_collector() -> Iterator[None]:
    """Do without the garbage collector until `avoid_pauses`: all that is loaded stays, and it would look through it."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _may_register(registration: str, host: str, names: Sequence[str]) -> bool:
    """Return whether players create accounts themselves. A host name says that others reach the server, by a proxy.

    >>> [_may_register("auto", host, names) for host, names in (("127.0.0.1", ()), ("0.0.0.0", ()), ("::1", ("a.b",)))]
    [True, False, False]
    """
    from passline.web.server.network import is_only_here

    if registration == "auto":
        return is_only_here(host) and not names
    return registration == "open"


def _check_installed() -> None:
    with extra_for("passline serve"):
        import argon2  # noqa: F401
        import cryptography  # noqa: F401
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401


def default_folder() -> Path:
    """Return the default data folder of this platform."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "passline"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "passline"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "passline"


@contextmanager
def _folder(data: Path | None, *, demo: bool) -> Iterator[Path]:
    if data is None and demo:
        with tempfile.TemporaryDirectory(prefix="passline-demo-", ignore_cleanup_errors=True) as temporary:
            yield Path(temporary)
        return
    folder = data or default_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise CrapsError(f"--data {folder}: {error.strerror}; choose a folder that this user can write to") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CrapsError(f"--data {folder}: this user cannot write there; choose another folder")
    yield folder


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which the system releases however the process ends."""
    try:
        import fcntl
    except ImportError:  # Windows; SQLite's own lock still protects the log
        yield
        return
    try:
        lock = (folder / "serve.lock").open("w")
    except OSError as error:
        raise CrapsError(f"--data {folder}: {error.strerror}; choose a folder that this user can write to") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            why = f"--data {folder}: another server uses this folder; stop it, or choose another folder"
            raise CrapsError(f"{why} (several servers share a log with --database {ANY_DATABASE})") from None
        yield


def listening_socket(host: str, port: int) -> socket.socket:
    """Bind the port before anything is opened, so that a port in use is reported first.

    The processes of a server that was killed hold the port until they see that it is gone, so it is tried for a while.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise CrapsError(f"--host {host}: {error.strerror}; use an address of this machine") from error
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        _bind(listening, address)
        listening.listen(_BACKLOG)  # connections made before the server runs wait instead of being refused
    except OSError as error:
        listening.close()
        remedy = "stop the program that uses it, or choose another --port" if port else "choose another --host"
        raise CrapsError(f"--port {port}: {error.strerror} on {host}; {remedy}") from error
    listening.set_inheritable(True)
    return listening


def _bind(listening: socket.socket, address: tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]) -> None:
    end = monotonic() + _PORT_SECONDS
    while True:
        try:
            return listening.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or monotonic() > end:
                raise
        sleep(_PORT_LOOK_SECONDS)


def _greet(listening: socket.socket, settings: Settings, prepared: Prepared, *, is_kept: bool) -> None:
    host, port = listening.getsockname()[:2]
    shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else f"[{host}]" if ":" in host else host  # noqa: S104
    address = f"{'https' if settings.tls_cert else 'http'}://{shown}:{port}/"
    print(f"Passline is at {address}")
    if settings.is_demo:
        print("This is a demo with play money and computer players; only this machine can reach it.")
    if prepared.owner_token:
        print("There is no owner yet. Open this link within a day to become the owner; it works once:")
        print(f"  {address}invitations/{prepared.owner_token}")
    for note in prepared.notes:
        print(f"Note: {note}.")
    if is_kept:
        print(f"The log is in {settings.database.rpartition('@')[2] or settings.data}. Ctrl-C stops.")
    sys.stdout.flush()


def _warn(host: str, settings: Settings) -> None:
    """Say loudly that passwords would cross a network in the clear."""
    from passline.web.server.network import is_only_here

    if is_only_here(host) or settings.tls_cert:
        return
    lines = (
        f"WARNING: {host} can be reached from other machines, and this server speaks plain HTTP.",
        "Whoever is on the way reads every password, PIN and session, and can change what is dealt and paid.",
        "Add --tls-cert FILE and --tls-key FILE, or serve --host 127.0.0.1 behind a proxy that has TLS.",
    )
    wide = max(map(len, lines))
    print(f"{'!' * wide}\n" + "\n".join(lines) + f"\n{'!' * wide}", file=sys.stderr, flush=True)


def _run(listening: socket.socket, settings: Settings) -> None:
    import uvicorn

    from passline.web.server.http_protocol import BoundedHttp
    from passline.web.server.logs import configure_logs
    from passline.web.server.service_manager import NotifyingServer
    from passline.web.server.websocket_protocol import DirectProtocol
    from passline.web.workers import run_workers

    configure_logs(is_terminal=sys.stderr.isatty())
    application = partial(_application, settings)
    config = uvicorn.Config(
        application,
        factory=True,
        log_config=None,
        access_log=False,
        http=BoundedHttp,
        ws=DirectProtocol,
        ws_max_size=2**17,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_STOP_SECONDS,
        server_header=False,
        proxy_headers=False,  # web/auth/proxies.py reads them, from named proxies only
    )
    if settings.workers > 1:
        gc.enable()  # this process only watches the others
        run_workers(config, listening, settings, application, settings.workers)
        return
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: None)  # uvicorn shuts down first and then raises the signal again
    server = NotifyingServer(config)
    server.run(sockets=[listening])
    if not server.started:
        raise CrapsError("the server did not start; the log above says why")


def _application(settings: Settings, commits: socket.socket | None = None, parent: Parent | None = None) -> object:
    """Return the application of one server process; `commits` leads to the process that writes the log, if any.

    If that ends, `parent` leads to the next one.
    """
    from passline.web.app import create_app
    from passline.web.server.beginnings import avoid_pauses
    from passline.web.server.logs import configure_logs
    from passline.web.startup import services_for

    configure_logs(is_terminal=sys.stderr.isatty())
    services = services_for(settings, commits, parent.next_commits if parent else None)
    application = create_app(services, hosts=settings.hosts, proxies=settings.proxies)
    avoid_pauses()
    return application
