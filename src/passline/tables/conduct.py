"""Disputes, which freeze a table, and reports of breaches of conduct."""

from __future__ import annotations

from collections.abc import Sequence

from passline.authority.duties import role_list
from passline.game import commands as c
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import clause_text, refusal
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.live import LiveTable

__all__ = ["freeze_table", "may_show_rolls", "release_table", "report_conduct", "report_shown"]

_TEXT_MAX = 2_000
_MOMENTS = ("", "last_roll")
_PRACTICE = "this is a practice table; the dispute is recorded, with what every screen had shown"


def freeze_table(
    live: LiveTable, rules: Rules, command: k.FreezeTable
) -> Sequence[t.TableFrozen | t.TableReleased] | Sequence[Refusal]:
    """Freeze a table that is not frozen, with a reason and what every screen had shown.

    At a practice table, where anybody may sit down, a player's dispute is recorded and play goes on. The crew still
    stops it, by a freeze that names no seat.
    """
    if unfit := _unfit_text("reason", command.reason):
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
    """Record what screens had shown before the current freeze: for seated players, and more than is known.

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
    return _unfit_text("finding", command.finding) or [t.TableReleased(command.finding)]


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
                unfit = f"seat {command.seat} had no wager pending then, so advice was no breach"
        case "prediction_aid" if law.prediction_aid:
            rule, unfit = law.prediction_aid, None  # type: ignore[assignment]
            if may_show_rolls(rules, approvals):
                unfit = f"{' and '.join(law.prediction_aid.authorities)} have approved the aid"
        case _:
            rules_by_name = (("strategy_advice", law.advice), ("prediction_aid", law.prediction_aid))
            known = ", ".join(name for name, one in rules_by_name if one) or "none"
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
    return [Refusal("form", f"give a {field} of 1 to {_TEXT_MAX} characters")]
