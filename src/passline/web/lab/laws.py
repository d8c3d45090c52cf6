"""Laws of sessions for pictures: the final bankroll, ruin roll by roll, quantiles on the way, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import fsum
from time import monotonic
from typing import cast

from passline.automaton.terms import Terms
from passline.charts import nice
from passline.errors import CrapsError
from passline.exact.analysis import Analysis, analyze, solvable_automaton
from passline.exact.par.par import meter_notes
from passline.exact.session.float_law import session_law
from passline.exact.session.law import SessionLaw
from passline.rules.rules import Rules
from passline.strategy.interface import Strategy
from passline.web.lab.answers import Atom, ByRoll, LabCost, LabFan, LabLaw, LabProgress, Quantile
from passline.web.lab.questions import LawAsked
from passline.web.lab.written import rules_asked, strategy_asked, terms_asked

STATES_MAX = 30_000
"""The most states of a strategy that are looked for here; `passline analyze` looks for 200,000."""
SHARES = (5, 25, 50, 75, 95)
"""The quantiles of a fan, in percent of the sessions."""
_QUANTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)
_ATOMS_MAX = 2_500
_BY_ROLL_MAX = 300
_FAN_POINTS = 14
_FAN_SECONDS = 12.0
_LATE = 0.001  # of the sessions that still go on where a fan ends
Show = Callable[[LabProgress], None]


def law_lines(asked: LawAsked, show: Show) -> Iterator[LabLaw | LabFan]:
    """Yield the law of a session and, where it has one, its fan."""
    rules = rules_asked(asked.house)
    strategy, terms = strategy_asked(asked.strategy, rules), terms_asked(asked.session)

    def show_compiling(done: int, known: int) -> None:
        if known > STATES_MAX:
            raise CrapsError(
                f"{strategy.name} has more than {STATES_MAX:,} states, too much for this page: let it remember "
                "less, or analyze it with `passline analyze` on a machine of your own"
            )
        show(LabProgress(f"states of {strategy.name}", done, known))

    def show_solving(done: int, total: int | None) -> None:
        show(LabProgress(f"solving {strategy.name}", done, total))

    found = analyze(rules, strategy, terms, short=asked.session.short, progress=show_compiling, solving=show_solving)
    yield _law_of(found, terms, asked.pace, tuple(meter_notes(rules)) if rules.progressives else ())
    if found.law is not None:
        yield _fan_of(rules, strategy, _in_floats(found.law), show)


def _law_of(found: Analysis, terms: Terms, pace: int, notes: tuple[str, ...]) -> LabLaw:
    if found.law is None:
        known = found.moments
        assert known is not None
        cost = _cost(
            loss=-known.mean, wagered=(known.action, known.initial, known.up), rolls=terms.rolls or 0, pace=pace
        )
        mean = terms.bankroll_cents + known.mean
        return LabLaw(found.name, found.parts, str(terms), "stop", mean, known.sd, cost, found.why, notes=notes)
    law = _in_floats(found.law)
    atoms, step = atoms_of(law)
    chances = zip(law.equity_cents, law.chances, strict=True)
    return LabLaw(
        name=found.name,
        states=found.parts,
        terms=str(terms),
        policy=law.policy,
        mean_cents=law.mean_cents,
        sd_cents=law.deviation_cents,
        cost=_cost(
            loss=law.loss_cents,
            wagered=(law.action_cents, law.initial_cents, law.up_cents),
            rolls=law.mean_rolls,
            pace=pace,
        ),
        ruin=law.ruin,
        goal=None if terms.goal_cents is None else law.goal,
        stop=law.stop if terms.has_stops else None,
        ahead=fsum(chance for equity, chance in chances if equity > terms.bankroll_cents),
        quantiles=quantiles_of(law, _QUANTILES),
        mean_rolls=law.mean_rolls,
        mean_rolls_to_ruin=law.mean_rolls_to_ruin,
        error=law.error,
        atoms=atoms,
        step_cents=step,
        by_roll=by_roll_of(law),
        notes=notes,
    )


def _in_floats(law: SessionLaw[float] | SessionLaw[Fraction]) -> SessionLaw[float]:
    return cast("SessionLaw[float]", law)  # as it was asked for: not exact


def _cost(*, loss: float, wagered: tuple[float, float, float], rolls: float, pace: int) -> LabCost:
    action, initial, up = wagered
    return LabCost(
        loss_cents=loss,
        action_cents=action,
        edge_on_action=loss / action if action else None,
        edge_on_initial=loss / initial if initial else None,
        average_wager_cents=up / rolls if rolls else None,
        loss_cents_per_hour=loss * pace / rolls if rolls else None,
        pace=pace,
    )


def atoms_of(law: SessionLaw[float], most: int = _ATOMS_MAX) -> tuple[tuple[Atom, ...], int]:
    """Return the values of a final bankroll with their chances, and how far apart they are if some were put together.

    >>> law = SessionLaw(
    ...     equity_cents=(0, 5_00, 10_00), chances=(0.25, 0.25, 0.5), ruin_chances=(0.25, 0.0, 0.0),
    ...     goal_chances=(0.0, 0.0, 0.0), ruin_by_roll=(0.0, 0.25), goal_by_roll=(0.0, 0.0), limit_by_roll=(0.0, 0.75),
    ...     error=0.0, mean_error_cents=0.0, policy="stop", terms=Terms(bankroll_cents=5_00, rolls=1),
    ... )
    >>> atoms_of(law)
    (((0, 0.25, 0.25, 0.0, 0.0), (500, 0.25, 0.0, 0.0, 0.0), (1000, 0.5, 0.0, 0.0, 0.0)), 0)
    >>> atoms_of(law, 2)
    (((0, 0.5, 0.25, 0.0, 0.0), (1000, 0.5, 0.0, 0.0, 0.0)), 1000)
    """
    stops = law.stop_chances or (0.0,) * len(law.chances)
    rows = zip(law.equity_cents, law.chances, law.ruin_chances, law.goal_chances, stops, strict=True)
    plain = [
        (cents, float(chance), float(ruin), float(goal), float(stop))
        for cents, chance, ruin, goal, stop in rows
        if chance
    ]
    if len(plain) <= most:
        return tuple(plain), 0
    low, high = plain[0][0], plain[-1][0]
    step = int(nice((high - low) / (100 * most))) * 100 or 100
    while (high - low) // step >= most:
        step *= 2
    cells: dict[int, list[float]] = {}
    for cents, *chances in plain:
        cell = cells.setdefault(cents // step, [0.0] * len(chances))
        for place, chance in enumerate(chances):
            cell[place] += chance
    return tuple((cell * step, *chances) for cell, chances in sorted(cells.items())), step  # type: ignore[misc]


def quantiles_of(law: SessionLaw[float], shares: tuple[int, ...]) -> tuple[Quantile, ...]:
    """Return the bankrolls that so many percent of the sessions end with or below."""
    return tuple((share, law.quantile_cents(Fraction(share, 100))) for share in shares)


def by_roll_of(law: SessionLaw[float], most: int = _BY_ROLL_MAX) -> tuple[ByRoll, ...]:
    """Return the chances to have ended by each roll in ruin, at the goal, at the limit and at a stop, of some rolls."""
    ended = [list(accumulate(map(float, ends))) for ends in _ends_by_roll(law)]
    last = len(ended[0]) - 1
    every = -(-last // most) or 1
    rolls = sorted({*range(0, last + 1, every), last})
    return tuple((roll, *(chances[roll] for chances in ended)) for roll in rolls)


def _ends_by_roll(law: SessionLaw[float]) -> tuple[tuple[float, ...], ...]:
    """Return the chances to end at each roll: in ruin, at the goal, at the limit, at a stop."""
    stops = law.stop_by_roll or (0.0,) * len(law.ruin_by_roll)
    return law.ruin_by_roll, law.goal_by_roll, law.limit_by_roll, stops


def _fan_of(rules: Rules, strategy: Strategy, law: SessionLaw[float], show: Show) -> LabFan:
    """Solve the same session cut off after some numbers of rolls, until it takes too long."""
    terms = law.terms
    solvable = solvable_automaton(rules, strategy, terms, short=law.policy)
    points = fan_points(law)
    begun, done = monotonic(), [(0, (terms.bankroll_cents,) * len(SHARES), float(terms.bankroll_cents))]
    is_cut = False
    for place, roll in enumerate(points):
        show(LabProgress(f"the way of {strategy.name}", place, len(points)))
        if monotonic() - begun > _FAN_SECONDS:
            is_cut = True
            break
        cut = session_law(solvable.automaton, replace(terms, rolls=roll))
        done.append((roll, tuple(cents for _, cents in quantiles_of(cut, SHARES)), float(cut.mean_cents)))
    rolls, cents, means = zip(*done, strict=True)
    return LabFan(shares=SHARES, rolls=rolls, cents=cents, mean_cents=means, is_cut=is_cut)


def fan_points(law: SessionLaw[float]) -> tuple[int, ...]:
    """Return the numbers of rolls at which a fan is drawn: evenly until nearly all sessions have ended."""
    ended = accumulate(map(sum, zip(*_ends_by_roll(law), strict=True)))
    last = next((roll for roll, share in enumerate(ended) if 1 - share < _LATE), len(law.ruin_by_roll) - 1)
    return tuple(sorted({max(1, round(last * place / _FAN_POINTS)) for place in range(1, _FAN_POINTS + 1)}))
