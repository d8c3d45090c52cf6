"""The rules in force at a table: its house, compiled under the rulebook with the digest it was opened with.

Rulebooks are known by their digest, which is over the very bytes that were parsed. So two texts of one regulation can
be in force side by side, at two tables or in two parts of a log.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from passline.rules.pages.layers import KeptRules
from passline.rules.pages.texts import Pages, RulebookError, past_pages
from passline.rules.rulebook_reader import rulebook_from, rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from passline.tables.live import LiveTable

_SHOWN = 12  # digits of a digest
_RULES_MAX = 500  # compiled rules kept in memory
_rules: dict[tuple[str, str, tuple[str, ...], bool], Rules] = {}  # by the rulebook's digest
_RULEBOOKS: KeptRules[Rulebook] = KeptRules()


def rules_of(live: LiveTable) -> Rules:
    """Return the rules in force at a table; equal houses share one compiled copy."""
    known = _rules.get((live.rulebook, live.rules, live.automate, live.points is None or has_limits(live)))
    return known or rules_under(live.house, live.rulebook, live.rules, live.automate, limits_apply=has_limits(live))


def has_limits(live: LiveTable) -> bool:
    """Return whether wagers have limits at a table: all but tournament chips where a regulation lifts them."""
    return live.points is None or "no_limit" not in live.points.clauses


def rules_under(
    house: Mapping[str, Any], rulebook: str, version: str, automate: tuple[str, ...], *, limits_apply: bool = True
) -> Rules:
    """Return the compiled rules of a complete house of this version, under the rulebook with this digest.

    `limits_apply` is False where tournament chips have no wager limit.

    If that rulebook is neither installed nor kept in the log, as may be with an old log, it is the installed one:
    good enough to show a table, and never used to deal.
    """
    text = rulebook_behind(rulebook, house["rules"])
    key = text.digest, version, automate, limits_apply
    known = _rules.get(key)
    if known is None:
        if len(_rules) >= _RULES_MAX:
            _rules.clear()
        known = _rules[key] = Rules.under(text, house, automate=frozenset(automate), limits_apply=limits_apply)
    return known


def rulebook_behind(digest: str, name: str) -> Rulebook:
    """Return the rulebook with this digest, or else the installed one of this name; raise RulebookError without both.

    >>> rulebook_behind("1f2e3d4c5b6a7988", "nevada")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    passline.rules.pages.texts.RulebookError: the log does not keep the text 1f2e3d4c5b6a of nevada; there is no ...
    """
    if known := known_rulebook(digest, name):
        return known
    try:
        return rulebook_of(name)
    except RulebookError as error:
        raise RulebookError(f"the log does not keep the text {digest[:_SHOWN]} of {name}; {error}") from None


def known_rulebook(digest: str, name: str = "") -> Rulebook | None:
    """Return the rulebook with this digest if it is known: learnt, the installed one of this name, or of a release.

    >>> known_rulebook(rulebook_of("maryland").digest, "maryland").name, known_rulebook("", "maryland")
    ('maryland', None)
    """
    if (known := _RULEBOOKS.find(digest)) is None and name:
        with suppress(RulebookError):
            if (installed := rulebook_of(name)).digest == digest:
                known = _RULEBOOKS.keep(installed)
    if known is None and digest in past_pages():
        known = _RULEBOOKS.keep(rulebook_from(past_pages()[digest][1], is_kept=True))
    return known if known is None or name in ("", known.name) else None


def learn_rulebook(pages: Pages, *, is_kept: bool = False) -> Rulebook:
    """Return the rulebook of these pages, known by its digest from now on; raise RulebookError if it is unsound.

    Pages that the log kept (`is_kept`) were sound when it kept them, and stay readable whatever is checked since.
    """
    digest = pages.digest
    known = known_rulebook(digest, pages.name)
    if known is None:
        if other := _RULEBOOKS.find(digest):
            raise RulebookError(f"these are the pages of {other.name}, not of {pages.name}")
        known = _RULEBOOKS.keep(rulebook_from(pages, is_kept=is_kept))
    return known
