"""`passline backup`, `restore` and `rotate-key` as people run them, also while the house is served."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from threading import Thread

import httpx
import pytest
from msgspec.structs import replace

from passline.cli.main import main
from passline.store.data_folder import open_log
from passline.store.keys import load_key
from passline.store.verify import verify_log
from passline.tables.verify import decision_faults
from passline.web.startup import Settings
from tests.forks import run_passline
from tests.killed_server import Player, seated_house
from tests.postgres import PostgresServer
from tests.serving import serving
from tests.store.drafts import draft
from tests.waiting import wait_until

pytestmark = pytest.mark.long

Ran = tuple[int, str, str]


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> Ran:
    """Run a command; return its exit code, output and error output."""
    code = main([str(one) for one in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def house(tmp_path: Path) -> Path:
    log = open_log(tmp_path / "house")
    log.append([replace(draft(0), stream="invented")])
    log.close()
    return tmp_path / "house"


def test_a_key_is_made_once_and_apart_from_the_house(
    capsys: pytest.CaptureFixture[str], house: Path, tmp_path: Path
) -> None:
    key = tmp_path / "backup.key"
    code, out, _ = ran(capsys, "backup", "--new-key", key)
    assert (code, key.stat().st_mode & 0o777, len(key.read_text().strip())) == (0, 0o600, 64)
    assert "without it they cannot be read" in out
    for arguments, why in [
        (["--new-key", key], "is there already, and backups may need it"),
        (["--data", house, "--new-key", house / "backup.key"], "keep the key of backups apart from the house"),
        (["--new-key", tmp_path / "nowhere" / "k"], "there is no such folder"),
        ([], "name the FILE to write"),
        ([tmp_path / "b", "--data", house], "give either --key PATH"),
        ([tmp_path / "b", "--data", house, "--key", key, "--passphrase"], "give either --key PATH"),
        ([key, "--data", house, "--key", key], "is there already"),
    ]:
        code, _, error = ran(capsys, "backup", *arguments)
        assert (code, why in error) == (2, True), error
    key.chmod(0o644)
    code, _, error = ran(capsys, "backup", tmp_path / "b", "--data", house, "--key", key)
    assert (code, "other users of this machine can read the key of this backup" in error) == (2, True)


def test_a_house_is_backed_up_checked_and_restored_with_a_passphrase(
    capsys: pytest.CaptureFixture[str], house: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASSLINE_PASSPHRASE", "short")
    code, _, error = ran(capsys, "backup", tmp_path / "b", "--data", house, "--passphrase")
    assert (code, "at least 12 characters" in error) == (2, True)
    monkeypatch.setenv("PASSLINE_PASSPHRASE", "seven come eleven")
    code, out, _ = ran(capsys, "backup", tmp_path / "b", "--data", house, "--passphrase")
    assert (code, "2 entries and 0 secrets" in out) == (0, True)
    code, out, _ = ran(capsys, "restore", tmp_path / "b", "--check", "--passphrase")
    assert (code, "intact up to entry 2" in out) == (0, True)
    code, _, error = ran(capsys, "restore", tmp_path / "b", "--data", tmp_path / "new", "--passphrase")
    assert (code, "--reason: must be 1 to 200" in error) == (2, True)
    code, out, error = ran(
        capsys, "restore", tmp_path / "b", "--data", tmp_path / "new", "--passphrase", "--reason", "the disk died"
    )
    assert code == 0, error
    assert "restored up to entry 2" in out
    assert "what was lost since then is unknown: no --anchor was given" in out
    code, out, _ = ran(capsys, "verify", tmp_path / "new")
    assert "entry 3 records that the log was restored from a backup of entry 2" in out


def test_a_key_is_rotated_and_verify_says_so(capsys: pytest.CaptureFixture[str], house: Path) -> None:
    log = open_log(house)
    old = log.public_key.hex()
    log.close()
    code, _, error = ran(capsys, "rotate-key", "--data", house)
    assert (code, "--reason: must be 1 to 200" in error) == (2, True)
    code, out, _ = ran(capsys, "rotate-key", "--data", house, "--reason", "a laptop was stolen")
    assert (code, "the key is rotated at entry 3" in out) == (0, True)
    new = load_key(house / "log.key").public.hex()
    assert f"key {new}" in out
    assert old in out
    for key in (old, new):
        _, out, _ = ran(capsys, "verify", house, "--key", key)
        assert f"entry 3 gives the log the new key {new}" in out
        assert "a laptop was stolen" in out
        assert (f"key {new} (given)" in out) is (key == new)
        assert ("warning: entry 3 replaces the given key: whoever has the given one" in out) is (key == old)
        assert out.endswith("checked with an old key only; entry 3 replaced it\n") is (key == old)


def test_a_key_is_not_rotated_under_a_server_with_sqlite(capsys: pytest.CaptureFixture[str], house: Path) -> None:
    with serving(house):
        code, _, error = ran(capsys, "rotate-key", "--data", house, "--reason", "yearly")
    assert (code, "another server uses this folder; stop it" in error) == (2, True)
    assert not (house / "log.key.next").exists()


@pytest.mark.whole
def test_a_server_whose_log_got_a_new_key_acknowledges_nothing_more(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, postgres: PostgresServer
) -> None:
    place = ("--data", str(tmp_path / "house"), "--database", postgres.database())
    with serving(tmp_path / "house", *place[2:]) as server:
        assert ran(capsys, "rotate-key", *place, "--reason", "yearly")[0] == 0
        answer = httpx.post(f"{server.address}/api/register", json={"name": "Ann", "password": "correct horse battery"})
        assert answer.status_code == 503
        wait_until(lambda: httpx.get(f"{server.address}/health").status_code == 503)  # a finding is kept for a second
        assert "the log has a new key since entry" in httpx.get(f"{server.address}/health").json()["why"]
    with serving(tmp_path / "house", *place[2:]) as server:  # with the new key
        assert httpx.get(f"{server.address}/health").json()["status"] == "up"
    code, out, _ = ran(capsys, "verify", place[-1], "--key-file", tmp_path / "house" / "log.key")
    assert (code, "intact, and the engine reaches the same decisions" in out) == (0, True)


def test_an_export_says_that_it_is_not_a_backup(
    capsys: pytest.CaptureFixture[str], house: Path, tmp_path: Path
) -> None:
    code, out, _ = ran(capsys, "export", house, "--to", tmp_path / "log.jsonl")
    assert (code, "not a backup: see passline backup" in out) == (0, True)


def test_verify_warns_without_a_head_and_compares_with_an_anchor(
    capsys: pytest.CaptureFixture[str], house: Path, tmp_path: Path
) -> None:
    anchor = tmp_path / "heads"
    with serving(house, "--anchor", str(anchor)):
        pass
    warning = "no head given: use --head or --anchor to detect a log that was cut at its end"
    assert warning in ran(capsys, "verify", house)[1]
    _, out, _ = ran(capsys, "verify", house, "--anchor", anchor)
    assert warning not in out
    code, _, error = ran(capsys, "verify", house, "--anchor", "print:/dev/null")
    assert (code, "cannot be read back: give it with --head" in error) == (2, True)
    code, _, error = ran(capsys, "verify", house, "--anchor", tmp_path / "none")
    assert (code, "is it the anchor of this log?" in error) == (2, True)
    lines = b"".join(anchor.read_bytes().splitlines(keepends=True)[-1:])
    anchor.write_bytes(lines.replace(b'"sequence":', b'"sequence":9'))
    code, out, _ = ran(capsys, "verify", house, "--anchor", anchor)
    assert (code, "is missing: the log was cut off before it" in out) == (1, True)


def test_a_house_whose_log_was_put_back_does_not_start_until_it_is_restored(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The attack: an older copy of the whole data folder is put back. The owner's way out is recorded."""
    house, anchor, key = tmp_path / "house", tmp_path / "heads", tmp_path / "backup.key"
    with serving(house, "--anchor", str(anchor)) as server:
        assert httpx.get(f"{server.address}/health").json()["anchor"] == "kept"
        ran(capsys, "backup", "--new-key", key)
        assert ran(capsys, "backup", tmp_path / "b", "--data", house, "--key", key)[0] == 0
        registered = httpx.post(
            f"{server.address}/api/register", json={"name": "Ann", "password": "correct horse battery"}
        )
        assert registered.is_success, registered.text
    restored = ("restore", tmp_path / "b", "--data", tmp_path / "old", "--key", key, "--reason", "rehearsal")
    assert ran(capsys, *restored)[0] == 0  # without telling the anchor: as good as an older copy
    done = run_passline("serve", "--port", "0", "--data", str(tmp_path / "old"), "--anchor", str(anchor))
    assert done.returncode == 2
    assert "holds" in done.stderr
    assert "restore" in done.stderr
    restored = ("restore", tmp_path / "b", "--data", tmp_path / "new", "--key", key, "--reason", "the disk died")
    code, out, _ = ran(capsys, *restored, "--anchor", anchor)
    assert (code, "LOST: what the anchor knows up to entry" in out) == (0, True)
    with serving(tmp_path / "new", "--anchor", str(anchor)) as server:
        assert httpx.get(f"{server.address}/health").json()["status"] == "up"
    code, out, _ = ran(capsys, "verify", tmp_path / "new", "--anchor", anchor)
    assert (code, "are lost (" in out) == (0, True), out


