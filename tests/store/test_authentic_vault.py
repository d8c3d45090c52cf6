"""Rows of the vault that nobody without the log's key can write, in every store."""

import pytest
from msgspec.structs import replace

from passline.store.authentic_vault import ROWS_PURPOSE, AuthenticVault, is_authentic
from passline.store.log import Secret
from passline.store.sealed import Log
from tests.store.conftest import Place

NOW, LATER = "2026-11-15T08:00:00.000000Z", "2026-11-15T09:00:00.000000Z"
ROW = Secret("session", "s1", b"Olga", LATER)


@pytest.fixture
def log(place: Place) -> Log:
    return place.open()


@pytest.fixture
def reported() -> list[Secret]:
    return []


@pytest.fixture
def vault(log: Log, reported: list[Secret]) -> AuthenticVault:
    return AuthenticVault(log.vault, log.derive(ROWS_PURPOSE), reported.append)


def test_a_row_is_read_as_it_was_written(vault: AuthenticVault, log: Log, reported: list[Secret]) -> None:
    vault.put(ROW)
    assert vault.get("session", "s1", now=NOW) == ROW
    assert vault.get("session", "s1", now=LATER) is None
    assert list(vault.all()) == [ROW]
    [stored] = log.vault.all()
    assert b"Olga" in stored.value
    assert stored != ROW
    assert is_authentic(log.derive(ROWS_PURPOSE), stored)
    assert vault.take("session", "s1", now=NOW) == ROW
    assert list(log.vault.all()) == []
    assert reported == []


@pytest.mark.parametrize(
    "change",
    [
        {"value": b"Olga"},
        {"value": b""},
        {"value": b"\x01"},
        {"value": b"\x01" + bytes(32) + b"Olga"},
        {"expires": "2099-01-01T00:00:00.000000Z"},
        {"expires": ""},
        {"key": "s2"},
        {"kind": "invitation"},
    ],
)
def test_a_forged_row_counts_as_absent_and_is_reported(
    vault: AuthenticVault, log: Log, reported: list[Secret], change: dict[str, str]
) -> None:
    vault.put(ROW)
    [stored] = log.vault.all()
    forged = replace(stored, **change)
    log.vault.put(forged)
    assert vault.get(forged.kind, forged.key, now=NOW) is None
    assert reported == [forged]
    assert not is_authentic(log.derive(ROWS_PURPOSE), forged)
    assert vault.take(forged.kind, forged.key, now=NOW) is None


def test_every_bit_of_a_row_counts(vault: AuthenticVault, log: Log) -> None:
    vault.put(ROW)
    [stored] = log.vault.all()
    for place in range(len(stored.value) * 8):
        value = bytearray(stored.value)
        value[place // 8] ^= 1 << place % 8
        assert not is_authentic(log.derive(ROWS_PURPOSE), replace(stored, value=bytes(value))), place


def test_a_wait_that_somebody_deleted_still_holds_here(vault: AuthenticVault, log: Log) -> None:
    wait = Secret("log-in-wait", "n1", b"", LATER)
    vault.put(wait)
    log.vault.forget("log-in-wait", "n1")
    assert vault.get("log-in-wait", "n1", now=NOW) == wait
    assert vault.get("log-in-wait", "n1", now=LATER) is None
    vault.forget("log-in-wait", "n1")
    assert vault.get("log-in-wait", "n1", now=NOW) is None


def test_a_count_never_goes_back(vault: AuthenticVault, log: Log) -> None:
    counts = [vault.count("tries", "n1", now=NOW, expires=LATER) for _ in range(3)]
    assert counts == [1, 2, 3]
    other = AuthenticVault(log.vault, log.derive(ROWS_PURPOSE))
    assert other.count("tries", "n1", now=NOW, expires=LATER) == 4
    assert vault.count("tries", "n1", now=NOW, expires=LATER) == 5
    assert vault.count("tries", "n1", now=LATER, expires="2026-11-15T10:00:00.000000Z") == 1
