"""Playing side wagers and wagers for the crew."""

from passline.cli.play.controller import summary
from passline.cli.play.messages import hint
from passline.rules.rules import Rules
from tests.cli.play.player import Player

SIDES = {"fire": "A", "bonus_craps": "A", "dice_ology": "B", "lucky_shooter": "C"}
MARYLAND = Rules.of("maryland")


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
    assert "No new Fire or Small" in answer
    assert "Your Small: 1 of 5 (4) [" in answer
    assert "Your Fire" not in answer  # it has counted nothing
    assert "can no longer be made in this shooter's hand [MD-3.A.40, MD-11.A.1]" in player.say("fire 1")
    assert "Your Fire: 1 counted (4) [MD-3.A.40.a" in player.say("roll")
    for _ in points[1:]:
        player.say("pass 10", "roll")
        answer = player.say("roll")
    assert "Your Fire: 4 counted (4, 5, 6, 8) [" in answer
    assert "Surveillance is told: Fire has counted 4 [MD-11.A.6]" in answer
    assert "Fire                    5.00  4 counted (4, 5, 6, 8), pays 24 to 1 on 4, 249 to 1 on 5" in player.say(
        "wagers"
    )
    player.say("pass 10", "roll")
    answer = player.say("roll")
    assert "Your Fire wins 120.00 (5.00 at 24 to 1) [" in answer
    assert "Your Small loses 5.00 [" in answer
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
    assert "Your Pass Line for the crew is made for 5.00" in player.say("pass 10", "tip pass 5")
    assert player.rack == 485_00
    answer = player.say("roll")
    assert "Your Pass Line for the crew wins 5.00 to the tip box (5.00 at 1 to 1)" in answer
    assert "You win $10 on this roll" in answer
    assert (player.rack, player.state.table.money.tip_box) == (505_00, 10_00)
    player.say("pass 10; tip pass 5", "roll", "odds 10", "tip odds 5")
    assert "pass_odds" in {one.kind for one in player.state.table.position.layout if one.owner == "crew"}
    player.say("down tip odds", "roll")
    assert (player.rack, player.state.table.money.tip_box) == (505_00 - 10_00 + 22_00, 10_00 + 5_00 + 10_00)
    text = "\n".join(line.text for line in summary(player.state))
    assert "won $32, lost $0, tips $15." in text
    assert "up $17" in text


def test_down_all_leaves_the_crew_s_wagers_up() -> None:
    player = Player(Rules.of("colorado", house={"tip_wagers": True}))
    player.say("pass 10; tip pass 5; 6 12", "down all")
    assert [(one.kind, one.owner) for one in player.state.table.position.layout] == [("pass", "crew")]


def test_a_tip_is_refused_with_its_clause_where_none_are_taken() -> None:
    assert "no wager may be made for the crew [MD-3.A]" in Player(MARYLAND).say("tip pass 5")
    assert "this house takes no wagers for the crew [CO-2318-pc]" in Player(Rules.of("colorado")).say("tip pass 5")


def test_the_hint_names_side_wagers_while_they_may_be_made() -> None:
    rules = Rules.of("maryland", house={"side_wagers": SIDES})
    player = Player(rules, ["5-6"])
    player.say("pass 10")
    assert "You can add fire 1, small 5, all 5." in hint(rules, player.state.table)
    player.say("roll", "pass 10")
    assert "You can add little ones 5, boom 5, big ones 5." in hint(rules, player.state.table)
