"""Tampering with credentials, rulebooks and rolls is found; `./x bench tamper` does it thousands of times."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cases import one_in
from tests.tables.tamperings import KINDS, DealtHouse

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> DealtHouse:
    folder: Path = tmp_path_factory.mktemp("tampered")
    return DealtHouse(folder)


def test_an_honest_house_has_no_faults(house: DealtHouse) -> None:
    house.renew()
    assert not house.is_found()


@pytest.mark.parametrize("kind", one_in(3, KINDS, others=pytest.mark.whole))
def test_tampering_is_found(house: DealtHouse, kind: str) -> None:
    random = Random(kind)
    for _ in range(6):
        house.renew()
        KINDS[kind](house, random)
        assert house.is_found()


def test_a_forged_commitment_to_the_next_roll_is_found_by_the_secret_of_the_dice(house: DealtHouse) -> None:
    """Nothing in the log speaks against it: no roll has followed from it yet."""

    def change(bodies: list[dict[str, Any]]) -> None:
        rolled = [one for one in bodies if one["command"]["command"] == "complete-roll"][-1]
        (committed,) = [event for event in rolled["events"] if event["event"] == "dice-committed/1"]
        committed["digest"] = rolled["command"]["next_digest"] = "ab" * 32

    house.renew()
    house.forge(change)
    assert house.is_found()
    (house.folder / "dice.key").unlink()
    assert not house.is_found()  # then only an anchor tells
