"""The fast path of making wagers: a wager judged before in the same situation is made again without judging it.

Nine commands in ten are such wagers (./x bench engine). `judge_once` stores every judgement that `make_wager` reaches,
and `make_known_wager` only reads them, so the two cannot disagree. Money is checked every time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from passline.authority.roles import PLAYER
from passline.game import commands as c
from passline.game import events as e
from passline.game.evolve import one_wager_made
from passline.game.judges.proposed_wager import ProposedWager, base_of, is_on_the_line, number_meant
from passline.game.position import Position, Table, Wager, place_of
from passline.refusal import Refusal
from passline.rules.memo import Memo
from passline.rules.rules import Rules, WagerRule


class Judgement(Struct, frozen=True, gc=False):
    """The result of judging a wager apart from money: refusals, or its events and their price."""

    refusals: tuple[Refusal, ...]
    events: tuple[e.Event, ...] = ()
    due: int = 0  # the cents its player's rack must hold
    plain: Wager | None = None  # the wager as it then stands, if it is lawful and `is_plain`


_Place = tuple[int, str, int]  # seat, kind and number
_Key = tuple[c.MakeWager, Wager | None, Wager | None, int, str, str, int]
_JUDGEMENTS: Memo[_Key, Judgement] = Memo()


def _key(rule: WagerRule, position: Position, command: c.MakeWager, standing: Wager | None, base: Wager | None) -> _Key:
    """Return everything a judgement depends on; only odds depend on which point is set."""
    puck = position.puck if rule.behind else position.puck > 0
    clearing = position.is_clearing and position.shooter
    return (command, standing, base, puck, position.dice, position.seats[command.seat - 1], clearing)


def is_plain(proposed: ProposedWager) -> bool:
    """Return whether making or increasing this wager, if lawful, is one event, with no other wager or automation."""
    command, position, seats = proposed.command, proposed.position, proposed.rules.game.seats
    is_own = command.by == PLAYER and command.owner == "player" and command.media == ("chips",) and not command.coupon
    is_quiet = position.dice == "held" and not position.is_clearing
    has_coupon = proposed.standing is not None and proposed.standing.coupon
    return is_own and is_quiet and not (has_coupon or proposed.rule.breakdown or seats.wagering_max)


def judge_once(proposed: ProposedWager, judge: Callable[[ProposedWager], Judgement]) -> Judgement:
    """Return the judgement of a proposed wager: the one remembered, or the one `judge` now makes."""
    known = proposed.rules.memory_of(_JUDGEMENTS)
    key = _key(proposed.rule, proposed.position, proposed.command, proposed.standing, proposed.base)
    judgement = known.get(key)
    if judgement is None:
        judgement = known[key] = judge(proposed)
    return judgement


def make_known_wager(rules: Rules, table: Table, command: c.MakeWager) -> tuple[tuple[e.Event, ...], Table] | None:
    """Return the events of a plain wager judged before and the table after it, or None if it must be judged."""
    position, seat, number = table.position, command.seat, command.number
    if not type(seat) is type(number) is type(command.cents) is type(command.coupon) is int:
        return None  # 1.0 and True equal 1 as keys, but are refused
    try:
        if not 0 < seat <= len(position.seats):
            return None
        base, rule = None, rules.wagers[command.wager]
        if rule.behind:
            number = number_meant(rules, position, rule, number)
            base = base_of(rules, position, rule.kind, seat, number)
        place, standing = place_of(position, seat, rule.kind, number)
        judgement = rules.memos[_JUDGEMENTS].get(_key(rule, position, command, standing, base))
    except (KeyError, TypeError):  # no such wager, or a field that cannot be hashed
        return None
    if judgement is None or judgement.plain is None or judgement.due > table.money.racks[seat - 1]:
        return None
    return judgement.events, one_wager_made(table, judgement.plain, place, standing)


class _Met(Struct, frozen=True, gc=False):
    """A plain wager that was made, and what its judgement depends on beside the roll that is to come."""

    judgement: Judgement
    seated: str
    place: _Place
    standing: Wager | None
    behind: _Place | None  # the place of the wager that it stands behind
    base: Wager | None


_MET: defaultdict[tuple[int, str, bool], Memo[c.MakeWager, _Met]] = defaultdict(Memo)  # by puck, dice and clearing


class WagersInARow:
    """Plain wagers judged before that are made one after another; the table after them is made once.

    As `make_known_wager` for each of them. The fields of commands must have the right types.
    """

    __slots__ = ("_bank", "_judgements", "_met", "_others", "_position", "_racks", "_rules", "_table", "_up")

    def __init__(self, rules: Rules, table: Table) -> None:
        self._rules, self._table, self._position = rules, table, (position := table.position)
        self._judgements = rules.memory_of(_JUDGEMENTS)
        is_clearing = position.is_clearing and bool(position.shooter)
        self._met = rules.memory_of(_MET[position.puck, position.dice, is_clearing])
        layout = position.layout
        self._up = {(up.seat, up.kind, up.number): up for up in layout if up.owner == "player"}
        self._others = [up for up in layout if up.owner != "player"]
        self._racks, self._bank = [*table.money.racks], table.money.bank

    def judgement_of(self, command: c.MakeWager) -> Judgement | None:
        """Return how a wager was judged before, if it is plain and its player has the chips; `make` makes it."""
        met, up = self._met.get(command), self._up
        if (
            met is None
            or up.get(met.place) is not met.standing
            or (met.behind is not None and up.get(met.behind) is not met.base)
            or self._position.seats[command.seat - 1] != met.seated
        ):
            met = self._meet(command)
        if met is None or met.judgement.due > self._racks[command.seat - 1]:
            return None
        return met.judgement

    def _meet(self, command: c.MakeWager) -> _Met | None:
        """Look a wager up, and keep what was found for the next one like it."""
        seat, number, rule = command.seat, command.number, self._rules.wagers.get(command.wager)
        base, behind = None, None
        if rule is None or not 0 < seat <= len(self._racks):
            return None
        if rule.behind:
            is_on_line = is_on_the_line(self._rules, rule.behind)
            number = number_meant(self._rules, self._position, rule, number)
            behind = seat, rule.behind, 0 if is_on_line else number
            base = self._up.get(behind)
        place = seat, rule.kind, number
        standing = self._up.get(place)
        judgement = self._judgements.get(_key(rule, self._position, command, standing, base))
        if judgement is None or judgement.plain is None:
            return None
        seated = self._position.seats[seat - 1]
        met = self._met[command] = _Met(judgement, seated, place, standing, behind, base)
        return met

    def make(self, wager: Wager) -> None:
        """Make a wager that was judged, or let the one that is up become it."""
        place = wager.seat, wager.kind, wager.number
        cents, vigorish = wager.cents, wager.vigorish
        if (standing := self._up.get(place)) is not None:
            cents, vigorish = cents - standing.cents, vigorish - standing.vigorish
        self._up[place] = wager
        self._racks[wager.seat - 1] -= cents + vigorish
        self._bank += vigorish

    def table(self) -> Table:
        """Return the table after them."""
        layout = tuple(sorted([*self._others, *self._up.values()]))
        return replace(
            self._table,
            position=replace(self._position, layout=layout),
            money=replace(self._table.money, racks=tuple(self._racks), bank=self._bank),
        )
