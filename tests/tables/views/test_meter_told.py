"""What a meter pays, wherever settlements are told: screens, own play, corrections, the impact of an amendment."""

from __future__ import annotations

from datetime import date

from msgspec import json, to_builtins

from passline.papers.impact import Amending, PaidOtherwise, year_under
from passline.rules.pages.amendments import Amendment
from passline.rules.schema.rulebook import Amended
from passline.streams.projection import Projector
from passline.streams.projection_store import ViewStore
from passline.tables import commands as k
from passline.tables.views.notices import find_notices
from passline.tables.views.played import PlayedFollower, find_played, played_results
from passline.tables.views.projected import TableViews
from passline.tables.views.settled import packed_settled, settled_wagers, unpacked_settled
from tests.game.progressive import ADDED, BASE, KIND, STAKE, WAGER
from tests.rules.lawful import NAME, regulation
from tests.tables.metered import sitting_with_meter
from tests.tables.sitting import BOB, BOX, Sitting
from tests.tables.views.viewed import KeptLog, projected

_HIT = BASE + 1_00  # a wager adds a dollar


def _hit() -> Sitting:
    """Bob's wager has had two 12s."""
    sitting = sitting_with_meter()
    sitting.wager(BOB, KIND, STAKE)
    sitting.roll(6, 6)
    sitting.roll(6, 6)
    return sitting


def test_a_screen_is_told_what_the_meter_paid_beside_the_line_of_the_wager() -> None:
    sitting = _hit()
    settled = settled_wagers(sitting.table)
    told = [(line.seat, line.outcome, line.cents, line.winnings, line.pays) for line in settled if line.kind == KIND]
    assert told == [(2, "won", STAKE, 0, "1 for 1"), (2, "won", 0, _HIT, "meter")]
    news = json.decode(json.encode(packed_settled(settled)))
    assert unpacked_settled(news) == to_builtins(settled)
    sitting.roll(3, 2)
    assert settled_wagers(sitting.table) == []


def test_own_play_has_it_and_is_what_moved_in_the_rack() -> None:
    sitting = _hit()
    log, store = KeptLog(sitting), ViewStore(None, b"a key")
    projector = Projector(log, store, [TableViews(log, [PlayedFollower()])])
    while projector.advance(1000):
        pass
    (hand,) = find_played(store, "bob")
    assert hand.net == _HIT == sitting.rack(BOB) - 1000_00
    (result,) = played_results(store, "bob").values()
    assert (result.kind, result.decided, result.won, result.cents, result.net) == (KIND, 1, 1, STAKE, _HIT)


def test_a_correction_to_a_hit_tells_its_player() -> None:
    sitting = sitting_with_meter()
    sitting.wager(BOB, KIND, STAKE)
    sitting.roll(6, 6)
    sitting.roll(5, 6)
    sitting.do(k.CorrectRoll(first=6, second=6, reason="read wrongly"), BOX)
    store, _log = projected(sitting)
    (notice,) = find_notices(store, "bob", "craps-1")
    assert any("is paid 501.00 from the meter" in line for line in notice.lines)
    assert not any("meter" in line for notice in find_notices(store, "ann", "craps-1") for line in notice.lines)
    assert [line.winnings for line in settled_wagers(sitting.table) if line.pays == "meter"] == [_HIT]
    assert sitting.rack(BOB) == 1000_00 + _HIT


def test_an_amendment_of_shares_is_weighed_at_the_meter_as_it_stood() -> None:
    lines = [*WAGER["tables"]["A"][:2], WAGER["tables"]["A"][2] | {"meter_basis_points": 5_000}]
    after = regulation(ADDED | {"sidewagers/beacon": WAGER | {"tables": {"A": lines}}})
    order = Amendment("amendments/2027-01.toml", Amended("Order 1", date(2027, 1, 1)), (), {}, b"")
    year = year_under(Amending(NAME, order, regulation(ADDED), after), (stored.entry for stored in _hit()))
    assert year.wagers == (PaidOtherwise(KIND, paid=_HIT, would_pay=250_00),)
