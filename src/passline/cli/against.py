"""`--against` of `passline analyze` and `passline simulate`: strategies compared on the same dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

from passline.chances import chance_text
from passline.cli.options.dice import dice_json
from passline.cli.output import progress_bar, side_by_side
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.automaton.terms import Terms
    from passline.exact.paired import PairedLaw
    from passline.rules.rules import Rules
    from passline.simulation.paired import PairedResults
    from passline.simulation.simulation import PreparedStrategy

_PLACES = 4  # of a chance that is estimated


def solved_pairs(
    houses: Sequence[tuple[str, Rules]],
    strategies: Sequence[str],
    against: Sequence[str],
    terms: Terms,
    how: dict[str, Any],
) -> list[PairedLaw]:
    """Return the law of the difference of each strategy and each it is compared with, at each house."""
    from passline.exact.paired import analyze_against

    if against and how["finish"]:
        raise CrapsError("--against and --finish: differences count wagers at face; leave one out")
    options = {name: value for name, value in how.items() if name != "finish"}
    found = []
    for label, rules in houses if against else ():
        for strategy in strategies:
            for other in against:
                with progress_bar(f"{strategy} against {other}"):
                    law = analyze_against(rules, strategy, other, terms, **options)
                found.append(replace(law, name=f"{law.name}, {label}") if label else law)
    return found


def show_laws(pairs: Sequence[PairedLaw], file: TextIO) -> None:
    """Print exact differences side by side, or why there is only a mean."""
    facts = []
    for pair in pairs:
        known = [("mean difference", f"{float(pair.mean_cents) / 100:,.4f}")]
        if pair.law is not None:
            known.append(("standard deviation", f"{(pair.deviation_cents or 0) / 100:,.2f}"))
            chances = {"ahead": pair.ahead, "level": pair.ties, "behind": pair.behind}
            known += [(name, chance_text(chance or 0)) for name, chance in chances.items()]
            known.append(("error of a probability", f"at most {pair.error:.1e}" if pair.error else "none: exact"))
        facts.append(known)
    _print_pairs([f"{pair.name} less {pair.against}" for pair in pairs], facts, file)
    for why in dict.fromkeys(pair.why for pair in pairs if pair.why):
        print(f"no law of a difference: {why}", file=file)


def laws_json(pairs: Sequence[PairedLaw]) -> list[dict[str, Any]]:
    """Return exact differences as JSON: an object for each pair."""
    found = []
    for pair in pairs:
        answer: dict[str, Any] = {"strategy": pair.name, "against": pair.against, **dice_json(pair.dice)}
        answer["mean_difference_cents"] = _plain(pair.mean_cents)
        if pair.law is None:
            answer["why_no_law"] = pair.why
        else:
            answer |= {"sd_cents": pair.deviation_cents, "error": pair.error}
            answer |= {"ahead": _plain(pair.ahead), "level": _plain(pair.ties), "behind": _plain(pair.behind)}
            laws = zip(pair.law.equity_cents, pair.law.chances, strict=True)
            answer["law"] = [[cents, _plain(chance)] for cents, chance in laws]
        found.append(answer)
    return found


def compared_pairs(
    prepared: Sequence[PreparedStrategy],
    played: Sequence[tuple[tuple[str, Rules], str]],
    against: Sequence[str],
    sessions: int,
    *,
    seed: int,
    cores: int | None,
) -> list[PairedResults]:
    """Compare every strategy with those it is played against, at the same house, session by session."""
    from passline.simulation.paired import compare_pair

    found = []
    for ((label, _rules), text), ready in zip(played, prepared, strict=True) if against else ():
        for ((house, _), other), beside in zip(played, prepared, strict=True):
            if other in against and text not in against and house == label:
                with progress_bar(f"comparing {text} with {other} session by session"):
                    found.append(compare_pair(ready, beside, sessions=sessions, seed=seed, cores=cores))
    return found


def show_pairs(pairs: Sequence[PairedResults], file: TextIO) -> None:
    """Print simulated differences side by side."""
    facts = []
    for pair in pairs:
        mean, ahead, level = pair.mean_cents(), pair.chance_ahead(), pair.chance_of_tie()
        facts.append(
            [
                ("mean difference", f"{mean.value / 100:,.4f} ± {mean.margin / 100:,.4f}"),
                ("its standard error", f"{pair.error_cents / 100:,.4f}"),
                ("ahead", f"{ahead.value:.{_PLACES}%} ± {ahead.margin:.{_PLACES}%}"),
                ("level", f"{level.value:.{_PLACES}%} ± {level.margin:.{_PLACES}%}"),
            ]
        )
    _print_pairs([f"{pair.name} less {pair.against}" for pair in pairs], facts, file)


def pairs_json(pairs: Sequence[PairedResults]) -> list[dict[str, Any]]:
    """Return simulated differences as JSON: an object for each pair."""
    return [
        {
            "strategy": pair.name,
            "against": pair.against,
            **dice_json(pair.dice),
            "sessions": pair.sessions,
            "mean_difference_cents": pair.mean_cents().value,
            "standard_error_cents": pair.error_cents,
            "ahead": pair.ahead,
            "level": pair.ties,
            "behind": pair.behind,
            "sums": [pair.differences.total, pair.differences.squares],
        }
        for pair in pairs
    ]


def _print_pairs(names: list[str], facts: list[list[tuple[str, str]]], file: TextIO) -> None:
    from rich.console import Console

    if not names:
        return
    console = Console(highlight=False, soft_wrap=False, file=file)
    console.print("\nOn the same dice, session by session:")
    console.print(side_by_side(names, facts, width=console.width))


def _plain(value: Any) -> Any:  # noqa: ANN401 - a float, or a fraction as p/q
    return value if value is None or isinstance(value, float) else str(value)
