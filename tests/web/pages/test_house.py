"""A house is checked before a table opens under it."""

import pytest

from passline.web.pages.house import Elections, checked_house
from passline.web.server.responses import Denied


@pytest.mark.parametrize("toml", ["rules = ", 'rules = "nowhere"', 'rules = "maryland"\nbuy = 7'])
def test_a_house_that_cannot_be_offered_is_refused_with_the_reason(toml: str) -> None:
    with pytest.raises(Denied) as refused:
        checked_house(Elections(toml, "maryland", "craps"))
    assert all(one.why for one in refused.value.refusals)
