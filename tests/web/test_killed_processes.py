"""Each process of a house is killed while people play: nothing that was answered is lost or done twice."""

from pathlib import Path

import pytest

from benchmarks.survive import kill_processes
from tests.cases import budget

pytestmark = pytest.mark.long


OTHERS = ("server", "views", "tracker", "all", "single")


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["commits", *(pytest.param(kind, marks=pytest.mark.sweep) for kind in OTHERS)])
def test_a_killed_process_is_back_and_nothing_answered_is_lost(kind: str, tmp_path: Path) -> None:
    times = budget(1, in_sweep=2)
    found = kill_processes([kind], times, tmp_path, imports=1.0)[kind]
    assert found["times"] == times
    assert found["lost"] == 0
