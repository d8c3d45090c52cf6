"""Regulations that nobody has seen, all at one server: each has a table with a felt of its own, and one log of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.cli.main import main
from passline.rules.pages.library import FOLDERS, regulations
from passline.store.export import write_jsonl
from tests.rules.generated.regulation import SEEDS, regulation_from, write_pages
from tests.tables.changed_rulebook import new_process
from tests.web.server import serving

pytestmark = pytest.mark.long


@pytest.mark.whole
def test_each_is_served_and_its_log_is_verified_without_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf, kept = tmp_path / "shelf", tmp_path / "log.jsonl"
    shelf.mkdir()
    written = [regulation_from(seed) for seed in SEEDS]
    for regulation in written:
        write_pages(regulation, shelf)
    monkeypatch.setenv(FOLDERS, str(shelf))
    with serving() as server:
        olga = server.owner()
        server.page.client.cookies.set("passline", olga.token, domain="127.0.0.1")
        server.page.csrf = olga.session.csrf
        for regulation in written:
            name = regulation.pages.name
            table = name.replace("_", "-")
            opened = server.page.post("/api/tables", {"name": table, "house": {"rules": name, **regulation.house}})
            assert opened.status_code == 201, opened.text
            felt = server.page.get(f"/api/tables/{table}/layout").json()
            assert {kind for kind, _number in regulation.answers} <= {area["kind"] for area in felt["table"]["areas"]}
            for path in (f"/tables/{table}", f"/tables/{table}/rules"):
                assert server.page.get(path).status_code == 200, path
        write_jsonl(server.log.rows(), kept)
    monkeypatch.delenv(FOLDERS)
    new_process()
    assert main(["verify", str(kept)]) == 0, capsys.readouterr().out
    assert not {regulation.pages.name for regulation in written} & {*regulations()}
