"""`passline regulator`: a key, a stamp on a request, and its check, with nothing of any house at hand."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import json
from typer.testing import CliRunner, Result

from passline.acts.stamps import StampRequest
from passline.cli.main import app


@pytest.fixture
def request_file(tmp_path: Path) -> Path:
    """A request about a letter that lies beside it."""
    letter = tmp_path / "letter.pdf"
    letter.write_bytes(b"we approve")
    asked = StampRequest(
        house="a-log",
        office="arizona",
        body="TGO",
        act="approve_drop_times",
        fields={"drop_times": ["06:00"]},
        document=sha256(b"we approve").hexdigest(),
    )
    path = tmp_path / "request.json"
    path.write_bytes(json.encode(asked))
    return path


def _run(*arguments: str | Path, answer: str = "") -> Result:
    return CliRunner().invoke(app, ["regulator", *map(str, arguments)], input=answer)


def _key(folder: Path, name: str = "tgo.key") -> tuple[Path, str]:
    made = _run("key", folder / name)
    assert made.exit_code == 0, made.output
    return folder / name, made.output.split()[2]


def test_a_key_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    path, public = _key(tmp_path)
    assert _key(tmp_path) == (path, public)
    assert path.stat().st_mode & 0o077 == 0


def test_a_request_is_shown_stamped_and_checked(tmp_path: Path, request_file: Path) -> None:
    key, public = _key(tmp_path)
    made = _run("stamp", key, request_file, "--document", tmp_path / "letter.pdf", answer="y\n")
    assert made.exit_code == 0, made.output
    assert "word of  TGO: approve drop times" in made.output
    assert 'drop_times: ["06:00"]' in made.output
    stamp = made.stdout.splitlines()[-1]
    assert stamp.startswith("passline-stamp-1.")
    assert _run("verify", public, request_file, stamp).exit_code == 0
    again = _run("stamp", key, request_file, "--yes").stdout.splitlines()[-1]
    assert again != stamp, "each stamp is another, so that each serves once"
    _, other = _key(tmp_path, "other.key")
    assert _run("verify", other, request_file, stamp).exit_code == 1
    request_file.write_bytes(request_file.read_bytes().replace(b"06:00", b"03:00"))
    changed = _run("verify", public, request_file, stamp)
    assert (changed.exit_code, "NOT STAMPED" in changed.output) == (1, True)


def test_nothing_is_stamped_that_was_declined_or_is_another_document(tmp_path: Path, request_file: Path) -> None:
    key, public = _key(tmp_path)
    assert "passline-stamp" not in _run("stamp", key, request_file, answer="n\n").output
    (tmp_path / "letter.pdf").write_bytes(b"we object")
    other = _run("stamp", key, request_file, "--yes", "--document", tmp_path / "letter.pdf")
    assert other.exit_code != 0
    assert "passline-stamp" not in other.output
    request_file.write_text('{"house": "a-log"}', encoding="utf-8")
    assert _run("stamp", key, request_file, "--yes").exit_code != 0
    assert _run("verify", public[:-1], request_file, "x").exit_code != 0
