"""One `[[wish]]` of a strategy file: which wager, on which numbers, when and for how much."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from passline.dice import NumberError, number_code, number_text
from passline.expression import expression_of, numbers_expression_of
from passline.expression_words import Expression, NumbersExpression, Parsed, nearest
from passline.game.judges.proposed_wager import is_on_the_line
from passline.game.position import Wager
from passline.game.wagers import is_working
from passline.rules.rules import Rules, WagerRule
from passline.strategy.interface import Call, Lower, StrategyError, TakeDown, Want, Wish
from passline.strategy.moment import Moment
from passline.strategy.vocabulary import OwnWords, before_acting, before_numbers, can_lower, can_make, numbers_up

DOES = ("make", "set", "take_down", "call_on", "call_off")
"""What a wish can do, by its keys in a file."""
RAISES = frozenset({"make", "set"})
"""What makes or raises a wager."""
LOWERS = frozenset({"take_down", "set"})
"""What takes a wager down or reduces it."""
_Numbers = Callable[[Moment], tuple[int, ...]]


class WishEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A `[[wish]]` as the file states it: exactly one of `make`, `set`, `take_down`, `call_on` and `call_off`."""

    make: str = ""
    set: str = ""
    take_down: str = ""
    call_on: str = ""
    call_off: str = ""
    on: str | tuple[int | str, ...] = ()
    when: str = "1"
    cents: int | str = ""
    amount: int | str = ""  # the same, for people who count in dollars: "$10"

    @property
    def does(self) -> dict[str, str]:
        """What it does, which should be one thing, and with which wager."""
        return {key: kind for key in DOES if (kind := getattr(self, key))}


class Reason(Struct, frozen=True):
    """What one `[[wish]]` led to on one number, and why."""

    does: str
    wager: str
    number: int
    wished: tuple[Wish, ...]
    when: str
    values: dict[str, int]  # of the names and calls in its expressions
    why_not: str


def _only(number: int) -> _Numbers:
    return lambda _moment: (number,)


