"""Events in words, one line each: who, what, how much, the arithmetic, and the clause."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from passline.dice import OUTCOMES, number_text
from passline.game import events as e
from passline.game.position import Wager
from passline.game.settlement import coupon_share
from passline.game.wagers import count_of
from passline.money import dollars
from passline.rules.machines import CompiledMachine
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import METER_UNIT, Collection, Hand, Run

_NOBODY: Mapping[int, str] = {}
_Names = Mapping[int, str]
_TOTALS = sorted({roll.total for roll in OUTCOMES})


def _by_slip(slip: str) -> str:
    return f", by slip {slip}" if slip else ""


def seat_name(seat: int, names: _Names = _NOBODY) -> str:
    """Return the name of the player at a seat, or the seat itself.

    >>> seat_name(1, {1: "Ann"}), seat_name(2)
    ('Ann', 'seat 2')
    """
    return names.get(seat) or f"seat {seat}"


def wager_text(wager: Wager, *, part: str = "") -> str:
    """Return a wager's kind, part and number as commands and hand files write them.

    >>> wager_text(Wager(1, "player", "place_win", 6, 12_00))
    'place_win 6'
    >>> wager_text(Wager(1, "player", "whirl", 0, 5_00), part="eleven")
    'whirl/eleven'
    """
    kind = f"{wager.kind}/{part}" if part else wager.kind
    return f"{kind} {number_text(wager.number)}" if wager.number else kind


def progress_text(rule: WagerRule, progress: tuple[int, ...]) -> str:
    """Return what a side wager has counted, in words.

    >>> small, fire = Rules.of("maryland").wagers["small"], Rules.of("maryland").wagers["fire"]
    >>> progress_text(small, (1 << 2 | 1 << 5,)), progress_text(fire, (1, 1 << 4)), progress_text(fire, ())
    ('2 of 5 (2, 5)', '1 counted (4)', 'nothing counted')
    """
    entry = rule.entry
    if rule.machine is not None:
        return _memory_text(rule.machine, progress)
    if isinstance(entry, Run) and not (progress and progress[0]):
        return "no initial point"
    totals = [str(total) for total in _TOTALS if progress and progress[-1] & 1 << total]
    listed = f" ({', '.join(totals)})" if totals else ""
    if isinstance(entry, Collection):
        return f"{len(totals)} of {len(entry.needs.totals)}{listed}"
    if isinstance(entry, Run):
        return f"initial point {progress[0]}, {len(totals)} hit{listed}"
    count = count_of(rule, progress) if isinstance(entry, Hand) else 0
    is_set = isinstance(entry, Hand) and entry.counts == "distinct_points"
    return f"{count} counted{listed if is_set else ''}" if count else "nothing counted"


def _memory_text(machine: CompiledMachine, progress: tuple[int, ...]) -> str:
    """Return what a machine shows of its memory, or all of it where it shows nothing of its own."""
    lit = machine.lit(progress)
    listed = f" ({', '.join(map(str, lit))})" if lit else ""
    if machine.entry.shows:
        count = machine.marker_count(progress)
        return f"{count} counted{listed}" if count or listed else "nothing counted"
    return (
        ", ".join(f"{name} {value}" for name, value in machine.numbers_by_name(progress) if value) or "nothing counted"
    )


def format_event(event: e.Event, rules: Rules, names: _Names = _NOBODY, *, as_keys: bool = False) -> str:
    """Return an event as a line for people; `names` gives the players' names by seat.

    With `as_keys` wagers and reasons are written as commands and hand files write them.

    >>> from passline.money import Pays
    >>> wager = Wager(1, "player", "place_win", 6, 12_00)
    >>> won = e.WagerWon(wager, None, "", 12_00, Pays(7, to=6), 14_00, 0, "MD-3.A.5.b, MD-5.A.7")
    >>> format_event(won, Rules.of("maryland"), {1: "Ann"})
    'Ann Place 6 wins 14.00 (12.00 at 7 to 6) [MD-3.A.5.b, MD-5.A.7]'
    """
    text: str = _SENTENCES[type(event)](event, _Teller(rules, names, as_keys=as_keys))
    clause = getattr(event, "clause", "") or getattr(event, "breach", "")
    return f"{text} [{clause}]" if clause else text


class _Teller:
    """The names that sentences use: of players, wagers and reasons."""

    def __init__(self, rules: Rules, names: _Names, *, as_keys: bool) -> None:
        self.rules = rules
        self.names = names
        self.as_keys = as_keys

    def who(self, seat: int) -> str:
        return seat_name(seat, self.names)

    def whose(self, wager: Wager, *, part: str = "") -> str:
        owner = "" if wager.owner == "player" else f" for the {wager.owner}"
        return f"{self.who(wager.seat)} {self.wager(wager, part)}{owner}"

    def wager(self, wager: Wager, part: str = "") -> str:
        if self.as_keys:
            return wager_text(wager, part=part)
        name = self.rules.wagers[wager.kind].display_name(wager.number)
        return f"{name} ({self.rules.part_name(part)})" if part else name

    def kind(self, kind: str) -> str:
        return kind if self.as_keys else self.rules.wagers[kind].display_name()

    def words(self, key: str) -> str:
        return key if self.as_keys else key.replace("_", " ")

    def charge(self, wager: Wager, cents: int, clause: str) -> str:
        """Return an amount of vigorish, with its clause if the event does not cite it."""
        vigorish = self.rules.wagers[wager.kind].vigorish
        amount, by = dollars(abs(cents)), vigorish.clause(wager.number) if vigorish else ""
        return amount if by in clause else f"{amount} [{by}]"


def _tell_made(event: e.WagerMade, tell: _Teller) -> str:
    after = event.after
    more = f" and pays vigorish {tell.charge(after, after.vigorish, event.clause)}" if after.vigorish else ""
    more += f" with a coupon of {dollars(after.coupon)}" if after.coupon else ""
    return f"{tell.whose(after)} is made for {dollars(after.cents)}{more}{_owes(after)}"


def _owes(wager: Wager) -> str:
    return f", if confirmed by {' and '.join(wager.pending).replace('|', ' or ')}" if wager.pending else ""


def _tell_changed(event: e.WagerIncreased | e.WagerReduced, tell: _Teller) -> str:
    before, after = event.wager, event.after
    by, charged = after.cents - before.cents, after.vigorish - before.vigorish
    verb, how = ("grows", "paid") if isinstance(event, e.WagerIncreased) else ("is reduced", "refunded")
    more = f", vigorish {how} {tell.charge(after, charged, event.clause)}" if charged else ""
    return f"{tell.whose(after)} {verb} by {dollars(abs(by))} to {dollars(after.cents)}{more}{_owes(after)}"


def _tell_removed(event: e.WagerRemoved, tell: _Teller) -> str:
    wager = event.wager
    more = f", vigorish refunded {tell.charge(wager, wager.vigorish, event.clause)}" if wager.vigorish else ""
    return f"{tell.whose(wager)} is removed, {dollars(wager.cents)}{_payee(wager)}{more}"


def _payee(wager: Wager) -> str:
    """Return where the chips of a wager go if they are not its player's."""
    return "" if wager.owner == "player" else " to the tip box"


