"""`passline office folder` writes the folder of a gaming day, and `passline verify` proves it unaltered."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from passline.cli.main import app
from passline.office.documents import Documents
from passline.store.data_folder import DOCUMENTS_FOLDER, open_log
from tests.office.logged_day import log_day


def _run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*arguments])
    failed = result.exception is not None and not isinstance(result.exception, SystemExit)
    return result.exit_code, str(result.exception) if failed else result.output


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the log of an office."""
    folder = tmp_path_factory.mktemp("house") / "data"
    log = open_log(folder)
    log_day("section2_tables", log)
    log.close()
    return folder


def test_a_folder_is_written_and_proved(data: Path, tmp_path: Path) -> None:
    to = tmp_path / "day"
    code, said = _run("office", "folder", "section2", "2026-03-02", "--data", str(data), "--to", str(to))
    assert (code, "of log" in said) == (0, True), said
    key = said.split("key ")[1].strip()
    code, said = _run("verify", str(to), "--key", key)
    assert (code, said.endswith("intact\n"), "(given)" in said) == (0, True, True), said
    assert '"is_intact": true' in _run("verify", str(to), "--json")[1]
    sheet = to / "day.xlsx"
    sheet.write_bytes(sheet.read_bytes()[:-1] + b"!")
    code, said = _run("verify", str(to))
    assert (code, "day.xlsx: was changed" in said, "NOT INTACT: 1 fault" in said) == (1, True, True), said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("2026-03-02", "--data", "nowhere"), "is not the data folder of a house"),
        (("monday",), "is not a day such as"),
    ],
)
def test_what_is_wrong_is_said(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert said in _run("office", "folder", "section2", *arguments, "--to", str(tmp_path / "day"))[1]


def test_a_changed_document_is_found(data: Path) -> None:
    digest = Documents(data / DOCUMENTS_FOLDER).put(b"a letter")
    (data / DOCUMENTS_FOLDER / digest[:2] / digest[2:]).write_bytes(b"another letter")
    assert f"document {digest} was changed" in _run("verify", str(data))[1]
