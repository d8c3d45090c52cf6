"""The client with a real server: nothing acknowledged is lost, nothing acts twice."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from passline.acts.documents import Documents
from passline.client import Client, News, RequestRefused, RollNotProved
from passline.dice_sources import seeded_rolls
from passline.game import commands as c
from passline.store.data_folder import DOCUMENTS_FOLDER, KEY_FILE, open_log
from passline.store.keys import load_key
from passline.store.timestamps import utc_now
from passline.tables.commands import Roll
from passline.web.demo.casino.history import begins_at, make_history
from tests.serving import Serving, serving

pytestmark = pytest.mark.long

TABLE = "maryland-1"
SECRET = "a long enough secret"  # noqa: S105 - of a house that lives for a test


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("house") / "data") as running:
        yield running


@pytest.fixture
def ann(server: Serving) -> Iterator[Client]:
    with Client(server.address) as client:
        client.register(f"Ann {uuid4().hex[:8]}", "correct horse battery")
        yield client


@pytest.fixture
def bob(server: Serving) -> Iterator[Client]:
    with Client(server.address) as client:
        client.register(f"Bob {uuid4().hex[:8]}", "battery horse correct")
        yield client


def seated(client: Client) -> int:
    """Take the first free seat with $500 and return its number."""
    table = client.table(TABLE)["table"]
    taken = {one["seat"] for one in table["seats"]}
    seat = next(seat for seat in range(1, table["places"] + 1) if seat not in taken)
    client.command(TABLE, c.TakeSeat(seat=seat))
    client.command(TABLE, c.BuyIn(seat=seat, cents=500_00))
    return seat


def test_the_lobby_has_a_table_and_the_server_is_healthy(server: Serving) -> None:
    with Client(server.address) as client:
        assert [(one["id"], one["regulation"], one["status"]) for one in client.tables()] == [
            (TABLE, "maryland", "open")
        ]
        assert client.get("/health")["status"] == "up"
        assert client.table(TABLE)["own"] is None


def test_the_same_id_twice_acts_once_over_http_and_the_websocket(ann: Client) -> None:
    seat = seated(ann)
    wager, id_ = c.MakeWager(seat=seat, wager="field", cents=5_00), str(uuid4())
    first = ann.command(TABLE, wager, id=id_)
    again = ann.command(TABLE, wager, id=id_)
    with ann.live(TABLE) as live:
        third = live.do(wager, id=id_)
    assert first.sequence == again.sequence == third.sequence
    assert ann.table(TABLE)["own"]["rack"] == 495_00


def test_a_roll_is_proved_by_the_client_that_threw_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path / "data") as house, Client(house.address) as ann:
        ann.register("Ann", "correct horse battery")
        seat = seated(ann)
        ann.command(TABLE, c.MakeWager(seat=seat, wager="pass", cents=5_00))
        ann.command(TABLE, c.AcceptDice(seat=seat))
        with ann.live(TABLE) as live:
            rolled = live.roll(seat)  # at once: the table is there
            assert rolled.table["closing"] is None
            assert len(rolled.table["proof"]["nonce"]) == 64
            last = rolled.table["rolls"][-1]
            assert rolled.table["faces"] == [last["first"], last["second"]]
            if rolled.table["phase"] == "come_out":
                live.do(c.MakeWager(seat=seat, wager="pass", cents=5_00))
            monkeypatch.setattr("passline.client.live_table.digest_of_key", lambda _key: "of another key")
            with pytest.raises(RollNotProved, match="dispute it"):
                live.roll(seat)


def test_a_roll_is_proved_though_another_tab_has_thrown_meanwhile(tmp_path: Path) -> None:
    """The key of the first roll is the last that this tab was shown: that of the next one is on its way to it."""
    with serving(tmp_path / "data") as house, Client(house.address) as ann:
        ann.register("Ann", "correct horse battery")
        seat = seated(ann)
        wager = c.MakeWager(seat=seat, wager="pass", cents=5_00)
        ann.command(TABLE, wager)
        ann.command(TABLE, c.AcceptDice(seat=seat))
        with ann.live(TABLE) as one, ann.live(TABLE) as other:
            first = one.roll(seat)
            if first.table["phase"] == "come_out":
                ann.command(TABLE, wager)
            assert other.roll(seat).table["proof"]["number"] == first.table["proof"]["number"] + 1


def test_two_players_see_the_same_table_and_each_their_own_rack(ann: Client, bob: Client) -> None:
    first, second = seated(ann), seated(bob)
    with ann.live(TABLE) as hers, bob.live(TABLE) as his:
        hers.do(c.MakeWager(seat=first, wager="field", cents=5_00))
        his.do(c.MakeWager(seat=second, wager="field", cents=10_00))
        newest = _until(iter(hers), sequence=his.sequence)
        assert newest.table == his.table
        assert (hers.own or {})["rack"] == 495_00
        assert (his.own or {})["rack"] == 490_00


def _until(news: Iterator[News], sequence: int) -> News:
    return next(one for one in news if one.sequence >= sequence)


def test_several_tabs_of_one_player_show_the_same(ann: Client) -> None:
    seat = seated(ann)
    with ann.live(TABLE) as one, ann.live(TABLE) as other:
        done = one.do(c.MakeWager(seat=seat, wager="field", cents=5_00))
        seen = _until(iter(other), sequence=done.sequence)
        assert (seen.own or {})["rack"] == 495_00
        assert [wager["kind"] for wager in seen.table["wagers"] if wager["seat"] == seat] == ["field"]


def test_a_broken_connection_loses_and_repeats_nothing(ann: Client) -> None:
    seat = seated(ann)
    with ann.live(TABLE) as live:
        for turn in range(10):
            if turn % 3 == 0 and live._socket is not None:
                live._socket.socket.shutdown(2)  # the connection breaks without notice
            live.do(c.MakeWager(seat=seat, wager="field", cents=5_00))
    assert ann.table(TABLE)["own"]["rack"] == 450_00


def test_a_spectator_sees_the_table_and_nobodys_rack(server: Serving, ann: Client) -> None:
    seat = seated(ann)
    with Client(server.address) as nobody, nobody.live(TABLE, role="spectator") as live:
        ann.command(TABLE, c.MakeWager(seat=seat, wager="field", cents=5_00))
        news = next(one for one in live if any(wager["seat"] == seat for wager in one.table["wagers"]))
        assert news.own is None
        assert "rack" not in str(news.table)
        with pytest.raises(RequestRefused, match="log in to take part"):
            live.do(c.MakeWager(seat=seat, wager="field", cents=5_00))


def test_refusals_name_their_clause_and_bad_requests_say_what_is_wrong(server: Serving, ann: Client) -> None:
    seat = seated(ann)
    with pytest.raises(RequestRefused) as refused:
        ann.command(TABLE, c.MakeWager(seat=seat, wager="pass", cents=1))
    assert refused.value.status == 409
    assert all(one.clause for one in refused.value.refusals)
    with pytest.raises(RequestRefused, match="is not Ann"):
        ann.command(TABLE, c.MakeWager(seat=20, wager="pass", cents=5_00))
    for body, status in (
        (b"{", 400),
        (b'{"id":"1"}', 422),
        (b'{"id":"","command":{"command":"roll","seat":1}}', 422),
        (b'{"id":"1","command":{"command":"roll","seat":1,"faces":[6,6]}}', 422),
        (b'{"id":"1","command":{"command":"no-such"}}', 422),
        (b"[" * 50_000, 400),
        (b"x" * 70_000, 413),
    ):
        answer = httpx.post(
            f"{server.address}/api/tables/{TABLE}/commands",
            content=body,
            headers={"Content-Type": "application/json", **ann.headers()},
        )
        assert answer.status_code in {status, 422 if status == 400 else status}, (body[:40], answer.text)
        assert answer.json()["refusals"][0]["why"]
    with pytest.raises(RequestRefused, match="no table"):
        ann.command("nowhere", Roll(seat=1))


@pytest.mark.whole
def test_concurrent_commands_are_all_answered_and_the_ledger_balances(
    server: Serving, ann: Client, bob: Client
) -> None:
    def play(client: Client, seat: int, faults: list[BaseException]) -> None:
        try:
            with client.live(TABLE) as live:
                for _ in range(40):
                    live.do(c.MakeWager(seat=seat, wager="field", cents=5_00))
                    live.do(c.RemoveWager(seat=seat, wager="field"))
        except BaseException as error:  # noqa: BLE001 - raised by the test's own thread
            faults.append(error)

    faults: list[BaseException] = []
    threads = [threading.Thread(target=play, args=(one, seated(one), faults)) for one in (ann, bob)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert (ann.table(TABLE)["own"]["rack"], bob.table(TABLE)["own"]["rack"]) == (500_00, 500_00)
    with Client(server.address) as owner:
        owner.accept(server.owner_link, name="Olga", password=SECRET, pin="729416")
        balances = owner.get(f"/api/tables/{TABLE}/ledger")["balances"]
        assert sum(balances.values()) == 0
        report = owner.post("/api/log/verify", {"head": _head(owner)})
        assert report["is_intact"], report["faults"]


def _head(client: Client) -> dict[str, object]:
    head = client.get("/api/log/head")
    return {name: head[name] for name in ("sequence", "hash", "seal")}


def _make_short_past(data: Path) -> None:
    """Make a casino's past of few rolls, as a demo does of many at its first start: `test_history.py` holds that."""
    with closing(open_log(data, is_demo=True, at=begins_at(utc_now()))) as log:
        dice = seeded_rolls(16).__next__
        make_history(log, load_key(data / KEY_FILE), Documents(data / DOCUMENTS_FOLDER), dice, rolls=1)


