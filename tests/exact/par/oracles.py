"""A second method for every family of wagers, from the rules as players know them: closed forms and enumeration.

Nothing here uses the engine, the automaton or the solver. Payouts are read from the line of the sheet.
"""

from __future__ import annotations

import re
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations

DICE = [(first, second) for first in range(1, 7) for second in range(1, 7)]
POINTS = (4, 5, 6, 8, 9, 10)
LAID_BY_STAKE = "colorado"  # where the odds laid, not what they win, are a multiple of the wager

Law = dict[Fraction, Fraction]  # what one stake gains, and how likely


class Answer:
    """The law of one wager, the mean number of rolls, and the mean amount wagered and laid out, in stakes."""

    def __init__(
        self, law: Law, rolls: Fraction, wagered: Fraction = Fraction(1), paid: Fraction = Fraction(0)
    ) -> None:
        assert sum(law.values()) == 1
        self.law, self.rolls, self.wagered, self.outlay = law, rolls, wagered, wagered + paid
        self.mean = sum((gain * share for gain, share in law.items()), Fraction(0))
        self.variance = sum((gain**2 * share for gain, share in law.items()), Fraction(0)) - self.mean**2

    def share(self, sign: int) -> Fraction:
        return sum((share for gain, share in self.law.items() if gain * sign > 0), Fraction(0))


def ways(total: int) -> int:
    return sum(first + second == total for first, second in DICE)


def ratio(text: str) -> Fraction:
    """Return what one unit wins; "25 for 1" includes the stake, "7 to 6" does not."""
    if text == "push":
        return Fraction(0)
    pays, word, to = text.split()
    return Fraction(int(pays) - (int(to) if word == "for" else 0), int(to))


def table(text: str) -> dict[str, Fraction]:
    """Parse "2 to 1 (2, 12), 1 to 1 (3, 4)" into payouts by total or count; "4 to 1" alone has the key ""."""
    found = re.findall(r"(push|\d+ (?:to|for) \d+) \(([^)]*)\)", text)
    return {on: ratio(pays) for pays, ons in found for on in ons.split(", ")} or {"": ratio(text)}


def gathered(pairs: list[tuple[Fraction, Fraction]]) -> Law:
    law: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for gain, share in pairs:
        law[gain] += share
    return dict(law)


# line


def line(wager: str, pays: str, option: str | None, *, game: str, regulation: str) -> Answer:
    """Pass, come and their don't side, with odds where the option names them."""
    flat, _, behind = pays.partition("; odds ")
    assert ratio(flat) == 1
    is_dont = wager.startswith("dont")
    at_once = {1: [7, 11], -1: [2, 3, 12]}
    if is_dont:
        at_once = {1: [2, 3], -1: [7, 11], 0: [12]}
    if game == "craps_free_craps":
        at_once = {1: [7]}
    points = set(range(2, 13)) - {total for totals in at_once.values() for total in totals}
    odds = {int(point): rate for point, rate in table(behind).items()} if behind else {}
    laid = {point: _multiple(option or "", point) for point in odds}
    if is_dont and regulation != LAID_BY_STAKE:
        laid = {point: multiple / odds[point] for point, multiple in laid.items()}
    pairs = [(Fraction(sign), Fraction(sum(map(ways, totals)), 36)) for sign, totals in at_once.items()]
    rolls = wagered = Fraction(1)
    for point in points:
        comes, made = Fraction(ways(point), 36), Fraction(ways(point), ways(point) + 6)
        wins = 1 - made if is_dont else made
        stake = laid.get(point, Fraction(0))
        pairs += [(1 + stake * odds.get(point, 0), comes * wins), (-1 - stake, comes * (1 - wins))]
        rolls += comes * Fraction(36, ways(point) + 6)
        wagered += comes * stake
    return Answer(gathered(pairs), rolls, wagered)


def _multiple(option: str, point: int) -> Fraction:
    found = re.search(r"odds ([\d-]+)x", option)
    assert found
    multiples = list(map(int, found[1].split("-")))
    return Fraction(multiples[0] if len(multiples) == 1 else multiples[ways(point) - 3])


# number and hardway


def number(wager: str, on: int, pays: str, option: str | None) -> Answer:
    """A number against a 7: place, buy, lay, put, big."""
    flat, _, behind = pays.partition("; odds ")
    made = Fraction(ways(on), ways(on) + 6)
    wins = 1 - made if wager in {"place_lose", "lay"} else made
    up, paid, gain = Fraction(1), Fraction(0), ratio(flat)
    loss = Fraction(1)
    if behind:
        odds = _multiple(option or "", on)
        up, gain, loss = 1 + odds, gain + odds * ratio(behind), 1 + odds
    elif option:
        percent, basis, when = re.fullmatch(r"([\d.]+)% of ([\w ]+) when (made|won)", option).groups()  # type: ignore[union-attr]
        vigorish = Fraction(percent) / 100 * (ratio(flat) if basis == "potential win" else 1)
        gain -= vigorish
        if when == "made":
            paid, loss = vigorish, loss + vigorish
    return Answer(gathered([(gain, wins), (-loss, 1 - wins)]), Fraction(36, ways(on) + 6), up, paid)


