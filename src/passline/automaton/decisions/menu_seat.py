"""The seat of a player who chooses: from any situation, the engine says which acts are lawful and deals every roll.

A *situation* is what stands before the player acts. Whatever may be taken down and made again at once is as good as in
the rack: a *position* is a situation without such wagers, so that odds, which may change before any roll, cost no
positions. An *act* takes down, leaves or raises what is up and makes what the menu has; partly lowering a wager that
cannot be made again is no act.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from passline.automaton.decisions.menu import Menu, MenuItem
from passline.automaton.seat import SeatActs, SeatState, StrategySeat
from passline.game import commands as c
from passline.game.decide import act
from passline.game.notation import format_wager
from passline.game.position import Table, Wager, wagers_of_seat
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.strategy.interface import Seen, Simple
from passline.strategy.moment import Moment
from passline.strategy.vocabulary import can_make

_PLAYER = 2


class Situation(Struct, frozen=True, gc=False, cache_hash=True):
    """A moment before acting: the puck, the closed windows and the player's wagers."""

    puck: int
    closed: tuple[str, ...]
    mine: tuple[Wager, ...]

    def __str__(self) -> str:
        return str(SeatState(self.puck, self.closed, self.mine, None))


class LawfulAct(Struct, frozen=True, gc=False):
    """An act that the engine accepts: the wagers up after it, and in cents the vigorish paid and the equity needed."""

    mine: tuple[Wager, ...]
    paid: int
    outlay: int


class Dealt(Struct, frozen=True, gc=False):
    """What some of the 36 outcomes do to a layout: the change of equity, and the situation after them."""

    weight: int
    cash: int
    after: Situation  # what stands before the player acts again


class _WagerRoll(Struct, frozen=True, gc=False):
    """What an outcome does to one wager, or to the table where there is none."""

    gain: int
    left: tuple[Wager, ...]


