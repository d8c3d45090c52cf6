"""What pages are shown: the public part to all, a rack to its player and the crew, and news that lead to the same."""

from msgspec import json, to_builtins
from msgspec.structs import replace

from passline.game import commands as c
from passline.people.roles import THE_HOUSE
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables.approvals import Approval, Approvals
from passline.tables.views.areas import areas_of
from passline.tables.views.table_view import news_between, own_of, view_of
from passline.tables.views.wording import lines_of
from tests.tables.sitting import ANN, BOB, CREW, PLAYERS, Sitting, person

KEYS = {
    *("id", "name", "regulation", "game", "house", "is_demo", "dice", "buy_in", "status", "frozen", "limits", "notice"),
    *("puck", "phase", "shooter", "dice_are", "offered_to", "faces", "is_disputed", "seats", "places", "wagers"),
    *("markers", "rolls", "histogram", "roll", "hand", "settled", "automate", "rules"),
}
ODD_RACK = 7_777_00  # looked for in what others are shown


def _at_a_point(rules: str = "maryland") -> Sitting:
    sitting = Sitting(rules, dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2, ODD_RACK)
    sitting.wager(ANN, "pass", 10_00)
    sitting.do(c.AcceptDice(seat=1), ANN)
    sitting.roll(2, 4)
    return sitting


