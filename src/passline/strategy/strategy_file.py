"""Strategy files: TOML that says what a player wishes, read, checked and bound to rules."""

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

from passline.dice import OUTCOMES, NumberError, number_code, number_text
from passline.game.events import Event
from passline.money import MoneyError, cents_from
from passline.rules.rulebook_reader import RulebookError, read_toml
from passline.rules.rules import Rules
from passline.strategy.combined import Adding
from passline.strategy.expression import NUMBER_MAX, Evaluate, Expression, StrategyError, Vocabulary, expression_of
from passline.strategy.interface import Seen, Wish
from passline.strategy.vocabulary import Aftermath, Happened, Moment, after_roll, booked_as, happened_in
from passline.strategy.wish_entry import WishEntry, Wishing, bound_wish

__all__ = [
    "FileStrategy",
    "MemoryEntry",
    "Parameter",
    "StrategyFile",
    "bound",
    "read_strategy",
    "value_of",
    "value_text",
]

Value = int | tuple[int, ...]
_KNOWN_MAX = 50_000
_HEARD = frozenset({"total", "point_made", "point_set"})
_WORDS = {
    *("puck", "come_out", "point_on", "point", "number", "least", "chip", "up", "count", "min", "max", "len"),
    *("exact", "exact_down", "to_win", "most_odds"),
    *("won", "lost", "returned", "loser_7", "total", "point_made", "point_set"),
}


class Parameter(Struct, frozen=True, forbid_unknown_fields=True):
    """A number or list that a player may choose otherwise, and what it means."""

    default: int | str | tuple[int | str, ...]
    about: str = ""


class MemoryEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A counter, or one for each of some numbers: its start and what it becomes after a roll."""

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
        """Each parameter with its default: cents, a plain number or a list of numbers."""
        every = {key: one if isinstance(one, Parameter) else Parameter(one) for key, one in self.parameters.items()}
        return {key: value_of(one.default, f"{self.path}: parameters.{key}") for key, one in every.items()}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The wagers it wishes for, in the order of its wishes."""
        return tuple(dict.fromkeys(one.make or one.take_down or one.call_on or one.call_off for one in self.wish))

    @property
    def about(self) -> dict[str, str]:
        """What each parameter means, where the file says it."""
        return {key: one.about if isinstance(one, Parameter) else "" for key, one in self.parameters.items()}


def value_of(value: int | str | tuple[int | str, ...], where: str) -> Value:
    """Give a parameter's value: a whole number (cents, where it is money), "$10", a pair of dice or a list of such.

    >>> value_of("$10", "odds"), value_of("25", "odds"), value_of("1/3/2/6", "steps"), value_of(("1-6", "2-5"), "hops")
    (1000, 25, (1, 3, 2, 6), (116, 125))
    """
    if isinstance(value, str) and "/" in value:
        value = tuple(value.split("/"))
    return tuple(_one(item, where) for item in value) if isinstance(value, tuple) else _one(value, where)


def value_text(value: Value) -> str:
    """Print a parameter's value as `value_of` reads it.

    >>> value_text(1000), value_text((1, 3, 2, 6)), value_text((116, 125))
    ('1000', '1/3/2/6', '1-6/2-5')
    """
    if isinstance(value, int):
        return str(value)
    return "/".join(number_text(one) if one in _PAIRS else str(one) for one in value)


_PAIRS = {number_code(roll.pair) for roll in OUTCOMES}  # read back as the same numbers, whatever they mean
_WHOLE = re.compile(r"-?[0-9]{1,15}")


def _one(value: int | str, where: str) -> int:
    try:
        if isinstance(value, int) or _WHOLE.fullmatch(value):
            number = int(value)
        else:
            number = cents_from(value) if value.startswith("$") else number_code(value or "-")
    except (MoneyError, NumberError):
        message = (
            f"{where}: {value!r} is not a whole number (of cents, where it is money), $10, or a list such as 4/6/8"
        )
        raise StrategyError(message) from None
    if abs(number) > NUMBER_MAX:
        message = f"{where}: a number is at most {NUMBER_MAX}"
        raise StrategyError(message)
    return number


