"""Colorado's irregularities: reported by the crew, directed and watched by the boxperson or the pit supervisor."""

import pytest

from passline.rules.clauses import clauses_of
from passline.tables import commands as k
from passline.tables import events as t
from tests.tables.sitting import ANN, BOX, CREW, DEALER, FLOOR, OWNER, STICK, Sitting, at_a_point

CO = clauses_of("colorado")
PAID_TWICE = k.ReportIrregularity(text="a field wager was paid twice")


def _reported() -> Sitting:
    sitting = Sitting("colorado", dice="physical")
    sitting.do(PAID_TWICE, DEALER)
    return sitting


@pytest.mark.clause("CO-2319-notify")
def test_CO_2319_notify__a_report_stands_until_it_is_answered() -> None:
    """CO-2319-notify: the dealer reports to the boxperson or pit supervisor, and the table does not close before."""
    sitting = Sitting("colorado", dice="physical")
    assert "may not give" in sitting.refusal(PAID_TWICE, ANN)
    assert "a description of" in sitting.refusal(k.ReportIrregularity(text=" "), DEALER)
    for number, who in enumerate((DEALER, STICK, BOX, FLOOR, CREW["surveillance"]), start=1):
        [reported] = sitting.do(PAID_TWICE, who)
        assert reported == t.IrregularityReported(number, PAID_TWICE.text, "CO-2319-notify")
    assert [one.number for one in sitting.table.supervision.irregularities] == [1, 2, 3, 4, 5]
    told = sitting.refusal(k.CloseTable(), OWNER)
    asked = CO["CO-2319-notify"].values["notify"].replace("pit_supervisor", "floorperson").split("|")
    assert f"directed by the {' or '.join(asked)} first" in told
    assert "CO-2319-notify" in told


@pytest.mark.clause("CO-2319-direct")
def test_CO_2319_direct__the_boxperson_or_pit_supervisor_directs_the_dealer() -> None:
    """CO-2319-direct: neither dealer nor stickperson; what is directed is on record, and may be directed anew."""
    sitting = _reported()
    direct = k.DirectAction(irregularity=1, action="take the second payment back")
    for who in (DEALER, STICK):
        assert "CO-2319-direct" in sitting.refusal(direct, who)
    for who in (ANN, OWNER, CREW["surveillance"]):
        assert "may not give" in sitting.refusal(direct, who)
    assert "an action of" in sitting.refusal(k.DirectAction(irregularity=1, action=""), BOX)
    assert "irregularity 2 is not open at this table; open are: 1" in sitting.refusal(
        k.DirectAction(irregularity=2, action="x"), BOX
    )
    for who in (BOX, FLOOR):
        [directed] = sitting.do(direct, who)
        assert directed == t.ActionDirected(1, direct.action, "CO-2319-direct")
    assert sitting.table.supervision.irregularities[0].action == direct.action


@pytest.mark.clause("CO-2319-observe")
def test_CO_2319_observe__the_action_is_watched_and_the_watcher_is_on_record() -> None:
    """CO-2319-observe: after it was directed, by the boxperson or pit supervisor; until then the table stays open."""
    for who in (BOX, FLOOR):
        sitting = _reported()
        observe = k.ObserveAction(irregularity=1)
        assert "direct what is done about it first" in sitting.refusal(observe, who)
        sitting.do(k.DirectAction(irregularity=1, action="take it back"), BOX)
        for other in (DEALER, STICK):
            assert "CO-2319-observe" in sitting.refusal(observe, other)
        told = sitting.refusal(k.CloseTable(), OWNER)
        assert ("watched" in told, "CO-2319-observe" in told) == (True, True)
        assert sitting.do(observe, who) == (t.ActionObserved(1, "CO-2319-observe"),)
        assert (sitting.entries[-1].entry.actor, sitting.entries[-1].entry.role) == (who.account, who.role)
        assert "is not open at this table; open are: none" in sitting.refusal(observe, who)
        sitting.do(k.CloseTable(), OWNER)


def test_a_regulation_without_the_duty_points_to_disputes() -> None:
    sitting = at_a_point()
    for command in (PAID_TWICE, k.DirectAction(irregularity=1, action="x"), k.ObserveAction(irregularity=1)):
        assert "a dispute freezes the table" in sitting.refusal(command, BOX)


def test_a_hundred_open_reports_are_the_most() -> None:
    sitting = Sitting("colorado", dice="physical")
    for _ in range(100):
        sitting.do(PAID_TWICE, DEALER)
    assert "100 irregularities are open" in sitting.refusal(PAID_TWICE, DEALER)
