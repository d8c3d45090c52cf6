"""A tournament in memory: what the guide does not show of it."""

import pytest
from msgspec.structs import replace

from passline.errors import CrapsError
from passline.tournament.plan.reader import example_plan
from passline.tournament.trial import TrialTournament

PEOPLE = {"dora": "director", "cy": "cashier"}
MAIN = "Main event"


def test_an_unlawful_plan_is_refused() -> None:
    plan = example_plan("colorado")
    with pytest.raises(CrapsError, match=r"CO-2315\.03-place"):
        TrialTournament(replace(plan, premises=replace(plan.premises, is_licensed=False)), PEOPLE)


def test_points_by_chance_follow_the_seed_and_add_up() -> None:
    found = []
    for seed in (1, 1, 2):
        trial = TrialTournament(example_plan("colorado"), PEOPLE)
        with pytest.raises(CrapsError, match="no round"):
            trial.deal()
        for entry, name in enumerate(("Ann", "Bob", "Cleo"), start=1):
            trial.do("cy", "enter-player", event=MAIN, name=name)
            trial.do("cy", "sign-in-player", entry=entry)
        assert "lot 1 is drawn: 3 seats" in trial.do("dora", "prepare-round", event=MAIN, tables=["t"])
        trial.do("dora", "start-round")
        trial.deal({1: 7}, seed=seed)
        held = trial.state.round
        assert held is not None
        assert held.points["1"] == 7
        assert sum(held.points.values()) + held.house["t"] == 7500
        found.append(sorted(held.points.values()))
    assert found[0] == found[1] != found[2]


def test_a_player_may_not_do_the_desks_work_and_the_moment_is_recorded() -> None:
    trial = TrialTournament(example_plan("arizona"), PEOPLE)
    event = trial.state.plan.events[0].name
    assert trial.do("ann", "enter-player", event=event, name="Ann").startswith(
        "refused: the player may not take an entry"
    )
    trial.go_to("2026-05-01T19:30:00.000000Z")
    said = trial.do("cy", "enter-player", event=event, name="Ann", occurred="2026-05-01T19:00:00.000000Z")
    assert "breach 1: the money was taken at 2026-05-01T19:00:00.000000Z" in said
    assert "2026-05-01 19:00:00  2026-05-01 19:30:00  Ann" in trial.paper("log")
    assert trial.paper("moon").startswith("refused: a tournament has no list 'moon'")
