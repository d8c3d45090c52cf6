"""Checks the pages of an office beyond their shape and citations: every name that they use is defined somewhere."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import get_args

from passline.acts.clock_check import Waits, clock_problems
from passline.acts.commands import ActCommand
from passline.acts.judges.conditions import TESTS
from passline.acts.judges.gates import OPENING, WORKING
from passline.acts.printed_check import facts_of, outage_problems, printed_problems
from passline.acts.rules import ActRules
from passline.acts.schema import LIVE_METER, Act, ActPages, Condition, Corrected, Field
from passline.authority.roles import ROLES
from passline.rules.pages.structure import unknown_words

_Problems = Iterator[str]
_COMMANDS = [str(command.__struct_config__.tag) for command in get_args(ActCommand)]
_BESIDE_STATE = {"fewer", "sole", "has", "done", "printed"}  # the tests that may name states, too


def office_problems(rules: ActRules) -> list[str]:
    """Return everything that is wrong with an office's pages, each with its key and what to do."""
    pages = rules.pages
    conditions = [*_conditions(pages)]
    waits = Waits.of(conditions)
    found: list[str] = []
    for key, thing in pages.things.items():
        found += _states(f"things.{key}", (*thing.final, *thing.rests, *thing.lasting), thing.states)
        if thing.rests and not thing.filed:
            found.append(f"things.{key}.rests: says when it is filed, and it is not: write filed = true")
        found += unknown_words(f"things.{key}.seen_by", thing.seen_by, [*pages.roles, *ROLES], "role or group")
        found += _filed_problems(pages, conditions, key) if thing.filed else ()
    found += [fault for key, act in pages.acts.items() for fault in _act_problems(pages, f"acts.{key}", act)]
    for key, clock in pages.clocks.items():
        found += clock_problems(pages, waits, key, clock)
    for key, value in pages.values.items():
        if value.default and value.type != "length":
            found.append(f"values.{key}.default: is a length of time, and it is a {value.type}: leave it out")
    for key, stock in pages.stocks.items():
        found += unknown_words(f"stocks.{key}.made", [stock.made], stock.outside, "place outside")
        found += unknown_words(f"stocks.{key}.drawn", [stock.drawn], pages.stocks, "stock")
    found += [*_telling_problems(pages), *_gate_problems(pages), *_group_problems(pages), *_word_problems(rules)]
    found += printed_problems(pages)
    return list(dict.fromkeys(found))


def _states(path: str, states: Iterable[str], known: Collection[str]) -> _Problems:
    yield from unknown_words(path, states, known, "state of it")


def _group_problems(pages: ActPages) -> _Problems:
    for key, group in pages.roles.items():
        path = f"roles.{key}"
        yield from unknown_words(f"{path}.roles", group.roles, ROLES, "role")
        yield from unknown_words(f"{path}.designated", [group.designated, *group.ended], pages.acts, "act")
        if group.at_tables and not group.designated:
            yield f"{path}.at_tables: says nothing without `designated`: write it, or leave this out"
        if bool(group.roles) == bool(group.body):
            yield f"{path}: name the roles it means, or the outside body, and not both"


def _word_problems(rules: ActRules) -> _Problems:
    """Yield words of bodies that are no acts of one, or have two effects; and commands that there are not."""
    pages, seen = rules.pages, dict[str, str]()
    for effect, words in pages.words.items():
        path = f"words.{effect}"
        yield from unknown_words(path, words.acts, pages.acts, "act")
        yield from (f"{path}: {act} is {seen[act]} too: write it once" for act in words.acts if act in seen)
        seen |= dict.fromkeys(words.acts, effect)
        for act in words.acts:
            known = pages.acts.get(act)
            if known and not rules.body_of((*known.by, *(known.tells if effect == "notice" else ()))):
                yield f"{path}: {act} is done by no outside body" + (", and tells none" * (effect == "notice"))
    if pages.words:
        for act, known in pages.acts.items():
            groups = (*known.by, *known.tells)
            if rules.body_of(groups) and not known.corrects and act not in seen:
                yield f"words: {act} speaks for the {rules.body_of(groups)}, or tells it something: say what it does"
    yield from unknown_words("controls", pages.controls, _COMMANDS, "command")


