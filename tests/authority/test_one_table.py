"""One place says who may do what: every command and route has a row, and no other module names or refuses a role."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from starlette.routing import Mount
from typer.testing import CliRunner

from passline.acts.commands import ActCommand
from passline.acts.decide import OFFICE_DUTIES
from passline.acts.rules import office_of
from passline.authority.duties import Duty, may_not
from passline.authority.roles import (
    CREW,
    EMPLOYED_ROLES,
    GIVEN_BY,
    OWNER,
    ROLES,
    SHOOTER,
    SIGNING_ROLES,
    TABLE_ROLES,
    VISITOR,
    Role,
)
from passline.cli.duties import DutyRow, duty_rows
from passline.cli.main import app
from passline.game.commands import Command
from passline.game.duties import GAME_DUTIES
from passline.people.commands import PeopleCommand
from passline.people.duties import PEOPLE_DUTIES
from passline.rules.clauses import REGULATIONS
from passline.tables.commands import HouseCommand, OpenTable, OwnCommand
from passline.tables.duties import DUTIES
from passline.tournament.commands import TournamentCommand
from passline.tournament.decide import TOURNAMENT_DUTIES
from passline.web.duties import LOGGED_IN, ROUTES, TABLE_KEEPERS
from tests.source import FILES, SRC, nodes_of, place
from tests.web.hostile.routes import walk_routes
from tests.web.server import serving

AUTHORITY = SRC / "passline" / "authority"
# Words that mean a role and nothing else; those below are other things of the same name, or people of the demo.
ROLE_WORDS = {*ROLES} - {"player", "owner", "counter", "surveillance", "security"}
OTHER_MEANINGS = {
    "acts/views/rota.py": "fields of an office's act that sets a crew, and the heading of a column",
    "cli/main.py": "the command `regulator`",
    "exact/par/par.py": "the election `stickperson`",
    "layout/geometry.py": "where a wager lies: before the boxperson",
    "bookkeeping/offices_around.py": "fields of an office's act that sets a crew",
    "bookkeeping/win.py": "a field of an office's act that sets a crew",
    "office/shadow/month.py": "a column of another system's slips: who signed as that part",
    "office/shadow/steps.py": "that column, and the part of an act that is signed",
    "rules/explain/election_form.py": "the election `stickperson`",
    "rules/explain/sections.py": "the heading of a line",
    "rules/explain/side_wagers.py": "where a wager lies: before the boxperson",
    "rules/house_check.py": "the election `stickperson`",
    "rules/schema/side_wagers.py": "where a wager lies: before the boxperson",
    "rules/schema/words.py": "the election `stickperson`",
    "tables/commands.py": "the value of `buy_in`: who changes cash",
    "tables/opening.py": "the value of `buy_in`: who changes cash",
    "tournament/reports.py": "the heading of a column",
    "tournament/trial.py": "the account of the director who tries a tournament",
    "web/demo/casino/history.py": "fields of an office's act that sets a crew",
    "web/demo/casino/staff.py": "the people of the demo, each with a role",
    "web/pages/crew_card.py": "the election `stickperson`",
}
# Scripts and templates are told by the server who may do what. They name a role that is shown, counted or given:
SHOWN_ROLES = {
    ("static/crew/waiting.js", 'role === "dealer"'): "a key of the dealer's console: a digit alone confirms",
    ("static/office/first_table.js", 'step.role === "owner"'): "the step that makes an owner's account",
    ("static/office/people.js", 'person.roles.includes("owner")'): "how many owners there are",
    ("static/table/seat.js", 'table.buy_in === "dealer"'): "the value of `buy_in`: who changes cash",
}
AMBIGUOUS = {"player", "owner", "counter", "surveillance", SHOOTER, VISITOR}
OF_A_ROLE = re.compile(r"\broles?\b|\bby\b")
# Each sentence that refuses somebody for a role or a signature is written in authority/ alone.
SENTENCES = re.compile(
    r" may not give (?!or take)|may not do this|nobody may give|needs the signature of|must be signed by"
    r"|takes two owners|takes a second owner:|must sign with|they sign with|may sign off"
)
# The same in other words: a text with its values in braces, as the source has them.
OTHER_WORDS = re.compile(
    rf"\bonly (?:the |an? )?(?:\{{[^}}]*\}}|{'|'.join(sorted(ROLE_WORDS))}),? (?:.* )?may\b"
    rf"|^the (?:{'|'.join(sorted(ROLE_WORDS))}) (?:keys|does not)\b|^players \w+ .*\bnot\b|this is for those who"
    r"|\bis not an? \{[^}]*role|, not (?:the )?\{[^}]*role|has not the role|has not been designated"
    r"|\ban? \{[^}]*words_of\([^}]*\)\} \w+s\b"
)
OWN_WORDS = {
    "tournament/judges/splits.py": "a clause of its own: directors encourage no split",
}
_NAMES = "|".join(sorted({*ROLES, SHOOTER, VISITOR}))
# A role beside `role` or `includes`, a list of roles alone, or a word that is nothing but a role.
ROLES_IN_SCRIPTS = re.compile(
    rf"""\b(?:roles?|acts_as)\b\s*[!=]==?\s*["'](?:{_NAMES})["']|\.includes\(["'](?:{_NAMES})["']\)"""
    rf"""|\[(?:["'](?:{_NAMES})["'](?:,\s*)?)+\]|["'](?:{"|".join(sorted(ROLE_WORDS))})["']"""
)
ROLES_IN_TEMPLATES = re.compile(rf"""\{{[{{%][^}}]*["'](?:{_NAMES})["']""")
SENTENCES_ON_PAGES = re.compile(
    rf"[Yy]ou may not|nobody may|\bonly the \S+ may|[Tt]he (?:\$?\{{[^}}]*\}}+|{_NAMES}) may\b"
)
# What there is one of, the line that would be a second, and the module that has the one.
ONLY_HERE = {
    "the way to a name and PIN": (r"desk\.sign_off\b", "web/auth/signatures.py"),
    "the choice of the role in which a visitor acts": (
        r"next\(\(?role for role in .* if role in visitor\.roles|require_role\(visitor, asked",
        "web/auth/visitors.py",
    ),
}


