"""The rules in force in words: every wager, who does what, every election and every reading, each with its clauses."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from typing import get_args

import msgspec
from msgspec import Struct

from passline.money import dollars
from passline.rules.explain.live import live_lines
from passline.rules.explain.side_wagers import side_wager_lines, window_text
from passline.rules.explain.wagers import Said, listed, said, wager_lines, words
from passline.rules.house_reader import House
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema.rulebook import (
    ELECTIONS,
    Cite,
    Election,
    Medium,
    PaysRule,
    Reading,
    Role,
    Rule,
    Run,
    SideWager,
    cites_of,
)

__all__ = ["Section", "bounds", "entries", "entry_lines", "explain", "explain_all", "plain", "sections"]

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
    """A heading and what the rules say under it."""

    title: str
    lines: tuple[Said, ...]


def plain(value: object) -> str:
    """Print a value as a person would write it.

    >>> plain((True, "craps", 5)), plain({"min": 1}), plain(())
    ('yes, craps, 5', 'min 1', 'none')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return listed(f"{key} {plain(one)}" for key, one in value.items()) or "none"
    if isinstance(value, (tuple, list)):
        return listed(plain(one) for one in value) or "none"
    if isinstance(value, Struct):
        return " ".join(f"{field} {plain(getattr(value, field))}" for field in value.__struct_fields__)
    return str(value)


def explain(rules: Rules, *, width: int = _WIDTH) -> str:
    """Print the rules in force, for reading.

    >>> print(*explain(Rules.of("maryland")).splitlines()[:4], sep=chr(10))
    Maryland craps and mini-craps, version 1.5
    ==========================================
    house: Default Maryland house [MD-3.A]
    game: craps, of craps, mini craps [MD-3.A]
    """
    return _text(sections(rules), width)


def explain_all(rules: Rules, *, width: int = _WIDTH) -> str:
    """Print the rules in force and then every value of the rulebook and the house, entry by entry."""
    return _text((*sections(rules), *entries(rules)), width)


def sections(rules: Rules) -> tuple[Section, ...]:
    """Give the rules in force under headings, for printing in any shape."""
    is_house_rule = rules.game.procedures is None
    wagers = [
        Section(f"{rule.name} ({rule.kind}), {words(rule.family)}", tuple(_wager(rules, rule)))
        for rule in rules.wagers.values()
    ]
    variation = tuple(_variation(rules))
    return (
        Section(rules.rulebook.general.title, tuple(_head(rules))),
        Section("The game", tuple(_game(rules))),
        *([Section("The variation", variation)] if variation else []),
        *wagers,
        Section("What may be wagered", tuple(_media(rules))),
        Section("At the table", tuple(_table(rules))),
        Section("Who does what" + ", by house rule" * is_house_rule, tuple(_procedures(rules))),
        Section("Duties", tuple(_duties(rules))),
        Section("Elections", tuple(_elections(rules))),
        Section("Readings", tuple(_readings(rules))),
    )


def _wager(rules: Rules, rule: WagerRule) -> Iterator[Said]:
    return (side_wager_lines if isinstance(rule.entry, SideWager) else wager_lines)(rules, rule)


def bounds(election: Election, *, printed: Callable[[object], str] = plain) -> str:
    """Print what a house may elect, each value as some reader writes it.

    >>> bounds(Election(min=0, max=500, cite="XX-1")), bounds(Election(choices=("off", "on"), cite="XX-1"))
    ('0 to 500', 'off or on')
    >>> bounds(Election(min=5, cite="XX-1")), bounds(Election(subset_of=(), cite="XX-1"))
    ('5 or more', 'nothing')
    """
    if election.choices:
        text = " or ".join(printed(choice) for choice in election.choices)
        text = text if len(election.choices) > 1 else f"only {text}"
    elif election.subset_of is not None:
        text = f"any of {listed(election.subset_of)}" if election.subset_of else "nothing"
    elif election.min is not None and election.max is not None:
        text = f"{election.min} to {election.max}"
    else:
        text = f"{election.min} or more" if election.max is None else f"{election.max} or less"
    return f"{text}, the same as {election.same_as}" if election.same_as else text


