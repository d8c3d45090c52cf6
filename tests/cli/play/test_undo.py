"""What undo and repeat do, and what the rules forbid them."""

import pytest

from passline.rules.rules import Rules
from tests.cli.play.player import Player

MARYLAND = Rules.of("maryland")


def test_undo_takes_back_one_act_at_a_time_since_the_last_roll() -> None:
    player = Player(MARYLAND, ["2-4"])
    start = player.state.table
    player.say("pass 10", "6 12; 8 18")
    assert "rack $478" in player.say("undo")
    player.say("undo", "undo")
    assert player.state.table == start
    assert player.reply.is_refused is False
    assert "nothing to undo" in player.say("undo")
    player.say("pass 10", "roll")
    after = player.state.table
    assert "what was done before the last roll stands" in player.say("undo")
    assert player.state.table == after


@pytest.mark.clause("MD-4.E.replace", "S2-c4.dp.noreplace", "CO-2305-4-noreplace")
@pytest.mark.parametrize(
    ("regulation", "clause"),
    [("maryland", "MD-4.E.replace"), ("section2", "S2-c4.dp.noreplace"), ("colorado", "CO-2305-4-noreplace")],
)
def test_undo_does_not_put_a_dont_wager_back_once_its_point_is_set(regulation: str, clause: str) -> None:
    """MD-4.E.replace, S2-c4.dp.noreplace, CO-2305-4-noreplace: whole or in part; before the point it may."""
    player = Player(Rules.of(regulation), ["2-4"])
    player.say("dont pass 20", "down dont pass", "undo")
    assert player.up == {("dont_pass", 0): 20_00}
    player.say("less dont pass 10", "undo")
    assert player.up == {("dont_pass", 0): 20_00}
    player.say("roll", "odds 24")
    for act in ("less dont pass 10", "down dont pass", "down all"):
        kept = player.state
        player.say(act)
        came_down = player.state.table
        answer = player.say("undo")
        assert "cannot be undone" in answer
        assert clause in answer
        assert player.state.table == came_down
        player.state = kept
    player.say("down odds", "undo")  # odds may be made again
    assert player.up == {("dont_pass", 0): 20_00, ("dont_pass_odds", 6): 24_00}


@pytest.mark.clause("S2-c4.dc.noreplace")
def test_undo_does_not_put_a_dont_come_wager_back_on_its_number() -> None:
    """S2-c4.dc.noreplace: on its number neither; a new one in its area was never moved, and may be."""
    player = Player(Rules.of("section2"), ["2-4", "4-4"])
    player.say("pass 10", "roll", "dont come 10", "down dont come", "undo")
    assert player.up[("dont_come", 0)] == 10_00
    player.say("roll", "down dont come 8")
    assert "S2-c4.dc.noreplace" in player.say("undo")
    assert ("dont_come", 8) not in player.up


def test_undo_takes_back_a_group_at_once() -> None:
    player = Player(MARYLAND)
    player.say("6 12", "8 18")
    both = player.up
    player.say("down all")
    assert player.up == {}
    player.say("undo")
    assert player.up == both


def test_repeat_makes_the_wagers_of_the_last_roll_again() -> None:
    player = Player(MARYLAND, ["5-6"])
    assert "nothing to repeat" in player.say("repeat")
    player.say("pass 10; field 5", "roll", "repeat")
    assert player.up == {("pass", 0): 10_00, ("field", 0): 5_00}
    player.say("undo")
    assert player.up == {}


def test_repeat_moves_line_odds_to_the_new_point() -> None:
    """Repeat means the wagers before the last roll: first the odds of 20, then only the new pass wager."""
    player = Player(MARYLAND, ["2-2", "1-2", "2-2", "5-5"])
    player.say("pass 10", "roll", "odds 20", "roll", "roll")
    assert "odds need a Pass Line wager" in player.say("repeat")
    player.say("pass 10")
    undone = player.state.last
    assert [one.wager for one in undone] == ["pass_odds"]
    player.say("roll")
    assert [one.wager for one in player.state.last] == ["pass"]


def test_repeated_odds_go_behind_the_present_point() -> None:
    player = Player(MARYLAND, ["2-2", "1-2", "1-2"])
    player.say("pass 10", "roll", "odds 10", "roll")
    player.say("down odds", "repeat")
    assert player.up == {("pass", 0): 10_00, ("pass_odds", 4): 10_00}