def _filed_problems(pages: ActPages, conditions: Iterable[tuple[str, Condition]], kind: str) -> _Problems:
    """Yield what would still ask for more of a thing that was filed than its name and the state in which it ended."""
    path, final = f"things.{kind}.filed", {*pages.things[kind].final, *pages.things[kind].rests}
    if not final:
        yield f"{path}: it never ends: write `final`"
    named = [
        (f"acts.{key}.fields.{name}", field.states)
        for key, act in pages.acts.items()
        for name, field in act.fields.items()
        if field.type in {"thing", "things"} and field.of == (kind,)
    ]
    named += [
        (f"acts.{key}.counts", act.counts.states)
        for key, act in pages.acts.items()
        if act.counts and act.counts.kind == kind
    ]
    named += [(f"watches.{key}", watch.states) for key, watch in pages.watches.items() if watch.thing == kind]
    named += [
        (where, () if condition.of else condition.state) for where, condition in conditions if condition.kind == kind
    ]
    for where, states in named:
        if not states or final & {*states}:
            yield f"{path}: {where} may ask for one that has ended: name the states before"
    yield from (f"{path}: papers.{key} is about it" for key, paper in pages.papers.items() if paper.thing == kind)


def _conditions(pages: ActPages) -> Iterator[tuple[str, Condition]]:
    for key, act in pages.acts.items():
        yield from ((f"acts.{key}.needs.{name}", need) for name, need in act.needs.items())
    for key, gate in pages.gates.items():
        yield from ((f"gates.{key}.items.{name}", item) for name, item in gate.items.items())
    yield from ((f"watches.{key}.needs", watch.needs) for key, watch in pages.watches.items())


def _act_problems(pages: ActPages, path: str, act: Act) -> _Problems:
    groups = [*pages.roles, *ROLES]
    yield from unknown_words(f"{path}.by", act.by, groups, "role or group")
    yield from unknown_words(f"{path}.thing", [act.thing], pages.things, "thing")
    yield from unknown_words(f"{path}.tells", act.tells, groups, "role or group")
    if act.thing in pages.things:
        states = pages.things[act.thing].states
        yield from _states(f"{path}.states", act.states, states)
        yield from _states(f"{path}.to", [act.to], states)
        if act.stays and not (act.states and act.to and act.is_fact):
            yield f"{path}.stays: says nothing without `is_fact`, `states` and `to`: write them, or leave it out"
        if act.ended and not act.corrects and (act.new or act.to or pages.things[act.thing].filed):
            yield f"{path}.ended: what has ended becomes nothing else, and of what was filed nothing is known"
        if act.new and (act.states or not act.to):
            yield f"{path}: what it makes has no state before, and needs one after: leave `states` out, and write `to`"
    elif act.new or act.states or act.to or act.many:
        yield f"{path}: is about no thing, so it makes none and changes no state: write `thing`, or leave those out"
    for key, field in act.fields.items():
        yield from _field_problems(pages, f"{path}.fields.{key}", field, groups)
        yield from _named_problems(pages, f"{path}.fields.{key}", field, act)
    yield from _sign_problems(pages, path, act, groups)
    for key, condition in act.needs.items():
        yield from _condition_problems(pages, f"{path}.needs.{key}", condition)
    yield from unknown_words(
        f"{path}.gate", [act.gate], [key for key, gate in pages.gates.items() if gate.thing == act.thing], "gate of it"
    )
    yield from unknown_words(f"{path}.told", [act.told], pages.tellings, "telling")
    yield from unknown_words(f"{path}.answers", act.answers, pages.acts, "act")
    yield from _derived_problems(pages, path, act)
    yield from _fact_problems(pages, path, act)
    yield from _stock_problems(pages, path, act)
    yield from _list_problems(pages, path, act)
    yield from outage_problems(pages, path, act)
    yield from _corrected_problems(pages, f"{path}.corrected", act, act.corrected)
    for key in act.sets:
        yield from unknown_words(f"{path}.sets", [key], pages.values, "value")
        yield from unknown_words(f"{path}.sets", [key], act.fields, "field")


