"""Loading a rulebook: errors name file and key, a day chooses versions, a fifth regulation needs no code."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date, timedelta
from importlib.resources import files
from pathlib import Path

import pytest

from passline.game import commands as c
from passline.game import events as e
from passline.money import Pays
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.elections import HouseBreaches
from passline.rules.explain.sections import explain_all
from passline.rules.pages.citations import cited_entries
from passline.rules.pages.texts import RulebookError, RulebookFaults, read_toml
from passline.rules.rulebook_reader import load_rulebook, rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import cites_of
from tests.clauses.table import ANN, BOB, SHOOTER, Play, cites, make, settled
from tests.rules.rulebooks import HARBOUR, MARYLAND, load_with

FIRST, SECOND = date(1950, 1, 1), date(1980, 6, 1)

FAULTS = [
    # what, file, text to replace, by what, what the message names
    ("unknown key", "wagers.toml", 'name = "Quay Bet"', 'name = "Quay Bet"\ncolour = "red"', ("colour", "pass")),
    ("unknown key", "general.toml", "apart = true", "apart = true\nspoken = true", ("spoken", "call_on")),
    ("unknown key", "elections.toml", "[buy]", "[bonus]\nmin = 1\ncite = 'HB-1'\n[buy]", ("bonus",)),
    ("unknown key", "craps.toml", "set_min = 3", "set_min = 3\nset_max = 9", ("set_max", "procedures.dice")),
    (
        "unknown choice",
        "elections.toml",
        'cite = "HB-103"',
        'cite = { round_up = "HB-103" }',
        ("unpayable", "round_up", "refuse"),
    ),
    ("missing key", "wagers.toml", 'make = { when = "come_out", cite = "HB-20" }', "", ("make", "pass")),
    ("missing key", "wagers.toml", ', cite = "HB-64"', "", ("cite", "field.pays[1]")),
    ("missing key", "general.toml", 'wagers = "any"\ncite = "HB-15"', 'cite = "HB-15"', ("wagers", "media.chips")),
    ("wrong type", "craps.toml", 'by = ["dealer"]\ndoes', 'by = ["cook"]\ndoes', ("duties.bell.by", "cook")),
    ("missing key", "general.toml", "odds_outside_max = false", "", ("odds_outside_max", "limits")),
    ("missing key", "craps.toml", "chosen = 2", "", ("chosen", "procedures.dice")),
    ("two answers", "wagers.toml", "[field]", "[pass]\n[field]", ("[pass]",)),
    ("two answers", "wagers.toml", 'name = "Quay Bet"', 'name = "Quay Bet"\nname = "Pier Bet"', ("Pier Bet",)),
    (
        "two answers",
        "wagers.toml",
        "{ totals = [12], pays",
        "{ totals = [11, 12], pays",
        ("field", "5-6 has 2 payouts"),
    ),
    ("two answers", "wagers.toml", '[5, 9], pays = "13', '[5, 6, 9], pays = "13', ("place_win", "pays")),
    (
        "two answers",
        "wagers.toml",
        'win = { on = "number", cite = "HB-24" }',
        'win = { on = "seven", cite = "HB-24" }',
        ("pass", "win and lose"),
    ),
    (
        "two answers",
        "wagers.toml",
        '[2, 3, 4, 10, 12], cite = "HB-23',
        '[2, 3, 4, 10, 11, 12], cite = "HB-23',
        ("pass", "first roll"),
    ),
    (
        "two answers",
        "elections.toml",
        'choices = ["refuse"]',
        'choices = ["refuse"]\nmin = 1',
        ("unpayable", "has 2"),
    ),
    ("two answers", "general.toml", "from = 1980-06-01", "from = 1950-01-01", ("media.coins", "its own `from` day")),
    (
        "no answer",
        "wagers.toml",
        '[2, 3, 4, 10, 12], cite = "HB-23',
        '[2, 3, 4, 10], cite = "HB-23',
        ("pass", "first roll"),
    ),
    (
        "no answer",
        "wagers.toml",
        '{ totals = [12], pays = "3 to 1", cite = "HB-64" },',
        "",
        ("field", "6-6 has 0 payouts"),
    ),
    ("no answer", "wagers.toml", '[6, 8], pays = "11', '[6], pays = "11', ("place_win", "pays")),
    ("no answer", "elections.toml", 'choices = ["refuse"]', "", ("unpayable", "has 0")),
    ("no answer", "elections.toml", '[off_calls]\nchoices = [false]\ncite = "HB-124"', "", ("off_calls", "is missing")),
    ("no answer", "general.toml", '[media.call]\nwagers = "none"\ncite = "HB-16"', "", ("media.call", "is missing")),
    ("leads nowhere", "wagers.toml", 'behind = "pass"', 'behind = "dock"', ("pass_odds", "behind: dock")),
    (
        "leads nowhere",
        "wagers.toml",
        'name = "Berth Bet"',
        'name = "Berth Bet"\noffered = "berths"',
        ("place_win", "offered: berths"),
    ),
    (
        "leads nowhere",
        "craps.toml",
        'line_wagers = ["pass"]',
        'line_wagers = ["field"]',
        ("shooter.line_wagers", "field"),
    ),
    (
        "leads nowhere",
        "general.toml",
        "[listed_payouts]",
        '[listed_payouts]\nneeds = ["blessing"]',
        ("listed_payouts.needs", "blessing"),
    ),
    ("leads nowhere", "house.toml", 'rules = "harbour"', 'rules = "haven"', ("rules", "haven")),
    ("no citation", "wagers.toml", 'cite = "HB-62"', 'cite = ""', ("field.lose.cite", "is an empty text")),
    ("no citation", "wagers.toml", 'cite = "HB-62"', 'cite = ["HB-62", "HB-62"]', ("field.lose.cite", "HB-62 2 times")),
    ("wrong type", "wagers.toml", 'pays = "3 to 1"', "pays = 3", ("field.pays[1].pays", "text")),
    ("wrong odds", "wagers.toml", 'pays = "3 to 1"', 'pays = "4 for 1"', ("field", "'4 for 1'")),
    (
        "wrong word",
        "wagers.toml",
        'until = "point", cite = "HB-21"',
        'until = "dusk", cite = "HB-21"',
        ("pass.remove.until", "dusk"),
    ),
    ("wrong family", "wagers.toml", 'family = "one_roll"', 'family = "two_roll"', ("field", "two_roll")),
    ("malformed", "wagers.toml", "[field]", "[field", ("line", "[field")),
    ("malformed", "general.toml", 'title = "Harbour craps"', "title = ", ("at line 2", "title =")),
]


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """A copy of the invented rulebook that a test may change."""
    return Path(shutil.copytree(HARBOUR, tmp_path / "harbour"))


def spoil(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize(
    ("file", "old", "new", "named"), [fault[1:] for fault in FAULTS], ids=[f"{fault[0]}-{fault[1]}" for fault in FAULTS]
)
def test_a_fault_is_refused_by_naming_file_and_key(
    harbour: Path, file: str, old: str, new: str, named: tuple[str, ...]
) -> None:
    assert (harbour / file).read_text(encoding="utf-8").count(old) == 1
    spoil(harbour / file, lambda data: data.replace(old.encode(), new.encode()))
    with pytest.raises(RulebookError) as caught:
        Rules.under(load_rulebook(harbour))
    message = str(caught.value)
    assert all(line.startswith("harbour/") for line in message.splitlines())
    assert f"harbour/{file}: " in message
    assert [one for one in named if one not in message] == [], message


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (bytes(range(256)), "is not a text in UTF-8"),
        (b"\x00\x01\x02", "is not a text in UTF-8"),
        (b"a = " + b"[" * 5000, "nested too deeply"),
        (b"a = " + b"9" * 5000, "digits"),
        (b"=", "at line 1"),
    ],
    ids=["not text", "control characters", "deep", "huge", "no key"],
)
def test_junk_is_refused_in_one_line_that_names_the_file(harbour: Path, data: bytes, problem: str) -> None:
    spoil(harbour / "wagers.toml", lambda _data: data)
    with pytest.raises(RulebookError, match=f"^harbour/wagers.toml: .*{problem}"):
        load_rulebook(harbour)


@pytest.mark.parametrize("file", ["general.toml", "wagers.toml", "elections.toml", "craps.toml", "house.toml"])
def test_a_missing_file_is_named(harbour: Path, file: str) -> None:
    (harbour / file).unlink()
    with pytest.raises(RulebookError, match=f"^harbour/{file}: there is no such file$"):
        load_rulebook(harbour)
    (harbour / file).mkdir()
    with pytest.raises(RulebookError, match=f"^harbour/{file}: is a folder$"):
        load_rulebook(harbour)


def test_a_citation_of_an_unknown_clause_is_refused(tmp_path: Path) -> None:
    """Only a regulation with a matrix can be checked, so Maryland's folder is copied with its name."""
    folder = tmp_path / "maryland"
    shutil.copytree(str(files("passline") / "rulebooks" / "maryland"), folder)
    assert load_rulebook(folder) == rulebook_of("maryland")
    spoil(folder / "wagers.toml", lambda data: data.replace(b'"MD-3.A.1.a.i"', b'"MD-3.A.1.a.z"'))
    with pytest.raises(
        RulebookError, match=r"wagers\.toml: pass\.first_win: cites MD-3\.A\.1\.a\.z, which is not a clause of maryland"
    ):
        load_rulebook(folder)


