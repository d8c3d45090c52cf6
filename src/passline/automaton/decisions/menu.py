"""The menu of a decision: the wagers and the sizes that a player may choose from before each roll."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import lcm

from msgspec import Struct

from passline.dice import NumberError, number_code, number_text
from passline.errors import CrapsError
from passline.expression_words import nearest
from passline.money import MoneyError, cents_from, dollars
from passline.rules.rules import Rules, WagerRule

WAGERS_MAX = 32
"""The most wagers of a menu, each number of a wager being one."""
TOGETHER_MAX = 4
"""The most wagers that may be up together."""


class MenuError(CrapsError):
    """A menu that names what the rules do not have; the message says what they have."""


class MenuItem(Struct, frozen=True):
    """A wager on a number, and the sizes in cents that it may be made at; every size of the unit if there are none."""

    kind: str
    number: int
    step: int
    """The least amount that is paid in whole units, and whose multiples are."""
    sizes: tuple[int, ...] = ()

    def sizes_up_to(self, cents: int) -> tuple[int, ...]:
        """Return the sizes of at most so many cents, in ascending order."""
        if self.sizes:
            return tuple(size for size in self.sizes if size <= cents)
        return tuple(range(self.step, cents + 1, self.step))

    def count_up_to(self, cents: int) -> int:
        """Return how many sizes there are of at most so many cents."""
        return sum(size <= cents for size in self.sizes) if self.sizes else max(cents, 0) // self.step


class Menu(Struct, frozen=True, dict=True):
    """The wagers that a player may make, and how many may be up together; odds count with the wager they are behind."""

    items: tuple[MenuItem, ...]
    unit_cents: int
    together: int = 1

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of wager on the menu."""
        return frozenset(item.kind for item in self.items)

    def __str__(self) -> str:
        names = dict.fromkeys(item.kind for item in self.items)
        several = f", {self.together} together" if self.together > 1 else ""
        return f"{', '.join(names)} in units of {dollars(self.unit_cents)}{several}"


def menu_of(text: str, rules: Rules, *, unit_cents: int, together: int = 1) -> Menu:
    """Return the menu that a text names: wagers separated by commas, each with numbers and sizes if not all are meant.

    `line` means pass and don't pass, in the sizes that are named, with odds of every size; `house` means every wager
    that the house offers, at its least size.

    >>> rules = Rules.of("maryland")
    >>> menu = menu_of("pass=5-15, pass_odds, place_win 6/8=12/24", rules, unit_cents=5_00)
    >>> [(item.kind, item.number, item.sizes) for item in menu.items if item.kind != "pass_odds"]
    [('pass', 0, (500, 1000, 1500)), ('place_win', 6, (1200, 2400)), ('place_win', 8, (1200, 2400))]
    >>> [item.step for item in menu.items if item.kind == "pass_odds"]  # so that 6 to 5 is paid in units of $5
    [500, 1000, 2500, 2500, 1000, 500]
    """
    if unit_cents < 1 or unit_cents % rules.chip:
        raise MenuError(
            f"a unit of {dollars(unit_cents)} is not a whole number of the smallest chip, {dollars(rules.chip)}"
        )
    if not 1 <= together <= TOGETHER_MAX:
        raise MenuError(f"together={together}: from 1 to {TOGETHER_MAX} wagers may be up together")
    items: dict[tuple[str, int], MenuItem] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        for item in _items(part, rules, unit_cents):
            items[item.kind, item.number] = item
    if not items:
        raise MenuError("the menu is empty: name wagers, such as pass,pass_odds")
    if len(items) > WAGERS_MAX:
        raise MenuError(
            f"the menu has {len(items)} wagers, each number of a wager being one; at most {WAGERS_MAX} are chosen "
            "from: leave some out"
        )
    _check_bases(rules, items.values())
    ordered = sorted(items.values(), key=lambda item: bool(rules.wagers[item.kind].behind))  # odds after their bases
    return Menu(tuple(ordered), unit_cents, together)


