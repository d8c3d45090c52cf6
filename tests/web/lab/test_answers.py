"""What the laboratory answers: the laws that `analyze` has, the dice that `replay` plays, and a linter's words."""

import json
from typing import Any, cast

import msgspec
import pytest

from passline.automaton.terms import Terms
from passline.exact.analysis import analyze
from passline.exact.session.law import SessionLaw
from passline.rules.rules import Rules
from passline.side_processes import pack_question
from passline.simulation.replay import replay
from passline.strategy.lookup import strategy_of
from passline.web.lab.laws import fan_points
from passline.web.lab.questions import (
    BestAsked,
    CheckAsked,
    HandsAsked,
    LabHouse,
    LabQuestion,
    LabSession,
    LabStrategy,
    LawAsked,
    LawsAsked,
)
from passline.web.lab.work import answer
from tests.cases import budget
from tests.web.lab.hostile import HOUSE, SESSION, hostile_questions

MARYLAND = LabHouse("maryland")


def lines_of(question: LabQuestion) -> list[dict[str, Any]]:
    """Return the lines that answer a question, progress left out."""
    told: list[bytes] = []
    assert answer(pack_question(question), told.append) == b""
    return [line for line in map(json.loads, told) if line["line"] != "progress"]


def test_a_law_is_that_of_analyze_and_its_fan_ends_in_it() -> None:
    session = LabSession(bankroll_cents=200_00, rolls=40, goal_cents=300_00)
    law, fan = lines_of(LawAsked(MARYLAND, session, LabStrategy("molly"), 100))
    found = analyze(Rules.of("maryland"), "molly", Terms(bankroll_cents=200_00, rolls=40, goal_cents=300_00)).law
    assert found is not None
    assert (law["ruin"], law["goal"], law["mean_cents"]) == (found.ruin, found.goal, found.mean_cents)
    assert [row[0] for row in law["atoms"]] == list(found.equity_cents)
    assert sum(row[1] for row in law["atoms"]) == pytest.approx(1, abs=1e-12)
    assert dict(map(tuple, law["quantiles"]))[25] == found.quantile_cents(0.25)
    assert law["by_roll"][-1][0] == 40
    assert sum(law["by_roll"][-1][1:]) == pytest.approx(1, abs=1e-12)
    assert (fan["rolls"][0], fan["rolls"][-1]) == (0, 40)
    assert fan["cents"][0] == [200_00] * 5
    assert fan["cents"][-1] == [found.quantile_cents(share / 100) for share in fan["shares"]]
    assert fan["mean_cents"][-1] == pytest.approx(found.mean_cents)


def test_a_law_with_stops_is_that_of_analyze() -> None:
    session = LabSession(200_00, rolls=40, stop_loss_cents=60_00, trailing_stop_cents=80_00, line_losses=4)
    law, _fan = lines_of(LawAsked(MARYLAND, session, LabStrategy("pass"), 100))
    terms = Terms(bankroll_cents=200_00, rolls=40, stop_loss_cents=60_00, trailing_stop_cents=80_00, line_losses=4)
    found = analyze(Rules.of("maryland"), "pass", terms).law
    assert found is not None
    assert (law["stop"], law["terms"]) == (found.stop, str(found.terms))
    assert [row[4] for row in law["atoms"]] == list(found.stop_chances)
    assert law["by_roll"][-1][4] == pytest.approx(law["stop"])
    assert sum(law["by_roll"][-1][1:]) == pytest.approx(1, abs=1e-12)


def test_a_fan_goes_as_far_as_sessions_do() -> None:
    law = analyze(Rules.of("maryland"), "pass", Terms(bankroll_cents=100_00, hands=1)).law
    assert law is not None
    floats = cast("SessionLaw[float]", law)
    points = fan_points(floats)
    assert sum(floats.limit_by_roll[: points[-1] + 1]) + sum(floats.ruin_by_roll[: points[-1] + 1]) > 0.999
    assert points[-1] < len(law.limit_by_roll)


def test_parts_that_have_no_law_together_have_a_mean_and_say_why() -> None:
    house = LabHouse("maryland", elections='side_wagers = { fire = "A" }')
    (law,) = lines_of(LawAsked(house, LabSession(500_00, rolls=5), LabStrategy("molly + fire"), 100))
    assert "more than 4,096 together" in law["why_no_law"]
    assert 0 < abs(law["mean_cents"] - 500_00) < 5_00, "wagers that are up count at face"
    assert (law["ruin"], law["atoms"]) == (None, [])


