"""Every kind of tampering that `./x bench tamper` tries is found, and an untouched house is not accused."""

from __future__ import annotations

from random import Random

import pytest

from tests.cases import one_in
from tests.store.tamperings import KINDS, TamperedHouse

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> TamperedHouse:
    return TamperedHouse(tmp_path_factory.mktemp("house"))


@pytest.mark.parametrize("kind", one_in(3, KINDS, others=pytest.mark.whole))
def test_every_tampering_of_this_kind_is_found(house: TamperedHouse, kind: str) -> None:
    random = Random(kind)
    for number in range(40):
        house.renew()
        assert KINDS[kind](house, random)(), number


def test_an_untouched_house_is_not_accused(house: TamperedHouse) -> None:
    house.renew()
    assert not house.is_found()
    assert not house.is_found(house.export(house.rows))
