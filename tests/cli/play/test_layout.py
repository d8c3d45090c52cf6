"""The drawn layout: everything on it comes from the rules, and it fits."""

from pathlib import Path

import pytest

from passline.cli.play.layout import HEIGHT, WIDTH, Picture, picture_of
from passline.cli.play.play_state import markers
from passline.game.spots import Spot
from passline.rules.rules import Rules
from tests.cli.play.player import Player
from tests.rules.unlisted import KINDS, UNLISTED, harbour_with

SIDES = {
    "maryland": {"fire": "A", "bonus_craps": "A", "dice_ology": "B", "lucky_shooter": "C"},
    "colorado": {"fire": "FB-1", "sharp_shooter": "SS-01", "front_line_winner": "7"},
}
NAMES = ("maryland", "section2", "colorado", "arizona")
MARYLAND = Rules.of("maryland")


def _picture(player: Player, *, width: int = WIDTH, height: int = HEIGHT) -> Picture:
    state = player.state
    return picture_of(state.rules, state.table, width=width, height=height, markers=markers(state))


def _text(player: Player, **size: int) -> str:
    return "\n".join(_picture(player, **size).texts())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("width", "height"), [(80, 14), (80, 19), (100, 30), (86, 14), (200, 60)])
def test_the_layout_fits_and_all_rows_have_one_width(name: str, width: int, height: int) -> None:
    player = Player(Rules.of(name), ["2-4", "2-2", "4-5"])
    player.say("pass 10", "roll", "odds", "come 10", "roll", "odds 4 20", "lay 4 40", "buy 4 25", "6 12", "field 100")
    player.say("hop 1-3 1; hop 3-3 1", "horn high 12 5", "hard 8 100", "dont come 25", "roll")
    rows = ["".join(span.text for span in row) for row in _picture(player, width=width, height=height).rows]
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


def test_the_puck_is_shown_as_on() -> None:
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
        spans = [span for row in _picture(player).rows for span in row if span.style.startswith("chip")]
        assert [span.style for span in spans] == [style]


def test_every_area_of_the_picture_is_a_wager_that_exists() -> None:
    player = Player(Rules.of("colorado"), ["2-4"])
    player.say("pass 10", "roll")
    picture = _picture(player)
    kinds = {area.spot.kind for area in picture.areas}
    assert {"pass", "dont_pass", "come", "dont_come", "field", "place_win", "buy", "lay", "hardway", "big"} <= kinds
    assert "pass_odds" in kinds
    assert kinds <= set(player.state.rules.wagers)


def test_a_cell_knows_what_a_click_makes_and_what_lies_there() -> None:
    player = Player(MARYLAND, ["2-4", "2-2"])
    player.say("pass 10", "roll", "come 10", "roll")
    picture = _picture(player)
    rows = picture.texts()
    y = next(index for index, row in enumerate(rows) if "\u25cfC10" in row)
    x = rows[y].index("\u25cfC10")
    assert picture.spot_at(x, y) == Spot("buy", 4)
    assert picture.spot_at(x, y, is_up=True) == Spot("come", 4)
    assert picture.spot_at(0, 0) is None


def _with_sides(name: str, *dice: str, **house: object) -> Player:
    return Player(Rules.of(name, house={"side_wagers": SIDES[name], "wager_cents_min": 100, **house}), dice)


@pytest.mark.parametrize("name", SIDES)
@pytest.mark.parametrize(("width", "height"), [(80, 17), (80, 19), (98, 30), (200, 60)])
def test_side_wagers_fit_below_the_layout(name: str, width: int, height: int) -> None:
    player = _with_sides(name, "2-4", "2-4")
    player.say("pass 10", "fire 5", "roll", "roll")
    rows = ["".join(span.text for span in row) for row in _picture(player, width=width, height=height).rows]
    assert len({len(row) for row in rows}) == 1
    assert WIDTH <= len(rows[0]) <= width
    assert HEIGHT < len(rows) <= height
    offered = {kind for kind, rule in player.state.rules.wagers.items() if rule.lines}
    assert {area.spot.kind for area in _picture(player, width=width, height=height).areas} >= offered


