"""Theoretical win, entry by entry: the change of the layout's exact value at each act, and the luck of each roll.

Let V be the house's exact value of all wagers that stand. What an act of a player or the crew adds to the house's money
and to V is theoretical win: a wager made, raised, taken down, charged. What a roll adds to both has mean zero; it is
luck, with an exact variance over the whole layout. So over any entries, from a layout V_begin to a layout V_end,

    won = theoretical win + luck - (V_end - V_begin)

and when the layout is empty the house has won what it should have, and its luck. What stands at the end of one shift is
carried into the next (`carried` is V_end - V_begin), so the shifts of a table add up to the whole.

What the roll could have done, over the 36 outcomes, also says how rare its luck is at most: `prices`, which add up as
variances do (`passline.exact.luck_evidence`).

A corrected roll replaces the first one: the luck of the right faces comes in the place of that of the wrong ones, and
adds no variance. What a correction changes besides, as wagers that could not be made again, is theoretical win.

The meter of a progressive is in V as it stands (`passline.bookkeeping.meter_values`): a hit is luck only as far as it
was not to be expected at that meter, and what a meter rises by on average is theoretical win.

A tip that is wagered belongs to the crew: what it wins or loses is the house's money as any other, and no player's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from passline.automaton.standing import PAIRS, StandingWager, numbers_cleared, standing_of_wager, standings_on
from passline.bookkeeping.accrual_sums import ZERO, Accrual, sum_of_fractions, total_of
from passline.bookkeeping.meter_values import MeterSteps, meter_steps, meter_value
from passline.dice import roll_of
from passline.exact.luck_evidence import prices_of_roll
from passline.exact.standing import StandingSteps, StandingValues
from passline.game import events as e
from passline.game.evolve import fold as fold_game
from passline.game.position import Position, Table, Wager
from passline.game.settlement import settlement
from passline.rules.memo import Memo
from passline.rules.rules import Rules
from passline.tables import events as t
from passline.tables.events import TableEvent
from passline.tables.live import BeforeRoll, LiveTable
from passline.tables.rules_in_force import has_limits, rules_of, rules_under
from passline.tables.views.table_view import without_shared_ends

CREW_TIPS = 0
"""Stands in the place of a seat for the tips that are wagered for the crew."""
_HOUSE = ("bank", "drop", "cage", "count", "boxes", "variance")
_PLACES = {(pair.first, pair.second): place for place, pair in enumerate(PAIRS)}


_NOTHING = Accrual()


class EntryAccrual(Struct, frozen=True):
    """What an entry adds to a table's accounts, and to those of each seat; `CREW_TIPS` is wagered for the crew."""

    total: Accrual = _NOTHING
    seats: dict[int, Accrual] = {}


UNCHANGED = EntryAccrual()
"""What most entries add: nothing."""


def house_money(balances: Mapping[str, int]) -> int:
    """Return what the house has of the players' money, by a table's ledger.

    >>> house_money({"bank": -250_00, "drop": 500_00, "rack/1": 250_00, "patron": -500_00})
    25000
    """
    return sum(balances.get(account, 0) for account in _HOUSE)


def house_value(live: LiveTable | None) -> Fraction:
    """Return the exact value that the wagers standing at a table have for the house."""
    if live is None or not live.game.position.layout:
        return ZERO
    rules, position = rules_of(live), live.game.position
    stood = StandingValues(rules).value(standings_on(rules, position))
    return -stood - meter_value(rules, live.game, position.layout)


def is_covered(live: LiveTable) -> bool:
    """Return whether the ledger of a table knows its play: its chips are money, and all wagers are keyed in."""
    return live.is_keyed and live.points is None


def accrual_of(before: LiveTable | None, after: LiveTable, events: Sequence[TableEvent]) -> Accrual:
    """Return what an entry of a table adds; nothing at a tournament's table, or where no wagers are keyed in."""
    return entry_accrual(before, after, events).total


