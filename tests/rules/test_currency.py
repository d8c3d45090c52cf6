"""The sign before amounts is the rulebook's: in the rules in words, on papers, on the felt."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from passline.cli.play.controller import charge_of, summary
from passline.documents.as_text import as_text, table_jsonl
from passline.documents.sheet import PrintedSheet, SheetTable, sheet_in, table_in
from passline.exact.par.printed import par_pages
from passline.exact.par.sheet import sheet
from passline.layout.geometry import layout_of
from passline.papers.house_papers import house_papers
from passline.rules.explain.paper_head import head_of
from passline.rules.explain.sections import explain
from passline.rules.pages.texts import RulebookFaults, read_toml
from passline.rules.rulebook_reader import load_rulebook
from passline.rules.rules import Rules
from passline.streams.course import Actor
from passline.tournament.judges.scene import TournamentScene
from passline.tournament.rules import tournament_of
from passline.tournament.state import TournamentState
from tests.cli.play.player import Player
from tests.rules.rulebooks import HARBOUR, load_with
from tests.source import FILES, SRC, example_lines, tree_of


def _rules(sign: str) -> Rules:
    return Rules.under(load_with(HARBOUR, "general.toml", {"currency": sign}))


def test_amounts_are_said_and_printed_in_it() -> None:
    rules = _rules("€")
    shown = [
        explain(rules),
        str([msgspec.to_builtins(sheet) for sheet in house_papers(rules, head_of(rules, version="1"))]),
        str(msgspec.to_builtins(layout_of(rules))),
    ]
    assert ["$" in text for text in shown] == [False] * len(shown)
    assert "€2.00" in shown[0]
    assert "€" in shown[1]
    assert layout_of(rules).currency == "€"


def test_a_game_in_the_terminal_is_told_in_it() -> None:
    player = Player(_rules("€"), ["2-4", "4-2", "3-4"])
    told = [
        player.say(line) for line in ("pass €10", "roll", "place 6 $10", "roll", "wagers", "cash 100", "field 9999999")
    ]
    told += [message.text for message in summary(player.state)]
    told += [charge_of(player.state, "field 5"), player.state.rack_text]
    assert [text for text in told if "$" in text] == []
    assert sum("€" in text for text in told) >= 5, told
    assert player.state.won > 0


def test_columns_of_money_have_it_too() -> None:
    """A workbook and JSON lines know them by it: what stands under it is cents."""
    fills = SheetTable(title="Fills", heads=("table", "amount $"), rows=(("T1", 500),), notes=("of $5.00",))
    shown = table_in(fills, "€")
    assert (shown.is_money(1), table_jsonl(shown)) == (True, table_jsonl(fills))
    sheet = sheet_in(PrintedSheet(title="Fill slip", facts=(("why", "no $5 left"),), tables=(fills,)), "kr")
    assert re.findall(r"\S*(?:kr|\$)\S*", as_text(sheet)) == ["kr5", "kr", "kr5.00"]


SYNTAX = ("money.py", "expression.py", "strategy/", "store/")  # money itself, amounts in strategy files, and SQL
TYPED = re.compile(r"\$\d")
# A sign before an amount, over a column or in quotes: what a script puts into a text is ${...}, what ends a pattern $/.
TYPED_IN_PAGES = re.compile(r"\$\d|\$\$|[a-z>] ?\$[\"'`<]|[\"'`]\$[\"'`]|&dollar;")
MONEY_SCRIPT = "money.js"  # the one that converts amounts to text and back
NO_MONEY = ('"of $1, $2 $3"',)  # the parts of a pattern
COMMENT = re.compile(r"^\s*(//|/?\*)|\s//\s.*$")


def _typed_signs(path: Path) -> Iterator[str]:
    """Yield where a text has a dollar sign before an amount, but in examples."""
    if "$" not in path.read_text(encoding="utf-8"):
        return
    tree = tree_of(path)
    examples = example_lines(tree)
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        for part, after in zip(parts, [*parts[1:], None], strict=True):
            text = part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else ""
            is_before = text.endswith("$") and isinstance(after, ast.FormattedValue)
            if (TYPED.search(text) or is_before) and node.lineno not in examples:  # type: ignore[attr-defined]
                yield f"{path.relative_to(SRC)}:{part.lineno}"  # type: ignore[attr-defined]


def test_only_one_module_types_the_sign() -> None:
    """Everything else asks it for money in words, so that a rulebook's own sign can stand there."""
    package = SRC / "passline"
    ours = [path for path in FILES if not path.relative_to(package).as_posix().startswith(SYNTAX)]
    assert len(ours) > 400
    assert [place for path in ours for place in _typed_signs(path)] == []


def test_no_page_and_no_script_types_the_sign() -> None:
    """A page says in its head which sign its amounts have; scripts ask `money.js` for it."""
    web = SRC / "passline" / "web"
    pages = [*(web / "static").rglob("*.js"), *(web / "templates").rglob("*.html")]
    assert len(pages) > 150
    typed = [
        f"{path.relative_to(web)}:{number}: {line.strip()}"
        for path in pages
        if path.parent / path.name != web / "static" / MONEY_SCRIPT
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if TYPED_IN_PAGES.search(COMMENT.sub("", line)) and not COMMENT.match(line)
        if not any(text in line for text in NO_MONEY)
    ]
    assert typed == []


@pytest.mark.parametrize(
    "line",
    ['["Drop $", "Win"]', "`$${amount(3)}`", 'placeholder="$"', "<span>$</span>", "with $1,000", '"in $"', "x('$')"],
)
def test_a_typed_sign_would_be_found(line: str) -> None:
    assert TYPED_IN_PAGES.search(line)


def test_par_sheets_refusals_and_boards_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is made of another regulation than the dollar's: its par sheet's workbook, and its tournament's words."""
    made = sheet(_rules("€"), wager="field")
    assert made.currency == "€"
    assert [head for page in par_pages(made) for table in page.tables for head in table.heads if "$" in head] == []
    assert "stake €" in par_pages(made)[0].tables[0].heads
    monkeypatch.setattr("passline.tournament.judges.scene.currency_of", lambda _name: "€")
    scene = TournamentScene(tournament_of("arizona"), TournamentState(), "", Actor("ann", "Ann", "owner"))
    assert scene.refusal("the pool has $5,000").why == "the pool has €5,000"


def test_without_one_they_are_dollars() -> None:
    assert "currency" not in read_toml(HARBOUR / "general.toml")
    assert "$2.00" in explain(Rules.under(load_rulebook(HARBOUR)))


@pytest.mark.parametrize("sign", ["", "5", "E U", "-", "EUROS"])
def test_what_could_be_read_as_an_amount_is_no_sign(sign: str) -> None:
    with pytest.raises(RulebookFaults, match=r"harbour/general.toml: currency: "):
        _rules(sign)
