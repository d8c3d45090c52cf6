"""Finds words of a plan that contradict its figures: rounds, players or rolls that the plan does not have.

>>> from passline.tournament.plan.reader import example_plan
>>> plan = example_plan("colorado")
>>> contradictions(plan, "the twelve who come through the semi-final play fifty rolls")
[]
>>> contradictions(plan, "the ten who come through round 2 play fifty rolls")
["no round is called 'round 2'", 'no round has 10 players']
"""

from __future__ import annotations

import re

from passline.tournament.plan.figures import round_sizes
from passline.tournament.plan.schema import Plan

_UNITS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {word: number for number, word in enumerate(_UNITS, start=1)}
_NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS, start=2)}
_NUMBERS |= {f"{ten}-{unit}": _NUMBERS[ten] + _NUMBERS[unit] for ten in _TENS for unit in _UNITS[:9]}
_NUMBER = rf"(\d+|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_ROUND = re.compile(rf"\b(?:semi|quarter)[- ]?final|\bround {_NUMBER}\b", re.IGNORECASE)
_PLAYERS = re.compile(rf"\b{_NUMBER} (?:\w+ )?who (?:come|go|get|are) (?:through|on)\b", re.IGNORECASE)
_LENGTH = re.compile(rf"\b(?:play|plays|after|for) (?:for )?{_NUMBER} (rolls|minutes)\b", re.IGNORECASE)


def contradictions(plan: Plan, words: str) -> list[str]:
    """Return what the words say of rounds, players, rolls and minutes that is not so in the plan."""
    rounds = [planned for event in plan.events for planned in event.rounds]
    names = {_plain(planned.name) for planned in rounds}
    named = (match[0] for match in _ROUND.finditer(words))
    found = [f"no round is called {name!r}" for name in named if _plain(name) not in names]
    sizes = {size.players for event in plan.events for size in round_sizes(event, event.entries_max)}
    players = (_number(match[1]) for match in _PLAYERS.finditer(words))
    found += (f"no round has {number} players" for number in players if number not in sizes)
    for match in _LENGTH.finditer(words):
        number, what = _number(match[1]), match[2].lower()
        if number not in {getattr(planned, what) for planned in rounds}:
            found.append(f"no round has {number} {what}")
    return found


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _NUMBERS[text.lower()]


def _plain(name: str) -> str:
    """Return a name without hyphens and spaces, its numbers as digits."""
    words = (str(_NUMBERS.get(word, word)) for word in name.casefold().split())
    return "".join(sign for sign in "".join(words) if sign.isalnum())
