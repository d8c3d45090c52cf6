"""A table whose players are strategies: each wish becomes a command to the real engine."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import islice

from passline.dice_sources import seeded_rolls
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game.decide import act
from passline.game.events import DiceSurrendered, Event, WagerLost, WagerReturned, WagerWon
from passline.game.position import Table, Wager, open_table
from passline.money import dollar_amount, in_currency
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.strategy.interface import (
    AFTER_EVENTS,
    ROLL_EVENTS,
    BaseStrategy,
    Call,
    Seen,
    Simple,
    Strategy,
    StrategyError,
    TakeDown,
    Want,
    Wish,
    commands_of,
    wish_text,
)
from passline.strategy.purse import Purse, SeenMoney

_SETTLED = frozenset({WagerWon, WagerLost, WagerReturned})


class UnlawfulWish(CrapsError):
    """A wish that the rules refuse for a reason other than money; `refused` is the refusal alone, with its clauses."""

    def __init__(self, message: str, refused: object = "") -> None:
        super().__init__(message)
        self.refused = str(refused)


def _wish_text(rules: Rules, command: c.Command) -> str:
    """Return the wish behind a command in words."""
    if isinstance(command, c.MakeWager):
        return wish_text(rules, Want(command.wager, command.number, command.cents))
    if isinstance(command, c.CallWager):
        return wish_text(rules, Call(command.wager, command.number, "on" if command.call == "on" else "off"))
    if isinstance(command, c.ReduceWager):
        down = wish_text(rules, TakeDown(command.wager, command.number))
        return f"{down} by {in_currency(dollar_amount(command.cents), rules.rulebook.general.currency)}"
    assert isinstance(command, c.RemoveWager)
    return wish_text(rules, TakeDown(command.wager, command.number))


def _act_text(rules: Rules, command: c.Command) -> str:
    """Return what a player does at the table beside wagering."""
    if isinstance(command, c.BuyIn):
        amount = in_currency(dollar_amount(command.cents, is_grouped=True), rules.rulebook.general.currency)
        return f"buy in for {amount}"
    return {c.TakeSeat: "take the seat", c.AcceptDice: "take the dice"}.get(type(command), "pass the dice")


class StrategyTable:
    """One table with a strategy at each seat; wagers that a player cannot pay for are not made.

    With `shooter`, the player at that seat alone takes the dice.
    """

    def __init__(self, rules: Rules, strategies: Sequence[Strategy], *, shooter: int = 0) -> None:
        self.rules = rules
        self._shooter = shooter
        self.strategies = tuple(strategies)
        self.memories: list[Hashable] = []
        self.table: Table = open_table(rules)
        self.rolls = 0
        self.happened: tuple[Event, ...] = ()  # on the last roll
        self._commands: list[dict[Hashable, tuple[c.Command, ...]]] = [{} for _ in strategies]
        self._interned: dict[c.Command, c.Command] = {}  # one object per command, so that its hash is computed once
        self._remembering = [seat for seat, strategy in enumerate(strategies, 1) if strategy.start is not None]
        self._hearing = [seat for seat in self._remembering if strategies[seat - 1].hears_rolls]
        self._seeing = frozenset(seat for seat in self._remembering if strategies[seat - 1].sees_after)
        self._purses: dict[int, Purse] = {}  # of the seats whose strategies read their money

    def open(self, bankroll: int | Sequence[int]) -> None:
        """Begin a session: an empty table, every player seated with this bankroll, or their own, and a fresh memory."""
        bankrolls = [bankroll] * len(self.strategies) if isinstance(bankroll, int) else bankroll
        self.memories = [strategy.start for strategy in self.strategies]
        self.table = open_table(self.rules)
        self.rolls = 0
        self._purses = {
            seat: Purse(cents)
            for seat, (strategy, cents) in enumerate(zip(self.strategies, bankrolls, strict=True), start=1)
            if strategy.reads_money
        }
        for seat, cents in enumerate(bankrolls, start=1):
            self._must(c.TakeSeat(seat=seat))
            self._must(c.BuyIn(seat=seat, cents=cents))

    def play(self, dice: Iterable[tuple[int, int]]) -> int:
        """Play these dice, everybody acting before each roll, until nobody will shoot; return the number of rolls.

        Raise StrategyError if nobody ever would, since no strategy makes a line wager.
        """
        if not any(strategy.shoots for strategy in self.strategies):
            names = " and ".join(strategy.name for strategy in self.strategies)
            raise StrategyError(
                f"{names}: no line wager is ever made, so nobody shoots and no dice are thrown; seat a shooter too, "
                "such as strategy_of('pass', rules)"
            )
        for first, second in dice:
            if not self._somebody_shoots():
                break
            self._everybody_acts()
            outcome = act(self.rules, self.table, c.RollDice(first=first, second=second))
            if isinstance(outcome, Refused):
                if not self._shooter_gives_up():
                    break
                continue
            self.happened, self.table = outcome
            self.rolls += 1
            for seat, purse in self._purses.items():
                purse.settle(self._equity(seat))
            self._everybody_remembers(self.happened)
            if self._purses and any(type(event) is DiceSurrendered for event in self.happened):
                for seat, purse in self._purses.items():
                    purse.end_hand(self._equity(seat))
        return self.rolls

    def _equity(self, seat: int) -> int:
        up = sum(wager.cents for wager in self.table.position.layout if wager.seat == seat)
        return self.table.money.racks[seat - 1] + up

    def _money(self, seat: int) -> SeenMoney | None:
        purse = self._purses.get(seat)
        return purse.sight(self._equity(seat), rack_cents=self.table.money.racks[seat - 1]) if purse else None

    def _must(self, command: c.Command) -> None:
        outcome = act(self.rules, self.table, command)
        if isinstance(outcome, Refused):
            raise UnlawfulWish(f"a player cannot {_act_text(self.rules, command)}: {outcome}", outcome)
        self.table = outcome[1]

    def _somebody_shoots(self) -> bool:
        """Offer the dice to each player in turn until one takes them; return whether one did."""
        for _ in self.strategies:
            position = self.table.position
            if position.dice != "offered":
                break
            seat = position.offered_to
            wants = (
                self._shooter in {0, seat}
                and self.strategies[seat - 1].shoots
                and self.table.money.racks[seat - 1] >= self.rules.wagers["pass"].min
            )
            self._must(c.AcceptDice(seat=seat) if wants else c.DeclineDice(seat=seat))
        return self.table.position.dice == "held"

    def _shooter_gives_up(self) -> bool:
        """Let a shooter who cannot pay for a line wager decline it; return whether that is allowed."""
        position = self.table.position
        outcome = act(self.rules, self.table, c.DeclineLineWager(seat=position.shooter))
        if isinstance(outcome, Refused):
            return False
        self.table = outcome[1]
        return True

    def _everybody_acts(self) -> None:
        position = self.table.position
        puck, is_clearing, closed = position.puck, position.is_clearing, position.closed
        mine: list[list[Wager]] = [[] for _ in self.strategies]
        for wager in position.layout:
            mine[wager.seat - 1].append(wager)
        for index, (wagers, memory, known) in enumerate(zip(mine, self.memories, self._commands, strict=True)):
            key = (puck, is_clearing, tuple(wagers), closed, memory)
            commands = known.get(key)
            if commands is None:
                money = self._money(index + 1)
                seen = Seen(*key[:4], money=money)
                wished = commands_of(self.rules, index + 1, seen, self.strategies[index].wishes(seen, memory))
                commands = tuple(self._interned.setdefault(command, command) for _wish, command in wished)
                if money is None:  # else the same position may not come again with the same money
                    known[key] = commands
            if commands:
                self._carry_out(index, commands)

    def _carry_out(self, index: int, commands: tuple[c.Command, ...]) -> None:
        rules, table, is_short = self.rules, self.table, False
        for command in commands:
            if type(command) is c.MakeWager and command.cents > table.money.racks[index]:
                is_short = True
                continue
            outcome = act(rules, table, command)
            if isinstance(outcome, Refused):
                if not is_short:  # otherwise it may depend on a wager that could not be paid for
                    self._check_is_money(index, command, outcome)
                is_short = True
            else:
                table = outcome[1]
        self.table = table

    def _check_is_money(self, index: int, command: c.Command, refused: Refused) -> None:
        if not all(refusal.is_money for refusal in refused.refusals):
            name, said = self.strategies[index].name, _wish_text(self.rules, command)
            raise UnlawfulWish(f"{name} wishes to {said}, which is refused: {refused}", refused)

    def _everybody_remembers(self, happened: tuple[Event, ...]) -> None:
        for seat, events in self._own_events(happened).items():
            memory, strategy = self.memories[seat - 1], self.strategies[seat - 1]
            if seat in self._seeing:
                self.memories[seat - 1] = strategy.remember_seen(memory, tuple(events), self._seen_after(seat))
            else:
                self.memories[seat - 1] = strategy.remember(memory, tuple(events))

    def _own_events(self, happened: tuple[Event, ...]) -> dict[int, list[Event]]:
        """Return what each player who remembers hears of a roll."""
        own: dict[int, list[Event]] = {seat: [] for seat in self._remembering}
        of_wagers = _SETTLED | AFTER_EVENTS if self._seeing else _SETTLED
        for event in happened:
            kind = type(event)
            if kind in of_wagers:
                seat = event.wager.seat  # type: ignore[union-attr]  # these events all name a wager
                if seat in own and (kind in _SETTLED or seat in self._seeing):
                    own[seat].append(event)
            elif kind is DiceSurrendered:
                for events in own.values():
                    events.append(event)
            elif self._hearing and kind in ROLL_EVENTS:
                for seat in self._hearing:
                    own[seat].append(event)
        return own

    def _seen_after(self, seat: int) -> Seen:
        """Return what a player sees after a roll."""
        position = self.table.position
        mine = tuple(wager for wager in position.layout if wager.seat == seat)
        return Seen(position.puck, position.is_clearing, mine, position.closed, self._money(seat))


_ROLLS = 600  # some eighty hands: every point, and most streaks that a strategy can remember
_BANKROLL = 10**9
_USUAL_BANKROLLS = (1_000_00, 100_000_00)  # for a strategy that wagers by its money, and would wager too much of more


class _Offered(BaseStrategy, frozen=True):
    """A strategy without its wishes for wagers that the house does not offer: only the house decides about those."""

    strategy: Strategy
    rules: Rules
    name: str
    shoots: bool
    hears_rolls: bool
    start: Hashable
    reads_money: frozenset[str]
    sees_after: bool

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return its memory after a roll."""
        return self.strategy.remember(memory, happened)

    def remember_seen(self, memory: Hashable, happened: tuple[Event, ...], seen: Seen) -> Hashable:
        """Return its memory after a roll, by what it sees then."""
        return self.strategy.remember_seen(memory, happened, seen)

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Wish, ...]:
        """Return its wishes for what is offered."""
        wished = self.strategy.wishes(seen, memory)
        return tuple(wish for wish in wished if self.rules.wagers[wish.kind].is_offered)