def test_lamps_and_the_pay_table_in_force_are_shown() -> None:
    player = _with_sides("maryland", "1-1", "2-4", "5-3", "2-4")
    player.say("pass 10; fire 5; small 5; little 2", "roll", "little 3", "pass 10", "roll")
    text = _text(player, height=30)
    assert "FIRE \u25cf5 4 5 6 8 9 10  4:24 5:249 6:999 to 1" in text
    assert "SMALL \u25cf5 (2) 3 4 5 (6)  34 to 1" in text
    assert "LITTLE ONES \u25cf2+3 (2) 3 4 5 (6)  30 to 1" in text
    assert "ALL (2) 3 4 5 (6) 8 9 10 11 12  175 to 1" in text  # lit though nobody has it
    player.say("roll", "roll")
    assert "FIRE \u25cf5 4 5 (6) 8 9 10  4:24" in _text(player, height=30)
    assert "TALL (8) 9 10 11 12  34 to 1" in _text(player, height=30)


def test_lamps_go_out_when_the_hand_ends() -> None:
    player = _with_sides("maryland", "2-4", "2-4", "2-4", "3-4")
    player.say("pass 10; fire 5; small 5", "roll", "roll", "pass 10", "roll")
    assert "(6)" in _text(player, height=30)
    player.say("roll")
    assert "FIRE 4 5 6 8 9 10  4:24" in _text(player, height=30)
    assert "SMALL 2 3 4 5 6  34 to 1" in _text(player, height=30)


def test_counts_tips_and_elected_pay_tables_are_shown() -> None:
    player = _with_sides("colorado", "6-5", "2-4", "2-4", tip_wagers=True, front_line_tips=True)
    player.say("pass 10; sharp 5; front line 5; tip front line 2", "roll", "pass 10; tip pass 1")
    assert "FRONT LINE \u25cf5 \u25c62 1  3:push 4:3 5:5 6:10 7:20 8:40 9:50 10:100 11+:250 to 1" in _text(
        player, height=30
    )
    assert "PASS LINE \u25cf10\u25c61" in _text(player, height=30)
    player.say("roll", "roll")
    assert "SHARP \u25cf5 1  3:6 4:10 5:20 6:30 7:50 8:100 9:200 10:300 for 1" in _text(player, height=30)


def test_with_few_rows_counts_replace_lamps() -> None:
    player = _with_sides("maryland", "2-4")
    player.say("pass 10; fire 5; small 5", "roll")
    text = _text(player, height=17)
    assert "SMALL \u25cf5 1/5" in text
    assert len(text.splitlines()) <= 17


FREE = Rules.of("colorado", game="craps_free_craps")


@pytest.mark.parametrize(("width", "height"), [(80, 14), (80, 19), (98, 30), (200, 60)])
def test_craps_free_craps_has_ten_boxes_and_no_dont_side(width: int, height: int) -> None:
    player = Player(FREE, ["5-6", "2-3"])
    player.say("pass 10", "roll", "12 10", "place 12 10", "come 10", "buy 4 25", "roll", "odds 5 20")
    picture = _picture(player, width=width, height=height)
    rows = ["".join(span.text for span in row) for row in picture.rows]
    text = "\n".join(rows)
    assert len({len(row) for row in rows}) == 1
    assert WIDTH <= len(rows[0]) <= width
    assert HEIGHT <= len(rows) <= height
    assert {area.spot.number for area in picture.areas if area.spot.kind == "place_win"} == set(FREE.points)
    assert "11 ON" in text
    assert "DON'T" not in text
    assert "\u25cf10+" not in text.replace("C10+20", "").replace("come 10+20", "")
    assert "C10+20" in text or "come 10+20" in text
    assert not {area.spot.kind for area in picture.areas} & {"dont_pass", "dont_come", "lay", "place_lose", "pass_odds"}


