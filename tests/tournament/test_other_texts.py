"""Where a text lacks an entry that Colorado or Arizona has, or says less, less is asked: pages with one changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from passline.tournament import commands as c
from passline.tournament.plan.check import check_plan, dealt_rules
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.sheet import rule_sheet
from passline.tournament.reports import entry_log, fees_by_month
from passline.tournament.results.prizes import shared_out
from passline.tournament.rules import EntryRules, FeeRules, LogRules, TournamentRules, VoucherRules, tournament_of
from tests.tournament.director import CASHIER
from tests.tournament.engine_case import Played, local
from tests.tournament.engine_cases import HEATS, cup, one_event


def _with(name: str, **parts: EntryRules | FeeRules | LogRules | VoucherRules) -> TournamentRules:
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
