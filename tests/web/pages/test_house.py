"""A house is checked before a table opens under it."""

import pytest

from passline.web.uploads.checks import Unfit, checked_house
from passline.web.uploads.questions import TypedHouse


@pytest.mark.parametrize("toml", ["rules = ", 'rules = "nowhere"', 'rules = "maryland"\nbuy = 7'])
def test_an_unlawful_house_is_refused_with_reasons(toml: str) -> None:
    with pytest.raises(Unfit) as refused:
        checked_house(TypedHouse(toml, "maryland", "craps"))
    assert all(one.why for one in refused.value.refusals)
