"""Messages and hints for the player: events, the wagers that are up, the rules of a wager, what is lawful now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from passline.cli.play.parser import ODDS, typed_name
from passline.dice import number_text
from passline.game import events as e
from passline.game.position import Table, Wager, find
from passline.game.spots import Spot, comes_down, default_cents, is_off, lawful, odds_spots, spot_of, spots
from passline.game.wording import format_event, progress_text
from passline.money import dollar_amount, dollars, short_dollars
from passline.rules.clauses import clauses_of
from passline.rules.explain.payouts import pay_table_text, short_pays, vigorish_text
from passline.rules.explain.sections import wager_readings, wager_terms
from passline.rules.rules import Rules
from passline.rules.schema import clause_text

SEAT = 1  # the only player
_INSIDE = (6, 8)  # the numbers that players favour besides the point
_SUGGESTED_MAX = 3


_CASH = f"cash 100 buys chips for {dollar_amount(100_00)}, quit leaves."


def short_name(spot: Spot) -> str:
    """Return a wager as a player types it.

    >>> short_name(Spot("place_win", 6)), short_name(Spot("hop", 113)), short_name(Spot("pass", 0, "crew"))
    ('place 6', 'hop 1-3', 'tip pass')
    """
    tip = "tip " if spot.owner == "crew" else ""
    return f"{tip}{typed_name(spot.kind)} {number_text(spot.number)}".strip()


def completions(rules: Rules, table: Table) -> list[str]:
    """Return the lines that may be typed now, likeliest first."""
    acts = ["roll", "undo", "repeat", "help", "wagers", "history", "rules ", "quit"]
    made = [_with_amount(rules, table, spot) for spot in spots(rules, table, SEAT) if lawful(rules, table, spot, SEAT)]
    up = [wager for wager in table.position.layout if wager.seat == SEAT]
    downs = [f"down {short_name(spot_of(wager))}" for wager in up if comes_down(rules, table, wager)]
    return [*acts, *made, *downs, *(["down all"] if downs else [])]


def hint(rules: Rules, table: Table, *, may_repeat: bool = False, is_typed: bool = False) -> str:
    """Return a line that tells a newcomer what to do next: what the money allows, and how the dice are thrown."""
    position = table.position
    rolls = "throw, and type the dice, such as 34" if is_typed else "Enter rolls"
    if position.is_clearing:
        return f"Come wagers are being cleared: {rolls}, or make a line wager to keep shooting."
    if not position.layout and not any(lawful(rules, table, spot, SEAT) for spot in spots(rules, table, SEAT)):
        return f"Your rack pays for no wager here: {_CASH}"
    line = [wager for wager in position.layout if wager.kind in rules.procedures.shooter.line_wagers]
    if not position.puck and not line:
        line_wagers = [Spot(kind) for kind in rules.procedures.shooter.line_wagers]
        names = [_with_amount(rules, table, spot) for spot in line_wagers if lawful(rules, table, spot, SEAT)]
        if not names:
            return f"Come-out roll. Your rack pays for no line wager: {_CASH}"
        names += ["repeat"] if may_repeat else []
        return f"Come-out roll. Make a line wager first: {' or '.join(names)}."
    if not position.puck:
        side = [Spot(kind) for kind, rule in rules.wagers.items() if rule.lines]
        more = _suggestions(rules, table, side) or " help lists what else you can do."
        return f"Come-out roll. {f'{rolls} the dice' if not is_typed else rolls.capitalize()}.{more}"
    wanted = [
        *odds_spots(rules, table, SEAT),
        Spot("come"),
        *(Spot("place_win", number) for number in _INSIDE),
        Spot("field"),
    ]
    return f"Point is {position.puck}. {rolls[0].upper()}{rolls[1:]}.{_suggestions(rules, table, wanted)}"


def _suggestions(rules: Rules, table: Table, wanted: list[Spot]) -> str:
    """Return a sentence that names some of the wagers that can be added."""
    suggested = [spot for spot in wanted if _is_suggested(rules, table, spot)]
    tips = ", ".join(_with_amount(rules, table, spot) for spot in suggested[:_SUGGESTED_MAX])
    return f" You can add {tips}." if tips else ""


def _is_suggested(rules: Rules, table: Table, spot: Spot) -> bool:
    """Return whether to suggest a wager: lawful, not up yet, and not a second one on the point."""
    position = table.position
    if spot.kind not in rules.wagers or find(position, SEAT, spot.kind, spot.number) is not None:
        return False
    is_point = 0 != spot.number == position.puck and not rules.wagers[spot.kind].behind
    return not is_point and lawful(rules, table, spot, SEAT)


def _with_amount(rules: Rules, table: Table, spot: Spot) -> str:
    name = ODDS if rules.wagers[spot.kind].behind and spot.number == table.position.puck else short_name(spot)
    return f"{name} {short_dollars(default_cents(rules, table, spot, SEAT))}"


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
    ("buy 4 25, lay 10 40", "a number at true odds, for vigorish"),
    ("lose 6 5", "place a number to lose"),
    ("field 5, hard 6 5", "and seven, craps, yo, aces, boxcars 1"),
    ("horn 4, whirl 5, c&e 2", "and horn high 12 5, hop 1-3 1"),
    ("fire 5, small 5, lucky 5", "side wagers, where the house offers them"),
    ("tip pass 5, pass 5 crew", "a wager for the crew, where they are taken"),
    ("press 6, less place 6 6", "double it; take part of it down"),
    ("down place 6, down all", "take it down"),
    ("on place 6, off place 6", "call it on or off"),
    ("stay, stay off", "keep winners up: place, buy, lay, hardways"),
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
    e.MeterPaid: "win",
    e.MeterRaised: "note",
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
            lines.append(_loss_message(rules, lost))
            lost = []
        if isinstance(event, e.WagerLost):
            lost.append(event)
        elif isinstance(event, e.DiceSurrendered):
            lines.append(Message(f"You lose the dice: {event.reason.replace('_', ' ')} [{event.clause}]", "note"))
        elif isinstance(event, e.ClearingBegan):
            lines.append(Message(f"There is no other shooter: roll to decide the come wagers [{event.clause}]", "note"))
        elif isinstance(event, e.WindowClosed):
            lines.append(_window_message(rules, event))
        elif isinstance(event, e.WagerProgressed):
            lines += _progress_messages(rules, event)
        elif isinstance(event, e.BuyInMade):
            lines.append(Message(f"You change {dollars(event.cents)} for chips.", "say"))
        elif tone := _TONES.get(type(event)):
            text = format_event(event, rules, _YOURS)
            lines.append(Message(text[0].upper() + text[1:], tone))
    return [*lines, *([_loss_message(rules, lost)] if lost else [])]


def _window_message(rules: Rules, event: e.WindowClosed) -> Message:
    """Return a message that names the side wagers that can no longer be made."""
    names = [
        rule.display_name() for rule in rules.wagers.values() if rule.lines and rule.entry.make.when == event.window
    ]
    return Message(f"No new {' or '.join(names) or event.window} for the rest of this hand [{event.clause}]", "note")


def _progress_messages(rules: Rules, event: e.WagerProgressed) -> list[Message]:
    """Return a message for what a side wager has counted, if that changed."""
    rule = rules.wagers[event.wager.kind]
    if progress_text(rule, event.wager.progress) == progress_text(rule, event.after.progress):
        return []
    return [Message("Y" + format_event(event, rules, _YOURS)[1:], "note")]


def _is_same(event: e.WagerLost, before: e.WagerLost) -> bool:
    """Return whether two losses are parts of one composite wager."""
    wager, other = event.wager, before.wager
    return bool(event.part) and (wager.kind, wager.number) == (other.kind, other.number)


def _loss_message(rules: Rules, lost: list[e.WagerLost]) -> Message:
    if len(lost) == 1:
        return Message("Y" + format_event(lost[0], rules, _YOURS)[1:], "lose")
    cents = sum(event.cents for event in lost)
    name = rules.wagers[lost[0].wager.kind].display_name(lost[0].wager.number)
    parts = " + ".join(f"{rules.part_name(event.part)} {dollars(event.cents)}" for event in lost)
    clauses = dict.fromkeys(clause for event in lost for clause in event.clause.split(", "))
    return Message(f"Your {name} loses {dollars(cents)} ({parts}) [{', '.join(clauses)}]", "lose")


def ban_on_aids(rules: Rules) -> str:
    """Return the clause that bans aids for predicting outcomes, or ""; with one, history is shown only on request.

    >>> ban_on_aids(Rules.of("arizona")), ban_on_aids(Rules.of("maryland"))
    ('AZ-II.N.2', '')
    """
    rule = rules.rulebook.general.live.prediction_aid
    return clause_text(rule.cite) if rule else ""


def charges(rules: Rules) -> list[Message]:
    """Return what is charged beside a stake, which a player is told before any wager.

    >>> [line.text for line in charges(Rules.of("arizona"))][1]
    'Lay: vigorish 5% of the wager, taken when the wager is made.'
    """
    charged = [rule for rule in rules.wagers.values() if rule.is_offered and rule.vigorish]
    return [
        Message(f"{rule.display_name()}: vigorish {vigorish_text(rule.vigorish)}.", "note")
        for rule in charged
        if rule.vigorish
    ]


def equity(table: Table) -> int:
    """Return what the player has: the rack, and all wagers at face value."""
    return table.money.racks[SEAT - 1] + sum(wager.cents for wager in own_wagers(table))


def own_wagers(table: Table) -> list[Wager]:
    """Return the player's wagers that are up, without those for the crew."""
    return [wager for wager in table.position.layout if wager.seat == SEAT and wager.owner == "player"]


