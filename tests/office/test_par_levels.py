"""Par levels: what a tray lacks of its own is told to who may know it, and a fill of just that brings it back."""

from __future__ import annotations

from passline.acts.views.par_levels import BelowPar, below_par
from passline.office.trial import TrialOffice
from tests.office.cage_story import count, house_with


def _short(office: TrialOffice, who: str = "flo") -> dict[str, dict[str, int]]:
    return {tray.table: tray.short for tray in below_par(office.scene, office.people[who])}


def _counted_house() -> TrialOffice:
    """A house with a tray of 100 green chips and none of the red, whose par level is 160 and 40."""
    office = house_with()
    office.do("cora", "specify_chip", "500", colour="red")
    count(office, "count_opener", "bob", "flo", "craps-1", chips={"2500": 0}, shift="day")
    for who, act, given in (
        ("flo", "request_fill", {"table": "craps-1", "units": {"2500": 100}}),
        ("cy", "prepare_fill", {}),
        ("sam", "carry_fill", {}),
        ("dan", "accept_fill", {}),
    ):
        things = () if act == "request_fill" else ("F-000001",)
        assert not office.do(who, act, *things, **given).startswith("refused"), act  # type: ignore[arg-type]
    assert not _short(office), "nobody has said a par level"
    told = office.do("sam", "set_par_level", "craps-1", par={"2500": 160, "500": 40})
    assert not told.startswith("refused"), told
    return office


def test_what_a_tray_lacks_of_its_par_level_is_told_and_ordered() -> None:
    office = _counted_house()
    (tray,) = below_par(office.scene, office.people["flo"])
    assert tray == BelowPar(
        "craps-1", {"2500": 60, "500": 40}, 60 * 25_00 + 40 * 5_00, "2026-03-02 08:00", "request_fill"
    )
    assert not below_par(office.scene, office.people["dan"]), "a dealer asks for no fill"
    office.do("flo", tray.act, table=tray.table, units=tray.short)
    assert not _short(office), "it is under way"
    office.do("sam", "void_fill", "F-000002", reason="a mistake", signs="witness", signed_by="cy")
    assert _short(office) == {"craps-1": {"2500": 60, "500": 40}}
    office.do("sam", "set_par_level", "craps-1", par={"2500": 101})
    assert _short(office) == {"craps-1": {"2500": 1}}
    office.do("sam", "set_par_level", "craps-1", par={"2500": 100})
    assert not _short(office)


def test_before_the_next_opener_only_who_counted_the_closer_is_told() -> None:
    office = _counted_house()
    count(office, "count_closer", "bob", "flo", "craps-1", chips={"2500": 90}, shift="day")
    assert _short(office, "bob") == _short(office, "flo") == {"craps-1": {"2500": 70, "500": 40}}
    assert not _short(office, "sam"), "who may count the opener does not know what it must be"
    count(office, "count_opener", "bob", "sam", "craps-1", chips={"2500": 90}, shift="swing")
    assert _short(office, "sam") == {"craps-1": {"2500": 70, "500": 40}}


def test_a_par_level_is_of_chips_that_there_are() -> None:
    office = house_with()
    assert office.do("sam", "set_par_level", "craps-1", par={"12345": 1}).startswith("refused")
    assert office.do("flo", "set_par_level", "craps-1", par={"2500": 1}).startswith("refused")
