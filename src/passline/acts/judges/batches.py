"""What is told together after an outage: acts that were written on manual slips, all of them or none.

Each line is judged as the act that it is, in the order in which they happened, by who signed the slip. Two people sign
the whole, one incident is about it, and each slip that was printed before is told, void or missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.judges.effects import effects_of, involved_people
from passline.acts.judges.scene import ActFault, Scene, SlipLine, Verdict
from passline.acts.judges.subjects import series_in
from passline.acts.printed_schema import Batch, Form
from passline.acts.rules import ActRules, Person
from passline.acts.schema import Act
from passline.acts.state import ActState, DoneMark, KnownThing, Pending, evolve, thing_key
from passline.authority.roles import in_order
from passline.rules.schema import clause_text
from passline.streams.course import Actor

Judge = Callable[[Scene, c.ActCommand, Actor, str], Verdict]
"""Judges a command by somebody, signed off by an account if one is named."""


class Outage(Struct, frozen=True):
    """While nothing could be recorded: from when, by what was told, until it was told."""

    id: str
    begun: str
    ended: str  # its own entry
    is_late: bool  # something was recorded meanwhile, or it was told late


class _Reader(Struct, frozen=True):
    """What the lines of a batch are judged by."""

    scene: Scene
    batch: Batch
    outage: Outage
    judge: Judge

    def ask(self, told: _Told, line: c.BatchLine, command: c.ActCommand, by: Actor) -> _Told | list[ActFault]:
        """Return what was told with a command of somebody who signed the slip of a line, or what is wrong with it."""
        scene = replace(
            self.scene,
            state=told.state,
            occurred=self.scene.at,
            fields={},
            by="",
            first="",
            in_time="",
            slip=SlipLine(self.outage.id, line.slip, line.occurred),
        )
        state, events = told.state, list[e.ActEvent]()
        verdict = self.judge(scene, command, by, "")
        for outcome in verdict:
            if isinstance(outcome, ActFault):
                return [fault for fault in verdict if isinstance(fault, ActFault)]
            state = evolve(state, scene.at, outcome)
            events.append(outcome)
        return replace(told, state=state, events=(*told.events, *events))

    def actor(self, told: _Told, groups: Iterable[str], person: Person) -> Actor:
        """Return somebody in the role in which they may do it, if they have one."""
        roles = in_order(person.roles)
        fit = (
            role
            for group in groups
            for role in roles
            if self.scene.rules.is_of(group, replace(person, roles=frozenset({role})), told.state)
        )
        return Actor(person.account, person.name, next(fit, roles[-1] if roles else ""), is_employee=True)


class _Use(Struct, frozen=True):
    """What was told of a manual slip: by which line, which acts, and of what."""

    line: int
    acts: tuple[str, ...]
    numbers: tuple[int, ...]
    things: tuple[str, ...]


class _Told(Struct, frozen=True):
    """How far the lines of a batch were told: the office then, what happened, and which slips were used."""

    state: ActState
    events: tuple[e.ActEvent, ...] = ()
    uses: dict[str, _Use] = {}
    remarks: tuple[str, ...] = ()


def enter_batch(scene: Scene, act: Act, pending: Pending, events: Sequence[e.ActEvent], judge: Judge) -> Verdict:
    """Return what comes of telling a batch, after the events of its own entry; or all that is wrong with a line.

    While somebody has still to sign, it is judged and nothing is done.
    """
    batch, done = act.batch, pending.done
    assert batch is not None
    outage = outage_of(scene.rules, scene.state, done.kind, done.things[0])
    if outage is None:
        return [ActFault(clause_text(batch.cite), f"nobody has said when {done.things[0]} began")]
    begun = scene.state if str(done.number) in scene.state.pending else evolve(scene.state, scene.at, done)
    reader, told = _Reader(scene, batch, outage, judge), _Told(begun)
    for number, line in _in_order(done.fields.get(batch.lines) or (), outage):
        after = _tell(reader, told, number, line)
        if isinstance(after, list):
            slip = f", slip {line.slip}" if line.slip else ""
            return [ActFault(fault.clause, f"line {number}{slip}: {fault.why}") for fault in after]
        told = after
    if {*done.waits} - {*pending.signed}:
        return events
    lost = missing_slips(scene.rules, told.state, batch, outage, told.uses)
    kept = (
        *(_slip_change(batch, name, batch.used, outage, use.numbers) for name, use in told.uses.items()),
        *(_slip_change(batch, slip.id, batch.missing, outage) for slip in lost),
    )
    (completed,) = effects_of(scene, act, done)
    incident = e.IncidentOpened(
        f"I-{told.state.incidents + 1}",
        clause_text(batch.cite),
        _why(scene, batch, outage, told, lost),
        thing_key(done.kind, outage.id),
        done.number,
        involved_people(scene, done, pending.signed.values()),
    )
    return [*events, *told.events, replace(completed, changes=(*completed.changes, *kept)), incident]


def outage_of(rules: ActRules, state: ActState, kind: str, name: str) -> Outage | None:
    """Return an outage that is on record; None: it is not."""
    marks = [mark for key, act in rules.pages.acts.items() if act.unlogged and (mark := _mark(state, key, kind, name))]
    if not marks:
        return None
    return Outage(name, marks[0].occurred, marks[0].frees, marks[0].is_late)


def _mark(state: ActState, act: str, kind: str, name: str) -> DoneMark | None:
    return state.mark(act, thing_key(kind, name))


def _in_order(lines: Iterable[Any], outage: Outage) -> list[tuple[int, c.BatchLine]]:
    """Return lines with their numbers on paper, in the order in which they happened.

    What is told as of the minute in which the outage began happened after it had.
    """
    read = (
        replace(line, occurred=max(line.occurred, outage.begun))
        if _minute(line.occurred) == _minute(outage.begun)
        else line
        for line in convert([*lines], list[c.BatchLine])
    )
    return sorted(enumerate(read, start=1), key=lambda line: line[1].occurred)


def _tell(reader: _Reader, told: _Told, number: int, line: c.BatchLine) -> _Told | list[ActFault]:
    """Return what was told after one more line, or what is wrong with it."""
    batch, act = reader.batch, reader.scene.rules.act(line.act)
    if act is None or act.batch is not None:
        return [ActFault("form", f"{line.act!r} is not an act that is written on a slip")]
    is_about_slips = act.thing == batch.slip
    wrong = _time_faults(reader, line)
    wrong += _about_faults(batch, told, line) if is_about_slips else _slip_faults(reader, told, line)
    doer = reader.scene.who(line.by)
    if doer is None:
        wrong.append(ActFault("form", f"nobody has the account {line.by}"))
    if wrong or doer is None:
        return wrong
    use = told.uses.get(line.slip)
    things = line.things or (use.things if use and not act.new else ())
    command = c.DoAct(act=line.act, things=things, fields=line.fields, occurred=line.occurred)
    found = reader.ask(told, line, command, reader.actor(told, act.by, doer))
    if isinstance(found, list):
        return found
    done = next(event for event in found.events[len(told.events) :] if isinstance(event, e.ActDone))
    signed = _sign_line(reader, found, act, done, line)
    if isinstance(signed, list) or is_about_slips:
        return signed
    acts, numbers = (use.acts, use.numbers) if use else ((), ())
    now = _Use(use.line if use else number, (*acts, line.act), (*numbers, done.number), done.things)
    remarks = () if use else _hand_remarks(batch, told.state, done)
    return replace(signed, uses={**signed.uses, line.slip: now}, remarks=(*signed.remarks, *remarks))


def _sign_line(reader: _Reader, told: _Told, act: Act, done: e.ActDone, line: c.BatchLine) -> _Told | list[ActFault]:
    """Return what was told with everybody's signature who signed the slip of a line."""
    rules = reader.scene.rules
    if strange := [part for part in line.signed if part not in done.waits]:
        waits = ", ".join(done.waits) or "nobody"
        return [ActFault("form", f"{act.name} is not signed as {', '.join(strange)}; it is signed as {waits}")]
    for part in done.waits:
        rule, account = rules.signature(act, part), line.signed.get(part, "")
        assert rule is not None
        signer = reader.scene.who(account) if account else None
        if signer is None:
            why = f"nobody has the account {account}" if account else f"say whose signature as {part} is on the slip"
            return [ActFault(clause_text(rule.cite), f"{rule.name}: {why}")]
        again = act.counts.counted_fields if rule.counts and act.counts else ()
        fields = {key: done.fields[key] for key in again if key in done.fields}
        command = c.SignAct(number=done.number, part=part, fields=fields)
        found = reader.ask(told, line, command, reader.actor(told, rule.by, signer))
        if isinstance(found, list):
            return found
        told = found
    return told


