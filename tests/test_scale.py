"""`docs/scale.md` has the figures of its results, and the model is what it is said to be."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

import pytest

from benchmarks.archive import ROLLS_A_YEAR
from benchmarks.live.chained.results import WANTED
from benchmarks.live.chained.results import tables_of as tables_of_chains
from benchmarks.live.sizing.deployments import Deployment
from benchmarks.live.sizing.model import BUSY, CALIBRATION, CHECKS, Model, foretold_total, limits, size_of, table_rate
from benchmarks.live.sizing.tables import archived_in, figures_in, table_of_archive, tables_of

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PAGE = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
FIGURES = figures_in((RESULTS / "scale.txt").read_text(encoding="utf-8"))
MODEL = Model.of(FIGURES.points, FIGURES.units)


def test_every_table_of_figures_is_that_of_the_results() -> None:
    wanted = tables_of(FIGURES) | tables_of_chains((RESULTS / "chains.txt").read_text(encoding="utf-8"))
    assert [name for name, table in wanted.items() if table not in PAGE] == []
    for said in (
        FIGURES.processor,
        f"takes {MODEL.idle / 1e4:.0f} % of a core",
        f"full at {100 * BUSY:.0f} % of a core",
    ):
        assert said in PAGE


def test_what_is_archived_takes_the_room_and_the_time_that_the_page_says() -> None:
    archived = archived_in((RESULTS / "archive.txt").read_text(encoding="utf-8"))
    assert table_of_archive(archived, ROLLS_A_YEAR) in PAGE
    assert archived.left < 25_000, "a roll"
    assert archived.hours["clock"] < min(1, archived.hours["whole"])


def test_a_chain_per_stream_is_as_fast_as_the_page_says() -> None:
    found = json.loads((RESULTS / "chains.txt").read_text(encoding="utf-8").splitlines()[-1])["wagers a commit"]
    for ways in found.values():
        sealed, alone = ways["a chain per stream, groups sealed"], ways["one chain, one process commits for all"]
        assert median(sealed["to one that commits"]) > WANTED
        assert median(sealed["to servers of their own"]) > 2 * WANTED
        assert sealed["cpu"] > 0.8 * alone["cpu"]
    assert median(found["1"]["a chain per stream, checkpoints answer"]["to one that commits"]) < 1


def test_every_deployment_was_played_and_what_was_foretold_came() -> None:
    found = {point.deployment: point for point in FIGURES.points}
    assert set(found) == {*CALIBRATION.values(), *CHECKS}
    refused = {point.deployment: point.refused for point in FIGURES.points if point.refused}
    assert set(refused) == {Deployment(100)}
    assert f"{refused[Deployment(100)]} commands of 100 tables were refused" in PAGE
    ratios = [foretold_total(MODEL, found[deployment]) / found[deployment].total for deployment in CHECKS]
    assert f"foretold {min(ratios):.2f} to {max(ratios):.2f} times" in PAGE
    assert min(ratios) > 1 / 2
    assert max(ratios) < 2


def test_the_model_gives_back_what_it_was_made_of() -> None:
    found = {point.deployment: point for point in FIGURES.points}
    for deployment in CALIBRATION.values():
        told, measured = MODEL.foretell(deployment, found[deployment].rate), found[deployment]
        assert told["tables"] == pytest.approx(measured.cpu["tables"]), deployment.name
        assert told["database"] == pytest.approx(measured.cpu["database"]), deployment.name


def test_more_tables_need_more_and_servers_of_one_log_pay_for_each_other() -> None:
    small, large = size_of(MODEL, 10), size_of(MODEL, 1_000)
    assert small.processes == 1
    assert large.processes > small.processes
    assert large.all_cores > small.all_cores
    assert limits(MODEL) == sorted(limits(MODEL), key=lambda limit: limit.tables)
    rate = 100 * table_rate()
    alone = MODEL.foretell(Deployment(100, store="PostgreSQL"), rate)
    shared = MODEL.foretell(Deployment(100, servers=3, store="PostgreSQL"), rate)
    assert shared["views"] == pytest.approx(3 * alone["views"])
    assert shared["tables"] > alone["tables"]
