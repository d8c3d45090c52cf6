"""The rules in force in words, in sections: every wager, procedure, election and reading, each with its clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, get_args

import msgspec
from msgspec import Struct

from passline.authority.roles import Role
from passline.money import amount_text, in_currency
from passline.rules.elections import House, limit_of
from passline.rules.explain.live import live_lines
from passline.rules.explain.side_wagers import side_wager_lines, window_text
from passline.rules.explain.wagers import (
    CitedLine,
    bounds_text,
    cite,
    commas,
    plain,
    series,
    standard_wager_lines,
    words,
)
from passline.rules.pages.dated import DAYS
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import (
    ELECTIONS,
    Cite,
    Medium,
    PaysRule,
    Reading,
    Rule,
    Rulebook,
    Run,
    SideWager,
    all_wagers,
    cites_of,
    own_elections,
)


def _structs_below(node: object, path: str) -> Iterator[tuple[str, Struct]]:
    """Yield every entry below a node with its path."""
    if isinstance(node, Struct):
        yield path, node
        for field in node.__struct_fields__:
            yield from _structs_below(getattr(node, field), f"{path}.{field}")
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from _structs_below(value, f"{path}.{key}")
    elif isinstance(node, tuple):
        for index, value in enumerate(node, start=1):
            yield from _structs_below(value, f"{path}.{index}")


def entry_lines(node: object, root: str) -> Iterator[CitedLine]:
    """Yield everything below a node of a rulebook, one line for each entry."""
    for path, entry in _structs_below(node, root):
        yield _entry(path, entry)


def _entry(path: str, entry: Struct) -> CitedLine:
    texts = [f"family {tag}"] if (tag := entry.__struct_config__.tag) else []
    for name, default in _fields_of(type(entry)):
        value = getattr(entry, name)
        if name != "cite" and value != default and not _is_nested(value):
            texts.append(f"{name} {plain(value)}")
    cite: Cite = getattr(entry, "cite", ())
    if isinstance(cite, dict):
        texts.append(commas(f"{number}: {commas(cites_of(clauses))}" for number, clauses in cite.items()))
        cite = ()
    return CitedLine(path, "; ".join(texts), cites_of(cite))


@cache
def _fields_of(kind: type[Struct]) -> tuple[tuple[str, object], ...]:
    """Return the fields of an entry with their defaults."""
    fields = msgspec.structs.fields(kind)
    return tuple((field.name, {} if field.default_factory is dict else field.default) for field in fields)


def _is_nested(value: object) -> bool:
    """Return whether a value is printed as entries of its own."""
    if isinstance(value, dict):
        value = tuple(value.values())
    return isinstance(value, Struct) or (isinstance(value, tuple) and any(_is_nested(part) for part in value))


_WIDTH = 100
_PAYS = {
    "least": "the least a house pays",
    "only": "all a house pays",
    "default": "what a house pays unless others are approved",
}
_FIRST = {
    "left_of_boxperson": "the player to the boxperson's left",
    "left_of_offeror": "the player to the left of whoever offers",
}
_NEEDED = {"all": " and ", "any": " or "}


class Section(Struct, frozen=True):
    """A heading, and the lines under it."""

    title: str
    lines: tuple[CitedLine, ...]


def explain(rules: Rules, *, width: int = _WIDTH) -> str:
    """Return the rules in force as text, wrapped to `width`.

    >>> print(*explain(Rules.of("maryland")).splitlines()[:4], sep=chr(10))
    Maryland craps and mini-craps, version 1.5
    ==========================================
    house: Default Maryland house [MD-3.A]
    game: craps, of craps, mini craps [MD-3.A]
    """
    return _text(sections(rules), width)


def explain_all(rules: Rules, *, width: int = _WIDTH) -> str:
    """Return the rules in force and then every value of the rulebook and the house, entry by entry, as text."""
    return _text((*sections(rules), *entry_sections(rules)), width)


def sections(rules: Rules) -> tuple[Section, ...]:
    """Return the rules in force under headings, for any kind of output."""
    is_house_rule = rules.game.procedures is None
    wagers = [
        Section(f"{rule.name} ({rule.kind}), {words(rule.family)}", tuple(wager_terms(rules, rule)))
        for rule in rules.wagers.values()
    ]
    variation = tuple(_variation(rules))
    taken = rules.rulebook.general.media
    media = tuple(cite(words(name), _medium(rules, medium), medium) for name, medium in taken.items())
    found = (
        Section(rules.rulebook.general.title, tuple(_head(rules))),
        Section("The game", tuple(_game(rules))),
        *([Section("The variation", variation)] if variation else []),
        *wagers,
        Section("What may be wagered", media),
        Section("At the table", tuple(_table(rules))),
        Section("Who does what" + ", by house rule" * is_house_rule, tuple(_procedures(rules))),
        Section("Duties", tuple(_duties(rules))),
        Section("Elections", tuple(_elections(rules))),
        Section("Readings", tuple(_readings(rules))),
    )
    return in_currency(found, rules.rulebook.general.currency)


def wager_terms(rules: Rules, rule: WagerRule) -> Iterator[CitedLine]:
    """Yield everything the rules say about one wager, line by line."""
    yield from (side_wager_lines if isinstance(rule.entry, SideWager) else standard_wager_lines)(rules, rule)


def wager_readings(rule: WagerRule) -> Iterator[CitedLine]:
    """Yield the readings chosen for a wager of the standard game; those of a side wager are among its terms."""
    if not isinstance(rule.entry, SideWager):
        yield from (cite("reading", entry.reading, entry) for _path, entry in _entries_read(rule.entry, ""))


def _head(rules: Rules) -> Iterator[CitedLine]:
    general, house = rules.rulebook.general, rules.house
    closed = general.closed_list
    yield cite("house", house.name, closed)
    yield cite("game", f"{words(house.game)}, of {commas(words(game) for game in general.games)}", closed)
    if general.latest_amendment:
        yield cite("amended", f"to {general.latest_amendment}", closed)
    yield from (cite("amended", f"by {amendment}", closed) for amendment in rules.rulebook.amendments)
    if general.statutes:
        yield cite("statutes", commas(general.statutes), closed)
    for where, versions in rules.rulebook.versions.items():
        yield cite("dated", f"{where}: {commas(map(_days_of, versions))}", closed)


def _days_of(version: Mapping[str, Any]) -> str:
    """Return between which days a version is in force."""
    return " ".join(str(version["from"]) if key == "from" else f"to {version[key]}" for key in version if key in DAYS)


def _game(rules: Rules) -> Iterator[CitedLine]:
    general, house = rules.rulebook.general, rules.house
    yield cite("wagers", "only those listed below", general.closed_list)
    points = rules.game.points or general.points
    yield cite("points", commas(points.totals), points)
    yield cite("come-out roll", "opens the game and follows every decision of the line", general.come_out_roll)
    yield cite("loser 7", "a 7 while a point is on", general.seven)
    yield cite("removal", "until the roll that may decide a wager, unless its terms differ", general.remove)
    yield cite("working", "every wager works on every roll, unless its terms say it is off", general.works)
    off = "; number, odds and hardway wagers may also be called off" if house.off_calls else ""
    like = " (one button marks all like wagers of a player)" if general.call_on.like_wagers else ""
    by = commas(general.call_on.button_by)
    call = f"a call counts once the {by} places a button{like}, until the next point{off}"
    yield cite("calls", call, general.call_on, *filter(None, (general.call_on.like_wagers,)))
    yield cite("listed payouts", _payouts_rule(rules.rulebook, general.listed_payouts), general.listed_payouts)
    yield cite("fixed payouts", _payouts_rule(rules.rulebook, general.fixed_payouts), general.fixed_payouts)
    unpayable = "refused" if house.unpayable == "refuse" else "paid up to the next whole chip"
    amount = f"an amount that {amount_text(rules.chip)} chips cannot pay exactly"
    yield cite("unpayable", f"{amount} is {unpayable}", general.unpayable)
    if general.composite_parts:
        text = f"each part of a composite wager is made of {amount_text(rules.chip)} chips"
        yield cite("parts", text, general.composite_parts)
    charged = [words(kind) for kind, rule in rules.wagers.items() if rule.vigorish]
    on = f"only on {series(charged, 'and')} wagers" if charged else "on no wager"
    yield cite("vigorish", on, general.vigorish_only)
    if general.odds_follow:
        yield cite("odds", "remain, lose and come down with their original wager", general.odds_follow)
    yield cite("minimum", f"{amount_text(house.wager_cents_min)}", general.limits.min)
    yield cite("maximum", f"{amount_text(house.wager_cents_max)}", general.limits.max)
    if general.employees:
        yield cite("employees", "gaming employees do not wager", general.employees)
    if general.centre_placed_by:
        by = " or ".join(general.centre_placed_by.by)
        yield cite("centre", f"wagers there are placed by the {by}", general.centre_placed_by)
    if general.dealer_includes:
        yield cite("dealer", f"includes the {commas(general.dealer_includes.by)}", general.dealer_includes)
    for name, window in general.windows.items():
        yield cite("window", f"{words(name)}: {window_text(window)}", window)
    yield from _tips(rules)
    yield from live_lines(general.live)


def _tips(rules: Rules) -> Iterator[CitedLine]:
    general = rules.rulebook.general
    tips = general.tips
    if tips is None:
        yield cite("tips", "no wager is made for the crew", general.closed_list)
        return
    if tips.elect and not rules.choice_of(tips.elect):
        yield cite("tips", f"no wager is made for the crew, as the house has not elected {words(tips.elect)}", tips)
        return
    yield cite("tips", "a player may make wagers for the crew with the player's own chips", tips)
    goes = "what it wins or what is taken down goes to the tip box"
    yield cite("tips", f"such a wager belongs to the crew: {goes}", tips.owner)


def _variation(rules: Rules) -> Iterator[CitedLine]:
    """Yield what differs between a variation and the regulation's usual game."""
    game, usual = rules.game, rules.rulebook.wagers
    if game.variation is None:
        return
    yield cite("rules", f"those of {words(rules.rulebook.name)} craps, except as stated here", game.variation)
    if game.points:
        more = [total for total in game.points.totals if total not in rules.rulebook.general.points.totals]
        yield cite("points", f"{commas(more)} too", game.points)
    for kind, entry in game.wagers.items():
        state = "in place of the usual one" if kind in usual else "not in the usual game"
        yield cite("wager", f"{entry.name} ({kind}), {state}", entry.make)
    for kind, rule in game.without.items():
        yield cite("no wager", f"{usual[kind].name} ({kind})", rule)


