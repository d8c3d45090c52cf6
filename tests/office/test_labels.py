"""No office has labels: acts that stand for a clause, and of which nothing comes."""

from __future__ import annotations

from typing import TypeVar

import pytest
from msgspec.structs import replace

from passline.acts.rules import ActRules
from passline.acts.schema import ActPages
from passline.rules.clauses import REGULATIONS, clauses_of
from tests.office.labels import label_rows, live_acts
from tests.office.offices import INVENTED, known_office

_Entry = TypeVar("_Entry")


@pytest.mark.parametrize("name", [*REGULATIONS, INVENTED])
def test_something_comes_of_every_act_that_stands_for_a_clause(name: str) -> None:
    """Or a reading says why nothing can. What a row only permits, nobody has to do."""
    rows = clauses_of(name)
    labels = {
        clause: entries
        for clause, entries in label_rows(known_office(name)).items()
        if clause not in rows or rows[clause].kind != "election"
    }
    assert not labels, f"nothing waits for these, no clock runs to them and no paper shows them: {labels}"


@pytest.mark.parametrize(
    ("clause", "gone"),
    [
        ("AZ-II.M.1-a", {"clocks": {"supervision_reported", "supervision_closed"}}),
        ("AZ-II.M.1-e", {"clocks": {"dispute_decided"}}),
        ("AZ-II.Q.3", {"clocks": {"tips_shared"}}),
    ],
)
def test_an_act_without_its_clock_is_a_label(clause: str, gone: dict[str, set[str]]) -> None:
    rules = known_office("arizona")
    assert clause in label_rows(_without(rules, gone))


def test_a_variation_that_nothing_waits_for_is_a_label() -> None:
    """Neither a house that comes into force, nor a table that opens or is open, nor the Division that is told."""
    rules = known_office("colorado")
    force, opening = rules.pages.acts["put_in_force"], rules.pages.gates["open_table"]
    pages = replace(
        rules.pages,
        acts={
            **_but_for(rules.pages.acts, "give_up_variation"),
            "put_in_force": replace(force, needs=_but_for(force.needs, "variations")),
        },
        gates={**rules.pages.gates, "open_table": replace(opening, items=_but_for(opening.items, "variations"))},
        watches=_but_for(rules.pages.watches, "variations"),
    )
    assert {"CO-2317-1-rule", "CO-2317-1-review"} <= {*label_rows(replace(rules, pages=pages))}


def _but_for(entries: dict[str, _Entry], gone: str) -> dict[str, _Entry]:
    return {key: entry for key, entry in entries.items() if key != gone}


def test_a_reading_says_what_cannot_be_enforced() -> None:
    """Of other duties the text says nothing more: without that word the entry would be one that nobody can break."""
    field = known_office("arizona").pages.acts["report_supervision"].fields["other_duties"]
    assert field.cite == "AZ-II.M.1-f"
    assert "nothing can be made to wait" in field.reading


def test_what_nothing_waits_for_is_known() -> None:
    """Ends of a thing's life and notes beside it: the acts that may be without an effect."""
    dead = {key for name in (*REGULATIONS, INVENTED) for key in _dead(known_office(name).pages)}
    assert dead == {
        "add_device", "add_marks", "begin_tournament", "change_area", "close_gaming_day", "close_incident",
        "distribute_tips", "drop_rota", "end_tournament", "file_currency_report", "give_copy", "link_patron",
        "move_table", "note_recording", "note_tax_details", "plan_rota_again", "record_missed_count", "report_tip",
        "respecify_chip", "set_crew", "set_par_level", "sga_comment_on_house", "specify_chip", "withdraw_chip",
        "withdraw_house",
    }  # fmt: skip


def _dead(pages: ActPages) -> set[str]:
    return {*pages.acts} - live_acts(pages) - {*pages.rights}


def _without(rules: ActRules, gone: dict[str, set[str]]) -> ActRules:
    pages = rules.pages
    for kind, keys in gone.items():
        kept = {key: one for key, one in getattr(pages, kind).items() if key not in keys}
        pages = replace(pages, **{kind: kept})
    return replace(rules, pages=pages)
