"""Parses what a player types into wishes, allowing many spellings. Does not judge what is lawful."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import number_code
from passline.errors import CrapsError
from passline.money import DOLLAR, MoneyError, cents_from
from passline.rules.rules import Rules
from passline.rules.schema import TYPED_NAMES

Verb = Literal[
    "make", "down", "less", "press", "on", "off", "roll", "undo", "repeat", "decline", "cash", "stay",
    "help", "rules", "wagers", "history", "table", "quit",
]  # fmt: skip
ODDS = "odds"  # stands for any odds: the controller finds the wager that they go behind

# The verbs that players type.
VERBS: dict[str, Verb] = {
    **dict.fromkeys(("roll", "r", "throw", "shoot", "dice"), "roll"),
    **dict.fromkeys(("undo", "u", "oops"), "undo"),
    **dict.fromkeys(("repeat", "again", "same"), "repeat"),
    **dict.fromkeys(("down", "take", "remove", "x"), "down"),
    **dict.fromkeys(("less", "reduce", "regress"), "less"),
    **dict.fromkeys(("press", "double"), "press"),
    **dict.fromkeys(("on", "working"), "on"),
    "off": "off",
    "decline": "decline",
    **dict.fromkeys(("stay", "standing", "keep"), "stay"),
    **dict.fromkeys(("cash", "buyin", "buy-in"), "cash"),
    **dict.fromkeys(("help", "?", "h?"), "help"),
    **dict.fromkeys(("rules", "rule", "explain"), "rules"),
    **dict.fromkeys(("wagers", "bets", "rack", "status"), "wagers"),
    **dict.fromkeys(("history", "rolls"), "history"),
    **dict.fromkeys(("table", "layout", "show"), "table"),
    **dict.fromkeys(("quit", "q", "exit", "bye", "leave"), "quit"),
}
_OF_WAGER = {"down", "less", "press", "on", "off", "rules"}

# What players type for each wager; the first one is what hints and completions suggest.
NAMES = {**TYPED_NAMES, ODDS: ("odds", "o", "lay odds", "take odds")}
_BARE = {2: "craps_2", 3: "craps_3", 11: "eleven", 12: "craps_12"}  # `12 1` is boxcars; other numbers are placed
_FILLERS = {"on", "for", "the", "a", "at", "of", "bet", "wager", "dollars", "each", "to", "my", "please"}
_SPOKEN = {
    "four": "4", "five": "5", "six": "6", "eight": "8", "nine": "9", "ten": "10",
    "aces": "2", "two": "2", "three": "3", "yo": "11", "eleven": "11", "boxcars": "12", "twelve": "12",
}  # fmt: skip
_CREW = {"tip", "toke", "crew", "dealers"}  # anywhere in a line: the wager is for the crew
_AMOUNTS = {"max", "min", "all"}
_GLUED = re.compile(r"([a-z]+)(\d.*)")
_PAIR = re.compile(r"([1-6])-?([1-6])")
_TOTAL_MAX = 12
_WORD_MAX = 24


class NotUnderstood(CrapsError):
    """A line that cannot be parsed; the message suggests the nearest known words."""


class Wish(Struct, frozen=True):
    """What a player wants: a verb, perhaps a wager, and an amount ("" for the usual one)."""

    verb: Verb
    kind: str = ""
    number: int = 0
    amount: str = ""
    owner: str = "player"


def typed_name(kind: str) -> str:
    """Return the words that a player types for a wager."""
    return NAMES[kind][0] if kind in NAMES else kind.replace("_", " ")


def vocabulary(rules: Rules) -> dict[str, str]:
    """Return every phrase that means a wager of these rules, with the wager's kind."""
    phrases = {kind: kind for kind in rules.wagers} | {kind.replace("_", " "): kind for kind in rules.wagers}
    phrases |= {_normalise(rule.display_name()): kind for kind, rule in rules.wagers.items()}
    for kind, names in NAMES.items():
        if kind in rules.wagers or kind == ODDS:
            phrases |= dict.fromkeys(names, kind)
    winner = rules.wagers.get("front_line_winner")
    if winner is None or not winner.is_offered:
        phrases["front line"] = "pass"
    return phrases


