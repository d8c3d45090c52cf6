"""Bad inputs to every command: each ends with a documented exit code and a sentence, never a traceback or silence."""

from __future__ import annotations

import ast
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import typer.main

from passline.cli.exit_codes import EXIT_CODES, FAILED, REFUSED
from passline.cli.main import app, main
from passline.cli.manual import help_texts
from passline.rules.explain.house_template import house_file
from passline.rules.rules import Rules
from tests.cases import one_in
from tests.source import FILES, tree_of

RUN = [sys.executable, "-c", "import sys; from passline.cli.main import main; sys.exit(main())"]
NAMES_OF_FILES = {
    "missing": "missing.toml",
    "a missing suffix": "ours",
    "folder": "folder",
    "binary": "picture.toml",
    "empty": "empty.toml",
    "nothing but a mark": "mark.toml",
    "Latin-1": "latin.toml",
    "UTF-16": "sixteen.toml",
    "null bytes": "null.toml",
    "a huge number": "number.toml",
    "deep": "deep.toml",
    "huge": "huge.toml",
    "no end": "/dev/zero",
    "nothing": "/dev/null",
    "a name of 5,000 letters": "x" * 5_000,
    "a name that is no text": "\udcff.toml",
    "a null byte in the name": "a\0b.toml",
    "a name in a file": "empty.toml/house.toml",
}
READING = (  # FILE is the bad file
    "house check FILE",
    "house show --house FILE",
    "house print FILE --html out.html",
    "house diff maryland FILE",
    "odds --house FILE --json",
    "strategies FILE",
    "analyze FILE --rolls 1",
    "simulate pass --sessions 1 --rolls 1 --house FILE",
    "hands FILE",
    "tournament check FILE",
    "tournament rules FILE",
    "tournament advise FILE",
    "verify FILE",
    "export FILE out.jsonl",
    "restore FILE --check --key key",
    "rehearse FILE --key key",
    "backup out.backup --data house --key FILE",
    "regulator stamp key FILE --yes",
    "upgrade --check FILE",
)
READING_FOR_A_SERVER = (
    "tournament plan FILE --token abc --server http://127.0.0.1:9",
    "office outage maryland O-000001 FILE --token abc --server http://127.0.0.1:9",
    "office attach FILE --token abc --server http://127.0.0.1:9",
)
ASKING_A_SERVER: dict[tuple[str, ...], tuple[str, ...]] = {  # optional words without which a command asks no server
    ("office", "standard"): ("x", "maryland"),
}
NO_MESSAGES = {
    r"(tests/[\w/]+\.py)::(\w+)": "how a page of a standard names a test",
    "tests/": "what a sheet of a standard leaves out of the name of a test",
}
OF_EVERY_TYPE = ("banana", "9" * 30, "--")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a folder with every bad file, and work there."""
    folder = tmp_path_factory.mktemp("bad")
    (folder / "folder").mkdir()
    (folder / "ours.toml").write_text('rules = "maryland"\n', encoding="utf-8")
    (folder / "picture.toml").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (folder / "empty.toml").write_bytes(b"")
    (folder / "mark.toml").write_bytes(b"\xef\xbb\xbf")
    (folder / "latin.toml").write_bytes('name = "Café"\n'.encode("latin-1"))
    (folder / "sixteen.toml").write_bytes('rules = "maryland"\n'.encode("utf-16"))
    (folder / "null.toml").write_bytes(b'rules = "mary\0land"\n')
    (folder / "number.toml").write_text(f"seats = {'9' * 5_000}\n", encoding="utf-8")
    (folder / "deep.toml").write_text(f"a = {'[' * 3_000}{']' * 3_000}\n", encoding="utf-8")
    (folder / "huge.toml").write_bytes(b"# nothing\n" * 600_000)
    (folder / "key").write_text(f"{'ab' * 32}\n", encoding="ascii")
    (folder / "key").chmod(0o600)
    before = Path.cwd()
    os.chdir(folder)
    yield folder
    os.chdir(before)


@pytest.fixture(autouse=True)
def _nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have neither a terminal nor anything in the environment that says who asks."""
    for name in [name for name in os.environ if name.startswith("PASSLINE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PASSLINE_PROGRESS", "off")
    monkeypatch.setattr(sys, "stdin", io.StringIO())


def _fault(words: list[str], *, codes: tuple[int, ...] = (REFUSED,), says: tuple[str, ...] = ()) -> str:
    """Run a command; return what is wrong with how it ends, or an empty string."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(words)
    said, shown = err.getvalue() + out.getvalue(), " ".join(words)[:120]
    if code not in codes or code not in EXIT_CODES:
        return f"{shown}: exit code {code}: {said[-300:]}"
    if not said.strip():
        return f"{shown}: says nothing"
    if code == REFUSED and not err.getvalue().strip():
        return f"{shown}: says it on standard output: {out.getvalue()[-300:]}"
    if "Traceback" in said or "internal error" in said or "Aborted" in said:
        return f"{shown}: {said[-300:]}"
    plain = " ".join(said.replace("│", " ").split())
    return "".join(f"{shown}: lacks {words!r}: {plain[-300:]}" for words in says if words not in plain)


def _commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    def walk(name: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401
        inner = getattr(command, "commands", None)
        if inner is None:
            yield name, command
        else:
            for word in inner:
                yield from walk((*name, word), inner[word])

    return walk((), typer.main.get_command(app))


def _needed(command: Any) -> list[str]:  # noqa: ANN401 - typer's own types
    """Return words for every argument and option without which a command does not begin."""
    words: list[str] = []
    for parameter in (parameter for parameter in command.params if parameter.required):
        words += [parameter.opts[0]] if parameter.param_type_name == "option" else []
        words.append("out.pdf" if parameter.name in {"to", "file"} else "x")
    return words


def _valued_options(command: Any) -> Iterator[Any]:  # noqa: ANN401
    for parameter in command.params:
        if parameter.param_type_name == "option" and not parameter.is_flag and parameter.name != "help":
            yield parameter


@pytest.mark.usefixtures("place")
@pytest.mark.whole
def test_files_that_cannot_be_read_are_named_with_what_they_are() -> None:
    """Over 300 pairs of a command and a file that is missing, a folder, a device, binary, marked, empty or huge."""
    faults = []
    for line in READING:
        for kind, file in NAMES_OF_FILES.items():
            words = [file if word == "FILE" else word for word in line.split()]
            codes = (REFUSED, FAILED) if line.startswith(("verify", "hands", "house check")) else (REFUSED,)
            if fault := _fault(words, codes=codes):
                faults.append(f"{kind}: {fault}")
    for line in READING_FOR_A_SERVER:  # each of these takes longer
        for file in ("missing.toml", "folder", "/dev/zero"):
            faults += filter(None, [_fault([file if word == "FILE" else word for word in line.split()])])
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(faults)
    assert len(READING) * len(NAMES_OF_FILES) >= 300


@pytest.mark.usefixtures("place")
def test_what_a_file_is_instead_is_said() -> None:
    for file, said in (
        ("ours", "ours: is neither a house file nor a regulation"),
        ("folder", "folder: is a folder"),
        ("picture.toml", "picture.toml: is not a text in UTF-8, but a binary file or another encoding"),
        ("/dev/zero", "/dev/zero: has more than 4,000,000 bytes"),
    ):
        assert not _fault(["house", "diff", "maryland", file], says=(said,))
    whole = str(Path.cwd() / "latin.toml")
    assert not _fault(["house", "check", whole], says=(f"passline: {whole}: is not a text",))
    assert not _fault(["house", "check", "ours"], says=("ours: there is no such file; did you mean ours.toml?",))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        *((f"house print maryland --svg out.svg --feet {feet}", f"--feet {feet}: is not a length such as 12 or 8.5")
          for feet in ("1e400", "NaN", "inf", "1/3", "0x10", "9" * 30)),
        ("house print maryland --svg out.svg --feet -3", "choose a length from 4 to 20"),
        *((f"serve --port 0 --data empty.toml --name {name}", f"--name {name}: is not the name of a machine")
          for name in ("https://craps.example", "craps.example:8000", "a/b", "*", ".example")),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("place")
def test_lengths_and_names_that_cannot_be_are_refused(line: str, said: str) -> None:
    assert not _fault(line.split(), says=(said,))


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("given", ["2026-01-01", "09:30:00", "2026-01-01T09:30:00", "1.5", "true", "[]", "{}"])
def test_a_value_of_another_type_is_shown_as_it_is_written(given: str) -> None:
    Path("typed.toml").write_text(f'rules = "maryland"\nname = {given}\n', encoding="utf-8")
    shown = {"[]": "a list", "{}": "a table"}.get(given, given.replace("T", " "))
    assert not _fault(
        ["house", "check", "typed.toml"], codes=(FAILED,), says=(f"name: {shown} must be text in quotes",)
    )


def test_a_byte_order_mark_is_no_fault(place: Path) -> None:
    (place / "marked.toml").write_bytes(b"\xef\xbb\xbf" + house_file(Rules.of("maryland")).encode())
    assert main(["house", "check", "marked.toml"]) == 0


def test_numbers_and_choices_of_every_option_are_checked() -> None:
    faults: list[str] = []
    for name, command in _commands():
        for option in _valued_options(command):
            annotation = option.type_descriptor.annotation if hasattr(option, "type_descriptor") else None
            if annotation is not int and "Literal" not in str(annotation):
                continue
            tried = [_fault([*name, *_needed(command), option.opts[0], given]) for given in OF_EVERY_TYPE]
            faults += filter(None, tried)
    assert not faults, "\n".join(faults)


def test_an_empty_option_or_argument_is_refused_by_name() -> None:
    faults, tried = [], 0
    for name, command in _commands():
        for option in _valued_options(command):
            flag = option.opts[0]
            for words in ([flag, ""], [f"{flag}="], [flag, "  "]):
                tried += 1
                if fault := _fault([*name, *words], says=(f"{flag}: is empty",)):
                    faults.append(fault)
    assert not faults, "\n".join(faults)
    assert tried > 300
    assert not _fault(["verify", ""], says=("an argument: is empty",))


def _of_servers() -> list[tuple[tuple[str, ...], Any]]:
    return [
        (name, command)
        for name, command in _commands()
        if any(one.name == "token" for one in command.params) and "LOG" not in str(command.params)
    ]


@pytest.mark.whole
@pytest.mark.usefixtures("place")
def test_without_a_terminal_and_a_token_a_command_names_what_to_give() -> None:
    faults, asked = [], 0
    for name, command in _of_servers():
        words = [*name, *(ASKING_A_SERVER.get(name) or _needed(command)), "--server", "http://127.0.0.1:9"]
        fault = _fault(words, says=("--token", "PASSLINE_TOKEN", "PASSLINE_NAME", "PASSLINE_PASSWORD"))
        asked += not fault
        if fault and "lacks" not in fault:  # some look at a file first
            faults.append(fault)
        if fault := _fault([*words, "--token", "t\N{LATIN SMALL LETTER O WITH DIAERESIS}ken"]):
            faults.append(fault)
    assert not faults, "\n".join(faults)
    assert asked > 15
    token = ["office", "today", "maryland", "--token", "t\N{LATIN SMALL LETTER O WITH DIAERESIS}ken"]
    assert not _fault(token, says=("--token (PASSLINE_TOKEN): is not the token of a session",))


@pytest.mark.usefixtures("place")
def test_secrets_cannot_be_asked_for_without_a_terminal() -> None:
    for words, said in (
        (["restore", "empty.toml", "--check", "--passphrase"], "PASSLINE_PASSPHRASE"),
        (["rehearse", "empty.toml", "--passphrase"], "PASSLINE_PASSPHRASE"),
    ):
        assert not _fault(words, says=(said,))


def test_optional_arguments_are_shown_in_brackets() -> None:
    usages = {text.name: text.usage for text in help_texts(typer.main.get_command(app))}
    for name, command in _commands():
        for argument in (one for one in command.params if one.param_type_name == "argument"):
            word = str(argument.metavar or argument.name.upper())
            shown = word if word.startswith("[") else f"[{word}]"
            assert argument.required or f" {shown}" in usages[name], usages[name]


def test_no_message_points_to_a_file_that_the_wheel_lacks() -> None:
    """Sentences that are printed; comments and docstrings are for whoever has the checkout."""
    absent, faults, unused = ("docs/", "./x ", "CHANGELOG", "deploy/", "tests/"), [], {*NO_MESSAGES}
    for path in FILES:
        if not any(name in path.read_text(encoding="utf-8") for name in absent):
            continue
        tree = tree_of(path)
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
        for text in (text for text in texts if id(text) not in docstrings):
            said = str(text.value)
            if said in NO_MESSAGES:
                unused.discard(said)
                continue
            faults += [f"{path}:{text.lineno}: {said[:80]}" for name in absent if name in said]
    assert not faults, "\n".join(faults)
    assert not unused, f"these are nowhere any more: {unused}"


@pytest.mark.parametrize(
    ("streams", "line", "code", "out", "err"),
    one_in(
        4,
        [
            (">&-", "house show", 2, "", "standard output is closed"),
            (">&-", "--version", 2, "", "standard output is closed"),
            ("2>&-", "house check nowhere.toml", 2, "", ""),
            ("2>&-", "--version", 0, "passline ", ""),
            ("2>/dev/full", "house check nowhere.toml", 2, "", ""),
            ("<&-", "office today maryland", 2, "", "--token"),
            ("1</dev/null", "house show", 2, "", "standard output"),
        ],
        others=pytest.mark.whole,
    ),
)
def test_closed_streams(streams: str, line: str, code: int, out: str, err: str) -> None:
    """Standard output that is closed is refused; standard error that is closed is never replaced by the former."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PASSLINE_")}
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {streams}', "sh", *RUN, *line.split()],
        check=False, capture_output=True, text=True, env=environment, timeout=60,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith(out) if out else not done.stdout
    assert err in done.stderr
    assert "Traceback" not in done.stderr