ENOUGH = 40  # answers before a backup begins under load


def backed_up_under_load(settings: Settings, tmp_path: Path) -> tuple[list[Player], set[str], Path]:
    """Serve a house with three players and back it up meanwhile; return what was acknowledged before it began."""
    players = seated_house(settings, 3)
    key, path = tmp_path / "backup.key", tmp_path / "backup"
    where = ["--data", str(settings.data), *(["--database", settings.database] if settings.database else [])]
    assert main(["backup", "--new-key", str(key)]) == 0
    before: set[str] = set()
    with serving(settings.data, *where[2:]) as server:
        port = int(server.address.rpartition(":")[2])

        def acknowledged() -> set[str]:
            answers = (item for player in players for item in list(player.answers.items()))
            return {id_ for id_, answer in answers if answer["kind"] == "done"}

        def back_up() -> None:
            try:
                wait_until(lambda: len(acknowledged()) > ENOUGH)
                before.update(acknowledged())
                assert run_passline("backup", str(path), "--key", str(key), *where).returncode == 0
                wait_until(lambda: len(acknowledged()) > len(before))  # they went on playing meanwhile
            finally:
                server.process.terminate()

        backing = Thread(target=back_up)
        backing.start()
        asyncio.run(play(players, port))
        backing.join()
    return players, before, path


