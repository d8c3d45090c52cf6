"""The one-line notation: every table parses back to itself, and errors name the part that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from passline.dice import number_code
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game.decide import act
from passline.game.notation import NotationError, format_position, format_table, format_wager, parse_table, parse_wager
from passline.game.position import Dice, Money, Position, Seat, Table, Wager, open_table
from passline.refusal import Refused
from passline.rules.rules import AUTOMATED, Rules
from tests.case_files import cases_of
from tests.game.played import played, refused

_PLACES = st.shared(st.integers(0, 20), key="places")
_KINDS = sorted({kind for name in ("colorado", "section2", "arizona", "maryland") for kind in Rules.of(name).wagers})
_NUMBERS = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, number_code("1-3"), number_code("6-6")]
_CENTS = st.integers(1, 10**15)
_MONEY = st.integers(-(10**15), 10**15)
_ROLES = ("dealer", "boxperson", "dealer|boxperson", "floorperson", "stickperson|dealer")

_WAGERS = st.builds(
    Wager,
    seat=_PLACES.flatmap(lambda places: st.integers(1, max(places, 1))),
    owner=st.sampled_from(["player", "crew"]),
    kind=st.sampled_from(_KINDS),
    number=st.sampled_from(_NUMBERS),
    cents=_CENTS,
    working=st.sampled_from(["", "on?", "on", "off?", "off"]),
    vigorish=st.just(0) | _CENTS,
    coupon=st.just(0) | _CENTS,
    pending=st.lists(st.sampled_from(_ROLES), max_size=2, unique=True).map(tuple),
    late=st.booleans(),
    progress=st.lists(st.integers(0, 1 << 13), max_size=2).map(tuple),
)


@st.composite
def _tables(draw: st.DrawFn) -> Table:
    places = draw(_PLACES)
    seat = st.integers(0, places)
    amounts = st.lists(st.just(0) | _MONEY, min_size=places, max_size=places).map(tuple)
    position = Position(
        puck=draw(st.sampled_from([0, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12])),
        is_clearing=draw(st.booleans()),
        shooter=draw(seat),
        dice=draw(st.sampled_from(get_args(Dice))),
        offered_to=draw(seat),
        offer_from=draw(seat),
        declined=draw(seat),
        dice_set=draw(st.integers(0, 9)),
        faces=draw(st.just((0, 0)) | st.tuples(st.integers(1, 6), st.integers(1, 6))),
        is_disputed=draw(st.booleans()),
        closed=draw(st.lists(st.sampled_from(["new_hand", "front_line"]), unique=True).map(tuple)),
        seats=tuple(draw(st.lists(st.sampled_from(get_args(Seat)), min_size=places, max_size=places))),
        layout=tuple(sorted(draw(st.lists(_WAGERS, max_size=6)))) if places else (),
    )
    money = Money(draw(amounts), draw(_MONEY), draw(_MONEY), draw(_MONEY), draw(amounts), draw(_MONEY))
    return Table(position, money)


@given(_tables())
def test_every_table_prints_on_one_line_and_parses_back_to_itself(table: Table) -> None:
    line = format_table(table)
    assert "\n" not in line
    assert parse_table(line) == table
    assert line.startswith(format_position(table.position))


@given(_WAGERS)
def test_a_wager_parses_back_to_itself(wager: Wager) -> None:
    assert parse_wager(format_wager(wager)) == wager


_PIECES = st.lists(
    st.sampled_from(
        ["puck", "OFF", "ON 6", "seats", "1", "of", "2", "20", "up", "1 pass 10.00", "; ", "come", "-", "*"]
    )
    | st.sampled_from(["racks", "needs", "dealer", "x", "late", "vigorish", "dice", "held", "faces", "3-4", "offer"])
    | st.sampled_from(["progress", "1,48", "closed", "new_hand", "/crew"])
    | st.sampled_from([" ", " | ", "|", "from", "0.01", "bank", "-5.00", "\u0663", "\n"])
).map("".join)


@given(st.text() | _PIECES | _PIECES.map("puck OFF | seats 1 2 of 3 | ".__add__))
@example("puck OFF | seats of 999999999999")
@example("puck OFF | seats of \u0663")
@example("puck OFF | bank " + "9" * 5000 + ".00")
def test_junk_is_refused_in_one_line_or_is_a_table(text: str) -> None:
    message, table = "", None
    try:
        table = parse_table(text)
    except NotationError as error:
        message = str(error)
    assert (table is None) is (len(message.splitlines()) == 1)
    assert table is None or parse_table(format_table(table)) == table


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "not a part of a table"),
        ("seats 1 of 2", "the puck is missing"),
        ("puck ON", "the puck is OFF, or ON a point"),
        ("puck ON 7", "ON a point: 2 to 6 or 8 to 12"),
        ("puck ON 13", "ON a point: 2 to 6 or 8 to 12"),
        ("puck OFF | closed", "'' is not a name"),
        ("puck OFF | closed new_hand new_hand", "each window is named once"),
        ("puck OFF | seats 1 of 2 | up 1 fire 5.00 progress", "progress takes whole numbers"),
        ("puck OFF | seats 1 of 2 | up 1 fire 5.00 progress 1,", "progress takes whole numbers"),
        ("puck OFF | seats 1 of 2 | up 1 fire 5.00 progress 1 progress 1", "'progress' comes twice"),
        ("puck OFF 6", "the puck is OFF, or ON a point"),
        ("puck OFF | puck OFF", "'puck' comes twice"),
        ("puck OFF | pucks 3", "not a part of a table"),
        ("puck OFF | clearing up", "nothing may follow"),
        ("puck OFF | seats 1 2", "listed and then counted"),
        ("puck OFF | seats 1 1 of 2", "each seat once"),
        ("puck OFF | seats 1-* of 2", "each seat once"),
        ("puck OFF | seats 3 of 2", "'3' is not a whole number from 1 to 2"),
        ("puck OFF | seats 1 of 2 | shooter 3", "'3' is not a whole number from 1 to 2"),
        ("puck OFF | seats 1 of 2 | shooter 0", "'0' is not a whole number from 1 to 2"),
        ("puck OFF | dice lost", "the dice are one of"),
        ("puck OFF | faces 3-7", "faces are two numbers from 1 to 6"),
        ("puck OFF | seats 1 of 2 | offer 1 from 0", "'0' is not a whole number from 1 to 2"),
        ("puck OFF | set 0", "'0' is not a whole number"),
        ("puck OFF | seats 1 of 2 | up 3 pass 10.00", "there is no seat 3"),
        ("puck OFF | seats 1 of 2 | up 1 pass 10", "'' is not an amount"),
        ("puck OFF | seats 1 of 2 | up 1 pass 0.00", "'0.00' is not more than 0.00"),
        ("puck OFF | seats 1 of 2 | up 1 pass 10.00 on off", "'off' comes twice"),
        ("puck OFF | seats 1 of 2 | up 1 pass 10.00 lucky", "'lucky' is not understood after a wager's amount"),
        ("puck OFF | seats 1 of 2 | up 1 pass 10.00 needs 9", "needs takes roles"),
        ("puck OFF | seats 1 of 2 | up 1 Pass 10.00", "'Pass' is not a name"),
        ("puck OFF | seats 1 of 2 | racks 1 5.00; 1 6.00", "seat 1 comes twice"),
        ("puck OFF | bank 5", "'5' is not an amount such as 12.00"),
    ],
)
def test_an_error_names_what_is_wrong(text: str, why: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_table(text)
    assert why in str(caught.value)


def test_a_table_whose_racks_and_seats_differ_does_not_print() -> None:
    with pytest.raises(NotationError, match="1 seats, 0 racks and 0 coupons"):
        format_table(Table(Position(seats=("",)), Money()))


def test_the_line_leaves_defaults_out() -> None:
    line = (
        "puck ON 6 | shooter 1 | dice rest | set 5 | faces 3-4 | disputed | seats 1 2- 3* of 20"
        " | up 1 pass 10.00; 1 pass_odds 6 20.00; 2/crew hop 1-3 1.00 needs dealer|boxperson+floorperson late"
        "; 2 buy 4 25.00 off vigorish 1.00 | racks 1 470.00; 2 500.00 | bank 9000.00 | drop 1000.00"
    )
    table = parse_table(line)
    assert format_table(table) == line
    assert table.position.seats[:4] == ("seated", "standing", "employee", "")
    owed = ("dealer|boxperson", "floorperson")
    assert table.position.layout[2] == Wager(2, "crew", "hop", 113, 1_00, pending=owed, late=True)
    assert table.position.layout[3] == Wager(2, "player", "buy", 4, 25_00, working="off", vigorish=1_00)


@pytest.mark.parametrize("game", ["craps", "craps_free_craps"])
def test_side_wagers_tips_and_windows_survive_as_they_are_played(game: str) -> None:
    """Progress, ordinals, the crew's wagers and closed windows of a real table print and parse back."""
    tips: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    if game == "craps":
        house = {"side_wagers": {"fire": "A", "dice_ology": "B", "lucky_shooter": "C"}, "wager_cents_min": 100}
        rules, kinds = Rules.of("maryland", house=house), ("fire", "little_ones", "lucky_shooter")
    else:
        rules, tips = Rules.of("colorado", house={"tip_wagers": True}, game=game), ("pass",)
    table = open_table(rules)
    steps: list[c.Command] = [c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=500_00), c.AcceptDice(seat=1)]
    steps += [c.MakeWager(seat=1, wager="pass", cents=10_00)]
    steps += [c.MakeWager(seat=1, wager=kind, cents=5_00) for kind in kinds]
    steps += [c.MakeWager(seat=1, wager=kind, cents=5_00, owner="crew") for kind in tips]
    steps += [c.RollDice(first=5, second=6), c.MakeWager(seat=1, wager="pass", cents=10_00)] if not kinds else []
    steps += [c.RollDice(first=2, second=2)]
    steps += [c.MakeWager(seat=1, wager="little_ones", cents=3_00)] if kinds else []
    for step in steps:
        outcome = act(rules, table, step)
        assert not isinstance(outcome, Refused), str(outcome)
        table = outcome[1]
        assert parse_table(format_table(table)) == table
    line = format_table(table)
    if kinds:
        assert "closed new_hand | " in line
        assert "fire 5.00 progress 1,0; 1 little_ones 5.00 progress 16; 1 little_ones 1 3.00; " in line
    else:
        assert line.startswith("puck ON 11 | ")
        assert "up 1/crew pass 5.00; 1 pass 20.00 | " in line


