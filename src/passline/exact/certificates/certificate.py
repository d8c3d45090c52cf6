"""Certificates: what a strategy or a wager does, exactly, with all that a checker of its own needs to confirm it.

`checker.py` beside this module is that checker, which imports nothing of Passline.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path

from passline.atomic_file import whole_file
from passline.automaton.arrays import Automaton, Short
from passline.automaton.compiler import STATES_MAX, Progress
from passline.automaton.minimise import lump, lumped_classes, minimise
from passline.automaton.network import BUDGET, network
from passline.automaton.terms import SessionError, Terms, check_bankroll, check_goal, check_policy
from passline.bounded_text import read_named_file, text_of_file
from passline.errors import CrapsError
from passline.exact.certificates.checker import FORMAT, Refuted, check, json_digest
from passline.exact.certificates.subject import player_of_page, player_page, rules_of_page, rules_page
from passline.exact.certificates.witnesses import Page, rates_of, wager_witness
from passline.exact.par.par import compile_wager, par_of
from passline.exact.session.law import Solving
from passline.exact.session.rational_law import rational_law
from passline.notebook import html_table
from passline.rules.rules import Rules
from passline.rules.rules_argument import must_be_rules
from passline.strategy.interface import Strategy, StrategyError
from passline.strategy.lookup import strategy_of
from passline.strategy.one_wager import OneWager
from passline.version import __version__

_CERTIFIED_TERMS = {"bankroll_cents", "rolls", "goal_cents"}
_STATES_MAX = 20_000  # of a part before states are merged: more take longer than a wait for an error should
_TEXT_MAX = 200_000_000  # bytes; the largest product that the budget allows makes a tenth of it


@dataclass(frozen=True)
class Certificate:
    """A certificate as its page of JSON; it was checked by the checker when it was made or read."""

    page: Page

    @property
    def name(self) -> str:
        """The strategy or the wager."""
        return str(self.page["player"]["name"])

    @property
    def results(self) -> dict[str, dict[str, str]]:
        """What is proven, by kind (long_run, wager, session) and name, as fractions."""
        return {kind: proof["results"] for kind, proof in self.page["proofs"].items()}

    @property
    def text(self) -> str:
        """The file: a line for each state."""
        return _text_of(self.page)

    def save(self, path: Path | str) -> None:
        """Write the file, wholly or not at all."""
        with whole_file(Path(path)) as part:
            part.write_text(self.text, encoding="utf-8")

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield what is proven, as (label, value)."""
        for kind, results in self.results.items():
            for name, value in results.items():
                yield f"{kind.replace('_', ' ')}: {name.replace('_', ' ')}", value

    def __repr__(self) -> str:
        return f"<Certificate of {self.name}, {len(self.page['classes']):,} states: {', '.join(self.results)}>"

    def _repr_html_(self) -> str:
        return html_table(f"Certificate of {self.name}", self.facts())


@contextmanager
def long_fractions() -> Iterator[None]:
    """Let numbers of any length be written and read here: Python refuses those of more than 4,300 digits.

    A session of 2,800 rolls has longer ones.
    """
    digits_max = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(digits_max)


@long_fractions()
def certify(
    rules: Rules,
    strategy: Strategy | str,
    terms: Terms | None = None,
    *,
    short: Short = "stop",
    budget: int = BUDGET,
    progress: Progress | None = None,
    solving: Solving | None = None,
) -> Certificate:
    """Return a certificate of a strategy's edges in the long run and, with terms, of the law of such a session.

    >>> certificate = certify(Rules.of("maryland"), "pass", Terms(bankroll_cents=20_00, rolls=3))
    >>> certificate.results["long_run"]["edge_on_initial"], certificate.results["session"]["ruin"]
    ('7/495', '1/81')
    """
    rules = must_be_rules(rules)
    check_policy(short)
    played = strategy_of(strategy, rules) if isinstance(strategy, str) else strategy
    automaton = _whole_automaton(rules, played, short, budget, progress)
    lumped = lump(automaton, with_action=True)
    rates = rates_of(lumped)
    proofs: dict[str, Page] = {"long_run": {"rates": rates, "results": _long_run_results(rates, automaton.unit)}}
    if terms is not None:
        proofs["session"] = _session_proof(lumped, terms, solving)
    return _seal(rules, played, automaton, proofs)


