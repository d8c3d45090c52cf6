"""A paper as it would be printed now: its parts in words, or what is missing of it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from msgspec import Struct, json
from msgspec.structs import replace

from passline.acts.papers.from_rules import areas_basis, has_offer, limits_basis, rules_lines, wager_basis, wager_lines
from passline.acts.papers.houses import FILE, HOUSE, HouseRules, rules_of_thing
from passline.acts.printed_schema import Item, Paper, Part
from passline.acts.rules import ActRules
from passline.acts.state import OFFICE, ActState, KnownThing, thing_key
from passline.rules.rules import Rules
from passline.rules.schema import clause_text


class SheetPart(Struct, frozen=True):
    """One part of a paper: what it is, the clause that asks for it, and its lines."""

    key: str
    name: str
    clause: str
    lines: tuple[str, ...]
    clauses: tuple[str, ...] = ()  # of each line, where it has one of its own


class Missing(Struct, frozen=True):
    """A part that a paper cannot have yet."""

    key: str
    name: str
    clause: str


class PaperSheet(Struct, frozen=True):
    """A paper. While a part is missing it is not fit to be printed."""

    paper: str
    title: str
    thing: str  # as kind/id; empty: the office
    clause: str
    parts: tuple[SheetPart, ...]
    missing: tuple[Missing, ...]
    digest: str  # of what it is made from, not of its wording; empty while a part is missing

    @property
    def is_complete(self) -> bool:
        """Whether it may be printed."""
        return not self.missing


def sheet_of(
    rules: ActRules, state: ActState, paper: str, thing: str, house_rules: HouseRules, *, house: str = ""
) -> PaperSheet:
    """Make a paper of an office, of one of its things or of none, as things stand; as dealt by a house, if named."""
    rule = rules.pages.papers[paper]
    known = state.thing(rule.thing, thing) if rule.thing else None
    if known is not None and house and known.kind != HOUSE:
        known = replace(known, facts={**known.facts, HOUSE: house})
    made = _Making(rules, state, rule, known, rules_of_thing(state, known, house_rules))
    parts, missing, basis = list[SheetPart](), list[Missing](), list[Any]()
    for key, part in rule.parts.items():
        if not made.is_asked(part):
            continue
        if lines := made.lines(part):
            clauses = tuple(made.clauses(part))
            parts.append(SheetPart(key, part.name, clause_text(part.cite), tuple(lines), clauses))
            basis.append([key, part.source, made.basis(part)])
        else:
            missing.append(Missing(key, part.name, clause_text(part.cite)))
    subject = thing_key(rule.thing, thing) if rule.thing else OFFICE
    text = b"" if missing else json.encode([paper, *basis], order="deterministic")
    digest = sha256(text).hexdigest() if text else ""
    return PaperSheet(paper, rule.name, subject, clause_text(rule.cite), tuple(parts), tuple(missing), digest)


def checklist_sheet(
    rules: ActRules, state: ActState, checklist: str, thing: str, house_rules: HouseRules
) -> PaperSheet:
    """Make a checklist to be taken along: every item that is asked of a thing, none of them ticked."""
    rule = rules.pages.checklists[checklist]
    known = state.thing(rule.thing, thing) if rule.thing else None
    cite, subject = clause_text(rule.cite), thing_key(rule.thing, thing) if rule.thing else OFFICE
    dealt = rules_of_thing(state, known, house_rules)
    made = _Making(rules, state, Paper(name=rule.name, parts={}, cite=rule.cite), known, dealt)
    items = [item for _, item in made.items(checklist)]
    lines, clauses = [f"[ ] {item.says}" for item in items], [clause_text(item.cite) for item in items]
    part = SheetPart("items", "what must be seen", cite, tuple(lines), tuple(clauses))
    return PaperSheet(checklist, rule.name, subject, cite, (part,), (), "")


class _Making(Struct, frozen=True):
    """What a part is made from."""

    rules: ActRules
    state: ActState
    paper: Paper
    known: KnownThing | None
    dealt: Rules | None  # the rules of the game

    def is_asked(self, part: Part) -> bool:
        if part.offered and not has_offer(self.dealt, part.offered):
            return False
        return not (part.unless and self.known and self.known.facts.get(part.unless))

    def lines(self, part: Part) -> list[str]:
        """Return the words of a part; none if what it is made from is not there."""
        kind, _, what = part.source.partition(".")
        return SOURCES[kind](self, what)

    def clauses(self, part: Part) -> list[str]:
        """Return the clause of each line, where each has its own."""
        kind, _, what = part.source.partition(".")
        return [clause_text(item.cite) for _, item in self.items(what.partition(".")[0])] if kind == "checklist" else []

    def basis(self, part: Part) -> Any:  # noqa: ANN401 - of any kind
        """Return what a part is made from, so that a paper is the same as long as that is, however it is worded."""
        kind, _, what = part.source.partition(".")
        if kind == "wager":
            return wager_basis(self.dealt, what.partition(".")[0]) if self.dealt else None
        if part.source in _FIGURES:
            return _FIGURES[part.source](self.dealt) if self.dealt else None
        if kind == "rules":
            house = self.known
            if house is not None and house.kind != HOUSE:
                house = self.state.thing(HOUSE, str(house.facts.get(HOUSE, "")))
            return house.facts.get(FILE) if house else None
        if kind == "done":
            mark = self.state.mark(what, thing_key(self.known.kind, self.known.id) if self.known else OFFICE)
            return mark.number if mark else None
        if kind == "value":
            return self.state.values.get(what)
        return self.known.facts.get(what.rpartition(".")[2]) if self.known else None

    def fact(self, what: str) -> list[str]:
        value = self.known.facts.get(what) if self.known else None
        if value is None or value is False or value in ("", [], {}):
            return []
        if isinstance(value, list | tuple):
            return [str(item) for item in value]
        return ["yes" if value is True else str(value)]

    def document(self, what: str) -> list[str]:
        return [f"document {digest}" for digest in self.fact(what)]

    def act_done(self, what: str) -> list[str]:
        mark = self.state.mark(what, thing_key(self.known.kind, self.known.id) if self.known else OFFICE)
        if mark is None or self.state.facility is None:
            return []
        late = ", told late" if mark.is_late else ""
        when = f"{self.state.facility.local(mark.occurred):%Y-%m-%d %H:%M}{late}"
        return [f"{self.rules.pages.acts[what].name}: {when}"]

    def value(self, what: str) -> list[str]:
        return [f"{self.rules.pages.values[what].name}: {self.state.values[what]}"] if what in self.state.values else []

    def of_rules(self, what: str) -> list[str]:
        return rules_lines(self.dealt, what) if self.dealt else []

    def wager(self, what: str) -> list[str]:
        name, _, about = what.partition(".")
        return wager_lines(self.dealt, name, about) if self.dealt else []

    def checklist(self, what: str) -> list[str]:
        """Return the items of a list that was gone through, those that were seen ticked: `name.fact`."""
        name, _, fact = what.partition(".")
        seen = self.known.facts.get(fact) if self.known else None
        return [f"[{'x' if seen.get(key) else ' '}] {item.says}" for key, item in self.items(name)] if seen else []

    def items(self, checklist: str) -> list[tuple[str, Item]]:
        """Return the items of a list that are asked of this thing."""
        facts = self.known.facts if self.known else {}
        return [
            (key, item)
            for key, item in self.rules.pages.checklists[checklist].items.items()
            if not (item.unless and facts.get(item.unless))
            and not (item.only and not facts.get(item.only))
            and not (item.offered and not has_offer(self.dealt, item.offered))
        ]


_FIGURES: dict[str, Callable[[Rules], Any]] = {"rules.limits": limits_basis, "rules.areas": areas_basis}
"""The parts that are made from some figures of a house file, and stay the same while others change."""
SOURCES: dict[str, Callable[[_Making, str], list[str]]] = {
    "fact": _Making.fact,
    "document": _Making.document,
    "done": _Making.act_done,
    "value": _Making.value,
    "rules": _Making.of_rules,
    "wager": _Making.wager,
    "checklist": _Making.checklist,
}
"""What a part of a paper is made from, by the first word of its source."""
