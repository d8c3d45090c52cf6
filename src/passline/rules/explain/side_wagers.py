"""The rules of one side wager in words, line by line with clauses."""

from __future__ import annotations

from collections.abc import Iterator

from passline.money import amount_text, percent_text
from passline.rules.explain.payouts import NATURAL, pay_line_text
from passline.rules.explain.wagers import UNTIL, WHEN, CitedLine, amounts_taken, cite, commas, words
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Collection, Hand, Lies, Machine, PayLine, Progressive, Reading, Run, SideWager, Window

_RESTARTS = {"loser_7": "a loser 7", "new_shooter": "every new shooter", "any_7": "any 7"}
_COME_OUT = {
    "stay": "leaves it up undecided",
    "pay": "pays each time and leaves it up",
    "pay_first": "pays on the very first roll only",
    "return": "returns it",
}


def side_wager_lines(rules: Rules, rule: WagerRule) -> Iterator[CitedLine]:
    """Yield everything the rules say about one side wager, offered or not."""
    entry, election = rule.entry, rules.rulebook.elections[rule.entry.offered]
    assert isinstance(entry, SideWager)
    table = rules.house.side_wagers.get(entry.offered, "none")
    if rule.is_offered:
        yield cite("offered", f"yes, with pay table {table}, by election of the house", election)
    else:
        yield cite("offered", "no, by election of the house", election)
    yield cite("made", _window(rules, entry), entry.make)
    if entry.line_wager:
        yield cite("made", "only by a player who has a line wager", entry.line_wager)
    if entry.beside:
        yield cite("made", "also beside one that rolls have counted for, with its own count", entry.beside)
    yield from _decision_lines(rule, entry)
    yield from _tables(entry, table)
    if entry.progressive:
        yield from _meter(entry.progressive)
    yield from _readings(rules, rule, entry)
    yield from _amounts(rules, rule, entry)
    yield from _changes(rules, rule, entry)
    yield cite("marker", _marker(entry), entry.marked)
    if isinstance(entry, Hand) and entry.notice:
        yield cite("surveillance", f"is told when {_count_text(entry, (entry.notice.count,))}", entry.notice)
    if entry.lies:
        yield from _lies(entry.lies)
    if entry.areas:
        yield cite("areas", f"at most {entry.areas.max} players may have one", entry.areas)
    yield from _tips(rules, entry)


def _meter(progressive: Progressive) -> Iterator[CitedLine]:
    """Yield what is added to the meter of a progressive, where it begins, and how it is paid."""
    yield cite(
        "meter",
        f"{percent_text(progressive.basis_points)} of each wager is added to it on the roll that decides the wager",
        progressive,
    )
    yield cite("meter", f"begins with {amount_text(progressive.base_cents)} and is never below it", progressive.base)
    yield cite("meter", "winners on one roll divide a share; what chips cannot pay stays on it", progressive.pays)
    if (closes := progressive.closes) is not None:
        goes = " or ".join(_ABOVE[name] for name in closes.above)
        agreed = f", as {' and '.join(closes.agreed_by)} agreed on paper" if closes.agreed_by else ""
        yield cite("meter", f"when it is closed, what is above its base {goes}{agreed}", closes)


_ABOVE = {
    "another meter": "goes to another meter",
    "award": "is handed out as an award",
    "prize": "is handed out as a prize",
}


def _marker(entry: SideWager) -> str:
    if isinstance(entry, Machine) and not (entry.shows or entry.lamps):
        return "shows nothing of its own"
    return f"shows its count to the table; starts over with {_RESTARTS[entry.marked.restarts]}"


_PLACES = {
    "boxperson": "in an area in front of the boxperson",
    "perimeter": "round the edge of the layout, an area for each position",
}


def _lies(lies: Lies) -> Iterator[CitedLine]:
    """Yield where the wager lies on the layout."""
    yield cite("lies", _PLACES[lies.place], lies)
    for rule, text in (
        (lies.numbered, "areas numbered clockwise from the boxperson's left"),
        (lies.moves, "brought to the spot of the same number in front of the boxperson for the first come-out roll"),
        (lies.markers, "a spot for a marker button on each total that counts"),
    ):
        if rule:
            yield cite("lies", text, rule)


