"""Cases of prizes that the last players share: all of them, freely, cash only, and as agreed."""

from __future__ import annotations

from msgspec.structs import replace

from passline.streams.course import Actor
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.plan.schema import Place, Plan, Prize, Round
from passline.tournament.reports import prizes_table
from tests.tournament.director import CASHIER, DEALER, DIRECTOR
from tests.tournament.engine_case import Played
from tests.tournament.engine_cases import CHAMPIONS, HEATS, MASTERS, case, cup, one_event

OWNER = Actor("olga", "Olga", "owner", is_employee=True)
ALL = "CO-2315.07-3"


def _player(number: int) -> Actor:
    return Actor(f"p{number}", f"Player {number}", "player")


def _entered(play: Played, count: int = 4) -> None:
    for number in range(1, count + 1):
        play.enter(HEATS, f"Player {number}", account=f"p{number}")


def _signed(play: Played, shares: dict[str, int]) -> None:
    first = int(next(iter(shares)))
    play.ask(c.ProposeSplit(event=HEATS, entry=first, shares=shares), _player(first))
    for entry in shares:
        play.ask(c.AgreeSplit(entry=int(entry)), replace(_player(0), account=play.state.entries[entry].account))


def _two_rounds() -> Plan:
    rounds = (
        Round(name="Round 1", rolls=9, seats=8, advance=2, is_initial=True),
        Round(name="Final", rolls=9, seats=8),
    )
    prizes = (Prize(basis_points=5000, cents=10_00), Prize(basis_points=3000), Prize(basis_points=2000))
    places = tuple(Place(place=number, prize=one) for number, one in enumerate(prizes, start=1))
    return one_event(rounds=rounds, places=places, entries_max=8, rebuy=None, add_on=None)


@case("CO-2315.07-3", "CO-2315.07-3-c-award", "CO-2315.07-3-c-record", "CO-2315.05-payall", plan=_two_rounds)
def _those_left_share_what_their_places_win_and_the_others_keep_theirs(play: Played) -> None:
    _entered(play)
    play.refused("form", c.ProposeSplit(event=HEATS, entry=1, shares={}), _player(1))  # nothing has begun
    play.deal(HEATS, e1=3000, e2=2000, e3=30, e4=10)
    shares = {"1": 100_00, "2": 230_00}
    play.refused(ALL, c.ProposeSplit(event=HEATS, entry=1, shares={**shares, "3": 0}), _player(1))
    play.refused(
        "CO-2315.05-payall", c.ProposeSplit(event=HEATS, entry=1, shares={"1": 100_00, "2": 229_99}), _player(1)
    )
    play.refused("CO-2315.05-payall", c.ProposeSplit(event=HEATS, entry=1, shares={"1": -1, "2": 330_01}), _player(1))
    play.refused("form", c.ProposeSplit(event=HEATS, entry=3, shares=shares), _player(3))  # who is out
    play.start(HEATS, "t-1")
    _signed(play, shares)
    play.refused("form", c.AgreeSplit(entry=1), _player(1))  # once
    play.refused(ALL, c.AgreeSplit(entry=2), _player(1))
    play.refused("form", c.AgreeSplit(entry=3), _player(3))
    (confirmed,) = play.ask(c.ConfirmSplit(entry=2, is_understood=True))
    play.expect(confirmed, e.SplitConfirmed(2))
    play.refused("form", c.ConfirmSplit(entry=2, is_understood=True))
    play.expect(play.state.awards, {})
    events = play.ask(c.ConfirmSplit(entry=1, is_understood=True))
    play.expect([type(one).__name__ for one in events], ["SplitConfirmed", "SplitMade", "RoundEnded", "EventConcluded"])
    made, ended = events[1], events[3]
    play.expect((made.event_name, made.shares, made.clause), (HEATS, shares, "CO-2315.07-3-c-award"))
    play.expect(ended.places, {"1": 1, "2": 1, "3": 3, "4": 4})
    won = {key: (one.pool_cents, one.house_cents, one.place) for key, one in play.state.awards.items()}
    play.expect(won, {"1": (100_00, 0, 1), "2": (220_00, 10_00, 1), "3": (80_00, 0, 3)})
    for entry in (1, 2, 3):
        play.ask(c.PayPrize(entry=entry), CASHIER)
    rows = [row[1:] for row in prizes_table(play.rules, play.books).rows]
    names = [(str(number), f"Player {number}", "cash") for number in (1, 2, 3)]
    wanted = [(*name, cents) for name, cents in zip(names, (100_00, 230_00, 80_00), strict=True)]
    play.expect(rows, [*wanted, ("", "Total", "", 410_00)])
    play.ask(c.CountFees(counted=200_00), CASHIER)
    play.ask(c.CloseTournament())


