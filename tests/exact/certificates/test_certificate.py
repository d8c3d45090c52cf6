"""Certificates: what they claim equals the par sheet and the laws, and that their arrays are the rules' is verified."""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from passline import (
    BaseStrategy,
    Rules,
    Seen,
    Simple,
    Terms,
    Want,
    analyze,
    certify,
    certify_wager,
    par_of,
    verify_certificate,
)
from passline.automaton.arrays import Short
from passline.errors import CrapsError
from passline.exact.certificates import certificate, witnesses
from passline.exact.certificates.certificate import Certificate, read_certificate
from passline.exact.par.lines import permitted_lines
from passline.game.events import Event, WagerWon
from tests.cases import budget, one_in

Change = Callable[[dict[str, Any]], object]
MARYLAND = Rules.of("maryland")
FIRE = Rules.of("maryland", house={"side_wagers": {"fire": "A"}})


def test_the_long_run_has_the_published_edges() -> None:
    """A line wager costs 7/495 of itself whatever stands behind it; double odds dilute it to 1/165."""
    found = certify(MARYLAND, "molly").results["long_run"]
    assert (found["edge_on_initial"], found["edge_on_action"]) == ("7/495", "1/165")
    assert certify(MARYLAND, "dont_pass").results["long_run"]["edge_on_initial"] == "3/220"


@pytest.mark.whole
def test_a_session_is_that_of_analyze() -> None:
    terms = Terms(bankroll_cents=60_00, rolls=15, goal_cents=90_00)
    policies: tuple[Short, ...] = ("stop", "ride", "reduce")
    for short in policies[: budget(2, in_sweep=3)]:
        law = analyze(MARYLAND, "molly", terms, short=short, exact=True).law
        assert law is not None
        found = certify(MARYLAND, "molly", terms, short=short).results["session"]
        claimed = [Fraction(found[name]) for name in ("ruin", "goal", "mean_cents", "mean_rolls")]
        assert claimed == [law.ruin, law.goal, law.mean_cents, law.mean_rolls]


@pytest.mark.parametrize("regulation", one_in(3, ["section2", "maryland", "colorado"]))
def test_a_wager_is_a_line_of_the_par_sheet(regulation: str) -> None:
    lines = [line for line in permitted_lines(regulation, "craps") if not line.rules.wagers[line.kind].machine]
    for line in lines[:: budget(60, in_sweep=4)]:
        rules, cents = line.rules, line.rules.least_taken(line.rules.wagers[line.kind], line.number)
        par = par_of(rules, kind=line.kind, number=line.number, cents=cents, odds=line.odds)
        made = certify_wager(rules, kind=line.kind, number=line.number, cents=cents, odds=line.odds)
        found = made.results["wager"]
        assert Fraction(found["edge"]) == par.edge, line
        assert Fraction(found["win"]) == par.win


def test_a_wager_that_pays_again_and_again_has_a_cap() -> None:
    """Its gains have no bound, so totals count as the cap from there on."""
    elected = {"side_wagers": {"lucky_shooter": "A"}, "readings": {"lucky_shooter": "pays_each_natural"}}
    rules = Rules.of("maryland", house=elected)
    par = par_of(rules, kind="lucky_shooter", cents=5_00)
    made = certify_wager(rules, kind="lucky_shooter", cents=5_00)
    found = {name: Fraction(value) for name, value in made.results["wager"].items()}
    assert made.page["proofs"]["wager"]["cap"] is not None
    assert (found["edge"], found["win"], found["lose"]) == (par.edge, par.win, par.lose)


def test_too_many_classes_for_fractions_prove_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "_EXACT_MAX", 1)
    low, high = map(Fraction, certify(MARYLAND, "molly").results["long_run"]["edge_on_action"].split(" to "))
    assert low < Fraction(1, 165) < high
    assert high - low < Fraction(1, 10**12)
    monkeypatch.setattr(witnesses, "CLASSES_MAX", 1)
    with pytest.raises(CrapsError, match="37 classes of states are more than 1"):
        certify(MARYLAND, "molly")


