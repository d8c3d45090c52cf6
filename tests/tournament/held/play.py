"""Cases of play: equal stacks, chips that are bought, who goes on, who is ahead, colours."""

from __future__ import annotations

from msgspec.structs import replace

from passline.tables.money.points import unfit_round
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.plan.schema import AddOn, Place, Plan, Prize, Rebuy, Round
from passline.tournament.reports import chips_notice, sign_in_sheet
from passline.tournament.runtime import points_mode
from tests.tournament.director import CASHIER, DEALER
from tests.tournament.engine_case import Played
from tests.tournament.engine_cases import HEATS, case, one_event
from tests.tournament.held.entries import three_rounds

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")


def _players(play: Played, count: int) -> None:
    for name in NAMES[:count]:
        play.enter(HEATS, name)


def _stacks(play: Played) -> dict[str, int]:
    held = play.state.round
    return held.stacks if held else {}


def _carrying(**changes: object) -> Plan:
    """Heats of two rounds whose points are carried on, with chips to buy in the first."""
    rounds = (
        Round(name="Round 1", rolls=9, seats=8, advance=3, carries_points=True, is_initial=True),
        Round(name="Round 2", rolls=9, seats=8, advance=2),
        Round(name="Final", rolls=9, seats=8),
    )
    add_on = AddOn(cents=40_00, points=1000, most=2, rounds=("Round 1",))
    rebuy = Rebuy(cents=60_00, points=2000, most=2, rounds=("Round 1", "Round 2"))
    return one_event(**{"rounds": rounds, "entries_max": 8, "add_on": add_on, "rebuy": rebuy, **changes})


@case(
    "CO-2315.07-1-equal",
    "CO-2315.07-1-extra",
    "CO-2315.07-5-table",
    "CO-2315.07-2",
    "CO-2315.05-buyins",
    plan=_carrying,
)
def _chips_are_carried_on_where_the_plan_has_it_so_and_bought_ones_added(play: Played) -> None:
    _players(play, 5)
    play.start(HEATS, "t-1")
    play.expect(_stacks(play), dict.fromkeys("12345", 2500))
    play.refused("CO-2315.07-2", c.BuyChips(entry=1, kind="rebuy"), CASHIER)  # a game is going on
    for _ in range(2):
        play.ask(c.BuyChips(entry=1, kind="add_on"), CASHIER)
    more = "CO-2315.05-buyins, CO-2315.07-1-extra"
    play.refused(more, c.BuyChips(entry=1, kind="add_on"), CASHIER)
    play.ask(c.BuyChips(entry=2, kind="add_on"), CASHIER)
    play.expect((play.state.entries["1"].points, play.state.entries["1"].waiting), (2500, 2000))
    play.report(e1=4000, e2=3000, e3=2000, e4=0, e5=1)
    play.refused("CO-2315.07-2", c.BuyChips(entry=5, kind="rebuy"), CASHIER)  # a point is left
    play.ask(c.BuyChips(entry=4, kind="rebuy"), CASHIER)
    play.refused("CO-2315.07-2", c.BuyChips(entry=4, kind="rebuy"), CASHIER)  # who has bought has chips
    play.ask(c.EndRound())
    play.expect([one.status for one in play.state.entries.values()], ["in", "in", "in", "in", "eliminated"])
    play.refused("CO-2315.07-2", c.BuyChips(entry=5, kind="add_on"), CASHIER)
    play.ask(c.EnterPlayer(event=HEATS, name="Eve"), CASHIER)
    play.ask(c.SignInPlayer(entry=6), CASHIER)
    play.start(HEATS, "t-1")
    play.expect(_stacks(play), {"1": 6000, "2": 4000, "3": 2000, "4": 2000, "6": 2500})
    play.refused("CO-2315.07-1-extra", c.BuyChips(entry=1, kind="add_on"), CASHIER)
    play.report(e1=10, e2=20, e3=30, e4=0, e6=0)
    play.ask(c.BuyChips(entry=4, kind="rebuy"), CASHIER)
    play.refused("CO-2315.07-1-extra", c.BuyChips(entry=4, kind="car"), CASHIER)
    play.ask(c.EndRound())
    play.start(HEATS, "t-1")
    play.expect(_stacks(play), {"2": 2500, "3": 2500, "4": 2000})
    play.refused("CO-2315.07-5-table", c.BuyChips(entry=4, kind="rebuy"), CASHIER)