def _items(part: str, rules: Rules, unit_cents: int) -> Iterator[MenuItem]:
    name, _, sizes = part.partition("=")
    words = name.split()
    if not words or len(words) > 2:  # noqa: PLR2004 - a wager, and its numbers
        raise MenuError(f"{part!r} is not a wager, its numbers and its sizes, such as place_win 6/8=12/24")
    if words[0] == "line":
        lines = rules.procedures.shooter.line_wagers
        odds = [kind for kind, rule in rules.wagers.items() if rule.behind in lines]
        for kind in lines:
            yield from _items(f"{kind}={sizes}" if sizes else kind, rules, unit_cents)
        for kind in odds:
            yield from _items(kind, rules, unit_cents)
        return
    if words[0] == "house":
        yield from _house(rules, unit_cents)
        return
    kind = words[0].lower().replace("-", "_")
    rule = rules.wagers.get(kind)
    if rule is None or not rule.is_offered:
        offered = [kind for kind, rule in rules.wagers.items() if rule.is_offered]
        why = "the house does not offer it" if rule else nearest(kind, dict.fromkeys([*offered, "line", "house"]))
        raise MenuError(f"{rules.rulebook.name} has no wager {kind!r} to choose from; {why}")
    for number in _numbers(words[1:], rule, part):
        step = step_of(rule, number, unit_cents)
        yield MenuItem(kind, number, step, _sizes(sizes, step if "-" in sizes else rules.chip, part))


def step_of(rule: WagerRule, number: int, unit_cents: int) -> int:
    """Return the least amount of a wager whose multiples are whole units and are paid in whole units.

    >>> rules = Rules.of("maryland")
    >>> step_of(rules.wagers["place_win"], 6, 1_00), step_of(rules.wagers["pass"], 0, 5_00)
    (600, 500)
    """
    if rule.family == "composite":
        units = lcm(rule.units, sum(units for _part, units in rule.breakdown) or 1)
        return lcm(unit_cents, units * unit_cents)
    return lcm(unit_cents, rule.unit(0 if rule.family == "line" else number, unit_cents))


def _house(rules: Rules, unit_cents: int) -> Iterator[MenuItem]:
    """Yield every wager that the house offers, at the least size that it takes, rounded up to its step."""
    for kind, rule in rules.wagers.items():
        if rule.is_offered:
            for number in sorted(rule.numbers):
                step = step_of(rule, number, unit_cents)
                least = max(rule.min, step)
                yield MenuItem(kind, number, step, (-(-least // step) * step,))


def _numbers(words: Sequence[str], rule: WagerRule, part: str) -> list[int]:
    if not words:
        return sorted(rule.numbers)
    try:
        numbers = [number_code(word) for word in words[0].split("/")]
    except NumberError as error:
        raise MenuError(f"{part!r}: {error}") from None
    for number in numbers:
        if number not in rule.numbers:
            known = ", ".join(number_text(number) for number in sorted(rule.numbers) if number)
            raise MenuError(
                f"{part!r}: the {rule.name} is not made on {number_text(number)}; it is made on {known or 'no number'}"
            )
    return numbers


def _sizes(text: str, step: int, part: str) -> tuple[int, ...]:
    """Return the sizes that a text names: amounts separated by strokes, or a range of them in steps."""
    if not text.strip():
        return ()
    sizes: set[int] = set()
    try:
        for piece in text.split("/"):
            first, dash, last = piece.partition("-")
            low = cents_from(first.strip())
            if not dash:
                sizes.add(low)
                continue
            high = cents_from(last.strip())
            sizes |= set(range(-(-low // step) * step, high + 1, step))
    except MoneyError as error:
        raise MenuError(f"{part!r}: {error}") from None
    if not sizes or min(sizes) < 1:
        raise MenuError(f"{part!r}: names no size; sizes are amounts such as 10/20 or 5-50")
    return tuple(sorted(sizes))


def _check_bases(rules: Rules, items: object) -> None:
    """Raise MenuError for odds without the wager that they are behind."""
    kinds = {item.kind for item in items}  # type: ignore[attr-defined]
    for kind in sorted(kinds):
        base = rules.wagers[kind].behind
        if base and base not in kinds:
            raise MenuError(f"{kind} goes behind {base}, which is not on the menu: add {base}, or leave {kind} out")