def _sign_problems(pages: ActPages, path: str, act: Act, groups: list[str]) -> _Problems:
    for key, sign in act.signs.items():
        yield from unknown_words(f"{path}.signs.{key}.by", sign.by, groups, "role or group")
        if sign.among:
            named, _, fact = sign.among.partition(".")
            kind = act.fields[named].of[0] if fact and named in act.fields else ""
            people = [f"{named}.{name}" for name in _people_of(pages, kind)] if kind else _people_of(pages, act.thing)
            yield from unknown_words(f"{path}.signs.{key}.among", [sign.among], people, "field or fact with people")
        days = [name for name, field in act.fields.items() if field.type == "day"]
        yield from unknown_words(f"{path}.signs.{key}.later", sign.later, days, "field with a day")
        yield from unknown_words(f"{path}.signs.{key}.nobodys", [sign.nobodys], pages.values, "value")
        yield from unknown_words(f"{path}.signs.{key}.above", [sign.above], pages.values, "value")
        patrons = [name for name, field in act.fields.items() if "patron" in field.of]
        yield from unknown_words(f"{path}.signs.{key}.together", [sign.together], patrons, "field with a patron")
        yield from unknown_words(f"{path}.signs.{key}.only", [sign.only], act.fields, "field")


def _people_of(pages: ActPages, thing: str) -> list[str]:
    """Return the fields with people of every act that is done to a kind of thing."""
    acts = [act for act in pages.acts.values() if act.thing == thing]
    named = [name for act in acts for name, field in act.fields.items() if field.type == "people"]
    return named + [act.takes for act in acts if act.takes]


def _telling_problems(pages: ActPages) -> _Problems:
    for key, telling in pages.tellings.items():
        path = f"tellings.{key}"
        if telling.second:
            yield from unknown_words(f"{path}.second.by", telling.second.by, [*pages.roles, *ROLES], "role or group")
        if telling.counts == "document" and telling.within is None:
            yield f"{path}.within: say how long after the day of its document it is told in time"
        if telling.within and telling.within.unit == "shifts":
            yield f"{path}.within: nothing is told by shifts: write hours or days"
        same = [name for name, other in pages.tellings.items() if other.of and other.of == telling.of and name != key]
        if same:
            yield f"{path}.of: {same[0]} is of the same acts: name one of them by its acts"


def _derived_problems(pages: ActPages, path: str, act: Act) -> _Problems:
    """Yield what is wrong with what an act has from other entries: their needs, items and states."""
    yield from unknown_words(f"{path}.like", act.like, pages.acts, "act")
    if act.keeps and act.thing != "table":
        yield f"{path}.keeps: only tables are open"
    opening = pages.gates.get(OPENING)
    yield from unknown_words(
        f"{path}.keeps", act.keeps, opening.items if opening else (), "item of the gate open_table"
    )
    for key in ("joins", "quits"):
        if fact := getattr(act, key):
            yield from unknown_words(f"{path}.{key}", [fact], _people_of(pages, act.thing), "fact with people")
    if act.restores and not act.to:
        yield f"{path}.restores: says nothing without `to`: write it, or leave this out"


def _fact_problems(pages: ActPages, path: str, act: Act) -> _Problems:
    """Yield what is wrong with the facts of its thing that an act says something of besides its fields."""
    if act.clears:
        yield from unknown_words(f"{path}.clears", act.clears, facts_of(pages, act.thing), "fact of it")
    yield from unknown_words(f"{path}.matter", [act.matter], act.fields, "field")
    if act.matter and act.incident:
        yield f"{path}.matter: there is an incident already: write one of them"


def _list_problems(pages: ActPages, path: str, act: Act) -> _Problems:
    """Yield what is wrong with the list that an act enters its thing on, or with the one that it clears."""
    if act.enters:
        yield from unknown_words(f"{path}.enters", [act.enters.through, act.enters.named], pages.things, "thing")
        if act.enters.named in pages.things:
            kept = pages.things[act.enters.named]
            yield from _states(f"{path}.enters", (*act.enters.states, *act.enters.left), kept.states)
            if act.enters.left and not {"state", act.enters.through} <= {*kept.recalls}:
                yield f'{path}.enters.left: write recalls = ["state", "{act.enters.through}"] for {act.enters.named}'
        if act.enters.incident and not act.enters.states:
            yield f"{path}.enters.incident: says nothing without `states`: write them, or leave this out"
    if act.counts and act.counts.listed:
        lists = [other.enters.list for other in pages.acts.values() if other.enters and other.enters.named == act.thing]
        yield from unknown_words(f"{path}.counts.listed", [act.counts.listed], lists, "list of it")