@pytest.mark.parametrize("name", REGULATIONS)
def test_every_entry_cites_clauses_of_its_own_regulation(name: str) -> None:
    cited = {clause for _, cite in cited_entries(rulebook_of(name)) for clause in cites_of(cite)}
    assert cited <= set(clauses_of(name))
    assert len(cited) > 100


@pytest.mark.clause(
    *("CO-2305-1-chips", "CO-2305-1-tokens", "CO-2305-1-matchplay", "CO-2305-1-coins", "CO-2305-1-layout")
)
def test_CO_2305_1__the_media_are_in_force_from_14_september_2012() -> None:
    """CO-2305-1-chips: the text gives the day; on the day before, no version is in force, and the message says so."""
    first = date(2012, 9, 14)
    assert Rules.of("colorado", on=first).rulebook.general.media == rulebook_of("colorado").general.media
    with pytest.raises(
        RulebookError, match=r"media: chips: no version is in force on 2012-09-13; the first is from 2012-09-14"
    ):
        Rules.of("colorado", on=date(2012, 9, 13))
    media = {where: one for where, one in rulebook_of("colorado").versions.items() if where.startswith("general.media")}
    assert {where.removeprefix("general.media.") for where in media} == {
        "chips",
        "tokens",
        "match_play",
        "coins",
        "cash",
        "call",
    }
    assert all(version["from"] == first for versions in media.values() for version in versions)