class BoundWish(Struct, frozen=True):
    """A wish bound to rules, with its expressions parsed."""

    rules: Rules
    rule: WagerRule
    does: str  # one of DOES
    numbers: _Numbers
    when: Expression[Moment]
    cents: Expression[Moment] | None
    on: NumbersExpression[Moment] | None  # the expression for its numbers, if there is one
    follows: frozenset[str]  # the kinds of wager on whose numbers it is made
    most: int = 1  # numbers that it can be on at once
    fixed: tuple[int, ...] = ()  # its numbers, where they are always the same

    @property
    def makes(self) -> str:
        """The kind of wager it makes, or ""."""
        return self.rule.kind if self.does in RAISES else ""

    @property
    def expressions(self) -> tuple[Parsed[Moment], ...]:
        """Its expressions: when it is wished, for how much and on which numbers."""
        return tuple(parsed for parsed in (self.when, self.cents, self.on) if parsed is not None)

    @property
    def wagers(self) -> frozenset[str]:
        """Every kind of wager it names or reads."""
        return self.follows.union({self.rule.kind}, *(parsed.wagers for parsed in self.expressions))

    @property
    def reads(self) -> frozenset[str]:
        """Every word that its expressions read."""
        return frozenset[str]().union(*(parsed.reads for parsed in self.expressions))

    @property
    def calls(self) -> frozenset[tuple[str, str]]:
        """Every wager that a call in its expressions names, with the text of its number or ""."""
        return frozenset[tuple[str, str]]().union(*(parsed.named for parsed in self.expressions))

    @property
    def size(self) -> int:
        """How many names and numbers its expressions have, for each of its numbers."""
        return sum(parsed.size for parsed in self.expressions) * self.most

    def wishes(self, moment: Moment) -> Iterator[Wish]:
        """Yield what is wished at this moment; a wager is wished for only if it can be made now."""
        kind, seen = self.rule.kind, moment.seen
        for number in self.numbers(moment):
            moment.number = number
            if self.does == "make":
                is_wished = can_make(self.rules, self.rule, moment, number) and self.when.evaluate(moment)
                if is_wished and (cents := self._cents(moment)):
                    moment.planned[kind, number] = max(cents, moment.cents(kind, number))
                    yield Want(kind, number, cents)
            elif self.does == "set":
                yield from self._set(moment, number)
            elif self.does == "take_down":
                if seen.up(kind, number) and self.when.evaluate(moment):
                    self._plan_down(moment)
                    moment.called.pop((kind, number), None)
                    yield TakeDown(kind, number)
            elif self._would_change(moment, wants=self.does == "call_on") and self.when.evaluate(moment):
                moment.called[kind, number] = self.does == "call_on"
                yield Call(kind, number, "on" if self.does == "call_on" else "off")

    def reasons(self, moment: Moment) -> Iterator[Reason]:
        """Yield for each number what is wished and why, or why not; the moment goes on as after `wishes`."""
        for number in self.numbers(moment):
            moment.number = number
            values, amounts = self.when.values(moment), self.cents.values(moment) if self.cents else {}
            why_not = self._why_not(moment)
            wished = tuple(replace(self, numbers=_only(number)).wishes(moment))
            values |= amounts if wished else {}
            yield Reason(self.does, self.rule.kind, number, wished, self.when.text, values, "" if wished else why_not)

    def _why_not(self, moment: Moment) -> str:
        """Return why nothing would be wished, if that is so."""
        wager = self._find_wager(moment)
        if self.does == "make" or (self.does == "set" and wager is None):
            is_possible, why = can_make(self.rules, self.rule, moment, moment.number), "it cannot be made now"
        elif self.does == "set" and wager:
            is_possible, why = True, ""
        else:
            is_possible, why = wager is not None, "it is not up"
        if not is_possible:
            return why
        if not self.when.evaluate(moment):
            return "its condition is false"
        return "its amount is 0, or it stands as it should"

    def _set(self, moment: Moment, number: int) -> Iterator[Wish]:
        """Yield what raises or lowers the wager to its amount; one that the rules lock is never lowered."""
        kind, wager = self.rule.kind, self._find_wager(moment)
        is_makeable = can_make(self.rules, self.rule, moment, number)
        if not (wager or is_makeable) or not self.when.evaluate(moment):
            return
        cents = self._cents(moment)
        if cents > (wager.cents if wager else 0):
            if is_makeable:
                moment.planned[kind, number] = cents
                yield Want(kind, number, cents)
        elif wager and cents < wager.cents and can_lower(self.rules, moment.seen, wager):
            if cents:
                moment.planned[kind, number] = cents
                yield Lower(kind, number, cents)
            else:
                self._plan_down(moment)
                yield TakeDown(kind, number)

    def _plan_down(self, moment: Moment) -> None:
        which = (self.rule.kind, moment.number)
        moment.planned[which] = 0
        moment.taken_down.add(which)

    def _cents(self, moment: Moment) -> int:
        assert self.cents is not None
        cents = self.cents.evaluate(moment)
        if cents < 0:
            raise StrategyError(f"{self.does} {self.rule.kind}: cents = {self.cents.text!r} is negative: {cents}")
        return cents

    def _would_change(self, moment: Moment, *, wants: bool) -> bool:
        """Return whether the wager will be up after the wishes so far and a call would change how it then works."""
        wager, called = self._find_wager(moment), moment.called.get((self.rule.kind, moment.number))
        if wager is None or called is not None:
            return wager is not None and called is not wants
        return is_working(self.rule, wager, is_come_out=not moment.seen.puck) is not wants

    def _find_wager(self, moment: Moment) -> Wager | None:
        """Return the wager as it will be up after the wishes so far; None if it will not be."""
        which = (self.rule.kind, moment.number)
        cents = moment.cents(*which)
        for wager in moment.seen.mine if which not in moment.taken_down else ():
            if (wager.kind, wager.number) == which:
                return wager if wager.cents == cents else replace(wager, cents=cents)
        return Wager(0, "player", *which, cents) if cents else None


def bind_wish(
    entry: WishEntry,
    rules: Rules,
    where: str,
    own: OwnWords,
) -> BoundWish:
    """Bind one wish to rules; an error names the file, the wish and the key (`where`)."""
    given = entry.does
    if len(given) != 1:
        raise StrategyError(f"{where}: a wish has one of {', '.join(DOES)}; this one has {', '.join(given) or 'none'}")
    ((does, kind),) = given.items()
    rule = rules.wagers.get(kind)
    if rule is None:
        message = f"{where}.{does}: {rules.rulebook.name} has no wager {kind!r}; {nearest(kind, rules.wagers)}"
        raise StrategyError(message)
    wanted = _amount(entry, where, does)
    chosen = _numbers(entry, rules, rule, where=where, does=does, own=own)
    vocabulary = before_acting(rules, rule, own)
    cents = (
        expression_of(wanted, vocabulary, f"{where}.{'cents' if entry.cents != '' else 'amount'}")
        if does in RAISES
        else None
    )
    when = expression_of(entry.when, vocabulary, f"{where}.when")
    return BoundWish(
        rules, rule, does, chosen.numbers, when, cents, chosen.on, chosen.follows, chosen.most, chosen.fixed
    )


