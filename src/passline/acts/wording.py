"""What happened in an office, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from passline.acts import events as e
from passline.acts.events import ActEvent
from passline.acts.rules import SECOND, ActRules
from passline.acts.stamps import fingerprint
from passline.acts.views.wording import money_in_words, value_in_words
from passline.money import dollars
from passline.store.keys import bytes_of_hex


def office_lines(rules: ActRules | None, events: Iterable[ActEvent]) -> tuple[str, ...]:
    """Return events in words that the people of the house read."""
    return tuple(line for event in events for line in _lines(rules, event))


def _lines(rules: ActRules | None, event: ActEvent) -> Iterator[str]:  # noqa: C901, PLR0912, PLR0915 - a case per event
    match event:
        case e.OfficeKept():
            yield f"The office of {event.name} is run by the pages {event.digest[:12]}."
        case e.OfficeSetUp():
            yield f"{event.facility.name}: its day begins at {event.facility.day_begins} ({event.facility.zone})."
        case e.ValueSet():
            value = _figure(rules, event)
            yield f"{event.key.replace('_', ' ')} is set to {value} ({event.reference or 'no paper'})."
        case e.ItemsLeftOut():
            names = (item.rpartition(".")[2].replace("_", " ") for item in event.items)
            yield f"The house does without {', '.join(names) or 'nothing'}."
        case e.BodyAssigned():
            yield f"Account {event.account} acts for {event.body or 'no body any more'}."
        case e.BodyKeyGiven():
            yield f"The {event.body} has the key {fingerprint(bytes_of_hex(event.key))}."
        case e.BodyKeyRevoked():
            yield f"The key {fingerprint(bytes_of_hex(event.key))} of the {event.body} is revoked: {event.reason}."
        case e.ActDone():
            on_paper = f"done by {event.name}, {event.role}, told from manual slip {event.slip}"
            by = on_paper if event.slip else f"recorded by {event.name}, {event.role}"
            yield f"{_name(rules, event)}: {by} [{event.clause}]."
            if event.told == "house" and event.body:
                did = "was told" if event.word == "notice" else "said so"
                yield f"That the {event.body} {did} is told by the house."
            if event.moments and event.moments.is_late:
                yield f"It is told late, as of {event.moments.first[:16].replace('T', ' ')} UTC: it is marked."
            if event.waits:
                parts = ("a second person" if part == SECOND else part.replace("_", " ") for part in event.waits)
                yield f"It waits for the signature of {', '.join(parts)}."
        case e.ActSigned():
            on_paper = f" on manual slip {event.slip}" if event.slip else ""
            part = event.part.replace("_", " ")
            yield f"{event.name} signed act {event.number} as {part}{on_paper} [{event.clause}]."
        case e.ActCompleted():
            yield from _effect_lines(rules, event)
        case e.ActVoided(is_on_record=True):
            yield f"Act {event.number} is on record and changes nothing: {event.reason}."
        case e.ActVoided():
            yield f"Act {event.number} was taken back: {event.reason}."
        case e.IncidentOpened():
            yield f"Incident {event.id}: {event.why} [{event.clause}]."
        case e.WatchBroken():
            yield f"{event.watch.replace('_', ' ')} does not hold for {event.thing}."
        case e.WatchMended():
            yield f"{event.watch.replace('_', ' ')} holds again for {event.thing}."
        case e.LedgerTold():
            yield f"The ledger of table {event.table} had {money_in_words(event.ledger)} at act {event.act}."
        case e.FileCommitted():
            yield f"The log is committed to the file of compliance as it was after {event.day}, empty or not."
        case e.ThingsFiled():
            yield f"{len(event.things)} things that have ended and the figures of {len(event.figures)} acts were filed."
        case e.TableShut():
            yield f"Table {event.table} is closed."
        case e.CashReached():
            yield f"A report of cash is due: {event.report}."
        case e.DiceAlarmed():
            yield f"Dice set {event.number} of table {event.table}: {event.evidence:,} to one against fair dice."
        case e.SkimAlarmed():
            of = f"{event.look.capitalize()} of {event.kind} {event.subject}"
            yield f"{of}: {event.evidence:,} to one against honest keying."
        case e.ResultAlarmed():
            yield _result_line(event)
        case e.CompEarned():
            yield _comp_line(event)
        case e.DiceUnaccounted():
            yield f"Dice set {event.number} of table {event.table} was thrown after it was taken away on paper."
        case e.TableCleared():
            yield f"Table {event.table} is cleared for opening."


def _result_line(event: e.ResultAlarmed) -> str:
    of = f"{event.scope} {event.subject}".strip()
    left = f"luck leaves {dollars(event.low)} to {dollars(event.high)} but for once in {event.bound:,}"
    return f"Result of {of} in {event.month}: {dollars(event.won)}, where {left}."


def _comp_line(event: e.CompEarned) -> str:
    known = event.credit.facts
    of = f"{known['share']} percent of {money_in_words(known['theoretical'])}"
    earned = f"comps of {money_in_words(known['earned'])} on {known['gaming_day']}"
    return f"Patron {known['patron']} has earned {earned}: {of}."


def _figure(rules: ActRules | None, event: e.ValueSet) -> str:
    """Return a figure that was set, in words: of money as money."""
    value = rules.pages.values.get(event.key) if rules else None
    is_money = value is not None and value.type == "cents" and isinstance(event.value, int)
    return money_in_words(event.value) if is_money else value_in_words(event.value)


def _effect_lines(rules: ActRules | None, event: e.ActCompleted) -> Iterator[str]:
    for change in event.changes:
        called = _spoken_id(rules, change.kind, change.id)
        yield f"{change.kind.replace('_', ' ')} {called} is {change.state.replace('_', ' ')}."
    if event.corrects is not None:
        yield f"Act {event.number} has corrected act {event.corrects.last}: both stay on record."


def _name(rules: ActRules | None, done: e.ActDone) -> str:
    act = rules.act(done.act) if rules else None
    about = f" ({', '.join(_spoken_id(rules, done.kind, thing) for thing in done.things)})" if done.things else ""
    return f"{act.name if act else done.act}{about}"


def _spoken_id(rules: ActRules | None, kind: str, id_: str) -> str:
    thing = rules.pages.things.get(kind) if rules else None
    return thing.spoken_id(id_) if thing else id_