def _outside(*words: str) -> Iterator[tuple[str, Path]]:
    """Yield the modules outside authority in which one of these expressions occurs: only those are parsed."""
    for path in FILES:
        if not path.is_relative_to(AUTHORITY) and re.search("|".join(words), path.read_text(encoding="utf-8")):
            yield str(path.relative_to(SRC / "passline")), path


def _texts(path: Path) -> Iterator[ast.Constant]:
    """Yield every text of a module but its docstrings."""
    nodes = nodes_of(path)
    documents = {
        id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield node


def _of_roles(path: Path) -> Iterator[ast.Constant]:
    """Yield the ambiguous words of a module that stand where a role stands: beside `role`, `roles` or `by`."""
    for node in nodes_of(path):
        about: list[tuple[str, ast.AST | None]] = []
        if isinstance(node, ast.Compare):
            about = [(ast.unparse(node), node)]
        elif isinstance(node, ast.keyword):
            about = [(node.arg or "", node.value)]
        elif isinstance(node, ast.AnnAssign):
            about = [(ast.unparse(node.target), node.value)]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            about = [(argument.arg, default) for argument, default in named]
        for words, found in about:
            if found is not None and OF_A_ROLE.search(words):
                for text in ast.walk(found):
                    if isinstance(text, ast.Constant) and text.value in AMBIGUOUS:
                        yield text


def test_no_role_is_named_outside_authority() -> None:
    named: dict[str, list[str]] = {}
    for name, path in _outside(*ROLE_WORDS):
        for text in _texts(path):
            if text.value in ROLE_WORDS:
                named.setdefault(name, []).append(f"{place(path, text.lineno)}: {text.value!r}")
    wrong = [line for name, lines in named.items() if name not in OTHER_MEANINGS for line in lines]
    assert not wrong, "import the role from passline.authority.roles:\n" + "\n".join(wrong)
    unused = {*OTHER_MEANINGS} - {*named}
    assert not unused, f"these name no role any more: {unused}"


def test_no_word_with_several_meanings_stands_for_a_role_outside_authority() -> None:
    wrong = [
        f"{place(path, text.lineno)}: {text.value!r}"
        for name, path in _outside(*(f"[\"']{word}[\"']" for word in AMBIGUOUS))
        if not name.startswith("web/demo/")
        for text in _of_roles(path)
    ]
    assert not wrong, "import the role from passline.authority.roles:\n" + "\n".join(wrong)


def test_no_other_module_words_a_refusal_for_a_role_or_a_signature() -> None:
    wrong = [
        f"{place(path, text.lineno)}: {text.value!r}"
        for _, path in _outside(
            r"\bgive\b", r"\bdo\b", "signature", "signed"
        )  # a word of each, should the rest be on another line
        for text in _texts(path)
        if SENTENCES.search(str(text.value))
    ]
    assert not wrong, "use may_not, unfit_role or signature_fault of passline.authority:\n" + "\n".join(wrong)


def _sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module with their lines, each with its values in braces."""
    nodes = nodes_of(path)
    parts = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            said = (
                f"{{{ast.unparse(part.value)}}}" if isinstance(part, ast.FormattedValue) else ast.literal_eval(part)
                for part in node.values
            )
            yield node.lineno, "".join(said)
    yield from ((text.lineno, str(text.value)) for text in _texts(path) if id(text) not in parts)


def test_no_other_module_refuses_a_role_in_words_of_its_own() -> None:
    wrong = [
        f"{place(path, number)}: {sentence!r}"
        for name, path in _outside(" may", " not", "words_of", "the ")
        for number, sentence in _sentences(path)
        if OTHER_WORDS.search(sentence) and name not in OWN_WORDS
    ]
    assert not wrong, "use may_not or may_not_act_as of passline.authority:\n" + "\n".join(wrong)


@pytest.mark.parametrize("name", OWN_WORDS)
def test_what_has_words_of_its_own_still_has_them(name: str) -> None:
    assert any(OTHER_WORDS.search(sentence) for _, sentence in _sentences(SRC / "passline" / name))


def _said_on_pages(web: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the lines of scripts and templates that say themselves who may do what: file, number and text."""
    for path in sorted({*web.rglob("*.js"), *web.rglob("*.html")}):
        named = ROLES_IN_SCRIPTS if path.suffix == ".js" else ROLES_IN_TEMPLATES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            is_comment = line.strip().startswith(("//", "*", "/*"))
            if not is_comment and (named.search(line) or SENTENCES_ON_PAGES.search(line)):
                yield str(path.relative_to(web)), number, line


def test_pages_and_scripts_ask_the_server_who_may_do_what() -> None:
    found = [*_said_on_pages(SRC / "passline" / "web")]
    used = {(path, part) for path, _, line in found for name, part in SHOWN_ROLES if name == path and part in line}
    wrong = [
        f"{path}:{number}: {line.strip()}"
        for path, number, line in found
        if not any(name == path and part in line for name, part in used)
    ]
    assert not wrong, 'ask may("/path") in a template, and tell a script what its person may do:\n' + "\n".join(wrong)
    unused = {*SHOWN_ROLES} - used
    assert not unused, f"these name no role any more: {unused}"


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        ('if (data.acts_as === "owner") open();', True),
        ('person.roles.some((role) => role !== "player")', True),
        ('["boxperson", "floorperson", "owner"].includes(role)', True),
        ('step.by.length ? step.by : ["owner", "compliance"]', True),
        ("`You may not do this; the ${groupWords(act.by)} may.`", True),
        ('wager.owner === "player"', False),
        ('new Live({ table: "demo-1", role: "player" })', False),
    ],
)
def test_a_role_that_a_script_asks_for_is_found_and_one_that_it_acts_in_is_not(line: str, is_found: bool) -> None:  # noqa: FBT001
    assert bool(ROLES_IN_SCRIPTS.search(line) or SENTENCES_ON_PAGES.search(line)) is is_found


