"""Files written whole: plain ones are replaced, and nothing else is."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from passline.atomic_file import whole_file


def _write(path: Path, text: str) -> None:
    with whole_file(path) as part:
        part.write_text(text, encoding="utf-8")


def test_a_link_stays_and_the_file_it_leads_to_is_written(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    link = tmp_path / "sheet.txt"
    link.symlink_to(there / "real.txt")
    for text in ("made", "made again"):  # the first through a link to nothing yet
        _write(link, text)
        assert link.is_symlink()
        assert (there / "real.txt").read_text(encoding="utf-8") == text
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["real.txt", "sheet.txt", "there"]


def test_a_pipe_gets_the_bytes_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    _write(pipe, "through the pipe")
    reader.join(10)
    assert got == ["through the pipe"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    link = tmp_path / "nowhere"
    link.symlink_to("/dev/null")
    for path in (Path("/dev/null"), link):
        _write(path, "gone")
        assert stat.S_ISCHR(path.stat().st_mode)
    assert link.is_symlink()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_device_that_is_full_says_so_and_stays(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left"):
        _write(Path("/dev/full"), "too much")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)
    assert not list(tmp_path.iterdir())


def test_a_dash_is_standard_output(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> None:
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        _write(Path("-"), "to be piped")
    finally:
        os.chdir(here)
    assert capfdbinary.readouterr().out == b"to be piped"
    assert not list(tmp_path.iterdir())
