"""`passline strategies`: the list, one strategy, JSON and errors."""

import json
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.rules.rules import Rules
from passline.strategy.interface import Seen, Want
from passline.strategy.lookup import known_strategies, strategy_of


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Run the command. Return its exit code, output and errors."""
    code = main(["strategies", *(str(one) for one in arguments)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_every_strategy_is_listed_with_its_parameters_and_regulations(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = ran(capsys)
    assert (code, err) == (0, "")
    assert {line.split()[0] for line in out.splitlines() if line[:1].islower()} == set(known_strategies())
    assert "                   unit=1000,odds=2,points=3; every regulation\n" in out
    assert "unit=500; colorado, maryland\n" in out
    assert max(map(len, out.splitlines())) <= 100


def test_one_strategy_is_shown_with_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ran(capsys, "fire")
    assert (code, err) == (0, "")
    assert "Source: The rules of the wager itself" in out
    assert "unit = 500  cents of the wager\n" in out
    assert "Played under colorado, maryland.\nNot under section2: fire.toml: wish[0].make: section2 has no wager" in out
    assert out.endswith('[[wish]]\nmake = "fire"\ncents = "exact(unit)"\n')


def test_json_has_parameters_wagers_and_regulations(capsys: pytest.CaptureFixture[str]) -> None:
    every = json.loads(ran(capsys, "--json")[1])
    assert [one["name"] for one in every] == list(known_strategies())
    one = json.loads(ran(capsys, "hop", "--json")[1])
    assert one["parameters"]["numbers"] == {"default": [116, 125, 134], "about": "the pairs of dice"}
    assert one["wagers"] == ["hop"]
    assert one["regulations"] == ["colorado", "section2", "arizona", "maryland"]
    assert one["file"].startswith('name = "hop"\n')


def test_a_strategy_file_is_checked_and_shown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'name = "mine"\ndescription = "Big."\nsource = "Me."\n[[wish]]\nmake = "big"\non = [6]\ncents = 500\n'
    )
    code, out, _err = ran(capsys, path)
    assert code == 0
    assert "Played under colorado.\n" in out
    path.write_text(path.read_text().replace('"big"', '"bigg"'))
    code, out, err = ran(capsys, path)
    assert (code, out) == (2, "")
    assert f"passline: {path}: wish[0].make: colorado has no wager 'bigg'; did you mean big?" in err


def test_an_unknown_name_is_refused_with_the_nearest_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert ran(capsys, "fier") == (2, "", "passline: there is no strategy 'fier'; did you mean fire or field?\n")


MINE = 'name = "mine"\ndescription = "Six."\nsource = "Me."\n[[wish]]\nmake = "place_win"\non = [6]\n'


def test_a_file_is_tried_by_playing_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Colorado's wagers end at 100.00, which no reading of the file alone finds out."""
    path = tmp_path / "mine.toml"
    path.write_text(MINE + 'when = "point_on"\namount = "$120"\n', encoding="utf-8")
    code, out, _err = ran(capsys, path)
    assert code == 0
    assert "every regulation" not in out
    assert "Not under colorado: mine wishes to make Place" in out
    code, out, _err = ran(capsys, path, "--rules", "Maryland", "--game", "mini_craps")
    assert (code, "Played under maryland, mini_craps." in out) == (0, True)
    code, _out, err = ran(capsys, path, "--rules", "colorado")
    assert code == 2
    assert "for $120, which is refused: " in err


