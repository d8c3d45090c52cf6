"""Playing hand files: every scripted hand passes, and differences and errors are readable."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from passline.cli.main import main
from passline.errors import CrapsError
from passline.game import commands as c
from passline.game.hand_files import HandError, HandReport, hand_clauses, play_hand, run_hand
from passline.game.hand_files.steps import STEPS, Words, read_step
from passline.rules.clauses import REGULATIONS
from tests.case_files import cases_of

_CITING = ("expect", "refused", "says", "marker")
HANDS = Path(__file__).resolve().parents[2] / "hands"
FILES = sorted(HANDS.rglob("*.hand"))
NAMES = [str(path.relative_to(HANDS).with_suffix("")) for path in FILES]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=pytest.mark.clause(*clauses) if (clauses := hand_clauses(path)) else (), id=name)
        for path, name in zip(FILES, NAMES, strict=True)
    ],
)
def test_a_hand_passes(path: Path) -> None:
    report = run_hand(path)
    assert report.is_passed, "\n".join(map(str, report.differences))


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_hand_names_only_clauses_that_its_checks_cite(path: Path) -> None:
    checks = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(_CITING)]
    asked = {
        clause for line in checks for found in re.findall(r"\[(.*?)\]", line) for clause in re.split("[, ]+", found)
    }
    assert set(hand_clauses(path)) <= asked
    assert f"rules {path.parent.name}" in path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_each_regulation_has_at_least_fifteen_hands(regulation: str) -> None:
    assert len(list((HANDS / regulation).glob("*.hand"))) >= 15


SIDE = """rules maryland
house side_wagers = { fire = "A", dice_ology = "B", lucky_shooter = "C" }
player Ann 500.00
player Bob 300.00
shooter Ann
"""
HEAD = """rules maryland
player Ann 500.00
player Bob 300.00
shooter Ann
"""


def _play(text: str) -> HandReport:
    return play_hand(HEAD + text, label="a.hand")


@pytest.mark.parametrize(
    ("lines", "expected", "got"),
    [
        ("wager Ann pass 10.00\nroll 6-5", "nothing", "Ann pass wins 10.00 [MD-3.A.1.a.i, MD-5.A.1]"),
        ("wager Ann pass 10.00\nroll 6-5\nexpect nothing", "nothing", "Ann pass wins 10.00 [MD-3.A.1.a.i, MD-5.A.1]"),
        (
            "wager Ann pass 10.00\nroll 6-5\nexpect Ann pass wins 11.00",
            "Ann pass wins 11.00",
            "Ann pass wins 10.00 [MD-3.A.1.a.i, MD-5.A.1]",
        ),
        (
            "wager Ann pass 10.00\nroll 6-5\nexpect Ann pass wins 10.00 [MD-3.A]",
            "Ann pass wins 10.00 [MD-3.A]",
            "Ann pass wins 10.00 [MD-3.A.1.a.i, MD-5.A.1]",
        ),
        (
            "wager Ann pass 10.00\nroll 6-5\nexpect Ann pass wins 10.00; pass wins 10.00",
            "Ann pass wins 10.00",
            "nothing",
        ),
        (
            "wager Ann pass 10.00\nroll 6-5\nexpect Ann pass wins 10.00\nexpect Bob pass wins 10.00",
            "Bob pass wins 10.00",
            "nothing",
        ),
        ("wager Ann pass 1.00", "no refusal", "refused: 1.00 is under the minimum, 5.00 [MD-3.B.1]"),
        ("wager Ann pass 10.00\nrefused [MD-3.B.1]", "refused [MD-3.B.1]", "no refusal"),
        (
            "wager Ann pass 1.00\nrefused [MD-3.B.2]",
            "refused [MD-3.B.2]",
            "refused: 1.00 is under the minimum, 5.00 [MD-3.B.1]",
        ),
        (
            "wager Ann pass 1.00\nrefused [MD-3.B.1, MD-3.B.2]",
            "refused [MD-3.B.1, MD-3.B.2]",
            "refused: 1.00 is under the minimum, 5.00 [MD-3.B.1]",
        ),
        (
            "wager Ann pass 1.00\nrefused [MD-3.B.1] over",
            "refused [MD-3.B.1] over",
            "refused: 1.00 is under the minimum, 5.00 [MD-3.B.1]",
        ),
        ("wager Ann pass 10.00\nrack Ann 500.00", "rack Ann 500.00", "rack Ann 490.00"),
        ("wager Ann pass 10.00\nrack Bob 490.00", "rack Bob 490.00", "rack Bob 300.00"),
        ("wager Ann pass 10.00\ncoupon Ann 5.00", "coupon Ann 5.00", "coupon Ann 0.00"),
        ("wager Ann pass 10.00\nroll 3-3\npuck OFF", "puck OFF", "puck ON 6"),
        ("wager Ann pass 10.00\npuck ON 6", "puck ON 6", "puck OFF"),
        ("wager Ann pass 10.00\nshooter Bob", "shooter Bob", "shooter Ann"),
        ("surrender Ann\nshooter Ann", "shooter Ann", "shooter nobody"),
        ("surrender Ann\ndice offered Ann", "dice offered Ann", "dice offered Bob"),
        ("wager Ann pass 10.00\ndice air", "dice air", "dice held"),
        ("wager Ann pass 10.00\nlayout Ann pass 11.00", "layout Ann pass 11.00", "layout Ann pass 10.00"),
        ("wager Ann pass 10.00\nlayout Ann nothing", "layout Ann nothing", "layout Ann pass 10.00"),
        ("wager Ann pass 10.00\nlayout Bob pass 10.00", "layout Bob pass 10.00", "layout Bob nothing"),
        (
            "wager Ann pass 10.00\nposition puck OFF | shooter 1 | seats 1 2 of 20",
            "puck OFF | shooter 1 | seats 1 2 of 20",
            "puck OFF | shooter 1 | dice held | seats 1 2 of 20 | up 1 pass 10.00",
        ),
        (
            "wager Ann pass 10.00\nsays Ann pass is made for 11.00",
            "says Ann pass is made for 11.00",
            "Ann pass is made for 10.00 [MD-3.A.1]",
        ),
        (
            "wager Ann pass 10.00\nsays made for 10.00 [MD-3.A.2]",
            "says made for 10.00 [MD-3.A.2]",
            "Ann pass is made for 10.00 [MD-3.A.1]",
        ),
    ],
)
def test_a_difference_shows_what_was_expected_and_what_happened(lines: str, expected: str, got: str) -> None:
    differences = _play(lines).differences
    assert [(one.expected, one.got) for one in differences] == [(expected, got)]


def test_a_net_takes_all_the_parts_of_a_composite_wager() -> None:
    hand = "puck ON 6\nwager Bob horn 4.00\nroll 6-6\nexpect Bob horn nets {} [{}]"
    assert _play(hand.format("27.00", "MD-5.C")).is_passed
    assert len(_play(hand.format("26.00", "MD-5.C")).differences) == 5  # the line, and the four parts it did not meet
    assert not _play(hand.format("27.00", "MD-5.D")).is_passed


def test_odds_on_a_line_mean_those_behind_the_wager_before() -> None:
    hand = "puck ON 6\nup Ann pass 10.00, odds 20.00\nup Bob come 5 10.00, odds 20.00\nroll 2-4\nexpect {}"
    assert _play(hand.format("Ann pass wins 10.00; odds wins 24.00")).is_passed
    assert not _play(hand.format("Ann pass wins 10.00; odds wins 20.00")).is_passed
    with pytest.raises(HandError, match=r"a\.hand:9: odds need a wager named before"):
        _play(hand.format("Ann odds wins 24.00"))


def test_every_command_has_a_line() -> None:
    lines = [
        ("leave", "Ann"), ("stand", "Ann"), ("sit", "Ann"), ("buy in", "Ann 100.00 coupon 25.00 in cash"),
        ("fill", "5.00"), ("credit", "5.00"), ("wager", "Ann hop 1-3 5.00 coupon 5.00 in chips+coins by dealer"),
        ("reduce", "Ann pass 5.00"), ("remove", "Ann place_win 6"), ("call", "Ann place_win 6 on"),
        ("button", "Ann place_win 6"), ("confirm", "boxperson Ann field"), ("offer", "5 by stickperson"),
        ("accept", "Ann"), ("decline", "Ann"), ("choose", "Ann 1 2"), ("surrender", "Ann"),
        ("order", "delay by boxperson"), ("decline line", "Ann"), ("throw", "Ann"), ("land", "3-4 cocked flat"),
        ("no roll", "short_throw by dealer"), ("dispute", "Ann"), ("decide", "3-4 by boxperson"),
        ("call total", "7 by dealer"), ("settle", ""), ("pass", "by dealer"), ("roll", "3-4"),
    ]  # fmt: skip
    read = {name: read_step(name, Words(rest, {"Ann": 1})) for name, rest in lines}
    assert read.keys() == STEPS.keys()
    assert {type(command) for command in read.values()} | {c.TakeSeat} == set(get_args(c.Command))  # join takes a seat
    assert read["wager"] == c.MakeWager(
        by="dealer", seat=1, wager="hop", number=113, cents=5_00, media=("chips", "coins"), coupon=5_00
    )
    assert read["land"] == c.LandDice(by="dealer", first=3, second=4, first_lie="cocked", second_lie="flat")
    assert read["confirm"] == c.ConfirmWager(by="boxperson", seat=1, wager="field")
    assert read["buy in"] == c.BuyIn(seat=1, cents=100_00, coupon=25_00)
    by = {name: command.by for name, command in read.items() if command.by != "player"}
    assert by == {
        "fill": "boxperson", "credit": "boxperson", "wager": "dealer", "button": "dealer", "confirm": "boxperson",
        "offer": "stickperson", "order": "boxperson", "land": "dealer", "no roll": "dealer", "decide": "boxperson",
        "call total": "dealer", "settle": "dealer", "pass": "dealer",
    }  # fmt: skip


def test_a_player_joins_during_the_hand() -> None:
    assert _play(
        "join Cid seat 5\nbuy in Cid 50.00\nwager Cid pass 10.00\nrack Cid 40.00\nlayout Cid pass 10.00"
    ).is_passed
    assert _play("join Cid seat 1\nrefused [MD-3.A] seat 1 is taken").is_passed


@pytest.mark.parametrize(
    ("lines", "line", "why"),
    [
        ("roll 3-4", 1, "a hand begins with its rules"),
        ("player Ann 5.00", 1, "a hand begins with its rules"),
        ("rules nevada\nplayer Ann 5.00", 2, "nevada"),
        ("rules\nplayer Ann 5.00", 2, "there is no rulebook"),
        ("rules maryland\nrules maryland", 2, "name is given twice"),
        ("rules maryland\ngame roulette\nplayer Ann 5.00", 3, "'roulette' is not a game here"),
        ("rules maryland\nhouse seats = = 2", 2, "an election is KEY = VALUE"),
        ("rules maryland\nhouse a = " + "[" * 5000, 2, "an election is KEY = VALUE"),
        ("rules maryland\nhouse seats = 2\nhouse seats = 3", 3, "seats is elected twice"),
        ("rules maryland\nhouse chairs = 2\nplayer Ann 5.00", 3, "is not a key of a house"),
        ("rules maryland\nautomate dealing", 2, "dealing cannot be automated"),
        ("rules maryland\nlimits none", 2, "limits can only be lifted"),
        ("rules maryland\nbank lots", 2, "'lots' is not an amount such as 12.00"),
        ("rules maryland\nplayer Ann 5.00\nhouse seats = 2", 3, "house belongs above the players"),
        ("rules maryland\nplayer ann 5.00", 2, "'ann' is not a name"),
        ("rules maryland\nplayer Ann", 2, "an amount is missing"),
        ("rules maryland\nplayer Ann 5.00\nplayer Ann 5.00", 3, "Ann is at the table already"),
        ("rules maryland\nplayer Ann 5.00 seat 21", 2, "there is no seat 21"),
        ("rules maryland\nplayer Ann 5.50", 2, "5.50 cannot be made of 1.00 chips"),
        ("rules maryland\nplayer Ann 5.00 sitting", 2, "'sitting' is not understood here"),
        ("rules maryland\nplayer Ann 5.00\npuck ON 7", 3, "the puck is OFF, or ON a point"),
        ("rules maryland\nplayer Ann 5.00\npuck OFF | bank 5.00", 3, "the puck is OFF, or ON a point"),
        ("rules maryland\nplayer Ann 5.00\nshooter Bob", 3, "nobody is called 'Bob'; players are: Ann"),
        ("rules maryland\nplayer Ann 5.00\nup Ann put 6 5.00", 3, "'put' is not a wager of Maryland craps"),
        ("rules maryland\nplayer Ann 5.00\nup Ann place_win 7 6.00", 3, "cannot be on that number"),
        ("rules maryland\nplayer Ann 5.00\nup Ann pass 6 6.00", 3, "cannot be on that number"),
        ("rules maryland\nplayer Ann 5.00\nup Ann place_win 6 5.00", 3, "cannot be paid exactly"),
        ("rules maryland\nplayer Ann 5.00\nup Ann horn 5.00", 3, "cannot be paid exactly"),
        ("rules maryland\nplayer Ann 5.00\nup Ann pass 5.00\nup Ann pass 6.00", 4, "the same wager is put up twice"),
        ("rules maryland\nplayer Ann 5.00\nup Ann odds 5.00", 3, "odds need a wager"),
        ("rules maryland\nplayer Ann 5.00\nexpect nothing", 3, "expect checks a step"),
        ("rules maryland\nplayer Ann 5.00\ndance", 3, "no line of a hand begins with 'dance'"),
        ("rules maryland\nplayer Ann 5.00\nroll 34", 3, "'34' is not a pair of faces such as 3-4"),
        ("rules maryland\nplayer Ann 5.00\nroll 3-4 5-6", 3, "'5-6' is not understood here"),
        ("rules maryland\nplayer Ann 5.00\nwager Ann pass 5", 3, "an amount is missing"),
        ("rules maryland\nplayer Ann 5.00\nwager Ann pass 5.00 by bouncer", 3, "'bouncer' is not a role"),
        ("rules maryland\nplayer Ann 5.00\nno roll short_throw", 3, "no roll needs a role at its end"),
        ("rules maryland\nplayer Ann 5.00\noffer five by dealer", 3, "'five' is not a number of dice"),
        ("rules maryland\nplayer Ann 5.00\nsettle\nrefused no reason", 4, "refused names every clause"),
        ("rules maryland\nplayer Ann 5.00\nsettle\nexpect Ann pass explodes 5.00", 4, "not 'explodes'"),
        ("rules maryland\nplayer Ann 5.00\nsettle\nposition puck up", 4, "the puck is OFF, or ON a point"),
    ],
)
def test_an_error_names_file_line_and_cause(lines: str, line: int, why: str) -> None:
    with pytest.raises(HandError) as caught:
        play_hand(lines, label="a.hand")
    assert str(caught.value).startswith(f"a.hand:{line}: ")
    assert why in str(caught.value)


def test_a_hand_without_a_step_is_refused() -> None:
    with pytest.raises(HandError, match="at least one step"):
        play_hand("rules maryland\nplayer Ann 5.00", label="a.hand")


_PIECES = st.sampled_from(
    [
        *STEPS,
        "expect",
        "refused",
        "says",
        "rack",
        "puck",
        "layout",
        "up",
        "house",
        "join",
        "position",
        "shooter",
        "dice",
        "tips",
        "counts",
        "marker",
    ]
)
_REST = (
    st.sampled_from(["", "Ann", "Ann pass 10.00", "Ann place_win 6 12.00", "Ann come 6 10.00, odds 20.00", "3-4"])
    | st.sampled_from(
        ["Ann horn_high 12 5.00", "Bob whirl 5.00", "5 by stickperson", "delay by boxperson", "ON 6", "OFF"]
    )
    | st.sampled_from(
        ["Ann pass wins 10.00", "[MD-3.A]", "x = 1", "Ann hop 9-9 1.00", "0-9", "boxperson Bob field", "-"]
    )
    | st.sampled_from(["Ann fire 5.00", "Ann crew pass 1.00", "Ann lucky_shooter 5.00 progress 6,16", "Ann fire 1"])
    | st.sampled_from(["Ann little_ones 1 2", "fire 1", "5.00", "Ann fire 5.00 progress 1,16", "crew", "Ann crew"])
    | st.sampled_from(["6-6 cocked flat", "7 by dealer", "Bob field 5.00"])
    | st.text(max_size=20)
)


@given(st.lists(st.tuples(_PIECES, _REST).map(" ".join), max_size=12))
@example(["up Ann horn_high 12 5.00", "puck ON 6", "roll 6-6"])
def test_any_lines_are_played_or_refused_with_a_line(lines: list[str]) -> None:
    for head in (HEAD, SIDE):
        message = ""
        try:
            play_hand(head + "\n".join(lines), label="a.hand")
        except HandError as error:
            message = str(error)
        assert not message or message.startswith("a.hand")


@given(st.binary(max_size=200))
@example(b"\x7fELF\x00\x00")
@example(b"\xff\xfe")
def test_binary_junk_is_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("junk") / "junk.hand"
    path.write_bytes(data)
    with pytest.raises(HandError, match=r"junk\.hand"):
        run_hand(path)


def _missing(folder: Path) -> Path:
    return folder / "none.hand"


def _huge(folder: Path) -> Path:
    path = folder / "huge.hand"
    path.write_bytes(b"#" * 1_000_001)
    return path


def _folder(folder: Path) -> Path:
    return folder


@pytest.mark.parametrize(
    ("make", "why"),
    [(_missing, "there is no such file"), (_huge, "has more than 1,000,000 bytes"), (_folder, "is a folder")],
)
def test_a_file_that_cannot_be_read_is_named(make: Callable[[Path], Path], why: str, tmp_path: Path) -> None:
    path = make(tmp_path)
    with pytest.raises(HandError) as caught:
        run_hand(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert why in str(caught.value)


def test_a_hand_of_exactly_the_largest_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.hand"
    text = HEAD + "wager Ann pass 10.00\n"
    path.write_text(text + "#" * (1_000_000 - len(text)), encoding="utf-8")
    assert run_hand(path).steps == 1


def _write(folder: Path, name: str, lines: str) -> Path:
    path = folder / name
    path.write_text(HEAD + lines, encoding="utf-8")
    return path


def test_the_command_plays_files_and_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = _write(tmp_path, "good.hand", "wager Ann pass 10.00")
    assert main(["hands", str(tmp_path), str(good)]) == 0
    assert capsys.readouterr().out == f"ok      {good}\nok      {good}\n2 hands, 2 passed, 0 failed\n"


def test_the_command_shows_a_difference_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path, "a.hand", "wager Ann pass 10.00")
    path = _write(tmp_path, "b.hand", "wager Ann pass 10.00\nroll 6-5")
    assert main(["hands", str(tmp_path)]) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        f"differs {path}",
        "  line 6: roll 6-5",
        "      expected  nothing",
        "      got       Ann pass wins 10.00 [MD-3.A.1.a.i, MD-5.A.1]",
        "2 hands, 1 passed, 1 failed",
    ]


def test_the_command_exits_2_for_what_it_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hands", str(tmp_path)]) == 2
    assert "no .hand file in this folder" in capsys.readouterr().err
    bad = _write(tmp_path, "bad.hand", "dance")
    _write(tmp_path, "worse.hand", "wager Ann pass 10.00\nroll 6-5")
    assert main(["hands", str(tmp_path)]) == 2
    shown = capsys.readouterr()
    assert shown.err == f"passline: {bad}:5: no line of a hand begins with 'dance'\n"
    assert shown.out.endswith("2 hands, 0 passed, 1 failed, 1 unreadable\n")


ONE_LINE_HANDS = cases_of(Path(__file__).parent.parent / "cases" / "hands.txt")


def _hand(hand: str) -> list[str]:
    try:
        report = play_hand(hand.replace(" / ", "\n"), label="hand")
    except CrapsError as error:
        return [str(error)]
    return [f"{one.line} {one.step}: expected {one.expected}, got {one.got}" for one in report.differences]


@pytest.mark.parametrize(("hand", "told"), ONE_LINE_HANDS, ids=[hand for hand, _ in ONE_LINE_HANDS])
def test_a_hand_has_exactly_the_differences_written_below_it(hand: str, told: list[str]) -> None:
    assert _hand(hand) == told
