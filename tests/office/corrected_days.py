"""The lawful days with a mistake in them: one field of one act is keyed wrongly, and corrected later.

Every act that can be corrected is found in the pages, and every field of it that may be wrong is keyed wrongly once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.decide import decide
from passline.acts.figures import INSTEAD, UNSAID
from passline.acts.judges.scene import Scene
from passline.acts.rules import ActRules, Person
from passline.acts.schema import Act, Field
from passline.acts.state import ActState
from passline.authority.roles import ROLES
from passline.refusal import Refused
from passline.streams.course import Actor, Decision
from tests.office.day_file import SECOND_CLERK, Day, steps_of

_HELPERS = {f"{role}.{number}": role for role in ROLES if role != "player" for number in (1, 2, 3, 4)}
_DENOMINATIONS = ("500", "2500", "10000")


class Told(NamedTuple):
    """A command of a day that was not refused, and the office before it."""

    before: ActState
    at: str
    command: Any
    by: Actor
    signed_by: str
    events: tuple[Any, ...]


class ToldDay(Day):
    """A day that keeps what was told in it."""

    def __init__(self, rules: ActRules | None = None) -> None:
        super().__init__(rules)
        self.told: list[Told] = []

    def send(self, command: c.ActCommand, by: Actor, signed_by: str = "") -> Iterator[str]:
        """Send a command, and keep it unless it is refused."""
        before, at = self.state, self.at
        decision = decide(self.scene(), command, by=by, signed_by=signed_by)
        if isinstance(decision, Decision):
            self.told.append(Told(before, at, command, by, signed_by, tuple(decision.events)))
        yield from super().send(command, by, signed_by)


def told_day(path: Path) -> ToldDay:
    """Return a day after all of its lines, with helpers of every role."""
    day = ToldDay()
    for step in steps_of(path.read_text(encoding="utf-8")):
        list(day.do(step.text))
    day.people |= {name: Person(name, name.title(), frozenset({role})) for name, role in _HELPERS.items()}
    return day


class Replay:
    """A day told again from one of its acts on."""

    def __init__(self, day: ToldDay, at: int) -> None:
        self._day = day
        self.state, self.at = day.told[at].before, day.told[at].at
        self.events: list[tuple[str, e.ActEvent]] = [
            (told.at, event) for told in day.told[:at] for event in told.events
        ]

    @property
    def scene(self) -> Scene:
        """The office as it is now."""
        assert self._day.rules is not None
        return Scene(self._day.rules, self.state, self.at, self.at, self._day.around)

    def send(self, command: c.ActCommand, by: Actor, signed_by: str = "") -> tuple[Any, ...] | Refused:
        """Send a command; return its events, or why it is refused."""
        decision = decide(self.scene, command, by=by, signed_by=signed_by)
        if isinstance(decision, Refused):
            return decision
        self.state = decision.after
        self.events += ((self.at, event) for event in decision.events)
        return tuple(decision.events)

    def correct(self, number: int, fields: Mapping[str, Any]) -> bool:
        """Correct an act, by whoever may, signed by everybody who must; return whether nothing stood against it."""
        figure = self.state.figures.at_hand[str(number)]
        pages = self.scene.rules.pages
        first = pages.acts[figure.act]
        assert first.corrected is not None
        name = first.corrected.act or f"correct_{figure.act}"
        act = pages.acts[name]
        used = self._somebody(act.by, ())
        said = {"corrects": number, "reason": "misread", **fields}
        answer = self.send(c.DoAct(act=name, things=figure.things, fields=said, paper=self._letter(act)), _actor(used))
        if isinstance(answer, Refused):
            return False
        return self.sign_all([used.account], said)

    def sign_all(self, used: list[str], said: Mapping[str, Any] | None = None) -> bool:
        """Have everybody sign the last act who must; return whether nothing stood against it."""
        used, said = list(used), said or {}
        while waiting := self.state.pending.get(str(self.state.acts)):
            act = self.scene.rules.pages.acts[waiting.done.act]
            part = next(part for part in waiting.done.waits if part not in waiting.signed)
            rule = self.scene.rules.signature(act, part)
            assert rule is not None
            signer = self._somebody(rule.by, used)
            used.append(signer.account)
            counted = {key: said[key] for key in act.counts.counted_fields if key in said} if act.counts else {}
            sign = c.SignAct(number=self.state.acts, part=part, fields=counted if rule.counts else {})
            if isinstance(self.send(sign, _actor(signer), signer.account), Refused):
                return False
        return True

    def _letter(self, act: Act) -> dict[str, str]:
        return self._day.letter_of_today() if act.on_paper else {}

    def _somebody(self, groups: tuple[str, ...], used: list[str] | tuple[str, ...]) -> Person:
        """Return somebody of a group who has not signed yet."""
        people = [*self._day.people.values(), SECOND_CLERK]
        rules, state = self.scene.rules, self.state
        fit = (
            person
            for person in people
            if person.account not in used and any(rules.is_of(group, person, state) for group in groups)
        )
        return next(fit, Person("nobody", "Nobody", frozenset({"player"})))


def _actor(person: Person) -> Actor:
    return Actor(person.account, person.name, min(person.roles), is_employee=True)


class KeyedWrong(NamedTuple):
    """A field of an act of a day, what it should say and what was keyed."""

    at: int  # which command of the day
    number: int  # of the act
    act: str
    field: str
    right: Any
    wrong: Any
    also: Mapping[str, Any]  # what was keyed with it: else nobody could have keyed it so


def mistakes_in(day: ToldDay) -> Iterator[KeyedWrong]:
    """Yield every way to key one field of one act of a day wrongly, each kind of act as often as it was done."""
    assert day.rules is not None
    corrected = {told.command.fields.get("corrects") for told in day.told if isinstance(told.command, c.DoAct)}
    completed = {event.number for told in day.told for event in told.events if isinstance(event, e.ActCompleted)}
    for at, told in enumerate(day.told):
        done = next((event for event in told.events if isinstance(event, e.ActDone)), None)
        act = day.rules.act(done.act) if done else None
        if done is None or act is None or act.corrected is None or done.number not in completed - corrected:
            continue
        for key in act.corrected.fields:
            right = told.command.fields.get(key)
            for wrong in _wrong_values(act.fields[key], right, told.before, done):
                if wrong != right:
                    also = _keyed_with(act, key, wrong, told.command.fields)
                    yield KeyedWrong(at, done.number, done.act, key, right, wrong, also)
        if act.corrected.thing:
            others = [thing.id for thing in told.before.of_kind(act.thing) if thing.id not in done.things]
            yield from (KeyedWrong(at, done.number, done.act, INSTEAD, done.things[0], other, {}) for other in others)


def _keyed_with(act: Act, key: str, wrong: Any, fields: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ANN401
    """Return what is keyed with a wrong value: what a flag asks for, and of an exchange as much the other way."""
    asked: dict[str, Any] = {
        other: field.min or field.max for other, field in act.fields.items() if field.only == key and wrong is True
    }
    if act.moves and act.moves.back and key in {act.moves.field, act.moves.back}:
        other = act.moves.back if key == act.moves.field else act.moves.field
        cents = sum(int(unit) * count for unit, count in wrong.items())
        asked[other] = {_DENOMINATIONS[0]: cents // int(_DENOMINATIONS[0])}
    return {other: value for other, value in asked.items() if value != fields.get(other)}


def _wrong_values(field: Field, right: Any, state: ActState, done: e.ActDone) -> list[Any]:  # noqa: ANN401, C901, PLR0912 - a case each
    """Return what may have been keyed in place of the right value, where nothing else is known to be wrong with it."""
    facility = state.facility
    assert facility is not None
    match field.type:
        case "units":
            known = dict(right or {})
            more = {unit: count + 1 for unit, count in known.items()}
            return [more or {_DENOMINATIONS[0]: 2}, {**known, _DENOMINATIONS[-1]: 3}, {**known, _DENOMINATIONS[0]: 1}]
        case "cents" | "number":
            return [(right or 0) + step for step in (1, 5, -1) if (right or 0) + step > 0]
        case "text":
            return [f"{right or 'seen'} (misread)", "white", "red", "black"]
        case "choice":
            choices = [shift.name for shift in facility.shifts] if field.of_shifts else []
            choices += facility.areas if field.of_areas else field.of
            return [choice for choice in choices if choice != right]
        case "flag" | "no":
            return [not right]
        case "thing":
            return [thing.id for thing in state.of_kind(field.of[0], field.states) if thing.id != right]
        case "things" | "ids":
            own, there = [*(right or ())], [thing.id for thing in state.of_kind(field.of[0], field.states)]
            return [found for found in (own[:-1], [*own, "other"], there) if found and found != right]
        case "document":
            return ["d" * 64]
        case "day":
            day = date.fromisoformat(right) if right else facility.gaming_day(done.occurred)
            return [str(day + timedelta(days=step)) for step in (1, -1)]
        case "some":
            return [list(right)[:-1], [*field.of]] if right else [[*field.of]]
        case "shares":
            whole = sum((right or {}).values())
            return [{"dealer.1": whole}, {"dealer.1": 1, "dealer.2": whole - 1}]
        case "checklist":
            return [{**right, item: False} for item in list(right or ())[:1]]
        case "per_thing":
            return [{thing: figure + step for thing, figure in (right or {}).items()} for step in (1, -1)]
        case _:
            return []


def tell_wrong(day: ToldDay, mistake: KeyedWrong) -> Replay | None:
    """Tell a day with a mistake and its correction; None where it could not have been keyed so.

    It is corrected when the day is over, or before the first command that would be refused because of it; where it
    cannot be corrected any more by then, at once.
    """
    return _tell(day, mistake, at_once=False) or _tell(day, mistake, at_once=True)


def _tell(day: ToldDay, mistake: KeyedWrong, *, at_once: bool) -> Replay | None:
    replay, corrected = Replay(day, mistake.at), 0
    right = _right_fields(day, mistake)
    for number, told in enumerate(day.told[mistake.at :]):
        replay.at = told.at
        command = _as_keyed(day, told.command, mistake, is_first=not number)
        if isinstance(command, c.SignAct | c.VoidAct) and 0 < corrected <= command.number:
            command = replace(command, number=command.number + 1)  # the correction has taken a number
        is_done = str(mistake.number) in replay.state.figures.at_hand
        answer = replay.send(command, told.by, told.signed_by) if not (at_once and is_done and not corrected) else None
        if not isinstance(answer, tuple) and not corrected and is_done:
            corrected = replay.state.acts + 1
            if isinstance(command, c.SignAct | c.VoidAct) and command.number >= corrected:
                command = replace(command, number=command.number + 1)
            if not replay.correct(mistake.number, right):
                return None
            answer = replay.send(command, told.by, told.signed_by)
        if not isinstance(answer, tuple):
            return None
        if not number and any(isinstance(event, e.ActCompleted) for event in told.events):
            replay.sign_all([told.by.account, told.signed_by])  # what was keyed wrongly may want more signatures
    if not corrected and str(mistake.number) in replay.state.figures.at_hand:
        return replay if replay.correct(mistake.number, right) else None
    return replay if corrected else None


def _as_keyed(day: ToldDay, command: Any, mistake: KeyedWrong, *, is_first: bool) -> Any:  # noqa: ANN401 - of any kind
    if is_first and mistake.field == INSTEAD:
        return replace(command, things=(mistake.wrong,))
    if is_first:
        return replace(command, fields={**command.fields, mistake.field: mistake.wrong, **mistake.also})
    assert day.rules is not None
    counts = day.rules.pages.acts[mistake.act].counts
    if (
        isinstance(command, c.SignAct)
        and command.number == mistake.number
        and command.fields
        and counts is not None
        and mistake.field in counts.counted_fields
    ):
        return replace(command, fields={**command.fields, mistake.field: mistake.wrong})
    return command


def _right_fields(day: ToldDay, mistake: KeyedWrong) -> dict[str, Any]:
    """Return the fields of a correction: all figures again, and what was wrong."""
    told = day.told[mistake.at].command
    assert day.rules is not None
    act = day.rules.pages.acts[mistake.act]
    assert act.corrected is not None
    again = {
        key: told.fields[key]
        for key in act.corrected.fields
        if key in told.fields and act.fields[key].type in {"units", "cents"}
    }
    unsaid = [key for key in mistake.also if key not in told.fields]
    again |= {UNSAID: unsaid} if unsaid else {}
    if mistake.right is not None:
        return {**again, mistake.field: mistake.right}
    field = act.fields[mistake.field]
    if act.moves and act.moves.lost:  # it came as it was sent
        return {mistake.field: day.told[mistake.at].before.things[f"{act.thing}/{told.things[0]}"].facts[mistake.field]}
    if field.type in {"units", "cents"}:
        return again
    return {**again, **({mistake.field: False} if field.type in {"flag", "no"} else {UNSAID: [mistake.field]})}
