"""Wagers for the crew: the player's to make and to control, the crew's money once they are posted."""

import pytest

from passline.game import commands as c
from passline.game import events as e
from tests.clauses.side.colorado import SEVEN, WAYS, Logged, row_of, stated, with_limits
from tests.clauses.table import ANN, BOB, SHOOTER, Play, breaches_of, cites, make, rules_of, settled

FRONT = "front_line_winner"
OWNER = {"colorado": "CO-2318-owner", "arizona": "AZ-II.M.3-b"}


def _tip(seat: int, wager: str, cents: int, number: int = 0) -> c.MakeWager:
    return c.MakeWager(seat=seat, wager=wager, number=number, cents=cents, owner="crew")


def _tips(regulation: str, **house: object) -> Play:
    elected = {"tip_wagers": True} if regulation == "colorado" else {}
    return Play(rules_of(regulation, house={**elected, **house}))


def _box(play: Play) -> int:
    return play.table.money.tip_box


def _of_crew(play: Play, seat: int) -> dict[str, int]:
    layout = play.table.position.layout
    return {wager.kind: wager.cents for wager in layout if wager.owner == "crew" and wager.seat == seat}


# --- where they are allowed -------------------------------------------------------------------------------------------


@pytest.mark.clause("CO-2318-pc")
def test_CO_2318_pc__the_house_may_allow_tip_wagers() -> None:
    """CO-2318-pc: not unless it has elected them; then on any wager."""
    assert row_of("CO-2318-pc").values["player_controlled_tips"] == "true|false"
    assert not rules_of("colorado").house.tip_wagers
    closed = Play(rules_of("colorado")).shoots()
    for kind, number in (("pass", 0), ("field", 0), ("place_win", 6), ("hardway", 8), ("horn", 0)):
        cents = 20_00 if kind == "horn" else 6_00
        assert cites(closed.refuse(_tip(ANN, kind, cents, number))) == {"CO-2318-pc"}
        _tips("colorado").do(_tip(ANN, kind, cents, number))
    assert "CO-2318-pc" in cites(breaches_of("colorado", {"tip_wagers": "sometimes"}))
    for wager in ("fire", "sharp_shooter"):
        table = {"side_wagers": {wager: {"fire": "FB-1", "sharp_shooter": "SS-01"}[wager]}}
        assert cites(Play(rules_of("colorado", house=table)).refuse(_tip(ANN, wager, 5_00))) == {"CO-2318-pc"}
        _tips("colorado", **table).do(_tip(ANN, wager, 5_00))


@pytest.mark.clause("AZ-II.M.3-b")
def test_AZ_II_M_3_b__a_player_may_wager_for_the_crew_whatever_the_house_says() -> None:
    """AZ-II.M.3-b: a right that no house can elect away; within the player's own limits; for nobody else."""
    assert row_of("AZ-II.M.3-b").values["tip_bet"] == "true"
    assert "AZ-II.M.3-b" in cites(breaches_of("arizona", {"tip_wagers": False}))
    play = _tips("arizona").shoots()
    made = play.do(_tip(ANN, "field", 5_00))
    assert "AZ-II.M.3-b" in cites(made)
    most = play.rules.wagers["field"].max
    for cents in (play.rules.wagers["field"].min - 1_00, most + play.rules.chip):
        assert play.refuse(_tip(BOB, "field", cents))
    play.do(_tip(BOB, "field", most))
    for owner in ("supervisor", "house", "", "Player"):
        assert play.refuse(c.MakeWager(seat=ANN, wager="pass", cents=5_00, owner=owner))


@pytest.mark.clause("CO-2318-pc")
@pytest.mark.parametrize("regulation", ["maryland", "section2"])
def test_no_tip_wager_where_the_regulation_knows_none(regulation: str) -> None:
    """CO-2318-pc is Colorado's, and Arizona has its own: elsewhere no house may take a wager for the crew."""
    play = Play(rules_of(regulation)).shoots()
    assert play.refuse(_tip(ANN, "field", 5_00))
    assert breaches_of(regulation, {"tip_wagers": True})
    assert not breaches_of("colorado", {"tip_wagers": True})
    assert "CO-2318-pc" in cites(Play(rules_of("colorado")).shoots().refuse(_tip(ANN, "field", 5_00)))


