"""`passline tournament`: check a plan, print its rule sheet, simulate it, hold it at a server, print its papers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from passline.atomic_file import suffix_of
from passline.cli.advice import advise
from passline.cli.options.game import complete_regulation, regulation_named
from passline.cli.options.server import (
    DEFAULT_SERVER,
    ServerOption,
    TokenOption,
    asked_pin,
    client_at,
    print_receipt,
    whole_number,
    yes_or_no,
)
from passline.cli.output import write_file
from passline.cli.tournament_simulation import FileArgument, lawful_plan, simulate
from passline.errors import CrapsError

_IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The tournament, by the id of its plan.")]
_LINES = 20  # of the board, if no other number is asked for


def plan(file: FileArgument, *, server: ServerOption = DEFAULT_SERVER, token: TokenOption = "") -> None:
    """Have a server keep the plan of a tournament, or another one as long as nobody has entered.

    It is refused with every breach at once. Example: passline tournament plan spring.toml
    """
    import msgspec

    from passline.rules.pages.texts import read_toml

    read: dict[str, Any] = msgspec.to_builtins(read_toml(file))
    with client_at(server, token) as client:
        id_, receipt = client.plan_tournament(read)
    print_receipt(receipt)
    print(f"tournament {id_}")


def do(
    id: _IdArgument,  # noqa: A002 - as on the command line
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="Such as enter-player, prepare-round, end-round.")],
    fields: Annotated[
        list[str] | None, typer.Argument(metavar="[FIELD=VALUE ...]", help="The fields of the command.")
    ] = None,
    *,
    role: Annotated[str, typer.Option(help="In which of your roles.")] = "",
    signer: Annotated[str, typer.Option("--by", help="Whoever signs it; the PIN is asked for.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Send a command to a tournament. Several values are written FIELD=A,B; amounts by name FIELD=1:500,2:300.

    Amounts of money are cents. Examples: passline tournament do spring-classic enter-player event="Main event"
    name="Ann Lee"; passline tournament do spring-classic prepare-round event="Main event" tables=craps-1,craps-2
    """
    asked = _command_from(command, fields or [])
    with client_at(server, token) as client:
        sign_off = (signer, asked_pin(signer)) if signer else None
        print_receipt(client.tournament_command(id, asked, role=role, sign_off=sign_off))


def _command_from(name: str, words: list[str]) -> dict[str, Any]:
    """Return a command from the words of the command line, each field as its type wants it."""
    from typing import get_args

    from msgspec.structs import fields

    from passline.tournament.commands import DrawCut, DrawSeats, PlanTournament, ReportPoints, TournamentCommand

    servers = (PlanTournament, DrawSeats, DrawCut, ReportPoints)
    known = {kind.__struct_config__.tag: kind for kind in get_args(TournamentCommand) if kind not in servers}
    if name not in known:
        raise CrapsError(f"tournaments have no command {name!r}; they have {', '.join(sorted(known))}")
    set_by_server = {"gate", "day", "is_employee", "resembles", "is_alone"}
    own = {field.name: field for field in fields(known[name]) if field.name not in set_by_server}
    given: dict[str, Any] = {"command": name}
    for word in words:
        key, is_field, text = word.partition("=")
        if not is_field or key not in own:
            names = ", ".join(f"{field}=" for field in own) or "none"
            raise CrapsError(f"{name} has no field {word!r}; its fields are {names}")
        given[key] = _value(key, own[key].type, text)
    if missing := [key for key, field in own.items() if field.required and key not in given]:
        raise CrapsError(f"{name} needs {', '.join(f'{field}=' for field in missing)}")
    return given


def _value(key: str, hint: Any, text: str) -> Any:  # noqa: ANN401 - as JSON
    """Return the value of a field as its type wants it."""
    if hint is bool:
        return yes_or_no(key, text)
    if hint is int:
        return whole_number(key, text)
    listed = [part.strip() for part in text.split(",") if part.strip()]
    if hint == tuple[str, ...]:
        return listed
    if hint == tuple[int, ...]:
        return [whole_number(key, part) for part in listed]
    if hint == dict[str, int]:
        pairs = (part.rpartition(":") for part in listed)
        return {name.strip(): whole_number(key, count) for name, _, count in pairs}
    return text