def test_the_view_has_what_a_page_needs() -> None:
    view = view_of(_at_a_point().table)
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
        "name": "Pass Bet",
    }
    assert view["rolls"] == [{"roll": 1, "first": 2, "second": 4, "point": 0, "call": "Six, easy six, mark the point"}]
    assert view["histogram"] == (0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    assert (view["roll"], view["hand"], view["faces"]) == (1, 1, (2, 4))


def test_what_was_settled_is_taken_before_it_is_paid_and_explained() -> None:
    sitting = _at_a_point()
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


def test_a_come_wager_that_moves_says_where_to() -> None:
    sitting = _at_a_point()
    sitting.wager(BOB, "come", 10_00)
    sitting.roll(1, 4)
    assert [(one.outcome, one.to) for one in view_of(sitting.table)["settled"]] == [("moved", 5)]


def test_what_was_settled_at_a_seat_is_not_the_next_ones() -> None:
    sitting = _at_a_point()
    sitting.wager(BOB, "field", 5_00)
    sitting.wager(ANN, "field", 10_00)
    sitting.roll(2, 3)
    assert [one.name for one in view_of(sitting.table)["settled"]] == ["Ann", "Bob"]
    before = sitting.table
    sitting.do(c.LeaveSeat(seat=2), BOB)
    assert [one.name for one in news_between(before, sitting.table)["changed"]["settled"]] == ["Ann"]
    sitting.sit(PLAYERS[2], 2)
    assert [(one.seat, one.account) for one in view_of(sitting.table)["settled"]] == [(1, "ann")]


def test_a_rack_is_shown_to_its_player_and_the_crew_alone() -> None:
    sitting = _at_a_point()
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


def test_whoever_plays_sees_no_other_rack_in_any_role() -> None:
    sitting = _at_a_point()
    for role in ("dealer", "boxperson", "owner", "regulator", "surveillance"):
        assert own_of(sitting.table, person("Ann", role)) is None
        assert own_of(replace(sitting.table, is_demo=True), person("Ann", role)) is not None


def test_what_others_bring_and_take_away_is_told_without_the_amount() -> None:
    sitting = Sitting()
    sitting.do(c.TakeSeat(seat=1), ANN)
    before = sitting.table
    events = sitting.do(c.BuyIn(seat=1, cents=ODD_RACK), CREW["dealer"])
    assert lines_of(before, sitting.table, events, seats=()) == ("Ann changes cash for chips",)
    assert lines_of(before, sitting.table, events, seats=(1,)) == ("Ann changes 7777.00 for chips",)
    assert lines_of(before, sitting.table, events) == ("Ann changes 7777.00 for chips",)
    before = sitting.table
    events = sitting.do(c.LeaveSeat(seat=1), ANN)
    assert "7777" not in " ".join(lines_of(before, sitting.table, events, seats=()))
    before = sitting.table
    events = sitting.do(c.Fill(cents=5_00), CREW["boxperson"])
    assert lines_of(before, sitting.table, events, seats=()) == ()


def test_rolls_are_not_shown_in_arizona_unless_both_approve() -> None:
    """AZ-II.N.2: a history and a histogram are aids that project outcomes."""
    live = _at_a_point("arizona").table
    one = Approvals((Approval("prediction_aid", "TGO", "1", "2026-01-02"),))
    both = Approvals((*one.on_file, Approval("prediction_aid", "SGA", "2", "2026-01-02")))
    for approvals in (Approvals(), one):
        view = view_of(live, approvals)
        assert (view["rolls"], view["histogram"]) == (None, None)
    assert view_of(live, both)["histogram"] == (0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)


def test_news_of_a_wager_are_that_wager_and_nothing_else() -> None:
    sitting = _at_a_point()
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


def test_wagers_that_go_off_with_the_puck_are_told_too() -> None:
    sitting = _at_a_point()
    sitting.wager(BOB, "place_win", 12_00, 8)
    before = sitting.table
    sitting.roll(3, 3)
    news = news_between(before, sitting.table)
    assert [(one["kind"], one["is_off"]) for one in news["wagers_up"]] == [("place_win", True)]


def test_every_event_of_a_table_has_words() -> None:
    sitting = _at_a_point()
    said: list[str] = []
    asks: tuple[tuple[k.OwnCommand, Actor], ...] = (
        (k.CorrectRoll(first=1, second=5, reason="misread"), CREW["boxperson"]),
        (k.NoticeLimits(wager_cents_min=10_00, wager_cents_max=100_00), CREW["floorperson"]),
        (k.FreezeTable(reason="cocked"), ANN),
        (k.ReportShown(freeze=sitting.table.version + 3, shown={"1": 3, "2": 2}), THE_HOUSE),
        (k.ReleaseTable(finding="flat"), CREW["floorperson"]),
    )
    for command, by in asks:
        before = sitting.table
        events = sitting.do(command, by)
        said += lines_of(before, sitting.table, events)
    assert said == [
        "the roll 2-4 is corrected to 1-5: misread [MD-9.E.1]",
        "from 2026-11-15T08:30:00.000000Z the limits are 10.00 to 100.00 [MD-3.B.1]",
        "the table is frozen over a dispute of Ann: cocked",
        "shown before the freeze: to Ann up to entry 3, to Bob up to entry 2",
        "play continues: flat",
    ]


# --- Areas ------------------------------------------------------------------------------------------------------------


def test_areas_say_where_a_wager_may_be_made_and_why_not() -> None:
    sitting = _at_a_point()
    areas = {(area.kind, area.number): area for area in areas_of(sitting.table, 1)}
    place = areas["place_win", 8]
    assert (place.state, place.min, place.unit, place.default, place.standing, place.pays) == (
        "open", 6_00, 6_00, 6_00, 0, "7 to 6",
    )  # fmt: skip
    line = areas["pass", 0]
    assert (line.state, line.standing, line.may_remove) == ("closed", 10_00, False)
    assert (line.why, line.clause) == ("a Pass Bet may not be increased once its point is set", "MD-3.A.1")
    odds = areas["pass_odds", 6]
    assert (odds.state, odds.unit, odds.pays) == ("open", 5_00, "6 to 5")
    assert odds.default == min(odds.max, 990_00) // odds.unit * odds.unit
    assert areas_of(sitting.table, 5) == []


def test_what_an_area_offers_is_taken_and_what_it_closes_is_refused() -> None:
    sitting = _at_a_point()
    sitting.wager(BOB, "come", 10_00)
    sitting.roll(4, 5)
    for area in areas_of(sitting.table, 2):
        wish = c.MakeWager(seat=2, wager=area.kind, number=area.number, cents=area.default)
        start = sitting.live
        if area.state == "open":
            sitting.do(wish, BOB)
        else:
            assert area.clause in sitting.no(wish, BOB)
        sitting.live = start
    assert ("come", 9) in {(area.kind, area.number) for area in areas_of(sitting.table, 2)}
    assert ("come_odds", 9) in {(area.kind, area.number) for area in areas_of(sitting.table, 2)}


def test_a_frozen_table_offers_nothing() -> None:
    sitting = _at_a_point()
    sitting.do(k.FreezeTable(reason="cocked"), ANN)
    assert {(area.state, area.why) for area in areas_of(sitting.table, 1)} == {("closed", "the table is frozen")}