def test_a_share_of_all_money_is_tried_with_money_that_people_have(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Nobody has the ten millions with which other strategies are tried, and of which a fiftieth is over a maximum."""
    path = tmp_path / "mine.toml"
    share = MINE + 'when = "point_on"\ncents = "max(exact_down(equity // {part}), exact(least))"\n'
    path.write_text(share.format(part=50), encoding="utf-8")
    assert ran(capsys, path, "--rules", "maryland")[0] == 0
    path.write_text(share.format(part=5), encoding="utf-8")
    code, _out, err = ran(capsys, path, "--rules", "colorado")
    assert (code, "which is refused" in err) == (2, True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("amount = 120", '.amount: 120: write "$120", or cents = 120'),
        ('amount = "$120"\ncents = 5', "cents or amount, not both"),
        ("", 'make needs cents, or amount = "$10"'),
    ],
)
def test_an_amount_says_whether_it_is_dollars_or_cents(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, line: str, said: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE + line + "\n", encoding="utf-8")
    code, _out, err = ran(capsys, path)
    assert (code, said in err) == (2, True), err


def test_dollars_are_understood_wherever_a_file_has_an_amount(tmp_path: Path) -> None:
    rules = Rules.of("maryland")
    path = tmp_path / "mine.toml"
    path.write_text(MINE + 'cents = "$12 if point_on else $6.00"\n', encoding="utf-8")
    seen = Seen(4, is_clearing=False, mine=())
    assert strategy_of(str(path), rules).wishes(seen, None) == (Want("place_win", 6, 12_00),)


def test_strategies_are_joined_without_blanks_and_named_in_any_case(tmp_path: Path) -> None:
    rules = Rules.of("maryland")
    assert strategy_of("Molly:ODDS=3+Field", rules).name == "molly:odds=3 + field"
    path = tmp_path / "a+b.toml"
    path.write_text(MINE + "cents = 600\n", encoding="utf-8")
    assert strategy_of(f"{path} + pass", rules).name == "mine + pass"


MONEY = """name = "mine"
description = "Six, until ahead."
source = "Me."
[parameters]
spare = 3
[memory]
hits = { max = 2, next = "0 if loser_7 else min(hits + won('place_win'), 2)" }
[[wish]]
make = "place_win"
on = [6]
when = "point_on and net < 5_00"
cents = "$6"
[[wish]]
take_down = "place_win"
when = "net > 90_000_00"
"""


def test_play_tells_each_roll_with_its_reasons(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MONEY, encoding="utf-8")
    code, out, err = ran(capsys, path, "--rules", "maryland", "--play", "2-2, 3-3,1-1", "--bankroll", "100")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "before roll 1: puck OFF, hits 0, net 0.00, shooter_net 0.00, rack 100.00, peak 0.00"
    assert lines[1] == (
        "    wish[0] no make place_win 6, its condition is false when point_on and net < 5_00 [point_on=0, net=0]"
    )
    assert "    wish[0] make Place Bet to Win 6 for $6 when point_on and net < 5_00 [point_on=1, net=0]" in lines
    assert "before roll 3: puck 4, hits 1, net 7.00, shooter_net 7.00, rack 107.00, peak 7.00" in lines
    assert lines[-1] == "    equity 107.00"
    told = json.loads(ran(capsys, f"{path}:spare=4 + molly", "--rules", "maryland", "--play", "2-2", "--json")[1])
    assert [(wish["strategy"], wish["wish"], wish["said"]) for wish in told[0]["wishes"]][:2] == [
        ("mine:spare=4", 0, []),
        ("molly", 0, ["make Pass Bet for $10"]),
    ]
    assert told[0]["money"] == {"net": 0, "shooter_net": 0, "rack": 500_00, "peak": 0}


def test_a_wish_that_cannot_be_paid_for_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    out = ran(capsys, "pass", "--rules", "maryland", "--play", "2-2", "--bankroll", "5")[1]
    assert "    too little money: nothing is done" in out.splitlines()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pass", "--play", "3-7"), "--play 3-7: '3-7' is not a roll; give rolls such as 3-4,2-2"),
        (("pass", "--play", "3-4,"), "'' is not a roll"),
        (("pass", "--play", ",".join(["1-1"] * 1001)), "--play has 1,001 rolls; at most 1,000 are told"),
        (("--play", "3-4"), "--play and --lint are for one strategy: name it"),
        (("--lint",), "--play and --lint are for one strategy: name it"),
        (("fire", "--lint", "--rules", "maryland"), "--set or --house chooses a house that offers it"),
    ],
)
def test_what_cannot_be_told_is_said(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    code, out, err = ran(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_lint_says_what_is_in_vain_refused_and_costly(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MONEY, encoding="utf-8")
    code, out, _err = ran(capsys, path, "--lint")
    assert code == 0
    assert "- parameters.spare decides nothing\n- memory.hits decides nothing\n" in out
    assert "- wish[1] (take_down place_win): its condition was never true: net > 90_000_00\n" in out
    path.write_text(MINE + 'when = "point_on and puck != number"\namount = "$120"\n', encoding="utf-8")
    out = ran(capsys, path, "--lint")[1]
    assert "Not under colorado: mine wishes to make Place" in out
    found = json.loads(ran(capsys, path, "--lint", "--json")[1])["lint"]
    assert found["rules"] == "section2"
    assert found["found"]["is_all"]
    assert found["found"]["costs"] == [{"line": "wish[0] (make place_win)", "without": 7}]
    path.write_text(MINE + 'when = "puck == 3"\namount = "0"\n[[wish]]\nmake="field"\namount="0"\n', encoding="utf-8")
    out = ran(capsys, path, "--lint", "--rules", "maryland")[1]
    assert "- wish[0] (make place_win): its condition was never true: puck == 3\n" in out
    assert "- wish[1] (make field): its amount was always 0\n" in out
    path.write_text(MINE + 'when = "up(\'field\', number) < 1"\namount = "$6"\n', encoding="utf-8")
    out = ran(capsys, path, "--lint", "--rules", "maryland")[1]
    assert "- wish[0]: number is 6: the Field Bet is never on 6; it has no number" in " ".join(out.split())


def test_elections_are_set_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ("fire", "--rules", "maryland", "--set", "side_wagers.fire=A")
    assert "States: 449, and without" in ran(capsys, *chosen, "--lint")[1]
    assert ran(capsys, "--set", "side_wagers.fire=A")[0] == 2


def test_a_strategy_that_reads_money_is_replayed_beside_the_simulator_where_it_is_compiled(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    ends = {"net < 5_00": "the simulator plays the same session\n"}
    ends["peak < 5_00"] = "not compared with the simulator: mine reads net, peak, and is not compiled here\n"
    for when, end in ends.items():
        path.write_text(MONEY.replace("net < 5_00", when), encoding="utf-8")
        assert main(["replay", str(path), "--rules", "maryland", "--rolls", "20"]) == 0
        assert capsys.readouterr().out.endswith(end)
