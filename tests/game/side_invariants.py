"""Invariants of side wagers and tips; each check raises AssertionError with what it found."""

from __future__ import annotations

from typing import Literal

from passline.game import commands as c
from passline.game import events as e
from passline.game.position import Position, Table, Wager
from passline.rules.rules import Rules
from passline.rules.schema import Collection, Hand, Machine, Run, SideWager

_Key = tuple[int, str, str, int]
_Throw = tuple[int, int]  # the puck before it, and its total
_FATES: dict[type, str] = {e.WagerWon: "win", e.WagerLost: "lose", e.WagerReturned: "push", e.WagerRemoved: "removed"}


def check_owner(rules: Rules, position: Position, wager: Wager) -> None:
    """Check that a wager is the player's, or the crew's where tips are taken."""
    assert wager.owner in {"player", "crew"}, f"nobody's: {wager}"
    if wager.owner == "crew":
        tips, entry = rules.rulebook.general.tips, rules.wagers[wager.kind].entry
        own = entry.tips if isinstance(entry, SideWager) else None
        assert tips, f"a tip where there are none: {wager}"
        elect = own.elect if own else tips.elect
        assert not elect or getattr(rules.house, elect), f"a tip this house does not take: {wager}"
        mine = [one for one in position.layout if (one.seat, one.owner, one.kind) == (wager.seat, "player", wager.kind)]
        assert mine or not own, f"a tip without its player's own: {wager}"


def check_progress(rules: Rules, position: Position, wager: Wager) -> None:
    """Check that a side wager can have this progress; other wagers have none."""
    rule, progress = rules.wagers[wager.kind], wager.progress
    entry, points = rule.entry, sum(1 << total for total in rules.points)
    if not isinstance(entry, SideWager):
        assert not progress, f"progress of what has none: {wager}"
        return
    assert rule.is_offered, f"not offered: {wager}"
    assert wager.number >= 0, f"no such number: {wager}"
    if entry.make.when == "new_hand":
        has_begun = "new_hand" in position.closed or position.puck
        assert progress or not has_begun, f"no roll has counted for it, and its window is closed: {wager}"
        has_point = isinstance(entry, Collection) or not progress or progress[0]
        assert has_point or not position.puck, f"the puck is ON, and it knows of no point: {wager}"
    match entry:
        case _ if not progress:
            return
        case Collection():
            (thrown,) = progress
            needs = sum(1 << total for total in entry.needs.totals)
            is_possible = thrown & ~needs == 0 and thrown != needs
        case Hand(counts="distinct_points"):
            has_point, made = progress
            is_possible = (
                has_point in {0, 1}
                and made & ~points == 0
                and made.bit_count() <= _count_max(entry, len(rules.points)) * has_point
            )
        case Hand():
            has_point, count = progress
            needs_point = entry.counts == "points"
            is_possible = has_point in {0, 1} and 0 <= count <= _count_max(entry, len(rules.points)) * (
                has_point if needs_point else 1
            )
        case Machine():
            assert rule.machine is not None
            is_possible = rule.machine.may_be(progress)
        case Run():
            initial, hits = progress
            reading, own = (
                entry.readings[rules.house.readings.get(wager.kind) or next(iter(entry.readings))],
                1 << initial,
            )
            is_possible = (initial in rules.points or initial == hits == 0) and hits & ~points == 0
            if initial and reading.counts == "thrown":
                is_possible = is_possible and bool(hits & own) is reading.initial_counts
    assert is_possible, f"no such progress: {wager}"


def _count_max(entry: Hand, points: int) -> int:
    """Return the highest count of a hand wager that is still up."""
    if entry.full:
        return entry.full.count - 1
    return entry.top.count if entry.top else points


def check_side_stake(rules: Rules, entry: SideWager, wager: Wager) -> None:
    """Check the steps of a side wager's amount, and the limits of a tip on it."""
    if rules.limits_apply and entry.amount and entry.amount.step:
        assert wager.cents % entry.amount.step == 0, f"not in steps of {entry.amount.step}: {wager}"
    if entry.tips and wager.owner == "crew":
        most, is_whole = getattr(rules.house, entry.tips.cents_max), getattr(rules.house, entry.tips.whole_dollars)
        assert not most or wager.cents <= most, f"a tip over {most}: {wager}"
        assert not is_whole or wager.cents % 100 == 0, f"a tip not in dollars: {wager}"


