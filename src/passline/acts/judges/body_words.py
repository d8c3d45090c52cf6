"""The words of outside bodies: who may record them, what proves them, and what comes too late.

A favourable word frees the house, so the house cannot say it alone: a body that has a key stamps it, and where it has
none two people record its paper, which serves one act. An unfavourable word anybody records at once. That something
has reached a body, or was told to it, the house proves itself, by a document and two people.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.deadlines import deadline
from passline.acts.judges.control import reason_fault
from passline.acts.judges.scene import ActFault, Scene, Verdict
from passline.acts.judges.writing import text_fault, written_key
from passline.acts.page_memo import kept_with_page
from passline.acts.rules import Person
from passline.acts.schema import Act, Effect, Field
from passline.acts.stamps import StampRequest, fingerprint, key_fault, read_stamp, stamp_digest, stamp_fault
from passline.authority.duties import name_of
from passline.authority.roles import KEEPERS, PLAYER, REGULATOR
from passline.rules.schema import clause_text
from passline.store.keys import bytes_of_hex

_PAPER = ("document", "reference", "received")
_SECONDS = len("2026-11-15T09:00:00")  # of a moment


class Word(Struct, frozen=True):
    """An outside body's word in an act: its effect, how it was given, and the proofs that no other act may use."""

    effect: Effect
    body: str
    told: Literal["stamp", "account", "house"]
    serves: tuple[str, ...] = ()


def unfit_to_record(scene: Scene, act: Act, actor: Person, command: c.DoAct) -> list[ActFault] | None:
    """Return why somebody may not record the word of a body from its paper; None if that is not what they do."""
    body = scene.rules.body_of(act.by)
    if not body or not act.on_paper:
        return None
    if (reference := command.paper.get("reference", "").strip()) and (why := text_fault(scene.rules, reference)):
        return [ActFault("form", f"reference: {why}")]
    asked: tuple[str, ...] = _PAPER
    if scene.rules.effect_of(command.act) == "unfavourable":  # at once, by anybody who can say how it came
        asked = ("reference",)
        if command.paper.get("reference", "").strip() and not actor.roles <= {PLAYER}:
            return []
    if actor.roles.isdisjoint(KEEPERS):
        return None
    missing = [key for key in asked if not command.paper.get(key, "").strip()]
    why = f"{act.name} is the {body}'s: record it from its paper, with {', '.join(missing)}"
    return [ActFault(clause_text(act.cite), why)] if missing else []


def word_in(scene: Scene, act: Act, actor: Person, command: c.DoAct) -> tuple[Word | None, list[ActFault]]:
    """Return the word of a body that an act records, and what is wrong with its proof; None: it records none."""
    effect = scene.rules.effect_of(command.act)
    if not effect:
        why = f"stamp: {act.name} does not record the word of an outside body, so it takes no stamp"
        return None, [ActFault("form", why)] if command.stamp else []
    own = scene.state.bodies.get(actor.account, "") if REGULATOR in actor.roles else ""
    groups = (*act.tells, *act.by) if effect == "notice" else act.by
    bodies = [group.body for group in map(scene.rules.group, groups) if group.body]
    body = own if own in bodies else bodies[0] if bodies else ""
    document = "" if own == body else command.paper.get("document", "")  # a body's own account needs no paper
    request = request_of(scene, command, body)
    stamped, faults = _check_stamp(scene, act, effect, request, command.stamp, command.occurred)
    told: Literal["stamp", "account", "house"] = "stamp" if stamped else "account" if own == body else "house"
    if effect == "unfavourable":
        return Word(effect, body, told), faults
    if effect == "notice" and told == "house" and not document:
        why = f"{act.name}: attach the document that proves it, a receipt or a note of who was told"
        faults.append(ActFault(clause_text(act.cite), why))
    is_of_house = bool(document) and scene.rules.pages.words[effect].one_house
    faults += (ActFault(clause_text(act.cite), why) for why in served_faults(scene, document, is_of_house=is_of_house))
    serves = (*([document] if document else ()), *([stamp_digest(command.stamp)] if stamped else ()))
    return Word(effect, body, told, serves), faults


