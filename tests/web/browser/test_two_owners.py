"""Two owners on the page of people, the broken glass, and what verify says of the house and its vault."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from passline.cli.main import main
from tests.serving import serving
from tests.web.browser.house import PINS, House, create

pytestmark = pytest.mark.long


@pytest.mark.whole
def test_a_second_owner_signs_on_the_page_or_the_glass_is_broken(
    browser: Browser, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    with serving(data) as server:
        house = House(server, browser)
        house.appoint(Bea="boxperson")
        house.hire("Flo", "Owner")
        page = house.open("Olga", "/people")
        owners = page.get_by_role("region", name="Two owners")
        expect(owners).to_contain_text("Giving a role that signs takes two owners.")
        row = page.get_by_role("row").filter(has_text="Bea")
        row.get_by_role("button", name="New link for Bea").click()
        expect(page.get_by_role("alert").first).to_contain_text("takes a second owner")
        owners.get_by_label("Second owner's name").fill("Flo")
        owners.get_by_label("Second owner's PIN").fill(PINS["Flo"])
        row.get_by_role("button", name="New link for Bea").click()
        expect(page.locator("#link-text")).to_contain_text("/invitations/")
        expect(owners.get_by_label("Second owner's PIN")).to_have_value("")
        assert main(["break-glass", str(data), "--reason", "Flo is in hospital"]) == 0
        assert "One owner may act alone until" in capsys.readouterr().out
        page.reload()
        expect(owners).to_contain_text("One owner may act alone until")
        expect(owners).to_contain_text("Flo is in hospital")
        row.get_by_text("Boxperson", exact=True).first.click()
        row.get_by_label("Floorperson").check()
        expect(row.locator("summary")).to_have_text("Boxperson, Floorperson")
        house.close()
    assert main(["verify", str(data)]) == 0
    said = capsys.readouterr().out
    assert "BROKEN GLASS: one owner could act alone" in said
    assert "Flo is in hospital" in said
    _forge(data / "log.sqlite")
    assert main(["verify", str(data)]) == 1
    said = capsys.readouterr().out
    assert "the vault: the pin of Bea" in said
    assert "was not written by this server" in said
    (data / "log.key").rename(tmp_path / "log.key")
    assert main(["verify", str(data)]) == 1, "a swapped hash is found without the key too"
    said = capsys.readouterr().out
    assert "the vault: the pin of Bea" in said
    assert "not checked: give the log's key as --key-file" in said
    assert main(["verify", str(data), "--key-file", str(tmp_path / "log.key")]) == 1
    assert "was not written by this server" in capsys.readouterr().out


@pytest.mark.whole
def test_the_only_owner_closes_a_table_alone_on_the_page_and_one_of_two_cannot(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path / "data") as server:
        house = House(server, browser)
        house.accept("Olga", server.owner_link)
        page = house.open("Olga", "/house")
        page.get_by_role("button", name="Close", exact=True).click()
        form = page.locator("#close")
        expect(form.get_by_label("PIN")).to_be_enabled()
        form.get_by_label("I am the only owner of this house").check()
        expect(form.get_by_label("PIN")).to_be_disabled()
        form.get_by_role("button", name="Close the table").click()
        expect(form).to_be_hidden()
        expect(page.locator("#table-list")).to_contain_text("Closed")
        house.accept("Flo", create(house, "Flo", ("Owner",)))
        page.reload()
        expect(page.locator("#table-list")).to_contain_text("Closed")
        expect(page.locator("[data-alone]")).to_have_count(0)
        house.close()


def _forge(path: Path) -> None:
    """Put everybody's PIN in the place of another's, and a session that nobody began."""
    with closing(sqlite3.connect(path)) as database:
        pins = database.execute("SELECT key, value FROM secrets WHERE kind = 'pin'").fetchall()
        kept = b'{"account":"x","generation":1,"begun":"2026-11-15T08:00:00.000000Z"}'
        swapped = dict(zip((key for key, _ in pins), (value for _, value in (*pins[1:], pins[0])), strict=True))
        for key, value in swapped.items():
            database.execute("UPDATE secrets SET value = ? WHERE kind = 'pin' AND key = ?", (value, key))
        row = ("session", "ab" * 32, kept, "2099-01-01T00:00:00.000000Z")
        database.execute("INSERT INTO secrets VALUES (?, ?, ?, ?)", row)
        database.commit()


def test_the_glass_of_a_house_that_is_not_there_is_not_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["break-glass", str(tmp_path), "--reason", "x"]) != 0
    assert "is not the data folder of a house with its key" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
