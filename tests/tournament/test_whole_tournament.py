"""A Colorado tournament from the plan to the tax report: ten tables, three rounds, every way of paying, every cent."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from passline.refusal import Refusal
from passline.streams.course import THE_HOUSE, Actor
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.plan.reader import example_plan
from passline.tournament.plan.schema import Plan
from passline.tournament.reports import entrants_table, entry_log, fees_by_month, prizes_table, sign_in_sheet
from passline.tournament.results.lot import seated_by_lot
from passline.tournament.rules import tournament_of
from tests.tournament.director import CASHIER, DEALER, DIRECTOR, Director

MAIN, LAST = "Main event", "Champions' table"
TABLES = tuple(f"t-{number}" for number in range(1, 11))
TOY = "a new toy for the children's drive"


def planned(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - of a plan
    """The example of Colorado as data."""
    data: dict[str, Any] = to_builtins(replace(example_plan("colorado"), **changes))
    return data


def with_main(plan: Plan, **changes: Any) -> Plan:  # noqa: ANN401 - of an event
    """A plan with another main event."""
    return replace(plan, events=(replace(plan.events[0], **changes), *plan.events[1:]))


def entered(director: Director, players: int) -> None:
    """Enter players, some with a toy, some as guests of the house."""
    for number in range(1, players + 1):
        paid: dict[str, str] = {}
        if number % 10 == 3:
            paid = {"fee": "in_kind", "fee_item": TOY}
        if number % 10 == 7:
            paid = {"fee": "complimentary", "buy_in": "complimentary"}
        director.enter(MAIN, f"Player {number}", **paid)


def identity_holds(director: Director) -> None:
    """Fees, pools, vouchers and prizes are what was taken, given away and added; all accounts sum to zero."""
    balances = director.state.balances
    assert sum(balances.values()) == 0
    held = sum(cents for account, cents in balances.items() if account.split("/")[0] in HELD)
    came = -sum(cents for account, cents in balances.items() if account in CAME)
    assert held == came


HELD = {"fees", "pool", "vouchers", "paid"}
CAME = {"cash", "in_kind", "complimentary", "house"}


@pytest.fixture(scope="module")
def held() -> Director:
    """A tournament of 120 entries that was held to its end."""
    chance = random.Random(15)
    director = Director(planned())
    entered(director, 120)
    assert "[CO-2315-2-c-once]" in director.refused(c.EnterPlayer(event=MAIN, name="player  7"), CASHIER)
    director.seat(MAIN, *TABLES)
    director.play(chance, e1=0, e2=0, e5=0)
    held = director.state.round
    assert held is not None
    director.ask(c.BuyChips(entry=1, kind="rebuy"), CASHIER)
    assert director.state.entries["1"].waiting == 2500
    assert "[CO-2315.05-buyins, CO-2315.07-1-extra]" in director.refused(c.BuyChips(entry=1, kind="rebuy"), CASHIER)
    director.ask(c.Disqualify(entry=9, cause="hidden_chips", reason="chips in a pocket"))
    director.ask(c.EndRound())
    assert director.state.entries["2"].status == "eliminated"
    again = director.enter(MAIN, "Player 2")  # after elimination, as an entry of its own
    assert director.state.entries[str(again)].status == "entered"
    director.seat(MAIN, "t-1", "t-2", "t-3")
    assert {1, again} <= {*director.state.round.entries} if director.state.round else False
    director.play(chance)
    director.ask(c.EndRound())
    director.seat(MAIN, *TABLES[: -(-len(director.state.rounds[-1].advance) // 12)])
    return director


def test_everything_is_paid_to_the_last_cent(held: Director) -> None:
    director = held
    final = director.state.round
    assert final is not None
    first, second, third = final.entries[:3]
    points = {f"e{one}": 100 + one for one in final.entries}
    director.play(random.Random(1), **{**points, f"e{first}": 9000, f"e{second}": 9000, f"e{third}": 8000})
    director.ask(c.EndRound())
    assert "level" in director.refused(c.ConcludeEvent(event=MAIN))
    assert "the rule sheet parts ties by roll_off" in director.refused(c.PartTie(entries=(second, first), how="by_age"))
    director.ask(c.PartTie(entries=(second, first), how="roll_off"))
    before = director.state.balances[f"pool/{MAIN}"]
    director.ask(c.ConcludeEvent(event=MAIN))
    identity_holds(director)
    awards = director.state.awards
    assert awards[str(second)].pool_cents > awards[str(first)].pool_cents
    assert sum(one.pool_cents for one in awards.values()) == before * 9000 // 10_000
    assert director.state.balances[f"pool/{LAST}"] == before - before * 9000 // 10_000
    winner = director.state.entries[str(second)]
    vouchers = {one.entry: one.number for one in director.state.vouchers.values()}
    assert "[CO-2315.05-voucherowner]" in director.refused(
        c.EnterPlayer(event=LAST, name="Somebody Else", fee="voucher", buy_in="voucher", voucher=vouchers[second]),
        CASHIER,
    )
    assert "entered with a voucher only" in director.refused(c.EnterPlayer(event=LAST, name="Player 99"), CASHIER)
    for entry in (second, first, third):
        name, number = director.state.entries[str(entry)].name, vouchers[entry]
        director.enter(LAST, name, fee="voucher", buy_in="voucher", voucher=number)
    assert "was used" in director.refused(
        c.EnterPlayer(event=LAST, name=winner.name, fee="voucher", buy_in="voucher", voucher=vouchers[second]), CASHIER
    )
    unused = next(one for one in director.state.vouchers.values() if one.state == "open")
    director.ask(c.ReturnVoucher(number=unused.number), CASHIER)
    director.seat(LAST, "t-1")
    director.play(random.Random(2))
    director.ask(c.EndRound())
    director.ask(c.ConcludeEvent(event=LAST))
    refused = director.refused(c.CloseTournament())
    assert "prizes are not handed out" in refused
    assert "[CO-2315.05-payall, CO-2315.05-noretain]" in refused
    assert "[CO-2315.02-separate]" in refused
    director.pay_all()
    director.ask(c.CountFees(counted=director.books.state.balances["fees"]), CASHIER)
    assert director.state.breaches == 1  # toys and complimentary fees are no cash: the count differs
    assert "[CO-2315.02-separate]" in director.refused(c.CloseTournament())
    director.ask(c.CountFees(counted=director.state.fees_expected()), CASHIER)
    identity_holds(director)
    director.ask(c.CloseTournament())
    balances = director.state.balances
    assert {account for account in balances if account.startswith("pool/") or account == "vouchers"} == set()
    assert "closed" in director.refused(c.AddMoney(event=LAST, cents=1))


def test_forms_and_tax_report_come_from_the_same_events(held: Director) -> None:
    rules, books = tournament_of("colorado"), held.books

    def local(at: str) -> datetime:
        return datetime.fromisoformat(at).astimezone(UTC)

    form = entrants_table(rules, books)
    assert not isinstance(form, Refusal)
    fees = [int(str(row[4] or 0)) for row in form.rows[:-1]]
    mains = [one for one in books.state.of_event(MAIN) if one.status != "withdrawn"]
    assert len(fees) == len(books.state.entries)
    assert sum(fees) == 50_00 * len(mains) == form.rows[-1][4]
    month = fees_by_month(rules, books, local)
    assert month.rows == (("2026-12", 50_00 * (len(mains) - 24), 50_00 * 12, 50_00 * 12, 0, 50_00 * len(mains)),)
    log = entry_log(rules, books, local)
    assert sum(int(str(row[5] or 0)) for row in log.rows) == sum(one.paid.cents for one in books.taken)
    prizes = prizes_table(rules, books)
    assert sum(int(str(row[-1] or 0)) for row in prizes.rows[:-1]) == prizes.rows[-1][-1]
    assert len(sign_in_sheet(rules, books, MAIN).rows) == len(mains)


def test_seats_are_drawn_again_from_the_log_alone(held: Director) -> None:
    rows = list(held.log.read_stream(held.stream.name))
    draws = [event for event in held.events() if isinstance(event, e.SeatsDrawn)]
    assert len(draws) >= 3
    prepared = {event.number: event for event in held.events() if isinstance(event, e.RoundPrepared)}
    hashes = {row.hash.hex() for row in rows}
    for drawn in draws:
        before = prepared[drawn.number]
        assert drawn.hash in hashes
        again = seated_by_lot(
            before.entries, before.tables, key=bytes.fromhex(drawn.key), closing=bytes.fromhex(drawn.hash)
        )
        assert again == drawn.seats


def finalists(*, has_accounts: bool = True, **changes: Any) -> Director:  # noqa: ANN401 - of the plan
    """A tournament with six players in its final, whose prizes are cash only."""
    plan = replace(example_plan("colorado"), **{"splits": True, "pools": "one", **changes})
    main = replace(
        plan.events[0],
        last_day=plan.events[0].first_day,
        rebuy=None,
        entries_max=8,
        rounds=(replace(plan.events[0].rounds[-1], rolls=20, is_initial=True),),
        places=tuple(
            replace(one, prize=replace(one.prize, voucher="", basis_points=share), entries_from=0)
            for one, share in zip(plan.events[0].places, (5000, 3000, 1500, 500), strict=True)
        ),
    )
    sheet = replace(plan.sheet, final_round="the most points win", conclusion="the winner is named")
    director = Director(to_builtins(replace(plan, events=(main,), sheet=sheet)))
    for number in range(1, 7):
        director.enter(MAIN, f"Player {number}", account=f"p{number}" if has_accounts else "")
    director.seat(MAIN, "t-1")
    director.ask(c.StartRound())
    return director


def player(number: int) -> Actor:
    """The account of a player."""
    return Actor(f"p{number}", f"Player {number}", "player")


def test_a_split_needs_every_signature_and_the_director_with_each() -> None:
    director = finalists()
    pool = 6 * 100_00
    shares = {str(number): pool // 6 for number in range(1, 7)}
    propose = c.ProposeSplit(event=MAIN, entry=1, shares=shares)
    assert "[CO-2315.07-3-b-encourage]" in director.refused(propose, DIRECTOR)
    assert "[CO-2315.07-3]" in director.refused(propose, player(2))
    director.ask(propose, player(1))
    assert "[CO-2315.07-3-b-encourage]" in director.refused(c.AgreeSplit(entry=1), DIRECTOR)
    assert "[CO-2315.07-3]" in director.refused(c.ConfirmSplit(entry=1, is_understood=True), DIRECTOR)
    for number in range(1, 7):
        director.ask(c.AgreeSplit(entry=number), player(number))
    assert "[CO-2315.07-3-b-understand]" in director.refused(c.ConfirmSplit(entry=1))
    for number in range(1, 7):
        assert not director.state.awards
        director.ask(c.ConfirmSplit(entry=number, is_understood=True))
    assert {int(entry): one.pool_cents for entry, one in director.state.awards.items()} == dict.fromkeys(
        range(1, 7), 10000
    )
    director.pay_all()
    director.ask(c.CountFees(counted=6 * 50_00), CASHIER)
    director.ask(c.CloseTournament())
    received = prizes_table(tournament_of("colorado"), director.books)
    assert [row[-1] for row in received.rows[:-1]] == [100_00] * 6
    assert "CO-2315.07-3-c-record" in received.title


def test_a_split_is_called_off_on_any_sign_of_pressure() -> None:
    director = finalists()
    shares = {str(number): 100_00 for number in range(1, 7)}
    director.ask(c.ProposeSplit(event=MAIN, entry=1, shares=shares), player(1))
    director.ask(c.AgreeSplit(entry=1), player(1))
    stranger = Actor("x", "Xena", "player")
    assert "[duties]" in director.refused(c.StopSplit(reason="no"), stranger)
    director.ask(c.StopSplit(reason="one player seemed pressed"))
    assert "no split" in director.refused(c.AgreeSplit(entry=2), player(2))


def test_a_split_is_signed_on_paper_by_who_has_no_account_and_by_no_other_player() -> None:
    director = finalists(has_accounts=False)
    shares = {str(number): 100_00 for number in range(1, 7)}
    director.ask(c.ProposeSplit(event=MAIN, entry=1, shares=shares), DEALER)
    assert "[CO-2315.07-3]" in director.refused(c.AgreeSplit(entry=2), player(1))
    director.ask(c.AgreeSplit(entry=2), DEALER)


def test_a_split_of_another_sum_or_of_things_is_refused() -> None:
    director = finalists()
    shares = {str(number): 100_00 for number in range(1, 7)}
    short = c.ProposeSplit(event=MAIN, entry=1, shares={**shares, "6": 99_99})
    assert "[CO-2315.05-payall]" in director.refused(short, player(1))
    alone = c.ProposeSplit(event=MAIN, entry=1, shares={"1": 600_00})
    assert "[CO-2315.07-3]" in director.refused(alone, player(1))
    director = finalists(splits=False)
    allowed = c.ProposeSplit(event=MAIN, entry=1, shares=shares)
    assert "allow no split" in director.refused(allowed, player(1))


def test_colours_change_between_rounds_only() -> None:
    director = finalists()
    assert "[CO-2316-2-change]" in director.refused(c.SetColours(points={"white": 50}))
    assert director.state.colours == {"white": 25, "green": 100, "black": 500}
    director = Director(planned())
    director.ask(c.SetColours(points={"white": 50, "red": 100}))
    assert director.state.colours == {"white": 50, "red": 100}


def test_who_has_two_entries_at_once_loses_both() -> None:
    director = finalists()
    assert "[CO-2315-2-c-once]" in director.refused(
        c.EnterPlayer(event=MAIN, name="Player 8", has_other_entry=True), CASHIER
    )
    director.ask(c.Disqualify(entry=2, cause="two_entries", reason="plays at the Gold Dust too"))
    assert director.state.entries["2"].status == "disqualified"
    assert "CO-2315-2-c-dq" in director.refused(c.EnterPlayer(event=MAIN, name="Player 2", account="p2"), CASHIER)


def test_a_count_that_differs_is_recorded_as_a_breach() -> None:
    director = finalists()
    held = director.state.round
    assert held is not None
    points = {str(number): 2500 for number in range(1, 7)}
    wrong = c.ReportPoints(number=held.number, table="t-1", points=points, house=1, rolls=20)
    assert "[ledger]" in director.refused(wrong, THE_HOUSE)
    assert "[duties]" in director.refused(replace(wrong, house=0), DIRECTOR)
    director.ask(replace(wrong, house=0), THE_HOUSE)
    director.ask(c.CountChips(entry=1, counted=2500), DEALER)
    assert director.state.breaches == 0
    lines = director.ask(c.CountChips(entry=2, counted=2600), DEALER)
    assert "CO-2316-1-rank" in lines[-1]
    assert director.state.breaches == 1
