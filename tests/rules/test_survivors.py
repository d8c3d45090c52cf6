"""Faults of rulebooks and houses that nothing else would notice: the gaps that mutants of the reading code found."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Mapping
from datetime import date
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import pytest

from passline.rules.explain.house_template import house_file
from passline.rules.explain.sections import explain_all, sections
from passline.rules.rulebook_model import Rulebook
from passline.rules.rulebook_reader import RulebookError, load_rulebook, read_toml, rulebook_of
from passline.rules.rules import Rules

HARBOUR = Path(__file__).parent / "invented" / "harbour"
MARYLAND = files("passline") / "rulebooks" / "maryland"
FIRST, SECOND = date(1950, 1, 1), date(1980, 6, 1)
PAID = [{"pays": "1 to 1", "cite": "HB-26"}]
HOP = """
[hop]
family = "one_roll"
name = "Mooring Bet"
numbers = ["1-3", "2-2"]
make = { when = "any", cite = "HB-130" }
win = { cite = "HB-131" }
lose = { cite = "HB-132" }
pays = [{ numbers = ["1-3", "2-2"], pays = "15 to 1", cite = "HB-133" }]
"""


def _with(folder: Traversable | Path, file: str, added: Mapping[str, Any], on: date | None = None) -> Rulebook:
    """Load a rulebook with entries added to one of its files, or put in place of its own."""

    def read(path: Traversable | Path) -> dict[str, Any]:
        return {**read_toml(path), **(added if path.name == file else {})}

    return load_rulebook(folder, on=on, read=read)


def test_a_hop_wager_is_on_pairs_of_dice_smaller_face_first() -> None:
    """Both names of a pair would be two numbers; the larger face first, or a face of 7, is no pair."""
    assert "hop" in _with(HARBOUR, "wagers.toml", tomllib.loads(HOP)).wagers
    for wrong in ("3-1", "1-7"):
        with pytest.raises(RulebookError, match=r"^harbour/wagers\.toml: hop: numbers: must be pairs of dice"):
            _with(HARBOUR, "wagers.toml", tomllib.loads(HOP.replace("1-3", wrong)))


def test_a_fault_in_a_side_wager_is_told_with_the_file_of_side_wagers() -> None:
    """Its name is in the rulebook beside those of the other wagers, and its entry in a file of its own."""
    entries = read_toml(MARYLAND / "sidewagers.toml")
    kind, entry = next(iter(entries.items()))
    with pytest.raises(RulebookError, match=rf"^maryland/sidewagers\.toml: {kind}: make: dusk is not a window$"):
        _with(MARYLAND, "sidewagers.toml", {kind: {**entry, "make": {**entry["make"], "when": "dusk"}}})


def test_what_stands_beside_dated_versions_holds_for_all_of_them_unless_one_says_otherwise() -> None:
    """What no change of the text touched is written once; a version's own word comes first."""
    dated = [{"from": FIRST, "cite": "HB-17"}, {"from": SECOND, "wagers": "none", "cite": "HB-17-new"}]
    media = {**read_toml(HARBOUR / "general.toml")["media"], "coins": {"wagers": "any", "dated": dated}}
    for day, wagers, cite in ((FIRST, "any", "HB-17"), (SECOND, "none", "HB-17-new")):
        coins = _with(HARBOUR, "general.toml", {"media": media}, on=day).general.media["coins"]
        assert (coins.wagers, coins.cite) == (wagers, cite)


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("offered", {"offered": "blessing"}),
        ("come_out.elect", {"come_out": {"works": False, "elect": "blessing", "cite": "HB-53"}}),
        ("make.elect", {"make": {"when": "any", "or_when": "point", "elect": "blessing", "cite": "HB-50"}}),
    ],
)
def test_a_wager_that_asks_for_an_election_there_is_not_is_told_where(key: str, changes: Mapping[str, Any]) -> None:
    """Three keys of a wager name an election; the message says which of them leads nowhere."""
    entry = read_toml(HARBOUR / "wagers.toml")["place_win"]
    with pytest.raises(RulebookError, match=rf"^harbour/wagers\.toml: place_win: {key}: blessing is not an election$"):
        _with(HARBOUR, "wagers.toml", {"place_win": {**entry, **changes}})