# --- whose money they are ---------------------------------------------------------------------------------------------


@pytest.mark.clause("CO-2318-owner", "AZ-II.M.3-b")
@pytest.mark.parametrize("regulation", OWNER)
def test_a_posted_tip_is_the_crews_to_win_or_lose(regulation: str) -> None:
    """CO-2318-owner, AZ-II.M.3-b: out of the player's rack at once; what it wins goes to the tip box."""
    play = _tips(regulation)
    made = play.do(_tip(ANN, "pass", 6_00))
    assert OWNER[regulation] in cites(made)
    play.make(ANN, "pass", 10_00)
    play.do(_tip(BOB, "pass", 8_00))
    assert (play.rack(ANN), _of_crew(play, ANN), _of_crew(play, BOB)) == (
        1_000_000_00 - 16_00,
        {"pass": 6_00},
        {"pass": 8_00},
    )
    racks = play.rack(ANN), play.rack(BOB)
    won, lost = play.fork().shoots(), play.shoots()
    won.roll("5-6")
    assert (_box(won), won.rack(ANN), won.rack(BOB)) == (28_00, racks[0] + 20_00, racks[1])
    bank = lost.table.money.bank
    lost.roll("1-1")
    assert (_box(lost), lost.rack(ANN), lost.rack(BOB)) == (0, *racks)
    assert lost.table.money.bank - bank == 6_00 + 10_00 + 8_00 + lost.rules.wagers["pass"].min


@pytest.mark.clause("CO-2318-owner", "AZ-II.M.3-b")
@pytest.mark.parametrize("regulation", OWNER)
def test_taking_a_tip_down_pays_the_tip_box(regulation: str) -> None:
    """CO-2318-owner, AZ-II.M.3-b: the player controls it and can never have it back: whole, in part, or undecided."""
    play = _tips(regulation).shoots()
    play.roll(WAYS[4])
    play.do(_tip(ANN, "place_win", 12_00, 6))
    play.make(ANN, "place_win", 6_00, 6)
    rack = play.rack(ANN)
    part = play.do(c.ReduceWager(seat=ANN, wager="place_win", number=6, cents=6_00, owner="crew"))
    assert (_box(play), play.rack(ANN)) == (6_00, rack)
    whole = play.do(c.RemoveWager(seat=ANN, wager="place_win", number=6, owner="crew"))
    assert (_box(play), play.rack(ANN)) == (12_00, rack)
    for happened in (part, whole):
        assert OWNER[regulation] in cites(happened)
    own = play.do(c.RemoveWager(seat=ANN, wager="place_win", number=6))
    assert (_box(play), play.rack(ANN)) == (12_00, rack + 6_00)
    assert OWNER[regulation] not in cites(own)
    assert play.refuse(c.RemoveWager(seat=BOB, wager="place_win", number=6, owner="crew"))


@pytest.mark.clause("CO-2318-owner")
def test_CO_2318_owner__a_void_tip_and_its_vigorish_go_to_the_tip_box() -> None:
    """CO-2318-owner: a don't pass tip on a come-out 12; the charge held on a buy tip that comes down."""
    play = _tips("colorado")
    play.do(_tip(ANN, "dont_pass", 9_00))
    rack = play.rack(ANN)
    play.shoots().roll("6-6")
    assert (_box(play), play.rack(ANN)) == (9_00, rack)
    play.do(_tip(BOB, "buy", 40_00, 4))
    rack = play.rack(BOB)
    assert rack == 1_000_000_00 - 42_00
    play.do(c.RemoveWager(seat=BOB, wager="buy", number=4, owner="crew"))
    assert (_box(play), play.rack(BOB)) == (9_00 + 42_00, rack)


