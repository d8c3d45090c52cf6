"""The value of progressive meters to the wagers that are up, and how far one roll can change it.

The value of a wager takes the meter as it is now, with what the wager itself adds when it is decided, and nobody to
share it with. The engine gives the chance of each share and rounds what it pays. A roll is evaluated with everything
that it does to the meter: what others add, who shares, and the base at which it starts again. So its luck has mean
zero, and the average rise of a meter (`drift`) does not count as luck.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm

from msgspec import Struct
from msgspec.structs import replace

from passline.automaton.standing import PAIRS, WEIGHTS, numbers_cleared, standing_of_wager
from passline.exact.standing import ShareChances, StandingSteps, StandingValues
from passline.game import events as e
from passline.game.position import Table, Wager
from passline.game.progressives import meter_events, meter_of, share_of_meter
from passline.game.settlement import settlement
from passline.rules.rules import Rules

_ZERO = Fraction(0)
_OUTCOMES = sum(WEIGHTS)


class MeterSteps(Struct, frozen=True):
    """What the meters add to a roll for the wagers of one place at the table."""

    drift: Fraction  # what they gain on average
    steps: StandingSteps  # what each of the 21 pairs adds beyond that


def meter_value(rules: Rules, table: Table, wagers: Iterable[Wager]) -> Fraction:
    """Return what players gain from the meters of a table on average, in cents, in addition to their wagers' value."""
    meters, chances = _Meters(rules, table), _chances(rules, table, found := _progressive(rules, wagers))
    return sum((meters.worth(wager, chances[wager].now) for wager in found), _ZERO)


def meter_steps(rules: Rules, table: Table, by_place: Mapping[int, Iterable[Wager]]) -> dict[int, MeterSteps]:
    """Return what the meters add to a roll, for each place at the table that has a progressive wager."""
    mine = {place: wagers for place, own in by_place.items() if (wagers := _progressive(rules, own))}
    if not mine:
        return {}
    every = sorted(wager for wagers in mine.values() for wager in wagers)
    thrown = replace(table, position=replace(table.position, layout=tuple(every)))
    chances = _chances(rules, table, every)
    changes = {place: list[Fraction]() for place in mine}
    stood = {place: meter_value(rules, table, wagers) for place, wagers in mine.items()}
    for place_of_pair, pair in enumerate(PAIRS):
        happened = settlement(rules, thrown.position, pair)
        moved = list(meter_events(rules, thrown, happened))
        paid = {event.wager: event.cents for event in moved if isinstance(event, e.MeterPaid)}
        after = _Meters(rules, replace(thrown, meters=_meters_after(thrown, moved)))
        for place, wagers in mine.items():
            worth = (after.worth(wager, chances[wager].after[place_of_pair]) for wager in wagers)
            changes[place].append(sum(worth, Fraction(sum(paid.get(wager, 0) for wager in wagers))) - stood[place])
    return {place: _around_mean(given) for place, given in changes.items()}


class _Meters(Struct, frozen=True):
    """The meters of a table, and what they are worth to a wager."""

    rules: Rules
    table: Table

    def worth(self, wager: Wager, chances: Mapping[int, Fraction]) -> Fraction:
        """Return what shares are worth at the meter as it stands, with what the wager itself adds to it."""
        progressive = self.rules.progressives[wager.kind]
        meter = meter_of(self.table, wager.kind, progressive) + wager.cents * progressive.basis_points
        return sum((often * share_of_meter(self.rules, meter, share) for share, often in chances.items()), _ZERO)


def _chances(rules: Rules, table: Table, wagers: Iterable[Wager]) -> dict[Wager, ShareChances]:
    values, position = StandingValues(rules), table.position
    clearing = numbers_cleared(rules, position)
    return {wager: values.shares(standing_of_wager(wager, position.puck, clearing=clearing)) for wager in wagers}


def _progressive(rules: Rules, wagers: Iterable[Wager]) -> list[Wager]:
    return [wager for wager in wagers if wager.kind in rules.progressives and not wager.pending]


def _meters_after(table: Table, moved: Iterable[e.Event]) -> tuple[tuple[str, int], ...]:
    meters = dict(table.meters)
    for event in moved:
        if isinstance(event, e.MeterRaised):
            meters[event.kind] = event.meter
        elif isinstance(event, e.MeterPaid):
            meters[event.wager.kind] = event.meter
    return tuple(sorted(meters.items()))


def _around_mean(changes: list[Fraction]) -> MeterSteps:
    drift = sum((weight * change for weight, change in zip(WEIGHTS, changes, strict=True)), _ZERO) / _OUTCOMES
    beyond = [change - drift for change in changes]
    scale = lcm(*(change.denominator for change in beyond))
    return MeterSteps(drift, StandingSteps(scale, tuple(int(change * scale) for change in beyond)))
