"""When every wager may be made, played at each moment of a hand: whatever a rulebook says of it, nothing else fits."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from passline.game.decide import act
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.rules import Rules
from passline.rules.schema import Cite, SideWager, cites_of
from tests.clauses.crew import Crew
from tests.clauses.layouts import amounts, laid_out
from tests.clauses.table import ANN, make, rules_of

GAMES = [*((name, "craps") for name in REGULATIONS), ("section2", "mini_craps"), ("maryland", "mini_craps")]
GAMES += [("colorado", "craps_free_craps")]
# The moments when a wager may be made, where that is not at any time.
LINE = {"first come-out roll", "later come-out roll"}
ON = {"point on"}
WINDOWS = {"pass": LINE, "dont_pass": LINE, "come": ON, "dont_come": ON}
MOMENTS = LINE | ON


@cache
def _rules(name: str, game: str) -> Rules:
    return Rules.of(name, game=game, automate=frozenset({"confirm"}))


def _cited(cite: Cite) -> tuple[str, ...]:
    keys = list(cite) if isinstance(cite, dict) else [None]
    return tuple(sorted({one for key in keys for one in (cites_of(cite, key) if key else cites_of(cite))}))


def _cases(*, are_odds: bool) -> list[Any]:
    """One case for each wager of each game, marked with the clauses by which it is made."""
    found = []
    for name, game in GAMES:
        rules = _rules(name, game)
        for kind, rule in rules.wagers.items():
            if isinstance(rule.entry, SideWager) or kind.endswith("_odds") is not are_odds:
                continue
            parts = clauses_of(name)
            held = [one for one in _cited(rule.entry.make.cite) if parts[one].part in {"game", "sidebets"}]
            marks = pytest.mark.clause(*held)
            found.append(pytest.param(name, game, kind, marks=marks, id=f"{name}-{game}-{kind}"))
    return found


@cache
def _at(name: str, game: str) -> dict[str, Crew]:
    """Return a table at each moment; seat 2 has no wager yet."""
    tables = {moment: Crew(name, automate=frozenset({"confirm"})) for moment in MOMENTS}
    for crew in tables.values():
        crew.rules = _rules(name, game)
        crew.come_out()
    tables["later come-out roll"].roll(4, 3)
    tables["point on"].roll(2, 4)
    return tables


@pytest.mark.parametrize(("name", "game", "kind"), _cases(are_odds=False))
def test_a_wager_is_made_in_its_window_and_at_no_other_moment(name: str, game: str, kind: str) -> None:
    for moment, crew in _at(name, game).items():
        numbers = sorted(crew.rules.wagers[kind].numbers) or [0]
        for number in numbers if crew.rules.wagers[kind].family != "line" else [0]:
            verdict = act(crew.rules, crew.table, crew.making(kind, seat=2, number=number))
            assert isinstance(verdict, Refused) is (moment not in WINDOWS.get(kind, MOMENTS)), (moment, number, verdict)


@pytest.mark.parametrize(("name", "game", "kind"), _cases(are_odds=True))
def test_odds_are_made_at_any_time_behind_a_wager_that_has_its_number(name: str, game: str, kind: str) -> None:
    rules = rules_of(name, game=game)
    base = kind.removesuffix("_odds")
    for number in ("4", "6", "9"):
        cents = amounts(rules, kind, number)
        if base == "put":
            continue
        with_point = laid_out(rules, base, number, "point", {ANN: 10_00, 3: 10_00})
        with_point.make(ANN, kind, cents[ANN], number)
        if base in {"come", "dont_come"}:
            line_decided = laid_out(rules, base, number, "come_out", {ANN: 10_00, 3: 10_00})
            line_decided.make(ANN, kind, cents[ANN], number)
        assert with_point.refuse(make(ANN, kind, cents[ANN], "5"))
