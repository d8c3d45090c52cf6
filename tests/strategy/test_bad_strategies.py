"""Strategies that loop, divide by zero, name nothing, need a billion states or are far too long: said in seconds."""

import json
import re
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest

from passline.automaton.compiler import compile_strategy
from passline.automaton.exploration import TooManyStates
from passline.automaton.lint import STATES_MAX, lint
from passline.cli.main import main
from passline.rules.rules import Rules
from passline.strategy.lookup import strategy_file, strategy_of
from tests.strategy.samples import HEAD, WISH, written

SECONDS_MAX = 20  # of the processor; each takes one or two when nothing else runs
BYTES_MAX = 100_000_000
LONG = 10_000_000


@pytest.fixture(autouse=True)
def _within_bounds() -> Iterator[None]:
    begun = process_time()
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < BYTES_MAX
        assert process_time() - begun < SECONDS_MAX
    finally:
        tracemalloc.stop()


DIVIDES = '[[wish]]\nmake = "pass"\ncents = "1000 // (puck - puck)"\n'
CIRCLE = '[let]\na = "b"\nb = "a"\n[[wish]]\nmake = "pass"\ncents = "a"\n'
NOTHING = '[[wish]]\nmake = "pass"\ncents = "nothing"\n'
DOUBLING = "[let]\n" + "".join(f'a{n} = "a{n + 1} + a{n + 1}"\n' for n in range(45)) + 'a45 = "1"\n'
WIDE = f'[let]\nw = "{" + ".join(["1"] * 30)}"\n' + 15 * (
    f'[[wish]]\nmake = "place_win"\non = [4, 5, 6, 8, 9, 10]\ncents = "{" + ".join(["w"] * 20)}"\n'
)
DOUBLING += '[[wish]]\nmake = "pass"\ncents = "a30"\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (DIVIDES, "at 1: this divides by 0"),
        (CIRCLE, "this never ends: a -> b -> a"),
        (NOTHING, "no name 'nothing'"),
        (DOUBLING, "longer than 2000 names and numbers, written out"),
        (WIDE, "at most 50,000 are read before a roll"),
        (WISH + "#" * LONG, "mine.toml: has more than 65,536 bytes"),
        (WISH + ".".join("a" * 20_000) + " = 1\n", "more than 8 dots"),
        ("x = " + "[" * 5_000, "deep"),
        (WISH + '[memory]\nn = { next = "n * 1000 + 999" }\n', "became 999999; a memory stays from 0 to its max, 1000"),
    ],
    ids=["divides", "circle", "nothing", "doubling", "wide", "long", "dots", "deep", "grows"],
)
def test_a_bad_file_is_refused_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, problem: str
) -> None:
    path = written(tmp_path, text)
    assert main(["strategies", str(path), "--rules", "maryland"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.search(problem, printed.err), printed.err[:500]
    assert len(printed.err) < 2_000


BILLION = (
    WISH
    + "[memory]\n"
    + "".join(f'm{n} = {{ max = 9, next = "(m{n} * {n + 3} + total + {n}) % 10" }}\n' for n in range(9))
)
BILLION += "".join(f'[[wish]]\nmake = "hop"\non = ["1-3"]\nwhen = "m{n} == {n}"\ncents = "100"\n' for n in range(9))


@pytest.mark.whole
def test_a_strategy_of_a_billion_states_is_played_linted_and_not_compiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, BILLION)
    rules = Rules.of("maryland")
    found = lint(strategy_file(str(path)), rules, with_costs=False)
    assert (found.states, found.is_all, found.never) == (STATES_MAX, False, ())
    with pytest.raises(TooManyStates, match=r"mine has more than 2,000 states: after 0 to \d+ rolls"):
        compile_strategy(rules, strategy_of(str(path), rules), states_max=STATES_MAX)
    assert main(["strategies", str(path), "--rules", "maryland", "--play", "3-4,2-2", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2


def test_the_head_of_these_files_is_sound(tmp_path: Path) -> None:
    assert strategy_file(str(written(tmp_path, WISH))).text == HEAD + WISH