def _names(rulebook: Rulebook, kinds: Iterable[str]) -> str:
    return commas(all_wagers(rulebook)[kind].display_name() for kind in kinds)


def _payouts_rule(rulebook: Rulebook, rule: PaysRule) -> str:
    of = f" for {_names(rulebook, rule.wagers)}" if rule.wagers else ""
    needs = f"; otherwise the house needs {commas(words(need) for need in rule.needs)}" if rule.needs else ""
    return f"the list is {_PAYS[rule.listed]}{of}{needs}"


def _medium(rules: Rules, medium: Medium) -> str:
    if medium.wagers == "none":
        return "not taken"
    text = "on any wager" if medium.wagers == "any" else f"only on {_names(rules.rulebook, medium.wagers)}"
    if medium.elect:
        text += f", if the house elects {words(medium.elect)} ({plain(rules.choice_of(medium.elect))})"
    return f"{text}, once the {commas(medium.confirm)} has confirmed it" if medium.confirm else text


def _table(rules: Rules) -> Iterator[CitedLine]:
    late, seats = rules.game.late, rules.game.seats
    if not late.permitted:
        yield cite("late wagers", "none once the dice are thrown", late)
    elif late.confirm:
        by = _NEEDED[late.confirm.needed].join(late.confirm.by)
        yield cite("late wagers", f"while the dice are in the air, confirmed by the {by}", late, late.confirm)
    else:
        yield cite("late wagers", "while the dice are in the air", late)
    yield cite("places", f"{rules.house.seats}" + f", at most {seats.seats_max}" * bool(seats.seats_max), seats)
    if seats.wagering_max:
        yield cite("players", f"at most {seats.wagering_max} with wagers on one roll", seats)
    if seats.seated:
        yield cite("seat", "only a seated player wagers", seats.seated)
    if seats.remain:
        yield cite("seat", "a player with wagers up stays seated", seats.remain)


