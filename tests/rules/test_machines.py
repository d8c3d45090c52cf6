"""A wager that is a machine: what its page may say, every fault by file and key, and how it is explained."""

from __future__ import annotations

import re
import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import pytest

from passline.layout.geometry import layout_of
from passline.layout.printed import inscription
from passline.rules.checks import machines as machine_checks
from passline.rules.checks.machines import MACHINE_STATES_MAX, reach_of
from passline.rules.explain.sections import explain
from passline.rules.machines import MACHINE_WORDS, PAIRS
from passline.rules.pages.texts import RulebookError, RulebookFaults, read_pages, read_toml
from passline.rules.rulebook_reader import load_rulebook, rulebook_from
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from tests.rules.rulebooks import HARBOUR
from tests.rules.side_wagers import SIDE_WAGERS, machines, rules
from tests.source import ROOT

TIDE = """
[tide]
family = "machine"
name = "Spring Tide Bet"
offered = "tide"
make = { when = "any", cite = "HB-200" }
remove = { until = "never", cite = "HB-201" }
increase = { until = "never", cite = "HB-201" }
marked = { restarts = "any_7", cite = "HB-202" }
memory.floods = { each = [5, 6, 8, 9], max = 1, next = "floods or (point_made and puck == number)" }
memory.ebbs = { max = 3, next = "min(ebbs + lost('pass'), 3)" }
wins = { when = "0 not in floods", says = "every point made", cite = "HB-203" }
loses = { when = "ebbs == 3 and 0 in floods", says = "three losses of the line", cite = "HB-204" }
count = "ebbs"
shows = "sum(floods)"
lamps = "floods"
tables.T = [
  { counts = [0], pays = "90 to 1", says = "without an ebb", cite = "HB-205" },
  { counts = [1, 2], pays = "40 to 1", cite = "HB-206" },
]
"""
ELECTED = """
[tide]
choices = ["none", "T"]
cite = "HB-207"
"""


def _harbour(tide: str = TIDE) -> Rulebook:
    added = {"elections.toml": tomllib.loads(ELECTED), "wagers.toml": tomllib.loads(tide)}

    def read(path: Traversable | Path) -> dict[str, Any]:
        return {**read_toml(path), **added.get(path.name, {})}

    return load_rulebook(HARBOUR, read=read)


def test_a_machine_needs_only_data() -> None:
    elected = Rules.under(_harbour(), {"side_wagers": {"tide": "T"}})
    machine = elected.wagers["tide"].machine
    assert machine is not None
    assert machine.sees_points
    text = " ".join(explain(elected).split())
    for said in (
        "every point made: 0 not in floods [HB-203]",
        "three losses of the line: ebbs == 3 and 0 in floods [HB-204]",
        "90 to 1 on without an ebb [HB-205]",
        "floods for each of 5, 6, 8, 9: 0, then after each roll floods or (point_made and puck == number)",
    ):
        assert said in text, said


@pytest.mark.parametrize(
    ("was", "becomes", "told"),
    [
        ("lost('pass'), 3)", "lst('pass'), 3)", "tide: memory.ebbs.next: "),
        ("lost('pass')", "lost('come')", "the line has no wager 'come'"),
        ("ebbs == 3 and", "ebs == 3 and", "tide: loses.when: 'ebs == 3 and 0 in floods', at 1: no name 'ebs'"),
        ("max = 3, next", "max = 2, next", "became 3; a memory stays from 0 to its max, 2"),
        ("ebbs == 3 and 0 in floods", "ebbs == 3 or 0 not in floods", "wins, loses: come true together, on "),
        ('"0 not in floods"', '"7 in floods"', "neither ever comes true, so the wager can never win"),
        ("counts = [1, 2]", "counts = [1]", "tables.T: every count of [0, 1, 2] needs exactly one line, has [0, 1]"),
        ('pays = "40 to 1"', 'result = "lose"', "[1, 2]: the wager wins there, so its line pays"),
        ("memory.ebbs", "memory.total", "memory.total: is a word of expressions"),
        ("max = 3, next", "max = 3, start = 4, next", "memory.ebbs.start: 4 is above its max, 3"),
        ("each = [5, 6, 8, 9]", "each = [5, 5, 6, 8]", "tide.memory.floods.each: has 5 2 times"),
        ('lamps = "floods"', 'lamps = "ebbs"', "lamps: ebbs is not a memory kept for each of some totals"),
        ("each = [5, 6, 8, 9]", "each = [5, 6, 8, 19]", "lamps: [19] of memory.floods.each are not totals"),
        ('shows = "sum(floods)"', 'shows = "total"', "tide: shows: 'total', at 1: no name 'total'"),
        ('shows = "sum(floods)"', 'shows = "[1, 2][ebbs]"', "tide: shows: '[1, 2][ebbs]', at 1: there is no item 2"),
        ("max = 3, next", "max = 3, nxt", "nxt"),
        ('next = "floods or', 'next = "floods(5) or', "floods cannot be called like this"),
        ('count = "ebbs"', 'count = "floods(7)"', "memory.floods: it is kept for each of 5, 6, 8, 9, not for 7"),
        (
            'until = "never", cite = "HB-201" }\nincrease',
            'until = "initial_point", cite = "HB-201" }\nincrease',
            "remove",
        ),
    ],
)
def test_every_fault_of_a_machine_is_named(was: str, becomes: str, told: str) -> None:
    assert TIDE.count(was) == 1, was
    with pytest.raises(RulebookError) as refused:
        _harbour(TIDE.replace(was, becomes))
    assert "harbour/wagers.toml: tide" in str(refused.value) or "harbour/sidewagers.toml: tide" in str(refused.value)
    assert told in str(refused.value)


