"""A house is checked before a table opens under it."""

import pytest

from passline.web.pages.house import Elections, checked_house
from passline.web.server.responses import Denied


@pytest.mark.parametrize("toml", ["rules = ", 'rules = "nowhere"', 'rules = "maryland"\nbuy = 7'])
def test_an_unlawful_house_is_refused_with_reasons(toml: str) -> None:
    with pytest.raises(Denied) as refused:
        checked_house(Elections(toml, "maryland", "craps"))
    assert all(one.why for one in refused.value.refusals)