@case("CO-2315.07-3", plan=_two_rounds)
def _who_enters_again_is_among_those_who_must_agree(play: Played) -> None:
    _entered(play, 3)
    play.deal(HEATS, e1=3000, e2=2000, e3=0)
    play.ask(c.EnterPlayer(event=HEATS, name="Player 3", account="p3"), CASHIER)
    play.expect([one.number for one in play.state.players_left(HEATS)], [1, 2])
    play.ask(c.SignInPlayer(entry=4), CASHIER)
    play.expect([one.number for one in play.state.players_left(HEATS)], [1, 2, 4])
    _signed(play, {"1": 200_00, "2": 100_00, "4": 110_00})
    play.ask(c.AddMoney(event=HEATS, cents=1))
    for entry in (1, 2):
        play.ask(c.ConfirmSplit(entry=entry, is_understood=True))
    play.refused(ALL, c.ConfirmSplit(entry=4, is_understood=True))  # a cent came in since


@case("CO-2315.07-3", plan=_two_rounds)
def _who_comes_after_the_last_round_has_begun_is_not_among_those_left(play: Played) -> None:
    _entered(play, 3)
    play.deal(HEATS, e1=3000, e2=2000, e3=0)
    play.ask(c.EnterPlayer(event=HEATS, name="Player 3", account="p3"), CASHIER)
    play.start(HEATS, "t-1")
    play.ask(c.SignInPlayer(entry=4), CASHIER)  # too late for a seat
    play.expect([one.number for one in play.state.players_left(HEATS)], [1, 2])
    play.refused(ALL, c.ProposeSplit(event=HEATS, entry=1, shares={"1": 1, "2": 1, "4": 1}), _player(1))


def _thing_for_the_third() -> Plan:
    """Two rounds, of which two reach the last; two prizes of cash, one of them of the house too, and a thing."""
    prizes = (Prize(basis_points=6000, cents=10_00), Prize(basis_points=4000), Prize(item="a watch", item_cents=80_00))
    places = tuple(Place(place=number, prize=one) for number, one in enumerate(prizes, start=1))
    return replace(_two_rounds(), events=(replace(_two_rounds().events[0], places=places),))


@case("CO-2315.07-3-c-award", "CO-2315.07-3-c-record", plan=_thing_for_the_third)
def _a_split_between_rounds_pays_by_entry_and_ends_no_round_twice(play: Played) -> None:
    _entered(play, 3)
    play.deal(HEATS, e1=2000, e2=3000, e3=30)
    _signed(play, {"2": 10_00, "1": 300_00})
    play.ask(c.ConfirmSplit(entry=1, is_understood=True))
    events = play.ask(c.ConfirmSplit(entry=2, is_understood=True))
    play.expect([type(one).__name__ for one in events], ["SplitConfirmed", "SplitMade", "EventConcluded"])
    won = [(one.entry, one.place, one.pool_cents, one.house_cents, one.item) for one in events[2].awards]
    play.expect(won, [(3, 3, 0, 0, "a watch"), (1, 1, 300_00, 0, ""), (2, 1, 0, 10_00, "")])
    play.expect(events[2].places, {"1": 1, "2": 1, "3": 3})
    for entry in (3, 2, 1):
        play.ask(c.PayPrize(entry=entry), CASHIER)
    rows = [row[1:] for row in prizes_table(play.rules, play.books).rows]
    wanted = [
        ("3", "Player 3", "a watch", 80_00),
        ("2", "Player 2", "cash", 10_00),
        ("1", "Player 1", "cash", 300_00),
        ("", "Total", "", 390_00),
    ]
    play.expect(rows, wanted)


