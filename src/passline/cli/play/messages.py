"""Messages for the player: events, the wagers that are up, and the rules of a wager."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import fields

from passline.cli.play.hints import SEAT, short_name
from passline.dice import number_text
from passline.game import events as e
from passline.game.position import Table, Wager
from passline.game.spots import Spot, is_off, spot_of, unit_cents
from passline.game.wording import format_event, progress_text, wager_text
from passline.money import dollar_amount, dollars
from passline.rules.clauses import clauses_of
from passline.rules.explain.side_wagers import pay_line_text, pay_line_when, side_wager_lines
from passline.rules.rules import Rules, WagerRule, clause_text, joined
from passline.rules.schema.rulebook import Rule, SideWager, cites_of

__all__ = [
    "HELP",
    "Message",
    "ban_on_aids",
    "equity",
    "explained",
    "happened_lines",
    "own_wagers",
    "pay_table",
    "wager_lines",
]

_YOURS = {SEAT: "your"}
Tone = Literal["say", "call", "win", "lose", "note", "refusal", "head"]

# What `help` prints: what to type, and what it does.
HELP = (
    ("Enter, space, roll", "throw the dice"),
    ("pass 10, dont pass 10", "the line; p 10 and dp 10 do too"),
    ("come 10, dont come 10", "once the puck is ON"),
    ("odds 20, odds", "behind the line; alone: as much as allowed"),
    ("odds 6 20, odds on 6", "behind a wager that stands on the 6"),
    ("6 12, place 6, 6 8 12", "place a number; 12 on each of two"),
    ("buy 4 25, lay 10 40", "a number at true odds, less vigorish"),
    ("lose 6 5", "place a number to lose"),
    ("field 5, hard 6 5", "and seven, craps, yo, aces, boxcars 1"),
    ("horn 4, whirl 5, c&e 2", "and horn high 12 5, hop 1-3 1"),
    ("fire 5, small 5, lucky 5", "side wagers, where the house offers them"),
    ("tip pass 5, pass 5 crew", "a wager for the crew, where they are taken"),
    ("press 6, less place 6 6", "double it; take part of it down"),
    ("down place 6, down all", "take it down"),
    ("on place 6, off place 6", "call it on or off"),
    ("undo", "take back what you did since the last roll"),
    ("repeat", "make the wagers of the last roll again"),
    ("rules place_win", "what the regulation says, by clause"),
    ("wagers, history, table", "what is up; the rolls; the layout"),
    ("decline", "shoot without a line wager, to clear come"),
    ("cash 100", "buy more chips"),
    ("quit", "leave the table"),
    ("\u25cf12, \u25cb12", "on the layout: works next roll, or is off"),
)


class Message(Struct, frozen=True):
    """One line for the player, and its tone."""

    text: str
    tone: Tone = "say"


_TONES: dict[type, Tone] = {
    e.WagerWon: "win",
    e.WagerReturned: "note",
    e.WagerMoved: "note",
    e.WagerMade: "say",
    e.WagerIncreased: "say",
    e.WagerReduced: "say",
    e.WagerRemoved: "say",
    e.WagerCalled: "say",
    e.CallLapsed: "note",
    e.PuckMoved: "head",
    e.SurveillanceNotified: "note",
    e.ClearingEnded: "note",
}


def happened_lines(rules: Rules, happened: Iterable[e.Event]) -> list[Message]:
    """Return messages for the events that concern the player: wagers, the puck, losing the dice."""
    lines: list[Message] = []
    lost: list[e.WagerLost] = []
    for event in happened:
        if lost and not (isinstance(event, e.WagerLost) and _is_same(event, lost[-1])):
            lines.append(_lost(rules, lost))
            lost = []
        if isinstance(event, e.WagerLost):
            lost.append(event)
        elif isinstance(event, e.DiceSurrendered):
            lines.append(Message(f"You lose the dice: {event.reason.replace('_', ' ')} [{event.clause}]", "note"))
        elif isinstance(event, e.ClearingBegan):
            lines.append(Message(f"There is no other shooter: roll to decide the come wagers [{event.clause}]", "note"))
        elif isinstance(event, e.WindowClosed):
            lines.append(_closed(rules, event))
        elif isinstance(event, e.WagerProgressed):
            lines += _progressed(rules, event)
        elif isinstance(event, e.BuyInMade):
            lines.append(Message(f"You change {dollars(event.cents)} for chips.", "say"))
        elif tone := _TONES.get(type(event)):
            text = format_event(event, rules, _YOURS)
            lines.append(Message(text[0].upper() + text[1:], tone))
    return [*lines, *([_lost(rules, lost)] if lost else [])]


def _closed(rules: Rules, event: e.WindowClosed) -> Message:
    """Return a message that names the side wagers that can no longer be made."""
    names = [rule.name for rule in rules.wagers.values() if rule.lines and rule.entry.make.when == event.window]
    return Message(f"No new {' or '.join(names) or event.window} for the rest of this hand [{event.clause}]", "note")


def _progressed(rules: Rules, event: e.WagerProgressed) -> list[Message]:
    """Return a message for what a side wager has counted, if that changed."""
    rule = rules.wagers[event.wager.kind]
    if progress_text(rule, event.wager.progress) == progress_text(rule, event.after.progress):
        return []
    return [Message("Y" + format_event(event, rules, _YOURS)[1:], "note")]


def _is_same(event: e.WagerLost, before: e.WagerLost) -> bool:
    """Return whether two losses are parts of one composite wager."""
    one, other = event.wager, before.wager
    return bool(event.part) and (one.kind, one.number) == (other.kind, other.number)


def _lost(rules: Rules, lost: list[e.WagerLost]) -> Message:
    if len(lost) == 1:
        return Message("Y" + format_event(lost[0], rules, _YOURS)[1:], "lose")
    cents = sum(event.cents for event in lost)
    parts = " + ".join(f"{event.part} {dollars(event.cents)}" for event in lost)
    clauses = dict.fromkeys(clause for event in lost for clause in event.clause.split(", "))
    return Message(f"Your {wager_text(lost[0].wager)} loses {dollars(cents)} ({parts}) [{', '.join(clauses)}]", "lose")


def ban_on_aids(rules: Rules) -> str:
    """Return the clause that bans aids for predicting outcomes, or ""; with one, history is shown only on request.

    >>> ban_on_aids(Rules.of("arizona")), ban_on_aids(Rules.of("maryland"))
    ('AZ-II.N.2', '')
    """
    rule = rules.rulebook.general.live.prediction_aid
    return clause_text(rule.cite) if rule else ""


def equity(table: Table) -> int:
    """Return what the player has: the rack, and all wagers at face value."""
    return table.money.racks[SEAT - 1] + sum(wager.cents for wager in own_wagers(table))


def own_wagers(table: Table) -> list[Wager]:
    """Return the player's wagers that are up, without those for the crew."""
    return [wager for wager in table.position.layout if wager.seat == SEAT and wager.owner == "player"]


