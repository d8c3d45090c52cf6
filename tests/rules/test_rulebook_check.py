"""Contradictory rulebooks: values of a sound one are changed, and exactly the resulting problems are reported.

cases/contradictions.txt has the changes: a rulebook, the keys that lead to a value, and what it becomes (or `gone`);
further ones after `and`.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from passline.rules.checks.alike import rulebook_doubts
from passline.rules.explain.sections import explain_all
from passline.rules.pages.citations import cited_entries
from passline.rules.pages.texts import RulebookError, read_toml
from passline.rules.rulebook_check import rulebook_problems
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from tests.case_files import cases_of
from tests.rules.rulebooks import HARBOUR, HOP, MARYLAND, load_with

PAID = [{"pays": "1 to 1", "cite": "HB-26"}]

CASES = cases_of(Path(__file__).parent / "cases" / "contradictions.txt")


def _changed(change: str) -> Rulebook:
    """Return a sound rulebook with the changes made."""
    name, _, changes = change.partition(" ")
    sound = load_rulebook(HARBOUR) if name == "harbour" else rulebook_of(name)
    data: Any = msgspec.json.decode(msgspec.json.encode(sound))
    for one in changes.split(" and "):
        place, _, text = one.partition(" = ")
        *keys, last = place.split()
        at = data
        for key in keys:
            at = at[_step(key)]
        if text == "gone":
            del at[_step(last)]
        else:
            at[_step(last)] = tomllib.loads(f"value = {text}")["value"]
    return msgspec.convert(data, Rulebook)


def _step(key: str) -> str | int:
    return int(key) if key.isdigit() else key


@pytest.mark.parametrize(("change", "told"), CASES, ids=[change for change, _ in CASES])
def test_every_problem_of_a_rulebook_is_reported_with_its_file(change: str, told: list[str]) -> None:
    """A problem of a wager is reported for each game that has it; here once is enough."""
    rulebook = _changed(change)
    found = (*rulebook_problems(rulebook, cited_entries(rulebook)), *rulebook_doubts(rulebook))
    assert list(dict.fromkeys(found)) == told


def test_a_hop_wager_is_on_pairs_of_dice_smaller_face_first() -> None:
    """A pair has one name; the larger face first, or a face of 7, is not a pair."""
    assert "hop" in load_with(HARBOUR, "wagers.toml", tomllib.loads(HOP)).wagers
    for wrong in ("3-1", "1-7"):
        with pytest.raises(RulebookError, match=r"^harbour/wagers\.toml: hop: numbers: must be pairs of dice"):
            load_with(HARBOUR, "wagers.toml", tomllib.loads(HOP.replace("1-3", wrong)))


def test_a_problem_of_a_side_wager_names_the_file_of_side_wagers() -> None:
    """A rulebook has all wagers in one table, but reads side wagers from a file of their own."""
    entries = read_toml(MARYLAND / "sidewagers.toml")
    kind, entry = next(iter(entries.items()))
    with pytest.raises(
        RulebookError,
        match=rf"^maryland/sidewagers\.toml: {kind}: make: dusk is not one of the windows of general.toml$",
    ):
        load_with(MARYLAND, "sidewagers.toml", {kind: {**entry, "make": {**entry["make"], "when": "dusk"}}})


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("offered", {"offered": "blessing"}),
        ("come_out.elect", {"come_out": {"works": False, "elect": "blessing", "call": "on", "cite": "HB-53"}}),
        ("make.elect", {"make": {"when": "any", "or_when": "point", "elect": "blessing", "cite": "HB-50"}}),
    ],
)
def test_an_unknown_election_is_reported_with_the_key_that_names_it(key: str, changes: Mapping[str, Any]) -> None:
    """Three keys of a wager name an election; the message says which of them is wrong."""
    entry = read_toml(HARBOUR / "wagers.toml")["place_win"]
    with pytest.raises(
        RulebookError, match=rf"(?m)^harbour/wagers\.toml: place_win: {key}: blessing is not an election$"
    ):
        load_with(HARBOUR, "wagers.toml", {"place_win": {**entry, **changes}})


def test_a_rulebook_without_games_is_refused() -> None:
    """One game is enough."""
    assert list(load_rulebook(HARBOUR).games) == ["craps"]
    with pytest.raises(RulebookError, match=r"(?m)^harbour/general\.toml: games: is empty$"):
        load_with(HARBOUR, "general.toml", {"games": []})


@pytest.mark.parametrize("wrong", ["568", "45689"])
def test_a_citation_by_number_names_exactly_the_numbers_of_the_wager(wrong: str) -> None:
    """The wager is on 5, 6, 8 and 9: a citation that misses one or has one more is refused."""
    entry = read_toml(HARBOUR / "wagers.toml")["place_win"]

    def cited(numbers: str) -> Rulebook:
        cite = {number: f"HB-51-{number}" for number in numbers}
        return load_with(HARBOUR, "wagers.toml", {"place_win": {**entry, "win": {"on": "number", "cite": cite}}})

    assert "HB-51-9" in explain_all(Rules.under(cited("5689")))
    with pytest.raises(RulebookError) as caught:
        cited(wrong)
    told = f"win: cites {list(wrong)} by number; the wager has {list('5689')}"
    assert str(caught.value) == f"harbour/wagers.toml: place_win: {told}"


def test_a_wager_on_a_run_of_points_without_a_reading_is_refused() -> None:
    """Its text is garbled, so at least one reading must say how it is played."""
    entries = read_toml(MARYLAND / "sidewagers.toml")
    kind = next(kind for kind, entry in entries.items() if entry["family"] == "run")
    with pytest.raises(RulebookError, match=rf"^maryland/sidewagers\.toml: {kind}: readings: is empty$"):
        load_with(MARYLAND, "sidewagers.toml", {kind: {**entries[kind], "readings": {}}})


def test_a_wager_broken_down_where_the_layout_has_no_area_needs_the_election_of_its_area() -> None:
    """A wager that is always broken down needs no such election."""
    arizona = files("passline") / "rulebooks" / "arizona"
    entry = {**read_toml(arizona / "wagers.toml")["whirl"], "name": "Squall Bet"}
    entry.pop("label", None)
    always = {"squall": {**entry, "breakdown": {**entry["breakdown"], "when": "always"}}}
    assert "squall" in load_with(arizona, "wagers.toml", always).wagers
    always["squall"]["breakdown"]["when"] = "no_area"
    with pytest.raises(RulebookError, match=r"^arizona/wagers\.toml: squall: breakdown: the election squall_area, "):
        load_with(arizona, "wagers.toml", always)


def test_a_wager_on_a_number_cannot_be_on_7() -> None:
    """It would win and lose at once."""
    entry = read_toml(HARBOUR / "wagers.toml")["place_win"]
    sevens = {**entry, "numbers": [5, 7], "pays": [{**PAID[0], "numbers": [5, 7]}]}
    told = r"numbers: 5, 7 must all be totals other than 7"
    with pytest.raises(RulebookError, match=rf"^harbour/wagers\.toml: place_win: {told}$"):
        load_with(HARBOUR, "wagers.toml", {"place_win": sevens})


@pytest.mark.parametrize(
    ("name", "file", "kind", "table", "told"),
    [
        (
            "maryland",
            "sidewagers",
            "fire",
            "A",
            "tables.A: every count of [0, 1, 2, 3, 4, 5, 6] needs exactly one line, has {",
        ),
        ("arizona", "wagers", "hop", "", "pays: every number needs exactly one payout, has {'2-2': 2, '3-3': 1,"),
    ],
    ids=["fire", "hop"],
)
def test_two_payouts_for_one_way_to_win_are_refused(name: str, file: str, kind: str, table: str, told: str) -> None:
    """The first line of a pay table is repeated: two answers, even though the odds are the same."""
    folder = files("passline") / "rulebooks" / name
    entry = read_toml(folder / f"{file}.toml")[kind]
    lines = entry["tables"][table] if table else entry["pays"]
    lines.append(lines[0])
    with pytest.raises(RulebookError) as caught:
        load_with(folder, f"{file}.toml", {kind: entry})
    assert str(caught.value).startswith(f"{name}/{file}.toml: {kind}: {told}")


def test_a_number_wager_may_be_on_every_total_but_7(tmp_path: Path) -> None:
    """All ten other totals may be numbers to wager on."""
    folder = Path(shutil.copytree(HARBOUR, tmp_path / "harbour"))
    wagers = folder / "wagers.toml"
    name, rest = wagers.read_text(encoding="utf-8").split('name = "Berth Bet"\nnumbers = [5, 6, 8, 9]')
    rest = rest.replace("{ numbers = [5, 9], pays = ", "{ numbers = [2, 3, 4, 5, 9, 10, 11, 12], pays = ", 1)
    wagers.write_text(f'{name}name = "Berth Bet"\nnumbers = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]{rest}', encoding="utf-8")
    assert Rules.under(load_rulebook(folder)).wagers["place_win"].numbers == {2, 3, 4, 5, 6, 8, 9, 10, 11, 12}
