"""Maryland's sets of dice at a live table: new at every opening, changed within 24 hours, and when one is condemned."""

import pytest
from msgspec.structs import replace

from passline.rules.clauses import clauses_of
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.rules_in_force import learn_rulebook
from passline.tables.terms import TERMS
from tests.tables.changed_rulebook import changed_pages
from tests.tables.sitting import ALL, ANN, BOX, CREW, DEALER, FLOOR, OWNER, STICK, Sitting, at_a_point

MD = clauses_of("maryland")
HOURS = int(MD["MD-7.E"].values["max_age_h"])
AUTOMATE = tuple(step for step in ALL if step != "confirm")
CONDEMNED = {"MD-7.F.2": "lost", "MD-7.F.3": "tampered", "MD-7.F.4": "unfit"}


def _set(sitting: Sitting) -> t.DiceSetPutIn:
    assert sitting.table.supervision.dice is not None
    return sitting.table.supervision.dice


def _from_before() -> Sitting:
    """Return a table that was opened before there were terms or sets of dice on record; Ann is about to throw."""
    sitting = Sitting(dice="physical", terms=0, automate=AUTOMATE, puts_in_dice=False)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    return sitting


@pytest.mark.clause("MD-7.E")
def test_MD_7_E__a_set_is_thrown_for_less_than_24_hours() -> None:
    """MD-7.E: the clock runs from the moment a set is put in, also while nobody plays; a new set starts it again."""
    sitting = at_a_point()
    sitting.wait(60 * HOURS - 1)
    sitting.roll(1, 4)
    sitting.wait(1)
    for throw in (k.DiceOut(), k.KeyDice(first=1, second=4)):
        assert f"in use since {_set(sitting).at}, and {HOURS} hours are the most" in sitting.refusal(throw, STICK)
        assert "MD-7.E" in sitting.refusal(throw, STICK)
    assert "may not give" in sitting.refusal(k.PutInDice(), DEALER)
    [put_in] = sitting.do(k.PutInDice(), BOX)
    assert put_in == t.DiceSetPutIn(2, sitting.at, "MD-7.E")
    sitting.roll(1, 4)
    sitting.wait(60 * HOURS)
    assert "MD-7.E" in sitting.refusal(k.DiceOut(), STICK)


@pytest.mark.clause("MD-7.E")
def test_MD_7_E__dice_already_in_the_air_land_and_no_set_is_changed_meanwhile() -> None:
    """MD-7.E: a throw that began in time is recorded, whenever it is keyed in."""
    sitting = at_a_point()
    sitting.wait(60 * HOURS - 1)
    sitting.do(k.DiceOut(), STICK)
    assert "in the air" in sitting.refusal(k.PutInDice(), FLOOR)
    sitting.wait(5)
    sitting.do(k.KeyDice(first=1, second=4), STICK)
    assert "MD-7.E" in sitting.refusal(k.DiceOut(), STICK)


@pytest.mark.clause("MD-7.E")
def test_MD_7_E__with_a_rulebook_that_a_table_adopts_comes_the_duty_to_put_in_a_set() -> None:
    """MD-7.E: nobody knows how old its dice are, so none are thrown before a new set is put in and on record."""
    sitting = _from_before()
    for faces in ((2, 4), (3, 4)):
        sitting.roll(*faces)  # as it was judged then
    sitting.rulebooks = lambda _name: learn_rulebook(changed_pages())
    sitting.do(k.AdoptRulebook(digest=changed_pages().digest, terms=TERMS), OWNER)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    for throw in (k.DiceOut(), k.KeyDice(first=1, second=4)):
        refused = sitting.refusal(throw, STICK)
        assert "no set of dice is on record at this table: put in a new set of dice [MD-7.E]" in refused
    assert sitting.do(k.PutInDice(), BOX) == (t.DiceSetPutIn(1, sitting.at, "MD-7.E"),)
    sitting.roll(1, 4)
    sitting.wait(60 * HOURS)
    assert "MD-7.E" in sitting.refusal(k.DiceOut(), STICK)


