"""Says whether broken pages load: with a rulebook that does not, no table can open; with an office, no house."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


class Loading:
    """A process beside the campaign that has the unbroken code loaded and tries broken rulebooks."""

    def __init__(self, root: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
        self._process = subprocess.Popen(  # our own command
            [sys.executable, "-m", "benchmarks.marking.loading"],
            cwd=root,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def problem(self, texts: dict[str, str]) -> str:
        """Return why a rulebook does not load with these texts in its files; nothing if it does."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(texts) + "\n")
        self._process.stdin.flush()
        said: str = json.loads(self._process.stdout.readline())
        return said

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


def page_problem(regulation: str, folder: str) -> str:
    """Return why the pages in a regulation's folder `office` or `tournament` do not load; nothing if they do.

    They are read with what every house has, so they are tried where they stand, in a process of their own.
    """
    module, reader = _READERS[folder]
    try:
        getattr(importlib.import_module(module), reader)(regulation)
    except Exception as error:  # noqa: BLE001  # whatever loading raises
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


_READERS = {
    "office": ("passline.acts.rules", "office_of"),
    "tournament": ("passline.tournament.rules", "tournament_of"),
}


def _problem(texts: dict[str, str]) -> str:
    reader = importlib.import_module("passline.rules.rulebook_reader")  # not where a campaign forks its trials
    rules = importlib.import_module("passline.rules.rules")
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(min(texts)).parent
        copy = Path(folder) / whole.name
        shutil.copytree(whole, copy)
        for path, text in texts.items():
            (copy / Path(path).name).write_text(text, encoding="utf-8")
        try:
            rulebook = reader.load_rulebook(copy)
            for game in rulebook.games:
                rules.Rules.under(rulebook, {"game": game})
        except Exception as error:  # noqa: BLE001  # whatever loading raises
            return f"{type(error).__name__}: {error}".splitlines()[0]
    return ""


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(_problem(json.loads(line))), flush=True)