def entry_accrual(before: LiveTable | None, after: LiveTable, events: Sequence[TableEvent]) -> EntryAccrual:
    """Return what an entry of a table adds, in all and by seat."""
    if not is_covered(after) or (before is not None and before.points is not None):
        return UNCHANGED
    now = after.game.position
    if before is not None and len(events) == 1 and type(made := events[0]) is e.WagerMade and not now.is_clearing:
        rules = rules_of(after)
        if made.after.kind not in rules.progressives:
            return _wager_accrual(rules, now.puck, made.after)
    told, carried = _news_of(events), _growth_by_seat(before, after)
    if before is not None and told.corrected is not None:
        return _correction(before, after, told.corrected, carried)
    if before is not None and told.is_settled:
        return _roll(before, told, carried)
    if not told.won and not carried:
        return UNCHANGED
    seats = {}
    for place in told.won.keys() | carried.keys():
        cents, grown = told.won.get(place, 0), carried.get(place, ZERO)
        seats[place] = Accrual(cents, cents + grown if cents else grown, carried=grown)
    return EntryAccrual(_total(seats.values()), seats)


_MADE: Memo[tuple[int, Wager], EntryAccrual] = Memo()


def _wager_accrual(rules: Rules, puck: int, wager: Wager) -> EntryAccrual:
    """Return what a wager adds that is made while nothing else happens, as nine entries in ten: the same each time.

    While come wagers are cleared, one more of them would prolong it: then all that stands is valued anew.
    """
    known = rules.memory_of(_MADE)
    found = known.get((puck, wager))
    if found is None:
        stood, cents = _value_of(rules, puck, 0, wager), wager.vigorish
        grown = ZERO if wager.pending else Fraction(stood.numerator, stood.denominator)
        own = Accrual(cents, cents + grown, carried=grown)
        found = known[puck, wager] = EntryAccrual(own, {_place(wager): own})
    return found


class _MoneyNews(Struct):
    """What the events of an entry say of money, by seat."""

    won: dict[int, int] = {}
    decided: dict[int, tuple[int, int]] = {}  # how many wagers, and their cents
    returned: tuple[Wager, ...] = ()  # before the dice came to rest: the roll has nothing to do with them
    is_settled: bool = False
    corrected: t.RollCorrected | None = None


def _news_of(events: Iterable[TableEvent]) -> _MoneyNews:
    told, returned = _MoneyNews(), list[Wager]()
    for event in events:
        if (moved := _WON.get(type(event))) is not None:
            wager, cents = moved(event)
            place = _place(wager)
            told.won[place] = told.won.get(place, 0) + cents
            if isinstance(event, e.WagerLost | e.WagerWon):
                count, sum_ = told.decided.get(place, (0, 0))
                told.decided[place] = count + 1, sum_ + event.cents
            elif isinstance(event, e.WagerReturned):
                returned.append(wager)
        elif isinstance(event, e.DiceLanded):
            told.returned = tuple(returned)  # what goes back from here on, the roll gives back
        elif isinstance(event, e.RollSettled):
            told.is_settled = True
        elif isinstance(event, t.RollCorrected):
            told.corrected = event
    return told


def _total(parts: Iterable[Accrual]) -> Accrual:
    return total_of([(part, 1) for part in parts])


def _place(wager: Wager) -> int:
    return wager.seat if wager.owner == "player" else CREW_TIPS


def _fee(event: e.WagerIncreased | e.WagerReduced) -> tuple[Wager, int]:
    return event.after, event.after.vigorish - event.wager.vigorish


_WON: dict[type, Callable[[Any], tuple[Wager, int]]] = {
    e.WagerMade: lambda event: (event.after, event.after.vigorish),
    e.WagerIncreased: _fee,
    e.WagerReduced: _fee,
    e.WagerRemoved: lambda event: (event.wager, -event.wager.vigorish),
    e.WagerReturned: lambda event: (event.wager, -event.wager.vigorish),
    e.WagerLost: lambda event: (event.wager, event.cents),
    e.WagerWon: lambda event: (event.wager, event.vigorish - event.winnings),
    e.MeterPaid: lambda event: (event.wager, -event.cents),
}


def _growth_by_seat(before: LiveTable | None, after: LiveTable) -> dict[int, Fraction]:
    """Return by how much the house's value of the wagers of each seat has grown, with what meters are worth to them."""
    grown = _growth_beside_meters(before, after)
    for live, sign in ((before, 1), (after, -1)):
        if live is not None and (rules := rules_of(live)).progressives:
            for place, wagers in _wagers_by_place(live.game.position.layout).items():
                if worth := meter_value(rules, live.game, wagers):
                    grown[place] = grown.get(place, ZERO) + sign * worth
    return grown


