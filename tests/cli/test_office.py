"""`passline office`: what there is to do, and acts, against a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import json
from typer.testing import CliRunner

from passline.acts.rules import office_of
from passline.acts.stamps import fingerprint
from passline.cli.main import app
from passline.client import Client, RequestRefused
from passline.store.keys import SigningKey
from tests.serving import serving

pytestmark = pytest.mark.long
PASSWORD = "correct horse battery"  # noqa: S105 - of somebody who does not exist


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server, and the token of its owner."""
    data: Path = tmp_path_factory.mktemp("office") / "data"
    with serving(data, office="here") as started, Client(started.address) as owner:
        owner.accept(started.owner_link, password=PASSWORD, name="Olga", pin="7294")
        yield started.address, owner.token


def _run(server: tuple[str, str], *arguments: str) -> tuple[int, str]:
    address, token = server
    result = CliRunner().invoke(app, ["office", *arguments, "--server", address, "--token", token])
    failed = result.exception is not None and not isinstance(result.exception, SystemExit)
    return result.exit_code, str(result.exception) if failed else result.output


_SET_UP = ("set-up", "section2", "--name", "Harbour", "--zone", "America/Denver", "--area", "pit 1")


_MARYLAND = ("set-up", "maryland", "--name", "Harbour", "--zone", "America/New_York")


def test_a_standard_is_that_of_the_house_asked_also_without_a_regulation(server: tuple[str, str]) -> None:
    """It was the program's own, whatever server was asked; the sheet of a house names it and has its evidence."""
    asked = ("standard", "table_systems")
    assert "has set up no office" in _run(server, *asked)[1]
    _run(server, *_SET_UP)
    code, sheet = _run(server, *asked)
    assert (code, "Office: Harbour, " in sheet) == (0, True), sheet
    assert sheet == _run(server, *asked, "section2")[1]
    assert "table_systems" in _run(server, "standard")[1]
    _run(server, *_MARYLAND)
    code, said = _run(server, *asked)
    assert code == 1
    assert "keeps 2 offices: say whose, passline office standard table_systems " in said


def test_an_office_is_set_up_and_acts_are_done_from_the_command_line(server: tuple[str, str]) -> None:
    code, said = _run(server, *_SET_UP)
    assert (code, "its day begins at 06:00" in said) == (0, True), said
    due = [line for line in _run(server, "today", "section2")[1].splitlines() if line.startswith("due ")]
    assert len(due) == 1, due  # in three months, and nothing before
    assert "Users and their rights are gone through, by the compliance [practice]" in due[0]
    code, said = _run(server, "act", "section2", "enter_employee", "dan", "post=dealer")
    assert (code, "person dan is off duty." in said) == (0, True), said
    assert "enter_employee" in _run(server, "acts", "section2")[1]


def test_keys_of_bodies_are_entered_listed_and_revoked_from_the_command_line(server: tuple[str, str]) -> None:
    assert _run(server, *_MARYLAND)[0] == 0
    assert "Commission   has no key" in _run(server, "body-keys", "maryland")[1]
    code, said = _run(server, "give-body-key", "maryland", "Commission", "no key")
    assert (code, "64 hexadecimal digits" in said) == (1, True), said
    key = SigningKey(bytes(32)).public
    code, said = _run(server, "give-body-key", "maryland", "Commission", key.hex())
    assert (code, f"fingerprint {fingerprint(key)}" in said) == (0, True), said
    assert _run(server, "body-keys", "maryland", "--json") == (0, f'{{"Commission": "{fingerprint(key)}"}}\n')
    code, said = _run(server, "revoke-body-key", "maryland", "Commission", key.hex(), "--reason", "lost")
    assert (code, "revoked" in said) == (0, True), said
    assert "has no key" in _run(server, "body-keys", "maryland")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("act section2 enter_employee dan", "post: is missing"),
        ("act section2 enter_employee dan post=dealer colour=red", "'colour' is not a field of this act"),
        ("act section2 enter_employee fay post=dealer --signs witness", "go together"),
        ("act section2 sink_the_ship", "passline office acts section2 lists them"),
        ("act nevada enter_employee", "there is no office of 'nevada'"),
        ("sign section2 77 witness", "waits for no signature"),
        ("count section2 moon 500:1", "it counts "),
        ("count section2 cage 500:1,2500:4", "the owner may not do this"),
        ("count section2 cage 500:many", "'many' is not a whole number"),
        ("value section2 moon 4", "this office has no figure 'moon'"),
        ("set-up section2 --name X --zone Atlantis", "is not a time zone"),
    ],
)
def test_what_is_wrong_is_said_in_words(server: tuple[str, str], words: str, said: str) -> None:
    assert said in _run(server, *words.split())[1]


