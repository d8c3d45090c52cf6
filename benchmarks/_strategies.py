"""The eight strategies of the engine benchmark, written in Python; they match those of crapssim_table.py."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

from passline.dice import number_code
from passline.game.events import DiceSurrendered, Event, WagerWon
from passline.money import Pays
from passline.rules.rules import Rules
from passline.strategy.interface import BaseStrategy, Seen, Simple, Strategy, TakeDown, Want, Wish

_BOXES = (4, 5, 6, 8, 9, 10)
_HOP = number_code("3-4")


def _kinds(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _line(kind: str, cents: int, seen: Seen) -> tuple[Wish, ...]:
    """Return the line wager before a come-out roll, if it is not up."""
    return () if seen.puck or seen.up(kind) else (Want(kind, 0, cents),)


def pass_with_odds(cents: int, multiple: int) -> Strategy:
    """Pass with odds of a multiple of the line wager. Source: every guide to the game."""

    def wish(seen: Seen) -> tuple[Wish, ...]:
        if seen.puck and seen.up("pass"):
            return (Want("pass_odds", seen.puck, cents * multiple),)
        return _line("pass", cents, seen)

    return Simple(f"pass {cents // 100}, {multiple}x odds", shoots=True, wish=wish, kinds=_kinds("pass pass_odds"))


def _three_points(flat: str, more: str, cents: int, odds: Callable[[int], int], seen: Seen) -> tuple[Wish, ...]:
    """Return the wishes for a line wager and up to two come wagers (`more`), all with odds."""
    if not seen.puck:
        wished: list[Wish] = [*_line(flat, cents, seen)]
    else:
        wished = [Want(f"{flat}_odds", seen.puck, odds(seen.puck))] if seen.up(flat) else []
        travelling = [w for w in seen.mine if w.kind == more]
        if len(travelling) < 2:
            wished.append(Want(more, 0, cents))
    wished += [Want(f"{more}_odds", w.number, odds(w.number)) for w in seen.mine if w.kind == more and w.number]
    return tuple(wished)


def three_point_molly(cents: int, multiple: int) -> Strategy:
    """Pass and two come wagers with odds. Source: John Patrick and many after him."""
    wish = partial(_three_points, "pass", "come", cents, lambda _point: cents * multiple)
    kinds = _kinds("pass pass_odds come come_odds")
    return Simple(f"three-point molly {cents // 100}, {multiple}x", shoots=True, wish=wish, kinds=kinds)


def three_point_dolly(rules: Rules, cents: int) -> Strategy:
    """Don't pass and two don't come wagers, each with odds that win one flat wager. Source: the molly, reversed."""
    payouts = rules.wagers["dont_pass_odds"].payouts

    def lay(point: int) -> int:
        pays: Pays = payouts[point].pays
        return cents * pays.to // pays.pays

    wish = partial(_three_points, "dont_pass", "dont_come", cents, lay)
    kinds = _kinds("dont_pass dont_pass_odds dont_come dont_come_odds")
    return Simple(f"three-point dolly {cents // 100}", shoots=True, wish=wish, kinds=kinds)


def _place(number: int, unit: int) -> Want:
    """Return a place wager of `unit` cents, or of six fifths of it on 6 and 8."""
    return Want("place_win", number, unit * (6 if number in {6, 8} else 5) // 5)


def field_while_on(cents: int, multiple: int) -> Strategy:
    """Iron cross with a pass wager: place 5, 6 and 8 except the point, and the field while the puck is ON."""

    def wish(seen: Seen) -> tuple[Wish, ...]:
        if not seen.puck:
            return _line("pass", cents, seen)
        wished: list[Wish] = [Want("pass_odds", seen.puck, cents * multiple)] if seen.up("pass") else []
        wished += [_place(n, cents) if n != seen.puck else TakeDown("place_win", n) for n in (5, 6, 8)]
        wished.append(Want("field", 0, cents))
        return tuple(wished)

    kinds = _kinds("pass pass_odds place_win field")
    return Simple(f"pass {cents // 100}, iron cross", shoots=True, wish=wish, kinds=kinds)


def pass_and_place(cents: int, place_cents: int) -> Strategy:
    """Pass, and 6 and 8 placed while the puck is ON."""

    def wish(seen: Seen) -> tuple[Wish, ...]:
        if not seen.puck:
            return _line("pass", cents, seen)
        return tuple(Want("place_win", number, place_cents) for number in (6, 8))

    return Simple(f"pass {cents // 100}, place 6 and 8", shoots=True, wish=wish, kinds=_kinds("pass place_win"))


def whirl_buy_lay(whirl: int, buy: int, lay: int) -> Strategy:
    """A whirl every roll, 4 and 10 bought, 5 and 9 laid."""
    wished: tuple[Wish, ...] = (
        Want("whirl", 0, whirl),
        *(Want("buy", number, buy) for number in (4, 10)),
        *(Want("lay", number, lay) for number in (5, 9)),
    )
    return Simple(
        "whirl, buy and lay", shoots=False, wish=lambda _seen: wished, kinds=_kinds("whirl horn any_seven buy lay")
    )


class Hammerlock(BaseStrategy, frozen=True):
    """Pass and don't pass together, full odds on the don't side, and place wagers until two have won in a hand.

    Source: a betting system of the crapssim library. Memory: the place wins of this hand, at most two.
    """

    cents: int
    name: str = "hammerlock"
    shoots: bool = True
    start: Hashable = 0
    kinds: frozenset[str] = frozenset({"pass", "dont_pass", "dont_pass_odds", "place_win"})

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return the place wins of this hand; a loser 7 starts over."""
        assert isinstance(memory, int)
        return 0 if _is_loser_7(happened) else min(memory + len(_places_won(happened)), 2)

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return the line wagers before a come-out roll; otherwise the place wagers of this stage, then the odds."""
        places = [w for w in seen.mine if w.kind == "place_win"]
        if not seen.puck:
            down: list[Wish] = [TakeDown("place_win", w.number) for w in places]
            return (*down, *_line("pass", self.cents, seen), *_line("dont_pass", self.cents, seen))
        stages: tuple[dict[int, int], ...] = ({6: 24, 8: 24}, {5: 10, 6: 12, 8: 12, 9: 10}, {})
        assert isinstance(memory, int)
        stage = stages[memory]
        down = [TakeDown("place_win", w.number) for w in places if w.cents != stage.get(w.number, 0) * self.cents // 10]
        wished: list[Wish] = [*down, *(Want("place_win", n, c * self.cents // 10) for n, c in stage.items())]
        if seen.up("dont_pass"):
            wished.append(Want("dont_pass_odds", seen.puck, self.cents * 6))
        return tuple(wished)


def _is_loser_7(happened: tuple[Event, ...]) -> bool:
    return any(isinstance(event, DiceSurrendered) and event.reason == "loser_7" for event in happened)


def _places_won(happened: tuple[Event, ...]) -> list[int]:
    return [event.wager.number for event in happened if type(event) is WagerWon and event.wager.kind == "place_win"]


_STAGES = (1, 2, 4, 1, 2, 4, 1)  # the amount in units after each hit: pressed twice, then regressed


class PressedPlace(BaseStrategy, frozen=True):
    """One number placed while the puck is ON; hits press it twice, then regress it. A part of `HardHopPress`.

    Memory: the stage of the number, 0 to 6.
    """

    number: int
    cents: int
    shoots: bool = False
    start: Hashable = 0
    kinds: frozenset[str] = frozenset({"place_win"})

    @property
    def name(self) -> str:
        """The number, and what is done with it."""
        return f"place {self.number}, pressed and regressed"

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return the next stage after a hit; a loser 7 starts over."""
        assert isinstance(memory, int)
        if _is_loser_7(happened):
            return self.start
        return min(memory + (self.number in _places_won(happened)), len(_STAGES) - 1)

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return the place wager of this stage while the puck is ON."""
        assert isinstance(memory, int)
        return (_place(self.number, self.cents * _STAGES[memory]),) if seen.puck else ()


class HardHopPress(BaseStrategy, frozen=True):
    """All six numbers placed, each pressed twice by its hits and then regressed; hard 6 and 8, and a hop on 3-4.

    Memory: the stage of each number, 0 to 6; after six hits a number stays at one unit until a loser 7.
    """

    cents: int
    name: str = "place all, pressed and regressed"
    shoots: bool = False
    start: Hashable = (0,) * 6
    kinds: frozenset[str] = frozenset({"place_win", "hardway", "hop"})

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return the stages after a roll: a hit moves its number to the next one; a loser 7 starts over."""
        assert isinstance(memory, tuple)
        if _is_loser_7(happened):
            return self.start
        hits = _places_won(happened)
        if not hits:
            return memory
        return tuple(min(stage + (box in hits), 6) for box, stage in zip(_BOXES, memory, strict=True))

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return the place wagers while the puck is ON, and the hardways and the hop before every roll."""
        assert isinstance(memory, tuple)
        wished: list[Wish] = []
        if seen.puck:
            stages = dict(zip(_BOXES, memory, strict=True))
            wished += [_place(box, self.cents * _STAGES[stages[box]]) for box in (6, 8, 4, 5, 9, 10)]
        return (*wished, *_hards_and_hop(self.cents))

    @property
    def parts(self) -> tuple[Strategy, ...]:
        """The same as independent strategies, because 7^6 stages are too many for one automaton."""
        hards = Simple(
            "hardways and a hop",
            shoots=False,
            wish=lambda _seen: _hards_and_hop(self.cents),
            kinds=_kinds("hardway hop"),
        )
        return (*(PressedPlace(box, self.cents) for box in _BOXES), hards)


def _hards_and_hop(cents: int) -> tuple[Wish, ...]:
    return (Want("hardway", 6, cents), Want("hardway", 8, cents), Want("hop", _HOP, 100))


def lineup(rules: Rules) -> tuple[Strategy, ...]:
    """Return the eight strategies of the engine benchmark, one for each seat."""
    return (
        pass_with_odds(10_00, 2),
        three_point_molly(10_00, 2),
        three_point_dolly(rules, 10_00),
        field_while_on(5_00, 2),
        pass_and_place(10_00, 12_00),
        Hammerlock(10_00),
        whirl_buy_lay(5_00, 25_00, 30_00),
        HardHopPress(5_00),
    )
