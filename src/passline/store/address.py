"""Addresses of logs and of anchors: which of them is a PostgreSQL database, a server, or neither and so a file."""

from __future__ import annotations

from typing import Final

DATABASE_URL: Final = "postgresql://USER@HOST/NAME"
"""How the address of a database is written, for options and refusals."""
ANY_DATABASE: Final = "postgresql://..."
"""The same where it stands among other kinds of places."""


def is_database(text: str) -> bool:
    """Return whether a text is the address of a PostgreSQL database.

    >>> is_database("postgresql://craps@db/house"), is_database("postgres://db/house"), is_database("house/log.sqlite")
    (True, True, False)
    """
    return text.startswith(("postgresql://", "postgres://"))


def is_server(text: str) -> bool:
    """Return whether a text is the address of a server that is asked over HTTP.

    >>> is_server("https://craps.example"), is_server("postgresql://craps@db/house")
    (True, False)
    """
    return text.startswith(("http://", "https://"))


def server_name(url: str) -> str:
    """Return host, port and name of a PostgreSQL database, for people and comparisons: without user and password."""
    if not url:
        return ""
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - an extra

    parts = conninfo_to_dict(url)
    return f"{parts.get('host') or ''}:{parts.get('port') or 5432}/{parts.get('dbname') or ''}"


def printed_address(url: str) -> str:
    """Return the address of a PostgreSQL database without user and password."""
    return f"postgresql://{server_name(url)}"
