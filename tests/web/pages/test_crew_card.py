"""The crew's card takes every reason, role and clause from the regulation."""

import pytest

from passline.authority.roles import CREW
from passline.game import commands as c
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.rules import Rules
from passline.streams.course import Actor
from passline.tables import commands as k
from passline.tables.duties import duty_of, unfit_signature
from passline.web.pages.crew import permitted_commands, signers_of
from passline.web.pages.crew_card import crew_card


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_every_reason_has_a_clause_of_the_regulation(regulation: str) -> None:
    card, matrix = crew_card(Rules.of(regulation)), clauses_of(regulation)
    reasons = [*card["no_roll"]["reasons"], *card["no_roll"]["no_reason"], *card["lies"], *card["order"]["reasons"]]
    assert len(reasons) > 10
    for reason in reasons:
        assert set(reason["clause"].split(", ")) <= set(matrix), reason
        assert reason["says"]


@pytest.mark.parametrize(("regulation", "decides"), [("maryland", ["boxperson"]), ("arizona", ["floorperson"])])
def test_the_regulation_says_who_decides_a_dispute(regulation: str, decides: list[str]) -> None:
    assert crew_card(Rules.of(regulation))["dispute"]["by"] == decides


def test_without_a_stickperson_the_dealer_does_the_sticks_work() -> None:
    card = crew_card(Rules.of("maryland", game="mini_craps", house={"stickperson": False}))
    assert not card["stickperson"]
    assert "stickperson" not in {*card["offer"]["by"], *card["call"]["by"], *card["pass"]["by"]}


def test_only_offered_wagers_are_on_the_card() -> None:
    rules = Rules.of("maryland")
    offered = {kind for kind, rule in rules.wagers.items() if rule.is_offered}
    assert {wager["kind"] for wager in crew_card(rules)["wagers"]} == offered


def test_the_console_offers_the_duties_of_a_role_and_no_others() -> None:
    assert {"fill", "credit"} <= set(permitted_commands("boxperson", "physical"))
    assert not {"fill", "open-table"} & {
        *permitted_commands("dealer", "physical"),
        *permitted_commands("dealer", "electronic"),
    }
    assert "accept-dice" in permitted_commands("stickperson", "physical")
    assert "accept-dice" not in permitted_commands("stickperson", "electronic")
    assert all("correct-roll" in signers_of(role) for role in CREW)


def test_the_console_offers_no_command_that_these_dice_always_refuse() -> None:
    """`permitted_commands` leaves out exactly the commands that these dice always refuse."""
    of_faces = {"dice-out", "key-dice", "correct-roll", "dispute-faces", "decide-dispute", "call-no-roll"}
    for role in CREW:
        physical, electronic = set(permitted_commands(role, "physical")), set(permitted_commands(role, "electronic"))
        assert not of_faces & electronic
        assert {"correct-roll", "decide-dispute", "call-no-roll"} <= physical
        assert electronic < physical
    assert "roll" in permitted_commands("player", "electronic")
    assert "roll" not in permitted_commands("player", "physical")


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_conduct_is_recorded_where_the_regulation_has_breaches(regulation: str) -> None:
    breaches = crew_card(Rules.of(regulation))["conduct"]
    named = {breach["key"]: (breach["clause"], sorted(breach["by"])) for breach in breaches}
    expected = {"strategy_advice": ("AZ-II.N.3", sorted(CREW)), "prediction_aid": ("AZ-II.N.2", [])}
    assert named == (expected if regulation == "arizona" else {})


def test_supervision_is_on_the_card_where_the_regulation_has_it() -> None:
    cards = {regulation: crew_card(Rules.of(regulation)) for regulation in REGULATIONS}
    assert [name for name, card in cards.items() if card["dice_sets"]] == ["maryland"]
    assert [name for name, card in cards.items() if card["irregularities"]] == ["colorado"]
    sets, law = cards["maryland"]["dice_sets"], clauses_of("maryland")
    assert (sets["hours"], sets["clause"]) == (int(law["MD-7.E"].values["max_age_h"]), "MD-7.E")
    assert sets["by"] == [role for role in CREW if "put-in-dice" in permitted_commands(role, "physical")]
    reasons = {one["key"]: (one["clause"], bool(one["says"])) for one in sets["reasons"]}
    assert reasons == {"lost": ("MD-7.F.2", True), "tampered": ("MD-7.F.3", True), "unfit": ("MD-7.F.4", True)}
    steps = cards["colorado"]["irregularities"]
    by = ["boxperson", "floorperson"]
    assert steps == {step: {"by": by, "clause": f"CO-2319-{step}"} for step in ("notify", "direct", "observe")}


@pytest.mark.parametrize(
    "command",
    [
        k.ReleaseTable(finding="it lay flat"),
        k.CorrectRoll(first=1, second=2, reason="misread"),
        k.NoticeLimits(wager_cents_min=5_00, wager_cents_max=100_00),
        c.Fill(cents=100_00),
        c.Credit(cents=100_00),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_form_asks_for_whom_the_duties_ask(command: k.TableCommand) -> None:
    """Also somebody who is alone in a role: a floorperson is asked for another one, a boxperson for either."""
    name = str(command.__struct_config__.tag)
    roles = (*CREW, "owner", "regulator", "surveillance", "player")
    for role in duty_of(command).by:
        by = Actor("a", "Ann", role)
        accepted = [one for one in roles if unfit_signature(command, by, Actor("b", "Bob", one)) is None]
        assert sorted(signers_of(role)[name]) == sorted(accepted), role
        assert accepted
