"""A setting of the office that somebody changes behind the server's back: start-up or `verify` tells."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from passline.cli.main import app
from passline.client import Client
from tests.serving import serving
from tests.waiting import wait_until

pytestmark = pytest.mark.long
PASSWORD = "correct horse battery"  # noqa: S105 - of somebody who does not exist
STRICT, LAX = 3_000_00, 10_000_00


@contextmanager
def _served(data: Path, *options: str) -> Iterator[Client]:
    with serving(data, *options, office="here") as started, Client(started.address) as client:
        if started.owner_link:
            client.accept(started.owner_link, password=PASSWORD, name="Olga", pin="7294")
        else:
            client.log_in("Olga", PASSWORD)
        yield client


def _sends(client: Client, command: str, **fields: object) -> None:
    client.post("/api/office/section2/commands", {"command": {"command": command, **fields}})


def _verified(data: Path, *options: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["verify", str(data), *options])
    return found.exit_code, found.output


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `data`, in which the office reports cash above the strict figure, and `older`, from before."""
    root: Path = tmp_path_factory.mktemp("settings")
    data, anchor = root / "data", ("--anchor", str(root / "anchor.jsonl"))
    with _served(data, *anchor) as client:
        _sends(client, "set-up-office", facility={"name": "Harbour", "zone": "UTC"})
        _sends(client, "set-value", key="cash_report", value=LAX)
    shutil.copytree(data, root / "older")
    with _served(data, *anchor) as client:
        _sends(client, "set-value", key="cash_report", value=STRICT)
        wait_until(lambda: client.get("/api/log?text=cash")["behind"] == 0)
    assert _verified(data, *anchor)[0] == 0
    return root


@pytest.fixture
def copy(house: Path, tmp_path: Path) -> Path:
    """A copy of the house, to be changed."""
    shutil.copytree(house, tmp_path / "house")
    return tmp_path / "house"


@pytest.mark.whole
def test_an_older_folder_in_its_place_is_not_served_against_an_anchor(copy: Path) -> None:
    anchor = ("--anchor", str(copy / "anchor.jsonl"))
    shutil.rmtree(copy / "data")
    shutil.copytree(copy / "older", copy / "data")
    with pytest.raises(AssertionError, match="restore the newest backup"), _served(copy / "data", *anchor):
        pass
    code, said = _verified(copy / "data", *anchor)
    assert (code, "the log was cut off" in said) == (1, True), said


@pytest.mark.whole
def test_an_older_log_in_its_place_is_told_by_what_pages_were_made_from(copy: Path) -> None:
    shutil.copy(copy / "older" / "log.sqlite", copy / "data" / "log.sqlite")
    code, said = _verified(copy / "data")
    assert (code, "it was cut, or an older one was put in its place" in said) == (1, True), said
    with _served(copy / "data") as client:
        wait_until(lambda: "run passline verify" in (copy / "data.err").read_text(encoding="utf-8"))
        assert client.get("/api/office/section2/today")["day"]


@pytest.mark.whole
def test_a_figure_that_is_edited_in_the_log_is_found(copy: Path) -> None:
    with closing(sqlite3.connect(copy / "data" / "log.sqlite")) as log:
        for [trigger] in log.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            log.execute(f"DROP TRIGGER {trigger}")
        sql = "UPDATE entries SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB) WHERE stream = ?"
        log.execute(sql, (str(STRICT), str(LAX * 9), "office/section2"))
        log.commit()
    code, said = _verified(copy / "data")
    assert (code, "does not match its bytes" in said) == (1, True), said


@pytest.mark.whole
def test_a_view_that_is_edited_is_made_again_from_the_log(copy: Path) -> None:
    with closing(sqlite3.connect(copy / "data" / "views.sqlite")) as views:
        views.execute("UPDATE offices_around SET body = CAST('{}' AS BLOB)")
        views.execute("UPDATE words SET body = CAST(replace(CAST(body AS TEXT), '3,000', '9,000') AS BLOB)")
        views.commit()
    assert _verified(copy / "data")[0] == 0
    with _served(copy / "data") as client:
        assert "9,000" not in str(client.get("/api/log?text=cash"))


@pytest.mark.whole
def test_a_second_server_on_the_same_folder_changes_nothing(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "data", office="here"),
        pytest.raises(AssertionError, match="the server ended at once"),
        serving(tmp_path / "data", office="here"),
    ):
        pass