def _tell_meter_closed(event: e.MeterClosed, tell: _Teller) -> str:
    told = f"the meter of {tell.kind(event.kind)}, at {dollars(event.meter // METER_UNIT)}, is closed: {event.reason}"
    if event.into:
        told += f"; what is above its base goes to the meter of {tell.kind(event.into)}"
    elif event.above:
        told += f"; what is above its base, {dollars(event.cents)}, is handed out as {_A[event.above]}"
    papers = ", ".join(f"{body} {paper}" for body, paper in event.agreed.items())
    return f"{told}; agreed: {papers}" if papers else told


_A = {"award": "an award", "prize": "a prize"}


def _tell_won(event: e.WagerWon, tell: _Teller) -> str:
    wager = event.wager
    is_up = event.after is not None and not event.part  # it was paid and stays up
    cents = wager.cents if is_up else event.cents
    sums = f"{dollars(cents)} at {event.pays}"
    if event.pays.is_for:
        sums += f": {dollars(event.winnings + cents)} with the stake"
    coupon = coupon_share(tell.rules.wagers[wager.kind], wager, event.part) if wager.coupon else 0
    if coupon:
        sums += f", matched by a coupon of {dollars(coupon)}"
    if event.pays.on(cents + coupon) != event.winnings:
        sums += ", rounded up"
    net = event.winnings - event.vigorish
    less = f", less vigorish {dollars(event.vigorish)} leaves {dollars(net)}" if event.vigorish else ""
    stays = ", and stays up" if is_up else ""
    return f"{tell.whose(wager, part=event.part)} wins {dollars(event.winnings)}{_payee(wager)} ({sums}){less}{stays}"


def _tell_declined(event: e.DiceDeclined, tell: _Teller) -> str:
    then = f"; they go to {tell.who(event.offered_to)}" if event.offered_to else ""
    return f"{tell.who(event.seat)} declines the dice{then}"


def _bought_in(event: e.BuyInMade, tell: _Teller) -> str:
    more = f" and brings a coupon of {dollars(event.coupon)}" if event.coupon else ""
    return f"{tell.who(event.seat)} changes {dollars(event.cents)} for chips{more}"


def _tell_left(event: e.SeatLeft, tell: _Teller) -> str:
    more = f" and a coupon of {dollars(event.coupon)}" if event.coupon else ""
    return f"{tell.who(event.seat)} leaves with {dollars(event.cents)}{more}"


def _tell_voided(event: e.RollVoided, tell: _Teller) -> str:
    by = f" called by the {event.by}" if event.by else ""
    return f"no roll{by}: {tell.words(event.reason)}" + (", called late" if event.is_late else "")


def _tell_chosen(event: e.DiceChosen, tell: _Teller) -> str:
    dice = " and ".join(map(str, event.chosen))
    return f"{tell.who(event.seat)} picks dice {dice}; {event.cupped} go back to the {event.controlled_by}'s cup"


