"""The pictures of a gaming day: what is drawn, and that equal days give equal bytes."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from msgspec.structs import replace

from passline.acts.calendar.facility import Facility
from passline.acts.rules import office_of
from passline.acts.state import ActState
from passline.automaton.standing import WEIGHTS
from passline.bookkeeping.account import PlayAccount
from passline.bookkeeping.accrual_sums import Accrual
from passline.bookkeeping.period_sums import PeriodSum, ToDate
from passline.documents.as_pdf import as_pdf
from passline.documents.pictures import ChartItem, SheetChart, chart_of
from passline.exact.luck_evidence import prices_of_roll, scale_of, sum_of_prices
from passline.exact.standing import StandingSteps
from passline.office.views.day_report import office_day
from passline.office.views.printed_day import day_report

_DAY = date(2026, 3, 2)


_ROLL = StandingSteps(1, tuple(250_00 if weight == 1 else -50_00 for weight in WEIGHTS))


def _account(day: str, won: int) -> PlayAccount:
    """A day of ten rolls: with equal faces the players gain 250.00, otherwise they lose 50.00."""
    expected, prices = Fraction(100_00), sum_of_prices({prices_of_roll(_ROLL): 10})
    sums = Accrual(
        theoretical=expected, luck=won - expected, variance=10 * _ROLL.variance, won=won, rolls=10, prices=prices
    )
    scale = scale_of(_ROLL.variance)
    return PlayAccount(
        rules="practice", scope="house", period="day", span=day, subject="", sums=sums, scale=scale, scaled_by=1
    )


def test_a_day_shows_win_against_expected_and_hold_by_table() -> None:
    state = ActState(facility=Facility(name="Harbour", zone="America/Denver"))
    bare = office_day(office_of("practice"), state, _DAY, ())
    assert day_report(bare, regulation="", at="", foot="").pictures == ()
    sums = {"T1": PeriodSum(drop=500_00, win=100_00, days=1), "T2": PeriodSum(unknown=1)}
    course = (_account("2026-03-01", -100_00), _account("2026-03-02", 300_00))
    report = day_report(
        replace(bare, to_date=ToDate(day=sums), course=course), regulation="Practice", at="2026-03-03", foot=""
    )
    won, held = report.pictures
    assert isinstance(won, SheetChart)
    assert isinstance(held, SheetChart)
    assert [one.name for one in won.items] == ["1 Mar", "2 Mar"]
    assert [words for _value, words in won.ticks][0::2] == ["-$1,500", "-$500", "$500"]
    low, high = won.items
    assert (low.value, high.value) == (-100.0, 300.0)
    assert low.band == high.band  # the same layouts, whatever came
    assert "1 day in 20" in won.about
    assert low.band is not None
    assert won.ticks[0][0] < low.band[0] < -100.0 < 300.0 < low.band[1] < won.ticks[-1][0]
    assert [(one.name, one.said) for one in held.items] == [("T1", "20.0%"), ("T2", "not known")]
    assert as_pdf(report) == as_pdf(report)


def test_bars_have_room_above_and_below_zero() -> None:
    made = chart_of("Hold", "", [ChartItem("T1", 0.08), ChartItem("T2", -0.42)], lambda share: f"{share:.1f}")
    assert made is not None
    assert [words for _value, words in made.ticks] == ["-0.5", "-0.4", "-0.3", "-0.2", "-0.1", "0.0", "0.1"]
    assert chart_of("Hold", "", [], str) is None
