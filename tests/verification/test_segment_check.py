"""A log is verified by its archived segments exactly as in one piece, and whatever was changed is found as there."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import psycopg
import pytest
from msgspec import msgpack
from msgspec.structs import replace

from passline.cli.main import main
from passline.game import commands as c
from passline.provable_dice import DiceKeys
from passline.store.archived.database_log import DatabaseLog
from passline.store.archived.files import FolderFiles
from passline.store.archived.sealed_state import state_name, write_state
from passline.store.data_folder import open_log
from passline.store.entry import Head
from passline.store.export import rows_in
from passline.store.log_place import LogPlace
from passline.store.log_source import log_place
from passline.store.named_segments import Segment
from passline.store.once import OnceInPart, is_once
from passline.store.sealed import stored_of
from passline.store.upkeep.archiving import archive_entries
from passline.store.verify import verify_log
from passline.streams.image import image_of
from passline.tables.commands import Roll
from passline.tables.dice.proofs import DiceProofs
from passline.tables.views.dealt_by import DealtBy, Program, this_program
from passline.tournament.verify import log_faults
from passline.verification.reading import LogReading
from passline.verification.segment_check import (
    OTHER_ROWS,
    LogInParts,
    NotInParts,
    seal_states,
    verify_parts,
)
from tests.event_loop import asynchronous
from tests.postgres import PostgresServer
from tests.tables.running_floor import ANN, BOB, ask, done, running
from tests.tables.sitting import draft_of

_ENTRIES_IN_SEGMENT = 12
_FOREVER = "9999"


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a house whose log is archived in segments, with the entries that archived it after them."""
    data = tmp_path_factory.mktemp("archived") / "house"
    data.mkdir()
    _deal(data)
    return data


@asynchronous
async def _deal(data: Path, database: str = "") -> None:
    log = open_log(data, database)
    async with running(log, keys=DiceKeys(bytes(32), log.log_id)) as (_floor, table):
        for _ in range(5):
            if seat := table.live.game.position.offered_to:
                await done(table, (ANN, BOB)[seat - 1], c.AcceptDice(seat=seat))
            for seat, who in enumerate((ANN, BOB), start=1):
                for kind in ("field", "any_craps", "pass"):
                    await ask(table, who, c.MakeWager(seat=seat, wager=kind, cents=5_00 + 5_00 * seat))
            seat = table.live.game.position.shooter
            await done(table, (ANN, BOB)[seat - 1], Roll(seat=seat))
    archive_entries(log, _FOREVER, by="test", entries_max=_ENTRIES_IN_SEGMENT)
    log.close()


@pytest.fixture
def house(dealt: Path, tmp_path: Path) -> Path:
    """A copy of it, sealed."""
    data = tmp_path / "house"
    shutil.copytree(dealt, data)
    assert _seal(data) >= 3
    return data


def _open(data: Path, database: str = "") -> DatabaseLog:
    log = open_log(data, database)
    assert isinstance(log, DatabaseLog)
    return log


def _seal(data: Path, database: str = "") -> int:
    log = _open(data, database)
    try:
        return seal_states(log_place(data, database), log, log.archived.segments())
    finally:
        log.close()


def _segments(data: Path) -> list[Segment]:
    return log_place(data).segments()


def _state_path(data: Path, number: int) -> Path:
    return data / "archive" / state_name(number)


def _in_parts(data: Path, database: str = "", *, heads: tuple[Head, ...] = (), processes: int = 1) -> LogInParts:
    folder = data.parent / "found"
    folder.mkdir(exist_ok=True)
    place = log_place(data, database)
    return verify_parts(place, place.segments(), folder, heads=heads, processes=processes)


def _verdict(log: Path | str, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str]]:
    code = main(["verify", str(log), *arguments])
    return code, capsys.readouterr().out.splitlines()


def _without_states(data: Path, tmp_path: Path) -> Path:
    other = tmp_path / "without"
    shutil.copytree(data, other)
    for path in (other / "archive").glob("*.state"):
        path.unlink()
    return other


def _is_as_in_one_piece(data: Path, found: LogInParts, place: LogPlace | None = None) -> None:
    rows = list((place or log_place(data)).rows())
    proofs, dealt_by, owed = DiceProofs(), DealtBy(), list[str]()
    faults = list(log_faults(map(stored_of, rows), proofs, dealt_by, owed=owed))
    assert found.report == verify_log(rows)
    assert (found.faults, found.owed) == (faults, owed)
    assert found.reading.proofs == proofs
    assert image_of(found.reading.dealt_by) == image_of(dealt_by)
    others = [row.body for row in rows_in(data.parent / "found" / OTHER_ROWS)]
    assert others == [row.body for row in rows if not stored_of(row).entry.stream.startswith("table/")]