@pytest.mark.clause("CO-2318-owner")
def test_CO_2318_owner__a_tip_is_apart_from_the_players_own_wagers() -> None:
    """CO-2318-owner: it is no line wager of the shooter's, and taking one's own down leaves the crew's odds alone."""
    play = _tips("colorado")
    play.do(_tip(SHOOTER, "pass", 5_00))
    play.do(c.AcceptDice(seat=SHOOTER))
    assert play.refuse(c.RollDice(first=2, second=2))
    play.shoots()
    for owner in ("crew", "player"):
        play.do(c.MakeWager(seat=ANN, wager="dont_pass", cents=10_00, owner=owner))
    play.roll(WAYS[4])
    assert play.refuse(_tip(BOB, "dont_pass_odds", 20_00, 4))  # nobody's don't pass wager of his stands there
    for owner in ("crew", "player"):
        play.do(c.MakeWager(seat=ANN, wager="dont_pass_odds", number=4, cents=20_00, owner=owner))
    rack = play.rack(ANN)
    play.do(c.RemoveWager(seat=ANN, wager="dont_pass"))
    assert (_box(play), play.rack(ANN)) == (0, rack + 30_00)
    assert _of_crew(play, ANN) == {"dont_pass": 10_00, "dont_pass_odds": 20_00}
    play.roll(SEVEN)
    assert (_box(play), play.rack(ANN)) == (10_00 + 10_00 + 20_00 + 10_00, rack + 30_00)


@pytest.mark.parametrize(
    "clause", [pytest.param(one, marks=pytest.mark.clause(one), id=one) for one in ("CO-2317.01-5", "CO-2317.02-4")]
)
def test_where_a_tip_lies_is_the_houses_choice(clause: str) -> None:
    """CO-2317.01-5, CO-2317.02-4: at the top of the area or on the player's wager; the first by default."""
    positions = row_of(clause).values["tip_position"].split("|")
    for position in positions:
        assert rules_of("colorado", house={"tip_position": position}).house.tip_position == position
    assert rules_of("colorado").house.tip_position in positions
    for position in ("", "anywhere", "|".join(positions)):
        assert clause in cites(breaches_of("colorado", {"tip_position": position}))
    wager, table = {"CO-2317.01-5": ("fire", "FB-4"), "CO-2317.02-4": ("sharp_shooter", "SS-04")}[clause]
    play = Logged(rules_of("colorado", house={"side_wagers": {wager: table}, "tip_wagers": True}))
    play.make(ANN, wager, 20_00)
    play.do(_tip(ANN, wager, 5_00))
    rack = play.rack(ANN)
    play.makes(4, 5, 6)
    play.sevens_out()
    pays = 6 if wager == "fire" else 5
    assert (_box(play), play.rack(ANN)) == (5_00 * (pays + 1), rack + 20_00 * (pays + 1))


# --- on the Super Front Line Winner -----------------------------------------------------------------------------------


def _front(**house: object) -> Logged:
    play = with_limits(FRONT, "7", 50, 100_00, smallest_chip_cents=50, front_line_tips=True, **house)
    play.make(ANN, "pass", 5_00)
    play.make(ANN, FRONT, 20_00)
    return play


@pytest.mark.clause("CO-2317.04-8-allow")
def test_CO_2317_04_8_allow__the_house_may_let_its_bettor_tip_on_it() -> None:
    """CO-2317.04-8-allow: by an election of its own, whatever holds for other tips; only who has the wager."""
    assert row_of("CO-2317.04-8-allow").values["tip_bets"] == "true|false"
    play = _front()
    made = play.do(_tip(ANN, FRONT, 5_00))
    assert "CO-2317.04-8-allow" in cites(made)
    play.make(BOB, "pass", 5_00)
    assert "CO-2317.04-8-allow" in cites(play.refuse(_tip(BOB, FRONT, 5_00)))
    play.make(BOB, FRONT, 5_00)
    play.do(_tip(BOB, FRONT, 5_00))
    assert cites(play.refuse(_tip(ANN, "field", 5_00))) == {"CO-2318-pc"}
    other = Logged(rules_of("colorado", house={"side_wagers": {FRONT: "7"}, "tip_wagers": True}))
    other.make(ANN, "pass", 5_00)
    other.make(ANN, FRONT, 20_00)
    assert "CO-2317.04-8-allow" in cites(other.refuse(_tip(ANN, FRONT, 5_00)))
    other.do(_tip(ANN, "field", 5_00))
    assert "CO-2317.04-8-allow" in cites(breaches_of("colorado", {"front_line_tips": "perhaps"}))


