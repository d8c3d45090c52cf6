"""Tax forms of winners: who wants which, from the amounts that the house has said, and what is missing of it."""

from __future__ import annotations

import random

from passline.acts.calendar.facility import Facility
from passline.documents.sheet import SheetTable
from passline.office.trial import TrialOffice
from passline.refusal import Refusal
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.course import TOURNAMENT_CODEC
from passline.tournament.reports import TournamentBooks, books_of, tax_forms_table
from tests.tournament.director import Director
from tests.tournament.regulations import known_example

MAIN = "Main event"


def _played() -> TournamentBooks:
    """A tournament of four players, one of whom has an account, whose prizes were paid."""
    director = Director(known_example("colorado"))
    for number in range(1, 4):
        director.enter(MAIN, f"Player {number}")
    director.enter(MAIN, "Player 4", account="acc4")
    chance = random.Random(4)
    planned = director.state.event(MAIN)
    assert planned is not None
    for _ in planned.rounds:
        director.seat(MAIN, "t-1")
        director.play(chance)
        director.ask(c.EndRound())
    director.ask(c.ConcludeEvent(event=MAIN))
    director.pay_all()
    stored = director.log.read_stream(director.stream.name)
    return books_of((row.entry.at, row.entry.actor, TOURNAMENT_CODEC.events(row.entry)) for row in stored)


def _office() -> TrialOffice:
    facility = Facility(name="Harbour", zone="America/Denver", subdivision="CO")
    return TrialOffice("colorado", facility, {"olga": "owner", "cora": "compliance"})


def _table(books: TournamentBooks, office: TrialOffice) -> SheetTable:
    books.office = office.state
    found = tax_forms_table(books)
    assert isinstance(found, SheetTable), found
    return found


def test_winners_are_listed_from_the_amounts_that_the_house_has_said() -> None:
    books, office = _played(), _office()
    won: dict[str, int] = {}
    for _, prize in books.paid:
        assert isinstance(prize, e.PrizePaid)
        name = books.state.entries[str(prize.entry)].name
        won[name] = won.get(name, 0) + prize.pool_cents + prize.house_cents + prize.item_cents
    paid = {entry.name: entry.fee.cents + entry.buy_in.cents for entry in books.state.entries.values()}
    net = {name: cents - paid[name] for name, cents in won.items()}
    best = max(net, key=net.__getitem__)
    assert net[best] > 0
    lines = {"prize_form_from": net[best], "prize_form_abroad_from": net[best] + 1}
    for key, cents in lines.items():
        office.set_value("olga", key, cents)
    (row,) = _table(books, office).rows
    needs = "a document that was seen, where the winner lives, the signed form with the taxpayer's number"
    assert row == (
        best, "", row[2], won[best], paid[best], net[best], "W-2G or 1042-S", f"a patron on record, {needs}",
    )  # fmt: skip

    office.do("cora", "enter_patron", "P1", name=best, identification="passport 77")
    account = next(entry.account for entry in books.state.entries.values() if entry.name == best)
    if account:
        office.do("cora", "link_patron", "P1", accounts=[account])
    told = office.do("cora", "note_tax_details", "P1", residence="united states", tax_file="cage safe, binder 3")
    assert "recorded" in told
    (row,) = _table(books, office).rows
    assert (row[1], *row[-2:]) == ("P1", "W-2G", "nothing")
    office.do("cora", "note_tax_details", "P1", residence="another country", tax_file="cage safe, binder 3")
    assert not _table(books, office).rows, "a cent less than of others"
    office.set_value("olga", "prize_form_abroad_from", net[best])
    assert _table(books, office).rows[0][-2:] == ("1042-S", "nothing")
    office.set_value("olga", "prize_form_from", net[best] + 1)
    assert len(_table(books, office).rows) == 1, "who lives abroad has the other amount"


def test_the_list_is_refused_while_nobody_has_said_from_which_prize_on() -> None:
    books, office = _played(), _office()
    office.set_value("olga", "prize_form_from", 1)
    books.office = office.state
    found = tax_forms_table(books)
    assert isinstance(found, Refusal)
    assert found.why.endswith("set prize_form_abroad_from")
