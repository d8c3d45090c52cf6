"""Recorded rolls as the dice of sessions: each begins with a recorded hand, and goes on in the order of the record.

Session i of a seed begins at a hand that the seed chooses, all hands being equally likely: Philox of `dice_sources`,
stream 1, each word times the number of hands, rejected when the low half is under 2^32 mod that number. What was rolled
after the last hand that ended is left out, so that after it the first hand follows as if one shooter handed the dice to
the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from msgspec import Struct

from passline.automaton.arrays import HAND
from passline.automaton.compiler import compile_strategy
from passline.dice import OUTCOMES, Roll
from passline.dice_sources import DiceError, philox, seeded_rolls
from passline.dice_weights import DiceWeights, weighted_rolls
from passline.recorded_rolls import read_rolls
from passline.rules.rules import Rules
from passline.strategy.interface import Simple

_BITS = 32
_WORD = (1 << _BITS) - 1
_FACES = 6


class RecordedDice(Struct, frozen=True, cache_hash=True):
    """Recorded rolls: where they are from, the outcomes from 0 to 35 of whole hands, and where each hand begins."""

    name: str
    outcomes: bytes
    starts: tuple[int, ...]
    left_out: int = 0  # rolls after the last hand that ended

    is_fair = False
    """They are not the game's dice, whatever they show."""

    def __str__(self) -> str:
        rest = f", {self.left_out:,} after the last are left out" if self.left_out else ""
        hands = f"{len(self.starts):,} hands" if len(self.starts) > 1 else "one hand"
        return f"{len(self.outcomes):,} recorded rolls of {hands} in {self.name}{rest}"

    def start_of(self, seed: int, session: int) -> int:
        """Return the offset of the roll that a session of a seed begins with.

        >>> dice = RecordedDice("rolls.txt", bytes(range(36)), (0, 12, 30))
        >>> [dice.start_of(7, session) for session in range(5)]
        [30, 0, 0, 0, 30]
        """
        hands, key = len(self.starts), (seed & _WORD, seed >> _BITS)
        rejected = (1 << _BITS) % hands
        for block in count():
            for word in philox((block, session & _WORD, session >> _BITS, 1), key):
                if word * hands & _WORD >= rejected:
                    return self.starts[word * hands >> _BITS]
        raise AssertionError("words do not end")

    def rolls(self, seed: int, *, session: int = 0) -> Iterator[Roll]:
        """Yield the rolls of a session of a seed.

        >>> dice = RecordedDice("rolls.txt", bytes([35, 0, 6]), (0,))
        >>> rolls = dice.rolls(7)
        >>> [str(next(rolls)) for _ in range(4)]
        ['6-6', '1-1', '2-1', '6-6']
        """
        for at in count(self.start_of(seed, session)):
            yield OUTCOMES[self.outcomes[at % len(self.outcomes)]]


SessionDice = DiceWeights | RecordedDice
"""What sessions are played with."""


def session_rolls(dice: SessionDice, seed: int, *, session: int = 0) -> Iterator[Roll]:
    """Yield the rolls of a session of a seed, whatever the dice: the specification of every backend.

    >>> from passline.dice_weights import FAIR
    >>> rolls = session_rolls(FAIR, 7)
    >>> [str(next(rolls)) for _ in range(3)]
    ['6-5', '3-2', '1-6']
    """
    if isinstance(dice, RecordedDice):
        return dice.rolls(seed, session=session)
    if dice.is_fair:
        return seeded_rolls(seed, session=session)
    return weighted_rolls(dice, seed, session=session)


def recorded_dice(rules: Rules, rolls: Sequence[Roll], name: str = "a record") -> RecordedDice:
    """Return recorded rolls, the first of which is a new shooter's first come-out roll, as dice of sessions.

    >>> rolls = [Roll(2, 2), Roll(3, 4), Roll(6, 5), Roll(3, 3), Roll(1, 6), Roll(1, 1)]
    >>> print(recorded_dice(Rules.of("maryland"), rolls))
    5 recorded rolls of 2 hands in a record, 1 after the last are left out
    """
    line = compile_strategy(rules, Simple("no wager", shoots=False, wish=lambda _seen: ()))
    marks, nexts = line.mark.tolist(), line.next.tolist()
    ends, state = [], 0
    outcomes = [(roll.first - 1) * _FACES + roll.second - 1 for roll in rolls]
    for at, outcome in enumerate(outcomes, 1):
        if marks[state][outcome] & HAND:
            ends.append(at)
        state = nexts[state][outcome]
    if not ends:
        raise DiceError(f"{name}: no hand ends in its {len(rolls):,} rolls; sessions need at least one whole hand")
    return RecordedDice(name, bytes(outcomes[: ends[-1]]), (0, *ends[:-1]), len(rolls) - ends[-1])


def dice_of_file(rules: Rules, path: Path) -> RecordedDice:
    """Return the rolls recorded in a file as dice of sessions."""
    return recorded_dice(rules, read_rolls(path), path.name)
