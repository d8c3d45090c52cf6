"""Playing without a screen: what each line of text does, and how it is answered."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.cli.play.controller import charge_of, respond, summary
from passline.cli.play.parser import NAMES, VERBS
from passline.cli.play.play_state import begin_play
from passline.dice_sources import seeded_rolls
from passline.errors import CrapsError
from passline.rules.rules import Rules
from tests.cases import budget, one_in
from tests.cli.play.player import Player

GAMES = [("maryland", "craps"), ("maryland", "mini_craps"), ("section2", "craps"), ("section2", "mini_craps")]
GAMES += [("colorado", "craps"), ("colorado", "craps_free_craps"), ("arizona", "craps")]
MARYLAND = Rules.of("maryland")


@pytest.mark.parametrize(("name", "game"), GAMES)
def test_a_hand_can_be_played_under_every_regulation(name: str, game: str) -> None:
    """Pass 10 with 10 odds on 6: 10 at 1 to 1 and 10 at 6 to 5; then a loser 7 takes pass 10 and odds 10."""
    player = Player(Rules.of(name, game=game), ["2-4", "3-3", "4-4", "3-4"])
    player.say("pass 10", "roll", "odds 10", "roll")
    assert player.rack == 500_00 + 10_00 + 12_00
    assert "Hard six, winner, pay the line" in player.answer
    player.say("pass 10", "roll", "odds 10")
    answer = player.say("")
    assert player.rack == 500_00 + 22_00 - 20_00
    assert "Seven out, line away" in answer
    assert "You accept the dice again" in answer
    assert player.state.table.position.shooter == 1
    assert player.state.table.position.dice == "held"


def test_a_win_shows_its_arithmetic_and_its_clauses() -> None:
    player = Player(MARYLAND, ["2-2", "5-1"])
    answer = player.say("pass 10", "roll", "6 12", "roll")
    assert "Place 6 wins 14.00 (12.00 at 7 to 6) [MD-3.A.5.b, MD-5.A.7]" in answer
    assert "You win $14 on this roll; rack $504." in answer


def test_a_refusal_names_every_clause_and_changes_nothing() -> None:
    player = Player(MARYLAND)
    before = player.state.table
    assert "before throwing [MD-8.A.bet]" in player.say("roll")
    assert player.reply.is_refused
    answer = player.say("place 6 13")
    assert "13.00 at 7 to 6 cannot be paid" in answer
    assert "[MD-5.A]" in answer
    assert "Try: place 6 6" in answer
    assert player.state.table == before


def test_a_refused_roll_takes_no_dice() -> None:
    player = Player(MARYLAND, ["5-6"])
    player.say("roll", "roll", "pass 10")
    assert "Yo-leven, front line winner" in player.say("roll")


@pytest.mark.parametrize(
    ("lines", "up"),
    [
        (["pass"], {("pass", 0): 5_00}),
        (["place 6"], {("place_win", 6): 6_00}),
        (["place 4"], {("place_win", 4): 5_00}),
        (["place 6 8 12"], {("place_win", 6): 12_00, ("place_win", 8): 12_00}),
        (["hard 6"], {("hardway", 6): 1_00}),
        (["horn"], {("horn", 0): 4_00}),
        (["whirl min"], {("whirl", 0): 5_00}),
        (["pass all"], {("pass", 0): 500_00}),
        (["place 6 max"], {("place_win", 6): 498_00}),
    ],
)
def test_a_wager_without_an_amount_gets_a_lawful_one(lines: list[str], up: dict[tuple[str, int], int]) -> None:
    player = Player(MARYLAND)
    player.say(*lines)
    assert player.up == up


@pytest.mark.parametrize(("dice", "point", "times"), [("2-2", 4, 3), ("2-3", 5, 4), ("2-4", 6, 5)])
def test_odds_without_an_amount_are_the_house_maximum(dice: str, point: int, times: int) -> None:
    player = Player(MARYLAND, [dice])
    player.say("pass 10", "roll", "odds")
    assert player.up[("pass_odds", point)] == times * 10_00
    assert "is over the most allowed behind 10.00" in player.say("odds")


def test_odds_go_behind_the_right_wager() -> None:
    player = Player(MARYLAND, ["2-2", "4-5", "2-3", "2-2"])
    player.say("pass 10", "roll", "come 10", "roll", "come 15", "roll")
    player.say("odds 10", "odds 9 20", "odds on 5")
    assert player.up[("pass_odds", 4)] == 10_00
    assert player.up[("come_odds", 9)] == 20_00
    assert player.up[("come_odds", 5)] == 60_00
    player.say("roll")  # the point is made: two come wagers are left, and no line
    assert "odds behind which wager? type odds on 5 or odds on 9" in player.say(
        "down odds on 5", "down odds 9", "odds 10"
    )


def test_odds_without_a_wager_are_refused_with_the_clause() -> None:
    assert "odds need a Pass Line wager" in Player(MARYLAND).say("odds 10")


def test_press_less_down_and_the_calls() -> None:
    player = Player(MARYLAND, ["2-2", "2-2"])
    player.say("pass 10", "roll", "6 12", "press 6")
    assert player.up[("place_win", 6)] == 24_00
    player.say("press 6 6")
    assert player.up[("place_win", 6)] == 30_00
    player.say("less place 6 12")
    assert player.up[("place_win", 6)] == 18_00
    player.say("roll")  # the point is made: a come-out roll, and place wagers are off
    assert "is called on [MD-3.A.5.a]" in player.say("on place 6")
    assert "off for the next roll" not in player.say("wagers")
    player.say("place 6 off")
    assert "off for the next roll" in player.say("wagers")
    assert "Place 6 is removed, 18.00" in player.say("down 6")
    assert "you have no place win 6 up" in player.say("down 6")


def test_a_locked_wager_stays_and_the_rest_comes_down() -> None:
    player = Player(MARYLAND, ["2-2"])
    player.say("pass 10", "roll", "odds 20", "6 12")
    answer = player.say("down all")
    assert "locked once its point is set [MD-4.D.1]" in answer
    assert player.up == {("pass", 0): 10_00}


def test_typed_dice_are_prompted_for_and_parsed() -> None:
    player = Player(MARYLAND, is_typed=True)
    player.say("pass 10")
    assert "Type two digits" in player.say("roll")
    assert "Roll 1: 3-3" in player.say("3 3")
    assert "Roll 2: 2-1" in player.say("21")
    assert "Roll 3: 4-5" in player.say("roll 4 5")
    assert "is not a roll" in player.say("roll 7 1")
    player.say("6 12")
    assert player.up[("place_win", 6)] == 12_00
    player.say("roll", "6 6")  # after a prompt: these are the dice
    assert player.state.roll_count == 4
    assert "Roll 5: 2-4" in player.say("2 4")  # without a prompt, while a roll is possible
    player.say("place 5 5")
    assert player.up[("place_win", 5)] == 5_00


def test_typed_dice_wait_for_a_line_wager() -> None:
    """Two numbers are a wager while no roll is possible."""
    player = Player(MARYLAND, is_typed=True)
    player.say("5 5")
    assert player.up == {("place_win", 5): 5_00}
    assert "must make a Pass Line" in player.say("24")


def test_dice_cannot_be_typed_otherwise() -> None:
    player = Player(MARYLAND, ["2-4"])
    assert "these dice are not typed" in player.say("pass 10", "roll 34")


def test_a_shooter_without_a_line_wager_can_clear_come_wagers() -> None:
    player = Player(MARYLAND, ["2-2", "2-4", "2-2", "3-4"])
    player.say("pass 10", "roll", "come 10", "roll", "roll")
    assert "roll to decide the come wagers" in player.say("decline")
    answer = player.say("roll")
    assert "come wagers only" in answer
    assert "Your Come 6 loses 10.00" in answer


def test_buying_more_chips_is_not_a_win() -> None:
    player = Player(MARYLAND)
    assert "You change 100.00 for chips" in player.say("cash 100")
    assert player.rack == 600_00
    assert "Bought in for $600, leaving with $600: even." in summary(player.state)[1].text
    assert "cash how much?" in player.say("cash lots")


def test_the_summary_of_the_game() -> None:
    player = Player(MARYLAND, ["5-6", "1-1", "2-2"])
    player.say("pass 10", "roll", "pass 25", "roll", "pass 5", "roll", "quit")
    assert player.state.is_over
    first, second = (line.text for line in summary(player.state))
    assert first == "3 rolls; won $10, lost $25."
    assert second == "Bought in for $500, leaving with $485 ($5 of it still on the layout): down $15."


def test_the_summary_names_the_vigorish() -> None:
    """Buy 4 for 40 at 5 percent costs 2, which is listed apart from the loss."""
    player = Player(MARYLAND, ["2-3", "3-4"])
    player.say("pass 10", "roll", "buy 4 40", "roll")
    first, second = (line.text for line in summary(player.state))
    assert first == "2 rolls; won $0, lost $50, vigorish $2."
    assert second.endswith("leaving with $448: down $52.")


def test_help_lists_every_verb() -> None:
    answer = Player(MARYLAND).say("help")
    silent = {"table", "wagers", "history", "rules", "help"}
    assert {verb for verb in VERBS.values() if verb not in silent} <= set(answer.replace(",", " ").split())


@pytest.mark.parametrize(("name", "game"), GAMES)
def test_rules_explains_every_wager_with_its_clauses(name: str, game: str) -> None:
    rules = Rules.of(name, game=game)
    player = Player(rules)
    for kind, rule in rules.wagers.items():
        answer = player.say(f"rules {kind}")
        assert rule.name in answer.splitlines()[0]
        for payout in rule.payouts.values():
            assert str(payout.pays) in answer
            assert payout.clause.split(", ")[0] in answer


def test_history_is_shown_only_on_request_where_aids_are_banned() -> None:
    """AZ-II.N.2: aids for predicting outcomes are banned, so the list says why it is shown."""
    player = Player(Rules.of("arizona"), ["2-4"])
    assert "[AZ-II.N.2]" in player.say("pass 10", "roll", "history")
    other = Player(MARYLAND, ["2-4"])
    answer = other.say("pass 10", "roll", "history")
    assert "2-4   6  come-out" in answer
    assert "predict" not in answer


def test_history_lists_dice_point_and_result() -> None:
    player = Player(MARYLAND, ["2-2", "3-4"])
    assert player.say("history") == "No roll yet."
    answer = player.say("pass 10", "roll", "roll", "history")
    assert answer.splitlines()[1:] == ["    1  2-2   4  come-out", "    2  3-4   7  4         -$10"]


@pytest.mark.parametrize("bankroll", [0, -5, 50])
def test_an_unlawful_bankroll_is_refused(bankroll: int) -> None:
    with pytest.raises(CrapsError, match=r"\[MD-4\.B\]"):
        begin_play(MARYLAND, bankroll=bankroll)


_WORDS = [*VERBS, *(name for names in NAMES.values() for name in names), "all", "max", "min", ";", "off", "on"]
_WORDS += [str(number) for number in (*range(1, 14), 25, 40, 100)] + ["1-3", "66", "$10", "9.99"]


@given(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5).map(" ".join) | st.text(max_size=20))
@settings(max_examples=budget(60, in_sweep=200))
def test_no_line_of_text_breaks_the_game(text: str) -> None:
    player = Player(Rules.of("colorado"), ["2-4"] * 50)
    player.say("pass 10", "roll", "odds", "6 12", "come 10")
    total = _chips(player)
    player.say(text)
    if "cash" not in text.lower() and "buy" not in text.lower():
        assert _chips(player) == total
    assert all(line.text and "\n" not in line.text for line in player.reply.lines)


@pytest.mark.parametrize(("name", "game"), one_in(9, GAMES, others=pytest.mark.whole))
def test_long_random_play_keeps_the_chips(name: str, game: str) -> None:
    rules = Rules.of(name, game=game)
    chance = random.Random(f"{name} {game}")
    state, dice = begin_play(rules, bankroll=100_000_00), seeded_rolls(3)
    start = sum(state.table.money.racks) + state.table.money.bank
    lines = ["roll"] * 20 + ["pass", "dont pass", "odds", "come", "dont come", "repeat", "undo", "decline", "down all"]
    lines += [f"{kind} {number}" for kind in ("place", "buy", "lay", "lose") for number in (4, 5, 6, 8, 9, 10)]
    lines += ["hard 6", "hard 4 5", "horn", "whirl", "c&e", "field", "hop 1-3", "horn high 12", "on", "off", "press 6"]
    for _ in range(1_500):
        reply = respond(state, chance.choice(lines), dice)
        state = reply.state
        money, up = state.table.money, state.table.position.layout
        assert sum(money.racks) + money.bank + sum(wager.cents for wager in up) == start
    assert state.roll_count > 60
    assert state.won
    assert state.lost


def _chips(player: Player) -> int:
    money, up = player.state.table.money, player.state.table.position.layout
    return sum(money.racks) + money.bank + sum(wager.cents for wager in up)


@pytest.mark.parametrize(
    ("dice", "call", "point"),
    [("1-1", "Aces", 2), ("1-2", "Ace-deuce", 3), ("5-6", "Yo-leven", 11), ("6-6", "Boxcars", 12)],
)
def test_craps_free_craps_marks_every_point(dice: str, call: str, point: int) -> None:
    player = Player(Rules.of("colorado", game="craps_free_craps"), [dice, dice])
    player.say("pass 10")
    assert f"{call}, mark the point" in player.say("roll")
    assert player.state.table.position.puck == point
    why = f"cannot be on {point}; it can be on 4, 5, 6, 8, 9, 10 [CO-2308-1-right, CO-2317.03-gap-odds]"
    assert why in player.say("odds 5")
    assert f"{call}, winner, pay the line" in player.say("roll")
    assert player.rack == 510_00


@pytest.mark.parametrize(
    ("line", "takes"),
    [
        ("buy 4 25", "Enter takes $26: $25 and vigorish $1"),
        ("lay 4 40", "Enter takes $42: $40 and vigorish $2"),
        ("buy 4 10", ""),  # 5% of it is less than a chip
        ("place 6 12", ""),
        ("buy 4 25.50", ""),
        ("down all", ""),
        ("buy", ""),
    ],
)
def test_vigorish_is_said_before_a_line_is_entered(line: str, takes: str) -> None:
    player = Player(Rules.of("maryland", house={"limits": {}}))
    assert charge_of(player.state, line) == takes
    if takes:
        before = player.rack
        player.say(line)
        assert takes.startswith(f"Enter takes ${(before - player.rack) // 100}:")
        assert charge_of(player.state, line.replace("buy 4 25", "press buy 4")).startswith("Enter takes $")