def window_text(window: Window) -> str:
    """Return the time in a hand for which a window is open, in words.

    >>> window_text(Window(closes="totals", totals=(7, 11), puck_off=False, cite="XX-1"))
    "from a new shooter on until the hand's first 7 or 11"
    """
    closes = {
        "come_out_roll": "until the hand's first come-out roll is thrown",
        "carried_point": "until a roll is thrown at a point carried over from another shooter",
        "totals": f"until the hand's first {' or '.join(map(str, window.totals))}",
    }[window.closes]
    return f"from a new shooter on {closes}" + (", while the puck is OFF" if window.puck_off else "")


def _window(rules: Rules, entry: SideWager) -> str:
    windows = rules.rulebook.general.windows
    make = entry.make
    text = window_text(windows[make.when]) if make.when in windows else WHEN[make.when]
    if make.or_when and rules.choice_of(make.elect):
        return f"{text}; this house elected: {window_text(windows[make.or_when])}"
    return text


def _decision_lines(rule: WagerRule, entry: SideWager) -> Iterator[CitedLine]:
    if isinstance(entry, Hand):
        what = {
            "distinct_points": "points made, each number once",
            "points": "points made, repeats too",
            "totals": f"rolls of {' or '.join(map(str, entry.counted.totals))}",
        }[entry.counts]
        yield cite("counts", what, entry.counted)
        yield cite("settled", "at a loser 7, by what has been counted", entry.settles)
        if entry.full:
            yield cite("settled", f"at once when {_count_text(entry, (entry.full.count,))}", entry.full)
        if entry.top:
            yield cite("top", f"counts above {entry.top.count} pay as {entry.top.count}", entry.top)
        if entry.take_first:
            yield cite("order", "losing wagers are taken before winning ones are paid", entry.take_first)
        yield cite("surrender", "continues with the next shooter", entry.carries)
    elif isinstance(entry, Collection):
        yield cite("counts", f"{commas(entry.needs.totals)}, each thrown once", entry.needs)
        yield cite("wins", "at once when all of them have been thrown", entry.win)
        yield cite("loses", f"on {commas(entry.lose.totals)}", entry.lose)
    elif isinstance(entry, Run) and rule.reading:
        yield from _run_lines(entry, rule.reading)
    elif isinstance(entry, Machine):
        yield from _machine_lines(entry)


def _machine_lines(entry: Machine) -> Iterator[CitedLine]:
    """Yield what a machine remembers and what decides it: in the rulebook's words, and as it is computed."""
    for name, kept in entry.memory.items():
        each = f" for each of {commas(kept.each)}" if kept.each else ""
        yield cite("remembers", f"{name}{each}: {kept.start}, then after each roll {kept.next}", entry.marked)
    for about, rule in (("wins", entry.wins), ("loses", entry.loses), ("settled", entry.settles)):
        if rule:
            yield cite(about, f"{rule.says}: {rule.when}" if rule.says else f"when {rule.when}", rule)
    if len({count for lines in entry.tables.values() for line in lines for count in line.counts}) > 1:
        yield cite("counts", entry.count, *filter(None, (entry.wins, entry.settles)))


def _run_lines(entry: Run, reading: Reading) -> Iterator[CitedLine]:
    """Yield how a run is decided under the reading in force."""
    naturals = " or ".join(map(str, entry.come_out_stay.totals))
    craps = commas(entry.come_out_lose.totals)
    yield cite("first", f"{naturals} {_COME_OUT[reading.come_out]}", entry.come_out_stay, reading)
    if reading.counts == "made":
        yield cite("first", f"{craps} leaves it up undecided", reading)
        yield cite("counts", "points made, each number once", entry.hit, reading)
        yield cite("ends", "on a loser 7, paid by the points counted until then", entry.ends.seven, reading)
        return
    yield cite("first", f"loses on {craps}", entry.come_out_lose)
    yield cite("first", "any other total is its initial point", entry.initial)
    first = "the initial one is the first" if reading.initial_counts else "not the initial one itself"
    yield cite("counts", f"points thrown after the initial point, each number once; {first}", entry.hit, reading)
    save = f", save {commas(reading.neutral)}" if reading.neutral else ""
    ends = entry.ends
    yield cite("ends", "paid by the points counted until then:", ends)
    yield cite("ends", "on a 7", ends.seven)
    yield cite("ends", "on the initial point too early", ends.initial)
    yield cite("ends", f"on another total that is not a point{save}", ends.other, reading)
    if reading.repeats == "end":
        yield cite("ends", "on a point counted before", ends.repeat)
    else:
        yield cite("ends", "not on a point counted before", reading)
    most = entry.top.count - 1
    yield cite("ends", f"once {most} points are counted, on a roll that is not the initial point", ends.full)
    yield cite("top", f"{most} points and then the initial one count as {entry.top.count}", entry.top)


