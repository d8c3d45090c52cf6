"""Hand files with side wagers, tips and variations: steps, counts, markers, and wagers that cannot be up."""

from __future__ import annotations

import pytest

from passline.game.hand_files import HandError, play_hand

SIDE = """rules maryland
house side_wagers = { fire = "A", dice_ology = "B", lucky_shooter = "C" }
house wager_cents_min = 100
player Ann 500.00
player Bob 300.00
shooter Ann
"""
FIRE = (
    SIDE
    + "wager Ann pass 10.00\nwager Ann fire 5.00\nwager Bob fire 2.00\nroll 2-2\nroll 2-2\nexpect Ann pass wins 10.00\n"
)


def test_a_count_is_not_a_settlement_and_is_checked_on_request() -> None:
    good = "counts Ann fire 1\ncounts Bob fire 1\nmarker fire 1 [MD-11.A.4]\nsays Ann fire: 1 counted (4) [MD-11.B.2]\n"
    assert play_hand(FIRE + good, label="a.hand").is_passed
    for line, expected, got in [
        ("counts Ann fire 2", "counts 2", "counts 1"),
        ("counts Ann small 1", "counts 1", "no such wager"),
        ("counts Ann fire 1 1", "counts 1", "no such wager"),
        ("marker fire 2", "marker fire 2", "marker fire 1 [MD-11.A.4]"),
        ("marker fire 1 [MD-11.A.5]", "marker fire 1 [MD-11.A.5]", "marker fire 1 [MD-11.A.4]"),
    ]:
        differences = play_hand(FIRE + line, label="a.hand").differences
        assert [(one.expected, one.got) for one in differences] == [(expected, got)]


def test_a_further_side_wager_is_named_by_its_number() -> None:
    hand = SIDE + "wager Ann pass 10.00\nwager Ann little_ones 5.00\nroll 2-2\nwager Ann little_ones 3.00\nroll 1-1\n"
    checks = "counts Ann little_ones 2\ncounts Ann little_ones 1 1\nlayout Ann little_ones 5.00 progress 20, "
    checks += "little_ones 1 3.00 progress 4, pass 10.00\nroll 3-4\n"
    checks += "expect Ann pass loses 10.00; little_ones 0 loses 5.00; little_ones 1 loses 3.00"
    report = play_hand(hand + checks, label="a.hand")
    assert report.is_passed, "\n".join(map(str, report.differences))


def test_side_wagers_are_put_up_with_their_progress() -> None:
    hand = SIDE + "puck ON 9\nup Ann fire 5.00 progress 1,368\nroll 4-5\nexpect nothing\ncounts Ann fire 5\n"
    hand += "marker fire 1\nwager Ann pass 10.00\nroll 1-4\nroll 3-4\nexpect Ann fire wins 1245.00; pass loses 10.00"
    report = play_hand(hand, label="a.hand")
    assert report.is_passed, "\n".join(map(str, report.differences))


TIPS = """rules colorado
house tip_wagers = true
player Ann 500.00
shooter Ann
wager Ann pass 10.00
wager Ann crew pass 5.00
"""


def test_a_tip_is_named_by_the_crew() -> None:
    hand = TIPS + "layout Ann crew pass 5.00, pass 10.00\nroll 3-4\nexpect Ann pass wins 10.00; crew pass wins 5.00\n"
    assert play_hand(hand + "rack Ann 505.00\ntips 10.00", label="a.hand").is_passed
    assert not play_hand(hand.replace("crew pass wins", "pass wins"), label="a.hand").is_passed
    wrong = play_hand(hand + "tips 5.00", label="a.hand").differences
    assert [(one.expected, one.got) for one in wrong] == [("tips 5.00", "tips 10.00")]
    removed = TIPS + "remove Ann crew pass\nsays Ann pass for the crew is removed, 5.00 to the tip box\ntips 5.00\n"
    assert play_hand(removed + "rack Ann 485.00\nlayout Ann pass 10.00", label="a.hand").is_passed


def test_craps_free_craps_has_its_own_points() -> None:
    head = "rules colorado\ngame craps_free_craps\nplayer Ann 500.00\nshooter Ann\n"
    hand = head + "puck ON 12\nup Ann pass 10.00\nroll 6-6\nexpect Ann pass wins 10.00\npuck OFF"
    assert play_hand(hand, label="a.hand").is_passed
    with pytest.raises(HandError, match=r"a\.hand:4: 12 is not a point of this game"):
        play_hand("rules colorado\nplayer Ann 500.00\nshooter Ann\npuck ON 12", label="a.hand")


@pytest.mark.parametrize(
    ("wager", "why"),
    [
        ("small 5.00", "this house does not offer Small"),
        ("pass 5.00 progress 1", "only a side wager has progress"),
        ("fire 5.00 progress 1", "has such progress"),
        ("fire 5.00 progress 2,0", "has such progress"),
        ("fire 5.00 progress 1,128", "has such progress"),
        ("little_ones 5.00 progress 124", "has such progress"),
        ("little_ones 5.00 progress 256", "has such progress"),
        ("little_ones 5.00 progress 4,4", "has such progress"),
        ("lucky_shooter 5.00 progress 7,0", "has such progress"),
        ("lucky_shooter 5.00 progress 0,16", "has such progress"),
        ("lucky_shooter 5.00 progress 6,128", "has such progress"),
    ],
)
def test_a_side_wager_with_impossible_progress_is_refused(wager: str, why: str) -> None:
    with pytest.raises(HandError, match=r"^a\.hand:7: ") as caught:
        play_hand(f"{SIDE}up Ann {wager}\nroll 3-4", label="a.hand")
    assert why in str(caught.value)


def test_a_marker_needs_a_side_wager_that_is_offered() -> None:
    with pytest.raises(HandError, match="this house offers no side wager 'small'"):
        play_hand(FIRE + "marker small 1", label="a.hand")


def test_a_side_wager_of_an_unpayable_amount_is_refused() -> None:
    hand = 'rules maryland\nhouse side_wagers = { fire = "A" }\nplayer Ann 500.00\nup Ann fire {}\nroll 3-4'
    play_hand(hand.replace("{}", "2.00"), label="a.hand")
    with pytest.raises(HandError, match=r"^a\.hand:4: fire 1\.50: that amount cannot be paid exactly$"):
        play_hand(hand.replace("{}", "1.50"), label="a.hand")


@pytest.mark.parametrize(
    ("kind", "progress", "count"), [("fire", "1,272", 2), ("little_ones", "12", 3), ("lucky_shooter", "6,16", 2)]
)
def test_a_side_wager_can_be_put_up_with_progress(kind: str, progress: str, count: int) -> None:
    house = 'house side_wagers = { fire = "A", dice_ology = "B", lucky_shooter = "C" }'
    up = f"shooter Ann\npuck ON 6\nup Ann pass 10.00, {kind} 5.00 progress {progress}"
    hand = f"rules maryland\n{house}\nplayer Ann 500.00\n{up}\nroll 2-3\ncounts Ann {kind} {count}"
    assert play_hand(hand, label="a.hand").is_passed
