"""Wagers that are small machines: the expressions of a rulebook, compiled into what each roll does to each state.

A state is the memory and the puck. The expressions are those of strategy files, parsed by the same parser, over what a
roll shows: its dice, what it does to the point, and what it does to wagers on the line. Whoever asks what a roll does
to a state is answered from a table that fills as it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from typing import Any, Literal

from msgspec import Struct

from passline.dice import SEVEN, Roll, roll_of
from passline.expression import expression_of
from passline.expression_words import Evaluate, Evaluates, Expression, ExpressionError, Function, Vocabulary
from passline.rules.schema.rulebook import WagerEntry
from passline.rules.schema.side_wagers import Comes, Machine, MachineMemory
from passline.rules.schema.wagers import Line

CLEARING = -1
"""The puck of a state in which come wagers are cleared: it is OFF, and the next roll is not a come-out roll."""
PAIRS: tuple[Roll, ...] = tuple(roll_of(low, high) for low in range(1, 7) for high in range(low, 7))
"""The pairs of dice, the lower first: their order decides nothing."""
Memory = tuple[int, ...]
"""The numbers that a machine remembers, in the order of its page."""
_Ends = Literal["wins", "settles", "loses"]
LINE_RESULTS = {"won": "win", "lost": "lose", "returned": "return"}
"""The functions that tell what a roll does to a wager on the line."""


class Sight(Struct, frozen=True, gc=False):
    """What a machine sees of a roll: the dice, and the puck before it."""

    roll: Roll
    puck: int
    points: frozenset[int]

    @property
    def is_come_out(self) -> bool:
        """Whether it is a come-out roll."""
        return self.puck == 0

    @property
    def point_set(self) -> int:
        """The point that it sets, or 0."""
        return self.roll.total if self.is_come_out and self.roll.total in self.points else 0

    @property
    def point_made(self) -> int:
        """Whether it makes the point."""
        return int(self.roll.total == self.puck)


class _Scope(Struct):
    """What an expression reads: the roll, the memory, and the number that a value is kept for."""

    sight: Sight
    memory: Memory
    number: int = 0


class MachineStep(Struct, frozen=True, gc=False):
    """What a roll does to a state: goes on with a memory, or ends it, at a count where a pay table is read."""

    does: Literal["go_on"] | _Ends
    memory: Memory
    count: int = 0


class _Term(Struct, frozen=True):
    """An expression of a machine; its values are kept by the kind of roll and by what it reads of the memory."""

    expression: Expression[_Scope]
    number: int
    reads: Callable[[Memory], Any]
    known: dict[tuple[int, Any], int]

    def value(self, kind: int, sight: Sight, memory: Memory) -> int:
        """Return its value after a roll of a kind."""
        key = (kind, self.reads(memory))
        value = self.known.get(key)
        if value is None:
            value = self.known[key] = int(self.expression.evaluate(_Scope(sight, memory, self.number)))
        return value


def _nothing(_memory: Memory) -> int:
    return 0


def _words_of(expression: Expression[_Scope]) -> frozenset[str]:
    """Return the names and the functions that an expression reads."""
    return frozenset(word.removesuffix("()") for word in expression.reads)


_OF_THE_DICE: dict[str, Evaluate[_Scope]] = {
    "total": lambda scope: scope.sight.roll.total,
    "low": lambda scope: min(scope.sight.roll.first, scope.sight.roll.second),
    "high": lambda scope: max(scope.sight.roll.first, scope.sight.roll.second),
    "double": lambda scope: int(scope.sight.roll.is_hard),
}
_OF_THE_POINT: dict[str, Evaluate[_Scope]] = {
    "puck": lambda scope: max(scope.sight.puck, 0),
    "come_out": lambda scope: int(scope.sight.is_come_out),
    "point_on": lambda scope: int(scope.sight.puck > 0),
    "point_set": lambda scope: scope.sight.point_set,
    "point_made": lambda scope: scope.sight.point_made,
    "loser_7": lambda scope: int(scope.sight.puck > 0 and scope.sight.roll.total == SEVEN),
}
MACHINE_WORDS = frozenset({*_OF_THE_DICE, *_OF_THE_POINT, *LINE_RESULTS, "number", "min", "max", "len", "sum"})
"""The words of a machine's expressions, which name no memory."""