def _corrected_problems(pages: ActPages, path: str, act: Act, corrected: Corrected | None) -> _Problems:
    """Yield what is wrong with how an act is corrected: its figures can be, but not what it was done to."""
    if corrected is not None and act.uncorrected:
        yield f"{path}: it can be corrected: leave `uncorrected` out"
    if corrected is None:
        return
    yield from unknown_words(f"{path}.fields", corrected.fields, act.fields, "field")
    yield from unknown_words(f"{path}.until", corrected.until, pages.acts, "act")
    if act.corrects or (corrected.act and pages.acts[corrected.act].corrects == ""):
        yield f"{path}.act: there is such an act already: choose another name for the correction"
    places = [*((act.moves.source, act.moves.target) if act.moves else ()), act.counts.place if act.counts else ""]
    for key in corrected.fields:
        if f"@{key}" in places or (key in act.fields and act.fields[key].to) or key in act.sets:
            yield f"{path}.fields: {key} says what the act is done to, and not how much: leave it out"
    if corrected.thing and (act.counts is None or act.counts.place != "@" or not act.counts.against):
        yield f"{path}.thing: only an act that counts the stock of its own thing can be moved to another: leave it out"
    if corrected.missing:
        for stock in {move.stock for move in (act.moves, act.counts) if move and move.stock}:
            yield from _place_problems(pages, f"{path}.missing", stock, [corrected.missing])


def _named_problems(pages: ActPages, path: str, field: Field, act: Act) -> _Problems:
    """Yield the names of other fields and facts in a field that its act has not."""
    if field.covers:
        units = [name for name, other in act.fields.items() if other.type == "units"]
        yield from unknown_words(f"{path}.covers", [field.covers], units, "field with units")
    only = field.only.partition(".")[0]
    for word, said in (("only", field.only), ("through", field.through)):
        named, _, fact = said.partition(".")
        if fact and named in act.fields:
            kinds = act.fields[named].of
            yield from unknown_words(
                f"{path}.{word}", [fact], facts_of(pages, kinds[0] if kinds else ""), "fact of what it names"
            )
    yield from unknown_words(f"{path}.through", [field.through.partition(".")[0]], act.fields, "field")
    yield from unknown_words(f"{path}.no_less_than", [field.no_less_than], act.fields, "field")
    if not act.corrects:
        yield from unknown_words(f"{path}.repeated_with", [field.repeated_with], act.fields, "field")
    yield from unknown_words(f"{path}.stock", [field.stock], pages.stocks, "stock")
    yield from unknown_words(f"{path}.differs", field.differs, act.fields, "field")
    yield from unknown_words(f"{path}.shown", field.shown, facts_of(pages, act.thing), "fact")
    if field.shown and not path.endswith(f".{LIVE_METER}"):
        yield f"{path}.shown: the server fills in only a field called {LIVE_METER}"
    flags = [field.unless, only, field.lower, field.least, field.highest]
    if any(flags):
        yield from unknown_words(path, flags, facts_of(pages, act.thing) | {*act.fields}, "field or fact")


def _stock_problems(pages: ActPages, path: str, act: Act) -> _Problems:
    """Yield what is wrong with what an act moves and counts."""
    named = [act.moves.source, act.moves.target, act.moves.missing] if act.moves else []
    named += [act.counts.place, act.counts.against] if act.counts else []
    if "@" in named and not act.thing:
        yield f"{path}: `@` is the thing it is done to, and it is about no thing: write `thing`, or name the place"
    if act.moves:
        yield from unknown_words(f"{path}.moves.stock", [act.moves.stock], pages.stocks, "stock")
        yield from unknown_words(
            f"{path}.moves.field", [act.moves.field], facts_of(pages, act.thing) | {*act.fields}, "field or fact"
        )
        places = [place for place in (act.moves.source, act.moves.target, act.moves.missing, act.moves.lost) if place]
        yield from unknown_words(f"{path}.moves.back", [act.moves.back], act.fields, "field")
        if act.moves.lost and act.moves.field not in act.fields:
            yield f"{path}.moves.lost: the act has no field {act.moves.field!r} that says what came"
        yield from _place_problems(pages, f"{path}.moves", act.moves.stock, places)
    if act.cash:
        chosen, _, choice = act.cash.only.partition(".")
        named = [act.cash.field, act.cash.patron, act.cash.unless, chosen]
        yield from unknown_words(f"{path}.cash", named, act.fields, "field")
        if chosen in act.fields:
            yield from unknown_words(f"{path}.cash.only", [choice], act.fields[chosen].of, f"choice of {chosen}")
    yield from _money_problems(pages, path, act)
    if act.counts and act.counts.stock:
        counted = (act.counts.place, act.counts.against)
        yield from _place_problems(pages, f"{path}.counts", act.counts.stock, counted)
    if act.counts:
        yield from unknown_words(f"{path}.counts.field", [act.counts.field], act.fields, "field")
        yield from unknown_words(f"{path}.counts.also", act.counts.also, act.fields, "field")
        yield from unknown_words(f"{path}.counts.stock", [act.counts.stock], pages.stocks, "stock")
        yield from unknown_words(f"{path}.counts.kind", [act.counts.kind], pages.things, "thing")


