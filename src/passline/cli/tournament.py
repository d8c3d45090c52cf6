"""`passline tournament`: check a plan, print its rule sheet, simulate it, hold it at a server, print its papers."""

from __future__ import annotations

import json
import sys
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.atomic_file import suffix_of
from passline.cli.exit_codes import FAILED
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
from passline.cli.options.session import complete_strategy
from passline.cli.output import progress_bar, write_file
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.tournament.plan.schema import Event, Plan
    from passline.tournament.rehearsal.figures import Rehearsal

_FileArgument = Annotated[Path, typer.Argument(help="A plan of a tournament.", show_default=False)]
_IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The tournament, by the id of its plan.")]
_LINES = 20  # of the board, if no other number is asked for
_STRATEGIES = "pass_345:unit=10000, molly:unit=5000, six_eight:unit=12000, dont_pass_345:unit=10000, field:unit=20000"
_SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
_NORMAL = 1.96  # half a 95 % interval, in standard deviations


def plan(file: _FileArgument, *, server: ServerOption = DEFAULT_SERVER, token: TokenOption = "") -> None:
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
        str, typer.Argument(metavar="PAPER", help="entrants, prizes, tax, log, sign-in, standings, or rules.")
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


def _lawful_plan(file: Path) -> Plan:
    """Return the plan in a file; print every fault of its shape, or else every breach, and leave if there is one."""
    from passline.tournament.plan.check import check_plan
    from passline.tournament.plan.reader import read_plan
    from passline.tournament.rules import tournament_of

    plan, faults, name = read_plan(file)
    rules = tournament_of(name)  # raises where its text has no tournaments, whatever else is wrong with the plan
    found = faults if plan is None else check_plan(rules, plan)
    for fault in found:
        print(fault)
    if plan is None or found:
        raise typer.Exit(FAILED)
    return plan


