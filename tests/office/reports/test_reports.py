"""Ten figures of each report, and more, worked out again from the raw log by plain arithmetic.

`REPORTS` lists every report of an office with what it says and what the JSON of the log comes to, figure by figure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from passline.bookkeeping.comps import find_comp_lines, reinvestments
from passline.bookkeeping.reading import find_play_accounts
from passline.documents.as_text import listed_rows
from passline.journals.chart import standard_chart
from passline.journals.posting import journals_of
from passline.office.folder import past_of
from passline.office.views.day_report import day_tables
from passline.office.views.kept_results import find_results, find_sums, find_to_date
from passline.office.views.kept_statistics import find_statistics
from passline.office.views.rated_play import find_played_days, find_ratings
from passline.office.views.tax_worksheet import tax_months
from passline.office.views.theft import find_theft
from passline.office.views.users_report import users_report
from passline.streams.projection_store import ViewStore
from tests.office.accounts.comped import two_rated_days
from tests.office.accounts.rated import RatedTable
from tests.office.reports.raw_log import RawAct, RawLog, cents
from tests.office.reports.stories import DAYS, MONTHS, TABLE, Evenings

_FIGURES_MIN = 10
_EDGES = {"pass": Fraction(7, 495), "any_seven": Fraction(1, 6)}
_RULES = "section2"
_NEWEST = date.fromisoformat(DAYS[-1])
_GAP_MAX = 600  # seconds without an entry that count as play
Figures = Iterator[tuple[str, Any, Any]]
"""What a figure is, as the report has it, and as the raw log has it."""


class Told:
    """Both stories, each with its views and its raw log."""

    def __init__(self) -> None:
        self.evenings = Evenings()
        self.state, self.rules = self.evenings.office.state, self.evenings.office.rules
        self.facility = self.evenings.office.facility
        self.views: ViewStore = self.evenings.views()
        self.raw = RawLog(self.evenings.log.rows())
        self.rated: RatedTable
        self.rated, self.rated_views = two_rated_days()
        self.raw_rated = RawLog(self.rated.log.rows())

    def sums(self, since: str, until: str = "~") -> Counter[str]:
        """What was counted in a time, as the acts say it: what a table won is made of these."""
        raw, found = self.raw, Counter[str]()
        for column, act, field in (
            *(("opener", "count_opener", "chips"), ("closer", "count_closer", "chips")),
            ("drop", "count_box", "cash"),
        ):
            found[column] += sum(cents(done.fields[field]) for done in raw.acts(act, since=since, until=until))
        opened = [done.at for done in raw.acts("count_opener")]
        for column, asked, came in (
            ("fills", "request_fill", "accept_fill"),
            ("credits", "request_credit", "prepare_credit"),
        ):
            slips = dict(zip(_slips(raw, asked), raw.acts(asked), strict=True))
            for done in raw.acts(came, since=since, until=until):
                is_first = done.at < opened[0] or done.number < raw.acts("count_opener")[0].number
                found[column] += 0 if is_first else cents(slips[done.things[0]].fields["units"])
        found["win"] = found["closer"] + found["credits"] + found["drop"] - found["opener"] - found["fills"]
        return found

    def theoretical(self, since: str, until: str = "~") -> Fraction:
        """What the wagers that were made were worth."""
        made = (event.event["after"] for event in self.raw.of("wager-made", since, until))
        return sum((wager["cents"] * _EDGES[wager["kind"]] for wager in made), Fraction(0))


def _slips(raw: RawLog, act: str) -> list[str]:
    """The slips that acts made, by their numbers in order."""
    letter = "F" if act == "request_fill" else "C"
    return [f"{letter}-{number:06}" for number, _ in enumerate(raw.acts(act), start=1)]


def _statistics(told: Told) -> Figures:
    found = find_statistics(told.views, _RULES, told.state, _NEWEST, scope="table")
    for name, since in (("month", MONTHS[1]), ("year", MONTHS[0])):
        (own,) = (own for own in found if own.time == name)
        counted, raw = told.sums(since), told.raw
        won, handle, worth = sum(raw.decided(since)), raw.handle(since), told.theoretical(since)
        yield "drop", own.drop, counted["drop"]
        yield "win", own.win, counted["win"]
        yield "hold", own.hold, counted["win"] / counted["drop"]
        yield "fills", own.fills, counted["fills"]
        yield "credits", own.credits, counted["credits"]
        yield "won", own.won, won
        yield "handle", own.handle, handle
        yield "hold of the handle", own.hold_of_handle, won / handle
        yield "theoretical", own.theoretical, round(worth)
        yield "base hold", own.base_hold, float(worth / counted["drop"])
        yield "luck", own.luck, round(won - worth)


def _results_by(scope: str) -> Callable[[Told], Figures]:
    def figures(told: Told) -> Figures:
        raw = told.raw
        crews = [act.fields for act in raw.acts("set_crew")]
        for month, crew, until in ((MONTHS[0], crews[0], MONTHS[1]), (MONTHS[1], crews[1], "~")):
            accounts = find_play_accounts(told.views, _RULES, scope, "month", month)  # type: ignore[arg-type]
            (own,) = accounts
            people = ",".join(sorted({crew["boxperson"], crew["stickperson"], *crew["dealers"]}))
            of = {"table": TABLE, "crew": people, "house": ""}
            won, worth = sum(raw.decided(month, until)), told.theoretical(month, until)
            yield "of", own.subject, of.get(scope, own.subject)
            yield "won", own.sums.won, won
            yield "theoretical", own.sums.theoretical, worth
            yield "luck", own.sums.luck, won - worth
            yield "rolls", own.sums.rolls, len(raw.of("roll-settled", month, until))
            yield "decided wagers", own.sums.decided, len(list(raw.decided(month, until)))
            yield "wagered", own.sums.wagered, raw.handle(month, until)

    return figures


def _drop_win_and_hold(told: Told) -> Figures:
    to_date = find_to_date(told.views, _RULES, _NEWEST)
    for sums, since in ((to_date.day, MONTHS[1]), (to_date.month, MONTHS[1]), (to_date.year, MONTHS[0])):
        own, counted = sums[TABLE], told.sums(since)
        for column in ("drop", "win", "fills", "credits"):
            yield column, getattr(own, column), counted[column]
        yield "hold", own.hold, counted["win"] / counted["drop"]
        yield "gaming days", own.days, len(told.raw.acts("count_closer", since=since))


def _results_of_shifts(told: Told) -> Figures:
    results = find_results(told.views, _RULES, told.facility, date.fromisoformat(DAYS[0]), _NEWEST)
    for own, day, since, until in zip(results, DAYS, MONTHS, (MONTHS[1], "~"), strict=True):
        counted = told.sums(since, until)
        yield "gaming day", str(own.day), day
        for column in ("opener", "closer", "fills", "credits", "drop", "win"):
            yield column, getattr(own, column), counted[column]
        yield "crew", own.crews, (told.raw.acts("set_crew", since=since, until=until)[0].fields["boxperson"],)


def _tax(told: Told) -> Figures:
    months = tax_months(find_sums(told.views, _RULES, "2026", "table"), {}, 2026, 675)
    for own, since, until in zip(months, (*MONTHS, ""), (MONTHS[1], "~", "~"), strict=True):
        counted = told.sums(since, until)
        for column in ("drop", "fills", "credits", "win"):
            yield column, getattr(own, column), counted[column]
        yield "closers less openers", own.inventory, counted["closer"] - counted["opener"]
        yield "gross revenue", own.gross, counted["win"]
        if until:
            yield "tax", own.tax, int(Fraction(counted["win"] * 675, 10_000) + Fraction(1, 2))


def _theft_watch(told: Told) -> Figures:
    found = find_theft(told.views, told.rules, told.state, told.facility, _NEWEST)
    lines = {(line.look, line.kind, line.subject): line for line in found.lines}
    crews = [act.fields["boxperson"] for act in told.raw.acts("set_crew")]
    spans = {"": ("", "~"), crews[0]: ("", MONTHS[1]), crews[1]: (MONTHS[1], "~")}
    for crew, (since, until) in spans.items():
        place = ("crew", crew) if crew else ("table", TABLE)
        notes, chips, counted = lines["notes", *place], lines["chips", *place], told.sums(since, until)
        bought = [event.event["cents"] for event in told.raw.of("buy-in-made", since, until)]
        yield "buy-ins", notes.records, len(bought)
        yield "bought in for", notes.recorded, sum(bought)
        yield "counted", notes.counted, counted["drop"]
        yield "short", notes.short, sum(bought) - counted["drop"]
        yield "shifts", notes.shifts, len(told.raw.acts("count_closer", since=since, until=until))
        yield "chips counted", chips.counted, counted["closer"]


def _keyed_ratings(told: Told) -> Figures:
    raw = told.raw
    for month, until in ((MONTHS[0], MONTHS[1]), (MONTHS[1], "~")):
        (own,) = find_ratings(told.views, _RULES, told.state, "month", month)
        won, worth, handle = sum(raw.decided(month, until)), told.theoretical(month, until), raw.handle(month, until)
        decided = len(list(raw.decided(month, until)))
        yield "patron", own.patron, f"patron/{raw.acts('enter_patron')[0].things[0]}"
        yield "decided wagers", own.decided, decided
        yield "average wager", own.average, round(handle / decided)
        yield "wagered", own.wagered, handle
        yield "expected loss", own.theoretical, round(worth)
        yield "lost", own.won, won
        yield "luck", own.luck, round(worth - won)
        yield "rolls", own.rolls, len(raw.of("roll-settled", month, until))


def _minutes(raw: RawLog, day: str) -> int:
    """How long the seat was had until the month of a day was over, as the moments of entries have it."""
    seated = raw.of("seat-taken")[0].at
    moments = sorted({event.at for event in raw.events if event.stream.startswith("table/") and event.at >= seated})
    since = DAYS.index(day)
    gaps = [
        min((_seconds(after) - _seconds(before)), _GAP_MAX)
        for before, after in pairwise(moments)
        if (before[:7] >= MONTHS[1]) == bool(since)
    ]
    return round(sum(gaps) / 60)


def _seconds(at: str) -> int:
    return date.fromisoformat(at[:10]).toordinal() * 86_400 + sum(
        int(part) * unit for part, unit in zip(at[11:19].split(":"), (3600, 60, 1), strict=True)
    )


def _statement(told: Told) -> Figures:
    days = find_played_days(told.views, _RULES, told.state, "P1", "2026")
    for own, day, since, until in zip(days, DAYS, MONTHS, (MONTHS[1], "~"), strict=True):
        yield "gaming day", own.day, day
        yield "minutes", own.minutes, _minutes(told.raw, day)
        yield "wagered", own.wagered, told.raw.handle(since, until)
        yield "won", own.won, -sum(told.raw.decided(since, until))
    given, raw = Counter[str](), told.raw_rated
    for act in raw.acts("give_comp"):
        given[act.fields["patron"]] += act.fields["worth"]
    (void,) = raw.acts("void_comp")
    voided = raw.acts("give_comp")[int(void.things[0].removeprefix("CP-")) - 1].fields
    given[voided["patron"]] -= voided["worth"]
    for patron in ("P1", "P2"):
        own_days = find_played_days(told.rated_views, _RULES, told.rated.office.state, patron, "2026")
        yield "comps", sum(day.comps for day in own_days), given[patron]
        yield "minutes not keyed", sum(day.minutes_unkeyed for day in own_days), _rated_minutes(raw, patron)


def _rating_acts(raw: RawLog, patron: str) -> tuple[RawAct, RawAct]:
    """How a rating of a patron was opened, and closed."""
    (card,) = (act.things[0] for act in raw.acts("issue_card") if act.fields["patron"] == patron)
    number, opened = next(
        (number, act) for number, act in enumerate(raw.acts("open_rating"), 1) if act.fields["card"] == card
    )
    (closed,) = (act for act in raw.acts("close_rating") if act.things == (f"R-{number:06}",))
    return opened, closed


def _rated_minutes(raw: RawLog, patron: str) -> int:
    opened, closed = _rating_acts(raw, patron)
    return (_seconds(closed.at) - _seconds(opened.at)) // 60  # whole minutes


def _estimated_ratings(told: Told) -> Figures:
    raw = told.raw_rated
    found = find_ratings(told.rated_views, _RULES, told.rated.office.state, "day", DAYS[0])
    by_patron = {own.patron.removeprefix("patron/"): own for own in found}
    for patron in ("P1", "P2"):
        own, (opened, closed) = by_patron[patron], _rating_acts(raw, patron)
        rolls = len(raw.of("roll-settled", opened.at, closed.at)) or len(raw.of("roll-unkeyed", opened.at, closed.at))
        minutes = _rated_minutes(raw, patron)
        yield "minutes", own.minutes, minutes
        yield "average wager", own.average, closed.fields["average"]
        yield "rolls", own.rolls, rolls
        yield "rolls an hour", own.speed, round(Fraction(60 * rolls, minutes))
        yield "nobody knows what was wagered", (own.wagered, own.won), (None, None)
        yield "how it is rated", own.is_estimated, True


def _comps(told: Told) -> Figures:
    raw, lines = told.raw_rated, find_comp_lines(told.rated_views, _RULES, MONTHS[0])
    (terms,) = raw.acts("set_comp_terms")
    by_patron = {own.subject.removeprefix("patron/"): own for own in reinvestments(lines, "patron", {})}
    (void,) = raw.acts("void_comp")
    gave = {f"CP-{number:06}": act.fields for number, act in enumerate(raw.acts("give_comp"), 1)}
    for patron in ("P1", "P2"):
        own = by_patron[patron]
        earned = [event.event["credit"]["facts"] for event in raw.of("comp-earned")]
        worth = sum(facts["theoretical"] for facts in earned if facts["patron"] == patron)
        given = sum(
            said["worth"] for slip, said in gave.items() if said["patron"] == patron and slip not in void.things
        )
        granted = sum(act.fields["worth"] for act in raw.acts("grant_comp") if act.fields["patron"] == patron)
        share = worth * terms.fields["comp_share"] // 100
        yield "theoretical", own.theoretical, worth
        yield "earned", own.earned, share
        yield "granted", own.granted, granted
        yield "given", own.given, given
        yield "reinvested", own.rate, given / worth
        yield "given beyond earned", own.beyond, given - share
        yield (
            "left",
            told.rated.office.state.stocks["comp"][f"patron/{patron}"]["1"],
            raw.moved("comp")[f"patron/{patron}"],
        )


def _ledger(told: Told) -> Figures:
    found = journals_of((stored.entry for stored in told.evenings.log.read()), _RULES, standard_chart())
    sums, days = Counter[str](), Counter[tuple[str, str]]()
    for journal in found.journals:
        for transaction in journal.transactions:
            for line in transaction.lines:
                sums[line.account] += line.cents
                days[str(journal.day), line.account] += line.cents
    places = told.raw.moved("chips")
    name = TABLE.capitalize()
    for place, account in (
        *(("reserve", "Reserve"), ("cage", "Cage"), ("transit", "Transit"), ("maker", "Made")),
        (f"table/{TABLE}", f"Tables:{name}"),
    ):
        yield account, sums[f"Liabilities:Chips:{account}"], places[place]
    for day, since, until in zip(DAYS, MONTHS, (MONTHS[1], "~"), strict=True):
        counted = told.sums(since, until)
        yield "won by the table", days[day, f"Income:Tables:{name}"], -counted["win"]
        yield "cash in the count room", days[day, "Assets:Cash:CountRoom"], counted["drop"]
    yield "all of it", sum(sums.values()), 0


def _day_report(told: Told) -> Figures:
    """The tables of the folder of a day, with its fills and credits against what was in the tray."""
    day = past_of(told.evenings.log, _RULES, _NEWEST).day
    tables = {table.title: listed_rows(table) for table in day_tables(day)}
    counted, raw = told.sums(MONTHS[1]), told.raw
    (won,) = tables["Win by table and shift"]
    for column in ("opener", "closer", "fills", "credits", "drop", "win"):
        yield column, won[f"{column}_cents"], counted[column]
    for title, act in (("Fills", "request_fill"), ("Credits", "request_credit")):
        slip, total = tables[title]
        asked = raw.acts(act)[-1]
        yield title, (slip["slip"], slip["amount_cents"]), (_slips(raw, act)[-1], cents(asked.fields["units"]))
        yield f"{title} accepted", total["amount_cents"], counted[title.lower()]
    (box,) = tables["Soft counts"]
    (count,) = raw.acts("count_box", since=MONTHS[1])
    yield "box", (box["box"], box["cash_cents"]), (count.things[0], cents(count.fields["cash"]))
    (drop,) = tables["Drops"]
    (dropped,) = raw.acts("drop_table", since=MONTHS[1])
    boxes = (dropped.fields["dropped"], dropped.fields["drop_box"])
    yield "boxes", (drop["box_taken"], drop["box_put_on"]), boxes


def _users(told: Told) -> Figures:
    entries = (stored.entry for stored in told.evenings.log.read())
    users, rights, *_ = users_report(entries, told.evenings.office.at).tables
    made: dict[str, tuple[str, list[str], str]] = {
        event.event["account"]: (event.event["name"], event.event["roles"], event.at)
        for event in told.raw.events
        if event.kind in {"account-created", "invitation-accepted"} and event.event.get("name")
    }
    staff = {name: roles for name, roles, _ in made.values() if roles != ["player"]}
    listed = {str(row["name"]): row for row in listed_rows(users)}
    yield "how many", len(listed), len(staff)
    for name, roles in sorted(staff.items()):
        yield f"roles of {name}", listed[name]["roles"], ", ".join(roles)
    for row in listed_rows(rights):
        held = sorted(name for name, roles in staff.items() if row["role"] in roles)
        yield f"who is {row['role']}", sorted(str(row["who_has_it"]).split(", ")), held


REPORTS: dict[str, Callable[[Told], Figures]] = {
    "statistics": _statistics,
    **{f"results by {scope}": _results_by(scope) for scope in ("table", "crew", "shift", "house")},
    "drop, win and hold to date": _drop_win_and_hold,
    "results of shifts": _results_of_shifts,
    "tax worksheet": _tax,
    "theft watch": _theft_watch,
    "ratings of keyed play": _keyed_ratings,
    "ratings of estimated play": _estimated_ratings,
    "player statement": _statement,
    "comps and reinvestment": _comps,
    "journals": _ledger,
    "report of a day, fills and credits": _day_report,
    "users and their rights": _users,
}
"""Every report that is not in `test_cage_reports.py` or drafted in `test_result_watch.py`."""


@pytest.fixture(scope="module")
def told() -> Told:
    return Told()


@pytest.mark.parametrize("report", REPORTS)
def test_ten_figures_of_each_report_are_those_of_the_raw_log(told: Told, report: str) -> None:
    figures = list(REPORTS[report](told))
    assert len(figures) >= _FIGURES_MIN
    wrong = [(what, reported, raw) for what, reported, raw in figures if reported != raw]
    assert not wrong, wrong