@pytest.mark.clause("MD-7.F.1")
def test_MD_7_F_1__every_opening_begins_with_a_new_set() -> None:
    """MD-7.F.1: closing early saves no set, and the clock starts again."""
    sitting = Sitting(dice="physical")
    assert _set(sitting) == t.DiceSetPutIn(1, sitting.at, "MD-7.F.1")
    sitting.do(k.CondemnDice(reason="unfit"), DEALER)
    sitting.do(k.CloseTable(), OWNER)
    sitting.wait(10)
    opening = k.OpenTable(name="Craps 1", house={"rules": "maryland"}, dice="physical", puts_in_dice=True)
    events = sitting.do(opening, OWNER)
    assert events[-1] == _set(sitting) == t.DiceSetPutIn(2, sitting.at, "MD-7.F.1")
    assert sitting.table.supervision.condemned is None
    assert not [one for one in sitting.do(k.CloseTable(), OWNER) if isinstance(one, t.DiceSetPutIn)]
    before = sitting.do(replace(opening, puts_in_dice=False), OWNER)  # as logs from before sets were recorded have it
    assert not [one for one in before if isinstance(one, t.DiceSetPutIn)]


@pytest.mark.parametrize(
    ("clause", "reason"), [pytest.param(*one, marks=pytest.mark.clause(one[0]), id=one[0]) for one in CONDEMNED.items()]
)
def test_a_condemned_set_is_not_thrown_again(clause: str, reason: str) -> None:
    """MD-7.F.2, MD-7.F.3, MD-7.F.4: whoever of the crew sees it; the whole set goes, and a new one comes in."""
    sitting = at_a_point()
    for who in (DEALER, STICK, BOX, FLOOR, CREW["surveillance"]):
        other = at_a_point()
        [condemned] = other.do(k.CondemnDice(reason=reason, text="seen"), who)
        assert condemned == t.DiceCondemned(1, reason, "seen", clause)
    sitting.do(k.CondemnDice(reason=reason), DEALER)
    refused = sitting.refusal(k.DiceOut(), STICK)
    assert (f"set 1 of the dice is {reason}" in refused, clause in refused) == (True, True)
    sitting.wager(ANN, "field", 5_00)  # wagers go on
    assert sitting.do(k.PutInDice(), FLOOR) == (t.DiceSetPutIn(2, sitting.at, clause),)
    sitting.roll(1, 4)


@pytest.mark.clause("MD-7.F.3")
def test_MD_7_F_3__condemned_dice_are_not_thrown_at_a_table_from_before_sets_were_recorded() -> None:
    """MD-7.F.3: no set is on record there, and the dice that are thrown can be condemned all the same."""
    sitting = _from_before()
    sitting.roll(2, 4)
    sitting.do(k.CondemnDice(reason="tampered"), BOX)
    refused = sitting.refusal(k.DiceOut(), STICK)
    assert "the set of dice in play is tampered: put in a new set of dice [MD-7.F.3]" in refused
    assert sitting.do(k.PutInDice(), FLOOR) == (t.DiceSetPutIn(1, sitting.at, "MD-7.F.3"),)
    sitting.roll(1, 4)


def test_only_reasons_of_the_rulebook_condemn_and_only_where_sets_are_recorded() -> None:
    sitting = at_a_point()
    assert "the reasons are: lost, tampered, unfit" in sitting.refusal(k.CondemnDice(reason="ugly"), DEALER)
    assert "may not give" in sitting.refusal(k.CondemnDice(reason="lost"), ANN)
    colorado = at_a_point("colorado")
    colorado.wait(60 * HOURS * 3)
    colorado.roll(1, 4)
    for command in (k.PutInDice(), k.CondemnDice(reason="lost")):
        assert "sets of dice are not recorded under this regulation" in colorado.refusal(command, BOX)
    assert "electronic" in Sitting().refusal(k.PutInDice(), BOX)
