"""A table opens under a checked house, and closes when nobody plays at it."""

import pytest
from msgspec import to_builtins

from passline.game import commands as c
from passline.game import events as e
from passline.refusal import Refused
from passline.rules.pages.texts import Pages
from passline.streams.course import Decision
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approvals
from passline.tables.decide import decide
from passline.tables.duties import unfit_signature
from passline.tables.live import table_id, version_of
from passline.tables.rules_in_force import learn_rulebook, rules_of
from tests.tables.changed_rulebook import changed_pages
from tests.tables.sitting import ALL, ANN, AT, BOB, CREW, FLOOR, LABORATORY, OWNER, Sitting, table_for_two


def test_a_table_opens_under_a_complete_house_with_a_bank() -> None:
    sitting = Sitting("maryland", house={"wager_cents_min": 10_00}, bank=50_000_00)
    live = sitting.table
    assert (live.id, live.name, live.status, live.house["wager_cents_min"]) == ("craps-1", "Craps 1", "open", 10_00)
    assert {"odds", "limits", "dice_set"} <= live.house.keys()
    assert live.balances == {"cage": -50_000_00, "bank": 50_000_00}
    assert live.rules == version_of(to_builtins(rules_of(live).house), live.rulebook)
    assert live.version == 1


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": " "}, "a table needs a name"),
        ({"table": "Craps 1"}, "an id such as 'craps-1'; 'Craps 1' is not one"),
        ({"dice": "loaded"}, "dice: 'loaded' is not one of electronic, physical"),
        ({"buy_in": "credit"}, "buy_in: 'credit' is not one of"),
        ({"automate": ("roll",)}, "automate: roll cannot be automated"),
        ({"house": {}}, "there is no rulebook ''"),
        ({"house": {"rules": "nevada"}}, "there is no rulebook 'nevada'"),
        ({"house": {"rules": "maryland", "wager_cents_min": 10**9}}, "is above wager_cents_max"),
        ({"house": {"rules": "maryland", "dice_colour": "red"}}, "is not a key of a house"),
        ({"house": {"rules": "maryland", "seats": "many"}}, "seats"),
        ({"house": {"rules": "maryland", "limits": {"field": {"min": 5, "max": 1}}}}, "is above the maximum"),
        ({"bank_cents": -1}, "the bank must be"),
        ({"bank_cents": 150}, "1.00 chips; 1.50 is not"),
    ],
)
def test_a_table_with_a_wrong_setting_is_not_opened(changes: dict[str, object], why: str) -> None:
    command = k.OpenTable(**{"name": "Craps 1", "house": {"rules": "maryland"}, **changes})  # type: ignore[arg-type]
    verdict = decide(None, command, by=OWNER, at=AT, approvals=Approvals(), signed_by="flo")
    assert isinstance(verdict, Refused)
    assert why in str(verdict)


def test_a_refused_opening_names_the_clauses_the_house_breaks() -> None:
    command = k.OpenTable(name="Craps 1", house={"rules": "arizona", "wager_cents_max": 200_000_00}, dice="physical")
    verdict = decide(None, command, by=OWNER, at=AT, approvals=Approvals())
    assert isinstance(verdict, Refused)
    assert "AZ-III.D.1-b" in str(verdict)


@pytest.mark.clause("AZ-II.A.2")
def test_AZ_II_A_2__software_layout_and_dice_need_a_laboratorys_report_on_file() -> None:
    """AZ-II.A.2: a table kept by a program opens once a report is on file, whatever its dice."""
    for dice in ("electronic", "physical"):
        assert "AZ-II.A.2" in str(Sitting("arizona", dice=dice).opened)
        assert Sitting("arizona", dice=dice, approvals=LABORATORY).table.status == "open"
    sitting = Sitting("arizona", approvals=LABORATORY)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    sitting.approvals = Approvals()
    assert "AZ-II.A.2" in sitting.refusal(k.Roll(seat=1), ANN)
    assert sitting.drawn == 1


def test_a_table_closes_when_nobody_plays_and_opens_again_where_it_left_off() -> None:
    sitting = table_for_two()
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(2, 4)
    refused = sitting.refusal(k.CloseTable(), OWNER)
    assert "wagers are still up (1)" in refused
    assert "players are still at seats 1, 2" in refused
    sitting.roll(3, 4)
    for who in (ANN, BOB):  # Bob is offered the dice and declines by leaving
        sitting.do(c.LeaveSeat(seat=sitting.seat(who)), who)
    version = sitting.table.version
    events = sitting.do(k.CloseTable(), FLOOR)
    assert [type(event) for event in events] == [e.CreditMade, t.TableClosed]
    live = sitting.table
    assert (live.status, live.version) == ("closed", version + 1)
    assert {account: cents for account, cents in live.balances.items() if cents} == {
        "cage": -2000_00 + 10_00,
        "count": 2000_00,
        "patron": -10_00,
    }
    assert "the table is not open" in sitting.refusal(c.TakeSeat(seat=1), ANN)
    sitting.do(k.OpenTable(name="Craps 1", house={"rules": "maryland"}, automate=ALL, bank_cents=500_00), OWNER)
    assert (sitting.table.hand, sitting.table.track.roll, sitting.table.version) == (1, 2, version + 2)
    assert "is already open" in sitting.refusal(k.OpenTable(name="Craps 1", house={"rules": "maryland"}), OWNER)


def test_a_table_id_is_made_from_the_name() -> None:
    assert table_id("  Ñ 7/B ") == "7-b"


