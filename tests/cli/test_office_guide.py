"""The commands that the guide to the office shows, run in their order against a real server."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from passline.cli.main import app
from passline.client import Client
from tests.serving import serving

pytestmark = pytest.mark.long
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "office.md"
COMMAND = re.compile(r"^\$ passline (office .+)$", flags=re.MULTILINE)
PASSWORD = "correct horse battery"  # noqa: S105 - of somebody who does not exist


@pytest.mark.whole
def test_the_commands_of_the_guide_work(tmp_path: Path) -> None:
    commands = COMMAND.findall(GUIDE.read_text(encoding="utf-8"))
    assert len(commands) > 4
    with serving(tmp_path / "data") as started, Client(started.address) as owner:
        owner.accept(started.owner_link, password=PASSWORD, name="Olga", pin="7294")
        for command in commands:
            words = [*shlex.split(command), "--server", started.address, "--token", owner.token]
            result = CliRunner().invoke(app, words)
            assert result.exit_code == 0, f"{command}: {result.output} {result.exception}"
