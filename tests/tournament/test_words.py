"""What people read of a tournament: numbers in words, commands in words, and what is known before anybody enters."""

from __future__ import annotations

from datetime import date, timedelta
from typing import get_args

import pytest

from passline.rules.pages.texts import parse_page
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.plan.reader import example_from, plan_of
from passline.tournament.plan.rounds_in_words import words_of_rounds
from passline.tournament.rules import regulations_with_tournaments, tournament_of
from passline.tournament.state import TournamentState
from passline.tournament.views import board_of, fees_of
from passline.tournament.wording import tournament_lines
from tests.tournament.director import CASHIER
from tests.tournament.evening import Evening, two_rounds

HEATS = "Heats"
DRAWN = "the seats are drawn by lot"


def test_every_command_has_words_that_are_not_its_name() -> None:
    assert {*c.IN_WORDS} == {*get_args(c.TournamentCommand)}
    for kind, words in c.IN_WORDS.items():
        assert "-" not in words, kind


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (e.PointsReported(1, "t-1", {}, 0, 1), "t-1 is done after 1 roll"),
        (e.PointsReported(1, "t-1", {}, 0, 2), "t-1 is done after 2 rolls"),
        (
            e.RoundPrepared(1, HEATS, "Final", (1, 2), ("t-1",)),
            "Final: 2 players at 1 table; the seats are drawn by lot",
        ),
        (e.EventConcluded(HEATS, {}, ()), "Heats is over: 0 prizes"),
    ],
)
def test_one_thing_is_not_several(event: e.TournamentEvent, says: str) -> None:
    assert tournament_lines(TournamentState(), [event]) == (says,)


def test_prizes_are_shares_until_somebody_has_paid() -> None:
    evening, rules = Evening(two_rounds()), tournament_of("colorado")

    def prizes() -> list[tuple[int, int]]:
        board = board_of(rules.pages, evening.state, HEATS, live={}, rolls_left={}, waits={})
        return [(prize.cents, prize.basis_points) for prize in board.prizes]

    shares = [place.prize.basis_points for place in evening.state.plan.events[0].places]
    assert prizes() == [(0, share) for share in shares]
    evening.players(1)
    assert all(cents and not share for cents, share in prizes())


def test_the_desk_knows_which_fees_are_expected_and_whether_they_must_agree() -> None:
    evening, rules = Evening(two_rounds()), tournament_of("colorado")
    evening.players(1, 2)
    paid = 2 * evening.state.plan.events[0].fee_cents
    assert fees_of(rules.pages, evening.state).counted_cents is None
    evening.ask(c.CountFees(counted=paid - 1), CASHIER)
    fees = fees_of(rules.pages, evening.state)
    assert (fees.expected_cents, fees.counted_cents, fees.is_settled, fees.must_agree) == (paid, paid - 1, False, True)
    evening.ask(c.SettleFees(reason="a cent fell down"))
    assert fees_of(rules.pages, evening.state).is_settled


@pytest.mark.parametrize("today", [date(2026, 1, 1), date(2026, 11, 18), date(2031, 2, 28)])
def test_an_example_begins_on_a_day_that_is_still_to_come(today: date) -> None:
    for name in regulations_with_tournaments():
        plan, faults = plan_of(parse_page(example_from(name, today).encode(), name))
        assert plan is not None, faults
        assert plan.events[0].first_day >= today + timedelta(weeks=4)


def test_the_sheet_says_with_what_a_final_begins() -> None:
    assert ", anew with 2,500 points each;" in words_of_rounds(two_rounds()).final_round
