"""Every value that some regulation lets a house elect, tried under each: only those of the reviewed table are taken."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.house_reader import house_of
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Cite, cites_of

TABLE = Path(__file__).parent / "cases" / "bounds.txt"
_WORDS: dict[str, object] = {"true": True, "false": False}
_OTHERS = {"boxperson", "stickperson", "dealer", "floorperson", "lucky_shooter", "fire", "4", "10", "free_craps"}
# What Arizona's houses write into procedures of their own, which test_house_check.py tries.
_BY_PROCEDURES = {("arizona", key) for key in ("no_roll_callers", "stickperson", "dice_set")}


@cache
def _bounds() -> dict[tuple[str, str], str]:
    """Return the table: what each election of each regulation may be, in all games that no `; GAME` names."""
    found, regulation = {}, ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            key, _, says = line.strip().partition(":")
            found[regulation, key] = says.strip()
        elif line and not line.startswith("#"):
            regulation = line
    return found


def _cited(name: str, key: str, cite: Cite) -> list[str]:
    """Return the clauses of an election; of what is written into procedures, not those that the office keeps."""
    every = (
        {one for choice in cite for one in cites_of(cite, choice)} if isinstance(cite, dict) else set(cites_of(cite))
    )
    return sorted(one for one in every if clauses_of(name)[one].part != "office" or (name, key) not in _BY_PROCEDURES)


def _mark(clauses: list[str]) -> Any:  # noqa: ANN401 - a mark, or none
    return pytest.mark.clause(*clauses) if clauses else ()


def _cases() -> list[Any]:
    """One case for each election of each regulation, marked with the clauses that leave it to the house."""
    return [
        pytest.param(name, key, marks=_mark(_cited(name, key, election.cite)), id=f"{name}-{key}")
        for name in REGULATIONS
        for key, election in rulebook_of(name).elections.items()
        if (name, key) not in _BY_PROCEDURES
    ]


def _is_taken(name: str, key: str, value: object, among: tuple[str, ...]) -> bool:
    """Return whether a house that differs from the default one in this choice has no breach of it in one of games."""
    rulebook = rulebook_of(name)
    house: dict[str, object] = {key: value}
    if key in _SIDE:
        house = {"side_wagers": {key: value}}
    if key in {"buy_vigorish_when", "lay_vigorish_when"} and rulebook.elections["lay_vigorish_when"].same_as:
        house = dict.fromkeys(("buy_vigorish_when", "lay_vigorish_when"), value)
    if key in {"wager_cents_min", "wager_cents_max"}:
        house |= {"limits": {}, "smallest_chip_cents": 1}
    found = {f"side_wagers.{key}"} if key in _SIDE else {key}
    games = [house_of(rulebook, {**house, "game": game})[1] for game in among]
    return any(not [one for one in breaches if one.key.partition("[")[0] in found] for breaches in games)


_SIDE = {key for name in REGULATIONS for key in rulebook_of(name).elections} - set(rulebook_of("section2").elections)


def test_the_table_has_every_election() -> None:
    assert {*_bounds()} == {(name, key) for name in REGULATIONS for key in rulebook_of(name).elections}


@pytest.mark.parametrize(("name", "key"), _cases())
def test_a_house_elects_what_the_table_allows_and_nothing_else(name: str, key: str) -> None:
    usual, *others = _bounds()[name, key].split("; ")
    own = dict(other.split(" ", 1) for other in others)
    _check(name, key, usual, tuple(game for game in rulebook_of(name).games if game not in own))
    for game, says in own.items():
        _check(name, key, says, (game,))


def _known(key: str) -> set[str]:
    """Return the words of an election in every regulation and game."""
    said = [one for (_, other), text in _bounds().items() if other == key for one in text.split("; ")]
    return {word for one in said for word in one.partition(" of ")[2].split()}


def _check(name: str, key: str, says: str, games: tuple[str, ...]) -> None:
    lawful = set(says.partition(" of ")[2].split())
    if says.startswith("one of"):
        for word in {*_known(key), "nonsense"}:
            assert _is_taken(name, key, _WORDS.get(word, word), games) is (word in lawful), word
    elif says.startswith("any of"):
        for word in {*_known(key), *_OTHERS, "nonsense"}:
            value = int(word) if word.isdigit() else word
            assert _is_taken(name, key, [value], games) is (word in lawful), word
        assert _is_taken(name, key, [], games)
    else:
        least, _, most = says.removeprefix("from ").partition(" to ")
        assert _is_taken(name, key, int(least), games)
        assert not _is_taken(name, key, int(least) - 1, games)
        if most:
            assert _is_taken(name, key, int(most), games)
            assert not _is_taken(name, key, int(most) + 1, games)
        else:
            assert _is_taken(name, key, int(least) + 2, games)
