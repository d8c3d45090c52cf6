"""`passline tournament`: check a plan, print its rule sheet, simulate it, hold it at a server, print its papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options.server import write_file
from passline.cli.tournament import served
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.tournament.plan.schema import Plan

__all__ = ["commands"]

_EXIT_BREACHES = 1
_FileArgument = Annotated[Path, typer.Argument(help="A plan of a tournament.", show_default=False)]

commands = typer.Typer(
    no_args_is_help=True, help="Tournaments: the plan, the rule sheet, holding one at a server, its papers."
)
"""The commands `passline tournament ...`."""


def _plan(file: Path) -> Plan:
    """Read a plan, or print every fault and leave."""
    from passline.tournament.plan.reader import read_plan
    from passline.tournament.rules.tournament_rules import tournament_of

    plan, faults, name = read_plan(file)
    tournament_of(name)  # raises where its text has no tournaments, whatever else is wrong with the plan
    for fault in faults:
        print(fault)
    if plan is None:
        raise typer.Exit(_EXIT_BREACHES)
    return plan


@commands.command()
def check(file: _FileArgument) -> None:
    """List every breach of the regulation with its clause. The exit code is 1 if there is one."""
    from passline.tournament.plan.check import check_plan
    from passline.tournament.plan.spend import plan_spend
    from passline.tournament.rules.tournament_rules import tournament_of

    plan = _plan(file)
    breaches = check_plan(tournament_of(plan.rules), plan)
    for breach in breaches:
        print(breach)
    if breaches:
        raise typer.Exit(_EXIT_BREACHES)
    from passline.money import dollar_amount

    spend = dollar_amount(plan_spend(plan).cents, is_grouped=True)
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
    from passline.tournament.plan.check import check_plan, dealt_rules
    from passline.tournament.plan.sheet import rule_sheet, rule_sheet_text
    from passline.tournament.rules.tournament_rules import tournament_of

    plan = _plan(file)
    rules = tournament_of(plan.rules)
    if breaches := check_plan(rules, plan):
        for breach in breaches:
            print(breach)
        raise typer.Exit(_EXIT_BREACHES)
    made = rule_sheet(rules, plan, dealt_rules(rules, plan))
    if pdf is None:
        print(rule_sheet_text(made), end="")
        return
    from passline.tournament.papers import sheet_pdf

    if pdf.suffix != ".pdf":
        raise CrapsError(f"--pdf {pdf}: must end with .pdf")
    write_file(pdf, sheet_pdf(made, plan))


@commands.command()
def example(
    *, rules: Annotated[str, typer.Option(help="The regulation: one whose text has tournaments.")] = "colorado"
) -> None:
    """Print a plan to start from."""
    from passline.tournament.plan.example import example_text

    print(example_text(rules), end="")


for _served in (served.plan, served.do, served.board, served.report):
    commands.command()(_served)
