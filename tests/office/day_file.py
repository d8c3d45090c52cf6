"""Day files: what people do in an office, line by line, and all that comes of it.

    office arizona            (or, with a preset that its house elects: office arizona with nigc)
    facility zone="America/Phoenix" subdivision="AZ" areas=["pit 1", "pit 2"]
    people olga=owner dan=dealer tina=regulator
    at 2026-03-02 09:00
    body tina TGO
    value table_limit = 4
    olga receive_dice A1 A2 {vendor = "paulson"}
      refused AZ-II.D-1
    sam test_dice A1 A2 {...} signed by dan as witness
      waits verifier
    sign by bob as verifier
      die A1 is tested
    clock dice_count
      due 2026-04-02 24:00
    may seal_dice             (who may, of all roles and bodies: tests/office/probes.py)
      AZ-II.P.1-d: supervisor once designated
    where submit_house
      AZ-II.G.1-a: draft, objected
    form notify_installation {notice = "a letter"}
      AZ-II.J.1-a: work: is missing: what will be done
      form: notice: must be the SHA-256 digest of an attached document
    owed dice_count
      AZ-II.L.4-b: by auditor
    unset table_limit
      AZ-II.B-1: the most craps tables in play that the Compact allows
    told TGO
      AZ-II.J.1-a: Tell the TGO that a table will be installed: table/T1 at 2026-03-02 09:00
    gate open_table T1
      red AZ-II.J.5
    gate open_table T1 of tgo_seal both_seals
      red AZ-II.J.5
    carl tgo_approve_chip 5 on paper              (two clerks record it; `on paper alone`: only one)
    cora submit_house first                       (with a proof, and two people, where a body is told; `alone`: one)
    cora enter_employee dan {...}                 (two people have seen the licence; `alone`: one)
    after arizona_opening     (begin anew where the table of that day may open, `# T1 may open.`)
    house first {wager_cents_min = 500}
    olga draft_house first {file = "@first"}
    paper fire_card first
      missing MD-2.D.4.e.i: odds
      part MD-2.D.4.e.iii: $1.00 to $5.00

`"@first"` stands for that house file, `"@fire_card"` for the digest of the paper as it would be printed now.

Every indented line is expected, and nothing else may come: a refusal, an incident or a wait that no line expects fails
the day. A clause may be followed by a colon and words that the reason contains; what a probe
(tests/office/probes.py) answers stands there whole.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility, Shift
from passline.acts.clocks import clocks_at
from passline.acts.decide import decide
from passline.acts.judges.gates import gate_items
from passline.acts.judges.scene import Scene, Surroundings
from passline.acts.papers.sheet import sheet_of
from passline.acts.rules import SECOND, ActRules, Person, office_of
from passline.acts.state import ActState, KnownThing
from passline.refusal import Refused
from passline.rules.elections import house_digest
from passline.streams.course import Actor, Decision
from tests.office.offices import known_house, known_office
from tests.office.probes import PROBES

DAYS = Path(__file__).parent / "days"
OPENS = "# T1 may open."
"""The line of a day at which its table may open."""
_PAPER = {"reference": "letter 7"}
_SEEN_BY_TWO = frozenset(
    {"enter_employee", "enter_vendor", "hold_training", "change_equipment", "vary_imprints"}
)  # `alone`: by one
SECOND_CLERK = Person("second-clerk", "Second", frozenset({"compliance"}))  # signs what others record of a body
_ACT = re.compile(
    r"(?P<who>\w+) (?P<act>\w+)(?P<things>( [\w.#-]+)*?)(?P<fields> \{.*\})?"
    r"(?P<rest>( signed by | on paper| occurred | alone| unproven).*)?$"
)
_CLAUSE = re.compile(r"\b(?:AZ|CO|MD|S2|HB)-[\w.]+(?:-[\w]+)*")


class DayFailed(AssertionError):
    """Something else came of a line than the day expects."""


@dataclass
class _Step:
    number: int
    text: str
    expected: list[str] = field(default_factory=list)


def day_files(regulation: str = "") -> list[Path]:
    """The day files, or only those of one regulation."""
    found = sorted(DAYS.glob("*.txt"))
    return [
        one for one in found if not regulation or one.read_text(encoding="utf-8").startswith(f"office {regulation}\n")
    ]


@cache
def clauses_in(path: Path) -> set[str]:
    """The clauses that a day expects something of."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {clause for line in lines if line.startswith(" ") for clause in _CLAUSE.findall(line)}


def run_day(path: Path, rules: ActRules | None = None) -> None:
    """Run a day, under other rules than the installed ones if they are given; raise DayFailed at the first surprise."""
    day = Day(rules)
    for step in _steps_in(path):
        found = list(day.do(step.text))
        _compare(path, step, found)


