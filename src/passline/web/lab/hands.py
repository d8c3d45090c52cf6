"""A session on the dice of a seed, shooter by shooter: what was done and why, what was paid, and the felt between."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from passline.automaton.arrays import ENDINGS
from passline.automaton.real_table import RealTable
from passline.automaton.terms import check_policy
from passline.automaton.told import ToldWish
from passline.automaton.told_play import told_wishes
from passline.dice import Roll
from passline.game import events as e
from passline.game.hand_files import HandStep
from passline.game.hand_files.story import roll_title, step_lines
from passline.game.position import Table
from passline.layout.geometry import layout_of
from passline.simulation.replay import replay
from passline.tables.views.table_view import wager_view
from passline.web.lab.answers import LabHand, LabHands, LabRoll
from passline.web.lab.questions import HandsAsked
from passline.web.lab.written import rules_asked, strategy_asked, terms_asked

_PLAYER = 2
_NAMES = {1: "The companion", _PLAYER: "The player"}
_UNTOLD = (  # the heading and the felt show it, or nothing comes of it
    *(e.PuckMoved, e.DiceOffered, e.DiceAccepted, e.DiceDeclined, e.DicePassed, e.DiceSurrendered),
    *(e.DiceThrown, e.DiceLanded, e.RollCalled, e.RollSettled),
)


class _Seen(Struct, frozen=True):
    """A roll as the table had it: the wishes before it, the steps of acting and rolling, and whether a hand ended."""

    wishes: tuple[ToldWish, ...]
    acted: HandStep | None
    rolled: HandStep
    ends_hand: bool


class _ToldTable(RealTable):
    """A table that keeps what happened at it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as a RealTable is made
        super().__init__(*args, **kwargs)
        self.seen: list[_Seen] = []
        self._wishes: tuple[ToldWish, ...] = ()
        self._acted: HandStep | None = None

    def acts(self, floor_cents: int = 0) -> bool:
        """Let the strategy act, and keep why."""
        before, self._acted = self.table, None
        self._wishes = tuple(told_wishes(self.rules, self.strategy, self.sight(), self.memory))
        could = super().acts(floor_cents)
        if could:
            self._acted = self._step("acts", before)
        return could

    def roll(self, roll: Roll) -> int:
        """Roll the dice, and keep what came of it; what is up then is the companion's too."""
        before = self.table
        marks = super().roll(roll)
        ended = any(isinstance(event, e.DiceSurrendered) for event in self.happened)
        self.seen.append(_Seen(self._wishes, self._acted, self._step("rolls", before), ended))
        self._wishes, self._acted = (), None
        return marks

    def _step(self, text: str, before: Table) -> HandStep:
        return HandStep(text, self.rules, before, self.table, self.happened, "", _NAMES)


def told_hands(asked: HandsAsked) -> LabHands:
    """Play a session on the dice of a seed; raise StrategyError or UnlawfulWish where it cannot be played."""
    rules, session = rules_asked(asked.house), asked.session
    strategy, terms = strategy_asked(asked.strategy, rules), terms_asked(session)
    check_policy(session.short)
    tables: list[_ToldTable] = []

    def at(*args: Any, **kwargs: Any) -> _ToldTable:  # noqa: ANN401 - as a RealTable is made
        tables.append(_ToldTable(*args, **kwargs))
        return tables[0]

    steps = replay(rules, strategy, terms, seed=asked.seed, session=0, short=session.short, at=at)
    equities, sits, ending = [terms.bankroll_cents], [False], ""
    for step in steps:
        if step.roll is not None:
            equities.append(step.equity_cents)
        sits.append(step.sits_out)
        if step.ending is not None:
            ending = ENDINGS[step.ending]
        if step.rolls >= asked.rolls:
            break
    table = tables[0]
    hands: list[LabHand] = []
    rolls: list[LabRoll] = []
    in_hand = 0
    for number, seen in enumerate(table.seen, start=1):
        in_hand += 1
        rolls.append(_roll_of(seen, number, in_hand, equities[number], is_sitting_out=sits[number]))
        if seen.ends_hand:
            hands.append(LabHand(len(hands) + 1, equities[number - len(rolls)], tuple(rolls)))
            rolls, in_hand = [], 0
    if rolls:
        hands.append(LabHand(len(hands) + 1, equities[len(table.seen) - len(rolls)], tuple(rolls)))
    limits = (rules.house.wager_cents_min, rules.house.wager_cents_max)
    return LabHands(strategy.name, asked.seed, layout_of(rules), tuple(hands), ending, limits)


def _roll_of(seen: _Seen, number: int, in_hand: int, equity_cents: int, *, is_sitting_out: bool) -> LabRoll:
    rolled = seen.rolled
    settled = next(event for event in rolled.happened if isinstance(event, e.RollSettled))
    return LabRoll(
        roll=number,
        first=settled.first,
        second=settled.second,
        title=roll_title(rolled, settled, in_hand),
        puck=rolled.before.position.puck,
        puck_after=rolled.after.position.puck,
        wishes=seen.wishes,
        acts=_lines(seen.acted, has_roll=False) if seen.acted else (),
        decided=_lines(rolled, has_roll=True),
        up=_own_wagers(rolled, rolled.before),
        left=_own_wagers(rolled, rolled.after),
        equity_cents=equity_cents,
        is_sitting_out=is_sitting_out,
    )


def _lines(step: HandStep, *, has_roll: bool) -> tuple[str, ...]:
    """Return what happened to the player and to everybody; not what the other player wagers, nor how the dice go on."""
    own = tuple(event for event in step.happened if _is_told(event))
    told = HandStep(step.text, step.rules, step.before, step.after, own, step.refused, step.names)
    return tuple(line for line in step_lines(told, has_roll=has_roll) if not line.startswith(_NAMES[1]))


def _is_told(event: e.Event) -> bool:
    wager = getattr(event, "wager", None)
    return not isinstance(event, _UNTOLD) and (wager is None or getattr(wager, "seat", _PLAYER) == _PLAYER)


def _own_wagers(step: HandStep, table: Table) -> tuple[dict[str, Any], ...]:
    return tuple(
        wager_view(step.rules, table.position, wager) for wager in table.position.layout if wager.seat == _PLAYER
    )