def served_faults(scene: Scene, document: str, *, is_of_house: bool) -> list[str]:
    """Return why a document cannot prove an act: it proved another, in this office or another one of the house."""
    faults = list[str]()
    if (number := scene.state.served.get(document)) is not None and (number or is_of_house):
        what = _act_in_words(scene, number) if number else "for a setting"
        faults.append(f"the attached document has served {what}: a paper serves one act, so attach another")
    used = [office for office, state in scene.around.others().items() if document in state.served]
    if is_of_house and used:
        faults.append(f"the attached document has served the office of {', '.join(used)}: a paper serves one act")
    return faults


def _act_in_words(scene: Scene, number: int) -> str:
    """Return an act by its name and number, while it waits to be signed, too."""
    pending = scene.state.pending.get(str(number))
    marked = (key for key, marks in scene.state.marks.items() if any(mark.number == number for mark in marks.values()))
    act = scene.rules.pages.acts.get(pending.done.act if pending else next(marked, ""))
    return f"act {number}, {act.name}" if act else f"act {number}"


def documents_once(act: Act, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the documents in an act's fields that may be used for one act only."""
    return tuple(str(fields[key]) for key in _document_fields(act) if fields.get(key))


@kept_with_page
def _document_fields(act: Act) -> tuple[str, ...]:
    """Return the fields of an act with documents that serve no other act."""
    return tuple(key for key, field in act.fields.items() if field.once)


def used_documents(scene: Scene, act: Act, fields: Mapping[str, Any]) -> list[ActFault]:
    """Return the faults of an act whose documents were used for another act, or are attached twice."""
    if not (documents := documents_once(act, fields)):
        return []
    twice = [
        ActFault(clause_text(act.cite), "the same document is attached twice: each is a paper of its own")
        for document in dict.fromkeys(documents)
        if documents.count(document) > 1
    ]
    return twice + [
        ActFault(clause_text(act.cite), why)
        for document in documents
        for why in served_faults(scene, document, is_of_house=True)
    ]


def _texts_once(name: str, act: Act, fields: Mapping[str, Any]) -> dict[str, Field]:
    """Return the texts of an act that no other act should say again, as they are kept; a correction says them again."""
    return {
        f"{name}.{key}|{written_key(str(fields.get(field.repeated_with) or ''))}|{written_key(str(fields[key]))}": field
        for key, field in _fields_said_once(act)
        if fields.get(key) and not act.corrects
    }


@kept_with_page
def _fields_said_once(act: Act) -> tuple[tuple[str, Field], ...]:
    """Return the fields of an act whose texts no other act should say again."""
    return tuple((key, field) for key, field in act.fields.items() if field.repeated)


def serves_once(scene: Scene, name: str, act: Act, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what an act uses up: documents for one act only, and texts that no act has said before."""
    texts = (text for text in _texts_once(name, act, fields) if text not in scene.state.served)
    return (*documents_once(act, fields), *texts)


def repeated_texts(scene: Scene, name: str, act: Act, fields: Mapping[str, Any]) -> list[ActFault]:
    """Return an incident for each text that an earlier act has said, in a field that should not repeat."""
    found = list[ActFault]()
    for text, field in _texts_once(name, act, fields).items():
        others = [office for office, state in scene.around.others().items() if text in state.served]
        said = [f"act {scene.state.served[text]}"] if text in scene.state.served else []
        said += [f"the office of {office}" for office in others]
        if said:
            why = f"{field.repeated}: {text.rpartition('|')[2]}, by {', '.join(said)}"
            found.append(ActFault(clause_text(field.cite), why, is_fact=True))
    return found


def request_of(scene: Scene, command: c.DoAct, body: str) -> StampRequest:
    """Return the request that a body stamps to approve an act."""
    return StampRequest(
        house=scene.around.house,
        office=scene.rules.name,
        body=body,
        act=command.act,
        things=command.things,
        fields=command.fields,
        document=command.paper.get("document", ""),
    )


def _check_stamp(  # noqa: PLR0917 - each of it
    scene: Scene, act: Act, effect: Effect, request: StampRequest, stamp: str, occurred: str
) -> tuple[bool, list[ActFault]]:
    """Return whether the body stamped a request with its key, and what is wrong if it should have or did so badly."""
    key, cite = scene.state.keys.get(request.body, ""), clause_text(act.cite)
    if not stamp:
        why = f"the {request.body} has a key of its own: {act.name} needs its stamp"
        return False, [ActFault(cite, why)] if key and effect == "favourable" else []
    if not key:
        return False, [ActFault(cite, f"stamp: the {request.body} has no key here by which it could be checked")]
    if why := stamp_fault(stamp, request, bytes_of_hex(key)):
        return False, [ActFault(cite, f"stamp of the {request.body}: {why}")]
    if number := scene.state.served.get(stamp_digest(stamp), 0):
        return False, [ActFault(cite, f"stamp of the {request.body}: it has served act {number}: a stamp serves once")]
    words = scene.rules.pages.words.get(effect)
    issued = read_stamp(stamp).issued[:_SECONDS]
    ahead, facility = words.issued_ahead if words else None, scene.state.facility
    if ahead and facility and issued > deadline(scene.at, ahead, facility):
        why = f"it is dated {issued}Z, which is still to come: ask the {request.body} for another"
        return False, [ActFault(cite, f"stamp of the {request.body}: {why}")]
    if words and words.dated and occurred and occurred[:_SECONDS] < issued:
        why = f"it was stamped {issued}Z: {act.name} is not told as of before that"
        return False, [ActFault(cite, f"stamp of the {request.body}: {why}")]
    return True, []


def value_faults(scene: Scene, command: c.SetValue) -> list[ActFault]:
    """Return why a body's figure cannot be set: its stamp is missing, of another figure, or was used before."""
    value = scene.rules.pages.values.get(command.key)
    body = scene.rules.body_of(value.by) if value else ""
    if value is None or not scene.rules.pages.words or not (body or command.stamp):
        return []
    key, cite = scene.state.keys.get(body, ""), clause_text(value.cite)
    if not key:
        why = f"stamp: the {body or 'house'} has no key here by which it could be checked"
        return [ActFault(cite, why)] if command.stamp else []
    request = value_request(scene, command, body)
    if not command.stamp:
        return [ActFault(cite, f"the {body} has a key of its own: {command.key} needs its stamp")]
    if why := stamp_fault(command.stamp, request, bytes_of_hex(key)):
        return [ActFault(cite, f"stamp of the {body}: {why}")]
    if stamp_digest(command.stamp) in scene.state.served:
        return [ActFault(cite, f"stamp of the {body}: a stamp serves once")]
    return []


def value_request(scene: Scene, command: c.SetValue, body: str) -> StampRequest:
    """Return the request that a body stamps to set a figure."""
    return StampRequest(
        house=scene.around.house,
        office=scene.rules.name,
        body=body,
        act="set-value",
        things=(command.key,),
        fields={"value": command.value},
        document=command.document,
    )


def unstamped_faults(scene: Scene, done: e.ActDone) -> list[ActFault]:
    """Return a fault if a body received a key after its favourable word was recorded from paper: it must stamp it."""
    words = scene.rules.pages.words.get(done.word) if done.word else None
    if words is None or not words.one_house or (done.word, done.told) != ("favourable", "house"):
        return []
    why = f"the {done.body} has a key of its own since: take this back, and record it with its stamp"
    return [ActFault(done.clause, why)] if done.body in scene.state.keys else []


def stale_faults(scene: Scene, done: e.ActDone, recorded: str) -> list[ActFault]:
    """Return a fault if a body's word has waited too long for the second signature to vouch for it."""
    words, facility = scene.rules.pages.words.get(done.word) if done.word else None, scene.state.facility
    if words is None or words.signed_within is None or facility is None or not recorded:
        return []
    if scene.at < deadline(recorded, words.signed_within, facility):
        return []
    why = f"act {done.number} was recorded {facility.local(recorded):%Y-%m-%d %H:%M}, and is signed within"
    return [ActFault(done.clause, f"{why} {words.signed_within}: take it back, and record it anew")]


def waits_for_second(word: Word | None) -> bool:
    """Return whether a second person must sign a body's word that the house records."""
    return word is not None and word.told == "house" and word.effect != "unfavourable"


def come_too_late(
    scene: Scene, word: Word | None, done: e.ActDone, unmet: Sequence[ActFault], faults: Sequence[ActFault]
) -> bool:
    """Return whether an unfavourable word comes too late to take effect, though nothing is wrong with its form.

    That is if one of its needs is not met any more, or, where the pages say so, if none of its things is in a state
    that the word changes.
    """
    words = scene.rules.pages.words.get(word.effect) if word else None
    is_elsewhere = words is not None and words.any_state and _are_elsewhere(scene, done)
    is_over = bool(unmet) or is_elsewhere
    is_unfavourable = word is not None and word.effect == "unfavourable"
    return is_unfavourable and is_over and all(fault.is_fact for fault in faults)


def _are_elsewhere(scene: Scene, done: e.ActDone) -> bool:
    """Return whether none of the things of an act is in a state in which it does something."""
    act = scene.rules.act(done.act)
    known = [scene.state.thing(done.kind, name) for name in done.things]
    return bool(act and act.states and known) and all(thing and thing.state not in act.states for thing in known if act)


def late_word(done: e.ActDone, faults: Iterable[ActFault]) -> list[e.ActEvent]:
    """Return the events that record a word without any effect."""
    why = "; ".join(f"{fault.why} [{fault.clause}]" for fault in faults)
    return [done, e.ActVoided(done.number, why, is_on_record=True)]


def give_body_key(scene: Scene, command: c.GiveBodyKey) -> Verdict:
    """Enter the key of a body: the first, or another after the last was revoked."""
    if fault := key_fault(command.key) or _body_fault(scene, command.body):
        return [ActFault("form", fault)]
    if known := scene.state.keys.get(command.body):
        why = f"the {command.body} has the key {fingerprint(bytes_of_hex(known))}: revoke it first"
        return [ActFault("office", why)]
    if body := next((body for body, key in scene.state.keys.items() if key == command.key), ""):
        return [ActFault("office", f"this is the key of the {body}: each body has its own")]
    if why := _used_key_fault(scene, command):
        return [ActFault("office", why)]
    return [e.BodyKeyGiven(command.body, command.key)]


def _used_key_fault(scene: Scene, command: c.GiveBodyKey) -> str:
    """Return that a key was revoked, or that a body has or had it in another office; older pages do not ask."""
    control = scene.rules.pages.controls.get(name_of(command))
    if control is None or not control.unused:
        return ""
    if body := scene.state.revoked.get(command.key):
        return f"this key of the {body} was revoked: nobody knows who has it: ask the {command.body} for a new one"
    for office, state in scene.around.others().items():
        known = {**state.revoked, **{key: body for body, key in state.keys.items()}}
        if (body := known.get(command.key, command.body)) != command.body or command.key in state.revoked:
            return f"this is or was the key of the {body} in the office of {office}: each body has its own"
    return ""


def revoke_body_key(scene: Scene, command: c.RevokeBodyKey) -> Verdict:
    """Take back the key of a body."""
    if scene.state.keys.get(command.body) != command.key:
        return [ActFault("form", f"this is not the key of the {command.body} that is in force")]
    if fault := reason_fault(scene.rules, command.reason):
        return [ActFault("form", fault)]
    return [e.BodyKeyRevoked(command.body, command.key, command.reason.strip())]


def _body_fault(scene: Scene, body: str) -> str:
    bodies = scene.rules.bodies
    if not scene.rules.pages.words:
        return "the pages of this office do not say which acts are the words of outside bodies"
    return "" if body in bodies else f"this regulation has no body {body!r}; choose {', '.join(bodies) or 'none'}"
