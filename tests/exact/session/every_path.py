"""A session enumerated path by path in plain Python with Fractions: the reference that laws are compared with."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from passline.automaton.arrays import HAND, LINE, WON, Automaton
from passline.automaton.terms import Terms

Law = dict[int, Fraction]  # cents to probability


def _law() -> defaultdict[int, Fraction]:
    return defaultdict(Fraction)


@dataclass
class Played:
    ruin: Law = field(default_factory=_law)
    goal: Law = field(default_factory=_law)
    limit: Law = field(default_factory=_law)
    stop: Law = field(default_factory=_law)
    ruin_by_roll: Law = field(default_factory=_law)
    stop_by_roll: Law = field(default_factory=_law)
    left: Fraction = Fraction(0)
    wagered: list[Fraction] = field(default_factory=lambda: [Fraction(0)] * 3)  # cents: action, initial wagers, up

    @property
    def law(self) -> Law:
        whole = _law()
        for part in (self.ruin, self.goal, self.limit, self.stop):
            for cents, chance in part.items():
                whole[cents] += chance
        return dict(whole)


_Key = tuple[int, int, int, int, int, int]  # state, equity, level, peak, line wins and losses in a row


def _leaves(terms: Terms, lost: int, fall: int, wins: int, losses: int) -> bool:
    """Return whether the player leaves who has lost so many cents, so many since the highest equity."""
    if terms.stop_loss_cents is not None and lost >= terms.stop_loss_cents:
        return True
    if terms.trailing_stop_cents is not None and fall >= terms.trailing_stop_cents:
        return True
    return wins >= (terms.line_wins or 99) or losses >= (terms.line_losses or 99)


def play(  # noqa: C901 - every way a session can go, in the order in which it is looked at
    automaton: Automaton, terms: Terms, *, rolls_max: int
) -> Played:
    """Enumerate every path of at most `rolls_max` rolls; `left` is the probability still in play after them."""
    unit, rest = automaton.unit, terms.bankroll_cents % automaton.unit
    mark = LINE if terms.decisions is not None else HAND if terms.hands is not None else 0
    level_max = terms.decisions or terms.hands or 1
    arrays = (automaton.next.tolist(), automaton.cash.tolist(), automaton.mark.tolist())
    columns = [Counter(zip(*rows, strict=True)) for rows in zip(*arrays, strict=True)]
    played = Played()
    start = terms.bankroll_cents // unit
    mass: dict[_Key, Fraction] = {(0, start, 0, start, 0, 0): Fraction(1)}
    for n in range(rolls_max + 1):
        after: defaultdict[_Key, Fraction] = defaultdict(Fraction)
        for (state, equity, level, peak, wins, losses), chance in mass.items():
            cents = equity * unit + rest
            if terms.goal_cents is not None and cents >= terms.goal_cents:
                played.goal[cents] += chance
                continue
            if level == level_max or n == terms.rolls:
                played.limit[cents] += chance
                continue
            if _leaves(terms, start * unit + rest - cents, (peak - equity) * unit, wins, losses):
                played.stop[cents] += chance
                played.stop_by_roll[n] += chance
                continue
            acting = state
            while acting >= 0 and equity < automaton.outlay[acting]:
                acting = int(automaton.short[acting])
            if acting < 0:
                played.ruin[cents] += chance
                played.ruin_by_roll[n] += chance
                continue
            if n == rolls_max:
                played.left += chance
                continue
            ended = (automaton.action[acting].sum(), automaton.initial[acting].sum(), 36 * automaton.outlay[acting])
            for place, amount in enumerate(ended):
                played.wagered[place] += chance * Fraction(int(amount) * unit, 36)
            for (to, cash, bits), count in columns[acting].items():
                row = (wins, losses)
                if bits & LINE:
                    row = (wins + 1, 0) if bits & WON else (0, losses + 1)
                risen = equity + cash
                after[to, risen, level + bool(bits & mark), max(peak, risen), *row] += chance * Fraction(count, 36)
        mass = after
    return played