def check_settled(rules: Rules, before: Table, happened: tuple[e.Event, ...], after: Table) -> None:
    """Check that a losing roll takes every side wager of a kind, and that a roll closes the windows it should."""
    rolls = [event.first + event.second for event in happened if isinstance(event, e.RollSettled)]
    if not rolls:
        return
    is_over = any(isinstance(event, e.DiceSurrendered) and event.reason == "loser_7" for event in happened)
    for wager in after.position.layout:
        entry = rules.wagers[wager.kind].entry
        assert not (is_over and isinstance(entry, Hand)), f"outlived the loser 7: {wager}"
        is_lost = isinstance(entry, Collection) and {*rolls} & {*entry.lose.totals}
        assert not is_lost, f"outlived what loses it: {wager}"
    for name, window in rules.windows.items() if not is_over else ():
        closes = {
            "come_out_roll": before.position.phase == "come_out",
            "totals": {*rolls} & {*window.totals},
            "carried_point": before.position.puck and "new_hand" not in before.position.closed,
        }[window.closes]
        is_closed = name in after.position.closed
        assert is_closed is bool(closes or name in before.position.closed), f"{name}: closed is {is_closed}"


def check_whose(command: c.Command, happened: tuple[e.Event, ...]) -> None:
    """Check that what comes down belongs to one seat and one owner."""
    if isinstance(command, (c.RemoveWager, c.ReduceWager)):
        for event in happened:
            if isinstance(event, (e.WagerRemoved, e.WagerReduced)):
                is_meant = (event.wager.seat, event.wager.owner) == (command.seat, command.owner)
                assert is_meant, f"another's wager came down: {event}"


class Histories:
    """The rolls of each side wager, from the log alone; its result must follow from them.

    Runs are left out: they have many readings, each with its own tests.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.throws: dict[_Key, list[_Throw]] = {}

    def follow(self, before: Table, happened: tuple[e.Event, ...], after: Table) -> None:
        """Follow one decision, and check every side wager that was or is up."""
        fates = {_key(event.wager): event for event in happened if type(event) in _FATES}  # type: ignore[union-attr]
        rolls = [event.first + event.second for event in happened if isinstance(event, e.RollSettled)]
        standing = {_key(wager): wager for wager in after.position.layout}
        for wager in before.position.layout:
            key = _key(wager)
            if key not in self.throws:
                continue
            fate = fates.get(key)
            is_unconfirmed = wager.pending and isinstance(fate, e.WagerReturned)
            if rolls and not is_unconfirmed:
                self.throws[key].append((before.position.puck, rolls[0]))
                self._check(wager, fate, standing.get(key))
            if key not in standing:
                assert fate, f"gone, and nothing says why: {wager}"
                del self.throws[key]
        for key, wager in standing.items():
            if key not in self.throws and isinstance(self.rules.wagers[wager.kind].entry, (Hand, Collection)):
                assert not wager.progress, f"new, and further than it can be: {wager}"
                self.throws[key] = []

    def _check(self, wager: Wager, fate: e.Event | None, standing: Wager | None) -> None:
        entry, throws = self.rules.wagers[wager.kind].entry, self.throws[_key(wager)]
        if isinstance(entry, Collection):
            is_over, count, progress = _collected(entry, throws)
        else:
            assert isinstance(entry, Hand)
            is_over, count, progress = _counted(entry, throws)
        if not is_over:
            assert standing, f"decided too early: {fate}, after {throws}"
            assert standing.progress[-1] == progress, f"{standing}, after {throws}"
            return
        lines = entry.tables[self.rules.house.side_wagers[entry.offered]]
        line = next(line for line in lines if max(count, 0) in line.counts)
        result: Literal["win", "lose", "push"] = line.result if count >= 0 else "lose"
        assert fate, f"not decided after {throws}: {standing}"
        assert _FATES[type(fate)] == result, f"{fate}, after {throws}"
        if isinstance(fate, e.WagerWon):
            much, word, unit = line.pays.split()
            winnings = (wager.cents + wager.coupon) * (int(much) - int(unit) * (word == "for")) // int(unit)
            assert (fate.winnings, fate.cents) == (winnings, wager.cents), f"{fate}, and {line.pays} is {winnings}"


def _collected(entry: Collection, throws: list[_Throw]) -> tuple[bool, int, int]:
    """Return whether a collection is over, its line (-1: lost), and its totals as bits."""
    thrown = {total for _puck, total in throws}
    bits = sum(1 << total for total in thrown & {*entry.needs.totals})
    if thrown & {*entry.lose.totals}:
        return True, -1, bits
    return thrown >= {*entry.needs.totals}, 0, bits


def _counted(entry: Hand, throws: list[_Throw]) -> tuple[bool, int, int]:
    """Return whether a hand wager is over, its count, and its progress."""
    made = [total for puck, total in throws if puck == total]
    bits = 0
    if entry.counts == "totals":
        count = bits = sum(total in entry.counted.totals for _puck, total in throws)
    elif entry.counts == "points":
        count = bits = len(made)
    else:
        first = list(dict.fromkeys(made))[: entry.top.count if entry.top else None]
        count, bits = len(first), sum(1 << total for total in first)
    if entry.top and entry.counts != "distinct_points":
        count = bits = min(count, entry.top.count)
    puck, total = throws[-1]
    return bool(puck and total == 7) or bool(entry.full and count >= entry.full.count), count, bits


def _key(wager: Wager) -> _Key:
    return wager.seat, wager.owner, wager.kind, wager.number
