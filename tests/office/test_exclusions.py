"""Who is kept away from the games: refused where the house permits, noted where it owes, by patron, link and name."""

from __future__ import annotations

from datetime import date
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from passline.office.excluded import excluded_of, exclusion_of_patron, exclusions_table
from passline.office.trial import TrialOffice
from tests.office.cage_story import house_with

_ON_LIST = {"reason": "asked for it", "by_whom": "patron", "list": "self-excluded"}


def _house() -> TrialOffice:
    office = house_with()
    for number, name in (("P1", "Ann Smith"), ("P2", "Zoe"), ("P3", "a man in red")):
        office.do("cora", "enter_patron", number, name=name)
    return office


def _bar(office: TrialOffice, **said: str) -> None:
    fields: dict[str, Any] = {**_ON_LIST, **said}
    assert "recorded" in office.do("flo", "bar_patron", "P1", **fields)


def test_chips_are_not_sold_to_whoever_is_kept_away_or_is_linked_to_them() -> None:
    office = _house()
    office.do("cora", "link_patron", "P2", accounts=["zoe"], walk_ins=["P1", "P3"])
    _bar(office)
    refused = "refused: patron P1: is barred from the games [practice]"
    assert office.do("cy", "sell_chips", units={"2500": 1}, patron="P1") == refused
    assert "barred from the games (P1)" in office.do("cy", "sell_chips", units={"2500": 1}, patron="P3")
    office.do(
        "cora", "admit_patron", "P1", reason="the time is over", by_whom="patron", signs="second", signed_by="sam"
    )
    assert "recorded" in office.do("cy", "sell_chips", units={"2500": 1}, patron="P3")


def test_what_the_house_owes_is_paid_and_looked_into() -> None:
    office = _house()
    office.do("cy", "sell_chips", units={"2500": 4}, patron="P1")
    _bar(office)
    told = office.do("cy", "redeem_chips", units={"2500": 4}, patron="P1")
    assert "recorded" in told
    assert "Incident I-1: patron P1: is barred from the games, and has chips [practice]." in told
    told = office.do("flo", "log_buy_in", table="craps-1", amount=100_00, patron="P1")
    assert "Incident I-2: patron P1: is barred from the games" in told, "it was taken at the table: a fact"


def test_an_exclusion_ends_with_its_last_day_and_another_one_begins_anew() -> None:
    office = _house()
    _bar(office, until="2026-03-03")
    office.go_to("2026-03-03", "20:00")
    assert office.do("cy", "sell_chips", units={"2500": 1}, patron="P1").startswith("refused")
    office.go_to("2026-03-04", "08:00")
    assert "recorded" in office.do("cy", "sell_chips", units={"2500": 1}, patron="P1")
    _bar(office, list="of an agency", agency="list 7")
    assert office.do("cy", "sell_chips", units={"2500": 1}, patron="P1").startswith("refused"), "it has no last day"


def test_whoever_has_a_like_name_is_entered_once_somebody_has_looked() -> None:
    office = _house()
    _bar(office)
    refused = office.do("cy", "enter_patron", "P9", name="A. Smith")
    assert "somebody of a like name is kept away from the games" in refused
    assert "Ann Smith, patron P1" in refused
    assert "It waits for the signature of looked" in office.do(
        "cy", "enter_patron", "P9", name="A. Smith", is_somebody_else=True
    )
    assert "is known" in office.sign("flo", "looked")
    assert "is known" in office.do("cy", "enter_patron", "P10", name="Carl Jones")


def test_a_name_is_not_corrected_to_a_like_one_before_somebody_has_looked() -> None:
    """Else whoever is kept away is entered under another name, which one cashier then puts right."""
    office = _house()
    _bar(office)
    assert "is known" in office.do("cy", "enter_patron", "P9", name="Carl Jones")
    said: dict[str, Any] = {"corrects": office.state.acts, "reason": "misread", "name": "A. Smith"}
    assert "somebody of a like name is kept away" in office.do("cy", "correct_enter_patron", "P9", **said)
    office.do("cy", "correct_enter_patron", "P9", **said, is_somebody_else=True)
    office.sign("flo", "looked")
    assert office.state.things["patron/P9"].facts["name"] == "Carl Jones"
    office.sign("cora", "second")
    assert office.state.things["patron/P9"].facts["name"] == "A. Smith"


