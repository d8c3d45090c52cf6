"""A craps table in plain Python that knows nothing of Passline, to hold strategy files against.

It has the wagers that its players make, at the payouts of Maryland: come odds and place wagers are off on a come-out.
"""

from __future__ import annotations

from typing import NamedTuple

Spot = tuple[str, int]
"""A kind of wager and its number; a hop's is 100 + 10 * low + high."""
POINTS = (4, 5, 6, 8, 9, 10)
_ODDS = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
_PLACE = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}
_STAYS, _LOSES, _RETURNS = None, -1, 0


class Rolled(NamedTuple):
    """What a roll did."""

    total: int
    won: tuple[Spot, ...]
    loses_dice: bool


class PlainTable:
    """The rack, the wagers up and the point of one player, in cents."""

    def __init__(self, bankroll: int) -> None:
        self.rack, self.point = bankroll, 0
        self.up: dict[Spot, int] = {}

    @property
    def equity(self) -> int:
        return self.rack + sum(self.up.values())

    def count(self, kind: str) -> int:
        return sum(kind == other for other, _number in self.up)

    def put(self, kind: str, cents: int, number: int = 0) -> None:
        """Bring a wager to an amount; 0 takes it down."""
        self.rack -= cents - self.up.pop((kind, number), 0)
        if cents:
            self.up[kind, number] = cents

    def lift(self, kind: str, cents: int, number: int = 0) -> None:
        """Make or raise a wager, never lower it."""
        if cents > self.up.get((kind, number), 0):
            self.put(kind, cents, number)

    def roll(self, low: int, high: int) -> Rolled:
        """Settle everything, move come wagers, then the puck."""
        total, won = low + high, []
        loses_dice = bool(self.point) and total == 7
        for spot in tuple(self.up):
            paid = self._paid(spot, low, high)
            if paid is _STAYS:
                continue
            stake = self.up.pop(spot)
            self.rack += 0 if paid == _LOSES else stake + paid
            if paid > 0:
                won.append(spot)
        for kind in ("come", "dont_come"):
            if total in POINTS and (kind, 0) in self.up:
                self.up[kind, total] = self.up.pop((kind, 0))
        if not self.point:
            self.point = total if total in POINTS else 0
        elif total in {self.point, 7}:
            self.point = 0
        return Rolled(total, tuple(won), loses_dice)

    def _paid(self, spot: Spot, low: int, high: int) -> int | None:
        """Return what a wager wins, or whether it stays, loses or is returned."""
        kind, number = spot
        total, stake = low + high, self.up[spot]
        if kind in {"pass", "come"}:
            return _line(total, self.point if kind == "pass" else number, stake)
        if kind in {"dont_pass", "dont_come"}:
            against = _line(total, self.point if kind == "dont_pass" else number, stake)
            bars = total == 12 and not (self.point if kind == "dont_pass" else number)
            return _RETURNS if bars else against if against is _STAYS else stake if against == _LOSES else _LOSES
        if kind in {"pass_odds", "come_odds", "dont_come_odds", "place_win"}:
            return self._on_a_number(kind, number, total, stake)
        if kind == "field":
            return 2 * stake if total in {2, 12} else stake if total in {3, 4, 9, 10, 11} else _LOSES
        if kind == "any_seven":
            return 4 * stake if total == 7 else _LOSES
        assert kind == "hop", kind
        return (15 if low != high else 30) * stake if number == 100 + 10 * min(low, high) + max(low, high) else _LOSES

    def _on_a_number(self, kind: str, number: int, total: int, stake: int) -> int | None:
        if total not in {number, 7}:
            return _STAYS
        if kind == "dont_come_odds":
            to, pays = _ODDS[number]
            return stake * pays // to if total == 7 else _LOSES
        if not self.point and kind in {"come_odds", "place_win"}:
            return _RETURNS if kind == "come_odds" else _STAYS
        pays, to = (_PLACE if kind == "place_win" else _ODDS)[number]
        return stake * pays // to if total == number else _LOSES


def _line(total: int, point: int, stake: int) -> int | None:
    if point:
        return stake if total == point else _LOSES if total == 7 else _STAYS
    return stake if total in {7, 11} else _LOSES if total in {2, 3, 12} else _STAYS
