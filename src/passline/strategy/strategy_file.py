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

from passline.bounded_text import TEXT_MAX, TooLarge, check_toml, read_named_file, text_of_file
from passline.dice import OUTCOMES, NumberError, number_code, number_text
from passline.errors import CrapsError
from passline.expression import expression_of
from passline.expression_words import NUMBER_MAX, Evaluate, Evaluates, Expression, Vocabulary
from passline.game.events import Event
from passline.money import MoneyError, cents_from
from passline.rules.pages.texts import parse_page
from passline.rules.rules import Rules
from passline.strategy.interface import BaseStrategy, Seen, StrategyError, Wish
from passline.strategy.memory_counter import MemoryCounter
from passline.strategy.moment import Aftermath, Moment
from passline.strategy.purse import MONEY_WORDS
from passline.strategy.roll_effects import NO_EFFECTS, RollEffects, detailed_effects, roll_effects
from passline.strategy.vocabulary import (
    ABOUT_ROLLS,
    DETAILS,
    DETAILS_CALLS,
    READS_ALL,
    SEEN_AFTER,
    SEEN_AFTER_CALLS,
    OwnWords,
    after_roll,
    booked_as,
)
from passline.strategy.wish_entry import BoundWish, Reason, WishEntry, bind_wish

Value = int | tuple[int, ...]
_SIZE_MAX = 50_000  # names and numbers of all expressions, which take some milliseconds
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
    start: int | str | None = None  # by default 0, or what is nearest to it
    max: Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)] = 1000
    min: Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)] = 0
    each: Annotated[tuple[int | str, ...], Meta(max_length=36)] = ()  # numbers, or pairs of dice such as "1-3"

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that it keeps a value for; 0 alone if it is one value."""
        return tuple(number if isinstance(number, int) else number_code(number) for number in self.each) or (0,)


class StrategyFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A strategy as a file states it."""

    name: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$", max_length=40)]
    description: str
    source: str
    wish: Annotated[tuple[WishEntry, ...], Meta(min_length=1, max_length=100)]
    parameters: Annotated[dict[str, int | str | tuple[int | str, ...] | Parameter], Meta(max_length=50)] = {}
    memory: Annotated[dict[str, MemoryEntry], Meta(max_length=50)] = {}
    let: Annotated[dict[str, int | str], Meta(max_length=50)] = {}
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
        return tuple(dict.fromkeys(kind for wish in self.wish for kind in wish.does.values()))

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
        page = read_named_file(path, TEXT_MAX) if isinstance(path, Path) else path.read_bytes()
    except CrapsError as error:
        raise StrategyError(str(error)) from None
    return strategy_in(page, label)


def strategy_in(page: bytes, label: str) -> StrategyFile:
    """Read a strategy from the bytes of a file; an error names it by `label`, and the key.

    >>> strategy_in(b"name = 1", "mine.toml")
    Traceback (most recent call last):
    passline.strategy.interface.StrategyError: mine.toml: Expected `str`, got `int` - at `$.name`
    """
    try:
        text = text_of_file(page, label)
        check_toml(text)
        data = parse_page(page, label)
    except TooLarge as error:
        raise StrategyError(f"{label}: {error}") from None
    except CrapsError as error:
        raise StrategyError(str(error)) from None
    if unknown := {"path", "text"} & data.keys():
        raise StrategyError(f"{label}: a strategy has no key {unknown.pop()!r}")
    try:
        file = msgspec.convert({**data, "path": label, "text": text}, StrategyFile)
    except msgspec.ValidationError as error:
        raise StrategyError(f"{label}: {error}") from None
    _check_names_and_texts(file)
    return file


