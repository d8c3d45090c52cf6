"""The cash of tournaments, patron by patron: all that the tournament's own books have, and nothing else."""

from __future__ import annotations

import random

from passline.tournament import commands as c
from passline.tournament.cash import TournamentsCash
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM
from tests.tournament.director import CASHIER, Director
from tests.tournament.regulations import known_example

MAIN = "Main event"
EVER = ("0000", "9999")


def test_fees_and_what_goes_back_are_cash_of_whoever_entered() -> None:
    director = Director(known_example("colorado"))
    cash = TournamentsCash(director.log, TOURNAMENT_STREAM, TOURNAMENT_CODEC.events)
    director.enter(MAIN, "Ann Lee", account="ann")
    earlier = "2026-11-29T18:00:00.000000Z"
    director.ask(c.EnterPlayer(event=MAIN, name="Bob  Ray", occurred=earlier), CASHIER)
    director.ask(c.EnterPlayer(event=MAIN, name="Cleo", fee="complimentary", buy_in="complimentary"), CASHIER)
    found = cash.find("colorado", *EVER)
    assert [part.who for part in found] == ["account/ann", "entrant/bob ray"]
    price = found[0].cents
    assert price == -director.state.balances["cash"] // 2 > 0
    assert [(part.at, part.entry_at) for part in found] == [(director.at, director.at), (earlier, director.at)]
    assert len(cash.find("colorado", director.at, "9999")) == 2, "found by the day of its entry, too"
    assert cash.find("arizona", *EVER) == []
    director.ask(c.WithdrawEntry(entry=1, reason="cannot come"), CASHIER)
    assert [part.cents for part in cash.find("colorado", *EVER)] == [price, price, -price]
    assert -sum(part.cents for part in cash.find("colorado", *EVER)) == director.state.balances["cash"]


def test_prizes_are_cash_to_those_who_win_them() -> None:
    director = Director(known_example("colorado"))
    for number in range(1, 5):
        director.enter(MAIN, f"Player {number}")
    chance = random.Random(4)
    planned = director.state.event(MAIN)
    assert planned is not None
    for _ in planned.rounds:
        director.seat(MAIN, "t-1")
        director.play(chance)
        director.ask(c.EndRound())
    director.ask(c.ConcludeEvent(event=MAIN))
    director.pay_all()
    cash = TournamentsCash(director.log, TOURNAMENT_STREAM, TOURNAMENT_CODEC.events)
    out = [-part.cents for part in cash.find("colorado", *EVER) if part.cents < 0]
    assert out
    assert sum(out) == director.state.balances["paid"]