def _head(rules: Rules) -> Iterator[Said]:
    general, house = rules.rulebook.general, rules.house
    closed = general.closed_list
    yield said("house", house.name, closed)
    yield said("game", f"{words(house.game)}, of {listed(words(game) for game in general.games)}", closed)
    if general.latest_amendment:
        yield said("amended", f"to {general.latest_amendment}", closed)
    if general.statutes:
        yield said("statutes", listed(general.statutes), closed)
    for where, versions in rules.rulebook.versions.items():
        yield said("dated", f"{where}: {listed(version['from'] for version in versions)}", closed)


def _game(rules: Rules) -> Iterator[Said]:
    general, house = rules.rulebook.general, rules.house
    yield said("wagers", "those below and no other", general.closed_list)
    points = rules.game.points or general.points
    yield said("points", listed(points.totals), points)
    yield said("come-out roll", "opens the game and follows every decision of the line", general.come_out_roll)
    yield said("loser 7", "a 7 while a point is on", general.seven)
    yield said("removal", "until the roll that may decide a wager, where nothing else is said", general.remove)
    yield said("working", "what is not said to be off works on every roll", general.works)
    off = "; number, odds and hardway wagers may also be called off" if house.off_calls else ""
    like = ", one button for all like wagers of a player" if general.call_on.like_wagers else ""
    call = f"a call counts with the button of the {listed(general.call_on.button_by)}{like}, until the next point{off}"
    yield said("calls", call, general.call_on, *filter(None, (general.call_on.like_wagers,)))
    yield said("listed payouts", _payouts_rule(general.listed_payouts), general.listed_payouts)
    yield said("fixed payouts", _payouts_rule(general.fixed_payouts), general.fixed_payouts)
    unpayable = "refused" if house.unpayable == "refuse" else "paid up to the next whole chip"
    yield said("unpayable", f"what ${dollars(rules.chip)} chips cannot pay exactly is {unpayable}", general.unpayable)
    yield said("vigorish", "on buy and lay wagers and no other", general.vigorish_only)
    yield said("odds", "stand, lose and come down with their original wager", general.odds_follow)
    yield said("minimum", f"${dollars(house.wager_cents_min)}", general.limits.min)
    yield said("maximum", f"${dollars(house.wager_cents_max)}", general.limits.max)
    if general.employees:
        yield said("employees", "gaming employees do not wager", general.employees)
    if general.centre_placed_by:
        by = " or ".join(general.centre_placed_by.by)
        yield said("centre", f"wagers there are placed by the {by}", general.centre_placed_by)
    if general.dealer_includes:
        yield said("dealer", f"includes the {listed(general.dealer_includes.by)}", general.dealer_includes)
    for name, window in general.windows.items():
        yield said("window", f"{words(name)}: {window_text(window)}", window)
    yield from _tips(rules)
    yield from live_lines(general.live)


def _tips(rules: Rules) -> Iterator[Said]:
    general, house = rules.rulebook.general, rules.house
    tips = general.tips
    if tips is None:
        yield said("tips", "no wager is made for the crew", general.closed_list)
        return
    if tips.elect and not getattr(house, tips.elect):
        yield said("tips", f"no wager is made for the crew, as the house has not elected {words(tips.elect)}", tips)
        return
    yield said("tips", "a player may make wagers for the crew, with chips of the player's", tips)
    yield said(
        "tips", "such a wager is the crew's: what it wins and what is taken down goes to the tip box", tips.owner
    )


