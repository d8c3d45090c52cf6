"""Passwords that are tried first: common words, runs on a keyboard and years, also with a digit or two beside them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

_PATHS = """
    01234567890 abcdefghijklmnopqrstuvwxyz qwertyuiop[] asdfghjkl;' zxcvbnm,./ !@#$%^&*()_+ 1q2w3e4r5t6y7u8i9o0p
    1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/ qazwsxedcrfvtgbyhnujmikolp zaq1xsw2cde3vfr4 zaq12wsx qawsedrf
    qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn 147258369 741852963 159753
"""
_RUN_MIN = 3
_WORD_MIN = 3
_WORDS_MAX = 2  # a passphrase has more
_JUDGED_MAX = 48  # a longer one is no common password
_LEFT_MAX = 3  # characters besides: "Password1!" is no better than "password"
_YEARS = frozenset(map(str, range(1900, 2040)))
_LEET = (str.maketrans("", ""), str.maketrans("013457@$!|8", "oieastasilb"), str.maketrans("013457@$!|", "oleastasll"))


@cache
def _words() -> frozenset[str]:
    text = files("passline.people.guard").joinpath("common_passwords.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word for line in lines for word in line.split())


@cache
def _runs() -> frozenset[str]:
    """Return every piece of a path, in both directions."""
    both = (text for path in _PATHS.split() for text in (path, path[::-1]))
    return frozenset(
        text[first:last]
        for text in both
        for first in range(len(text))
        for last in range(first + _RUN_MIN, len(text) + 1)
    )


def is_common_password(password: str, names: Iterable[str] = ()) -> bool:
    """Return whether a password is a common one, or made of at most two common words with little besides.

    `names` count as common too: the account's own.

    >>> [is_common_password(one) for one in ("P@ssw0rd2024!", "qwerty123456", "Casino!Casino", "correct horse battery")]
    [True, True, True, False]
    >>> is_common_password("olga.smith1", names=["Olga Smith"]), is_common_password("olga.smith1")
    (True, False)
    """
    own = {part for name in names for part in _plain(name).split() if len(part) >= _WORD_MIN}
    own |= {"".join(_plain(name).split()) for name in names}
    plain = _unit(_plain(password))
    words = _words() | own
    return any(_left_over(plain, plain.translate(leet), words) <= _LEFT_MAX for leet in _LEET)


def _unit(text: str) -> str:
    """Return what a text repeats: of "casino!casino!" that is "casino!"; of most texts themselves."""
    place = (text + text).find(text, 1)
    return text[:place]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _left_over(text: str, letters: str, words: frozenset[str]) -> int:
    """Return how many characters are left when runs, years, repeats and at most two words are taken away.

    `letters` is the text with letters for the digits and signs that stand for them.
    """
    if len(text) > _JUDGED_MAX:
        return len(text)
    runs = _runs()
    nothing = [len(text) + 1] * (_WORDS_MAX + 1)
    best = [[0, *nothing[1:]], *(nothing[:] for _ in text)]  # by how far, and how many words: what is left
    for at in range(len(text)):
        for taken, left in enumerate(best[at]):
            best[at + 1][taken] = min(best[at + 1][taken], left + 1)
            for end in range(at + _RUN_MIN, len(text) + 1):
                piece = text[at:end]
                if piece in runs or piece in _YEARS or len(set(piece)) == 1:
                    best[end][taken] = min(best[end][taken], left)
                if letters[at:end] in words and taken < _WORDS_MAX:
                    best[end][taken + 1] = min(best[end][taken + 1], left)
    return min(best[-1])