@long_fractions()
def certify_wager(rules: Rules, *, kind: str, number: int = 0, cents: int, odds: str = "") -> Certificate:
    """Return a certificate of a wager made once, as a line of a par sheet has it.

    >>> certify_wager(Rules.of("maryland"), kind="place_win", number=6, cents=12_00).results["wager"]["edge"]
    '1/66'
    """
    par = par_of(rules, kind=kind, number=number, cents=cents, odds=odds)
    automaton = minimise(compile_wager(rules, kind=kind, number=number, cents=cents, odds=odds))
    wagered = par.wagered * cents
    results = {
        "win": par.win,
        "lose": par.lose,
        "push": par.push,
        "mean_cents": -par.edge * wagered,
        "variance_cents": par.variance * cents**2,
        "rolls": par.rolls,
        "wagered_cents": wagered,
        "edge": par.edge,
    }
    proof = wager_witness(lump(automaton, with_action=True), rules.wagers[kind], cents)
    player = OneWager(rules=rules, kind=kind, number=number, cents=cents, odds=odds)
    return _seal(rules, player, automaton, {"wager": {**proof, "results": _as_texts(results)}})


@long_fractions()
def read_certificate(path: Path | str) -> Certificate:
    """Return the certificate in a file; raise CrapsError, with the place, if the checker refutes it."""
    name = str(path)
    text = text_of_file(read_named_file(Path(path), _TEXT_MAX), name)
    try:
        check(text)
    except Refuted as error:
        raise CrapsError(f"{name}: refuted: {error}") from None
    return Certificate(json.loads(text))


def verify_certificate(certificate: Certificate, *, progress: Progress | None = None) -> None:
    """Compile what a certificate is about again, and raise CrapsError if its arrays are not those of the rules.

    >>> verify_certificate(certify(Rules.of("maryland"), "pass"))
    """
    page = certificate.page
    rules = rules_of_page(page["rules"])
    player = player_of_page(page["player"], rules)
    if isinstance(player, OneWager):
        wager = page["player"]["wager"]
        automaton = minimise(compile_wager(rules, **wager))
        found = lump(automaton, with_action=True)
        wagered = wager_witness(found, rules.wagers[wager["kind"]], wager["cents"])["wagered"]
        if page["proofs"]["wager"]["wagered"] != wagered:
            raise CrapsError(f"{certificate.name}: it counts other amounts as wagered than the rules: {wagered}")
    else:
        automaton = _whole_automaton(rules, player, page["policy"], STATES_MAX, progress)  # whatever budget it had
    arrays = _automaton_page(automaton)
    for name, array in arrays.items():
        if array != page["automaton"][name]:
            place = _first_difference(array, page["automaton"][name])
            raise CrapsError(f"{certificate.name}: {name} differs from the rules of the certificate{place}")


def _first_difference(ours: object, theirs: object) -> str:
    if not isinstance(ours, list) or not isinstance(theirs, list):
        return f": {theirs!r} in it, {ours!r} by the rules"
    if len(ours) != len(theirs):
        return f": it has {len(theirs):,} rows, the rules have {len(ours):,}"
    at = next(at for at, (mine, other) in enumerate(zip(ours, theirs, strict=True)) if mine != other)
    return f", first in state {at}"


def _whole_automaton(rules: Rules, player: Strategy, short: Short, budget: int, progress: Progress | None) -> Automaton:
    found = network(rules, player, short=short, budget=budget, states_max=_STATES_MAX, progress=progress)
    if found.whole is None:
        sizes = " x ".join(f"{len(part):,}" for part in found.parts)
        raise StrategyError(
            f"{player.name} has {sizes} states, more than {budget:,} together: raise the budget, or certify its parts"
        )
    if not found.whole.outlay.any():
        raise StrategyError(f"{player.name} never makes a wager: there is nothing to certify")
    return found.whole


