"""`passline certify`: exact answers with a proof, and the checks of one."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options import session as s
from passline.cli.options.game import GameOption, HouseOption, RulesOption, name_as_written, rules_from
from passline.cli.output import check_outputs, check_writable, progress_bar, text_output, write_file
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.automaton.arrays import Short
    from passline.automaton.terms import Terms
    from passline.exact.certificates.certificate import Certificate
    from passline.rules.rules import Rules

_SHORT = 40  # letters of a fraction that is shown whole


def certify(
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="[STRATEGY]",
            help="A strategy, named as for `passline analyze`; or none, with --wager, --verify or --checker.",
            show_default=False,
            autocompletion=s.complete_strategy,
        ),
    ] = "",
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    wager: Annotated[
        str, typer.Option(metavar="NAME", help="A wager made once, such as place_win, instead of a strategy.")
    ] = "",
    number: Annotated[str, typer.Option(metavar="N", help="The number of the wager, such as 6 or 1-3.")] = "",
    stake: Annotated[
        str, typer.Option(metavar="DOLLARS", help="The stake of the wager; without it, its minimum.")
    ] = "",
    odds: Annotated[
        str, typer.Option(metavar="NAME", help="The odds to take behind the wager, at most, such as pass_odds.")
    ] = "",
    bankroll: s.BankrollOption = "500",
    rolls: s.RollsOption = None,
    goal: s.GoalOption = "",
    short: s.ShortOption = "stop",
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Write the certificate there, as JSON; - is stdout.")
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option("--verify", metavar="FILE", help="Check this certificate, and that its arrays are the rules'."),
    ] = None,
    checker: Annotated[
        Path | None,
        typer.Option("--checker", metavar="FILE", help="Write the checker there: one file that needs Python alone."),
    ] = None,
) -> None:
    """Certify what a strategy or a wager does: exact results, with a proof that a checker of its own confirms.

    Of a strategy the edges in the long run and, with --rolls, the law of a session. The checker has under 300 lines and
    imports nothing of Passline: run `python check_certificate.py FILE` with it.
    """
    check_outputs(to=to, checker=checker)
    for file in (to, checker):
        check_writable(file)
    asked = [name for name, given in (("STRATEGY", strategy), ("--wager", wager), ("--verify", verify)) if given]
    if len(asked) > 1 or not (asked or checker):
        raise CrapsError(f"{' and '.join(asked) or 'nothing to certify'}: name a STRATEGY, a --wager or --verify FILE")
    _refuse_beside(wager, rolls, {"--number": number, "--stake": stake, "--odds": odds}, goal)
    if checker is not None:
        source = files("passline") / "exact" / "certificates" / "checker.py"
        write_file(checker, source.read_bytes(), said_on=sys.stderr)
    if verify is not None:
        _verify(verify)
        return
    if not asked:
        return
    chosen = rules_from(rules, house, game)
    if wager:
        made = _wager_certificate(chosen, wager, number, stake, odds)
    else:
        terms = None if rolls is None else s.terms_from(bankroll=bankroll, rolls=rolls, goal=goal)
        made = _strategy_certificate(chosen, strategy, terms, short)
    _show(made, text_output(to))
    if to is not None:
        write_file(to, made.text.encode(), said_on=sys.stderr)


def _strategy_certificate(rules: Rules, strategy: str, terms: Terms | None, short: Short) -> Certificate:
    from passline.exact.certificates.certificate import certify as certified

    with progress_bar("certifying") as show:
        return certified(
            rules,
            strategy,
            terms,
            short=short,
            progress=lambda done, known: show(done, known, f"states of {strategy} compiled"),
            solving=lambda done, total: show(done, total, f"solving {strategy}"),
        )


def _refuse_beside(wager: str, rolls: int | None, of_wager: dict[str, str], goal: str) -> None:
    """Raise CrapsError for options that nothing would read."""
    for option, value in of_wager.items():
        if value and not wager:
            raise CrapsError(f"{option} {value}: is for a wager; name it with --wager")
    if goal and rolls is None:
        raise CrapsError(f"--goal {goal}: is for a session; give --rolls too")
    if wager and rolls is not None:
        raise CrapsError(f"--rolls {rolls}: is for a strategy; a wager is made once")


def _wager_certificate(rules: Rules, wager: str, number: str, stake: str, odds: str) -> Certificate:
    from passline.dice import number_code
    from passline.exact.certificates.certificate import certify_wager
    from passline.money import cents_from

    kind, at = name_as_written(wager), number_code(number) if number else 0
    cents = cents_from(stake) if stake else 0
    if not cents and kind in rules.wagers:
        cents = rules.least_taken(rules.wagers[kind], at)
    return certify_wager(rules, kind=kind, number=at, cents=cents, odds=name_as_written(odds))


def _verify(file: Path) -> None:
    from passline.exact.certificates.certificate import read_certificate, verify_certificate

    with progress_bar(f"checking {file}") as show:
        read = read_certificate(file)
        verify_certificate(read, progress=lambda done, known: show(done, known, "states compiled"))
    _show(read, sys.stdout)
    print(f"{file}: confirmed by the checker, and its arrays are those of the rules and the player that it names")


def _show(made: Certificate, file: object) -> None:
    from rich.console import Console
    from rich.table import Table

    from passline.exact.certificates.certificate import long_fractions

    console = Console(highlight=False, file=file)  # type: ignore[arg-type] # a text stream
    page = made.page
    rules = page["rules"]
    console.print(
        f"Certificate of {made.name}, {rules['regulation']} {rules['game']}: {len(page['classes']):,} states."
    )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("", no_wrap=True)
    for head in ("about", "exactly"):
        table.add_column(head, overflow="fold")
    with long_fractions():
        for label, value in made.facts():
            table.add_row(label, _decimals(value), value if len(value) <= _SHORT else f"{len(value)} letters")
    console.print(table)


def _decimals(value: str) -> str:
    from fractions import Fraction

    low, *high = (f"{float(Fraction(end)):.9g}" for end in value.split(" to "))
    return low if not high or high[0] == low else f"{low} to {high[0]}"