def _tell_called(event: e.WagerCalled | e.CallLapsed, tell: _Teller) -> str:
    if not event.after.working:
        return f"{tell.whose(event.wager)} is no longer called {event.wager.working.rstrip('?')}"
    return f"{tell.whose(event.wager)} is called {event.after.working.rstrip('?')}"


_CLEARED = {
    "decided": "the come wagers are cleared",
    "removed": "no come wager is left to clear",
    "line_wager": "a line wager ends the clearing of come wagers",
    "given_up": "the clearing of come wagers ends with the shooter's turn",
}
_SENTENCES: dict[type, Callable[[Any, _Teller], str]] = {
    e.SeatTaken: lambda event, tell: f"{tell.who(event.seat)} comes to the table" + " to watch" * event.is_employee,
    e.SeatLeft: _tell_left,
    e.PlayerStood: lambda event, tell: (
        f"{tell.who(event.seat)} stands up{' while wagers are up, a breach' * bool(event.breach)}"
    ),
    e.PlayerSat: lambda event, tell: f"{tell.who(event.seat)} sits down",
    e.BuyInMade: _bought_in,
    e.FillMade: lambda event, _tell: f"a fill brings {dollars(event.cents)} to the bank{_by_slip(event.slip)}",
    e.CreditMade: lambda event, _tell: f"a credit takes {dollars(event.cents)} from the bank{_by_slip(event.slip)}",
    e.WagerMade: _tell_made,
    e.WagerIncreased: _tell_changed,
    e.WagerReduced: _tell_changed,
    e.WagerRemoved: _tell_removed,
    e.WagerCalled: _tell_called,
    e.ButtonPlaced: lambda event, tell: f"{tell.whose(event.wager)} gets the {event.after.working.upper()} button",
    e.CallLapsed: _tell_called,
    e.WagerConfirmed: lambda event, tell: (
        f"{tell.whose(event.wager)} is confirmed by the {event.by}{_owes(event.after)}"
    ),
    e.WagerLost: lambda event, tell: f"{tell.whose(event.wager, part=event.part)} loses {dollars(event.cents)}",
    e.WagerWon: _tell_won,
    e.MeterRaised: lambda event, tell: (
        f"the meter of {tell.kind(event.kind)} rises to {dollars(event.meter // METER_UNIT)}"
    ),
    e.MeterPaid: lambda event, tell: (
        f"{tell.whose(event.wager)} is paid {dollars(event.cents)} from the meter{_payee(event.wager)}, which stands at"
        f" {dollars(event.meter // METER_UNIT)}"
    ),
    e.MeterClosed: _tell_meter_closed,
    e.MeterOpened: lambda event, tell: (
        f"the meter of {tell.kind(event.kind)} is open again, at {dollars(event.meter // METER_UNIT)}"
    ),
    e.WagerReturned: lambda event, tell: (
        f"{tell.whose(event.wager)} is returned, {dollars(event.wager.cents)}{_payee(event.wager)}"
    ),
    e.WagerMoved: lambda event, tell: f"{tell.whose(event.wager)} moves to {number_text(event.after.number)}",
    e.WagerProgressed: lambda event, tell: (
        f"{tell.whose(event.after)}: {progress_text(tell.rules.wagers[event.after.kind], event.after.progress)}"
    ),
    e.WindowClosed: lambda event, tell: f"the window {tell.words(event.window)} closes for this hand",
    e.SurveillanceNotified: lambda event, tell: (
        f"surveillance is told: {tell.kind(event.kind)} has counted {event.count}"
    ),
    e.DiceOffered: lambda event, tell: f"{event.dice} dice are offered to {tell.who(event.seat)}",
    e.DiceAccepted: lambda event, tell: f"{tell.who(event.seat)} is the shooter",
    e.DiceDeclined: _tell_declined,
    e.DiceChosen: _tell_chosen,
    e.DiceSurrendered: lambda event, tell: (
        f"{tell.who(event.seat)} gives up the dice: {event.reason.replace('_', ' ')}"
    ),
    e.DiceCupped: lambda _event, _tell: "the dice are back in the cup",
    e.LineWagerDeclined: lambda event, tell: f"{tell.who(event.seat)} will not make a line wager",
    e.ClearingBegan: lambda event, tell: f"{tell.who(event.seat)} throws to clear the come wagers",
    e.ClearingEnded: lambda event, _tell: _CLEARED[event.reason],
    e.DiceThrown: lambda event, tell: f"{tell.who(event.seat)} throws",
    e.DiceLanded: lambda event, _tell: f"the dice show {event.first}-{event.second}",
    e.RollVoided: _tell_voided,
    e.FacesDisputed: lambda event, tell: f"{tell.who(event.seat)} disputes the faces",
    e.DisputeDecided: lambda event, _tell: f"the {event.by} rules the faces {event.first}-{event.second}",
    e.RollCalled: lambda event, _tell: f"{event.total} is called",
    e.RollSettled: lambda event, _tell: f"the wagers on {event.first}-{event.second} are settled",
    e.PuckMoved: lambda event, _tell: f"the puck is ON {event.point}" if event.point else "the puck is OFF",
    e.DicePassed: lambda event, tell: f"the dice go to {tell.who(event.seat)}",
}
