"""`passline analyze` backwards: the bankroll, the goal or the rolls for a chance, and the next value that fails it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from passline.chances import chance_from, chance_text, plain_chance
from passline.cli.options.dice import dice_json, dice_line
from passline.cli.output import progress_bar, side_by_side
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.automaton.terms import Terms
    from passline.exact.backwards import Bracket, Side
    from passline.rules.rules import Rules
_SMALL = Fraction(1, 10_000)


def refuse_beside(asked: Mapping[str, str], *, goal: bool, **others: object) -> None:
    """Raise CrapsError if two questions are asked at once, or one beside an option that it has no use for."""
    flags = [_flag(name) for name, text in asked.items() if text]
    if len(flags) > 1:
        raise CrapsError(f"{' and '.join(flags)}: ask one at a time")
    if goal and asked["goal_at_least"]:
        raise CrapsError("--goal and --goal-at-least: the second finds the goal; leave out the first")
    for name, value in others.items():
        if value:
            raise CrapsError(f"{flags[0]} and {_flag(name)}: the answer is a number; leave out the second")


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def solve_backwards(
    rules: Rules,
    strategies: Sequence[str],
    terms: Terms,
    asked: Mapping[str, str],
    options: Mapping[str, Any],
    *,
    as_json: bool,
) -> None:
    """Bracket the one question of `asked` for every strategy with the options of a search, and print the answers."""
    (name, text), *_ = ((name, text) for name, text in asked.items() if text)
    chance, search, found = chance_from(text), _search(name), []
    for strategy in strategies:
        with progress_bar(strategy) as show:

            def show_states(done: int, known: int, strategy: str = strategy) -> None:
                show(done, known, f"states of {strategy} compiled")

            def show_solving(done: int, _total: int | None, strategy: str = strategy) -> None:
                show(done, None, f"sessions of {strategy} solved")

            common = {**options, "progress": show_states, "solving": show_solving}
            found.append(search(rules, strategy, terms, chance, common))
    what = _what(name, terms)
    if as_json:
        print(json.dumps([{**_as_json(answer, what), **dice_json(options["dice"])} for answer in found], indent=1))
    else:
        if said := dice_line(options["dice"]):
            print(said)
        _show(found, what, terms, name)


def _search(name: str) -> Callable[[Rules, str, Terms, Fraction, dict[str, Any]], Bracket]:
    from passline.exact.backwards import fewest_rolls, highest_goal, smallest_bankroll

    return {
        "ruin_at_most": lambda rules, strategy, terms, chance, common: smallest_bankroll(
            rules, strategy, terms, ruin_at_most=chance, **common
        ),
        "goal_at_least": lambda rules, strategy, terms, chance, common: highest_goal(
            rules, strategy, terms, goal_at_least=chance, **common
        ),
        "rolls_for": lambda rules, strategy, terms, chance, common: fewest_rolls(
            rules, strategy, terms, chance=chance, **common
        ),
    }[name]


def _what(name: str, terms: Terms) -> tuple[str, str]:
    """Return what is found, and of what the chance is."""
    if name == "ruin_at_most":
        return "smallest bankroll", "ruin"
    if name == "goal_at_least":
        return "highest goal", "goal reached"
    return "fewest rolls", "goal reached" if terms.goal_cents is not None else "ruin"


def _show(found: Sequence[Bracket], what: tuple[str, str], terms: Terms, name: str) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=False)
    sought = {"ruin_at_most": "from ", "goal_at_least": "goal ", "rolls_for": "at most "}[name]
    given = ", ".join(part for part in str(terms).split(", ") if not part.startswith(sought))
    bound = "most" if name == "ruin_at_most" else "least"
    console.print(
        f"Sessions {given}; {what[1]} with a chance of at {bound} {_percent_text(found[0].asked)}.", soft_wrap=True
    )
    facts = [_facts(answer, what) for answer in found]
    console.print(side_by_side([answer.name for answer in found], facts, width=console.width))


def _percent_text(chance: Fraction) -> str:
    return chance_text(chance) if chance < _SMALL else f"{float(chance * 100):g}%"


def _facts(answer: Bracket, what: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the value that just meets the chance and the one that just fails it, each with its own."""
    sought, event = what
    yield sought, _value(answer.meets, sought)
    yield f"{event} with it", chance_text(answer.meets.chance)
    yield "just fails", _value(answer.fails, sought) if answer.fails else "none"
    yield f"{event} with that", chance_text(answer.fails.chance) if answer.fails else ""
    yield "sessions solved", f"{answer.solved:,}"


def _value(side: Side, sought: str) -> str:
    from passline.money import dollars

    return f"{side.value:,}" if sought == "fewest rolls" else dollars(side.value)


def _as_json(answer: Bracket, what: tuple[str, str]) -> dict[str, Any]:
    unit = "rolls" if what[0] == "fewest rolls" else "cents"

    def side(found: Side | None) -> dict[str, Any] | None:
        return None if found is None else {unit: found.value, "chance": plain_chance(found.chance)}

    return {
        "strategy": answer.name,
        "found": what[0],
        "chance_of": what[1],
        "asked": str(answer.asked),
        "meets": side(answer.meets),
        "fails": side(answer.fails),
        "sessions_solved": answer.solved,
    }