BEGINS = {
    "fire": date(2012, 11, 30),
    "sharp_shooter": date(2012, 11, 30),
    "craps_free_craps": date(2013, 2, 14),
    "front_line_winner": date(2013, 10, 16),
}


@pytest.mark.clause(
    *("CO-2317.01-must", "CO-2317.02-must", "CO-2317.03-base", "CO-2317.04-must", "CO-2317.04-PT3-11"),
    *("CO-2317-1-rule", "CO-2317.04-8-allow"),
)
@pytest.mark.parametrize(("what", "first"), BEGINS.items())
def test_CO_2317__a_wager_or_game_is_not_offered_before_the_day_it_is_law(what: str, first: date) -> None:
    """CO-2317.01-must to -2317.04-must: the day is in the heading; on the day before, no house may offer it."""
    before = first - timedelta(days=1)
    is_game = what == "craps_free_craps"
    house = {} if is_game else {"side_wagers": {what: rulebook_of("colorado").elections[what].choices[1]}}
    game = what if is_game else "craps"
    rules = Rules.of("colorado", on=first, house=house, game=game)
    assert is_game or rules.wagers[what].is_offered
    earlier = Rules.of("colorado", on=before)
    assert what not in earlier.wagers
    assert what not in earlier.rulebook.games
    assert earlier.rulebook.general.games == tuple(earlier.rulebook.games)
    with pytest.raises(HouseBreaches, match=f"it is in force from {first} on .CO-2304-only"):
        Rules.of("colorado", on=before, house=house, game=game)


