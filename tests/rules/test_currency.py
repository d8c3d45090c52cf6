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
from passline.layout.geometry import layout_of
from passline.papers.house_papers import house_papers
from passline.rules.explain.paper_head import head_of
from passline.rules.explain.sections import explain
from passline.rules.pages.texts import RulebookFaults, read_toml
from passline.rules.rulebook_reader import load_rulebook
from passline.rules.rules import Rules
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


def _typed_signs(path: Path) -> Iterator[str]:
    """Yield where a text has a dollar sign before an amount, but in examples."""
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
    scripts = [path for path in (package / "web" / "static").rglob("*.js") if "accounts" not in path.parts]
    typed = [path.name for path in scripts if re.search(r"\$\$\{", path.read_text(encoding="utf-8"))]
    assert typed == []


def test_without_one_they_are_dollars() -> None:
    assert "currency" not in read_toml(HARBOUR / "general.toml")
    assert "$2.00" in explain(Rules.under(load_rulebook(HARBOUR)))


@pytest.mark.parametrize("sign", ["", "5", "E U", "-", "EUROS"])
def test_what_could_be_read_as_an_amount_is_no_sign(sign: str) -> None:
    with pytest.raises(RulebookFaults, match=r"harbour/general.toml: currency: "):
        _rules(sign)