def read(rules: Rules, text: str) -> tuple[Wish, ...]:
    """Parse one line; semicolons separate several wishes.

    >>> maryland = Rules.of("maryland")
    >>> read(maryland, "6 12")
    (Wish(verb='make', kind='place_win', number=6, amount='12', owner='player'),)
    >>> read(maryland, "psas 10")
    Traceback (most recent call last):
    passline.cli.play.parser.NotUnderstood: unknown word 'psas'; did you mean pass or press? (help lists all)
    """
    if not text.strip():
        return (Wish("roll"),)
    parts = [tokens for part in text.split(";") if (tokens := _tokens(rules, part))]
    if not parts:
        raise NotUnderstood(f"{text.strip()!r} is not a command (help lists them)")
    return tuple(wish for tokens in parts for wish in _read(rules, tokens))


def _normalise(text: str) -> str:
    """Return a text in lower case, without apostrophes and with commas as spaces."""
    return text.lower().replace("'", "").replace("\u2019", "").replace(",", " ")


def _tokens(rules: Rules, text: str) -> list[str]:
    phrases = vocabulary(rules)
    tokens: list[str] = []
    for token in _normalise(text).split():
        glued = _GLUED.fullmatch(token)
        split = glued is not None and token not in phrases and (glued[1] in phrases or glued[1] in VERBS)
        tokens += [glued[1], glued[2]] if glued and split else [token]
    return tokens


def _read(rules: Rules, tokens: list[str]) -> list[Wish]:
    wagers = [token for token in tokens if token not in _CREW]
    if not wagers or wagers == tokens:
        return _read_own(rules, tokens)
    return [replace(wish, owner="crew") for wish in _read_own(rules, wagers)]


def _read_own(rules: Rules, tokens: list[str]) -> list[Wish]:
    if tokens[0] in _CREW:
        raise NotUnderstood("a tip on which wager? type: tip pass 5")
    verb = VERBS.get(tokens[0])
    if verb is None and tokens[-1] in {"on", "off"} and len(tokens) > 1:  # `place 6 off`
        verb, tokens = VERBS[tokens[-1]], [tokens[-1], *tokens[:-1]]
    if verb == "down" and tokens[1:2] == ["down"]:  # `take down the place 6`
        tokens = tokens[1:]
    if verb is None:
        return _of_wager(rules, "make", tokens)
    rest = [token for token in tokens[1:] if token not in _FILLERS]
    if verb == "down" and not rest:
        raise NotUnderstood("take down which wager? name it (down place 6), or type: down all")
    is_all = rest == ["all"] and (verb != "rules" or "all" not in rules.wagers)
    if verb in _OF_WAGER and rest and not is_all:
        return _of_wager(rules, verb, tokens[1:])
    return [Wish(verb, amount=" ".join(rest))]


def _of_wager(rules: Rules, verb: Verb, tokens: list[str]) -> list[Wish]:
    while tokens[0] in _FILLERS and len(tokens) > 1:  # `take down the place 6`
        tokens = tokens[1:]
    kind, rest = _kind(rules, tokens, is_up=verb != "make")
    sign = rules.rulebook.general.currency.lower()
    rest = [token.removeprefix(sign).removeprefix(DOLLAR) for token in rest if token not in _FILLERS]
    is_numbered = kind == ODDS or kind not in rules.wagers or rules.wagers[kind].numbers != {0}
    is_on_number = kind in {"come", "dont_come"} and verb != "make"
    if verb == "rules":
        return [Wish(verb, kind)]
    if kind == "any_craps" and len(rest) > 1 and f"craps_{rest[0]}" in rules.wagers:  # `craps 12 1`
        kind, rest, is_numbered = f"craps_{rest[0]}", rest[1:], False
    if kind == ODDS or (kind in rules.wagers and rules.wagers[kind].behind):
        return [_odds(verb, kind, tokens, rest)]
    if not is_numbered and not is_on_number:
        return [Wish(verb, kind, amount=_amount(kind, rest))]
    numbers, amount = _numbers(kind, rest, is_come=is_on_number)
    return [Wish(verb, kind, number, amount) for number in numbers]


