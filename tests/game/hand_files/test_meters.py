"""A hand file says what a meter pays, and its story adds it up."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline.game.hand_files import hand_story, play_hand
from tests.game.progressive import ADDED
from tests.rules.lawful import pages_with
from tests.rules.shelved import shelve

HAND = """rules lakeside
house side_wagers = {jackpot = "A"}
player Ann 100.00
shooter Ann
wager Ann pass 10.00
wager Ann beacon 5.00
roll 2-2
roll 6-6
expect Ann beacon wins 20.00; beacon takes from the meter 50.00 [LK-66]
"""


@pytest.fixture(autouse=True)
def lakeside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A regulation with a progressive, known to this process."""
    shelve(pages_with(ADDED), tmp_path, monkeypatch)


def test_what_a_meter_pays_is_expected_by_its_own_words() -> None:
    report = play_hand(HAND, label="a hand")
    assert not report.differences
    assert "Ann on this roll: 20.00 + 50.00 = 70.00" in "\n".join(hand_story(report.played))


@pytest.mark.parametrize("expected", ["expect Ann beacon wins 20.00\n", HAND.splitlines()[-1].replace("50", "51")])
def test_another_amount_or_none_is_a_difference(expected: str) -> None:
    report = play_hand(HAND.replace(HAND.splitlines()[-1], expected), label="a hand")
    (difference,) = report.differences
    assert "Ann beacon takes from the meter 50.00 [LK-66]" in str(difference)


def test_a_net_has_it() -> None:
    report = play_hand(HAND.replace(HAND.splitlines()[-1], "expect Ann beacon nets 70.00"), label="a hand")
    assert not report.differences
