"""What `passline verify` warns of: each thing once, and nothing that an upgrade or a run of entries explains."""

from pathlib import Path

import pytest

from passline.cli.main import main

_GOLDEN = Path(__file__).parent.parent / "tables" / "golden"


def _warnings(path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    main(["verify", str(path)])
    return [line for line in capsys.readouterr().out.splitlines() if line.lower().startswith("warning")]


def test_entries_with_a_wrong_date_that_follow_each_other_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    dated = [line for line in _warnings(_GOLDEN / "tables.jsonl", capsys) if "is dated" in line]
    assert len(dated) < 4
    assert dated[0].startswith("warning: entry 130 is dated ")
    assert ", and so are those after it up to entry " in dated[0]


def test_a_log_of_an_earlier_version_that_keeps_its_rulebooks_is_warned_of_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _warnings(_GOLDEN / "rulebooks.jsonl", capsys) == []
