"""The words that the program knows: what elections may say, what wagers are made with, what names are taken."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

MEDIA = ("chips", "plaques", "tokens", "coins", "cash", "match_play", "call", "foreign_chips", "foreign_currency")
"""What somebody may offer to wager with; a regulation says which of them it takes."""
RECORD_CLASSES = ("any", "daily_activity_accounting", "security", "surveillance", "investigative")
"""The classes of records that a regulator reads; `any` stands for whatever the log holds."""


TYPED_NAMES: dict[str, tuple[str, ...]] = {
    "pass": ("pass", "p", "line", "pass line"),
    "dont_pass": ("dont pass", "dp", "dont"),
    "come": ("come", "c"),
    "dont_come": ("dont come", "dc"),
    "place_win": ("place", "pl", "place win", "place to win"),
    "place_lose": ("lose", "place lose", "place to lose", "against"),
    "buy": ("buy", "b"),
    "lay": ("lay", "l"),
    "put": ("put",),
    "big": ("big",),
    "hardway": ("hard", "h", "hardway", "hardways"),
    "field": ("field", "f"),
    "any_seven": ("seven", "any seven", "any 7", "red"),
    "any_craps": ("craps", "any craps"),
    "craps_2": ("aces", "craps 2", "two", "snake eyes"),
    "craps_3": ("ace deuce", "craps 3", "three"),
    "craps_12": ("boxcars", "craps 12", "twelve", "midnight"),
    "eleven": ("yo", "eleven", "yo leven"),
    "c_and_e": ("c&e", "ce", "c & e", "c and e", "craps eleven"),
    "horn_high": ("horn high",),
    "horn": ("horn",),
    "whirl": ("whirl", "world"),
    "hop": ("hop",),
    "six_seven_eight": ("678", "6-7-8", "six seven eight"),
    "pass_odds": ("pass odds",),
    "dont_pass_odds": ("dont pass odds", "dp odds"),
    "come_odds": ("come odds",),
    "dont_come_odds": ("dont come odds", "dc odds"),
    "put_odds": ("put odds",),
    "fire": ("fire", "fire bet"),
    "sharp_shooter": ("sharp", "sharp shooter"),
    "front_line_winner": ("front line", "front line winner", "super front line winner"),
    "small": ("small", "all small"),
    "tall": ("tall", "all tall"),
    "all": ("all", "all or nothing"),
    "little_ones": ("little ones", "little"),
    "big_ones": ("big ones",),
    "boom_or_bust": ("boom", "boom or bust"),
    "lucky_shooter": ("lucky", "lucky shooter"),
}
"""What players type for each wager; the first one is what hints and completions suggest."""
WAGER_KINDS = tuple(TYPED_NAMES)
"""The wagers that layouts, typed commands and strategies know by name; a regulation may have others."""


class Elective(Struct, frozen=True):
    """What the house elects with a key: one of some words, yes or no, an amount, or a set of some kind of names."""

    words: tuple[str | bool, ...] = ()
    picks: Literal["", "roles", "numbers", "side_wagers", "variations"] = ""
    needs_max: bool = False  # an amount that no regulation leaves open to the top
    absent: str | bool | int | tuple[str, ...] = False  # what holds where a regulation does not have the election


BASES = ("wager", "potential_win")
"""What vigorish may be reckoned on."""
MOMENTS = ("made", "won")
"""When vigorish may be taken."""
_SWITCH = Elective((True, False))
_DECLARED = Elective((True, False), absent=True)
_AMOUNT = Elective(absent=0)
_RATE = Elective(needs_max=True, absent=0)
_BASIS = Elective(BASES, absent="wager")
_WHEN = Elective(MOMENTS, absent="made")
_ON_OFF = Elective(("on", "off"), absent="off")

# The elections that the program knows by name. A rulebook leaves out those that nothing in it makes matter, and may
# declare others of its own; a house's other keys are free, or bounded by a wager's entry.
ELECTIONS: dict[str, Elective] = {
    "smallest_chip_cents": _AMOUNT,
    "wager_cents_min": _AMOUNT,
    "wager_cents_max": _AMOUNT,
    "unpayable": Elective(("refuse", "round_up"), absent="refuse"),
    "hardways_on_come_out": _ON_OFF,
    "come_odds_on_come_out": _ON_OFF,
    "buy": Elective(("offered", "none"), absent="none"),
    "lay": Elective(("in_addition", "in_lieu", "none"), absent="none"),
    "six_seven_eight": Elective(("offered", "none"), absent="none"),
    "odds_excess": _SWITCH,
    "horn_high_area": _SWITCH,
    "whirl_area": _SWITCH,
    "buy_vigorish_basis_points": _RATE,
    "buy_vigorish_basis": _BASIS,
    "buy_vigorish_when": _WHEN,
    "buy_vigorish_won_on": Elective(picks="numbers", absent=()),
    "lay_vigorish_basis_points": _RATE,
    "lay_vigorish_basis": _BASIS,
    "lay_vigorish_when": _WHEN,
    "settlement": Elective(("take_then_pay", "pay_then_take"), absent="take_then_pay"),
    "no_roll_callers": Elective(picks="roles", absent=()),
    "stickperson": _SWITCH,
    "dice_set": _AMOUNT,
    "tokens": _SWITCH,
    "off_calls": _SWITCH,
    "payouts_uniform": _DECLARED,
    "payouts_posted": _DECLARED,
    "payouts_approved": _SWITCH,
    "variations": Elective(picks="variations", absent=()),
    "limit_notice_minutes": _AMOUNT,
    "side_wagers_locked": Elective(picks="side_wagers", absent=()),
    "front_line_before_first_roll": _SWITCH,
    "tip_wagers": _SWITCH,
    "tip_position": Elective(("piggyback", "top_of_area"), absent="piggyback"),
    "front_line_tips": _SWITCH,
    "front_line_tips_whole_dollars": _SWITCH,
    "front_line_tip_cents_max": _AMOUNT,
}

COMMAND_WORDS = frozenset({
    "stay", "standing", "keep",
    "roll", "r", "throw", "shoot", "dice", "undo", "u", "oops", "repeat", "again", "same", "down", "take", "remove",
    "x", "less", "reduce", "regress", "press", "double", "on", "working", "off", "decline", "cash", "buyin",
    "buy-in", "help", "?", "h?", "rules", "rule", "explain", "wagers", "bets", "rack", "status", "history", "rolls",
    "table", "layout", "show", "quit", "q", "exit", "bye", "leave", "odds", "o", "for", "the", "a", "at", "of",
    "bet", "wager", "dollars", "each", "to", "my", "please", "max", "min",
})  # fmt: skip
"""The words with which a player's typed command begins, or which it skips: no wager's name may begin with one."""
CREW_WORDS = frozenset({"tip", "toke", "crew", "dealers"})
"""The words that make a typed wager one for the crew, wherever they stand: no wager's name may have one."""