def test_a_log_is_verified_by_segments_as_in_one_piece(house: Path) -> None:
    found = _in_parts(house)
    assert found.report.is_intact
    assert found.faults == []
    _is_as_in_one_piece(house, found)


@pytest.mark.whole
def test_processes_come_to_the_same(house: Path) -> None:
    _is_as_in_one_piece(house, _in_parts(house, processes=2))


def test_the_program_says_the_same_with_states_and_without(
    house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.verification.segment_check.cores_here", lambda: 1)
    code, lines = _verdict(house, capsys)
    other, told = _verdict(_without_states(house, tmp_path), capsys)
    assert code == other == 0
    (note,) = [line for line in told if line not in lines]
    assert "no archived segment has a sealed state of this program: passline archive makes them" in note
    assert [line for line in told if line != note] == lines


def test_a_changed_state_is_named_and_the_log_is_read_in_one_piece(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _state_path(house, 2)
    state = msgpack.decode(path.read_bytes())
    state["image"] = state["image"][:-9] + bytes(9)
    path.write_bytes(msgpack.encode(state))
    code, lines = _verdict(house, capsys)
    assert code == 0
    assert "note: the log was read in one piece: archive/000002.state was changed: its seal does not hold" in lines
    path.write_bytes(b"\xc1 no state")
    with pytest.raises(NotInParts, match=r"archive/000002\.state was changed"):
        _in_parts(house)


def test_states_in_each_others_place_are_found(house: Path) -> None:
    first, second = (_state_path(house, number).read_bytes() for number in (1, 2))
    _state_path(house, 1).write_bytes(second)
    _state_path(house, 2).write_bytes(first)
    with pytest.raises(NotInParts, match=r"archive/000001\.state is of another segment than 000001\.gz"):
        _in_parts(house)


@pytest.mark.parametrize("number", [1, 2])
def test_a_state_that_an_insider_forged_is_found_though_the_log_sealed_it(house: Path, number: int) -> None:
    segments = _segments(house)
    reading = LogReading()
    reading.resume(log_place(house).read_state(segments[number - 1]).read_image())
    (live,) = reading.log._states.values()
    money = replace(live.game.money, bank=live.game.money.bank - 100_00)
    reading.log._states["table/craps-1"] = replace(live, game=replace(live.game, money=money))
    log = _open(house)
    write_state(log.archived.files, log, segments[number - 1], reading.image(), this_program().code)
    log.close()
    with pytest.raises(NotInParts, match=f"the entries of {segments[number - 1].name} do not lead to the state"):
        _in_parts(house)


def test_a_state_by_another_key_is_found(house: Path, tmp_path: Path) -> None:
    other = open_log(tmp_path / "other")
    segment = _segments(house)[0]
    image = log_place(house).read_state(segment).read_image()
    write_state(FolderFiles(house / "archive"), other, segment, image, this_program().code)
    other.close()
    with pytest.raises(NotInParts, match="sealed with another key"):
        _in_parts(house)


def test_where_states_end_the_rest_is_read_in_one_piece_and_they_are_made_again(house: Path) -> None:
    segments = _segments(house)
    for segment in segments[1:]:
        _state_path(house, segment.number).unlink()
    _is_as_in_one_piece(house, _in_parts(house))
    assert _seal(house) == len(segments) - 1
    _state_path(house, 1).unlink()
    with pytest.raises(NotInParts, match="no archived segment has a sealed state of this program"):
        _in_parts(house)


def test_a_state_of_another_program_is_left_alone_and_made_again(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.verification.segment_check.this_program", lambda: Program(code="9" * 64))
    with pytest.raises(NotInParts, match="of this program"):
        _in_parts(house)
    assert _seal(house) == len(_segments(house))
    assert _in_parts(house).report.is_intact


def test_a_changed_byte_of_an_archived_segment_is_located_as_in_one_piece(
    house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(house, changed)  # nothing was read from there yet
    path = changed / "archive" / "000003.gz"
    packed = path.read_bytes()
    path.write_bytes(packed[:300] + bytes([packed[300] ^ 1]) + packed[301:])
    monkeypatch.setattr("passline.verification.segment_check.cores_here", lambda: 1)
    other, told = _verdict(_without_states(changed, tmp_path), capsys)
    code, lines = _verdict(changed, capsys)
    assert code == other == 1
    assert [line for line in lines if "in one piece" not in line] == [
        line for line in told if "in one piece" not in line
    ]
    assert any("archive/000003.gz" in line and "were changed or lost" in line for line in lines)


def test_an_impossible_entry_is_found_in_every_way_and_no_state_is_sealed_after_it(
    dealt: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("passline.verification.segment_check.cores_here", lambda: 1)
    house = tmp_path / "house"
    shutil.copytree(dealt, house)
    log = _open(house)
    wagers = [stored.entry for stored in log.read_stream("table/craps-1") if b'"make-wager"' in stored.body]
    before = next(entry for entry in reversed(wagers) if entry.actor == BOB.account)
    forged = replace(draft_of(before), actor=ANN.account, id="forged", expected=log.streams()["table/craps-1"])
    log.append([forged])
    archive_entries(log, _FOREVER, by="test", entries_max=_ENTRIES_IN_SEGMENT)
    sealing = partial(seal_states, log_place(house), log, _segments(house))
    with pytest.raises(NotInParts, match="has faults, so that no state is sealed after it"):
        sealing()
    log.close()
    found = _in_parts(house)
    assert found.faults
    _is_as_in_one_piece(house, found)
    code, lines = _verdict(house, capsys)
    assert code == 1
    assert lines[-1].startswith("NOT INTACT")


def test_a_head_that_is_not_the_logs_is_found_by_reading_in_one_piece(house: Path) -> None:
    with pytest.raises(NotInParts, match="has faults"):
        _in_parts(house, heads=(Head(5, "00" * 32, ""),))
    row = next(log_place(house).rows(4))
    assert _in_parts(house, heads=(Head(5, row.hash.hex(), ""),)).report.is_head_given


def test_what_comes_twice_is_found_among_all_parts(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "ab"]
    for path, names in zip(paths, (range(1_000), range(1_000, 3_000)), strict=True):
        part = OnceInPart()
        for name in names:
            assert part.place_of(("id", "table/one"), ("ann", str(name)), name) == name
        part.write(path)
    assert is_once(paths)
    part = OnceInPart()
    part.place_of(("id", "table/one"), ("ann", "1777"), 1)
    part.place_of(("id", "table/two"), ("ann", "5"), 2)
    part.write(tmp_path / "c")
    assert not is_once([*paths, tmp_path / "c"])


def test_archive_verifies_what_it_packs_and_says_so(
    dealt: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "house"
    shutil.copytree(dealt, house)
    assert main(["archive", "--data", str(house)]) == 0
    count = len(_segments(house))
    assert f"{count} states sealed, with which verify uses all processors" in capsys.readouterr().out


@pytest.mark.whole
def test_a_log_in_postgresql_is_verified_by_segments_as_in_one_piece(
    postgres: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    database = postgres.database()
    _deal(tmp_path, database)
    place = log_place(tmp_path, database)
    assert main(["archive", "--data", str(tmp_path), "--database", database]) == 0
    segments = place.segments()
    assert f"{len(segments)} states sealed, with which verify uses all processors" in capsys.readouterr().out
    _is_as_in_one_piece(tmp_path, _in_parts(tmp_path, database), place)
    monkeypatch.setattr("passline.verification.segment_check.cores_here", lambda: 1)
    code, lines = _verdict(database, capsys)
    assert code == 0
    assert not [line for line in lines if "in one piece" in line]
    log = _open(tmp_path, database)
    image = place.read_state(segments[0]).read_image()
    write_state(log.archived.files, log, segments[1], image, this_program().code)
    log.close()
    with pytest.raises(NotInParts, match=r"the entries of 000002\.gz do not lead to the state"):
        _in_parts(tmp_path, database)
    with psycopg.connect(database) as connection:
        connection.execute(
            "UPDATE passline.archive_parts SET data = set_byte(data, 300, get_byte(data, 300) # 1) "
            "WHERE name = '000003.gz' AND part = 0"
        )
    code, lines = _verdict(database, capsys)
    assert code == 1
    assert any("000003.gz in the database" in line and "were changed or lost" in line for line in lines)


@pytest.mark.whole
def test_processes_read_a_log_in_postgresql_by_themselves(postgres: PostgresServer, tmp_path: Path) -> None:
    database = postgres.database()
    _deal(tmp_path, database)
    assert _seal(tmp_path, database) >= 3
    _is_as_in_one_piece(tmp_path, _in_parts(tmp_path, database, processes=2), log_place(tmp_path, database))
