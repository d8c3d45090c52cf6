"""Strategy files: TOML read into a `StrategyFile`, checked, and bound to rules as a `FileStrategy`."""

from __future__ import annotations

import hashlib
import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from passline.bounded_text import text_of_file
from passline.dice import OUTCOMES, NumberError, number_code, number_text
from passline.expression import NUMBER_MAX, Evaluate, Expression, Vocabulary, expression_of
from passline.game.events import Event
from passline.money import MoneyError, cents_from
from passline.rules.pages.texts import RulebookError, read_toml
from passline.rules.rules import Rules
from passline.strategy.interface import BaseStrategy, Seen, StrategyError, Wish
from passline.strategy.vocabulary import NO_EFFECTS, Aftermath, Moment, RollEffects, after_roll, booked_as, roll_effects
from passline.strategy.wish_entry import BoundWish, WishEntry, bind_wish

Value = int | tuple[int, ...]
_KNOWN_MAX = 50_000
_ABOUT_ROLLS = frozenset({"total", "point_made", "point_set"})
_RESERVED = {
    *("puck", "come_out", "point_on", "point", "number", "least", "chip", "up", "count", "min", "max", "len"),
    *("exact", "exact_down", "to_win", "most_odds"),
    *("won", "lost", "returned", "loser_7", "total", "point_made", "point_set"),
}


class Parameter(Struct, frozen=True, forbid_unknown_fields=True):
    """A number or list that a player may change: its default and what it means."""

    default: int | str | tuple[int | str, ...]
    about: str = ""


class MemoryEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A number to remember, or one for each of several numbers: its start, and its next value after a roll."""

    next: str
    start: int | str = 0
    max: Annotated[int, Meta(ge=0, le=1_000_000)] = 1000
    each: Annotated[tuple[int, ...], Meta(max_length=36)] = ()


class StrategyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A strategy as a file states it."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$", max_length=40)]
    description: str
    source: str
    wish: Annotated[tuple[WishEntry, ...], Meta(min_length=1, max_length=100)]
    parameters: Annotated[dict[str, int | str | tuple[int | str, ...] | Parameter], Meta(max_length=50)] = {}
    memory: Annotated[dict[str, MemoryEntry], Meta(max_length=50)] = {}
    path: str = ""
    text: str = ""

    @property
    def defaults(self) -> dict[str, Value]:
        """The default of each parameter: a number (cents, if it is money) or a list of numbers."""
        parameters = self.parameters.items()
        given = {key: value.default if isinstance(value, Parameter) else value for key, value in parameters}
        return {key: value_of(default, f"{self.path}: parameters.{key}") for key, default in given.items()}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of wager its wishes name, in order."""
        return tuple(dict.fromkeys(wish.make or wish.take_down or wish.call_on or wish.call_off for wish in self.wish))

    @property
    def about(self) -> dict[str, str]:
        """The explanation of each parameter; "" where the file has none."""
        return {key: value.about if isinstance(value, Parameter) else "" for key, value in self.parameters.items()}


def value_of(value: int | str | tuple[int | str, ...], where: str) -> Value:
    """Parse a parameter's value: a whole number (cents, if it is money), "$10", a pair of dice, or a list of these.

    >>> value_of("$10", "odds"), value_of("25", "odds"), value_of("1/3/2/6", "steps"), value_of(("1-6", "2-5"), "hops")
    (1000, 25, (1, 3, 2, 6), (116, 125))
    """
    if isinstance(value, str) and "/" in value:
        value = tuple(value.split("/"))
    return tuple(_number(item, where) for item in value) if isinstance(value, tuple) else _number(value, where)


def value_text(value: Value) -> str:
    """Return a parameter's value as text that `value_of` parses.

    >>> value_text(1000), value_text((1, 3, 2, 6)), value_text((116, 125))
    ('1000', '1/3/2/6', '1-6/2-5')
    """
    if isinstance(value, int):
        return str(value)
    return "/".join(number_text(number) if number in _PAIRS else str(number) for number in value)


_PAIRS = {number_code(roll.pair) for roll in OUTCOMES}  # the numbers that pairs such as 1-6 are parsed to
_WHOLE = re.compile(r"-?[0-9]{1,15}")


def _number(value: int | str, where: str) -> int:
    try:
        if isinstance(value, int) or _WHOLE.fullmatch(value):
            number = int(value)
        else:
            number = cents_from(value) if value.startswith("$") else number_code(value or "-")
    except (MoneyError, NumberError):
        message = f"{where}: {value!r} is not a whole number (cents, if it is money), an amount ($10) or a list (4/6/8)"
        raise StrategyError(message) from None
    if abs(number) > NUMBER_MAX:
        raise StrategyError(f"{where}: a number is at most {NUMBER_MAX}")
    return number


