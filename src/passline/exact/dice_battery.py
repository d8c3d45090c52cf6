"""The wagers against fair dice: each is sure of one fault, and the evidence is what all of them have won together.

A wager multiplies its stake by the chance that its fault gives what was keyed, divided by the chance of fair dice. With
fair dice such a factor is 1 on average, whatever came before; so with stakes that add up to 1 the sum of all wagers is
a fair game too. Whoever knew the fault would have staked everything on one wager; this battery is behind by no more
than the share that it staked there: 1/64 on each of the faults that a cheat would choose, which is 4.16 nats (natural
logarithms), and less where neighbours win as well. What the other faults share is about half of the stakes.

Crews key two dice that nobody tells apart, so a fault of one die is reckoned on unordered pairs. Where a fault looks
back (a die repeats its face), which of the two is the faulty one is weighed by what was keyed until then: a belief is
the chance that it shows the lower face. For a fault that comes and goes (a face held for whole turns of a shooter) it
is the chance that the fault is on.

The strengths of each kind lie so close that a fault between two of them loses a nat or two until it is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from passline.automaton.standing import PAIRS, WEIGHTS

_SIDES = 6
_FACES = range(_SIDES)
_SEVEN = 7
_LOW = tuple(pair.first - 1 for pair in PAIRS)
_HIGH = tuple(pair.second - 1 for pair in PAIRS)
_TOTALS = tuple(pair.first + pair.second for pair in PAIRS)
_PLACES = {(pair.first, pair.second): place for place, pair in enumerate(PAIRS)}
FAIR = tuple(weight / _SIDES**2 for weight in WEIGHTS)
"""The chances of the 21 pairs with fair dice."""

_OFTEN_BOTH = (0.05, 0.1, 0.2, 0.35, 0.5, 0.8)  # by how much of its chance a face comes too often
_OFTEN_ONE = (0.1, 0.2, 0.35, 0.5, 0.8, 1.5)
_RARE = (-0.1, -0.25, -0.6)
_WEIGHTED = (0.1, 0.25, 0.5)  # and the opposite face as much too seldom
_FLAT = (0.05, 0.1, 0.2, 0.4)  # and the opposite face as much too often, as with shaved dice
_TOTAL = (-0.25, 0.1, 0.25, 0.5)
_ROLLS_TO_SEVEN = (5.0, 5.4, 5.7, 6.25, 6.5, 6.8, 7.3, 8.0)  # 6 with fair dice
_REPEAT_ONE = (0.04, 0.1, 0.2, 0.4)  # in which share of rolls
_REPEAT_BOTH = (0.05, 0.1, 0.2)
_REPEAT_PAIR = (0.05, 0.15)
_OPPOSITE = (0.1, 0.2, 0.4)
_QUARTER = (0.2, 0.4)
_AFTER = (0.25, 0.6)
_HELD = (0.03, 0.1, 0.3)
TURN_ROLLS = 8.5
"""How many rolls a shooter's turn lasts on average."""
ANY_STRENGTHS = (300.0, 3_000.0, 30_000.0)
"""How firmly each wager on any fault of the pairs (a Dirichlet distribution) believes in fair dice, in rolls."""

_MOST = 1 / 64
"""What is staked on each of the faults that a cheat would choose, for each face."""
_CHOSEN = {
    *(("often, both", "", 0.1), ("often, both", "", 0.5)),
    *(("often, one", "", 0.1), ("often, one", "", 0.5)),
    ("sevens", "", 6.5),
    *(("repeat", "one", 0.04), ("repeat", "one", 0.2)),
    ("held", "held", 0.1),
}
"""Those faults, by kind, way and strength."""
_OTHERS = {
    "often, both": 16,
    "often, one": 16,
    "rare": 9,
    "weighted": 9,
    "flat": 12,
    "sevens": 6,
    "total": 9,
    "repeat": 5,
    "turned": 3,
    "after": 9,
    "held": 7,
    "any": 5,
}
"""In which proportion the rest is staked on all other faults, by kind; those of a kind have equal shares."""

Chances = tuple[float, ...]


class SteadyWager(NamedTuple):
    """A fault that is the same in every roll."""

    kind: str
    which: int  # the face or the total, if it has one
    strength: float
    chances: Chances  # of the 21 pairs


class LookingWager(NamedTuple):
    """A fault that looks back at the roll before, or that comes and goes."""

    kind: str
    which: int
    strength: float
    way: str  # how it is reckoned: "one" die, "both" dice or a face that is "held"
    moves: tuple[Chances, ...]  # one: of a die's faces by its last; both: factors of pairs by the last; held: of pairs


def pair_place(first: int, second: int) -> int:
    """Return which of the 21 pairs two dice are.

    >>> pair_place(6, 1) == pair_place(1, 6) == 5
    True
    """
    return _PLACES[min(first, second), max(first, second)]


