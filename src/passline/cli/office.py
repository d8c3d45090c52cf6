"""`passline office`: what there is to do in the back office, and its acts, for scripts and without a browser."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote, urlencode

import typer

from passline.cli.body_keys import body_keys, give_body_key, revoke_body_key
from passline.cli.office_prints import checklist, form, investigation, paper
from passline.cli.office_reports import comps, player_statement, rota, statistics, tax
from passline.cli.options.act_fields import act_arguments, figure_value, machine_count, read_document, read_lines
from passline.cli.options.office import JsonOption, RegulationArgument, SecondOption, sign_off_of
from passline.cli.options.server import (
    DEFAULT_SERVER,
    ServerOption,
    TokenOption,
    client_at,
    given_fields,
    print_receipt,
)
from passline.cli.output import file_form, write_file
from passline.cli.shadow import import_month
from passline.cli.standard import standard
from passline.cli.upkeep import DatabaseOption, DataOption, open_house
from passline.errors import CrapsError

commands = typer.Typer(help="The back office: what is due, and every act of it.", no_args_is_help=True)
"""The subcommands of `passline office`."""


@commands.command()
def set_up(
    regulation: RegulationArgument,
    *,
    name: Annotated[str, typer.Option(help="The facility's name.")],
    zone: Annotated[str, typer.Option(help="Its time zone, such as America/Denver.")],
    subdivision: Annotated[str, typer.Option(help="The state whose public holidays count, such as CO.")] = "",
    day_begins: Annotated[str, typer.Option(help="When its gaming day begins, local time.")] = "06:00",
    area: Annotated[list[str] | None, typer.Option(help="An area with tables. May be repeated.")] = None,
    second: SecondOption = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Say where the house is, when its day begins, and on which days business is done."""
    facility: dict[str, Any] = {
        "name": name,
        "zone": zone,
        "subdivision": subdivision,
        "day_begins": day_begins,
        "areas": area or [],
    }
    if day_begins != "06:00":
        facility["shifts"] = [{"name": "day", "begins": day_begins}]
    with client_at(server, token) as client:
        command = {"command": "set-up-office", "facility": given_fields(facility)}
        print_receipt(client.office_command(regulation, command, sign_off=sign_off_of(second, second)))


