"""Batches: acts that were written on manual slips during an outage and are entered together, all of them or none.

Each line is judged as the act it stands for, in the order in which they happened, as done by whoever signed its slip.
Two people sign the batch and it opens one incident. Afterwards each slip that was printed before the outage is used,
void or missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.deadlines import deadline
from passline.acts.calendar.facility import minute_of
from passline.acts.judges.counting import moves_of
from passline.acts.judges.doers import roles_of
from passline.acts.judges.effects import effects_of, involved_people
from passline.acts.judges.outages import SLIPS_TOLD, Outage, length_words, local_words, outage_of, span_words
from passline.acts.judges.scene import ActFault, Scene, SlipLine, Verdict
from passline.acts.judges.slips import acts_on_slip, hand_remarks, missing_slips, printed_at, slip_change, slips_since
from passline.acts.printed_schema import Batch
from passline.acts.rules import Person
from passline.acts.schema import Act
from passline.acts.slip_numbers import number_list
from passline.acts.state import ActState, KnownThing, Pending, evolve, thing_key
from passline.authority.roles import in_order
from passline.rules.schema import clause_text
from passline.streams.course import Actor

Judge = Callable[[Scene, c.ActCommand, Actor, str], Verdict]
"""Judges a command by somebody, signed off by an account if one is named."""


class _Reader(Struct, frozen=True):
    """What the lines of a batch are judged by."""

    scene: Scene
    batch: Batch
    outage: Outage
    judge: Judge
    tellers: tuple[str, ...]  # the accounts of who tells it

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
            slip=self._slip_line(told, line),
        )
        state, events = told.state, list[e.ActEvent]()
        verdict = self.judge(scene, command, by, "")
        for outcome in verdict:
            if isinstance(outcome, ActFault):
                return [fault for fault in verdict if isinstance(fault, ActFault)]
            event = self._with_tellers(outcome)
            state = evolve(state, scene.at, event)
            events.append(event)
        return replace(told, state=state, events=(*told.events, *events))

    def _slip_line(self, told: _Told, line: c.BatchLine) -> SlipLine:
        """Return where a line was written, who told it for somebody else, and whether its moment is disputed."""
        is_disputed = self.batch.undisputed and (self.outage.is_late or _has_later_entry(told.state, line))
        is_for_another = self.batch.parties and line.by not in self.tellers
        teller = _names_of(self.scene, self.tellers) if is_for_another else ""
        return SlipLine(self.outage.id, line.slip, line.occurred, teller, is_disputed)

    def _with_tellers(self, event: e.ActEvent) -> e.ActEvent:
        """Return an event; an incident of a line is about who told it, too."""
        if not self.batch.parties or not isinstance(event, e.IncidentOpened) or not event.people:
            return event
        return replace(event, people=tuple(dict.fromkeys((*event.people, *self.tellers))))

    def actor(self, told: _Told, groups: Iterable[str], person: Person) -> Actor:
        """Return somebody in the role in which they may do it, if they have one."""
        fit = roles_of(self.scene.rules, groups, person, told.state)
        roles = (*fit, *reversed(in_order(person.roles)), "")
        return Actor(person.account, person.name, roles[0], is_employee=True)


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
    """Return `events`, those of the batch's own entry, and after them those of its lines; or the faults of a line.

    While somebody still has to sign the batch, its lines are only judged: their events are left out.
    """
    batch, done = act.batch, pending.done
    assert batch is not None
    outage = outage_of(scene.rules, scene.state, done.kind, done.things[0])
    if outage is None:
        return [ActFault(clause_text(batch.cite), f"nobody has said when {done.things[0]} began")]
    begun = scene.state if str(done.number) in scene.state.pending else evolve(scene.state, scene.at, done)
    lines = _in_order(done.fields.get(batch.lines) or (), outage)
    if unproven := _proof_faults(scene, batch, done, is_needed=bool(lines)):
        return unproven
    reader, told = _Reader(scene, batch, outage, judge, (done.by, *pending.signed.values())), _Told(begun)
    for number, line in lines:
        after = _tell(reader, told, number, line)
        if isinstance(after, list):
            slip = f", slip {line.slip}" if line.slip else ""
            return [ActFault(fault.clause, f"line {number}{slip}: {fault.shown or fault.why}") for fault in after]
        told = after
    if {*done.waits} - {*pending.signed}:
        return events
    lost = missing_slips(scene.rules, told.state, batch, outage, told.uses)
    kept = (
        *(slip_change(batch, name, batch.used, outage, use.numbers) for name, use in told.uses.items()),
        *(slip_change(batch, slip.id, batch.missing, outage) for slip in lost),
    )
    asked = _ask_people(reader, told, done)
    if isinstance(asked, list):
        return asked
    (completed,) = effects_of(scene, act, done, moves_of(act, done, scene))
    changes = completed.changes
    if batch.all_batches and told.uses:
        slips = {SLIPS_TOLD: sorted({*outage.slips, *told.uses})}
        changes = tuple(replace(change, facts={**change.facts, **slips}) for change in changes)
    return [
        *events,
        *told.events,
        *asked,
        replace(completed, changes=(*changes, *kept)),
        *_incidents(reader, told, done, lost),
    ]


def _ask_people(reader: _Reader, told: _Told, done: e.ActDone) -> tuple[e.ActEvent, ...] | list[ActFault]:
    """Return that everybody is asked for whom something was told and who has not signed the batch; or what is wrong."""
    scene, name = reader.scene, reader.batch.asks
    act, teller = scene.rules.act(name) if name else None, scene.who(done.by)
    if act is None or teller is None:
        return ()
    after = told
    line = c.BatchLine(act=name, by=done.by, occurred=scene.at)
    for account in dict.fromkeys(_people_of(scene, told.events)):
        person = scene.who(account)
        if account in reader.tellers or person is None:
            continue
        why = _words_of_person(reader, told, person)
        fields = {"person": account, "outage": reader.outage.id, "tellers": [*reader.tellers], "why": why}
        found = reader.ask(after, line, c.DoAct(act=name, fields=fields), reader.actor(told, act.by, teller))
        if isinstance(found, list):
            return found
        after = found
    return after.events[len(told.events) :]


def proof_of(act: Act, fields: dict[str, Any]) -> tuple[str, ...]:
    """Return the digest of the scanned slips that prove a batch; they cannot prove another one."""
    digest = fields.get(act.batch.proof) if act.batch and act.batch.proof else None
    return (str(digest),) if digest else ()


def _proof_faults(scene: Scene, batch: Batch, done: e.ActDone, *, is_needed: bool) -> list[ActFault]:
    """Return that the slips themselves are not shown, or were shown for another act."""
    cite, digest = clause_text(batch.cite), str(done.fields.get(batch.proof, "")) if batch.proof else ""
    if batch.proof and is_needed and not digest:
        return [ActFault(cite, f"{batch.proof}: attach the slips that it is told from, scanned as one document")]
    number = scene.state.served.get(digest, done.number)
    if number != done.number:
        return [ActFault(cite, f"the document {digest[:12]} has served act {number}: scanned slips serve one batch")]
    used = [office for office, state in scene.around.others().items() if digest and digest in state.served]
    why = f"the document {digest[:12]} has served the office of {', '.join(used)}: scanned slips serve one batch"
    return [ActFault(cite, why)] if used else []


def _incidents(reader: _Reader, told: _Told, done: e.ActDone, lost: Sequence[KnownThing]) -> list[e.IncidentOpened]:
    """Return the incident about a batch, and one of its own where it was told too late."""
    scene, batch, outage = reader.scene, reader.batch, reader.outage
    people = involved_people(scene, done, reader.tellers[1:])
    if batch.parties and people:
        people = tuple(dict.fromkeys((*people, *_people_of(scene, told.events))))
    reasons = [] if batch.is_quiet and _was_nothing(reader, told, lost) else [_why(reader, told, lost)]
    facility = scene.state.facility
    if batch.within and facility and done.occurred >= deadline(outage.ended, batch.within, facility):
        late = length_words(outage.ended, done.occurred)
        reasons.append(f"{batch.late}, {outage.id}: told {late} after it was over, not within {batch.within}")
    about, clause = thing_key(done.kind, outage.id), clause_text(batch.cite)
    return [
        e.IncidentOpened(f"I-{told.state.incidents + number}", clause, why, about, done.number, people)
        for number, why in enumerate(reasons, start=1)
    ]


def _was_nothing(reader: _Reader, told: _Told, lost: Sequence[KnownThing]) -> bool:
    """Return whether nothing was done in an outage, and all slips are where they were."""
    since = slips_since(reader.scene.rules, told.state, reader.batch, reader.outage)
    return not (told.events or lost or reader.outage.slips or reader.outage.is_late or any(since))


def _people_of(scene: Scene, events: Iterable[e.ActEvent]) -> list[str]:
    """Return the accounts of everybody whom lines name: who did them, who signed, and who stands in their fields."""
    people = list[str]()
    for event in events:
        match event:
            case e.ActDone():
                people += involved_people(scene, event, ())
            case e.ActSigned():
                people.append(event.by)
            case _:
                pass
    return people


def _has_later_entry(state: ActState, line: c.BatchLine) -> bool:
    """Return whether something else of the same table was recorded as it happened, after the moment of a line."""
    named = [*line.things, str(line.fields.get("table") or "")]
    tables = {name for name in named if name and state.thing("table", name)}
    return any(
        mark.occurred > line.occurred and mark.frees == mark.occurred
        for marks in state.marks.values()
        for subject, mark in marks.items()
        if tables & {subject.removeprefix("table/"), _table_fact(state, subject)}
    )


def _table_fact(state: ActState, subject: str) -> str:
    known = state.things.get(subject)
    return str(known.facts.get("table") or "") if known else ""


def _in_order(lines: Iterable[Any], outage: Outage) -> list[tuple[int, c.BatchLine]]:
    """Return lines with their numbers on paper, in the order in which they happened.

    What is told as of the minute in which the outage began happened after it had.
    """
    read = (
        replace(line, occurred=max(line.occurred, outage.begun))
        if minute_of(line.occurred) == minute_of(outage.begun)
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
    if is_about_slips and batch.slip_acts and line.act not in batch.slip_acts:
        may = "; ".join(reader.scene.rules.pages.acts[key].name for key in batch.slip_acts)
        why = f"{act.name} cannot be told in a batch; of the acts about slips only these can: {may}"
        return [ActFault(clause_text(batch.cite), why)]
    wrong = [*_time_faults(reader, line), *(_account_faults(reader, line) if batch.parties else ())]
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
    remarks = () if use else hand_remarks(reader.scene.rules, told.state, batch, reader.outage, done)
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
        fields = line.counted.get(part) or {key: done.fields[key] for key in again if key in done.fields}
        command = c.SignAct(number=done.number, part=part, fields=fields)
        found = reader.ask(told, line, command, reader.actor(told, rule.by, signer))
        if isinstance(found, list):
            return found
        told = found
        if str(done.number) not in told.state.pending:  # it took effect, or two counts differ and both are kept
            break
    return told


# What is wrong with the slip of a line.


def _time_faults(reader: _Reader, line: c.BatchLine) -> list[ActFault]:
    scene, outage = reader.scene, reader.outage
    if minute_of(outage.begun) <= minute_of(line.occurred) <= minute_of(outage.ended):
        return []
    why = f"{local_words(scene, line.occurred)} is not within the outage {outage.id}, {span_words(scene, outage)}"
    return [ActFault(clause_text(reader.batch.cite), why)]


def _account_faults(reader: _Reader, line: c.BatchLine) -> list[ActFault]:
    """Return who is named on a line and had no account yet when the outage began."""
    people = [person for account in (line.by, *line.signed.values()) if (person := reader.scene.who(account))]
    return [
        ActFault(
            clause_text(reader.batch.cite),
            f"{person.name} has an account since {local_words(reader.scene, person.since)},"
            f" and had none when the outage began ({span_words(reader.scene, reader.outage)})",
        )
        for person in people
        if person.since and reader.outage.has_begun_before(person.since)
    ]


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
    printed = printed_at(scene.rules, told.state, batch, line.slip)
    if not printed or minute_of(printed) > minute_of(outage.begun):
        when = local_words(scene, printed) if printed else "nobody knows when"
        return [ActFault(cite, f"it was printed {when}, and not before the outage began ({span_words(scene, outage)})")]
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


# Words.


def _why(reader: _Reader, told: _Told, lost: Sequence[KnownThing]) -> str:
    scene, batch, outage = reader.scene, reader.batch, reader.outage
    acts = sum(isinstance(event, e.ActDone) for event in told.events)
    slips = len(told.uses)
    counted = f"{acts} {'act' if acts == 1 else 'acts'} told from {slips} manual {'slip' if slips == 1 else 'slips'}"
    parts = [f"{batch.incident}, {outage.id}: {span_words(scene, outage)}; {counted}"]
    if batch.parties and (others := [who for who in _doers(told.events) if who not in reader.tellers]):
        parts.append(f"told by {_names_of(scene, reader.tellers)} for {_names_of(scene, others)}")
    if outage.is_late:
        parts.append("when it began was told late, or something was recorded meanwhile")
    parts += dict.fromkeys(told.remarks)
    if lost:
        parts.append(f"{len(lost)} {'slip is' if len(lost) == 1 else 'slips are'} missing: {number_list(lost)}")
    if batch.all_batches:
        since = slips_since(scene.rules, told.state, batch, outage)
        parts += (f"{word} since it began: {number_list(found)}" for word, found in since)
    return "; ".join(parts)


def _words_of_person(reader: _Reader, told: _Told, person: Person) -> str:
    """Return what somebody is said to have done and signed, in a sentence."""
    acts = {event.number: event for event in told.events if isinstance(event, e.ActDone)}
    said = list[str]()
    for event in told.events:
        if not isinstance(event, e.ActDone | e.ActSigned):
            continue
        done, is_own = acts[event.number], event.by == person.account
        if not is_own and (event is not done or person.account not in involved_people(reader.scene, done, ())):
            continue
        about = f" ({', '.join(done.things)})" if done.things else ""
        part = "named in" if not is_own else "did" if event is done else "signed"
        name, when = reader.scene.rules.pages.acts[done.act].name, local_words(reader.scene, done.occurred)
        said.append(f"{part}: {name}{about}, slip {done.slip}, {when}")
    more = [f"and {len(said) - _SAID_MAX} more"] if len(said) > _SAID_MAX else []
    what = "; ".join([*said[:_SAID_MAX], *more])
    return f"{_names_of(reader.scene, reader.tellers)} told of {person.name} in outage {reader.outage.id}: {what}"


_SAID_MAX = 20


def _doers(events: Iterable[e.ActEvent]) -> list[str]:
    """Return the accounts that did or signed what lines tell, each once."""
    return list(dict.fromkeys(event.by for event in events if isinstance(event, e.ActDone | e.ActSigned)))


def _names_of(scene: Scene, accounts: Sequence[str]) -> str:
    names = [person.name if (person := scene.who(account)) else account for account in accounts]
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