@cache
def _steps_in(path: Path) -> list[_Step]:
    return list(steps_of(path.read_text(encoding="utf-8")))


def steps_of(text: str) -> Iterator[_Step]:
    step: _Step | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line.startswith(" "):
            assert step is not None
            step.expected.append(line.strip())
        else:
            if step:
                yield step
            step = _Step(number, line.strip())
    if step:
        yield step


def _compare(path: Path, step: _Step, found: list[str]) -> None:
    left = list(found)
    for line in step.expected:
        wanted, _, words = line.partition(": ") if not line.startswith(("due", "says")) else (line, "", "")
        is_part = step.text.partition(" ")[0] not in PROBES
        match = next(
            (one for one in left if one == line or (is_part and one.partition(": ")[0] == wanted and words in one)),
            None,
        )
        if match is None:
            raise DayFailed(
                f"{path.name}:{step.number}: {step.text}\n  expected: {line}\n  found:    "
                + "\n            ".join(found)
            )
        left.remove(match)
    if left:
        raise DayFailed(f"{path.name}:{step.number}: {step.text}\n  not expected: " + "\n                ".join(left))


class Day:
    def __init__(self, rules: ActRules | None) -> None:
        self.rules = rules
        self.state = ActState()
        self.people: dict[str, Person] = {}
        self.approvals: set[str] = set()
        self.houses: dict[str, dict[str, Any]] = {}
        self.at = "2026-01-01T00:00:00.000000Z"
        self.letters = 0
        self.openings: dict[str, Day] = {}

    def copy(self) -> Day:
        """Return a day that goes on from here by itself; states never change."""
        day = Day(self.rules)
        day._go_on_from(self)
        return day

    def _go_on_from(self, other: Day) -> None:
        self.state, self.at, self.letters = other.state, other.at, other.letters
        self.people, self.houses, self.approvals = {**other.people}, {**other.houses}, {*other.approvals}

    @property
    def around(self) -> Surroundings:
        return Surroundings(self._who, known_house, approvals=self.approvals.__contains__)

    def _who(self, account: str) -> Person | None:
        return SECOND_CLERK if account == SECOND_CLERK.account else self.people.get(account)

    def scene(self) -> Scene:
        assert self.rules is not None
        return Scene(self.rules, self.state, self.at, self.at, self.around)

    def do(self, text: str) -> Iterator[str]:
        word, _, rest = text.partition(" ")
        method = getattr(self, f"_{word}", None)
        if method is not None:
            yield from method(rest) or ()
        elif word in PROBES:
            yield from PROBES[word](self.scene(), rest)
        else:
            yield from self._act(text)

    def _office(self, rest: str) -> None:
        name, _, preset = rest.partition(" with ")
        self.rules = self.rules or (office_of(name, preset) if preset else known_office(name))
        self.state = decide(self.scene(), c.KeepOffice(name=name, pages="", program="test"), by=_HOUSE).after  # type: ignore[union-attr]

    def _after(self, rest: str) -> None:
        """Go on where the table of another day may open, whatever was done before."""
        if rest not in self.openings:
            lawful, mark, _ = (DAYS / f"{rest}.txt").read_text(encoding="utf-8").partition(OPENS)
            assert mark, f"{rest}: has no line {OPENS}"
            self.openings[rest] = day = Day(self.rules)
            for step in steps_of(lawful):
                list(day.do(step.text))
        self._go_on_from(self.openings[rest])

    def _facility(self, rest: str) -> Iterator[str]:
        data = tomllib.loads("\n".join(re.split(r" (?=\w+=)", rest)))
        if "shifts" in data:
            data["shifts"] = tuple(Shift(name, begins) for name, begins in data["shifts"].items())
        for key in ("areas", "closed_days", "business_days"):
            if key in data:
                data[key] = tuple(data[key])
        yield from self.send(c.SetUpOffice(facility=Facility(**{"name": "Harbour", **data})), _HOUSE)

    def _people(self, rest: str) -> None:
        for one in rest.split():
            name, _, roles = one.partition("=")
            self.people[name] = Person(name, name.title(), frozenset(roles.split("+")))

    def _at(self, rest: str) -> None:
        facility = self.state.facility
        assert facility is not None
        day, time = rest.split()
        moment = facility.moment(date.fromisoformat(day), time[:5])
        self.at = moment[:17] + (f"{time[6:]}" if len(time) > 5 else "00") + moment[19:]

    def _approval(self, rest: str) -> None:
        self.approvals.add(rest)

    def _house(self, rest: str) -> None:
        """Name a house file: what differs from the default house; `under NAME`: of another rulebook."""
        name, _, toml = rest.partition(" ")
        toml, _, other = toml.partition(" under ")
        assert self.rules is not None
        self.houses[name] = {"rules": other or self.rules.name, **tomllib.loads(f"x = {toml}")["x"]}

    def _paper(self, rest: str) -> Iterator[str]:
        """`paper NAME [THING]` says what is missing of it, or its parts."""
        assert self.rules is not None
        name, _, thing = rest.partition(" ")
        if name not in self.rules.pages.papers:
            yield f"unknown {name}"
            return
        sheet = sheet_of(self.rules, self.state, name, thing, known_house)
        yield from (f"missing {one.clause}: {one.name}" for one in sheet.missing)
        if sheet.is_complete:
            yield from (f"part {one.clause}: {one.name}: {'; '.join(one.lines)}" for one in sheet.parts)

    def _clear(self, rest: str) -> Iterator[str]:
        """`clear TABLE HOUSE [TOURNAMENT]`: the server asks whether a table may open under a house file."""
        table, house, *of = rest.split()
        digest = house_digest(known_house(self.houses[house]).house)
        yield from self.send(c.ClearTable(table=table, house=digest, dice="physical", tournament=" ".join(of)), _HOUSE)

    def _digest(self, value: object, fields: dict[str, Any], act: str, things: tuple[str, ...]) -> object:
        """A value of a field; `@` stands before the name of a house file, or of a paper for its digest."""
        if not (isinstance(value, str) and value.startswith("@")):
            return value
        if value[1:] in self.houses:
            return self.houses[value[1:]]
        rule = self.rules.act(act) if self.rules else None
        if rule is None or value[1:] not in self.scene().rules.pages.papers:
            return value
        known = self.state.thing(rule.thing, things[0]) if rule.thing and things else None
        known = known or KnownThing(rule.thing, "", "", {}, "")
        return msgspec.structs.replace(self.scene(), fields=fields).sheet(value[1:], known).digest

    def _body(self, rest: str) -> Iterator[str]:
        account, _, body = rest.partition(" ")
        yield from self.send(c.AssignBody(account=account, body=body), _HOUSE)

    def _value(self, rest: str) -> Iterator[str]:
        key, _, value = rest.partition(" = ")
        value, _, paper = value.partition(" without paper") if " without paper" in value else (value, "", "no")
        papers = self.letter_of_today() if paper == "no" else {}
        yield from self.send(c.SetValue(key=key, value=tomllib.loads(f"x = {value}")["x"], **papers), _HOUSE)

    def _act(self, text: str) -> Iterator[str]:
        found = _ACT.fullmatch(text)
        if found is None or found["who"] not in self.people:
            raise DayFailed(f"{text}: is not a line of a day")
        rest = found["rest"] or ""
        signed = re.search(r" signed by (\w+) as (\w+)", rest)
        occurred = re.search(r" occurred (\S+ \S+)", rest)
        things = tuple(found["things"].split())
        fields = tomllib.loads(f"x ={found['fields']}")["x"] if found["fields"] else {}
        rule = self.rules.act(found["act"]) if self.rules else None
        is_proven = " on paper" in rest or (" unproven" not in rest and self._is_notice(found["act"], found["who"]))
        is_seen = is_proven or found["act"] in _SEEN_BY_TWO
        is_seconded = rule is not None and SECOND in rule.signs and is_seen and " alone" not in rest
        signs = (signed[1], signed[2]) if signed else (SECOND_CLERK.account, SECOND) if is_seconded else ("", "")
        command = c.DoAct(
            act=found["act"],
            things=things,
            fields={key: self._digest(value, fields, found["act"], things) for key, value in fields.items()},
            signs=signs[1],
            paper=self.letter_of_today() if is_proven else {},
            occurred=self._moment(occurred[1]) if occurred else "",
        )
        yield from self.send(command, self._actor(found["who"]), signs[0])

    def _is_notice(self, act: str, who: str) -> bool:
        """Whether somebody of the house says by an act that it has told an outside body something."""
        assert self.rules is not None
        rule = self.rules.act(act)
        bodies = {self.rules.group(group).body for group in (*rule.by, *rule.tells)} - {""} if rule else set()
        return self.rules.effect_of(act) == "notice" and self.state.bodies.get(who) not in bodies

    def letter_of_today(self) -> dict[str, str]:
        """A letter that has come today, each time another one: a document serves one act."""
        assert self.state.facility is not None
        self.letters += 1
        received = self.state.facility.today(self.at).isoformat()
        return {**_PAPER, "document": f"{self.letters:064x}", "received": received}

    def _moment(self, text: str) -> str:
        assert self.state.facility is not None
        day, time = text.split()
        return self.state.facility.moment(date.fromisoformat(day), time)

    def _sign(self, rest: str) -> Iterator[str]:
        found = re.fullmatch(r"(?:(\d+) )?by (\w+) as (\w+)( \{.*\})?", rest)
        assert found, rest
        number = int(found[1] or max(map(int, self.state.pending), default=0))
        fields = tomllib.loads(f"x ={found[4]}")["x"] if found[4] else {}
        command = c.SignAct(number=number, part=found[3], fields=fields)
        yield from self.send(command, self._actor(found[2]), found[2])

    def _void(self, rest: str) -> Iterator[str]:
        number, _, reason = rest.partition(" by ")
        who, _, reason = reason.partition(" ")
        yield from self.send(c.VoidAct(number=int(number), reason=reason), self._actor(who))

    def _look(self, rest: str) -> Iterator[str]:
        yield from self.send(c.LookRound(open_tables=tuple(rest.split())), _HOUSE)

    def _dice(self, rest: str) -> Iterator[str]:
        """`dice TABLE NUMBER ROLLS EVIDENCE SETS`: the server notes what rolls say against a set of dice."""
        table, *told = rest.split()
        number, rolls, evidence, sets = map(int, told)
        command = c.NoteDice(table=table, number=number, rolls=rolls, evidence=evidence, sets=sets)
        yield from self.send(command, _HOUSE)

    def _actor(self, name: str) -> Actor:
        person = self.people[name]
        return Actor(name, person.name, next(iter(sorted(person.roles))), is_employee=True)

    def send(self, command: c.ActCommand, by: Actor, signed_by: str = "") -> Iterator[str]:
        decision = decide(self.scene(), command, by=by, signed_by=signed_by)
        if isinstance(decision, Refused):
            yield from (f"refused {one.clause}: {one.why}" for one in decision.refusals)
            return
        self.record(command, decision, by, signed_by)
        self.state = decision.after
        for event in decision.events:
            match event:
                case e.IncidentOpened():
                    yield f"incident {event.clause}: {event.why}"
                case e.ActVoided():
                    yield f"void: {event.reason}"
                case e.WatchMended():
                    yield f"mended {event.watch}"
                case e.ActDone() if event.series:
                    yield f"number {event.things[0]}"
        waits = [
            part
            for event in decision.events
            if isinstance(event, e.ActDone | e.ActSigned) and (one := self.state.pending.get(str(event.number)))
            for part in one.done.waits
            if part not in one.signed
        ]
        if waits:
            yield f"waits {', '.join(dict.fromkeys(waits))}"

    def record(self, command: c.ActCommand, decision: Decision, by: Actor, signed_by: str) -> None:
        """Keep what was decided, where a day is kept."""

    def _is(self, rest: str) -> Iterator[str]:
        """`is die A1` says in which state it is."""
        kind, _, id_ = rest.partition(" ")
        known = self.state.thing(kind, id_)
        yield known.state if known else "unknown"

    def _fact(self, rest: str) -> Iterator[str]:
        kind, id_, fact = rest.split()
        known = self.state.thing(kind, id_)
        yield str(known.facts.get(fact)) if known else "unknown"

    def _stock(self, rest: str) -> Iterator[str]:
        stock, _, place = rest.partition(" ")
        held = self.state.stocks.get(stock, {}).get(place, {})
        yield (
            ", ".join(f"{one} x {count}" for one, count in sorted(held.items(), key=lambda unit: int(unit[0])))
            or "nothing"
        )

    def _clock(self, rest: str) -> Iterator[str]:
        """`clock NAME [KIND ID]` says when it is due and how it stands."""
        assert self.rules is not None
        name, _, subject = rest.partition(" ")
        subject = subject.replace(" ", "/")
        facility = self.state.facility
        assert facility is not None
        for one in clocks_at(self.rules, self.state, self.at):
            if one.clock == name and subject in {"", one.subject}:
                cite = self.rules.pages.clocks[name].cite
                clauses = cite if isinstance(cite, str) else ", ".join(cite)
                shown = f"{facility.local(one.due):%Y-%m-%d %H:%M}" if one.due else "when somebody has said how long"
                yield f"{one.status} {shown} {clauses}"

    def _gate(self, rest: str) -> Iterator[str]:
        """`gate GATE THING [of ITEM ...]` says what is red: of the whole gate, or of these items."""
        gate, thing, *of = rest.split()
        items = [one for one in gate_items(self.scene(), gate, thing) if not of or one.key in of[1:]]
        yield from [f"red {one.clause}: {'; '.join(one.wrong)}" for one in items if one.wrong] or ["green"]


_HOUSE = Actor("house", "The house", "owner", is_employee=True)