def _die(changes: Mapping[int, float]) -> Chances:
    """Return the chances of a die's faces if some come more often by a factor; the others share the rest."""
    rest = (_SIDES - sum(1 + more for more in changes.values())) / (_SIDES - len(changes))
    return tuple((1 + changes[face] if face in changes else rest) / _SIDES for face in _FACES)


def _of_both(die: Chances) -> Chances:
    return tuple(die[low] * die[high] * ways for low, high, ways in zip(_LOW, _HIGH, WEIGHTS, strict=True))


def _of_one(die: Chances) -> Chances:
    """Return the chances of the pairs if one die has these chances and the other is fair."""
    return tuple(
        (die[low] + die[high]) / 2 / _SIDES * ways for low, high, ways in zip(_LOW, _HIGH, WEIGHTS, strict=True)
    )


def _of_total(total: int, chance: float) -> Chances:
    """Return the chances of the pairs if a total comes with this chance and the other totals keep their proportions."""
    fair = sum(weight for weight, own in zip(FAIR, _TOTALS, strict=True) if own == total)
    return tuple(
        weight * (chance / fair if own == total else (1 - chance) / (1 - fair))
        for weight, own in zip(FAIR, _TOTALS, strict=True)
    )


def _steady() -> Iterator[SteadyWager]:
    spreads: tuple[tuple[str, Callable[[Chances], Chances]], ...] = (("both", _of_both), ("one", _of_one))
    for face in _FACES:
        opposite = _SIDES - 1 - face
        for dice, spread in spreads:
            for more in _OFTEN_BOTH if dice == "both" else _OFTEN_ONE:
                yield SteadyWager(f"often, {dice}", face + 1, more, spread(_die({face: more})))
            for more in _RARE:
                yield SteadyWager("rare", face + 1, more, spread(_die({face: more})))
            for more in _WEIGHTED:
                yield SteadyWager("weighted", face + 1, more, spread(_die({face: more, opposite: -more})))
            for more in _FLAT if face < opposite else ():
                yield SteadyWager("flat", face + 1, more, spread(_die({face: more, opposite: more})))
    for total in sorted({*_TOTALS} - {_SEVEN}):
        fair = sum(weight for weight, own in zip(FAIR, _TOTALS, strict=True) if own == total)
        for more in _TOTAL:
            yield SteadyWager("total", total, more, _of_total(total, fair * (1 + more)))
    for rolls in _ROLLS_TO_SEVEN:
        yield SteadyWager("sevens", _SEVEN, rolls, _of_total(_SEVEN, 1 / rolls))


def _even_chances(*faces: int) -> Chances:
    return tuple(int(face in faces) / len(faces) for face in _FACES)


def _moves(shows: Callable[[int], Chances], share: float) -> tuple[Chances, ...]:
    """Return a die's chances after each face: in a `share` of the rolls those of `shows`, else those of a fair die."""
    return tuple(tuple(share * weight + (1 - share) / _SIDES for weight in shows(last)) for last in _FACES)


def _by_last(die: Sequence[Chances]) -> tuple[Chances, ...]:
    """Return the factor of every pair after every pair, if each die depends on its last face."""

    def chance(before: int, after: int) -> float:
        low, high, then_low, then_high = _LOW[before], _HIGH[before], _LOW[after], _HIGH[after]
        crossed = die[low][then_high] * die[high][then_low] if then_low != then_high else 0.0
        return die[low][then_low] * die[high][then_high] + crossed

    pairs = range(len(PAIRS))
    return tuple(tuple(chance(before, after) / FAIR[after] for after in pairs) for before in pairs)


def _sides_of(face: int) -> Chances:
    """Return the chances if only the four faces beside this one come, each equally often."""
    return _even_chances(*(other for other in _FACES if other not in (face, _SIDES - 1 - face)))


def _of_one_looking() -> Iterator[LookingWager]:
    for share in _REPEAT_ONE:
        yield LookingWager("repeat", 0, share, "one", _moves(_even_chances, share))
    for share in _OPPOSITE:
        yield LookingWager("turned", 0, share, "one", _moves(lambda last: _even_chances(_SIDES - 1 - last), share))
    for share in _QUARTER:
        yield LookingWager("turned", 0, share, "one", _moves(_sides_of, share))
    even = _die({})
    for before in _FACES:
        for face in _FACES:
            for share in _AFTER if face != before else ():
                rows = [even] * _SIDES
                rows[before] = tuple(share * weight + (1 - share) / _SIDES for weight in _even_chances(face))
                yield LookingWager("after", face + 1, share, "one", tuple(rows))


