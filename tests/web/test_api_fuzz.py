"""Schemathesis over the whole API, as the owner: whatever is sent, the server never has a fault."""

from typing import Any

import schemathesis
from hypothesis import HealthCheck, given, settings

from tests.web.server import ADDRESS, Browser, serving
from tests.web.test_log_and_records import House

_LEFT_OUT = "/api/log-out"  # it would end the session with which all the others are sent
_EXAMPLES = 25  # of each operation; `schemathesis run` against a server tries more


def test_whatever_is_sent_is_answered_and_no_fault_of_the_server() -> None:
    with serving() as server:
        owner = House(server).owner
        described = schemathesis.openapi.from_dict(owner.get("/openapi.json").json())
        operations: list[Any] = [found.ok() for found in described.get_all_operations()]  # type: ignore[union-attr]
        assert len(operations) > 30
        for operation in operations:
            if operation.path != _LEFT_OUT:
                _try(operation, owner)


def _try(operation: Any, owner: Browser) -> None:  # noqa: ANN401 - Schemathesis' own
    @given(case=operation.as_strategy())
    @settings(max_examples=_EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def answered(case: Any) -> None:  # noqa: ANN401
        sent = case.as_transport_kwargs(base_url=ADDRESS)
        sent.pop("cookies", None)
        headers = {name: value for name, value in dict(sent.pop("headers")).items() if str(value).isascii()}
        answer = owner.client.request(headers={**headers, "origin": ADDRESS, "x-csrf": owner.csrf}, **sent)
        assert answer.status_code < 500, (operation.label, sent, answer.text)
        if answer.status_code >= 400:
            assert answer.json()["refusals"], operation.label

    answered()
