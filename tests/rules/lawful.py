"""Lawful texts that nobody wrote: Maryland's pages under another name, without its matrix, with some entries otherwise.

`deal_all` is what every regulation must be good for: words, papers, play, analysis, simulation, a log that verifies.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from passline.automaton.terms import Terms
from passline.exact.par.sheet import sheet
from passline.game import commands as c
from passline.papers.posted_rules import posted_wagers
from passline.rules.elections import as_filed
from passline.rules.explain.election_form import election_fields
from passline.rules.explain.house_template import house_file
from passline.rules.explain.sections import explain_all
from passline.rules.house_reader import house_of
from passline.rules.pages.texts import Pages, installed_folder, read_pages
from passline.rules.rulebook_reader import rulebook_from
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from passline.simulation.simulation import exact_of, simulate
from passline.strategy.strategy_file import bind, read_strategy
from passline.tables.rules_in_force import learn_rulebook
from passline.tables.verify import decision_faults
from tests.game.invariants import Watched
from tests.game.random_commands import Commands
from tests.rules.rulebooks import toml_page
from tests.tables.changed_rulebook import new_process
from tests.tables.sitting import ANN, LABORATORY, Sitting

NAME = "lakeside"
GONE = None
"""In a change: the key is not there."""
Changes = Mapping[str, Any]
_COMMANDS = 120
_SESSIONS = 4_000
_PLAYED = 40


def pages_with(*changes: Changes, files: Mapping[str, bytes] | None = None) -> Pages:
    """Return Maryland's pages as those of another regulation; a change has values by `file/key/key`."""
    data = {page: tomllib.loads(text.decode()) for page, text in read_pages(installed_folder("maryland")).texts.items()}
    data |= {page: tomllib.loads(text.decode()) for page, text in (files or {}).items()}
    data["house.toml"]["rules"] = NAME
    for path, value in (item for some in changes for item in some.items()):
        file, *steps, last = path.split("/")
        at = data.setdefault(f"{file}.toml", {})
        for step in steps:
            at = at.setdefault(step, {})
        if value is GONE:
            del at[last]
        else:
            at[last] = deepcopy(value)
    return Pages(NAME, {page: toml_page(tables) for page, tables in data.items()})


def regulation(*changes: Changes) -> Rulebook:
    """Return the regulation of such pages."""
    return rulebook_from(pages_with(*changes))


def deal_all(pages: Pages, house: Changes | None = None, *, game: str = "craps", wagers: tuple[str, ...] = ()) -> Rules:
    """Tell, print, play, analyse, simulate and verify a house of a regulation; return its rules."""
    rulebook = rulebook_from(pages)
    rules = Rules.under(rulebook, house, game=game)
    assert explain_all(rules)
    assert posted_wagers(rules)
    assert election_fields(rules)
    again, breaches = house_of(rulebook, tomllib.loads(house_file(rules)))
    assert again is not None
    assert (as_filed(again), breaches) == (as_filed(rules.house), ())
    _play(rules, Random(7))
    for wager in wagers:
        assert sheet(rules, wager=wager).lines
    _simulate(rules)
    _verify(pages, {**(house or {}), "game": game}, rules)
    return rules


def _play(rules: Rules, random: Random) -> None:
    """Play random commands; after each of them the invariants hold and chips are kept."""
    watched, commands = Watched(rules), Commands(rules)
    for seat in (1, 2):
        watched.play(c.TakeSeat(seat=seat))
        watched.play(c.BuyIn(seat=seat, cents=rules.house.wager_cents_min * 400))
    for _ in range(_COMMANDS):
        watched.play(commands.draw(random, watched.table), fully=True)


def _simulate(rules: Rules) -> None:
    """Simulate a short session; the exact mean is in an interval that misses one time in a million."""
    terms = Terms(bankroll_cents=40 * rules.house.wager_cents_min, rolls=20)
    flat = bind(read_strategy(Path(__file__).parent / "flat.toml"), rules, {"unit": rules.house.wager_cents_min})
    mean = simulate(rules, flat, terms, sessions=_SESSIONS, seed=3).results.mean_cents(confidence=0.999_999)
    law = exact_of(rules, flat, terms)
    assert law is not None
    assert mean.low < law.mean_cents < mean.high


def _verify(pages: Pages, house: Changes, rules: Rules) -> None:
    """Deal a little at a live table; its log verifies in a process that knows the text from the log alone."""
    sitting = Sitting(
        pages.name, house=dict(house), approvals=LABORATORY, rulebooks=lambda _name: learn_rulebook(pages)
    )
    sitting.sit(ANN, 1, _PLAYED * rules.house.wager_cents_min)
    sitting.wager(ANN, "pass", rules.least_taken(rules.wagers["pass"], 0))
    sitting.shoot(ANN)
    sitting.roll(3, 3)
    sitting.roll(4, 2)
    new_process()
    learn_rulebook(pages, is_kept=True)
    assert list(decision_faults(sitting.entries)) == []
