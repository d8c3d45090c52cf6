"""What the regulator's page learns from a verification: the vault's faults, the anchors' heads, and every remark."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from passline.cli.main import main
from passline.client import Client
from passline.store.anchors.marks import Mark
from passline.store.anchors.places import FileAnchor
from tests.postgres import PostgresServer
from tests.serving import Serving, serving

pytestmark = pytest.mark.long

FORGED = ("session", "ab" * 32, b'{"account":"x"}', "2099-01-01T00:00:00.000000Z")
NOT_OURS = "the vault: session " + "ab" * 10 + " was not written by this server"


@contextmanager
def owned(server: Serving) -> Iterator[Client]:
    with Client(server.address) as owner:
        owner.accept(server.owner_link, name="Olga", password="correct horse battery", pin="729416")  # noqa: S106
        yield owner


def verified(client: Client) -> dict[str, Any]:
    """Verify as the page does, with the head that the server has just told."""
    head = client.get("/api/log/head")
    report: dict[str, Any] = client.post(
        "/api/log/verify", {"head": {name: head[name] for name in ("sequence", "hash", "seal")}}
    )
    return report


def whats(report: dict[str, Any]) -> list[str]:
    return [fault["what"] for fault in report["faults"]]


@pytest.mark.whole
def test_a_forged_session_and_a_broken_glass_are_told(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as server, owned(server) as owner:
        sound = verified(owner)
        assert (sound["is_intact"], whats(sound)) == (True, [])
        assert any("this house has no anchor outside its database" in one for one in sound["remarks"])
        assert main(["break-glass", str(data), "--reason", "Flo is in hospital"]) == 0
        with closing(sqlite3.connect(data / "log.sqlite")) as database:
            database.execute("INSERT INTO secrets VALUES (?, ?, ?, ?)", FORGED)
            database.commit()
        forged = verified(owner)
        assert (forged["is_intact"], whats(forged)) == (False, [NOT_OURS])
        assert any("BROKEN GLASS" in one and "Flo is in hospital" in one for one in forged["remarks"])


@pytest.mark.whole
def test_the_sessions_in_postgresql_are_checked_by_the_key_in_the_data_folder(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url = postgres.database()
    with serving(tmp_path / "data", "--database", url) as server, owned(server) as owner:
        sound = verified(owner)
        assert sound["is_intact"], whats(sound)
        assert sound["vault"]["rows"] > 0
        assert sound["vault"]["unchecked"] == 0
        with psycopg.connect(url) as database:
            database.execute("INSERT INTO secrets VALUES (%s, %s, %s, %s)", FORGED)
        forged = verified(owner)
        assert (forged["is_intact"], whats(forged)) == (False, [NOT_OURS])


@pytest.mark.whole
def test_a_log_that_was_cut_is_found_by_every_anchor_though_the_server_tells_a_head_of_its_own(tmp_path: Path) -> None:
    near, far = tmp_path / "near", tmp_path / "far"
    places = ("--anchor", f"file:{near}", "--anchor", f"file:{far}")
    with serving(tmp_path / "data", *places) as server, owned(server) as owner:
        sound = verified(owner)
        assert sound["is_intact"], whats(sound)
        assert sum("in an anchor outside the log's database" in one for one in sound["remarks"]) == 2
        anchor = FileAnchor(near)
        lost = Mark(sound["log_id"], 10_000, "cd" * 32, "ef" * 64, "2026-11-15T08:00:00.000000Z")
        anchor.keep(lost)
        anchor.close()
        cut = verified(owner)
        assert cut["is_intact"] is False
        assert any("the log was cut off before it, but the given head is of entry 10000" in one for one in whats(cut))
        assert any("not checked, since the log is damaged" in one for one in cut["remarks"])
        far.rename(tmp_path / "gone")
        told = verified(owner)["remarks"]
        assert any(one.startswith("warning: not compared with an anchor") and str(far) in one for one in told)
