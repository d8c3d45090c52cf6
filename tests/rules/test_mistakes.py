"""Mistakes in rulebooks: each is named at loading, or explained here as harmless.

A sample of them is made here; `./x bench mistakes` makes all.
"""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from passline.rules.clauses import REGULATIONS
from passline.rules.explain.sections import explain_all
from passline.rules.house_reader import house_of
from passline.rules.pages.texts import Pages, RulebookFaults, read_pages, read_toml
from passline.rules.rulebook_reader import load_rulebook, rulebook_from, rulebook_of
from passline.rules.rules import Rules
from tests.case_files import cases_of
from tests.cases import budget, one_in
from tests.rules.mistakes import FOLDERS, HARMLESS, Mistake, fate_of, mistaken_pages, mistakes_of, written_twice
from tests.rules.rulebooks import HARBOUR

CASES = cases_of(Path(__file__).parent / "cases" / "mistakes.txt")
SAMPLE, SEED = 60, 13  # mistakes of each rulebook; another seed makes others
# What a house may leave out, since its regulation's default house has it, or call as it likes.
HOUSES_OWN = re.compile(
    r".*: removed|(limits|side_wagers|readings): emptied"
    r"|procedures\.(shooter\.order_reasons|throw\.void|no_roll\.(reasons|no_reason))(\.\w+)?: (mistyped|emptied)"
)


@pytest.mark.parametrize(
    ("change", "told"), one_in(2, CASES, others=pytest.mark.whole), ids=[change for change, _ in CASES]
)
def test_a_mistake_is_named_with_its_file_and_key(change: str, told: list[str]) -> None:
    """cases/mistakes.txt has a rulebook, a file, the keys that lead to a value, and what it becomes (or `gone`)."""
    name, file, *_ = change.split()
    rest = change.removeprefix(f"{name} {file} ")
    place, _, text = rest.partition(" = ")
    path = tuple(int(step) if step.isdigit() else step for step in place.split())
    mistake = Mistake.at(name, file, path, None if text == "gone" else tomllib.loads(f"value = {text}")["value"])
    try:
        found = mistake.load().doubts
    except RulebookFaults as error:
        found = error.faults
    assert list(found) == told


@pytest.mark.parametrize("number", [SAMPLE // 6, pytest.param(SAMPLE, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("name", FOLDERS)
def test_no_mistake_is_silent_unless_it_is_harmless(name: str, number: int) -> None:
    """A sample of all keys of all files: removed, mistyped, of another type, doubled, emptied, out of range."""
    chosen = random.Random(SEED).sample(list(mistakes_of(name)), number)
    fates = {str(mistake): fate_of(mistake) for mistake in chosen}
    assert {mistake: fate for mistake, fate in fates.items() if fate not in {"named", "harmless"}} == {}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_key_written_twice_is_named_with_its_line(name: str) -> None:
    pages = read_pages(FOLDERS[name])
    for file, text in pages.texts.items():
        line, twice = written_twice(text)
        with pytest.raises(RulebookFaults, match=rf"(?m)^{name}/{file}: .* \(at line {line}, ") as caught:
            rulebook_from(Pages(name, {**pages.texts, file: twice}))
        assert len(caught.value.faults) == 1


def test_all_faults_of_a_folder_are_listed_at_once() -> None:
    """One in each file, of the structure and of the sense; entries that depend on a broken one are not blamed."""
    texts = dict(read_pages(HARBOUR).texts)
    spoiled = {
        "wagers.toml": (b'name = "Quay Bet"', b'name = ""'),
        "elections.toml": (b'choices = ["pay_then_take", "take_then_pay"]', b'choices = ["pay_first"]'),
        "house.toml": (b"dice_set = 3", b'dice_set = "three"'),
        "general.toml": (b"cents = [50, 500]", b"cents = [500, 50]"),
    }
    for file, (was, becomes) in spoiled.items():
        assert texts[file].count(was) == 1
        texts[file] = texts[file].replace(was, becomes)
    with pytest.raises(RulebookFaults) as caught:
        rulebook_from(Pages("harbour", {**texts, "notes.toml": b""}))
    assert sorted(fault.split(": ")[0] + ": " + fault.split(": ")[1] for fault in caught.value.faults) == [
        "harbour/elections.toml: settlement",
        "harbour/general.toml: live.chips.cents",
        "harbour/house.toml: dice_set",
        "harbour/notes.toml: belongs to no game",
        "harbour/wagers.toml: pass.name",
    ]


def test_pages_that_a_log_kept_are_read_by_their_shape() -> None:
    """A check added later must leave no log unreadable: what it kept was sound by the checks of its day."""
    texts = read_pages(HARBOUR).texts
    old = {**texts, "elections.toml": texts["elections.toml"].replace(b'["pay_then_take", "take', b'["by_hand", "take')}
    with pytest.raises(RulebookFaults, match="by_hand"):
        rulebook_from(Pages("harbour", old))
    assert rulebook_from(Pages("harbour", old), is_kept=True).elections["settlement"].choices[0] == "by_hand"
    with pytest.raises(RulebookFaults, match=r"^harbour/general\.toml: .*closed_list"):
        rulebook_from(Pages("harbour", {**texts, "general.toml": b'closed_list = "HB-1"'}), is_kept=True)


@pytest.mark.parametrize("name", FOLDERS)
def test_a_rulebook_is_sound_on_every_day_on_which_its_text_changed(name: str) -> None:
    versions = load_rulebook(FOLDERS[name]).versions
    for day in {version["from"] for dated in versions.values() for version in dated}:
        assert explain_all(Rules.under(load_rulebook(FOLDERS[name], on=day)))


@pytest.mark.parametrize("name", REGULATIONS)
def test_no_mistake_in_a_house_file_is_silent(name: str) -> None:
    """A house file that spells out every key, with one of them wrong."""
    pages = list(mistaken_pages(read_toml(Path(__file__).parent / "house_files" / f"{name}.toml")))
    for path, what, page in random.Random(SEED).sample(pages, budget(SAMPLE // 4, in_sweep=SAMPLE)):
        breaches = house_of(rulebook_of(name), page)[1]
        place = f"{'.'.join(map(str, path))}: {what}"
        assert breaches or HOUSES_OWN.fullmatch(place), place
        assert not breaches or any(str(step) in str(breach) for step in path for breach in breaches), place


def test_every_harmless_kind_is_met_and_explained() -> None:
    """A pattern that fits no mistake at all would hide nothing today and something tomorrow."""
    places = [str(mistake) for name in FOLDERS for mistake in mistakes_of(name)]
    assert [one for one in HARMLESS if not any(re.fullmatch(one, place) for place in places)] == []
    assert all(HARMLESS.values())


def test_a_game_may_lack_what_the_other_games_have_by_a_clause() -> None:
    path = ("procedures", "throw", "void")
    without = Mistake.at("maryland", "mini_craps.toml", (*path, "stacked"), None)
    (doubt,) = without.load().doubts
    assert "stacked of craps.toml is missing" in doubt
    lacking = replace(without, page={**without.page, "lacks": {"stacked": {"cite": "MD-8.B.stack"}}}).load()
    procedures = lacking.games["mini_craps"].procedures
    assert lacking.doubts == ()
    assert procedures is not None
    assert "stacked" not in procedures.throw.void