def _variation(rules: Rules) -> Iterator[Said]:
    """Say what a variation has otherwise than the regulation's usual game."""
    game, usual = rules.game, rules.rulebook.wagers
    if game.variation is None:
        return
    yield said("rules", f"those of {words(rules.rulebook.name)} craps, save what differs here", game.variation)
    if game.points:
        more = [total for total in game.points.totals if total not in rules.rulebook.general.points.totals]
        yield said("points", f"{listed(more)} too", game.points)
    for kind, entry in game.wagers.items():
        state = "in the place of the usual one" if kind in usual else "a wager of its own"
        yield said("wager", f"{entry.name} ({kind}), {state}", entry.make)
    for kind, rule in game.without.items():
        yield said("no wager", f"{usual[kind].name} ({kind})", rule)


def _payouts_rule(rule: PaysRule) -> str:
    of = f" for {listed(words(kind) for kind in rule.wagers)}" if rule.wagers else ""
    needs = f"; otherwise the house needs {listed(words(need) for need in rule.needs)}" if rule.needs else ""
    return f"the list is {_PAYS[rule.listed]}{of}{needs}"


def _media(rules: Rules) -> Iterator[Said]:
    for name, medium in rules.rulebook.general.media.items():
        yield said(words(name), _medium(rules, medium), medium)


def _medium(rules: Rules, medium: Medium) -> str:
    if medium.wagers == "none":
        return "not taken"
    text = "on any wager" if medium.wagers == "any" else f"on {listed(words(kind) for kind in medium.wagers)} only"
    if medium.elect:
        text += f", if the house elects {words(medium.elect)} ({plain(getattr(rules.house, medium.elect))})"
    return f"{text}, once the {listed(medium.confirm)} has confirmed it" if medium.confirm else text


def _table(rules: Rules) -> Iterator[Said]:
    late, seats = rules.game.late, rules.game.seats
    if not late.permitted:
        yield said("late wagers", "none once the dice are thrown", late)
    elif late.confirm:
        by = _NEEDED[late.confirm.needed].join(late.confirm.by)
        yield said("late wagers", f"while the dice are in the air, confirmed by the {by}", late, late.confirm)
    else:
        yield said("late wagers", "while the dice are in the air", late)
    yield said("places", f"{rules.house.seats}" + f", at most {seats.seats_max}" * bool(seats.seats_max), seats)
    if seats.wagering_max:
        yield said("players", f"at most {seats.wagering_max} with wagers on one roll", seats)
    if seats.seated:
        yield said("seat", "only a seated player wagers", seats.seated)
    if seats.remain:
        yield said("seat", "a player with wagers up stays seated", seats.remain)


