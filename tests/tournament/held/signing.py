"""Cases of what a second person signs, and of nonces that players add to a seat draw: no clause asks, practice does."""

from __future__ import annotations

from hashlib import sha256

from passline.streams.course import THE_HOUSE, Actor
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.decide import may_sign
from passline.tournament.results.lot import seated_by_lot, with_nonces
from tests.tournament.director import CASHIER, DEALER, DIRECTOR, WITNESS
from tests.tournament.engine_case import Played
from tests.tournament.engine_cases import HEATS, case, one_event

NEEDS = "needs the signature of a"
_NONCES = {1: b"a" * 32, 2: b"b" * 32, 3: b"c" * 32}


def _players(play: Played) -> None:
    for number, name in enumerate(("Ann", "Bob", "Cat"), start=1):
        play.enter(HEATS, name, account=f"p{number}")


def _player(number: int) -> Actor:
    return Actor(f"p{number}", f"P{number}", "player")


def _unsigned(play: Played, command: c.TournamentCommand, by: Actor) -> None:
    """Fail unless a command is refused while nobody, or only its sender, has signed it."""
    play.refused("practice", command, by, says=NEEDS, signed_by="")
    play.refused("practice", command, by, says=f"somebody other than {by.name}", signed_by=by.account)


@case("practice", plan=one_event)
def _seats_ties_counts_and_prizes_are_signed_by_a_second_person(play: Played) -> None:
    _players(play)
    play.ask(c.PrepareRound(event=HEATS, tables=("t-1",)))
    play.draw()
    _unsigned(play, c.MoveSeat(entry=1, table="t-1", seat=8), DIRECTOR)
    play.ask(c.MoveSeat(entry=1, table="t-1", seat=8), signed_by=WITNESS.account)
    play.ask(c.StartRound())
    play.report(e1=3000, e2=3000, e3=10)
    _unsigned(play, c.CountChips(entry=1, counted=3000), DEALER)
    play.ask(c.CountChips(entry=1, counted=3000), DEALER, signed_by="p1")
    play.ask(c.EndRound())
    _unsigned(play, c.PartTie(entries=(2, 1), how="roll_off"), DIRECTOR)
    play.ask(c.PartTie(entries=(2, 1), how="roll_off"), signed_by=WITNESS.account)
    play.ask(c.ConcludeEvent(event=HEATS))
    _unsigned(play, c.PayPrize(entry=2), CASHIER)
    play.ask(c.PayPrize(entry=2), CASHIER, signed_by="p2")
    play.ask(c.PayPrize(entry=1), THE_HOUSE, signed_by="")  # a demo's own
    pays, moves = c.PayPrize(entry=2), c.MoveSeat(entry=2, table="t-1", seat=1)
    signers = [(who, role) for who in ("p1", "p2") for role in ("player", "dealer", "boxperson")]
    of_prize = [may_sign(play.state, pays, who, {role}) for who, role in signers]
    play.expect(of_prize, [False, False, True, True, True, True])  # the winner, or a witness
    of_seat = [may_sign(play.state, moves, who, {role}) for who, role in signers]
    play.expect(of_seat, [False, False, True, False, False, True])


@case("practice", plan=one_event)
def _cancelling_and_refunds_are_signed_by_a_second_person(play: Played) -> None:
    _players(play)
    cancels, refunds = c.CancelTournament(reason="a storm"), c.RefundEntry(entry=1)
    _unsigned(play, cancels, DIRECTOR)
    play.ask(cancels, signed_by=WITNESS.account)
    _unsigned(play, refunds, CASHIER)
    play.ask(refunds, CASHIER, signed_by="p1")


