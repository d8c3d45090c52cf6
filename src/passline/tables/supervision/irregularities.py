"""Irregularities: reported, directed and watched by those whom the regulation names."""

from __future__ import annotations

from passline.authority.duties import role_list
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import RoleRule, clause_text, refusal
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.live import LiveTable
from passline.tables.state.supervised import Irregularity

__all__ = ["direct_action", "observe_action", "report_irregularity", "unfinished"]

_TEXT_MAX = 2_000
_OPEN_MAX = 100


def report_irregularity(
    live: LiveTable, rules: Rules, command: k.ReportIrregularity
) -> list[t.IrregularityReported] | list[Refusal]:
    """Report an irregularity; it stays open until what is done about it was directed and watched."""
    law = rules.rulebook.general.live.irregularities
    if law is None:
        return [_none(rules)]
    if unfit := _unfit_text("a description", command.text):
        return unfit
    if len(live.supervision.irregularities) >= _OPEN_MAX:
        return [refusal(law.notify.cite, f"{_OPEN_MAX} irregularities are open: deal with those first")]
    return [t.IrregularityReported(live.supervision.reported + 1, command.text, clause_text(law.notify.cite))]


def direct_action(
    live: LiveTable, rules: Rules, command: k.DirectAction, role: str
) -> list[t.ActionDirected] | list[Refusal]:
    """Direct what is done about an irregularity."""
    law = rules.rulebook.general.live.irregularities
    if law is None:
        return [_none(rules)]
    found = _found(live, law.direct, command.irregularity, role, "directs what is done about")
    if isinstance(found, Refusal):
        return [found]
    unfit = _unfit_text("an action", command.action)
    return unfit or [t.ActionDirected(found.number, command.action, clause_text(law.direct.cite))]


def observe_action(
    live: LiveTable, rules: Rules, command: k.ObserveAction, role: str
) -> list[t.ActionObserved] | list[Refusal]:
    """Record who watched the directed action; the irregularity is then dealt with."""
    law = rules.rulebook.general.live.irregularities
    if law is None:
        return [_none(rules)]
    found = _found(live, law.observe, command.irregularity, role, "watches what is done about")
    if isinstance(found, Refusal):
        return [found]
    if not found.action:
        why = f"nothing is directed yet about irregularity {found.number}: direct what is done about it first"
        return [refusal(law.direct.cite, why)]
    return [t.ActionObserved(found.number, clause_text(law.observe.cite))]


def unfinished(live: LiveTable, rules: Rules) -> list[Refusal]:
    """Refuse to close a table at which an irregularity is not dealt with."""
    law = rules.rulebook.general.live.irregularities
    if law is None or not live.supervision.irregularities:
        return []
    one = live.supervision.irregularities[0]
    rule, missing = (law.observe, "watched") if one.action else (law.notify, "directed")
    why = f"irregularity {one.number} is not dealt with ({one.text[:60]}): what is done about it must be {missing}"
    return [refusal(rule.cite, f"{why} by the {role_list(rule.by)} first")]


def _found(live: LiveTable, rule: RoleRule, number: int, role: str, does: str) -> Irregularity | Refusal:
    if role not in rule.by:
        return refusal(rule.cite, f"the {role_list(rule.by)} {does} an irregularity, not the {role}")
    for one in live.supervision.irregularities:
        if one.number == number:
            return one
    known = ", ".join(str(one.number) for one in live.supervision.irregularities) or "none"
    return refusal(rule.cite, f"irregularity {number} is not open at this table; open are: {known}")


def _none(rules: Rules) -> Refusal:
    why = "irregularities are not reported this way under this regulation; a dispute freezes the table"
    return refusal(rules.procedures.dispute.cite, why)


def _unfit_text(field: str, text: str) -> list[Refusal]:
    if 0 < len(text.strip()) <= _TEXT_MAX:
        return []
    return [Refusal("form", f"give {field} of 1 to {_TEXT_MAX} characters")]