def _looking_wagers() -> Iterator[LookingWager]:
    pairs = range(len(PAIRS))
    yield from _of_one_looking()
    for share in _REPEAT_BOTH:
        yield LookingWager("repeat", 0, share, "both", _by_last(_moves(_even_chances, share)))
    for share in _REPEAT_PAIR:
        rows = (tuple(share * (pair == last) / FAIR[pair] + 1 - share for pair in pairs) for last in pairs)
        yield LookingWager("repeat", 0, share, "both", tuple(rows))
    for face in _FACES:
        held = tuple(int(face in (_LOW[pair], _HIGH[pair])) / _SIDES / FAIR[pair] for pair in pairs)
        for share in _HELD:
            yield LookingWager("held", face + 1, share, "held", (held,))


STEADY = tuple(_steady())
"""The wagers on faults that are the same in every roll."""
LOOKING = tuple(_looking_wagers())
"""Those on faults that look back: of one die first, then of both, then of held faces."""
WAGERS: tuple[SteadyWager | LookingWager, ...] = (*STEADY, *LOOKING)
"""Both, in this order."""


def _shares() -> Chances:
    faults = [(wager.kind, getattr(wager, "way", ""), wager.strength) for wager in WAGERS]
    faults += [("any", "", strength) for strength in ANY_STRENGTHS]
    others = [kind for kind, way, strength in faults if (kind, way, strength) not in _CHOSEN]
    unit = (1 - _MOST * (len(faults) - len(others))) / sum(_OTHERS.values())
    return tuple(_MOST if fault in _CHOSEN else unit * _OTHERS[fault[0]] / others.count(fault[0]) for fault in faults)


SHARES = _shares()
"""What is staked on each wager: the steady ones, those that look back, and those on any fault of the pairs."""
STEADY_FACTORS = tuple(tuple(wager.chances[place] / FAIR[place] for wager in STEADY) for place in range(len(PAIRS)))
"""The factors by which each pair multiplies the steady wagers."""
_DICE = tuple(wager.moves for wager in LOOKING if wager.way == "one")
_FIRST_FACTORS = (1.0,) * (len(_DICE) + sum(wager.way == "both" for wager in LOOKING))
_EVEN = _die({})
_SPEAKING = tuple(
    tuple((number, die[low], die[high]) for number, die in enumerate(_DICE) if (die[low], die[high]) != (_EVEN, _EVEN))
    for low, high in zip(_LOW, _HIGH, strict=True)
)
"""By the last pair: the faults of one die that the next may speak of, with how the die falls after either face."""
_BY_LAST = [
    [tuple(wager.moves[last][place] for wager in LOOKING if wager.way == "both") for place in range(len(PAIRS))]
    for last in range(len(PAIRS))
]
_HELD_WAGERS = tuple(wager for wager in LOOKING if wager.way == "held")
_HELD_FACTORS = [tuple(wager.moves[0][place] for wager in _HELD_WAGERS) for place in range(len(PAIRS))]
_HELD_SHARES = tuple(wager.strength for wager in _HELD_WAGERS)
END = 1 / TURN_ROLLS
"""The chance that a held face is let go after a roll."""
BEGIN: Chances = tuple(share / (1 - share) * END for share in _HELD_SHARES)
"""The chance that one is held from the next roll on, by each wager on a held face."""
FIRST_BELIEFS: Chances = (*(0.5 for _ in _DICE), *_HELD_SHARES)
"""What is believed before the first roll: of each fault of one die, then of each held face."""


def share_of(kind: str, strength: float, way: str = "") -> float:
    """Return the share staked on a fault of this kind and strength, which is the same for every face.

    >>> round(1 / share_of("often, one", 0.1)), round(1 / share_of("often, one", 0.2)), round(sum(SHARES), 12)
    (64, 328, 1.0)
    """
    return next(
        share
        for wager, share in zip(WAGERS, SHARES, strict=False)
        if (wager.kind, wager.strength) == (kind, strength)
        and getattr(wager, "way", way) == (way or getattr(wager, "way", ""))
    )


def looking_after(beliefs: Sequence[float], last: int, place: int) -> tuple[list[float], list[float]]:
    """Return the factors by which a pair multiplies the wagers that look back, and the beliefs after it.

    `last` is the pair that came before, or -1 where none did.
    """
    low, high, one_dice = _LOW[place], _HIGH[place], len(_DICE)
    factors, after = [1.0] * one_dice, [0.5] * one_dice
    if last < 0:
        factors = list(_FIRST_FACTORS)
    else:
        for number, by_low, by_high in _SPEAKING[last]:
            is_low = beliefs[number]
            shows_low = by_high[low] + is_low * (by_low[low] - by_high[low])
            shows = shows_low + by_high[high] + is_low * (by_low[high] - by_high[high])
            factors[number] = shows * 3  # of two dice the other shows what is left in one of six rolls
            after[number] = shows_low / shows
        factors += _BY_LAST[last][place]
    for is_on, begin, factor in zip(beliefs[one_dice:], BEGIN, _HELD_FACTORS[place], strict=True):
        on = is_on if last < 0 else is_on * (1 - END) + (1 - is_on) * begin
        won = on * factor
        factors.append(won + 1 - on)
        after.append(won / factors[-1])
    return factors, after
