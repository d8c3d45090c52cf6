"""`passline duties`: print who may do what, who signs it and by which clause, for every part of the house."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from passline.cli.options.game import complete_regulation

if TYPE_CHECKING:
    from passline.authority.duties import Duty
    from passline.rules.rules import Rules


class DutyRow(Struct, frozen=True):
    """One row: something that is done, who may do it, who else signs it, and the clause that says so."""

    part: str
    what: str
    may: str
    signs: str = ""
    clause: str = ""


def duties(
    regulation: Annotated[
        str,
        typer.Argument(
            help="A regulation, whose clauses and roles are shown; default: none, and the offices of all.",
            autocompletion=complete_regulation,
        ),
    ] = "",
    *,
    part: Annotated[str, typer.Option(help="Only one part, such as tables or office.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """Show who may give each command, do each act and send each request, and who signs it; nobody signs their own."""
    import msgspec
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    rows = [row for row in duty_rows(regulation) if not part or row.part.split()[0] == part]
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(rows)).decode())
        return
    console = Console(highlight=False, markup=False)
    for name in dict.fromkeys(row.part for row in rows):
        table = Table(*("what", "who may", "signed by another", "clause"), title=name, box=SIMPLE_HEAD)
        for row in rows:
            if row.part == name:
                table.add_row(row.what, row.may, row.signs, row.clause)
        console.print(table)


def duty_rows(regulation: str = "") -> Iterator[DutyRow]:
    """Yield every row of every part; with a regulation, its clauses, the roles that it names and its office alone."""
    from passline.acts.decide import OFFICE_DUTIES
    from passline.acts.rules import sound_offices
    from passline.people.duties import PEOPLE_DUTIES
    from passline.rules.rules import Rules
    from passline.tables.duties import DUTIES, REPORTS
    from passline.tournament.decide import TOURNAMENT_DUTIES
    from passline.web.duties import ROUTES

    rules = Rules.of(regulation) if regulation else None
    yield from _command_rows("tables", DUTIES, rules)
    yield from (_row("reports", name, duty, None) for name, duty in REPORTS.items())
    yield from _command_rows("people", PEOPLE_DUTIES, None)
    yield from _command_rows("office", OFFICE_DUTIES, None)
    for name in (regulation,) if regulation else sound_offices():
        yield from _act_rows(name)
    yield from _command_rows("tournament", TOURNAMENT_DUTIES, None)
    yield from (_row("web", route, duty, None) for route, duty in ROUTES.items())


def _command_rows(part: str, rows: Mapping[type, Duty], rules: Rules | None) -> Iterator[DutyRow]:
    for kind, duty in rows.items():
        yield _row(part, str(kind.__struct_config__.tag), duty, rules)  # type: ignore[attr-defined]  # a Struct


def _row(part: str, what: str, duty: Duty, rules: Rules | None) -> DutyRow:
    from passline.authority.roles import OWNER
    from passline.rules.schema import clause_text

    may = "the server" if duty.is_servers else _role_names(duty.named(rules) if rules and duty.named else duty.by)
    keyed = [role for role in duty.keyed_by if role not in duty.by]
    may += f"; with physical dice also {_role_names(keyed)}" if keyed else ""
    signs = _role_names(duty.signed_by) if duty.signed_by else f"a second {OWNER}" if duty.two_owners else ""
    clause = clause_text(duty.cite(rules)) if rules and duty.cite else ""
    return DutyRow(part, what, may or "nobody", f"{signs} {duty.when}".strip(), clause)


def _act_rows(name: str) -> Iterator[DutyRow]:
    """Yield the acts of an office, as its pages say who does and signs them."""
    from passline.acts.rules import office_of
    from passline.rules.schema import clause_text

    rules = office_of(name)
    for key, act in rules.pages.acts.items():
        signs = "; ".join(f"{sign.name}: {rules.words_of(sign.by)}" for sign in act.signs.values())
        yield DutyRow(f"office {name}", key, rules.words_of(act.by), signs, clause_text(act.cite))


def _role_names(roles: Sequence[str]) -> str:
    from passline.authority.duties import role_list
    from passline.authority.roles import CREW, PLAYER, ROLES

    if {*roles} == {*ROLES}:
        return "every role"
    if {*roles} == {*ROLES} - {PLAYER}:
        return "every role but player"
    others = [role for role in roles if role not in CREW]
    return role_list([*others, "the crew"] if {*CREW} <= {*roles} else roles) or "nobody"
