"""Lamps, lammers and counts that show the progress of side wagers, computed from events."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passline.dice import OUTCOMES, SEVEN, roll_of
from passline.game import events as e
from passline.game.position import Wager
from passline.game.wagers import count_after, count_of, is_full, outcome_of
from passline.rules.rules import Rules
from passline.rules.schema import Collection, Hand, Machine, Run, SideWager, clause_text

_TOTALS = sorted({roll.total for roll in OUTCOMES})


class Marker(Struct, frozen=True):
    """The marker of one kind of side wager: a count, the totals lit, and the clause that requires it."""

    kind: str
    count: int = 0
    lit: tuple[int, ...] = ()
    clause: str = ""


def markers_after(rules: Rules, happened: Iterable[e.Event], layout: Iterable[Wager] = ()) -> dict[str, Marker]:
    """Return the marker of every side wager offered, whether or not anybody has made one.

    A marker shows what a wager made when the marker last started over would have counted. One that starts over with
    each shooter stays, where wagers of the layout ride with a successor, at the most that they have counted.
    """
    kinds = {kind: rule.entry for kind, rule in rules.wagers.items() if rule.lines}
    shadows: dict[str, tuple[int, ...] | None] = dict.fromkeys(kinds, ())  # None: over until the next shooter
    puck, is_clearing = 0, False
    for event in happened:
        match event:
            case e.RollSettled():
                for kind, progress in shadows.items():
                    if progress is not None:
                        shadows[kind] = _step(rules, kind, progress, event, puck=puck, is_clearing=is_clearing)
            case e.PuckMoved():
                puck = event.point
            case e.ClearingBegan() | e.ClearingEnded():
                is_clearing = isinstance(event, e.ClearingBegan)
            case e.DiceSurrendered() | e.DiceAccepted():
                for kind in kinds:
                    if _starts_over(rules, kind, shadows[kind], event):
                        shadows[kind] = ()
            case _:
                pass
    riding = tuple(wager for wager in layout if wager.progress)
    return {kind: _marker(rules, kind, _furthest(rules, kind, own or (), riding)) for kind, own in shadows.items()}


def _starts_over(
    rules: Rules, kind: str, shadow: tuple[int, ...] | None, event: e.DiceSurrendered | e.DiceAccepted
) -> bool:
    """Return whether a marker starts over as the dice go to another shooter."""
    entry = rules.wagers[kind].entry
    assert isinstance(entry, SideWager)
    is_loser_7 = isinstance(event, e.DiceSurrendered) and event.reason == "loser_7"
    is_over = shadow is None or is_full(rules.wagers[kind], shadow)
    return is_loser_7 or is_over or entry.marked.restarts == "new_shooter"


def _furthest(rules: Rules, kind: str, progress: tuple[int, ...], riding: Iterable[Wager]) -> tuple[int, ...]:
    """Return what a marker shows: its own count, or that of a wager which has counted more and rides with it."""
    rule = rules.wagers[kind]
    if not isinstance(rule.entry, Hand) or rule.entry.marked.restarts != "new_shooter":
        return progress
    shown = [progress, *(wager.progress for wager in riding if wager.kind == kind)]
    return max(shown, key=lambda progress: count_of(rule, progress))


def _step(
    rules: Rules, kind: str, progress: tuple[int, ...], event: e.RollSettled, *, puck: int, is_clearing: bool
) -> tuple[int, ...] | None:
    entry = rules.wagers[kind].entry
    if event.first + event.second == SEVEN and isinstance(entry, Machine) and entry.marked.restarts == "any_7":
        return ()
    if is_full(rules.wagers[kind], progress):
        return progress  # it stays until the hand ends
    shadow = Wager(1, "player", kind, 0, 0, progress=progress)
    roll = roll_of(event.first, event.second)
    outcome = outcome_of(rules, shadow, puck=puck, roll=roll, is_clearing=is_clearing)
    if outcome.does in {"advance", "pay"}:
        return outcome.progress
    if outcome.does == "win" and isinstance(entry, Hand) and roll.total == puck:
        return (progress[0], count_after(entry, progress[1], roll.total))
    if outcome.does == "win" and isinstance(entry, Collection):
        return (sum(1 << total for total in entry.needs.totals),)  # only a 7 takes the buttons away
    if outcome.does == "stay":
        return progress
    return None if isinstance(entry, Run) else ()


def _marker(rules: Rules, kind: str, progress: tuple[int, ...]) -> Marker:
    rule = rules.wagers[kind]
    entry = rule.entry
    assert isinstance(entry, SideWager)
    bits = progress[-1] if progress else 0
    if isinstance(entry, Hand):
        count = count_of(rule, progress)
        lit = _lit(bits) if entry.counts == "distinct_points" else ()
        return Marker(kind, count, lit, clause_text(entry.marked.cite, count) if count else "")
    if rule.machine is not None:
        count, lit = rule.machine.marker_count(progress), rule.machine.lit(progress)
        return Marker(kind, count, lit, clause_text(entry.marked.cite) if count or lit else "")
    lit = _lit(bits)
    return Marker(kind, len(lit), lit, clause_text(entry.marked.cite) if lit else "")


def _lit(bits: int) -> tuple[int, ...]:
    return tuple(total for total in _TOTALS if bits & 1 << total)