@pytest.mark.clause("CO-2317.04-8-same")
@pytest.mark.parametrize("count", [2, 3, 4, 5, 11])
def test_CO_2317_04_8_same__a_tip_earns_the_same_odds(count: int) -> None:
    """CO-2317.04-8-same: line by line as the player's own wager: it loses, pushes or wins alike, to the tip box."""
    play = _front()
    assert "CO-2317.04-8-same" in cites(play.do(_tip(ANN, FRONT, 5_00)))
    for _ in range(count - 1):
        play.throws("5-6")
    rack = play.rack(ANN)
    happened = play.sevens_out()
    own, tip = (
        next(one for one in settled(happened, ANN, FRONT) if one.wager.owner == owner) for owner in ("player", "crew")
    )
    assert type(own) is type(tip)
    assert own.clause == tip.clause
    if isinstance(own, e.WagerWon):
        assert isinstance(tip, e.WagerWon)
        row = row_of(f"CO-2317.04-PT7-{count}")
        assert str(own.pays) == str(tip.pays) == stated(row)
        assert (tip.winnings * 4, _box(play)) == (own.winnings, 5_00 + tip.winnings)
        assert play.rack(ANN) == rack + 20_00 + own.winnings
    else:
        gains = 1 if isinstance(own, e.WagerReturned) else 0
        assert (_box(play), play.rack(ANN)) == (5_00 * gains, rack + 20_00 * gains)


@pytest.mark.clause("CO-2317.04-8-even")
def test_CO_2317_04_8_even__the_house_may_insist_on_whole_dollars() -> None:
    """CO-2317.04-8-even: whole, not even: 1.00 and 3.00 will do and 2.50 will not; without the election it does."""
    strict = _front(front_line_tips_whole_dollars=True)
    for cents in (50, 1_50, 2_50):
        assert "CO-2317.04-8-even" in cites(strict.refuse(_tip(ANN, FRONT, cents)))
        _front().do(_tip(ANN, FRONT, cents))
    for cents in (1_00, 3_00, 4_00):
        strict.fork().do(_tip(ANN, FRONT, cents))
    strict.make(BOB, "pass", 5_00)
    strict.make(BOB, FRONT, 2_50)  # a player's own wager is not meant
    assert "CO-2317.04-8-even" in cites(breaches_of("colorado", {"front_line_tips_whole_dollars": 1_00}))


@pytest.mark.clause("CO-2317.04-8-max")
def test_CO_2317_04_8_max__the_house_may_cap_tips() -> None:
    """CO-2317.04-8-max: at the cap, under it and over it; no cap by default; none below nothing."""
    assert rules_of("colorado").house.front_line_tip_cents_max == 0
    capped = _front(front_line_tip_cents_max=10_00)
    assert "CO-2317.04-8-max" in cites(capped.refuse(_tip(ANN, FRONT, 10_50)))
    for cents in (9_50, 10_00):
        capped.fork().do(_tip(ANN, FRONT, cents))
    _front().do(_tip(ANN, FRONT, 90_00))
    assert "CO-2317.04-8-max" in cites(breaches_of("colorado", {"front_line_tip_cents_max": -1}))


def test_a_tip_on_it_is_locked_as_the_wager_is() -> None:
    """What may not be taken down, raised or lowered by its player may not be as the crew's either."""
    play = _front()
    play.do(_tip(ANN, FRONT, 5_00))
    assert play.refuse(c.RemoveWager(seat=ANN, wager=FRONT, owner="crew"))
    assert play.refuse(c.ReduceWager(seat=ANN, wager=FRONT, owner="crew", cents=1_00))
    assert play.refuse(_tip(ANN, FRONT, 5_00))
    assert play.refuse(make(ANN, FRONT, 5_00))