def _procedures(rules: Rules) -> Iterator[CitedLine]:
    dice, shooter, throw = rules.procedures.dice, rules.procedures.shooter, rules.procedures.throw
    no_roll, clearing = rules.procedures.no_roll, rules.procedures.clearing
    yield cite("dice", f"a set of at least {dice.set_min}; this house has {rules.house.dice_set}", dice.set_cite)
    by, first = _roles(rules, dice.offered_by), _FIRST[dice.first_offer]
    yield cite("dice", f"offered by the {by}, first to {first}", dice.first_cite)
    yield cite("dice", "then clockwise to the first player who accepts", dice.next_cite)
    yield cite("dice", "offered again when a shooter is done", dice.after_cite)
    yield cite("shooter", "whoever accepts the dice", dice.accept_cite)
    yield cite("shooter", f"picks {dice.chosen} of the set", dice.chosen_cite)
    line = " or ".join(rules.wagers[kind].name for kind in shooter.line_wagers)
    yield cite("shooter", f"has a {line} before a come-out roll", shooter.line_wager)
    yield cite("shooter", "may give up the dice after any roll", shooter.surrender)
    yield cite("shooter", "gives up the dice on a loser 7", shooter.loser_7)
    yield cite("order to pass", f"given by the {_roles(rules, shooter.order_to_pass.by)}", shooter.order_to_pass)
    for reason, rule in shooter.order_reasons.items():
        yield cite("order to pass", f"reason: {words(reason)}", rule)
    yield cite("throw", "both dice leave the hand together", throw.together)
    for lie, rule in throw.void.items():
        yield cite("void throw", f"without a call: {words(lie)}", rule)
    if throw.rethrow:
        yield cite("void throw", "the dice are thrown again", throw.rethrow)
    yield cite("cocked die", "the face opposite the resting one counts as up", throw.cocked)
    yield cite("faces", "only one upper face of each die counts", throw.one_face)
    yield cite("call", f"the {_roles(rules, throw.called_by.by)} calls the roll", throw.called_by)
    by = _roles(rules, throw.settled_first.by)
    yield cite("settlement", f"by the {by}, before the next throw", throw.settled_first)
    yield cite("dice back", f"from the {_roles(rules, throw.passed_by.by)}", throw.passed_by)
    callers = rules.house.no_roll_callers or no_roll.by
    yield cite("no roll", f"called by the {_roles(rules, callers)}", no_roll)
    yield cite("no roll", "without a call the roll stands", no_roll.may_call)
    if no_roll.before_rest:
        yield cite("no roll", "should be called before the dice rest", no_roll.before_rest)
    for reason, ground in no_roll.reasons.items():
        only = f", for the {_roles(rules, ground.by)} to judge" if ground.by else ""
        early = ", before the dice rest" if ground.before_rest else ""
        yield cite("no roll", f"reason: {words(reason)}{only}{early}", ground)
    for reason, rule in no_roll.no_reason.items():
        yield cite("no roll", f"no reason: {words(reason)}", rule)
    yield cite("dispute", f"decided by the {_roles(rules, rules.procedures.dispute.by)}", rules.procedures.dispute)
    wagers = _names(rules.rulebook, clearing.wagers)
    yield cite("clearing", f"with {wagers} wagers up and no new line wager, the dice are offered on", clearing.offer)
    yield cite("clearing", "if nobody takes them the same shooter throws", clearing.alone)
    yield cite("clearing", "only to decide those wagers", clearing.only)
    yield cite("clearing", "with the puck OFF", clearing.puck)
    yield cite("clearing", "until they are decided or removed", clearing.decided)
    yield cite("clearing", "or until a line wager is made", clearing.line_wager)


