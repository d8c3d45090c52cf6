"""Practice tables: a cap on play money that `verify` knows, and no stranger who stops the game.

`golden/practice.jsonl` is a log of such a table, which every later version must read and verify. To write it again:

    PASSLINE_WRITE_GOLDEN=1 ./x test tests/tables/test_practice.py
"""

import os
from pathlib import Path

import pytest
from msgspec import json

from passline.game import commands as c
from passline.refusal import Refused
from passline.store.entry import Entry, Stored
from passline.store.export import row_from_json, row_to_json
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.verify import verify_log
from passline.streams.course import Decision
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.verify import decision_faults
from tests.tables.sitting import ANN, AT, BOB, CREW, DEALER, FLOOR, Sitting, draft_of
from tests.tables.views.folded import disputes_of

GOLDEN = Path(__file__).parent / "golden" / "practice.jsonl"
KEY = SigningKey(bytes(range(32)))
MOST = 2_000_00
DAY = 24 * 60


def practice() -> Sitting:
    """Return a practice table with Ann and Bob."""
    sitting = Sitting("maryland", name="Practice", buy_in="self", practice=MOST)
    for seat, who in ((1, ANN), (2, BOB)):
        sitting.do(c.TakeSeat(seat=seat), who)
    return sitting


def why(verdict: Decision | Refused) -> str:
    assert isinstance(verdict, Refused), verdict
    (refusal,) = verdict.refusals
    assert refusal.clause == "house"
    return refusal.why


def test_nobody_buys_in_for_a_million() -> None:
    sitting = practice()
    assert why(sitting.ask(c.BuyIn(seat=1, cents=1_000_000_00), ANN)) == (
        "a player has at most 2000.00 of play money here; Ann has 0.00 and may buy 2000.00"
    )
    assert isinstance(sitting.ask(c.BuyIn(seat=1, cents=MOST), ANN), Decision)
    sitting.wager(ANN, "field", 100_00)
    assert "Ann has 2000.00 and may buy 0.00" in why(sitting.ask(c.BuyIn(seat=1, cents=5_00), ANN))
    assert "at most 2000.00" in why(sitting.ask(c.BuyIn(seat=2, cents=MOST + 1_00), DEALER)), "nor by the dealer"
    cash = c.MakeWager(seat=2, wager="field", cents=5_000_00, media=("cash",))
    assert why(sitting.ask(cash, BOB)) == "this is a practice table: buy in first, and wager with chips"


def test_an_account_buys_ten_times_that_in_a_day_and_again_the_next_day() -> None:
    sitting = practice()
    for _ in range(10):
        sitting.do(c.BuyIn(seat=1, cents=MOST), ANN)
        sitting.do(c.LeaveSeat(seat=1), ANN)
        sitting.do(c.TakeSeat(seat=1), ANN)
    assert why(sitting.ask(c.BuyIn(seat=1, cents=5_00), ANN)) == (
        "an account buys at most 20000.00 of play money in a day; Ann has bought 20000.00 today"
    )
    sitting.do(c.BuyIn(seat=2, cents=MOST), BOB)
    sitting.wait(DAY)
    sitting.do(c.BuyIn(seat=1, cents=MOST), ANN)
    assert sitting.table.bought == {"ann": MOST}
    assert list(decision_faults(sitting.entries)) == []


def test_other_tables_have_no_cap_but_the_chips_of_the_bank() -> None:
    sitting = Sitting("maryland", buy_in="self")
    sitting.do(c.TakeSeat(seat=1), ANN)
    sitting.do(c.BuyIn(seat=1, cents=100_000_00), ANN)
    opened = json.encode(sitting.opened.events[0]) if isinstance(sitting.opened, Decision) else b""
    assert b"practice" not in opened, "entries of other tables are as they were"


