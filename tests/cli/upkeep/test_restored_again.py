"""Restorations that died at any step, and that are done again: they end in a house that serves and verifies."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from itertools import count
from pathlib import Path

import httpx
import pytest
from msgspec import Struct

from passline.acts.documents import Documents
from passline.cli.main import main
from passline.game import commands as c
from passline.provable_dice import DiceKeys
from passline.store.anchors.anchors import Anchors
from passline.store.data_folder import DOCUMENTS_FOLDER, dice_secret, open_log
from passline.store.entry import Head
from passline.store.genesis import HOUSE, LogRestored, event_in
from passline.store.log import LogError
from passline.store.timestamps import utc_now
from passline.tables.runtime.floor import Floor
from tests.cli.upkeep.killed_restoration import KILLED, count_steps, run_until
from tests.postgres import PostgresServer
from tests.serving import serving
from tests.tables.running_floor import ANN, done, running

pytestmark = pytest.mark.long


class _Place(Struct, frozen=True):
    """Where a house is restored to."""

    data: Path
    database: str = ""

    @property
    def options(self) -> list[str]:
        return ["--data", str(self.data), *(["--database", self.database] if self.database else [])]


class _Case:
    """A house with a backup and an anchor that knows more, and places to restore it to."""

    def __init__(self, folder: Path, anchor: str, database: Callable[[], str] | None) -> None:
        self.folder, self.anchor, self._database = folder, anchor, database
        self.key, self._numbers = folder / "backup.key", count(1)
        assert main(["backup", "--new-key", str(self.key)]) == 0
        asyncio.run(self._make())

    async def _make(self) -> None:
        log = open_log(self.folder / "house")
        Documents(self.folder / "house" / DOCUMENTS_FOLDER).put(b"a letter")
        anchors = Anchors.at(log, [self.anchor])
        async with running(log, keys=DiceKeys(dice_secret(self.folder / "house"), log.log_id)) as (_floor, table):
            await done(table, ANN, c.AcceptDice(seat=1))
            await done(table, ANN, c.MakeWager(seat=1, wager="pass", cents=10_00))
            self.back_up("older")
            for _ in range(4):
                await done(table, ANN, c.BuyIn(seat=1, cents=100_00))
            self.back_up("newer")
            for _ in range(4):
                await done(table, ANN, c.BuyIn(seat=1, cents=100_00))
            anchors.keep(_head_of(self.folder / "house"))
        anchors.close()
        log.close()

    def back_up(self, name: str, place: _Place | None = None) -> Path:
        made = self.folder / name
        where = (place or _Place(self.folder / "house")).options
        assert main(["backup", str(made), "--key", str(self.key), *where]) == 0
        return made

    def place(self) -> _Place:
        """Return an empty place."""
        data = self.folder / f"restored-{next(self._numbers)}"
        return _Place(data, self._database() if self._database else "")

    def command(self, place: _Place, backup: str = "older") -> list[str]:
        options = ["--key", str(self.key), "--anchor", self.anchor, "--reason", "the disk died", *place.options]
        return ["restore", str(self.folder / backup), *options]

    def restore(self, place: _Place, backup: str = "older", *, kill_at: int = 0) -> int:
        arguments = self.command(place, backup)
        return run_until(arguments, place.data, kill_at) if kill_at else run_until(arguments, place.data)

    def check(self, place: _Place, capsys: pytest.CaptureFixture[str]) -> str:
        """Check that a house verifies against the anchor and may start; return what verify prints."""
        capsys.readouterr()
        where = [place.database or str(place.data), "--key-file", str(place.data / "log.key")]
        code = main(["verify", *where, "--anchor", self.anchor])
        printed = capsys.readouterr()
        assert code == 0, printed.out + printed.err
        log = open_log(place.data, place.database)
        anchors = Anchors.at(log, [self.anchor], place.data)
        assert anchors.check_start() == []
        assert anchors.newest() == log.head()
        anchors.close()
        log.close()
        return printed.out

    def play_on(self, place: _Place) -> None:
        """Play on in a restored house, whose anchor follows."""

        async def play() -> None:
            log = open_log(place.data, place.database)
            floor = Floor(log, clock=utc_now, keys=DiceKeys(dice_secret(place.data), log.log_id))
            await floor.start()
            table = await floor.table("craps-1")
            assert table is not None
            for _ in range(3):
                await done(table, ANN, c.BuyIn(seat=1, cents=100_00))
            await floor.close()
            with_anchor = Anchors.at(log, [self.anchor])
            head = log.head()
            assert head is not None
            with_anchor.keep(head)
            with_anchor.close()
            log.close()

        asyncio.run(play())


def _head_of(data: Path) -> Head:
    log = open_log(data)
    head = log.head()
    log.close()
    assert head is not None
    return head


def _records(place: _Place) -> list[LogRestored]:
    log = open_log(place.data, place.database)
    found = [one for stored in log.read_stream(HOUSE) if (one := event_in(stored.entry, LogRestored)) is not None]
    log.close()
    return found


_EACH_STORE = [("into-sqlite", "file"), ("into-postgres", "postgres")]
_MIXED = [("into-sqlite", "postgres"), ("into-postgres", "file")]


@pytest.fixture(params=["file", "postgres"])
def anchor(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An anchor of each kind that a restoration reads."""
    if request.param == "file":
        return str(tmp_path / "heads.jsonl")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.database()


