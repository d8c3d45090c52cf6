"""Documents in backups: one that was forged or removed on disk is never called verified, and never restored."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import json

from passline.cli.main import main
from passline.store.data_folder import DOCUMENTS_FOLDER
from passline.store.upkeep.backup import DocumentLine
from passline.store.upkeep.encrypted_file import FileKey, read_encrypted, write_encrypted
from tests.cases import one_in
from tests.office.filed_house import LETTER, LIMIT, PROCEDURES, filed_house
from tests.postgres import PostgresServer

pytestmark = pytest.mark.long

KEY = bytes(range(32))
FORGED = b"a letter of nobody"
_PROCEDURES = "6 names (The TGO sets or approves the procedures for dice)"

Ran = tuple[int, str, str]


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    """The options that name a house with three documents, in each of the stores."""
    (tmp_path / "backup.key").write_text(KEY.hex())
    (tmp_path / "backup.key").chmod(0o600)
    if request.param == "sqlite":
        return ["--data", str(filed_house(tmp_path / "house"))]
    server: PostgresServer = request.getfixturevalue("postgres")
    database = server.database()
    return ["--data", str(filed_house(tmp_path / "house", database)), "--database", database]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> _Run:
    return _Run(tmp_path, capsys)


class _Run:
    """Runs a command with the key of the backups."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._key, self._capsys = str(folder / "backup.key"), capsys

    def __call__(self, command: str, *arguments: object) -> Ran:
        code = main([command, *map(str, arguments), "--key", self._key])
        return code, *self._capsys.readouterr()


def _name(data: bytes) -> str:
    digest = sha256(data).hexdigest()
    return f"{digest[:2]}/{digest[2:]}"


def _damage(path: Path, *, is_forged: bool) -> None:
    if is_forged:
        path.write_bytes(FORGED)
    else:
        path.unlink()


def _as_told(data: bytes, what: str, *, is_forged: bool) -> str:
    how = f"was changed after it was stored: its digest is now {sha256(FORGED).hexdigest()}"
    return f"document {_name(data)}, which entry {what}, {how if is_forged else 'is missing'}"


@pytest.mark.parametrize("is_forged", one_in(2, [True, False], others=pytest.mark.whole), ids=["forged", "missing"])
@pytest.mark.parametrize(
    ("document", "what"),
    [
        (PROCEDURES, _PROCEDURES),
        pytest.param(LETTER, _PROCEDURES, marks=pytest.mark.sweep),
        pytest.param(LIMIT, "7 names (table limit)", marks=pytest.mark.sweep),
    ],
    ids=["field", "paper", "value"],
)
def test_a_damaged_document_stops_a_backup_unless_it_is_left_out(
    house: list[str], run: _Run, tmp_path: Path, document: bytes, what: str, *, is_forged: bool
) -> None:
    code, out, _ = run("backup", tmp_path / "whole", *house)
    assert (code, "3 documents in" in out, "\nverified; check it" in out) == (0, True, True)
    _damage(tmp_path / "house" / DOCUMENTS_FOLDER / _name(document), is_forged=is_forged)
    told = _as_told(document, what, is_forged=is_forged)
    code, out, error = run("backup", tmp_path / "b", *house)
    assert (code, out, told in error, "--leave-out-damaged" in error) == (2, "", True, True), error
    assert not (tmp_path / "b").exists()
    code, out, _ = run("backup", tmp_path / "b", "--leave-out-damaged", *house)
    assert (code, f"DAMAGED, and not in this backup: {told}" in out, "2 documents in" in out) == (0, True, True), out
    assert "verified, but for 1 damaged document:" in out
    missing = _as_told(document, what, is_forged=False)
    for command in (["--check"], ["--reason", "it burned", "--data", tmp_path / "new"]):
        code, out, error = run("restore", tmp_path / "b", *command)
        assert (code, out, missing in error, "nothing was restored" in error) == (2, "", True, True), error
        code, out, _ = run("restore", tmp_path / "b", "--leave-out-damaged", *command)
        assert (code, missing in out, "DAMAGED" in out) == (0, True, True)
    assert main(["verify", str(tmp_path / "new")]) == 1, "which goes on telling of it"
    code, out, _ = run("restore", tmp_path / "whole", "--data", tmp_path / "sound", "--reason", "a test")
    assert (code, "DAMAGED" in out) == (0, False)
    assert (tmp_path / "sound" / DOCUMENTS_FOLDER / _name(document)).read_bytes() == document


def test_a_forged_document_that_no_entry_names_is_named_too(house: list[str], run: _Run, tmp_path: Path) -> None:
    path = tmp_path / "house" / DOCUMENTS_FOLDER / _name(b"not filed yet")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"not filed yet")
    assert run("backup", tmp_path / "whole", *house)[0] == 0
    path.write_bytes(FORGED)
    code, _, error = run("backup", tmp_path / "b", *house)
    assert (code, f"document {_name(b'not filed yet')}, which no entry names, was changed" in error) == (2, True)


def test_a_document_forged_in_a_backup_is_not_restored(house: list[str], run: _Run, tmp_path: Path) -> None:
    """As every backup may be that an older version made of a house with a forged document."""
    assert run("backup", tmp_path / "b", *house)[0] == 0
    key, lines = FileKey(KEY), b"".join(read_encrypted(tmp_path / "b", FileKey(KEY))).splitlines(keepends=True)
    forged = json.encode(DocumentLine(_name(LETTER), FORGED)) + b"\n"
    with write_encrypted(tmp_path / "forged", key) as file:
        file.writelines(forged if _name(LETTER).encode() in line[:100] else line for line in lines)
    told = _as_told(LETTER, _PROCEDURES, is_forged=True)
    options = ("--reason", "it burned", "--data", tmp_path / "new")
    code, _, error = run("restore", tmp_path / "forged", *options)
    assert (code, told in error, f"so it stands in {tmp_path / 'forged'}" in error) == (2, True, True), error
    assert not any((tmp_path / "new").iterdir())
    code, out, _ = run("restore", tmp_path / "forged", "--leave-out-damaged", *options)
    assert (code, f"DAMAGED, and not restored: {told}" in out) == (0, True)
    assert not (tmp_path / "new" / DOCUMENTS_FOLDER / _name(LETTER)).exists()
