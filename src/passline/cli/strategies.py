"""`passline strategies`: the known strategies, or one strategy file and where it can be played."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from passline.cli.options.game import GameOption, HouseOption, RulesOption, SetOption, rules_from
from passline.cli.options.session import BankrollOption, complete_strategy
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.rules.rules import Rules
    from passline.strategy.strategy_file import StrategyFile

_WIDTH_MAX = 100
_NAME_WIDTH = 19


def strategies(
    name: Annotated[
        str,
        typer.Argument(
            help="A strategy or a strategy file of your own; without it, all known strategies.",
            autocompletion=complete_strategy,
        ),
    ] = "",
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    elected: SetOption = None,
    play: Annotated[
        str, typer.Option(metavar="DICE", help="Play these rolls, such as 3-4,2-2, and tell what it does and why.")
    ] = "",
    bankroll: BankrollOption = "500",
    lint: Annotated[
        bool, typer.Option("--lint", help="Say what can never happen, and how many states each line costs.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the same as JSON.")] = False,
) -> None:
    """List the strategies with their parameters and the regulations that permit them, or play one and show it.

    A strategy that is named is played for 600 rolls under every regulation, or under the rules that are given, so
    that a wish which the rules refuse is found. The exit code is 2 if it can be played nowhere. With --play it is
    named as for `passline simulate` and plays the dice that are given.
    """
    import msgspec
    from rich.console import Console

    from passline.strategy.lookup import known_strategies, regulations_of, strategy_file

    width = min(Console().width, _WIDTH_MAX)
    is_chosen = bool(rules or house or game or elected)
    if is_chosen and not name:
        raise CrapsError("--rules, --house, --game and --set are for one strategy: name it")
    if (play or lint) and not name:
        raise CrapsError("--play and --lint are for one strategy: name it")
    if play:
        _tell(name, rules_from(rules, house, game, elected), play, bankroll, as_json=as_json)
        return
    if name:
        file = strategy_file(name)
        faults = _faults(file, [rules_from(rules, house, game, elected)] if is_chosen else None)
        if all(faults.values()):
            raise CrapsError(next(iter(faults.values())))
        found = _lint(file, rules_from(rules, house, game, elected) if is_chosen else None, faults) if lint else None
        if as_json:
            record = _record(file, faults) | {"file": file.text} | ({"lint": found} if found else {})
            print(msgspec.json.format(msgspec.json.encode(record)).decode())
        elif found:
            print(_lint_page(file, faults, found, width))
        else:
            print(_page(file, faults, width))
        return
    every = [(file, regulations_of(file)) for file in known_strategies().values()]
    if as_json:
        print(msgspec.json.format(msgspec.json.encode([_record(*row) for row in every])).decode())
        return
    for file, faults in every:
        print(_entry(file, faults, width))
    print("\nA strategy is named with its parameters, and several are joined: molly:unit=500,odds=3 + fire")
    print("`passline strategies NAME` shows one as a file: begin your own with the one that is most like it.")


def _tell(name: str, rules: Rules, dice: str, bankroll: str, *, as_json: bool) -> None:
    """Play given dice and tell each roll."""
    import msgspec

    from passline.automaton.told_play import told_play
    from passline.cli.strategy_reasons import dice_from, told_lines
    from passline.money import cents_from
    from passline.strategy.lookup import strategy_of

    rolls = dice_from(dice)
    told = told_play(rules, strategy_of(name, rules), rolls, bankroll_cents=cents_from(bankroll))
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(list(told))).decode())
        return
    for roll in told:
        for line in told_lines(roll):
            print(line)


def _lint(file: StrategyFile, chosen: Rules | None, faults: dict[str, str]) -> dict[str, Any]:
    """Return what the linter finds under the rules that are chosen, or else under the first that permit the file."""
    from passline.automaton.lint import lint
    from passline.rules.rules import Rules
    from passline.strategy.strategy_table import UnlawfulWish

    for regulation in _permitted_under(faults):
        try:
            return {"rules": regulation, "found": lint(file, chosen or Rules.of(regulation))}
        except UnlawfulWish as error:  # such as a side wager that a house must elect
            why = str(error)
    raise CrapsError(f"{why}. --set or --house chooses a house that offers it")


def _lint_page(file: StrategyFile, faults: dict[str, str], found: dict[str, Any], width: int) -> str:
    from passline.cli.strategy_reasons import lint_lines

    lines = [file.name, *lint_lines(found["found"], found["rules"], width)]
    lines += [f"Played under {_regulations_text(faults)}.", *_refusals(faults, width)]
    return "\n".join(lines)


def _refusals(faults: dict[str, str], width: int) -> list[str]:
    lines: list[str] = []
    for regulation, fault in faults.items():
        if fault:
            lines += textwrap.wrap(f"Not under {regulation}: {fault}", width, subsequent_indent=" " * 4)
    return lines


def _faults(file: StrategyFile, chosen: list[Rules] | None) -> dict[str, str]:
    """Return for each regulation, or for the rules that are chosen, why the strategy cannot be played; "" if it can."""
    from passline.cli.output import progress_bar
    from passline.rules.rulebook_reader import sound_regulations
    from passline.rules.rules import Rules
    from passline.strategy.interface import StrategyError
    from passline.strategy.strategy_file import bind
    from passline.strategy.strategy_table import fault_in_play

    faults: dict[str, str] = {}
    with progress_bar(f"playing {file.name}") as show:
        for rules in chosen or map(Rules.of, sound_regulations()):
            name = f"{rules.rulebook.name}, {rules.house.game}" if chosen else rules.rulebook.name
            show(len(faults), None, f"playing {file.name} under {name}")
            try:
                faults[name] = fault_in_play(bind(file, rules), rules)
            except StrategyError as error:
                faults[name] = str(error)
    return faults


def _permitted_under(faults: dict[str, str]) -> list[str]:
    return [regulation for regulation, fault in faults.items() if not fault]


def _regulations_text(faults: dict[str, str]) -> str:
    is_every = len(faults) > 1 and not any(faults.values())
    return "every regulation" if is_every else ", ".join(_permitted_under(faults))


def _record(file: StrategyFile, faults: dict[str, str]) -> dict[str, Any]:
    about = file.about
    return {
        "name": file.name,
        "description": file.description,
        "source": file.source,
        "parameters": {key: {"default": value, "about": about[key]} for key, value in file.defaults.items()},
        "wagers": file.kinds,
        "regulations": _permitted_under(faults),
    }


def _text(value: int | tuple[int, ...]) -> str:
    from passline.strategy.strategy_file import value_text

    return value_text(value)


def _entry(file: StrategyFile, faults: dict[str, str], width: int) -> str:
    """Return the few lines of a strategy in the list: name, description, parameters, regulations."""
    values = ",".join(f"{key}={_text(value)}" for key, value in file.defaults.items())
    indent = " " * _NAME_WIDTH
    lines = textwrap.wrap(
        file.description, width, initial_indent=file.name.ljust(_NAME_WIDTH), subsequent_indent=indent
    )
    about = f"{values + '; ' if values else ''}{_regulations_text(faults)}"
    return "\n".join([*lines, *textwrap.wrap(about, width, initial_indent=indent, subsequent_indent=indent)])


def _page(file: StrategyFile, faults: dict[str, str], width: int) -> str:
    lines = [file.name, *textwrap.wrap(file.description, width), *textwrap.wrap(f"Source: {file.source}", width), ""]
    about = file.about
    for key, value in file.defaults.items():
        lines += textwrap.wrap(f"{key} = {_text(value)}  {about[key]}", width, subsequent_indent=" " * 4)
    lines += ["", f"Played under {_regulations_text(faults)}.", *_refusals(faults, width)]
    return "\n".join([*lines, "", file.text.rstrip()])
