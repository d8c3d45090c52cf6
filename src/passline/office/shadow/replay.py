"""Replays a month of another system in an office in memory, to find what Passline would have refused or noticed.

Each line becomes the acts that it stands for, at its time, by the people that it names. What is refused is noted with
its clause and then entered by a stand-in, so that later lines are judged as if it had been accepted. Tables and boxes
are taken as they stand, and the cage and the trays begin with what the files say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts.calendar.facility import Facility
from passline.acts.clocks import clocks_at
from passline.acts.events import ActDone, ActVoided, IncidentOpened
from passline.acts.judges.scene import Scene, Surroundings
from passline.acts.papers.form_codes import FormCode
from passline.acts.rules import Person, office_of
from passline.acts.schema import Act
from passline.acts.state import KnownThing, thing_key
from passline.acts.views.wording import Wording, money_in_words
from passline.authority.roles import EMPLOYED_ROLES, OWNER
from passline.bookkeeping.results import TableResult
from passline.bookkeeping.win import table_results
from passline.office.shadow.month import Month, MonthLine, moment_of
from passline.office.shadow.steps import MonthStep, month_steps
from passline.office.trial import TrialOffice
from passline.refusal import Refused
from passline.rules.schema import clause_text
from passline.store.timestamps import later

Kind = Literal["refused", "found", "overdue", "not recorded", "not read"]
"""What became of a line: Passline had refused it, opened an incident, had a duty overdue, or asks for more."""
_MISSING = "is missing"
_CODE_HASH = "0" * 64
_OWNER = "shadow owner"
_FILLED = {"text": "not recorded", "yes": True}
_TRIES = 3
_MANY_SLIPS = 50


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that Passline says of the month, with its clause and the line that it is about."""

    kind: Kind
    file: str
    line: int  # 0: no single one
    at: str  # local time
    what: str  # what was done
    why: str
    clause: str


class ShadowReport(Struct, frozen=True, kw_only=True):
    """What came of a month."""

    month: Month
    acts: int  # that were entered
    findings: tuple[Finding, ...]
    results: tuple[TableResult, ...]
    first: str  # local times
    last: str


class _ShadowOffice(TrialOffice):
    """An office in memory in which every form can be scanned."""

    @property
    def scene(self) -> Scene:
        around = Surroundings(self.people.get, has_form=lambda _code: True)
        return Scene(self.rules, self.state, self.at, self.at, around)

    def take(self, things: Iterable[KnownThing], units: Mapping[str, int], trays: Mapping[str, dict[str, int]]) -> None:
        """Take things as they stand, chips into the cage as from their maker, and what lies in the trays."""
        known = {**self.state.things, **{thing_key(thing.kind, thing.id): thing for thing in things}}
        maker = {unit: -2 * count for unit, count in units.items()}
        stock = {
            "cage": dict(units),
            "maker": maker,
            **{thing_key("table", table): tray for table, tray in trays.items()},
        }
        self.state = replace(self.state, things=known, stocks={**self.state.stocks, "chips": stock})


def replay_month(month: Month) -> ShadowReport:
    """Enter a month into an office in memory, and return all that it says of it."""
    return _Replay(month).report()


