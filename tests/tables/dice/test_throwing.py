"""Throws of electronic dice: what closes wagers, what is refused until the dice land, and what lands them."""

from hashlib import sha256

import pytest
from msgspec.structs import replace

from passline.authority.roles import ROLES
from passline.game import commands as c
from passline.game import events as e
from passline.provable_dice import DiceKeys, provable_roll
from passline.refusal import Refused
from passline.streams.course import THE_HOUSE, Actor
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.decide import decide
from passline.tables.entries import TABLE_CODEC
from passline.tables.views.areas import areas_of
from tests.grids import every
from tests.tables.duties_matrix import TABLE_COMMANDS, sample
from tests.tables.sitting import ANN, AT, BOB, CREW, OWNER, Sitting

NONCE = sha256(b"a nonce").digest()
DIGEST = sha256(NONCE).hexdigest()
KEYS = DiceKeys(bytes(range(32)), "a-log")


def thrown(digest: str = DIGEST, rules: str = "maryland") -> Sitting:
    """Return a table whose dice are out: wagers are closed."""
    sitting = Sitting(rules, keys=KEYS)
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(ANN, "pass", 10_00)
    sitting.wager(BOB, "field", 10_00)
    sitting.shoot(ANN)
    sitting.do(k.Roll(seat=1, nonce_digest=digest), ANN)
    return sitting


_ACTORS = {role: (ANN if role == "player" else CREW[role]) for role in ROLES} | {"house": THE_HOUSE}


@pytest.fixture
def dice_out() -> Sitting:
    return thrown()


@every(name=TABLE_COMMANDS, role=_ACTORS)
def test_between_closing_and_roll_every_command_is_refused_with_a_clause(
    name: str, role: str, dice_out: Sitting
) -> None:
    """Wagers, removals, calls, confirmations, seats, money, disputes: whoever gives it, and whatever it is."""
    sitting = dice_out.fork()
    before, entries = sitting.live, len(sitting.entries)
    verdict = sitting.ask(sample(TABLE_COMMANDS[name]), _ACTORS[role])
    assert isinstance(verdict, Refused), f"{name} by {role} was done while the dice were out"
    assert all(refusal.clause and refusal.why for refusal in verdict.refusals)
    assert (sitting.live, len(sitting.entries)) == (before, entries)


@pytest.mark.parametrize(
    ("command", "by"),
    [
        (c.MakeWager(seat=2, wager="field", cents=5_00), BOB),
        (c.RemoveWager(seat=2, wager="field"), BOB),
        (c.ReduceWager(seat=2, wager="field", cents=5_00), BOB),
        (c.BuyIn(seat=2, cents=100_00), CREW["dealer"]),
        (c.TakeSeat(seat=3), Actor("cat", "Cat", "player")),
        (c.LeaveSeat(seat=2), CREW["boxperson"]),
        (c.SurrenderDice(seat=1), ANN),
        (k.Roll(seat=1), ANN),
        (k.Roll(seat=1, nonce_digest=DIGEST), ANN),
        (k.FreezeTable(reason="wait", seat=2), BOB),
        (k.NoticeLimits(wager_cents_min=10_00, wager_cents_max=100_00), CREW["floorperson"]),
        (k.CloseTable(), OWNER),
        (k.CommitDice(digest=DIGEST), THE_HOUSE),
    ],
    ids=lambda one: type(one).__name__ if not isinstance(one, Actor) else one.role,
)
def test_a_command_that_was_lawful_a_moment_ago_is_refused_because_wagers_are_closed(
    command: k.TableCommand, by: Actor
) -> None:
    sitting = thrown()
    assert "wagers are closed: the dice are thrown and land in a moment" in sitting.refusal(command, by)
    sitting.land(NONCE)
    verdict = sitting.ask(command, by)
    assert "wagers are closed" not in str(verdict)


@pytest.mark.parametrize("rules", ["maryland", "colorado", "section2"])
def test_no_area_is_open_and_nothing_comes_down_while_the_dice_are_out(rules: str) -> None:
    sitting = thrown(rules=rules)
    assert {area.state for area in areas_of(sitting.table, 2)} == {"closed"}
    assert not any(area.may_remove for area in areas_of(sitting.table, 2))
    assert all("wagers are closed" in area.why and area.clause for area in areas_of(sitting.table, 1))