def wager_lines(rules: Rules, table: Table) -> list[Message]:
    """Return a line for each wager that is up: its amount, whether it works on the next roll, and what it pays."""
    lines = [Message(_up(rules, table, wager)) for wager in table.position.layout if wager.seat == SEAT]
    up = sum(wager.cents for wager in own_wagers(table))
    rack = table.money.racks[SEAT - 1]
    total = f"Rack {dollar_amount(rack)}, wagers {dollar_amount(up)}, together {dollar_amount(rack + up)}."
    return [*(lines or [Message("No wager is up.")]), Message(total, "head")]


def _up(rules: Rules, table: Table, wager: Wager) -> str:
    rule = rules.wagers[wager.kind]
    name = f"{short_name(spot_of(wager)):<18} {dollars(wager.cents):>9}"
    if rule.lines:
        return f"{name}  {progress_text(rule, wager.progress)}, pays {pay_table(rules, rule)}"
    state = "off for the next roll" if is_off(rules, table.position, wager) else "working"
    pays = _pays_text(rule, wager.number)
    charge = f", vigorish {dollars(wager.vigorish)} paid" if wager.vigorish else ""
    return f"{name}  {state}, {pays}{charge}"


def pay_table(rules: Rules, rule: WagerRule) -> str:
    """Print the pay table in force for a side wager in one line; what only loses is left out.

    >>> rules = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})
    >>> pay_table(rules, rules.wagers["fire"])
    '24 to 1 on 4, 249 to 1 on 5, 999 to 1 on 6'
    """
    entry = rule.entry
    assert isinstance(entry, SideWager)
    lines = sorted(entry.tables[rules.house.side_wagers[entry.offered]], key=lambda line: line.counts)
    paid = (line for line in lines if line.result != "lose")
    return ", ".join(f"{pay_line_text(line)} on {pay_line_when(entry, line.counts)}" for line in paid)


def _pays_text(rule: WagerRule, number: int) -> str:
    """Say what a wager pays: one payout, or the different ones by total."""
    if rule.family == "composite":
        return "pays by its parts"
    if number in rule.payouts or 0 in rule.payouts:
        payout = rule.payouts[number] if number in rule.payouts else rule.payouts[0]
        return f"pays {payout.pays}"
    return "pays " + ", ".join(dict.fromkeys(str(payout.pays) for payout in rule.payouts.values()))


