"""The check of an argument that must be Rules, for functions that people call from Python."""

from __future__ import annotations

from passline.errors import CrapsError
from passline.rules.rules import Rules


def must_be_rules(rules: object) -> Rules:
    """Return the rules; raise CrapsError if something else was given in their place, such as a regulation's name.

    >>> must_be_rules("maryland")
    Traceback (most recent call last):
    passline.errors.CrapsError: 'maryland' is not Rules: Rules.of('maryland') has those of a regulation
    """
    if not isinstance(rules, Rules):
        named = repr(rules) if isinstance(rules, str) else "NAME"
        raise CrapsError(f"{rules!r} is not Rules: Rules.of({named}) has those of a regulation")
    return rules
