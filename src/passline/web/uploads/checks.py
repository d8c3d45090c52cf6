"""Reads and checks uploads: what is done in the process beside the server's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec

from passline.acts.papers.houses import complete_file
from passline.acts.rules import office_of
from passline.bounded_text import parse_json, parse_toml
from passline.errors import CrapsError
from passline.refusal import Refusal
from passline.rules.explain.election_form import election_fields
from passline.rules.explain.house_template import house_file
from passline.rules.house_reader import house_of
from passline.rules.pages.texts import RulebookError
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook, clause_text
from passline.side_processes import unpack_question
from passline.tournament.plan.check import check_plan, dealt_rules
from passline.tournament.plan.reader import plan_of
from passline.tournament.plan.rounds_in_words import with_derived_words
from passline.tournament.plan.schema import Plan
from passline.tournament.plan.sheet import rule_sheet
from passline.tournament.rules import tournament_of
from passline.tournament.start_checks import START
from passline.web.uploads.questions import (
    FilledIn,
    FormAsked,
    HouseText,
    PlanText,
    Question,
    TemplateAsked,
    TypedHouse,
)


class Unfit(Exception):
    """An upload that is refused, with the HTTP status and every reason."""

    def __init__(self, status: int, refusals: Iterable[Refusal]) -> None:
        self.status, self.refusals = status, tuple(refusals)
        super().__init__("; ".join(refusal.why for refusal in self.refusals))


def answer_packed(given: bytes) -> bytes:
    """Answer a question in JSON: the HTTP status, and then JSON."""
    try:
        return b"200" + msgspec.json.encode(_answer(unpack_question(given, Question)))
    except Unfit as unfit:
        return str(unfit.status).encode() + msgspec.json.encode({"refusals": unfit.refusals})


def _answer(question: Question) -> dict[str, Any]:
    match question:
        case TypedHouse():
            return {"house": checked_house(question)}
        case FilledIn(house):
            return checked_form(_rulebook(house), house)
        case HouseText(toml):
            house = _parse_house(toml)
            return checked_form(_rulebook(house), house)
        case PlanText(text, is_guided):
            return checked_plan(text, is_guided=is_guided)
        case FormAsked(regulation, game):
            rules = _rules(regulation, game)
            return {"fields": election_fields(rules), **checked_form(rules.rulebook, complete_file(rules))}
        case TemplateAsked(regulation, game):
            return {"toml": house_file(_rules(regulation, game))}


def checked_house(typed: TypedHouse) -> dict[str, Any]:
    """Return the elections of a house. Raise Unfit with every breach if it breaks the regulation.

    >>> checked_house(TypedHouse("wager_cents_min = 1000", "maryland", "craps"))
    {'wager_cents_min': 1000, 'rules': 'maryland', 'game': 'craps'}
    """
    data = _parse_house(typed.toml)
    data.setdefault("rules", typed.regulation)
    data.setdefault("game", typed.game)
    _, breaches = house_of(_rulebook(data), data)
    if breaches:
        raise Unfit(409, (Refusal(breach.clause, f"{breach.key}: {breach.problem}") for breach in breaches))
    return data


def checked_form(rulebook: Rulebook, data: dict[str, Any]) -> dict[str, Any]:
    """Return a house complete with its defaults, and all its breaches; without any, its file and what identifies it.

    >>> checked = checked_form(rulebook_of("maryland"), {"rules": "maryland", "dice_set": 1})
    >>> [one.key for one in checked["breaches"]], checked["toml"]
    (['dice_set'], '')
    """
    house, breaches = house_of(rulebook, data)
    if house is None or breaches:
        return {"house": data, "breaches": breaches, "toml": "", "sha256": ""}
    rules = Rules(rulebook, house)
    toml = house_file(rules)
    return {"house": complete_file(rules), "breaches": (), "toml": toml, "sha256": sha256(toml.encode()).hexdigest()}


def checked_plan(text: str, *, is_guided: bool = False) -> dict[str, Any]:
    """Return the data of a plan, every breach with its clause, and its rule sheet; no data if it cannot be read at all.

    Of a guided plan what the sheet says of rounds is made from them.

    >>> [fault.why for fault in checked_plan("rules = 9223372036854775808")["faults"]]
    ['the plan: a number has more than 18 digits']
    """
    try:
        data = _plan_data(text)
        rules = tournament_of(str(data.get("rules", "")))
    except CrapsError as error:
        return {"plan": None, "faults": [Refusal("form", str(error))], "sheet": None, "ahead": (), "gate": ()}
    plan, unfit = plan_of(data)
    faults, sheet = [Refusal("form", str(fault)) for fault in unfit], None
    if plan is not None:
        if is_guided:
            plan = with_derived_words(plan)
            data = msgspec.to_builtins(plan)
        faults += (Refusal(breach.clause, f"{breach.key}: {breach.problem}") for breach in check_plan(rules, plan))
        sheet = rule_sheet(rules, plan, dealt_rules(rules, plan))
    ahead = [*_owed_before(plan)] if plan is not None and plan.events else []
    gate = [*_first_round_needs(plan)] if plan is not None else []
    return {"plan": data, "faults": faults, "sheet": sheet, "ahead": ahead, "gate": gate}


def _first_round_needs(plan: Plan) -> Iterator[Refusal]:
    """Yield what the office of a regulation is asked for before a first round: what is wrong if it is not so."""
    if gate := office_of(plan.rules).pages.gates.get(START):
        yield from (Refusal(clause_text(item.cite), item.says) for item in gate.items.values())


def _owed_before(plan: Plan) -> Iterator[Refusal]:
    """Yield what the office of a regulation owes before a tournament begins, by which day, with its clause."""
    pages, begins = office_of(plan.rules).pages, min(event.first_day for event in plan.events)
    for clock in pages.clocks.values():
        length, start = clock.length, pages.acts.get(clock.starts)
        if clock.runs == "before" and start and start.thing == "tournament" and length and length.unit == "days":
            last = begins - timedelta(days=length.count)
            yield Refusal(clause_text(clock.cite), f"{clock.name}: by {last}, {length.count} days before it begins")


def _plan_data(text: str) -> dict[str, Any]:
    try:
        return parse_json(text.encode()) if text.lstrip().startswith("{") else parse_toml(text)
    except CrapsError as error:
        raise CrapsError(f"the plan: {error}") from None


def _parse_house(toml: str) -> dict[str, Any]:
    try:
        return parse_toml(toml)
    except CrapsError as error:
        raise Unfit(422, (Refusal("form", str(error)),)) from None


def _rulebook(data: dict[str, Any]) -> Rulebook:
    try:
        return rulebook_of(str(data.get("rules", "")))
    except RulebookError as error:
        raise Unfit(422, (Refusal("house", str(error)),)) from None


def _rules(regulation: str, game: str) -> Rules:
    try:
        return Rules.of(regulation, game=game)
    except RulebookError as error:
        raise Unfit(404, (Refusal("house", str(error)),)) from None