@pytest.mark.parametrize("what", ONLY_HERE)
def test_there_is_one_way_to_a_signature_and_one_choice_of_a_role(what: str) -> None:
    line, home = ONLY_HERE[what]
    texts = {str(path.relative_to(SRC / "passline")): path.read_text(encoding="utf-8") for path in FILES}
    found = [name for name, text in texts.items() if re.search(line, text)]
    assert found == [home], f"{what} is in {home}: use that"


@pytest.mark.parametrize(
    ("duties", "commands"),
    [
        (GAME_DUTIES, get_args(Command)),
        (DUTIES, (*get_args(Command), *get_args(OwnCommand), *get_args(HouseCommand))),
        (PEOPLE_DUTIES, get_args(PeopleCommand)),
        (OFFICE_DUTIES, get_args(ActCommand)),
        (TOURNAMENT_DUTIES, get_args(TournamentCommand)),
    ],
    ids=["game", "tables", "people", "office", "tournament"],
)
def test_every_command_of_every_part_has_a_row_of_known_roles(
    duties: dict[type, Duty], commands: tuple[type, ...]
) -> None:
    assert {*duties} == {*commands}
    for kind, duty in duties.items():
        assert {*duty.by, *duty.keyed_by, *duty.signed_by, *duty.whose} <= {*ROLES, VISITOR}, kind
        assert {*duty.signed_by} <= SIGNING_ROLES, kind


