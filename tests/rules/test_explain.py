"""The rules in words: complete, readable, and the same as the reviewed golden files.

To write the golden files anew after a change that was meant, and review the difference:

    PASSLINE_WRITE_GOLDEN=1 ./x test tests/rules/test_explain.py
"""

import difflib
import os
import re
from pathlib import Path

import pytest

from passline.rules.explain import entries, explain, explain_all, sections
from passline.rules.rulebook import rulebook_of
from passline.rules.rules import Rules

GOLDEN = Path(__file__).parent / "golden"
GAMES = [
    ("colorado", "craps"),
    ("colorado", "craps_free_craps"),
    ("section2", "craps"),
    ("section2", "mini_craps"),
    ("arizona", "craps"),
    ("maryland", "craps"),
    ("maryland", "mini_craps"),
]
each_game = pytest.mark.parametrize(("name", "game"), GAMES, ids=[f"{name}-{game}" for name, game in GAMES])
ODDS_WITH_FOR = re.compile(r"\d+ for \d+|\d+ ?: ?\d+\b")


@each_game
def test_the_full_text_is_the_golden_one(name: str, game: str) -> None:
    path = GOLDEN / f"{name}-{game}.txt"
    text = explain_all(Rules.of(name, game=game))
    if os.environ.get("PASSLINE_WRITE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    golden = path.read_text(encoding="utf-8")
    changes = difflib.unified_diff(golden.splitlines(), text.splitlines(), "golden", "now", lineterm="", n=1)
    assert text == golden, "the rules changed; if that was meant, see this module's docstring:\n" + "\n".join(changes)


def test_there_is_a_golden_file_for_every_game_and_no_other() -> None:
    dealt = {f"{name}-{game}.txt" for name in dict(GAMES) for game in rulebook_of(name).games}
    assert {path.name for path in GOLDEN.iterdir()} == dealt == {f"{name}-{game}.txt" for name, game in GAMES}


@each_game
def test_the_full_text_holds_the_short_one_and_every_entry(name: str, game: str) -> None:
    rules = Rules.of(name, game=game)
    text = explain_all(rules)
    assert text.startswith(explain(rules).rstrip("\n"))
    flat = " ".join(text.split())
    missing = [
        line.about
        for section in entries(rules)
        for line in section.lines
        if " ".join(f"{line.about}: {line.says}".split()).rstrip(": ") not in flat
    ]
    assert not missing


@each_game
def test_every_line_that_people_read_has_its_clause(name: str, game: str) -> None:
    bare = [
        (part.title, line) for part in sections(Rules.of(name, game=game)) for line in part.lines if not line.clauses
    ]
    assert not bare


@each_game
def test_lines_fit_the_width(name: str, game: str) -> None:
    rules = Rules.of(name, game=game)
    texts = [(explain(rules, width=40), 40), (explain_all(rules, width=60), 60), (explain_all(rules), 100)]
    long = [line for text, width in texts for line in text.splitlines() if len(line) > width and " " in line.strip()]
    assert not long


@pytest.mark.clause("S2-d1.to", "S2-d1.for")
@pytest.mark.parametrize("game", ["craps", "mini_craps"])
def test_S2_d1__every_odd_printed_is_so_much_to_so_much(game: str) -> None:
    """S2-d1.to: odds shown are worded with "to"; S2-d1.for: never with "for", nor with a bare colon."""
    rules = Rules.of("section2", game=game)
    text = explain_all(rules)
    assert not ODDS_WITH_FOR.search(text)
    for rule in rules.wagers.values():
        for payout in rule.payouts.values():
            assert f"pays: {payout.pays.pays} to {payout.pays.to}" in text, rule.kind
    posted = next(line for part in sections(rules) for line in part.lines if line.about == "payouts posted")
    assert set(posted.clauses) == {"S2-d1.to", "S2-d1.for"}


def test_house_rules_are_marked_where_the_regulation_has_none() -> None:
    titles = {name: [part.title for part in sections(Rules.of(name))] for name in dict(GAMES)}
    marked = {name for name, all_titles in titles.items() if "Who does what, by house rule" in all_titles}
    assert marked == {"arizona"}
    assert all("Who does what" in title for name, title in titles.items() if name not in marked)


def test_an_elected_payout_is_shown_beside_the_listed_one() -> None:
    rules = Rules.of("section2", house={"payouts": {"field 12": "3 to 1"}, "payouts_uniform": True})
    assert "pays: 3 to 1 on 12; the house's, the list says 2 to 1" in explain(rules)
    assert "pays: 2 to 1 on 2 [" in explain(rules)


def test_a_wager_that_is_not_offered_says_so() -> None:
    rules = Rules.of("maryland", house={"lay": "in_lieu"})
    wagers = {part.title: part.lines[0] for part in sections(rules)}
    refused = wagers["Place Bet to Lose (place_lose), number"]
    assert (refused.about, refused.clauses) == ("offered", ("MD-3.A.42",))
    assert refused.says.startswith("no,")
    assert wagers["Lay Bet (lay), number"].says.startswith("yes,")
