"""Hostile input on the command line, or as a command at a table, is named and refused, and breaks nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from passline.cli.main import app, main
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act, decide
from passline.game.position import Table, open_table
from passline.refusal import Refused
from passline.rules.clauses import REGULATIONS, clauses_of
from passline.rules.elections import House
from passline.rules.rules import Rules
from tests.cases import budget, one_in

pytestmark = pytest.mark.long

# --- commands at a table ----------------------------------------------------------------------------------------------

# In place of every field of every command: other types, and values that no table has.
HOSTILE: tuple[Any, ...] = (
    *(None, True, False, 1.0, 6.5, float("nan"), float("inf"), "1", "", "parlay", "on?", "nobody", b"pass", 1j),
    *(-1, 0, 1, 3, 13, 21, 113, 999, -(10**30), 10**30),
    *((), (1,), (1, 1), (1, 2.0), (0, 9), ("chips", "beads"), ("chips", []), ["chips"], {}, {"cents": 5}, object()),
)


def _lawful(rules: Rules, table: Table) -> tuple[c.Command, ...]:
    """Return one command of every type, as the table would expect it, in the right role."""
    position, procedures = table.position, rules.procedures
    shooter = position.shooter or position.offered_to or 1

    def role(by: tuple[str, ...]) -> Any:  # noqa: ANN401 - one of the roles, which mypy cannot know
        return rules.roles(by)[0]

    return (
        c.TakeSeat(seat=3),
        c.LeaveSeat(seat=2),
        c.StandUp(seat=2),
        c.SitDown(seat=2),
        c.BuyIn(seat=1, cents=100_00),
        c.Fill(by="floorperson", cents=100_00),
        c.Credit(by="floorperson", cents=100_00),
        c.MakeWager(seat=1, wager="place_win", number=6, cents=12_00),
        c.MakeWager(seat=2, wager="pass", cents=15_00),
        c.MakeWager(seat=1, wager="pass_odds", cents=10_00),
        c.MakeWager(seat=2, wager="horn_high", number=12, cents=25_00),
        c.MakeWager(seat=2, wager="whirl", cents=25_00),
        c.ReduceWager(seat=1, wager="hardway", number=8, cents=5_00),
        c.RemoveWager(seat=2, wager="place_win", number=8),
        c.CallWager(seat=2, wager="place_win", number=8, call="on"),
        c.PlaceButton(by="dealer", seat=2, wager="place_win", number=8),
        c.ConfirmWager(by="dealer", seat=2, wager="place_win", number=8),
        c.OfferDice(by=role(procedures.dice.offered_by), dice=rules.house.dice_set),
        c.AcceptDice(seat=shooter),
        c.DeclineDice(seat=shooter),
        c.ChooseDice(seat=shooter, chosen=(1, 3)),
        c.SurrenderDice(seat=shooter),
        c.OrderDicePassed(by=role(procedures.shooter.order_to_pass.by), reason="delay"),
        c.DeclineLineWager(seat=shooter),
        c.ThrowDice(seat=shooter),
        c.LandDice(by="dealer", first=2, second=4),
        c.CallNoRoll(by=role(rules.house.no_roll_callers or procedures.no_roll.by), reason="cheating"),
        c.DisputeFaces(seat=2),
        c.DecideDispute(by=role(procedures.dispute.by), first=2, second=4),
        c.CallRoll(by=role(procedures.throw.called_by.by), total=sum(position.faces)),
        c.Settle(by=role(procedures.throw.settled_first.by)),
        c.PassDice(by=role(procedures.throw.passed_by.by)),
        c.RollDice(first=2, second=4),
    )


# Two players, and every place the dice can be: a come-out roll, a point of 6 with wagers up, a dispute, a clearing.
SCRIPT: tuple[tuple[type[c.Command], dict[str, Any]], ...] = (
    (c.TakeSeat, {"seat": 1}),
    (c.TakeSeat, {"seat": 2}),
    (c.BuyIn, {"seat": 1, "cents": 5000_00}),
    (c.BuyIn, {"seat": 2, "cents": 7000_00}),
    (c.OfferDice, {}),
    (c.AcceptDice, {}),
    (c.ChooseDice, {}),
    (c.MakeWager, {"seat": 1, "wager": "pass", "number": 0, "cents": 10_00}),
    (c.MakeWager, {"seat": 2, "wager": "place_win", "number": 8, "cents": 18_00}),
    (c.MakeWager, {"seat": 1, "wager": "hardway", "number": 8, "cents": 10_00}),
    (c.CallWager, {}),
    (c.ThrowDice, {}),
    (c.LandDice, {"first": 2, "second": 4}),
    (c.CallRoll, {"total": 6}),
    (c.Settle, {}),
    (c.PassDice, {}),
    (c.MakeWager, {"seat": 2, "wager": "come", "number": 0, "cents": 15_00}),
    (c.ThrowDice, {}),
    (c.LandDice, {"first": 5, "second": 4}),
    (c.DisputeFaces, {}),
    (c.DecideDispute, {"first": 5, "second": 4}),
    (c.CallRoll, {"total": 9}),
    (c.Settle, {}),
    (c.PassDice, {}),
    (c.ThrowDice, {}),
    (c.LandDice, {"first": 3, "second": 3}),
    (c.CallRoll, {"total": 6}),
    (c.Settle, {}),
    (c.PassDice, {}),
    (c.DeclineLineWager, {}),
    (c.OfferDice, {}),
    (c.DeclineDice, {}),
)


@cache
def _rules(regulation: str) -> Rules:
    return Rules.of(regulation, automate=frozenset({"confirm"}))


@cache
def _tables(regulation: str) -> tuple[Table, ...]:
    """Return the table after each step of the script."""
    rules = Rules.of(regulation, automate=frozenset({"confirm"}))
    tables = [open_table(rules, bank=10_000_00)]
    for kind, values in SCRIPT:
        expected = next(one for one in _lawful(rules, tables[-1]) if type(one) is kind)
        outcome = act(rules, tables[-1], replace(expected, **values))
        assert not isinstance(outcome, Refused), f"{kind.__name__} {values}: {outcome}"
        tables.append(outcome[1])
    return tuple(tables)


def test_the_script_reaches_every_phase_and_every_place_of_the_dice() -> None:
    for regulation in REGULATIONS:
        positions = [table.position for table in _tables(regulation)]
        assert {position.phase for position in positions} == {"come_out", "point", "clearing"}
        dice = {"cup", "offered", "accepted", "held", "air", "rest", "called", "centre"}
        assert {position.dice for position in positions} == dice
        assert {position.is_disputed for position in positions} == {False, True}
        types = {type(one) for one in _lawful(_rules(regulation), _tables(regulation)[-1])}
        assert types == set(get_args(c.Command))


def _answer(rules: Rules, table: Table, command: c.Command) -> tuple[tuple[e.Event, ...], Table] | Refused:
    """Send a command and check the answer: clauses that exist, or events that keep types and the sum of chips."""
    outcome = act(rules, table, command)
    if isinstance(outcome, Refused):
        assert outcome.refusals
        known = clauses_of(rules.rulebook.name)
        for refusal in outcome.refusals:
            assert refusal.why
            assert "\n" not in refusal.why
            assert all(clause in known for clause in refusal.clause.split(", ")), refusal
        return outcome
    events, after = outcome
    assert msgspec.convert(msgspec.to_builtins(after), Table) == after
    assert msgspec.convert(msgspec.to_builtins(events), tuple[e.Event, ...]) == events
    assert _chips(after) - _chips(table) == sum(_from_outside(event) for event in events)
    return outcome


def _chips(table: Table) -> int:
    money = table.money
    return sum(money.racks) + money.bank + money.tip_box + sum(wager.cents for wager in table.position.layout)


def _from_outside(event: e.Event) -> int:
    """Return the cents that an event brings to the table from outside; negative if chips leave."""
    match event:
        case e.FillMade(cents=cents):
            return cents
        case e.CreditMade(cents=cents) | e.SeatLeft(cents=cents):
            return -cents
        case _:
            return 0


def _spoilt(command: c.Command) -> Iterator[c.Command]:
    """Yield the command with each field in turn replaced by each hostile value."""
    for field in fields(command):
        for value in HOSTILE:
            yield replace(command, **{field.name: value})


def _is_well_typed(command: c.Command) -> bool:
    try:
        msgspec.convert(msgspec.to_builtins(command), type(command))
    except (msgspec.ValidationError, TypeError):
        return False
    return True


@pytest.mark.parametrize("regulation", one_in(4, REGULATIONS, others=pytest.mark.whole))
def test_a_spoilt_command_is_refused_or_lawful_and_leaves_no_trace(regulation: str) -> None:
    rules, fresh = Rules.of(regulation, automate=frozenset({"confirm"})), _rules(regulation)
    for table in _tables(regulation):
        copy = msgspec.convert(msgspec.to_builtins(table), Table)
        for command in _lawful(rules, table):
            for spoilt in islice(_spoilt(command), 0, None, budget(12, in_sweep=1)):
                outcome = _answer(rules, table, spoilt)
                assert isinstance(outcome, Refused) or _is_well_typed(spoilt), f"accepted: {spoilt}"
            assert decide(rules, table, command) == decide(fresh, table, command)
        assert table == copy


@given(data=st.data())
@pytest.mark.parametrize("regulation", REGULATIONS)
def test_a_command_with_several_spoilt_fields_is_refused_or_lawful(regulation: str, data: st.DataObject) -> None:
    rules = _rules(regulation)
    table = data.draw(st.sampled_from(_tables(regulation)))
    command = data.draw(st.sampled_from(_lawful(rules, table)))
    anything = st.sampled_from(HOSTILE) | st.integers() | st.text(max_size=3) | st.floats()
    values = {field.name: data.draw(anything | st.just(getattr(command, field.name))) for field in fields(command)}
    _answer(rules, table, replace(command, **values))


@pytest.mark.parametrize("regulation", REGULATIONS)
@pytest.mark.parametrize(
    "command", [None, 7, "make-wager", (), {}, object(), e.FillMade(100)], ids=lambda one: type(one).__name__
)
def test_a_value_that_is_not_a_command_is_refused(regulation: str, command: Any) -> None:  # noqa: ANN401 - anything at all
    assert isinstance(_answer(_rules(regulation), _tables(regulation)[-1], command), Refused)


# --- the command line -------------------------------------------------------------------------------------------------

REFUSED = {1, 2}
LINES_MAX, CHARACTERS_MAX = 8, 2000  # a usage error is a box of a few lines; what was read is never poured out again
MUST_EXIST = {"house", "hands", "conformance", "play"}


def _write(text: str | bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(text if isinstance(text, bytes) else text.encode())


# What may lie where a file is asked for.
FILES: dict[str, Callable[[Path], object]] = {
    "missing": lambda _path: None,
    "folder": lambda path: path.mkdir(),
    "loop": lambda path: path.symlink_to(path),
    "empty": _write(""),
    "junk": _write(bytes(range(256)) * 16),
    "nulls": _write(b"\0" * 4096),
    "utf_16": _write('rules = "maryland"'.encode("utf-16")),
    "huge_line": _write("x" * 2_000_000),
    "huge_text": _write("name = 'Ann'\n" * 160_000),
    "huge_number": _write("wager_cents_min = " + "9" * 10_000),
    "malformed": _write('rules = "maryland"\nodds = {4 = 3, \n'),
    "nested": _write("odds = " + "[" * 50_000),
    "no_regulation": _write("wager_cents_min = 500\n"),
    "strange_regulation": _write('rules = "nevada"\n'),
    "regulation_of_another_type": _write("rules = [1, 2]\n"),
    "strange_game": _write('rules = "maryland"\ngame = "poker"\n'),
    "strange_key": _write('rules = "maryland"\nrake = 5\n'),
}
READERS = (["house", "check"], ["house", "show", "--house"], ["hands"], ["play", "--house"])


def _registered() -> set[str]:
    group = typer.main.get_command(app)
    return set(getattr(group, "commands", {}))


def _ask(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    if arguments[0] in MUST_EXIST - _registered():
        pytest.skip(f"`passline {arguments[0]}` is not there yet")
    code = main(arguments)
    said = capsys.readouterr()
    return code, said.out + said.err


def _assert_one_clear_answer(code: int, said: str, names: str) -> None:
    assert code in REFUSED, said[-CHARACTERS_MAX:]
    assert "Traceback" not in said
    assert "internal error" not in said
    assert 1 <= len(said.splitlines()) <= LINES_MAX, said[-CHARACTERS_MAX:]
    assert len(said) <= CHARACTERS_MAX
    assert names in " ".join(said.split()), f"does not name {names!r}: {said}"


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
@pytest.mark.parametrize("file", FILES)
def test_a_bad_file_is_named_in_a_few_lines(
    reader: list[str], file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    FILES[file](Path(file))
    names = {"strange_regulation": "nevada", "strange_game": "game", "strange_key": "rake"}
    if reader == ["hands"]:
        names = {}  # no hand file has keys: its first line is already wrong
    _assert_one_clear_answer(*_ask([*reader, file], capsys), names.get(file, file))


@pytest.mark.parametrize("reader", READERS, ids=" ".join)
@pytest.mark.parametrize(
    "name", ["a\0b", "a" * 400, "no\nsuch", "[bold]", ""], ids=["nul", "long", "lines", "tag", "none"]
)
def test_a_bad_file_name_is_refused(
    reader: list[str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _assert_one_clear_answer(*_ask([*reader, name], capsys), name if name in {"[bold]", "a" * 400} else "")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["bet"], "bet"),
        (["--nonsense"], "--nonsense"),
        (["house", "burn"], "burn"),
        (["house", "check"], "file"),
        (["house", "check", "a", "b"], "b"),
        (["house", "check", "--nonsense", "a"], "--nonsense"),
        (["house", "show", "--rules", "nevada"], "nevada"),
        (["house", "show", "--rules", "../maryland"], "../maryland"),
        (["house", "show", "--rules", "maryland", "--game", "poker"], "poker"),
        (["house", "show", "--rules", "colorado", "--game", "mini_craps"], "mini_craps"),
        (["house", "show", "--rules"], "--rules"),
        (["hands"], "PATH"),
        (["hands", "--nonsense", "."], "--nonsense"),
        (["conformance", "nevada"], "nevada"),
        (["conformance", "maryland", "colorado"], "colorado"),
        (["conformance", "--part", "cage"], "cage"),
        (["conformance", "--part"], "--part"),
        (["conformance", "--nonsense"], "--nonsense"),
        (["play", "--nonsense"], "--nonsense"),
        (["play", "--rules", "nevada"], "nevada"),
        (["play", "--rules", "maryland", "--game", "poker"], "poker"),
        (["play", "--dice", "loaded"], "loaded"),
        (["play", "--dice", "seeded:"], "seed"),
        (["play", "--dice", "seeded:many"], "many"),
        (["play", "--dice", "seeded:-1"], "-1"),
        (["play", "--dice", "seeded:1.5"], "1.5"),
        (["play", "--dice"], "--dice"),
        (["play", "--bankroll", "-5"], "-5"),
        (["play", "--bankroll", "0"], "nothing to change"),
        (["play", "--bankroll", "0.005"], "0.005"),
        (["play", "--bankroll", "9" * 30], "9" * 30),
    ],
)
def test_bad_arguments_are_named(arguments: list[str], names: str, capsys: pytest.CaptureFixture[str]) -> None:
    _assert_one_clear_answer(*_ask(arguments, capsys), names)


VALUES = ("true", "-1", "0", "1.5", "nan", '"\\u0000"', "[]", '["x", 1]', "{}", "1979-05-27", "99" * 12)


@pytest.mark.sweep
@pytest.mark.parametrize("key", [field.name for field in fields(House)])
def test_a_house_with_a_hostile_value_is_checked_without_a_crash(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    regulation = "arizona" if key == "procedures" else "maryland"  # where the house supplies them
    named = (key, key.removesuffix("_cents").removesuffix("s").replace("_", " "))
    for value in VALUES:
        text = f"{key} = {value}\n" if key == "rules" else f'rules = "{regulation}"\n{key} = {value}\n'
        (tmp_path / "house.toml").write_text(text, encoding="utf-8")
        code, said = _ask(["house", "check", str(tmp_path / "house.toml")], capsys)
        assert code in {0, *REFUSED}, f"{key} = {value}: {said}"
        assert code == 0 or any(name in said for name in named), f"{key} = {value}: {said}"


def _run(arguments: list[str], folder: Path, typed: bytes = b"") -> tuple[int, str]:
    """Run the command in a real process with a strict terminal and this standard input."""
    if arguments[0] not in _registered():
        pytest.skip(f"`passline {arguments[0]}` is not there yet")
    command = [sys.executable, "-m", "passline", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8:strict", "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        command, cwd=folder, check=False, capture_output=True, input=typed, timeout=60, env=environment
    )
    return done.returncode, (done.stdout + done.stderr).decode()


@pytest.mark.parametrize(
    "reader", [READERS[0], *(pytest.param(one, marks=pytest.mark.sweep) for one in READERS[1:])], ids=" ".join
)
def test_a_real_process_shows_no_traceback(reader: list[str], tmp_path: Path) -> None:
    FILES["junk"](tmp_path / "junk")
    _assert_one_clear_answer(*_run([*reader, "junk"], tmp_path), "junk")


def test_a_file_name_that_is_not_text_is_refused(tmp_path: Path) -> None:
    _assert_one_clear_answer(*_run(["house", "check", os.fsdecode(b"caf\xe9")], tmp_path), "caf")


def test_play_goes_on_whatever_is_typed(tmp_path: Path) -> None:
    typed = (
        b"\0",
        b"\x1b[31m",
        b"pass -5",
        b"pass 1.005",
        b"pass " + b"9" * 5000,
        b"place nan 5",
        b"roll 99",
        b"parlay",
        b"\xff",
    )
    code, said = _run(
        ["play", "--plain", "--dice", "seeded:7"], tmp_path, b"\n".join((*typed, b"pass 10", b"roll", b""))
    )
    assert code == 0, said[-CHARACTERS_MAX:]
    assert "1 roll;" in said.splitlines()[-2]


def test_every_cli_command_is_registered() -> None:
    assert _registered() >= MUST_EXIST
