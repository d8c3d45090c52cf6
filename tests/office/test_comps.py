"""Comps: a share of what play was worth, agreed on by two, credited once a day is over, and never given beyond it."""

from __future__ import annotations

from typing import Any

from passline.acts import commands as c
from passline.acts.check import office_problems
from passline.acts.events import CompEarned
from passline.acts.rules import office_of
from passline.office.trial import TrialOffice
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS
from tests.office.cage_story import house_with

_TERMS: dict[str, Any] = {"comp_share": 20, "comp_floor": 50_00, "comp_supervisor": 200_00}


def _house() -> TrialOffice:
    """A house that gives 20 % back; Ann's play of 2 March was worth 2,000.00 to it, and Bob's nothing yet."""
    office = house_with("comps")
    for number, name in (("P1", "Ann"), ("P2", "Bob")):
        office.do("cora", "enter_patron", number, name=name)
    office.do("olga", "set_comp_terms", **_TERMS)
    office.sign("cora", "second")
    office.go_to("2026-03-03", "12:00")
    assert "earned comps of $400.00 on 2026-03-02" in office.tell(_worth(2_000_00))
    return office


def _worth(cents: int, patron: str = "P1", day: str = "2026-03-02") -> c.NoteComp:
    return c.NoteComp(patron=patron, day=day, theoretical=cents)


def _left(office: TrialOffice, patron: str = "P1") -> int:
    return office.state.stocks.get("comp", {}).get(f"patron/{patron}", {}).get("1", 0)


def _give(office: TrialOffice, cents: int, by: str = "flo") -> str:
    return office.do(by, "give_comp", patron="P1", worth=cents, what="dinner")


def test_every_regulation_takes_the_book_and_two_people_set_the_share() -> None:
    assert not [problem for name in REGULATIONS for problem in office_problems(office_of(name, "comps"))]
    office = house_with("comps")
    office.do("cora", "enter_patron", "P1", name="Ann")
    office.go_to("2026-03-03", "12:00")
    assert "nobody has said which share" in office.tell(_worth(2_000_00))
    assert "is set by an act and not by hand" in office.set_value("olga", "comp_share", 20)
    assert "less than" in office.do("olga", "set_comp_terms", **{**_TERMS, "comp_supervisor": 10_00})
    office.do("olga", "set_comp_terms", **_TERMS)
    assert "nobody has said which share" in office.tell(_worth(2_000_00)), "one person's word is none"
    assert office.sign("olga", "second").startswith("refused")
    office.sign("acc", "second")
    assert "earned comps of $400.00" in office.tell(_worth(2_000_00))


def test_no_more_is_given_than_was_earned_unless_a_higher_role_grants_it() -> None:
    office = _house()
    assert "is given" in _give(office, 50_00)
    assert (_left(office), _left(office, "P2")) == (350_00, 0)
    told = office.do("sam", "give_comp", patron="P1", worth=350_01, what="a suite")
    assert "patron P1 has 350.00 of comps that were earned and not given on record, not 350.01" in told
    assert office.do("flo", "grant_comp", patron="P1", worth=100_00, reason="a long evening").startswith("refused")
    office.do("sam", "grant_comp", patron="P1", worth=100_00, reason="a long evening")
    assert _left(office) == 350_00, "it waits for an owner"
    office.sign("olga", "owner")
    assert _left(office) == 450_00
    office.do("sam", "take_grant_back", patron="P1", worth=30_00, reason="not used", signs="second", signed_by="cora")
    assert _left(office) == 420_00


def test_a_comp_above_a_limit_is_signed_by_a_supervisor_and_above_another_by_an_owner_too() -> None:
    office = _house()
    assert "waits for the signature of" in _give(office, 50_01)
    assert office.sign("cy", "supervisor").startswith("refused")
    assert "is given" in office.sign("sam", "supervisor")
    _give(office, 200_01)
    assert "is given" not in office.sign("sam", "supervisor")
    assert "is given" in office.sign("olga", "owner")
    assert _left(office) == 400_00 - 50_01 - 200_01


def test_what_was_earned_is_credited_once_after_the_day_and_follows_its_ratings_down_to_what_is_left() -> None:
    office = _house()
    assert "nothing has changed" in office.tell(_worth(2_000_00))
    assert "is not over" in office.tell(_worth(1_00, day="2026-03-03"))
    assert "no patron P9" in office.tell(_worth(1_00, "P9"))
    assert isinstance(office.send(_worth(1_00), "olga"), Refused), "only the server notes it"
    office.tell(_worth(2_500_49))
    assert _left(office) == 500_09, "whole cents, rounded down"
    _give(office, 40_00)
    (earned,) = (event for event in office.send(_worth(100_00)) if isinstance(event, CompEarned))  # type: ignore[union-attr]
    assert earned.credit.facts["earned"] == 40_00, "what was given already is not taken back"
    assert (earned.move.source, earned.move.target, earned.move.units) == ("patron/P1", "earned", {"1": 460_09})
    office.do("olga", "set_comp_terms", **{**_TERMS, "comp_share": 40}, signs="second", signed_by="cora")
    office.tell(_worth(1_000_00))
    assert _left(office) == 160_00, "the share of a day is the one that held when it was noted first"


def test_a_void_comp_goes_back_to_the_patron_and_a_barred_patron_gets_none() -> None:
    office = _house()
    _give(office, 30_00)
    office.do("sam", "void_comp", "CP-000001", reason="the kitchen was closed")
    office.sign("flo", "second")
    assert _left(office) == 400_00
    office.do("flo", "bar_patron", "P1", reason="asked for it", by_whom="patron")
    assert "is barred from the games" in _give(office, 10_00)


def test_a_comp_in_parts_below_the_limit_is_signed_like_the_whole() -> None:
    """As a floorperson would who rates a patron high and then gives dinners of 50.00, one after another."""
    office = _house()
    assert "is given" in _give(office, 30_00)
    assert "waits for the signature of" in _give(office, 20_01), "another 20.01 make more than 50.00"
    office.do("flo", "give_comp", patron="P1", worth=20_00, what="dinner")
    office.do("sam", "give_comp", patron="P1", worth=10_00, what="a taxi")
    assert _left(office) == 400_00 - 30_00 - 20_00, "a supervisor's own part waits for another supervisor"
    dated = "2026-03-02T20:00:00.000000Z"
    told = office.do("flo", "give_comp", patron="P1", worth=1_00, what="a drink", occurred=dated)
    assert "counts from its own entry" in told, "nor of another day"
    office.do("sam", "void_comp", "CP-000001", reason="not eaten", signs="second", signed_by="cy")
    assert "is given" in _give(office, 30_00), "what is void counts no more"
    office.go_to("2026-03-04", "12:00")
    assert "is given" in _give(office, 50_00), "the next gaming day"


def test_two_records_of_one_patron_have_one_limit() -> None:
    office = _house()
    office.do("cora", "link_patron", "P1", walk_ins=["P2"])
    office.do("sam", "grant_comp", patron="P2", worth=100_00, reason="a long evening", signs="owner", signed_by="olga")
    assert "is given" in _give(office, 50_00)
    assert "waits for the signature of" in office.do("flo", "give_comp", patron="P2", worth=1_00, what="a drink")
