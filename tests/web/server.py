"""A server for tests: the real application in this process, with its log in memory."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import Any

import httpx

from passline.dice import OUTCOMES, Roll
from passline.office.ledgers.delivery import PaperDelivery
from passline.office.runtime import Offices, people_around
from passline.office.views.projections import projections_of
from passline.people.provider.desk import ProviderDesk
from passline.streams.projection_runner import LogViews
from passline.tables.runtime.floor import Floor
from passline.tournament.runtime import Tournaments
from passline.web.app import create_app
from passline.web.server.metrics import Metrics
from passline.web.server.screens import Screens
from passline.web.server.services import Services
from tests.loaded_dice import LoadedDice
from tests.people.house import House

with warnings.catch_warnings():  # it asks for a newer client than the one the product itself uses
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

DICE = repeat(OUTCOMES[0])
ADDRESS = "http://127.0.0.1:8000"


class Server(House):
    """A house with a web server; `page` is a browser, which keeps cookies."""

    def __init__(
        self,
        *,
        is_demo: bool = False,
        can_register: bool = True,
        hosts: tuple[str, ...] | None = (),
        dice: Iterator[Roll] | None = None,
    ) -> None:
        super().__init__(is_demo=is_demo, can_register=can_register)
        keys = LoadedDice(dice or repeat(OUTCOMES[0]))
        floor = Floor(
            self.log,
            clock=self.clock,
            keys=keys,
            employed=self.desk.is_employee,
            is_sole_owner=self.desk.is_sole_owner,
        )
        around = people_around(self.desk.latest, lambda: floor.house.approvals)
        offices = Offices(self.log, floor.writer, self.clock, around)
        papers = PaperDelivery(floor, tell=offices.ask, read=offices.events_after)
        floor.clear, floor.opener, offices.keep, offices.deliver = (
            offices.clear, papers.opener, floor.keep, papers.deliver,
        )  # fmt: skip
        floor.excluded = lambda account: offices.exclusions().why(account)
        self.desk.away = offices.away
        self.services = Services(
            log=self.log,
            floor=floor,
            desk=self.desk,
            screens=Screens(self.desk),
            offices=offices,
            tournaments=Tournaments(self.log, floor, offices, self.clock, keys),
            provider=ProviderDesk(self.desk, self.log, self.clock),
            views=LogViews(self.log, None, projections_of(self.log)),
            metrics=Metrics(),
            clock=self.clock,
            is_demo=is_demo,
        )
        self.app = create_app(self.services, hosts=hosts)
        self.page = self.browser()

    def browser(self) -> "Browser":
        """Return another browser, whose requests run on the server's event loop."""
        client = TestClient(self.app, base_url=ADDRESS, raise_server_exceptions=False)
        if hasattr(self, "page"):
            client.portal = self.page.client.portal
        return Browser(client)


class Browser:
    """Sends requests as a page does, with its cookie and CSRF token."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.csrf = ""

    def get(self, path: str, **headers: str) -> httpx.Response:
        answer: httpx.Response = self.client.get(path, headers=headers)
        return answer

    def post(self, path: str, body: Any = None, *, csrf: str | None = None, **headers: str) -> httpx.Response:  # noqa: ANN401
        sent = {"origin": ADDRESS, "x-csrf": self.csrf if csrf is None else csrf, **headers}
        answer: httpx.Response = self.client.post(path, json={} if body is None else body, headers=sent)
        if answer.is_success and isinstance(told := answer.json(), dict) and "csrf" in told:
            self.csrf = told["csrf"]
        return answer


@contextmanager
def serving(
    *, is_demo: bool = False, can_register: bool = True, hosts: tuple[str, ...] | None = ()
) -> Iterator[Server]:
    """Run a server."""
    server = Server(is_demo=is_demo, can_register=can_register, hosts=hosts)
    with server.page.client:
        yield server
