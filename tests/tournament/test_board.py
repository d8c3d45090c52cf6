"""The board of the room: the prizes of an event before more events follow, the clock, counts that are secret."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from passline.tournament import commands as c
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Plan
from passline.tournament.rules import tournament_of
from passline.tournament.views import Board, board_for_room, board_of, own_rank
from tests.tournament.director import Director

MAIN = "Main event"


def held(plan: Plan) -> Director:
    """Hold a tournament of three players."""
    director = Director(to_builtins(plan))
    for name in ("Ann", "Bob", "Cy"):
        director.enter(MAIN, name)
    return director


def shown(director: Director, waits: Mapping[str, str] | None = None, **live: int) -> Board:
    points = {
        number: live[one.name] for number, one in enumerate(director.state.entries.values(), 1) if one.name in live
    }
    pages = tournament_of(director.state.plan.rules).pages
    return board_of(pages, director.state, MAIN, live=points, rolls_left={}, waits=waits or {})


def test_an_event_before_others_wins_its_shares_of_the_pool_and_no_more() -> None:
    board = shown(held(example_plan("colorado")))
    assert [one.cents for one in board.prizes] == [135_01, 84_37, 50_62]  # 90 % of $300 as 40 to 25 to 15
    assert (board.pool_cents, board.entries, board.phase) == (300_00, 3, "entries are taken")


@pytest.mark.parametrize("counts", ["open", "secret"])
def test_a_round_by_the_clock_says_when_it_ends_and_keeps_secret_counts(counts: str) -> None:
    plan = example_plan("colorado")
    first, *others = plan.events[0].rounds
    main = replace(plan.events[0], rounds=(replace(first, rolls=0, minutes=45), *others))
    sheet = replace(plan.sheet, counts=counts)
    director = held(replace(plan, events=(main, *plan.events[1:]), sheet=sheet))
    director.seat(MAIN, "craps-1")
    assert shown(director).ends == ""
    director.ask(c.StartRound())
    board = shown(director, Ann=2600, Bob=2900, Cy=100)
    began = datetime.fromisoformat(director.state.rounds[-1].started)
    assert datetime.fromisoformat(board.ends) - began == timedelta(minutes=45)
    assert (board.rolls, board.minutes) == (0, 45)
    own = own_rank(board, 1)
    assert own is not None
    if counts == "open":
        assert next((one.place, one.name, one.points) for one in board.lines) == (1, "Bob", 2900)
        assert (own.place, own.behind, own.ahead) == (2, 300, 2500)
    else:
        assert {(one.place, one.points) for one in board.lines} == {(0, None)}
        assert [one.name for one in board.lines] == ["Ann", "Bob", "Cy"]
        assert (own.place, own.points, own.behind) == (0, None, None)


def test_the_room_is_told_that_a_table_waits_and_not_why() -> None:
    director = held(example_plan("colorado"))
    director.seat(MAIN, "craps-1")
    board = shown(director, {"craps-1": "no dice were issued to craps-1"})
    assert [table.waits for table in board.tables] == ["no dice were issued to craps-1"]
    assert [table.waits for table in board_for_room(board).tables] == ["waits"]
    assert board_for_room(shown(director)) == shown(director)
