"""Craps Free Craps is Rule 23's craps save what it names: whatever holds a clause there is held to the same here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from passline.rules.clauses import clauses_of
from passline.rules.rulebook_reader import rulebook_of
from tests.clauses.table import rules_of

COLORADO = rulebook_of("colorado")
CRAPS, VARIED = COLORADO.games["craps"], COLORADO.games["craps_free_craps"]
OWN = {  # what 47.1-2317.03 says otherwise: no craps loses, only a 7 wins at once, and there are four further points
    *(("pass", "first_win"), ("pass", "first_lose"), ("come", "first_win"), ("come", "first_lose")),
    *(("place_win", "numbers"), ("place_win", "pays"), ("buy", "numbers"), ("buy", "pays")),
}
_WORDS = ("reading", "cite", "from")


def _bare(value: Any) -> Any:  # noqa: ANN401 - data of any type
    """Return data without its citations and words: what is left decides something."""
    match value:
        case dict():
            return {key: _bare(one) for key, one in value.items() if not key.endswith(_WORDS)}
        case list() | tuple():
            return [_bare(one) for one in value]
        case _:
            return value


def _cited(value: Any) -> Iterator[str]:  # noqa: ANN401 - data of any type
    match value:
        case dict():
            for key, one in value.items():
                yield from _strings(one) if key.endswith("cite") else _cited(one)
        case list() | tuple():
            for one in value:
                yield from _cited(one)
        case _:
            return


def _strings(cite: Any) -> Iterator[str]:  # noqa: ANN401 - data of any type
    match cite:
        case str():
            yield from [cite] if cite else []
        case dict():
            for one in cite.values():
                yield from _strings(one)
        case _:
            yield from cite


def _held(*values: object) -> Any:  # noqa: ANN401 - the type of a mark has no public name
    """Mark the clauses of the game that both pages cite, and that the variation rests on Rule 23."""
    both = set.intersection(*({*_cited(msgspec.to_builtins(one))} for one in values))
    game = {one for one in both if clauses_of("colorado")[one].part == "game"}
    return pytest.mark.clause("CO-2317.03-base", *sorted(game))


def _page(name: str) -> tuple[object, object]:
    return getattr(CRAPS, name), getattr(VARIED, name)


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=_held(*_page(name))) for name in ("procedures", "late")),
        *(pytest.param(name, marks=pytest.mark.clause("CO-2317.03-base")) for name in ("duties", "seats")),
    ],
)
def test_what_the_crew_does_is_as_at_craps(name: str) -> None:
    """CO-2317.03-base: the variation changes wagers; throws, disputes, shooters and duties stay those of Rule 23."""
    craps, varied = (_bare(msgspec.to_builtins(page)) for page in _page(name))
    if name == "procedures":  # without the don't side, which this game does not have
        craps["clearing"]["wagers"] = ["come"]
        craps["shooter"]["line_wagers"] = ["pass"]
    assert varied == craps


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=_held(COLORADO.wagers[kind], VARIED.wagers[kind])) for kind in VARIED.wagers]
)
def test_a_wager_is_as_at_craps_save_what_the_variation_names(kind: str) -> None:
    """CO-2317.03-base: when it is made, comes down, works, wins and loses, its parts and its limits are Rule 23's."""
    craps, varied = (_bare(msgspec.to_builtins(one.wagers[kind])) for one in (COLORADO, VARIED))
    others = {(kind, key) for key in craps | varied if craps.get(key) != varied.get(key)}
    assert others == {one for one in OWN if one[0] == kind}


@pytest.mark.clause("CO-2317.03-base")
def test_CO_2317_03_base__on_the_six_points_it_pays_as_at_craps() -> None:
    """CO-2317.03-base: what the variation does not name is paid by Rule 23's list."""
    craps, varied = rules_of("colorado").wagers, rules_of("colorado", game="craps_free_craps").wagers
    for kind in ("pass_odds", "come_odds", "put_odds", "place_win", "buy"):
        if kind in varied:
            six = {number: varied[kind].payouts[number].pays for number in (4, 5, 6, 8, 9, 10)}
            assert six == {number: payout.pays for number, payout in craps[kind].payouts.items()}, kind
