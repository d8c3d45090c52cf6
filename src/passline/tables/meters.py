"""Meters of progressives at live tables: how one is closed and opened again, and what a new house must keep of them.

What stands on a meter above its base belongs to the players of that wager. So it outlasts the night, and another house
or text: who wants a progressive no more closes its meter, as its clause says. No chips move at the table by it: what is
handed out as an award or prize the house owes from then on, and pays elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from passline.game import events as e
from passline.game.position import METER_CLOSED, PointsMode
from passline.game.progressives import is_closed, meter_of
from passline.money import dollars
from passline.refusal import Refusal
from passline.rules.rules import Rules
from passline.rules.schema import METER_UNIT, Progressive, clause_text, refusal
from passline.tables import commands as k
from passline.tables.approvals import Approvals
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.terms import GAME_RULES, is_play_money

_TEXT_MAX = 500
_ANOTHER = "another meter"


def close_meter(live: LiveTable, command: k.CloseMeter) -> list[e.Event] | list[Refusal]:
    """Close a meter with none of its wagers up; what stands above its base goes where its clause lets it go."""
    rules = rules_of(live)
    progressive = rules.progressives.get(command.wager)
    if progressive is None:
        return [Refusal("form", f"wager: {command.wager[:60]!r} has no meter at this table")]
    name, cite = rules.wagers[command.wager].display_name(), (progressive.closes or progressive.base).cite
    if is_closed(live.game, command.wager):
        return [refusal(cite, f"the meter of {name} is closed already")]
    meter, base = meter_of(live.game, command.wager, progressive), progressive.base_cents * METER_UNIT
    refusals = [
        *_unfit_words(command),
        *(
            [refusal(cite, f"a {name} wager is up: the meter is closed when all are decided")]
            if any(wager.kind == command.wager for wager in live.game.position.layout)
            else []
        ),
        *_unfit_rest(live, rules, progressive, command, above=meter - base),
    ]
    if refusals:
        return refusals
    is_owed = meter > base and command.above != _ANOTHER
    closed = e.MeterClosed(
        kind=command.wager,
        meter=meter,
        reason=command.reason.strip(),
        clause=clause_text(cite),
        above=command.above,
        cents=-((base - meter) // METER_UNIT) if is_owed else 0,  # a part of a cent is a cent: the public loses nothing
        into=command.into,
        agreed=command.agreed,
    )
    return [closed, *_rise_of_other(live, rules, closed, by=meter - base)]


def _rise_of_other(live: LiveTable, rules: Rules, closed: e.MeterClosed, *, by: int) -> Iterator[e.Event]:
    if closed.into and by:
        meter = meter_of(live.game, closed.into, rules.progressives[closed.into]) + by
        yield e.MeterRaised(closed.into, by, meter, closed.clause)


def _unfit_words(command: k.CloseMeter) -> Iterator[Refusal]:
    if not 0 < len(command.reason.strip()) <= _TEXT_MAX:
        yield Refusal("form", f"reason: say why it is closed, in at most {_TEXT_MAX} characters")
    if any(not paper.strip() or len(paper) > _TEXT_MAX for paper in command.agreed.values()):
        yield Refusal("form", f"agreed: the number of each paper has 1 to {_TEXT_MAX} characters")


def _unfit_rest(
    live: LiveTable, rules: Rules, progressive: Progressive, command: k.CloseMeter, *, above: int
) -> Iterator[Refusal]:
    """Refuse to take from the players what no clause lets go, or what nobody agreed to."""
    closes = progressive.closes
    if not above:
        if command.above or command.into:
            yield refusal(progressive.base.cite, "above: the meter is at its base, and nothing is left to hand out")
        return
    rest = dollars(above // METER_UNIT)
    if closes is None:
        why = f"its meter is {rest} above its base, which belongs to its players: it is closed after a hit"
        yield refusal(progressive.base.cite, why)
        return
    if command.above not in closes.above:
        why = f"above: its meter is {rest} above its base, which goes to {', '.join(closes.above)}"
        yield refusal(closes.cite, f"{why}; {command.above!r} is none of them")
    if (command.above == _ANOTHER) != bool(command.into):
        yield refusal(closes.cite, f"into: names the progressive that takes the rest, with {_ANOTHER!r} alone")
    elif command.into and (
        command.into not in rules.progressives or command.into == command.wager or is_closed(live.game, command.into)
    ):
        yield refusal(closes.cite, f"into: there is no other progressive {command.into[:60]!r} with an open meter here")
    if missing := [body for body in closes.agreed_by if body not in command.agreed]:
        yield refusal(closes.cite, f"agreed: the paper of {' and '.join(missing)} is missing, who must agree to it")


def open_meter(live: LiveTable, command: k.OpenMeter, approvals: Approvals) -> list[e.MeterOpened] | list[Refusal]:
    """Open a meter that was closed, at its base: as at first it needs a wager that is offered, and an approval."""
    rules = rules_of(live)
    progressive = rules.progressives.get(command.wager)
    if progressive is None:
        return [Refusal("house", f"wager: this house offers no progressive {command.wager[:60]!r}")]
    name = rules.wagers[command.wager].display_name()
    if not is_closed(live.game, command.wager):
        return [refusal(progressive.cite, f"the meter of {name} is open")]
    rule = getattr(rules.rulebook.general.live, GAME_RULES)
    if rule is not None and not approvals.has(GAME_RULES, *rule.authorities):
        by = " and ".join(rule.authorities)
        return [refusal(rule.cite, f"the meter of {name} needs the approval of the game rules by {by} on file")]
    return [e.MeterOpened(command.wager, progressive.base_cents * METER_UNIT, clause_text(progressive.base.cite))]


def unfit_meters(live: LiveTable | None, rules: Rules, then: k.OpenTable | LiveTable) -> Iterator[Refusal]:
    """Refuse a house or text that would make what stands on a meter of the table vanish."""
    if live is None:
        return
    for kind, meter in live.game.meters:
        standing = f"the meter of {kind} stands at {dollars(meter // METER_UNIT)}"
        if meter != METER_CLOSED and kind not in rules.progressives:
            yield Refusal("house", f"house: {standing}, and this one does not offer it; close it first, by close-meter")
        elif meter != METER_CLOSED and _money_of(live) != _money_of(then):
            yield Refusal("house", f"{standing} of other money: close it first, by close-meter, or open another table")


def _money_of(table: k.OpenTable | LiveTable) -> tuple[bool, PointsMode | None]:
    return is_play_money(table), table.points