def _roles(rules: Rules, roles: tuple[str, ...]) -> str:
    return " or ".join(rules.roles(roles))


def _duties(rules: Rules) -> Iterator[CitedLine]:
    for duty in rules.game.duties.values():
        who = "everybody" if set(duty.by) == set(get_args(Role)) else _roles(rules, duty.by)
        yield cite(who, duty.does, duty)


def _elections(rules: Rules) -> Iterator[CitedLine]:
    """Yield every election of the house with its bounds; unbounded keys come with a clause of their own."""
    house, general, elections = rules.house, rules.rulebook.general, rules.rulebook.elections
    known = {key: elections[key] for key in ELECTIONS if key in elections}
    for key, election in (known | own_elections(rules.rulebook)).items():
        name = election.label or words(key)
        yield cite(name, f"{plain(rules.choice_of(key))} ({bounds_text(election)})", election)
    side = {rule.entry.offered for rule in rules.wagers.values() if isinstance(rule.entry, SideWager)}
    for key, election in elections.items():
        if key in side:
            table = house.side_wagers.get(key, "none")
            yield cite(f"side wagers, {words(key)}", f"{table} ({bounds_text(election)})", election)
    for kind, rule in rules.wagers.items():
        if isinstance(rule.entry, Run) and rule.reading:
            name = house.readings.get(kind) or next(iter(rule.entry.readings))
            choices = " or ".join(words(choice) for choice in rule.entry.readings)
            yield cite(f"reading, {words(kind)}", f"{words(name)} ({choices})", rule.reading)
    for kind in house.limits:
        least, most = map(amount_text, limit_of(house, kind))
        yield cite(f"limits, {words(kind)}", f"{least} to {most}", general.limits.min, general.limits.max)
    for key, pays in house.payouts.items():
        yield cite(f"payouts, {words(key)}", pays, general.listed_payouts)
    if general.odds_follow:
        posted = commas(f"{multiple}x on {point}" for point, multiple in rules.odds_posted().items())
        yield cite("odds", posted, general.odds_follow)
    if general.odds_follow and house.odds_cents_max:
        yield cite("odds", f"at most {amount_text(house.odds_cents_max)}", general.odds_follow)
    yield cite("seat left of stickperson", plain(house.seat_left_of_stickperson), rules.procedures.dice.first_cite)


