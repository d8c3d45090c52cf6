"""The rules in words: complete, readable, and the same as the reviewed golden files.

To write the golden files anew after a change that was meant, and review the difference:

    PASSLINE_WRITE_GOLDEN=1 ./x test tests/rules/test_explain_sections.py
"""

import difflib
import os
import re
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import replace

from passline.rules.clauses import REGULATIONS
from passline.rules.explain.live import live_lines
from passline.rules.explain.sections import entry_sections, explain, explain_all, sections
from passline.rules.pages.texts import read_toml
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Live, SideWager, cites_of
from tests.rules.rulebooks import HARBOUR, HOP, load_with

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


def test_every_game_has_a_golden_file_and_there_are_no_others() -> None:
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
        for section in entry_sections(rules)
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
def test_S2_d1__all_odds_are_printed_with_to(game: str) -> None:
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


SIDES = {
    "maryland": {"fire": "B", "bonus_craps": "A", "dice_ology": "B", "lucky_shooter": "C"},
    "colorado": {"fire": "FB-3", "sharp_shooter": "SS-06", "front_line_winner": "7"},
}
_PAID = {("", "lose"): "loses", ("", "push"): "push"}


@pytest.mark.parametrize("name", SIDES)
def test_every_line_of_every_pay_table_is_printed_as_written(name: str) -> None:
    """The table in force comes first, then those that may be elected, each line with its own clause."""
    rules = Rules.of(name, house={"side_wagers": SIDES[name]})
    parts = {part.title: part.lines for part in sections(rules)}
    for kind, rule in rules.wagers.items():
        if not isinstance(rule.entry, SideWager):
            continue
        in_force = SIDES[name][rule.entry.offered]
        lines = parts[f"{rule.name} ({kind}), {rule.family}"]
        assert (lines[0].about, lines[0].says.split(",")[1]) == ("offered", f" with pay table {in_force}")
        printed = [(one.about, one.says, one.clauses) for one in lines if one.about.startswith("pay table")]
        assert printed[0][0] == f"pay table {in_force}, in force"
        for table, listed in rule.entry.tables.items():
            state = "in force" if table == in_force else "may be elected"
            mine = [one for one in printed if one[0] == f"pay table {table}, {state}"]
            assert len(mine) == len(listed)
            for (_, says, clauses), line in zip(mine, listed, strict=True):
                assert says.startswith((line.pays or _PAID["", line.result]) + " when ")
                assert clauses == cites_of(line.cite)


def test_counts_windows_amounts_locks_and_markers_of_a_side_wager_are_explained() -> None:
    text = " ".join(explain(Rules.of("maryland", house={"side_wagers": SIDES["maryland"]})).split())
    for said in (
        "counts: points made, each number once [MD-3.A.40.a, MD-11.B.2, MD-11.B.3]",
        "pay table B, in force: 39 to 1 when 4 different points are made [MD-5.F.2.a]",
        "limits: $1.00 to $5.00, in steps of $1.00 [MD-11.B.1.a, MD-11.B.1.b, MD-11.B.1.c]",
        "surveillance: is told when 4 different points are made [MD-11.A.6]",
        "areas: at most 16 players may have one [MD-2.D.4.a]",
        "pay table A, in force: 34 to 1 when all are thrown [MD-5.H.1.a]",
        "made: also beside one that rolls have counted for, with its own count [MD-13.B.2]",
        "pay table C, in force: 1 for 1 when 7 or 11 comes before the initial point [MD-5.J.3.e]",
        "side wagers, fire: B (none or A or B) [",
    ):
        assert said in text, said
    locked = {"side_wagers": SIDES["maryland"], "side_wagers_locked": ["lucky_shooter"]}
    assert "removed: never, by election of the house" in explain(Rules.of("maryland", house=locked))


def test_the_reading_in_force_comes_first_and_decides_what_is_explained() -> None:
    for reading, says in {
        "strict": "on a point counted before",
        "repeats_neutral": "not on a point counted before",
        "points_made": "on a loser 7, paid by the points counted until then",
        "craps_and_eleven_neutral": "on another total that is not a point, save 2, 3, 11, 12",
    }.items():
        house = {"side_wagers": {"lucky_shooter": "A"}, "readings": {"lucky_shooter": reading}}
        rules = Rules.of("maryland", house=house)
        lines = next(part.lines for part in sections(rules) if part.title.startswith("Lucky Shooter Bet"))
        assert says in [line.says for line in lines if line.about == "ends"]
        readings = [line.about for line in lines if line.about.startswith("reading ")]
        assert readings[0] == f"reading {reading.replace('_', ' ')}, in force"
        assert len(readings) == 8
        assert all(about.endswith("may be elected") for about in readings[1:])
        read = [line for part in sections(rules) if part.title == "Readings" for line in part.lines]
        assert [one.about for one in read if ".readings." in one.about] == [f"wagers.lucky_shooter.readings.{reading}"]


