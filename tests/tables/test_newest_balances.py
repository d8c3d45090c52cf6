"""What a check knows of balances is the same whether wagers were plain to it or looked at one by one."""

from __future__ import annotations

from random import Random

import pytest

from passline.game.events import WagerMade
from passline.game.position import Wager
from passline.streams.image import image_of
from passline.tables.ledger import balances_after
from passline.tables.newest_balances import NewestBalances
from tests.cases import one_in

WAGERS = [(None, WagerMade(Wager(1, "player", "field", 0, cents), "MD-3.A.11")) for cents in (5_00, 10_00, 25_00)]


@pytest.mark.parametrize("longest", one_in(3, [3, 175, 999, 1_000, 1_001, 2_500], others=pytest.mark.whole))
def test_balances_do_not_depend_on_which_wagers_were_plain(longest: int) -> None:
    random = Random(longest)
    one_by_one, in_runs, resumed = NewestBalances(), NewestBalances(), NewestBalances()
    version, balances = 0, {"bank": 100_000_00, "rack/1": 50_000_00, "cage": -150_000_00}
    for _ in range(3):
        version += 1
        for newest in (one_by_one, in_runs, resumed):
            newest.add(version, balances)
        run = [random.choice(WAGERS) for _ in range(random.randint(longest // 2, longest))]
        for newest in (in_runs, resumed):
            newest.add_wagers(version, run)
        resumed.add_up()  # a state is sealed in the middle
        for _, made in run:
            version, balances = version + 1, balances_after(balances, (made,))
            one_by_one.add(version, balances)
    for known in range(version + 2):
        wanted = one_by_one.at(known)
        assert in_runs.at(known) == resumed.at(known) == wanted
        assert (wanted is None) is not (version - 1_000 < known <= version and known > 0)
    for newest in (one_by_one, in_runs, resumed):
        newest.add_up()
    assert image_of(one_by_one) == image_of(in_runs) == image_of(resumed)
