"""Whatever anybody asks of a live table, in whatever order, it keeps its promises."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json

from passline.dice import OUTCOMES, Roll
from passline.game.refusal import Refused
from passline.tables.approvals import Approval, Approvals
from passline.tables.decide import decide
from passline.tables.views.table_view import news_between, own_of, view_of
from tests.tables.random_asks import Asks
from tests.tables.sitting import ALL, PLAYERS, Sitting

APPROVED = Approvals((Approval("laboratory_report", "laboratory", "L-1", "2026-01-02"),))
TABLES = [
    *(("maryland", dice, automate) for dice in ("electronic", "physical") for automate in ("all", "none")),
    *(("colorado", "physical", "none"), ("section2", "physical", "some"), ("arizona", "electronic", "some")),
]
AUTOMATE: dict[str, tuple[str, ...]] = {"none": (), "some": ("offer", "choose", "confirm", "button"), "all": ALL}


def sitting_at(rules: str, dice: str, automate: str) -> Sitting:
    return Sitting(rules, dice=dice, house={"seats": 5}, approvals=APPROVED, automate=AUTOMATE[automate])


def played(sitting: Sitting, random: Random, asks: int) -> None:
    drawing = Asks(sitting.table)
    for _ in range(asks):
        before = sitting.table
        command, by = drawing.draw(random, before)
        sitting.faces = [random.choice(OUTCOMES)]
        drawn = sitting.drawn
        verdict = sitting.ask(command, by)
        if isinstance(verdict, Refused):
            assert sitting.drawn == drawn, "no outcome is ever discarded"
        else:
            thrown = [Roll(2, 2)] if sitting.drawn == drawn else [roll_of_last(sitting)]
            again = decide(before, verdict.command, by=by, at=sitting.at, dice=thrown.pop, approvals=sitting.approvals)
            assert again == verdict
            _check_news(before, sitting)
        if random.random() < 0.02:
            sitting.wait(random.randint(1, 40))


def roll_of_last(sitting: Sitting) -> Roll:
    last = sitting.table.track.rolls[-1] if not any(sitting.table.game.position.faces) else None
    return Roll(last.first, last.second) if last else Roll(*sitting.table.game.position.faces)


def _check_news(before: object, sitting: Sitting) -> None:
    """News laid over the view before give the view after; wagers are told by their places."""
    live = sitting.table
    old, new = view_of(before, sitting.approvals), view_of(live, sitting.approvals)  # type: ignore[arg-type]
    news = news_between(before, live, sitting.approvals)  # type: ignore[arg-type]
    up = {(one["seat"], one["owner"], one["kind"], one["number"]): one for one in old["wagers"]}
    for gone in news["wagers_gone"]:
        del up[tuple(gone)]
    up |= {(one["seat"], one["owner"], one["kind"], one["number"]): one for one in news["wagers_up"]}
    assert sorted(up.items()) == [
        ((one["seat"], one["owner"], one["kind"], one["number"]), one) for one in new["wagers"]
    ]
    laid = {**old, **news["changed"], "wagers": new["wagers"]}
    laid["settled"] = new["settled"]  # its words name players, who may come and go
    assert laid == new


@pytest.mark.parametrize(("rules", "dice", "automate"), TABLES)
@settings(max_examples=15)
@given(random=st.randoms(use_true_random=True))
def test_random_asks(rules: str, dice: str, automate: str, random: Random) -> None:
    sitting = sitting_at(rules, dice, automate)
    for seat, who in enumerate(PLAYERS[:3], start=1):
        sitting.sit(who, seat)
    played(sitting, random, 120)
    money, view = sitting.table.game.money, json.encode(view_of(sitting.table)).decode()
    assert "rack" not in view
    for who in PLAYERS:
        own = own_of(sitting.table, who)
        assert own is not None
        assert own["rack"] == (money.racks[own["seat"] - 1] if own["seat"] else 0)
        assert "racks" not in own
        assert "bank" not in own
