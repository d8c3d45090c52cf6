"""A table of a tournament: only its chips, no limit, a fixed number of rolls, and points that add up."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.game.position import PointsMode
from passline.refusal import Refused
from passline.streams.course import THE_HOUSE, Actor, Decision
from passline.tables import commands as k
from passline.tables.approvals import Approvals
from passline.tables.decide import decide
from passline.tables.events import RoundFinished
from passline.tables.ledger import balances_of
from passline.tables.live import LiveTable
from passline.tables.money.points import is_over
from passline.tables.rules_in_force import rules_of
from passline.tables.views.table_view import news_between, view_of
from tests.tables.sitting import signer_of

AT = "2026-12-01T18:00:00.000000Z"
CLAUSES = {
    "only": "CO-2316-1-only", "exchange": "CO-2316-1-exchange", "bars": "CO-2316-1-bar",
    "no_value": "CO-2316-1-novalue", "no_limit": "CO-2316-1-nolimit", "no_redemption": "CO-2316-1-noredeem",
    "no_stand_ins": "CO-2315.07-4-sit", "no_wagers_for_others": "CO-2315.07-4-wager", "rank": "CO-2316-1-rank",
}  # fmt: skip
ANN, BOB = Actor("a", "Ann", "player"), Actor("b", "Bob", "player")
STICK = Actor("s", "Stan", "stickperson", is_employee=True)


class Table:
    """A tournament's table with two players."""

    def __init__(self, **mode: Any) -> None:  # noqa: ANN401 - of the mode
        points = PointsMode("open", 1, **{"rolls": 2, "clauses": CLAUSES, **mode})
        self.live: LiveTable | None = None
        automate = ("button", "call", "choose", "confirm", "offer", "pass", "settle")
        opening = k.OpenTable(
            name="T 1", house={"rules": "colorado"}, dice="physical", points=points, automate=automate
        )
        self.ask(opening, THE_HOUSE)
        players = (("a", "Ann"), ("b", "Bob"))
        entrants = (
            k.Entrant(seat=seat, account=account, name=name, cents=2500_00)
            for seat, (account, name) in enumerate(players, start=1)
        )
        self.ask(k.SeatEntrants(entrants=tuple(entrants)), THE_HOUSE)

    def decided(self, command: Any, by: Actor) -> Decision | Refused:  # noqa: ANN401 - any command
        """Decide a command."""
        signed_by = signer_of(command, by, self.live)
        return decide(self.live, command, by=by, at=AT, approvals=Approvals(), signed_by=signed_by)

    def ask(self, command: Any, by: Actor) -> tuple[Any, ...]:  # noqa: ANN401 - any command
        """Do something; return its events."""
        decision = self.decided(command, by)
        assert isinstance(decision, Decision), str(decision)
        self.live = decision.after
        assert sum(self.live.balances.values()) == 0
        if self.live.status != "closed":
            held = balances_of(self.live.game)
            at_table = {one: cents for one, cents in self.live.balances.items() if cents and one != "points"}
            assert held == at_table
        return decision.events

    def refused(self, command: Any, by: Actor) -> str:  # noqa: ANN401 - any command
        """Try something; return why it is refused."""
        refused = self.decided(command, by)
        assert isinstance(refused, Refused), f"{command} was not refused"
        return str(refused)

    def roll(self, first: int, second: int) -> None:
        """Key in a roll."""
        self.ask(k.KeyDice(first=first, second=second), STICK)


def line(cents: int, seat: int = 1, **more: Any) -> c.MakeWager:  # noqa: ANN401 - of the command
    """A wager on the pass line."""
    return c.MakeWager(seat=seat, wager="pass", cents=cents, **more)


def in_play(**mode: Any) -> Table:  # noqa: ANN401 - of the mode
    """A table whose shooter has the dice and a pass line wager."""
    table = Table(**mode)
    table.ask(c.AcceptDice(seat=1), ANN) if table.live and table.live.game.position.dice == "offered" else None
    table.ask(line(500_00), ANN)
    return table


@pytest.mark.clause("CO-2316-1-nolimit")
def test_a_wager_of_tournament_chips_has_no_limit() -> None:
    table = Table()
    assert table.live is not None
    assert rules_of(table.live).limits_apply is False
    table.ask(line(2500_00), ANN)  # twenty-five times the limit of money
    limited = Table(clauses={key: value for key, value in CLAUSES.items() if key != "no_limit"})
    assert "100.00" in limited.refused(line(2500_00), ANN)