def line_wagers(wagers: Mapping[str, WagerEntry]) -> dict[str, Line]:
    """Return the wagers on the line of a game, whose decisions a machine sees."""
    on_line = {kind: entry for kind, entry in wagers.items() if isinstance(entry, Line)}
    return {kind: entry for kind, entry in on_line.items() if entry.make.when == "come_out"}


class CompiledMachine:
    """The machine of one wager under the points and line wagers of a game.

    >>> from passline.rules.schema import Make, Marked
    >>> twice = Machine(
    ...     name="Twice Bet", tables={}, make=Make(when="any", cite="XX-1"),
    ...     marked=Marked(restarts="any_7", cite="XX-2"),
    ...     memory={"hits": MachineMemory(next="hits + (total == 2)", max=2)},
    ...     wins=Comes(when="hits == 2", cite="XX-3"), loses=Comes(when="total == 7", cite="XX-4"),
    ... )
    >>> machine = CompiledMachine(twice, frozenset({4, 5, 6, 8, 9, 10}), {})
    >>> [machine.step((1,), roll_of(*dice), puck=0).does for dice in ((1, 1), (3, 4), (5, 5))]
    ['wins', 'loses', 'go_on']
    """

    def __init__(self, entry: Machine, points: frozenset[int], lines: Mapping[str, Line]) -> None:
        self.entry = entry
        self.points = points
        self._lines = lines
        self._places = _places(entry)
        self.start: Memory = tuple(kept.start for kept in entry.memory.values() for _number in kept.each or (0,))
        self._next = [term for name, kept in entry.memory.items() for term in self._next_of(name, kept)]
        ends: tuple[tuple[_Ends, Comes | None], ...]
        ends = (("wins", entry.wins), ("settles", entry.settles), ("loses", entry.loses))
        self._ends = {does: self._term(rule.when, f"{does}.when") for does, rule in ends if rule}
        self._count = self._term(entry.count, "count")
        shown = Vocabulary(lists=self._lists(()), names=self._names(()), functions=self._kept_for(()))
        self._shows = expression_of(entry.shows, shown, "shows") if entry.shows else None
        read = frozenset[str]().union(*(_words_of(expression) for expression in self._expressions()))
        self.sees_points = bool(read & {*_OF_THE_POINT, *LINE_RESULTS})
        """Whether it depends on the puck at all."""
        self.line_kinds = sorted(frozenset[str]().union(*(expression.wagers for expression in self._expressions())))
        """The wagers on the line whose decisions it sees."""
        self._looks = self._looks_of(read)
        self._kinds: dict[tuple[int, ...], int] = {}
        self._sights: dict[tuple[int, Roll], int] = {}
        self._steps: dict[tuple[int, Memory], MachineStep] = {}

    def step(self, memory: Memory, roll: Roll, *, puck: int, is_clearing: bool = False) -> MachineStep:
        """Return what a roll does to a memory, from a table that fills as it is asked."""
        phase = CLEARING if is_clearing else puck
        kind = self.kind_of(phase, roll)
        step = self._steps.get((kind, memory))
        if step is None:
            step = self._steps[kind, memory] = self._worked_out(kind, Sight(roll, phase, self.points), memory)
        return step

    def kind_of(self, phase: int, roll: Roll) -> int:
        """Return a number that rolls share which look alike to the machine."""
        kind = self._sights.get((phase, roll))
        if kind is None:
            scope = _Scope(Sight(roll, phase, self.points), self.start)
            look = tuple(evaluate(scope) for evaluate in self._looks)
            kind = self._sights[phase, roll] = self._kinds.setdefault(look, len(self._kinds))
        return kind

    def marker_count(self, progress: Memory) -> int:
        """Return the number that the marker of a wager with this progress shows; 0 if it shows none."""
        if self._shows is None:
            return 0
        return self._shows.evaluate(_Scope(Sight(PAIRS[0], 0, self.points), progress or self.start))

    def lit(self, progress: Memory) -> tuple[int, ...]:
        """Return the totals whose lamps are lit."""
        places = self._places.get(self.entry.lamps, {})
        return tuple(number for number, place in places.items() if progress and progress[place])

    def numbers_by_name(self, progress: Memory) -> Iterator[tuple[str, int]]:
        """Yield each number that is remembered, with its name."""
        for name, places in self._places.items():
            for number, place in places.items():
                yield f"{name} {number}" if self.entry.memory[name].each else name, (progress or self.start)[place]

    def may_be(self, progress: Memory) -> bool:
        """Return whether a wager that is up may have this progress, as far as the bounds of its memory tell."""
        most = [kept.max for kept in self.entry.memory.values() for _number in kept.each or (0,)]
        return not progress or (
            len(progress) == len(most) and all(0 <= value <= top for value, top in zip(progress, most, strict=True))
        )

    def _expressions(self) -> Iterator[Expression[_Scope]]:
        for term in (*(term for term, _where, _most in self._next), *self._ends.values(), self._count):
            yield term.expression

    def _looks_of(self, read: frozenset[str]) -> list[Evaluate[_Scope]]:
        """Return what tells two rolls apart: the names that are read of a roll, and the line decisions."""
        names = {**_OF_THE_DICE, **_OF_THE_POINT}
        looks = [names[name] for name in sorted(read & names.keys())]
        return looks + [_decision(self._lines[kind]) for kind in self.line_kinds]

    def _names(self, numbers: tuple[int, ...]) -> dict[str, Evaluate[_Scope]]:
        """Return the memories that are one number where a value is kept for each of these."""
        each = {name: kept.each for name, kept in self.entry.memory.items()}
        return {name: _value_at(places) for name, places in self._places.items() if each[name] in {(), numbers}}

    def _lists(self, numbers: tuple[int, ...]) -> dict[str, Evaluates[_Scope]]:
        """Return the memories that are lists there."""
        named = self._names(numbers)
        return {name: _values_at(places) for name, places in self._places.items() if name not in named}

    def _vocabulary(self, numbers: tuple[int, ...]) -> Vocabulary[_Scope]:
        names = {**_OF_THE_DICE, **_OF_THE_POINT, **self._names(numbers)}
        if numbers:
            names["number"] = lambda scope: scope.number
        functions = {name: Function(f"{name}('pass')", 1, 0, 0, self._line_function(name)) for name in LINE_RESULTS}
        functions |= self._kept_for(numbers)
        return Vocabulary(names, self._lists(numbers), functions, self._lines, "the line")

    def _kept_for(self, numbers: tuple[int, ...]) -> dict[str, Function[_Scope]]:
        """Return the functions by which a memory that is a list there is read for one number: made(puck)."""
        return {
            name: Function(f"{name}(number)", 0, 1, 1, _kept_value(name, self._places[name]))
            for name in self._lists(numbers)
        }

    def _line_function(self, name: str) -> Callable[[_Scope, tuple[str, ...], tuple[int, ...]], int]:
        lines, result = self._lines, LINE_RESULTS[name]
        return lambda scope, wagers, _numbers: int(_line_result(lines[wagers[0]], scope.sight) == result)

    def _term(self, text: str, where: str, numbers: tuple[int, ...] = (), number: int = 0) -> _Term:
        expression = expression_of(text, self._vocabulary(numbers), where)
        named = self._names(numbers)
        places = [
            place
            for name, at in self._places.items()
            if name in _words_of(expression)
            for other, place in at.items()
            if name not in named or other in {0, number}
        ]
        return _Term(expression, number, itemgetter(*places) if places else _nothing, {})

    def _next_of(self, name: str, kept: MachineMemory) -> Iterator[tuple[_Term, str, int]]:
        where = f"memory.{name}.next"
        for number in kept.each or (0,):
            yield self._term(kept.next, where, kept.each, number), where, kept.max

    def _worked_out(self, kind: int, sight: Sight, memory: Memory) -> MachineStep:
        after: list[int] = []
        for term, where, most in self._next:
            value = term.value(kind, sight, memory)
            if not 0 <= value <= most:
                of = f" for {term.number}" if term.number else ""
                text = term.expression.text
                raise ExpressionError(f"{where}: {text!r} became {value}{of}; a memory stays from 0 to its max, {most}")
            after.append(value)
        remembered = tuple(after)
        true = [does for does, term in self._ends.items() if term.value(kind, sight, remembered)]
        if len(true) > 1:
            state = self.state_text(memory, sight.puck)
            raise ExpressionError(f"{', '.join(true)}: come true together, on {sight.roll} {state}")
        if not true:
            return MachineStep("go_on", remembered)
        count = 0 if true == ["loses"] else self._count.value(kind, sight, remembered)
        return MachineStep(true[0], remembered, count)

    def state_text(self, memory: Memory, phase: int) -> str:
        """Return a state in words, for the person who wrote the machine."""
        held = ", ".join(f"{name} {value}" for name, value in self.numbers_by_name(memory)) or "nothing remembered"
        if not self.sees_points:
            return f"with {held}"
        puck = "come wagers being cleared" if phase == CLEARING else f"the puck {f'ON {phase}' if phase else 'OFF'}"
        return f"with {held} and {puck}"