def read_strategy(path: Path | Traversable, label: str = "") -> StrategyFile:
    """Read a strategy file; an error names the file (`label`, or else its path) and the key."""
    label = label or str(path)
    try:
        data = read_toml(path)
    except RulebookError as error:
        raise StrategyError(str(error)) from None
    if unknown := {"path", "text"} & data.keys():
        raise StrategyError(f"{label}: a strategy has no key {unknown.pop()!r}")
    try:
        text = text_of_file(path.read_bytes(), label)
        file = msgspec.convert({**data, "path": label, "text": text}, StrategyFile)
    except msgspec.ValidationError as error:
        raise StrategyError(f"{label}: {error}") from None
    _check_names_and_texts(file)
    return file


def _check_names_and_texts(file: StrategyFile) -> None:
    """Raise StrategyError for a name that is reserved or not an identifier, or a text that is not a printable line."""
    for key in (*file.parameters, *file.memory):
        if key in _RESERVED or not key.isidentifier() or keyword.iskeyword(key) or not key.isascii():
            message = (
                f"{file.path}: {key!r} cannot name a parameter or a memory: it is reserved, or not a plain word of "
                "letters, digits and _"
            )
            raise StrategyError(message)
    if both := file.parameters.keys() & file.memory.keys():
        raise StrategyError(f"{file.path}: {both.pop()} is both a parameter and a memory; rename one")
    for key, text in (("description", file.description), ("source", file.source), *file.about.items()):
        if not text.isprintable():
            raise StrategyError(f"{file.path}: {key}: {text[:60]!r} is not one printable line")


