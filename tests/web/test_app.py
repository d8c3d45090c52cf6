"""The application around the routes: health, metrics and the description of the API."""

import msgspec
import pytest

from passline.store.log import LogError
from passline.web.server.metrics import Metrics
from passline.web.server.metrics_listener import metrics_text
from tests.web.house import House


def test_metrics_and_health_report_commands_and_the_log(house: House) -> None:
    page = house.people["nobody"]
    assert page.get("/metrics").status_code == 404, "metrics have a port of their own"
    text = metrics_text(house.server.services).decode()
    assert 'passline_commands_total{command="roll",outcome="done"} 1.0' in text
    assert "passline_commit_seconds_bucket" in text
    health = page.get("/health").json()
    head = house.server.log.head()
    assert head is not None
    assert (health["status"], health["sequence"]) == ("up", head.sequence)


def test_a_histogram_counts_each_value_in_every_bucket_that_holds_it() -> None:
    metrics = Metrics()
    for seconds in (0.0004, 0.0005, 0.3, 7.0):
        metrics.count_commit(2, seconds)
    text = metrics.text().decode()
    for bound, count in (("0.0005", 2), ("0.25", 2), ("0.5", 3), ("2.5", 3), ("+Inf", 4)):
        assert f'passline_commit_seconds_bucket{{le="{bound}"}} {count}.0' in text
    assert "passline_commit_seconds_count 4.0" in text
    assert "passline_commit_seconds_sum 7.3009" in text
    assert 'passline_commit_entries_bucket{le="2.0"} 4.0' in text


def test_health_reports_that_the_log_is_down_but_not_its_address(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    page = house.people["nobody"]
    for what in ("check", "append"):
        with monkeypatch.context() as patched:
            patched.setattr(house.server.log, what, _gone)
            wager = {"command": "make-wager", "seat": 1, "wager": "field", "cents": 5_00}
            asked = house.people["player"].post("/api/tables/craps-1/commands", {"id": what, "command": wager})
            assert asked.status_code == (503 if what == "append" else 200)
            house.server.app.state.health._found_at = 0.0  # not what was found a moment ago
            answer = page.get("/health")
            if what == "check":
                assert (answer.status_code, answer.json()["status"]) == (503, "down")
            for text in (answer.text, asked.text):
                assert "10.0.0.7" not in text
    house.server.app.state.health._found_at = 0.0
    assert page.get("/health").json()["status"] == "up"


def _gone(*_given: object) -> None:
    raise LogError("postgresql://10.0.0.7:5432/casino: connection refused")


def test_the_openapi_description_has_every_command(house: House) -> None:
    described = msgspec.json.decode(house.people["nobody"].get("/openapi.json").content)
    schemas = described["components"]["schemas"]
    assert {"MakeWager", "Roll", "KeyDice", "CorrectRoll", "OfferDice", "CommandBody", "OpenBody"} <= schemas.keys()
    assert "/api/tables/{id}/commands" in described["paths"]
