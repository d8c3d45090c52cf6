"""What a regulation asks of a live table when it opens: who confirms, who changes cash, which approvals are on file."""

from typing import Any

import pytest

from passline.refusal import Refused
from passline.rules.rulebook_reader import rulebook_of
from passline.streams.course import Decision
from passline.tables import commands as k
from passline.tables.approvals import Approval, Approvals
from passline.tables.decide import decide
from passline.tables.rules_in_force import learn_rulebook
from passline.tables.terms import PRACTICE_CENTS_MAX, TERMS
from tests.tables.changed_rulebook import changed_pages
from tests.tables.sitting import ALL, ANN, AT, LABORATORY, OWNER, Sitting

BOTH = Approvals(
    (
        *LABORATORY.on_file,
        *(Approval("game_rules", authority, "17", "2026-01-02") for authority in ("TGO", "SGA")),
    )
)


def opened(rules: str, approvals: Approvals = LABORATORY, **changes: Any) -> str:  # noqa: ANN401 - of any field
    """Return why a table does not open, or nothing."""
    house = {"rules": rules, **changes.pop("house", {})}
    command = k.OpenTable(**{"name": "Craps 1", "house": house, "terms": TERMS, **changes})
    verdict = decide(None, command, by=OWNER, at=AT, approvals=approvals)
    return str(verdict) if isinstance(verdict, Refused) else ""


@pytest.mark.parametrize(
    ("rules", "game", "clauses"),
    [
        pytest.param("colorado", "craps", ["CO-2305-2-late"], marks=pytest.mark.clause("CO-2305-2-late")),
        pytest.param("colorado", "craps_free_craps", ["CO-2305-2-late"]),
        pytest.param(
            "section2",
            "craps",
            ["S2-c1i", "S2-c2.verbal"],
            marks=[pytest.mark.clause("S2-c1i"), pytest.mark.clause("S2-c2.verbal")],
        ),
        pytest.param("section2", "mini_craps", ["S2-c1ii", "S2-c2.verbal"], marks=pytest.mark.clause("S2-c1ii")),
        pytest.param("arizona", "craps", ["AZ-III.E.4-b"], marks=pytest.mark.clause("AZ-III.E.4-b")),
        pytest.param("maryland", "craps", ["MD-4.C.1"], marks=pytest.mark.clause("MD-4.C.1")),
        pytest.param("maryland", "mini_craps", ["MD-4.C.1"]),
    ],
)
def test_with_physical_dice_nobody_automates_a_confirmation(rules: str, game: str, clauses: list[str]) -> None:
    """No program says aloud that a late wager, or one in cash, stands: the opening is refused for each clause."""
    said = opened(rules, house={"game": game}, dice="physical", automate=ALL)
    assert all(clause in said for clause in clauses), said
    assert "leave confirm out" in said
    by_hand = tuple(step for step in ALL if step != "confirm")
    assert opened(rules, house={"game": game}, dice="physical", automate=by_hand) == ""
    assert opened(rules, house={"game": game}, automate=ALL) == "", "with electronic dice none is late"


@pytest.mark.clause("AZ-III.D.4-a")
def test_AZ_III_D_4_a__players_do_not_change_their_own_cash() -> None:
    """AZ-III.D.4-a: the dealer changes currency and coin; play money is neither."""
    assert "AZ-III.D.4-a" in opened("arizona", buy_in="self")
    assert opened("arizona", buy_in="dealer") == ""
    assert opened("arizona", buy_in="self", practice_cents_max=2_000_00) == ""
    assert opened("arizona", buy_in="self", is_demo=True) == ""
    assert opened("maryland", buy_in="self") == ""


