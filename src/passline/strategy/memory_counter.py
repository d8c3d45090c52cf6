"""One number of a strategy file's memory, and its value after a roll."""

from __future__ import annotations

from msgspec import Struct

from passline.dice import number_text
from passline.expression_words import Expression
from passline.strategy.interface import Seen, StrategyError
from passline.strategy.moment import Aftermath
from passline.strategy.roll_effects import RollEffects

_KNOWN_MAX = 50_000


class MemoryCounter(Struct, frozen=True):
    """One number of a strategy's memory; `known` memoises its values, because the same rolls come again and again."""

    where: str
    next: Expression[Aftermath]
    min: int
    max: int
    number: int
    sees_after: bool
    reads: tuple[int, ...]  # places in the memory of the counters that its expression reads
    known: dict[RollEffects, dict[tuple[int, ...], int]]

    @property
    def label(self) -> str:
        """Its name in expressions."""
        name = self.where.rpartition(": memory.")[2].removesuffix(".next")
        return f"{name}[{number_text(self.number)}]" if self.number else name

    def after(self, effects: RollEffects, memory: tuple[int, ...], seen: Seen | None) -> int:
        """Return its value after a roll, where the memory was this before."""
        if self.sees_after:
            return self._next_value(Aftermath(effects, memory, self.number, seen))
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
        if not self.min <= value <= self.max:
            bound = f"max(..., {self.min})" if value < self.min else f"min(..., {self.max})"
            bounds = f"a memory stays from {self.min} to its max, {self.max}: write {bound}, or give it another bound"
            message = f"{self.where}: {self.next.text!r} became {value}; {bounds}"
            raise StrategyError(message)
        return value