def _long_run_results(rates: Page, unit: int) -> dict[str, str]:
    """Return the edges that rates come to; of rates between two ends, the ends."""
    ends = {name: (Fraction(rate["low"]), Fraction(rate["high"])) for name, rate in rates.items()}
    low, high = (-end * unit for end in reversed(ends["cash"]))
    results = {"loss_cents_per_roll": (low, high), "average_wager_cents": (ends["up"][0] * unit, ends["up"][1] * unit)}
    shares = {"loss_cents_per_decision": ("decisions", 1), "loss_cents_per_hand": ("hands", 1)}
    shares |= {"edge_on_action": ("action", unit), "edge_on_initial": ("initial", unit)}
    for name, (by, scale) in shares.items():
        if ends[by][0] > 0:
            corners = [loss / (end * scale) for loss in (low, high) for end in ends[by]]
            results[name] = (min(corners), max(corners))
    return {name: str(low) if low == high else f"{low} to {high}" for name, (low, high) in results.items()}


def _session_proof(lumped: Automaton, terms: Terms, solving: Solving | None) -> Page:
    """Return the terms of a session and its law in fractions, which the checker computes in another way."""
    others = sorted(
        field.name
        for field in fields(terms)
        if field.name not in _CERTIFIED_TERMS and getattr(terms, field.name) != field.default
    )
    if others or terms.rolls is None:
        raise SessionError(
            "a session is certified that ends after a number of rolls, at a goal or in ruin: give rolls"
            + f", and leave out {', '.join(others)}" * bool(others)
        )
    check_goal(terms)
    check_bankroll((lumped,), terms.bankroll_cents)
    law = rational_law(lumped, terms, solving=solving)
    ahead = [p for x, p in zip(law.equity_cents, law.chances, strict=True) if x > terms.bankroll_cents]
    results: dict[str, Fraction | None] = {
        "ruin": law.ruin,
        "goal": law.goal,
        "ahead": sum(ahead, Fraction(0)),
        "mean_cents": law.mean_cents,
        "loss_cents": law.loss_cents,
        "mean_rolls": law.mean_rolls,
        "edge_on_action": law.edge_on_action,
        "edge_on_initial": law.edge_on_initial,
    }
    proof = {name: getattr(terms, name) for name in ("bankroll_cents", "rolls", "goal_cents")}
    return {name: None if cents is None else int(cents) for name, cents in proof.items()} | {
        "results": _as_texts({name: value for name, value in results.items() if value is not None})
    }


def _as_texts(results: dict[str, Fraction]) -> dict[str, str]:
    return {name: str(value) for name, value in results.items()}


def _seal(rules: Rules, player: Strategy, automaton: Automaton, proofs: dict[str, Page]) -> Certificate:
    """Return the certificate of these proofs, which the checker has confirmed."""
    arrays = _automaton_page(automaton)
    page: Page = {
        "format": FORMAT,
        "made_by": f"passline {__version__}",
        "rules": rules_page(rules),
        "player": player_page(player),
        "policy": automaton.policy,
        "automaton_sha256": json_digest(arrays),
        "automaton": arrays,
        "classes": lumped_classes(automaton).tolist(),
        "proofs": proofs,
    }
    page["sha256"] = json_digest(page)
    check(_text_of(page))
    return Certificate(page)


def _automaton_page(automaton: Automaton) -> Page:
    rows = {name: getattr(automaton, name).tolist() for name in ("next", "cash", "action", "initial", "mark")}
    flat = {name: getattr(automaton, name).tolist() for name in ("outlay", "short")}
    return {"unit": automaton.unit, **rows, **flat, "labels": list(automaton.labels), "ways": _ways(automaton)}


def _ways(automaton: Automaton) -> list[list[int]]:
    """Return how each state is first reached: [state, from, outcome], or -1 for who is short of money there."""
    known, ways = [0], []
    reached = {0}
    for state in known:  # which grows meanwhile
        following = [*enumerate(automaton.next[state].tolist()), (-1, int(automaton.short[state]))]
        for outcome, after in following:
            if after >= 0 and after not in reached:
                reached.add(after)
                known.append(after)
                ways.append([after, state, outcome])
    return ways


def _text_of(page: Page) -> str:
    """Return the page as JSON, with a line for each row of an array, so that people can read and compare it."""
    lines = []
    for key, value in page.items():
        if key == "automaton":
            inner = ",\n".join(f"  {json.dumps(name)}: {_rows_of(array)}" for name, array in value.items())
            lines.append(f"{json.dumps(key)}: {{\n{inner}\n}}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _rows_of(array: object) -> str:
    if not isinstance(array, list):
        return json.dumps(array)
    return "[\n" + ",\n".join(f"    {json.dumps(row)}" for row in array) + "\n  ]"
