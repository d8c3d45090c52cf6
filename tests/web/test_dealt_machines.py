"""Side wagers that are small machines, dealt at live tables under an outside regulation, paid and verified."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from passline.cli.main import main
from passline.client import Client, TableConnection
from passline.dice import Roll
from passline.game import commands as c
from passline.rules.pages.library import FOLDERS
from passline.store.export import write_jsonl
from passline.store.upkeep.backup import back_up
from passline.store.upkeep.encrypted_file import FileKey
from tests.people.house import PIN
from tests.rules.side_wagers import SIDE_WAGERS, STAKE, machines
from tests.serving import serving
from tests.tables.changed_rulebook import new_process
from tests.web.browser.served_app import served_app
from tests.web.server import Server

pytestmark = pytest.mark.long

TABLE = "corner-1"
LINE = 10_00
KEY = bytes(range(32))
# Each roll with what it decides: cents won or lost by the side wagers of 5.00, 0 for a push.
LOW = {f"repeater_{number}": -STAKE for number in (3, 4, 5, 6, 8, 9, 10, 11, 12)}
ROLLS: tuple[tuple[str, dict[str, int]], ...] = (
    ("1-1", {"any_double": 20_00, "buffalo": -STAKE, "muggsys_corner": -STAKE, "point_seven": -STAKE}),
    ("1-1", {"repeater_2": 195_00}),
    ("4-4", {}),
    ("5-3", {"four_rolls_no_seven": 5_00, "high_point": -STAKE}),
    ("3-4", {**LOW, "hot_hand": -STAKE, "different_doubles": -STAKE, "hot_roller": -STAKE}),
    ("4-4", {}),
    ("6-2", {"twice_as_nice": 70_00}),
    ("5-5", {}),
    ("3-4", {"hot_shooter": 0, "ride_the_line": 5_00, "replay": -STAKE}),
)
LINE_RESULTS = (-LINE, -LINE, 0, LINE, LINE, 0, LINE, 0, -LINE)


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples are known to this process and to those it starts."""
    monkeypatch.setenv(FOLDERS, str(SIDE_WAGERS.parent))


def _open(server: Server, address: str) -> None:
    olga = server.owner()
    server.hire("Flo", "floorperson", by=olga.session.account.id)
    body = {
        "name": "Corner 1",
        "house": {"rules": "side_wagers"},
        "automate": ["button", "call", "choose", "confirm", "offer", "pass", "settle"],
        "buy_in": "self",
        "bank_cents": 10_000_00,
        "sign_off": {"name": "Flo", "pin": PIN},
    }
    headers = {"origin": address, "x-csrf": olga.session.csrf}
    opened = httpx.post(f"{address}/api/tables", json=body, headers=headers, cookies={"passline": olga.token})
    assert opened.status_code == 201, opened.text


def _rack(live: TableConnection, sequence: int) -> int:
    """The player's rack after an entry of the log."""
    own = next(news for news in live if news.sequence >= sequence).own
    assert own
    return int(own["rack"])


@pytest.mark.whole
def test_fourteen_of_them_are_made_over_a_websocket_decided_and_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {kind for _roll, decided in ROLLS for kind in decided} == set(machines()), "each is decided once"
    dice = iter([Roll(int(roll[0]), int(roll[2])) for roll, _decided in ROLLS])
    # What each wager is worth after each roll is the views' business: the house of two processes below works it out.
    monkeypatch.setattr("tests.web.server.projections_of", lambda _log: ())
    server = Server(dice=dice)
    with served_app(server) as address:
        _open(server, address)
        with Client(address) as ann:
            ann.register("Ann", "correct horse battery")
            ann.command(TABLE, c.TakeSeat(seat=1))
            ann.command(TABLE, c.BuyIn(seat=1, cents=1_000_00))
            ann.command(TABLE, {"command": "accept-dice", "seat": 1})
            with ann.live(TABLE) as live:
                made = [live.do(c.MakeWager(seat=1, wager=kind, cents=STAKE)) for kind in machines()]
                rack = _rack(live, made[-1].sequence)
                assert rack == 1_000_00 - STAKE * len(machines())
                up = False
                for (roll, decided), line in zip(ROLLS, LINE_RESULTS, strict=True):
                    if not up:
                        live.do(c.MakeWager(seat=1, wager="pass", cents=LINE))
                    rack -= LINE * (not up)
                    done = live.do({"command": "roll", "seat": 1})
                    rack += sum(won + STAKE for won in decided.values()) + (line + LINE if line else 0)
                    assert _rack(live, done.sequence + 1) == rack, roll  # they land in the entry after
                    up = not line
                assert live.table["wagers"] == []
        write_jsonl(server.log.rows(), tmp_path / "log.jsonl")
    monkeypatch.delenv(FOLDERS)
    new_process()
    assert main(["verify", str(tmp_path / "log.jsonl")]) == 0, capsys.readouterr().out
    assert "the engine reaches the same decisions" in capsys.readouterr().out


@pytest.mark.whole
def test_a_house_of_two_processes_deals_exports_and_rehearses_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "house"
    with serving(house, "--rules", "side_wagers", "--workers", "2") as server, Client(server.address) as ann:
        (table,) = ann.tables()
        assert table["regulation"] == "side_wagers"
        ann.register("Ann", "correct horse battery")
        ann.command(table["id"], c.TakeSeat(seat=1))
        ann.command(table["id"], c.BuyIn(seat=1, cents=500_00))
        ann.command(table["id"], {"command": "accept-dice", "seat": 1})
        with ann.live(table["id"]) as live:
            for kind in ("pass", *machines()):
                live.do(c.MakeWager(seat=1, wager=kind, cents=STAKE))
            news = live.roll(1)
            assert {"any_double", "buffalo"}.isdisjoint(wager["kind"] for wager in news.table["wagers"])
    assert main(["verify", str(house)]) == 0, capsys.readouterr().out
    assert main(["export", str(house), "--to", str(tmp_path / "log.jsonl"), "--to", str(tmp_path / "log.xlsx")]) == 0
    assert main(["verify", str(tmp_path / "log.jsonl")]) == 0
    back_up(tmp_path / "b", FileKey(KEY), house)
    (tmp_path / "backup.key").write_text(KEY.hex())
    (tmp_path / "backup.key").chmod(0o600)
    (tmp_path / "work").mkdir()
    capsys.readouterr()
    options = [str(tmp_path / "b"), "--key", str(tmp_path / "backup.key"), "--work", str(tmp_path / "work")]
    assert main(["rehearse", *options]) == 0
    said = capsys.readouterr().out
    assert re.search(r"played: a hand of \d+ rolls, each proved", said), said
