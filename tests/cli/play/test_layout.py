"""The drawn layout: what is printed on it comes from the rules, and it fits."""

import pytest

from passline.cli.play.advice import Spot
from passline.cli.play.layout import HEIGHT, WIDTH, Picture, picture_of
from passline.rules.rules import Rules
from tests.cli.play.table import Player

NAMES = ("maryland", "section2", "colorado", "arizona")
MARYLAND = Rules.of("maryland")


def _picture(player: Player, *, width: int = WIDTH, height: int = HEIGHT) -> Picture:
    return picture_of(player.session.rules, player.session.table, width=width, height=height)


def _text(player: Player) -> str:
    return "\n".join(_picture(player).texts())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("width", "height"), [(80, 14), (80, 19), (100, 30), (86, 14), (200, 60)])
def test_it_fits_and_every_row_is_as_wide(name: str, width: int, height: int) -> None:
    player = Player(Rules.of(name), ["2-4", "2-2", "4-5"])
    player.say("pass 10", "roll", "odds", "come 10", "roll", "odds 4 20", "lay 4 40", "buy 4 25", "6 12", "field 100")
    player.say("hop 1-3 1; hop 3-3 1", "horn high 12 5", "hard 8 100", "dont come 25", "roll")
    rows = ["".join(run.text for run in row) for row in _picture(player, width=width, height=height).rows]
    assert len({len(row) for row in rows}) == 1
    assert WIDTH <= len(rows[0]) <= width
    assert HEIGHT <= len(rows) <= height
    assert rows[0][0] == "\u250c"
    assert rows[-1][-1] == "\u2518"


def test_odds_and_bars_come_from_the_rules_in_force() -> None:
    usual = _text(Player(MARYLAND))
    assert "ANY SEVEN        4 to 1" in usual
    assert "BAR 12" in usual
    elected = Rules.of("maryland", house={"payouts": {"any_seven": "26 to 5"}})
    assert "ANY SEVEN       26 to 5" in _text(Player(elected))
    payouts = {"field 12": "3 to 1", "field 4": "2 to 1"}
    colorado = Rules.of("colorado", house={"payouts": payouts, "payouts_posted": True, "payouts_uniform": True})
    assert "(2) 3 (4) 9 10 11 (12)" in _text(Player(colorado))
    assert "(2)(4) 2 to 1  (12) 3 to 1" in "\n".join(_picture(Player(colorado), width=100).texts())


@pytest.mark.parametrize("name", NAMES)
def test_only_what_the_house_offers_is_drawn(name: str) -> None:
    rules = Rules.of(name)
    text = _text(Player(rules))
    assert ("BIG 6" in text) is ("big" in rules.wagers)
    offered = "six_seven_eight" in rules.wagers and rules.wagers["six_seven_eight"].is_offered
    assert ("6-7-8" in text) is offered
    for point in rules.points:
        assert str(rules.wagers["place_win"].payouts[point].pays) in text


def test_the_puck_is_said_in_words() -> None:
    player = Player(MARYLAND, ["2-4", "2-4"])
    assert "ON" not in _text(player).replace("DON'T", "")
    player.say("pass 10", "roll")
    assert "SIX ON" in _text(player)
    player.say("roll")
    assert "ON" not in _text(player).replace("DON'T", "")


def test_chips_show_their_value_and_whether_they_work() -> None:
    player = Player(MARYLAND, ["2-2", "4-5", "2-2"])
    player.say("pass 10", "roll", "odds 20", "6 12", "come 15")
    text = _text(player)
    assert "PASS LINE \u25cf10" in text
    assert "odds \u25cf20" in text
    assert "COME \u25cf15" in text
    assert "\u25cf12" in text
    player.say("roll", "odds 9 20")
    assert "\u25cfC15+20" in _text(player)
    player.say("roll")
    assert "\u25cb12 OFF" in _text(player)  # a come-out roll: place wagers are off
    player.say("on place 6")
    assert "\u25cf12 ON" in _text(player)


def test_chips_have_the_colour_of_the_largest_chip() -> None:
    for cents, style in ((1, "chip1"), (5, "chip5"), (24, "chip5"), (25, "chip25"), (100, "chip100"), (500, "chip500")):
        player = Player(MARYLAND, bankroll=1_000_00)
        player.say(f"hard 8 {cents}")
        runs = [run for row in _picture(player).rows for run in row if run.style.startswith("chip")]
        assert [run.style for run in runs] == [style]


def test_every_area_of_the_picture_is_a_wager_that_exists() -> None:
    player = Player(Rules.of("colorado"), ["2-4"])
    player.say("pass 10", "roll")
    picture = _picture(player)
    kinds = {area.spot.kind for area in picture.areas}
    assert {"pass", "dont_pass", "come", "dont_come", "field", "place_win", "buy", "lay", "hardway", "big"} <= kinds
    assert "pass_odds" in kinds
    assert kinds <= set(player.session.rules.wagers)


def test_a_cell_tells_what_is_made_and_what_lies_there() -> None:
    player = Player(MARYLAND, ["2-4", "2-2"])
    player.say("pass 10", "roll", "come 10", "roll")
    picture = _picture(player)
    rows = picture.texts()
    y = next(index for index, row in enumerate(rows) if "\u25cfC10" in row)
    x = rows[y].index("\u25cfC10")
    assert picture.spot_at(x, y) == Spot("buy", 4)
    assert picture.spot_at(x, y, is_up=True) == Spot("come", 4)
    assert picture.spot_at(0, 0) is None
