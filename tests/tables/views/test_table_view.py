"""What pages show of a table: the public part to all, a rack only to its player and the crew, and news of changes."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import json, to_builtins
from msgspec.structs import replace

from passline.game import commands as c
from passline.game.position import PointsMode
from passline.tables.approvals import Approval, Approvals
from passline.tables.live import _AS_OPENED
from passline.tables.views import table_view
from passline.tables.views.table_view import news_between, own_of, view_of
from tests.tables.metered import CLOSING, close_meter, raised_meter
from tests.tables.sitting import ANN, BOB, CREW, OWNER, PLAYERS, at_a_point, person

KEYS = {
    *(
        "id",
        "name",
        "regulation",
        "game",
        "house",
        "is_demo",
        "dice",
        "buy_in",
        "is_keyed",
        "layout",
        "requires_dice_out",
        "points",
        "status",
        "frozen",
        "stopped",
        "limits",
        "notice",
    ),
    *("puck", "phase", "shooter", "dice_are", "offered_to", "faces", "is_disputed", "seats", "places", "wagers"),
    *("markers", "rolls", "histogram", "roll", "hand", "settled", "automate", "rules"),
    *("commitment", "closing", "proof", "stopped", "practice"),
}
ODD_RACK = 7_777_00  # Bob's: no other player may find it in what they are shown


def test_the_view_has_what_a_page_needs() -> None:
    view = view_of(at_a_point(bob_cents=ODD_RACK).table)
    assert view.keys() == KEYS
    assert (view["regulation"], view["puck"], view["phase"], view["shooter"], view["dice_are"]) == (
        "maryland", 6, "point", 1, "held",
    )  # fmt: skip
    assert view["seats"] == [
        {"seat": 1, "name": "Ann", "state": "seated"},
        {"seat": 2, "name": "Bob", "state": "seated"},
    ]
    assert view["wagers"][0] == {
        "seat": 1,
        "owner": "player",
        "kind": "pass",
        "number": 0,
        "cents": 10_00,
        "working": "",
        "vigorish": 0,
        "coupon": 0,
        "pending": (),
        "late": False,
        "progress": (),
        "is_off": False,
        "name": "Pass Line",
    }
    assert view["rolls"] == [{"roll": 1, "first": 2, "second": 4, "point": 0, "call": "Six, easy six, mark the point"}]
    assert view["histogram"] == (0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    assert (view["roll"], view["hand"], view["faces"]) == (1, 1, (2, 4))


def test_settled_wagers_are_listed_losses_first_with_odds_and_clause() -> None:
    sitting = at_a_point(bob_cents=ODD_RACK)
    sitting.wager(BOB, "place_win", 12_00, 6)
    sitting.wager(ANN, "field", 5_00)
    sitting.roll(3, 3)
    settled = view_of(sitting.table)["settled"]
    assert [(one.kind, one.outcome, one.cents, one.winnings) for one in settled] == [
        ("field", "lost", 5_00, 0),
        ("pass", "won", 10_00, 10_00),
        ("place_win", "won", 12_00, 14_00),
    ]
    assert to_builtins(settled[2]) == {
        "seat": 2,
        "account": "bob",
        "name": "Bob",
        "kind": "place_win",
        "number": 6,
        "owner": "player",
        "outcome": "won",
        "cents": 12_00,
        "winnings": 14_00,
        "pays": "7 to 6",
        "clause": "MD-3.A.5.b, MD-5.A.7",
    }


def test_a_come_wager_that_moves_names_its_number() -> None:
    sitting = at_a_point(bob_cents=ODD_RACK)
    sitting.wager(BOB, "come", 10_00)
    sitting.roll(1, 4)
    assert [(one.outcome, one.to) for one in view_of(sitting.table)["settled"]] == [("moved", 5)]


def test_settled_wagers_of_a_player_who_left_are_not_shown_to_the_next_one_in_the_seat() -> None:
    sitting = at_a_point(bob_cents=ODD_RACK)
    sitting.wager(BOB, "field", 5_00)
    sitting.wager(ANN, "field", 10_00)
    sitting.roll(2, 3)
    assert [one.name for one in view_of(sitting.table)["settled"]] == ["Ann", "Bob"]
    before = sitting.table
    sitting.do(c.LeaveSeat(seat=2), BOB)
    assert [one.name for one in news_between(before, sitting.table)["changed"]["settled"]] == ["Ann"]
    sitting.sit(PLAYERS[2], 2)
    assert [(one.seat, one.account) for one in view_of(sitting.table)["settled"]] == [(1, "ann")]


def test_a_rack_is_shown_only_to_its_player_and_the_crew() -> None:
    sitting = at_a_point(bob_cents=ODD_RACK)
    live = sitting.table
    shown = json.encode([view_of(live), own_of(live, ANN), own_of(live, PLAYERS[2]), own_of(live, None)]).decode()
    assert str(ODD_RACK) not in shown
    assert own_of(live, None) is None
    assert own_of(live, person("Zoe", "spectator")) is None
    assert own_of(live, BOB) == {
        "role": "player",
        "account": "bob",
        "name": "Bob",
        "seat": 2,
        "rack": ODD_RACK,
        "coupon": 0,
    }
    watching = own_of(live, PLAYERS[2])
    assert watching is not None
    assert (watching["seat"], watching["rack"]) == (0, 0)
    for role in ("dealer", "boxperson", "regulator"):
        own = own_of(live, CREW[role])
        assert own is not None
        assert own["racks"] == {"1": 990_00, "2": ODD_RACK}
        assert (own["bank"], own["drop"], own["tip_box"]) == (live.game.money.bank, live.game.money.drop, 0)


def test_a_player_sees_no_other_rack_in_any_role() -> None:
    sitting = at_a_point(bob_cents=ODD_RACK)
    for role in ("dealer", "boxperson", "owner", "regulator", "surveillance"):
        assert own_of(sitting.table, person("Ann", role)) is None
        assert own_of(replace(sitting.table, is_demo=True), person("Ann", role)) is not None


@pytest.mark.clause("AZ-II.N.2")
def test_rolls_are_not_shown_in_arizona_unless_both_approve() -> None:
    """AZ-II.N.2: a history and a histogram are aids that project outcomes."""
    live = at_a_point("arizona").table
    one = Approvals((Approval("prediction_aid", "TGO", "1", "2026-01-02"),))
    both = Approvals((*one.on_file, Approval("prediction_aid", "SGA", "2", "2026-01-02")))
    for approvals in (Approvals(), one):
        view = view_of(live, approvals)
        assert (view["rolls"], view["histogram"]) == (None, None)
    assert view_of(live, both)["histogram"] == (0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)


def test_news_of_a_wager_holds_only_that_wager() -> None:
    sitting = at_a_point(bob_cents=ODD_RACK)
    before = sitting.table
    sitting.wager(BOB, "place_win", 12_00, 8)
    news = news_between(before, sitting.table)
    assert news["changed"] == {}
    assert [(one["seat"], one["kind"], one["cents"]) for one in news["wagers_up"]] == [(2, "place_win", 12_00)]
    before = sitting.table
    sitting.wager(BOB, "place_win", 6_00, 8)
    news = news_between(before, sitting.table)
    assert (news["wagers_gone"], news["wagers_up"][0]["cents"]) == ([], 18_00)
    before = sitting.table
    sitting.do(c.RemoveWager(seat=2, wager="place_win", number=8), BOB)
    assert news_between(before, sitting.table) == {
        "changed": {},
        "wagers_gone": [(2, "player", "place_win", 8)],
        "wagers_up": [],
    }


def test_news_includes_wagers_that_go_off_with_the_puck() -> None:
    sitting = at_a_point(bob_cents=ODD_RACK)
    sitting.wager(BOB, "place_win", 12_00, 8)
    before = sitting.table
    sitting.roll(3, 3)
    news = news_between(before, sitting.table)
    assert [(one["kind"], one["is_off"]) for one in news["wagers_up"]] == [("place_win", True)]


def test_a_meter_that_is_closed_between_rolls_is_news_at_once() -> None:
    sitting = raised_meter(CLOSING)
    before = sitting.table
    sitting.do(close_meter(), OWNER)
    shown = view_of(sitting.table)["markers"]
    assert shown != view_of(before)["markers"]
    assert news_between(before, sitting.table)["changed"] == {"markers": shown}


class _Recorder:
    """Stands for a value, and notes the names that are read of it and of what it holds."""

    def __init__(self, value: object, noted: set[str], before: str = "") -> None:
        self._value, self._noted, self._before = value, noted, before

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a view reads
        made = getattr(type(self._value), name, None)
        if isinstance(made, property):
            return made.fget(self) if made.fget else None
        value, path = getattr(self._value, name), f"{self._before}{name}"
        if path in {"live", "live.game", "position"}:
            return _Recorder(value, self._noted, f"{path}.")
        self._noted.add(path)
        return value


def _reads_of(source: Callable[[Any], Any]) -> set[str]:
    """Return what a source reads of a table at a point, and of the same in a tournament."""
    noted = set[str]()
    live = at_a_point().table
    for table in (live, replace(live, points=PointsMode("cup", 1, rolls=10))):
        source(_Recorder(table_view._Look(table, Approvals(), ""), noted))
    return noted


def test_news_are_not_skipped_while_anything_differs_that_a_part_is_made_of() -> None:
    read_table = {f"live.{name}" for name in table_view._of_table.__reduce__()[1]}
    read_position = {f"position.{name}" for name in table_view._of_position.__reduce__()[1]}
    beside = {"may_show_rolls", "stopped", "live.game.meters"}
    opened = {"rules", "live.id", "live.rolls_before", *(f"live.{name}" for name in _AS_OPENED)}
    known = read_table | read_position | beside | opened
    unknown = {key: lost for key, (source, _) in table_view._PARTS.items() if (lost := _reads_of(source) - known)}
    assert not unknown, f"news_between skips these parts of the view: name what they read in _of_table: {unknown}"
    assert _reads_of(lambda look: (look.live.owes, look.position.phase)) - known == {"live.owes"}  # it can fail