def _check_names_and_texts(file: StrategyFile) -> None:
    """Raise StrategyError for a name that is reserved or not an identifier, or a text that is not a printable line."""
    for key in (*file.parameters, *file.memory, *file.let):
        if key in _RESERVED or not key.isidentifier() or keyword.iskeyword(key) or not key.isascii():
            message = (
                f"{file.path}: {key!r} cannot name a parameter or a memory, nor a let: it is reserved, or not a plain "
                "word of letters, digits and _"
            )
            raise StrategyError(message)
    if both := file.parameters.keys() & file.memory.keys():
        raise StrategyError(f"{file.path}: {both.pop()} is both a parameter and a memory; rename one")
    if both := file.let.keys() & (file.parameters.keys() | file.memory.keys()):
        raise StrategyError(f"{file.path}: {both.pop()} is a let and a parameter or a memory; rename one")
    for key, entry in file.memory.items():
        try:
            is_apart = len(set(entry.numbers)) == len(entry.numbers)
        except NumberError as error:
            raise StrategyError(f"{file.path}: memory.{key}.each: {error}") from None
        if not is_apart:
            raise StrategyError(f"{file.path}: memory.{key}.each: it names a number twice")
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
    counters: tuple[MemoryCounter, ...]
    reads_money: frozenset[str] = frozenset()
    sees_after: bool = False
    reads_details: bool = False  # the dice, what moved, or how much was won or lost, in a memory
    places_wished: tuple[int, ...] = ()  # places in the memory that wishes read

    def __reduce__(self) -> tuple[Any, ...]:
        return bind, self.made_of  # its expressions are functions, which are bound again

    def remember(self, memory: Any, happened: tuple[Event, ...]) -> tuple[int, ...] | None:  # noqa: ANN401  # opaque
        """Return the memory after a roll; every counter reads the others as they were before it."""
        return self.memory_after(memory, self.effects(happened))

    def remember_seen(self, memory: Any, happened: tuple[Event, ...], seen: Seen) -> tuple[int, ...] | None:  # noqa: ANN401
        """Return the memory after a roll, where it reads what is seen after the roll."""
        return self.memory_after(memory, self.effects(happened, seen))

    def effects(self, happened: tuple[Event, ...], seen: Seen | None = None) -> tuple[RollEffects, Seen | None]:
        """Return the effects of a roll, and what is seen after it if that matters."""
        if self.reads_details:
            effects: RollEffects = detailed_effects(happened)
        else:
            effects = roll_effects(happened) if happened else NO_EFFECTS
        return effects, seen if self.sees_after else None

    def memory_after(self, memory: Any, effects: Any) -> tuple[int, ...] | None:  # noqa: ANN401  # opaque
        """Return every counter after a roll; each reads the others as they were before it."""
        rolled, seen = effects
        return None if memory is None else tuple([counter.after(rolled, memory, seen) for counter in self.counters])

    def wishes(self, seen: Seen, memory: Any) -> tuple[Wish, ...]:  # noqa: ANN401  # opaque
        """Return the wishes in the order of the file, and within each in the order of its `on`."""
        moment = Moment(seen, memory or ())
        return tuple(wish for bound_wish in self.bound_wishes for wish in bound_wish.wishes(moment))

    def reasons(self, seen: Seen, memory: Any) -> tuple[tuple[int, Reason], ...]:  # noqa: ANN401  # opaque
        """Return for each wish, by its place in the file, what it leads to on each number and why."""
        moment = Moment(seen, memory or ())
        return tuple((at, reason) for at, wish in enumerate(self.bound_wishes) for reason in wish.reasons(moment))

    def memory_values(self, memory: Any) -> dict[str, int]:  # noqa: ANN401  # opaque
        """Return the values of a memory by name, such as hits or stage[6]."""
        return dict(zip((counter.label for counter in self.counters), memory or (), strict=True))


def bind(file: StrategyFile, rules: Rules, chosen: Mapping[str, Value] | None = None) -> FileStrategy:
    """Bind a strategy file to rules and to the parameters that a player chose; an error names the file and the key."""
    values = _parameters(file, chosen or {})
    places = counter_places(file)
    own = _own_words(file, values, places)
    wishes = tuple(bind_wish(entry, rules, f"{file.path}: wish[{at}]", own) for at, entry in enumerate(file.wish))
    counters = tuple(_counters(file, after_roll(rules, own), places, own.words))
    expressions = [counter.next for counter in counters]
    _check_size(file, wishes, expressions)
    kinds = frozenset[str]().union(
        *(wish.wagers for wish in wishes), *(expression.wagers for expression in expressions)
    )
    kinds |= {part for kind in kinds for part in booked_as(rules, rules.wagers[kind])}
    remembered = frozenset[str]().union(*(expression.reads for expression in expressions)) - own.words
    wished = frozenset[str]().union(*(wish.reads for wish in wishes)) - own.words
    if (wished | remembered) & READS_ALL:
        kinds |= rules.wagers.keys()
    return FileStrategy(
        made_of=(file, rules, dict(chosen or {})),
        name=file.name + _chosen_text(file, values),
        kinds=kinds,
        version=_version(file, values),
        shoots=any(wish.makes in rules.procedures.shooter.line_wagers for wish in wishes),
        hears_rolls=bool(remembered & ABOUT_ROLLS),
        start=_start(file, _own_words(file, values, {})) if file.memory else None,
        bound_wishes=wishes,
        counters=counters,
        reads_money=(wished | remembered) & MONEY_WORDS,
        sees_after=any(counter.sees_after for counter in counters),
        reads_details=bool(remembered & (DETAILS | DETAILS_CALLS)),
        places_wished=_places_wished(wishes, places),
    )


def _check_size(file: StrategyFile, wishes: tuple[BoundWish, ...], memories: list[Expression[Aftermath]]) -> None:
    """Raise StrategyError for a file whose expressions would take too long before each roll."""
    size = sum(wish.size for wish in wishes) + sum(expression.size for expression in memories)
    if size > _SIZE_MAX:
        message = f"{file.path}: its expressions have {size:,} names and numbers, written out for each number; "
        raise StrategyError(f"{message}at most {_SIZE_MAX:,} are read before a roll")


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


