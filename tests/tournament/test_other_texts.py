"""Where a text lacks an entry that Colorado or Arizona has, or says less, less is asked: pages with one changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passline.tournament import commands as c
from passline.tournament.plan.check import check_plan, dealt_rules
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import SheetWords
from passline.tournament.plan.sheet import rule_sheet
from passline.tournament.reports import entry_log, fees_by_month, prizes_table
from passline.tournament.results.prizes import shared_out
from passline.tournament.rules import (
    EntryRules,
    FeeRules,
    LimitRules,
    LogRules,
    TournamentRules,
    VoucherRules,
    tournament_of,
)
from tests.tournament.director import CASHIER
from tests.tournament.engine_case import Played, local
from tests.tournament.engine_cases import HEATS, cup, one_event, with_a_watch


def _with(name: str, **parts: EntryRules | FeeRules | LimitRules | LogRules | VoucherRules) -> TournamentRules:
    """The rules of a regulation with other entries of some parts of its pages."""
    rules = tournament_of(name)
    return replace(rules, pages=replace(rules.pages, **parts))


@pytest.mark.clause("CO-2315-2-c-once", "CO-2315-2-c-reentry")
def test_where_one_entry_is_all_a_plan_with_re_entries_breaches_that() -> None:
    entry = tournament_of("colorado").pages.entry
    rules, plan = _with("colorado", entry=replace(entry, reentry=None)), example_plan("colorado")
    assert [one.reentries_max for one in plan.events] == [2, 0]
    (breach,) = check_plan(rules, plan)
    assert (breach.clause, breach.key) == ("CO-2315-2-c-once", "events[0].reentries_max")
    assert breach.problem == "nobody enters again after elimination"
    assert not check_plan(_with("colorado", entry=replace(entry, reentry=None, live=None)), plan)


@pytest.mark.clause("CO-2315-2-c-once")
def test_a_sheet_threatens_nobody_where_the_text_does_not() -> None:
    entry, plan = tournament_of("colorado").pages.entry, example_plan("colorado")
    rules = _with("colorado", entry=replace(entry, live=None))
    part = next(one for one in rule_sheet(rules, plan, dealt_rules(rules, plan)).parts if one.name == "The tournament")
    line = "entries: a player has at most one entry at a time"
    assert part.clauses[part.lines.index(line)] == "practice"


@pytest.mark.clause("CO-2315.01-comp")
def test_fees_given_away_are_no_proceeds_where_the_text_does_not_count_them() -> None:
    rules = tournament_of("colorado")
    play = Played(rules, one_event())
    play.enter(HEATS, "Ann")
    play.enter(HEATS, "Bob", fee="complimentary", buy_in="complimentary")
    fees = fees_by_month(rules, play.books, local)
    assert fees.rows == (("2026-12", 50_00, 0, 50_00, 0, 100_00),)
    without = _with("colorado", fee=replace(rules.pages.fee, complimentary=None))
    assert fees_by_month(without, play.books, local).rows == (("2026-12", 50_00, 0, 0, 0, 50_00),)


@pytest.mark.clause("CO-2315.05-vouchernofee")
def test_a_voucher_for_a_free_event_is_worth_nothing_where_the_text_gives_it_no_value() -> None:
    voucher = tournament_of("colorado").pages.voucher
    worth = {}
    for no_fee in (voucher.no_fee, None):
        play = Played(_with("colorado", voucher=replace(voucher, no_fee=no_fee)), cup())
        for name in ("Ann", "Bob", "Cat"):
            play.enter(HEATS, name)
        for _ in range(2):
            play.deal(HEATS, e1=5000, e2=4000, e3=3000)
        play.ask(c.ConcludeEvent(event=HEATS))
        worth[no_fee is None] = [(one.fee_cents, one.buy_in_cents) for one in play.state.vouchers.values()]
    assert worth == {False: [(20_00, 80_00), (0, 25_00)], True: [(20_00, 80_00), (0, 0)]}


@pytest.mark.clause("AZ-III.N-1", "AZ-III.N-2")
def test_the_log_has_the_columns_that_are_asked_for_and_both_where_nothing_is_said() -> None:
    log = tournament_of("arizona").pages.log
    assert log.fields is not None
    play = Played(tournament_of("arizona"), example_plan("arizona"))
    play.enter("Shootout", "Ann")
    play.ask(c.EnterPlayer(event="Shootout", name="Bob"), CASHIER)
    found = {}
    for asked in (None, ("patron", "amount"), ("patron",), ("amount",), ()):
        fields = None if asked is None else replace(log.fields, of=asked)
        table = entry_log(_with("arizona", log=replace(log, fields=fields)), play.books, local)
        found[asked] = [(row[2], row[3], row[5]) for row in table.rows]
    lines = [("Ann", "fee", 20_00), ("Ann", "buy-in", 80_00), ("Bob", "fee", 20_00), ("Bob", "buy-in", 80_00)]
    assert found[None] == found["patron", "amount"] == lines
    assert found["patron",] == [(patron, what, None) for patron, what, _ in lines]
    assert found["amount",] == [("", what, cents) for _, what, cents in lines]
    assert found[()] == [("", what, None) for _, what, _ in lines]


@pytest.mark.clause("CO-2315.02-prizes")
def test_cash_and_things_are_listed_where_the_text_names_no_form() -> None:
    play = Played(tournament_of("colorado"), with_a_watch())
    for name in ("Ann", "Bob"):
        play.enter(HEATS, name)
    play.deal(HEATS, e1=5000, e2=4000)
    play.ask(c.ConcludeEvent(event=HEATS))
    for entry in (1, 2):
        play.ask(c.PayPrize(entry=entry), CASHIER)
    rules = tournament_of("arizona")
    assert rules.pages.prizes.form is None
    assert [row[3:] for row in prizes_table(rules, play.books).rows[:-1]] == [("cash", 200_00), ("a watch", 80_00)]


@pytest.mark.clause("CO-2315.06-structure", "CO-2315.05-buyins")
def test_what_is_bought_in_initial_rounds_is_bounded_only_where_the_text_has_both_limits() -> None:
    plan, limits = example_plan("colorado"), tournament_of("colorado").pages.limits
    dear = replace(plan, events=(replace(plan.events[0], buy_in_cents=90_000_00, rebuy=None), *plan.events[1:]))
    both = {breach.clause for breach in check_plan(tournament_of("colorado"), dear)}
    assert both == {"CO-2315.05-buyins", "CO-2315.05-combined", "CO-2315.06-structure"}
    for changed in (replace(limits, initial_rounds=None), replace(limits, buy_ins=None)):
        assert "CO-2315.06-structure" not in {one.clause for one in check_plan(_with("colorado", limits=changed), dear)}


@pytest.mark.clause("CO-2316-1-nolimit")
def test_posted_limits_hold_where_the_text_lifts_none() -> None:
    said = {}
    for name in ("colorado", "arizona"):
        rules, plan = tournament_of(name), example_plan(name)
        lines = [line for part in rule_sheet(rules, plan, dealt_rules(rules, plan)).parts for line in part.lines]
        (said[name],) = [line for line in lines if line.startswith("size of wagers")]
    assert said["colorado"] == "size of wagers: wagers have no upper limit"
    assert said["arizona"] == "size of wagers: the minimum and maximum posted at each table hold"


@pytest.mark.clause("AZ-III.M.5-0")
def test_a_list_without_a_line_is_not_printed() -> None:
    rules = tournament_of("arizona")
    empty = replace(example_plan("arizona"), criteria="", events=(), sheet=SheetWords())
    sheet = rule_sheet(rules, empty, None)
    assert "standards" not in {part.key for part in sheet.parts}
    assert {missing.key for missing in sheet.missing} >= {*rules.pages.sheet.lists["standards"].parts}


@pytest.mark.clause("CO-2315.05-payall", "CO-2315.05-noretain")
@given(cents=st.integers(0, 10**9), weights=st.lists(st.integers(0, 10_000), max_size=9))
def test_a_pool_is_shared_to_the_last_cent_and_nobody_is_more_than_a_cent_from_their_part(
    cents: int, weights: list[int]
) -> None:
    shares, whole = shared_out(cents, weights), sum(weights)
    assert len(shares) == len(weights)
    if not whole:
        assert not any(shares)  # by weights of nothing nobody has anything
        return
    assert sum(shares) == cents
    odd = cents - sum(cents * weight // whole for weight in weights)
    wanted = [cents * weight // whole + (place < odd) for place, weight in enumerate(weights)]
    assert list(shares) == wanted  # the cents left go one each to the best places