async def play(players: list[Player], port: int) -> None:
    chance = random.Random(7)
    await asyncio.gather(*(player.play(port, chance) for player in players))


@pytest.mark.whole
@pytest.mark.parametrize("kind", [pytest.param("sqlite", marks=pytest.mark.whole), "postgres"])
def test_a_house_under_load_is_backed_up_and_restored_with_everything_acknowledged_before(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    database = ""
    if kind == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        database = server.database()
    players, before, path = backed_up_under_load(Settings(tmp_path / "house", database), tmp_path)
    done = {id_ for player in players for id_, one in player.answers.items() if one["kind"] == "done"}
    assert len(before) > ENOUGH
    assert len(done) > len(before)  # they went on playing meanwhile
    options = ["--data", str(tmp_path / "new"), "--key", str(tmp_path / "backup.key"), "--reason", "rehearsal"]
    assert main(["restore", str(path), *options]) == 0
    log = open_log(tmp_path / "new")
    assert before <= {stored.entry.id for stored in log.read()}
    assert verify_log(log.rows(), log.public_key, log.head(), every_seal=True).is_intact
    assert list(decision_faults(log.read())) == []
    log.close()
    with serving(tmp_path / "new") as restored:
        answer = httpx.post(f"{restored.address}/api/log-in", json={"name": "Player 1", "password": "correct horse 1"})
        assert answer.is_success, answer.text  # credentials came back
        old = httpx.get(f"{restored.address}/api/log/head", headers={"Authorization": f"Bearer {players[0].token}"})
        assert old.status_code == 401  # sessions did not
