"""What players type, and how it is parsed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.cli.play.parser import NAMES, ODDS, VERBS, NotUnderstood, Wish, read
from passline.dice import number_code
from passline.rules.rules import Rules
from passline.rules.schema import COMMAND_WORDS, CREW_WORDS, WAGER_KINDS

MARYLAND = Rules.of("maryland")
COLORADO = Rules.of("colorado")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("pass 10", Wish("make", "pass", 0, "10")),
        ("p 10", Wish("make", "pass", 0, "10")),
        ("P $10", Wish("make", "pass", 0, "10")),
        ("p10", Wish("make", "pass", 0, "10")),
        ("don't pass 15", Wish("make", "dont_pass", 0, "15")),
        ("don\u2019t pass 15", Wish("make", "dont_pass", 0, "15")),
        ("dp 15", Wish("make", "dont_pass", 0, "15")),
        ("6 12", Wish("make", "place_win", 6, "12")),
        ("six 12", Wish("make", "place_win", 6, "12")),
        ("place 6 12", Wish("make", "place_win", 6, "12")),
        ("place_win 6 12", Wish("make", "place_win", 6, "12")),
        ("place the 6 for 12", Wish("make", "place_win", 6, "12")),
        ("place 6", Wish("make", "place_win", 6, "")),
        ("place 6 max", Wish("make", "place_win", 6, "max")),
        ("place to lose 4 11", Wish("make", "place_lose", 4, "11")),
        ("odds", Wish("make", ODDS)),
        ("odds 20", Wish("make", ODDS, 0, "20")),
        ("odds 6 20", Wish("make", ODDS, 6, "20")),
        ("odds on 6", Wish("make", ODDS, 6)),
        ("come odds 6 20", Wish("make", "come_odds", 6, "20")),
        ("come 10", Wish("make", "come", 0, "10")),
        ("field 5", Wish("make", "field", 0, "5")),
        ("hard 6 5", Wish("make", "hardway", 6, "5")),
        ("hard6 5", Wish("make", "hardway", 6, "5")),
        ("hop 1-3 1", Wish("make", "hop", number_code("1-3"), "1")),
        ("hop 3-1 1", Wish("make", "hop", number_code("1-3"), "1")),
        ("hop 13 1", Wish("make", "hop", number_code("1-3"), "1")),
        ("horn 4", Wish("make", "horn", 0, "4")),
        ("horn high yo 5", Wish("make", "horn_high", 11, "5")),
        ("yo 1", Wish("make", "eleven", 0, "1")),
        ("12 1", Wish("make", "craps_12", 0, "1")),
        ("craps 2", Wish("make", "any_craps", 0, "2")),
        ("craps 2 1", Wish("make", "craps_2", 0, "1")),
        ("any craps 12", Wish("make", "any_craps", 0, "12")),
        ("c&e 2", Wish("make", "c_and_e", 0, "2")),
        ("678 5", Wish("make", "six_seven_eight", 0, "5")),
        ("buy 4 25", Wish("make", "buy", 4, "25")),
        ("lay 10 40", Wish("make", "lay", 10, "40")),
        ("fire 5", Wish("make", "fire", 0, "5")),
        ("small 5", Wish("make", "small", 0, "5")),
        ("tall", Wish("make", "tall", 0, "")),
        ("all 5", Wish("make", "all", 0, "5")),
        ("all", Wish("make", "all", 0, "")),
        ("little 5", Wish("make", "little_ones", 0, "5")),
        ("big ones 5", Wish("make", "big_ones", 0, "5")),
        ("boom 5", Wish("make", "boom_or_bust", 0, "5")),
        ("lucky 5", Wish("make", "lucky_shooter", 0, "5")),
        ("front line 5", Wish("make", "pass", 0, "5")),
        ("rules all", Wish("rules", "all")),
        ("tip pass 5", Wish("make", "pass", 0, "5", "crew")),
        ("tip the 6 for 6", Wish("make", "place_win", 6, "6", "crew")),
        ("pass 5 for the crew", Wish("make", "pass", 0, "5", "crew")),
        ("down tip pass", Wish("down", "pass", 0, "", "crew")),
        ("tip odds 5", Wish("make", ODDS, 0, "5", "crew")),
        ("down place 6", Wish("down", "place_win", 6)),
        ("take down the place 6", Wish("down", "place_win", 6)),
        ("down come 6", Wish("down", "come", 6)),
        ("down all", Wish("down", amount="all")),
        ("press 6", Wish("press", "place_win", 6)),
        ("off 6", Wish("off", "place_win", 6)),
        ("press place 6", Wish("press", "place_win", 6)),
        ("less place 6 6", Wish("less", "place_win", 6, "6")),
        ("off place 6", Wish("off", "place_win", 6)),
        ("place 6 off", Wish("off", "place_win", 6)),
        ("on hard 8", Wish("on", "hardway", 8)),
        ("undo", Wish("undo")),
        ("repeat", Wish("repeat")),
        ("roll", Wish("roll")),
        ("", Wish("roll")),
        ("  ", Wish("roll")),
        ("help", Wish("help")),
        ("?", Wish("help")),
        ("rules place_win", Wish("rules", "place_win")),
        ("cash 100", Wish("cash", amount="100")),
        ("q", Wish("quit")),
    ],
)
def test_a_line_is_parsed_as_meant(text: str, wish: Wish) -> None:
    assert read(MARYLAND, text) == (wish,)


def test_several_wishes_and_several_numbers() -> None:
    assert read(MARYLAND, "pass 10; 6 8 12") == (
        Wish("make", "pass", 0, "10"),
        Wish("make", "place_win", 6, "12"),
        Wish("make", "place_win", 8, "12"),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("psas 10", "did you mean pass"),
        ("feild 5", "did you mean field"),
        ("12", "12 what?"),
        ("pass ten", "'ten' is not an amount in dollars"),
        ("pass 10 20", "pass takes one amount, not 10 20"),
        ("pass 10.5", "'10.5' is not an amount in dollars"),
        ("pass -5", "'-5' is not an amount in dollars"),
        ("place", "on which number?"),
        ("hard x 5", "takes a number, not 'x'"),
        ("hop 7-7 1", "takes two dice such as 1-3"),
        (";", "';' is not a command"),
        ("down", "take down which wager?"),
        ("zzzz", "unknown word 'zzzz'"),
        ("tip", "a tip on which wager?"),
        ("tip crew", "a tip on which wager?"),
        ("tip 5", "5 what?"),
    ],
)
def test_a_line_that_is_not_understood_says_what_to_do(text: str, words: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(MARYLAND, text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_wager_of_another_regulation_is_unknown() -> None:
    assert read(COLORADO, "big 6 5") == (Wish("make", "big", 6, "5"),)
    with pytest.raises(NotUnderstood):
        read(MARYLAND, "big 6 5")


def test_front_line_means_the_side_wager_if_the_house_offers_it() -> None:
    assert read(COLORADO, "front line 5") == (Wish("make", "pass", 0, "5"),)
    offered = Rules.of("colorado", house={"side_wagers": {"front_line_winner": "1"}})
    assert read(offered, "front line 5") == (Wish("make", "front_line_winner", 0, "5"),)
    assert read(offered, "sharp 5") == (Wish("make", "sharp_shooter", 0, "5"),)


def test_every_name_means_the_wager_it_is_listed_under() -> None:
    """No two wagers share a name, and no name is a verb."""
    names = [name for kind in NAMES for name in NAMES[kind]]
    assert len(names) == len(set(names))
    assert not set(names) & set(VERBS)


@given(
    st.text(max_size=40) | st.lists(st.sampled_from([*VERBS, "6", "12", "pass", "hop", "1-3", "$5", ";"])).map(" ".join)
)
def test_no_line_breaks_the_parser(text: str) -> None:
    try:
        wishes = read(MARYLAND, text)
    except NotUnderstood:
        return  # anything else that is raised fails the test
    assert all(wish.verb in VERBS.values() or wish.verb == "make" for wish in wishes)


def test_no_wager_of_a_rulebook_can_be_named_like_a_command() -> None:
    """Loading refuses such names, so it must know all words of the parser."""
    assert set(VERBS) | {"odds", "o"} <= COMMAND_WORDS
    for word in CREW_WORDS:
        (wish,) = read(Rules.of("colorado", house={"tip_wagers": True}), f"{word} pass 5")
        assert wish.owner == "crew"
    assert set(NAMES) - {ODDS} == set(WAGER_KINDS)
