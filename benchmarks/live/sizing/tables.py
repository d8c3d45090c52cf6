"""The tables of `docs/scale.md`, from the last line of a result, so that no figure there is typed."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from benchmarks.live.sizing.deployments import Point, Role
from benchmarks.live.sizing.model import SINGLE, Model, foretold_total, limits, size_of
from benchmarks.live.sizing.units import Units

_SIZES = ((10, 1), (50, 1), (100, 1), (1_000, 1), (1_000, 20), (10_000, 200))  # full tables, in so many houses
_NAMES: dict[Role, str] = {"tables": "serving", "log": "log", "database": "PostgreSQL"}


class Figures(Struct, frozen=True):
    """What a run of `./x bench scale` measured."""

    processor: str
    points: list[Point]
    units: Units


def figures_in(result: str) -> Figures:
    """Return the figures in the last line of a result."""
    return msgspec.json.decode(result.rstrip().splitlines()[-1], type=Figures)


def tables_of(figures: Figures) -> dict[str, str]:
    """Return each table of the page by its name, as Markdown."""
    model = Model.of(figures.points, figures.units)
    return {
        "points": _points(figures.points, model),
        "sizes": _sizes(model),
        "limits": _table(
            ("what is full", "at so many full tables"),
            [(limit.what, f"{limit.tables:,}") for limit in limits(model)],
        ),
        "units": _table(
            ("an entry", "processor time, us", "bytes, as written"),
            [
                ("in the log, in a large commit", f"{figures.units.log_entry:,.0f}", f"{figures.units.log_bytes:,.0f}"),
                ("in the views", f"{figures.units.views:,.0f}", f"{figures.units.views_bytes:,.0f}"),
            ],
        ),
        "memory": _table(
            ("", "MB"),
            [
                ("a server and its views, without a table", f"{model.base_megabytes:,.0f}"),
                ("each full table", f"{model.table_megabytes:.1f}"),
            ],
        ),
    }


class Archived(Struct, frozen=True):
    """What a run of `./x bench archive` measured of a full table, by what it came to."""

    live: float  # bytes a roll, in the database
    left: float  # and archived
    hours: dict[str, float]  # in which a year is verified, by the way


def archived_in(result: str) -> Archived:
    """Return the figures in the line of a result that has hours."""
    line = next(line for line in result.splitlines() if line.startswith("{") and '"hours"' in line)
    return msgspec.json.decode(line, type=Archived)


def table_of_archive(archived: Archived, rolls: int) -> str:
    """Return what a year of so many rolls at a full table comes to, as Markdown."""
    live, left = (f"{each * rolls / 1e9:,.0f}" for each in (archived.live, archived.left))
    hours = {way: f"{each:,.1f}" for way, each in archived.hours.items()}
    return _table(
        ("a full table, a year", "in the database", "archived"),
        [
            ("GB", live, left),
            ("hours to verify it, in one piece, by one processor", hours["rows"], hours["whole"]),
            ("hours to verify it, by its files, on two processors", "", hours["clock"]),
        ],
    )


def _points(points: list[Point], model: Model) -> str:
    rows = []
    for point in points:
        told = foretold_total(model, point)
        shares = [f"{point.cpu[role]:,.0f}" if point.cpu[role] else "" for role in _NAMES]
        rows.append(
            (point.deployment.name, *shares, f"{point.total:,.0f}", f"{told:,.0f}", f"{told / point.total:.2f}")
        )
    return _table(("deployment", *_NAMES.values(), "together", "by the model", "ratio"), rows)


def _sizes(model: Model) -> str:
    rows = []
    for tables, houses in _SIZES:
        size = size_of(model, tables // houses)
        full = [limit.what for limit in limits(model) if limit.tables < size.tables and limit.what in SINGLE]
        cores = [f"{houses * size.cores[role]:.1f}" for role in ("tables", "log", "views")]
        gigabytes = (model.base_megabytes * houses + model.table_megabytes * tables) / 1000
        kept = [f"{houses * each / 1000:,.1f}" for each in (size.log_gigabytes, size.views_gigabytes)]
        rows.append(
            (
                *(f"{tables:,}", f"{houses:,}", f"{houses * size.rate:,.0f}", f"{houses * size.processes:,}"),
                *(*cores, f"{gigabytes:,.1f}", *kept, "no: " + " and ".join(full) if full else "yes"),
            )
        )
    return _table(
        (
            *("full tables", "houses", "commands a second", "serving processes", "cores: serving", "log", "views"),
            *("memory, GB", "log, TB a year", "views, TB a year", "does it go?"),
        ),
        rows,
    )


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
