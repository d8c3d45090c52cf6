"""The lines of a sheet: none is missing."""

import pytest

from passline.rules.clauses import REGULATIONS
from passline.rules.rulebook_model import wagers_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import OddsWager
from tests.exact.par.sheets import whole

pytestmark = pytest.mark.long


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_every_wager_of_a_rulebook_has_its_line(regulation: str) -> None:
    rulebook = rulebook_of(regulation)
    for name, game in rulebook.games.items():
        entries = wagers_of(rulebook, game)
        expected = {kind for kind, entry in entries.items() if not isinstance(entry, OddsWager)}
        assert {line.wager for line in whole(regulation).lines if line.game == name} == expected
        behind = {entry.behind for entry in entries.values() if isinstance(entry, OddsWager)}
        for wager in behind:
            mine = [line for line in whole(regulation).lines if (line.game, line.wager) == (name, wager)]
            assert any("; odds" in line.pays for line in mine)
        for kind, entry in entries.items():
            options = {line.option for line in whole(regulation).lines if (line.game, line.wager) == (name, kind)}
            for table in getattr(entry, "tables", ()):
                assert table in options