@pytest.mark.parametrize("strategy", one_in(3, ["molly:odds=1 + field", "molly", "martingale", "pass + fire"]))
def test_it_is_verified_by_compiling_it_again(strategy: str, tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    certify(FIRE, strategy).save(file)
    read = read_certificate(file)
    verify_certificate(read)
    assert read.page["rules"]["rulebook_sha256"] == FIRE.rulebook.digest


def _changed(certificate: Certificate, change: Change) -> Certificate:
    page = copy.deepcopy(certificate.page)
    change(page)
    return Certificate(page)


def _swap_states_of_a_class(page: dict[str, Any]) -> None:
    """Lead an outcome to another state of the same class, which leaves all that is proven true."""
    classes = page["classes"]
    row = page["automaton"]["next"][0]
    at = next(at for at, to in enumerate(row) if classes.count(classes[to]) > 1)
    row[at] = next(state for state in range(len(classes)) if classes[state] == classes[row[at]] and state != row[at])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_swap_states_of_a_class, "next differs from the rules of the certificate, first in state 0"),
        (lambda page: page["automaton"]["labels"].__setitem__(2, "puck OFF"), "labels differs"),
        (lambda page: page["automaton"].update(unit=100), "unit differs"),
        (lambda page: page["rules"].update(rulebook_sha256="0" * 64), "another version of Passline"),
        (lambda page: page["rules"]["house"].update(wager_cents_min=15_00), "not the one whose digest it names"),
        (lambda page: page["player"]["files"][0].update(parameters={"odds": 1}), "differs"),
        (lambda page: page["player"].pop("files"), "is written in Python"),
    ],
)
def test_arrays_that_are_not_those_of_the_rules_are_refused(change: Change, said: str) -> None:
    with pytest.raises(CrapsError, match=said):
        verify_certificate(_changed(certify(MARYLAND, "molly"), change))


def test_a_wager_that_counts_less_as_wagered_is_refused() -> None:
    made = certify_wager(MARYLAND, kind="pass", cents=10_00, odds="pass_odds")
    verify_certificate(made)
    with pytest.raises(CrapsError, match="counts other amounts as wagered"):
        verify_certificate(_changed(made, lambda page: page["proofs"]["wager"].update(wagered=[1])))


def test_what_cannot_be_certified_says_why() -> None:
    with pytest.raises(CrapsError, match="leave out hands"):
        certify(MARYLAND, "pass", Terms(bankroll_cents=100_00, rolls=5, hands=2))
    with pytest.raises(CrapsError, match="give rolls"):
        certify(MARYLAND, "pass", Terms(bankroll_cents=100_00, decisions=2))
    with pytest.raises(CrapsError, match="nothing to certify"):
        certify(MARYLAND, Simple("never", shoots=False, wish=lambda _seen: ()))
    with pytest.raises(CrapsError, match="more than 300 together"):
        certify(FIRE, "pass + fire", budget=300)


def test_too_many_states_are_refused_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "_STATES_MAX", 20)
    monkeypatch.setenv("PASSLINE_CACHE", "off")
    with pytest.raises(CrapsError, match="has more than 20 states: after 0 to"):
        certify(MARYLAND, "molly", short="ride")  # of which no part is compiled alone


class _TwoFates(BaseStrategy, frozen=True):
    """Plays the field until the first win, and then any seven for ever; or the field for ever after a first loss."""

    name: str = "fates"
    shoots: bool = False
    start: Hashable = 0

    def remember(self, memory: Hashable, happened: tuple[Event, ...]) -> Hashable:
        """Return 1 if the first roll won, 2 if it lost."""
        return memory or (1 if any(isinstance(event, WagerWon) for event in happened) else 2)

    def wishes(self, seen: Seen, memory: Hashable) -> tuple[Want, ...]:
        """Return any seven or the field."""
        del seen
        return (Want("any_seven" if memory == 1 else "field", 0, 10_00),)


def test_a_strategy_with_two_fates_has_no_single_rate() -> None:
    with pytest.raises(CrapsError, match="in 2 different ways"):
        certify(MARYLAND, _TwoFates())