TABLE_LINES = cases_of(Path(__file__).parent / "cases" / "tables.txt")


def _table(line: str) -> str:
    try:
        return format_table(parse_table(line))
    except CrapsError as error:
        return str(error)


@pytest.mark.parametrize(("line", "told"), TABLE_LINES, ids=[line for line, _ in TABLE_LINES])
def test_a_table_is_read_from_its_line_and_prints_the_same_in_order(line: str, told: list[str]) -> None:
    assert [_table(line)] == told


def test_no_amount_is_too_large_to_print() -> None:
    """MD-4.B: amounts too large for the notation are refused."""
    rules, most = Rules.of("maryland"), 10**11
    _log, table = played(rules, c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=most), c.Fill(by="floorperson", cents=most))
    assert parse_table(format_table(table)) == table
    for command in (
        c.BuyIn(seat=1, cents=most + 1_00),
        c.Fill(by="floorperson", cents=most + 1_00),
        c.Credit(by="floorperson", cents=most + 1_00),
    ):
        assert "MD-4.B" in refused(rules, table, command)
    lifted = Rules.of("maryland", limits_apply=False)
    bet = c.MakeWager(seat=1, wager="field", cents=most + 1_00, media=("cash",))
    assert "MD-4.B" in refused(lifted, table, bet)
    assert not isinstance(act(lifted, table, msgspec.structs.replace(bet, cents=most)), Refused)
    section2 = Rules.of("section2")
    _log, table = played(section2, c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=0, coupon=most))
    assert parse_table(format_table(table)) == table
    assert "S2-c2.layout" in refused(section2, table, c.BuyIn(seat=1, cents=0, coupon=most + 1))


def test_no_set_of_dice_is_too_large_to_print() -> None:
    """MD-7.A: only the whole set is offered, so its size fits the notation."""
    rules = Rules.of("maryland", house={"dice_set": 6}, automate=AUTOMATED - {"offer"})
    _log, table = played(rules, c.TakeSeat(seat=1))
    for dice in (5, 7, 10**20):
        assert "MD-7.A" in refused(rules, table, c.OfferDice(by="stickperson", dice=dice))
    _log, table = played(rules, c.TakeSeat(seat=1), c.OfferDice(by="stickperson", dice=6))
    assert parse_table(format_table(table)) == table
