"""The folder of a closed day is made once, before somebody asks for it, and nobody else can put one in its place."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Callable
from datetime import date, timedelta
from errno import ENOSPC
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from passline.office import kept_folders
from passline.office.folder import folder_faults
from passline.office.kept_folders import KeptFolders
from passline.office.views.projections import projections_of
from passline.store.entry import Head
from passline.store.memory import MemoryLog
from passline.streams.projection import Projector
from passline.streams.projection_store import ViewStore
from passline.web.api import papers
from passline.web.api.papers import day_folder, keep_folders
from passline.web.server.services import Services
from tests.office.corrected_story import FIRST, ToldStory

_OPEN = FIRST + timedelta(days=1)
OFFICE = "practice"


@pytest.fixture(scope="module")
def told() -> ToldStory:
    """Return an office with a closed day and an open one."""
    told = ToldStory(OFFICE)
    told.tell_story([FIRST], closes=True)
    return told


@pytest.fixture
def services(told: ToldStory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Services:
    log, views = MemoryLog(), ViewStore(None, b"a key")
    told.write(log, at_once=False)
    projector = Projector(log, views, projections_of(log))
    while projector.advance(100):
        pass

    async def read(look: Callable[[ViewStore], Any]) -> tuple[Any, Any]:
        return look(views), SimpleNamespace(behind=0)

    async def scene(name: str) -> Any:  # noqa: ANN401 - what is asked of one
        return SimpleNamespace(state=told.state if name == OFFICE else SimpleNamespace(facility=None))

    monkeypatch.setattr(papers, "names_in", lambda _: {})
    monkeypatch.setattr(papers, "sound_offices", lambda: ("arizona", OFFICE))
    return cast(
        "Services",
        SimpleNamespace(
            log=log,
            documents=None,
            views=SimpleNamespace(read=read),
            offices=SimpleNamespace(scene=scene),
            clock=lambda: told.at,
            folders=KeptFolders(tmp_path / "folders", log),
            folder_turn=asyncio.Lock(),
        ),
    )


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[date]:
    """Return the days whose folders were made, from now on."""
    days: list[date] = []
    real = papers._make_folder

    async def counted(services: Services, name: str, day: date) -> bytes:
        days.append(day)
        return await real(services, name, day)

    monkeypatch.setattr(papers, "_make_folder", counted)
    return days


def _head(number: int) -> Head:
    return Head(number, f"{number:064x}", "")


def _ask(services: Services, *days: date) -> list[bytes]:
    async def ask() -> list[bytes]:
        return await asyncio.gather(*(day_folder(services, OFFICE, day) for day in days))

    return asyncio.run(ask())


def _kept(services: Services) -> list[Path]:
    place = services.folders._place
    assert place is not None
    return sorted(place.glob("*")) if place.exists() else []


def test_the_folder_of_a_closed_day_is_made_once_however_many_ask(services: Services, made: list[date]) -> None:
    first, second = _ask(services, FIRST, FIRST)
    assert [first] == [second] == _ask(services, FIRST)
    assert made == [FIRST]
    _ask(services, _OPEN)
    _ask(services, _OPEN)
    assert made == [FIRST, _OPEN, _OPEN], "a day that is open may have changed"
    assert len(_kept(services)) == 1


def test_it_is_made_before_somebody_asks(services: Services, made: list[date], tmp_path: Path) -> None:
    asyncio.run(keep_folders(services))
    asyncio.run(keep_folders(services))
    assert made == [FIRST]
    [zipped] = _ask(services, FIRST)
    assert made == [FIRST]
    with zipfile.ZipFile(io.BytesIO(zipped)) as file:
        file.extractall(tmp_path)
    assert folder_faults(tmp_path / f"{OFFICE}-{FIRST}", services.log.public_key) == []


@pytest.mark.parametrize("how", ["changed", "cut", "of another log", "of another day"])
def test_a_file_that_the_log_did_not_put_there_is_made_again(
    services: Services, made: list[date], tmp_path: Path, how: str
) -> None:
    """Attack: whoever owns the disk, without the key, puts another folder in its place."""
    [right] = _ask(services, FIRST)
    [file] = _kept(services)
    text = file.read_bytes()
    if how == "changed":
        file.write_bytes(text[:-1] + bytes([text[-1] ^ 1]))
    elif how == "cut":
        file.write_bytes(text[:20])
    elif how == "of another log":
        other = KeptFolders(tmp_path / "other", MemoryLog())
        other.keep(OFFICE, FIRST, _head(1), b"PK")
        [forged] = (tmp_path / "other").glob("*")
        file.write_bytes(forged.read_bytes())
    else:
        services.folders.keep(OFFICE, _OPEN, _head(1), b"PK")
        [other_day] = [path for path in _kept(services) if str(_OPEN) in path.name]
        file.write_bytes(other_day.read_bytes())
    assert _ask(services, FIRST) == [right]
    assert made == [FIRST, FIRST]
    assert _ask(services, FIRST) == [right]
    assert made == [FIRST, FIRST]


def test_only_the_newest_are_kept_and_none_of_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_folders, "_KEPT", 3)
    folders = KeptFolders(tmp_path, MemoryLog())
    for number in range(5):
        folders.keep(OFFICE, FIRST + timedelta(days=number), _head(number), b"PK")
    assert len([*tmp_path.glob("*")]) == 3
    last = FIRST + timedelta(days=4)
    assert folders.find(OFFICE, last, _head(4)) == b"PK"
    assert folders.find(OFFICE, last, replace(_head(4), hash="f" * 64)) is None, "a restored log closed it otherwise"
    monkeypatch.setattr(kept_folders, "this_program", lambda: SimpleNamespace(code="0" * 64))
    assert folders.find(OFFICE, last, _head(4)) is None


def test_nothing_is_kept_where_there_is_no_folder() -> None:
    folders = KeptFolders()
    folders.keep(OFFICE, FIRST, _head(1), b"PK")
    assert folders.find(OFFICE, FIRST, _head(1)) is None


def test_whoever_asks_has_it_on_a_full_disk_too(
    services: Services, made: list[date], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("passline.office.kept_folders.tempfile.mkstemp", full)
    [zipped] = _ask(services, FIRST)
    assert zipped.startswith(b"PK")
    assert _ask(services, FIRST) == [zipped]
    assert made == [FIRST, FIRST]
