"""Ratings where nobody keys wagers: rolls of the very minutes, exact losses of a mix, and the bounds of an estimate."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from math import isqrt, sqrt

from passline.acts.check import office_problems
from passline.acts.rules import office_of
from passline.bookkeeping.estimated_play import with_play
from passline.bookkeeping.estimates import find_estimates, known_mixes, mix_of
from passline.bookkeeping.ratings import PlayerRating, ratings_of, ratings_table
from passline.documents.as_text import listed_rows
from passline.exact.mixed_play import law_of_mix
from passline.rules.clauses import REGULATIONS
from passline.rules.rules import Rules
from passline.store.timestamps import later
from tests.office.accounts.rated import RatedTable
from tests.office.cage_story import house_with

_DAY = "2026-11-14"
_LINE = Fraction(7, 495) / Fraction(557, 165)  # what a roll costs of a pass line wager that is always up


def _ratings(rated: RatedTable, span: str = _DAY, batch: int = 1000) -> list[PlayerRating]:
    views = rated.views(batch)
    return ratings_of(span, (), with_play(views, find_estimates(views, "section2", span)), {})


def test_every_regulation_takes_the_book_and_its_styles_are_those_that_have_a_law() -> None:
    for name in REGULATIONS:
        rules = office_of(name, "ratings")
        assert not office_problems(rules)
        fields = rules.pages.acts["close_rating"].fields
        assert set(fields["style"].of) == set(known_mixes()["styles"])
        assert set(known_mixes()["groups"]) < set(fields)
        for style in known_mixes()["styles"]:
            law = law_of_mix(Rules.of(name), mix_of(style, {}))
            assert law is not None
            assert law.loss > 0


def test_a_rating_takes_the_rolls_of_its_minutes_and_the_exact_loss_of_its_mix() -> None:
    rated = RatedTable()
    rated.rolls(9)  # before Ann sits down
    rated.sitting.wait(1)
    began = rated.sitting.at
    rated.told("flo", "open_rating", table="craps-1", card="C-1")
    rated.rolls(60)
    rated.sitting.wait(5)
    ended = rated.sitting.at
    rated.told("flo", "close_rating", "R-000001", least=50_00, average=100_00, most=160_00, line=1, odds=1)
    rated.rolls(7)
    (rating,) = _ratings(rated)
    minutes = int((datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds()) // 60
    assert (rating.patron, rating.is_estimated, rating.minutes, rating.average) == ("patron/P1", True, minutes, 100_00)
    assert (rating.rolls, rating.speed) == (60, round(60 * 60 / minutes))
    half = _LINE / 2  # odds cost nothing
    assert rating.theoretical == round(60 * half * 100_00)
    assert (rating.theoretical_low, rating.theoretical_high) == (round(60 * half * 50_00), round(60 * half * 160_00))
    law = law_of_mix(Rules.of("section2"), mix_of("", {"line": 1, "odds": 1}))
    assert law is not None
    variance = 60 * law.variance * 160_00**2
    assert rating.deviation == isqrt(int(variance) + 1)
    assert rating.low is not None
    assert rating.high is not None
    assert rating.theoretical_low is not None
    assert rating.theoretical_high is not None
    room = sqrt(20 * variance)
    assert abs(rating.low - (rating.theoretical_low - room)) < 2
    assert abs(rating.high - (rating.theoretical_high + room)) < 2
    (row,) = listed_rows(ratings_table("Ratings", [rating], {"patron/P1": "Ann"}))
    assert (row["rated_by"], row["name"], row["rolls_an_hour"]) == ("estimate", "Ann", rating.speed)
    assert row["expected_loss_at_most_cents"] == rating.theoretical_high


def test_times_can_be_told_when_it_is_closed_and_batches_make_no_difference() -> None:
    rated = RatedTable()
    began = rated.sitting.at
    rated.rolls(30, seconds=60)
    rated.told("flo", "open_rating", table="craps-1", patron="P1")
    said = {"average": 30_00, "style": "dark side", "since": began, "until": later(began, 600)}
    assert "waits for the signature of a second person" in rated.told("bea", "close_rating", "R-000001", **said)
    assert not _ratings(rated), "who began earlier than anybody wrote is not one person's word"
    rated.office.signs("flo", "second")
    for batch in (3, 1000):
        (rating,) = _ratings(rated, batch=batch)
        assert (rating.minutes, rating.rolls, rating.speed) == (10, 10, 60)


def test_minutes_that_are_told_twice_are_counted_once() -> None:
    rated = RatedTable()
    began = rated.sitting.at
    rated.rolls(30, seconds=60)
    for number, (since, until) in enumerate(((5, 15), (0, 10), (12, 20), (6, 14)), start=1):
        rated.told("flo", "open_rating", table="craps-1", card="C-1")
        said = {"since": later(began, 60 * since), "until": later(began, 60 * until)}
        rated.told("flo", "close_rating", f"R-{number:06}", average=20_00, style="line", **said)
        rated.office.signs("supervisor", "second")
    (rating,) = _ratings(rated)
    rolls = [estimate.play.rolls if estimate.play else 0 for estimate in rating.estimates]
    assert rolls == [10, 5, 5, 0]
    assert rating.theoretical == sum(round(count * _LINE * 20_00) for count in rolls)


def test_without_a_mix_or_a_roll_nothing_is_expected_and_the_minutes_are_told() -> None:
    rated = RatedTable()
    rated.told("flo", "open_rating", table="craps-1", card="C-1")
    rated.told("flo", "open_rating", table="craps-1", card="C-2")
    rated.sitting.wait(30)
    rated.told("flo", "close_rating", "R-000002", average=10_00, style="line")
    rated.rolls(3)
    rated.sitting.wait(1)
    rated.told("flo", "close_rating", "R-000001", average=10_00)
    ann, bob = _ratings(rated)
    assert (ann.theoretical, ann.minutes_without) == (None, ann.minutes)
    assert (bob.theoretical, bob.minutes_without, bob.minutes) == (None, 30, 30)


def test_two_estimates_of_one_patron_add_up_and_a_void_one_counts_for_nothing() -> None:
    rated = RatedTable()
    for number, style in enumerate(("line", "field", "hardways"), start=1):
        rated.told("flo", "open_rating", table="craps-1", card="C-1")
        rated.rolls(6)
        rated.sitting.wait(1)
        rated.told("flo", "close_rating", f"R-{number:06}", average=20_00, style=style)
        rated.sitting.wait(1)
    assert "waits" in rated.told("flo", "void_rating", "R-000003", reason="another patron")
    rated.office.signs("supervisor", "second")
    (rating,) = _ratings(rated)
    assert [estimate.rating for estimate in rating.estimates] == ["R-000001", "R-000002"]
    field = Fraction(20 - 2 - 2 - 14, 36)  # the house loses 1 on 14 ways, 2 on double ones and twelve, and wins 20
    assert rating.theoretical == round(6 * _LINE * 20_00) + round(6 * field * 20_00)
    assert rating.rolls == 12


def test_a_lost_or_replaced_card_rates_nobody_and_a_card_is_one_patrons() -> None:
    rated = RatedTable()
    office = rated.office
    assert "has a card in use" in office.do("cashier", "issue_card", "C-3", patron="P1", identified=True)
    again = office.do("cashier", "issue_card", "C-3", patron="P1", identified=True, replaces="C-2")
    assert "is another patron's" in again
    rated.told("cashier", "issue_card", "C-3", patron="P1", identified=True, replaces="C-1")
    dead = office.do("flo", "open_rating", table="craps-1", card="C-1")
    assert "C-1 is replaced, not in use" in dead
    rated.told("bea", "lose_card", "C-2")
    assert "C-2 is lost" in office.do("flo", "open_rating", table="craps-1", card="C-2")
    assert "C-1" in office.do("cashier", "issue_card", "C-1", patron="P2", identified=True), "a number is used once"
    wrong = office.do("bea", "log_buy_in", table="craps-1", amount=100_00, patron="P2", card="C-3")
    assert "the card is another patron's" in wrong
    rated.told("bea", "log_buy_in", table="craps-1", amount=100_00, card="C-3")
    figure = max(office.state.figures.at_hand.items(), key=lambda item: int(item[0]))[1]
    assert figure.fields["patron"] == "P1", "the card says whose cash it was"


def test_a_card_says_in_the_cage_whose_cash_it_was() -> None:
    office = house_with("ratings")
    office.do("cora", "enter_patron", "P1", name="Ann")
    office.do("cora", "enter_patron", "P2", name="Bob")
    office.do("cy", "issue_card", "C-1", patron="P1", identified=True)
    for act in ("sell_chips", "redeem_chips"):
        told = office.do("cy", act, units={"2500": 160}, card="C-1")
        assert "recorded by Cy" in told
        assert "waits" not in told, "cash of 4,000.00 that nobody is named for waits for a second person"
        figure = max(office.state.figures.at_hand.items(), key=lambda item: int(item[0]))[1]
        assert figure.fields["patron"] == "P1"
    assert "the card is another patron's" in office.do("cy", "sell_chips", units={"2500": 1}, card="C-1", patron="P2")
    office.do("cy", "lose_card", "C-1")
    assert "C-1 is lost" in office.do("cy", "sell_chips", units={"2500": 1}, card="C-1")


def test_whoever_is_barred_is_not_rated_and_who_is_rated_is_rated_once() -> None:
    rated = RatedTable()
    office = rated.office
    rated.told("flo", "open_rating", table="craps-1", card="C-1")
    assert "is being rated" in office.do("flo", "open_rating", table="craps-1", patron="P1")
    assert "less than" in office.do("flo", "close_rating", "R-000001", least=50_00, average=40_00)
    assert "less than" in office.do("flo", "close_rating", "R-000001", average=40_00, most=10_00)
    rated.told("flo", "bar_patron", "P2", reason="asked for it", by_whom="patron")
    assert "is barred" in office.do("flo", "open_rating", table="craps-1", card="C-2")
    assert "has a player card in use" in office.do("compliance", "strike_patron", "P2", reason="twice on record")
