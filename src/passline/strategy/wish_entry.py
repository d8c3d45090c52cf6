"""One wish of a strategy file: which wager, on which numbers, when, for how much."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from passline.dice import NumberError, number_code, number_text
from passline.game.judges.proposed_wager import is_on_the_line
from passline.game.wagers import is_working
from passline.rules.rules import Rules, WagerRule
from passline.strategy.expression import Evaluate, Expression, StrategyError, expression_of, nearest
from passline.strategy.interface import Call, TakeDown, Want, Wish
from passline.strategy.vocabulary import Moment, before_acting, can_make

__all__ = ["WishEntry", "Wishing", "bound_wish"]

_Numbers = Callable[[Moment], tuple[int, ...]]


class WishEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[wish]]`: exactly one of `make`, `take_down`, `call_on` and `call_off`."""

    make: str = ""
    take_down: str = ""
    call_on: str = ""
    call_off: str = ""
    on: str | tuple[int | str, ...] = ()
    when: str = "1"
    cents: int | str = ""


class Wishing(Struct, frozen=True):
    """A wish bound to rules."""

    rules: Rules
    rule: WagerRule
    does: str
    numbers: _Numbers
    when: Expression[Moment]
    cents: Expression[Moment] | None
    also: frozenset[str]  # the wagers whose numbers it follows

    @property
    def makes(self) -> str:
        """The wager it makes, if it makes one."""
        return self.rule.kind if self.does == "make" else ""

    @property
    def wagers(self) -> frozenset[str]:
        """Every wager it names or reads."""
        read = self.when.wagers | (self.cents.wagers if self.cents else frozenset())
        return read | self.also | {self.rule.kind}

    def wishes(self, moment: Moment) -> Iterator[Wish]:
        """Give what is wished at a moment: a wager is wished for only where it can be made then."""
        kind, seen = self.rule.kind, moment.seen
        for number in self.numbers(moment):
            moment.number = number
            if self.does == "make":
                if can_make(self.rules, self.rule, moment, number) and self.when.evaluate(moment):
                    assert self.cents is not None
                    cents = self.cents.evaluate(moment)
                    if cents < 0:
                        raise StrategyError(f"make {kind}: cents = {self.cents.text!r} comes to {cents}")
                    if cents:
                        moment.wished[kind, number] = cents
                        yield Want(kind, number, cents)
            elif seen.up(kind, number) and self.when.evaluate(moment):
                if self.does == "take_down":
                    yield TakeDown(kind, number)
                elif self._is_working(moment) is not (self.does == "call_on"):
                    yield Call(kind, number, "on" if self.does == "call_on" else "off")

    def _is_working(self, moment: Moment) -> bool:
        """Whether the wager would count on the next roll, so that a call would change nothing."""
        kind, seen = self.rule.kind, moment.seen
        wager = next(one for one in seen.mine if one.kind == kind and one.number == moment.number)
        return is_working(self.rule, wager, is_come_out=not seen.puck)


def bound_wish(
    entry: WishEntry,
    rules: Rules,
    where: str,
    names: Mapping[str, Evaluate[Moment]],
    lists: Mapping[str, tuple[int, ...]],
) -> Wishing:
    """Bind one wish; what it names wrongly is an error with the file, the wish and the key."""
    given = {key: kind for key in ("make", "take_down", "call_on", "call_off") if (kind := getattr(entry, key))}
    if len(given) != 1:
        message = (
            f"{where}: a wish has one of make, take_down, call_on, call_off; this has {', '.join(given) or 'none'}"
        )
        raise StrategyError(message)
    ((does, kind),) = given.items()
    rule = rules.wagers.get(kind)
    if rule is None:
        message = f"{where}.{does}: {rules.rulebook.name} has no wager {kind!r}; {nearest(kind, rules.wagers)}"
        raise StrategyError(message)
    if (entry.cents == "") is (does == "make"):
        message = f"{where}: {'make needs cents' if does == 'make' else f'{does} takes no cents'}"
        raise StrategyError(message)
    numbers, also = _numbers(entry, rules, rule, where=where, does=does, lists=lists)
    vocabulary = before_acting(rules, rule, names, lists)
    cents = expression_of(str(entry.cents), vocabulary, f"{where}.cents") if does == "make" else None
    when = expression_of(entry.when, vocabulary, f"{where}.when")
    return Wishing(rules, rule, does, numbers, when, cents, frozenset(also))


def _numbers(
    entry: WishEntry, rules: Rules, rule: WagerRule, *, where: str, does: str, lists: Mapping[str, tuple[int, ...]]
) -> tuple[_Numbers, tuple[str, ...]]:
    """Give where a wish goes: numbers, the point, a list by name, or wherever own wagers of a kind stand."""
    on = entry.on or _default(rules, rule, where, does)
    if isinstance(on, str) and on in lists:
        on = lists[on]
    if not isinstance(on, str):
        codes = tuple(_code(one, rule, f"{where}.on") for one in on)
        return (lambda _moment: codes), ()
    if on == "point":
        return (lambda moment: (moment.seen.puck,) if moment.seen.puck in rule.numbers else ()), ()
    if on not in rules.wagers:
        known = ", ".join(["point", *lists])
        message = f"{where}.on: {on!r} is neither a wager of {rules.rulebook.name} nor one of {known}"
        raise StrategyError(message)
    return (lambda moment: _standing(moment, on, does)), (on,)


def _standing(moment: Moment, kind: str, does: str) -> tuple[int, ...]:
    """The numbers where own wagers of a kind stand, or will by then; what is to come down may have none."""
    if does != "make":
        return tuple(wager.number for wager in moment.seen.mine if wager.kind == kind)
    here = [wager.number for wager in moment.seen.mine if wager.kind == kind and wager.number]
    wished = [number for which, number in moment.wished if which == kind and number]
    return tuple(dict.fromkeys((*here, *wished)))


def _default(rules: Rules, rule: WagerRule, where: str, does: str) -> str | tuple[int | str, ...]:
    """Where a wish goes that does not say: odds to what they stand behind, what comes down to where it stands."""
    if does != "make":
        return rule.kind
    if rule.behind:
        return "point" if is_on_the_line(rules, rule.behind) else rule.behind
    if rule.numbers == {0}:
        return ("",)
    message = f"{where}: the {rule.name} is made on a number; say which: on = [{_texts(rule)}]"
    raise StrategyError(message)


def _code(number: int | str, rule: WagerRule, where: str) -> int:
    try:
        code = number if number in rule.numbers and isinstance(number, int) else number_code(str(number))
    except NumberError as error:
        message = f"{where}: {error}"
        raise StrategyError(message) from None
    if code not in rule.numbers:
        message = f"{where}: the {rule.name} is not made on {number}; it takes {_texts(rule) or 'no number'}"
        raise StrategyError(message)
    return code


def _texts(rule: WagerRule) -> str:
    texts = (number_text(number) for number in sorted(rule.numbers) if number)
    return ", ".join(f'"{text}"' if "-" in text else text for text in texts)