class _Replay:
    def __init__(self, month: Month) -> None:
        head = month.head
        people = {line["person"]: line["roles"].split()[0] for line in month.people}
        self.month, self.facility = month, head.facility
        rules = office_of(head.regulation, *head.presets)
        self.office = _ShadowOffice(rules, head.facility, {**people, _OWNER: OWNER})
        for line in month.people:
            person = Person(line["person"], line["name"], frozenset(line["roles"].split()))
            self.office.people[line["person"]] = person
        self.steps = sorted(month_steps(month), key=lambda step: step.at)
        self.findings = list[Finding]()
        self.slips = dict[str, str]()  # by the number in the other system, that of this office
        self._stand_ins = 0

    def report(self) -> ShadowReport:
        """Enter everything, and return what came of it."""
        first = self.steps[0].at if self.steps else ""
        last = self.steps[-1].at if self.steps else ""
        self.office.at = first or self.office.at
        for key, value in self.month.head.values.items():
            answer = self.office.send(c.SetValue(key=key, value=value), _OWNER)
            if isinstance(answer, Refused):
                self._note("not read", None, key, str(answer.refusals[0].why), answer.refusals[0].clause)
        self.office.take(
            _things_of(self.month, self.office.rules.pages.acts["request_fill"]),
            _units_of(self.month),
            _trays_of(self.month),
        )
        for step in self.steps:
            self.office.at = step.at
            self._enter(step)
        self._look_at_slips()
        self._look_at_ratings()
        results = table_results(self.office.events, self.facility)
        for result in results:
            for missing in result.missing:
                what = f"{result.table}, {result.day}, {result.shift} shift"
                self._note("found", None, what, f"what was won is not known: {missing}", "practice")
        for run in clocks_at(self.office.rules, self.office.state, last, is_owed=True) if last else ():
            clock = self.office.rules.pages.clocks[run.clock]
            if run.status == "overdue":
                about = run.subject.replace("/", " ").replace("_", " ") or "the office"
                why = f"{clock.name}: due {self._local(run.due)}"
                self._note("overdue", None, about, why, clause_text(clock.cite))
        return ShadowReport(
            month=self.month,
            acts=self.office.state.acts,
            findings=tuple(self.findings),
            results=tuple(results),
            first=self._local(first),
            last=self._local(last),
        )

    def _local(self, at: str) -> str:
        return self.facility.minute(at) if at else ""

    def _note(self, kind: Kind, step: MonthStep | None, what: str, why: str, clause: str) -> None:
        words = Wording(rules=self.office.rules, facility=self.facility, state=self.office.state)
        line = step.line if step else None
        self.findings.append(
            Finding(
                kind=kind,
                file=line.file if line else "",
                line=line.number if line else 0,
                at=self._local(step.at) if step else "",
                what=what,
                why=words.reason(why),
                clause=clause,
            )
        )

    def _enter(self, step: MonthStep) -> None:
        """Enter an act as its line has it; what is refused is noted, and then entered by a stand-in."""
        rule = self.office.rules.act(step.act)
        assert rule is not None, f"practice has {step.act}"
        things = tuple(self.slips.get(thing, "") if step.slip else thing for thing in step.things)
        if step.slip and step.act not in {"request_fill", "request_credit"} and not all(things):
            return  # its request was not taken, which is noted
        what = f"{rule.name}{f' {step.slip or step.things[0]}' if step.slip or step.things else ''}"
        by, fields, said = step.by, self._fields_of(step), set[str]()
        if not by:
            self._note("refused", step, what, "nobody is named who has done it", clause_text(rule.cite))
            by = self._stand_in(rule.by)
        for _ in range(_TRIES):
            answer = self.office.send(c.DoAct(act=step.act, things=things, fields=fields), by)
            if not isinstance(answer, Refused):
                self._took(step, what, rule, fields, answer)
                return
            lacking = {}
            for refusal in answer.refusals:
                if refusal.why in said:
                    continue
                said.add(refusal.why)
                field, _, why = refusal.why.partition(": ")
                if why.startswith(_MISSING) and field in rule.fields:
                    lacking[field] = rule.fields[field]
                    self._note(
                        "not recorded", step, rule.name, rule.fields[field].name, clause_text(rule.fields[field].cite)
                    )
                else:
                    self._note("refused", step, what, refusal.why, refusal.clause)
            fields |= {key: _FILLED.get(field.type, list(field.of)) for key, field in lacking.items()}
            by = by if lacking else self._stand_in(rule.by)
        self._note("not read", step, what, "what comes later is judged without it", clause_text(rule.cite))

    def _fields_of(self, step: MonthStep) -> dict[str, Any]:
        """Return the fields of an act; of slips in a box what a scanner would have read."""
        if step.act != "match_slips":
            return dict(step.fields)
        box = self.office.state.thing("drop_box", step.things[0])
        listed = box.facts.get("slips", []) if box else []
        numbers = [self.slips.get(slip, slip) for slip in step.fields["found"]] if "found" in step.fields else listed
        return {"found": [str(FormCode(1, _CODE_HASH, number)) for number in numbers]}

    def _stand_in(self, groups: Sequence[str]) -> str:
        """Return somebody new who may do or sign something."""
        roles = {role for group in groups for role in self.office.rules.group(group).roles}
        self._stand_ins += 1
        name = f"stand-in {self._stand_ins}"
        self.office.people[name] = Person(name, name, frozenset(roles & {*EMPLOYED_ROLES}) or frozenset({OWNER}))
        return name

    def _took(self, step: MonthStep, what: str, rule: Act, fields: dict[str, Any], events: Sequence[Any]) -> None:
        """Note the incidents of an act that was entered, and have it signed."""
        self._note_incidents(step, what, events)
        done = next(event for event in events if isinstance(event, ActDone))
        if done.series and step.slip:
            self.slips[step.slip] = done.things[0]
        for part in done.waits:
            sign = self.office.rules.signature(rule, part)
            assert sign is not None
            counted = step.counted.get(part) or (
                {key: fields[key] for key in _counted_fields(rule) if key in fields} if sign.counts else {}
            )
            signer = step.signed.get(part, "")
            command = c.SignAct(number=done.number, part=part, fields=counted)
            answer = self.office.send(command, signer, signer) if signer else None
            if answer is None:
                self._note("refused", step, what, f"nobody is named who signed: {sign.name}", clause_text(sign.cite))
            elif isinstance(answer, Refused):
                for refusal in answer.refusals:
                    self._note("refused", step, what, refusal.why, refusal.clause)
            if answer is None or isinstance(answer, Refused):
                other = self._stand_in(sign.by)
                answer = self.office.send(command, other, other)
            if not isinstance(answer, Refused):
                self._note_incidents(step, what, answer)
                if any(isinstance(event, ActVoided) for event in answer):
                    self._count_again(step, rule, fields)
                    return

    def _count_again(self, step: MonthStep, rule: Act, fields: dict[str, Any]) -> None:
        """Count again what two people counted differently, by stand-ins, and as the second one had it."""
        second = next(iter(step.counted.values()), {})
        answer = self.office.send(
            c.DoAct(act=step.act, things=step.things, fields={**fields, **second}), self._stand_in(rule.by)
        )
        done = (
            next((event for event in answer if isinstance(event, ActDone)), None) if isinstance(answer, tuple) else None
        )
        for part in done.waits if done else ():
            sign = self.office.rules.signature(rule, part)
            assert sign is not None
            assert done is not None
            again = (
                {key: done.fields[key] for key in _counted_fields(rule) if key in done.fields} if sign.counts else {}
            )
            other = self._stand_in(sign.by)
            self.office.send(c.SignAct(number=done.number, part=part, fields=again), other, other)

    def _note_incidents(self, step: MonthStep, what: str, events: Iterable[Any]) -> None:
        for event in events:
            if isinstance(event, IncidentOpened):
                self._note("found", step, what, event.why, event.clause)

    def _look_at_slips(self) -> None:
        """Note numbers that are missing or twice in the other system's series."""
        for kind in ("fill", "credit"):
            lines = [line for line in self.month.lines["slips.csv"] if line["kind"] == kind]
            numbers = dict[int, MonthLine]()
            for line in lines:
                digits = "".join(filter(str.isdigit, line["slip"]))
                if digits and int(digits) in numbers:
                    self._note_line(line, f"{kind} slip {line['slip']}", "its number stands on another slip too")
                if digits:
                    numbers[int(digits)] = line
            gaps = [
                number for number in range(min(numbers, default=0), max(numbers, default=0)) if number not in numbers
            ]
            for number in gaps[:_MANY_SLIPS]:
                before = numbers[max(known for known in numbers if known < number)]
                self._note_line(
                    before, f"{kind} slip {number}", f"is missing after {before['slip']}: slips are in one series"
                )

    def _note_line(self, line: MonthLine, what: str, why: str) -> None:
        at = next((line[column] for column in ("at", "requested_at") if line[column]), "")
        self.findings.append(
            Finding(kind="found", file=line.file, line=line.number, at=at, what=what, why=why, clause="practice")
        )

    def _look_at_ratings(self) -> None:
        """Note buy-ins above the counted drop of a day, and players who were rated at two tables at a time."""
        lines = self.month.lines["ratings.csv"]
        drops = dict[tuple[str, str], int]()
        for result in table_results(self.office.events, self.facility):
            key = (result.table, str(result.day))
            drops[key] = drops.get(key, 0) + result.drop
        brought = dict[tuple[str, str], list[MonthLine]]()
        spans = dict[str, list[tuple[str, str, MonthLine]]]()
        for line in lines:
            at = moment_of(self.facility, line["at"])
            brought.setdefault((line["table"], str(self.facility.gaming_day(at))), []).append(line)
            ends = _minutes_later(self.facility, line["at"], int(line["minutes"]))
            spans.setdefault(line["player"], []).append((line["at"], ends, line))
        for (table, day), found in brought.items():
            cash, drop = sum(int(line["buy_in_cents"] or 0) for line in found), drops.get((table, day), 0)
            if cash > drop:
                said = f"players brought {money_in_words(cash)} by the ratings"
                why = f"{said}, and {money_in_words(drop)} was in the boxes: {money_in_words(cash - drop)} less"
                self._note_line(found[-1], f"{table}, {day}", why)
        for player, played in spans.items():
            for (_, ends, _), (begins, _, line) in zip(
                sorted(played, key=_begins), sorted(played, key=_begins)[1:], strict=False
            ):
                if begins < ends:
                    self._note_line(line, player, f"was rated elsewhere until {ends} too")


