"""Sensitive keys: taken by several people, needed for a drop and a count, counted, and missed when they are gone."""

from __future__ import annotations

from typing import Any

from passline.office.trial import TrialOffice
from tests.office.cage_story import house_with


def _house() -> TrialOffice:
    office = house_with("keys")
    office.do("olga", "enter_key", "K1", opens="release of all boxes", kind="drop box release", by_two=True)
    office.do("olga", "enter_key", "K2", opens="contents of all boxes", kind="drop box contents")
    office.do("olga", "enter_key", "K3", opens="the broom cupboard", kind="something else", plain=True, by_two=True)
    for box in ("B1", "B2"):
        office.do("olga", "enter_drop_box", box)
    office.do("flo", "attach_drop_box", "craps-1", drop_box="B1")
    return office


def _take(office: TrialOffice, key: str, *signs: tuple[str, str]) -> str:
    told = office.do("cy", "issue_key", key, purpose="the drop", holders=["ned"])
    for who, part in signs:
        told = office.sign(who, part)
    return told


def test_a_key_of_contents_takes_three_people_one_of_release_two_and_a_plain_one_its_holder() -> None:
    office = _house()
    assert "waits for the signature of holder" in office.do("cy", "issue_key", "K3", purpose="x", holders=["nia"])
    assert office.sign("ned", "holder").startswith("refused"), "it is not Ned who takes it"
    assert "K3 is out" in office.sign("nia", "holder")
    assert "K1 is out" in _take(office, "K1", ("ned", "holder"), ("sam", "second"))
    told = _take(office, "K2", ("ned", "holder"), ("sam", "second"))
    assert "is out" not in told
    assert office.sign("sam", "third").startswith("refused"), "nobody signs twice"
    assert "K2 is out" in office.sign("acc", "third")
    assert office.state.things["key/K2"].facts["holders"] == ["ned"]


def test_a_drop_and_a_count_without_the_key_have_happened_and_are_looked_into() -> None:
    office = _house()
    drop: dict[str, Any] = {"shift": "day", "drop_box": "B2", "signs": "viewer", "signed_by": "flo"}
    told = office.do("ned", "drop_table", "craps-1", dropped="B1", **drop)
    assert "the key that releases drop boxes is not out to who takes the box off" in told
    told = office.do("ned", "count_box", "B1", cash={"2000": 1}, team=["ned", "nia"])
    assert "the key of its contents is not out to who counts it" in told
    _take(office, "K1", ("ned", "holder"), ("sam", "second"))
    told = office.do("ned", "drop_table", "craps-1", **{**drop, "dropped": "B2", "drop_box": "B1"})
    assert "key" not in told, "he has it"


def test_a_key_that_is_not_in_the_cabinet_is_missed_when_they_are_counted() -> None:
    office = _house()
    _take(office, "K1", ("ned", "holder"), ("sam", "second"))
    office.do("acc", "count_keys", found=["K2", "K3"])
    assert "Incident" not in office.sign("cy", "second", found=["K2", "K3"]), "K1 is out"
    office.do("acc", "count_keys", found=["K3"])
    told = office.sign("cy", "second", found=["K3"])
    assert "the keys in the cabinet are not those of the log" in told
    office.do("cy", "return_key", "K1")
    office.sign("ned", "holder")
    assert "is in cabinet" in office.sign("sam", "second").replace("_", " ")
    assert not office.state.things["key/K1"].facts["holders"]


def test_nobody_alone_finds_a_key_that_was_lost() -> None:
    """Attack: a key is copied while it is lost, and lies in the cabinet again on one person's word."""
    office = _house()
    office.do("cy", "lose_key", "K1", reason="in the car park", replaced=True)
    assert "waits for the signature of a second person" in office.do("ned", "find_key", "K1", found="there")
    assert office.state.things["key/K1"].state == "lost"
    assert office.sign("ned", "second").startswith("refused")
    assert "is in cabinet" in office.sign("sam", "second").replace("_", " ")