def _places(entry: Machine) -> dict[str, dict[int, int]]:
    """Return the place of each number in the memory, by its name and the number it is kept for; 0 where it is alone."""
    places: dict[str, dict[int, int]] = {}
    count = 0
    for name, kept in entry.memory.items():
        places[name] = {number: count + index for index, number in enumerate(kept.each or (0,))}
        count += len(places[name])
    return places


def _value_at(places: dict[int, int]) -> Evaluate[_Scope]:
    alone = places.get(0)
    if alone is not None:
        return lambda scope: scope.memory[alone]
    return lambda scope: scope.memory[places[scope.number]]


def _values_at(places: dict[int, int]) -> Evaluates[_Scope]:
    first, last = min(places.values()), max(places.values())
    return lambda scope: scope.memory[first : last + 1]


def _kept_value(name: str, places: dict[int, int]) -> Callable[[_Scope, tuple[str, ...], tuple[int, ...]], int]:
    def call(scope: _Scope, _wagers: tuple[str, ...], numbers: tuple[int, ...]) -> int:
        if numbers[0] not in places:
            kept = ", ".join(map(str, places))
            raise ExpressionError(f"memory.{name}: it is kept for each of {kept}, not for {numbers[0]}")
        return scope.memory[places[numbers[0]]]

    return call


_RESULT_CODES = {"": 0, "win": 1, "lose": 2, "return": 3}


def _decision(line: Line) -> Evaluate[_Scope]:
    return lambda scope: _RESULT_CODES[_line_result(line, scope.sight)]


def _line_result(line: Line, sight: Sight) -> str:
    """Return what a roll does to a wager on the line: win, lose, return, or nothing."""
    total, point = sight.roll.total, sight.puck
    if sight.is_come_out:
        rules = ((line.first_win, "win"), (line.first_lose, "lose"), (line.first_void, "return"))
        return next((does for rule, does in rules if rule and total in rule.totals), "")
    if point < 0 or total not in {point, SEVEN}:
        return ""
    return "win" if line.win.on == ("seven" if total == SEVEN else "number") else "lose"