def test_a_low_box_shows_what_place_wagers_pay_and_their_chips() -> None:
    player = Player(FREE, ["2-3"])
    text = _text(player)
    for point in FREE.points:
        assert str(FREE.wagers["place_win"].payouts[point].pays) in text
    player.say("pass 10", "place 12 10", "roll", "put 8 5")
    assert "\u25cb10" not in _text(player)
    assert "12     \u25cf10\u2502" in _text(player)
    assert "\u25cfput 5" in _text(player)
    picture = _picture(player)
    rows = picture.texts()
    y = next(index for index, row in enumerate(rows) if "\u25cfput 5" in row)
    assert picture.spot_at(rows[y].index("\u25cfput 5"), y, is_up=True) == Spot("put", 8)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("colorado", 1, marks=pytest.mark.clause("CO-2303-2-nocall")),
        pytest.param("maryland", 1, marks=pytest.mark.clause("MD-2.D.3")),
        ("arizona", 0),
        ("section2", 0),
    ],
)
@pytest.mark.parametrize(("width", "height"), [(80, 14), (120, 30)])
def test_no_call_bets_stands_on_the_layout_where_it_must(name: str, words: int, width: int, height: int) -> None:
    assert _text(Player(Rules.of(name)), width=width, height=height).count("NO CALL BETS") == words


def test_a_number_stands_apart_from_what_it_pays() -> None:
    """Also where ten points leave it no more than ten columns, and with the puck on it."""
    player = Player(FREE, ["5-6"])
    assert "\u250211 11 to 4\u2502" in _text(player)
    player.say("pass 10", "roll")
    assert "\u250211 ON     \u2502" in _text(player)
    assert " 11 to 4  \u2502" in _text(player), "in the row below"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("height", [HEIGHT, 30])
def test_every_wager_of_the_rules_in_force_can_be_clicked(name: str, height: int) -> None:
    rules = Rules.of(name)
    offered = {kind for kind, rule in rules.wagers.items() if rule.is_offered and not rule.behind}
    areas = _picture(Player(rules), height=height).areas
    in_boxes = {"put", "place_lose"}  # they are typed, and lie with buy and lay
    assert {area.spot.kind for area in areas} == offered - in_boxes


def test_a_wager_that_no_layout_lists_has_a_row_in_the_rulebooks_words(tmp_path: Path) -> None:
    player = Player(harbour_with(tmp_path), ["2-4", "4-4"])
    text = _text(player)
    for said in (
        "OVER THE PIER    1 to 1",
        "UNDER THE PIER   1 to 1",
        "TWIN ANCHORS    14 to 1",
        "BUOYS",
        "  QUAY",
        "TIDE",
    ):
        assert said in text
    assert "PASS" not in text
    player.say("pass 10", "roll", "over 7 5", "lighthouse 6 5", "lighthouse 5 5", "ebb 10", "buoys 4")
    text = _text(player)
    for said in (
        "OVER THE PIER 1 to 1 \u25cf5",
        "LIGHTHOUSE     \u25cf10 on 2",
        "\u25cf4",
        "EBB 1 to 1          \u25cf10",
    ):
        assert said in text
    player.say("roll")
    picture = _picture(player)
    y = next(index for index, row in enumerate(picture.texts()) if "EBB" in row)
    x = picture.texts()[y].index("\u25cf10 8")
    assert (picture.spot_at(x, y), picture.spot_at(x, y, is_up=True)) == (Spot("ebb"), Spot("ebb", 8))


def test_what_the_centre_has_no_room_for_lies_below_the_layout(tmp_path: Path) -> None:
    """Each wager has one area, and one of several numbers asks for the number."""
    many = "".join(
        f"""
[knot_{number}]
family = "one_roll"
name = "Knot {number} Bet"
make = {{ when = "any", cite = "HB-60" }}
win = {{ totals = [{number}], cite = "HB-61" }}
lose = {{ cite = "HB-62" }}
centre = false
pays = [{{ totals = [{number}], pays = "4 to 1", cite = "HB-63" }}]
"""
        for number in range(2, 13)
    )
    more = harbour_with(tmp_path, many + UNLISTED)
    picture = _picture(Player(more))
    below = [area for area in picture.areas if area.y >= HEIGHT]
    assert len(picture.texts()) == HEIGHT + 2
    assert [area.spot.kind for area in below] == ["under_7", "anchors", "buoys", "lighthouse", "ebb"]
    assert {area.spot.kind for area in picture.areas} >= {*KINDS, *(f"knot_{number}" for number in range(2, 13))}
    assert Player(more).say("lighthouse") == "lighthouse on which number?"
