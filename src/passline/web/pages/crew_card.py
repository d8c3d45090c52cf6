"""The crew's card: what the crew does at a table, in which roles and for which reasons, by the rules in force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from passline.dice import number_text
from passline.game.spots import Spot, least_cents, unit_cents
from passline.layout.printed import chip_colour
from passline.rules.clauses import clauses_of
from passline.rules.rules import Rules
from passline.rules.schema import Cite, NoRollReason, RoleRule, Rule, cites_of, clause_text
from passline.tables.commands import PutInDice
from passline.tables.duties import DUTIES

_NO_NUMBER = 0


def crew_card(rules: Rules) -> dict[str, Any]:
    """Return what a crew console offers. All of it comes from the rules; the page itself lists no reason.

    >>> from passline.rules.rules import Rules
    >>> card = crew_card(Rules.of("maryland"))
    >>> [reason["name"] for reason in card["no_roll"]["reasons"]][:3]
    ['Not together', 'Short throw', 'On bank']
    >>> card["order"]["by"], card["offer"]["dice"]
    (['boxperson'], 5)
    """
    procedures, throw = rules.procedures, rules.procedures.throw
    no_roll, shooter, general = procedures.no_roll, procedures.shooter, rules.rulebook.general
    return {
        "regulation": rules.rulebook.name,
        "game": rules.house.game,
        "title": general.title,
        "stickperson": rules.house.stickperson,
        "automate": sorted(rules.automate),
        "no_roll": {
            "by": list(rules.roles(rules.house.no_roll_callers or no_roll.by)),
            "clause": clause_text(no_roll.cite),
            "reasons": _reasons(rules, no_roll.reasons),
            "no_reason": _reasons(rules, no_roll.no_reason),
        },
        "lies": _reasons(rules, throw.void),
        "cocked": clause_text(throw.cocked.cite),
        "order": {
            "by": list(shooter.order_to_pass.by),
            "clause": clause_text(shooter.order_to_pass.cite),
            "reasons": _reasons(rules, shooter.order_reasons),
        },
        "offer": {
            "by": list(rules.roles(procedures.dice.offered_by)),
            "clause": clause_text(procedures.dice.next_cite),
            "dice": rules.house.dice_set,
        },
        "call": _step(rules, throw.called_by),
        "settle": _step(rules, throw.settled_first),
        "pass": _step(rules, throw.passed_by),
        "dispute": {"by": list(procedures.dispute.by), "clause": clause_text(procedures.dispute.cite)},
        "conduct": _breaches(rules),
        "dice_sets": _dice_sets(rules),
        "irregularities": _irregularities(rules),
        "button": {"by": list(rules.roles(general.call_on.button_by)), "clause": clause_text(general.call_on.cite)},
        "notice_minutes": rules.house.limit_notice_minutes,
        "smallest_chip_cents": rules.house.smallest_chip_cents,
        "wagers": [
            {
                "kind": kind,
                "name": rule.display_name(),
                "numbers": _numbers(rule.numbers),
                "centre": rule.centre,
                "family": rule.family,
                "behind": rule.behind,
                "spots": _spots(rules, kind),
            }
            for kind, rule in rules.wagers.items()
            if rule.is_offered
        ],
        "ends": ends_of(rules),
        "settlement": rules.house.settlement,
        "duties": [
            {"by": list(duty.by), "does": duty.does, "clause": clause_text(duty.cite)}
            for duty in rules.game.duties.values()
        ],
    }


def ends_of(rules: Rules) -> list[dict[str, Any]]:
    """Return the ends of the table with their seats in the order in which a dealer pays them: from base to stick.

    Seat 1 is at the boxperson's left and seats go clockwise, so the stickperson stands between two ends; with a single
    dealer there is one end. A house that keeps the first seat for the stickperson's left has not said where that is:
    then each end has half of the seats.

    >>> [end["seats"] for end in ends_of(Rules.of("maryland", house={"seats": 8, "seat_left_of_stickperson": 6}))]
    [[1, 2, 3, 4, 5], [8, 7, 6]]
    """
    seats, stick = rules.house.seats, rules.house.seat_left_of_stickperson
    if not rules.house.stickperson:
        return [{"name": "", "seats": list(range(1, seats + 1))}]
    first = stick if stick > 1 else -(-seats // 2) + 1
    left, right = list(range(1, first)), list(range(seats, first - 1, -1))
    return [{"name": "Left of the boxperson", "seats": left}, {"name": "Right of the boxperson", "seats": right}]


def chips_in_use(rules: Rules, denominations: Iterable[int] = ()) -> list[dict[str, Any]]:
    """Return the chips that the crew hands over, largest first, with their colours.

    They are those that the office has in stock, where it keeps one, and otherwise those of the regulation.

    >>> [chip["colour"] for chip in chips_in_use(Rules.of("arizona"))]
    ['purple', 'black', 'green', 'red', 'white']
    """
    known = sorted({*denominations} or {*rules.rulebook.general.live.chips.cents}, reverse=True)
    fits = [cents for cents in known if cents >= rules.chip and cents % rules.chip == 0]
    return [{"cents": cents, "colour": chip_colour(rules, cents)} for cents in fits]


def _spots(rules: Rules, kind: str) -> dict[str, dict[str, int]]:
    """Return the least amount and the step of a wager, by its number."""
    return {
        str(number): {"least": least_cents(rules, Spot(kind, number)), "unit": unit_cents(rules, Spot(kind, number))}
        for number in sorted(rules.wagers[kind].numbers)
    }


def _breaches(rules: Rules) -> list[dict[str, Any]]:
    """Return the breaches of conduct that the regulation names, if any, and the roles that commit them."""
    law = rules.rulebook.general.live
    advice = law.advice and {
        "key": "strategy_advice",
        "name": "Advice by the crew",
        "clause": clause_text(law.advice.cite),
        "by": list(law.advice.by),
    }
    aid = law.prediction_aid and {
        "key": "prediction_aid",
        "name": "An aid that projects outcomes",
        "clause": clause_text(law.prediction_aid.cite),
        "by": [],
    }
    return [breach for breach in (advice, aid) if breach]


def _dice_sets(rules: Rules) -> dict[str, Any] | None:
    """Return how long a set of physical dice is used, who puts in a new one and what condemns one, if sets are kept."""
    sets = rules.rulebook.general.live.dice_sets
    if sets is None:
        return None
    return {
        "hours": sets.hours_max,
        "clause": clause_text(sets.cite),
        "by": list(DUTIES[PutInDice].by),
        "reasons": _reasons(rules, sets.reasons),
    }


def _irregularities(rules: Rules) -> dict[str, Any] | None:
    """Return to whom irregularities are reported, who directs and who watches, if the regulation says so."""
    law = rules.rulebook.general.live.irregularities
    if law is None:
        return None
    return {
        step: {"by": list(rule.by), "clause": clause_text(rule.cite)}
        for step, rule in (("notify", law.notify), ("direct", law.direct), ("observe", law.observe))
    }


def _step(rules: Rules, rule: RoleRule) -> dict[str, Any]:
    return {"by": list(rules.roles(rule.by)), "clause": clause_text(rule.cite)}


def _numbers(numbers: frozenset[int]) -> list[dict[str, Any]]:
    """Return the numbers a wager is made on; none if it is made without a number."""
    return [{"number": number, "name": number_text(number)} for number in sorted(numbers) if number != _NO_NUMBER]


def _reasons(rules: Rules, reasons: Mapping[str, Rule]) -> list[dict[str, Any]]:
    return [
        {
            "key": key,
            "name": key.replace("_", " ").capitalize(),
            "clause": clause_text(rule.cite),
            "says": _summary(rules, rule.cite),
            "by": list(rules.roles(rule.by)) if isinstance(rule, NoRollReason) and rule.by else [],
        }
        for key, rule in reasons.items()
    ]


def _summary(rules: Rules, cite: Cite) -> str:
    """Return the summary of the cited clauses, as far as the regulation's list of clauses has them."""
    matrix = clauses_of(rules.rulebook.name)
    return " ".join(matrix[clause].summary for clause in cites_of(cite) if clause in matrix)
