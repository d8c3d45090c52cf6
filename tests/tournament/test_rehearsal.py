"""A tournament is simulated before it is held: the same seed gives the same answer, and the counts add up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from passline.errors import CrapsError
from passline.tournament.plan.check import dealt_rules
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Event, Round
from passline.tournament.rehearsal.figures import Rehearsal
from passline.tournament.rehearsal.rehearse import rehearse
from passline.tournament.rules import tournament_of

PLAN = example_plan("colorado")
RULES = dealt_rules(tournament_of("colorado"), PLAN)
STRATEGIES = ("pass_345:unit=10000", "field:unit=20000", "six_eight:unit=12000")

HALF = """
name = "half"
description = "The pass line while half of the bankroll is left."
source = "Made for this test."

[[wish]]
make = "pass"
cents = "10_000"
when = "rack * 2 > bankroll"
"""


def event(*rounds: Round, **changes: Any) -> Event:  # noqa: ANN401 - of an event
    """The main event with other rounds."""
    short = tuple(replace(one, rolls=8) for one in PLAN.events[0].rounds)
    return replace(PLAN.events[0], rounds=rounds or short, **changes)


def rehearsed(one: Event | None = None, strategies: tuple[str, ...] = STRATEGIES, **changes: Any) -> Rehearsal:  # noqa: ANN401
    """Rehearse an event."""
    assert RULES is not None
    options: dict[str, Any] = {"event": one or event(), "entries": 30, "runs": 6, "seed": 1, "pace": 60.0, **changes}
    return rehearse(PLAN, RULES, strategies, **options)


def test_a_seed_gives_the_same_answer_and_more_runs_begin_with_the_same_ones() -> None:
    found = rehearsed()
    assert found == rehearsed()
    assert rehearsed(runs=9).winning_points[:6] == found.winning_points
    assert rehearsed(seed=2).winning_points != found.winning_points


def test_counts_add_up_and_the_time_follows_from_the_pace() -> None:
    found = rehearsed()
    assert (found.entries, sum(found.wins), found.runs) == ((10, 10, 10), 6, 6)
    assert max(found.finalists) <= found.runs
    assert [(one.players, one.tables, one.rolls, one.minutes) for one in found.rounds] == [
        (30, 2, 8, 8.0), (8, 1, 8, 8.0), (7, 1, 8, 8.0)
    ]  # fmt: skip
    assert (found.minutes, rehearsed(pace=120.0).minutes) == (24.0, 12.0)
    assert found.points_at(0.05) <= found.points_at(0.5) <= found.points_at(0.95)


def test_a_round_by_the_clock_has_the_rolls_of_its_minutes() -> None:
    found = rehearsed(event(Round(name="Final", minutes=10, seats=16, is_initial=True)), entries=6)
    assert [(one.rolls, one.minutes) for one in found.rounds] == [(10, 10)]


def test_one_wager_on_the_only_roll_decides_it() -> None:
    final = event(Round(name="Final", rolls=1, seats=16, is_initial=True))
    found = rehearsed(final, ("field:unit=20000", "six_eight:unit=12000"), entries=2, runs=300)
    assert (found.decided, found.last_roll) == (300, 300)  # on a come-out roll nothing but the field wagers
    assert found.wins[0] / 300 == pytest.approx(16 / 36, abs=0.09)
    assert {*found.winning_points} == {2500, 2700, 2900}  # the field pays even money, or double on 2 and 12
    idle = rehearsed(final, ("six_eight:unit=12000",), entries=2)
    assert (idle.decided, idle.last_roll, {*idle.winning_points}) == (0, 0, {2500})


def test_points_are_carried_where_the_plan_says_so() -> None:
    rounds = (
        Round(name="First", rolls=10, seats=16, advance=3, carries_points=True, is_initial=True),
        Round(name="Final", rolls=1, seats=16),
    )
    carried = rehearsed(event(*rounds), ("field:unit=20000",), entries=16, runs=20)
    equal = rehearsed(event(replace(rounds[0], carries_points=False), rounds[1]), ("field:unit=20000",), entries=16)
    assert max(abs(one - 2500) for one in equal.winning_points) <= 600
    assert max(abs(one - 2500) for one in carried.winning_points) > 600


def test_an_interruption_shows_the_runs_that_are_over() -> None:
    def stop(runs: int) -> None:
        if runs >= 2:
            raise KeyboardInterrupt

    assert rehearsed(done=stop).runs == 2  # the first batch
    assert rehearsed(done=stop, states_max=4).runs == 2  # by the engine


def test_what_the_kernels_cannot_take_is_dealt_by_the_engine_and_comes_to_the_same() -> None:
    fast, slow = rehearsed(), rehearsed(states_max=4)
    assert fast.by_engine == ""
    assert "more than 4 states in run 1" in slow.by_engine
    assert replace(slow, by_engine="") == fast
    late = rehearsed(states_max=520)  # more than are explored beforehand, fewer than these reach
    assert replace(late, by_engine="") == fast


def test_a_strategy_that_reads_its_money_is_dealt_by_the_engine(tmp_path: Path) -> None:
    file = tmp_path / "half.toml"
    file.write_text(HALF, encoding="utf-8")
    found = rehearsed(event(Round(name="Final", rolls=3, seats=16, is_initial=True)), (str(file), "pass"), entries=4)
    assert "reads bankroll" in found.by_engine
    assert sum(found.wins) == 6


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"entries": 161}, "takes 2 to 160"),
        ({"entries": 1}, "takes 2 to 160"),
        ({"strategies": ("moly",)}, "did you mean molly"),
        ({"strategies": ()}, "name at least one strategy"),
        ({"strategies": ("pass:unit=10",)}, "refused"),
    ],
)
def test_what_cannot_be_rehearsed_is_said(changes: dict[str, Any], why: str) -> None:
    with pytest.raises(CrapsError, match=why):
        rehearsed(**changes)
