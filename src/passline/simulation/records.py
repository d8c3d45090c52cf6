"""Files with one line per session: CSV, or Parquet where pyarrow is installed. No file is ever left half written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from passline.atomic_file import suffix_of, whole_file
from passline.automaton.arrays import ENDINGS
from passline.errors import CrapsError
from passline.simulation.backends.cpu.backend import session_records
from passline.simulation.kernel_tables import Playable
from passline.simulation.kernel_types import SessionLimits

COLUMNS = ("session", "ending", "rolls", "final_cents", "peak_cents", "drawdown_cents", "wagered_cents")
"""The columns of a file."""
_SUFFIXES = (".csv", ".parquet")
_NAME = ("strategy",)  # the first column where there are several
_Chunk = tuple[str, int, NDArray[np.int64]]
"""The name of a strategy where there are several, the number of the first session, and their records."""


def write_records(tables: Playable, limits: SessionLimits, path: Path, *, seed: int, sessions: int) -> None:
    """Write the first sessions of a seed, in order, in the format that the suffix of the path names.

    >>> import tempfile
    >>> from passline import Rules, Terms
    >>> from passline.simulation.simulation import prepare_strategy
    >>> ready = prepare_strategy(Rules.of("maryland"), "pass", Terms(bankroll_cents=105_00, rolls=100))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_records(ready.tables, ready.limits, Path(folder) / "sessions.csv", seed=7, sessions=2)
    ...     print((Path(folder) / "sessions.csv").read_text(encoding="utf-8"), end="")
    session,ending,rolls,final_cents,peak_cents,drawdown_cents,wagered_cents
    0,limit,100,13500,13500,6000,35000
    1,limit,100,22500,22500,2000,30000
    """
    write_all_records([_Played("", tables, limits)], path, seed=seed, sessions=sessions)


class _HasTables(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def tables(self) -> Playable: ...

    @property
    def limits(self) -> SessionLimits: ...


class _Played(NamedTuple):
    name: str
    tables: Playable
    limits: SessionLimits


def write_all_records(strategies: Sequence[_HasTables], path: Path, *, seed: int, sessions: int) -> None:
    """Write the first sessions of a seed as each of some strategies plays them; of several, the first column names it.

    Session i of every strategy has the same dice.
    """
    suffix = suffix_of(path, _SUFFIXES)
    if suffix not in _SUFFIXES:
        raise CrapsError(f"{path}: sessions are written as .csv or .parquet; choose one of these suffixes")
    names = _different([played.name for played in strategies]) if len(strategies) > 1 else [""]
    chunks = (
        (name, at, _in_cents(played.tables, played.limits, rows))
        for name, played in zip(names, strategies, strict=True)
        for at, rows in session_records(played.tables, played.limits, seed=seed, sessions=sessions)
    )
    with whole_file(path) as part:
        (_write_csv if suffix == ".csv" else _write_parquet)(part, chunks)


def _different(names: Sequence[str]) -> list[str]:
    """Return names with a number after those that come again."""
    return [f"{name} ({place + 1})" if name in names[:place] else name for place, name in enumerate(names)]


def _in_cents(tables: Playable, limits: SessionLimits, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    cents = rows.copy()
    cents[:, 2:] *= tables.unit
    cents[:, 2:4] += limits.left_over  # final and peak are equities; drawdown and wagered are differences
    return cents


def _write_csv(path: Path, chunks: Iterator[_Chunk]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        is_first = True
        for name, at, rows in chunks:
            if is_first:
                file.write(",".join((*_NAME[: bool(name)], *COLUMNS)) + "\n")
                is_first = False
            quoted = '"{}",'.format(name.replace('"', '""')) if name else ""
            file.writelines(
                f"{quoted}{session},{ENDINGS[row[0]]},{','.join(map(str, row[1:]))}\n"
                for session, row in enumerate(rows.tolist(), at)
            )


def _write_parquet(path: Path, chunks: Iterator[_Chunk]) -> None:
    try:
        import pyarrow as pa  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415 - optional, imported only when used
        from pyarrow import parquet  # type: ignore[import-not-found,unused-ignore] # noqa: PLC0415
    except ImportError as error:
        raise CrapsError("Parquet needs pyarrow, which is not installed: pip install pyarrow, or write .csv") from error
    writer = None
    for name, at, rows in chunks:
        heads = (*_NAME[: bool(name)], *COLUMNS)
        columns = [
            *[np.full(len(rows), name)][: bool(name)],
            np.arange(at, at + len(rows)),
            np.array(ENDINGS)[rows[:, 0]],
            *rows[:, 1:].T,
        ]
        table = pa.table(dict(zip(heads, columns, strict=True)))
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer:
        writer.close()
