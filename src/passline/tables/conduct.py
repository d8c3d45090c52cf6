"""Disputes, which freeze a table, breaches of conduct, and irregularities that somebody directs and watches."""

from __future__ import annotations

from collections.abc import Sequence

from passline.authority.duties import role_list
from passline.game import commands as c
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import Irregularities, clause_text, refusal
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.live import LiveTable
from passline.tables.supervised import Irregularity

_TEXT_MAX = 2_000
_OPEN_MAX = 100  # irregularities
_MOMENTS = ("", "last_roll")
_PRACTICE = "this is a practice table; the dispute is recorded, with what every screen had shown"


def freeze_table(
    live: LiveTable, rules: Rules, command: k.FreezeTable
) -> Sequence[t.TableFrozen | t.TableReleased] | Sequence[Refusal]:
    """Freeze a table that is not frozen, with a reason and what every screen had shown.

    At a practice table, where anybody may sit down, a player's dispute is recorded and play goes on. The crew still
    stops it, by a freeze that names no seat.
    """
    if unfit := _unfit_text("a reason", command.reason):
        return unfit
    if command.seat and command.seat not in live.players:
        return [refusal(rules.game.seats.cite, f"nobody is at seat {command.seat}")]
    if live.frozen:
        return [refusal(rules.procedures.dispute.cite, "the table is already frozen; release-table ends it")]
    happened: list[t.TableFrozen | t.TableReleased] = [t.TableFrozen(command.reason, command.seat, command.shown)]
    if live.practice_cents_max and command.seat:
        happened.append(t.TableReleased(_PRACTICE))
    return happened


def report_shown(live: LiveTable, rules: Rules, command: k.ReportShown) -> list[t.ScreensShown] | list[Refusal]:
    """Record what screens had shown before the current freeze, for seated players, if it is more than was known.

    `verify` checks that it was before the freeze, since only the log knows the sequence of an entry.
    """
    cite = rules.procedures.dispute.cite
    if live.frozen is None or command.freeze != live.froze:
        return [refusal(cite, f"the table is not frozen, or was frozen by another entry than {command.freeze}")]
    if strangers := command.shown.keys() - {str(seat) for seat in live.players}:
        return [refusal(cite, f"nobody is at seat {', '.join(sorted(strangers))}")]
    newer = {seat: last for seat, last in command.shown.items() if last > live.frozen.shown.get(seat, 0)}
    if not newer:
        return [refusal(cite, "what these screens showed is already recorded")]
    return [t.ScreensShown(command.freeze, newer)]


def release_table(live: LiveTable, rules: Rules, command: k.ReleaseTable) -> list[t.TableReleased] | list[Refusal]:
    """Release a frozen table, with what was found."""
    if live.frozen is None:
        return [refusal(rules.procedures.dispute.cite, "the table is not frozen: there is nothing to release")]
    return _unfit_text("a finding", command.finding) or [t.TableReleased(command.finding)]


def report_conduct(
    live: LiveTable, rules: Rules, command: k.ReportConduct, approvals: Approvals
) -> list[t.ConductReported] | list[Refusal]:
    """Report what this regulation calls a breach of conduct."""
    if command.seat not in live.players:
        return [refusal(rules.game.seats.cite, f"nobody is at seat {command.seat}")]
    law = rules.rulebook.general.live
    match command.breach:
        case "strategy_advice" if law.advice:
            rule, unfit = law.advice, None
            if command.role not in law.advice.by:
                unfit = f"advice by the {command.role} is not a breach" if command.role else "name who gave the advice"
                unfit += f": only advice by the {role_list(law.advice.by)} is a breach"
            elif command.during not in _MOMENTS:
                unfit = f"during: {command.during!r} is neither last_roll nor left out (for now)"
            elif not _had_pending(live, command):
                unfit = f"seat {command.seat} had no wager pending then, so advice was not a breach"
        case "prediction_aid" if law.prediction_aid:
            rule, unfit = law.prediction_aid, None  # type: ignore[assignment]
            if may_show_rolls(rules, approvals):
                unfit = f"{' and '.join(law.prediction_aid.authorities)} have approved the aid"
        case _:
            rules_by_name = (("strategy_advice", law.advice), ("prediction_aid", law.prediction_aid))
            known = ", ".join(name for name, rule in rules_by_name if rule) or "none"
            why = f"{command.breach!r} is not a breach under this regulation; the breaches are: {known}"
            return [refusal(rules.rulebook.general.closed_list.cite, why)]
    if unfit:
        return [refusal(rule.cite, unfit)]
    text = clause_text(rule.cite)
    return [t.ConductReported(command.breach, command.seat, command.role, command.text[:_TEXT_MAX], text)]


