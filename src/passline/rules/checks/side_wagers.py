"""Side wagers: each can be won and lost, counts to an end, and has limits that some amount meets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from passline.dice import OUTCOMES, SEVEN
from passline.money import MoneyError, Pays
from passline.rules.checks.elections import is_amount, is_switch
from passline.rules.schema import (
    ELECTIONS,
    METER_UNIT,
    Collection,
    Hand,
    Machine,
    PayLine,
    Reading,
    Rulebook,
    Run,
    SideWager,
)

_TOTALS = frozenset(roll.total for roll in OUTCOMES)
_BY_PUCK = ("come_out", "point")
_RESTARTS: dict[type, tuple[str, ...]] = {Collection: ("any_7",), Hand: ("loser_7", "new_shooter"), Run: ("loser_7",)}
_BOUNDS = ("min", "max", "step")


def side_wager_problems(rulebook: Rulebook, points: tuple[int, ...], entry: SideWager) -> Iterator[str]:
    """Yield the problems of a side wager: of its terms, then of its pay tables."""
    if entry.offered in ELECTIONS:
        yield f"offered: {entry.offered} is an election of every house; a side wager needs one of its own"
    if not entry.tables or "none" in entry.tables:
        yield "tables: must name at least one pay table, and none may be called none"
    for name, lines in entry.tables.items():
        if not any(line.result == "win" for line in lines):
            yield f"tables.{name}: no line wins"
    if entry.remove is None:
        yield "remove: is missing; say until when the wager may come down"
    elif entry.remove.until == "never" and not (entry.increase or entry.beside):
        yield "increase: is missing; a wager that stays up says that it does not grow either, or what is `beside` it"
    yield from _moment_problems(entry)
    yield from _amount_problems(entry)
    yield from _tip_problems(rulebook, entry)
    yield from _meter_problems(entry)
    if isinstance(entry, Collection):
        yield from _collection_problems(entry)
    elif isinstance(entry, Hand):
        yield from _hand_problems(points, entry)
    elif isinstance(entry, Run):
        yield from _run_problems(points, entry)
    yield from _table_problems(rulebook, entry)


def _moment_problems(entry: SideWager) -> Iterator[str]:
    """Yield a problem for each moment that has no effect on a wager of this family."""
    if entry.make.when in _BY_PUCK and not isinstance(entry, Machine):
        yield f"make.when: {entry.make.when} is for wagers of the standard game; write any, or a window of general.toml"
    heeded = next((words for family, words in _RESTARTS.items() if isinstance(entry, family)), ())
    if heeded and entry.marked.restarts not in heeded:
        yield f"marked.restarts: {entry.marked.restarts} is for other side wagers; here write {' or '.join(heeded)}"


def _amount_problems(entry: SideWager) -> Iterator[str]:
    amount = entry.amount
    if amount is None:
        return
    if bool(amount.min) != bool(amount.max) or (amount.step and not amount.max):
        yield "amount: min and max must be given together, and a step only with them"
    if amount.max and (
        amount.min > amount.max or (amount.step and (amount.min % amount.step or amount.max < amount.step))
    ):
        yield f"amount: nothing from {amount.min} to {amount.max} cents begins a row of steps of {amount.step}"
    elif amount.step and amount.max % amount.step:
        yield f"amount.max: {amount.max} cents is not a multiple of the step, {amount.step} cents: nobody can wager it"
    if amount.step and not amount.chips:
        yield "amount.chips: is missing; say by which clause the table has a chip that makes every step"
    given = {bound for bound in _BOUNDS if getattr(amount, bound)}
    if isinstance(amount.cite, dict) and set(amount.cite) != given:
        yield f"amount: cites {sorted(amount.cite)} by bound; it has {sorted(given)}"


def _tip_problems(rulebook: Rulebook, entry: SideWager) -> Iterator[str]:
    if entry.tips is None:
        return
    for key, election in (("elect", entry.tips.elect), ("whole_dollars", entry.tips.whole_dollars)):
        if not is_switch(rulebook, election):
            yield f"tips.{key}: {election} is not an election of yes or no"
    most = entry.tips.cents_max
    if not (most.endswith("_cents_max") and most in ELECTIONS) and not is_amount(rulebook, most, "cents"):
        yield f"tips.cents_max: {entry.tips.cents_max} is not an election of an amount in cents"


def _meter_problems(entry: SideWager) -> Iterator[str]:
    """Yield a problem if a meter is paid from that there is not, or if one that there is cannot be won in a table."""
    for name, lines in entry.tables.items():
        paid = [line for line in lines if line.meter_basis_points]
        if paid and entry.progressive is None:
            yield f"tables.{name}: pays from a meter, but the wager has none; write progressive"
        if entry.progressive and not paid:
            yield f"tables.{name}: no line pays from the meter, to which each wager adds"
        for line in paid:
            if line.result != "win" or line.meter_basis_points > METER_UNIT:
                yield f"tables.{name}: {line.counts}: a line that wins pays at most the whole meter, 10000 basis points"
    if entry.progressive and not (entry.amount and entry.amount.min == entry.amount.max):
        yield "amount: of a progressive min and max are given and equal, since a hit pays the same whatever the stake"
    if entry.progressive and not entry.progressive.basis_points:
        yield "progressive.basis_points: is 0, so that nothing is ever added to the meter"


def _collection_problems(entry: Collection) -> Iterator[str]:
    needs, lose = set(entry.needs.totals), set(entry.lose.totals)
    if not needs:
        yield "needs.totals: is empty; name the totals that must all be thrown"
    if SEVEN in needs:
        yield "needs.totals: has 7, on which the wager is lost and its marker starts over; it can never win"
    if both := sorted(needs & lose - {SEVEN}):
        yield f"needs.totals: {both} lose as well, so the wager can never win; leave them out of one of the two"
    if SEVEN not in lose:
        yield "lose.totals: must have 7, before which the totals must be thrown"


def _hand_problems(points: tuple[int, ...], entry: Hand) -> Iterator[str]:
    if (entry.counts == "totals") != bool(entry.counted.totals):
        yield "counted.totals: must be given if the wager counts totals, and only then"
    if entry.counts == "totals" and set(entry.counted.totals) >= _TOTALS:
        yield "counted.totals: every roll counts"
    if entry.full and entry.top:
        yield "full, top: give one of them; at a full count the wager ends, at a top count it goes on"
    if entry.counts != "distinct_points" and not (entry.full or entry.top):
        yield f"top: is missing; the count of {entry.counts} has no end, so say which count is the last that is paid"
    most = entry.full or entry.top
    if entry.counts == "distinct_points" and most and most.count > len(set(points)):
        yield f"{'full' if entry.full else 'top'}.count: {most.count} is above {len(set(points))}, the number of points"
    last = most.count if most else len(points)
    if entry.notice and entry.notice.count > last:
        yield f"notice.count: {entry.notice.count} is above {last}, the highest count"
    counts = {str(count) for count in range(1, last + 1)}
    if isinstance(entry.marked.cite, dict) and set(entry.marked.cite) != counts:
        yield f"marked: cites {sorted(entry.marked.cite, key=len)} by count; the counts are 1 to {last}"
    for key in ("counted", "settles", "carries", "full", "top", "notice"):
        rule = getattr(entry, key)
        if rule is not None and isinstance(rule.cite, dict):
            yield f"{key}: its citation does not differ by number; write a list"


def _run_problems(points: tuple[int, ...], entry: Run) -> Iterator[str]:
    stay, lose = set(entry.come_out_stay.totals), set(entry.come_out_lose.totals)
    answers = [*entry.come_out_stay.totals, *entry.come_out_lose.totals, *points]
    if sorted(answers) != sorted(_TOTALS):
        told = f"stay {sorted(stay)}, lose {sorted(lose)}, points {sorted(points)}"
        yield f"come_out_stay, come_out_lose: every total needs exactly one answer before the initial point, has {told}"
    if entry.top.count != len(points):
        yield f"top.count: {entry.top.count} is not {len(points)}, all points with the initial one last"
    seen: dict[Reading, str] = {}
    for name, reading in entry.readings.items():
        if reading.counts == "made" and (reading.neutral or reading.repeats != "end"):
            yield f"readings.{name}: neutral and repeats are for points that count when thrown; write [] and end"
        if reading.counts == "made" and reading.initial_counts:
            yield f"readings.{name}.initial_counts: a point that counts when made does not count when set; write false"
        if strange := sorted(set(reading.neutral) & {SEVEN, *points}):
            yield f"readings.{name}.neutral: {strange} decide the wager; only other totals can do nothing"
        if (other := seen.setdefault(replace(reading, cite="", reading=""), name)) != name:
            yield f"readings.{name}: says the same as readings.{other}"
    if not any(line.counts == (-1,) and line.result == "win" for lines in entry.tables.values() for line in lines):
        yield "tables: the count -1 must win in a line of its own"


def _table_problems(rulebook: Rulebook, entry: SideWager) -> Iterator[str]:
    """Yield a problem for each count without exactly one line in a pay table, and each table that cannot be elected."""
    election = rulebook.elections.get(entry.offered)
    if election is None or {"none", *entry.tables} != set(election.choices):
        yield f"offered: {entry.offered or 'it'} must be an election between none and {', '.join(entry.tables)}"
    counts = None if isinstance(entry, Machine) else set(_counts(rulebook, entry))  # of which its own check tells
    for name, lines in entry.tables.items():
        answers = Counter(count for line in lines for count in line.counts)
        if counts is not None and (set(answers) != counts or max(answers.values()) > 1):
            found = dict(sorted(answers.items()))
            yield f"tables.{name}: every count of {sorted(counts)} needs exactly one line, has {found}"
        for line in lines:
            yield from (f"tables.{name}: {problem}" for problem in _pay_line_problems(line))
    if isinstance(entry, Run) and not entry.readings:
        yield "readings: is empty"


def _counts(rulebook: Rulebook, entry: SideWager) -> range:
    """Return the counts a side wager can end with."""
    if isinstance(entry, Collection):
        return range(1)
    if isinstance(entry, Run):
        return range(-1, entry.top.count + 1)
    assert isinstance(entry, Hand)
    most = entry.full or entry.top
    return range((most.count if most else len(rulebook.general.points.totals)) + 1)


def _pay_line_problems(line: PayLine) -> Iterator[str]:
    if bool(line.pays) != (line.result == "win"):
        yield f"{line.counts}: needs a payout if it wins, and none otherwise"
    elif line.pays:
        try:
            Pays.parse(line.pays, is_for_allowed=True)
        except MoneyError as error:
            yield f"{line.counts}: {error}"
