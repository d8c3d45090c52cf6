"""Who may begin a count: nobody whose own count would leave nobody to count again."""

from typing import Any

from passline.acts.calendar.facility import Facility
from passline.acts.views.counts import counts_of
from passline.acts.views.opening_path import opening_path
from passline.office.trial import TrialOffice

_HALL = Facility(name="Mesa Hall", zone="America/Phoenix", subdivision="AZ", areas=("pit-1",))
_DUTIES: dict[str, Any] = dict.fromkeys(("directs", "oversees", "resolves", "schedules"), True)
_KNOWS = ["the play of every authorized craps game", "the regulations of craps"]


def _office(**people: str) -> TrialOffice:
    """A house whose only designated supervisor is Sam, with a table in its register."""
    office = TrialOffice("arizona", _HALL, {"olga": "owner", "cora": "compliance", "sam": "supervisor", **people})
    licensed: dict[str, Any] = {"licence_until": "2030-12-31", "certificate_until": "2030-12-31"}
    office.do("olga", "enter_employee", "sam", post="supervisor", signs="second", signed_by="cora", **licensed)
    office.do("olga", "designate_supervisor", "sam", knows=_KNOWS, **_DUTIES)
    office.do("olga", "register_table", "craps-1", area="pit-1")
    return office


def _wrong(office: TrialOffice, name: str) -> list[str]:
    people = [*office.people.values()]
    counts = counts_of(office.scene, office.people[name], people)
    return [wrong.why for count in counts if count.act == "count_opener" for wrong in count.wrong]


def test_AZ_II_M_1_c__the_only_supervisor_counts_again_and_does_not_begin() -> None:
    """AZ-II.M.1-c: the designated supervisor counts and verifies; whoever counts first is somebody else."""
    office = _office(dan="dealer", bob="boxperson")
    assert _wrong(office, "sam") == ["you are needed to count again, as the only supervisor: Bob or Dan counts first"]
    assert _wrong(office, "dan") == []
    path = opening_path(office.scene, [*office.people.values()])
    assert path is not None
    [step] = [step for step in path.steps if step.act == "count_opener"]
    assert step.kept_to_sign == ("sam",)


def test_AZ_II_M_1_c__without_a_second_pair_of_hands_it_is_said_who_is_missing() -> None:
    """AZ-II.M.1-c."""
    assert _wrong(_office(), "sam") == ["nobody else is a supervisor yet, to count again"]
