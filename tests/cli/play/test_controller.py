"""The table as a player meets it, without a screen: what each line of text does and is answered."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.cli.play.advice import hint
from passline.cli.play.controller import open_session, respond, summary
from passline.cli.play.words import NAMES, VERBS
from passline.errors import CrapsError
from passline.rules.rules import Rules
from passline.sources import seeded_rolls
from tests.cli.play.table import Player

GAMES = [("maryland", "craps"), ("maryland", "mini_craps"), ("section2", "craps"), ("section2", "mini_craps")]
GAMES += [("colorado", "craps"), ("colorado", "craps_free_craps"), ("arizona", "craps")]
SIDES = {"fire": "A", "bonus_craps": "A", "dice_ology": "B", "lucky_shooter": "C"}
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
    assert "The dice are offered to you again, and you take them" in answer
    assert player.session.table.position.shooter == 1
    assert player.session.table.position.dice == "held"


def test_a_win_shows_its_arithmetic_and_its_clauses() -> None:
    player = Player(MARYLAND, ["2-2", "5-1"])
    answer = player.say("pass 10", "roll", "6 12", "roll")
    assert "place_win 6 wins 14.00 (12.00 at 7 to 6) [MD-3.A.5.b, MD-5.A.7]" in answer
    assert "You win $14 on this roll; rack $504." in answer


def test_a_refusal_names_every_clause_and_changes_nothing() -> None:
    player = Player(MARYLAND)
    before = player.session.table
    assert "before throwing [MD-8.A.bet]" in player.say("roll")
    assert player.reply.is_refused
    answer = player.say("place 6 13")
    assert "13.00 at 7 to 6 cannot be paid" in answer
    assert "[MD-5.A]" in answer
    assert "Try: place 6 6" in answer
    assert player.session.table == before


def test_a_refused_roll_spends_no_dice() -> None:
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
def test_without_an_amount_the_table_takes_a_correct_one(lines: list[str], up: dict[tuple[str, int], int]) -> None:
    player = Player(MARYLAND)
    player.say(*lines)
    assert player.up == up


@pytest.mark.parametrize(("dice", "point", "times"), [("2-2", 4, 3), ("2-3", 5, 4), ("2-4", 6, 5)])
def test_plain_odds_are_the_most_the_house_allows(dice: str, point: int, times: int) -> None:
    player = Player(MARYLAND, [dice])
    player.say("pass 10", "roll", "odds")
    assert player.up[("pass_odds", point)] == times * 10_00
    assert "is over the most behind 10.00" in player.say("odds")


def test_odds_find_the_wager_they_stand_behind() -> None:
    player = Player(MARYLAND, ["2-2", "4-5", "2-3", "2-2"])
    player.say("pass 10", "roll", "come 10", "roll", "come 15", "roll")
    player.say("odds 10", "odds 9 20", "odds on 5")
    assert player.up[("pass_odds", 4)] == 10_00
    assert player.up[("come_odds", 9)] == 20_00
    assert player.up[("come_odds", 5)] == 60_00
    player.say("roll")  # the point is made: two come wagers are left, and no line
    assert "odds behind which wager? say odds on 5 or odds on 9" in player.say(
        "down odds on 5", "down odds 9", "odds 10"
    )


def test_odds_without_a_wager_are_refused_with_the_clause() -> None:
    assert "odds need a Pass Bet" in Player(MARYLAND).say("odds 10")


def test_undo_takes_back_one_act_at_a_time_until_the_dice_go_out() -> None:
    player = Player(MARYLAND, ["2-4"])
    start = player.session.table
    player.say("pass 10", "6 12; 8 18")
    assert "rack $478" in player.say("undo")
    player.say("undo", "undo")
    assert player.session.table == start
    assert player.reply.is_refused is False
    assert "nothing to undo" in player.say("undo")
    player.say("pass 10", "roll")
    after = player.session.table
    assert "once the dice have gone out" in player.say("undo")
    assert player.session.table == after


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
        kept = player.session
        player.say(act)
        came_down = player.session.table
        answer = player.say("undo")
        assert "cannot be undone" in answer
        assert clause in answer
        assert player.session.table == came_down
        player.session = kept
    player.say("down odds", "undo")  # odds may be put back freely
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
    """Odds of 20 on the 4; then a come-out roll at which the new pass wager is all that was made; repeat means that."""
    player = Player(MARYLAND, ["2-2", "1-2", "2-2", "5-5"])
    player.say("pass 10", "roll", "odds 20", "roll", "roll")
    assert "odds need a Pass Bet" in player.say("repeat")
    player.say("pass 10")
    undone = player.session.last
    assert [one.wager for one in undone] == ["pass_odds"]
    player.say("roll")
    assert [one.wager for one in player.session.last] == ["pass"]


def test_repeat_of_odds_stands_behind_the_point_that_is_on() -> None:
    player = Player(MARYLAND, ["2-2", "1-2", "1-2"])
    player.say("pass 10", "roll", "odds 10", "roll")
    player.say("down odds", "repeat")
    assert player.up == {("pass", 0): 10_00, ("pass_odds", 4): 10_00}


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
    assert "place_win 6 is removed, 18.00" in player.say("down 6")
    assert "you have no place win 6 up" in player.say("down 6")


def test_a_locked_wager_stays_and_the_rest_comes_down() -> None:
    player = Player(MARYLAND, ["2-2"])
    player.say("pass 10", "roll", "odds 20", "6 12")
    answer = player.say("down all")
    assert "locked once its point is set [MD-4.D.1]" in answer
    assert player.up == {("pass", 0): 10_00}


def test_typed_dice_are_asked_for_and_read() -> None:
    player = Player(MARYLAND, is_typed=True)
    player.say("pass 10")
    assert "Two digits" in player.say("roll")
    assert "Roll 1: 3-3" in player.say("3 3")
    assert "Roll 2: 2-1" in player.say("21")
    assert "Roll 3: 4-5" in player.say("roll 4 5")
    assert "are no two dice" in player.say("roll 7 1")
    player.say("6 12")
    assert player.up[("place_win", 6)] == 12_00
    player.say("roll", "6 6")  # asked: these are the dice
    assert player.session.roll_count == 4
    assert "Roll 5: 2-4" in player.say("2 4")  # not asked, but a roll is what comes next
    player.say("place 5 5")
    assert player.up[("place_win", 5)] == 5_00


def test_typed_dice_wait_for_a_line_wager() -> None:
    """Two numbers are a wager as long as no roll may come."""
    player = Player(MARYLAND, is_typed=True)
    player.say("5 5")
    assert player.up == {("place_win", 5): 5_00}
    assert "must make a Pass Bet" in player.say("24")


def test_other_dice_are_not_typed() -> None:
    player = Player(MARYLAND, ["2-4"])
    assert "these dice are not typed" in player.say("pass 10", "roll 34")


def test_a_shooter_without_a_line_wager_can_clear_come_wagers() -> None:
    player = Player(MARYLAND, ["2-2", "2-4", "2-2", "3-4"])
    player.say("pass 10", "roll", "come 10", "roll", "roll")
    assert "throw to decide the come wagers" in player.say("decline")
    answer = player.say("roll")
    assert "come wagers only" in answer
    assert "Your come 6 loses 10.00" in answer


def test_more_cash_is_no_win() -> None:
    player = Player(MARYLAND)
    assert "You change 100.00 for chips" in player.say("cash 100")
    assert player.rack == 600_00
    assert "Bought in for $600, leaving with $600: even." in summary(player.session)[1].text
    assert "cash how much?" in player.say("cash lots")


def test_the_end_says_how_it_went() -> None:
    player = Player(MARYLAND, ["5-6", "1-1", "2-2"])
    player.say("pass 10", "roll", "pass 25", "roll", "pass 5", "roll", "quit")
    assert player.session.is_over
    first, second = (line.text for line in summary(player.session))
    assert first == "3 rolls; won $10, lost $25."
    assert second == "Bought in for $500, leaving with $485 ($5 of it still on the layout): down $15."


def test_the_end_names_the_vigorish() -> None:
    """Buy 4 for 40 at 5 percent costs 2; lost with it, the charge is beside the loss."""
    player = Player(MARYLAND, ["2-3", "3-4"])
    player.say("pass 10", "roll", "buy 4 40", "roll")
    first, second = (line.text for line in summary(player.session))
    assert first == "2 rolls; won $0, lost $50, vigorish $2."
    assert second.endswith("leaving with $448: down $52.")


def test_help_names_every_act() -> None:
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
    """AZ-II.N.2: nobody may use an aid to project outcomes, so the list says why it is there."""
    player = Player(Rules.of("arizona"), ["2-4"])
    assert "[AZ-II.N.2]" in player.say("pass 10", "roll", "history")
    other = Player(MARYLAND, ["2-4"])
    answer = other.say("pass 10", "roll", "history")
    assert "2-4   6  come-out" in answer
    assert "project" not in answer


def test_history_lists_dice_point_and_result() -> None:
    player = Player(MARYLAND, ["2-2", "3-4"])
    assert player.say("history") == "No roll yet."
    answer = player.say("pass 10", "roll", "roll", "history")
    assert answer.splitlines()[1:] == ["    1  2-2   4  come-out", "    2  3-4   7  4         -$10"]


@pytest.mark.parametrize("bankroll", [0, -5, 50])
def test_a_bankroll_that_cannot_be_chips_is_refused(bankroll: int) -> None:
    with pytest.raises(CrapsError, match=r"\[MD-4\.B\]"):
        open_session(MARYLAND, bankroll=bankroll)


_WORDS = [*VERBS, *(name for names in NAMES.values() for name in names), "all", "max", "min", ";", "off", "on"]
_WORDS += [str(number) for number in (*range(1, 14), 25, 40, 100)] + ["1-3", "66", "$10", "9.99"]


@given(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=5).map(" ".join) | st.text(max_size=20))
@settings(max_examples=200)
def test_no_line_of_text_breaks_the_table(text: str) -> None:
    player = Player(Rules.of("colorado"), ["2-4"] * 50)
    player.say("pass 10", "roll", "odds", "6 12", "come 10")
    total = _chips(player)
    player.say(text)
    if "cash" not in text.lower() and "buy" not in text.lower():
        assert _chips(player) == total
    assert all(line.text and "\n" not in line.text for line in player.reply.lines)


@pytest.mark.parametrize(("name", "game"), GAMES)
def test_long_random_play_keeps_the_chips(name: str, game: str) -> None:
    rules = Rules.of(name, game=game)
    chance = random.Random(f"{name} {game}")
    session, dice = open_session(rules, bankroll=100_000_00), seeded_rolls(3)
    start = sum(session.table.money.racks) + session.table.money.bank
    lines = ["roll"] * 20 + ["pass", "dont pass", "odds", "come", "dont come", "repeat", "undo", "decline", "down all"]
    lines += [f"{kind} {number}" for kind in ("place", "buy", "lay", "lose") for number in (4, 5, 6, 8, 9, 10)]
    lines += ["hard 6", "hard 4 5", "horn", "whirl", "c&e", "field", "hop 1-3", "horn high 12", "on", "off", "press 6"]
    for _ in range(1_500):
        reply = respond(session, chance.choice(lines), dice)
        session = reply.session
        money, up = session.table.money, session.table.position.layout
        assert sum(money.racks) + money.bank + sum(wager.cents for wager in up) == start
    assert session.roll_count > 60
    assert session.won
    assert session.lost


def _chips(player: Player) -> int:
    money, up = player.session.table.money, player.session.table.position.layout
    return sum(money.racks) + money.bank + sum(wager.cents for wager in up)


def test_side_wagers_are_made_by_words_counted_and_paid() -> None:
    """Four points made and a loser 7: fire 5 at 24 to 1 wins 120; small loses to the 7."""
    rules = Rules.of("maryland", house={"side_wagers": SIDES, "wager_cents_min": 100})
    points = ["2-2", "2-3", "2-4", "4-4"]
    player = Player(rules, [dice for point in points for dice in (point, point)] + ["4-5", "3-4"])
    player.say("pass 10; fire 5; small 5; tall 5; all 2; lucky 3; little 4; boom 1; big ones 1")
    made = {"fire": 5_00, "small": 5_00, "tall": 5_00, "all": 2_00, "lucky_shooter": 3_00, "little_ones": 4_00}
    assert player.up == {("pass", 0): 10_00, **{(kind, 0): cents for kind, cents in made.items()}} | {
        ("boom_or_bust", 0): 1_00,
        ("big_ones", 0): 1_00,
    }
    answer = player.say("roll")
    assert "For the rest of this hand: no new Fire Bet or All Small Wager" in answer
    assert "Your small: 1 of 5 (4) [" in answer
    assert "Your fire" not in answer  # nothing counted is no news
    assert "can no longer be made in this shooter's hand [MD-3.A.40, MD-11.A.1]" in player.say("fire 1")
    assert "Your fire: 1 counted (4) [MD-3.A.40.a" in player.say("roll")
    for _ in points[1:]:
        player.say("pass 10", "roll")
        answer = player.say("roll")
    assert "Your fire: 4 counted (4, 5, 6, 8) [" in answer
    assert "Surveillance is told: fire has counted 4 [MD-11.A.6]" in answer
    assert "fire                    5.00  4 counted (4, 5, 6, 8), pays 24 to 1 on 4, 249 to 1 on 5" in player.say(
        "wagers"
    )
    player.say("pass 10", "roll")
    answer = player.say("roll")
    assert "Your fire wins 120.00 (5.00 at 24 to 1) [" in answer
    assert "Your small loses 5.00 [" in answer
    assert player.up == {}


def test_the_layout_in_plain_lines_shows_lamps_and_pay_tables() -> None:
    player = Player(Rules.of("maryland", house={"side_wagers": SIDES}), ["2-4"])
    player.say("pass 10; fire 5", "roll")
    answer = player.say("table")
    assert "FIRE \u25cf5 4 5 6 8 9 10  4:24 5:249 6:999 to 1" in answer
    assert "LUCKY 4 5 6 8 9 10  7/11:1 3:5 4:20 5:150 6:1000 for 1" in answer


def test_rules_of_a_side_wager_show_the_pay_table_and_reading_in_force() -> None:
    house = {"side_wagers": SIDES, "readings": {"lucky_shooter": "repeats_neutral"}}
    player = Player(Rules.of("maryland", house=house))
    answer = player.say("rules lucky")
    assert "pay table C, in force 20 for 1 when 4 points are hit [MD-5.J.3.c]" in answer
    assert "reading repeats neutral, in force" in answer
    assert "may be elected" not in answer
    assert "This house does not offer it." in Player(MARYLAND).say("rules lucky")


def test_a_tip_is_the_crew_s_and_counts_as_such() -> None:
    """Pass 10 and 5 for the crew win on a come-out 7: the player is 10 up and 5 tipped; the tip box has 10."""
    player = Player(Rules.of("colorado", house={"tip_wagers": True}), ["3-4", "2-4", "2-4"])
    assert "Your pass for the crew is made for 5.00" in player.say("pass 10", "tip pass 5")
    assert player.rack == 485_00
    answer = player.say("roll")
    assert "Your pass for the crew wins 5.00 to the tip box (5.00 at 1 to 1)" in answer
    assert "You win $10 on this roll" in answer
    assert (player.rack, player.session.table.money.tip_box) == (505_00, 10_00)
    player.say("pass 10; tip pass 5", "roll", "odds 10", "tip odds 5")
    assert "pass_odds" in {one.kind for one in player.session.table.position.layout if one.owner == "crew"}
    player.say("down tip odds", "roll")
    assert (player.rack, player.session.table.money.tip_box) == (505_00 - 10_00 + 22_00, 10_00 + 5_00 + 10_00)
    told = "\n".join(line.text for line in summary(player.session))
    assert "won $32, lost $0, tips $15." in told
    assert "up $17" in told


def test_down_all_leaves_the_crew_s_wagers_up() -> None:
    player = Player(Rules.of("colorado", house={"tip_wagers": True}))
    player.say("pass 10; tip pass 5; 6 12", "down all")
    assert [(one.kind, one.owner) for one in player.session.table.position.layout] == [("pass", "crew")]


def test_a_tip_is_refused_with_its_clause_where_none_are_taken() -> None:
    assert "no wager may be made for the crew [MD-3.A]" in Player(MARYLAND).say("tip pass 5")
    assert "this house takes no wagers for the crew [CO-2318-pc]" in Player(Rules.of("colorado")).say("tip pass 5")


@pytest.mark.parametrize(
    ("dice", "call", "point"),
    [("1-1", "Aces", 2), ("1-2", "Ace-deuce", 3), ("5-6", "Yo-leven", 11), ("6-6", "Boxcars", 12)],
)
def test_craps_free_craps_marks_every_point(dice: str, call: str, point: int) -> None:
    player = Player(Rules.of("colorado", game="craps_free_craps"), [dice, dice])
    player.say("pass 10")
    assert f"{call}, mark the point" in player.say("roll")
    assert player.session.table.position.puck == point
    assert f"takes 4, 5, 6, 8, 9, 10, not {point} [CO-2308-1-right, CO-2317.03-gap-odds]" in player.say("odds 5")
    assert f"{call}, winner, pay the line" in player.say("roll")
    assert player.rack == 510_00


def test_the_hint_names_side_wagers_while_they_may_be_made() -> None:
    rules = Rules.of("maryland", house={"side_wagers": SIDES})
    player = Player(rules, ["5-6"])
    player.say("pass 10")
    assert "You may add fire 1, small 5, all 5." in hint(rules, player.session.table)
    player.say("roll", "pass 10")
    assert "You may add little ones 5, boom 5, big ones 5." in hint(rules, player.session.table)
