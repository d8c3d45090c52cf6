"""The crew sees the set of dice in play and the open irregularities; players read only that dice come and go."""

from typing import Any

import pytest
from msgspec.structs import replace

from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.events import DiceCondemned
from passline.tables.supervised import Supervision
from passline.tables.terms import WHOLE_TERMS
from passline.tables.views.supervision import supervision_view
from passline.tables.views.table_view import news_between, own_of, view_of
from passline.tables.views.wording import has_private, lines_of
from tests.tables.sitting import ANN, BOX, CREW, DEALER, FLOOR, OWNER, STICK, Sitting, at_a_point

SECRET = "seat 4 had loaded dice"  # noqa: S105 - a text that no player may find in what they are shown


def _own(sitting: Sitting, who: Actor) -> dict[str, Any]:
    own = own_of(sitting.table, who)
    assert own is not None
    return own


def _told(sitting: Sitting, command: TableCommand, by: Actor) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what the public and the crew read of a command."""
    before = sitting.table
    events = sitting.do(command, by)
    assert has_private(events)
    return lines_of(before, sitting.table, events, seats=(1,)), lines_of(before, sitting.table, events)


@pytest.mark.clause("MD-7.E")
def test_MD_7_E__the_crew_sees_since_when_and_until_when_a_set_is_in_play() -> None:
    """MD-7.E: 24 hours from the moment it was put in, by the rulebook; players are not shown it."""
    sitting = Sitting(dice="physical")
    since = sitting.at
    for who in (DEALER, STICK, BOX, FLOOR, OWNER, CREW["surveillance"], CREW["regulator"]):
        dice = _own(sitting, who)["supervision"]["dice"]
        assert (dice["number"], dice["since"], dice["condemned"]) == (1, since, None)
    sitting.wait(60 * 24)
    assert dice["ends"] == sitting.at
    sitting.do(k.PutInDice(), BOX)
    assert _own(sitting, BOX)["supervision"]["dice"]["number"] == 2
    assert _own(sitting, BOX)["supervision"]["dice"]["since"] == sitting.at


def test_why_a_set_is_condemned_is_for_the_crew() -> None:
    sitting = at_a_point()
    public, crew = _told(sitting, k.CondemnDice(reason="tampered", text=SECRET), DEALER)
    assert public == ("set 1 of the dice may not be thrown any more; a new set must be put in",)
    assert SECRET in crew[0]
    assert "[MD-7.F.3]" in crew[0]
    dice = _own(sitting, STICK)["supervision"]["dice"]
    assert dice["condemned"] == {"reason": "tampered", "text": SECRET, "clause": "MD-7.F.3"}
    before = sitting.table
    public, crew = _told(sitting, k.PutInDice(), BOX)
    assert (public, crew) == (("set 2 of the dice is put in",), ("set 2 of the dice is put in [MD-7.F.3]",))
    assert _own(sitting, STICK)["supervision"]["dice"]["condemned"] is None
    shown = str((view_of(before), own_of(before, ANN), news_between(before, sitting.table)))
    assert not [word for word in (SECRET, "tampered", "supervision") if word in shown]


def test_open_irregularities_are_for_the_crew() -> None:
    sitting = Sitting("colorado", dice="physical")
    assert _own(sitting, DEALER)["supervision"] == {
        "dice": None,
        "needed": None,
        "irregularities": [],
        "past_posted": [],
    }
    told = [
        _told(sitting, k.ReportIrregularity(text=SECRET), DEALER),
        _told(sitting, k.DirectAction(irregularity=1, action="void the roll"), BOX),
    ]
    assert _own(sitting, STICK)["supervision"]["irregularities"] == [
        {"number": 1, "text": SECRET, "action": "void the roll"}
    ]
    assert SECRET not in str(view_of(sitting.table))
    told.append(_told(sitting, k.ObserveAction(irregularity=1), FLOOR))
    assert [(public, len(crew)) for public, crew in told] == [((), 1)] * 3
    assert _own(sitting, STICK)["supervision"]["irregularities"] == []


def test_electronic_dice_have_no_set_also_where_physical_dice_had_one() -> None:
    sitting = Sitting(dice="physical")
    sitting.do(k.CloseTable(), OWNER)
    sitting.do(k.OpenTable(name="Craps 1", house={"rules": "maryland"}, dice="electronic"), OWNER)
    assert supervision_view(sitting.table)["dice"] is None
    assert "there is no set to change" in sitting.refusal(k.PutInDice(), BOX)


def test_a_table_without_a_set_on_record_says_that_it_needs_one() -> None:
    sitting = Sitting(dice="physical")
    unknown = replace(sitting.table, supervision=Supervision(), terms=WHOLE_TERMS)
    assert supervision_view(unknown)["needed"]["clause"] == "MD-7.E"
    older = replace(unknown, terms=0)
    assert supervision_view(older)["needed"] is None
    condemned = replace(older, supervision=Supervision(condemned=DiceCondemned(0, "lost", "", "MD-7.F.2")))
    assert supervision_view(condemned)["needed"] == {
        "clause": "MD-7.F.2",
        "why": "the set of dice in play is lost: put in a new set of dice",
        "is_money": False,
    }
