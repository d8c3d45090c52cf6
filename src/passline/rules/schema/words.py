"""The words that the program knows: what elections may say, what wagers are made with, what names are taken."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

__all__ = ["COMMAND_WORDS", "CREW_WORDS", "ELECTIONS", "MEDIA", "RECORD_CLASSES", "WAGER_KINDS", "Elective"]

MEDIA = ("chips", "plaques", "tokens", "coins", "cash", "match_play", "call", "foreign_chips", "foreign_currency")
"""What somebody may offer to wager with; a regulation says which of them it takes."""
RECORD_CLASSES = ("any", "daily_activity_accounting", "security", "surveillance", "investigative")
"""The classes of records that a regulator reads; `any` stands for whatever the log holds."""


WAGER_KINDS = (
    "pass", "dont_pass", "come", "dont_come", "place_win", "place_lose", "buy", "lay", "put", "big", "hardway",
    "field", "any_seven", "any_craps", "craps_2", "craps_3", "craps_12", "eleven", "c_and_e", "horn_high", "horn",
    "whirl", "hop", "six_seven_eight", "pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds", "put_odds",
    "fire", "sharp_shooter", "front_line_winner", "small", "tall", "all", "little_ones", "big_ones", "boom_or_bust",
    "lucky_shooter",
)  # fmt: skip
"""The wagers that layouts, typed commands and strategies know by name; a regulation may have others."""


class Elective(Struct, frozen=True):
    """What the house elects with a key: one of some words, yes or no, an amount, or a set of some kind of names."""

    words: tuple[str | bool, ...] = ()
    picks: Literal["", "roles", "numbers", "side_wagers", "variations"] = ""
    needs_max: bool = False  # an amount that no regulation leaves open to the top


_SWITCH = Elective((True, False))
_AMOUNT = Elective()
_RATE = Elective(needs_max=True)
_BASIS = Elective(("wager", "potential_win"))
_WHEN = Elective(("made", "won"))
_ON_OFF = Elective(("on", "off"))

# What every rulebook must bound; a house's other keys are free, or bounded by a wager's entry.
ELECTIONS: dict[str, Elective] = {
    "smallest_chip_cents": _AMOUNT,
    "wager_cents_min": _AMOUNT,
    "wager_cents_max": _AMOUNT,
    "unpayable": Elective(("refuse", "round_up")),
    "hardways_on_come_out": _ON_OFF,
    "come_odds_on_come_out": _ON_OFF,
    "buy": Elective(("offered", "none")),
    "lay": Elective(("in_addition", "in_lieu", "none")),
    "six_seven_eight": Elective(("offered", "none")),
    "odds_excess": _SWITCH,
    "horn_high_area": _SWITCH,
    "whirl_area": _SWITCH,
    "buy_vigorish_basis_points": _RATE,
    "buy_vigorish_basis": _BASIS,
    "buy_vigorish_when": _WHEN,
    "buy_vigorish_won_on": Elective(picks="numbers"),
    "lay_vigorish_basis_points": _RATE,
    "lay_vigorish_basis": _BASIS,
    "lay_vigorish_when": _WHEN,
    "settlement": Elective(("take_then_pay", "pay_then_take")),
    "no_roll_callers": Elective(picks="roles"),
    "stickperson": _SWITCH,
    "dice_set": _AMOUNT,
    "tokens": _SWITCH,
    "off_calls": _SWITCH,
    "payouts_uniform": _SWITCH,
    "payouts_posted": _SWITCH,
    "payouts_approved": _SWITCH,
    "variations": Elective(picks="variations"),
    "limit_notice_minutes": _AMOUNT,
    "side_wagers_locked": Elective(picks="side_wagers"),
    "front_line_before_first_roll": _SWITCH,
    "tip_wagers": _SWITCH,
    "tip_position": Elective(("piggyback", "top_of_area")),
    "front_line_tips": _SWITCH,
    "front_line_tips_whole_dollars": _SWITCH,
    "front_line_tip_cents_max": _AMOUNT,
}

COMMAND_WORDS = frozenset({
    "roll", "r", "throw", "shoot", "dice", "undo", "u", "oops", "repeat", "again", "same", "down", "take", "remove",
    "x", "less", "reduce", "regress", "press", "double", "on", "working", "off", "decline", "cash", "buyin",
    "buy-in", "help", "?", "h?", "rules", "rule", "explain", "wagers", "bets", "rack", "status", "history", "rolls",
    "table", "layout", "show", "quit", "q", "exit", "bye", "leave", "odds", "o", "for", "the", "a", "at", "of",
    "bet", "wager", "dollars", "each", "to", "my", "please", "max", "min",
})  # fmt: skip
"""The words with which a player's typed command begins, or which it skips: no wager's name may begin with one."""
CREW_WORDS = frozenset({"tip", "toke", "crew", "dealers"})
"""The words that make a typed wager one for the crew, wherever they stand: no wager's name may have one."""
