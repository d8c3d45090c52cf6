"""Expected settlements of a hand file are printed as their lines."""

from __future__ import annotations

import pytest

from passline.game.hand_files.checks import read_results
from tests.clauses.table import ANN


@pytest.mark.parametrize("line", ["Ann field loses 5.00", "Ann crew field 4 wins 5.00 less 1.00 [XX-1]"])
def test_an_expected_settlement_prints_as_its_line(line: str) -> None:
    (expected,) = read_results(line, {"Ann": ANN})
    assert expected.text({ANN: "Ann"}) == line
