"""The checker of certificates: it stands alone, confirms what is so, and refutes whatever was changed."""

from __future__ import annotations

import ast
import copy
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from passline import Rules, Terms, certify, certify_wager
from passline.automaton.arrays import Automaton
from passline.automaton.minimise import lump
from passline.exact.certificates import checker
from passline.exact.certificates.certificate import Certificate
from passline.exact.certificates.checker import Refuted, check, json_digest
from passline.exact.certificates.witnesses import rates_of
from tests.cases import budget, one_in

SOURCE = Path(checker.__file__)
LINES_MAX = 300
Change = Callable[[dict[str, Any]], object]
MARYLAND = Rules.of("maryland")
ROWS = ("next", "cash", "action", "initial", "mark")


@pytest.fixture(scope="module")
def molly() -> Certificate:
    """A certificate of the three-point molly, in the long run and for a short session."""
    return certify(MARYLAND, "molly", Terms(bankroll_cents=120_00, rolls=12, goal_cents=180_00))


@pytest.fixture(scope="module")
def place() -> Certificate:
    """A certificate of a wager made once."""
    return certify_wager(MARYLAND, kind="place_win", number=6, cents=12_00)


def test_the_checker_is_short_and_imports_only_the_standard_library() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    names = [
        name.partition(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    ]
    assert set(names) <= sys.stdlib_module_names
    assert "passline" not in names
    assert len(text.splitlines()) < LINES_MAX


def test_it_runs_as_a_program_without_the_package(molly: Certificate, tmp_path: Path) -> None:
    program, file = tmp_path / "check_certificate.py", tmp_path / "molly.json"
    program.write_bytes(SOURCE.read_bytes())
    molly.save(file)
    good = _run(program, file)
    assert good.returncode == 0, good.stdout
    assert "edge_on_initial         0.0141414141414 = 7/495" in good.stdout
    file.write_text(molly.text.replace('"ruin": "', '"ruin": "1'), encoding="utf-8")
    bad = _run(program, file)
    assert bad.returncode == 1
    assert "REFUTED: its digest is not that of its content" in bad.stdout


def _run(program: Path, file: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "-S", str(program), str(file)]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=program.parent)


def test_the_session_is_computed_in_another_way_and_is_the_same(molly: Certificate) -> None:
    assert check(molly.text) == molly.results
    assert set(molly.results["session"]) >= {"ruin", "goal", "mean_cents", "edge_on_action"}


def _reseal(page: dict[str, Any]) -> str:
    """Return the text of a changed page whose digests are right again, as a forger makes it."""
    page["automaton_sha256"] = json_digest(page["automaton"])
    page["sha256"] = json_digest({key: value for key, value in page.items() if key != "sha256"})
    return json.dumps(page)


def _places(page: dict[str, Any]) -> dict[str, list[Any]]:
    """Return the lists of whole numbers of a certificate, by what they are."""
    arrays = page["automaton"]
    found = {name: arrays[name] for name in ROWS}
    found |= {"outlay": [arrays["outlay"]], "short": [arrays["short"]], "classes": [page["classes"]]}
    found["ways"] = arrays["ways"]
    for name, rate in page["proofs"].get("long_run", {"rates": {}})["rates"].items():
        found[f"bias of {name}"] = [rate["values"]]
    if "wager" in page["proofs"]:
        wager = page["proofs"]["wager"]
        found |= {"visits": [wager["visits"]["values"]], "means": [wager["means"]["values"]]}
        found |= {"nodes": wager["nodes"], "wagered": [wager["wagered"]]}
    return found


@pytest.mark.parametrize("which", one_in(2, ["place", "molly"], others=pytest.mark.whole))
def test_a_number_that_was_changed_is_noticed(which: str, request: pytest.FixtureRequest) -> None:
    """With the old digests always; with new ones unless what is claimed is true of the changed arrays as well."""
    certificate: Certificate = request.getfixturevalue(which)
    drawn, refuted, tried = random.Random(36), 0, 0
    for name in _places(certificate.page):
        for _ in range(budget(2, in_sweep=6)):
            page = copy.deepcopy(certificate.page)
            rows = _places(page)[name]
            row = drawn.choice(rows)
            at = drawn.randrange(len(row))
            row[at] += drawn.choice([-2, -1, 1, 2, 5])
            with pytest.raises(Refuted, match="digest"):
                check(json.dumps(page))
            tried += 1
            try:
                proven = check(_reseal(page))
            except Refuted:
                refuted += 1
            else:
                assert proven == certificate.results, name  # as of a class after the end, or of two alike states
                _must_be_true(page, proven)
    assert refuted >= 0.8 * tried, f"{refuted} of {tried}"  # of wagers, actions and outlays are not claimed about


def _must_be_true(page: dict[str, Any], proven: dict[str, dict[str, str]]) -> None:
    """Solve the changed arrays again: the claims hold for them, as where two states of a class were exchanged."""
    arrays = page["automaton"]
    columns: dict[str, Any] = {name: np.array(arrays[name]) for name in (*ROWS, "outlay", "short")}
    automaton = Automaton(**columns, unit=arrays["unit"], labels=tuple(arrays["labels"]))
    for name, rate in rates_of(lump(automaton, with_action=True)).items() if "long_run" in proven else ():
        assert rate["low"] == page["proofs"]["long_run"]["rates"][name]["low"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda page: page["proofs"]["session"]["results"].update(ruin="0"), "it claims another ruin"),
        (lambda page: page["proofs"]["session"].update(rolls=13), "it claims another"),
        (lambda page: page["proofs"]["long_run"]["results"].update(edge_on_action="1/166"), "another edge_on_action"),
        (lambda page: page["proofs"]["long_run"]["results"].pop("edge_on_action"), "another edge_on_action"),
        (lambda page: page["proofs"]["long_run"]["rates"]["cash"].update(low="1/7", high="1/7"), "class 0 has"),
        (lambda page: page["proofs"]["long_run"]["rates"]["cash"].update(denominator=0), "no denominator"),
        (lambda page: page["automaton"]["cash"][0].append(0), "36 whole numbers"),
        (lambda page: page["automaton"]["labels"].pop(), "as many rows as states"),
        (lambda page: page["automaton"]["cash"][0].__setitem__(0, 1.5), "whole numbers and fractions only"),
        (lambda page: page["automaton"]["short"].__setitem__(3, 3), "not like state|in a circle"),
        (lambda page: page.update(proofs={}), "it proves nothing"),
        (lambda page: page.update(proofs={"luck": {}}), "not a certificate as it should be"),
        (lambda page: page.update(format="passline-certificate/2"), "its format is"),
    ],
)
def test_what_is_refuted_says_why(molly: Certificate, change: Change, said: str) -> None:
    page = copy.deepcopy(molly.page)
    change(page)
    with pytest.raises(Refuted, match=said):
        check(_reseal(page))


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"a": 1, "a": 2}', "[" * 100_000])
def test_what_is_no_certificate_is_refuted(text: str) -> None:
    with pytest.raises(Refuted):
        check(text)
