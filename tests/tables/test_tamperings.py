"""Tampering with credentials, rulebooks and rolls is found; `./x bench tamper` does it thousands of times."""

from pathlib import Path
from random import Random

import pytest

from tests.tables.tamperings import KINDS, DealtHouse

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> DealtHouse:
    folder: Path = tmp_path_factory.mktemp("tampered")
    return DealtHouse(folder)


def test_an_honest_house_has_no_faults(house: DealtHouse) -> None:
    house.renew()
    assert not house.is_found()


@pytest.mark.parametrize("kind", KINDS)
def test_tampering_is_found(house: DealtHouse, kind: str) -> None:
    random = Random(kind)
    for _ in range(6):
        house.renew()
        KINDS[kind](house, random)
        assert house.is_found()
