"""A log in a SQL database, whose old entries can be archived: what SQLite and PostgreSQL each do for that."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import AbstractContextManager

from passline.store.archived.index import Archive
from passline.store.database import DatabaseReader, Query
from passline.store.sealed import Log


class DatabaseLog(DatabaseReader, Log):
    """A log in a SQL database."""

    archived: Archive
    """The archived part of the log."""

    @abstractmethod
    def archive_alone(self) -> AbstractContextManager[None]:
        """Keep every other process from archiving until the block ends; raise LogError while another one archives."""

    @abstractmethod
    def begin_archiving(self) -> AbstractContextManager[Query]:
        """Begin a transaction after which entries are archived, or rows of archived ones deleted."""
