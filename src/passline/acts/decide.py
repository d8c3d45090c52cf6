"""Decides commands to an office: returns their events, or every clause that they break.

What needs permission is refused. What has already happened in the building is recorded with the clause it breaks, and
opens an incident.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.batches import enter_batch, proof_of
from passline.acts.calendar.facility import facility_faults
from passline.acts.events import ActEvent
from passline.acts.judges.act_plans import ActPlan, act_plan
from passline.acts.judges.body_words import (
    Word,
    come_too_late,
    give_body_key,
    late_word,
    repeated_texts,
    revoke_body_key,
    serves_once,
    stale_faults,
    unfit_to_record,
    unstamped_faults,
    used_documents,
    waits_for_second,
    word_in,
)
from passline.acts.judges.cash import has_nobodys_cash
from passline.acts.judges.comps import note_comp
from passline.acts.judges.control import control_faults
from passline.acts.judges.correcting import correction_faults
from passline.acts.judges.counting import (
    MovesOfAct,
    counted_since_faults,
    moves_of,
    shortages_of,
    tell_ledger,
    unmade_of,
)
from passline.acts.judges.easing import with_easing
from passline.acts.judges.effects import effects_of, incident_of_two_counts, incidents_of, matters_of
from passline.acts.judges.fields import changed_fields, fields_of
from passline.acts.judges.gaming_days import far_day_faults
from passline.acts.judges.gates import OPENING, gate_faults, house_working_faults, working_faults
from passline.acts.judges.needs import needs_faults
from passline.acts.judges.outages import is_asked_beyond
from passline.acts.judges.paying import pays_above, unpaid_faults
from passline.acts.judges.record_fields import is_asked
from passline.acts.judges.scene import ActFault, Scene, Verdict
from passline.acts.judges.settings import assign_body, leave_out, set_value
from passline.acts.judges.signing import has_counted_same, signature_of
from passline.acts.judges.subjects import judged_things, series_in, subjects_of, things_of, waiting_faults
from passline.acts.judges.telling import judge_telling, scene_at
from passline.acts.judges.watches import (
    commit_file,
    look_round,
    note_cash,
    note_dice,
    note_result,
    note_skim,
    note_unaccounted_dice,
)
from passline.acts.judges.writing import text_fault
from passline.acts.papers.houses import opened_under, presets_lost
from passline.acts.rules import Person
from passline.acts.schema import Act
from passline.acts.state import INCIDENT, ActState, KnownThing, Pending, fold
from passline.authority.duties import EVERY_ROLE, SERVER, Duty, may_not, not_designated, role_list, unfit_role
from passline.authority.roles import KEEPERS
from passline.refusal import Refusal, Refused
from passline.rules.schema import clause_text
from passline.streams.course import THE_HOUSE, Actor, Decision

_REASON_MAX = 400
_KEEPERS = Duty(KEEPERS)  # they answer for the office
OFFICE_DUTIES: dict[type, Duty] = {
    c.SetUpOffice: _KEEPERS,
    c.SetValue: _KEEPERS,
    c.AssignBody: _KEEPERS,
    c.GiveBodyKey: _KEEPERS,
    c.RevokeBodyKey: _KEEPERS,
    c.LeaveOut: _KEEPERS,
    c.DoAct: EVERY_ROLE,
    c.SignAct: EVERY_ROLE,
    c.VoidAct: EVERY_ROLE,
    c.KeepOffice: SERVER,
    c.LookRound: SERVER,
    c.ClearTable: SERVER,
    c.NoteCash: SERVER,
    c.NoteDice: SERVER,
    c.NoteSkim: SERVER,
    c.NoteResult: SERVER,
    c.NoteComp: SERVER,
    c.NoteUnaccountedDice: SERVER,
    c.TellLedger: SERVER,
    c.CommitFile: SERVER,
}
"""The duty behind every command of an office."""


def decide(scene: Scene, command: c.ActCommand, *, by: Actor, signed_by: str = "") -> Decision | Refused:
    """Decide a command to an office at the moment of its scene; `signed_by` is the account that signed it off."""
    unfit = unfit_role(OFFICE_DUTIES[type(command)], command, by.role, is_server=by == THE_HOUSE)
    verdict: Verdict = [ActFault("duties", unfit)] if unfit else control_faults(scene, command, by, signed_by)
    verdict = verdict or _verdict(scene, command, by, signed_by)
    if refused := [
        Refusal(outcome.clause, outcome.shown or outcome.why) for outcome in verdict if isinstance(outcome, ActFault)
    ]:
        return Refused(tuple(refused))
    events: tuple[Any, ...] = tuple(verdict)
    return Decision(command, events, fold(scene.state, scene.at, events))


def _verdict(scene: Scene, command: c.ActCommand, by: Actor, signed_by: str) -> Verdict:  # noqa: C901, PLR0912 - a case each
    match command:
        case c.KeepOffice():
            return [e.OfficeKept(scene.rules.name, scene.rules.digest, command.program)]
        case c.SetUpOffice():
            if faults := facility_faults(command.facility):
                return [ActFault("form", fault) for fault in faults]
            return with_easing(scene, command, [e.OfficeSetUp(command.facility)], (by.account, signed_by))
        case _ if scene.state.facility is None:
            return [
                ActFault("office", "the office is not set up: say first where the house is and when its day begins")
            ]
        case c.DoAct():
            return _do(scene, command, by, signed_by)
        case c.SignAct():
            return _sign(scene, command, by, signed_by)
        case c.SetValue():
            return with_easing(scene, command, set_value(scene, command), (by.account, signed_by))
        case c.AssignBody():
            return assign_body(scene.rules, command, scene.who(command.account))
        case c.GiveBodyKey():
            return give_body_key(scene, command)
        case c.RevokeBodyKey():
            return revoke_body_key(scene, command)
        case c.LeaveOut():
            return leave_out(scene, command)
        case c.VoidAct():
            return _void(scene, command, by)
        case c.LookRound():
            return look_round(scene, command.open_tables)
        case c.ClearTable():
            return _clear(scene, command)
        case c.NoteCash():
            return note_cash(scene, command)
        case c.NoteDice():
            return note_dice(scene, command)
        case c.NoteSkim():
            return note_skim(scene, command)
        case c.NoteResult():
            return note_result(scene, command)
        case c.NoteComp():
            return note_comp(scene, command)
        case c.NoteUnaccountedDice():
            return note_unaccounted_dice(scene, command)
        case c.TellLedger():
            return tell_ledger(scene.state, command)
        case c.CommitFile():
            return commit_file(scene, command)


def _clear(scene: Scene, command: c.ClearTable) -> Verdict:
    """Clear a table for opening, or refuse it with every item of the list that is red."""
    if OPENING in scene.rules.pages.gates:
        about = replace(scene, fields=_opening_fields(scene, command))
        if red := gate_faults(about, OPENING, [command.table]):
            return red
    opening = None if command.is_open else scene.rules.act(OPENING)
    to = opening.to if opening and scene.state.thing("table", command.table) else ""
    return [e.TableCleared(scene.state.clearances + 1, command.table, command.house, to)]


def _opening_fields(scene: Scene, command: c.ClearTable) -> dict[str, str]:
    house = opened_under(scene.state, command.house)
    of_round = {"tournament": command.tournament} if command.tournament else {}  # else as the office was told
    return {"house": house, "dice": command.dice, **of_round}


def _do(scene: Scene, command: c.DoAct, by: Actor, signed_by: str) -> Verdict:
    state, plan = scene.state, act_plan(scene.rules, command.act)
    if plan is None:
        return [ActFault("office", f"this office has no act {command.act!r}")]
    act = plan.act
    occurred, faults = _moment_of(command, scene.at) if command.occurred else (scene.at, [])
    if by.role not in plan.roles:
        faults += _unfit(scene, act, _person(by), command)
    word = None
    if plan.is_word or command.stamp:
        word, unproven = word_in(scene, act, _person(by), command)
        faults += unproven
    things, subjects, wrong = judged_things(scene, act, command)
    faults += wrong
    if subjects is None:  # of what has ended nothing else is asked, whether it was filed or not
        return faults
    told = judge_telling(scene, command, plan, things, occurred)
    occurred = scene.at if told.faults else occurred
    scene = scene_at(scene, plan.telling, told.moments, occurred, command.fields, by.account)
    faults += told.faults
    faults += working_faults(scene, by.account)
    fields, wrong = fields_of(act, command.fields, scene, subjects)
    scene = replace(scene, fields=fields) if fields or command.fields else scene
    unmet = needs_faults(scene, act, subjects) if plan.has_needs else []
    faults += wrong + unmet
    faults += gate_faults(scene, act.gate, things) if act.gate else ()
    faults += used_documents(scene, act, fields) if plan.is_once else ()
    faults += waiting_faults(scene, command.act, act, things) if state.pending else ()
    if state.facility is not None and not wrong:
        faults += far_day_faults(command.act, fields, state.facility, occurred) if "gaming_day" in fields else ()
        faults += correction_faults(scene, act, things, fields, command.occurred) if act.corrects else ()
    waits = _signatures_asked(scene, act.corrects or command.act, act, subjects, word) if act.signs else ()
    if told.waits and not _is_read_anyway(act, waits):
        waits += told.waits
    done = e.ActDone(
        number=state.acts + 1,
        act=command.act,
        kind=act.thing,
        things=things,
        fields=fields,
        occurred=occurred,
        by=by.account,
        name=by.name,
        role=by.role,
        waits=waits,
        clause=plan.clause,
        paper=dict(command.paper),
        series=series_in(things) if plan.series else "",
        moments=told.moments,
    )
    if plan.is_once or word is not None or scene.slip is not None:
        done = _proven_act(scene, done, plan, word)
    moves = moves_of(act, done, scene)
    faults += shortages_of(act, done, moves, scene) if act.moves else ()
    faults += unpaid_faults(scene, act, done) if act.pays else ()
    faults += counted_since_faults(act, done, scene) if act.counts else ()
    if word is not None and come_too_late(scene, word, done, unmet, faults):
        return [*late_word(done, faults), *incidents_of(scene, done, told.incidents, ())]
    if faults and (refused := refused_faults(act, faults)):
        return refused
    faults += told.incidents
    faults += repeated_texts(scene, command.act, act, fields) if plan.is_once else ()
    return _record_act(scene, command, act, done, moves, faults, signed_by)


def refused_faults(act: Act, faults: Iterable[ActFault]) -> list[ActFault]:
    """Return the faults that refuse an act: not those that are recorded, as a fact or to be looked into."""
    return [fault for fault in faults if not (fault.is_noted or (act.is_fact and fault.is_fact))]


def _proven_act(scene: Scene, done: e.ActDone, plan: ActPlan, word: Word | None) -> e.ActDone:
    """Return an act with what proves it: the word of a body, documents that serve no other, the slip of an outage."""
    serves: tuple[str, ...] = word.serves if word else ()
    if plan.is_once:
        own = () if word else proof_of(plan.act, done.fields)
        serves = (*serves, *own, *serves_once(scene, done.act, plan.act, done.fields))
    if word is not None:
        done = replace(done, word=word.effect, told=word.told, body=word.body)
    if scene.slip is not None:
        done = replace(done, outage=scene.slip.outage, slip=scene.slip.number, teller=scene.slip.teller)
    return replace(done, serves=serves) if serves else done


def _record_act(  # noqa: PLR0917 - each of it
    scene: Scene,
    command: c.DoAct,
    act: Act,
    done: e.ActDone,
    moves: MovesOfAct,
    faults: list[ActFault],
    signed_by: str,
) -> Verdict:
    """Record an act that nothing refuses: with who signs at once, what it changes, and what there is to look into."""
    events: list[ActEvent] = [done]
    signed: dict[str, str] = {}
    if command.signs:
        signature = signature_of(scene, act, Pending(done), command.signs, scene.who(signed_by))
        if isinstance(signature, ActFault):
            return [signature]
        events.append(signature)
        signed[signature.part] = signature.by
    if act.batch is not None:
        return enter_batch(scene, act, Pending(done, signed), events, _verdict)
    if done.waits and not signed.keys() >= {*done.waits}:
        completed = []
        faults += matters_of(scene, act, done, ())
    else:
        completed = effects_of(scene, act, done, moves)
        faults += matters_of(scene, act, done, completed)
        faults += unmade_of(act, moves, scene) if moves.wanted else ()
        events += completed
    if faults or (completed and completed[0].variances):
        events += incidents_of(scene, done, faults, completed, signed.values())
    return events


def _signatures_asked(
    scene: Scene, name: str, act: Act, subjects: Sequence[KnownThing], word: Word | None
) -> tuple[str, ...]:
    """Return as which parts others sign an act with these fields, besides who signs what is told late."""
    fields = dict(scene.fields)
    return tuple(
        part
        for part, sign in act.signs.items()
        if f"acts.{name}.signs.{part}" not in scene.state.left_out
        and is_asked(sign.unless, fields, () if sign.unless in act.fields else subjects)
        and (not sign.of_papers or waits_for_second(word))
        and (not sign.nobodys or has_nobodys_cash(scene, act, sign.nobodys))
        and (not sign.above or pays_above(scene, act, sign))
        and not (sign.only and is_asked(sign.only, fields, ()))
        and is_asked_beyond(scene, act, sign, subjects)
        and (not sign.later or _has_later_day(sign.later, fields, subjects))
        and (not sign.standard or bool(presets_lost(scene.state, subjects, act.to)))
    )


def _has_later_day(keys: Iterable[str], fields: dict[str, Any], subjects: Sequence[KnownThing]) -> bool:
    """Return whether an act says a later day than is on record of what it is done to."""
    return any(
        str(fields[key]) > str(subject.facts.get(key) or "") for key in keys if fields.get(key) for subject in subjects
    )


def _is_read_anyway(act: Act, waits: Sequence[str]) -> bool:
    """Return whether a second person reads the paper of an act anyway, or an owner answers for how late it is."""
    return any(act.signs[part].of_papers or act.signs[part].beyond for part in waits)


def _person(by: Actor) -> Person:
    return Person(by.account, by.name, frozenset({by.role}))


def _moment_of(command: c.DoAct, at: str) -> tuple[str, list[ActFault]]:
    """Return when an act happened, as its sender says, and what is wrong with that."""
    if len(command.occurred) != len(at) or not command.occurred.endswith("Z"):
        return at, [ActFault("form", f"occurred: {command.occurred!r} is not a moment such as {at}")]
    if command.occurred > at:
        return at, [ActFault("form", f"occurred: {command.occurred} is still to come: it is {at}")]
    return command.occurred, []


def _unfit(scene: Scene, act: Act, actor: Person, command: c.DoAct) -> list[ActFault]:
    """Refuse somebody who may not do an act; what an outside body did may be recorded from its paper."""
    rules = scene.rules
    if act.in_batch and scene.slip is None:
        why = f"it is recorded with what is told together, and not by itself: {act.name}"
        return [ActFault(clause_text(act.cite), why)]
    for group in act.by:
        if rules.is_of(group, actor, scene.state):
            return []
    if (unfit := unfit_to_record(scene, act, actor, command)) is not None:
        return unfit
    if lacking := rules.undesignated_group(act.by, actor, scene.state):
        why = f"{not_designated(actor.name, rules.words_of([lacking]))}: {act.name}"
        return [ActFault(rules.clause_of(lacking, clause_text(act.cite)), why)]
    why = may_not(role_list(sorted(actor.roles)), "do this", rules.words(act.by))
    return [ActFault(clause_text(act.cite), f"{why}: {act.name}")]


def _sign(scene: Scene, command: c.SignAct, by: Actor, signed_by: str) -> Verdict:
    state = scene.state
    pending = state.pending.get(str(command.number))
    if pending is None:
        return [ActFault("office", f"act {command.number} waits for no signature: it is done, taken back or unknown")]
    done, act = pending.done, scene.rules.pages.acts[pending.done.act]
    signer = scene.who(signed_by) if signed_by else _person(by)
    signed = signature_of(scene, act, pending, command.part, signer, fields=command.fields)
    if isinstance(signed, ActFault):
        return [signed]
    rule = scene.rules.signature(act, command.part)
    if act.counts and rule and rule.counts and not has_counted_same(act.counts, done.fields, signed.fields):
        why = "the two counts differ: both are kept, and it is counted again"
        again: list[ActEvent] = [signed, e.ActVoided(done.number, why)]
        return [*again, *incident_of_two_counts(scene, act, done, signed.by)]
    if {*done.waits} - {*pending.signed, command.part}:
        return [signed]
    scene = scene_at(scene, scene.rules.telling_of(act), done.moments, done.occurred, done.fields, done.by)
    moves = moves_of(act, done, scene)
    faults = [*_changed_since(scene, act, done, moves)]
    faults += [*unstamped_faults(scene, done), *stale_faults(scene, done, pending.at)]
    if refused := refused_faults(act, faults):
        return refused
    if act.batch is not None:
        signed_by_all = {**pending.signed, signed.part: signed.by}
        return enter_batch(scene, act, replace(pending, signed=signed_by_all), [signed], _verdict)
    completed = effects_of(scene, act, done, moves)
    new = [fault for fault in faults if not _is_known(state, done, fault)] + unmade_of(act, moves, scene)
    new += matters_of(scene, act, done, completed)
    signers = (*pending.signed.values(), signed.by)
    events: list[ActEvent] = [signed, *completed, *incidents_of(scene, done, new, completed, signers)]
    return events


def _is_known(state: ActState, done: e.ActDone, fault: ActFault) -> bool:
    """Return whether a fault has opened its incident when the act was recorded."""
    known = (incident.facts for incident in state.of_kind(INCIDENT))
    return any(
        (facts["act"], facts["clause"], facts["why"]) == (done.number, fault.clause, fault.why) for facts in known
    )


def _changed_since(scene: Scene, act: Act, done: e.ActDone, moves: MovesOfAct) -> list[ActFault]:
    """Return what stands against an act now that is signed: what did when it was recorded, and what is new."""
    subjects: Sequence[KnownThing] = subjects_of(scene.state, act, done.things)
    wrong: Iterable[ActFault] = () if act.new else things_of(scene, act, done.things)[1]
    named = changed_fields(act, done.fields, scene, subjects)
    needs = needs_faults(scene, act, subjects)
    gate = gate_faults(scene, act.gate, done.things)
    correction = correction_faults(scene, act, done.things, done.fields)
    counted = counted_since_faults(act, done, scene)
    short = [*shortages_of(act, done, moves, scene), *unpaid_faults(scene, act, done)]
    return [*wrong, *named, *needs, *gate, *correction, *short, *counted]


def _void(scene: Scene, command: c.VoidAct, by: Actor) -> Verdict:
    pending = scene.state.pending.get(str(command.number))
    if pending is None:
        return [ActFault("office", f"act {command.number} cannot be taken back: it is done, taken back or unknown")]
    if not 0 < len(command.reason.strip()) <= _REASON_MAX:
        return [ActFault("form", f"say in 1 to {_REASON_MAX} characters why it is taken back")]
    if why := text_fault(scene.rules, command.reason):
        return [ActFault("form", f"why it is taken back {why}")]
    rules, act = scene.rules, scene.rules.pages.acts[pending.done.act]
    if unfit := house_working_faults(scene, by.account):
        return unfit
    is_fit = by.account == pending.done.by or any(rules.is_of(group, _person(by), scene.state) for group in act.by)
    if not is_fit:
        why = may_not(by.role, "take it back", rules.words(act.by))
        return [ActFault(clause_text(act.cite), f"{why}, and so may {pending.done.name}")]
    voided = e.ActVoided(command.number, command.reason.strip())
    looked_into = [ActFault(clause_text(act.cite), f"{act.taken_back}: act {command.number}: {voided.reason}")]
    people = (*pending.signed.values(), by.account)
    return [voided, *(incidents_of(scene, pending.done, looked_into, (), people) if act.taken_back else ())]