def test_hands_are_those_of_replay_with_what_lies_on_the_felt() -> None:
    session = LabSession(bankroll_cents=100_00, rolls=30)
    (told,) = lines_of(HandsAsked(MARYLAND, session, LabStrategy("molly"), seed=7))
    rules = Rules.of("maryland")
    terms = Terms(bankroll_cents=100_00, rolls=30)
    steps = [*replay(rules, strategy_of("molly", rules), terms, seed=7, session=0)]
    rolls = [roll for hand in told["hands"] for roll in hand["rolls"]]
    thrown = [step for step in steps if step.roll is not None]
    assert [(roll["first"], roll["second"]) for roll in rolls] == [
        (s.roll.first, s.roll.second) for s in thrown if s.roll
    ]
    assert [roll["equity_cents"] for roll in rolls] == [step.equity_cents for step in thrown]
    assert [hand["number"] for hand in told["hands"]] == list(range(1, len(told["hands"]) + 1))
    for hand in told["hands"][:-1]:
        assert "Seven out" in hand["rolls"][-1]["title"]
    assert all({wager["seat"] for wager in roll["up"]} <= {2} for roll in rolls), "the companion's wagers are not shown"
    assert not any("companion" in line for roll in rolls for line in (*roll["acts"], *roll["decided"]))
    assert told["layout"]["table"]["areas"]


def test_a_session_that_cannot_be_paid_for_plays_no_dice() -> None:
    (told,) = lines_of(HandsAsked(MARYLAND, LabSession(1_00, rolls=5), LabStrategy("molly")))
    assert (told["hands"], told["ending"]) == ([], "ruin")


@pytest.mark.whole
def test_best_play_is_a_policy_by_position_and_money_with_its_gap() -> None:
    asked = BestAsked(MARYLAND, "pass", 100_00, "goal", 500_00, 1000_00)
    (found,) = lines_of(asked)
    assert found["value"] == pytest.approx(244 / 495, abs=1e-12), "bold play by pass alone"
    assert 0 <= found["gap"] < 1e-9
    first = found["rows"][0]
    assert (first["position"], first["puck"]) == ("puck OFF", 0)
    money = (500_00 - found["first_cents"]) // found["step_cents"]
    ((_, _, act, staked),) = [run for run in first["runs"] if run[0] <= money <= run[1]]
    assert (found["acts"][act], staked) == ("pass 500.00", 500_00)
    (refused,) = lines_of(BestAsked(MARYLAND, "pass", 100_00, "longest", 500_00))
    assert "let the session end after rolls" in refused["refusals"][0]["why"]


def test_a_file_is_looked_at_and_its_faults_are_no_errors() -> None:
    wrong = 'name = "mine"\ndescription = "d"\nsource = "s"\n[[wish]]\nmake = "pas"\ncents = "1000"\n'
    (found,) = lines_of(CheckAsked(MARYLAND, LabStrategy(file=wrong)))
    assert found["faults"][0]["why"].startswith("your file: wish[0].make: maryland has no wager 'pas'")
    vain = wrong.replace('"pas"', '"pass"') + '[[wish]]\nmake = "field"\nwhen = "puck == 3"\ncents = "500"\n'
    (found,) = lines_of(CheckAsked(MARYLAND, LabStrategy(file=vain), with_costs=True))
    assert (found["faults"], found["notes"]) == ([], ["wish[1] (make field): its condition was never true: puck == 3"])
    assert found["costs"]


def test_a_house_that_breaks_its_regulation_is_refused_with_the_clause() -> None:
    house = LabHouse("maryland", elections="dice_set = 1")
    (refused,) = lines_of(LawAsked(house, LabSession(100_00, rolls=5), LabStrategy("pass"), 100))
    assert refused["line"] == "refused"
    assert refused["refusals"][0]["clause"].startswith("MD-")


@pytest.mark.parametrize(
    "played",
    ["mine.toml", "/etc/mine.policy", "molly + mine.policy", "/etc/passwd.toml", "molly + /dev/zero.toml:unit=5"],
)
def test_no_name_opens_a_file(played: str) -> None:
    (refused,) = lines_of(LawAsked(MARYLAND, LabSession(100_00, rolls=5), LabStrategy(played), 100))
    assert refused["refusals"][0]["why"].startswith("there is no strategy '")


def test_hostile_questions_are_answered_or_refused_in_words() -> None:
    """Here those that need no bounds but the language's own; test_queue.py sends them all to a server."""
    light = [asked for asked in hostile_questions() if not asked.is_heavy]
    assert len([*hostile_questions()]) > 200
    kinds = {"/api/lab/laws": LawsAsked, "/api/lab/check": CheckAsked, "/api/lab/hands": HandsAsked}
    for asked in light[:: budget(7, in_sweep=1)]:
        body = asked.body if isinstance(asked.body, bytes) else _json_of(asked.body)
        try:
            question = msgspec.json.decode(body, type=kinds[asked.path])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue  # which the server refuses before any process sees it
        if isinstance(question, LawsAsked):
            question = LawAsked(question.house, question.session, question.strategies[0], question.pace)
        last = lines_of(question)[-1]
        assert last["line"] in {"law", "fan", "check", "hands", "refused"}, asked.name
        for refusal in last.get("refusals", ()):
            assert len(refusal["why"]) < 3_000, asked.name


def _json_of(body: object) -> bytes:
    return json.dumps(body).encode()


def test_a_plain_question_is_none_of_them() -> None:
    law, _fan = lines_of(LawAsked(LabHouse(**HOUSE), LabSession(**SESSION), LabStrategy("pass"), 100))
    assert law["name"] == "pass"