def test_tips_are_explained_as_elected() -> None:
    def tips(name: str, **house: object) -> list[str]:
        return [
            f"{line.says} {line.clauses}"
            for part in sections(Rules.of(name, house=house))
            for line in part.lines
            if line.about == "tips"
        ]

    assert tips("maryland") == ["no wager is made for the crew ('MD-3.A',)"]
    assert tips("arizona")[0].startswith("a player may make wagers for the crew")
    assert "not elected tip wagers" in tips("colorado")[0]
    side = {"side_wagers": SIDES["colorado"], "tip_wagers": True}
    assert "not taken on it" in tips("colorado", **side)[2]
    capped = {"front_line_tips": True, "front_line_tips_whole_dollars": True, "front_line_tip_cents_max": 500}
    assert "at the same odds, in whole dollars, at most $5.00" in tips("colorado", **side, **capped)[2]


def test_a_variation_says_what_differs() -> None:
    rules = Rules.of("colorado", game="craps_free_craps")
    lines = next(part.lines for part in sections(rules) if part.title == "The variation")
    said = {(line.about, line.says) for line in lines}
    assert ("points", "2, 3, 11, 12 too") in said
    assert ("wager", "Place Bet to Win (place_win), in place of the usual one") in said
    assert {says.rpartition("(")[2].rstrip(")") for about, says in said if about == "no wager"} == set(
        rules.game.without
    )
    assert {says.split("(")[-1].split(")")[0] for about, says in said if about == "wager"} == set(rules.game.wagers)
    assert not [part for part in sections(Rules.of("colorado")) if part.title == "The variation"]


def test_a_variation_without_points_of_its_own_is_not_explained_as_having_other_points() -> None:
    """Only what differs is listed: no line about points."""
    usual = explain_all(Rules.under(load_rulebook(HARBOUR))).splitlines()
    varied = explain_all(Rules.under(load_with(HARBOUR, "craps.toml", {"variation": {"cite": "HB-140"}}))).splitlines()
    assert [line for line in varied if line not in usual] == [
        "The variation",
        "rules: those of harbour craps, except as stated here [HB-140]",
        "craps.variation: [HB-140]",
    ]


def test_a_wager_of_a_variation_is_explained_as_new_or_as_a_replacement() -> None:
    """A hop wager, which the usual game does not have, and another field in place of the usual one."""
    field = read_toml(HARBOUR / "wagers.toml")["field"]
    wagers = {**tomllib.loads(HOP), "field": {**field, "name": "Mole Bet"}}
    rulebook = load_with(HARBOUR, "craps.toml", {"variation": {"cite": "HB-140"}, "wagers": wagers})
    told = explain_all(Rules.under(rulebook)).splitlines()
    assert "wager: Mooring Bet (hop), not in the usual game [HB-130]" in told
    assert "wager: Mole Bet (field), in place of the usual one [HB-60]" in told


def test_a_run_read_by_points_made_is_explained_without_an_initial_point() -> None:
    """Only a loser 7 ends it: no line about the other readings' first roll, ends and top remains."""
    house = {"side_wagers": {"lucky_shooter": "A"}, "readings": {"lucky_shooter": "points_made"}}
    parts = sections(Rules.of("maryland", house=house))
    lines = next(part.lines for part in parts if part.title.startswith("Lucky Shooter Bet"))
    assert [(line.about, line.says) for line in lines if line.about in {"first", "counts", "ends", "top"}] == [
        ("first", "7 or 11 leaves it up undecided"),
        ("first", "2, 3, 12 leaves it up undecided"),
        ("counts", "points made, each number once"),
        ("ends", "on a loser 7, paid by the points counted until then"),
    ]


def test_a_vigorish_taken_from_a_win_on_some_numbers_is_explained() -> None:
    """The moment may be elected by number; without such an election the line does not mention it."""
    elected = explain_all(Rules.of("colorado", house={"buy_vigorish_won_on": [4, 10]}))
    assert "taken when the wager is made, but from a win on 4, 10; rounded down" in " ".join(elected.split())
    assert "but from a win on" not in explain_all(Rules.of("colorado"))


@pytest.mark.parametrize("name", REGULATIONS)
def test_every_rule_of_live_tables_has_a_line(name: str) -> None:
    live = rulebook_of(name).general.live
    whole = [*live_lines(live)]
    for field in Live.__struct_fields__:
        if field not in {"chips", "records"} and getattr(live, field) is not None:
            less = [*live_lines(replace(live, **{field: None}))]
            assert len(less) < len(whole), f"house show says nothing of {field}"
