"""The rule sheet of a tournament, made from its plan and the rules in force; not printed while a part is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256

from msgspec import Struct, json

from passline.acts.papers.from_rules import rules_lines
from passline.acts.papers.houses import currency_of
from passline.acts.papers.printed import paper_text
from passline.acts.papers.sheet import Missing, PaperSheet, SheetPart
from passline.acts.schema import PRACTICE
from passline.money import dollar_amount, in_currency
from passline.rules.rules import Rules
from passline.tournament.plan.schema import AddOn, Event, Plan, Prize, Rebuy, Round
from passline.tournament.rules import SheetEntry, SheetList, TournamentPages, TournamentRules

RULE_SHEET = "tournament_rules"
"""The name of the paper."""
_money = partial(dollar_amount, is_grouped=True)


def rule_sheet(rules: TournamentRules, plan: Plan, dealt: Rules | None) -> PaperSheet:
    """Make the rule sheet: every part that the regulation or practice asks for, or which of them are missing."""
    making = SheetMaking(rules, plan, dealt)
    parts, missing = list[SheetPart](), list[Missing]()
    for key, listed in _lists(rules):
        lines, clauses = list[str](), list[str]()
        for name in _parts_of(rules, listed):
            entry = rules.pages.sheet.parts[name]
            made = list(_lines(making, entry))
            if not made and not entry.optional:
                missing.append(Missing(name, entry.name, rules.clause(entry)))
            lines += (line.text for line in made)
            clauses += (line.clause or rules.clause(entry) for line in made)
        if lines:
            parts.append(SheetPart(key, listed.name, rules.clause(listed), tuple(lines), tuple(clauses)))
    title, thing = f"Rules of the tournament {plan.name}", f"tournament/{plan.id}"
    clause = ", ".join(part.clause for part in parts if part.clause != PRACTICE) or PRACTICE
    digest = "" if missing else sha256(json.encode([rules.digest, plan], order="deterministic")).hexdigest()
    sheet = PaperSheet(RULE_SHEET, title, thing, clause, tuple(parts), tuple(missing), digest)
    return in_currency(sheet, dealt.rulebook.general.currency if dealt else currency_of(plan.rules))


def _lists(rules: TournamentRules) -> list[tuple[str, SheetList]]:
    return sorted(rules.pages.sheet.lists.items(), key=lambda item: item[1].order)


def _parts_of(rules: TournamentRules, listed: SheetList) -> Iterator[str]:
    """Yield the parts of a list; those that a regulation has on a list of its own are printed there."""
    asked = {part for other in rules.pages.sheet.lists.values() if other.cite != PRACTICE for part in other.parts}
    for part in listed.parts:
        if listed.cite != PRACTICE or part not in asked:
            yield part


def _lines(making: SheetMaking, entry: SheetEntry) -> Iterator[PrintedLine]:
    """Yield the lines of a part, each with what it is about in front."""
    for line in SHEET_SOURCES[entry.source](making, entry):
        if not says_something(making.rules.pages, line.text):
            continue
        lead = ", ".join(filter(None, (entry.name, line.about)))
        yield line if line.is_whole else PrintedLine(f"{lead}: {line.text}", line.clause)


def says_something(pages: TournamentPages, words: str) -> bool:
    """Return whether words say something: where it is asked, they have a letter or a figure."""
    asked = pages.sheet.words
    return any(map(str.isalnum, words)) if asked and asked.written else bool(words)


def rule_sheet_text(sheet: PaperSheet) -> str:
    """Return a rule sheet as plain text, each line with its clause."""
    return paper_text(sheet, has_about=False)


_HOUSE_RULES = ("in_points", "payouts", "vigorish", "procedures", "irregularities")
_TIES = {
    "shared": "tied players share the cash of the places they fill",
    "roll_off": "tied players play on, one roll at a time, until one is ahead",
    "earlier_lead": "of tied players the one who had those points first is ahead",
}
_CUT_TIES = {
    "by_lot": "a lot that is recorded decides who of them goes on",
    "roll_off": "they play on, one roll at a time, until the places are filled",
    "earlier_lead": "who had those points first goes on",
    "all_go_on": "all of them go on, more than planned",
}
_UNDECIDED = {
    "returned": "counted as chips of the player who made them",
    "played_out": "played out: the dice are thrown until they are decided, and no other is made",
    "lost": "lost",
}
_COUNTS = {
    "open": "everybody sees everybody's points",
    "secret": "nobody sees another's points until the round is over",
}


class PrintedLine(Struct, frozen=True):
    """A line of the sheet; without a clause of its own it has that of its part."""

    text: str
    clause: str = ""
    about: str = ""  # such as the event and the place: it stands in front, after the name of the part
    is_whole: bool = False  # it begins with what it is about itself


class SheetMaking(Struct, frozen=True):
    """What a sheet is made from."""

    rules: TournamentRules
    plan: Plan
    dealt: Rules | None  # None while the elections of its tables are unlawful

    def per_event(self, says: Callable[[Event], str]) -> Iterator[PrintedLine]:
        """Yield a line for each event, with its name where there are several."""
        for event in self.plan.events:
            if text := says(event):
                yield PrintedLine(text, about=self.name_of(event))

    def name_of(self, event: Event) -> str:
        """Return the name of an event where there are several."""
        return event.name if len(self.plan.events) > 1 else ""

    def within(self, event: Event, what: str) -> str:
        """Return what a line is about within an event."""
        return ", ".join(filter(None, (self.name_of(event), what)))


def _text(value: str) -> Iterator[PrintedLine]:
    if value:
        yield PrintedLine(value)


def _form(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    events, clause = making.plan.events, making.rules.clause(making.rules.pages.offer)
    if len(events) == 1:
        yield PrintedLine("one event", clause)
    elif events:
        names = ", ".join(event.name for event in events)
        yield PrintedLine(f"a series: {names}; {events[-1].name} finds the winner of the whole", clause)


def _games(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    if making.dealt is None:
        return
    house, clause = making.dealt.house, making.rules.clause(making.rules.pages.games)
    side = [key.replace("_", " ") for key, table in house.side_wagers.items() if table != "none"]
    words = house.game.replace("_", " ")
    yield PrintedLine(f"{words}, with {', '.join(side)}" if side else words, clause)
    if base := making.rules.pages.play.base:
        yield PrintedLine("it is played by the ordinary rules of the game", making.rules.clause(base))


def _dates(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from making.per_event(_days_of)


def _days_of(event: Event) -> str:
    days = f"{event.first_day}" if event.first_day == event.last_day else f"{event.first_day} to {event.last_day}"
    return f"{days}, beginning at {event.starts}" + (f" and ending at {event.ends}" if event.ends else "")


def _times(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    if all(event.ends for event in making.plan.events):
        yield from making.per_event(_days_of)


def _place(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from _text(making.plan.premises.place)


def _licensees(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    plan, joint = making.plan, making.rules.pages.joint
    if len(plan.licensees) < 2:  # noqa: PLR2004 - two make it a joint one
        return
    yield PrintedLine(", ".join(plan.licensees))
    if plan.lead and joint.lead:
        yield PrintedLine(f"{plan.lead} is responsible for the tournament", making.rules.clause(joint.lead))
    if plan.lead and joint.prizes:
        yield PrintedLine(f"{plan.lead} alone sees that every prize is awarded", making.rules.clause(joint.prizes))
    if plan.lead and joint.records:
        yield PrintedLine(f"{plan.lead} keeps the accounts of the whole", making.rules.clause(joint.records))


def _criteria(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from _text(making.plan.criteria)


def _entries(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    most, live = making.plan.entries_at_once, making.rules.pages.entry.live
    words = "one entry" if most == 1 else f"{most} entries"
    out = "; whoever has more is disqualified and wins nothing" if live else ""
    yield PrintedLine(f"a player has at most {words} at a time{out}", making.rules.clause(live))
    yield from making.per_event(lambda event: f"at most {event.entries_max} entries")


def _reentry(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    clause = making.rules.clause(making.rules.pages.entry.reentry)
    allowed = [event for event in making.plan.events if event.reentries_max]
    if not allowed:
        yield PrintedLine("nobody who has been eliminated enters again", clause)
    for event in allowed:
        times = "once" if event.reentries_max == 1 else f"up to {event.reentries_max} times"
        words = f"{times} after elimination, each time as a new entry that is paid again"
        yield PrintedLine(words, clause, making.name_of(event))


def _rounds(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    if all(event.rounds for event in making.plan.events):
        yield from making.per_event(lambda event: f"{len(event.rounds)} in all")
    for event in making.plan.events:
        for planned in event.rounds:
            yield PrintedLine(_round_text(planned), about=making.within(event, planned.name))


def _round_text(planned: Round) -> str:
    ends = f"{planned.rolls} rolls" if planned.rolls else f"{planned.minutes} minutes"
    words = [f"{ends} at tables of up to {planned.seats} players"]
    words += [f"the best {planned.advance} of each table go on"] if planned.advance else []
    words += [f"and the best {planned.wild_cards} of all others"] if planned.wild_cards else []
    words += ["with the points they have"] if planned.carries_points else []
    return ", ".join(words)


def _pool(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    plan, pool = making.plan, making.rules.pages.pool
    paid = making.rules.clause(pool.pays_all)
    yield PrintedLine("all buy-ins together; all of it is paid to winners, and the house keeps nothing of it", paid)
    if plan.pools == "by_event":
        words = "each event has its own pool; what it leaves is carried forward and paid in later events"
        yield PrintedLine(words, making.rules.clause(pool.by_event))
    if any(place.prize.basis_points for event in plan.events for place in event.places):
        words = "shares are rounded down to the cent, and the cents left go one each to the best places"
        yield PrintedLine(f"{words}; the shares of places that nobody fills go to the others in proportion")
    if plan.house_adds_cents:
        yield PrintedLine(f"the house adds {_money(plan.house_adds_cents)}")


def _vouchers(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    clause = making.rules.clause(making.rules.pages.voucher.offer)
    wins = {place.prize.voucher for event in making.plan.events for place in event.places}
    for event in making.plan.events:
        if event.name in wins:
            words = "; nobody enters it otherwise" if event.is_by_voucher else ""
            yield PrintedLine(f"a voucher lets its winner, and nobody else, enter {event.name}{words}", clause)


def _in_kind(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    fee, pool = making.rules.pages.fee.in_kind, making.rules.pages.pool.in_kind
    for event in making.plan.events:
        for what, rule, items in (("entry fee", fee, event.fee_in_kind), ("buy-in", pool, event.buy_in_in_kind)):
            for kind in items:
                words = f"{kind.item} in place of the {what}, at {_money(kind.cents)}"
                yield PrintedLine(words, making.rules.clause(rule), making.name_of(event))


def _amounts(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from making.per_event(_costs)


def _costs(event: Event) -> str:
    fee = f"entry fee {_money(event.fee_cents)}" if event.fee_cents else "no entry fee"
    return f"{fee}, {f'buy-in {_money(event.buy_in_cents)}' if event.buy_in_cents else 'no buy-in'}"


def _rebuys(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    for event in making.plan.events:
        if event.rebuy:
            words = f"permitted to a player who has lost all chips, {_extra(event.rebuy)}"
        else:
            words = "not permitted"
        yield PrintedLine(words, about=making.name_of(event))
        if event.add_on:
            words = f"every player may buy more chips, {_extra(event.add_on)}, and play them from the next game on"
            yield PrintedLine(words, about=making.within(event, "add-ons"))


def _extra(extra: Rebuy | AddOn) -> str:
    times = "once" if extra.most == 1 else f"up to {extra.most} times"
    return f"{times}, {extra.points} points for {_money(extra.cents)}, in {', '.join(extra.rounds)}"


def _house_rules(making: SheetMaking, entry: SheetEntry) -> Iterator[PrintedLine]:
    plan = making.plan
    if plan.sheet.house_rules == "as_changed" and entry.statement:
        yield PrintedLine(entry.statement.format(casino=plan.casino))
    elif plan.sheet.house_rules == "printed" and making.dealt:
        yield PrintedLine(f"those of {plan.casino}, as follows")
        for what in _HOUSE_RULES:
            yield from (PrintedLine(line, is_whole=True) for line in rules_lines(making.dealt, what))


def _prize_count(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from making.per_event(lambda event: f"{len(event.places)}" if event.places else "")


def _prizes(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    for event in making.plan.events:
        for place in sorted(event.places, key=lambda place: place.place):
            if text := _prize(place.prize):
                least = f", if at least {place.entries_from} have entered" if place.entries_from else ""
                yield PrintedLine(f"{text}{least}", about=making.within(event, f"place {place.place}"))


def _prize(prize: Prize) -> str:
    words = [f"{prize.basis_points / 100:g}% of the pool"] if prize.basis_points else []
    words += [f"{_money(prize.cents)} from the house"] if prize.cents else []
    words += [f"{prize.item}, worth {_money(prize.item_cents)}"] if prize.item else []
    words += [f"a voucher for {prize.voucher}"] if prize.voucher else []
    return " and ".join(words)


def _changes(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    changes = making.plan.sheet.changes
    yield from (PrintedLine(change) for change in changes or ("no other rule of this house is changed",))


def _points(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    if making.plan.is_points_only:
        words = "chips stand for points, have no cash value and are never redeemed; points decide every place"
        yield PrintedLine(words, making.rules.clause(making.rules.pages.chips.no_value))
    else:
        yield PrintedLine("chips have the value that is printed on them")


def _stacks(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from making.per_event(lambda event: f"everybody begins with {event.points} points")


def _wager_limit(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    most, no_limit = making.plan.wager_points_max, making.rules.pages.chips.no_limit
    otherwise = "wagers have no upper limit" if no_limit else "the minimum and maximum posted at each table hold"
    yield PrintedLine(f"a wager is at most {most} points" if most else otherwise, making.rules.clause(no_limit))


def _colours(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    clause = making.rules.clause(making.rules.pages.chips.notice)
    if making.plan.colours:
        listed = ", ".join(f"{chip.colour} {chip.points}" for chip in making.plan.colours)
        yield PrintedLine(f"{listed}; the notice at each table has what they stand for now", clause)


def _ties(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from _text(_TIES.get(making.plan.sheet.ties, ""))


def _cut_ties(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    sheet = making.plan.sheet
    if any(len(event.rounds) > 1 for event in making.plan.events):
        yield from _text(_CUT_TIES.get(sheet.way_at_cut, ""))


def _undecided_wagers(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from _text(_UNDECIDED.get(making.plan.sheet.undecided_wagers, ""))


def _order(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    sheet = making.plan.sheet
    if sheet.wagering_order:
        time = f"; {sheet.wagering_seconds} seconds for each" if sheet.wagering_seconds else ""
        yield PrintedLine(f"{sheet.wagering_order}{time}")


def _seat_draw(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    if making.plan.sheet.seat_draw:
        yield PrintedLine("drawn by lot before each round; seats change between rounds only")


def _counts(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from _text(_COUNTS.get(making.plan.sheet.counts, ""))


def _split(making: SheetMaking, _entry: SheetEntry) -> Iterator[PrintedLine]:
    if making.plan.splits:
        words = "those still in may share the cash prizes among themselves if every one of them agrees freely"
        yield PrintedLine(f"{words}; other prizes are won by play")
    else:
        yield PrintedLine("prizes are not shared by agreement")


def _statement(making: SheetMaking, entry: SheetEntry) -> Iterator[PrintedLine]:
    yield from _text(entry.statement.format(casino=making.plan.casino))


def _words(field: str) -> Callable[[SheetMaking, SheetEntry], Iterator[PrintedLine]]:
    """Return a source of what the plan itself says under a key of `sheet`."""
    return lambda making, _entry: _text(getattr(making.plan.sheet, field))


SHEET_SOURCES: dict[str, Callable[[SheetMaking, SheetEntry], Iterator[PrintedLine]]] = {
    "form": _form,
    "games": _games,
    "dates": _dates,
    "times": _times,
    "place": _place,
    "licensees": _licensees,
    "criteria": _criteria,
    "entries": _entries,
    "reentry": _reentry,
    "rounds": _rounds,
    "pool": _pool,
    "vouchers": _vouchers,
    "in_kind": _in_kind,
    "amounts": _amounts,
    "rebuys": _rebuys,
    "house_rules": _house_rules,
    "prize_count": _prize_count,
    "prizes": _prizes,
    "changes": _changes,
    "points": _points,
    "stacks": _stacks,
    "wager_limit": _wager_limit,
    "colours": _colours,
    "ties": _ties,
    "cut_ties": _cut_ties,
    "undecided": _undecided_wagers,
    "order": _order,
    "seat_draw": _seat_draw,
    "counts": _counts,
    "split": _split,
    "statement": _statement,
    "final_round": _words("final_round"),
    "conclusion": _words("conclusion"),
    "elimination": _words("elimination"),
    "cash_handling": _words("cash_handling"),
    "lapse_of_rounds": _words("lapse_of_rounds"),
}
"""What a part of the sheet can be made from."""
