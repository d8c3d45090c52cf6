"""Names that a rulebook gives: each is a word, none is taken, no two wagers are called the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from passline.rules.schema import COMMAND_WORDS, CREW_WORDS, TYPED_NAMES, WAGER_KINDS, Rulebook, WagerEntry

WINDOWS = ("come_out", "point", "any")
"""The times to make a wager that need no window of their own."""
_RESERVED_GAMES = ("general", "wagers", "sidewagers", "elections", "house")
"""The pages of every rulebook, which no game can be named after."""
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_TYPED = {name: kind for kind, names in TYPED_NAMES.items() for name in names}
_SHORT = 4  # words of so few letters differ from many others by one
_OWN = {"high": "stands for the number chosen in a composite wager", "centre": "stands for all centre wagers in limits"}


def _phrases(kind: str, entry: WagerEntry) -> set[str]:
    """Return what a player may type for a wager."""
    name = entry.display_name().lower().replace("'", "").replace("\u2019", "").replace(",", " ")
    return {kind.replace("_", " "), " ".join(name.split())}


def wager_name_problems(wagers: dict[str, WagerEntry]) -> Iterator[tuple[str, str]]:
    """Yield each wager whose name or label is not a word, or already means something else, with the problem."""
    seen: dict[str, str] = {}
    for kind, entry in wagers.items():
        mine = _phrases(kind, entry)
        yield from ((kind, problem) for problem in _kind_problems(wagers, kind, mine))
        for phrase in sorted(mine):
            typed = _TYPED.get(phrase, kind)
            if (other := typed if typed in wagers else seen.setdefault(phrase, kind)) != kind:
                yield kind, f"{phrase!r} means the wager {other} too; label one of them otherwise"


def _kind_problems(wagers: dict[str, WagerEntry], kind: str, mine: set[str]) -> Iterator[str]:
    yield from _word_problems((kind,), "the name of a wager")
    missing = () if kind in WAGER_KINDS else [known for known in WAGER_KINDS if known not in wagers]
    for known in missing:
        if _is_slip(kind, known):
            yield f"{kind!r} is too like {known}, which layouts and commands know; did you mean that?"
    if kind in _OWN:
        yield f"{kind!r} cannot be a wager's name: it {_OWN[kind]}"
    for phrase in sorted(mine):
        words = phrase.split()
        if words[:1] and words[0] in COMMAND_WORDS:
            yield f"{phrase!r} begins with {words[0]!r}, a word of the commands; name or label it otherwise"
        if taken := CREW_WORDS & set(words):
            yield f"{phrase!r} has {min(taken)!r}, with which a wager is made for the crew; name it otherwise"


def _is_slip(word: str, known: str) -> bool:
    """Return whether two words differ by one letter added, dropped or changed, or by the order of their letters."""
    if sorted(word) == sorted(known):
        return True
    if len(known) < _SHORT + 1 and {word[:-1], known[:-1]} & {word, known}:
        return True
    start, end = _prefix_length(word, known), _prefix_length(word[::-1], known[::-1])
    return len(known) > _SHORT and max(len(word), len(known)) - start - end <= 1


def _prefix_length(word: str, other: str) -> int:
    """Return the length of the common prefix of two words."""
    return next((at for at, (left, right) in enumerate(zip(word, other, strict=False)) if left != right), len(word))


def window_name_problems(rulebook: Rulebook) -> Iterator[str]:
    """Yield a problem for a window whose name is not a word, or is that of a time that every game has."""
    for name in rulebook.general.windows:
        yield from (f"windows.{name}: {problem}" for problem in _word_problems((name,), "the name of a window"))
        if name in WINDOWS:
            yield f"windows.{name}: every game has {name} already; name the window otherwise"


def game_name_problems(games: Iterable[str]) -> Iterator[str]:
    """Yield a problem for a game whose name is not a word, or is that of another page of the rulebook."""
    for game in games:
        yield from (f"games: {problem}" for problem in _word_problems((game,), "the name of a game"))
        if game in _RESERVED_GAMES:
            yield f"games: {game}.toml is another page of the rulebook; name the game otherwise"


def _word_problems(names: Iterable[str], what: str) -> Iterator[str]:
    for name in names:
        if not _WORD.fullmatch(name):
            yield f"{name!r} cannot be {what}: use small letters, digits and _, a letter first"