# What is wrong with the slip of a line.


def _time_faults(reader: _Reader, line: c.BatchLine) -> list[ActFault]:
    scene, outage = reader.scene, reader.outage
    if _minute(outage.begun) <= _minute(line.occurred) <= _minute(outage.ended):
        return []
    why = f"{_local(scene, line.occurred)} is not within the outage {outage.id}, {_span(scene, outage)}"
    return [ActFault(clause_text(reader.batch.cite), why)]


def _about_faults(batch: Batch, told: _Told, line: c.BatchLine) -> list[ActFault]:
    """Return what is wrong with a line about slips themselves: it is written on none, and they were not used."""
    cite = clause_text(batch.cite)
    faults = (
        [ActFault(cite, "what becomes of a slip is written on no other: leave the number out")] if line.slip else []
    )
    return faults + [
        ActFault(cite, f"slip {name} is used by line {told.uses[name].line}")
        for name in line.things
        if name in told.uses
    ]


def _slip_faults(reader: _Reader, told: _Told, line: c.BatchLine) -> list[ActFault]:
    scene, batch, outage = reader.scene, reader.batch, reader.outage
    cite, known = clause_text(batch.cite), told.state.thing(batch.slip, line.slip)
    if not line.slip:
        return [ActFault(cite, "say the number of the slip on which it was written")]
    if known is None:
        return [ActFault(cite, "no slip of this number was ever printed")]
    if known.state not in {batch.blank, batch.out, batch.missing}:
        return [ActFault(cite, f"it is {known.state.replace('_', ' ')} already: it is used once")]
    printed = _printed_at(scene.rules, told.state, batch, line.slip)
    if not printed or _minute(printed) > _minute(outage.begun):
        when = _local(scene, printed) if printed else "nobody knows when"
        return [ActFault(cite, f"it was printed {when}, and not before the outage began ({_span(scene, outage)})")]
    name = str(known.facts.get("form", ""))
    form = scene.rules.pages.forms.get(name)
    may = acts_on_slip(scene.rules, form) if form else ()
    if line.act not in may:
        words = "; ".join(scene.rules.pages.acts[key].name for key in may)
        return [ActFault(cite, f"{line.act} is not written on a {form.name.lower() if form else name}: {words}")]
    use = told.uses.get(line.slip)
    if use is not None and (form is None or not form.thing or line.act in use.acts):
        return [ActFault(cite, f"the number is used twice, by line {use.line} too")]
    if use is not None and line.things and line.things != use.things:
        return [ActFault(cite, f"it is about {', '.join(use.things)} by line {use.line}, not {', '.join(line.things)}")]
    return []