def own_name(rules: Rules, wager: Wager) -> str:
    """Return the display name of a wager that is up, marked if it is a tip."""
    return rules.wagers[wager.kind].display_name(wager.number) + " for the crew" * (wager.owner == "crew")


def standing_lines(rules: Rules, table: Table) -> list[Message]:
    """Return a line for each wager that is up: its amount, whether it works on the next roll, and what it pays."""
    lines = [Message(_wager_line(rules, table, wager)) for wager in table.position.layout if wager.seat == SEAT]
    up = sum(wager.cents for wager in own_wagers(table))
    rack = table.money.racks[SEAT - 1]
    total = f"Rack {dollar_amount(rack)}, wagers {dollar_amount(up)}, together {dollar_amount(rack + up)}."
    return [*(lines or [Message("No wager is up.")]), Message(total, "head")]


def _wager_line(rules: Rules, table: Table, wager: Wager) -> str:
    rule = rules.wagers[wager.kind]
    name = f"{own_name(rules, wager):<18} {dollars(wager.cents):>9}"
    if rule.lines:
        return f"{name}  {progress_text(rule, wager.progress)}, pays {pay_table_text(rules, rule)}"
    state = "off for the next roll" if is_off(rules, table.position, wager) else "working"
    pays = short_pays(rules, rule, wager.number)
    charge = f", vigorish {dollars(wager.vigorish)} paid" if wager.vigorish else ""
    return f"{name}  {state}, pays {pays}{charge}"


def explain_wager(rules: Rules, kind: str) -> list[Message]:
    """Return what the rules in force say about a wager, and the summary of every clause behind it."""
    rule = rules.wagers[kind]
    numbers = ", ".join(number_text(number) for number in sorted(rule.numbers) if number)
    lines = [Message(f"{rule.name} ({kind})" + (f" on {numbers}" if numbers else ""), "head")]
    if not rule.is_offered:
        lines.append(Message("This house does not offer it."))
    terms = [line for line in wager_terms(rules, rule) if not line.about.endswith("may be elected")]
    terms += wager_readings(rule)
    lines += [Message(f"{line.about:<17} {line.says} [{', '.join(line.clauses)}]") for line in terms]
    cited = [clause for line in terms for clause in line.clauses]
    clauses = clauses_of(rules.rulebook.name)
    for name in dict.fromkeys(cited):
        summary = clauses[name].summary if name in clauses else "a rule of this house"
        lines.append(Message(f"[{name}] {summary}", "note"))
    return lines
