"""Settings of an office: figures that a text leaves open, items that it leaves out, whom a regulator acts for."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.deadlines import Length
from passline.acts.calendar.shifts import TIMES
from passline.acts.judges.body_words import served_faults, value_faults
from passline.acts.judges.scene import ActFault, Scene, Verdict
from passline.acts.judges.writing import text_fault
from passline.acts.rules import ActRules, Person
from passline.acts.schema import PRACTICE
from passline.acts.stamps import stamp_digest
from passline.authority.duties import may_not, role_list
from passline.authority.roles import REGULATOR, in_order
from passline.rules.schema import Rule, clause_text

_MOST = 1_000_000_000


def set_value(scene: Scene, command: c.SetValue) -> Verdict:
    """Set a figure, from the paper of the body that decides it."""
    rules = scene.rules
    value = rules.pages.values.get(command.key)
    if value is None:
        return [ActFault("office", f"this office has no value {command.key!r}; it has {', '.join(rules.pages.values)}")]
    cite, faults = clause_text(value.cite), list[ActFault]()
    if why := _unfit_value(value.type, command.value):
        faults.append(ActFault("form", f"{command.key}: {why}"))
    missing = [key for key in ("document", "reference", "received") if not getattr(command, key).strip()]
    if value.by and missing:
        why = f"{command.key} is set by the {rules.words_of(value.by)}: its paper is needed, with {', '.join(missing)}"
        faults.append(ActFault(cite, why))
    setting = next((act for act in rules.pages.acts.values() if command.key in act.sets), None)
    if setting is not None:
        faults.append(ActFault(cite, f"{command.key} is set by an act and not by hand: {setting.name}"))
    faults += [*value_faults(scene, command), *_paper_faults(scene, command, cite)]
    texts = {"reference": command.reference, command.key: command.value if value.type == "text" else ""}
    faults += (
        ActFault("form", f"{key}: {why}")
        for key, text in texts.items()
        if text and (why := text_fault(rules, str(text)))
    )
    if faults:
        return faults
    is_word = command.document and _is_word(scene, command)
    serves = (*((stamp_digest(command.stamp),) if command.stamp else ()), *((command.document,) if is_word else ()))
    set_ = e.ValueSet(command.key, command.value, command.document, command.reference, command.received, serves)
    return [set_]


def _is_word(scene: Scene, command: c.SetValue) -> bool:
    """Return whether a figure is the word of the body that sets it, so that its paper serves nothing else."""
    words, value = scene.rules.pages.words.get("favourable"), scene.rules.pages.values.get(command.key)
    return words is not None and words.values and value is not None and bool(scene.rules.body_of(value.by))


def _paper_faults(scene: Scene, command: c.SetValue, cite: str) -> list[ActFault]:
    """Return what is wrong with the paper of a figure that a body sets: it has served, or has not come yet."""
    if not _is_word(scene, command):
        return []
    faults = [
        ActFault(cite, f"{command.key}: {why}") for why in served_faults(scene, command.document, is_of_house=True)
    ]
    facility, came = scene.state.facility, command.received.strip()
    assert facility is not None, "figures are set in an office that is set up"
    try:
        is_here = not came or date.fromisoformat(came) <= facility.today(scene.at)
    except ValueError:
        is_here = False
    if not is_here:
        faults.append(ActFault("form", f"received: {came[:40]!r} is not a day until {facility.today(scene.at)}"))
    return faults


def _unfit_value(kind: str, value: Any) -> str:  # noqa: ANN401 - as it was sent
    match kind:
        case "count" | "cents":
            return "" if type(value) is int and 0 <= value <= _MOST else "must be a whole number, 0 or more"
        case "length":
            try:
                msgspec.convert(value, Length)
            except msgspec.ValidationError:
                return 'must be a length such as {"count": 2, "unit": "hours"}'
            return ""
        case "times":
            is_fit = isinstance(value, list | tuple) and value and all(TIMES.fullmatch(str(item)) for item in value)
            return "" if is_fit else "must be times of day such as 06:00 or 13:45-14:15"
        case _:
            return "" if isinstance(value, str) and value.strip() else "must be a text"


def leave_out(scene: Scene, command: c.LeaveOut) -> Verdict:
    """Set which items of practice a house leaves out; what a clause asks for cannot be left out."""
    faults = list[ActFault]()
    for item in command.items:
        entry = _item(scene.rules, item)
        if entry is None:
            faults.append(ActFault("form", f"there is no gate item, watch or signature {item[:80]!r}"))
        elif _is_of_batch(scene.rules, item):
            faults.append(ActFault(PRACTICE, f"{item}: two people sign what is told after an outage: it stays"))
        elif entry.cite != PRACTICE:
            faults.append(ActFault(clause_text(entry.cite), f"{item}: a clause asks for it: it cannot be left out"))
    if not faults and {*command.items} == {*scene.state.left_out}:
        return [ActFault("office", "nothing has changed")]
    return faults or [e.ItemsLeftOut(tuple(dict.fromkeys(command.items)))]


def practice_items(rules: ActRules) -> dict[str, str]:
    """Return every item that a house may leave out, each with what it asks for.

    >>> from passline.acts.rules import office_of
    >>> practice_items(office_of("colorado"))["acts.receive_chips.signs.witness"]
    'Receive chips from the maker: signed by who counts them in too'
    """
    pages = rules.pages
    named = {
        f"gates.{gate}.items.{key}": f"{rule.name}: not where {item.says}"
        for gate, rule in pages.gates.items()
        for key, item in rule.items.items()
    }
    named |= {f"watches.{key}": watch.name for key, watch in pages.watches.items()}
    named |= {
        f"acts.{key}.signs.{part}": f"{act.name}: signed by {sign.name}"
        for key, act in pages.acts.items()
        if not act.corrects and not act.batch
        for part, sign in act.signs.items()
    }
    free = {key: name for key, name in named.items() if (item := _item(rules, key)) and item.cite == PRACTICE}
    return {key: name for key, name in free.items() if not _is_of_batch(rules, key)}


def _item(rules: ActRules, item: str) -> Rule | None:
    """Return what an election names, as its pages have it."""
    pages = rules.pages
    match item.split("."):
        case ["gates", gate, "items", key] if gate in pages.gates:
            return pages.gates[gate].items.get(key)
        case ["watches", key] if key in pages.watches:
            watch = pages.watches[key]
            return watch.needs if watch.needs.cite != PRACTICE else watch
        case ["acts", act, "signs", key] if act in pages.acts:
            return pages.acts[act].signs.get(key)
        case _:
            return None


def _is_of_batch(rules: ActRules, item: str) -> bool:
    """Return whether an election is about who signs an outage, or what is told together after it."""
    act = rules.act(item.split(".")[1]) if item.startswith("acts.") else None
    return act is not None and (act.batch is not None or act.unlogged)


def assign_body(rules: ActRules, command: c.AssignBody, person: Person | None) -> Verdict:
    """Set for which outside body an account acts, which must have the role of a regulator."""
    bodies = rules.bodies
    if person is None:
        return [ActFault("form", f"nobody has the account {command.account}")]
    if REGULATOR not in person.roles:
        why = may_not(role_list(in_order(person.roles)), "act for an outside body", (REGULATOR,))
        return [ActFault("duties", f"{person.name}: {why}")]
    if command.body and command.body not in bodies:
        return [ActFault("form", f"this regulation has no body {command.body!r}; choose {', '.join(bodies) or 'none'}")]
    return [e.BodyAssigned(command.account, command.body)]
