"""`passline shooter`: the law of the length of a shooter's hand, or of a count over it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from passline.atomic_file import STANDARD_OUTPUT
from passline.chances import chance_text
from passline.cli.options.dice import DiceOption, dice_json, dice_line, weights_from
from passline.cli.options.game import GameOption, HouseOption, RulesOption, SetOption, rules_from
from passline.cli.options.session import count_from
from passline.cli.output import CHART_SUFFIXES, check_outputs, check_writable, text_output
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.dice_weights import DiceWeights
    from passline.exact.chain.generating import Eigenvalue, GeneratingFunction
    from passline.exact.chain.hand_law import CountLaw, FiniteLaw
    from passline.rules.rules import Rules

_ROWS = 40
_MOST = 1000  # one hand in 10^64 has this many rolls
_KINDS = ("points", "numbers")
_SHARES = tuple(Fraction(share, 100) for share in (5, 50, 95))
_WIDE = 20


def shooter(
    *,
    count: Annotated[
        str, typer.Option(help="What to count: rolls, points, sevens, elevens, 'sevens and elevens', numbers.")
    ] = "rolls",
    different: Annotated[bool, typer.Option("--different", help="Count each point or number once.")] = False,
    at_least: Annotated[int | None, typer.Option(min=0, max=_MOST, help="Probability of this many or more.")] = None,
    longest_of: Annotated[
        int | None,
        typer.Option(parser=count_from, metavar="HANDS", help="The most in any of so many hands, such as 1e6."),
    ] = None,
    spectrum: Annotated[
        bool, typer.Option("--spectrum", help="Show the generating function, and the eigenvalues with their weights.")
    ] = False,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    elected: SetOption = None,
    dice: DiceOption = "fair",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON, with fractions as p/q.")] = False,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the law into this file (PNG, SVG or PDF; - is stdout, PNG)."),
    ] = None,
) -> None:
    """Print the exact law of a shooter's hand: its rolls, or how many points, numbers, sevens or elevens it has."""
    check_writable(plot, *CHART_SUFFIXES)
    check_outputs(json=STANDARD_OUTPUT if as_json else None, plot=plot)
    count, out = count.lower().strip(), text_output(plot)
    chosen, weights = rules_from(rules, house, game, elected), weights_from(dice)
    law = _law(chosen, count, weights, different=different)
    if (said := dice_line(weights)) and not as_json:
        print(said, file=out)
    name = f"different {count}" if different else count
    if plot is not None:
        if not weights.is_fair:
            raise CrapsError(f"--plot and --dice {dice}: the chart shows the game's dice; leave one out")
        _draw(law, name, plot)
    if as_json:
        answer = {**_as_json(law, name, at_least, longest_of, spectrum=spectrum), **dice_json(weights)}
        print(json.dumps(answer, indent=1))
    elif spectrum:
        _show_spectrum(law, name, out)
    elif longest_of is not None:
        _show_longest(law, name, longest_of, at_least, out)
    elif at_least is not None:
        chance = law.at_least(at_least)
        odds = f"1 in {float(1 / chance):.3g}" if chance else "never"
        print(f"{name} of at least {at_least}: {float(chance):.6g}, {odds}", file=out)
        print(chance, file=out)
    else:
        _show(law, name, out)


def _law(rules: Rules, count: str, dice: DiceWeights, *, different: bool) -> CountLaw | FiniteLaw:
    from passline.automaton.compiler import compile_strategy
    from passline.exact.chain.hand_law import COUNTS, FiniteLaw, count_law, different_law, totals
    from passline.strategy.lookup import strategy_of

    if count not in COUNTS:
        raise CrapsError(f"--count {count}: choose one of {', '.join(COUNTS)}")
    automaton = replace(compile_strategy(rules, strategy_of("pass", rules)), weights=dice.weights)
    if not different:
        return count_law(automaton, COUNTS[count](automaton))
    if count not in _KINDS:
        raise CrapsError(f"--different --count {count}: --different is for {' and '.join(_KINDS)}")
    return FiniteLaw(different_law(automaton, totals(automaton) * COUNTS[count](automaton)))


