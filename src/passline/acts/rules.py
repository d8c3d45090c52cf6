"""The rules of an office: its pages read together, and who is meant by the words that they use for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.figures import INSTEAD, UNSAID
from passline.acts.moving_schema import Counting
from passline.acts.page_memo import kept_with_page
from passline.acts.schema import (
    PRACTICE,
    Act,
    ActPages,
    Clock,
    Condition,
    Corrected,
    Effect,
    Field,
    Right,
    RoleGroup,
    Signature,
    Telling,
)
from passline.acts.state import ActState
from passline.authority.duties import role_list
from passline.authority.roles import (
    ACCOUNTANT,
    AUDITOR,
    CASHIER,
    DIRECTOR,
    FLOORPERSON,
    KEEPERS,
    REGULATOR,
    SUPERVISOR,
)
from passline.rules.pages.amendments import text_day
from passline.rules.pages.citations import cited_paths
from passline.rules.pages.layers import LayeredPages
from passline.rules.pages.library import Library, folder_of, known_rulebooks
from passline.rules.pages.texts import RulebookError
from passline.rules.rulebook_reader import rulebook_of, sound_regulations
from passline.rules.schema import clause_text

TOLD_LATE = "told_late"
"""The part of an act that somebody else signs where it is told late."""
SECOND = "second"
"""The part in which a second person signs what somebody records of an outside body's word."""


class Person(Struct, frozen=True):
    """Somebody who acts or signs: the account, its name and its roles."""

    account: str
    name: str
    roles: frozenset[str]
    since: str = ""  # when the account was made, where that is known


class ActRules(Struct, frozen=True, dict=True):
    """The rules of one office."""

    name: str  # the regulation
    digest: str
    pages: ActPages

    def act(self, name: str) -> Act | None:
        """Return an act by its name."""
        return self.pages.acts.get(name)

    def telling_of(self, act: Act) -> Telling | None:
        """Return the rule for recording an act later than it happened; None: its stated moment always counts."""
        return self.pages.tellings.get(act.told)

    def signature(self, act: Act, part: str) -> Signature | None:
        """Return the rule of a signature under an act: one of its own, or the one that late recording needs."""
        if part != TOLD_LATE:
            return act.signs.get(part)
        telling = self.telling_of(act)
        return telling.second if telling else None

    def figure(self, state: ActState, key: str) -> int | None:
        """Return a number of the office: as it was set, or else as its page says; None: neither."""
        value = self.pages.values.get(key)
        if value is None:
            return None
        figure: int | None = state.values.get(key, value.otherwise)
        return figure

    def group(self, name: str) -> RoleGroup:
        """Return the group that a word means; a word that no page explains is a role."""
        groups = _groups(self)
        if (group := groups.get(name)) is None:
            group = groups[name] = RoleGroup(roles=(name,), cite="duties")
        return group

    def effect_of(self, act: str) -> Effect | None:
        """Return the effect of the outside body's word that an act records; None: it records none.

        >>> office_of("arizona").effect_of("tgo_approve_house"), office_of("arizona").effect_of("draft_house")
        ('favourable', None)
        """
        return _effects(self).get(act)

    def begins_clocks(self, act: str) -> bool:
        """Return whether an act begins a clock that can already be running when the act is done again."""
        return act in _acts_with_clocks(self)

    def has_own_clocks(self, act: str) -> bool:
        """Return whether every clock that an act begins runs only for the thing that the act was done to."""
        return act in _acts_with_own_clocks(self)

    def clocks_begun(self, act: str) -> tuple[str, ...]:
        """Return the clocks that an act begins and does not restart when it is done again."""
        return _clocks_begun(self).get(act, ())

    def clocks_going_on(self, act: str) -> tuple[str, ...]:
        """Return the clocks that an act begins and whose pages say that what was owed stays owed (`owed`)."""
        return _clocks_going_on(self).get(act, ())

    @property
    def bodies(self) -> list[str]:
        """The outside bodies that the pages name."""
        return sorted({group.body for group in self.pages.roles.values() if group.body})

    def body_of(self, groups: Iterable[str]) -> str:
        """Return the outside body among groups, if any."""
        return next((self.group(name).body for name in groups if self.group(name).body), "")

    def is_of(self, group: str, person: Person, state: ActState) -> bool:
        """Return whether somebody belongs to a group now."""
        rule = self.group(group)
        if rule.body:
            return self._acts_for(rule.body, person, state)
        if person.roles.isdisjoint(rule.roles):
            return False
        if not rule.designated:
            return True
        subject = f"person/{person.account}"
        since = state.mark(rule.designated, subject)
        ends = (state.mark(act, subject) for act in rule.ended)
        return since is not None and all(end is None or end.number < since.number for end in ends)

    def _acts_for(self, body: str, person: Person, state: ActState) -> bool:
        """Return whether somebody acts for an outside body: assigned to it, and a regulator still."""
        is_regulator = REGULATOR in person.roles or not self.pages.words  # older pages asked only when it was assigned
        return is_regulator and state.bodies.get(person.account) == body

    def has_role(self, group: str, person: Person, state: ActState) -> bool:
        """Return whether somebody has a role of a group, designated or not, or acts for its body."""
        rule = self.group(group)
        if rule.body:
            return self._acts_for(rule.body, person, state)
        return not person.roles.isdisjoint(rule.roles)

    def is_seen_by(self, kind: str, person: Person, state: ActState) -> bool:
        """Return whether somebody may read of a kind of thing."""
        thing = self.pages.things.get(kind)
        return thing is None or not thing.seen_by or any(self.is_of(group, person, state) for group in thing.seen_by)

    def undesignated_group(self, groups: Iterable[str], person: Person, state: ActState) -> str:
        """Return the group among these whose role somebody has without being designated; empty: there is none."""
        lacking = (
            group for group in groups if self.has_role(group, person, state) and not self.is_of(group, person, state)
        )
        return next(lacking, "")

    def groups_at_tables(self) -> list[str]:
        """Return the groups to which whoever acts in their roles at a live table must have been designated."""
        return [name for name, group in self.pages.roles.items() if group.at_tables]

    def clause_of(self, group: str, otherwise: str) -> str:
        """Return the clause that says who belongs to a group, or another where no clause does."""
        cite = self.group(group).cite
        return otherwise if cite == PRACTICE else clause_text(cite)

    def words_of(self, groups: Iterable[str]) -> str:
        """Return groups as a sentence lists them.

        >>> office_of("arizona").words_of(("dealer", "tgo"))
        'dealer or TGO'
        """
        return role_list(self.words(groups))

    def words(self, groups: Iterable[str]) -> list[str]:
        """Return the word for each of these groups: a body's name, or the group's own."""
        return [self.group(name).body or name.replace("_", " ") for name in groups]