def test_every_route_has_a_row_and_every_row_a_route() -> None:
    with serving() as server:
        routes = {
            f"{method} {route.path}"
            for route in walk_routes(server.app.routes)
            if not isinstance(route, Mount) and hasattr(route, "path") and route.path != "/openapi.json"
            for method in {*(getattr(route, "methods", None) or {"GET"})} - {"HEAD"}
        }
    assert {*ROUTES} == routes
    for route, duty in ROUTES.items():
        assert {*duty.by} <= {*ROLES, VISITOR, LOGGED_IN}, route


def test_the_roles_of_the_game_are_those_that_a_rulebook_may_name() -> None:
    assert get_args(Role) == TABLE_ROLES
    assert {*TABLE_ROLES} - {SHOOTER} <= {*ROLES}
    assert {*CREW} < {*TABLE_ROLES}
    assert GIVEN_BY[OWNER] == {*ROLES}
    assert SIGNING_ROLES < EMPLOYED_ROLES
    assert TABLE_KEEPERS[0] == OWNER
    assert {*TABLE_KEEPERS} == {*DUTIES[OpenTable].by}


def test_duties_prints_every_row_of_every_part() -> None:
    printed = CliRunner().invoke(app, ["duties", "--json"])
    assert printed.exit_code == 0, printed.output
    rows = msgspec.json.decode(printed.stdout, type=list[DutyRow])
    assert rows == [*duty_rows()]
    parts = (DUTIES, PEOPLE_DUTIES, OFFICE_DUTIES, TOURNAMENT_DUTIES)
    commands = {kind.__struct_config__.tag for duties in parts for kind in duties}  # type: ignore[attr-defined]
    acts = {(f"office {name}", act) for name in REGULATIONS for act in office_of(name).pages.acts}
    assert {row.what for row in rows} >= {*commands, *ROUTES}
    assert {(row.part, row.what) for row in rows} >= acts


def test_duties_of_a_regulation_have_its_clauses_and_the_roles_that_it_names() -> None:
    rows = {(row.part, row.what): row for row in duty_rows("maryland")}
    assert rows["tables", "call-roll"] == DutyRow("tables", "call-roll", "stickperson", "", "MD-9.A")
    assert rows["tables", "fill"].signs == "boxperson or floorperson"
    assert (
        rows["people", "disable-account"].signs == "a second owner if it is an owner's, a regulator's or surveillance's"
    )
    assert rows["tables", "set-odds"].may == "the server"
    told = CliRunner().invoke(app, ["duties", "maryland", "--part", "people"])
    assert "create-account" in told.output
    assert "call-roll" not in told.output


def test_a_refusal_names_who_may() -> None:
    assert may_not("dealer", "give fill", ("boxperson", "floorperson")) == (
        "the dealer may not give fill; the boxperson or floorperson may"
    )