@case("CO-2315.07-1-extra", "CO-2315.05-buyins", plan=_carrying)
def _everybody_who_plays_may_buy_as_often_as_the_plan_says(play: Played) -> None:
    _players(play, 4)
    play.ask(c.EnterPlayer(event=HEATS, name="Eve"), CASHIER)  # and does not come
    play.refused("CO-2315.07-1-extra", c.BuyChips(entry=1, kind="add_on"), CASHIER)
    play.start(HEATS, "t-1")
    play.refused("CO-2315.07-1-extra", c.BuyChips(entry=5, kind="add_on"), CASHIER)
    play.refused("form", c.BuyChips(entry=9, kind="add_on"), CASHIER)
    play.refused("form", c.BuyChips(entry=1, kind="add_on", how="in_kind"), CASHIER)
    for entry in (1, 2, 3, 4):
        for _ in range(2):
            (bought,) = play.ask(c.BuyChips(entry=entry, kind="add_on"), CASHIER)
            play.expect((bought.entry, bought.kind, bought.paid.cents, bought.points), (entry, "add_on", 40_00, 1000))
        play.refused("CO-2315.05-buyins, CO-2315.07-1-extra", c.BuyChips(entry=entry, kind="add_on"), CASHIER)
    play.expect([one.bought for one in play.state.entries.values()], [{"add_on": 2}] * 4 + [{}])


@case("CO-2315.07-1-extra", plan=lambda: _carrying(add_on=None, rebuy=None))
def _where_no_chips_are_sold_nobody_buys_any(play: Played) -> None:
    _players(play, 4)
    play.start(HEATS, "t-1")
    for kind in ("add_on", "rebuy"):
        play.refused("CO-2315.07-1-extra", c.BuyChips(entry=1, kind=kind), CASHIER)