def _money_problems(pages: ActPages, path: str, act: Act) -> _Problems:
    """Yield what is wrong with the money that an act moves and counts by what it comes to."""
    known = facts_of(pages, act.thing) | {*act.fields}
    for key, pay in act.pays.items():
        where = f"{path}.pays.{key}"
        forms = act.fields[pay.form].of if pay.form in act.fields else ()
        for stock in (pay.stock, *forms):
            yield from _worth_problems(pages, where, stock)
            yield from _place_problems(pages, where, stock, (pay.source, pay.target))
        yield from unknown_words(where, [pay.field], known, "field or fact")
        yield from unknown_words(where, [pay.form, pay.only, pay.unless], act.fields, "field")
    if (tallying := act.tallies) is not None:
        for stock, keys in tallying.fields.items():
            yield from _worth_problems(pages, f"{path}.tallies", stock)
            yield from _place_problems(pages, f"{path}.tallies", stock, (tallying.place, tallying.against))
            yield from unknown_words(f"{path}.tallies.fields", keys, act.fields, "field")
        yield from unknown_words(f"{path}.tallies.above", [tallying.above], pages.values, "value")


def _worth_problems(pages: ActPages, path: str, stock: str) -> _Problems:
    yield from unknown_words(path, [stock], pages.stocks, "stock")
    if stock in pages.stocks and not pages.stocks[stock].by_worth:
        yield f"{path}: {stock} is kept by denomination: write by_worth = true for it, or use `moves` and `counts`"


def _place_problems(pages: ActPages, path: str, stock: str, places: Iterable[str]) -> _Problems:
    """Yield places that a stock has not; one that begins with @ is named by a field or fact."""
    if stock in pages.stocks:
        known = [*pages.stocks[stock].places, *pages.stocks[stock].outside]
        yield from unknown_words(path, (place for place in places if not place.startswith("@")), known, "place of it")


_OF: dict[str, Callable[[ActPages], Collection[str]]] = {
    "thing": lambda pages: pages.things,
    "things": lambda pages: pages.things,
    "ids": lambda pages: pages.things,
    "checklist": lambda pages: pages.checklists,
    "sheet": lambda pages: pages.papers,
    "act": lambda pages: pages.acts,
}


def _field_problems(pages: ActPages, path: str, field: Field, groups: list[str]) -> _Problems:
    if field.type in _OF:
        yield from unknown_words(f"{path}.of", field.of, _OF[field.type](pages), field.type.removesuffix("s"))
        if len(field.of) != 1 and field.type != "act":
            yield f"{path}.of: names one {field.type.removesuffix('s')}"
        elif field.type in {"thing", "things"} and field.of[0] in pages.things:
            yield from _states(f"{path}.states", field.states, pages.things[field.of[0]].states)
        if len(field.of) == 1 and field.to and field.of[0] in pages.things:
            yield from _states(f"{path}.to", [field.to], pages.things[field.of[0]].states)
    if field.type in {"person", "people", "shares"}:
        yield from unknown_words(f"{path}.min_value", [field.min_value], pages.values, "value")
        yield from unknown_words(f"{path}.of", (*field.of, *field.never), groups, "role or group")
    yield from _type_problems(path, field)
    if field.type in {"choice", "some"} and sum((bool(field.of), field.of_areas, field.of_shifts, field.of_forms)) != 1:
        yield f"{path}.of: list the choices, or write of_areas, of_shifts or of_forms = true"
    if field.min is not None and field.max is not None and field.min > field.max:
        yield f"{path}: min {field.min} is above max {field.max}"