def simulate(
    file: _FileArgument,
    *,
    event: Annotated[str, typer.Option(help="Which event of it; else the first.")] = "",
    entries: Annotated[int, typer.Option(min=0, help="How many enter; 0: as many as may.")] = 0,
    strategies: Annotated[
        str,
        typer.Option(
            help="Strategies, divided by commas; the players take them in turn. A point is 100 units.",
            autocompletion=complete_strategy,
        ),
    ] = _STRATEGIES,
    runs: Annotated[int, typer.Option(min=1, max=1_000_000, help="How often it is held.")] = 2000,
    seed: Annotated[str, typer.Option(help="The seed of dice and seat draws.")] = "0",
    pace: Annotated[
        float, typer.Option(min=0, help="Rolls an hour at a table; 0: by the sheet's time for wagering.")
    ] = 0,
    buy_again: Annotated[
        bool,
        typer.Option("--buy-again", help="Everybody buys the re-buys and add-ons of the plan as soon as they may."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Simulate a tournament: how long it takes, what the winner has, how often one wager decides it, and who wins.

    It is held a thousand times a second or more. A strategy that reads its money, and whatever else the kernels cannot
    take, is dealt by the engine, which comes to the same and is slower: the answer says so. Nobody enters again. Ctrl-C
    shows the runs that are over. Example:
    passline tournament simulate spring.toml --entries 80 --strategies "molly:unit=5000, pass:unit=20000" --runs 10000
    """
    from passline.dice_sources import seed_of
    from passline.tournament.plan.check import dealt_rules
    from passline.tournament.rehearsal.rehearse import rehearse, rolls_per_hour
    from passline.tournament.rules import tournament_of

    plan = _lawful_plan(file)
    chosen = _event(plan, event)
    rules = dealt_rules(tournament_of(plan.rules), plan)
    assert rules is not None, "a lawful plan has lawful tables"
    names = [name.strip() for name in strategies.split(",") if name.strip()]
    with progress_bar("tournaments held") as show:
        found = rehearse(
            plan,
            rules,
            names,
            event=chosen,
            entries=entries or chosen.entries_max,
            runs=runs,
            seed=seed_of(seed),
            pace=pace or rolls_per_hour(plan),
            are_chips_bought=buy_again,
            done=lambda held: show(held, runs, "tournaments held"),
        )
    if as_json:
        print(json.dumps(_rehearsal_json(found)))
    else:
        _show(plan, found, wanted=runs, seed=seed, is_by_sheet=not pace)


def _event(plan: Plan, name: str) -> Event:
    found = next((event for event in plan.events if name in {"", event.name}), None)
    if found is None:
        known = ", ".join(event.name for event in plan.events)
        raise CrapsError(f"{plan.name} has no event {name!r}; it has {known}")
    return found


def _show(plan: Plan, found: Rehearsal, *, wanted: int, seed: str, is_by_sheet: bool) -> None:
    from passline.tournament.rehearsal.rehearse import DECIDED

    if found.runs < wanted:
        print(f"Interrupted after {found.runs:,} of {wanted:,} runs.")
    print(f"{plan.name}, {found.event}: {sum(found.entries)} entries, held {found.runs:,} times, seed {seed}.")
    seconds = plan.sheet.wagering_seconds
    why = f" ({seconds} seconds of wagering, 15 for the throw)" if is_by_sheet and seconds else ""
    bought = (
        "everybody buys chips again as the plan allows, nobody"
        if found.are_chips_bought
        else "nobody buys chips again or"
    )
    print(f"{found.pace:.0f} rolls an hour{why}; {bought} reads the standings; a lot stands for a roll-off.")
    if found.by_engine:
        print(f"Its tables are dealt by the engine: {found.by_engine}.")
    print(f"\n{'round':20} {'players':>8} {'tables':>7} {'rolls':>6} {'minutes':>8}")
    for round_ in found.rounds:
        print(f"{round_.name:20} {round_.players:8} {round_.tables:7} {round_.rolls:6} {round_.minutes:8.0f}")
    print(f"{'together':20} {'':8} {'':7} {sum(round_.rolls for round_ in found.rounds):6} {found.minutes:8.0f}")
    points = ", ".join(f"{share:.0%} {found.points_at(share):,}" for share in _SHARES)
    if found.are_chips_bought:
        print("players and tables are those without chips that are bought again")
    print(f"\npoints of the winner, in so many of the runs at most: {points}")
    print(f"several who wager differently were level for the first place: {_share(found.level, found.runs)}")
    print(f"the lead changed on the last roll: {_share(found.last_roll, found.runs)}")
    print(f"one wager of the last roll decided it: {_share(found.decided, found.runs)}")
    print(f"  that is: {DECIDED}")
    print(f"\n{'strategy':30} {'entries':>8} {'wins':>18} {'each entry':>11} {'in the final':>13}")
    for at, name in enumerate(found.strategies):
        each = found.wins[at] / found.runs / found.entries[at] if found.entries[at] else 0.0
        wins, final = _share(found.wins[at], found.runs), f"{found.finalists[at] / found.runs:.1%}"
        print(f"{name:30} {found.entries[at]:8} {wins:>18} {each:11.2%} {final:>13}")


def _share(count: int, runs: int) -> str:
    share = count / runs
    return f"{share:.1%} ± {_NORMAL * sqrt(share * (1 - share) / runs):.1%}"


def _rehearsal_json(found: Rehearsal) -> dict[str, Any]:
    from msgspec import to_builtins

    answer: dict[str, Any] = to_builtins(found)
    points = {str(share): found.points_at(share) for share in _SHARES}
    return {**answer, "minutes": found.minutes, "quantiles": points}


commands = typer.Typer(
    no_args_is_help=True, help="Tournaments: the plan, the rule sheet, holding one at a server, its papers."
)
"""The commands `passline tournament ...`."""


@commands.command()
def check(file: _FileArgument) -> None:
    """List every breach of the regulation with its clause. The exit code is 1 if there is one."""
    from passline.acts.papers.houses import currency_of
    from passline.money import dollar_amount, in_currency
    from passline.tournament.plan.figures import plan_spend

    plan = _lawful_plan(file)
    spend = in_currency(dollar_amount(plan_spend(plan).cents, is_grouped=True), currency_of(plan.rules))
    print(f"{plan.name}: lawful under {plan.rules}; a player could spend {spend}")


@commands.command()
def sheet(
    file: _FileArgument,
    *,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE.pdf", help="Write it there, set as it is handed out.")
    ] = None,
) -> None:
    """Print the rule sheet, each line with its clause; refused while anything in it is missing or unlawful."""
    from passline.tournament.plan.check import dealt_rules
    from passline.tournament.plan.sheet import rule_sheet, rule_sheet_text
    from passline.tournament.rules import tournament_of

    plan = _lawful_plan(file)
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
) -> None:
    """Print a plan to start from."""
    from passline.tournament.plan.reader import example_text
    from passline.tournament.rules import regulations_with_tournaments

    print(example_text(regulation_named(rules) or regulations_with_tournaments()[0]), end="")


for _function in (simulate, plan, do, finish, board, report):
    commands.command()(_function)
