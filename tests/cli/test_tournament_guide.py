"""The commands that the guide to tournaments shows for a server, run in their order against a real one."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from passline.cli.main import app
from passline.client import Client
from tests.serving import serving

pytestmark = pytest.mark.long
GUIDE = Path(__file__).resolve().parents[2] / "docs" / "tournaments.md"
BLOCK = re.compile(r"^```text\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ passline (tournament .+)$", flags=re.MULTILINE)
PASSWORD = "correct horse battery"  # noqa: S105 - of somebody who does not exist


@pytest.mark.whole
def test_the_commands_of_the_guide_work_and_its_papers_come_from_the_log_too(tmp_path: Path) -> None:
    shown = "\n".join(BLOCK.findall(GUIDE.read_text(encoding="utf-8")))
    commands = COMMAND.findall(shown)
    assert len(commands) > 9
    plan = CliRunner().invoke(app, ["tournament", "example"]).output
    (tmp_path / "spring.toml").write_text(plan, encoding="utf-8")
    said = dict[str, str]()
    with serving(tmp_path / "data") as started, Client(started.address) as owner:
        owner.accept(started.owner_link, password=PASSWORD, name="Olga", pin="7294")
        for command in commands:
            words = [word.replace("~", str(tmp_path)) for word in shlex.split(command)]
            result = CliRunner().invoke(app, [*words, "--server", started.address, "--token", owner.token])
            assert result.exit_code == 0, f"{command}: {result.output} {result.exception}"
            said[command] = result.output
        (row,) = owner.tournaments()
        assert (row["id"], row["entries"]) == ("spring-classic", 2)
    board = said["tournament board spring-classic"]
    assert "Spring Craps Classic, Main event: Round 1, playing; 2 entries, pool $200" in board
    assert "place 1 wins" in board
    assert (tmp_path / "log.xlsx").read_bytes().startswith(b"PK")
    served = said["tournament report spring-classic standings"]
    result = CliRunner().invoke(
        app, ["tournament", "report", "spring-classic", "standings", "--data", str(tmp_path / "data")]
    )
    assert (result.exit_code, result.output) == (0, served)
    assert "1      1      Ann Lee  2500" in served