def counter_places(file: StrategyFile) -> dict[str, dict[int, int]]:
    """Return the places of each memory's counters, by number; that of a memory without numbers is under 0."""
    places: dict[str, dict[int, int]] = {}
    count = 0
    for key, entry in file.memory.items():
        places[key] = {number: count + index for index, number in enumerate(entry.numbers)}
        count += len(places[key])
    return places


def _own_words(file: StrategyFile, values: Mapping[str, Value], places: Mapping[str, dict[int, int]]) -> OwnWords:
    """Return the words that the file defines; its memories are read from the memory in scope."""
    names: dict[str, Evaluate[Any]] = {}
    lists: dict[str, tuple[int, ...] | Evaluates[Any]] = {}
    indexed: dict[str, Callable[[Any, int], int]] = {}
    for key, value in values.items():
        if isinstance(value, tuple):
            lists[key] = value
        else:
            names[key] = _always(value)
    for key, at in places.items():
        label = f"{file.path}: memory.{key}"
        names[key] = _counter_value(label, at)
        if 0 not in at:
            lists[key] = _counter_values(tuple(at.values()))
            indexed[key] = _counter_at(label, at)
    return OwnWords(names, lists, indexed, {key: str(text) for key, text in file.let.items()}, file.path)


def _counter_values(places: tuple[int, ...]) -> Evaluates[Any]:
    return lambda scope: tuple([scope.memory[place] for place in places])


def _counter_at(label: str, places: dict[int, int]) -> Callable[[Any, int], int]:
    def value_at(scope: Any, number: int) -> int:  # noqa: ANN401  # of a wish or a memory
        if number not in places:
            raise StrategyError(f"{label}: it is kept for each of {', '.join(map(str, places))}, not for {number}")
        return int(scope.memory[places[number]])

    return value_at


def _always(value: int) -> Evaluate[Any]:
    return lambda _scope: value


def _counter_value(label: str, places: dict[int, int]) -> Evaluate[Any]:
    if 0 in places:
        place = places[0]
        return lambda scope: scope.memory[place]

    value_at = _counter_at(label, places)
    return lambda scope: value_at(scope, scope.number)


def _counters(
    file: StrategyFile,
    vocabulary: Vocabulary[Aftermath],
    places: Mapping[str, dict[int, int]],
    own: frozenset[str],
) -> Iterator[MemoryCounter]:
    for key, entry in file.memory.items():
        where = f"{file.path}: memory.{key}.next"
        expression = expression_of(entry.next, vocabulary, where)
        sees_after = bool((expression.reads - own) & SEEN_AFTER or expression.reads & SEEN_AFTER_CALLS)
        for number in entry.numbers:
            reads = tuple(sorted(places_read(expression.reads, places, number)))
            yield MemoryCounter(where, expression, entry.min, entry.max, number, sees_after, reads, {})


def places_read(reads: frozenset[str], places: Mapping[str, dict[int, int]], number: int) -> set[int]:
    """Return the places in the memory that an expression reads: those by this number, or all where it reads hits[6]."""
    named = {place for name, at in places.items() if name in reads for at_, place in at.items() if at_ in {0, number}}
    return named | {place for name, at in places.items() if f"{name}[]" in reads for place in at.values()}


def _places_wished(wishes: tuple[BoundWish, ...], places: Mapping[str, dict[int, int]]) -> tuple[int, ...]:
    """Return the places in the memory of every counter that a wish reads, on whatever number."""
    reads = frozenset[str]().union(*(wish.reads for wish in wishes))
    named = (name for name in places if name in reads or f"{name}[]" in reads)
    return tuple(sorted(place for name in named for place in places[name].values()))


def _start(file: StrategyFile, own: OwnWords) -> tuple[int, ...]:
    """Return the memory before a session; in a start, `number` is the number that a value is kept for."""
    start: list[int] = []
    names: dict[str, Evaluate[int]] = {**own.names, "number": lambda number: number}
    vocabulary = Vocabulary(names=names, lists=own.lists, error=StrategyError)
    for key, entry in file.memory.items():
        where = f"{file.path}: memory.{key}.start"
        if entry.min > entry.max:
            raise StrategyError(f"{file.path}: memory.{key}: its min, {entry.min}, is above its max, {entry.max}")
        least = min(max(0, entry.min), entry.max)
        evaluate = expression_of(str(least if entry.start is None else entry.start), vocabulary, where).evaluate
        for number in entry.numbers:
            value = evaluate(number)
            if not entry.min <= value <= entry.max:
                raise StrategyError(f"{where}: {value} is not from {entry.min} to max, {entry.max}")
            start.append(value)
    return tuple(start)
