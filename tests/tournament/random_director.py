"""A director who does anything at random: a plan, entries, real tables dealt at random, and what must always hold."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from passline.game import commands as g
from passline.money import POINT_CENTS
from passline.people.commands import CreateAccount
from passline.refusal import Refused
from passline.streams.course import THE_HOUSE, Actor, Ask
from passline.tables import commands as k
from passline.tables.events import RoundFinished
from passline.tables.money.points import is_over
from passline.tournament import commands as c
from passline.tournament.judges.rounds import standing_of
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import AddOn, Event, InKind, Place, Plan, Prize, Rebuy, Round
from passline.tournament.results.ranking import ranks_of
from passline.tournament.rules import tournament_of
from passline.tournament.runtime import points_mode
from passline.tournament.state import TournamentState
from tests.people.house import START, House
from tests.tables.sitting import BOX, STICK, Sitting, draft_of
from tests.tournament.director import CASHIER, DEALER, DIRECTOR, Director, signer_of

FIRST, LAST = "First", "Last"
TOY = "a toy"
_PLAYERS = 9
_ROLLS_MAX = 60  # of a table, when wagers are played out
_HOW = ("cash", "cash", "in_kind", "complimentary")


def random_plan(chance: Random) -> Plan:
    """A lawful plan of one event or two."""
    plan = example_plan("colorado")
    day = plan.events[0].first_day
    has_last, is_priced = chance.random() < 0.6, chance.random() < 0.6
    fee = chance.choice((0, 1_00, 50_00, 33_33))
    rounds = chance.randrange(1, 4)
    voucher = LAST if has_last else ""
    shares = _shares(chance, 10_000 if not has_last else chance.randrange(1, 10_001))
    extra: dict[str, Any] = {"rounds": ("Round 1",), "most": chance.randrange(1, 3), "points": 100, "cents": 7_77}
    first = Event(
        name=FIRST,
        first_day=day,
        last_day=day,
        starts="noon",
        fee_cents=fee,
        buy_in_cents=100_01,
        points=chance.choice((50, 1000)),
        fee_in_kind=(InKind(item=TOY, cents=fee),),
        buy_in_in_kind=(InKind(item=TOY, cents=100_01),),
        entries_max=_PLAYERS * 3,
        rebuy=Rebuy(**extra) if chance.random() < 0.7 else None,
        add_on=AddOn(**extra) if chance.random() < 0.7 else None,
        reentries_max=chance.randrange(3),
        rounds=tuple(_round(number, rounds, chance) for number in range(1, rounds + 1)),
        places=tuple(
            Place(place=number, prize=_prize(share, voucher, chance)) for number, share in enumerate(shares, start=1)
        ),
    )
    late = day.replace(day=20)
    last = replace(
        first,
        name=LAST,
        first_day=late,
        last_day=late,
        fee_cents=fee if is_priced else 0,
        buy_in_cents=10_00 if is_priced else 0,
        fee_in_kind=(),
        buy_in_in_kind=(),
        is_by_voucher=True,
        rebuy=None,
        add_on=None,
        reentries_max=0,
        rounds=(Round(name="Only", rolls=2, seats=12, is_initial=True),),
        places=(Place(place=1, prize=Prize(basis_points=10_000)),),
    )
    is_whole = any(one.prize.item or one.prize.voucher for one in first.places)
    sheet = replace(
        plan.sheet,
        ties="roll_off" if is_whole else chance.choice(("shared", "roll_off")),
        undecided_wagers=chance.choice(("returned", "lost", "played_out")),
        final_round="the most points win",
        conclusion="the most points win",
    )
    events = (first, last) if has_last else (first,)
    return replace(plan, id="random", colours=(), are_chips_printed=True, pools="by_event", events=events, sheet=sheet)


def _round(number: int, rounds: int, chance: Random) -> Round:
    name = f"Round {number}"
    if number == rounds:
        return Round(name=name, rolls=chance.randrange(1, 4), seats=12, is_initial=number == 1)
    carries = chance.random() < 0.5
    return Round(
        name=name, rolls=chance.randrange(1, 4), seats=4, advance=chance.randrange(1, 3), wild_cards=1,
        carries_points=carries, is_initial=number == 1,
    )  # fmt: skip


def _shares(chance: Random, whole: int) -> list[int]:
    cuts = sorted(chance.sample(range(1, whole), min(chance.randrange(3), whole - 1))) if whole > 1 else []
    return [after - before for before, after in zip((0, *cuts), (*cuts, whole), strict=True)]


def _prize(share: int, voucher: str, chance: Random) -> Prize:
    thing = {"item": "a watch", "item_cents": 80_00} if chance.random() < 0.3 else {}
    return Prize(basis_points=share, cents=chance.choice((0, 0, 5_00)), voucher=voucher, **thing)  # type: ignore[arg-type]


def check_conserved(state: TournamentState) -> None:
    """Check that no cent and no point of a tournament was made or lost."""
    assert sum(state.balances.values()) == 0
    came = -sum(state.balances.get(one, 0) for one in ("cash", "in_kind", "complimentary", "house", "house_prizes"))
    assert came == _money_held(state) + state.balances.get("fees", 0) + state.balances.get("paid", 0)
    assert all(cents >= 0 for name, cents in state.balances.items() if name.startswith("pool/"))
    awarded: dict[str, int] = {}
    for entry, award in state.awards.items():
        pool = state.pool_of(state.entries[entry].event_name)
        awarded[pool] = awarded.get(pool, 0) + award.pool_cents
    assert all(cents <= state.balances.get(pool, 0) for pool, cents in awarded.items()), "more is awarded than held"
    for held in state.rounds:
        for table, house in held.house.items():
            seated = [str(one.entry) for one in held.seats if one.table == table]
            assert sum(held.points[one] for one in seated) + house == sum(held.stacks[one] for one in seated)


def _money_held(state: TournamentState) -> int:
    return sum(cents for name, cents in state.balances.items() if name.startswith("pool/") or name == "vouchers")


class RandomDirector(Director):
    """A tournament whose tables are really dealt, on a log where everybody has an account."""

    def __init__(self, chance: Random, plan: Plan) -> None:
        self.chance, self.dealt = chance, 0
        self._out: set[str] = set()  # who was withdrawn or disqualified
        self.house = House()
        by = self.house.owner().session.account.id
        people = [(one.account, one.name, one.role) for one in (DIRECTOR, CASHIER, DEALER, STICK, BOX)]
        people += ((f"p{number}", f"Player {number}", "player") for number in range(1, _PLAYERS + 1))
        for account, name, role in people:
            done = self.house.desk.do(CreateAccount(account=account, name=name, roles=(role,)), by=by)
            assert not isinstance(done, Refused), done
        super().__init__(to_builtins(plan), at=START, log=self.house.log)

    def tries(self, command: c.TournamentCommand, by: Actor = DIRECTOR) -> bool:
        """Ask for something that may be refused; return whether it was done, and check what must always hold."""
        is_zero = not self.money_held() and not self.state.awards
        answer = self.stream.ask(Ask(f"id-{next(self._ids)}", command, by, signer_of(command)))
        self.check()
        if isinstance(command, c.CloseTournament) and not isinstance(answer, Refused):
            assert is_zero, "it closed with money left"
        return not isinstance(answer, Refused)

    def money_held(self) -> int:
        """The money that is in pools and vouchers."""
        return _money_held(self.state)

    def check(self) -> None:
        """Check the money, the points and the ranks."""
        state = self.state
        check_conserved(state)
        out = {number for number, one in state.entries.items() if one.status in {"withdrawn", "disqualified"}}
        assert self._out <= out, "who is out stays out"
        self._out = out
        standings = [standing_of(one) for one in state.entries.values()]
        ranks = ranks_of(standings)
        assert sorted(one.entry for one in ranks) == sorted(one.entry for one in standings)
        self.chance.shuffle(standings)
        assert ranks_of(standings) == ranks

    def anything(self) -> None:
        """Do one thing at random, lawful or not."""
        chance, state = self.chance, self.state
        entry = chance.randrange(1, len(state.entries) + 2)
        event, name = chance.choice((FIRST, FIRST, LAST)), f"p{chance.randrange(1, _PLAYERS + 1)}"
        causes = ("two_entries", "stand_in", "hidden_chips", "conduct")
        acts: tuple[Callable[[], tuple[c.TournamentCommand, Actor]], ...] = (
            lambda: (self._entry(event, name), CASHIER),
            lambda: (c.SignInPlayer(entry=entry), CASHIER),
            lambda: (c.BuyChips(entry=entry, kind=chance.choice(("rebuy", "add_on"))), CASHIER),
            lambda: (c.WithdrawEntry(entry=entry, reason="ill"), CASHIER),
            lambda: (c.AddMoney(event=event, cents=chance.randrange(1, 100)), DIRECTOR),
            lambda: (c.CountFees(counted=chance.randrange(3)), CASHIER),
            lambda: (c.SettleFees(reason="a note is false"), DIRECTOR),
            lambda: (c.PayPrize(entry=entry), CASHIER),
            lambda: (c.ReturnVoucher(number=chance.randrange(1, 4)), CASHIER),
            lambda: (c.CountChips(entry=entry, counted=chance.randrange(2000)), DEALER),
            lambda: (c.ConcludeEvent(event=event), DIRECTOR),
            lambda: (c.EndRound(), DIRECTOR),
            lambda: (c.CloseTournament(), DIRECTOR),
            lambda: (self._split(event, entry), Actor(name, name, "player")),
            lambda: (c.AgreeSplit(entry=entry), Actor(name, name, "player")),
            lambda: (c.ConfirmSplit(entry=entry, is_understood=True), DIRECTOR),
        )  # fmt: skip
        if chance.random() < 0.04:
            self.tries(c.Disqualify(entry=entry, cause=chance.choice(causes), reason="seen"), DIRECTOR)
        self.tries(*chance.choice(acts)())

    def _entry(self, event: str, name: str) -> c.EnterPlayer:
        number = int(name.removeprefix("p"))
        paid: dict[str, Any] = {"fee": self.chance.choice(_HOW), "buy_in": self.chance.choice(_HOW)}
        won = [one for one in self.state.vouchers.values() if one.state == "open"]
        if event == LAST and won:
            voucher = self.chance.choice(won)
            paid = {"fee": "voucher", "buy_in": "voucher", "voucher": voucher.number}
            number = int(self.state.entries[str(voucher.entry)].account.removeprefix("p"))
        return c.EnterPlayer(
            event=event, name=f"Player {number}", account=f"p{number}", fee_item=TOY, buy_in_item=TOY, **paid
        )

    def _split(self, event: str, entry: int) -> c.ProposeSplit:
        left = [str(one.number) for one in self.state.of_event(event) if one.status == "in"]
        return c.ProposeSplit(event=event, entry=entry, shares=dict.fromkeys(left, 100_00))

    def deal(self, event: str) -> bool:
        """Seat, deal and end the next round of an event, if it can be played."""
        planned = self.state.event(event)
        held = self.state.rounds_of(event)
        if planned is None or len(held) >= len(planned.rounds):
            return False
        players = [one for one in self.state.of_event(event) if one.status in {"entered", "in"}]
        self.dealt += 1
        most = -(-len(players) // planned.rounds[len(held)].seats)
        for tables in range(1, most + 1):
            names = tuple(f"r{self.dealt}-{table}" for table in range(1, tables + 1))
            if self.tries(c.PrepareRound(event=event, tables=names)):
                self.draw()
                break
        else:
            return False
        for _ in range(self.chance.randrange(3)):
            self.anything()
        if event in self.state.concluded:  # by a split
            return False
        self.ask(c.StartRound())
        for _ in range(self.chance.randrange(3)):
            self.anything()
        round_ = self.state.round
        assert round_ is not None
        for table in round_.tables if round_.phase == "playing" else ():
            self._deal(table)
        return True

    def _deal(self, table: str) -> None:
        """Deal a table of the round to its end, keep its entries in the log, and report its points."""
        state, held = self.state, self.state.round
        assert held is not None
        mode = points_mode(tournament_of("colorado"), state, held)
        sitting = Sitting("colorado", name=table, dice="physical", house=dict(state.plan.house), points=mode, terms=0)
        seats = {one.seat: one.entry for one in held.seats if one.table == table}
        stacks = {seat: held.stacks[str(entry)] * POINT_CENTS for seat, entry in seats.items()}
        entrants = tuple(
            k.Entrant(
                seat=seat, account=state.entries[str(entry)].account, name=state.entries[str(entry)].name,
                cents=stacks[seat],
            )
            for seat, entry in sorted(seats.items())
        )  # fmt: skip
        sitting.do(k.SeatEntrants(entrants=entrants), THE_HOUSE)
        for _ in range(_ROLLS_MAX):
            if is_over(sitting.table):
                break
            self._wagers(sitting, seats)
            faces = self.chance.randrange(1, 7), self.chance.randrange(1, 7)
            if isinstance(sitting.ask(k.KeyDice(first=faces[0], second=faces[1]), STICK), Refused):
                self._free(sitting)
            self._accept(sitting)
        # else nobody has chips to shoot with: the director ends the round
        (finished,) = [one for one in sitting.do(k.FinishRound(), THE_HOUSE) if isinstance(one, RoundFinished)]
        assert sum(finished.stacks.values()) + finished.house == sum(stacks.values())
        self.log.append([replace(draft_of(stored.entry), signed_by="") for stored in sitting.entries])
        points = {str(seats[int(seat)]): cents // POINT_CENTS for seat, cents in finished.stacks.items()}
        house = finished.house // POINT_CENTS
        self.ask(
            c.ReportPoints(number=held.number, table=table, points=points, house=house, rolls=finished.rolls), THE_HOUSE
        )
        self.check()

    def _wagers(self, sitting: Sitting, seats: dict[int, int]) -> None:
        self._accept(sitting)
        for seat in seats:
            rack = sitting.table.game.money.racks[seat - 1] // POINT_CENTS
            if rack and self.chance.random() < 0.7:
                all_in = self.chance.random() < 0.5
                cents = (rack if all_in else self.chance.randrange(1, rack + 1)) * POINT_CENTS
                wager = self.chance.choice(("pass", "dont_pass", "field", "come"))
                player = sitting.table.players[seat]
                sitting.ask(
                    g.MakeWager(seat=seat, wager=wager, cents=cents), Actor(player.account, player.name, "player")
                )

    def _free(self, sitting: Sitting) -> None:
        """Have a shooter who has everything on the field take it down for the line, or pass the dice to the next."""
        shooter = sitting.table.game.position.shooter
        sitting.ask(g.OrderDicePassed(reason="delay"), BOX)
        if player := sitting.table.players.get(shooter):
            who = Actor(player.account, player.name, "player")
            sitting.ask(g.RemoveWager(seat=shooter, wager="field"), who)
            if rack := sitting.table.game.money.racks[shooter - 1]:
                sitting.ask(g.MakeWager(seat=shooter, wager="pass", cents=rack), who)

    def _accept(self, sitting: Sitting) -> None:
        position = sitting.table.game.position
        if position.dice == "offered" and (player := sitting.table.players.get(position.offered_to)):
            who = Actor(player.account, player.name, "player")
            if isinstance(sitting.ask(g.AcceptDice(seat=position.offered_to), who), Refused):
                sitting.ask(g.DeclineDice(seat=position.offered_to), who)

    def hold(self) -> None:
        """Hold the whole tournament, with anything in between, until its books are closed."""
        for number in range(1, self.chance.randrange(3, _PLAYERS + 1)):
            self.tries(self._entry(FIRST, f"p{number}"), CASHIER)
            self.tries(c.SignInPlayer(entry=len(self.state.entries)), CASHIER)
        for event in self.state.plan.events:
            for _ in range(self.chance.randrange(8)):
                self.anything()
            for voucher in [one for one in self.state.vouchers.values() if one.state == "open"]:
                if self.chance.random() < 0.8:
                    self.tries(self._entry(LAST, "p1"), CASHIER)
                    self.tries(c.SignInPlayer(entry=len(self.state.entries)), CASHIER)
                else:
                    self.tries(c.ReturnVoucher(number=voucher.number), CASHIER)
            while event.name not in self.state.concluded and self._deals_or_signs_in(event.name):
                for _ in range(self.chance.randrange(4)):
                    self.anything()
                self._part()
                self.tries(c.EndRound())
            self._conclude(event.name)

    def _deals_or_signs_in(self, event: str) -> bool:
        """Deal the next round; if nobody who signed in is there to play it, sign in who entered and deal it then."""
        return self.deal(event) or (self._sign_in(event) and self.deal(event))

    def _sign_in(self, event: str) -> bool:
        """Sign in everybody who entered and did not; return whether there was anybody."""
        absent = [one for one in self.state.of_event(event) if one.status == "entered" and not one.has_signed_in]
        return sum(self.tries(c.SignInPlayer(entry=one.number), CASHIER) for one in absent) > 0

    def _part(self) -> None:
        """Part everybody who is level, in an order by chance."""
        by_points: dict[tuple[str, int, int], list[int]] = {}
        for one in self.state.entries.values():
            by_points.setdefault((one.event_name, one.round, one.points), []).append(one.number)
        for level in by_points.values():
            self.chance.shuffle(level)
            self.tries(c.PartTie(entries=tuple(level), how=self.state.plan.sheet.ties))

    def _conclude(self, event: str) -> None:
        for voucher in [one for one in self.state.vouchers.values() if one.event_name == event]:
            self.tries(c.ReturnVoucher(number=voucher.number), CASHIER)
        self._sign_in(event)
        self._part()
        self.tries(c.AddMoney(event=event, cents=self.chance.choice((1, 500_00))))
        self.tries(c.ConcludeEvent(event=event))
        self.tries(c.AddMoney(event=event, cents=1000_00))  # for the vouchers, if the pool did not do
        self.tries(c.ConcludeEvent(event=event))

    def close(self) -> bool:
        """Pay everything and close the books; return whether they could be closed."""
        self.pay_all()
        self.tries(c.CountFees(counted=0), CASHIER)
        self.tries(c.SettleFees(reason="the bag was lost"))
        return self.state.is_closed or self.tries(c.CloseTournament())
