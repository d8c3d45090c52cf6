"""Standards: every item names what there is, and an office shows by its log and its settings how it holds each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
import typer

from passline.acts.calendar.facility import Facility
from passline.acts.rules import office_of
from passline.cli.main import app
from passline.cli.manual import help_texts
from passline.documents.as_html import as_html
from passline.documents.as_text import as_text
from passline.office.standards import Holders, page_entry, read_standard, standard_names, standard_of
from passline.office.trial import TrialOffice
from passline.office.views.standard_sheet import (
    ItemStanding,
    OfficeKnown,
    standard_sheet,
    standard_text,
    standings_of,
)
from passline.rules.pages.texts import RulebookFaults
from passline.web.duties import ROUTES
from tests.grids import every

TESTS = Path(__file__).resolve().parents[1]
CHECKLIST = "table_systems"
PEOPLE = {"flo": "floorperson", "cora": "compliance", "olga": "owner"}
PAGE = """
name = "Invented"
about = "An invented standard."
[sources]
"invented" = "nobody's"
[items.fills]
area = "slips"
says = "Fills are asked for"
{}
cite = "invented"
"""
SOUND = {
    "entries": '["acts.request_fill"]',
    "pages": '["/office/{name}/count"]',
    "commands": '["office form"]',
    "tests": '["tests/office/test_forms.py::test_every_office_prints_every_form"]',
}


def _holders() -> Holders:
    """All pages of the house, all commands and all tests."""
    commands = {" ".join(text.name) for text in help_texts(typer.main.get_command(app))}
    pages = {route.removeprefix("GET ") for route in ROUTES if route.startswith("GET /")}
    return Holders(pages=pages, commands=commands, tests=TESTS)


@pytest.mark.parametrize("name", standard_names())
def test_every_item_names_what_there_is_and_a_test_or_why_it_is_not_covered(name: str) -> None:
    standard = standard_of(name, _holders())
    assert all(item.tests for item in standard.items.values() if not item.not_covered)


def test_the_checklist_has_sixty_items_of_which_enough_are_covered() -> None:
    standard = standard_of(CHECKLIST)
    assert (len(standard.items), len(standard.held_items) >= 37) == (60, True)


@every(
    wrong=[
        ("entries", '["acts.request_fil"]', "no office has an entry 'acts.request_fil'"),
        ("entries", '["values.moon"]', "no office has an entry 'values.moon'"),
        ("pages", '["/office/{name}/moon"]', "there is no '/office/{name}/moon'"),
        ("commands", '["office sink"]', "there is no 'office sink'"),
        (
            "tests",
            '["tests/office/test_forms.py::test_of_nothing"]',
            "there is no test tests/office/test_forms.py::test_of_nothing",
        ),
        ("cite", '"hearsay"', "'hearsay' is not one of the sources"),
        ("not_covered", '"nobody has asked"', "it is held by something"),
    ]
)
def test_a_holder_that_there_is_not_is_a_fault_of_the_page(wrong: tuple[str, str, str]) -> None:
    key, value, said = wrong
    lines = SOUND | {key: value}
    cite = lines.pop("cite", '"invented"')
    text = PAGE.replace('cite = "invented"', f"cite = {cite}").replace("{}", "\n".join(map(" = ".join, lines.items())))
    with pytest.raises(RulebookFaults) as found:
        read_standard(text.encode(), "presets/invented.toml", _holders())
    assert len(found.value.faults) == 1
    assert f"presets/invented.toml: items.fills.{key}: {said}" in found.value.faults[0]


def test_an_item_is_held_by_something_or_says_why_not() -> None:
    with pytest.raises(RulebookFaults, match=r"items\.fills: say what holds it"):
        read_standard(PAGE.replace("{}", 'entries = ["acts.request_fill"]').encode(), "presets/invented.toml")


def _stand(office: TrialOffice, name: str = CHECKLIST) -> dict[str, ItemStanding]:
    known = OfficeKnown(rules=office.rules, state=office.state, names={"flo": "Flo"})
    return {standing.key: standing for standing in standings_of(standard_of(name), known)}


def _office() -> TrialOffice:
    office = TrialOffice("section2", Facility(name="Harbour", zone="America/Denver", areas=("pit",)), PEOPLE)
    office.go_to("2026-03-02", "09:00")
    return office


def test_an_office_shows_the_newest_act_by_its_number_and_what_was_never_done() -> None:
    office = _office()
    office.do("cora", "register_table", "T1", area="pit")
    assert _stand(office)["emergency_drop"].status == "no entry yet"
    assert _stand(office)["fill_recorded"].evidence == ("Ask for a fill: not done yet",)
    office.do("cora", "specify_chip", "500", colour="red")
    for _ in range(2):
        office.do("flo", "request_fill", table="T1", units={"500": 20})
    after = _stand(office)["fill_recorded"]
    assert (after.status, after.evidence) == ("held", ("Ask for a fill: act 4, 2026-03-02 09:00, Flo",))
    assert _stand(office)["one_series"].evidence == ("fill slip: 2 on record", "credit slip: 0 on record")


def test_what_a_house_has_not_elected_is_not_held_by_it() -> None:
    office = _office()
    assert _stand(office)["in_view"].status == "not elected"
    assert {standing.status for standing in _stand(office, "nevada").values()} == {"not elected", "no entry yet"}
    office.rules = office_of("section2", "nevada")
    assert _stand(office)["in_view"].status == "no entry yet"
    assert all(
        page_entry(office.rules.pages, entry) for item in standard_of("nevada").items.values() for entry in item.entries
    )


def test_a_setting_is_shown_as_it_was_set_or_delivered() -> None:
    office = _office()
    before = _stand(office)["dice_fairness"]
    office.set_value("olga", "dice_alarm", 1000)
    after = _stand(office)["dice_fairness"]
    assert (before.status, after.status) == ("not set", "held")
    assert after.evidence[0].endswith(": 1000")


def _sheets(office: TrialOffice | None) -> Iterator[str]:
    standard = standard_of(CHECKLIST)
    known = OfficeKnown(rules=office.rules, state=office.state) if office else None
    standings = standings_of(standard, known)
    sheet = standard_sheet(standard, standings, known)
    yield from (standard_text(standard, standings, known), as_text(sheet), unescape(as_html(sheet.title, sheet)))


def test_the_sheet_has_every_item_in_every_form_and_counts_them() -> None:
    standard = standard_of(CHECKLIST)
    for office in (None, _office()):
        for text in _sheets(office):
            missing = [item.says for item in standard.items.values() if item.says not in text]
            assert not missing
            assert f"{len(standard.held_items)} of {len(standard.items)} items" in text
    counts = Counter(standing.status for standing in _stand(_office()).values())
    assert counts["not covered"] == len(standard.items) - len(standard.held_items)