def test_a_closed_table_is_opened_again_only_under_its_own_id() -> None:
    sitting = Sitting()
    sitting.do(k.CloseTable(), FLOOR)
    house = {"rules": "maryland"}
    for other in (k.OpenTable(name="Craps 2", house=house), k.OpenTable(name="Craps 1", table="other", house=house)):
        refused = sitting.refusal(other, OWNER)
        assert "this is the table 'craps-1' and the command opens" in refused
        assert "send it to POST /api/tables" in refused
    sitting.do(k.OpenTable(name="Craps of tonight", table="craps-1", house=house), OWNER)
    assert (sitting.table.id, sitting.table.name) == ("craps-1", "Craps of tonight")


def test_the_id_of_a_table_is_the_name_of_its_stream() -> None:
    """An id that is too long is refused if it was given, and shortened if it is made from a name."""
    long = k.OpenTable(name="Long", table="x" * 61, house={"rules": "maryland"})
    verdict = decide(None, long, by=OWNER, at=AT, approvals=Approvals())
    assert "an id such as 'craps-1'" in str(verdict)
    name = "\u0130" * 60  # each of which has two characters in lower case
    opened = decide(None, k.OpenTable(name=name, house={"rules": "maryland"}), by=OWNER, at=AT, approvals=Approvals())
    assert isinstance(opened, Decision), str(opened)
    assert opened.after.id == table_id(name) == table_id(opened.after.id)


# --- Another rulebook -------------------------------------------------------------------------------------------------


def _with_another_rulebook(**house: int) -> Sitting:
    sitting = Sitting("maryland", dice="physical", house=house)
    sitting.sit(ANN, 1)
    sitting.rulebooks = lambda _name: learn_rulebook(changed_pages())
    return sitting


ADOPT = k.AdoptRulebook(digest=changed_pages().digest)


def test_a_rulebook_is_adopted_with_an_empty_layout_and_the_dice_at_rest() -> None:
    sitting = _with_another_rulebook()
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.do(k.DiceOut(), sitting.stick)
    said = sitting.refusal(ADOPT, OWNER)
    assert "wagers are up (1)" in said
    assert "the dice are in the air" in said
    sitting.roll(6, 6)
    was = sitting.table
    [adopted] = sitting.do(ADOPT, OWNER)
    assert adopted == t.RulebookAdopted(ADOPT.digest, was.rulebook, was.house)
    now = sitting.table
    assert (now.rulebook, now.house, now.game) == (ADOPT.digest, was.house, was.game)
    assert now.rules != was.rules
    assert rules_of(now).wagers["place_win"].payouts[6].pays.pays == 9
    assert rules_of(was).wagers["place_win"].payouts[6].pays.pays == 7


def test_after_an_adoption_an_earlier_roll_cannot_be_corrected_under_the_new_rules() -> None:
    sitting = _with_another_rulebook()
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.roll(6, 6)
    assert sitting.table.before_roll is not None
    sitting.do(ADOPT, OWNER)
    correction = k.CorrectRoll(first=5, second=6, reason="misread")
    assert "there is no roll to correct" in sitting.refusal(correction, CREW["boxperson"])


def _stricter(*changes: tuple[bytes, bytes]) -> Pages:
    pages = changed_pages()
    elections = pages.texts["elections.toml"]
    for old, new in changes:
        assert elections.count(old) == 1
        elections = elections.replace(old, new)
    return Pages(pages.name, {**pages.texts, "elections.toml": elections})


def test_a_house_that_breaks_the_other_rulebook_is_refused_with_every_breach() -> None:
    sitting = _with_another_rulebook()
    minimum = (b"[wager_cents_min]\nmin = 1\n", b"[wager_cents_min]\nmin = 600\n")
    whirl = (b"[whirl_area]\nchoices = [true, false]", b"[whirl_area]\nchoices = [false]")
    pages = _stricter(minimum, whirl)
    sitting.rulebooks = lambda _name: learn_rulebook(pages, is_kept=True)  # its own default house breaks it too
    said = sitting.refusal(k.AdoptRulebook(digest=pages.digest), OWNER)
    assert "house: wager_cents_min:" in said
    assert "house: whirl_area:" in said
    assert "[MD-3.B.1" in said


def test_announced_limits_that_break_the_other_rulebook_are_refused_now() -> None:
    sitting = _with_another_rulebook(limit_notice_minutes=1)
    pages = _stricter((b"[wager_cents_min]\nmin = 1\n", b"[wager_cents_min]\nmin = 450\n"))
    sitting.rulebooks = lambda _name: learn_rulebook(pages, is_kept=True)  # its own default house breaks it too
    sitting.do(k.NoticeLimits(wager_cents_min=4_00, wager_cents_max=100_00), CREW["floorperson"])
    assert "house: wager_cents_min:" in sitting.refusal(k.AdoptRulebook(digest=pages.digest), OWNER)


def test_only_the_owner_adopts_a_rulebook_and_another_person_signs() -> None:
    sitting = _with_another_rulebook()
    for role, who in CREW.items():
        if role != "owner":
            assert "may not give adopt-rulebook" in sitting.refusal(ADOPT, who)
    assert "needs the signature of a floorperson or owner" in str(unfit_signature(ADOPT, OWNER, None))
    assert "somebody other than Olga" in str(unfit_signature(ADOPT, OWNER, OWNER))
    assert unfit_signature(ADOPT, OWNER, CREW["floorperson"]) is None


def test_limits_that_are_due_come_first_and_are_adopted_too() -> None:
    sitting = _with_another_rulebook(limit_notice_minutes=1)
    sitting.do(k.NoticeLimits(wager_cents_min=10_00, wager_cents_max=100_00), CREW["floorperson"])
    sitting.wait(2)
    events = sitting.do(ADOPT, OWNER)
    assert [type(one) for one in events] == [t.LimitsChanged, t.RulebookAdopted]
    assert sitting.table.house["wager_cents_min"] == 10_00
