"""The cache of automata: read back whole, compiled again when a file is broken, and never a failure."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks._strategies import pass_with_odds
from passline import Rules
from passline.automaton import cache
from passline.automaton.cache import cache_folder, key_of, load_or_compile
from passline.strategy.lookup import strategy_of

MARYLAND = Rules.of("maryland")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PASSLINE_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_an_automaton_is_cached_and_read_back_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = strategy_of("martingale", MARYLAND)
    made = load_or_compile(MARYLAND, strategy, short="ride")
    assert [path.suffix for path in folder.iterdir()] == [".npz"]
    monkeypatch.setattr(cache, "compile_strategy", lambda *_args, **_options: pytest.fail("compiled again"))
    read = load_or_compile(MARYLAND, strategy, short="ride")
    for name in ("next", "cash", "outlay", "short", "mark", "action"):
        assert np.array_equal(getattr(made, name), getattr(read, name))
        assert getattr(made, name).dtype == getattr(read, name).dtype
    assert (made.unit, made.policy, made.labels) == (read.unit, read.policy, read.labels)


def test_a_broken_file_is_compiled_again(folder: Path) -> None:
    strategy = strategy_of("pass", MARYLAND)
    made = load_or_compile(MARYLAND, strategy)
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    flipped = [
        bytes(byte ^ (0xFF if at % 97 == start else 0) for at, byte in enumerate(whole)) for start in range(0, 97, 8)
    ]
    for broken in (b"", b"PK\x03\x04 nothing", whole[:200], *flipped):
        path.write_bytes(broken)
        assert len(load_or_compile(MARYLAND, strategy)) == len(made)


def test_a_folder_that_cannot_be_written_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("PASSLINE_CACHE", str(tmp_path / "file"))
    assert len(load_or_compile(MARYLAND, strategy_of("pass", MARYLAND))) > 1


def test_nothing_is_cached_for_python_strategies_or_when_the_cache_is_off(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_or_compile(MARYLAND, pass_with_odds(10_00, 1))
    monkeypatch.setenv("PASSLINE_CACHE", "off")
    assert cache_folder() is None
    load_or_compile(MARYLAND, strategy_of("pass", MARYLAND))
    assert not folder.exists()


def test_the_key_depends_on_rules_strategy_and_policy() -> None:
    other = Rules.of("maryland", house={"smallest_chip_cents": 5_00})
    keys = {
        key_of(MARYLAND, strategy_of("pass", MARYLAND), "stop"),
        key_of(MARYLAND, strategy_of("pass", MARYLAND), "ride"),
        key_of(MARYLAND, strategy_of("pass:unit=500", MARYLAND), "stop"),
        key_of(other, strategy_of("pass", other), "stop"),
        key_of(Rules.of("section2"), strategy_of("pass", Rules.of("section2")), "stop"),
    }
    assert len(keys) == 5