@pytest.mark.clause("CO-2317.04-PT3-11", "CO-2317.04-8-allow")
def test_CO_2317_04__what_was_amended_or_came_later_is_not_elected_earlier() -> None:
    """CO-2317.04-PT3-11: what table 3 paid before 2014-04-14 is not known; tips on it are as old as the wager."""
    third = {"side_wagers": {"front_line_winner": "3"}}
    amended = Rules.of("colorado", on=date(2014, 4, 14), house=third)
    assert str(amended.wagers["front_line_winner"].payouts[11].pays) == "500 to 1"
    for house, day, key in (
        (third, date(2014, 4, 13), "side_wagers.front_line_winner"),
        ({"front_line_tips": True}, date(2013, 10, 15), "front_line_tips"),
        ({"front_line_before_first_roll": True}, date(2013, 10, 15), "front_line_before_first_roll"),
        ({"front_line_tip_cents_max": 500}, date(2013, 10, 15), "front_line_tip_cents_max"),
    ):
        with pytest.raises(HouseBreaches, match=key):
            Rules.of("colorado", on=day, house=house)


def test_a_day_from_which_a_table_is_in_force_must_be_a_day() -> None:
    for day in ("2012-11-30", 20121130, True):
        with pytest.raises(RulebookError, match=r"general.toml: employees: `from` must be the day from which it is"):
            load_with(HARBOUR, "general.toml", {"employees": {"cite": "HB-1", "from": day}})
    added = {"employees": {"cite": "HB-1", "from": date(1990, 1, 1)}}
    later = load_with(HARBOUR, "general.toml", added, on=date(1989, 1, 1))
    assert later.general.employees is None
    assert later.versions["general.employees"] == ({"from": date(1990, 1, 1)},)


@pytest.mark.parametrize(
    ("on", "wagers", "clause"),
    [
        (date(1950, 1, 1), "any", "HB-17"),
        (date(1980, 5, 31), "any", "HB-17"),
        (date(1980, 6, 1), "none", "HB-17-new"),
        (None, "none", "HB-17-new"),
    ],
)
def test_a_day_chooses_its_version(on: date | None, wagers: str, clause: str) -> None:
    rulebook = load_rulebook(HARBOUR, on=on)
    coins = rulebook.general.media["coins"]
    assert (coins.wagers, coins.cite) == (wagers, clause)
    text = explain_all(Rules.under(rulebook))
    assert "general.media.coins: 1950-01-01, 1980-06-01" in text
    with pytest.raises(RulebookError, match="no version is in force on 1949-12-31; the first is from 1950-01-01"):
        load_rulebook(HARBOUR, on=date(1949, 12, 31))


# A fifth regulation


def test_a_fifth_regulation_is_a_folder_without_python() -> None:
    rules = Rules.under(load_rulebook(HARBOUR))
    assert (rules.rulebook.name, rules.house.name, rules.house.seats) == ("harbour", "The Capstan", 4)
    text = explain_all(rules)
    assert text.startswith("Harbour craps\n")
    assert "pays: 3 to 1 on 12 [HB-64]" in text
    assert "dealer: rings the bell on a loser 7 [HB-72]" in text
    assert rules.wagers["pass"].first.keys() == {2, 3, 4, 7, 10, 11, 12}