def _begins(span: tuple[str, str, MonthLine]) -> str:
    return span[0]


def _minutes_later(facility: Facility, text: str, minutes: int) -> str:
    return facility.minute(later(moment_of(facility, text), minutes * 60))


def _counted_fields(rule: Act) -> tuple[str, ...]:
    return rule.counts.counted_fields if rule.counts else ()


def _things_of(month: Month, request: Act) -> Iterator[KnownThing]:
    """Yield the tables and boxes of a month as they stand before it: a box is on the table it is taken from first."""
    area, (state, *_) = month.head.facility.areas[0], request.fields["table"].states or ("installed",)
    first = dict[str, str]()
    for line in sorted(month.lines["drops.csv"], key=lambda line: line["at"]):
        first.setdefault(line["box_off"], line["table"])
        first.setdefault(line["box_on"], "")
    boxes = {line["box"]: "" for line in month.lines["boxes.csv"]} | {box: table for box, table in first.items() if box}
    on = {table: box for box, table in boxes.items() if table}
    for table in month.tables:
        facts = {"area": area} | ({"drop_box": on[table]} if table in on else {})
        yield KnownThing("table", table, state, facts, "")
    for box, table in boxes.items():
        yield KnownThing("drop_box", box, "on_table" if table else "ready", {"table": table} if table else {}, "")


def _trays_of(month: Month) -> dict[str, dict[str, int]]:
    """Return what lay in each tray before the month: what was counted there first."""
    trays = dict[str, dict[str, int]]()
    for line in sorted(month.lines["inventories.csv"], key=lambda line: line["at"]):
        trays.setdefault(line["table"], line.units("chips"))
    return trays


def _units_of(month: Month) -> dict[str, int]:
    """Return more chips of each denomination than the month can have asked for."""
    found = dict[str, int]()
    for lines in month.lines.values():
        for line in lines:
            for unit, count in line.units("chips").items():
                found[unit] = found.get(unit, 0) + count
    return found
