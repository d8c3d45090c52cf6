"""A tournament's log as an earlier Passline wrote it: every later version must read, fold and verify it.

To write it again after an intended change, and review the difference (a changed event needs an upcaster instead):

    PASSLINE_WRITE_GOLDEN=tournament ./x test tests/tournament/test_golden.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import get_args

from msgspec import json, to_builtins
from msgspec.structs import replace

from passline.store.entry import Entry, Stored
from passline.store.export import row_from_json, row_to_json
from passline.store.keys import SigningKey
from passline.store.memory import MemoryLog
from passline.store.verify import verify_log
from passline.streams.course import THE_HOUSE, Actor, Ask, Decision
from passline.tournament import commands as c
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM, TournamentCourse
from passline.tournament.events import TournamentEvent
from passline.tournament.results.lot import DrawnSeat
from passline.tournament.state import TournamentState
from passline.tournament.verify import log_faults
from tests.tournament.director import CASHIER, DEALER, Director
from tests.tournament.engine_cases import CHAMPIONS, HEATS, MASTERS, cup, one_event
from tests.tournament.evening import two_rounds
from tests.tournament.random_director import RandomDirector, random_plan

GOLDEN = Path(__file__).parent / "golden"
KEY = SigningKey(bytes(range(32)))
_SEED = 6
AT = "2026-12-01T18:00:00.000000Z"


def _written() -> Iterator[bytes]:
    """Yield the log of a series in which everything happens once."""
    log = MemoryLog(KEY, log_id="a-golden-tournament", at=AT)
    director = Director(to_builtins(cup()), at=AT, log=log)
    _heats(director)
    _vouchers(director)
    director.pay_all()
    director.ask(c.CountFees(counted=199_00), CASHIER)
    director.ask(c.CloseTournament())
    _split(Director({**to_builtins(one_event()), "id": "shared"}, at=AT, log=log))
    yield from map(row_to_json, log.rows())


def _split(director: Director) -> None:
    """Share the cash of a tournament of two, at the second try."""
    for number in (1, 2):
        director.enter(HEATS, f"Player {number}", account=f"p{number}")
    director.seat(HEATS, "t-3")
    director.ask(c.StartRound())
    propose = c.ProposeSplit(event=HEATS, entry=1, shares={"1": 120_00, "2": 80_00})
    director.ask(propose, _player(1))
    director.ask(c.StopSplit(reason="let me think"), _player(2))
    director.ask(propose, _player(1))
    for number in (1, 2):
        director.ask(c.AgreeSplit(entry=number), _player(number))
    for number in (1, 2):
        director.ask(c.ConfirmSplit(entry=number, is_understood=True))


def _player(number: int) -> Actor:
    return Actor(f"p{number}", f"Player {number}", "player")


def _heats(director: Director) -> None:
    director.ask(c.WaitForPlace(event=HEATS, name="Eve"), CASHIER)
    late = "2026-12-01T17:00:00.000000Z"
    director.enter(HEATS, "Player 1", account="p1", occurred=late)
    director.enter(HEATS, "Player 2", account="p2", fee="in_kind", fee_item="a toy")
    director.enter(HEATS, "Player 3", account="p3", fee="complimentary", buy_in="complimentary")
    for number in (4, 5, 6):
        director.enter(HEATS, f"Player {number}", account=f"p{number}")
    director.enter(HEATS, "Player 7", account="p7")
    director.ask(c.WithdrawEntry(entry=6, reason="ill"), CASHIER)
    director.ask(c.AddMoney(event=HEATS, cents=500_00))
    director.ask(c.SetColours(points={"white": 50, "green": 100}))
    director.seat(HEATS, "t-1", "t-2")
    free = next(seat for seat in range(1, 5) if ("t-2", seat) not in _taken(director))
    moved = next(one.entry for one in _seats(director) if one.table == "t-2")
    director.ask(c.MoveSeat(entry=moved, table="t-2", seat=free))
    _report(director, {1: 5000, 2: 4000, 3: 3000, 4: 0, 5: 900, 7: 0})
    director.ask(c.BuyChips(entry=4, kind="rebuy"), CASHIER)
    director.ask(c.CountChips(entry=1, counted=4900), DEALER)
    director.ask(c.Disqualify(entry=5, cause="hidden_chips", reason="chips in a pocket"))
    director.ask(c.EndRound())
    director.seat(HEATS, "t-1")
    _report(director, {1: 5000, 2: 4000, 3: 4000, 4: 10})
    director.ask(c.EndRound())
    director.ask(c.PartTie(entries=(3, 2), how="roll_off"))
    director.ask(c.ConcludeEvent(event=HEATS))
    director.ask(c.Disqualify(entry=3, cause="two_entries", reason="plays at the Gold Dust too"))


def _vouchers(director: Director) -> None:
    director.ask(c.ReturnVoucher(number=1), CASHIER)
    director.ask(c.ConcludeEvent(event=MASTERS))
    director.enter(CHAMPIONS, "Player 2", account="p2", fee="voucher", buy_in="voucher", voucher=2)
    director.ask(c.ConcludeEvent(event=CHAMPIONS))


def _seats(director: Director) -> tuple[DrawnSeat, ...]:
    held = director.state.round
    assert held is not None
    return held.seats


def _taken(director: Director) -> set[tuple[str, int]]:
    return {(one.table, one.seat) for one in _seats(director)}


def _report(director: Director, points: dict[int, int]) -> None:
    director.ask(c.StartRound())
    held = director.state.round
    assert held is not None
    for table in held.tables:
        seated = [one.entry for one in held.seats if one.table == table]
        has = {str(one): points[one] for one in seated}
        house = sum(held.stacks[one] for one in has) - sum(has.values())
        report = c.ReportPoints(number=held.number, table=table, points=has, house=house, rolls=9)
        director.ask(report, THE_HOUSE)


def _dealt() -> Iterator[bytes]:
    """Yield the log of a random tournament, with the accounts of its people and the tables that it was dealt at."""
    chance = Random(_SEED)
    director = RandomDirector(chance, random_plan(chance))
    director.hold()
    assert director.close()
    yield from map(row_to_json, director.log.rows())


def _strict() -> Iterator[bytes]:
    """Yield the log of an evening under the pages of 0.4: who is asked about, and what is counted again."""
    log = MemoryLog(KEY, log_id="a-strict-tournament", at=AT)
    director = Director(to_builtins(one_event()), at=AT, log=log)
    director.enter(HEATS, "Ann Lee", account="p1")
    director.enter(HEATS, "A. Lee", is_somebody_else=True)
    nonce = bytes(range(32))
    director.ask(c.PromiseNonce(entry=1, digest=sha256(nonce).hexdigest()), _player(1))
    director.ask(c.PrepareRound(event=HEATS, tables=("t-1",)))
    director.ask(c.RevealNonce(entry=1, nonce=nonce.hex()), _player(1))
    director.draw()
    _report(director, {1: 5000, 2: 4000})
    director.ask(c.EndRound())
    director.ask(c.ConcludeEvent(event=HEATS))
    director.pay_all()
    director.ask(c.CountFees(counted=1), CASHIER)
    director.ask(c.SettleFees(reason="the bag is at the other cage"))
    director.ask(c.CloseTournament())
    yield from map(row_to_json, log.rows())


def _cut() -> Iterator[bytes]:
    """Yield the log of a cup whose cut is drawn by lot, and of one that is cancelled and given back."""
    log = MemoryLog(KEY, log_id="a-cut-tournament", at=AT)
    plan = two_rounds()
    plan = replace(plan, sheet=replace(plan.sheet, ties="shared", cut_ties="by_lot"))
    cup_, cancelled = (Director({**to_builtins(plan), "id": id_}, at=AT, log=log) for id_ in ("cut", "cancelled"))
    for director in (cup_, cancelled):
        for number in (1, 2, 3):
            director.enter(HEATS, f"Player {number}", account=f"p{number}")
        director.seat(HEATS, "t-1")
        _report(director, dict.fromkeys((1, 2, 3), 2500))
    cup_.ask(c.EndRound())
    cup_.ask(cup_.lot(c.DrawCut), THE_HOUSE)
    cancelled.ask(c.AddMoney(event=HEATS, cents=500_00))
    cancelled.ask(c.CancelTournament(reason="the power is out"))
    for number in (1, 2, 3):
        cancelled.ask(c.RefundEntry(entry=number), CASHIER)
    cancelled.ask(c.CloseTournament())
    yield from map(row_to_json, log.rows())


LOGS = {"tournament": _written, "dealt": _dealt, "strict": _strict, "cut": _cut}


def _entries(name: str) -> list[Stored]:
    path = GOLDEN / f"{name}.jsonl"
    if os.environ.get("PASSLINE_WRITE_GOLDEN") in {"1", name}:
        path.write_bytes(b"".join(LOGS[name]()))
    rows = [row_from_json(text) for text in path.read_bytes().splitlines(keepends=True)]
    assert verify_log(rows).faults == ()
    return [Stored(json.decode(row.body, type=Entry), row.body, row.hash, row.seal) for row in rows]


def _decided_again(name: str) -> dict[str, TournamentState]:
    """Decide a log again, entry by entry, and return its tournaments as they end."""
    course, states = TournamentCourse(), dict[str, TournamentState]()
    for stored in _entries(name):
        entry = stored.entry
        if not entry.stream.startswith(TOURNAMENT_STREAM):
            continue
        before, events = states.get(entry.stream), TOURNAMENT_CODEC.events(entry)
        by = THE_HOUSE if entry.actor == THE_HOUSE.account else Actor(entry.actor, entry.actor, entry.role)
        ask = Ask(entry.id, TOURNAMENT_CODEC.command(entry), by, entry.signed_by)
        decision = course.decide(before, ask, entry.at)
        assert isinstance(decision, Decision), str(decision)
        assert decision.events == events
        states[entry.stream] = course.fold(before, entry, events)
        assert states[entry.stream] == decision.after
    return states


def test_a_golden_tournament_is_decided_and_folded_as_it_was() -> None:
    series, shared = _decided_again("tournament").values()
    assert series.is_closed
    assert series.breaches == 2  # chips and fees that count otherwise
    assert series.balances == {
        "cash": -760_00, "fees": 300_00, "in_kind": -50_00, "complimentary": -150_00, "house": -500_00, "paid": 1160_00,
    }  # fmt: skip
    assert {entry: award.pool_cents for entry, award in shared.awards.items()} == {"1": 120_00, "2": 80_00}


def test_a_golden_evening_under_strict_pages_is_decided_and_folded_as_it_was() -> None:
    (evening,) = _decided_again("strict").values()
    assert (evening.is_closed, evening.fees_count, evening.are_fees_settled, evening.breaches) == (True, 1, True, 1)


def test_a_golden_cut_and_a_golden_refund_are_decided_and_folded_as_they_were() -> None:
    cut, cancelled = _decided_again("cut").values()
    assert cut.round is not None
    assert (len(cut.round.advance), cut.round.advance) == (2, tuple(sorted(cut.round.cut_through)))
    assert (cancelled.cancelled, cancelled.is_closed, cancelled.balances) == ("the power is out", True, {})


def test_a_golden_tournament_and_its_tables_verify() -> None:
    entries = _entries("dealt")
    assert {one.entry.stream.split("/")[0] for one in entries} >= {"people", "table", "tournament"}
    assert list(log_faults(entries)) == []


def test_the_golden_log_has_every_kind_of_event() -> None:
    """So that an event whose name or fields change without an upcaster is found here."""
    entries = [one.entry for name in ("tournament", "strict", "cut") for one in _entries(name)]
    ours = (one for one in entries if one.stream.startswith(TOURNAMENT_STREAM))
    found = {event["event"] for entry in ours for event in json.decode(entry.events)}
    assert found == {kind.__struct_config__.tag for kind in get_args(TournamentEvent)}