def _procedures(rules: Rules) -> Iterator[Said]:
    dice, shooter, throw = rules.procedures.dice, rules.procedures.shooter, rules.procedures.throw
    no_roll, clearing = rules.procedures.no_roll, rules.procedures.clearing
    yield said("dice", f"a set of at least {dice.set_min}; this house has {rules.house.dice_set}", dice.set_cite)
    yield said(
        "dice", f"offered by the {_by(rules, dice.offered_by)}, first to {_FIRST[dice.first_offer]}", dice.first_cite
    )
    yield said("dice", "then clockwise to the first player who accepts", dice.next_cite)
    yield said("dice", "offered again when a shooter is done", dice.after_cite)
    yield said("shooter", "whoever accepts the dice", dice.accept_cite)
    yield said("shooter", f"picks {dice.chosen} of the set", dice.chosen_cite)
    line = " or ".join(rules.wagers[kind].name for kind in shooter.line_wagers)
    yield said("shooter", f"has a {line} before a come-out roll", shooter.line_wager)
    yield said("shooter", "may give up the dice after any roll", shooter.surrender)
    yield said("shooter", "gives up the dice on a loser 7", shooter.loser_7)
    yield said("order to pass", f"given by the {_by(rules, shooter.order_to_pass.by)}", shooter.order_to_pass)
    for reason, rule in shooter.order_reasons.items():
        yield said("order to pass", f"reason: {words(reason)}", rule)
    yield said("throw", "both dice leave the hand together", throw.together)
    for lie, rule in throw.void.items():
        yield said("void throw", f"by itself: {words(lie)}", rule)
    if throw.rethrow:
        yield said("void throw", "the dice are thrown again", throw.rethrow)
    yield said("cocked die", "the face opposite the one that rests is up", throw.cocked)
    yield said("faces", "one upper face of each die counts", throw.one_face)
    yield said("call", f"the {_by(rules, throw.called_by.by)} calls the roll", throw.called_by)
    yield said("settlement", f"by the {_by(rules, throw.settled_first.by)}, before the next throw", throw.settled_first)
    yield said("dice back", f"from the {_by(rules, throw.passed_by.by)}", throw.passed_by)
    callers = rules.house.no_roll_callers or no_roll.by
    yield said("no roll", f"called by the {_by(rules, callers)}", no_roll)
    yield said("no roll", "without a call the roll stands", no_roll.may_call)
    if no_roll.before_rest:
        yield said("no roll", "should come before the dice rest", no_roll.before_rest)
    for reason, ground in no_roll.reasons.items():
        only = f", for the {_by(rules, ground.by)} to judge" if ground.by else ""
        early = ", before the dice rest" if ground.before_rest else ""
        yield said("no roll", f"reason: {words(reason)}{only}{early}", ground)
    for reason, rule in no_roll.no_reason.items():
        yield said("no roll", f"no reason: {words(reason)}", rule)
    yield said("dispute", f"decided by the {_by(rules, rules.procedures.dispute.by)}", rules.procedures.dispute)
    wagers = listed(words(kind) for kind in clearing.wagers)
    yield said("clearing", f"with {wagers} wagers up and no new line wager, the dice are offered on", clearing.offer)
    yield said("clearing", "if nobody takes them the same shooter throws", clearing.alone)
    yield said("clearing", "only to decide those wagers", clearing.only)
    yield said("clearing", "with the puck OFF", clearing.puck)
    yield said("clearing", "until they are decided or removed", clearing.decided)
    yield said("clearing", "or until a line wager is made", clearing.line_wager)


def _by(rules: Rules, roles: tuple[str, ...]) -> str:
    return " or ".join(rules.roles(roles))


def _duties(rules: Rules) -> Iterator[Said]:
    for duty in rules.game.duties.values():
        who = "everybody" if set(duty.by) == set(get_args(Role)) else _by(rules, duty.by)
        yield said(who, duty.does, duty)


def _elections(rules: Rules) -> Iterator[Said]:
    """Say what the house elected, within what; what no election bounds goes by its own clause."""
    house, general, elections = rules.house, rules.rulebook.general, rules.rulebook.elections
    for key in ELECTIONS:
        election = elections[key]
        yield said(words(key), f"{plain(getattr(house, key))} ({bounds(election)})", election)
    side = {rule.entry.offered for rule in rules.wagers.values() if isinstance(rule.entry, SideWager)}
    for key, election in elections.items():
        if key in side:
            yield said(
                f"side wagers, {words(key)}", f"{house.side_wagers.get(key, 'none')} ({bounds(election)})", election
            )
    for kind, rule in rules.wagers.items():
        if isinstance(rule.entry, Run) and rule.reading:
            name = house.readings.get(kind) or next(iter(rule.entry.readings))
            choices = " or ".join(words(one) for one in rule.entry.readings)
            yield said(f"reading, {words(kind)}", f"{words(name)} ({choices})", rule.reading)
    for kind, limit in house.limits.items():
        about = f"limits, {words(kind)}"
        yield said(about, f"${dollars(limit.min)} to ${dollars(limit.max)}", general.limits.min, general.limits.max)
    for key, pays in house.payouts.items():
        yield said(f"payouts, {words(key)}", pays, general.listed_payouts)
    yield said("odds", listed(f"{multiple}x on {point}" for point, multiple in house.odds.items()), general.odds_follow)
    if house.odds_cents_max:
        yield said("odds", f"at most ${dollars(house.odds_cents_max)}", general.odds_follow)
    yield said("seat left of stickperson", plain(house.seat_left_of_stickperson), rules.procedures.dice.first_cite)