@commands.command()
def value(
    regulation: RegulationArgument,
    key: Annotated[str, typer.Argument(help="Which figure; passline office today lists those that are not set.")],
    text: Annotated[str, typer.Argument(metavar="VALUE", help='Such as 4, "2 hours" or 06:00,14:00.')],
    *,
    document: Annotated[str, typer.Option(help="The SHA-256 of the paper that says so.")] = "",
    reference: Annotated[str, typer.Option(help="Its reference.")] = "",
    received: Annotated[str, typer.Option(help="The day it came.")] = "",
    stamp: Annotated[str, typer.Option(help="The stamp of the body that sets it, if it has a key.")] = "",
    second: SecondOption = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Set a figure that the texts leave open, from the paper of whoever decides it."""
    with client_at(server, token) as client:
        asked = client.office(regulation)["asked"].get(key)
        if asked is None:
            raise CrapsError(f"this office has no figure {key!r}")
        command = {
            "command": "set-value",
            "key": key,
            "value": figure_value(key, asked["type"], text),
            "document": document,
            "reference": reference,
            "received": received,
            "stamp": stamp,
        }
        print_receipt(client.office_command(regulation, given_fields(command), sign_off=sign_off_of(second, second)))


@commands.command()
def leave_out(
    regulation: RegulationArgument,
    items: Annotated[
        list[str] | None, typer.Argument(metavar="[ITEM ...]", help="Such as gates.open_table.items.equipment.")
    ] = None,
    *,
    second: SecondOption = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Say which items of practice the house does without, all of them; what a clause asks for cannot be left out."""
    with client_at(server, token) as client:
        command = {"command": "leave-out", "items": items or []}
        print_receipt(client.office_command(regulation, command, sign_off=sign_off_of(second, second)))


commands.command()(statistics)
commands.command()(tax)
commands.command()(investigation)
commands.command()(comps)
commands.command()(player_statement)
commands.command()(rota)
commands.command()(body_keys)
commands.command()(give_body_key)
commands.command()(revoke_body_key)


@commands.command()
def today(
    regulation: RegulationArgument,
    *,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    json: JsonOption = False,
) -> None:
    """Show what is due and overdue, what waits to be signed, what is open, and how far tables are from opening."""
    from passline.money import dollar_amount

    with client_at(server, token) as client:
        found = client.today(regulation)
    if json:
        print(dumps(found))
        return
    print(f"{regulation}, gaming day {found['day']}, {found['shift']} shift")
    for due in found["due"]:
        until = due["due"] or "when somebody has said how long it may take"
        about = f" of {due['about'].replace('/', ' ')}" if due["about"] else ""
        state = "OVERDUE" if due["is_overdue"] else "due"
        print(f"{state:8} {until}  {due['name']}{about}, by the {due['owes']} [{due['clause']}]")
    for act in found["sign"]:
        what = " ".join([act["name"], *act["things"]])
        print(f"{'to sign':8} act {act['number']}, {what}: {act['wants']} [{act['clause']}]")
    for incident in found["incidents"]:
        print(f"{'incident':8} {incident['id']} since {incident['since']}: {incident['why']} [{incident['clause']}]")
    for tray in found["below_par"]:
        missing = ", ".join(f"{count} x {dollar_amount(int(unit))}" for unit, count in tray["short"].items())
        print(f"{'fill':8} {tray['table']} is below its par level since its count of {tray['counted']}: {missing}")
    for slip in found["slips"]:
        print(f"{'missing':8} slip {slip['number']}, {slip['handed_to']}, since outage {slip['outage']}")
    for setting in found["unset"]:
        print(f"{'not set':8} {setting['key']}: {setting['name']} [{setting['clause']}]")
    for table in found["tables"]:
        stranger = "; no live table has this name" if table["is_live"] is False else ""
        green = f"{table['green']} of {table['items']} items for opening are green"
        print(f"{'table':8} {table['table']}: {green}{stranger}")
    if not any(found[part] for part in ("due", "sign", "incidents", "slips", "unset")):
        print("Nothing is due.")


@commands.command()
def act(
    regulation: RegulationArgument,
    name: Annotated[str, typer.Argument(metavar="ACT", help="Such as receive_dice.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[THING ...] [FIELD=VALUE ...]", help="What it is done to, and its fields."),
    ] = None,
    *,
    signs: Annotated[str, typer.Option(help="As which part somebody signs it at once; the PIN is asked for.")] = "",
    signer: Annotated[str, typer.Option("--by", help="The name of whoever signs.")] = "",
    occurred: Annotated[str, typer.Option(help="When it happened (UTC), if not now.")] = "",
    document: Annotated[
        str, typer.Option(help="The SHA-256 of a body's paper, or of the proof that one was told; see attach.")
    ] = "",
    reference: Annotated[str, typer.Option(help="The reference of a body's paper.")] = "",
    received: Annotated[str, typer.Option(help="The day a body's paper came.")] = "",
    stamp: Annotated[str, typer.Option(help="The stamp of the body, if it has a key.")] = "",
    role: Annotated[str, typer.Option(help="In which of your roles.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Do an act of the office. Several values of one field are written FIELD=A,B; counts FIELD=100:20,500:40."""
    with client_at(server, token) as client:
        known = client.office(regulation)["acts"].get(name)
        if known is None:
            raise CrapsError(
                f"the office of {regulation} has no act {name!r}; passline office acts {regulation} lists them"
            )
        things, fields = act_arguments(arguments or [], known.get("fields", {}))
        command = {
            "command": "do-act",
            "act": name,
            "things": things,
            "fields": fields,
            "signs": signs,
            "occurred": occurred,
            "paper": given_fields({"document": document, "reference": reference, "received": received}),
            "stamp": stamp,
        }
        receipt = client.office_command(
            regulation, given_fields(command), role=role, sign_off=sign_off_of(signs, signer)
        )
    print_receipt(receipt)


@commands.command()
def outage(
    regulation: RegulationArgument,
    number: Annotated[str, typer.Argument(metavar="OUTAGE", help="As it was recorded, such as O-000001.")],
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="What manual slips say, a [[line]] each.")],
    *,
    scan: Annotated[
        Path | None, typer.Option(metavar="FILE", help="These slips, scanned: attached, for this batch only.")
    ] = None,
    signer: Annotated[str, typer.Option("--by", help="Whoever signs it too, at once; the PIN is asked for.")] = "",
    role: Annotated[str, typer.Option(help="In which of your roles.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Tell what was done in an outage, all of it or nothing: acts with the numbers of their manual slips.

    Each [[line]] has slip, act, by, occurred (local time), and where they are needed things, fields and signed. People
    are named as they are called, or by their accounts.
    """
    with client_at(server, token) as client:
        lines = read_lines(file, client.office_people(regulation))
        command = {
            "command": "do-act",
            "act": "enter_outage",
            "things": [number],
            "fields": given_fields({"lines": lines, "scan": client.attach(read_document(scan)) if scan else ""}),
            "signs": "second" if signer else "",
        }
        sign_off = sign_off_of("second", signer) if signer else None
        print_receipt(client.office_command(regulation, given_fields(command), role=role, sign_off=sign_off))


@commands.command()
def count(
    regulation: RegulationArgument,
    what: Annotated[str, typer.Argument(help="opener, shift, closer, cage, reserve, box, ...")],
    arguments: Annotated[
        list[str],
        typer.Argument(metavar="[PLACE] COUNTS [FIELD=VALUE ...]", help="Such as craps-1 500:40,2500:20 shift=day."),
    ],
    *,
    file: Annotated[
        Path | None,
        typer.Option(metavar="FILE.csv", help="What a counting machine wrote: denomination_cents,pieces."),
    ] = None,
    role: Annotated[str, typer.Option(help="In which of your roles.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Count chips by denomination in cents. Whoever counts again signs it without seeing these figures."""
    with client_at(server, token) as client:
        acts = client.office(regulation)["acts"]
        known = acts.get(f"count_{what}", {})
        if not known.get("counts"):
            counted = sorted(key.removeprefix("count_") for key, act in acts.items() if act.get("counts"))
            raise CrapsError(f"this office does not count {what!r}; it counts {', '.join(counted)}")
        field = known["counts"]["field"]
        named = [f"{field}={word}" if ":" in word and "=" not in word else word for word in arguments]
        named += [f"{field}={machine_count(file)}"] if file else []
        things, fields = act_arguments(named, known.get("fields", {}))
        command = {"command": "do-act", "act": f"count_{what}", "things": things, "fields": fields}
        print_receipt(client.office_command(regulation, given_fields(command), role=role))
    for part, sign in known.get("signs", {}).items():
        print(f"{sign['name']}: passline office sign {regulation} NUMBER {part} {field}=...")


@commands.command()
def sign(
    regulation: RegulationArgument,
    number: Annotated[int, typer.Argument(help="The number of the act that waits.")],
    part: Annotated[str, typer.Argument(help="As which part.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[FIELD=VALUE ...]", help="A second count.")] = None,
    *,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="What a counting machine wrote: denomination_cents,pieces.")
    ] = None,
    signer: Annotated[str, typer.Option("--by", help="Whoever signs, if not you; the PIN is asked for.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Sign an act that waits for it, as yourself or with somebody's name and PIN."""
    with client_at(server, token) as client:
        pending = [act for act in client.today(regulation)["sign"] if act["number"] == number]
        act = client.office(regulation)["acts"][pending[0]["act"]] if pending else {}
        named = [f"{act['counts']['field']}={machine_count(file)}"] if file and act.get("counts") else []
        things, counted = act_arguments([*(arguments or []), *named], act.get("fields", {}))
        if things:
            raise CrapsError(f"{' '.join(things)}: write a count as FIELD=VALUE")
        command = {"command": "sign-act", "number": number, "part": part, "fields": counted}
        receipt = client.office_command(
            regulation, given_fields(command), sign_off=sign_off_of(part if signer else "", signer)
        )
    print_receipt(receipt)


@commands.command()
def acts(
    regulation: RegulationArgument,
    *,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
    json: JsonOption = False,
) -> None:
    """List every act of an office: who may do it, its fields, and its clause."""
    with client_at(server, token) as client:
        found = client.office(regulation)["acts"]
    if json:
        print(dumps(found))
        return
    for key, act in sorted(found.items(), key=lambda item: (item[1]["page"], item[0])):
        clause = act["cite"] if isinstance(act["cite"], str) else ", ".join(act["cite"])
        fields = " ".join(f"{name}=" for name in act.get("fields", {}))
        print(f"{act['page']:12} {key:28} {act['name']} ({', '.join(act['by'])}) {fields} [{clause}]")


commands.command()(paper)
commands.command()(form)
commands.command()(checklist)
commands.command()(standard)
commands.command("import")(import_month)


@commands.command()
def things(
    regulation: RegulationArgument,
    kind: Annotated[str, typer.Argument(help="Such as table, die, incident; or stocks, acts, cash, transactions.")],
    *,
    to: Annotated[Path, typer.Option(metavar="FILE.xlsx|.jsonl", help="The file to write.")],
    state: Annotated[str, typer.Option(help="Only those in this state.")] = "",
    day: Annotated[str, typer.Option(help="Of acts, cash and transactions: the gaming day, such as 2026-03-02.")] = "",
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Export a list of the office: things of a kind, stocks, or the acts or the patrons' cash of a gaming day.

    `transactions` is the log of multiple transactions: each time of whoever brought or took much cash that day.
    """
    form = file_form(to, ("xlsx", "jsonl"))
    lists = {"stocks": "stocks", "acts": "acts", "cash": "cash", "transactions": "cash/log"}
    place = lists.get(kind) or f"things/{quote(kind, safe='')}"
    asked = urlencode(given_fields({"format": form, "state": state, "day": day}))
    with client_at(server, token) as client:
        write_file(to, client.download(f"/api/office/{quote(regulation, safe='')}/{place}?{asked}"))


@commands.command()
def attach(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Such as a scanned letter.")],
    *,
    server: ServerOption = DEFAULT_SERVER,
    token: TokenOption = "",
) -> None:
    """Attach a document; what is printed is the digest by which acts name it."""
    data = read_document(file)
    with client_at(server, token) as client:
        print(client.attach(data))


@commands.command()
def folder(
    regulation: RegulationArgument,
    day: Annotated[str, typer.Argument(metavar="DAY", help="The gaming day, such as 2026-03-02.")],
    *,
    to: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write; it must not exist yet.")],
    data: DataOption = None,
    database: DatabaseOption = "",
) -> None:
    """Write the regulator's folder of a gaming day: entries, report, workbook, papers; `passline verify DIR` proves it.

    It is signed with the log's key, so this runs where the house's data folder is.
    """
    from datetime import date

    from passline.acts.documents import Documents
    from passline.cli.serve import default_folder
    from passline.office.folder import folder_faults, write_folder
    from passline.office.views.kept_past import past_in_folder
    from passline.store.data_folder import DOCUMENTS_FOLDER

    try:
        meant = date.fromisoformat(day)
    except ValueError:
        raise CrapsError(f"{day!r} is not a day such as 2026-03-02") from None
    place = data or default_folder()
    with open_house(place, database) as log, past_in_folder(log, place, regulation, meant) as past:
        made = write_folder(log, regulation, meant, to, Documents(place / DOCUMENTS_FOLDER), past=past)
    entries = f"entries {made.first:,} to {made.last:,}" if made.first else "no entries"
    print(f"{to}: {entries} of log {made.log_id}, {len(made.files)} files, as of entry {made.head.sequence:,}")
    if not made.is_over:
        print("warning: the gaming day is not over yet")
    for fault in folder_faults(to):
        print(f"warning: {fault}")
    print(f"key {made.public_key}")
