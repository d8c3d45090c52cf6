"""`passline tournament`: check a plan, print its rule sheet, simulate it, hold it at a server, print its papers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from passline.cli.options.game import complete_regulation
from passline.cli.output.files import write_file
from passline.cli.tournament import rehearse, served
from passline.cli.tournament.rehearse import lawful_plan
from passline.errors import CrapsError

__all__ = ["commands"]

_FileArgument = Annotated[Path, typer.Argument(help="A plan of a tournament.", show_default=False)]

commands = typer.Typer(
    no_args_is_help=True, help="Tournaments: the plan, the rule sheet, holding one at a server, its papers."
)
"""The commands `passline tournament ...`."""


@commands.command()
def check(file: _FileArgument) -> None:
    """List every breach of the regulation with its clause. The exit code is 1 if there is one."""
    from passline.money import dollar_amount
    from passline.tournament.plan.spend import plan_spend

    plan = lawful_plan(file)
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
    from passline.tournament.plan.check import dealt_rules
    from passline.tournament.plan.sheet import rule_sheet, rule_sheet_text
    from passline.tournament.rules.tournament_rules import tournament_of

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
        str, typer.Option(help="The regulation: one whose text has tournaments.", autocompletion=complete_regulation)
    ] = "colorado",
) -> None:
    """Print a plan to start from."""
    from passline.tournament.plan.example import example_text

    print(example_text(rules), end="")


for _command in (rehearse.simulate, served.plan, served.do, served.finish, served.board, served.report):
    commands.command()(_command)