@kept_with_page
def _groups(rules: ActRules) -> dict[str, RoleGroup]:
    """Return whom each word means that was asked for yet, or that a page explains."""
    return dict(rules.pages.roles)


@kept_with_page
def _effects(rules: ActRules) -> dict[str, Effect]:
    """Return the acts that record the word of an outside body, each with what that does."""
    words = reversed(rules.pages.words.items())  # where two name an act, the first says what it does
    return {act: effect for effect, of in words for act in of.acts}


@kept_with_page
def _clocks_begun(rules: ActRules) -> dict[str, tuple[str, ...]]:
    clocks = rules.pages.clocks.items()
    return _by_start(
        (key, clock) for key, clock in clocks if clock.ends != "deemed" and not clock.anew and not clock.owed
    )


@kept_with_page
def _clocks_going_on(rules: ActRules) -> dict[str, tuple[str, ...]]:
    return _by_start((key, clock) for key, clock in rules.pages.clocks.items() if clock.owed)


@kept_with_page
def _acts_with_clocks(rules: ActRules) -> frozenset[str]:
    return frozenset({*_clocks_begun(rules), *_clocks_going_on(rules)})


@kept_with_page
def _acts_with_own_clocks(rules: ActRules) -> frozenset[str]:
    clocks, acts = rules.pages.clocks.values(), rules.pages.acts
    others = {clock.starts for clock in clocks if clock.while_in or clock.of == "office"}
    return frozenset(act for act in _acts_with_clocks(rules) - others if act in acts and acts[act].thing)


def _by_start(clocks: Iterable[tuple[str, Clock]]) -> dict[str, tuple[str, ...]]:
    """Return clocks by the act that begins them."""
    found: dict[str, tuple[str, ...]] = {}
    for key, clock in clocks:
        found[clock.starts] = (*found.get(clock.starts, ()), key)
    return found