def _growth_beside_meters(before: LiveTable | None, after: LiveTable) -> dict[int, Fraction]:
    was, now = before.game.position if before else Position(), after.game.position
    if was is now or not (was.layout or now.layout):
        return {}
    rules_then, rules_now = rules_of(before or after), rules_of(after)
    clearing_then, clearing_now = numbers_cleared(rules_then, was), numbers_cleared(rules_now, now)
    is_same = rules_then is rules_now and was.puck == now.puck and clearing_then == clearing_now
    if is_same and was.layout == now.layout:
        return {}
    gone, come = without_shared_ends(was.layout, now.layout) if is_same else (was.layout, now.layout)
    parts: dict[int, list[tuple[int, int]]] = {}  # numerators and denominators: they are added up in one go
    for position, wagers, rules, clearing, sign in (
        (was, gone, rules_then, clearing_then, -1),
        (now, come, rules_now, clearing_now, 1),
    ):
        known = rules.memory_of(_STOOD)
        for wager in wagers:
            if not wager.pending:
                stood = known.get((position.puck, clearing, wager)) or _value_of(rules, position.puck, clearing, wager)
                parts.setdefault(_place(wager), []).append((sign * stood.numerator, stood.denominator))
    return {place: sum_of_fractions(some) for place, some in parts.items()}


class _StandingValue(Struct, frozen=True, gc=False):
    """A wager as it stands at a point, and the value that it has for the house."""

    standing: StandingWager
    numerator: int
    denominator: int


_STOOD: Memo[tuple[int, int, Wager], _StandingValue] = Memo()


def _value_of(rules: Rules, puck: int, clearing: int, wager: Wager) -> _StandingValue:
    known = rules.memory_of(_STOOD)
    stood = known.get((puck, clearing, wager))
    if stood is None:
        standing = standing_of_wager(wager, puck, clearing=clearing)
        value = -StandingValues(rules).value((standing,))
        stood = known[puck, clearing, wager] = _StandingValue(standing, value.numerator, value.denominator)
    return stood


def _roll(before: LiveTable, told: _MoneyNews, carried: dict[int, Fraction]) -> EntryAccrual:
    """Return what a roll adds: luck, with the variance of the layout that it was thrown at."""
    rules, position = rules_of(before), before.game.position
    values = StandingValues(rules)
    by_place = _standings(rules, position.layout, position, without=told.returned)
    taken_back = _standings(rules, told.returned, position)
    acts = {place: values.value(own) for place, own in taken_back.items()}
    for wager in told.returned:
        acts[_place(wager)] = acts.get(_place(wager), ZERO) - wager.vigorish
    steps = {place: values.steps(own) for place, own in by_place.items()}
    for place, meters in _meters_at(rules, before.game, told.returned).items():
        acts[place] = acts.get(place, ZERO) - meters.drift
        steps[place] = StandingSteps.together([steps[place], meters.steps])
    seats = {}
    for place in told.won.keys() | carried.keys() | by_place.keys():
        cents, grown = told.won.get(place, 0), carried.get(place, ZERO)
        count, sum_ = told.decided.get(place, (0, 0))
        theoretical = acts.get(place, ZERO)
        seats[place] = Accrual(
            cents,
            theoretical,
            luck=cents + grown - theoretical,
            variance=steps[place].variance if place in steps else ZERO,
            rolls=1,
            carried=grown,
            decided=count,
            wagered=sum_,
        )
    if not seats:
        return EntryAccrual(Accrual(rolls=1))
    together = StandingSteps.together(list(steps.values()))  # the seats share the dice, so variances do not add up
    total = replace(_total(seats.values()), rolls=1, variance=together.variance, prices=prices_of_roll(together))
    priced = {
        place: replace(seat, prices=prices_of_roll(steps[place])) for place, seat in seats.items() if place in steps
    }
    return EntryAccrual(total, seats | priced)


def _meters_at(rules: Rules, table: Table, without: tuple[Wager, ...] = ()) -> dict[int, MeterSteps]:
    """Return what the meters of a table add to a roll, by seat."""
    if not rules.progressives:
        return {}
    up = (wager for wager in table.position.layout if not wager.pending and wager not in without)
    return meter_steps(rules, table, _wagers_by_place(up))


def _wagers_by_place(wagers: Iterable[Wager]) -> dict[int, list[Wager]]:
    found: dict[int, list[Wager]] = {}
    for wager in wagers:
        found.setdefault(_place(wager), []).append(wager)
    return found