def _had_pending(live: LiveTable, command: k.ReportConduct) -> bool:
    """Return whether that player has a wager pending, or had one at the last throw and is still seated."""
    layout = live.game.position.layout
    if command.during and live.before_roll is not None:
        come = any(isinstance(done.command, c.TakeSeat) and done.command.seat == command.seat for done in live.since)
        layout = layout if come else (*layout, *live.before_roll.game.position.layout)
    return any(wager.seat == command.seat for wager in layout)


def may_show_rolls(rules: Rules, approvals: Approvals) -> bool:
    """Return whether a table may show a histogram and a history of its rolls."""
    rule = rules.rulebook.general.live.prediction_aid
    return rule is None or approvals.has("prediction_aid", *rule.authorities)


def _unfit_text(field: str, text: str) -> list[Refusal]:
    if 0 < len(text.strip()) <= _TEXT_MAX:
        return []
    return [Refusal("form", f"give {field} of 1 to {_TEXT_MAX} characters")]


# --- Irregularities ---------------------------------------------------------------------------------------------------


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


def direct_action(live: LiveTable, rules: Rules, command: k.DirectAction) -> list[t.ActionDirected] | list[Refusal]:
    """Direct what is done about an irregularity."""
    found = _irregularity(live, rules, "direct", command.irregularity)
    if isinstance(found, Refusal):
        return [found]
    irregularity, law = found
    unfit = _unfit_text("an action", command.action)
    return unfit or [t.ActionDirected(irregularity.number, command.action, clause_text(law.direct.cite))]


def observe_action(live: LiveTable, rules: Rules, command: k.ObserveAction) -> list[t.ActionObserved] | list[Refusal]:
    """Record who watched the directed action; the irregularity is then dealt with."""
    found = _irregularity(live, rules, "observe", command.irregularity)
    if isinstance(found, Refusal):
        return [found]
    irregularity, law = found
    if not irregularity.action:
        why = f"nothing is directed yet about irregularity {irregularity.number}: direct what is done about it first"
        return [refusal(law.direct.cite, why)]
    return [t.ActionObserved(irregularity.number, clause_text(law.observe.cite))]


def open_irregularities(live: LiveTable, rules: Rules) -> list[Refusal]:
    """Refuse to close a table at which an irregularity is not dealt with."""
    law = rules.rulebook.general.live.irregularities
    if law is None or not live.supervision.irregularities:
        return []
    irregularity = live.supervision.irregularities[0]
    rule, missing = (law.observe, "watched") if irregularity.action else (law.notify, "directed")
    about = f"irregularity {irregularity.number} is not dealt with ({irregularity.text[:60]})"
    why = f"{about}: what is done about it must be {missing}"
    return [refusal(rule.cite, f"{why} by the {role_list(rule.by)} first")]


def _irregularity(
    live: LiveTable, rules: Rules, step: str, number: int
) -> tuple[Irregularity, Irregularities] | Refusal:
    """Return an open irregularity and the rules on them, or why there is none to take a step about."""
    law = rules.rulebook.general.live.irregularities
    if law is None:
        return _none(rules)
    known = {irregularity.number: irregularity for irregularity in live.supervision.irregularities}
    if number not in known:
        numbers = ", ".join(map(str, known)) or "none"
        rule = law.direct if step == "direct" else law.observe
        return refusal(rule.cite, f"irregularity {number} is not open at this table; open are: {numbers}")
    return known[number], law


def _none(rules: Rules) -> Refusal:
    why = "irregularities are not reported this way under this regulation; a dispute freezes the table"
    return refusal(rules.procedures.dispute.cite, why)