def _with_rights(pages: ActPages) -> ActPages:
    """Return the pages with an act for each right that a body has."""
    return replace(pages, acts={**pages.acts, **{key: _act_of(right) for key, right in pages.rights.items()}})


def _with_tellings(pages: ActPages) -> ActPages:
    """Return the pages with every act told as it names, or as acts of its kind are."""
    names: dict[str, str] = {telling.of: name for name, telling in pages.tellings.items() if telling.of}

    def name_of(act: Act) -> str:
        kind = "papers" if act.on_paper else "facts" if act.is_fact else "others"
        return act.told or names.get(kind) or names.get("others", "")

    acts = {key: replace(act, told=name_of(act)) for key, act in pages.acts.items()}
    return replace(pages, acts=acts) if names else pages


def _act_of(right: Right) -> Act:
    """Return the act by which a body makes use of a right: always possible, and on record with what it found."""
    finding = Field(name="what was seen and found", type="text", cite=right.cite)
    return Act(
        name=right.name,
        page="visits",
        by=right.by,
        thing=right.thing,
        many=bool(right.thing),
        on_paper=True,
        fields={"finding": finding},
        cite=right.cite,
    )


def _with_second_people(pages: ActPages) -> ActPages:
    """Return the pages with a second signature on what frees the house, where others record it than the body itself.

    That the house has told a body something, anybody signs who answers for a part of the house.
    """
    paper = Signature(by=KEEPERS, name="the second person who has seen the body's paper", of_papers=True, cite="duties")
    proof = replace(paper, by=_READERS, name="the second person who has seen the proof that it was told")
    seconds = {"favourable": paper, "delivery": paper, "notice": proof}
    signed = {
        key: replace(pages.acts[key], signs={**pages.acts[key].signs, SECOND: seconds[effect]})
        for effect, words in pages.words.items()
        if effect in seconds
        for key in words.acts
        if key in pages.acts
    }
    return replace(pages, acts={**pages.acts, **signed})


_READERS = (FLOORPERSON, SUPERVISOR, CASHIER, ACCOUNTANT, AUDITOR, DIRECTOR, *KEEPERS)


def _with_corrections(pages: ActPages) -> ActPages:
    """Return the pages with an act for each one that can be corrected."""
    keeps_needs = pages.corrections is not None and pages.corrections.keep_needs
    made = {
        corrected.act or f"correct_{key}": _correction_of(key, act, corrected, keeps_needs=keeps_needs)
        for key, act in pages.acts.items()
        if (corrected := act.corrected) is not None
    }
    return replace(pages, acts={**pages.acts, **made})


def _correction_of(key: str, act: Act, corrected: Corrected, *, keeps_needs: bool) -> Act:
    """Return the act that corrects another one: its fields that may be wrong, and everybody who signs it."""
    number = Field(
        name="the number of the act, or of its correction, that is corrected",
        type="act",
        of=(key,),
        earlier=True,
        cite=corrected.cite,
    )
    reason = Field(name="what was wrong with it", type="text", cite=corrected.cite)
    own = {name: _said_again(act.fields[name]) for name in corrected.fields if name in act.fields}
    signs = {
        part: replace(sign, unless="", only=sign.only * (sign.only in own), among=sign.among * (sign.among in own))
        for part, sign in (*act.signs.items(), *corrected.signs.items())
        if not sign.nobodys
    }
    needs = {part: need for part, need in act.needs.items() if is_need_of_field(need, own)}
    if keeps_needs:
        name = corrected.act or f"correct_{key}"
        kept = ((part, _needed_again(need, key, name, own)) for part, need in act.needs.items() if not act.is_fact)
        needs |= {part: need for part, need in kept if need is not None and part not in needs}
    return Act(
        name=corrected.name or f"Correct: {act.name[0].lower()}{act.name[1:]}",
        page=act.page,
        by=corrected.by or act.by,
        thing=act.thing,
        many=act.many,
        ended=bool(act.thing),
        is_fact=act.is_fact or act.moves is not None or act.counts is not None or bool(corrected.missing),
        fields={"corrects": number, "reason": reason, **own, **_further_fields(act, corrected)},
        signs=signs,
        needs=needs,
        like=act.like,
        counts=_counted_again(act.counts) if act.counts else None,
        corrects=key,
        cite=corrected.cite,
    )