@pytest.mark.clause("CO-2316-1-only", "CO-2316-1-bar", "CO-2316-1-exchange")
def test_nothing_but_tournament_chips_is_wagered() -> None:
    table = Table()
    assert "[CO-2316-1-only, CO-2316-1-bar]" in table.refused(line(500, coupon=500), ANN)
    assert "[CO-2316-1-only, CO-2316-1-bar]" in table.refused(line(500, media=("cash",)), ANN)
    assert "[CO-2316-1-exchange]" in table.refused(c.BuyIn(seat=1, cents=100_00), ANN)


@pytest.mark.clause("CO-2316-1-novalue", "CO-2316-1-noredeem")
def test_tournament_chips_are_worth_nothing_and_exchanged_for_nothing() -> None:
    table = Table()
    assert "[CO-2316-1-noredeem]" in table.refused(c.LeaveSeat(seat=1), ANN)
    floor = Actor("f", "Flo", "floorperson", is_employee=True)
    assert "[CO-2316-1-novalue]" in table.refused(c.Fill(cents=100_00), floor)
    assert "[CO-2316-1-rank]" in table.refused(k.CloseTable(), floor)


@pytest.mark.clause("CO-2315.07-4-sit", "CO-2315.07-4-wager")
def test_nobody_sits_in_or_wagers_for_another() -> None:
    table = Table()
    assert "[CO-2315.07-4-sit]" in table.refused(c.TakeSeat(seat=3), Actor("c", "Cleo", "player"))
    assert "[CO-2315.07-4-wager]" in table.refused(line(500, owner="crew"), ANN)
    assert "not Bob's" in table.refused(line(500), BOB)  # at Ann's seat


@pytest.mark.parametrize(("undecided", "ann", "house"), [("returned", 2500_00, 0), ("lost", 2000_00, 500_00)])
def test_a_round_ends_after_its_rolls_and_the_points_add_up(undecided: str, ann: int, house: int) -> None:
    table = in_play(undecided=undecided)
    table.roll(2, 4)
    table.roll(1, 2)
    assert "rolls of this round are over" in table.refused(k.KeyDice(first=3, second=3), STICK)
    assert "no wagers are taken" in table.refused(line(500, seat=2), BOB)
    finished = table.ask(k.FinishRound(), THE_HOUSE)
    (result,) = [one for one in finished if isinstance(one, RoundFinished)]
    assert result.stacks == {"1": ann, "2": 2500_00}
    assert (result.house, result.rolls) == (house, 2)
    assert table.live is not None
    assert {one: cents for one, cents in table.live.balances.items() if cents} == {}


def test_wagers_that_are_played_out_keep_the_dice_rolling() -> None:
    table = in_play(undecided="played_out")
    table.roll(2, 4)
    table.roll(1, 2)
    assert "played out" in table.refused(k.FinishRound(), THE_HOUSE)
    table.roll(2, 4)
    assert "rolls of this round are over" in table.refused(k.KeyDice(first=3, second=3), STICK)
    before = table.live
    finished = table.ask(k.FinishRound(), THE_HOUSE)
    (result,) = [one for one in finished if isinstance(one, RoundFinished)]
    assert result.stacks == {"1": 3000_00, "2": 2500_00}
    assert result.house == -500_00
    assert before is not None
    assert table.live is not None
    (won,) = view_of(before)["settled"]
    assert (won.account, won.name, won.outcome) == ("a", "Ann", "won")
    assert view_of(table.live) == view_of(before) | news_between(before, table.live)["changed"]  # a page loaded later
    assert table.live.players == {}


def test_only_the_server_seats_and_finishes() -> None:
    table = Table()
    assert "[duties]" in table.refused(k.FinishRound(), Actor("f", "Flo", "floorperson", is_employee=True))
    assert "already" in table.refused(k.SeatEntrants(entrants=()), THE_HOUSE)
    ordinary = replace(table.live, points=None) if table.live else None
    assert "not a table of a tournament" in str(
        decide(ordinary, k.FinishRound(), by=THE_HOUSE, at=AT, approvals=Approvals())
    )


def test_wagers_that_nobody_can_play_out_go_back() -> None:
    table = in_play(undecided="played_out")
    table.roll(2, 4)
    table.ask(c.MakeWager(seat=1, wager="come", cents=300_00), ANN)
    table.roll(2, 4)  # the last roll: the point is made, and the come wager has moved to the six
    assert "no wagers are taken" in table.refused(line(500), ANN)  # so nobody can shoot any more
    assert table.live is not None
    assert is_over(table.live)
    (result,) = [one for one in table.ask(k.FinishRound(), THE_HOUSE) if isinstance(one, RoundFinished)]
    assert (result.stacks, result.house) == ({"1": 3000_00, "2": 2500_00}, -500_00)