def test_a_players_dispute_is_recorded_and_play_goes_on() -> None:
    sitting = practice()
    sitting.do(c.BuyIn(seat=1, cents=500_00), ANN)
    decision = sitting.ask(k.FreezeTable(reason="that was a six", shown={"1": 4, "2": 0}), BOB)
    assert isinstance(decision, Decision)
    assert [type(event) for event in decision.events] == [t.TableFrozen, t.TableReleased]
    assert (sitting.table.status, sitting.table.frozen) == ("open", None)
    sitting.wager(ANN, "field", 5_00)
    (dispute,) = disputes_of(sitting.entries, Approvals())
    assert (dispute.seat, dispute.reason) == (2, "that was a six")
    assert list(decision_faults(sitting.entries)) == []


def test_the_crew_still_stops_a_practice_table() -> None:
    sitting = practice()
    sitting.do(k.FreezeTable(reason="the felt is torn"), FLOOR)
    assert sitting.table.status == "frozen"


def test_screens_that_foresaw_a_recorded_dispute_are_found() -> None:
    sitting = practice()
    sitting.do(k.FreezeTable(reason="that was a six", shown={"1": 99, "2": 0}), BOB)
    assert any("before the freeze" in fault.what for fault in decision_faults(sitting.entries))


@pytest.mark.parametrize("cents", [-1, 10**18])
def test_a_cap_that_is_no_amount_is_refused(cents: int) -> None:
    assert isinstance(Sitting("maryland", practice=cents).opened, Refused)


def _forged(sitting: Sitting, at: int, **changes: object) -> list[Stored]:
    """Return the entries with one changed, hashes aside, which the decisions do not look at."""
    entries = list(sitting.entries)
    body = json.decode(json.encode(entries[at].entry)) | changes
    entries[at] = Stored(json.decode(json.encode(body), type=Entry), b"", entries[at].hash, entries[at].seal)
    return entries


def test_a_buy_in_above_the_cap_is_found_by_verify() -> None:
    sitting = practice()
    sitting.do(c.BuyIn(seat=1, cents=500_00), ANN)
    more = json.decode(json.encode(sitting.entries[-1].entry.command)) | {"cents": 5_000_00}
    events = [event | ({"cents": 5_000_00}) for event in json.decode(sitting.entries[-1].entry.events)]
    forged = _forged(sitting, -1, command=more, events=events)
    faults = [fault.what for fault in decision_faults(forged)]
    assert any("would be refused: a player has at most 2000.00" in what for what in faults), faults


def test_a_hidden_count_of_play_money_is_found_by_verify() -> None:
    sitting = practice()
    sitting.do(c.BuyIn(seat=1, cents=500_00), ANN)
    events = [
        event for event in json.decode(sitting.entries[-1].entry.events) if event["event"] != "play-money-bought/1"
    ]
    faults = [fault.what for fault in decision_faults(_forged(sitting, -1, events=events))]
    assert any("brings about 2 events, but 1 are written" in what for what in faults), faults


def _golden() -> Sitting:
    sitting = practice()
    sitting.do(c.BuyIn(seat=1, cents=1_000_00), ANN)
    sitting.do(c.BuyIn(seat=2, cents=MOST), BOB)
    sitting.do(k.FreezeTable(reason="that was a six", shown={"1": 4, "2": 0}), BOB)
    sitting.do(c.DeclineDice(seat=1), CREW["boxperson"])
    sitting.do(c.LeaveSeat(seat=1), CREW["boxperson"])
    return sitting


def test_the_golden_log_of_a_practice_table_is_intact() -> None:
    if os.environ.get("PASSLINE_WRITE_GOLDEN"):
        log = MemoryLog(KEY, log_id="a-golden-practice", at=AT)
        log.append([draft_of(stored.entry) for stored in _golden().entries])
        GOLDEN.write_bytes(b"".join(map(row_to_json, log.rows())))
    rows = [row_from_json(text) for text in GOLDEN.read_bytes().splitlines(keepends=True)]
    assert verify_log(rows, KEY.public).faults == ()
    entries = [Stored(json.decode(row.body, type=Entry), row.body, row.hash, row.seal) for row in rows]
    assert list(decision_faults(entries)) == []
