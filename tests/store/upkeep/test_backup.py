"""Backups: everything comes back, in either store; nothing is restored by halves, over a house, or silently."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from passline.store.anchors.anchors import Anchors
from passline.store.data_folder import DOCUMENTS_FOLDER, KEY_FILE, open_log
from passline.store.entry import Head
from passline.store.genesis import HOUSE, LogRestored, event_in
from passline.store.keys import load_key
from passline.store.log import CommitInDoubt, LogError, Secret
from passline.store.sealed import Log
from passline.store.upkeep import restore as restoring
from passline.store.upkeep.backup import back_up
from passline.store.upkeep.encrypted_file import FileKey, read_encrypted, write_encrypted
from passline.store.upkeep.restore import Restoration, check_backup, put_in_place, restore_backup
from passline.store.upkeep.rotation import rotate_key
from passline.store.verify import verify_log
from tests.cases import one_in
from tests.postgres import PostgresServer
from tests.postgres_proxy import Loss, postgres_proxy
from tests.store.conftest import Place
from tests.store.drafts import draft

pytestmark = pytest.mark.long

KEY = FileKey(bytes(range(32)))
NOW = "2026-11-15T08:00:00.000000Z"


def head_of(log: Log) -> Head:
    head = log.head()
    assert head
    return head


@pytest.fixture
def house(kept_place: Place) -> Place:
    """A house with entries, a password, a PIN, a session and an invitation."""
    log = kept_place.open()
    log.append([draft(0), draft(1)])
    log.append([draft(2)])
    log.vault.put(Secret("password", "one", b"\x00hash"))
    log.vault.put(Secret("pin", "two", b"1234"))
    log.vault.put(Secret("session", "three", b"Ann", expires="2026-11-16T08:00:00.000000Z"))
    log.vault.put(Secret("invitation", "four", b"Bob", expires="2026-11-16T08:00:00.000000Z"))
    return kept_place


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.whole)])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """An empty place of each kind: a backup of one store can be restored into the other."""
    if request.param == "sqlite":
        return tmp_path / "restored", ""
    server: PostgresServer = request.getfixturevalue("postgres")
    return tmp_path / "restored", server.database()


def restored_from(path: Path, data: Path, database: str = "", *anchors: str) -> Restoration:
    return restore_backup(path, KEY, data, database, by="ann", reason="the disk died", anchors=anchors)


def record_in(log: Log) -> LogRestored:
    [record] = [one for stored in log.read_stream(HOUSE) if (one := event_in(stored.entry, LogRestored)) is not None]
    return record


def test_everything_comes_back_but_what_expires(house: Place, target: tuple[Path, str], tmp_path: Path) -> None:
    log = house.open()
    backup, report = back_up(tmp_path / "backup", KEY, house.data, house.database)
    assert (backup.head, report.entries, backup.secrets) == (head_of(log), 4, 2)
    assert check_backup(tmp_path / "backup", KEY) == backup
    done = restored_from(tmp_path / "backup", *target)
    back = open_log(*target)
    assert (back.log_id, back.public_key, done.head, done.lost) == (log.log_id, log.public_key, back.head(), None)
    assert [stored.body for stored in back.read(until=4)] == [stored.body for stored in log.read(until=4)]
    report = verify_log(back.rows(), log.public_key, done.head, also=[backup.head], every_seal=True)
    assert report.is_intact
    assert [note.what for note in report.notes] == [
        "records that the log was restored from a backup of entry 4 (ann: the disk died)"
    ]
    record = record_in(back)
    assert (record.sequence, record.hash, record.backed_up) == (4, backup.head.hash, backup.at)
    found = [back.vault.get(*name, now=NOW) for name in (("password", "one"), ("pin", "two"))]
    assert [one.value for one in found if one] == [b"\x00hash", b"1234"]
    assert back.vault.get("session", "three", now=NOW) is None
    assert back.vault.get("invitation", "four", now=NOW) is None
    back.append([draft(3)])
    assert verify_log(back.rows(), log.public_key, back.head(), every_seal=True).is_intact
    assert all(file.stat().st_mode & 0o077 == 0 for file in target[0].iterdir() if file.is_file())
    back.close()


def test_documents_come_back_under_their_digests(house: Place, target: tuple[Path, str], tmp_path: Path) -> None:
    house.open()
    kept = {data: house.data / DOCUMENTS_FOLDER / _document(data) for data in (b"a letter", b"", bytes(3_000_000))}
    for data, path in kept.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (path.parent / "being-written.part").write_bytes(b"half")
    backup, _ = back_up(tmp_path / "backup", KEY, house.data, house.database)
    assert (backup.documents, check_backup(tmp_path / "backup", KEY)) == (3, backup)
    restored_from(tmp_path / "backup", *target)
    folder = target[0] / DOCUMENTS_FOLDER
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*/*")}
    assert found == {_document(data): data for data in kept}


def _document(data: bytes) -> str:
    digest = sha256(data).hexdigest()
    return f"{digest[:2]}/{digest[2:]}"


def test_nothing_of_it_can_be_read_without_the_key(house: Place, tmp_path: Path) -> None:
    back_up(tmp_path / "backup", KEY, house.data, house.database)
    whole = (tmp_path / "backup").read_bytes()
    secret = load_key(house.data / "log.key").hex().encode()
    assert not any(part in whole for part in (b"wager-made", b"hash", b"password", secret, b"table/one"))
    with pytest.raises(LogError, match="does not open it"):
        check_backup(tmp_path / "backup", FileKey(bytes(32)))


def test_a_damaged_backup_restores_nothing(house: Place, target: tuple[Path, str], tmp_path: Path) -> None:
    path = tmp_path / "backup"
    back_up(path, KEY, house.data, house.database)
    whole = path.read_bytes()
    for changed in (whole[:-1], whole[:200], whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:]):
        path.write_bytes(changed)
        with pytest.raises(LogError):
            restored_from(path, *target)
        assert not any(target[0].iterdir())
    path.write_bytes(whole)
    restored_from(path, *target)  # and it can be tried again


def test_a_backup_whose_log_was_changed_restores_nothing(house: Place, tmp_path: Path) -> None:
    """By somebody who has the backup's key, such as a bad owner; the seals are the log's own."""
    back_up(tmp_path / "backup", KEY, house.data, house.database)
    text = b"".join(read_encrypted(tmp_path / "backup", KEY))
    cut = text[: text.rstrip(b"\n").rfind(b"\n") + 1]
    for changed in (text.replace(b'"cents":1000', b'"cents":9000'), cut, text + b"{}\n"):
        with write_encrypted(tmp_path / "changed", KEY) as file:
            file.write(changed)
        with pytest.raises(LogError, match=r"entry \d|nothing was restored"):
            restored_from(tmp_path / "changed", tmp_path / "restored")
        assert not any((tmp_path / "restored").iterdir())
        (tmp_path / "changed").unlink()


def test_a_house_is_never_restored_over(house: Place, target: tuple[Path, str], tmp_path: Path) -> None:
    back_up(tmp_path / "backup", KEY, house.data, house.database)
    restored_from(tmp_path / "backup", *target)
    before = open_log(*target)
    head = head_of(before)
    for data in (target[0], tmp_path / "elsewhere") if target[1] else (target[0],):
        with pytest.raises(LogError, match="never restored over a house"):
            restored_from(tmp_path / "backup", data, target[1])
    assert before.head() == head
    before.close()


def test_a_log_with_faults_is_not_backed_up(house: Place, tmp_path: Path) -> None:
    key = house.data / "log.key"
    shutil.copy(key, tmp_path / "kept.key")
    key.write_text("11" * 32 + "\n")
    with pytest.raises(LogError, match=r"no backup was written|put it there"):
        back_up(tmp_path / "backup", KEY, house.data, house.database)
    assert not (tmp_path / "backup").exists()
    with pytest.raises(LogError, match="give the folder that passline serve uses"):
        back_up(tmp_path / "backup", KEY, tmp_path / "nowhere")


def test_the_newest_key_is_backed_up(house: Place, tmp_path: Path) -> None:
    rotate_key(house.data, house.database, by="ann", reason="yearly")
    backup, _ = back_up(tmp_path / "backup", KEY, house.data, house.database)
    restored_from(tmp_path / "backup", tmp_path / "restored")
    back = open_log(tmp_path / "restored")
    assert back.public_key == load_key(house.data / "log.key").public == bytes.fromhex(backup.public_key)
    assert verify_log(back.rows(), back.public_key, back.head(), every_seal=True).is_intact
    back.close()


def test_the_gap_to_the_anchor_is_recorded_and_the_anchor_told(
    house: Place, target: tuple[Path, str], tmp_path: Path
) -> None:
    anchor = str(tmp_path / "heads")
    log = house.open()
    back_up(tmp_path / "backup", KEY, house.data, house.database)
    log.append([draft(3)])
    log.append([draft(4)])
    newest = head_of(log)
    kept = Anchors.at(log, [anchor])
    kept.keep(newest)
    with pytest.raises(LogError, match="mount its volume"):  # an anchor that does not answer: nothing is restored
        restored_from(tmp_path / "backup", *target, str(tmp_path / "gone" / "heads"))
    assert not any(target[0].iterdir())
    done = restored_from(tmp_path / "backup", *target, anchor)
    back = open_log(*target)
    assert done.lost == record_in(back).lost_head == newest
    told = Anchors.at(back, [anchor])
    assert told.check_start() == []  # the restored house may start
    assert told.newest() == back.head() == done.head
    with pytest.raises(LogError, match="not the one that was anchored"):
        Anchors.at(log, [anchor]).check_start()  # the old one may not: two cannot both be right
    faults = verify_log(back.rows(), back.public_key, newest).faults  # who kept the lost head is told why it is gone
    assert "entry 5 records that the log was restored from a backup" in faults[0].what
    told.close()
    kept.close()
    back.close()


def test_nothing_is_lost_if_the_backup_reaches_the_anchor(house: Place, tmp_path: Path) -> None:
    log = house.open()
    kept = Anchors.at(log, [str(tmp_path / "heads")])
    kept.keep(head_of(log))
    kept.close()
    back_up(tmp_path / "backup", KEY, house.data, house.database)
    assert restored_from(tmp_path / "backup", tmp_path / "restored", "", str(tmp_path / "heads")).lost is None
    back = open_log(tmp_path / "restored")
    assert record_in(back).lost_head is None
    assert Anchors.at(back, [str(tmp_path / "heads")]).check_start() == []
    back.close()


@pytest.mark.parametrize("step", one_in(4, ["recorded", "anchors told", "in place"], others=pytest.mark.whole))
def test_a_restoration_that_is_cut_short_can_be_done_again(
    house: Place, target: tuple[Path, str], step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(tmp_path / "backup", KEY, house.data, house.database)
    anchor = str(tmp_path / "heads")

    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if step == "recorded":
            patch.setattr(Anchors, "tell_restoration", crash)
        elif step == "anchors told":
            patch.setattr(restoring, "put_in_place", crash)
        else:

            def put_and_crash(folder: Path, data: Path, database: str) -> None:
                put_in_place(folder, data, database)
                crash()

            patch.setattr(restoring, "put_in_place", put_and_crash)
        with pytest.raises(KeyboardInterrupt):
            restored_from(tmp_path / "backup", *target, anchor)
    if step == "in place" and not target[1]:
        assert open_log(target[0]).head()  # it was done
        return
    assert not any(target[0].iterdir())
    done = restored_from(tmp_path / "backup", *target, anchor)
    back = open_log(*target)
    assert back.head() == done.head
    assert Anchors.at(back, [anchor]).check_start() == []
    back.close()


@pytest.mark.parametrize("loss", one_in(4, ["answer", "request"], others=pytest.mark.whole))
def test_a_restoration_whose_commit_is_in_doubt_takes_nothing_back_and_can_be_done_again_if_it_was_lost(
    house: Place, postgres: PostgresServer, loss: Loss, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database may still write what it was asked to: a log whose key was taken back can never be served."""
    back_up(tmp_path / "backup", KEY, house.data, house.database)
    data = tmp_path / "restored"
    with postgres_proxy(postgres.database()) as (proxy, url):

        def put_and_lose(folder: Path, data: Path, database: str) -> None:
            put_in_place(folder, data, database)
            proxy.lose(loss, 1)

        with monkeypatch.context() as patch:
            patch.setattr(restoring, "put_in_place", put_and_lose)
            with pytest.raises(CommitInDoubt):
                restored_from(tmp_path / "backup", data, url)
        key = load_key(data / KEY_FILE)
        if loss == "answer":  # it was written
            with pytest.raises(LogError, match="has a log already"):
                restored_from(tmp_path / "backup", data, url)
        else:
            restored_from(tmp_path / "backup", data, url)
        back = open_log(data, url)
        assert back.public_key == key.public
        assert verify_log(back.rows(), back.public_key, back.head()).is_intact
        back.close()


def test_what_must_not_survive_ends_before_it_is_in_place(
    house: Place, target: tuple[Path, str], tmp_path: Path
) -> None:
    back_up(tmp_path / "backup", KEY, house.data, house.database)

    def after(log: Log, folder: Path) -> None:
        assert record_in(log).reason == "the disk died"
        log.append([draft(3, actor="house")])
        (folder / "dice.key").write_text("new")

    done = restore_backup(tmp_path / "backup", KEY, *target, by="ann", reason="the disk died", after=after)
    back = open_log(*target)
    assert back.head() == done.head
    assert [stored.entry.actor for stored in back.read(after=4)] == ["passline", "house"]
    assert (target[0] / "dice.key").read_text() == "new"
    back.close()