def finish(
    id: _IdArgument,  # noqa: A002 - as on the command line
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table whose round ends now.")],
    *,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """End the round at a table before its last roll; wagers that are up go as the rule sheet says.

    Example: passline tournament finish spring-classic craps-1
    """
    from urllib.parse import quote

    path = "/".join(quote(part, safe="") for part in (id, "tables", table, "finish"))
    with client_at(server, token) as client:
        answer = client.post(f"/api/tournaments/{path}", {})
    print(*answer["lines"], sep="\n")


def board(
    id: _IdArgument,  # noqa: A002 - as on the command line
    *,
    event: Annotated[str, typer.Option(help="Only this event.")] = "",
    lines: Annotated[int, typer.Option(min=1, help="How many players.")] = _LINES,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Show the board of the room: what is played, who leads, and the prizes as the pool stands.

    Example: passline tournament board spring-classic --lines 5
    """
    with client_at(server, token) as client:
        found = client.tournament(id)
    boards = [board for board in found["boards"] if event in {"", board["event"]}]
    if not boards:
        known = ", ".join(board["event"] for board in found["boards"])
        raise CrapsError(f"{id} has no event {event!r}; it has {known}")
    if as_json:
        print(json.dumps(boards))
        return
    for board in boards:
        _show_board(board, lines)


def _show_board(board: dict[str, Any], most: int) -> None:
    from passline.money import dollar_amount, in_currency

    def amount(cents: int) -> str:
        return in_currency(dollar_amount(cents, is_grouped=True), board["currency"])

    what = ", ".join(text for text in (board["round"], board["phase"]) if text)
    pool = amount(board["pool_cents"])
    print(f"{board['name']}, {board['event']}: {what}; {board['entries']} entries, pool {pool}")
    for table in board["tables"]:
        left = "over" if table["is_done"] else f"{table['rolls_left']} rolls left" if table["rolls_left"] >= 0 else ""
        print("  ".join(text for text in (f"table {table['table']}", left, table["waits"]) if text))
    for line in board["lines"][:most]:
        points = "secret" if line["points"] is None else f"{line['points']:,}"
        seat = f"  {line['table']} seat {line['seat']}" if line.get("table") else ""
        print(f"{line['place'] or '':>4}  {line['name']:24} {points:>12}{seat}{'  out' * line.get('is_out', False)}")
    if len(board["lines"]) > most:
        print(f"      and {len(board['lines']) - most} others")
    for prize in board["prizes"]:
        parts = [amount(prize["cents"])] if prize["cents"] else []
        parts += [prize["item"]] if prize["item"] else []
        parts += [f"a voucher for {prize['voucher']}"] if prize["voucher"] else []
        print(f"place {prize['place']} wins {' and '.join(parts) or 'nothing'}")


def report(
    id: _IdArgument,  # noqa: A002 - as on the command line
    paper: Annotated[
        str,
        typer.Argument(metavar="PAPER", help="entrants, prizes, tax, tax-forms, log, sign-in, standings, or rules."),
    ],
    *,
    form: Annotated[str, typer.Option(help="pdf, xlsx, jsonl or text; if not given, as the file's name ends.")] = "",
    to: Annotated[Path | None, typer.Option(metavar="FILE", help="The file to write; text needs none.")] = None,
    event: Annotated[str, typer.Option(help="Of the sign-in sheet and the standings; else the first event.")] = "",
    data: Annotated[
        str, typer.Option(metavar="LOG", help="A data folder, its log, or a complete export, instead of a server.")
    ] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Print a paper of a tournament: from a server, or from a log without one.

    Examples: passline tournament report spring-classic tax;
    passline tournament report spring-classic entrants --to entrants.xlsx --data house
    """
    form = _form(form, to, paper)
    if data:
        made = _from_log(data, id, paper, form, event)
    else:
        with client_at(server, token) as client:
            made = client.tournament_paper(id, paper, form=form, event=event)
    if to is not None:
        write_file(to, made)
    else:
        sys.stdout.write(made.decode())


def _form(form: str, to: Path | None, paper: str) -> str:
    """Return the form that is asked for, by name or by the file's ending; refuse to print anything but text."""
    from passline.tournament.papers import LIST_FORMS

    suffix = suffix_of(to, tuple(f".{form}" for form in ("txt", *LIST_FORMS)))[1:] if to else "txt"
    named = {"txt": "text"}.get(suffix, suffix)
    form = form or (named if named in LIST_FORMS else "")
    if form not in LIST_FORMS:
        raise CrapsError(f"--form {form or named!r}: choose {', '.join(LIST_FORMS)}")
    if paper == "rules" and form != "pdf":
        raise CrapsError("the rule sheet is a PDF: --to FILE.pdf; passline tournament sheet prints it as text")
    if to is None and form in {"pdf", "xlsx"}:
        raise CrapsError(f"--form {form} needs --to FILE")
    return form


def _from_log(source: str, id: str, paper: str, form: str, event: str) -> bytes:  # noqa: A002
    """Return a paper from the entries of a log, with the regulation's pages that it keeps."""
    from passline.refusal import Refusal
    from passline.tournament.papers import logged_tournament, tournament_paper

    found = logged_tournament(source, id)
    made = tournament_paper(found.rules, found.books, paper, form, found.local, found.at, event)
    if isinstance(made, Refusal):
        raise CrapsError(str(made))
    return made


commands = typer.Typer(
    no_args_is_help=True, help="Tournaments: the plan, the rule sheet, holding one at a server, its papers."
)
"""The commands `passline tournament ...`."""


@commands.command()
def check(file: FileArgument) -> None:
    """List every breach of the regulation with its clause. The exit code is 1 if there is one."""
    from passline.acts.papers.houses import currency_of
    from passline.money import dollar_amount, in_currency
    from passline.tournament.plan.figures import plan_spend

    plan = lawful_plan(file)
    spend = in_currency(dollar_amount(plan_spend(plan).cents, is_grouped=True), currency_of(plan.rules))
    print(f"{plan.name}: lawful under {plan.rules}; a player could spend {spend}")


@commands.command()
def sheet(
    file: FileArgument,
    *,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE.pdf", help="Write it there, set as it is handed out.")
    ] = None,
) -> None:
    """Print the rule sheet, each line with its clause; refused while anything in it is missing or unlawful."""
    from passline.tournament.plan.check import dealt_rules
    from passline.tournament.plan.sheet import rule_sheet, rule_sheet_text
    from passline.tournament.rules import tournament_of

    plan = lawful_plan(file)
    rules = tournament_of(plan.rules)
    made = rule_sheet(rules, plan, dealt_rules(rules, plan))
    if pdf is None:
        print(rule_sheet_text(made), end="")
        return
    from passline.tournament.papers import rule_sheet_pdf

    if pdf.suffix != ".pdf":
        raise CrapsError(f"--pdf {pdf}: must end with .pdf")
    write_file(pdf, rule_sheet_pdf(made, plan))


@commands.command()
def example(
    *,
    rules: Annotated[
        str,
        typer.Option(
            help="The regulation: one whose text has tournaments; without it, the first.",
            autocompletion=complete_regulation,
        ),
    ] = "",
    ending: Annotated[bool, typer.Option("--ending", help="Print the end of a round instead, for advise.")] = False,
) -> None:
    """Print a plan to start from."""
    if ending:
        from passline.tournament.advice.situation import example_ending

        print(example_ending(), end="")
        return
    from passline.tournament.plan.reader import example_text
    from passline.tournament.rules import regulations_with_tournaments

    print(example_text(regulation_named(rules) or regulations_with_tournaments()[0]), end="")


for _function in (simulate, advise, plan, do, finish, board, report):
    commands.command()(_function)