_SAYS = {
    "make": "made",
    "remove": "comes down",
    "increase": "grows",
    "come_out": "come-out roll",
    "first_win": "wins at once on",
    "first_lose": "loses at once on",
    "first_void": "returned on",
    "moves": "moves to its number",
    "win": "wins",
    "lose": "loses",
    "flat": "original wager",
    "limit": "limit",
    "units": "units",
    "parts": "parts",
    "breakdown": "booked as",
}


def explained(rules: Rules, kind: str) -> list[Message]:
    """Say what the rules in force say of a wager: payouts, limits, and every clause behind it."""
    rule = rules.wagers[kind]
    numbers = ", ".join(number_text(number) for number in sorted(rule.numbers) if number)
    lines = [Message(f"{rule.name} ({kind})" + (f" on {numbers}" if numbers else ""), "head")]
    if not rule.is_offered:
        lines.append(Message("This house does not offer it."))
    if isinstance(rule.entry, SideWager):
        terms = [one for one in side_wager_lines(rules, rule) if not one.about.endswith("may be elected")]
        lines += [Message(f"{one.about:<17} {one.says} [{', '.join(one.clauses)}]") for one in terms]
        cited = [clause for one in terms for clause in one.clauses]
    else:
        lines += [Message(text) for text in _terms(rules, rule)]
        cited = list(_cited(rule))
    clauses = clauses_of(rules.rulebook.name)
    for name in dict.fromkeys(cited):
        summary = clauses[name].summary if name in clauses else "a rule of this house"
        lines.append(Message(f"[{name}] {summary}", "note"))
    return lines


def _terms(rules: Rules, rule: WagerRule) -> Iterator[str]:
    """Print the terms in force, each with its clause."""
    for field in fields(rule.entry):
        value = getattr(rule.entry, field.name)
        if isinstance(value, Rule) and field.name in _SAYS:
            detail = " ".join(filter(None, (_detail(value), f"({value.reading})" if value.reading else "")))
            clause = clause_text(value.cite) if not isinstance(value.cite, dict) else "by number"
            yield f"{_SAYS[field.name]:<17} {detail} [{clause}]".replace("  [", " [")
    by_pays: dict[str, list[str]] = {}
    for code, payout in rule.payouts.items():
        by_pays.setdefault(str(payout.pays), []).append(number_text(code))
    for pays, on in by_pays.items():
        yield f"{'pays':<17} {pays}" + (f" on {', '.join(on)}" if any(on) else "")
    units = dict.fromkeys(unit_cents(rules, Spot(rule.kind, number)) for number in sorted(rule.numbers))
    least = "" if rule.behind else f"from {dollar_amount(rule.min)} to {dollar_amount(rule.max)}, "
    yield f"{'amount':<17} {least}in steps of {' or '.join(dollar_amount(unit) for unit in units)}"
    if rule.vigorish:
        yield f"{'vigorish':<17} {_vigorish_text(rule)} [{_vigorish_clause(rule)}]"


def _vigorish_clause(rule: WagerRule) -> str:
    return joined(*(rule.vigorish.clause(number) for number in sorted(rule.numbers))) if rule.vigorish else ""


def _vigorish_text(rule: WagerRule) -> str:
    vigorish = rule.vigorish
    assert vigorish is not None
    whole, part = divmod(vigorish.basis_points, 100)
    rate = f"{whole}.{part:02d}".removesuffix(".00") + "%"
    return f"{rate} of the {vigorish.basis.replace('_', ' ')}, taken when {vigorish.when}"


_WORDS: dict[str, Callable[[Any], str]] = {
    "totals": lambda totals: ", ".join(map(str, totals)),
    "units": lambda units: ", ".join(f"{count} {part}" for part, count in units.items()),
    "works": lambda works: "works" if works else "off",
    "call": lambda call: f"may be called {call}",
    "when": lambda when: {"any": "at any time", "point": "while the puck is ON"}.get(when, _spoken("before a", when)),
    "until": lambda until: _spoken("until the", until),
    "on": lambda on: _spoken("on the", on),
    "pays": lambda pays: f"pays {pays}",
}


def _spoken(before: str, name: str) -> str:
    return f"{before} {name.replace('_', ' ')}"


def _detail(value: Rule) -> str:
    """Print what an entry says beside its clause."""
    said = ((field.name, getattr(value, field.name)) for field in fields(value))
    return ", ".join(_WORDS[name](one) for name, one in said if name in _WORDS and one not in (None, "", ()))


def _cited(rule: WagerRule) -> Iterator[str]:
    """Give every clause that an entry cites, in its order."""
    for field in fields(rule.entry):
        value = getattr(rule.entry, field.name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Rule):
                yield from cites_of(one.cite)
