"""Random tournaments on a sealed log: whatever is planned and done, no cent and no point is made or lost."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from passline.store.verify import verify_log
from passline.tournament.plan.check import check_plan
from passline.tournament.rules import tournament_of
from passline.tournament.verify import log_faults
from tests.cases import budget
from tests.tournament.random_director import RandomDirector, random_plan


def _held(seed: int) -> RandomDirector:
    chance = Random(seed)
    plan = random_plan(chance)
    assert check_plan(tournament_of("colorado"), plan) == ()
    director = RandomDirector(chance, plan)
    director.hold()
    return director


@pytest.mark.clause("CO-2315.05-payall", "CO-2315.05-noretain", "CO-2316-1-rank")
@given(st.integers(0, 2**32))
@settings(max_examples=budget(8, in_sweep=25), deadline=None)
def test_whatever_is_done_no_cent_and_no_point_is_lost(seed: int) -> None:
    director = _held(seed)
    is_closed = director.close()
    assert is_closed == (not director.money_held()), "the books close at zero and only there"
    assert list(log_faults(director.log.read())) == []
    rows, key, head = list(director.log.rows()), director.log.public_key, director.log.head()
    assert verify_log(rows, key, head).is_intact
    number = director.chance.randrange(len(rows))
    body = bytearray(rows[number].body)
    body[director.chance.randrange(len(body))] ^= 1 << director.chance.randrange(8)
    rows[number] = replace(rows[number], body=bytes(body), columns=None)
    assert not verify_log(rows, key, head).is_intact, "a changed byte is found"


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_tournament_comes_to_its_end(seed: int) -> None:
    director = _held(seed)
    assert director.close()
    balances = director.state.balances
    assert balances["paid"] + balances.get("fees", 0) == -sum(cents for cents in balances.values() if cents < 0)
