"""What each player played, for their own page: by hand and wager, also after a correction, and exactly their money."""

from passline.streams.projection import Projector
from passline.streams.projection_store import ViewStore
from passline.tables import commands as k
from passline.tables.views.played import PlayedFollower, find_played, played_hand, played_results
from passline.tables.views.projected import TableViews
from tests.tables.sitting import ANN, BOB, CREW, Sitting
from tests.tables.views.viewed import KeptLog


def _played(sitting: Sitting, step: int = 1000) -> ViewStore:
    log, store = KeptLog(sitting), ViewStore(None, b"a key")
    projector = Projector(log, store, [TableViews(log, [PlayedFollower()])])
    while projector.advance(step):
        pass
    return store


def _two_players() -> Sitting:
    sitting = Sitting(dice="physical")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    sitting.wager(BOB, "place_win", 12_00, 8)
    sitting.wager(BOB, "field", 5_00)
    sitting.wager(ANN, "buy", 25_00, 4)  # and $1 vigorish
    sitting.roll(3, 5)
    return sitting


def test_hands_and_results_are_kept_for_each_player_alone() -> None:
    sitting = _two_players()
    sitting.roll(3, 4)
    store = _played(sitting, step=3)
    (hand,) = find_played(store, "bob")
    assert (hand.table, hand.hand, hand.net, len(hand.rolls)) == ("craps-1", 1, 14_00 - 5_00, 1)
    assert {(one.name, one.net) for one in hand.rolls[0].decided} == {("Place 8", 14_00), ("Field", -5_00)}
    (hers,) = find_played(store, "ann")
    assert hers.net == -10_00 - 25_00 - 1_00
    assert {(one.name, one.decided, one.won, one.net) for one in played_results(store, "ann").values()} == {
        ("Pass Line", 1, 0, -10_00),
        ("Buy 4", 1, 0, -26_00),
    }
    assert played_hand(store, "ann", "craps-1", 2) is None
    assert find_played(store, "nobody") == []


def test_what_a_player_won_and_lost_is_what_moved_in_their_rack() -> None:
    sitting = _two_players()
    sitting.roll(3, 4)
    store = _played(sitting)
    for who, name in ((ANN, "ann"), (BOB, "bob")):
        assert not [one for one in sitting.table.game.position.layout if one.seat == sitting.seat(who)]
        assert sitting.rack(who) - 1000_00 == sum(hand.net for hand in find_played(store, name))


def test_a_correction_takes_back_what_the_wrong_roll_decided() -> None:
    for step in (1, 1000):
        sitting = _two_players()
        sitting.do(k.CorrectRoll(first=4, second=5, reason="misread"), CREW["boxperson"])  # nine: the field wins
        store = _played(sitting, step)
        (hand,) = find_played(store, "bob")
        assert [(one.name, one.net) for roll in hand.rolls for one in roll.decided] == [("Field", 5_00)]
        results = played_results(store, "bob")
        assert {key: one.net for key, one in results.items() if one.decided} == {"field:0": 5_00}
