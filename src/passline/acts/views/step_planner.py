"""Plans what must be done before an act can be done, each step after those it waits for.

The act's needs, states, fields, chips and people say what must come first, and so on for each of those acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from passline.acts.judges.conditions import unmet_conditions
from passline.acts.judges.gates import OPENING, unset_value
from passline.acts.judges.scene import Scene
from passline.acts.rules import Person
from passline.acts.schema import PRACTICE, Act, Condition, Field
from passline.acts.state import OFFICE, KnownThing, thing_key
from passline.acts.views.acts_between import asked_of_named, fewest_acts
from passline.acts.views.office_staff import PLANNED, OfficeStaff
from passline.acts.views.opening_delay import notice_over
from passline.acts.views.path_step import UNTOLD, PathStep, unknown_thing
from passline.rules.schema import clause_text

_DEEP = 40  # no page leads so far: a bound, so that none can lead in a circle without end


class StepPlanner:
    """Collects the steps of a plan, each after those that it waits for."""

    def __init__(self, scene: Scene, people: Sequence[Person]) -> None:
        self.scene, self.pages = scene, scene.rules.pages
        self.steps: list[PathStep] = []
        self._people = OfficeStaff(scene, people)
        self._crewed: set[str] = set()  # who is counted on in the crew
        self._places: dict[tuple[str, ...], int] = {}
        self._under_way: set[tuple[str, ...]] = set()

    # --- What must hold -----------------------------------------------------------------------------------------------

    def meet(self, condition: Condition, subject: KnownThing | None, fields: Mapping[str, Field]) -> list[int]:
        """Add the steps that make a condition hold for a thing; return the places of the last ones; empty: it holds."""
        faults = unmet_conditions({"": condition}, [subject], self.scene)
        if not faults or self._holds_for_some(condition, fields):
            return []
        why, clause = faults[0].why.removeprefix(f"{self._name_of(subject)}: "), faults[0].clause
        if value := unset_value(self.scene, condition):
            return self._set_value(value, why, clause) + self._mend(condition, subject, fields, why, clause)
        if condition.approval:
            return [self._add(PathStep("", why, clause, "tables", (), approval=condition.approval))]
        if condition.paper:
            return self._complete_paper(condition.paper, subject, why, clause)
        return self._mend(condition, subject, fields, why, clause)

    def _name_of(self, thing: KnownThing | None) -> str:
        return self.scene.name_of(thing.kind, thing.id) if thing is not None else ""

    def _holds_for_some(self, condition: Condition, fields: Mapping[str, Field]) -> bool:
        """Return whether what a field will name can be so: somebody or something of its kind fits, or is asked for."""
        words = (condition.of,) if isinstance(condition.of, str) else condition.of
        named = [fields[word] for word in words if word in fields]
        if not named or not condition.kind:
            return False
        known = self.scene.state.of_kind(condition.kind, named[0].states)
        plain = replace(condition, of="")
        if not known:
            return self._is_written_when_made(condition, condition.kind) or bool(condition.but_for)
        return any(not unmet_conditions({"": plain}, [thing], self.scene) for thing in known)

    def _mend(
        self, condition: Condition, subject: KnownThing | None, fields: Mapping[str, Field], why: str, clause: str
    ) -> list[int]:
        """Add the act that mends a condition, after whatever names the thing that it is about."""
        about, first = subject, list[int]()
        if condition.on_duty and condition.mend:
            return self._bring_on_duty((condition.on_duty,), condition.mend, why, clause)
        if condition.of and condition.kind:
            about = self._named_by(condition, subject) or unknown_thing(condition.kind)
            if about.id == UNTOLD and subject is not None and condition.of not in fields:
                first = self._write(subject, condition.of, why, clause)
                if _states_of(condition) or (first and condition.valid):
                    return first
        lister, _, listed = condition.listed.partition(".")
        if listed and subject is not None and not subject.facts.get(lister):
            first += self._write(subject, lister, why, clause)  # it is listed by a thing that nobody has named yet
        states = _states_of(condition)
        is_made_so = about is not None and (states or self._is_written_when_made(condition, about.kind))
        if about is not None and is_made_so and self._is_unrecorded(about):
            return first + self.reach(about.kind, states, about, why, clause)
        keys = [key for key in self._mending_acts(condition, about) if key in self.pages.acts]
        for key in keys:
            act = self.pages.acts[key]
            target = next((thing for thing in (about, subject) if thing is not None and thing.kind == act.thing), None)
            if condition.ahead and subject is not None and self.scene.state.mark(key, _key(subject)) is not None:
                until = notice_over(self.scene, condition.ahead)
                step = PathStep(act.name, why, clause, act.page, (), things=_ids(subject), waits="time", until=until)
                return [*first, self._add(step)]
            if (asked := fields.get(condition.unless)) and asked.states and asked.of[:1] == (act.thing,):
                return first + self.reach(act.thing, asked.states, None, why, clause)
            done = self.do(key, target, why, clause, first)
            first = [done] if done is not None else first
        return first

    def _is_unrecorded(self, thing: KnownThing) -> bool:
        return self.scene.state.thing(thing.kind, thing.id) is None

    def _mending_acts(self, condition: Condition, about: KnownThing | None) -> list[str]:
        """Return the acts that mend a condition: the one that its page names, and the one that its test asks for."""
        mend = self.pages.acts.get(condition.mend)
        is_of_another = mend is not None and about is not None and mend.thing != about.kind
        states = _states_of(condition)
        if states and about is not None and about.id != UNTOLD and (mend is None or is_of_another):
            way = fewest_acts(self.pages, about.kind, states, about.state)
            if way:
                return way[-1:]
        clock = self.pages.clocks.get(condition.ahead)
        wanted = [condition.mend or (clock.met[0] if clock else ""), condition.done]
        if condition.done and about is not None and self._is_done(condition.mend, about):
            wanted = [condition.done]
        return [*dict.fromkeys(key for key in wanted if key)]

    def _is_done(self, key: str, about: KnownThing) -> bool:
        act = self.pages.acts.get(key)
        return act is not None and self.scene.state.mark(key, _key(about) if act.thing else OFFICE) is not None

    def _named_by(self, condition: Condition, subject: KnownThing | None) -> KnownThing | None:
        """Return the first thing that a fact of the subject names and that does not meet the condition."""
        words = (condition.of,) if isinstance(condition.of, str) else condition.of
        plain = replace(condition, of="")
        for word in words:
            value = subject.facts.get(word) if subject else None
            for name in value if isinstance(value, list | tuple) else [value] if value else []:
                thing = self.scene.state.thing(condition.kind, str(name))
                thing = thing or KnownThing(condition.kind, str(name), "unknown", {}, "")
                if unmet_conditions({"": plain}, [thing], self.scene):
                    return thing
        return None

    def _is_written_when_made(self, condition: Condition, kind: str) -> bool:
        """Return whether whoever enters such a thing writes what is asked for."""
        fact = condition.valid or condition.fact
        makers = (act for act in self.pages.acts.values() if act.thing == kind and act.new)
        return any(fact in act.fields for act in makers) if fact else False

    def _write(self, subject: KnownThing, of: str | Sequence[str], why: str, clause: str) -> list[int]:
        """Add the act that writes a fact of a thing."""
        words = {of} if isinstance(of, str) else {*of}
        found = (
            key
            for key, act in self.pages.acts.items()
            if act.thing == subject.kind and not act.corrects and any(word in act.fields for word in words)
        )
        place = self.do(next(found, ""), subject, why, clause, [])
        return [place] if place is not None else []

    def _complete_paper(self, paper: str, subject: KnownThing | None, why: str, clause: str) -> list[int]:
        parts, places = self.pages.papers[paper].parts, list[int]()
        lacking = self.scene.sheet(paper, subject).missing
        why = f"{self.pages.papers[paper].name} lacks {', '.join(part.name for part in lacking)}" if lacking else why
        for missing in lacking:
            kind, _, what = parts[missing.key].source.partition(".")
            if kind == "value":
                places += self._set_value(what, why, clause)
            elif kind == "done":
                done = self.do(what, subject, why, clause, [])
                places += [done] if done is not None else []
            elif subject is not None:
                places += self._write(subject, what.rpartition(".")[2], why, clause)
        return places

    def _set_value(self, key: str, why: str, clause: str) -> list[int]:
        by_act = next((name for name, act in self.pages.acts.items() if key in act.sets and not act.corrects), "")
        if by_act:
            place = self.do(by_act, None, why, clause, [])
            return [place] if place is not None else []
        value = self.pages.values[key]
        why = "nobody has set this figure yet"
        step = PathStep(value.name, why, clause_text(value.cite) or clause, "set-up", (), value=key, by=value.by)
        return [self._add(step)]

    # --- Acts, and what comes before them -----------------------------------------------------------------------------

    def do(self, key: str, subject: KnownThing | None, why: str, clause: str, after: Iterable[int]) -> int | None:
        """Add an act and all that comes before it; return its place, or None if it is being planned already."""
        act = self.pages.acts.get(key)
        if act is None:
            return None
        ids = _ids(subject) if act.thing and not (act.new and self.pages.things[act.thing].series) else ()
        whose = (
            subject.id.removeprefix(PLANNED) if subject is not None and act.thing == subject.kind and not ids else ""
        )
        name = ("act", key, *ids, *filter(None, (whose,)))
        if name in self._places:
            return self._places[name]
        if name in self._under_way or len(self._under_way) > _DEEP:
            return None
        self._under_way.add(name)
        if pending := self._signature_awaited(key, subject):
            first = list[int]()
        else:
            hired = self._people.hired_by(subject.id) if subject is not None else ()
            first = [*after, *hired, *self._before(act, subject, why, clause)]
        self._under_way.discard(name)
        places = tuple(dict.fromkeys(first))
        called = f"{act.name} ({whose})" if whose else act.name
        step = PathStep(called, why, clause, act.page, places, key, self._alike(act, ids), act.by, waits=pending)
        return self._add(replace(step, kept_to_sign=self._people.kept_to_sign(act)), name)

    def _alike(self, act: Act, ids: tuple[str, ...]) -> tuple[str, ...]:
        """Return all things that an act is done to at once: with a die, every other one in its state."""
        known = self.scene.state.thing(act.thing, ids[0]) if ids and act.many else None
        if known is None:
            return ids
        others = (thing.id for thing in self.scene.state.of_kind(act.thing, (known.state,)))
        return tuple(dict.fromkeys((*ids, *others)))

    def _signature_awaited(self, key: str, subject: KnownThing | None) -> str:
        """Return whose signature an act waits for that was recorded already."""
        for pending in self.scene.state.pending.values():
            done = pending.done
            if done.act == key and (subject is None or not _ids(subject) or subject.id in done.things):
                act = self.pages.acts[key]
                rules = [self.scene.rules.signature(act, part) for part in done.waits if part not in pending.signed]
                return "; ".join(rule.name for rule in rules if rule is not None)
        return ""

    def _before(self, act: Act, subject: KnownThing | None, why: str, clause: str) -> list[int]:
        """Add what an act waits for: its thing in the right state, its needs, fields, chips and people."""
        places = list[int]()
        if act.thing and not act.new:
            if subject is not None and subject.id == UNTOLD:
                subject = None
            is_lost = subject is None or self._is_unrecorded(subject)
            if is_lost or (act.states and subject and subject.state not in act.states):
                places += self.reach(act.thing, act.states, subject, why, clause)
            subject = subject or next(iter(self.scene.state.of_kind(act.thing, act.states)), None)
        about = subject if act.thing and not act.new else None
        for need in act.needs.values():
            places += self.meet(need, about or (unknown_thing(act.thing) if act.thing else None), act.fields)
        if act.gate and about is not None:
            for condition in self.pages.gates[act.gate].items.values():
                places += self.meet(condition, about, {})
        return places + self._material(act, about, why, clause) + self._staff(act)

    def _material(self, act: Act, about: KnownThing | None, why: str, clause: str) -> list[int]:
        """Add what the fields of an act name, and the chips that it moves or counts."""
        places = list[int]()
        is_of_gate = act.thing == self.pages.gates[OPENING].thing
        for key, field in act.fields.items():
            if field.optional or field.only or field.lower or field.differs:
                continue
            if is_of_gate and self._asked_of(key):
                places += self._crew(key, field)
            else:
                places += self._fill_in(field, act, about, why, clause)
        if act.moves is not None and act.moves.source in self.pages.stocks[act.moves.stock].places:
            places += self._stock(act.moves.stock, act.moves.source)
        if act.counts is not None and act.counts.stock and act.counts.place == "@":
            places += self._stock(act.counts.stock, f"@{act.thing}")
        return places

    def _fill_in(self, field: Field, act: Act, subject: KnownThing | None, why: str, clause: str) -> list[int]:
        """Add what a field names and is not there yet."""
        kind = field.of[0] if field.of else ""
        if field.type in {"thing", "things"} and not self._candidates(kind, field.states):
            return self.reach(kind, field.states, None, why, clause)
        if (
            field.type == "units"
            and kind
            and not self._has_stock(field.stock)
            and not self._candidates(kind, field.states)
        ):
            return self.reach(kind, field.states, None, why, clause)
        if field.type in {"person", "people"} and field.of:
            return self._staff_groups(field.of, field.min or 1)
        if field.type == "sheet" and kind and (of := self.pages.papers[kind].thing) and of != act.thing:
            named = subject.facts.get(of) if subject else None
            return self._write(subject or unknown_thing(act.thing), of, why, clause) if not named and act.thing else []
        return []

    def _candidates(self, kind: str, states: Sequence[str]) -> list[KnownThing]:
        final = self.pages.things[kind].final
        return [thing for thing in self.scene.state.of_kind(kind, states) if states or thing.state not in final]

    def reach(self, kind: str, states: Sequence[str], subject: KnownThing | None, why: str, clause: str) -> list[int]:
        """Add what brings a thing, or the nearest of its kind, into one of these states."""
        if subject is not None and subject.id == UNTOLD:
            subject = None
        if subject is None:
            known = [
                (fewest_acts(self.pages, kind, states, thing.state), thing) for thing in self._candidates(kind, ())
            ]
            if any(not states or thing.state in states for _, thing in known):
                return []
            ways = [(way, thing) for way, thing in known if way]
            way, subject = (
                min(ways, key=lambda found: len(found[0]))
                if ways
                else (fewest_acts(self.pages, kind, states, ""), None)
            )
        else:
            way = fewest_acts(self.pages, kind, states, "" if self._is_unrecorded(subject) else subject.state)
        if not way:
            return []
        last = self.pages.acts[way[-1]]
        why, clause = self._lacks(kind, states, why, clause, last)
        target = subject if last.thing == kind else None
        place = self.do(way[-1], target, why, clause, [])
        return [place] if place is not None else []

    def _lacks(self, kind: str, states: Sequence[str], why: str, clause: str, act: Act) -> tuple[str, str]:
        """Return what is wrong until an act brings a thing into one of these states, in words of its own."""
        name = self.pages.things[kind].name
        if kind == self.pages.gates[OPENING].thing:
            return (why, clause) if act.new else (f"the {name} is not {_words(states)} yet", clause_text(act.cite))
        if act.new:
            return f"there is no {name} yet", clause_text(act.cite)
        return f"no {name} is {_words(states)} yet", clause_text(act.cite)

    # --- Chips --------------------------------------------------------------------------------------------------------

    def _has_stock(self, stock: str) -> bool:
        held = self.scene.state.stocks.get(stock, {})
        return any(count > 0 for units in held.values() for count in units.values())

    def _stock(self, stock: str, place: str) -> list[int]:
        """Add what brings chips to a place: one of the stock's, or, as @KIND, a thing of a kind."""
        kind = place.removeprefix("@")
        held = self.scene.state.stocks.get(stock, {})
        here = (
            units for name, units in held.items() if name == place or (place != kind and name.startswith(f"{kind}/"))
        )
        if any(count > 0 for units in here for count in units.values()):
            return []
        brings = (
            key
            for key, act in self.pages.acts.items()
            if act.moves is not None
            and act.moves.stock == stock
            and act.moves.target == place
            and not act.corrects
            and not act.moves.back
            and act.cash is None
        )
        name, where = self.pages.stocks[stock].name, kind.replace("_", " ")
        why = f"there are no {name} {'at the' if place != kind else 'in the'} {where} yet"
        place_of = self.do(next(brings, ""), None, why, PRACTICE, [])
        return [place_of] if place_of is not None else []

    # --- People -------------------------------------------------------------------------------------------------------

    def _staff(self, act: Act) -> list[int]:
        """Add who is missing to do and sign an act: each by somebody else."""
        wanted = self._people.asked_groups(act)
        places = [place for groups in wanted for place in self._staff_groups(groups, 1)]
        is_there = all(self._people.accounts(groups, is_planned=True) for groups in wanted)
        if is_there and self._people.choose(wanted) is None:
            places += self._staff_groups(wanted[-1], len(self._people.accounts(wanted[-1], is_planned=True)) + 1)
        chosen = zip(self._people.choose(wanted) or (), wanted, strict=False)
        return places + [place for who, groups in chosen for place in self._people.hired_by(who, groups)]

    def _staff_groups(self, groups: Sequence[str], count: int) -> list[int]:
        """Add who is missing of some groups: a designation, or an account."""
        if len(self._people.accounts(groups, is_planned=True)) >= count:
            return []
        for group, account in self._people.people_to_designate(groups):
            rule = self.scene.rules.group(group)
            says = f"nobody is designated as {group.replace('_', ' ')}"
            place = self.do(rule.designated, self._person(account), says, clause_text(rule.cite), [])
            if place is not None:
                self._people.designate(group, account, place)
            return [place] if place is not None else []
        return [self._hire(groups)]

    def _person(self, account: str) -> KnownThing:
        return self.scene.state.thing("person", account) or KnownThing("person", account, "unknown", {}, "")

    def _crew(self, key: str, field: Field) -> list[int]:
        """Add who is missing for a field that names people of a table, and what each must be when it opens."""
        places = list[int]()
        for _ in range(field.min or 1):
            if self._people.choose([field.of], but=self._crewed) is None:
                places.append(self._hire(field.of))
            (account,) = self._people.choose([field.of], but=self._crewed) or ("",)
            if not account:
                continue
            self._crewed.add(account)
            places += self._people.hired_by(account)
            for item in self._asked_of(key):
                places += self.meet(replace(item, of=""), self._person(account), {})
        return places

    def _bring_on_duty(self, groups: tuple[str, ...], act: str, why: str, clause: str) -> list[int]:
        """Add what brings somebody of a group on duty."""
        places = self._staff_groups(groups, 1)
        for account in self._people.choose([groups]) or ():
            place = self.do(act, self._person(account), why, clause, self._people.hired_by(account, groups))
            places += [place] if place is not None else []
        return places

    def _asked_of(self, field: str) -> list[Condition]:
        return asked_of_named(self.pages, field, self.scene.state.left_out)

    def _hire(self, groups: Sequence[str]) -> int:
        """Add the account of somebody of one of these groups, and count on them from there on."""
        rules = self.scene.rules
        group = next((group for group in groups if not rules.group(group).body), groups[0])
        role = next(iter(rules.group(group).roles), group)
        words, spoken = rules.words_of([group]), role.replace("_", " ")
        called = spoken if words in rules.group(group).roles or words == spoken else f"{spoken}, as {words}"
        have = self._people.count(role)
        why = "nobody with this role has an account yet"
        if have:
            called, why = f"{called}, number {have + 1}", f"it takes another person with this role; so far: {have}"
        step = PathStep(f"Make an account: {called}", why, PRACTICE, "people", (), role=role)
        place = self._add(step, ("role", role, str(len(self.steps))))
        self._people.hire(role, place)
        return place

    def _add(self, step: PathStep, name: tuple[str, ...] = ()) -> int:
        name = name or ("other", step.name, step.value, step.approval, step.waits)
        if name not in self._places:
            self._places[name] = len(self.steps)
            self.steps.append(step)
        return self._places[name]


def _states_of(condition: Condition) -> tuple[str, ...]:
    """Return the states that a condition tests its thing for; those of other tests are of something else."""
    is_other = condition.has or condition.fewer or condition.sole or condition.printed
    return () if is_other else condition.state


def _words(states: Sequence[str]) -> str:
    return states[0].replace("_", " ") if states else "on record"


def _ids(thing: KnownThing | None) -> tuple[str, ...]:
    return (thing.id,) if thing is not None and not thing.id.startswith(PLANNED) else ()


def _key(thing: KnownThing) -> str:
    return thing_key(thing.kind, thing.id)