def _tables(entry: SideWager, in_force: str) -> Iterator[CitedLine]:
    """Yield the pay table in force, then those that may be elected instead, line by line."""
    for name in sorted(entry.tables, key=lambda name: name != in_force):
        state = "in force" if name == in_force else "may be elected"
        for line in entry.tables[name]:
            about = f"pay table {name}, {state}"
            yield cite(about, f"{pay_line_text(line)} {_line_text(entry, line)}", line)


def _line_text(entry: SideWager, line: PayLine) -> str:
    """Return when one line of a pay table holds, in words."""
    if line.says:
        return f"on {line.says}"
    if isinstance(entry, Machine):
        return "when it wins" if line.counts == (0,) else f"at the count {commas(line.counts)}"
    return _count_text(entry, line.counts, before="when ")


def _count_text(entry: SideWager, counts: tuple[int, ...], *, before: str = "") -> str:
    """Return which counts are reached, in words that follow "when"."""
    if isinstance(entry, Collection):
        return f"{before}all are thrown"
    if isinstance(entry, Run):
        return before + _hit(entry, counts)
    assert isinstance(entry, Hand)
    noun = {
        "distinct_points": "different points are made",
        "points": "points are made",
        "totals": f"rolls of {' or '.join(map(str, entry.counted.totals))} are counted",
    }[entry.counts]
    some = commas(counts)
    if entry.top and max(counts) == entry.top.count:
        some += " or more"
    return f"{before}{some} {noun}"


def _hit(entry: Run, counts: tuple[int, ...]) -> str:
    if counts == (NATURAL,):
        return f"{' or '.join(map(str, entry.come_out_stay.totals))} comes before the initial point"
    if counts == (entry.top.count,):
        return f"{entry.top.count - 1} points are hit and then the initial one"
    return f"{commas(counts)} points are hit"


def _readings(rules: Rules, rule: WagerRule, entry: SideWager) -> Iterator[CitedLine]:
    """Yield the reading in force of a garbled text, then those that may be elected instead."""
    if not isinstance(entry, Run):
        return
    in_force = rules.house.readings.get(rule.kind) or next(iter(entry.readings))
    for name in sorted(entry.readings, key=lambda name: name != in_force):
        reading = entry.readings[name]
        state = "in force" if name == in_force else "may be elected"
        yield cite(f"reading {words(name)}, {state}", reading.reading, reading)


def _amounts(rules: Rules, rule: WagerRule, entry: SideWager) -> Iterator[CitedLine]:
    general = rules.rulebook.general
    limits = amounts_taken(rules, rule)
    if entry.amount:
        steps = f", in steps of {amount_text(entry.amount.step)}" if entry.amount.step else ""
        yield cite("limits", f"{limits}{steps}", entry.amount)
        if entry.amount.chips:
            yield cite("chips", "the smallest chip makes every one of these amounts", entry.amount.chips)
    else:
        yield cite("limits", limits, general.limits.min, general.limits.max)


def _changes(rules: Rules, rule: WagerRule, entry: SideWager) -> Iterator[CitedLine]:
    general, house = rules.rulebook.general, rules.house
    remove = entry.remove or general.remove
    yield cite("removed", UNTIL[remove.until], remove)
    if rule.kind in house.side_wagers_locked:
        locked = rules.rulebook.elections["side_wagers_locked"]
        yield cite("removed", "never, by election of the house: it stays until it is decided", locked)
    if entry.increase:
        until = "never" if entry.increase.until == "never" else UNTIL[entry.increase.until]
        yield cite("increased", until, entry.increase)
    else:
        yield cite("increased", "until a roll has counted for it", entry.make)


def _tips(rules: Rules, entry: SideWager) -> Iterator[CitedLine]:
    tips = entry.tips
    if tips is None:
        return
    if not rules.choice_of(tips.elect):
        yield cite("tips", "not taken on it, by election of the house", tips)
        return
    whole = ", in whole dollars" if rules.choice_of(tips.whole_dollars) else ""
    most = rules.choice_of(tips.cents_max)
    cap = f", at most {amount_text(most)}" if most else ""
    yield cite("tips", f"taken on it at the same odds{whole}{cap}", tips)
