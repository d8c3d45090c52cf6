"""Random days of an office's money, told rightly or with mistakes that are corrected later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.figures import INSTEAD
from passline.acts.judges.recalling import find_figure
from passline.acts.rules import ActRules
from passline.acts.schema import Act
from passline.acts.state import INCIDENT, ActState
from passline.acts.tills import INVENTORIES
from passline.bookkeeping.period_sums import PeriodSum, sum_of, sums_of_days
from passline.bookkeeping.results import TableResult
from passline.bookkeeping.win import table_results
from passline.refusal import Refused
from passline.store.timestamps import later
from tests.office.bookkeeping import KeptOffice

FIRST = date(2026, 3, 2)
_PEOPLE = {
    "olga": "owner", "cora": "compliance", "acc": "accountant", "aud": "auditor", "cy": "cashier", "cal": "cashier",
    "dan": "dealer", "bob": "boxperson", "flo": "floorperson", "fay": "floorperson", "ned": "counter", "nia": "counter",
}  # fmt: skip
_TABLES = ("T1", "T2")
_UNITS = ("500", "2500", "10000")
Fields = dict[str, Any]
_MARKS = frozenset({"act", "corrected_by"})  # facts that are numbers of acts


class Step(NamedTuple):
    """One act of a story; what it says that may be wrong is in `figures`."""

    by: str
    act: str
    things: tuple[str, ...]
    fields: Fields
    figures: Fields
    signs: tuple[tuple[str, str], ...]  # who signs as what


class Mistake(NamedTuple):
    """A step that was keyed wrongly, and after which step that is put right."""

    step: int
    figures: Fields
    until: int
    thing: str = ""  # what it was keyed for, if it was another


_TABLE_FACTS: dict[str, Fields] = {
    "maryland": {"length": 160},
    "colorado": {"number_on": "accessory", "length": 150},
}


def random_story(regulation: str, random: Random, days: int) -> list[Step | date]:
    """Return the acts of some gaming days; a date stands where that day is over."""
    known = {"area": "pit-1", **_TABLE_FACTS.get(regulation, {})}
    story: list[Step | date] = [
        *(Step("cora", "register_table", (table,), {}, known, ()) for table in _TABLES),
        *(Step("cora", "specify_chip", (unit,), {}, {"colour": "red"}, ()) for unit in _UNITS),
        Step("cy", "enter_patron", ("P1",), {}, {"name": "Ann", "identification": "licence 7"}, ()),
        Step("cy", "enter_patron", ("P2",), {}, {"name": "Ben"}, ()),
        Step("acc", "receive_chips", (), {"delivery": "note 1"}, {"units": _many(9000)}, (("cy", "witness"),)),
        Step("acc", "issue_chips", (), {}, {"units": _many(4000)}, (("cy", "witness"),)),
    ]
    for number in range(40):
        story.append(Step("olga", "enter_drop_box", (f"D{number}",), {}, {}, ()))
        story.append(Step("olga", "enter_tip_box", (f"B{number}",), {}, {}, ()))
    boxes, slips = iter(range(40)), {"F": 0, "C": 0}
    on = {table: f"D{next(boxes)}" for table in _TABLES}
    story += (Step("flo", "attach_drop_box", (table,), {"drop_box": box}, {}, ()) for table, box in on.items())
    for number in range(days):
        day = FIRST + timedelta(days=number)
        for table in _TABLES:
            story.append(_tray("opener", table, "day", random))
        for shift in ("day", "swing"):
            for _ in range(random.randint(3, 6)):
                story += _work(random, slips)
            for table in _TABLES:
                if shift == "day":
                    story.append(_tray("shift", table, shift, random))
                taken, on[table] = on[table], f"D{next(boxes)}"
                fields = {"shift": shift, "dropped": taken, "drop_box": on[table]}
                story.append(Step("ned", "drop_table", (table,), fields, {}, (("flo", "viewer"),)))
                story.append(_box(taken, random))
                if shift == "swing":
                    story.append(_tray("closer", table, shift, random))
        story.append(day)
    return story


def _many(count: int) -> dict[str, int]:
    return dict.fromkeys(_UNITS, count)


def _some(random: Random, most: int = 60) -> dict[str, int]:
    return {unit: random.randint(1, most) for unit in random.sample(_UNITS, random.randint(1, 3))}


def _tray(which: str, table: str, shift: str, random: Random) -> Step:
    figures = {"chips": _some(random), "shift": shift}
    return Step("dan", f"count_{which}", (table,), {}, figures, (("flo", "second"),))


def _box(box: str, random: Random) -> Step:
    figures: Fields = {"cash": {"10000": random.randint(1, 30)}}
    if random.random() < 0.6:
        figures["chips"] = _some(random, 5)
    if random.random() < 0.3:
        figures["tickets"] = random.randint(1, 900)
    return Step("ned", "count_box", (box,), {"team": ["ned", "nia"]}, figures, (("nia", "second"), ("cy", "cage")))


def _work(random: Random, slips: dict[str, int]) -> list[Step]:
    """Return something that happens with chips during a shift."""
    table, units = random.choice(_TABLES), _some(random, 20)
    match random.choice(("fill", "fill", "credit", "sell", "redeem", "cage", "reserve", "store")):
        case "fill":
            slips["F"] += 1
            slip = (f"F-{slips['F']:06}",)
            return [
                Step("flo", "request_fill", (), {"table": table}, {"units": units}, ()),
                Step("cy", "prepare_fill", slip, {}, {}, ()),
                Step("fay", "carry_fill", slip, {}, {}, ()),
                Step("dan", "accept_fill", slip, {}, {}, ()),
            ]
        case "credit":
            slips["C"] += 1
            slip = (f"C-{slips['C']:06}",)
            steps = [
                Step("flo", "request_credit", (), {"table": table}, {"units": units}, ()),
                Step("dan", "prepare_credit", slip, {}, {}, ()),
            ]
            if random.random() < 0.3:
                return [*steps, Step("flo", "return_credit", slip, {"reason": "no"}, {}, (("bob", "witness"),))]
            return [
                *steps,
                Step("fay", "carry_credit", slip, {}, {}, ()),
                Step("cy", "accept_credit", slip, {}, {}, ()),
            ]
        case "sell":
            return [Step("cy", "sell_chips", (), {}, {"units": units, "patron": random.choice(("P1", "P2"))}, ())]
        case "redeem":
            return [Step("cal", "redeem_chips", (), {}, {"units": units}, ())]
        case "cage":
            return [Step("cy", "count_cage", (), {}, {"units": _near(4000, random)}, (("acc", "second"),))]
        case "reserve":
            return [Step("acc", "reconcile_reserve", (), {}, {"units": _near(5000, random)}, (("cy", "second"),))]
        case _:
            return [Step("cy", "store_chips", (), {}, {"units": units}, (("acc", "witness"),))]


def _near(count: int, random: Random) -> dict[str, int]:
    return {unit: count + random.randint(-50, 50) for unit in _UNITS}


def random_mistakes(story: list[Step | date], random: Random, count: int) -> list[Mistake]:
    """Return mistakes in steps of a story, each put right at some later step of it."""
    fit = [number for number, step in enumerate(story) if isinstance(step, Step) and step.figures]
    found = []
    for number in sorted(random.sample(fit, count)):
        step = story[number]
        assert isinstance(step, Step)
        wrong = {key: _wrong(value, random) for key, value in step.figures.items()}
        found.append(Mistake(number, wrong, random.randrange(number, len(story))))
    return found


def wrong_tables(story: list[Step | date], random: Random, count: int) -> list[Mistake]:
    """Return counts of one tray that were keyed for the other one, each put right before either is counted again."""
    counts = [at for at, step in enumerate(story) if isinstance(step, Step) and step.act in INVENTORIES]
    fit = [number for number, at in enumerate(counts) if _is_fit_for_other(story[at])]
    found = []
    for number in sorted(random.sample(fit, count)):
        at = counts[number]
        step = story[at]
        assert isinstance(step, Step)
        (other,) = {*_TABLES} - {*step.things}
        until = random.randrange(at, counts[number + 1] if number + 1 < len(counts) else len(story))
        found.append(Mistake(at, step.figures, until, other))
    return found


def is_of_day(story: list[Step | date], mistake: Mistake) -> bool:
    """Whether a mistake was made in the first day, in what its books are about."""
    return mistake.step < story.index(FIRST)


def within_day(story: list[Step | date], mistake: Mistake) -> Mistake:
    """A mistake after which it is known all the same what the table has won in the day: the sums can be compared."""
    step = story[mistake.step]
    assert isinstance(step, Step)
    figures = mistake.figures | ({"shift": step.figures["shift"]} if step.act == "count_shift" else {})
    return mistake._replace(figures=figures)


def replace_until(mistake: Mistake, until: int) -> Mistake:
    """A mistake that is put right at another step; after the last one, never."""
    return mistake._replace(until=until)


def _is_fit_for_other(step: Step | date) -> bool:
    """Return whether a count could be keyed for the other table: not where that is opened, or closed, already."""
    return isinstance(step, Step) and (step.act == "count_shift" or step.things == _TABLES[:1])


def _wrong(value: Any, random: Random) -> Any:  # noqa: ANN401 - a figure of any kind
    match value:
        case dict():
            changed = {unit: max(count + random.randint(-9, 9), 1) for unit, count in value.items()}
            unit = min(changed)
            changed[unit] += changed == value
            return {random.choice(_UNITS): random.randint(1, 9), **changed} if random.random() < 0.4 else changed
        case int():
            return max(value - random.randint(1, 50), 1)
        case "day" | "swing":
            return "day" if value == "swing" else "swing"
        case "P1" | "P2":
            return "P2" if value == "P1" else "P1"
        case "pit-1":
            return "pit-2"
        case "accessory":
            return value
        case _:
            return f"{value} (misread)"


# --- What two histories have in common --------------------------------------------------------------------------------


def facts_known(state: ActState) -> dict[str, Any]:
    """Return all that is known of things, but for incidents and for which act said so."""
    return {
        key: (thing.state, {fact: value for fact, value in thing.facts.items() if fact not in _MARKS and value})
        for key, thing in state.things.items()
        if thing.kind != INCIDENT
    }


def stocks_held(state: ActState) -> dict[str, dict[str, dict[str, int]]]:
    """Return what lies where, without the places where nothing does."""
    held = {stock: {place: units for place, units in places.items() if units} for stock, places in state.stocks.items()}
    return {stock: places for stock, places in held.items() if places}


def results_known(events: Iterable[tuple[str, e.ActEvent]], facility: Facility) -> dict[str, TableResult]:
    """Return what tables have won by table, day and shift, without the marks of corrections."""
    return {
        f"{result.table} {result.day} {result.shift}": replace(result, corrections=(), acts=(), crews=())
        for result in table_results(events, facility)
        if result.is_played
    }


def sums_known(events: Iterable[tuple[str, e.ActEvent]], facility: Facility) -> PeriodSum:
    """Return what tables have won in all, without the marks of corrections."""
    found = sum_of(sums_of_days(table_results(events, facility)).values())
    return replace(found, corrections=0)


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return what differs, so that a failure says it at once."""
    return {key: (one.get(key), other.get(key)) for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


class ToldStory(KeptOffice):
    """An office in which a story happens."""

    def __init__(self, regulation: str | ActRules) -> None:
        super().__init__(regulation, Facility(name="Harbour", zone="America/Denver", areas=("pit-1", "pit-2")), _PEOPLE)
        self.go_to(str(FIRST), "12:00")
        self.acts: dict[int, int] = {}  # the number of the act, by step

    def tell_story(
        self, story: list[Step | date], mistakes: list[Mistake] | None = None, *, closes: bool = False
    ) -> None:
        """Do everything in a story, wrongly where it says so until that is corrected."""
        wrong = {mistake.step: mistake for mistake in mistakes or ()}
        for number, step in enumerate(story):
            self.at = later(self.at, 30)
            if isinstance(step, date):
                self.end_day(step, closes=closes)
            else:
                figures = wrong[number].figures if number in wrong else step.figures
                things = (wrong[number].thing,) if number in wrong and wrong[number].thing else step.things
                self._do(step.by, step.act, things, {**step.fields, **figures}, step.signs)
                self.acts[number] = self.state.acts
            for mistake in mistakes or ():
                if mistake.until == number:
                    self.correct(story, mistake)

    def end_day(self, day: date, *, closes: bool = True) -> None:
        """Let a gaming day be over, and close its books."""
        self.go_to(str(day + timedelta(days=1)), "12:00")
        if not closes:
            return
        for incident in self.state.of_kind(INCIDENT, ["open"]):
            who = (by for by in _PEOPLE if self.tries(by, "investigate_incident", incident.id, finding="a miscount"))
            assert next(who, ""), incident.id
        self.does("acc", "close_gaming_day", str(day))
        self.signs("cora", "second")

    def _do(
        self, by: str, act: str, things: tuple[str, ...], fields: Mapping[str, Any], signs: tuple[tuple[str, str], ...]
    ) -> None:
        answer = self.send(c.DoAct(act=act, things=things, fields=dict(fields)), by)
        assert not isinstance(answer, Refused), (act, things, answer)
        rule = self.rules.pages.acts[act]
        for signer, part in signs:
            self.signs(signer, part, **_counted_again(rule, part, fields))
        if waiting := self.state.pending.get(str(self.state.acts)):  # what was asked besides, such as for nobody's cash
            for part in {*waiting.done.waits} - {*waiting.signed}:
                used = {by, *waiting.signed.values()}
                self.signs(
                    next(name for name, role in _PEOPLE.items() if role in rule.signs[part].by and name not in used),
                    part,
                )

    def correct(self, story: list[Step | date], mistake: Mistake) -> None:
        """Correct a mistake by the act that is made for it, signed by as many people."""
        step = story[mistake.step]
        assert isinstance(step, Step)
        first = self.rules.pages.acts[step.act]
        assert first.corrected is not None, step.act
        act = first.corrected.act or f"correct_{step.act}"
        rule, things = self.rules.pages.acts[act], self._things_of(step, mistake)
        fields = {"corrects": self.acts[mistake.step], "reason": "misread", **step.figures}
        if mistake.thing:
            fields[INSTEAD] = step.things[0]
        used = {step.by}
        signs = []
        for part, sign in rule.signs.items():
            if sign.only and not fields.get(sign.only):
                continue  # nobody is asked
            fit = next(name for name, role in _PEOPLE.items() if role in sign.by and name not in used)
            used.add(fit)
            signs.append((fit, part))
        self._do(step.by, act, things, fields, tuple(signs))

    def _things_of(self, step: Step, mistake: Mistake) -> tuple[str, ...]:
        """Return what a step was done to; a slip has the number that the office gave it."""
        if mistake.thing:
            return (mistake.thing,)
        if step.things or not self.rules.pages.acts[step.act].thing:
            return step.things
        found = find_figure(self.scene, self.acts[mistake.step])
        assert found is not None, (step.act, self.acts[mistake.step])
        return found[1].things

    def move_to(self, rules: ActRules) -> None:
        """Be run by other pages from now on."""
        self.rules = rules
        self.send(c.KeepOffice(name=rules.name, pages="", program="trial"))


def _counted_again(rule: Act, part: str, fields: Mapping[str, Any]) -> Fields:
    if rule.counts is None or not rule.signs[part].counts:
        return {}
    return {key: fields[key] for key in rule.counts.counted_fields if key in fields}