@pytest.mark.parametrize("name", ["harbour_fire", "harbour.fire"])
def test_a_payout_of_the_wrong_type_is_told_with_its_wager_and_its_table(name: str) -> None:
    """Both stand where the shape has any name at all, a dot in it or not; the fault is in the last table of two."""
    entry = read_toml(MARYLAND / "sidewagers.toml")["fire"]
    first, last = entry["tables"]
    wrong = {**entry, "tables": {**entry["tables"], last: [{**entry["tables"][last][0], "pays": 3}]}}
    after = {**entry, "tables": {**entry["tables"], first: [{**entry["tables"][first][0], "pays": 3}]}}
    where = rf"`\$\.{name}\.tables\.{last}\[0\]\.pays`"
    with pytest.raises(RulebookError, match=rf"^maryland/sidewagers\.toml: Expected `str`, got `int` - at {where}$"):
        _with(MARYLAND, "sidewagers.toml", {name: wrong, "of_the_same_kind": after})


def test_a_rulebook_of_no_game_is_refused() -> None:
    """One game is enough, as here; none leaves nothing to play."""
    assert list(load_rulebook(HARBOUR).games) == ["craps"]
    with pytest.raises(RulebookError, match=r"^harbour/general\.toml: games: is empty$"):
        _with(HARBOUR, "general.toml", {"games": []})


@pytest.mark.parametrize("wrong", ["568", "45689"])
def test_a_citation_by_number_answers_for_every_number_of_the_wager_and_no_other(wrong: str) -> None:
    """The berths are 5, 6, 8 and 9: citing each is right; one left out, and one too many, is not."""
    entry = read_toml(HARBOUR / "wagers.toml")["place_win"]

    def cited(numbers: str) -> Rulebook:
        cite = {number: f"HB-51-{number}" for number in numbers}
        return _with(HARBOUR, "wagers.toml", {"place_win": {**entry, "win": {"on": "number", "cite": cite}}})

    assert "HB-51-9" in explain_all(Rules.under(cited("5689")))
    with pytest.raises(RulebookError) as caught:
        cited(wrong)
    told = f"win: cites {list(wrong)} by number; the wager has {list('5689')}"
    assert str(caught.value) == f"harbour/wagers.toml: place_win: {told}"


def test_a_variation_without_points_of_its_own_is_explained_with_the_usual_ones_only() -> None:
    """What differs is told; where the points do not, nothing is said of them."""
    usual = explain_all(Rules.under(load_rulebook(HARBOUR))).splitlines()
    varied = explain_all(Rules.under(_with(HARBOUR, "craps.toml", {"variation": {"cite": "HB-140"}}))).splitlines()
    assert [line for line in varied if line not in usual] == [
        "The variation",
        "rules: those of harbour craps, except as stated here [HB-140]",
        "craps.variation: [HB-140]",
    ]


def test_a_wager_without_vigorish_is_charged_none() -> None:
    """A place wager of the amount on which a buy wager owes its charge owes nothing."""
    rules = Rules.of("colorado")
    assert rules.vigorish_on(rules.wagers["buy"], 4, 100_00) > 0
    assert rules.vigorish_on(rules.wagers["place_win"], 4, 100_00) == 0


def test_a_house_file_of_unusual_procedures_reads_back_to_the_same_house(tmp_path: Path) -> None:
    """No reason to order the dice passed at all is one line, not a table; a reason may have any name."""
    procedures = copy.deepcopy(rulebook_of("arizona").default_house["procedures"])
    procedures["shooter"]["order_reasons"] = {}
    procedures["no_roll"]["reasons"]["fächer"] = procedures["no_roll"]["reasons"]["a fan. Or two"] = {"cite": "AZ-I.5"}
    rules = Rules.of("arizona", house={"procedures": procedures})
    path = tmp_path / "house.toml"
    path.write_text(house_file(rules), encoding="utf-8")
    assert Rules.from_file(path).house == rules.house
    assert [line for line in house_file(rules).splitlines() if "order_reasons" in line] == ["order_reasons = {  }"]


