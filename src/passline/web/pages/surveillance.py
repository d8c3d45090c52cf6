"""The page of surveillance: the tables as they are, what is open at them, and what surveillance may read and file."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.authority.roles import SURVEILLANCE
from passline.rules.rules import Rules
from passline.rules.schema import Hand, clause_text
from passline.tables.commands import CondemnDice, ReportConduct, ReportIrregularity
from passline.tables.duties import DUTIES, REPORTS
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.views.records import CLASSES
from passline.web.pages.crew_card import crew_card
from passline.web.pages.frame import office_page, page_visitor
from passline.web.server.services import services_of

_FIRST = ("security", SURVEILLANCE, "disputes", "activity", "postings")
_KINDS = (*_FIRST, *(kind for kind in CLASSES if kind not in _FIRST))
_AT_TABLES = (ReportIrregularity, ReportConduct, CondemnDice)
router = APIRouter(include_in_schema=False)
"""The route of this page."""


@router.get("/surveillance")
async def surveillance(request: Request) -> Response:
    """The tables, open matters, filings, records and the log, for surveillance."""
    visitor = await page_visitor(request)
    tables = [table.current for table in await services_of(request).floor.load_all()]
    return office_page(
        request,
        "surveillance.html",
        visitor,
        record_kinds=_KINDS,
        reports=[name for name, duty in REPORTS.items() if SURVEILLANCE in duty.by],
        watch_data={"tables": {live.id: filings_of(live) for live in tables if live.status != "closed"}},
    )


def filings_of(live: LiveTable) -> dict[str, Any]:
    """Return what surveillance may file at a table, as the duties and the regulation of the table have it."""
    rules = rules_of(live)
    card = crew_card(rules)
    may = {kind for kind in _AT_TABLES if SURVEILLANCE in DUTIES[kind].by}
    sets = card["dice_sets"] if live.dice == "physical" and CondemnDice in may else None
    return {
        "name": live.name,
        "irregularities": card["irregularities"] if ReportIrregularity in may else None,
        "conduct": card["conduct"] if ReportConduct in may else [],
        "condemn": sets and sets["reasons"],
        "dispute": clause_text(rules.procedures.dispute.cite),
        "told": _told_by(rules),
    }


def _told_by(rules: Rules) -> list[dict[str, Any]]:
    """Return the wagers of whose progress surveillance is told, from which count on and by which clause."""
    found = []
    for kind, rule in rules.wagers.items():
        notice = rule.entry.notice if isinstance(rule.entry, Hand) else None
        if rule.is_offered and notice is not None:
            name = rules.wagers[kind].display_name()
            found.append({"wager": name, "count": notice.count, "clause": clause_text(notice.cite)})
    return found