@case("CO-2315.07-1-equal", plan=one_event)
def _the_sheet_to_sign_has_the_same_chips_for_all(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.ask(c.EnterPlayer(event=HEATS, name="Bob"), CASHIER)
    play.ask(c.EnterPlayer(event=HEATS, name="Cat"), CASHIER)
    play.ask(c.WithdrawEntry(entry=3, reason="ill"), CASHIER)
    sheet = play.prints(sign_in_sheet(play.rules, play.books, HEATS), f"Sign-in sheet: {HEATS} [CO-2315.07-1-equal]")
    play.expect(sheet.heads, ("entry", "player", "points to begin with", "signature"))
    play.expect(sheet.rows, (("1", "Ann", "2,500", "signed in, has the rules"), ("2", "Bob", "2,500", "")))


@case("CO-2315.07-2", "CO-2316-1-rank", plan=three_rounds)
def _who_has_lost_all_chips_is_out_and_the_best_go_on(play: Played) -> None:
    _players(play, 7)
    play.ask(c.EnterPlayer(event=HEATS, name="Hal"), CASHIER)  # and does not sign in
    play.start(HEATS, "t-1", "t-2")
    held = play.state.round
    assert held is not None
    tables = ([seat.entry for seat in held.seats if seat.table == table] for table in ("t-1", "t-2"))
    one, two = sorted(tables, key=len, reverse=True)
    points = {
        f"e{one[0]}": 9000,
        f"e{one[1]}": 8000,
        f"e{one[2]}": 7000,
        f"e{one[3]}": 9999,
        f"e{two[0]}": 1,
        f"e{two[1]}": 0,
        f"e{two[2]}": 0,
    }
    play.refused("form", c.EndRound())
    play.report(**points)
    play.ask(c.Disqualify(entry=one[3], cause="conduct", reason="shouted"))  # though nobody has more
    events = play.ask(c.EndRound())
    through = tuple(sorted((one[0], one[1], two[0])))
    play.expect(events[-1].advance, through)  # two of each table, but nobody without chips
    play.expect(sorted(event.entry for event in events[:-1]), sorted((one[2], two[1], two[2])))
    play.expect({number for number, entry in play.state.entries.items() if entry.status == "in"}, {*map(str, through)})
    play.start(HEATS, "t-1")
    held = play.state.round
    play.expect(sorted(held.entries) if held else [], [*through])


def _wild() -> Plan:
    rounds = (
        Round(name="Round 1", rolls=9, seats=4, advance=1, wild_cards=2, is_initial=True),
        Round(name="Final", rolls=9, seats=8),
    )
    return one_event(rounds=rounds, entries_max=8, rebuy=None, add_on=None)


@case("CO-2316-1-rank", plan=_wild)
def _the_best_of_all_others_go_on_too_and_ties_are_parted(play: Played) -> None:
    _players(play, 8)
    play.start(HEATS, "t-1", "t-2")
    held = play.state.round
    assert held is not None
    one, two = ([seat.entry for seat in held.seats if seat.table == table] for table in ("t-1", "t-2"))
    points = dict(zip((*one, *two), (900, 500, 400, 100, 800, 700, 400, 300), strict=True))
    play.report(**{f"e{entry}": has for entry, has in points.items()})
    sure = {one[0], two[0], two[1], one[1]}
    events = play.ask(c.EndRound())
    play.expect({*events[-1].advance}, sure)


@case("CO-2316-1-rank", plan=_wild)
def _who_is_level_for_the_last_place_is_parted_first(play: Played) -> None:
    _players(play, 8)
    play.start(HEATS, "t-1", "t-2")
    held = play.state.round
    assert held is not None
    one, two = ([seat.entry for seat in held.seats if seat.table == table] for table in ("t-1", "t-2"))
    points = dict(zip((*one, *two), (900, 500, 400, 400, 900, 400, 300, 0), strict=True))
    play.report(**{f"e{entry}": has for entry, has in points.items()})
    rank = "CO-2316-1-rank"
    play.refused(rank, c.EndRound())
    play.refused("form", c.PartTie(entries=(one[0], one[1]), how="roll_off"))  # not level
    play.refused("form", c.PartTie(entries=(one[2],), how="roll_off"))
    play.refused("form", c.PartTie(entries=(one[2], one[2]), how="roll_off"))
    play.refused("sheet", c.PartTie(entries=(one[2], one[3]), how="earlier_lead"))
    play.refused(rank, c.PartTie(entries=(one[2], one[3]), how="roll_off"))  # and two[1] is level with them
    play.ask(c.PartTie(entries=(two[1], one[3], one[2]), how="roll_off"))
    events = play.ask(c.EndRound())
    play.expect({*events[-1].advance}, {one[0], one[1], two[0], two[1]})
    play.start(HEATS, "t-1")
    play.expect({entry.tie_break for entry in play.state.entries.values() if entry.status == "in"}, {0})


@case("CO-2316-1-rank", plan=_wild)
def _who_is_level_for_the_last_place_of_a_table_is_parted_though_both_might_go_on_as_the_best_of_others(
    play: Played,
) -> None:
    _players(play, 8)
    play.start(HEATS, "t-1", "t-2")
    held = play.state.round
    assert held is not None
    one, two = ([seat.entry for seat in held.seats if seat.table == table] for table in ("t-1", "t-2"))
    points = dict(zip((*one, *two), (900, 900, 400, 100, 800, 700, 300, 200), strict=True))
    play.report(**{f"e{entry}": has for entry, has in points.items()})
    play.refused("CO-2316-1-rank", c.EndRound())
    play.ask(c.PartTie(entries=(one[1], one[0]), how="roll_off"))
    events = play.ask(c.EndRound())
    play.expect({*events[-1].advance}, {one[0], one[1], two[0], two[1]})


def _shared() -> Plan:
    plan = one_event()
    return replace(plan, sheet=replace(plan.sheet, ties="shared"))


@case("CO-2316-1-rank", "CO-2315.05-payall", plan=_shared)
def _level_players_share_where_the_sheet_has_it_so(play: Played) -> None:
    _players(play, 4)
    play.deal(HEATS, e1=100, e2=900, e3=900, e4=900)
    (ended,) = play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(ended.places, {"2": 1, "3": 1, "4": 1, "1": 4})
    play.expect(play.won(), {"2": 133_34, "3": 133_33, "4": 133_33})
    play.ask(c.Disqualify(entry=3, cause="conduct", reason="shouted"))
    play.expect(play.won(), {"2": 200_01, "4": 199_99})


@case("CO-2316-1-rank", plan=one_event)
def _points_count_more_than_what_parted_a_tie(play: Played) -> None:
    _players(play, 4)
    play.deal(HEATS, e1=100, e2=900, e3=900, e4=5000)
    level = "players are level for a prize: the rule sheet parts ties by roll_off"
    play.refused("CO-2316-1-rank", c.ConcludeEvent(event=HEATS), says=level)
    play.ask(c.PartTie(entries=(3, 2), how="roll_off"))
    (ended,) = play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(ended.places, {"4": 1, "3": 2, "2": 3, "1": 4})
    play.expect(play.won(), {"4": 240_00, "3": 160_00})


@case("CO-2316-1-rank", plan=one_event)
def _who_is_level_below_the_prizes_needs_no_parting(play: Played) -> None:
    _players(play, 4)
    play.deal(HEATS, e1=100, e2=100, e3=900, e4=5000)
    (ended,) = play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(ended.places, {"4": 1, "3": 2, "1": 3, "2": 3})


@case("CO-2316-1-rank", plan=one_event)
def _who_is_out_needs_no_parting(play: Played) -> None:
    _players(play, 4)
    play.start(HEATS, "t-1")
    play.refused("form", c.PartTie(entries=(1, 2), how="roll_off"))  # the points are not in
    play.report(e1=900, e2=900, e3=900, e4=1)
    play.ask(c.Disqualify(entry=3, cause="conduct", reason="shouted"))
    play.ask(c.EndRound())
    play.ask(c.PartTie(entries=(2, 1), how="roll_off"))
    (ended,) = play.ask(c.ConcludeEvent(event=HEATS))
    play.expect(ended.places, {"2": 1, "1": 2, "4": 3})


@case("CO-2316-1-rank", plan=one_event)
def _who_has_withdrawn_is_level_with_nobody(play: Played) -> None:
    _players(play, 4)
    play.ask(c.WithdrawEntry(entry=3, reason="ill"), CASHIER)
    too = "these are level with entry 4 too"
    play.refused("CO-2316-1-rank", c.PartTie(entries=(2, 1), how="roll_off"), says=too)
    (parted,) = play.ask(c.PartTie(entries=(4, 2, 1), how="roll_off"))
    play.expect(parted.entries, (4, 2, 1))


def _things() -> Plan:
    prizes = (Prize(basis_points=10_000, item="a car", item_cents=9000_00), Prize(item="a watch", item_cents=80_00))
    return one_event(places=tuple(Place(place=number, prize=one) for number, one in enumerate(prizes, start=1)))


@case("CO-2316-1-rank", plan=_things)
def _a_thing_goes_to_one_alone(play: Played) -> None:
    _players(play, 3)
    play.deal(HEATS, e1=900, e2=100, e3=100)
    alone = "players are level for a prize that cannot be shared: part them first"
    play.refused("CO-2316-1-rank", c.ConcludeEvent(event=HEATS), says=alone)
    play.ask(c.PartTie(entries=(3, 2), how="roll_off"))
    play.ask(c.ConcludeEvent(event=HEATS))
    play.expect({key: one.item for key, one in play.state.awards.items()}, {"1": "a car", "3": "a watch"})


@case("CO-2316-1-rank", "CO-2315.07-5-hidden", "CO-2315.07-5-table", plan=_carrying)
def _a_count_of_chips_is_held_against_the_record(play: Played) -> None:
    _players(play, 4)
    play.start(HEATS, "t-1")
    play.refused("form", c.CountChips(entry=1, counted=2500), DEALER)
    play.ask(c.BuyChips(entry=2, kind="add_on"), CASHIER)
    play.report(e1=2000, e2=1000, e3=500, e4=1)
    (counted,) = play.ask(c.CountChips(entry=1, counted=2000), DEALER)
    play.expect((counted.counted, counted.recorded), (2000, 2000))
    hidden = "CO-2316-1-rank, CO-2315.07-5-hidden"
    for entry, found, clause in (
        (1, 2001, hidden),
        (1, 1999, hidden),
        (2, 999, hidden),
        (2, 1001, f"{hidden}, CO-2315.07-5-table"),
        (2, 2000, f"{hidden}, CO-2315.07-5-table"),
        (4, 0, hidden),
    ):
        counted, breach = play.ask(c.CountChips(entry=entry, counted=found), DEALER)
        play.expect((breach.clause, breach.entry), (clause, entry))
    play.expect(play.state.breaches, 6)
    play.refused("form", c.CountChips(entry=1, counted=-1), DEALER)
    play.refused("form", c.CountChips(entry=9, counted=1), DEALER)


@case("CO-2316-1-novalue", plan=one_event)
def _no_table_of_a_round_has_a_bank_of_money(play: Played) -> None:
    _players(play, 2)
    play.start(HEATS, "t-1")
    assert play.state.round is not None
    mode = points_mode(play.rules, play.state, play.state.round)
    found = [
        [one.clause for one in unfit_round(mode, bank, is_keyed=is_keyed)]
        for bank, is_keyed in ((0, True), (100_00, True), (0, False))
    ]
    play.expect(found, [[], ["CO-2316-1-novalue"], ["CO-2316-1-novalue"]])


@case("CO-2316-2-notice", "CO-2316-2-change", "CO-2316-2-current", plan=one_event)
def _colours_change_between_rounds_and_the_notice_with_them(play: Played) -> None:
    notice = play.prints(
        chips_notice(play.rules, play.books), "Points of each colour [CO-2316-2-notice, CO-2316-2-current]"
    )
    play.expect(notice.heads, ("colour", "points"))
    play.expect(notice.rows, (("white", "25"), ("green", "100"), ("black", "500")))
    for wrong in ({}, {" ": 5}, {"red": 0}, {"red": 5, "": 1}):
        play.refused("form", c.SetColours(points=wrong))
    (changed,) = play.ask(c.SetColours(points={"red": 1}))
    play.expect(changed, e.ColoursSet({"red": 1}))
    play.expect(chips_notice(play.rules, play.books).rows, (("red", "1"),))
    _players(play, 2)
    play.ask(c.PrepareRound(event=HEATS, tables=("t-1",)))
    play.ask(c.SetColours(points={"white": 5}))
    play.expect(play.state.colours, {"white": 5})


@case("CO-2315-1-length", plan=three_rounds)
def _no_round_begins_more_than_four_months_after_the_first(play: Played) -> None:
    _players(play, 4)
    length = "CO-2315-1-length"
    play.deal(HEATS, e1=3000, e2=2000, e3=10, e4=0)
    play.at = "2027-04-01T23:00:00.000000Z"
    play.deal(HEATS, e1=3000, e2=2000)  # on the last day
    play.at = "2027-04-02T01:00:00.000000Z"  # of UTC; at the facility it is still the day before
    play.ask(c.PrepareRound(event=HEATS, tables=("t-1",)))
    play.draw()
    play.refused("form", c.StartRound(day="2027-03-31"), says="more than a day from")
    play.refused("form", c.StartRound(day="yesterday"))
    play.refused("form", c.ConcludeEvent(event=HEATS, day="2027-04-01"), says="has not had its last round")
    play.refused("form", c.ConcludeEvent(event=HEATS, day="2027-01-01"), says="more than a day from")
    late = "2027-04-02 is after 2027-04-01: Round 1 was played on 2026-12-01"
    play.refused(length, c.StartRound(), says=late)
    play.at = "2027-10-01T18:00:00.000000Z"  # ten months after the first
    play.refused(length, c.StartRound(day="2027-10-01"))
    breach, concluded = play.ask(c.ConcludeEvent(event=HEATS))  # nothing is stuck for that
    play.expect((breach.clause, breach.why), (length, "Heats ends without its last round, after 2027-04-01"))
    play.expect((concluded.places, play.won()), ({"1": 1, "2": 2, "3": 3, "4": 4}, {"1": 240_00, "2": 160_00}))
    play.close()


@case("CO-2315-1-length", plan=three_rounds)
def _days_of_play_are_those_of_the_facility(play: Played) -> None:
    _players(play, 4)
    play.at = "2026-12-01T05:00:00.000000Z"
    play.ask(c.PrepareRound(event=HEATS, tables=("t-1",)))
    play.draw()
    play.ask(c.StartRound(day="2026-11-30"))
    play.report(e1=3000, e2=2000, e3=10, e4=0)
    play.ask(c.EndRound())
    play.at = "2027-03-31T04:00:00.000000Z"
    play.ask(c.PrepareRound(event=HEATS, tables=("t-1",)))
    play.draw()
    play.refused("CO-2315-1-length", c.StartRound(), says="2027-03-31 is after 2027-03-30")
    (started,) = play.ask(c.StartRound(day="2027-03-30"))
    play.expect(started.day, "2027-03-30")
    play.at = "2027-05-01T18:00:00.000000Z"
    play.refused("form", c.ConcludeEvent(event=HEATS))  # what is being played is played to its end
    play.report(e1=3000, e2=2000)
    play.ask(c.EndRound())
    play.ask(c.ConcludeEvent(event=HEATS))
