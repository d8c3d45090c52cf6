"""The crew's card lists nothing of its own: every reason, role and clause is the regulation's."""

import pytest

from passline.people.roles import CREW
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.rules import Rules
from passline.web.pages.crew import may, signs
from passline.web.pages.crew_card import crew_card
from passline.web.pages.house import Elections, checked
from passline.web.server.responses import Denied


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_every_reason_has_a_clause_of_the_matrix(regulation: str) -> None:
    card, matrix = crew_card(Rules.of(regulation)), clauses_of(regulation)
    reasons = [*card["no_roll"]["reasons"], *card["no_roll"]["no_reason"], *card["lies"], *card["order"]["reasons"]]
    assert len(reasons) > 10
    for reason in reasons:
        assert set(reason["clause"].split(", ")) <= set(matrix), reason
        assert reason["says"]


@pytest.mark.parametrize(("regulation", "decides"), [("maryland", ["boxperson"]), ("arizona", ["floorperson"])])
def test_who_decides_a_dispute_is_the_regulations(regulation: str, decides: list[str]) -> None:
    assert crew_card(Rules.of(regulation))["dispute"]["by"] == decides


def test_a_table_without_a_stickperson_leaves_the_stick_to_its_dealer() -> None:
    card = crew_card(Rules.of("maryland", game="mini_craps", house={"stickperson": False}))
    assert not card["stickperson"]
    assert "stickperson" not in {*card["offer"]["by"], *card["call"]["by"], *card["pass"]["by"]}


def test_only_what_is_offered_is_on_the_card() -> None:
    rules = Rules.of("maryland")
    offered = {kind for kind, rule in rules.wagers.items() if rule.is_offered}
    assert {wager["kind"] for wager in crew_card(rules)["wagers"]} == offered


def test_the_console_offers_the_duties_of_a_role_and_no_others() -> None:
    assert {"fill", "credit"} <= set(may("boxperson", "physical"))
    assert not {"fill", "open-table"} & {*may("dealer", "physical"), *may("dealer", "electronic")}
    assert "accept-dice" in may("stickperson", "physical")
    assert "accept-dice" not in may("stickperson", "electronic")
    assert all("correct-roll" in signs(role) for role in CREW)


def test_the_console_offers_nothing_that_the_dice_of_a_table_always_refuse() -> None:
    """What `may` leaves out for the dice is what the judge refuses for them, and nothing else."""
    of_faces = {"dice-out", "key-dice", "correct-roll", "dispute-faces", "decide-dispute", "call-no-roll"}
    for role in CREW:
        physical, electronic = set(may(role, "physical")), set(may(role, "electronic"))
        assert not of_faces & electronic
        assert {"correct-roll", "decide-dispute", "call-no-roll"} <= physical
        assert electronic < physical
    assert "roll" in may("player", "electronic")
    assert "roll" not in may("player", "physical")


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_conduct_is_recorded_where_the_regulation_has_breaches(regulation: str) -> None:
    breaches = crew_card(Rules.of(regulation))["conduct"]
    named = {breach["key"]: (breach["clause"], sorted(breach["by"])) for breach in breaches}
    expected = {"strategy_advice": ("AZ-II.N.3", sorted(CREW)), "prediction_aid": ("AZ-II.N.2", [])}
    assert named == (expected if regulation == "arizona" else {})


@pytest.mark.parametrize("toml", ["rules = ", 'rules = "nowhere"', 'rules = "maryland"\nbuy = 7'])
def test_a_house_that_cannot_be_offered_is_refused_with_the_reason(toml: str) -> None:
    with pytest.raises(Denied) as refused:
        checked(Elections(toml, "maryland", "craps"))
    assert all(one.why for one in refused.value.refusals)