@pytest.fixture(params=["into-sqlite", "into-postgres"])
def case(request: pytest.FixtureRequest, tmp_path: Path, anchor: str) -> _Case:
    """A house to restore, into either store."""
    if request.param == "into-sqlite":
        return _Case(tmp_path, anchor, None)
    server: PostgresServer = request.getfixturevalue("postgres")
    return _Case(tmp_path, anchor, server.database)


@pytest.mark.whole
@pytest.mark.parametrize(
    "share", [24, pytest.param(8, marks=pytest.mark.whole), pytest.param(1, marks=pytest.mark.sweep)]
)
@pytest.mark.parametrize(("case", "anchor"), _EACH_STORE, indirect=["case", "anchor"])
def test_a_restoration_killed_at_any_step_is_done_again_in_the_same_place(
    case: _Case, share: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them in one history of the anchor: each also replaces those that died or were done before it.

    At one step in `share` and at the last one: the steps of the two stores differ, and so do those that are tried.
    """
    first = case.place()
    steps = count_steps(case.command(first), first.data)
    case.check(first, capsys)
    assert steps >= len(list(first.data.iterdir())) + 4, "each file, and an anchor's two marks before and after"
    tried = [*range(1, steps, share), steps]
    for kill_at in tried:
        place = case.place()
        assert case.restore(place, kill_at=kill_at) == KILLED
        if case.restore(place) != 0:
            assert kill_at > steps - 2, "only a restoration that was whole is never restored over"
        case.check(place, capsys)
    [record] = _records(place)
    assert len(record.replaced) >= len(tried), "one of each time, and more where one died after the anchor was told"
    assert not [one for one in place.data.iterdir() if one.name.startswith(".restoring") and any(one.glob("*.key"))]
    _serves(case, place)


def _serves(case: _Case, place: _Place) -> None:
    database = ("--database", place.database) if place.database else ()
    with serving(place.data, "--anchor", case.anchor, *database) as server:
        health = httpx.get(f"{server.address}/health").json()
        assert (health["status"], health["anchor"]) == ("up", "kept")


@pytest.mark.whole
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in range(2, 8))])
@pytest.mark.parametrize(
    ("case", "anchor"),
    [*_EACH_STORE, *(pytest.param(*stores, marks=pytest.mark.sweep) for stores in _MIXED)],
    indirect=["case", "anchor"],
)
def test_restorations_of_older_and_newer_backups_may_follow_each_other_and_die(
    case: _Case, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of each backup, into the same place or a new one, also of a house that was itself restored and played on."""
    chance = random.Random(seed)
    backups = ["older", "newer"]
    place = case.place()
    for number in range(3):
        for _ in range(chance.choice([0, 1, 2])):
            if case.restore(place, chance.choice(backups), kill_at=chance.randint(1, 12)) == 0:
                place = case.place()  # this one was whole before that step
            elif chance.random() < 0.5:
                place = case.place()
        backup = chance.choice(backups)
        if case.restore(place, backup) != 0:
            place = case.place()
            assert case.restore(place, backup) == 0
        case.check(place, capsys)
        if chance.random() < 0.7:
            case.play_on(place)
            case.check(place, capsys)
        backups.append(case.back_up(f"again-{number}", place).name)
        last, place = place, case.place()
    _serves(case, last)


def test_what_was_lost_and_what_was_replaced_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = _Case(tmp_path, str(tmp_path / "heads.jsonl"), None)
    newest = _head_of(tmp_path / "house").sequence
    first, second = case.place(), case.place()
    assert case.restore(first) == 0
    told = _head_of(first.data).sequence
    [record] = _records(first)
    out = case.check(first, capsys)
    assert f"entries {record.sequence + 1} to {newest}, which it had vouched for, are gone" in out
    assert main(case.command(second, "newer")) == 0
    printed = capsys.readouterr().out
    assert f"LOST: what the anchor knows up to entry {newest}" in printed
    assert "replaces 1 restoration that an anchor was told of before" in printed
    out = case.check(second, capsys)
    [again] = _records(second)
    assert again.lost_sequence == newest, "not what the first restoration had reached"
    assert f"entry {again.sequence + 1} replaces a restoration that an anchor was told of at" in out
    assert f"entry {again.sequence + 1} is the restoration that an anchor was told of at" in out
    assert told != newest
    log = open_log(first.data)
    with pytest.raises(LogError, match="the log was cut or replaced"):  # two houses cannot both be right
        Anchors.at(log, [case.anchor]).check_start()
    log.close()


def test_a_half_placed_house_is_cleared_away_only_if_nobody_began_to_use_it(tmp_path: Path) -> None:
    case = _Case(tmp_path, str(tmp_path / "heads.jsonl"), None)
    whole = case.place()
    steps = count_steps(case.command(whole), whole.data)
    half = None
    for kill_at in range(steps, 0, -1):
        half = case.place()
        assert case.restore(half, kill_at=kill_at) == KILLED
        if (half.data / "log.key").exists() and not (half.data / "log.sqlite").exists():
            break
    assert half is not None
    for name in ("house.json", "notes.txt", "log.sqlite"):
        (half.data / name).write_text("{}")
        before = sorted(half.data.iterdir())
        assert main(case.command(half)) == 2
        assert sorted(half.data.iterdir()) == before, "nothing of it is touched"
        (half.data / name).unlink()
    assert main(case.command(half)) == 0