def test_a_fifth_regulation_is_played_by_its_own_numbers() -> None:
    table = Play(Rules.under(load_rulebook(HARBOUR)))
    table.shoots()
    table.make(ANN, "field", 5_00)
    happened = table.roll("6-6")
    (field,) = settled(happened, ANN)
    (line,) = settled(happened, SHOOTER)
    assert isinstance(field, e.WagerWon)
    assert (field.pays, field.winnings, field.clause) == (Pays(3, to=1), 15_00, "HB-61, HB-64")
    assert (type(line), line.clause) == (e.WagerLost, "HB-23")
    won_first = [type(event) for event in happened if isinstance(event, e.WagerWon | e.WagerLost)]
    assert won_first == [e.WagerWon, e.WagerLost], "this house pays before it takes"
    table.shoots()
    assert [event.clause for event in settled(table.roll("2-2"), SHOOTER)] == ["HB-23"], "a first 4 loses here"
    table.shoots()
    table.make(ANN, "place_win", 10_00, 9)
    table.roll("2-4")
    assert "HB-44" in cites(table.refuse(make(SHOOTER, "pass_odds", 10_50, 6)))
    table.make(SHOOTER, "pass_odds", 3_50, 6)
    assert "HB-71" in cites(table.refuse(make(BOB, "field", 2_00))), "two players may wager on a roll, and two do"
    (nine,) = settled(table.roll("4-5"), ANN)
    assert isinstance(nine, e.WagerWon)
    assert (nine.winnings, nine.clause) == (13_00, "HB-51, HB-54")
    paid = {event.wager.kind: event for event in settled(table.roll("3-3"), SHOOTER) if isinstance(event, e.WagerWon)}
    assert {kind: event.winnings for kind, event in paid.items()} == {"pass": 2_00, "pass_odds": 4_00}


def test_a_fifth_regulation_is_dealt_by_its_own_procedures() -> None:
    table = Play(Rules.under(load_rulebook(HARBOUR), automate=frozenset({"choose"})))
    assert "HB-73" in cites(table.refuse(c.OfferDice(by="dealer", dice=2)))
    assert "HB-74" in cites(table.refuse(c.OfferDice(by="stickperson", dice=3)))
    table.do(c.OfferDice(by="dealer", dice=3))
    chosen = table.do(c.AcceptDice(seat=SHOOTER))[-1]
    assert isinstance(chosen, e.DiceChosen)
    assert (chosen.cupped, chosen.controlled_by) == (1, "dealer")
    table.make(SHOOTER, "pass", 2_00)
    table.do(c.ThrowDice(seat=SHOOTER))
    assert "HB-95" in cites(table.refuse(c.CallNoRoll(by="dealer", reason="fog")))
    assert "HB-94" in cites(table.fork().do(c.CallNoRoll(by="dealer", reason="gull")))
    landed = table.do(c.LandDice(by="dealer", first=1, second=2, first_lie="overboard"))
    assert [event.clause for event in landed if isinstance(event, e.RollVoided)] == ["HB-85, HB-86"]
    assert "HB-83" in cites(table.do(c.OrderDicePassed(by="floorperson", reason="whistling")))


def test_read_toml_returns_the_files_data() -> None:
    assert read_toml(HARBOUR / "house.toml")["name"] == "The Capstan"


def test_keys_beside_dated_versions_hold_for_all_unless_a_version_overrides_them() -> None:
    """What no amendment changed is written once; a version's own value takes precedence."""
    dated = [{"from": FIRST, "cite": "HB-17"}, {"from": SECOND, "wagers": "none", "cite": "HB-17-new"}]
    media = {**read_toml(HARBOUR / "general.toml")["media"], "coins": {"wagers": "any", "dated": dated}}
    for day, wagers, cite in ((FIRST, "any", "HB-17"), (SECOND, "none", "HB-17-new")):
        coins = load_with(HARBOUR, "general.toml", {"media": media}, on=day).general.media["coins"]
        assert (coins.wagers, coins.cite) == (wagers, cite)


@pytest.mark.parametrize("name", ["harbour_fire", "harbour.fire"])
def test_payouts_of_the_wrong_type_are_reported_with_their_wagers_and_tables(name: str) -> None:
    """Both are keys of free choice, even with a dot in them; one error is in the second of two tables."""
    entry = read_toml(MARYLAND / "sidewagers.toml")["fire"]
    first, last = entry["tables"]
    wrong = {**entry, "tables": {**entry["tables"], last: [{**entry["tables"][last][0], "pays": 3}]}}
    after = {**entry, "tables": {**entry["tables"], first: [{**entry["tables"][first][0], "pays": 3}]}}
    with pytest.raises(RulebookFaults) as caught:
        load_with(MARYLAND, "sidewagers.toml", {name: wrong, "of_the_same_kind": after})
    told = "maryland/sidewagers.toml: {}.tables.{}[0].pays: 3 must be text in quotes"
    assert caught.value.faults == (told.format(name, last), told.format("of_the_same_kind", first))