@case("CO-2315.07-3", "CO-2315-2-c-dq", plan=one_event)
def _a_split_ends_with_who_is_disqualified(play: Played) -> None:
    _entered(play, 3)
    play.start(HEATS, "t-1")
    play.refused("form", c.AgreeSplit(entry=1), _player(1))
    play.refused("form", c.ConfirmSplit(entry=1, is_understood=True))
    play.refused("form", c.StopSplit(reason="no"), _player(1))
    _signed(play, {"1": 100_00, "2": 100_00, "3": 100_00})
    events = play.ask(c.Disqualify(entry=3, cause="conduct", reason="shouted"))
    play.expect([*events], [e.PlayerDisqualified(3, "practice", "shouted"), e.SplitStopped("entry 3 is disqualified")])
    play.expect(play.state.split, None)
    play.expect([one.number for one in play.state.players_left(HEATS)], [1, 2])
    _signed(play, {"1": 150_00, "2": 150_00})
    for entry in (1, 2):
        play.ask(c.ConfirmSplit(entry=entry, is_understood=True))
    play.expect(play.won(), {"1": 150_00, "2": 150_00})


@case("CO-2315.07-3", plan=one_event)
def _who_has_no_account_signs_on_paper(play: Played) -> None:
    play.enter(HEATS, "Ann")
    play.enter(HEATS, "Bob")
    play.start(HEATS, "t-1")
    shares = {"1": 150_00, "2": 50_00}
    play.refused(ALL, c.ProposeSplit(event=HEATS, entry=1, shares=shares), _player(1))
    play.ask(c.ProposeSplit(event=HEATS, entry=1, shares=shares), DEALER)
    play.refused(ALL, c.AgreeSplit(entry=1), _player(1))
    play.ask(c.AgreeSplit(entry=1), DEALER)


@case("CO-2315.07-3", plan=lambda: replace(one_event(), splits=False))
def _where_the_rules_allow_no_split_there_is_none(play: Played) -> None:
    _entered(play, 2)
    play.start(HEATS, "t-1")
    play.refused(ALL, c.ProposeSplit(event=HEATS, entry=1, shares={"1": 100_00, "2": 100_00}), _player(1))


@case("CO-2315.07-3-b-encourage", "CO-2315.07-3-b-understand", plan=one_event)
def _neither_director_nor_owner_suggests_or_signs_one(play: Played) -> None:
    _entered(play, 2)
    play.start(HEATS, "t-1")
    shares = {"1": 100_00, "2": 100_00}
    for boss in (DIRECTOR, OWNER):
        play.refused("CO-2315.07-3-b-encourage", c.ProposeSplit(event=HEATS, entry=1, shares=shares), boss)
    _signed(play, shares)
    play.ask(c.StopSplit(reason="I slept on it"), _player(1))
    play.ask(c.ProposeSplit(event=HEATS, entry=2, shares=shares), _player(2))
    for boss in (DIRECTOR, OWNER):
        play.refused("CO-2315.07-3-b-encourage", c.AgreeSplit(entry=1), boss)
    play.ask(c.AgreeSplit(entry=1), _player(1))
    play.refused("CO-2315.07-3-b-understand", c.ConfirmSplit(entry=1, is_understood=False))
    (confirmed,) = play.ask(c.ConfirmSplit(entry=1, is_understood=True))
    play.expect(confirmed, e.SplitConfirmed(1))