def test_a_state_that_no_roll_decides_is_named() -> None:
    tide = TIDE.replace("0 not in floods", "0 not in floods and not ebbs").replace("ebbs == 3 and", "ebbs == 4 and")
    with pytest.raises(RulebookFaults) as refused:
        _harbour(tide.replace("counts = [1, 2]", "counts = [1]"))
    assert re.search(r"tide: wins, loses, settles: with .*ebbs [123].* no roll ever decides", str(refused.value))


def test_a_machine_with_too_many_states_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    reach = machine_checks.reach_of(_machine("tide"), (0,))
    monkeypatch.setattr(machine_checks, "MACHINE_STATES_MAX", reach.states)
    _harbour()
    monkeypatch.setattr(machine_checks, "MACHINE_STATES_MAX", reach.states - 1)
    with pytest.raises(RulebookFaults) as refused:
        _harbour()
    assert f"tide: memory: it has more than {reach.states - 1} states" in str(refused.value)


def _machine(kind: str) -> Any:  # noqa: ANN401  # a compiled machine or None
    if kind in machines():
        return rules().wagers[kind].machine
    return Rules.under(_harbour(), {"side_wagers": {kind: "T"}}).wagers[kind].machine


@pytest.mark.whole
def test_the_states_of_a_machine_are_known() -> None:
    assert reach_of(_machine("repeater_6"), (0,)).states == 6
    assert reach_of(_machine("different_doubles"), (0,)).states == 2**6 - 1
    reach = reach_of(_machine("ride_the_line"), (0,))
    assert (reach.settled, reach.won) == (frozenset(range(12)), frozenset())
    # eight places of the puck: OFF, six points, and OFF while come wagers are cleared
    assert reach.states == 12 * 8


def test_the_guide_shows_a_machine_as_the_example_has_it() -> None:
    guide = (ROOT / "docs" / "guides" / "adding-a-regulation.md").read_text(encoding="utf-8")
    [shown] = [text for text in re.findall(r"```toml\n(.*?)```", guide, flags=re.DOTALL) if "[repeater_2]" in text]
    page = (SIDE_WAGERS / "sidewagers.toml").read_text(encoding="utf-8")
    assert shown in page
    assert all(f"`{word}" in guide for word in MACHINE_WORDS - {"min", "max", "len", "sum"})
    assert f"at most {MACHINE_STATES_MAX:,}" in guide


def test_pages_that_a_log_has_kept_deal_the_same_machines() -> None:
    kept = Rules.under(rulebook_from(read_pages(SIDE_WAGERS), is_kept=True))
    for kind in machines():
        mine, other = kept.wagers[kind].machine, rules().wagers[kind].machine
        assert mine is not None
        assert other is not None
        assert [mine.step(mine.start, roll, puck=6) for roll in PAIRS] == [
            other.step(other.start, roll, puck=6) for roll in PAIRS
        ]


def test_every_machine_is_on_the_felt() -> None:
    areas = {area.kind for area in layout_of(rules()).table.areas}
    assert areas >= set(machines())
    assert inscription(rules(), "hot_hand").lamps == (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
    assert "4 or 10 four times: 1000 to 1" in inscription(rules(), "replay").lines
