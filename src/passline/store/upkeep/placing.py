"""Puts a restored house into its folder, and clears away what a restoration left there that died meanwhile.

Everything is made in a folder inside the data folder, and moved from there at the end, the log last. A plan beside it
says what is moved: from it the next restoration knows that these files are no house's.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import MsgspecError, Struct, json

from passline.store.data_folder import DATABASE_FILE, MARK_FILE
from passline.store.keys import sync_folder
from passline.store.log import CommitInDoubt, LogError

__all__ = ["check_empty", "put_in_place", "take_back", "workplace"]

_PARTS = ".restoring-"
_PLAN = "placing.json"


class _Plan(Struct, frozen=True, omit_defaults=True):
    """What a restoration moves into a data folder."""

    names: tuple[str, ...]
    database: str = ""  # where the log goes, if not into the folder


def check_empty(data: Path, database: str) -> None:
    """Raise LogError unless a folder and a database have no house. What a dead restoration left is cleared away."""
    if database and _has_log(database):
        raise LogError("--database: has a log already: a backup is never restored over a house; give an empty one")
    if not data.exists():
        return
    left = sorted(data.glob(f"{_PARTS}*"))
    found = sorted(one.name for one in data.iterdir() if one not in left)
    if found and not _is_half_placed(left, set(found), database):
        raise LogError(
            f"{data}: is not empty ({', '.join(found[:5])}): a backup is never restored over a house; choose a new "
            "folder with --data, or move this one away first; if a restoration into it was cut short, passline verify "
            "says whether it is whole"
        )
    for name in found:
        _remove(data / name)
    sync_folder(data)
    for path in left:  # last, since the plans are here
        shutil.rmtree(path)


def _is_half_placed(left: list[Path], found: set[str], database: str) -> bool:
    """Return whether a folder holds only what a restoration was moving there when it died, so no house was there yet.

    With a database the log may have gone there, so that it must be the same one, which is known to have none.
    """
    plans = [plan for path in left if (plan := _plan_in(path)) is not None]
    planned = {name for plan in plans for name in plan.names}
    is_here = all(plan.database in ("", _name_of(database)) for plan in plans)
    return is_here and found <= planned and not found & {DATABASE_FILE, MARK_FILE}


def _plan_in(path: Path) -> _Plan | None:
    try:
        return json.decode((path / _PLAN).read_bytes(), type=_Plan)
    except (OSError, MsgspecError):
        return None


@contextmanager
def workplace(data: Path) -> Iterator[Path]:
    """Make a folder on the same volume as the data folder, and inside it, so that files move from there at once.

    It is removed at the end, unless it is in doubt whether the log was written: then the plan of what was moved stays
    for the next restoration, as if this process had died.
    """
    is_in_doubt = False
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = Path(tempfile.mkdtemp(prefix=_PARTS, dir=data))
    except OSError as error:
        raise LogError(f"{data}: {error.strerror}: choose a folder that this user can write to") from error
    try:
        yield folder
    except CommitInDoubt:
        is_in_doubt = True
        raise
    finally:
        if not is_in_doubt:
            shutil.rmtree(folder, ignore_errors=True)


def put_in_place(folder: Path, data: Path, database: str) -> None:
    """Move everything into the data folder, the log last: without it a server does not start."""
    path_of_log = folder / DATABASE_FILE
    if database:
        path_of_log.unlink()
    paths = sorted(folder.iterdir(), key=lambda one: (one == path_of_log, one.name))
    try:
        for path in paths:
            for file in (one for one in [path, *path.glob("*/*")] if one.is_file()):
                with file.open("rb+") as opened:
                    os.fsync(opened.fileno())
            for inner in path.glob("*/") if path.is_dir() else ():
                sync_folder(inner)
        with (folder / _PLAN).open("wb") as plan:
            plan.write(json.encode(_Plan(tuple(path.name for path in paths), _name_of(database))))
            plan.flush()
            os.fsync(plan.fileno())
        sync_folder(folder)
        for path in paths:
            path.rename(data / path.name)
        sync_folder(data)
    except OSError as error:
        raise LogError(f"{data}: {error.strerror or error}: see to the folder, then restore again") from error


def take_back(error: BaseException | None, folder: Path, data: Path, database: str) -> None:
    """Remove what was moved into a data folder after an error, unless the log is in place or may be.

    A commit in doubt may still be done when the database has answered that there is no log: the key had better stay.
    """
    plan = _plan_in(folder)
    if error is None or isinstance(error, CommitInDoubt) or plan is None or (data / DATABASE_FILE).exists():
        return
    try:
        is_there = bool(database) and _has_log(database)
    except LogError:
        return  # nobody can tell: then the key had better stay
    if not is_there:
        for name in plan.names:
            _remove(data / name)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _has_log(database: str) -> bool:
    from passline.store.postgres import has_log  # noqa: PLC0415 - needs the driver

    return has_log(database)


def _name_of(database: str) -> str:
    """Return a database's name for people and comparisons, without a password."""
    if not database:
        return ""
    from psycopg.conninfo import conninfo_to_dict  # noqa: PLC0415 - an extra

    parts = conninfo_to_dict(database)
    return f"{parts.get('host') or ''}:{parts.get('port') or 5432}/{parts.get('dbname') or ''}"
