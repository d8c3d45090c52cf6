"""`passline house` as people run it: its output and exit codes."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from passline import __version__
from passline.cli.main import main
from passline.cli.options.game import rules_from
from passline.errors import CrapsError
from passline.rules.clauses import REGULATIONS
from passline.rules.explain.sections import explain, explain_all
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from tests.cases import one_in

GAMES = [(name, game) for name in REGULATIONS for game in rulebook_of(name).games]
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run a command; return its exit code, output and error output."""
    code = main([str(one) for one in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "house.toml"


@pytest.mark.parametrize(("name", "game"), one_in(4, GAMES))
def test_a_new_house_file_is_lawful(capsys: pytest.CaptureFixture[str], file: Path, name: str, game: str) -> None:
    code, out, err = ran(capsys, "house", "new", "--rules", name, "--game", game)
    assert (code, err) == (0, "")
    file.write_text(out, encoding="utf-8")
    code, out, err = ran(capsys, "house", "check", file)
    house = Rules.of(name, game=game).house.name
    assert (code, out, err) == (0, f"{house}: lawful {game} under {name}\n", "")


def test_every_breach_is_a_line_with_its_clause(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text('rules = "colorado"\nodds_cents_max = 10001\nbuy = "in_lieu"\ncolour = "red"\n', encoding="utf-8")
    code, out, err = ran(capsys, "house", "check", file)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == "colour: is not a key of a house [CO-2304-only]"
    assert lines[1] == "buy: 'in_lieu' is not one of 'offered', 'none' [CO-2307-1-offer, CO-2317.03-TO-1-offer]"
    assert len(lines) == 7
    assert all(re.fullmatch(r"\S+: .+ \[CO-\S+(, CO-\S+)*\]", line) for line in lines)
    assert [line.split(":")[0] for line in lines[2:]] == ["odds_cents_max"] * 5


@pytest.mark.parametrize(
    ("text", "wagers", "warnings"),
    one_in(
        5,
        [
            (
                'rules = "colorado"\n[limits]\ncentre = { min = 100, max = 10000 }',  # neither buy nor lay has its own
                "buy lay",
                {
                    "Buy Bet (buy): 4, 10: 5% of wager when made: no edge for the house at stakes of 5.00-19.00",
                    (
                        "Lay Bet (lay): 4, 10: 5% of potential win when made: "
                        "no edge for the house at stakes of 6.00-38.00 by 2.00"
                    ),
                },
            ),
            (
                'rules = "arizona"\n[limits]\nbuy = { min = 1900 }\nlay = { min = 2000 }',
                "buy",
                {"Buy Bet (buy): 4, 10: 5% of wager when made: no edge for the house at stakes of 19.00"},
            ),
            (
                'rules = "section2"\n[limits]\nbuy = { min = 2000 }\nlay = { min = 3900 }',
                "",
                set(),
            ),  # lay 4 needs 40.00
            (
                'rules = "maryland"\n[payouts]\nany_seven = "26 to 5"',
                "any_seven",
                {"Any Seven Bet (any_seven): 26 to 5: the player has the edge at stakes of 5.00-1000.00 by 5.00"},
            ),
            (
                'rules = "colorado"\nunpayable = "round_up"',
                "dont_pass dont_come place_win place_lose",
                {"Place Bet to Win (place_win): 5, 9: no edge for the house at stakes of 6.00, 8.00"},
            ),
        ],
        others=pytest.mark.whole,
    ),
)
def test_a_lawful_house_is_warned_of_wagers_it_deals_without_an_edge(
    capsys: pytest.CaptureFixture[str], file: Path, text: str, wagers: str, warnings: set[str]
) -> None:
    file.write_text(text, encoding="utf-8")
    code, out, err = ran(capsys, "house", "check", file)
    lawful, *said = out.splitlines()
    assert (code, err) == (0, "")
    assert ": lawful craps under " in lawful
    told = [re.fullmatch(r"warning: (.+ \((\w+)\): .+)", line) for line in said]
    assert list(dict.fromkeys(one[2] for one in told if one)) == wagers.split()
    assert warnings <= {one[1] for one in told if one}
    assert None not in told


def test_a_house_is_checked_without_the_exact_mathematics_and_says_so(
    file: Path,
) -> None:
    file.write_text('rules = "maryland"', encoding="utf-8")
    code = "import sys; sys.modules['numpy'] = None; from passline.cli.main import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "house", "check", str(file)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    lawful, *warning = done.stdout.splitlines()
    assert (done.returncode, lawful) == (0, "Default Maryland house: lawful craps under maryland"), done.stderr
    assert " ".join(warning).startswith("warning: no wager was tried for its edge: that needs numpy")


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"rules = ", b"seats = 3", b'rules = "nevada"', b"rules = 5", None])
def test_a_file_that_cannot_be_read_is_one_line_and_exit_2(
    capsys: pytest.CaptureFixture[str], file: Path, data: bytes | None
) -> None:
    if data is not None:
        file.write_bytes(data)
    for command in ("check", "show"):
        code, out, err = ran(capsys, "house", command, *(("--house",) if command == "show" else ()), file)
        assert (code, out) == (2, "")
        assert re.fullmatch(r"passline: [^\n]+\n", err)


@pytest.mark.parametrize("is_all", [False, True])
def test_piped_rules_are_plain_text(capsys: pytest.CaptureFixture[str], *, is_all: bool) -> None:
    options = ["--all"] if is_all else []
    code, out, err = ran(capsys, "house", "show", "--rules", "section2", "--game", "mini_craps", *options)
    rules = Rules.of("section2", game="mini_craps")
    assert (code, err) == (0, "")
    assert out == (explain_all if is_all else explain)(rules)


@pytest.mark.parametrize("columns", [40, 69, 70, *(pytest.param(wide, marks=pytest.mark.whole) for wide in (100, 180))])
def test_rules_in_a_terminal_fit_its_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    code, out, _ = ran(capsys, "house", "show", "--rules", "maryland")
    lines = [line.rstrip() for line in COLOURS.sub("", out).splitlines()]
    assert code == 0
    assert max(map(len, lines)) <= min(columns, 100)
    text = " ".join(" ".join(lines).split())
    words = ("Maryland craps and mini-craps, version 1.5", "Place Bet to Win (place_win), number", "Who does what")
    assert all(one in text for one in words)
    if columns < 70:
        assert "pays: 9 to 5 on 4 [MD-5.A.5]" in text
    else:
        assert re.search(r"^pays +9 to 5 on 4 +MD-5\.A\.5$", "\n".join(lines), flags=re.MULTILINE)


def test_a_house_file_and_the_options_must_agree(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text('rules = "maryland"\ngame = "mini_craps"\nname = "The Mill"\n', encoding="utf-8")
    code, out, _ = ran(capsys, "house", "show", "--house", file)
    assert code == 0
    assert "house: The Mill" in out
    assert "game: mini craps" in out
    assert ran(capsys, "house", "show", "--house", file, "--rules", "maryland", "--game", "mini_craps")[1] == out
    for option, value in (("--rules", "colorado"), ("--game", "craps")):
        code, out, err = ran(capsys, "house", "show", "--house", file, option, value)
        assert (code, out) == (2, "")
        assert err.startswith(f"passline: {option} {value}: ")


def test_without_a_house_file_the_default_house_is_used() -> None:
    assert rules_from(rules="arizona").house == Rules.of("arizona").house
    assert rules_from().rulebook.name == "maryland"
    with pytest.raises(CrapsError, match="--game street: maryland deals craps and mini_craps"):
        rules_from(game="street")
    with pytest.raises(CrapsError, match="there is no rulebook 'nevada'"):
        rules_from(rules="nevada")


def test_an_unlawful_house_is_not_shown(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    file.write_text('rules = "maryland"\ndice_set = 4\nseats = 99\n', encoding="utf-8")
    code, out, err = ran(capsys, "house", "show", "--house", file)
    assert (code, out) == (2, "")
    assert "dice_set: 4 is below the minimum, 5 [MD-7.A, MD-10.C]" in err
    assert "seats: 99 places" in err


@pytest.mark.long
def test_the_papers_of_a_house_file_go_to_every_output_at_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('rules = "maryland"\nname = "Harbor House"\nwager_cents_min = 1000\n', encoding="utf-8")
    outputs = {form: tmp_path / f"papers.{form}" for form in ("pdf", "html", "svg")}
    options = [text for form, path in outputs.items() for text in (f"--{form}", path)]
    code, out, err = ran(capsys, "house", "print", file, *options, "--in-force", "2026-12-01")
    assert (code, out) == (0, "")
    assert err.splitlines() == [f"{path}: {path.stat().st_size:,} bytes" for path in outputs.values()]
    assert outputs["pdf"].read_bytes().startswith(b"%PDF-")
    assert outputs["svg"].read_text(encoding="utf-8").startswith("<svg ")
    page = outputs["html"].read_text(encoding="utf-8")
    for said in ("Harbor House", "2026-12-01", sha256(file.read_bytes()).hexdigest(), "$10 to $5,000", __version__):
        assert said in page


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_default_house_is_printed_to_standard_output(capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, out, err = ran(capsys, "house", "print", name, "--paper", "card", "--html", "-")
    assert code == 0
    assert err.startswith("standard output: ")
    assert Rules.of(name).house.name in out
    assert "Signatures" not in out


@pytest.mark.parametrize("name", REGULATIONS)
def test_a_paper_of_the_office_is_printed_as_it_would(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    text = tmp_path / "rules.txt"
    code, _out, _err = ran(capsys, "house", "print", "--rules", name, "--paper", "house_rules", "--txt", text)
    assert code == 0
    assert text.read_bytes().startswith(b"House rules (house ")


def test_a_house_is_printed_by_its_regulation_as_people_type_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "s2.toml"
    file.write_text(ran(capsys, "house", "new", "--rules", "section2")[1], encoding="utf-8")
    printed = "house", "print", "--house", file, "--paper", "card", "--html", "-"
    assert ran(capsys, *printed, "--rules", "Section 2")[0] == 0
    assert f"--rules Maryland: {file} is a house of section2" in ran(capsys, *printed, "--rules", "Maryland")[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "nowhere to print to: name at least one of --pdf FILE, --html FILE, --svg FILE"),
        (("arizona", "--pdf", "-", "--paper", "poem"), "is not one of rules, card, layout, poster, house_rules"),
        (("arizona", "--pdf", "-", "--paper", "rules_package"), "lacks specifications of the equipment [AZ-II.G.2.a]"),
        (("arizona", "--html", "-", "--paper", "limits"), "are printed one by one, with --pdf or --txt"),
        (("arizona", "--txt", "-"), "passline house show prints the rules as text"),
        (("arizona", "--rules", "maryland", "--pdf", "-"), "arizona and --rules maryland: name one house"),
        (
            ("nevada", "--pdf", "-"),
            "nevada: is neither a house file nor a regulation: there is no rulebook",
        ),
        (("missing.toml", "--pdf", "-"), "missing.toml: there is no such file"),
        (("arizona", "--game", "mini-craps", "--pdf", "-"), "--game mini_craps: arizona deals craps"),
        (("arizona", "--pdf", "-", "--svg", "-"), "--pdf and --svg both name -: give each a file of its own"),
        (("arizona", "--svg", "-", "--feet", "long"), "--feet long: is not a length such as 12 or 8.5"),
        (("arizona", "--svg", "-", "--feet", "99"), "choose a length from 4 to 20"),
        (("arizona", "--svg", "-", "--in-force", "soon"), "--in-force soon: is not a day such as 2026-12-01"),
        (("colorado", "--svg", "-", "--in-force", "1990-01-01"), "is in force on 1990-01-01"),
    ],
)
def test_what_cannot_be_printed_says_why(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    code, out, err = ran(capsys, "house", "print", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("passline: ")
    assert err.count("\n") == 1
    assert said in err


def test_a_day_in_force_prints_the_regulation_of_that_day(capsys: pytest.CaptureFixture[str]) -> None:
    """Colorado's rulebook has dated entries: a game that was not yet permitted cannot be printed for an earlier day."""
    begins = max(
        version["from"] for versions in Rules.of("colorado").rulebook.versions.values() for version in versions
    )
    before = begins - timedelta(days=1)
    printed = [
        ran(capsys, "house", "print", "colorado", "--paper", "rules", "--html", "-", "--in-force", str(day))
        for day in (begins, before)
    ]
    assert printed[0][0] == 0
    assert printed[0][1].replace(str(begins), "") != printed[1][1].replace(str(before), "")


@pytest.mark.whole
def test_a_difference_of_houses_is_told_in_sentences(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('rules = "maryland"\nname = "Harbor House"\nlay = "in_lieu"\n', encoding="utf-8")
    code, out, err = ran(capsys, "house", "diff", "maryland", file)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "Default Maryland house -> Harbor House"
    for said in (
        "Lay wagers: in lieu; before, in addition. [MD-3.A.42]",
        "Place Bet to Lose is no longer offered. [MD-3.A.6]",
        "Take no Place Bet to Lose. [MD-3.A.6]",
        "Place to Lose on 4, 10: before 3.0303% (1/33); now not offered.",
    ):
        assert said in out.splitlines()
    other = tmp_path / "other.toml"
    other.write_bytes(file.read_bytes())
    code, out, _err = ran(capsys, "house", "diff", file, other)
    assert code == 0
    assert "Nothing changes: both houses elect the same." in out


def test_a_limit_that_changes_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "river.toml"
    file.write_text('rules = "maryland"\nwager_cents_min = 1500\nname = "Default Maryland house"\n', encoding="utf-8")
    _code, out, _err = ran(capsys, "house", "diff", "maryland", file)
    told = " ".join(out.split())
    assert told.count("$15 to $5,000; before, $5 to $5,000") == told.count("Pass Bet, Don't Pass Bet") == 1
    assert told.count("Nothing else changes.") == 2, "for a player, for a dealer"
    assert "Nothing changes." not in told


def test_a_wager_that_no_stake_is_paid_exactly_on_is_not_said_to_be_not_offered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "narrow.toml"
    limits = "{ centre = { min = 100, max = 200 }, buy = { min = 2000 }, lay = { min = 2000 } }"
    file.write_text(f'rules = "maryland"\nlimits = {limits}\n', encoding="utf-8")
    _code, out, _err = ran(capsys, "house", "diff", "maryland", file)
    assert "Horn: before 12.5000% (1/8); now no stake is paid exactly." in out.splitlines()
    assert "not offered" not in out


def test_houses_whose_house_rules_differ_do_not_elect_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "desert.toml"
    text = ran(capsys, "house", "new", "--rules", "arizona")[1]
    file.write_text(text.replace('reading = "House rule."', 'reading = "Ours."', 1), encoding="utf-8")
    out = ran(capsys, "house", "diff", "arizona", file)[1]
    assert "both houses elect the same" not in out
    assert "reading: Ours; before, House rule." in out
    assert "Nothing changes at the table, for a player or for a dealer." in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("house", "diff", "maryland", "Maryland"), "are the same house; name two"),
        (("house", "diff", "maryland", "colorado"), "two regulations are compared by passline rulebook diff"),
        (("house", "diff", "maryland", "missing.toml"), "missing.toml: there is no such file"),
        (("house", "diff", "maryland", "nevada"), "nevada: is neither a house file nor a regulation"),
        (
            ("rulebook", "diff", "maryland", "nevada"),
            "there is no rulebook 'nevada'; choose colorado, section2",
        ),
        (("rulebook", "diff", "maryland", "maryland"), "are the same regulation; name two"),
        (("rulebook", "diff", "arizona", "maryland", "--game", "mini_craps"), "arizona deals craps"),
    ],
)
def test_what_cannot_be_compared_says_why(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    code, out, err = ran(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.whole
@pytest.mark.long
def test_two_regulations_are_shown_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran(capsys, "rulebook", "diff", "colorado", "maryland")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 100
    title, _, *lines = out.splitlines()
    assert title == "Colorado Limited Gaming Rule 23 | Maryland craps and mini-craps, version 1.5"
    summary = lines[2 : lines.index("", 2)]
    assert (lines[:2], len(summary) <= 10) == (["In short", "========"], True)
    assert summary[0] == "Games and variations: 1 only in colorado (craps free craps), 1 only in maryland (mini craps)"
    assert summary[1].endswith(", 7 only in maryland (Small; All; ...), 1 differs (6-7-8)")
    assert summary[-1].startswith("House edges of the default houses: ")
    assert not [line for line in summary if line.endswith("...")], "no line is cut off"
    assert "Put\n  colorado  every house deals it [CO-2304-42-def, CO-2304-42-when]\n  maryland  no such wager\n" in out
    assert "Lay on 4, 10: colorado 2.5000% (1/40); maryland 5.0000% (1/20)." in out


def test_a_difference_without_the_extra_says_what_is_missing(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('rules = "maryland"\nlay = "in_lieu"\n', encoding="utf-8")
    words = ["house", "diff", "maryland", str(file)]
    run = f"import sys; sys.modules['numpy'] = None; from passline.cli.main import main; main({words!r})"
    done = subprocess.run([sys.executable, "-c", run], check=True, capture_output=True, text=True, timeout=60)
    said = " ".join(done.stdout.split())
    assert "Place Bet to Lose is no longer offered" in said
    assert "No edge was computed: that needs numpy, which is not installed: pip install 'passline[exact]'" in said
