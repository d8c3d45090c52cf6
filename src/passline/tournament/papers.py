"""Papers of a tournament in the form that is asked for, and the tournament that a log has, without a server."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from passline.acts.course import OFFICE_STREAM, office_after
from passline.acts.papers.houses import currency_of, regulation_title
from passline.acts.papers.printed import PrintedPaper, printed_sheet
from passline.acts.papers.sheet import PaperSheet
from passline.acts.state import ActState
from passline.documents.as_file import list_file
from passline.documents.as_pdf import as_pdf
from passline.documents.sheet import PrintedSheet, SheetTable, table_in
from passline.errors import CrapsError
from passline.refusal import Refusal
from passline.store.log_source import open_source
from passline.store.sealed import stored_of
from passline.tournament.course import TOURNAMENT_CODEC, TOURNAMENT_STREAM, learn_tournament
from passline.tournament.plan.check import printable_sheet
from passline.tournament.plan.schema import Plan
from passline.tournament.reports import Local, TournamentBooks, books_of, tournament_table
from passline.tournament.rules import TOURNAMENT_RULES, TournamentRules

LIST_FORMS = {"pdf": "pdf", "xlsx": "xlsx", "jsonl": "jsonl", "text": "txt"}
"""The forms in which a list of a tournament is had, each with the kind of file that it is."""


def printed_list(table: SheetTable, form: str, plan: Plan, at: datetime) -> bytes:
    """Return a list in one of these forms, as it stood at a moment of local time."""
    table = table_in(table, currency_of(plan.rules))
    if form != "pdf":
        return list_file(LIST_FORMS[form], table)
    title, _, clauses = table.title.partition(" [")
    sheet = PrintedSheet(
        title=title,
        about=plan.name,
        owner=plan.casino,
        regulation=regulation_title(plan.rules),
        dated=f"As of {at:%Y-%m-%d %H:%M}",
        tables=(replace(table, title=_cause_of(clauses, plan)),),
        foot=(plan.casino, f"{title}, {plan.name}"),
        form="landscape",
    )
    return as_pdf(sheet)


def _cause_of(clauses: str, plan: Plan) -> str:
    """Return the clauses that ask for a list, or the tournament's name where none does."""
    cited = clauses.rstrip("]")
    return plan.name if cited in {"", "practice"} else f"As asked by {cited}"


def rule_sheet_pdf(sheet: PaperSheet, plan: Plan) -> bytes:
    """Return a rule sheet as it is handed out."""
    return as_pdf(
        printed_sheet(
            PrintedPaper(
                sheet, plan.casino, regulation_title(plan.rules), is_signed=False, currency=currency_of(plan.rules)
            )
        )
    )


def tournament_paper(  # noqa: PLR0917 - what is asked for
    rules: TournamentRules, books: TournamentBooks, paper: str, form: str, local: Local, at: str, event: str = ""
) -> bytes | Refusal:
    """Return a paper of a tournament as it stood at a moment: its rule sheet, always as a PDF, or a list in a form."""
    plan = books.state.plan
    if paper == "rules":
        return rule_sheet_pdf(printable_sheet(rules, plan), plan)
    table = tournament_table(rules, books, paper, local=local, event=event)
    return table if isinstance(table, Refusal) else printed_list(table, form, plan, local(at))


class LoggedTournament(Struct, frozen=True):
    """A tournament read from a log: its rules, its books and its office."""

    rules: TournamentRules
    books: TournamentBooks
    office: ActState
    at: str  # its last entry

    def local(self, at: str) -> datetime:
        """Return the local time of a moment: of the facility, or UTC where its office is not set up."""
        facility = self.office.facility
        return facility.local(at) if facility else datetime.fromisoformat(at).astimezone(UTC)


def logged_tournament(source: str, id: str) -> LoggedTournament:  # noqa: A002 - the page's own word
    """Read a tournament from a data folder, a log file, a complete export, or a database."""
    with open_source(source) as log:
        entries = [
            row.entry
            for row in map(stored_of, log.rows())
            if row.entry.stream == TOURNAMENT_STREAM + id or row.entry.stream.startswith(OFFICE_STREAM)
        ]
    mine = [entry for entry in entries if entry.stream == TOURNAMENT_STREAM + id]
    if not mine:
        raise CrapsError(f"{source}: there is no tournament {id!r} in this log")
    for entry in mine:
        learn_tournament(entry)
    books = books_of((entry.at, entry.actor, TOURNAMENT_CODEC.events(entry)) for entry in mine)
    rules = TOURNAMENT_RULES.find(books.state.pages)
    assert rules is not None, "the plan came with them"
    own = (entry for entry in entries if entry.stream == OFFICE_STREAM + books.state.plan.rules)
    books.office = reduce(office_after, own, ActState())
    return LoggedTournament(rules, books, books.office, mine[-1].at)
