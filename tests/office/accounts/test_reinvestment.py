"""What came of comps by patron, day and month, and a patron's own statement, recomputed from the raw log."""

from __future__ import annotations

from collections import Counter

from passline.acts.events import ActCompleted, ActDone, CompEarned
from passline.acts.patrons import linked_patrons, names_of_patrons
from passline.bookkeeping.comps import find_comp_lines, reinvestment_table, reinvestments
from passline.documents.as_text import as_text, listed_rows
from passline.office.views.rated_play import find_played_days, find_ratings, statement_sheet
from tests.office.accounts.comped import DAY, RULES, two_rated_days
from tests.office.accounts.rated import RatedTable


def _from_the_raw_log(rated: RatedTable) -> dict[str, Counter[str]]:
    """Add comps up by patron from the events themselves, without any of the program's own sums."""
    sums: dict[str, Counter[str]] = {}
    done, worth = {}, {}
    for _at, event in rated.office.events:
        if isinstance(event, CompEarned):
            known = event.credit.facts
            own = sums.setdefault(known["patron"], Counter())
            own["theoretical"] += known["theoretical"]
            own["earned"] += known["theoretical"] * 25 // 100
        elif isinstance(event, ActDone):
            done[event.number] = event
        elif isinstance(event, ActCompleted) and (act := done[event.number]).act in {"give_comp", "grant_comp"}:
            sums.setdefault(act.fields["patron"], Counter())[act.act] += act.fields["worth"]
            worth.update(dict.fromkeys(act.things, act.fields))
        elif isinstance(event, ActCompleted) and act.act == "void_comp":
            void = worth[act.things[0]]
            sums[void["patron"]]["give_comp"] -= void["worth"]
    return sums


def test_ten_figures_of_the_report_are_those_of_the_raw_log() -> None:
    rated, views = two_rated_days()
    raw = _from_the_raw_log(rated)
    state = rated.office.state
    lines = find_comp_lines(views, RULES, "2026-11")
    ann, bob = reinvestments(lines, "patron", linked_patrons(state))
    for one, own in ((ann, raw["P1"]), (bob, raw["P2"])):
        assert (one.theoretical, one.earned) == (own["theoretical"], own["earned"])
        assert (one.granted, one.given) == (own["grant_comp"], own["give_comp"])
        assert one.rate == own["give_comp"] / own["theoretical"]
        left = state.stocks["comp"][one.subject]["1"]
        assert left == one.earned + one.granted - one.given, "what is left on record"
    (month,) = reinvestments(lines, "month", {})
    assert (month.subject, month.given) == ("2026-11", 180_00)
    assert month.theoretical == sum(own["theoretical"] for own in raw.values())
    first, second = reinvestments(lines, "day", {})
    assert (first.subject, first.given, second.theoretical, second.rate) == (DAY, 0, 0, None)
    table = reinvestment_table("Comps", "patron", [ann, bob], names_of_patrons(state))
    rows = listed_rows(table)
    assert [row["patron"] for row in rows] == ["Ann", "Bob", "together"]
    assert rows[2]["given_cents"] == 180_00
    assert rows[0]["given_beyond_earned_cents"] == ann.given - ann.earned


def test_a_statement_has_the_players_own_figures_and_not_what_the_play_was_worth() -> None:
    rated, views = two_rated_days()
    days = find_played_days(views, RULES, rated.office.state, "P1", "2026")
    assert [(day.day, day.minutes, day.minutes_unkeyed, day.comps) for day in days] == [
        (DAY, 0, 67, 0),
        ("2026-11-15", 0, 0, 120_00),
    ]
    sheet = statement_sheet(days, owner="Harbour", patron="P1", name="Ann", year="2026", dated="As of today")
    text = as_text(sheet)
    assert "120.00" in text
    assert "67 minutes at tables where wagers are not keyed in" in text
    (ann, _bob) = find_ratings(views, RULES, rated.office.state, "day", DAY)
    assert ann.theoretical is not None
    assert f"{ann.theoretical // 100:,}" not in text
    assert "theoretical" not in text.casefold()
    assert "expected" not in text.casefold()