def test_tables_know_who_is_kept_away_by_account_by_patron_and_by_a_like_name() -> None:
    office = _house()
    office.do("cora", "link_patron", "P1", accounts=["ann"], walk_ins=["P3"])
    assert not excluded_of([office.state], office.at).known
    _bar(office)
    out = excluded_of([office.state], office.at)
    assert out.why("ann") == "is kept away from the games (patron P1, self-excluded)"
    assert (out.why("zoe"), out.like("Zoe")) == ("", None)
    assert out.like("ann smith") == out.known[0]
    found = exclusion_of_patron(office.state, "P3", office.at)
    assert found is not None
    assert found.patron == "P1"
    assert exclusion_of_patron(office.state, "P2", office.at) is None
    (row,) = exclusions_table(office.state, office.at).rows
    assert row[:6] == ("P1", "Ann Smith", "self-excluded", "patron", "", "asked for it")
    assert date.fromisoformat(str(row[6])[:10]) == date(2026, 3, 2)


def _bars_of(office: TrialOffice) -> dict[str, tuple[str, str]]:
    """Return whose bars there are today, each with its list and its reason."""
    return {
        f"{out.by_whom} {out.agency}".strip(): (out.list, out.why)
        for out in excluded_of([office.state], office.at).known
    }


_HOUSE: dict[str, str] = {"by_whom": "house", "list": "of the house", "reason": "loud"}
_STATE = {"by_whom": "law", "list": "of an agency", "agency": "State list 7", "reason": "a felon"}
_TRIBE = {"by_whom": "law", "list": "of an agency", "agency": "Tribal list 2", "reason": "a cheat"}


def test_the_house_the_patron_and_each_agency_bar_somebody_each_for_themselves() -> None:
    """Attack: the house bars somebody whom an agency keeps away, and lets them in again."""
    office = _house()
    bars = {"law State list 7": ("of an agency", "a felon"), "law Tribal list 2": ("of an agency", "a cheat")}
    for said in (_STATE, _TRIBE, _HOUSE):
        _bar(office, **said)
    assert _bars_of(office) == {**bars, "house": ("of the house", "loud")}
    assert office.state.things["patron/P1"].facts["by_whom"] == "law"
    second: dict[str, Any] = {"signs": "second", "signed_by": "sam"}
    office.do("cora", "admit_patron", "P1", reason="calm", by_whom="house", **second)
    assert _bars_of(office) == bars
    assert office.do("cy", "sell_chips", units={"2500": 1}, patron="P1").startswith("refused")
    told = office.do("cora", "admit_patron", "P1", reason="calm", by_whom="house")
    assert told.endswith("is not barred by that (on record: law, state list 7; law, tribal list 2) [practice]"), told
    for agency in ("State list 7", "tribal  LIST 2"):
        ends: dict[str, Any] = {"reason": "taken off", "by_whom": "law", "agency": agency}
        assert "only the paper of whoever wanted that ends it" in office.do("cora", "admit_patron", "P1", **ends)
        office.do("cora", "admit_patron", "P1", **ends, release=sha256(agency.encode()).hexdigest(), **second)
    assert _bars_of(office) == {}
    assert office.state.things["patron/P1"].facts["by_whom"] == ""
    assert "recorded" in office.do("cy", "sell_chips", units={"2500": 1}, patron="P1")


def test_an_agencys_bar_is_shown_again_once_that_of_the_house_is_over() -> None:
    office = _house()
    _bar(office, **_HOUSE, until="2026-03-03")
    _bar(office, **_STATE, until="2026-03-02")
    _bar(office, **_HOUSE, until="2026-03-02")
    office.go_to("2026-03-03", "20:00")
    assert _bars_of(office) == {"house": ("of the house", "loud")}, "shorter than before, it stays as long"
    office.go_to("2026-03-04", "08:00")
    assert _bars_of(office) == {}


def test_a_bar_from_before_bars_were_kept_apart_stays_beside_a_later_one() -> None:
    office = _house()
    _bar(office, **_STATE)
    known = office.state.things["patron/P1"]
    facts = {key: value for key, value in known.facts.items() if key != "bars"}
    office.state = replace(office.state, things={**office.state.things, "patron/P1": replace(known, facts=facts)})
    assert _bars_of(office) == {"law State list 7": ("of an agency", "a felon")}
    _bar(office, **_HOUSE)
    assert [*_bars_of(office)] == ["law State list 7", "house"]