def hardway(on: int, pays: str) -> Answer:
    deciding = ways(on) + 6
    return Answer(
        {ratio(pays): Fraction(1, deciding), Fraction(-1): Fraction(deciding - 1, deciding)}, Fraction(36, deciding)
    )


# one roll

_TOTALS = {
    "field": {2, 3, 4, 9, 10, 11, 12},
    "any_seven": {7},
    "any_craps": {2, 3, 12},
    "craps_2": {2},
    "craps_3": {3},
    "craps_12": {12},
    "eleven": {11},
    "six_seven_eight": {6, 7, 8},
}
_PARTS: dict[str, list[set[int]]] = {
    "c_and_e": [{2, 3, 12}, {11}],
    "horn": [{2}, {3}, {11}, {12}],
    "horn_high": [{2}, {3}, {11}, {12}],
    "whirl": [{2}, {3}, {11}, {12}, {7}],
}


def _on(paid: dict[str, Fraction], dice: tuple[int, int]) -> Fraction:
    """Return what a roll pays by a table of pairs, totals or neither."""
    pair = "-".join(map(str, sorted(dice)))
    return next(paid[key] for key in (pair, str(sum(dice)), "") if key in paid)


def one_roll(wager: str, on: str | None, pays: str) -> Answer:
    paid = table(pays)
    pairs = []
    for dice in DICE:
        wins = "-".join(map(str, sorted(dice))) == on if wager == "hop" else sum(dice) in _TOTALS[wager]
        pairs.append((_on(paid, dice) if wins else Fraction(-1), Fraction(1, 36)))
    return Answer(gathered(pairs), Fraction(1))


def composite(wager: str, on: str | None, pays: str) -> Answer:
    paid = table(pays.removeprefix("by part "))
    parts = _PARTS[wager] + ([{int(on)}] if on else [])
    pairs = []
    for dice in DICE:
        gains = [_on(paid, dice) if sum(dice) in totals else Fraction(-1) for totals in parts]
        pairs.append((sum(gains, Fraction(0)) / len(parts), Fraction(1, 36)))
    return Answer(gathered(pairs), Fraction(1))


# hand: a cycle is a come-out until there is a point, and the point until it is made or a 7 comes

_SET = {point: Fraction(ways(point), 24) for point in POINTS}
_MADE = {point: Fraction(ways(point), ways(point) + 6) for point in POINTS}
_CYCLE = Fraction(36, 24) + sum(_SET[point] * Fraction(36, ways(point) + 6) for point in POINTS)


