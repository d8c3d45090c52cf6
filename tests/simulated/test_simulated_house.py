"""A few histories of a simulated house; `./x bench simulated-house` has thousands, and every deliberate bug."""

from __future__ import annotations

import pytest

from tests.simulated.bugs import BUGS, found
from tests.simulated.history import Scope, history_of

FEW = Scope(seconds=15.0, apart=0.3)
NOTICED_AT_ONCE = (
    "a commit does not wait for the disk",
    pytest.param("a throw that was open at a restart is left open", marks=pytest.mark.whole),
)


def test_a_seed_gives_the_same_history_again() -> None:
    first = history_of("again", FEW)
    assert first == history_of("again", FEW)
    assert first.acknowledged > 20
    assert len(first.faults) > 5


def test_a_tournament_comes_to_its_end_whatever_happens() -> None:
    outcome = history_of("cup", Scope(tables=1, players=1, has_tournament=True, seconds=20.0, apart=0.4))
    assert outcome.acknowledged > 15


@pytest.mark.parametrize("what", NOTICED_AT_ONCE)
def test_a_deliberate_bug_is_found(what: str) -> None:
    (bug,) = (bug for bug in BUGS if bug.what == what)
    assert found(bug, lambda: [history_of(seed, FEW) for seed in range(8)])