def test_a_throw_closes_wagers_without_a_die_and_lands_the_proved_roll() -> None:
    sitting = thrown()
    closed = sitting.entries[-1]
    events = [type(event) for event in TABLE_CODEC.events(closed.entry)]
    assert t.WagersClosed in events
    assert e.DiceLanded not in events
    landed = sitting.land(NONCE)
    roll = provable_roll(KEYS.key("Craps 1", 1), closing=closed.hash, nonce=NONCE)
    (dice,) = [event for event in landed if isinstance(event, e.DiceLanded)]
    assert (dice.first, dice.second) == (roll.first, roll.second)
    assert isinstance(landed[0], t.DiceRevealed)
    assert landed[-1] == t.DiceCommitted(2, KEYS.digest("Craps 1", 2))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"key": "00" * 32}, "the key is not the one committed as number 1"),
        ({"key": "not hex"}, "the key is not the one committed"),
        ({"nonce": "00" * 32}, "the nonce is not the one on record for this throw"),
        ({"nonce": NONCE.hex()[:-2]}, "the nonce is not the one"),
        ({"nonce": "zz"}, "the nonce is not the one"),
        ({"hash": "00"}, "is not a SHA-256"),
        ({"next_digest": ""}, "is not a SHA-256"),
        ({"next_digest": "A" * 64}, "is not a SHA-256"),
        ({"closing": 1}, "no throw is open that wagers were closed for at version 1"),
    ],
)
def test_a_completion_that_does_not_fit_lands_nothing(change: dict[str, object], why: str) -> None:
    sitting = thrown()
    assert why in sitting.refusal(replace(sitting.completion(NONCE), **change), THE_HOUSE)
    assert sitting.table.closing is not None
    sitting.land(NONCE)
    assert sitting.table.closing is None


def test_nobody_but_the_server_lands_the_dice() -> None:
    sitting = thrown()
    for by in (ANN, OWNER, *CREW.values()):
        assert "nobody may give" in sitting.refusal(sitting.completion(NONCE), by)


def test_a_throw_lands_once_and_a_missing_nonce_is_recorded() -> None:
    sitting = thrown()
    command = sitting.completion()
    revealed = sitting.land()[0]
    assert isinstance(revealed, t.DiceRevealed)
    assert revealed.nonce == ""
    assert "no throw is open" in sitting.refusal(command, THE_HOUSE)
    assert "no throw is open" in sitting.refusal(replace(command, nonce=NONCE.hex()), THE_HOUSE)


def test_a_nonce_needs_a_digest_before_wagers_close() -> None:
    sitting = thrown(digest="")
    assert "the nonce is not the one" in sitting.refusal(sitting.completion(NONCE), THE_HOUSE)
    sitting.land()


@pytest.mark.parametrize("digest", ["x", "0" * 63, "0" * 65, "A" * 64, "0" * 64 + "\n"])
def test_a_digest_of_a_nonce_must_be_one(digest: str) -> None:
    sitting = Sitting(keys=KEYS)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    assert "nonce_digest" in sitting.refusal(k.Roll(seat=1, nonce_digest=digest), ANN)


def test_whatever_could_refuse_the_roll_refuses_the_closing() -> None:
    """AZ: dice that no laboratory has reported on are not thrown; nothing is judged again when they land."""
    sitting = Sitting(keys=KEYS)
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.wager(BOB, "field", 10_00)
    sitting.shoot(ANN)
    assert sitting.refusal(k.Roll(seat=1), ANN)  # no line wager
    assert sitting.refusal(k.Roll(seat=2), BOB)  # not the shooter
    assert sitting.table.closing is None


def test_a_lost_key_is_given_up_by_an_owner_and_a_signer_and_the_throw_is_void() -> None:
    sitting = thrown()
    layout = sitting.table.game.position.layout
    command = k.RenewDice(reason="the disk with dice.key burnt", digest=KEYS.digest("elsewhere", 1))
    for by in (ANN, *(CREW[role] for role in ("dealer", "boxperson", "floorperson", "regulator"))):
        assert sitting.refusal(command, by)
    events = sitting.do(command, OWNER)
    assert [type(event) for event in events] == [t.DiceRenewed, e.RollVoided, t.DiceCommitted]
    assert events[-1] == t.DiceCommitted(2, command.digest)
    assert sitting.table.closing is None
    assert sitting.table.game.position.layout == layout
    unexplained = decide(
        sitting.live,
        k.RenewDice(reason=" ", digest=DIGEST),
        by=OWNER,
        at=AT,
        approvals=sitting.approvals,
        signed_by="flo",
    )
    assert "say why" in str(unexplained)