class FileStrategy(BaseStrategy, frozen=True, eq=False):
    """A strategy file bound to rules and parameters."""

    made_of: tuple[StrategyFile, Rules, Mapping[str, Value]]  # what `bind` bound
    name: str
    kinds: frozenset[str]
    version: str
    shoots: bool
    hears_rolls: bool
    start: tuple[int, ...] | None
    bound_wishes: tuple[BoundWish, ...]
    counters: tuple[_Counter, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return bind, self.made_of  # its expressions are functions, which are bound again

    def remember(self, memory: Any, happened: tuple[Event, ...]) -> tuple[int, ...] | None:  # noqa: ANN401  # opaque
        """Return the memory after a roll; every counter reads the others as they were before it."""
        return self.memory_after(memory, self.effects(happened))

    def effects(self, happened: tuple[Event, ...]) -> RollEffects:
        """Return the effects of a roll."""
        return roll_effects(happened) if happened else NO_EFFECTS

    def memory_after(self, memory: Any, effects: Any) -> tuple[int, ...] | None:  # noqa: ANN401  # opaque
        """Return every counter after a roll; each reads the others as they were before it."""
        return None if memory is None else tuple([counter.after(effects, memory) for counter in self.counters])

    def wishes(self, seen: Seen, memory: Any) -> tuple[Wish, ...]:  # noqa: ANN401  # opaque
        """Return the wishes in the order of the file, and within each in the order of its `on`."""
        moment = Moment(seen, memory or (), wished={})
        return tuple(wish for bound_wish in self.bound_wishes for wish in bound_wish.wishes(moment))


class _Counter(Struct, frozen=True):
    """One number of a strategy's memory; `known` memoises its values, because the same rolls come again and again."""

    where: str
    next: Expression[Aftermath]
    max: int
    number: int
    reads: tuple[int, ...]  # places in the memory of the counters that its expression reads
    known: dict[RollEffects, dict[tuple[int, ...], int]]

    def after(self, effects: RollEffects, memory: tuple[int, ...]) -> int:
        values = self.known.get(effects)
        if values is None:
            if len(self.known) > _KNOWN_MAX:
                self.known.clear()
            values = self.known[effects] = {}
        key = tuple([memory[place] for place in self.reads])
        value = values.get(key)
        if value is None:
            if len(values) > _KNOWN_MAX:
                values.clear()
            value = values[key] = self._next_value(Aftermath(effects, memory, self.number))
        return value

    def _next_value(self, after: Aftermath) -> int:
        value = self.next.evaluate(after)
        if not 0 <= value <= self.max:
            message = f"{self.where}: {self.next.text!r} became {value}; a memory stays from 0 to its max, {self.max}"
            raise StrategyError(message)
        return value


def bind(file: StrategyFile, rules: Rules, chosen: Mapping[str, Value] | None = None) -> FileStrategy:
    """Bind a strategy file to rules and to the parameters that a player chose; an error names the file and the key."""
    values = _parameters(file, chosen or {})
    lists = {key: value for key, value in values.items() if isinstance(value, tuple)}
    plain = {key: value for key, value in values.items() if not isinstance(value, tuple)}
    places = _places(file)
    names = _own_names(file.path, plain, places)
    wishes = tuple(
        bind_wish(entry, rules, f"{file.path}: wish[{index}]", names, lists) for index, entry in enumerate(file.wish)
    )
    counters = tuple(_counters(file, after_roll(rules, names, lists), places))
    expressions = [counter.next for counter in counters]
    kinds = frozenset[str]().union(
        *(wish.wagers for wish in wishes), *(expression.wagers for expression in expressions)
    )
    kinds |= {part for kind in kinds for part in booked_as(rules, rules.wagers[kind])}
    return FileStrategy(
        made_of=(file, rules, dict(chosen or {})),
        name=file.name + _chosen_text(file, values),
        kinds=kinds,
        version=_version(file, values),
        shoots=any(wish.makes in rules.procedures.shooter.line_wagers for wish in wishes),
        hears_rolls=any(expression.reads & _ABOUT_ROLLS for expression in expressions),
        start=_start(file, _constants(_own_names(file.path, plain, {}), lists)) if file.memory else None,
        bound_wishes=wishes,
        counters=counters,
    )


def _constants(names: Mapping[str, Evaluate[None]], lists: Mapping[str, tuple[int, ...]]) -> Vocabulary[None]:
    return Vocabulary(names=names, lists=lists, error=StrategyError)


def _version(file: StrategyFile, values: Mapping[str, Value]) -> str:
    bound_to = repr(sorted(values.items()))
    return hashlib.sha256(f"{file.text}\0{bound_to}".encode()).hexdigest()


def _chosen_text(file: StrategyFile, values: Mapping[str, Value]) -> str:
    """Return the parameters that differ from their defaults as `strategy_of` parses them."""
    others = {key: value for key, value in values.items() if value != file.defaults[key]}
    texts = (f"{key}={value_text(value)}" for key, value in others.items())
    return f":{','.join(texts)}" if others else ""


def _parameters(file: StrategyFile, chosen: Mapping[str, Value]) -> dict[str, Value]:
    values = file.defaults
    for key, value in chosen.items():
        if key not in values:
            known = ", ".join(f"{name} ({default})" for name, default in values.items()) or "none"
            raise StrategyError(f"{file.path}: there is no parameter {key!r}; there are: {known}")
        if isinstance(values[key], tuple):
            values[key] = value if isinstance(value, tuple) else (value,)
        elif isinstance(value, tuple):
            raise StrategyError(f"{file.path}: {key} is one number, not a list")
        else:
            values[key] = value
    return values


def _places(file: StrategyFile) -> dict[str, dict[int, int]]:
    """Return the place of each counter in the memory, by number; a counter without numbers is under 0."""
    places: dict[str, dict[int, int]] = {}
    count = 0
    for key, entry in file.memory.items():
        places[key] = {number: count + index for index, number in enumerate(entry.each or (0,))}
        count += len(places[key])
    return places


def _own_names(path: str, plain: Mapping[str, int], places: Mapping[str, dict[int, int]]) -> dict[str, Evaluate[Any]]:
    """Return the names that the file defines: its parameters, and its counters read from the memory in scope."""
    names: dict[str, Evaluate[Any]] = {key: _always(value) for key, value in plain.items()}
    return names | {key: _counter_value(f"{path}: memory.{key}", at) for key, at in places.items()}


def _always(value: int) -> Evaluate[Any]:
    return lambda _scope: value


def _counter_value(label: str, places: dict[int, int]) -> Evaluate[Any]:
    if 0 in places:
        place = places[0]
        return lambda scope: scope.memory[place]

    def evaluate(scope: Moment | Aftermath) -> int:
        if scope.number not in places:
            message = f"{label}: it is kept for each of {', '.join(map(str, places))}, not for {scope.number}"
            raise StrategyError(message)
        return scope.memory[places[scope.number]]

    return evaluate


def _counters(
    file: StrategyFile, vocabulary: Vocabulary[Aftermath], places: Mapping[str, dict[int, int]]
) -> Iterator[_Counter]:
    for key, entry in file.memory.items():
        where = f"{file.path}: memory.{key}.next"
        expression = expression_of(entry.next, vocabulary, where)
        others = [at for name, at in places.items() if name in expression.reads]
        for number in entry.each or (0,):
            reads = tuple(place for at in others for other, place in at.items() if other in {0, number})
            yield _Counter(where, expression, entry.max, number, reads, {})


def _start(file: StrategyFile, vocabulary: Vocabulary[None]) -> tuple[int, ...]:
    start: list[int] = []
    for key, entry in file.memory.items():
        where = f"{file.path}: memory.{key}.start"
        value = entry.start if isinstance(entry.start, int) else _constant(entry.start, vocabulary, where)
        if not 0 <= value <= entry.max:
            raise StrategyError(f"{where}: {value} is not from 0 to max, {entry.max}")
        start += [value] * len(entry.each or (0,))
    return tuple(start)


def _constant(text: str, vocabulary: Vocabulary[None], where: str) -> int:
    evaluate: Callable[[None], int] = expression_of(text, vocabulary, where).evaluate
    return evaluate(None)