def _amount(entry: WishEntry, where: str, does: str) -> str:
    """Return how much a wish is for, as an expression in cents; a number without a dollar sign is only for `cents`."""
    given = [value for value in (entry.cents, entry.amount) if value != ""]
    if len(given) != (does in RAISES):
        rule = f'{does} needs cents, or amount = "$10"' if does in RAISES else f"{does} takes no cents"
        raise StrategyError(f"{where}: {'cents or amount, not both' if len(given) > 1 else rule}")
    if isinstance(entry.amount, int):
        raise StrategyError(f'{where}.amount: {entry.amount}: write "${entry.amount}", or cents = {entry.amount}')
    return str(given[0]) if given else ""


class _Chosen(Struct, frozen=True):
    """The numbers of a wish: a function of the moment, and what is known of them beforehand."""

    numbers: _Numbers
    on: NumbersExpression[Moment] | None = None
    follows: frozenset[str] = frozenset()
    most: int = 1
    fixed: tuple[int, ...] = ()


def _numbers(entry: WishEntry, rules: Rules, rule: WagerRule, *, where: str, does: str, own: OwnWords) -> _Chosen:
    """Return the numbers of a wish: a list, the point, those of a kind of wager, or an expression for them."""
    on = entry.on or _default_on(rules, rule, where, does)
    may = rule.numbers if does in RAISES else numbers_up(rules, rule)
    listed = own.lists.get(on) if isinstance(on, str) else on
    if isinstance(listed, tuple):
        codes = tuple(_code(number, rule, may, f"{where}.on") for number in listed)
        return _Chosen(lambda _moment: codes, most=len(codes), fixed=codes)
    assert isinstance(on, str)
    if on == "point":
        return _Chosen(lambda moment: (moment.seen.puck,) if moment.seen.puck in rule.numbers else ())
    if on in rules.wagers:
        most = len(rules.wagers[on].numbers)
        return _Chosen(lambda moment: _numbers_up(moment, on, does), follows=frozenset({on}), most=most)
    words = before_numbers(rules, rule, own)
    if on.isidentifier() and on not in {*words.names, *words.lists, *words.lets}:
        lists = (key for key, values in own.lists.items() if isinstance(values, tuple))
        known = ", ".join(["point", *lists])
        message = f"{where}.on: {on!r} is not a wager of {rules.rulebook.name}; it can also be one of: {known}"
        raise StrategyError(f"{message}; or an expression")
    parsed = numbers_expression_of(on, words, f"{where}.on")
    return _Chosen(lambda moment: _numbers_in(parsed.evaluate(moment), may), parsed, most=len(may))


def _numbers_in(numbers: tuple[int, ...], may: frozenset[int]) -> tuple[int, ...]:
    """Return each of the numbers once, without those that the wager is not made on, such as 7 or 0 for none."""
    return tuple(dict.fromkeys(number for number in numbers if number in may))


def _numbers_up(moment: Moment, kind: str, does: str) -> tuple[int, ...]:
    """Return the numbers of the player's own wagers of a kind.

    For a wish to make or call a wager these include wagers wished for before it; to make one, only wagers that are on
    a number.
    """
    up = [wager.number for wager in moment.seen.mine if wager.kind == kind]
    if does == "take_down":
        return tuple(up)
    wished = [number for (which, number), cents in moment.planned.items() if which == kind and cents]
    return tuple(number for number in dict.fromkeys((*up, *wished)) if number or does not in RAISES)


def _default_on(rules: Rules, rule: WagerRule, where: str, does: str) -> str | tuple[int | str, ...]:
    """Return `on` for a wish without one: odds go behind their wager, anything but `make` wherever the wager is up."""
    if does not in RAISES:
        return rule.kind
    if rule.behind:
        return "point" if is_on_the_line(rules, rule.behind) else rule.behind
    if rule.numbers == {0}:
        return ("",)
    raise StrategyError(f"{where}: the {rule.name} is made on a number; add on = [...] with some of {_texts(rule)}")


def _code(number: int | str, rule: WagerRule, may: frozenset[int], where: str) -> int:
    try:
        code = number if number in may and isinstance(number, int) else number_code(str(number))
    except NumberError as error:
        raise StrategyError(f"{where}: {error}") from None
    if code not in may:
        message = f"{where}: the {rule.name} is not made on {number}; it is made on {_texts(rule) or 'no number'}"
        raise StrategyError(message)
    return code


def _texts(rule: WagerRule) -> str:
    texts = (number_text(number) for number in sorted(rule.numbers) if number)
    return ", ".join(f'"{text}"' if "-" in text else text for text in texts)
