"""What forms, lists and lines of an office say is English: no keys, no braces, no digests; a tick says what is so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.schema import ActPages
from passline.acts.views.opening_path import items_in_order, opening_path
from passline.acts.wording import office_lines
from passline.office.trial import TrialOffice
from passline.rules.clauses import REGULATIONS
from tests.office.offices import INVENTED, known_office

_HALL = Facility(name="Mesa Hall", zone="America/Phoenix", subdivision="AZ", areas=("pit-1",))
_RAW = re.compile(r"[{}\[\]`]|\b[a-z]+_[a-z_]+\b|\b[0-9a-f]{12,}\b|\b(Tgo|Sga)\b")
_SHOWN = {"name", "says", "hint", "why", "wrong", "incident", "differs", "repeated", "taken_back"}
_NOT_SO = re.compile(r"^[\w ]{0,24}(is|are) not\b|\bcannot\b|\bneither\b|^(no|could) ")  # of what is looked at
_CITED = re.compile(r"( \[[A-Z]{2}-[^\]]*\])")  # a clause after what it asks for


def _texts(data: Any, path: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401 - pages as plain data
    """Yield every text of pages or views that people read, and where it stands."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        here = f"{path}.{key}"
        if key in _SHOWN:
            texts = value if isinstance(value, list) else [value]
            yield from ((here, text) for text in texts if isinstance(text, str))
        yield from _texts(value, here)


def _raw(data: Any) -> list[str]:  # noqa: ANN401 - pages as plain data
    return [f"{path}: {text}" for path, text in _texts(data) if _RAW.search(_CITED.sub("", text))]


@pytest.mark.parametrize("name", [*REGULATIONS, INVENTED])
def test_pages_say_nothing_raw(name: str) -> None:
    assert _raw(msgspec.to_builtins(known_office(name).pages)) == []


def test_what_is_raw_is_found() -> None:
    texts = ["{'count': 0}", "send it as sign_off", "see [form]", "3fa9c0ffee12", "Tgo seal"]
    assert len(_raw([{"says": text} for text in texts])) == len(texts)


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_way_to_a_table_and_its_list_say_nothing_raw(name: str) -> None:
    office = TrialOffice(name, _HALL, {"olga": "owner"})
    people = [*office.people.values()]
    found = [opening_path(office.scene, people), items_in_order(office.scene, people, "open_table", "craps-1")]
    assert _raw(msgspec.to_builtins(found)) == []


def test_a_figure_that_was_set_is_said_in_words() -> None:
    rules = known_office("arizona")
    money = next(key for key, value in rules.pages.values.items() if value.type == "cents")
    set_ = [
        e.ValueSet(key="at_once", value={"count": 0, "unit": "hours"}, document="", reference="", received=""),
        e.ValueSet(key=money, value=2_100_00, document="", reference="", received=""),
    ]
    said = office_lines(rules, set_)
    assert said == (
        "at once is set to 0 hours (no paper).",
        f"{money.replace('_', ' ')} is set to $2,100.00 (no paper).",
    )


@pytest.mark.parametrize("name", [*REGULATIONS, INVENTED])
def test_ticking_an_item_of_a_checklist_says_that_it_is_so(name: str) -> None:
    """Whoever ticks has seen what the clause asks for, and no defect."""
    lists = known_office(name).pages.checklists
    wrong = [
        item.says for checklist in lists.values() for item in checklist.items.values() if _NOT_SO.search(item.says)
    ]
    assert wrong == []


def test_AZ_II_L_3_f__ticking_that_one_person_went_in_tells_a_breach() -> None:
    """AZ-II.L.3-f: two go in; the box that opens an incident names the breach, not that all was well."""
    pages = known_office("arizona").pages
    fields = [pages.acts[act].fields["alone"].name for act in ("enter_store", "leave_store")]
    assert fields == ["only one person went in", "only one person was inside"]


@pytest.mark.parametrize("name", [*REGULATIONS, INVENTED])
def test_no_form_has_two_fields_of_one_label(name: str) -> None:
    assert [*_twice(known_office(name).pages)] == []


def _twice(pages: ActPages) -> Iterator[str]:
    for key, act in pages.acts.items():
        names = [field.name for field in act.fields.values()]
        yield from (f"{key}: {label}" for label in {*names} if names.count(label) > 1)


def test_who_must_have_an_account_is_named_as_the_page_of_people_names_them() -> None:
    path = opening_path(TrialOffice("arizona", _HALL, {"olga": "owner"}).scene, [])
    assert path is not None
    wanted = {step.name.removeprefix("Make an account: "): step.role for step in path.steps if step.role}
    assert all(name.partition(",")[0] == role for name, role in wanted.items()), wanted