def _standings(
    rules: Rules, wagers: Iterable[Wager], position: Position, *, without: tuple[Wager, ...] = ()
) -> dict[int, list[StandingWager]]:
    """Return wagers by seat, as they stand in a position."""
    found: dict[int, list[StandingWager]] = {}
    clearing = numbers_cleared(rules, position)
    for wager in wagers:
        if not wager.pending and wager not in without:
            stood = _value_of(rules, position.puck, clearing, wager)
            found.setdefault(_place(wager), []).append(stood.standing)
    return found


def _correction(
    before: LiveTable, after: LiveTable, event: t.RollCorrected, carried: dict[int, Fraction]
) -> EntryAccrual:
    """Return what a correction adds: the luck of the right roll less that of the wrong one; all else is theoretical."""
    thrown = before.before_roll
    assert thrown is not None, "a roll can be corrected only while its table before it is known"
    rules, table = _rules_then(before, thrown), _table_after(thrown, event)
    position = table.position
    values, by_place = StandingValues(rules), _standings(rules, position.layout, position)
    meters = _meters_at(rules, table)
    right, wrong = _pair(event.first, event.second), _pair(event.was_first, event.was_second)
    was, now = (_decided_by(rules, position, pair) for pair in (wrong, right)) if _is_settled(before) else ({}, {})
    won = _won_by_correction(before, after)
    seats = {}
    for place in won.keys() | carried.keys() | by_place.keys():
        cents, grown = won.get(place, 0), carried.get(place, ZERO)
        luck = ZERO
        if _is_settled(before):
            steps = values.steps(by_place.get(place, ()))
            if place in meters:
                steps = StandingSteps.together([steps, meters[place].steps])
            luck = Fraction(steps.steps[_PLACES[wrong]] - steps.steps[_PLACES[right]], steps.scale)
        (count, sum_), (count_now, sum_now) = was.get(place, (0, 0)), now.get(place, (0, 0))
        seats[place] = Accrual(
            cents,
            cents + grown - luck,
            luck,
            carried=grown,
            decided=count_now - count,
            wagered=sum_now - sum_,
            corrections=1,
            corrected=luck,
        )
    return EntryAccrual(replace(_total(seats.values()), corrections=1), seats)


def _table_after(thrown: BeforeRoll, event: t.RollCorrected) -> Table:
    """Return the table that the dice came to rest at: what was wagered while they were in the air is on it."""
    place = next(place for place, redone in enumerate(event.redone) if isinstance(redone, e.DiceLanded))
    return fold_game(thrown.game, event.redone[:place])


def _is_settled(live: LiveTable) -> bool:
    """Return whether the roll that is corrected was settled already; otherwise it has moved nothing yet."""
    return live.before_roll is not None and live.track.roll > live.before_roll.track.roll


def _pair(first: int, second: int) -> tuple[int, int]:
    return min(first, second), max(first, second)


def _rules_then(live: LiveTable, thrown: BeforeRoll) -> Rules:
    return rules_under(thrown.house, live.rulebook, thrown.rules, live.automate, limits_apply=has_limits(live))


def _decided_by(rules: Rules, position: Position, pair: tuple[int, int]) -> dict[int, tuple[int, int]]:
    """Return how many wagers of each seat a roll decides, and their cents."""
    decided: dict[int, tuple[int, int]] = {}
    for event in settlement(rules, position, roll_of(*pair)):
        if isinstance(event, e.WagerLost | e.WagerWon):
            count, sum_ = decided.get(_place(event.wager), (0, 0))
            decided[_place(event.wager)] = count + 1, sum_ + event.cents
    return decided


def _won_by_correction(before: LiveTable, after: LiveTable) -> dict[int, int]:
    """Return what a correction moves from each seat to the house: what it lacks in its rack and on the layout.

    A tip that could not be wagered again goes back to its player here, and is the crew's loss.
    """
    held: dict[int, int] = {}
    for live, sign in ((before, 1), (after, -1)):
        money = live.game.money
        for seat, cents in enumerate(money.racks, start=1):
            held[seat] = held.get(seat, 0) + sign * cents
        held[CREW_TIPS] = held.get(CREW_TIPS, 0) + sign * money.tip_box
        for wager in live.game.position.layout:
            held[_place(wager)] = held.get(_place(wager), 0) + sign * wager.cents
    return {place: cents for place, cents in held.items() if cents}
