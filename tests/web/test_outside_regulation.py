"""A regulation nobody has seen at live tables: served, shown, dealt, and verified without its folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.rules.pages.library import FOLDERS, regulations
from passline.store.export import write_jsonl
from tests.rules.rulebooks import HARBOUR
from tests.tables.changed_rulebook import new_process
from tests.web.server import Server, serving

pytestmark = pytest.mark.long


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own with the invented rulebook and an unsound one, named in the environment."""
    shutil.copytree(HARBOUR, tmp_path / "harbour")
    (tmp_path / "wreck").mkdir()
    (tmp_path / "wreck" / "general.toml").write_text("title = 1\n", encoding="utf-8")
    monkeypatch.setenv(FOLDERS, str(tmp_path))
    return tmp_path


def _open(server: Server) -> None:
    olga = server.owner()
    server.page.client.cookies.set("passline", olga.token, domain="127.0.0.1")
    server.page.csrf = olga.session.csrf
    body = {"name": "Quay 1", "house": {"rules": "harbour"}}
    opened = server.page.post("/api/tables", body)
    assert opened.status_code == 201, opened.text


@pytest.mark.usefixtures("shelf")
def test_its_table_pages_and_office_are_served_beside_an_unsound_one() -> None:
    with serving() as server:
        _open(server)
        felt = server.page.get("/api/tables/quay-1/layout").json()
        assert {"Tide Bet", "Breakwater Bet"} <= {area["printed"]["title"] for area in felt["table"]["areas"]}
        for path in (
            "/",
            "/house",
            "/elections",
            "/office",
            "/office/harbour",
            "/tables/quay-1",
            "/tables/quay-1/rules",
        ):
            assert server.page.get(path).status_code == 200, path
        assert "Harbour craps" in server.page.get("/house").text
        assert "/office/wreck" not in server.page.get("/office").text
        names = [office["name"] for office in server.page.get("/api/office").json()["offices"]]
        assert (names[-1], len(names)) == ("harbour", len(regulations()) - 1)


def test_its_log_is_verified_without_the_folder(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = shelf / "log.jsonl"
    with serving() as server:
        _open(server)
        server.page.get("/office/harbour")
        write_jsonl(server.log.rows(), kept)
    monkeypatch.delenv(FOLDERS)
    new_process()
    code = main(["verify", str(kept)])
    said = capsys.readouterr()
    assert code == 0, said.out
    assert "harbour" in said.out, "that it is not installed here is said"
    assert "harbour" not in regulations()
