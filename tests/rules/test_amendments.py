"""Amendments: each day has its text, with a digest of its own, and a fault names the file in which it stands."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from passline.acts.rules import OFFICE_RULES, office_of
from passline.rules.clauses import clauses_of
from passline.rules.pages.amendments import DatedTexts, read_texts, texts_of
from passline.rules.pages.day import DAY as DAY_VARIABLE
from passline.rules.pages.day import days_told_by
from passline.rules.pages.library import folder_of, own_regulations
from passline.rules.pages.texts import Pages, RulebookError, RulebookFaults, packed_pages, read_pages, unpacked_pages
from passline.rules.rulebook_reader import load_rulebook, rulebook_from, rulebook_of
from passline.rules.rules import Rules
from passline.rules.schema import Rulebook
from tests.rules.amended import BEFORE, DAY, NAME, ORDER, amended, write_amended
from tests.tables.changed_rulebook import new_process

__all__ = ["amended"]  # a fixture


def _pays(rulebook: Rulebook) -> str:
    return str(Rules.under(rulebook).wagers["field"].payouts[166].pays)


def test_an_amendment_changes_nothing_before_its_day(amended: Path) -> None:
    old, new = rulebook_of(NAME, BEFORE), rulebook_of(NAME, DAY)
    assert old.digest == read_pages(amended).digest == load_rulebook(amended).digest != new.digest
    assert (_pays(old), _pays(new)) == ("2 to 1", "3 to 1")
    assert [text.elections["wager_cents_max"].max for text in (old, new)] == [1000000, 100000]
    assert new.elections["wager_cents_max"].cite == old.elections["wager_cents_max"].cite  # the rest stays
    assert old.amendments == ()
    assert [str(one) for one in new.amendments] == ["Order 27-01, in force from 2027-01-01"]
    assert rulebook_of(NAME, date(2099, 1, 1)) is new
    with days_told_by(lambda _name: BEFORE):
        assert rulebook_of(NAME) is old
    with days_told_by(lambda _name: DAY):
        assert rulebook_of(NAME) is new


def test_the_environment_names_the_day(amended: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    monkeypatch.setenv(DAY_VARIABLE, "2027-02-03")
    assert _pays(rulebook_of(NAME)) == "3 to 1"
    monkeypatch.setenv(DAY_VARIABLE, "2026-02-03")
    assert _pays(Rules.of(NAME).rulebook) == "2 to 1"


def test_a_log_keeps_the_text_of_a_day_like_any_other(amended: Path) -> None:  # noqa: ARG001
    pages = texts_of(NAME).on(DAY)
    kept = unpacked_pages(NAME, packed_pages(pages))
    assert kept == pages
    assert _pays(rulebook_from(kept, is_kept=True)) == "3 to 1"


def test_amendments_follow_each_other_and_lapse(amended: Path) -> None:
    second = 'instrument = "Emergency order"\nfrom = 2027-03-01\nto = 2027-04-01\nrepeals = ["wagers.any_seven"]\n'
    write_amended(amended.parent, second, file="2027-03")
    texts = read_texts(amended)
    assert [day for day, _pages in texts.after(BEFORE)] == [DAY, date(2027, 3, 1), date(2027, 4, 1)]
    has = {day: "any_seven" in rulebook_from(texts.on(date(2027, *day))).wagers for day in ((2, 28), (3, 1), (4, 1))}
    assert has == {(2, 28): True, (3, 1): False, (4, 1): True}
    assert texts.on(date(2027, 4, 1)).digest == texts.on(DAY).digest  # the same text again


@pytest.mark.parametrize(
    ("days", "in_force"),
    [
        ("from = 2027-01-01", (False, True, True)),
        ("to = 2027-01-01", (True, False, False)),
        ("from = 2027-01-01\nto = 2028-01-01", (False, True, False)),
    ],
)
def test_an_entry_is_in_force_from_its_first_day_to_its_last(
    tmp_path: Path, days: str, in_force: tuple[bool, ...]
) -> None:
    """`[from, to)`: an entry of 2099 is not in force today, and one that has ended is no more."""
    folder = write_amended(tmp_path)
    (folder / "amendments" / "2027-01.toml").unlink()
    page = folder / "wagers.toml"
    page.write_text(page.read_text("utf-8").replace("[any_seven]\n", f"[any_seven]\n{days}\n"), "utf-8")
    texts = read_texts(folder)
    seen = [BEFORE, DAY, date(2028, 1, 1)]
    assert tuple("any_seven" in rulebook_from(texts.on(day)).wagers for day in seen) == in_force
    assert texts.on(BEFORE).digest != texts.on(DAY).digest
    assert texts.on(DAY).digest == texts.on(DAY + timedelta(days=1)).digest


@pytest.mark.parametrize("name", own_regulations())
def test_the_text_of_today_is_what_is_written_where_every_day_has_come(name: str) -> None:
    """Or every log that was ever kept would be under another digest."""
    texts = texts_of(name)
    assert texts == DatedTexts(read_pages(folder_of(name)))
    assert texts.on(date(2026, 11, 18)) == texts.written
    assert not list(texts.after(date(2026, 11, 18)))


def test_the_office_of_a_day_is_amended_too(amended: Path) -> None:
    act = next(iter(office_of(NAME).pages.acts))
    order = ORDER + f'\n[office.acts.{act}]\nname = "Amended name"\n'
    write_amended(amended.parent, order)
    new_process()
    with days_told_by(lambda _name: BEFORE):
        old, before = office_of(NAME), OFFICE_RULES.installed_pages(NAME)
    with days_told_by(lambda _name: DAY):
        new, after = office_of(NAME), OFFICE_RULES.installed_pages(NAME)
    assert (old.digest, new.digest) == (before.digest, after.digest)
    assert old.digest != new.digest
    assert new.pages.acts[act].name == "Amended name" != old.pages.acts[act].name


FAULTS: dict[str, tuple[Callable[[str], str], str]] = {
    "instrument": (lambda order: order.replace("Order 27-01", " "), "instrument: name the order"),
    "day": (lambda order: order.replace("from = 2027-01-01", 'from = "2027-01-01"'), "from: the day from which"),
    "end": (lambda order: order.replace("from = 2027-01-01", "from = 2027-01-01\nto = 2027-01-01"), "to: must be a"),
    "page": (lambda order: "wagers = 1\n" + order.split("\n[")[0], "wagers: must be a table named after a page"),
    "empty": (lambda order: order.split("\n[")[0], "changes nothing"),
    "repeals": (lambda order: 'repeals = ["wagers.fild"]\n' + order, "repeals: there is no wagers.fild"),
    "list": (lambda order: "repeals = 3\n" + order, "repeals: must be a list of entries"),
    "key": (lambda order: order.replace("max = 100000", "maxx = 100000", 1), "elections.wager_cents_max.maxx: is not"),
    "stray page": (lambda order: order.replace("[wagers.", "[wages."), "wages: belongs to no game"),
    "table": (
        lambda order: order.replace("[wagers.field]", "[wagers.field.name]"),
        "wagers.field.name: is a table here",
    ),
    "clause": (lambda order: order.replace("QUAY-3.5", "QUAY-99"), "cites QUAY-99, which is not a clause of quay"),
}


@pytest.mark.parametrize(("change", "said"), FAULTS.values(), ids=FAULTS)
def test_a_fault_of_an_amendment_is_named(amended: Path, change: Callable[[str], str], said: str) -> None:
    write_amended(amended.parent, change(ORDER))
    with pytest.raises(RulebookError) as error:
        rulebook_from(read_texts(amended).on(DAY))
    assert "quay/amendments/2027-01.toml: " in str(error.value)
    assert said in str(error.value)


def test_an_amendment_brings_clauses_of_its_own(amended: Path) -> None:
    write_amended(amended.parent, ORDER.replace("QUAY-3.5", "QUAY-27-1"))
    matrix = (amended.parent / "clauses" / "quay.csv").read_text("utf-8").splitlines()
    row = "QUAY-27-1,Order 27-01,payout,The field pays 3 to 1 on 2 and 12.,player,engine,bet=field,QUAY-3.5,,game"
    for rows, said in ((row, ""), (row.replace("QUAY-27-1", "QUAY-3.5"), "is the id of another row already")):
        (amended / "amendments" / "2027-01.csv").write_text(f"{matrix[0]}\n{rows}\n", "utf-8")
        new_process()
        if said:
            with pytest.raises(RulebookFaults, match=said):
                rulebook_of(NAME, DAY)
        else:
            assert _pays(rulebook_of(NAME, DAY)) == "3 to 1"
            assert [*clauses_of(NAME)][-1] == "QUAY-27-1"
    (amended / "amendments" / "2027-01.csv").unlink()
    new_process()


def test_amendments_are_read_in_the_order_of_their_days(amended: Path) -> None:
    write_amended(amended.parent, ORDER.replace("2027-01-01", "2026-12-01"), file="2027-02")
    with pytest.raises(RulebookError, match=r"2027-02.toml: is in force before amendments/2027-01.toml"):
        read_texts(amended)


def test_an_entry_that_has_ended_is_still_checked(tmp_path: Path) -> None:
    folder = write_amended(tmp_path)
    page = folder / "wagers.toml"
    page.write_text(
        page.read_text("utf-8").replace("[any_seven]\n", "[any_seven]\nto = 2020-01-01\nnmae = 1\n"), "utf-8"
    )
    with pytest.raises(RulebookFaults, match=r"any_seven.nmae: is not a key here"):
        rulebook_from(read_texts(folder).on(BEFORE))


def test_days_of_entries_are_found_wherever_they_stand() -> None:
    written = b"""a = { from = 2027-01-01, to = 2028-01-01 }
# from = 2020-01-01
  "to"= 2029-01-01
since = 2000-01-01
"""
    texts = DatedTexts(Pages("harbour", {"wagers.toml": written}))
    assert texts.days == (date(2027, 1, 1), date(2028, 1, 1), date(2029, 1, 1))