def _readings(rules: Rules) -> Iterator[Said]:
    in_force = {rule.reading for rule in rules.wagers.values() if rule.reading}
    wagers = {kind: rule.entry for kind, rule in rules.wagers.items()}
    for root, node in _roots(rules):
        for path, entry in _structs(wagers if root == "wagers" else node, root):
            is_replaced = path.startswith(f"{rules.house.game}.wagers.") or (
                isinstance(entry, Reading) and entry not in in_force
            )
            if isinstance(entry, Rule) and entry.reading and not is_replaced:
                yield said(path, entry.reading, entry)


def _roots(rules: Rules) -> Iterator[tuple[str, object]]:
    rulebook = rules.rulebook
    yield "general", rulebook.general
    yield "wagers", rulebook.wagers
    yield "elections", rulebook.elections
    yield rules.house.game, rules.game
    if rules.game.procedures is None:
        yield "house.procedures", rules.procedures


def _structs(node: object, path: str) -> Iterator[tuple[str, Struct]]:
    """Walk all entries below a node, each with the path that names it."""
    if isinstance(node, Struct):
        yield path, node
        for field in node.__struct_fields__:
            yield from _structs(getattr(node, field), f"{path}.{field}")
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from _structs(value, f"{path}.{key}")
    elif isinstance(node, tuple):
        for index, value in enumerate(node, start=1):
            yield from _structs(value, f"{path}.{index}")


def entries(rules: Rules) -> Iterator[Section]:
    """Give every value of every entry, whatever its shape, so that nothing can change unseen."""
    for root, node in _roots(rules):
        yield Section(f"Entries of {root}", tuple(entry_lines(node, root)))
    versions = [
        Said(where, plain(version), ()) for where, dated in rules.rulebook.versions.items() for version in dated
    ]
    if versions:
        yield Section("Entries with dates", tuple(versions))
    values = ((field.name, getattr(rules.house, field.name)) for field in msgspec.structs.fields(House))
    lines = tuple(Said(name, plain(value), ()) for name, value in values if name != "procedures")
    yield Section("Entries of the house", lines)


def entry_lines(node: object, root: str) -> Iterator[Said]:
    """Print everything below a node of a rulebook, one line for each entry."""
    for path, entry in _structs(node, root):
        yield _entry(path, entry)


def _entry(path: str, entry: Struct) -> Said:
    texts = [f"family {tag}"] if (tag := entry.__struct_config__.tag) else []
    for name, default in _fields(type(entry)):
        value = getattr(entry, name)
        if name != "cite" and value != default and not _is_nested(value):
            texts.append(f"{name} {plain(value)}")
    cite: Cite = getattr(entry, "cite", ())
    if isinstance(cite, dict):
        texts.append(listed(f"{number}: {listed(cites_of(one))}" for number, one in cite.items()))
        cite = ()
    return Said(path, "; ".join(texts), cites_of(cite))


@cache
def _fields(kind: type[Struct]) -> tuple[tuple[str, object], ...]:
    """Give the fields of an entry, each with what it is when the rulebook leaves it out."""
    return tuple((field.name, field.default) for field in msgspec.structs.fields(kind))


def _is_nested(value: object) -> bool:
    """Whether a value is printed by entries of its own."""
    if isinstance(value, dict):
        value = tuple(value.values())
    return isinstance(value, Struct) or (isinstance(value, tuple) and any(_is_nested(one) for one in value))


def _text(parts: tuple[Section, ...], width: int) -> str:
    blocks = []
    for part in parts:
        rows = textwrap.wrap(part.title, width)
        rows.append("=" * len(rows[-1]))
        for line in part.lines:
            clauses = f" [{listed(line.clauses)}]" if line.clauses else ""
            text = f"{line.about}:{line.says and ' '}{line.says}{clauses}"
            rows += textwrap.wrap(text, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks) + "\n"