@pytest.mark.whole
def test_a_demo_seats_a_visitor_with_play_money_in_one_call(tmp_path: Path) -> None:
    _make_short_past(tmp_path / "demo")
    with serving(tmp_path / "demo", "--demo") as demo, Client(demo.address) as guest:
        guest_seat = guest.sit("arizona-1")
        assert guest_seat["is_demo"]
        own = guest.table("arizona-1")["own"]
        assert (own["seat"], own["rack"]) == (guest_seat["seat"], 1_000_00)
        assert {one["regulation"] for one in guest.tables()} == {"arizona", "colorado", "maryland", "section2"}
        assert guest.sit("arizona-1")["seat"] == guest_seat["seat"]  # the same seat again
        assert guest.table("arizona-1")["table"]["histogram"] is None


def test_limits_that_come_into_force_are_news_without_an_entry() -> None:
    """AZ-III.D.2, MD-3.C: a table whose limits changed by notice is told so with the sequence it has already."""
    live = Client("http://127.0.0.1:1").live("maryland-1")
    live.table, live.sequence = {"wagers": [], "limits": {"min": 5_00}}, 7
    news = {"kind": "news", "wagers_gone": [], "wagers_up": [], "said": [], "head": {}}
    live._follow({**news, "from": 7, "sequence": 7, "changed": {"limits": {"min": 25_00}}})
    assert live.table["limits"] == {"min": 25_00}
    live._follow({**news, "from": 6, "sequence": 7, "changed": {"limits": {"min": 5_00}}})  # what it knows already
    assert live.table["limits"] == {"min": 25_00}
