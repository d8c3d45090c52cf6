"""What `import passline` offers: lazily, typed, documented."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import passline
from tests.source import SRC, tree_of

FACE = SRC / "passline" / "__init__.py"
DOCUMENTS = sorted({SRC.parent / "README.md", *SRC.parent.glob("docs/**/*.md")})
IMPORT = re.compile(
    r"^(?:>>> |\.\.\. )?\s*(?:from (passline[\w.]*) import (.+)|import (passline[\w.]*).*)", re.MULTILINE
)
# What each kind of user writes first; mypy reads it as they would run it.
SCRIPT = """
from fractions import Fraction

from passline import (
    Client, CrapsGame, Refused, Rules, Seen, Simple, Strategy, StrategyTable, Terms, Want, act, analyze, commands,
    compile_strategy, events, hand_length, known_strategies, open_table, par_of, sheet, simulate, strategy_of,
)

game = CrapsGame("maryland")
rules: Rules = Rules.of("maryland")
edge: Fraction = par_of(rules, kind="pass", cents=10_00).edge
strategy: Strategy = strategy_of("molly", rules)
states: int = len(compile_strategy(rules, strategy))
law = analyze(rules, "pass", Terms(bankroll_cents=100_00, rolls=10)).law
sessions = simulate(rules, "pass", Terms(bankroll_cents=100_00, rolls=10), sessions=10).results.sessions
table = StrategyTable(rules, [strategy])
names: list[str] = list(known_strategies())
outcome = act(rules, open_table(rules), commands.TakeSeat(seat=1))
assert not isinstance(outcome, Refused)
first: events.Event = outcome[0][0]
client: type[Client] = Client
lines: int = len(sheet(rules).lines)


def field(seen: Seen) -> tuple[Want, ...]:
    return (Want("field", 0, 5_00),)
"""


@pytest.mark.whole
def test_mypy_accepts_what_users_of_each_kind_write(tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(SRC.parent / ".mypy_cache"), str(script)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=SRC.parent)
    assert done.returncode == 0, done.stdout


def test_the_names_imported_later_are_those_imported_for_types() -> None:
    block = next(node for node in tree_of(FACE).body if isinstance(node, ast.If))
    typed = {alias.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert typed == passline._LATER


@pytest.mark.parametrize("name", passline.__all__)
def test_every_name_is_there_and_says_what_it_is(name: str) -> None:
    value = getattr(passline, name)
    if inspect.isclass(value) or inspect.isfunction(value) or inspect.ismodule(value):
        assert (value.__doc__ or "").strip(), f"passline.{name} has no docstring"


def imports_beside_the_face(text: str) -> list[str]:
    """Return every line of a document that imports something from Passline which is not in `passline.__all__`."""
    return [
        found[0]
        for found in IMPORT.finditer(text)
        if (found[1] or found[3]) != "passline"
        or not {name.split(" as ")[0].strip() for name in (found[2] or "").split(",") if name} <= {*passline.__all__}
    ]


def test_documents_import_only_the_public_face() -> None:
    """What a document needs from further inside joins `passline.__all__`, or the document does without it."""
    wrong = [
        f"{path.relative_to(SRC.parent)}: {line}"
        for path in DOCUMENTS
        for line in imports_beside_the_face(path.read_text(encoding="utf-8"))
    ]
    assert len(DOCUMENTS) > 25
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "line",
    [">>> from passline.game.commands import BuyIn", "    from passline import Inner, Rules", "import passline.dice"],
)
def test_an_import_from_further_inside_is_found(line: str) -> None:
    assert imports_beside_the_face(f"import passline\n>>> from passline import Rules, commands as c\n{line}\n") == [
        line
    ]


def test_importing_the_face_imports_no_arrays_and_no_web_client() -> None:
    code = "import passline, sys; print(*sorted({'numpy', 'numba', 'httpx', 'matplotlib'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'compile'"):
        _ = passline.compile
    assert {"analyze", "Client", "CrapsGame"} <= set(dir(passline))


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("import passline", "errors extras version"),
        (
            "from passline.cli.main import main; main(['--version'])",
            "errors extras version cli cli.exit_codes cli.main cli.standard_streams",
        ),
    ],
)
def test_starting_imports_only_what_it_needs(code: str, modules: str) -> None:
    """What `./x bench start` measures, without a clock: our modules by name, and of others' at most typer."""
    listed = (
        f"import sys; before = set(sys.modules); {code}; print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", listed], check=True, capture_output=True, text=True)
    imported = set(done.stderr.split())
    assert {name for name in imported if name.partition(".")[0] == "passline"} == {
        "passline",
        *(f"passline.{name}" for name in modules.split()),
    }
    others = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names - {"passline"}
    assert others <= {"typer", "annotated_doc", "shellingham"}