def _readings(rules: Rules) -> Iterator[CitedLine]:
    in_force = {rule.reading for rule in rules.wagers.values() if rule.reading}
    wagers = {kind: rule.entry for kind, rule in rules.wagers.items()}
    for root, node in _roots(rules):
        for path, entry in _entries_read(wagers if root == "wagers" else node, root):
            is_replaced = path.startswith(f"{rules.house.game}.wagers.")
            if not is_replaced and (not isinstance(entry, Reading) or entry in in_force):
                yield cite(path, entry.reading, entry)


def _entries_read(node: object, path: str) -> Iterator[tuple[str, Rule]]:
    """Yield every entry below a node for which a reading was chosen, with its path."""
    for where, entry in _structs_below(node, path):
        if isinstance(entry, Rule) and entry.reading:
            yield where, entry


def _roots(rules: Rules) -> Iterator[tuple[str, object]]:
    rulebook = rules.rulebook
    yield "general", rulebook.general
    yield "wagers", rulebook.wagers
    yield "elections", rulebook.elections
    yield rules.house.game, rules.game
    if rules.game.procedures is None:
        yield "house.procedures", rules.procedures


def entry_sections(rules: Rules) -> Iterator[Section]:
    """Yield every value of every entry in sections, so that any change of a rulebook shows in the text."""
    for root, node in _roots(rules):
        yield Section(f"Entries of {root}", tuple(entry_lines(node, root)))
    versions = [
        CitedLine(where, plain(version), ()) for where, dated in rules.rulebook.versions.items() for version in dated
    ]
    if versions:
        yield Section("Entries with dates", tuple(versions))
    values = ((field.name, getattr(rules.house, field.name)) for field in msgspec.structs.fields(House))
    lines = tuple(CitedLine(name, plain(value), ()) for name, value in values if name != "procedures")
    yield Section("Entries of the house", lines)


def _text(parts: tuple[Section, ...], width: int) -> str:
    blocks = []
    for part in parts:
        rows = textwrap.wrap(part.title, width)
        rows.append("=" * len(rows[-1]))
        for line in part.lines:
            clauses = f" [{commas(line.clauses)}]" if line.clauses else ""
            text = f"{line.about}:{line.says and ' '}{line.says}{clauses}"
            rows += textwrap.wrap(text, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks) + "\n"