def read_strategy(path: Path | Traversable, label: str = "") -> StrategyFile:
    """Read a strategy file; an unknown key or a wrong type is an error that names file (`label`) and key."""
    label = label or str(path)
    try:
        data = read_toml(path)
    except RulebookError as error:
        raise StrategyError(str(error)) from None
    if strange := {"path", "text"} & data.keys():
        message = f"{label}: no strategy has a key {strange.pop()!r}"
        raise StrategyError(message)
    try:
        text = path.read_text(encoding="utf-8")
        file = msgspec.convert({**data, "path": label, "text": text}, StrategyFile)
    except msgspec.ValidationError as error:
        message = f"{label}: {error}"
        raise StrategyError(message) from None
    _check_words(file)
    return file


def _check_words(file: StrategyFile) -> None:
    """Refuse names that mean something else, and text that would not print on a line."""
    for key in (*file.parameters, *file.memory):
        if key in _WORDS or not key.isidentifier() or keyword.iskeyword(key) or not key.isascii():
            message = f"{file.path}: {key!r} cannot name a parameter or a memory: a word of its own, or no word at all"
            raise StrategyError(message)
    if both := file.parameters.keys() & file.memory.keys():
        message = f"{file.path}: {both.pop()}: both a parameter and a memory"
        raise StrategyError(message)
    for key, text in (("description", file.description), ("source", file.source), *file.about.items()):
        if not text.isprintable():
            message = f"{file.path}: {key}: {text[:60]!r} is not one printable line"
            raise StrategyError(message)


class FileStrategy(Adding, frozen=True, eq=False):
    """A strategy file bound to rules and parameters."""

    name: str
    kinds: frozenset[str]
    version: str
    shoots: bool
    hears_rolls: bool
    start: tuple[int, ...] | None
    wishing: tuple[Wishing, ...]
    remembering: tuple[_Counter, ...]

    def remember(self, memory: Any, happened: tuple[Event, ...]) -> tuple[int, ...] | None:  # noqa: ANN401  # opaque
        """Move every counter on; each sees the others as they were."""
        if memory is None:
            return None
        what = happened_in(happened)
        return tuple([counter.after(what, memory) for counter in self.remembering])

    def wishes(self, seen: Seen, memory: Any) -> tuple[Wish, ...]:  # noqa: ANN401  # our own, or None
        """Give the wishes of the file in its order, each number of a wish in the order of `on`."""
        moment = Moment(seen, memory or (), wished={})
        return tuple(one for wishing in self.wishing for one in wishing.wishes(moment))


class _Counter(Struct, frozen=True):
    """One number of a strategy's memory; what it became in a case is kept, for the same cases come again and again."""

    where: str
    next: Expression[Aftermath]
    max: int
    number: int
    reads: tuple[int, ...]  # where the counters that matter to it lie in the memory
    known: dict[tuple[Happened, tuple[int, ...]], int]

    def after(self, happened: Happened, memory: tuple[int, ...]) -> int:
        key = (happened, tuple([memory[place] for place in self.reads]))
        value = self.known.get(key)
        if value is None:
            if len(self.known) > _KNOWN_MAX:
                self.known.clear()
            value = self.known[key] = self._figured(Aftermath(happened, memory, self.number))
        return value

    def _figured(self, after: Aftermath) -> int:
        value = self.next.evaluate(after)
        if not 0 <= value <= self.max:
            message = f"{self.where}: {self.next.text!r} gave {value}, and a memory is 0 to {self.max} (`max`)"
            raise StrategyError(message)
        return value


def bound(file: StrategyFile, rules: Rules, chosen: Mapping[str, Value] | None = None) -> FileStrategy:
    """Bind a strategy file to rules and parameters; whatever it names wrongly is an error with file and key."""
    values = _parameters(file, chosen or {})
    lists = {key: value for key, value in values.items() if isinstance(value, tuple)}
    plain = {key: value for key, value in values.items() if not isinstance(value, tuple)}
    places = _places(file)
    names = _names(file.path, plain, places)
    wishing = tuple(
        bound_wish(entry, rules, f"{file.path}: wish[{index}]", names, lists) for index, entry in enumerate(file.wish)
    )
    remembering = tuple(_counters(file, after_roll(rules, names, lists), places))
    expressions = [one.next for one in remembering]
    kinds = {kind for wish in wishing for kind in wish.wagers} | {kind for one in expressions for kind in one.wagers}
    kinds |= {part for kind in kinds for part in booked_as(rules, rules.wagers[kind])}
    return FileStrategy(
        name=file.name + _chosen_text(file, values),
        kinds=frozenset(kinds),
        version=_version(file, values),
        shoots=any(one.makes in rules.procedures.shooter.line_wagers for one in wishing),
        hears_rolls=any(one.reads & _HEARD for one in expressions),
        start=_start(file, Vocabulary(names=_names(file.path, plain, {}), lists=lists)) if file.memory else None,
        wishing=wishing,
        remembering=remembering,
    )


