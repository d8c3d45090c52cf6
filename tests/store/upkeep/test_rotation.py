"""A new key for a log: both keys sign it, verify follows it, and a crash in the middle is recovered from."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import json

from passline.store import keys
from passline.store.authentic_vault import ROWS_PURPOSE, AuthenticVault, is_authentic
from passline.store.entry import LogRow, chain_hash, entry_of, head_message
from passline.store.genesis import KeyRotated, rotation_draft
from passline.store.keys import SigningKey, load_key
from passline.store.log import LogChanged, LogError, Secret, Snapshot
from passline.store.memory import MemoryLog
from passline.store.sealed import Log
from passline.store.upkeep.rotation import rotate_key
from passline.store.verify import verify_log
from tests.cases import one_in
from tests.store.conftest import Place
from tests.store.drafts import draft

WHY = "the machine of the old key was sold"


def rotate(place: Place) -> None:
    rotate_key(place.data, place.database, by="ann", reason=WHY)


@pytest.fixture
def kept(kept_place: Place) -> Place:
    """A place with a log that has an entry."""
    log = kept_place.open()
    log.append([draft(0)])
    log.close()
    return kept_place


def test_seals_after_a_rotation_are_by_the_new_key_and_verify_follows(kept: Place) -> None:
    path = kept.data / "log.key"
    public = [load_key(path).public]
    for index in (1, 2):
        rotate(kept)
        public.append(load_key(path).public)
        log = kept.open()
        assert log.public_key == public[-1]
        log.append([draft(index)])
        assert verify_log(log.rows(), public[-1], log.head(), every_seal=True).is_intact
    assert len(set(public)) == 3
    for key in (*public, None):  # the first, the newest, or any in between
        report = verify_log(log.rows(), key, log.head(), every_seal=True)
        assert (report.faults, report.public_key) == ((), public[-1].hex())
        assert [note.what.split(",")[0] for note in report.notes] == [
            f"gives the log the new key {key.hex()}" for key in public[1:]
        ]
        assert all(WHY in note.what for note in report.notes)
    assert [load_key(kept.data / f"log.key.{number}").public for number in (1, 2)] == public[:2]
    assert verify_log(log.rows(), SigningKey.new().public).faults
    last = [*log.rows()][-1]
    assert keys.is_signed(head_message(log.log_id, 6, last.hash), last.seal, public[-1])


def test_a_log_that_ends_with_its_rotation_opens(kept: Place) -> None:
    rotate(kept)
    log = kept.open()
    assert verify_log(log.rows(), log.public_key, log.head(), every_seal=True).is_intact
    log.check()
    log.append([draft(1)])
    kept.open().check()


def test_a_running_server_stops_acknowledging_when_the_key_is_rotated(kept: Place) -> None:
    """With the old key it would seal entries that verify refuses."""
    server, other = kept.open(), kept.open()
    before = server.head()
    assert before
    rotate(kept)
    for _ in range(2):  # and it stays so
        with pytest.raises(LogChanged, match=rf"new key since entry {before.sequence + 1} \(rotated by ann: {WHY}\)"):
            server.append([draft(1)])
    with pytest.raises(LogChanged, match="has the old one"):
        other.check()
    again = kept.open()
    again.append([draft(1)])
    assert verify_log(again.rows(), again.public_key, again.head(), every_seal=True).is_intact


def test_a_server_with_the_old_key_file_does_not_start(kept: Place) -> None:
    old = (kept.data / "log.key").read_text()
    rotate(kept)
    (kept.data / "log.key").write_text(old)
    with pytest.raises(LogError, match="put the log's own key file here"):
        kept.open()


@pytest.mark.parametrize(
    "step", one_in(4, ["next key made", "entry written", "old key aside", "done"], others=pytest.mark.whole)
)
def test_a_crash_at_any_step_is_recovered_from(kept: Place, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    old = load_key(kept.data / "log.key")

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if step == "next key made":
            patch.setattr(Log, "append", crash)
        elif step == "entry written":
            patch.setattr("passline.store.sealed.recode", crash)
        elif step == "old key aside":
            patch.setattr(Path, "replace", crash)
        else:
            patch.setattr(keys, "sync_folder", lambda path: None if (path / "log.key.next").exists() else crash())
        with pytest.raises(KeyboardInterrupt):
            rotate(kept)
    was_written = step != "next key made"
    log = kept.open()  # whoever opens it next finishes the rotation
    assert (log.public_key == old.public) is not was_written
    log.append([draft(1)])
    log.close()
    rotation = rotate_key(kept.data, kept.database, by="ann", reason=WHY)
    log = kept.open()
    assert log.public_key.hex() == rotation.new_key
    assert verify_log(log.rows(), old.public, log.head(), every_seal=True).is_intact
    assert not (kept.data / "log.key.next").exists()
    assert load_key(kept.data / "log.key.1").public == old.public


def test_a_rotation_that_was_cut_short_is_only_finished_when_done_again(
    kept: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("passline.store.sealed.recode", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            rotate(kept)
    rotation = rotate_key(kept.data, kept.database, by="ann", reason="again")
    assert rotation.is_finished_only
    assert rotation.sequence == 3
    log = kept.open()
    assert isinstance(log, Log)
    assert log.rotations == 1


CODED = (Secret("session", "s1", b"Olga"), Secret("log-in-wait", "w1", b""), Secret("clock", "house", b"08:00"))


def codes_of(log: Log, row: Secret) -> tuple[str, bool]:
    return row.kind, is_authentic(log.derive(ROWS_PURPOSE), row)


@pytest.mark.parametrize("is_cut_short", [False, True])
def test_the_vault_fits_the_new_key_and_forged_rows_are_still_found(
    kept: Place, monkeypatch: pytest.MonkeyPatch, *, is_cut_short: bool
) -> None:
    """Sessions and links end: whoever stole the old key could have made them. Waits and the house's time stay."""
    log = kept.open()
    rows = AuthenticVault(log.vault, log.derive(ROWS_PURPOSE))
    for secret in CODED:
        rows.put(secret)
    log.vault.put(Secret("password", "p1", b"hash"))
    log.vault.put(Secret("invitation", "forged", b"by somebody with the database"))
    log.close()
    if is_cut_short:
        with monkeypatch.context() as patch:
            patch.setattr("passline.store.sealed.recode", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                rotate(kept)
    else:
        rotate(kept)
    log = kept.open()
    found = {codes_of(log, row) for row in log.vault.all()}
    assert found == {("log-in-wait", True), ("clock", True), ("password", False), ("invitation", False)}


def test_snapshots_of_the_old_key_are_not_used(kept: Place) -> None:
    log = kept.open()
    head = log.head()
    assert head
    log.save_snapshot(Snapshot("table/one", 1, head.sequence, bytes.fromhex(head.hash), b"state"))
    assert log.snapshot("table/one")
    log.close()
    rotate(kept)
    assert kept.open().snapshot("table/one") is None


# Forged rotations: a log made by hand, correctly chained, with the seals that a forger can make.

OLD, NEW, THIEF = (SigningKey(bytes([number]) * 32) for number in (1, 2, 3))


def rotated_log(forge: dict[str, object], *, seals: SigningKey, number: int = 1) -> list[LogRow]:
    """Return a log of OLD's with a rotation, of which some fields are forged, and an entry sealed by `seals`."""
    log = MemoryLog(OLD, log_id="kept", at="2026-11-15T07:00:00.000000Z")
    rows = [*log.rows()]
    rotation = rotation_draft(
        "kept", number=number, old=OLD, new=NEW, expected=1, by="ann", reason=WHY, at="2026-11-15T07:30Z"
    )
    event = json.decode(rotation.events, type=list[KeyRotated])[0]
    events = json.encode([json.decode(json.encode(event)) | forge])
    bodies = [
        json.encode(entry_of(rotation, 2)).replace(bytes(rotation.events), events),
        json.encode(entry_of(draft(0), 3)),
    ]
    for sequence, (body, key) in enumerate(zip(bodies, (OLD, seals), strict=True), start=2):
        hash_ = chain_hash(rows[-1].hash, rows[-1].seal, body)
        rows.append(LogRow(body, hash_, key.sign(head_message("kept", sequence, hash_))))
    return rows


def test_a_rotation_as_it_should_be_is_intact() -> None:
    assert not verify_log(rotated_log({}, seals=NEW), OLD.public).faults


def test_a_forger_with_the_old_key_is_not_vouched_for_by_it() -> None:
    """The attack: a thief of the old key writes a log of his own, with a rotation to a key that only he has."""
    report = verify_log(rotated_log({}, seals=NEW), OLD.public)
    assert (report.is_intact, report.is_key_newest) == (True, False)
    assert report.warnings[0].sequence == 2
    assert "replaces the given key" in report.warnings[0].what
    assert NEW.public.hex() in report.warnings[0].what
    for key in (NEW.public, None):
        newest = verify_log(rotated_log({}, seals=NEW), key)
        assert (newest.is_key_newest, newest.warnings) == (True, ())


@pytest.mark.parametrize(
    "forge",
    [
        {"new_key": THIEF.public.hex()},
        {"new_key": "xyz"},
        {"old_key": THIEF.public.hex()},
        {"old_proof": "00" * 64},
        {"new_proof": "00" * 64},
        {"number": 2},
    ],
)
def test_a_rotation_that_both_keys_did_not_sign_is_found(forge: dict[str, object]) -> None:
    for key in (OLD.public, NEW.public, None):
        faults = verify_log(rotated_log(forge, seals=NEW), key).faults
        assert "brings a new key that the old and the new key did not both sign" in {
            fault.what for fault in faults if fault.sequence == 2
        }


@pytest.mark.parametrize("seals", [OLD, THIEF])
def test_a_seal_by_another_key_than_the_newest_is_found(seals: SigningKey) -> None:
    """Also by the old key: whoever stole it, which is why it was rotated, cannot continue the log."""
    faults = verify_log(rotated_log({}, seals=seals), OLD.public).faults
    assert [fault.sequence for fault in faults] == [3]
    assert "has an invalid seal" in faults[0].what


def test_another_log_s_rotation_proves_nothing() -> None:
    theirs = rotation_draft("another", number=1, old=OLD, new=NEW, expected=1, by="ann", reason=WHY)
    event = json.decode(theirs.events, type=list[KeyRotated])[0]
    rows = rotated_log(json.decode(json.encode(event)), seals=NEW)
    assert verify_log(rows, OLD.public).faults