def is_need_of_field(need: Condition, fields: Iterable[str]) -> bool:
    """Return whether an act needs something of what one of these fields names, or of the word that is written there."""
    return (isinstance(need.of, str) and need.of in fields) or bool(need.word and need.fact in fields)


def _needed_again(need: Condition, first: str, correction: str, fields: Iterable[str]) -> Condition | None:
    """Return what a correction needs since its first act needs it; None: nothing, it was so when that was done.

    What was agreed to for the first act alone has to be agreed to again, since it or its last correction.
    """
    words = (need.sole,) if isinstance(need.sole, str) else need.sole
    if need.apart or not {*words, need.unlike}.isdisjoint(fields):
        return need
    if need.done and need.since == first:
        return replace(need, again=correction)
    return need if need.done and not (need.since or need.undone or need.of) else None


def _further_fields(act: Act, corrected: Corrected) -> dict[str, Field]:
    """Return what a correction says that the first act does not: of what it was, and what it should not have said."""
    own = {key: act.fields[key] for key in corrected.fields if key in act.fields}
    left_open = tuple(
        key
        for key, field in own.items()
        if (field.optional or field.unless or field.only or field.lower or field.differs)
        and field.type not in {"units", "cents", "flag", "no"}
    )
    unsaid = Field(
        name="what it should have said nothing of", type="some", of=left_open, optional=True, cite=corrected.cite
    )
    instead = Field(
        name="which it was really, if it was another", type="thing", of=(act.thing,), optional=True, cite=corrected.cite
    )
    return {**({UNSAID: unsaid} if left_open else {}), **({INSTEAD: instead} if corrected.thing else {})}


def _said_again(field: Field) -> Field:
    """Return a field of a correction: figures are said whole, and what else is not named stays as it was.

    What never was is corrected to no units at all.
    """
    is_figure = field.type in {"units", "cents"}
    least = None if field.type == "units" else field.min
    is_optional = field.optional or not is_figure
    cleared = dict.fromkeys(("unless", "only", "lower", "highest", "total", "through"), "")
    return replace(field, optional=is_optional, min=least, **cleared)


def _counted_again(counts: Counting) -> Counting:
    """Return that what is corrected is counted by as many people, and held against no record."""
    return Counting(field=counts.field, also=counts.also, cite=counts.cite)


def with_made_acts(pages: ActPages) -> ActPages:
    """Return the pages with all that is made from what they say: acts from rights and corrections, second people."""
    return _with_second_people(_with_tellings(_with_corrections(_with_rights(pages))))


def is_made(pages: ActPages, act: str) -> bool:
    """Return whether an act was made, and stands on no page itself."""
    return act in pages.rights or bool(pages.acts[act].corrects)


OFFICE_RULES = LayeredPages(
    "office", ActPages, lambda name, digest, pages: ActRules(name, digest, with_made_acts(pages))
)
"""Reads the pages of offices, and knows by their digest those that logs keep."""


def office_of(name: str, *presets: str) -> ActRules:
    """Return the office of one of the regulations in the package, with the presets that a house of it elects."""
    return _office_in(str(folder_of(name)), name, presets, text_day(name))


@cache
def _office_in(folder: str, name: str, presets: tuple[str, ...], day: date | None) -> ActRules:
    del folder, day  # of two libraries, the same name may mean two; and of two days
    return OFFICE_RULES.read(OFFICE_RULES.installed_pages(name, presets))


def sound_offices() -> tuple[str, ...]:
    """Return the regulations whose rulebook and office can be read, for what is about all offices."""
    return _sound_offices(known_rulebooks())


@lru_cache(maxsize=8)
def _sound_offices(library: Library) -> tuple[str, ...]:
    del library  # which is the one of now: every request asks this, some several times
    return tuple(name for name in sound_regulations() if is_sound_office(name))


def is_sound_office(name: str) -> bool:
    """Return whether the rulebook and the office of a regulation can be read."""
    with suppress(RulebookError):
        return bool(rulebook_of(name) and office_of(name))
    return False


def cited_parts(pages: ActPages) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield (path, clauses) for everything in an office's pages that cites a clause.

    Acts that were made from rights or from other acts cite nothing of their own.
    """
    for path, clauses in cited_paths(pages):
        if path[0] != "acts" or (not is_made(pages, path[1]) and clauses != ("duties",)):
            yield path, clauses