@pytest.mark.clause("AZ-III.D.4-a", "S2-d2.higher")
def test_practice_is_electronic_and_small_and_not_a_word_that_lifts_the_rules() -> None:
    """AZ-III.D.4-a, S2-d2.higher: only play money is outside them, so what practice may be is not the house's word."""
    practice: dict[str, Any] = {"buy_in": "self", "practice_cents_max": PRACTICE_CENTS_MAX}
    assert opened("arizona", **practice) == ""
    assert "a practice table has electronic dice" in opened("arizona", dice="physical", **practice)
    most = {**practice, "practice_cents_max": PRACTICE_CENTS_MAX + 1}
    assert "a practice table gives a player at most 2000.00 of play money at once, not 2000.01" in opened(
        "arizona", **most
    )
    assert opened("maryland", **most), "under every regulation"
    assert opened("arizona", **most, dice="physical", terms=1) == "", "as logs from before have it"
    old = Sitting("maryland", dice="physical", practice=PRACTICE_CENTS_MAX, terms=1, automate=())
    old.rulebooks = lambda _name: learn_rulebook(changed_pages())
    said = old.refusal(k.AdoptRulebook(digest=changed_pages().digest, terms=TERMS), OWNER)
    assert "a practice table has electronic dice" in said


@pytest.mark.clause("AZ-III.F-0a", "AZ-III.F-0b")
def test_AZ_III_F_0b__other_odds_need_the_approvals_on_file_and_not_a_word_in_a_house_file() -> None:
    """AZ-III.F-0a, -0b: what is paid otherwise needs rules approved by both; AZ-II.A.1-a names them."""
    house = {"payouts": {"field 12": "3 to 1"}, "payouts_approved": True, "payouts_posted": True}
    said = opened("arizona", house=house)
    assert all(clause in said for clause in ("AZ-II.A.1-a", "AZ-III.F-0a", "AZ-III.F-0b")), said
    assert "by TGO and SGA on file" in said
    one = Approvals(tuple(approval for approval in BOTH.on_file if approval.authority != "SGA"))
    assert "AZ-III.F-0b" in opened("arizona", one, house=house)
    assert opened("arizona", BOTH, house=house) == ""
    assert opened("arizona") == "", "the listed odds need no approval of their own"
    assert "AZ-III.E.6-nooff" in opened("arizona", house={"off_calls": True}), (
        "off calls are the approved rules' as well"
    )
    assert opened("arizona", BOTH, house={"off_calls": True}) == ""


@pytest.mark.clause("AZ-III.F-0b")
def test_AZ_III_F_0b__electronic_dice_wait_once_an_approval_is_withdrawn() -> None:
    """AZ-III.F-0b: the approval is asked for at every throw, as the laboratory's report is."""
    house = {"payouts": {"field 12": "3 to 1"}, "payouts_approved": True, "payouts_posted": True}
    sitting = Sitting("arizona", approvals=BOTH, house=house)
    sitting.sit(ANN, 1)
    sitting.wager(ANN, "pass", 10_00)
    sitting.shoot(ANN)
    sitting.approvals = LABORATORY
    assert "AZ-III.F-0b" in sitting.refusal(k.Roll(seat=1), ANN)
    sitting.approvals = BOTH
    sitting.roll(2, 4)


@pytest.mark.clause("AZ-III.D.3")
def test_AZ_III_D_3__no_minutes_are_no_notice() -> None:
    """AZ-III.D.3: limits change with notice to all players: a house that elects none is refused."""
    assert "AZ-III.D.3" in opened("arizona", house={"limit_notice_minutes": 0})
    assert opened("arizona", house={"limit_notice_minutes": 1}) == ""


def test_a_table_from_before_there_were_terms_comes_under_them_with_a_rulebook_or_not_at_all() -> None:
    """What was opened then stands as it was judged; adopting another text asks for what an opening asks for."""
    adopt = k.AdoptRulebook(digest=changed_pages().digest, terms=TERMS)
    old = Sitting("maryland", dice="physical", terms=0)
    assert "confirm" in old.table.automate
    old.rulebooks = lambda _name: rulebook_of("maryland")
    said = old.refusal(k.AdoptRulebook(digest=rulebook_of("maryland").digest, terms=TERMS), OWNER)
    assert "MD-4.C.1" in said
    lawful = Sitting("maryland", dice="physical", terms=0, automate=())
    lawful.rulebooks = lambda _name: learn_rulebook(changed_pages())
    lawful.do(adopt, OWNER)
    assert lawful.table.terms == TERMS
    again = decide(
        None, k.OpenTable(name="Craps 1", house={"rules": "maryland"}), by=OWNER, at=AT, approvals=LABORATORY
    )
    assert isinstance(again, Decision)
    assert again.after.terms == 0