def acts_on_slip(rules: ActRules, form: Form) -> tuple[str, ...]:
    """Return the acts that are written on a manual slip of a form: its own, and those that its stamps are for."""
    stamped = (
        key
        for key, act in rules.pages.acts.items()
        if form.thing and act.thing == form.thing and act.to in form.stamps and not act.corrects
    )
    return tuple(dict.fromkeys((*form.acts, *stamped)))


def _printed_at(rules: ActRules, state: ActState, batch: Batch, slip: str) -> str:
    marks = (_mark(state, key, batch.slip, slip) for key, act in rules.pages.acts.items() if act.prints)
    return next((mark.at for mark in marks if mark), "")


def _hand_remarks(batch: Batch, state: ActState, done: e.ActDone) -> Iterator[str]:
    """Yield that a slip was used that nobody had been handed, or at another table than it had been handed to."""
    known = state.thing(batch.slip, done.slip)
    assert known is not None
    if known.state == batch.blank:
        yield f"slip {known.id} was used and had not been handed out"
        return
    table = _table_of(state, done)
    place = state.thing("table", table) if table else None
    handed, area = str(known.facts.get("table") or ""), str(known.facts.get("area") or "")
    if table and handed and handed != table:
        yield f"slip {known.id} was handed to table {handed} and used at {table}"
    elif place and area and not handed and place.facts.get("area") not in {area, None}:
        yield f"slip {known.id} was handed to {area} and used at {table}, in {place.facts['area']}"