class MenuSeat:
    """A player's seat at a table of their own, beside a companion who shoots."""

    def __init__(self, rules: Rules, menu: Menu) -> None:
        self._seat = StrategySeat(rules, Simple("menu", shoots=False, wish=lambda _seen: ()))
        self.rules, self.menu = self._seat.rules, menu
        self._items = menu.items
        self._bases = {kind for kind in menu.kinds if not self.rules.wagers[kind].behind}
        self._tables: dict[tuple[int, tuple[str, ...]], list[tuple[int, tuple[str, ...]]]] = {}
        self._rolls: dict[tuple[int, tuple[str, ...], Wager], list[_WagerRoll]] = {}
        self.start = Situation(0, self._seat.start.closed, ())

    def position_of(self, situation: Situation) -> Situation:
        """Return a situation without the wagers that may be taken down and made again at once."""
        mine = situation.mine
        for wager in sorted(mine, key=lambda wager: not self.rules.wagers[wager.kind].behind):  # odds first
            if wager.kind in self.menu.kinds and not wager.vigorish and self._is_free(situation, mine, wager):
                mine = tuple(other for other in mine if other != wager)
        return situation if mine == situation.mine else Situation(situation.puck, situation.closed, mine)

    def _is_free(self, situation: Situation, mine: tuple[Wager, ...], wager: Wager) -> bool:
        table = self._table(situation, mine)
        without = self._try(table, c.RemoveWager(seat=_PLAYER, wager=wager.kind, number=wager.number))
        return without is not None and table == self._try(without, _make(wager.kind, wager.number, wager.cents))

    def acts(self, position: Situation, most_cents: int) -> Iterator[LawfulAct]:
        """Yield the lawful acts that have at most so much up; to have nothing up is the last of them."""
        tables = [self._table(position, position.mine)]
        held = _vigorish(position.mine)
        for wager in position.mine:
            remove = c.RemoveWager(seat=_PLAYER, wager=wager.kind, number=wager.number)
            tables += [without for table in tables if (without := self._try(table, remove)) is not None]
        for item in self._items:
            tables += [made for table in tables for made in self._tables_with(position, table, item, most_cents)]
        found: dict[tuple[Wager, ...], LawfulAct] = {}
        for table in tables:
            mine = wagers_of_seat(table.position, _PLAYER)
            paid = _vigorish(mine) - held
            outlay = sum(wager.cents for wager in mine) + max(paid, 0)
            if outlay <= most_cents:
                found.setdefault(mine, LawfulAct(mine, paid, outlay))
        yield from sorted(found.values(), key=lambda lawful: not lawful.mine)

    def _tables_with(self, position: Situation, table: Table, item: MenuItem, most_cents: int) -> Iterator[Table]:
        """Yield the table with a wager of the menu made or raised, for each size that the engine accepts."""
        mine = wagers_of_seat(table.position, _PLAYER)
        rule = self.rules.wagers[item.kind]
        seen = Seen(position.puck, is_clearing=False, mine=mine, closed=position.closed)
        up = seen.up(item.kind, item.number)
        if not rule.behind and not up:
            bases = sum(
                wager.kind not in self.rules.wagers or not self.rules.wagers[wager.kind].behind for wager in mine
            )
            if bases >= self.menu.together:
                return
        if not can_make(self.rules, rule, Moment(seen, ()), item.number):
            return
        room = most_cents - sum(wager.cents for wager in mine) + up
        is_accepted = False
        for size in item.sizes_up_to(room):
            if size <= up:
                continue
            made = self._try(table, _make(item.kind, item.number, size - up))
            if made is not None:
                is_accepted = True
                yield made
            elif is_accepted and not item.sizes:
                return  # multiples of one step are refused below a minimum and above a maximum only

    def deal(self, position: Situation, lawful: LawfulAct) -> list[Dealt]:
        """Return what each roll does after an act; outcomes alike in it are one.

        Each wager is settled on its own, as what else lies on a layout makes no difference to it.
        """
        around = self._table_rolls(position)
        rolls = [self._wager_rolls(position, wager) for wager in lawful.mine]
        weights: dict[tuple[int, int, tuple[str, ...], tuple[Wager, ...]], int] = {}
        for outcome, (puck, closed) in enumerate(around):
            cash, left = -lawful.paid, tuple[Wager, ...]()
            for of_wager in rolls:
                rolled = of_wager[outcome]
                cash += rolled.gain
                left += rolled.left
            key = (cash, puck, closed, left)
            weights[key] = weights.get(key, 0) + 1
        return [
            Dealt(weight, cash, Situation(puck, closed, tuple(sorted(left))))
            for (cash, puck, closed, left), weight in weights.items()
        ]

    def _table_rolls(self, position: Situation) -> list[tuple[int, tuple[str, ...]]]:
        key = (position.puck, position.closed)
        known = self._tables.get(key)
        if known is None:
            known = self._tables[key] = [(puck, closed) for puck, closed, _rolled in self._roll(position, ())]
        return known

    def _wager_rolls(self, position: Situation, wager: Wager) -> list[_WagerRoll]:
        key = (position.puck, position.closed, wager)
        known = self._rolls.get(key)
        if known is None:
            known = self._rolls[key] = [rolled for _puck, _closed, rolled in self._roll(position, (wager,))]
        return known

    def _roll(self, position: Situation, mine: tuple[Wager, ...]) -> list[tuple[int, tuple[str, ...], _WagerRoll]]:
        """Return what each of the 36 outcomes does, as the engine deals it: puck, windows and the wagers' fate."""
        table = self._table(position, mine)
        state = SeatState(position.puck, position.closed, mine, None)
        results = {}
        for outcomes, rolled in self._seat.distinct_rolls(state, SeatActs(table, 0, 0, 0, mine)):
            after = rolled.after
            for outcome in outcomes:
                results[outcome] = (after.puck, after.closed, _WagerRoll(rolled.cash, after.mine))
        return [results[outcome] for outcome in sorted(results)]

    def _table(self, situation: Situation, mine: tuple[Wager, ...]) -> Table:
        return self._seat.table_in(SeatState(situation.puck, situation.closed, mine, None))

    def _try(self, table: Table, command: c.Command) -> Table | None:
        outcome = act(self.rules, table, command)
        return None if isinstance(outcome, Refused) else outcome[1]


def act_text(before: tuple[Wager, ...], after: tuple[Wager, ...]) -> str:
    """Return an act in words, as the wagers that differ from those that stood before it.

    >>> passed, odds = Wager(2, "player", "pass", 0, 10_00), Wager(2, "player", "pass_odds", 6, 50_00)
    >>> act_text((passed,), (passed, odds)), act_text((passed,), (passed,)), act_text((odds,), ())
    ('pass_odds 6 50.00', 'nothing', 'take down pass_odds 6 50.00')
    """
    texts = [format_wager(wager, with_seat=False) for wager in after if wager not in before]
    which = {(wager.kind, wager.number) for wager in after}
    gone = [wager for wager in before if (wager.kind, wager.number) not in which]
    texts += [f"take down {format_wager(wager, with_seat=False)}" for wager in gone]
    return "; ".join(texts) or "nothing"


def _make(kind: str, number: int, cents: int) -> c.MakeWager:
    return c.MakeWager(seat=_PLAYER, wager=kind, number=number, cents=cents)


def _vigorish(mine: tuple[Wager, ...]) -> int:
    return sum(wager.vigorish for wager in mine)
