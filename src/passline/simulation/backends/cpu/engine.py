"""Sessions dealt by the engine, in processes: the same dice and the same records as by the kernels, only slower."""

from __future__ import annotations

import hashlib
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from passline.side_processes import SideProcess
from passline.simulation.backends.cpu.tally import ROW_COLUMNS, Rows
from passline.simulation.dealt_tables import DealtTables
from passline.simulation.reference_session import SessionRecord

_WORK = f"{__name__}:play_piece"
_SECONDS = 3600.0  # a piece is short, but a machine may be very busy
_DIGEST = 32
_processes: list[SideProcess] = []


def play_by_engine(tables: DealtTables, seed: int, sessions: range, *, cores: int = 1) -> Rows:
    """Play sessions of a seed and return their records, one in each column; with more cores in as many processes."""
    given = _bytes_of(tables) if cores > 1 else None
    pieces = [sessions[first::cores] for first in range(cores)] if given else [sessions]
    pieces = [piece for piece in pieces if piece]
    if given is None or len(pieces) == 1:
        found = [_records(tables, seed, sessions)]
        pieces = [sessions]
    else:
        while len(_processes) < len(pieces):
            _processes.append(SideProcess(_WORK, seconds=_SECONDS))
        with ThreadPoolExecutor(len(pieces)) as pool:
            questions = [pickle.dumps((given, seed, piece)) for piece in pieces]
            answers = pool.map(lambda process, question: process.do(question), _processes, questions)
            found = [np.frombuffer(answer, dtype=np.int64).reshape(-1, ROW_COLUMNS - 1) for answer in answers]
    rows = np.zeros((ROW_COLUMNS, len(sessions)), dtype=np.int64)
    for piece, records in zip(pieces, found, strict=True):
        numbers = np.array(piece) - sessions.start
        rows[:-1, numbers] = records.T
        rows[-1, numbers] = numbers
    return rows


def play_piece(question: bytes) -> bytes:
    """Play some sessions in a process of their own: what is asked and answered is pickled, within one machine."""
    given, seed, sessions = pickle.loads(question)  # noqa: S301 - from the process that started this one
    return _records(_tables_from(given), seed, sessions).tobytes()


def _records(tables: DealtTables, seed: int, sessions: range) -> NDArray[np.int64]:
    return np.array([record_of(tables, seed, session) for session in sessions], dtype=np.int64)


def record_of(tables: DealtTables, seed: int, session: int) -> SessionRecord:
    """Deal a session and return its record."""
    peak = drawdown = 0
    for step in tables.steps(seed, session):
        peak = max(peak, step.equity_cents)
        drawdown = max(drawdown, peak - step.equity_cents)
    assert step.ending is not None, "the last step ends the session"
    return SessionRecord(step.ending, step.rolls, step.equity_cents, peak, drawdown, step.wagered_cents)


def _bytes_of(tables: DealtTables) -> bytes | None:
    """Return the tables for another process, after their digest; None for a strategy that cannot be handed over."""
    try:
        whole = pickle.dumps(tables)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    return hashlib.sha256(whole).digest() + whole


@lru_cache(maxsize=8)
def _tables_from(given: bytes) -> DealtTables:
    tables: DealtTables = pickle.loads(given[_DIGEST:])  # noqa: S301 - from the process that started this one
    return tables
