"""`passline tournament plan|do|board|report` against a server: what is wrong is said in words, papers become files."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from passline.cli.main import app, main
from passline.client import Client
from tests.serving import serving

pytestmark = pytest.mark.long
PASSWORD = "correct horse battery"  # noqa: S105 - of somebody who does not exist
MAIN = "event=Main event"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Path]]:
    """The address of a server that has a tournament with two entries, the token of its owner, and its data."""
    data: Path = tmp_path_factory.mktemp("tournament") / "data"
    plan = data.parent / "plan.toml"
    plan.write_text(CliRunner().invoke(app, ["tournament", "example"]).output, encoding="utf-8")
    with serving(data) as started, Client(started.address) as owner:
        owner.accept(started.owner_link, password=PASSWORD, name="Olga", pin="7294")
        served = (started.address, owner.token, data)
        assert _run(served, "plan", str(plan))[0] == 0
        for name in ("Ann Lee", "Bob Ray"):
            assert _run(served, "do", "spring-classic", "enter-player", MAIN, f"name={name}")[0] == 0
        yield served


def _run(house: tuple[str, str, Path], *arguments: str) -> tuple[int, str]:
    address, token, _ = house
    result = CliRunner().invoke(app, ["tournament", *arguments, "--server", address, "--token", token])
    failed = result.exception is not None and not isinstance(result.exception, SystemExit)
    return result.exit_code, str(result.exception) if failed else result.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("do", "spring-classic", "sing"), "tournaments have no command 'sing'; they have add-money, agree-split"),
        (("do", "spring-classic", "draw-seats"), "tournaments have no command 'draw-seats'"),
        (("do", "spring-classic", "sign-in-player"), "sign-in-player needs entry="),
        (("do", "spring-classic", "sign-in-player", "entry=one"), "entry: 'one' is not a whole number"),
        (
            ("do", "spring-classic", "sign-in-player", "seat=1"),
            "sign-in-player has no field 'seat=1'; its",
        ),
        (("do", "spring-classic", "start-round", "gate=x"), "start-round has no field 'gate=x'; its fields are none"),
        (("do", "spring-classic", "enter-player", MAIN, "name=X", "has_other_entry=1"), "write yes or no"),
        (("do", "spring-classic", "enter-player", MAIN, "name=ann lee"), "entry 1 is still in [CO-2315-2-c-once]"),
        (("do", "spring-classic", "set-colours", "points=white:x"), "points: 'x' is not a whole number"),
        (("do", "nothing", "end-round"), "there is no tournament 'nothing'"),
        (("board", "spring-classic", "--event", "Nothing"), "spring-classic has no event 'Nothing'; it has Main"),
        (("finish", "spring-classic", "t1"), "t1 plays no round of spring-classic"),
        (("report", "spring-classic", "moon"), "there is no paper 'moon'"),
        (("report", "spring-classic", "tax", "--form", "doc"), "choose pdf, xlsx, jsonl, text"),
        (("report", "spring-classic", "tax", "--form", "pdf"), "--form pdf needs --to FILE"),
        (("report", "spring-classic", "rules"), "the rule sheet is a PDF"),
        (("report", "spring-classic", "sign-in", "--event", "Nothing"), "this tournament has no event 'Nothing'"),
        (("plan", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_what_is_wrong_is_said_in_words(house: tuple[str, str, Path], words: tuple[str, ...], said: str) -> None:
    code, out = _run(house, *words)
    assert code != 0
    assert said in out


def test_papers_come_in_every_form_and_from_the_log(house: tuple[str, str, Path], tmp_path: Path) -> None:
    code, tax = _run(house, "report", "spring-classic", "tax")
    assert (code, "100.00" in tax) == (0, True), tax
    for name, magic in (("rules.pdf", b"%PDF"), ("tax.pdf", b"%PDF"), ("tax.xlsx", b"PK"), ("tax.jsonl", b'{"month"')):
        paper = name.partition(".")[0]
        file = tmp_path / name
        assert _run(house, "report", "spring-classic", paper, "--to", str(file))[0] == 0
        assert file.read_bytes().startswith(magic)
        from_log = tmp_path / f"log-{name}"
        logged = ["report", "spring-classic", paper, "--to", str(from_log), "--data", str(house[2])]
        assert main(["tournament", *logged]) == 0
        assert from_log.read_bytes().startswith(magic)
    export = tmp_path / "all.jsonl"
    assert main(["export", str(house[2]), "--to", str(export)]) == 0
    result = CliRunner().invoke(app, ["tournament", "report", "spring-classic", "tax", "--data", str(export)])
    assert (result.exit_code, result.output) == (0, tax)


def test_a_log_without_it_and_a_server_that_is_down_are_named(
    house: tuple[str, str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tournament", "report", "nothing", "tax", "--data", str(house[2])]) == 2
    assert "there is no tournament 'nothing' in this log" in capsys.readouterr().err
    assert main(["tournament", "board", "x", "--server", "http://127.0.0.1:9", "--token", "t"]) == 2
    assert "is the server running?" in capsys.readouterr().err