def _draw(law: CountLaw | FiniteLaw, name: str, path: Path) -> None:
    from passline.exact.chain.hand_law import CountLaw
    from passline.exact.plots import draw_count, draw_hand_length

    if name == "rolls":
        assert isinstance(law, CountLaw)
        draw_hand_length(law, path)
    else:
        draw_count(law, name, path)


def _rows(law: CountLaw | FiniteLaw) -> list[tuple[int, Fraction, Fraction]]:
    return law.table(until=Fraction(1, 10**6))[:_ROWS]


def _show(law: CountLaw | FiniteLaw, count: str, out: TextIO) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, file=out)
    deviation = float(law.variance) ** 0.5
    console.print(f"A shooter's hand: {count}. Mean {law.mean} = {float(law.mean):.6f}, deviation {deviation:.6f}.")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for title in (count, "exactly", "at least", "one in"):
        table.add_column(title, justify="right")
    for value, chance, tail in _rows(law):
        table.add_row(str(value), f"{float(chance):.9f}", f"{float(tail):.9f}", f"{float(1 / tail):,.1f}")
    console.print(table)


def _show_longest(law: CountLaw | FiniteLaw, name: str, hands: int, at_least: int | None, out: TextIO) -> None:
    from passline.exact.chain.hand_law import longest_quantile

    if at_least is not None:
        chance = _longest(law, at_least, hands)
        print(f"{name} of at least {at_least} in any of {hands:,} hands: {chance_text(chance)}", file=out)
        return
    print(f"The most {name} in any of {hands:,} hands; as many or fewer with this chance:", file=out)
    for share in _SHARES:
        print(f"{float(share):>5.0%}  {longest_quantile(law, share, hands)}", file=out)


def _longest(law: CountLaw | FiniteLaw, at_least: int, hands: int) -> float:
    """Return 1 - (1 - tail)^hands without losing the digits of a small tail; as a fraction it would fill pages."""
    tail = float(law.at_least(at_least))
    return 1.0 if tail >= 1 else -math.expm1(hands * math.log1p(-tail))


def _spectrum(law: CountLaw | FiniteLaw, name: str) -> tuple[GeneratingFunction, list[Eigenvalue]]:
    from passline.exact.chain.generating import eigenvalues, generating_function
    from passline.exact.chain.hand_law import CountLaw

    if not isinstance(law, CountLaw):
        raise CrapsError(f"--spectrum --different: {name} have a largest value, and their law no eigenvalues")
    function = generating_function(law)
    return function, eigenvalues(function)


def _show_spectrum(law: CountLaw | FiniteLaw, name: str, out: TextIO) -> None:
    function, found = _spectrum(law, name)
    print(f"The sum of P({name} = n) z^n is {function}.", file=out)
    print(f"P({name} >= n) is the sum of weight * eigenvalue^(n - 1):", file=out)
    print(f"{'eigenvalue':>{_WIDE}}  {'weight':>{_WIDE}}", file=out)
    for eigenvalue in found:
        print(f"{_number(eigenvalue.value):>{_WIDE}}  {_number(eigenvalue.tail_weight):>{_WIDE}}", file=out)


def _number(value: complex) -> str:
    return f"{value:.12f}" if value.imag else f"{value.real:.15f}"


def _as_json(
    law: CountLaw | FiniteLaw, name: str, at_least: int | None, longest_of: int | None, *, spectrum: bool
) -> dict[str, object]:
    answer: dict[str, object] = {"count": name, "mean": str(law.mean), "variance": str(law.variance)}
    if at_least is not None:
        answer |= {"at_least": at_least, "chance": str(law.at_least(at_least))}
        if longest_of is not None:
            answer |= {"hands": longest_of, "chance_in_any": _longest(law, at_least, longest_of)}
    if spectrum:
        function, found = _spectrum(law, name)
        answer |= {"numerator": function.numerator, "denominator": function.denominator}
        terms = [(eigenvalue.value, eigenvalue.tail_weight) for eigenvalue in found]
        answer |= {"eigenvalues": [[value.real, value.imag, w.real, w.imag] for value, w in terms]}
    return answer | {"law": [[value, str(chance), str(tail)] for value, chance, tail in _rows(law)]}
