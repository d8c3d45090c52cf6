"""A real PostgreSQL server for tests, in a temporary folder and on a socket there."""

from __future__ import annotations

import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg

from tests.external_programs import program_path


class PostgresServer:
    """A running server; `database()` creates an empty database and returns its URL."""

    def __init__(self, folder: Path) -> None:
        self._binaries, self._folder = Path(program_path("initdb", package="postgresql")).resolve().parent, folder
        self._user = "postgres" if os.geteuid() == 0 else ""  # the server refuses to run as root
        if self._user:
            user = pwd.getpwnam(self._user)  # created by Debian's package
            os.chown(folder, user.pw_uid, user.pw_gid)
        self._run("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--username=passline", "--pgdata=data")

    def start(self) -> None:
        """Start the server on a socket in its folder, with fsync on."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}' -c max_connections=100"
        self._run("pg_ctl", "--pgdata=data", "--log=server.log", "--wait", f"--options={options}", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; `immediate` is like a crash."""
        self._run("pg_ctl", "--pgdata=data", "--wait", f"--mode={mode}", "stop")

    def url(self, database: str = "postgres") -> str:
        """Return the URL of a database."""
        return f"postgresql://passline@/{database}?host={self._folder}"

    def database(self) -> str:
        """Create an empty database and return its URL."""
        name = f"log_{uuid4().hex}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def process_id(self) -> int:
        """Return the process that started all others of the server."""
        return int((self._folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()[0])

    def log_text(self) -> str:
        """Return what the server has logged."""
        return (self._folder / "server.log").read_text(encoding="utf-8", errors="replace")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._binaries / program), *arguments]
        done = subprocess.run(
            command,
            cwd=self._folder,
            user=self._user or None,
            group=self._user or None,
            extra_groups=[] if self._user else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # pg_ctl's child would hold a pipe open
            stderr=subprocess.DEVNULL,
            check=False,
        )
        assert done.returncode == 0, f"{command} failed; see server.log in {self._folder}"


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Run a server for the duration of the block."""
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder:  # a socket's path must be short
        server = PostgresServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop("immediate")