def _table_of(state: ActState, done: e.ActDone) -> str:
    """Return the table that an act is about, by what it is done to, its fields, or what is known of its thing."""
    if done.kind == "table":
        return done.things[0]
    known = state.thing(done.kind, done.things[0]) if done.things else None
    return str(done.fields.get("table") or (known.facts.get("table") if known else "") or "")


# Slips that are not there.


def missing_slips(
    rules: ActRules, state: ActState, batch: Batch, outage: Outage, uses: dict[str, _Use]
) -> list[KnownThing]:
    """Return the slips that were neither used nor voided: all that were handed out, and gaps between those used."""
    ends: dict[str, list[str]] = {}
    for name in uses:
        ends.setdefault(series_in([name]), []).append(name)
    found = []
    for slip in state.of_kind(batch.slip, (batch.blank, batch.out)):
        used = ends.get(series_in([slip.id]), [])
        is_gap = bool(used) and min(used) < slip.id < max(used)
        is_out = slip.state == batch.out and _handed_at(rules, state, batch, slip.id) <= outage.ended
        is_old = _minute(_printed_at(rules, state, batch, slip.id)) <= _minute(outage.begun)
        if slip.id not in uses and (is_out or (is_gap and is_old)):
            found.append(slip)
    return sorted(found, key=lambda slip: slip.id)


def _handed_at(rules: ActRules, state: ActState, batch: Batch, slip: str) -> str:
    marks = (
        _mark(state, key, batch.slip, slip)
        for key, act in rules.pages.acts.items()
        if act.thing == batch.slip and act.to == batch.out
    )
    return max((mark.at for mark in marks if mark), default="")


def _slip_change(batch: Batch, slip: str, state: str, outage: Outage, acts: Sequence[int] = ()) -> e.Change:
    return e.Change(
        batch.slip, slip, state, {"outage": outage.id} | ({"acts": ", ".join(map(str, acts))} if acts else {})
    )


# Words.


def _why(scene: Scene, batch: Batch, outage: Outage, told: _Told, lost: Sequence[KnownThing]) -> str:
    acts = sum(isinstance(event, e.ActDone) for event in told.events)
    slips = len(told.uses)
    counted = f"{acts} {'act' if acts == 1 else 'acts'} told from {slips} manual {'slip' if slips == 1 else 'slips'}"
    parts = [f"{batch.incident}, {outage.id}: {_span(scene, outage)}; {counted}"]
    if outage.is_late:
        parts.append("when it began was told late, or something was recorded meanwhile")
    parts += dict.fromkeys(told.remarks)
    if lost:
        parts.append(f"{len(lost)} {'slip is' if len(lost) == 1 else 'slips are'} missing: {number_list(lost)}")
    return "; ".join(parts)


def number_list(slips: Iterable[KnownThing]) -> str:
    """Return the numbers of slips in words, those that follow each other as a range.

    >>> known = [KnownThing("slip", f"MF-{number:06}", "missing", {}, "") for number in (1, 3, 4, 5)]
    >>> number_list(known)
    'MF-000001, MF-000003 to MF-000005'
    """
    runs: list[list[str]] = []
    for slip in slips:
        series, _, number = slip.id.rpartition("-")
        if runs and f"{series}-{int(number) - 1:0{len(number)}}" == runs[-1][-1]:
            runs[-1].append(slip.id)
        else:
            runs.append([slip.id])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _minute(moment: str) -> str:
    """Return the minute of a moment: on paper nobody writes seconds."""
    return moment[:16]


def _span(scene: Scene, outage: Outage) -> str:
    return f"{_local(scene, outage.begun)} to {_local(scene, outage.ended)}"


def _local(scene: Scene, at: str) -> str:
    facility = scene.state.facility
    return f"{facility.local(at):%Y-%m-%d %H:%M}" if facility else at
