"""The terminal tells what a progressive's meter pays and shows, as it stands after each roll."""

from __future__ import annotations

from passline.rules.rules import Rules
from tests.cli.play.player import Player
from tests.game.progressive import ADDED, HOUSE
from tests.rules.lawful import regulation


def test_a_hit_and_the_meter_after_it_are_told() -> None:
    player = Player(Rules.under(regulation(ADDED), HOUSE), ["6-6", "6-6"])
    player.say("pass 15", "beacon 5", "roll", "pass 15")
    rack = player.rack
    told = player.say("roll")
    assert "Your Beacon Jackpot is paid 501.00 from the meter, which stands at 0.00 [LK-66]" in told
    assert "The meter of Beacon Jackpot rises to 500.00 [LK-65]" in told
    assert player.rack == rack + 501_00 + 5_00


def test_the_layout_shows_the_meter_after_every_roll() -> None:
    player = Player(Rules.under(regulation(ADDED), HOUSE), ["2-2", "3-2", "3-2"])
    assert "BEACON JACKPOT 0 $500" in player.say("table")
    player.say("pass 15", "roll", "beacon 5", "roll", "roll")
    assert "BEACON JACKPOT 0 $501" in player.say("table")
