"""Players at the end of a round: what each has after the next roll, by the engine, for each pair of dice."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from passline.automaton.paying import acts_with, face_of
from passline.automaton.seat import SeatActs, SeatState, StrategySeat, outcomes_of
from passline.automaton.standing import PAIRS, gain_of_settlement
from passline.game import events as e
from passline.game.judges.throwing import settle_roll
from passline.game.position import Wager
from passline.rules.rules import Rules


class Holding(Struct, frozen=True, gc=False, cache_hash=True):
    """What a player has between two rolls: a state of the strategy, wagers among it, and the cents in the rack."""

    state: SeatState
    rack: int


def after_acts(seat: StrategySeat, holding: Holding, acts: SeatActs) -> tuple[Holding, ...]:
    """Return what a player has after each pair of dice of `PAIRS`, who has acted so."""
    equity = holding.rack + face_of(holding.state.mine)
    found: dict[int, Holding] = {}
    for outcomes, rolled in seat.distinct_rolls(holding.state, acts):
        after = Holding(rolled.after, equity + rolled.cash - face_of(rolled.after.mine))
        found |= dict.fromkeys(outcomes, after)
    return tuple(found[outcomes_of(pair)[0]] for pair in PAIRS)


class PlannedPlayer:
    """A player whose strategy acts before each roll; what follows from a holding is worked out once."""

    def __init__(self, seat: StrategySeat) -> None:
        self.seat = seat
        self._after: dict[Holding, tuple[Holding, ...]] = {}

    def after_roll(self, holding: Holding) -> tuple[Holding, ...]:
        """Return what the player has after each pair of dice of `PAIRS`."""
        found = self._after.get(holding)
        if found is None:
            acts, _ = acts_with(self.seat, holding.state, holding.rack)
            found = self._after[holding] = after_acts(self.seat, holding, acts)
        return found


class LastRoll:
    """What single wagers leave their player after the last roll, in cents: a wager knows nothing of the others."""

    def __init__(self, rules: Rules, *, are_lost: bool) -> None:
        self._rules, self._are_lost = rules, are_lost
        self._left: dict[tuple[int, Wager], tuple[int, ...]] = {}

    def cents_left(self, seat: StrategySeat, state: SeatState, wager: Wager) -> tuple[int, ...]:
        """Return what the player has of a wager after each pair of dice: stake and winnings, or nothing."""
        key = (state.puck, wager)
        found = self._left.get(key)
        if found is None:
            position = replace(seat.table_in(state).position, puck=state.puck, layout=(wager,))
            found = tuple(self._cents_after(wager, settle_roll(self._rules, position, pair)) for pair in PAIRS)
            self._left[key] = found
        return found

    def _cents_after(self, wager: Wager, happened: Sequence[e.Event]) -> int:
        cents, left, is_up = wager.cents, wager, True
        for event in happened:
            if isinstance(event, e.WagerWon | e.WagerLost | e.WagerReturned):
                cents += gain_of_settlement(event)
                is_up = getattr(event, "after", None) is not None
            left = getattr(event, "after", None) or left
        if not is_up:
            return cents
        return cents - left.cents if self._are_lost else cents + left.vigorish