_ONLY_OF = {
    "adds": (("people", "things", "ids"), "only people and things are added to those named before"),
    "sticks": (("yes", "flag", "day", "choice"), "only what is so or not, a day or a choice stays so: leave it out"),
    "past": (("moment",), "only a moment can be still to come: leave it out"),
    "ahead": (("day",), "only a day can be over: leave it out"),
    "repeated": (("text",), "only a text is said again by another act: leave it out"),
    "once": (("document",), "only a document serves one act: leave it out"),
    "another": (("thing", "things"), "only things are named in place of another: leave it out"),
}


def _type_problems(path: str, field: Field) -> _Problems:
    """Yield keys of a field that say something only of other types."""
    for key, (types, why) in _ONLY_OF.items():
        if getattr(field, key) and field.type not in types:
            yield f"{path}.{key}: {why}"


_BESIDE = {
    "word": ("fact", "write `fact` beside it, the fact or field that is this word"),
    "planned": ("ahead", "write `ahead` beside it, the clock that says how long before"),
    "before": ("done", "write `done` beside it, the act that was done before"),
    "as_dealt": ("printed", "says nothing without `printed`: write it, or leave this out"),
}
"""Keys of a condition that say something only beside another one."""


def _condition_problems(pages: ActPages, path: str, condition: Condition) -> _Problems:
    tests = [name for name in TESTS if getattr(condition, name)]
    if not tests or any(test != "state" or tests[0] not in _BESIDE_STATE for test in tests[1:]):
        yield f"{path}: has {' and '.join(tests) or 'no test'}; write exactly one of {', '.join(TESTS)}"
    acts = [condition.done, condition.undone, condition.since, condition.never, condition.mend, *condition.apart]
    acts += [condition.ended, *([condition.held] if isinstance(condition.held, str) else condition.held)]
    yield from unknown_words(path, (act for act in acts if act != "open_incident"), pages.acts, "act")
    yield from unknown_words(path, [condition.ahead, condition.clock, condition.lapsed], pages.clocks, "clock")
    for key, (beside, why) in _BESIDE.items():
        if getattr(condition, key) and not getattr(condition, beside):
            yield f"{path}.{key}: {why}"
    if condition.most is not None and not (condition.has or condition.among or condition.stocked):
        yield f"{path}.most: write `has` or `among` beside it, the fact by which they name it, or `stocked`"
    yield from unknown_words(path, [condition.value, condition.fewer, condition.scheduled], pages.values, "value")
    yield from unknown_words(path, [condition.paper, condition.printed], pages.papers, "paper")
    yield from unknown_words(path, [condition.kind], pages.things, "thing")
    yield from unknown_words(path, [condition.on_duty, condition.bars], [*pages.roles, *ROLES], "role or group")
    kind, _, fact = condition.listed.partition(".")
    if kind:
        yield from unknown_words(f"{path}.listed", [kind], pages.things, "thing")
        yield from unknown_words(f"{path}.listed", [fact], facts_of(pages, kind), "fact of it")
    yield from unknown_words(f"{path}.stocked", [condition.stocked], pages.stocks, "stock")
    if condition.is_open and not (condition.fewer or condition.sole):
        yield f"{path}.is_open: says nothing without `fewer` or `sole`: write it, or leave this out"
    if (condition.of or condition.has) and not condition.kind:
        yield f"{path}.kind: is missing: say what {condition.of or condition.has!r} names"
    if condition.kind in pages.things and (condition.of or condition.has):
        yield from _states(f"{path}.state", condition.state, pages.things[condition.kind].states)


def _gate_problems(pages: ActPages) -> _Problems:
    for key, gate in pages.gates.items():
        yield from unknown_words(f"gates.{key}.thing", [gate.thing], pages.things, "thing")
        if key == WORKING and gate.thing != "person":
            yield f"gates.{key}.thing: employees go through this gate: write person, not {gate.thing!r}"
        for item, condition in gate.items.items():
            yield from _condition_problems(pages, f"gates.{key}.items.{item}", condition)
    for key, watch in pages.watches.items():
        yield from unknown_words(f"watches.{key}.thing", [watch.thing], pages.things, "thing")
        if not watch.states and not watch.is_open and not watch.until_closed:
            yield f"watches.{key}: say in which states it holds, or write is_open or until_closed = true"
        if (watch.is_open or watch.until_closed) and watch.thing != "table":
            yield f"watches.{key}: only tables are open: leave is_open and until_closed out"
        if watch.thing in pages.things:
            yield from _states(f"watches.{key}.states", watch.states, pages.things[watch.thing].states)
        yield from _condition_problems(pages, f"watches.{key}.needs", watch.needs)
