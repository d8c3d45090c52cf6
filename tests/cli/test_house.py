"""`passline house` as people run it: its output and exit codes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.cli.options.game import rules_from
from passline.errors import CrapsError
from passline.rules.clauses import REGULATIONS
from passline.rules.explain.sections import explain, explain_all
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules

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


@pytest.mark.parametrize(("name", "game"), GAMES)
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
        ('rules = "section2"\n[limits]\nbuy = { min = 2000 }\nlay = { min = 3900 }', "", set()),  # lay 4 needs 40.00
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


@pytest.mark.parametrize("columns", [40, 69, 70, 100, 180])
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


@pytest.mark.parametrize("name", REGULATIONS)
def test_the_posted_rules_are_printed_as_the_office_would(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    for form, begins in (("txt", b"House rules (house "), ("pdf", b"%PDF-")):
        code, _out, err = ran(capsys, "house", "print", "--rules", name, "--to", tmp_path / f"rules.{form}")
        assert (code, err) == (0, "")
        assert (tmp_path / f"rules.{form}").read_bytes().startswith(begins)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "rules.doc"), "the name must end in .pdf, .txt"),
        (("--to", "rules.pdf", "--paper", "poem"), "is not one of house_rules, limits"),
        (("--to", "rules.pdf", "--paper", "rules_package"), "lacks specifications of the equipment [AZ-II.G.2.a]"),
    ],
)
def test_what_cannot_be_printed_says_why(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    code, _out, err = ran(capsys, "house", "print", "--rules", "arizona", *arguments)
    assert (code, said in err) == (2, True), err