@case("practice", plan=one_event)
def _players_who_are_present_add_nonces_to_the_draw(play: Played) -> None:
    play.ask(c.EnterPlayer(event=HEATS, name="Ann", account="p1"), CASHIER)
    digests = {entry: sha256(nonce).hexdigest() for entry, nonce in _NONCES.items()}
    mine = c.PromiseNonce(entry=1, digest=digests[1])
    play.refused("lot", mine, _player(1), says="has not signed in")
    play.ask(c.SignInPlayer(entry=1), CASHIER)
    for number, name in ((2, "Bob"), (3, "Cat"), (4, "Dan")):
        play.enter(HEATS, name, account=f"p{number}")
    play.refused("duties", mine, _player(2), says="entry 1 is Ann's")
    play.refused("duties", mine, DIRECTOR)
    play.refused("form", c.PromiseNonce(entry=1, digest="x" * 64), _player(1))
    play.ask(c.PromiseNonce(entry=1, digest="0" * 64), _player(1))
    for entry, digest in digests.items():
        play.ask(c.PromiseNonce(entry=entry, digest=digest), _player(entry))
    play.refused("lot", c.RevealNonce(entry=1, nonce=_NONCES[1].hex()), _player(1), says="waits for no nonce")
    (prepared,) = play.ask(c.PrepareRound(event=HEATS, tables=("t-1",)))
    play.expect(prepared.at, play.at)
    play.refused("lot", mine, _player(1), says="comes too late")
    play.refused("lot", c.RevealNonce(entry=1, nonce="ff" * 32), _player(1), says="not the nonce that was promised")
    play.refused("lot", c.RevealNonce(entry=1, nonce="zz"), _player(1))
    play.refused("duties", c.RevealNonce(entry=1, nonce=_NONCES[1].hex()), _player(2))
    play.refused("lot", play.lot(), THE_HOUSE, says="waits for the nonces of entries 1 and 2 and 3")
    for entry in (1, 2):
        play.ask(c.RevealNonce(entry=entry, nonce=_NONCES[entry].hex()), _player(entry))
    play.refused("lot", c.RevealNonce(entry=2, nonce=_NONCES[2].hex()), _player(2))
    play.at = "2026-12-01T18:00:09.000000Z"
    play.refused("lot", play.lot(), THE_HOUSE, says="waits for the nonces of entries 3")
    play.at = "2026-12-01T18:00:10.000000Z"  # it does not wait for ever: a nonce that is withheld is seen to be
    drawn = play.draw()[0]
    play.expect(drawn.nonces, {"1": _NONCES[1].hex(), "2": _NONCES[2].hex()})
    key, closing = bytes.fromhex(drawn.key), bytes.fromhex(drawn.hash)
    added = {int(entry): bytes.fromhex(nonce) for entry, nonce in drawn.nonces.items()}
    again = seated_by_lot((1, 2, 3, 4), ("t-1",), key=key, closing=with_nonces(closing, added))
    play.expect(again, drawn.seats)
    without = seated_by_lot((1, 2, 3, 4), ("t-1",), key=key, closing=closing)
    play.expect({again, without}, {drawn.seats, without})
    play.expect(len({again, without}), 2)
    play.expect(play.state.promised, {})


@case("practice", plan=one_event)
def _a_draw_to_which_nobody_adds_waits_for_nobody(play: Played) -> None:
    _players(play)
    (prepared,) = play.ask(c.PrepareRound(event=HEATS, tables=("t-1",)))
    drawn, committed = play.draw()
    play.expect((prepared.at, drawn.nonces, isinstance(committed, e.LotCommitted)), ("", {}, True))


@case("practice", plan=one_event)
def _when_all_have_said_their_nonces_the_draw_waits_no_longer(play: Played) -> None:
    _players(play)
    play.ask(c.PromiseNonce(entry=2, digest=sha256(_NONCES[2]).hexdigest()), _player(2))
    play.ask(c.PrepareRound(event=HEATS, tables=("t-1",)))
    play.ask(c.RevealNonce(entry=2, nonce=_NONCES[2].hex().upper()), _player(2))
    play.expect(play.draw()[0].nonces, {"2": _NONCES[2].hex()})
