"""A paper counts once and for its own day, however it is written."""

from __future__ import annotations

import pytest

from passline.acts.calendar.facility import Facility
from passline.office.trial import TrialOffice

PEOPLE = {
    "olga": "owner", "cy": "cashier", "acc": "accountant", "flo": "floorperson", "bob": "boxperson",
    "ned": "counter", "nia": "counter", "nat": "counter",
}  # fmt: skip


@pytest.fixture
def office() -> TrialOffice:
    """An office with a table and its drop box."""
    trial = TrialOffice(
        "section2", Facility(name="H", zone="America/Denver", subdivision="CO", areas=("pit-1",)), PEOPLE
    )
    trial.at = "2026-03-02T16:00:00.000000Z"
    trial.do("olga", "register_table", "T1", area="pit-1")
    trial.do("olga", "enter_drop_box", "D1")
    trial.set_value("olga", "count_team_min", 2)
    trial.do("flo", "attach_drop_box", "T1", drop_box="D1")
    return trial


def _count(office: TrialOffice, by: str) -> str:
    return office.do(by, "count_box", "D1", cash={"10000": 5}, team=["ned", "nia"])


def test_a_box_is_counted_on_one_paper_at_a_time(office: TrialOffice) -> None:
    _count(office, "ned")
    (first,) = office.state.pending.values()
    assert f"act {first.done.number} waits for its signatures already" in _count(office, "nia")
    assert len(office.state.pending) == 1


@pytest.mark.parametrize("day", ["20260302", "2026-W10-1", "9999-12-31", "never"])
def test_a_gaming_day_is_closed_under_one_name(office: TrialOffice, day: str) -> None:
    office.at = "2026-03-04T20:00:00.000000Z"
    office.do("acc", "close_gaming_day", day)
    assert office.state.thing("gaming_day", day) is None


@pytest.mark.parametrize("day", ["2099-01-01", "9999-12-31", "2025-03-02"])
def test_a_count_is_of_a_gaming_day_close_by(office: TrialOffice, day: str) -> None:
    said = office.do("flo", "count_opener", "T1", shift="day", gaming_day=day, chips={"500": 10})
    assert f"{day} is not near 2026-03-02" in said


@pytest.mark.parametrize("denomination", ["0500", "²", "5" * 5000, "-5", "0"])
def test_a_denomination_is_written_in_one_way(office: TrialOffice, denomination: str) -> None:
    said = office.do("cy", "receive_chips", units={"500": 1, denomination: 2}, delivery="n")
    assert "is not a denomination in cents" in said
