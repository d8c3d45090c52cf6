"""A house that the tests of one module share."""

from collections.abc import Iterator

import pytest

from tests.web.house import House
from tests.web.server import serving


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    with serving() as server:
        yield House(server)
