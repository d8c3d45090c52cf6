"""The sign before amounts is the rulebook's: in the rules in words, on papers, on the felt."""

from __future__ import annotations

import msgspec
import pytest

from passline.layout.geometry import layout_of
from passline.papers.house_papers import house_papers
from passline.rules.explain.paper_head import head_of
from passline.rules.explain.sections import explain
from passline.rules.pages.texts import RulebookFaults, read_toml
from passline.rules.rulebook_reader import load_rulebook
from passline.rules.rules import Rules
from tests.rules.rulebooks import HARBOUR, load_with


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


def test_without_one_they_are_dollars() -> None:
    assert "currency" not in read_toml(HARBOUR / "general.toml")
    assert "$2.00" in explain(Rules.under(load_rulebook(HARBOUR)))


@pytest.mark.parametrize("sign", ["", "5", "E U", "-", "EUROS"])
def test_what_could_be_read_as_an_amount_is_no_sign(sign: str) -> None:
    with pytest.raises(RulebookFaults, match=r"harbour/general.toml: currency: "):
        _rules(sign)