def _kind(rules: Rules, tokens: list[str], *, is_up: bool) -> tuple[str, list[str]]:
    """Return the wager named by the longest phrase at the start of a line, and the rest of the line."""
    phrases = vocabulary(rules)
    for length in range(min(4, len(tokens)), 0, -1):
        phrase = " ".join(tokens[:length])
        if phrase in {"craps 2", "craps 3", "craps 12"} and len(tokens) == length:
            continue  # `craps 2` alone is two dollars on any craps
        if phrase in phrases:
            return phrases[phrase], tokens[length:]
    first = _SPOKEN.get(tokens[0], tokens[0])
    if first.isdecimal() and len(first) < len("100") and (len(tokens) > 1 or is_up):  # `6 12`, `press 6`
        kind = _BARE.get(int(first), "place_win")
        if kind in rules.wagers:
            return kind, tokens if kind == "place_win" else tokens[1:]
    if first.isdecimal():
        raise NotUnderstood(f"{first} what? `6 12` places 12 on the 6; `pass {first}` puts {first} on the pass line")
    if _PAIR.fullmatch(first) and "-" in first and "hop" in rules.wagers:
        return "hop", tokens
    raise NotUnderstood(_unknown_word(tokens[0], phrases))


def _unknown_word(word: str, phrases: Iterable[str]) -> str:
    word = word if len(word) <= _WORD_MAX else f"{word[:_WORD_MAX]}..."
    near = difflib.get_close_matches(word, [*phrases, *VERBS], n=2, cutoff=0.6)
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"unknown word {word!r}{meant} (help lists all)"


def _amount(kind: str, tokens: list[str]) -> str:
    """Parse the rest of a line as one amount; "" if there is none."""
    if len(tokens) > 1:
        raise NotUnderstood(f"{typed_name(kind)} takes one amount, not {' '.join(tokens)}")
    if not tokens or tokens[0] in _AMOUNTS:
        return tokens[0] if tokens else ""
    try:
        cents_from(tokens[0])
    except MoneyError as error:
        raise NotUnderstood(str(error)) from error
    return tokens[0]


def _numbers(kind: str, tokens: list[str], *, is_come: bool) -> tuple[list[int], str]:
    """Parse numbers and an amount: `6 12` is one number, `6 8 12` two with 12 each, `6` one without an amount."""
    tokens = [_SPOKEN.get(token, token) for token in tokens]
    if not tokens:
        if is_come:
            return [0], ""
        raise NotUnderstood(f"{typed_name(kind)} on which number?")
    named, amount = (tokens[:-1], tokens[-1:]) if len(tokens) > 1 else (tokens, [])
    return [_number(kind, token) for token in named], _amount(kind, amount)


def _number(kind: str, token: str) -> int:
    pair = _PAIR.fullmatch(token)
    if kind == "hop" and pair:
        return number_code("-".join(pair.groups()))
    if token.isdecimal() and len(token) < len("100"):
        return int(token)
    wanted = "two dice such as 1-3" if kind == "hop" else "a number"
    raise NotUnderstood(f"{typed_name(kind)} takes {wanted}, not {token!r}")


def _odds(verb: Verb, kind: str, tokens: list[str], rest: list[str]) -> Wish:
    """Parse `odds`, `odds 20`, `odds 6 20` (behind the wager on the 6) and `odds on 6`."""
    rest = [_SPOKEN.get(token, token) for token in rest]
    is_number = len(rest) > 1 or (len(rest) == 1 and ("on" in tokens or verb != "make"))
    if is_number and rest[0].isdecimal() and int(rest[0][:3]) <= _TOTAL_MAX:
        return Wish(verb, kind, int(rest[0]), _amount(kind, rest[1:]))
    return Wish(verb, kind, amount=_amount(kind, rest))
