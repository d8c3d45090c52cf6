"""Accounts as the log grows: all scopes and periods add up exactly, whatever the batches, down to hands and entries."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from passline.bookkeeping.account import ACCOUNT_COLUMNS, PlayAccount, open_shift, opened_accounts
from passline.bookkeeping.accrual import house_money, house_value
from passline.bookkeeping.accrual_sums import Accrual
from passline.bookkeeping.estimates import find_estimates
from passline.bookkeeping.ratings import ratings_of, ratings_table
from passline.bookkeeping.reading import (
    accounts_table,
    figures_of,
    find_course,
    find_hands_of_shift,
    find_play_accounts,
    find_visits,
    furthest_off,
)
from passline.documents.as_text import listed_rows
from passline.exact.luck_evidence import TiltPrices
from passline.game import commands as g
from passline.streams.projection_store import ViewsNotReady, ViewStore
from passline.tables import commands as k
from tests.office.accounts.watched import WatchedTable
from tests.tables.random_commands import play_randomly
from tests.tables.sitting import ANN, BOB, BOX, PLAYERS


def _played(seed: int, rules: str = "section2") -> WatchedTable:
    """Three shifts of random play, with another crew in the second."""
    watched = WatchedTable(rules)
    for seat, who in enumerate(PLAYERS[:3], start=1):
        watched.sitting.sit(who, seat)
    for shift in range(3):
        play_randomly(watched.sitting, Random(10 * seed + shift), 150)
        watched.write()
        if not shift:
            watched.office.at = watched.sitting.at
            assert watched.office.tries("olga", "register_table", "craps-1", area="pit-1")
            people: dict[str, Any] = {"boxperson": "bea", "stickperson": "stan", "dealers": ["dee"]}
            watched.office.do("flo", "set_crew", "craps-1", other_crew=False, **people)
            watched.write()
        watched.sitting.wait(8 * 60)
    return watched


def _sum(accounts: list[PlayAccount]) -> Accrual:
    return sum((one.sums for one in accounts), Accrual())


def test_every_scope_and_period_adds_up_to_the_same_cents() -> None:
    watched, rules = _played(1), "section2"
    views, live = watched.views(), watched.sitting.table
    (whole,) = find_play_accounts(views, rules, "house", "year", "2026")
    assert whole.sums.won == house_money(live.balances)
    assert whole.sums.won == whole.sums.theoretical + whole.sums.luck - whole.sums.carried
    assert whole.sums.carried == house_value(live)
    for scope, subjects in (("house", [""]), ("table", ["craps-1"]), ("crew", ["", "bea,dee,stan"])):
        for period in ("shift", "day", "month"):
            found = [one for who in subjects for one in find_course(views, rules, scope, period, who)]  # type: ignore[arg-type]
            assert _sum(found) == whole.sums, (scope, period)
    shifts = find_course(views, rules, "table", "shift", "craps-1")
    assert len(shifts) == 3
    assert _sum(find_play_accounts(views, rules, "shift", "month", "2026-11")) == whole.sums
    in_pit = find_course(views, rules, "pit", "day", "pit-1")  # since its table was registered
    assert _sum(in_pit) == _sum([one for one in shifts if one.crew or one.at >= in_pit[0].at])
    standing = Fraction(0)
    for one in shifts:
        assert one.sums.won == one.sums.theoretical + one.sums.luck - one.sums.carried
        standing += one.sums.carried
        hands = find_hands_of_shift(views, rules, one.span, "craps-1")
        assert _sum(hands) == one.sums
        assert (min(hand.first for hand in hands), max(hand.last for hand in hands)) == (one.first, one.last)
        assert {hand.stream for hand in hands} == {"table/craps-1"}
    assert standing == house_value(live)
    dice = find_play_accounts(views, rules, "dice", "year", "2026")
    assert _sum(dice) == whole.sums


def test_players_share_out_the_house_s_money_and_visits_lead_to_their_entries() -> None:
    watched = _played(2)
    views = watched.views()
    (whole,) = find_play_accounts(views, "section2", "house", "month", "2026-11")
    players = find_play_accounts(views, "section2", "player", "month", "2026-11")
    total = _sum(players)
    for name in ("won", "theoretical", "luck", "carried", "decided", "wagered"):
        assert getattr(total, name) == getattr(whole.sums, name), name
    for one in players:
        if one.subject.startswith("account/"):
            visits = find_visits(views, "section2", one.subject, "2026-11")
            assert _sum(visits) == one.sums
            assert sum(visit.seconds for visit in visits) == one.seconds
            assert all(visit.stream == "table/craps-1" for visit in visits)


def _rows(views: ViewStore) -> list[PlayAccount]:
    sql = f"SELECT {ACCOUNT_COLUMNS} FROM accounts ORDER BY rules, scope, period, span, subject"  # noqa: S608
    return opened_accounts(views, views.query(sql))


def test_batches_make_no_difference() -> None:
    watched = _played(3)
    assert _rows(watched.views(batch=1000)) == _rows(watched.views(batch=7))


def test_a_corrected_roll_is_told_as_such_and_leaves_the_luck_of_the_right_one() -> None:
    wrong, right = WatchedTable("maryland"), WatchedTable("maryland")
    for watched in (wrong, right):
        watched.sitting.sit(ANN, 1)
        watched.sitting.wager(ANN, "pass", 10_00)
        watched.sitting.wager(ANN, "field", 5_00)
        watched.sitting.shoot(ANN)
    wrong.sitting.roll(3, 4)
    wrong.sitting.do(k.CorrectRoll(first=2, second=1, reason="misread"), BOX)
    right.sitting.roll(2, 1)
    found = [find_play_accounts(one.views(), "maryland", "table", "year", "2026")[0].sums for one in (wrong, right)]
    assert (found[0].corrections, found[1].corrections) == (1, 0)
    assert found[0].corrected == 10_00  # the house had lost 5 on the natural 7, and has won 5 on the craps 3
    for name in ("won", "theoretical", "luck", "variance", "rolls", "carried", "decided", "wagered"):
        assert getattr(found[0], name) == getattr(found[1], name), name
    assert figures_of(find_play_accounts(wrong.views(), "maryland", "table", "year", "2026")[0]).corrections == 1


def test_a_tip_is_the_crew_s_and_no_player_s() -> None:
    watched = WatchedTable("colorado", house={"tip_wagers": True})
    watched.sitting.sit(ANN, 1)
    watched.sitting.wager(ANN, "pass", 10_00)
    watched.sitting.do(g.MakeWager(seat=1, wager="field", cents=5_00, owner="crew"), ANN)
    watched.sitting.shoot(ANN)
    watched.sitting.roll(2, 4)
    views = watched.views()
    players = {one.subject: one.sums for one in find_play_accounts(views, "colorado", "player", "year", "2026")}
    assert (players["account/ann"].won, players["tips"].won) == (0, 5_00)
    assert players["account/ann"].theoretical == Fraction(1400, 99)
    (rating,) = ratings_of("2026", find_play_accounts(views, "colorado", "player", "year", "2026"), (), {})
    assert (rating.patron, rating.decided) == ("account/ann", 0)


def test_ratings_come_from_wagers_and_linked_accounts_are_one_patron() -> None:
    watched = WatchedTable("maryland")
    for seat, who in ((1, ANN), (2, BOB)):
        watched.sitting.sit(who, seat)
        watched.sitting.wager(who, "field", 10_00 * seat)
    watched.sitting.shoot(ANN)
    watched.sitting.wait(5)
    watched.sitting.wager(ANN, "pass", 10_00)
    watched.sitting.roll(3, 3)
    watched.sitting.wait(7)
    watched.sitting.do(g.LeaveSeat(seat=2), BOB)
    watched.sitting.wait(9)
    watched.sitting.wager(ANN, "field", 10_00)
    found = find_play_accounts(watched.views(), "maryland", "player", "day", "2026-11-14")
    ann, bob = sorted(ratings_of("2026-11-14", found, (), {}), key=lambda one: one.patron)
    assert (ann.minutes, bob.minutes) == (21, 12)
    assert (ann.decided, ann.average, bob.decided, bob.average) == (1, 10_00, 1, 20_00)
    assert (bob.won, bob.theoretical) == (20_00, round(20_00 * Fraction(1, 18)))
    assert bob.luck == -(20_00 - bob.theoretical)  # type: ignore[operator]
    assert bob.deviations is not None
    assert bob.deviations < 0
    linked = {"account/ann": "patron/P1", "account/bob": "patron/P1"}
    (both,) = ratings_of("2026-11-14", found, (), linked)
    assert (both.players, both.wagered, both.won) == (("account/ann", "account/bob"), 30_00, 30_00)
    (row,) = listed_rows(ratings_table("Ratings", [both], {"patron/P1": "Ann Smith"}))
    assert (row["rated_by"], row["wagered_cents"]) == ("wagers", 30_00)


def test_an_unkeyed_table_is_not_covered_and_its_ratings_are_marked_as_estimates() -> None:
    watched = WatchedTable("section2", is_keyed=False)
    watched.sitting.do(k.KeyDice(first=3, second=4), watched.sitting.stick)
    watched.sitting.do(k.RatePlayer(name="Red hat", average_cents=25_00, minutes=60), BOX)
    watched.sitting.do(k.RatePlayer(name="Red hat", average_cents=50_00, minutes=20), BOX)
    views = watched.views()
    (one,) = find_play_accounts(views, "section2", "table", "day", "2026-11-14")
    assert (one.sums, one.unkeyed, one.coverage) == (Accrual(), 1, Fraction(0))
    (rating,) = ratings_of("2026-11", (), find_estimates(views, "section2", "2026-11"), {})
    assert (rating.patron, rating.is_estimated, rating.minutes, rating.average) == ("name/Red hat", True, 80, 31_25)
    assert rating.theoretical is None
    (row,) = listed_rows(accounts_table("Tables", [one]))
    assert (row["rolls"], row["rolls_not_keyed"]) == (0, 1)


def _hit_on_twelve() -> WatchedTable:
    """One hit of 100.00 on 12, beside 10.00 on the line that stays up: 1 in 36."""
    watched = WatchedTable("maryland")
    for seat, who in ((1, ANN), (2, BOB)):
        watched.sitting.sit(who, seat)
    watched.sitting.wager(ANN, "pass", 10_00)
    watched.sitting.wager(ANN, "craps_12", 100_00)
    watched.sitting.wager(BOB, "field", 5_00)
    watched.sitting.shoot(ANN)
    watched.sitting.roll(6, 6)
    return watched


def test_one_hit_on_twelve_is_told_as_no_rarer_than_1_in_36_and_what_was_looked_at_is_counted_in() -> None:
    views = _hit_on_twelve().views()
    players = find_play_accounts(views, "maryland", "player", "day", "2026-11-14")
    ann = next(one for one in players if one.subject == "account/ann")
    alone, both = furthest_off([ann]), furthest_off(players)
    assert alone is not None
    assert both is not None
    assert (alone.looked_at, both.looked_at, both.subject) == (1, 2, "account/ann")
    assert both.luck == round(ann.sums.luck) < -3_000_00
    assert 1 < both.one_in <= alone.one_in // 2 + 1 < 36  # the normal approximation said 302,593,569
    assert furthest_off([]) is None
    assert furthest_off([PlayAccount(**ann.key._asdict())]) is None
    figures = figures_of(ann)
    assert figures.one_in == alone.one_in
    assert figures.low < figures.won < figures.high  # a day in 36 is none in 20 for certain
    rows = listed_rows(accounts_table("Players", players))
    assert [row["luck_alone_at_most_1_in"] for row in rows] == [alone.one_in // 2, 1]


def test_the_price_of_luck_adds_up_over_batches_and_is_anchored_at_the_first_roll() -> None:
    watched = _hit_on_twelve()
    watched.sitting.wager(BOB, "field", 500_00)
    watched.sitting.wager(ANN, "pass", 10_00)
    watched.sitting.roll(1, 2)
    for batch in (1, 3, 1000):
        views = watched.views(batch)
        (table,) = find_play_accounts(views, "maryland", "table", "year", "2026")
        (shift,) = find_course(views, "maryland", "table", "shift", "craps-1")
        hands = find_hands_of_shift(views, "maryland", shift.span, "craps-1")
        assert sum((one.sums.prices for one in hands), TiltPrices()) == table.sums.prices
        (bob,) = find_course(views, "maryland", "player", "year", "account/bob")
        (first,) = {one.scale for one in (bob, *find_course(views, "maryland", "player", "day", "account/bob"))}
        assert 1 << first == 5_12  # near the standard deviation of 5.00 on the field, whatever comes later
        assert bob.scaled_by == table.scaled_by


def test_linked_accounts_on_the_same_dice_are_told_as_no_rarer_than_the_dice() -> None:
    watched = WatchedTable("maryland")
    for seat, who in ((1, ANN), (2, BOB)):
        watched.sitting.sit(who, seat)
        watched.sitting.wager(who, "craps_12", 100_00)
    watched.sitting.wager(ANN, "pass", 10_00)
    watched.sitting.shoot(ANN)
    watched.sitting.roll(6, 6)
    found = find_play_accounts(watched.views(), "maryland", "player", "day", "2026-11-14")
    linked = {"account/ann": "patron/P1", "account/bob": "patron/P1"}
    (both,) = ratings_of("2026-11-14", found, (), linked)
    apart = ratings_of("2026-11-14", found, (), {})
    assert both.one_in is not None
    assert max(both.one_in, *(one.one_in or 0 for one in apart)) <= 36
    assert both.deviations is None, "they share the dice, so their deviations say nothing"
    assert both.low is not None
    assert both.won is not None
    assert both.low < both.won


def test_a_correction_changes_luck_and_not_its_price() -> None:
    wrong = _hit_on_twelve()
    (before,) = find_play_accounts(wrong.views(), "maryland", "table", "year", "2026")
    wrong.sitting.do(k.CorrectRoll(first=6, second=5, reason="misread"), BOX)
    (after,) = find_play_accounts(wrong.views(), "maryland", "table", "year", "2026")
    assert (after.sums.prices, after.scale, after.scaled_by) == (before.sums.prices, before.scale, before.scaled_by)
    told, corrected = furthest_off([before]), furthest_off([after])
    assert told is not None
    assert corrected is not None
    assert corrected.one_in == 1 < told.one_in


def test_a_shift_is_in_the_accounts_of_longer_periods_before_and_after_its_end() -> None:
    """While it runs, only its finest accounts are written; whoever reads the others finds the same."""
    watched = _played(5)
    views, rules = watched.views(), "section2"
    running = open_shift(views, rules)
    assert running is not None
    spans = [account.span for account in find_course(views, rules, "table", "shift", "craps-1")]
    assert spans[-1] == running.span.name("shift")
    written = {(account.period, account.span) for account in _rows(views) if account.scope == "player"}
    assert {span for period, span in written if period == "shift"} == {*spans[:-1]}
    for scope, subject in (("house", ""), ("table", "craps-1"), ("player", "account/ann")):
        shifts = find_course(views, rules, scope, "shift", subject)  # type: ignore[arg-type]
        days = find_course(views, rules, scope, "day", subject)  # type: ignore[arg-type]
        (year,) = find_course(views, rules, scope, "year", subject)  # type: ignore[arg-type]
        listed = find_play_accounts(views, rules, scope, "year", "2026")  # type: ignore[arg-type]
        assert year == next(account for account in listed if account.subject == subject)
        assert shifts[-1].sums.decided, "something was played in the open shift"
        assert _sum(shifts) == _sum(days) == year.sums
        assert sum(account.seconds for account in shifts) == year.seconds
        assert (year.first, year.last) == (shifts[0].first, max(account.last for account in shifts))


def test_a_row_that_is_put_elsewhere_opens_nowhere() -> None:
    watched = _played(6)
    views = watched.views()
    with views.transaction() as writer:
        writer.query("UPDATE accounts SET subject = 'craps-9' WHERE scope = 'table' AND period = 'shift'")
    with pytest.raises(ViewsNotReady, match="something else wrote"):
        find_course(views, "section2", "table", "shift", "craps-9")
