"""Who may use the laboratory: where a regulation bans what analyses outcomes, nobody before its authorities approve.

Even then it is no aid at a table: whoever sits at one, or plays in a tournament that goes on, is refused, and so is
who is not logged in, for nobody knows where they sit. A demo has computer players and play money, so there only those
are refused who sit under such a regulation.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import ApprovedRule, clause_text
from passline.tables.approvals import Approvals
from passline.tables.live import LiveTable, seat_of
from passline.tables.rules_in_force import rules_of
from passline.tournament.state import LIVE, TournamentState
from passline.web.auth.visitors import Visitor
from passline.web.server.responses import denial
from passline.web.server.services import Services

_APPROVAL = "prediction_aid"


class Ban(Struct, frozen=True):
    """A regulation that bans what analyses outcomes, and what it says of it."""

    regulation: str
    rule: ApprovedRule

    @property
    def clause(self) -> str:
        """The clause that bans it."""
        return clause_text(self.rule.cite)

    def is_lifted(self, approvals: Approvals) -> bool:
        """Return whether every authority has approved it."""
        return approvals.has(_APPROVAL, *self.rule.authorities)


async def check_admission(services: Services | None, visitor: Visitor | None) -> None:
    """Raise Denied, with its clause, for whoever may not use the laboratory. None: it stands alone, without tables."""
    if services is None:
        return
    tables = [table.live for table in await services.floor.load_all() if table.live.status != "closed"]
    bans: tuple[Ban, ...] = ()
    if not services.is_demo:
        bans = tuple(_bans({services.rules, services.offices.first_set_up()} - {""}, tables))
        check_approvals(bans, services.floor.house.approvals)
    if bans and visitor is None:
        why = "log in first: advice is refused to whoever sits at a table, and nobody knows whether you do"
        raise denial(401, why, bans[0].clause)
    if visitor is not None:
        playing = [ban for live in tables if seat_of(live, visitor.account) for ban in bans or _bans((), (live,))]
        check_seat(playing, "you sit at a table")
        entered = [await services.tournaments.state(name) for name in services.tournaments.ids()]
        running = [state for state in entered if state is not None and is_running(state, visitor.account)]
        check_seat(
            [ban for state in running for ban in bans or _bans((state.plan.rules,), ())], "you play in a tournament"
        )


def _bans(names: Iterable[str], tables: Iterable[LiveTable]) -> Iterable[Ban]:
    """Yield the bans of regulations by their names, and of the rules in force at tables."""
    for name in sorted(names):
        if (rule := rulebook_of(name).general.live.prediction_aid) is not None:
            yield Ban(name, rule)
    for live in tables:
        rulebook = rules_of(live).rulebook
        if (rule := rulebook.general.live.prediction_aid) is not None:
            yield Ban(rulebook.name, rule)


def check_approvals(bans: Iterable[Ban], approvals: Approvals) -> None:
    """Raise Denied for the first ban that is not lifted."""
    for ban in bans:
        if not ban.is_lifted(approvals):
            names = " and ".join(ban.rule.authorities)
            why = "the laboratory analyses what wagers come to: it is off on this server until "
            raise denial(403, f"{why}{names} have approved it, and an approval of each is on file", ban.clause)


def check_seat(bans: Iterable[Ban], where: str) -> None:
    """Raise Denied for somebody who plays under a ban."""
    for ban in bans:
        raise denial(403, f"{where}: leave first; nobody at a table may use an aid that analyses outcomes", ban.clause)


def is_running(state: TournamentState, account: str) -> bool:
    """Return whether somebody plays in a tournament that goes on: from its first round until it is over for them."""
    if state.is_closed or state.cancelled or not state.rounds:
        return False
    return any(
        entry.account == account and entry.status in LIVE and entry.event_name not in state.concluded
        for entry in state.entries.values()
    )