def test_a_wager_of_a_variation_is_explained_as_its_own_or_as_in_the_place_of_the_usual_one() -> None:
    """A hop wager, which the usual game does not have, and another field in the place of the usual one."""
    field = read_toml(HARBOUR / "wagers.toml")["field"]
    wagers = {**tomllib.loads(HOP), "field": {**field, "name": "Mole Bet"}}
    rulebook = _with(HARBOUR, "craps.toml", {"variation": {"cite": "HB-140"}, "wagers": wagers})
    told = explain_all(Rules.under(rulebook)).splitlines()
    assert "wager: Mooring Bet (hop), not in the usual game [HB-130]" in told
    assert "wager: Mole Bet (field), in place of the usual one [HB-60]" in told


def test_a_wager_on_a_run_of_points_without_a_reading_is_refused() -> None:
    """Its text is garbled, so one reading at least must say how it is played."""
    entries = read_toml(MARYLAND / "sidewagers.toml")
    kind = next(kind for kind, entry in entries.items() if entry["family"] == "run")
    with pytest.raises(RulebookError, match=rf"^maryland/sidewagers\.toml: {kind}: readings: is empty$"):
        _with(MARYLAND, "sidewagers.toml", {kind: {**entries[kind], "readings": {}}})


def test_a_wager_broken_down_where_the_layout_has_no_area_needs_the_election_of_its_area() -> None:
    """One that is always broken down needs none."""
    arizona = files("passline") / "rulebooks" / "arizona"
    entry = read_toml(arizona / "wagers.toml")["whirl"]
    always = {"squall": {**entry, "breakdown": {**entry["breakdown"], "when": "always"}}}
    assert "squall" in _with(arizona, "wagers.toml", always).wagers
    always["squall"]["breakdown"]["when"] = "no_area"
    with pytest.raises(RulebookError, match=r"^arizona/wagers\.toml: squall: breakdown: the election squall_area, "):
        _with(arizona, "wagers.toml", always)


def test_a_wager_on_a_number_cannot_be_on_7() -> None:
    """It would win and lose at once."""
    entry = read_toml(HARBOUR / "wagers.toml")["place_win"]
    sevens = {**entry, "numbers": [5, 7], "pays": [{**PAID[0], "numbers": [5, 7]}]}
    told = r"numbers: 5, 7 must all be totals other than 7"
    with pytest.raises(RulebookError, match=rf"^harbour/wagers\.toml: place_win: {told}$"):
        _with(HARBOUR, "wagers.toml", {"place_win": sevens})


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
def test_two_payouts_for_one_way_to_win_are_one_too_many(
    name: str, file: str, kind: str, table: str, told: str
) -> None:
    """The first line of a pay table is given twice: the same odds, and yet two answers."""
    folder = files("passline") / "rulebooks" / name
    entry = read_toml(folder / f"{file}.toml")[kind]
    lines = entry["tables"][table] if table else entry["pays"]
    lines.append(lines[0])
    with pytest.raises(RulebookError) as caught:
        _with(folder, f"{file}.toml", {kind: entry})
    assert str(caught.value).startswith(f"{name}/{file}.toml: {kind}: {told}")


def test_the_limits_of_a_house_file_apply() -> None:
    """Only a tournament lifts them, and no file says that its house plays one."""
    rules = Rules.from_file(Path(__file__).parent / "house_files" / "maryland.toml")
    most = rules.house.odds["6"] * 5_00
    assert rules.odds_cents_max(rules.wagers["pass_odds"], 6, 5_00) == most > 0
    tournament = Rules(rules.rulebook, rules.house, limits_apply=False)
    assert tournament.odds_cents_max(tournament.wagers["pass_odds"], 6, 5_00) is None


def test_a_run_read_by_points_made_is_explained_without_an_initial_point() -> None:
    """Nothing but a loser 7 ends it then: no word of the other readings' first roll, ends and top is left over."""
    house = {"side_wagers": {"lucky_shooter": "A"}, "readings": {"lucky_shooter": "points_made"}}
    parts = sections(Rules.of("maryland", house=house))
    lines = next(part.lines for part in parts if part.title.startswith("Lucky Shooter Bet"))
    assert [(line.about, line.says) for line in lines if line.about in {"first", "counts", "ends", "top"}] == [
        ("first", "7 or 11 leaves it up undecided"),
        ("first", "2, 3, 12 leaves it up undecided"),
        ("counts", "points made, each number once"),
        ("ends", "on a loser 7, paid by the points counted until then"),
    ]