@case("CO-2315.07-3-b-coerce", plan=one_event)
def _whoever_runs_it_stops_a_split_for_good(play: Played) -> None:
    _entered(play, 3)
    play.start(HEATS, "t-1")
    shares = {str(number): 100_00 for number in (1, 2, 3)}
    propose = c.ProposeSplit(event=HEATS, entry=1, shares=shares)
    play.refused("form", c.StopSplit(reason="no"), _player(2))
    play.ask(propose, _player(1))
    play.refused("form", c.StopSplit(reason=" "), _player(2))
    play.refused("form", c.StopSplit(reason="x" * 401), _player(2))
    play.refused("duties", c.StopSplit(reason="no"), _player(9))
    (stopped,) = play.ask(c.StopSplit(reason=" x "), _player(2))
    play.expect(stopped, e.SplitStopped("x"))
    play.ask(propose, _player(1))
    (stopped,) = play.ask(c.StopSplit(reason=f" {'x' * 400} "), _player(2))
    play.expect(stopped, e.SplitStopped("x" * 400))
    play.expect((play.state.split, play.state.to_the_end), (None, ()))
    play.ask(propose, _player(1))
    (stopped,) = play.ask(c.StopSplit(reason=" a player was pressed "), DEALER)
    play.expect(stopped, e.SplitStopped("a player was pressed"))
    play.ask(propose, _player(1))
    (stopped,) = play.ask(c.StopSplit(reason=" a player was pressed "), OWNER)
    play.expect(stopped, e.SplitStopped("a player was pressed", HEATS, "CO-2315.07-3-b-coerce"))
    play.expect((play.state.split, play.state.to_the_end), (None, (HEATS,)))
    play.refused("CO-2315.07-3-b-coerce", propose, _player(1))
    play.report(e1=3, e2=2, e3=1)
    play.ask(c.EndRound())
    play.refused("CO-2315.07-3-b-coerce", propose, _player(1))
    play.ask(c.ConcludeEvent(event=HEATS))


def _thing_below() -> Plan:
    """Two prizes of cash, and a thing for the third."""
    prizes = (Prize(basis_points=6000), Prize(basis_points=4000), Prize(item="a watch", item_cents=80_00))
    return one_event(places=tuple(Place(place=number, prize=one) for number, one in enumerate(prizes, start=1)))


@case("CO-2315.07-3-a", plan=_thing_below)
def _a_thing_that_those_left_may_win_is_not_shared_and_one_that_is_lost_to_them_is_no_hindrance(play: Played) -> None:
    _entered(play, 3)
    play.start(HEATS, "t-1")
    shares = {str(number): 100_00 for number in (1, 2, 3)}
    watch = "only cash is shared: a watch must be won by play"
    play.refused("CO-2315.07-3-a", c.ProposeSplit(event=HEATS, entry=1, shares=shares), _player(1), says=watch)
    play.ask(c.Disqualify(entry=3, cause="conduct", reason="shouted"))
    play.ask(c.ProposeSplit(event=HEATS, entry=1, shares={"1": 150_00, "2": 150_00}), _player(1))


def _voucher_below() -> Plan:
    """The series, whose second place wins a voucher, alone or with a thing."""
    plan = cup()
    heats, *others = plan.events
    prizes = (
        Prize(basis_points=5000),
        Prize(voucher=MASTERS),
        Prize(item="a watch", item_cents=80_00, voucher=CHAMPIONS, voucher_cents=25_00),
    )
    places = tuple(Place(place=number, prize=one) for number, one in enumerate(prizes, start=1))
    return replace(plan, events=(replace(heats, places=places), *others))


@case("CO-2315.07-3-a", plan=_voucher_below)
def _whatever_is_not_cash_is_named_and_won_by_play(play: Played) -> None:
    _entered(play, 3)
    play.start(HEATS, "t-1")
    shares = {str(number): 0 for number in (1, 2, 3)}
    words = f"only cash is shared: a voucher for {MASTERS}, a watch must be won by play"
    play.refused("CO-2315.07-3-a", c.ProposeSplit(event=HEATS, entry=1, shares=shares), _player(1), says=words)


@case("CO-2315.05-payall", "CO-2315.07-3-c-award", plan=one_event)
def _one_who_agrees_to_have_nothing_leaves_all_to_the_others(play: Played) -> None:
    _entered(play)
    play.start(HEATS, "t-1")
    shares = {"1": 400_00, "2": 0, "3": 0, "4": 0}
    less = {**shares, "1": 400_01, "2": -1}
    play.refused("CO-2315.05-payall", c.ProposeSplit(event=HEATS, entry=1, shares=less), _player(1))
    _signed(play, shares)
    for entry in range(1, 5):
        play.ask(c.ConfirmSplit(entry=entry, is_understood=True))
    play.expect(play.won(), {"1": 400_00})