def test_papers_lists_and_documents_become_files(server: tuple[str, str], tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("approved", encoding="utf-8")
    code, digest = _run(server, "attach", str(letter))
    assert (code, len(digest.strip())) == (0, 64), digest
    people = tmp_path / "people.jsonl"
    _run(server, *_SET_UP)  # another worker may run the first test
    _run(server, "act", "section2", "enter_employee", "eve", "post=dealer", "licence=77-1")
    assert _run(server, "things", "section2", "person", "--to", str(people))[0] == 0
    assert b'"licence":"77-1"' in people.read_bytes()
    assert _run(server, "things", "section2", "acts", "--to", str(tmp_path / "acts.xlsx"))[0] == 0
    assert "must end in .pdf, .txt" in _run(server, "paper", "section2", "limits", "h1", "--to", "limits.doc")[1]
    assert "knows no house" in _run(server, "paper", "section2", "limits", "h1", "--to", str(tmp_path / "l.pdf"))[1]


def test_every_log_of_a_day_and_a_slip_are_printed_into_files(server: tuple[str, str], tmp_path: Path) -> None:
    _run(server, *_SET_UP)  # another worker may run the first test
    assert _run(server, "act", "section2", "print_slips", "form=fill_slip", "pieces=1")[0] == 0
    day = json.decode(_run(server, "today", "section2", "--json")[1])["day"]
    forms = office_of("section2").pages.forms
    wanted = {**{key: (day, form.name) for key, form in forms.items() if form.is_log}, "fill_slip": ("MF-000001",) * 2}
    assert len(wanted) > 5
    for form, (number, words) in wanted.items():
        written = tmp_path / f"{form}.txt"
        code, said = _run(server, "form", "section2", form, number, "--to", str(written))
        assert (code, words.upper() in written.read_text(encoding="utf-8").upper()) == (0, True), (form, said)
    pdf = tmp_path / "keys.pdf"
    assert _run(server, "form", "section2", "key_log", day, "--to", str(pdf))[0] == 0
    assert pdf.read_bytes().startswith(b"%PDF")
    assert "one of the two" in _run(server, "form", "section2", "key_log", day)[1]
    assert "must end in .pdf, .html, .txt" in _run(server, "form", "section2", "key_log", day, "--to", "k.doc")[1]


def test_a_table_for_money_is_refused_with_all_that_its_list_lacks(server: tuple[str, str]) -> None:
    address, token = server
    code, said = _run(
        server, "set-up", "maryland", "--name", "Harbour", "--zone", "America/New_York", "--area", "pit 1"
    )
    assert code == 0, said
    with Client(address, token=token) as owner:
        assert [table["practice"] > 0 for table in owner.tables()] == [True]  # the first one needs no office
        with pytest.raises(RequestRefused) as refused:
            owner.post("/api/tables", {"name": "Craps 2", "house": {"rules": "maryland"}})
    clauses = {clause for one in refused.value.refusals for clause in one.clause.split(", ")}
    assert {"MD-2.D", "MD-2.E.drop", "MD-2.E.tip"} & clauses
    assert refused.value.status == 409


def test_an_office_goes_on_after_its_server_was_stopped_and_started(tmp_path: Path) -> None:
    """A new process has the office from a snapshot, and must learn from the log by which pages it is run."""
    with serving(tmp_path / "house") as first, Client(first.address) as owner:
        owner.accept(first.owner_link, password=PASSWORD, name="Olga", pin="7294")
        facility = {"name": "Harbour", "zone": "America/Denver"}
        owner.office_command("section2", {"command": "set-up-office", "facility": facility})
    with serving(tmp_path / "house") as second, Client(second.address) as owner:
        owner.log_in("Olga", PASSWORD)
        assert owner.today("section2")["shift"]
        entered = {"command": "do-act", "act": "enter_employee", "things": ["dan"], "fields": {"post": "dealer"}}
        assert owner.office_command("section2", entered).sequence