def _version(file: StrategyFile, values: Mapping[str, Value]) -> str:
    bound_to = repr(sorted(values.items()))
    return hashlib.sha256(f"{file.text}\0{bound_to}".encode()).hexdigest()


def _chosen_text(file: StrategyFile, values: Mapping[str, Value]) -> str:
    """Print the parameters chosen otherwise, as `strategy_of` reads them."""
    others = {key: value for key, value in values.items() if value != file.defaults[key]}
    texts = (f"{key}={value_text(value)}" for key, value in others.items())
    return f":{','.join(texts)}" if others else ""


def _parameters(file: StrategyFile, chosen: Mapping[str, Value]) -> dict[str, Value]:
    values = file.defaults
    for key, value in chosen.items():
        if key not in values:
            known = ", ".join(f"{name} ({default})" for name, default in values.items()) or "none"
            message = f"{file.path}: there is no parameter {key!r}; there are {known}"
            raise StrategyError(message)
        if isinstance(values[key], tuple):
            values[key] = value if isinstance(value, tuple) else (value,)
        elif isinstance(value, tuple):
            message = f"{file.path}: {key} is one number, not a list"
            raise StrategyError(message)
        else:
            values[key] = value
    return values


def _places(file: StrategyFile) -> dict[str, dict[int, int]]:
    """Where each counter lies in the memory: by number where there is one for each, else under 0."""
    places: dict[str, dict[int, int]] = {}
    count = 0
    for key, entry in file.memory.items():
        places[key] = {number: count + index for index, number in enumerate(entry.each or (0,))}
        count += len(places[key])
    return places


def _names(path: str, plain: Mapping[str, int], places: Mapping[str, dict[int, int]]) -> dict[str, Evaluate[Any]]:
    """Give the file's own names: its parameters, and its counters as the scope remembers them."""
    names: dict[str, Evaluate[Any]] = {key: _always(value) for key, value in plain.items()}
    return names | {key: _remembered(f"{path}: memory.{key}", where) for key, where in places.items()}


def _always(value: int) -> Evaluate[Any]:
    return lambda _scope: value


def _remembered(label: str, where: dict[int, int]) -> Evaluate[Any]:
    if 0 in where:
        place = where[0]
        return lambda scope: scope.memory[place]

    def evaluate(scope: Moment | Aftermath) -> int:
        if scope.number not in where:
            message = f"{label}: it is kept for each of {', '.join(map(str, where))}, not for {scope.number}"
            raise StrategyError(message)
        return scope.memory[where[scope.number]]

    return evaluate


def _counters(
    file: StrategyFile, vocabulary: Vocabulary[Aftermath], places: Mapping[str, dict[int, int]]
) -> Iterator[_Counter]:
    for key, entry in file.memory.items():
        where = f"{file.path}: memory.{key}.next"
        expression = expression_of(entry.next, vocabulary, where)
        others = [at for name, at in places.items() if name in expression.reads]
        for number in entry.each or (0,):
            reads = tuple(place for at in others for one, place in at.items() if one in {0, number})
            yield _Counter(where, expression, entry.max, number, reads, {})


def _start(file: StrategyFile, vocabulary: Vocabulary[None]) -> tuple[int, ...]:
    start: list[int] = []
    for key, entry in file.memory.items():
        where = f"{file.path}: memory.{key}.start"
        value = entry.start if isinstance(entry.start, int) else _constant(entry.start, vocabulary, where)
        if not 0 <= value <= entry.max:
            message = f"{where}: {value} is not 0 to {entry.max} (`max`)"
            raise StrategyError(message)
        start += [value] * len(entry.each or (0,))
    return tuple(start)


def _constant(text: str, vocabulary: Vocabulary[None], where: str) -> int:
    evaluate: Callable[[None], int] = expression_of(text, vocabulary, where).evaluate
    return evaluate(None)
