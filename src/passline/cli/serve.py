"""`passline serve`: live tables in a browser."""

from __future__ import annotations

import gc
import ipaddress
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.web.startup import Prepared, Settings

__all__ = ["serve"]

_SETTINGS = "PASSLINE_SETTINGS"  # how a worker process learns what to serve
_STOP_SECONDS = 5
_BACKLOG = 2048
_GARBAGE_YOUNG, _GARBAGE_OLD = 2_000, 50  # tables have no cycles: few are looked through at a time, the old hardly ever
_SWITCH_SECONDS = 0.0001  # a commit in its thread waits no longer than this for the busy event loop; 5 ms by default


def serve(
    *,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for every network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for any free one.")] = 8000,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the log and its key are kept; made if it is not there.")
    ] = None,
    database: Annotated[
        str, typer.Option(metavar="URL", help="postgresql://USER@HOST/NAME, for several server processes.")
    ] = "",
    demo: Annotated[
        bool, typer.Option("--demo", help="Play money, computer players, no account needed; on this machine only.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Server processes; more than one with --database.")] = 1,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A name by which browsers reach this server; its addresses need none. Repeat it."
        ),
    ] = None,
    registration: Annotated[
        Literal["open", "closed"],
        typer.Option(help="Whether players open accounts themselves; closed: by invitation of the owner only."),
    ] = "open",
) -> None:
    """Run live tables: a lobby, tables, the crew's console and the regulator's page, in a browser."""
    _check(host, database, demo=demo, workers=workers)
    _check_installed()
    from passline.web.startup import Settings, prepare

    with _folder(data, demo=demo) as folder:
        settings = Settings(
            data=folder,
            database=database,
            is_demo=demo,
            hosts=(socket.gethostname(), *(name or ())),
            can_register=registration == "open",
        )
        with nullcontext() if database else _alone(folder):
            listening = _listen(host, port)
            prepared = prepare(settings)
            _greet(listening, settings, prepared, is_kept=data is not None or not demo)
            _run(listening, settings, workers)


def _check(host: str, database: str, *, demo: bool, workers: int) -> None:
    if demo and not _is_loopback(host):
        raise CrapsError(f"--host {host}: a demo needs no log-in, so it is for this machine only; leave --host out")
    if demo and database:
        raise CrapsError("--demo keeps its log in a folder of its own; leave --database out")
    if workers > 1 and not database:
        raise CrapsError(f"--workers {workers}: several processes share a log in PostgreSQL only; add --database URL")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _check_installed() -> None:
    try:
        import argon2  # noqa: F401
        import cryptography  # noqa: F401
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        message = (
            f"live tables need the extra `serve` ({error.name} is missing): pip install 'passline[serve]', or ./x serve"
        )
        raise CrapsError(message) from error


def _home() -> Path:
    """Where a program of this platform keeps what it must not lose."""
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
    folder = data or _home()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise CrapsError(f"--data {folder}: {error.strerror}; name a folder that this user may write into") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise CrapsError(f"--data {folder}: this user may not write there; name another folder")
    yield folder


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which a process gives back however it ends."""
    try:
        import fcntl
    except ImportError:  # elsewhere SQLite's own lock still keeps the log whole
        yield
        return
    try:
        lock = (folder / "serve.lock").open("w")
    except OSError as error:
        raise CrapsError(f"--data {folder}: {error.strerror}; name a folder that this user may write into") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            why = f"--data {folder}: another server runs on this folder; stop it, or name another folder"
            raise CrapsError(f"{why} (several servers share a log with --database postgresql://...)") from None
        yield


def _listen(host: str, port: int) -> socket.socket:
    """Bind before anything is opened, so that a port that is taken is the first thing said."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise CrapsError(f"--host {host}: {error.strerror}; give an address of this machine") from error
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
    except OSError as error:
        listening.close()
        todo = "stop what runs there, or choose another with --port" if port else "choose another with --host"
        raise CrapsError(f"--port {port}: {error.strerror} on {host}; {todo}") from error
    listening.listen(_BACKLOG)  # whoever opens the page as soon as its address is printed waits for us, unrefused
    listening.set_inheritable(True)
    return listening


def _greet(listening: socket.socket, settings: Settings, prepared: Prepared, *, is_kept: bool) -> None:
    host, port = listening.getsockname()[:2]
    shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else f"[{host}]" if ":" in host else host  # noqa: S104
    address = f"http://{shown}:{port}/"
    print(f"Passline is at {address}")
    if settings.is_demo:
        print("This is a demo: play money, computer players, and only this machine can reach it.")
    if prepared.owner_token:
        print("There is no owner yet. Become the owner once, by this link, within a day:")
        print(f"  {address}invitations/{prepared.owner_token}")
    if is_kept:
        print(f"The log is in {settings.database.rpartition('@')[2] or settings.data}. Ctrl-C stops.")
    sys.stdout.flush()


def _run(listening: socket.socket, settings: Settings, workers: int) -> None:
    import msgspec
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from passline.web.server.logs import configure_logs
    from passline.web.server.websocket_protocol import DirectProtocol

    configure_logs(is_terminal=sys.stderr.isatty())
    os.environ[_SETTINGS] = msgspec.json.encode(settings, enc_hook=str).decode()
    config = uvicorn.Config(
        "passline.cli.serve:_application",
        factory=True,
        workers=workers,
        log_config=None,
        access_log=False,
        http="httptools",
        ws=DirectProtocol,
        ws_max_size=2**17,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_STOP_SECONDS,
        server_header=False,
    )
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: None)  # uvicorn ends what it began; then it gives the signal back, for us to end
    server = uvicorn.Server(config)
    if workers > 1:
        Multiprocess(config, [listening]).run()
    else:
        server.run(sockets=[listening])
    if not server.started and workers == 1:
        raise CrapsError("the server did not start; the log above says why")


def _application() -> object:
    """Make the application of one worker process."""
    import msgspec

    from passline.web.app import create_app
    from passline.web.server.logs import configure_logs
    from passline.web.startup import Settings, services_for

    settings = msgspec.json.decode(os.environ[_SETTINGS], type=Settings, dec_hook=lambda kind, value: kind(value))
    configure_logs(is_terminal=sys.stderr.isatty())
    sys.setswitchinterval(_SWITCH_SECONDS)
    application = create_app(services_for(settings), hosts=settings.hosts)
    gc.collect()
    gc.freeze()  # what lives as long as the server is not looked through again and again while tables wait
    gc.set_threshold(_GARBAGE_YOUNG, _GARBAGE_OLD, _GARBAGE_OLD)
    return application