@cache
def _distinct(made: frozenset[int], *, is_full_at_six: bool) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return the law of how many distinct points a hand makes, as shares of 0 to 6, and the mean number of rolls."""
    if is_full_at_six and len(made) == 6:
        return (*[Fraction(0)] * 6, Fraction(1)), Fraction(0)
    law = [Fraction(0)] * 7
    law[len(made)] = sum((_SET[point] * (1 - _MADE[point]) for point in POINTS), Fraction(0))
    again = sum((_SET[point] * _MADE[point] for point in made), Fraction(0))
    rolls = _CYCLE
    for point in set(POINTS) - made:
        share = _SET[point] * _MADE[point]
        rest, more = _distinct(made | {point}, is_full_at_six=is_full_at_six)
        law = [one + share * other for one, other in zip(law, rest, strict=True)]
        rolls += share * more
    return tuple(one / (1 - again) for one in law), rolls / (1 - again)


def _paid_by_count(shares: tuple[Fraction, ...], pays: str) -> Law:
    paid = table(pays)
    return gathered([(paid.get(str(count), Fraction(-1)), share) for count, share in enumerate(shares)])


def fire(pays: str, *, regulation: str) -> Answer:
    shares, rolls = _distinct(frozenset(), is_full_at_six=regulation == "colorado")
    return Answer(_paid_by_count(shares, pays), rolls)


def sharp_shooter(pays: str) -> Answer:
    made = sum((_SET[point] * _MADE[point] for point in POINTS), Fraction(0))
    shares = (*(made**count * (1 - made) for count in range(10)), made**10)
    return Answer(_paid_by_count(shares, pays), _CYCLE * (1 - made**10) / (1 - made))


def front_line_winner(pays: str) -> Answer:
    """Count the 7s and 11s of a hand, the last 7 included, with generating functions cut off at the eleventh power."""

    def series(over: Fraction, constant: int, slope: int) -> list[Fraction]:
        """Return the series of over / (constant - slope x)."""
        return [over / constant * Fraction(slope, constant) ** power for power in range(11)]

    def times(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
        return [sum((one[i] * other[n - i] for i in range(n + 1)), Fraction(0)) for n in range(11)]

    cycle_made = [Fraction(0)] * 11
    cycle_lost = [Fraction(0)] * 11
    for point in POINTS:
        until_set = series(Fraction(ways(point)), 36 - 4, 8)
        until_made = series(Fraction(ways(point)), ways(point) + 8, 2)
        until_lost = [Fraction(0), *series(Fraction(6), ways(point) + 8, 2)[:-1]]
        cycle_made = [a + b for a, b in zip(cycle_made, times(until_set, until_made), strict=True)]
        cycle_lost = [a + b for a, b in zip(cycle_lost, times(until_set, until_lost), strict=True)]
    law = [Fraction(0)] * 11
    for power in range(11):  # law = lost + made * law
        known = sum((cycle_made[i] * law[power - i] for i in range(1, power + 1)), Fraction(0))
        law[power] = (cycle_lost[power] + known) / (1 - cycle_made[0])
    made = sum((_SET[point] * _MADE[point] for point in POINTS), Fraction(0))
    return Answer(_paid_by_count((*law, 1 - sum(law, Fraction(0))), pays), _CYCLE / (1 - made))


# collection


def collection(wager: str, pays: str) -> Answer:
    """All totals of a set before a 7, by inclusion and exclusion over the missing ones."""
    low, high = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12)
    needs = {"small": low, "little_ones": low, "tall": high, "big_ones": high}.get(wager, low + high)
    wins = rolls = Fraction(0)
    for size in range(len(needs) + 1):
        for missing in combinations(needs, size):
            weight = 6 + sum(map(ways, missing))
            wins += (-1) ** size * Fraction(6, weight)
            rolls += (-1) ** (size + 1) * Fraction(36, weight) if size else 0
    return Answer({ratio(pays): wins, Fraction(-1): 1 - wins}, rolls)


# run


def lucky_shooter(pays: str, reading: str) -> Answer:
    """Different points rolled one after the other, under each reading of the rule."""
    paid = {count: gain for count, gain in table(pays).items() if "first" not in count}
    if reading == "points made":
        shares, rolls = _distinct(frozenset(), is_full_at_six=False)
        return Answer(gathered([(paid.get(str(n), Fraction(-1)), share) for n, share in enumerate(shares)]), rolls)
    come_out, rolls = Fraction(36, 28), Fraction(36, 28)
    ended: list[tuple[Fraction, Fraction]] = [(Fraction(-1), Fraction(4, 28))]
    for initial in POINTS:
        shares, more = _thrown(initial, frozenset(), reading)
        share = Fraction(ways(initial), 28)
        ended += [(paid.get(str(count), Fraction(-1)), share * one) for count, one in enumerate(shares)]
        rolls += share * more
    law = gathered(ended)
    if reading == "returns on natural":  # the first roll decides whether it is a natural
        first = Fraction(28, 36)
        law = gathered([(Fraction(0), 1 - first), *((gain, share * first) for gain, share in law.items())])
        return Answer(law, 1 + first * (rolls - come_out))
    if reading == "pays first natural":
        first = Fraction(8, 36)
        extras = ((1, first), (0, 1 - first))
        return Answer(gathered([(gain + n, share * p) for gain, share in law.items() for n, p in extras]), rolls)
    if reading == "pays each natural":
        return _with_naturals(law, rolls)
    return Answer(law, rolls)


@cache
def _thrown(initial: int, hits: frozenset[int], reading: str) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return the law of the count, as shares of 0 to 6, and the mean number of rolls."""
    count = len(hits) + (reading == "initial point counts")
    neutral = (2, 3, 11, 12) if reading == "craps and eleven neutral" else ()
    law = [Fraction(0)] * 7
    stays = Fraction(0)
    rolls = Fraction(1)
    for total in range(2, 13):
        share = Fraction(ways(total), 36)
        if count == 5 and total == initial:
            law[6] += share
        elif total in neutral or (total in hits and reading == "repeats neutral"):
            stays += share
        elif count < 5 and total in POINTS and total != initial and total not in hits:
            rest, more = _thrown(initial, hits | {total}, reading)
            law = [one + share * other for one, other in zip(law, rest, strict=True)]
            rolls += share * more
        else:
            law[count] += share
    return tuple(one / (1 - stays) for one in law), rolls / (1 - stays)


def _with_naturals(law: Law, rolls: Fraction) -> Answer:
    """Add the payment of one stake for each 7 or 11 before the first point or craps: a geometric number of them.

    Two make up for any loss, so the law counts at most two; mean and variance include all.
    """
    again = Fraction(8, 36)
    extras = ((0, 1 - again), (1, again * (1 - again)), (2, again**2))
    plain = Answer(law, rolls)
    answer = Answer(gathered([(gain + n, share * p) for gain, share in law.items() for n, p in extras]), rolls)
    answer.mean = plain.mean + again / (1 - again)
    answer.variance = plain.variance + again / (1 - again) ** 2
    return answer