def fault_in_play(strategy: Strategy, rules: Rules) -> str:
    """Play a strategy with all the money it wants; return the refusal of the first wish that the rules refuse, or "".

    One that reads its money may play with less, for whoever wagers a share of it wagers too much of what nobody has.

    >>> from passline.strategy.lookup import strategy_of
    >>> colorado = Rules.of("colorado")
    >>> fault_in_play(strategy_of("pass", colorado), colorado)
    ''
    >>> fault_in_play(strategy_of("six_eight:unit=$130", colorado), colorado)[:62]
    'six_eight:unit=13000 wishes to make Place Bet to Win 6 for $13'
    """
    bankrolls = (_BANKROLL, *(_USUAL_BANKROLLS if strategy.reads_money else ()))
    faults = (_fault_from(bankroll, strategy, rules) for bankroll in bankrolls)
    first = next(faults)
    return "" if not first or "" in faults else first


def _fault_from(bankroll_cents: int, strategy: Strategy, rules: Rules) -> str:
    """Return the refusal of the first wish that the rules refuse a strategy with a bankroll; "" if there is none."""

    def least(seen: Seen) -> tuple[Wish, ...]:
        return () if seen.puck else (Want("pass", 0, rules.wagers["pass"].min),)

    offered = _Offered(
        strategy,
        rules,
        strategy.name,
        strategy.shoots,
        strategy.hears_rolls,
        strategy.start,
        strategy.reads_money,
        strategy.sees_after,
    )
    table = StrategyTable(rules, [Simple("the shooter", shoots=True, wish=least), offered])
    table.open(bankroll_cents)
    try:
        table.play((roll.first, roll.second) for roll in islice(seeded_rolls(18), _ROLLS))
    except (UnlawfulWish, StrategyError) as error:
        return str(error)
    return ""
