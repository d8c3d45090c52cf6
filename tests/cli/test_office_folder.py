"""`passline office folder` writes the folder of a gaming day, and `passline verify` proves it unaltered."""

import shutil
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import Raw, json
from typer.testing import CliRunner

from passline.acts.commands import KeepOffice
from passline.acts.course import OfficeCourse
from passline.acts.documents import Documents
from passline.acts.judges.scene import Surroundings
from passline.acts.rules import OFFICE_RULES
from passline.cli.main import app
from passline.office import folder
from passline.office.folder import read_manifest
from passline.office.views.projections import projections_of
from passline.rules.pages.texts import Pages, packed_pages
from passline.store.data_folder import DOCUMENTS_FOLDER, open_log
from passline.store.entry import Draft
from passline.store.timestamps import utc_now
from passline.streams.course import THE_HOUSE, Ask, Decision
from passline.streams.projection import Projector
from passline.streams.projection_store import VIEWS_FILE, ViewStore
from tests.cases import one_in
from tests.office.filed_house import LETTER, LIMIT, PROCEDURES, filed_house
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


def test_a_folder_is_written_and_proved(filed: Path, tmp_path: Path) -> None:
    to = tmp_path / "day"
    code, said = _run("office", "folder", "arizona", "2026-03-02", "--data", str(filed), "--to", str(to))
    assert (code, "of log" in said) == (0, True), said
    key = said.split("key ")[1].strip()
    code, said = _run("verify", str(to), "--key", key)
    assert (code, said.endswith("intact\n"), "(given)" in said) == (0, True, True), said
    assert '"is_intact": true' in _run("verify", str(to), "--json")[1]
    sheet = to / "day.xlsx"
    sheet.write_bytes(sheet.read_bytes()[:-1] + b"!")
    code, said = _run("verify", str(to))
    assert (code, "day.xlsx: was changed" in said, "NOT INTACT: 1 fault" in said) == (1, True, True), said


def test_a_folder_is_made_from_views_that_are_as_new_as_the_log(
    filed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without them, or behind the log, the whole stream of the office is read: the folder is the same."""
    data = tmp_path / "data"
    shutil.copytree(filed, data)
    whole = _folder_of(data, tmp_path / "whole")
    with closing(open_log(data)) as log, closing(ViewStore(data / VIEWS_FILE, log.derive("views"))) as store:
        projector = Projector(log, store, projections_of(log))
        projector.advance(3)
        assert _folder_of(data, tmp_path / "behind") == whole
        while projector.advance(1000):
            pass
    monkeypatch.setattr(folder, "past_of", lambda *_: pytest.fail("the whole stream was read"))
    assert _folder_of(data, tmp_path / "viewed") == whole


def _folder_of(data: Path, to: Path) -> dict[str, str]:
    code, said = _run("office", "folder", "arizona", "2026-03-02", "--data", str(data), "--to", str(to))
    assert code == 0, said
    return read_manifest(to).files


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


@pytest.fixture
def filed(tmp_path: Path) -> Path:
    """A data folder whose office has filed three documents."""
    return filed_house(tmp_path / "house")


@pytest.mark.parametrize(
    ("document", "what"),
    one_in(3, [(PROCEDURES, "procedures for dice"), (LETTER, "procedures for dice"), (LIMIT, "table limit")]),
)
@pytest.mark.parametrize("is_changed", [True, False], ids=["changed", "missing"])
def test_a_document_changed_or_missing_after_it_was_filed_is_told(
    filed: Path, tmp_path: Path, document: bytes, what: str, *, is_changed: bool
) -> None:
    """By `verify` of the house with the entry that names it, and by the folder of the day."""
    day = ("office", "folder", "arizona", "2026-03-02", "--data", str(filed), "--to")
    assert "intact, and the engine" in _run("verify", str(filed))[1]
    assert "warning: documents" not in _run(*day, str(tmp_path / "before"))[1]
    assert _run("verify", str(tmp_path / "before"))[0] == 0
    digest = sha256(document).hexdigest()
    assert (tmp_path / "before" / "documents" / digest).read_bytes() == document
    path = filed / DOCUMENTS_FOLDER / digest[:2] / digest[2:]
    if is_changed:
        path.write_bytes(document + b"!")
    else:
        path.unlink()
    code, said = _run("verify", str(filed))
    told = f"document {digest}, which entry "
    assert (code, said.count(told), said.count(digest)) == (1, 1, 1), said
    assert what in said
    assert ("was changed after it was filed" if is_changed else "is missing") in said
    assert told in _run(*day, str(tmp_path / "after"))[1]
    code, said = _run("verify", str(tmp_path / "after"))
    assert (code, told in said) == (1, True), said


def test_a_document_changed_in_the_folder_of_a_day_is_told(filed: Path, tmp_path: Path) -> None:
    to = tmp_path / "day"
    assert _run("office", "folder", "arizona", "2026-03-02", "--data", str(filed), "--to", str(to))[0] == 0
    (to / "documents" / sha256(LETTER).hexdigest()).write_bytes(b"another letter")
    code, said = _run("verify", str(to))
    assert (code, "is not in the folder as it was filed" in said) == (1, True), said


def test_an_export_says_that_documents_are_not_checked(filed: Path, tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    path = tmp_path / "alone" / "log.sqlite"
    path.write_bytes((filed / "log.sqlite").read_bytes())
    code, said = _run("verify", str(path))
    assert (code, "3 documents that the log names are not checked" in said) == (0, True), said


def test_verify_tells_pages_that_are_not_those_installed(tmp_path: Path) -> None:
    """Whoever runs a server could have left duties out: the log keeps the pages, and verify says they are others."""
    pages = OFFICE_RULES.installed_pages("arizona")
    monthly, yearly = b'length = {count = 1, unit = "months"}', b'length = {count = 1, unit = "years"}'
    fewer = Pages("arizona", {name: text.replace(monthly, yearly) for name, text in pages.texts.items()})
    assert fewer.digest != pages.digest
    log = open_log(tmp_path / "house")
    log.append(_kept(fewer))
    log.close()
    code, said = _run("verify", str(tmp_path / "house"))
    assert code == 0, said
    here = f"the installed pages of arizona's office are {pages.digest[:12]}"
    assert f"warning: {here}; from entry 2 on it is run by {fewer.digest[:12]}" in said


def _kept(pages: Pages) -> list[Draft]:
    """Return how a server keeps pages."""
    keep, at = KeepOffice(name=pages.name, pages=packed_pages(pages), program="another"), utc_now()
    decision = OfficeCourse(Surroundings(lambda _account: None)).decide(None, Ask("id-1", keep, THE_HOUSE), at)
    assert isinstance(decision, Decision), decision
    draft = Draft(
        stream=f"office/{pages.name}",
        expected=0,
        at=at,
        actor=THE_HOUSE.account,
        role=THE_HOUSE.role,
        id="keep",
        command=Raw(json.encode(keep)),
        events=Raw(json.encode(decision.events)),
    )
    return [draft]
