"""The story of a hand, roll by roll: the call, what every wager does and why, and the sums of each player."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from passline.dice import roll_of, stick_call
from passline.game import events as e
from passline.game.position import Table
from passline.game.wording import format_event, seat_name
from passline.money import dollars
from passline.rules.clauses import find_clause
from passline.rules.rules import Rules

_IN_THE_TITLE = (e.DiceThrown, e.DiceLanded, e.RollCalled, e.RollSettled)
_PHASES = {"come_out": "come-out roll", "clearing": "roll that clears come wagers"}


class HandStep(Struct, frozen=True):
    """One step of a hand as it was played: its line, the table before and after, and what happened or was refused."""

    text: str
    rules: Rules
    before: Table
    after: Table
    happened: tuple[e.Event, ...]
    refused: str
    names: Mapping[int, str]


def hand_story(steps: Sequence[HandStep]) -> Iterator[str]:
    """Yield a hand as lines of text: each roll and each other step, with the arithmetic and the clauses.

    >>> from passline.game.hand_files.runner import play_hand
    >>> hand = "rules maryland|player Ann 100.00|shooter Ann|wager Ann pass 10.00|roll 6-5|expect Ann pass wins 10.00"
    >>> played = play_hand(hand.replace("|", chr(10)), label="a hand").played
    >>> print(*list(hand_story(played))[8:12], sep=chr(10))
    Roll 1, come-out roll: 6-5. "Yo-leven, front line winner"
        Ann Pass Line wins 10.00 (10.00 at 1 to 1) [MD-3.A.1.a.i, MD-5.A.1]
        the dice go to Ann [MD-9.F.1]
        Ann's rack: 90.00 + 20.00 = 110.00
    """
    if not steps:
        return
    yield from _opening(steps[0])
    rolls = 0
    for step in steps:
        settled = next((event for event in step.happened if isinstance(event, e.RollSettled)), None)
        rolls += settled is not None
        yield ""
        yield roll_title(step, settled, rolls) if settled else step.text
        yield from (f"    {line}" for line in step_lines(step, has_roll=settled is not None))
    yield ""
    yield "Clauses"
    for clause in cited_clauses(steps):
        found = find_clause(clause)
        yield f"    {clause}: {found[1].summary} ({found[1].cite})" if found else f"    {clause}"


def cited_clauses(steps: Iterable[HandStep]) -> tuple[str, ...]:
    """Return every clause by which something happened or was refused, in the order in which they came up."""
    found: dict[str, None] = {}
    for step in steps:
        for event in step.happened:
            text = getattr(event, "clause", "") or getattr(event, "breach", "")
            found |= dict.fromkeys(clause for clause in text.split(", ") if clause)
        for part in step.refused.split("[")[1:]:
            found |= dict.fromkeys(clause for clause in part.partition("]")[0].split(", "))
    return tuple(found)


def _opening(step: HandStep) -> Iterator[str]:
    rules, position = step.rules, step.before.position
    yield f"{rules.rulebook.general.title}: {rules.house.name}, {rules.house.game.replace('_', ' ')}"
    puck = f"ON {position.puck}" if position.puck else "OFF"
    shooter = f"; {seat_name(position.shooter, step.names)} has the dice" if position.shooter else ""
    yield f"The puck is {puck}{shooter}."
    for seat, state in enumerate(position.seats, start=1):
        if state:
            up = [wager for wager in position.layout if wager.seat == seat]
            texts = [f"{rules.wagers[wager.kind].display_name(wager.number)} {dollars(wager.cents)}" for wager in up]
            rack = dollars(step.before.money.racks[seat - 1])
            yield f"{seat_name(seat, step.names)} has {rack} in the rack" + (f"; up: {', '.join(texts)}" if up else "")


def roll_title(step: HandStep, settled: e.RollSettled, number: int) -> str:
    """Return the heading of a roll: its number in the hand, the phase, the dice and the call."""
    position = step.before.position
    roll = roll_of(settled.first, settled.second)
    phase = _PHASES.get(position.phase, f"point {position.puck}")
    call = stick_call(roll, point=position.puck, is_come_out=position.phase == "come_out", points=step.rules.points)
    return f'Roll {number}, {phase}: {settled.first}-{settled.second}. "{call}"'


def step_lines(step: HandStep, *, has_roll: bool) -> Iterator[str]:
    """Yield what happened in a step, with clauses, and what it did to each rack."""
    if step.refused:
        yield f"refused: {step.refused}"
    for event in step.happened:
        if not (has_roll and isinstance(event, _IN_THE_TITLE)):
            yield format_event(event, step.rules, step.names)
    yield from _sums(step)


def _sums(step: HandStep) -> Iterator[str]:
    """Yield what the wagers of each player add up to, if they are several, and what that does to the rack."""
    results: dict[int, list[int]] = {}
    for event in step.happened:
        if isinstance(event, e.WagerWon) and event.wager.owner == "player":
            results.setdefault(event.wager.seat, []).append(event.winnings - event.vigorish)
        elif isinstance(event, e.MeterPaid) and event.wager.owner == "player":
            results.setdefault(event.wager.seat, []).append(event.cents)
        elif isinstance(event, e.WagerLost) and event.wager.owner == "player":
            results.setdefault(event.wager.seat, []).append(-event.cents)
    for seat, amounts in sorted(results.items()):
        if len(amounts) > 1:
            sums = "".join(f" {'-' if cents < 0 else '+'} {dollars(abs(cents))}" for cents in amounts)
            added = f"{sums.strip().removeprefix('+ ')} = {dollars(sum(amounts))}"
            yield f"{seat_name(seat, step.names)} on this roll: {added}"
    before, after = step.before.money.racks, step.after.money.racks
    for seat, (was, now) in enumerate(zip(before, after, strict=True), start=1):
        if was != now:
            moved = f"{'-' if now < was else '+'} {dollars(abs(now - was))}"
            yield f"{seat_name(seat, step.names)}'s rack: {dollars(was)} {moved} = {dollars(now)}"
