"""Exports: JSON lines that verify like the log itself, and a spreadsheet with dollars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from passline.store.entry import LogRow
from passline.store.export import row_from_json, row_to_json, select_rows, write_jsonl, write_xlsx
from passline.store.log_source import open_source
from passline.store.sealed import stored_of
from passline.store.verify import verify_log
from tests.store.conftest import Place
from tests.store.drafts import draft
from tests.store.recorded import hand_of_two


def sheets_of(path: Path) -> list[list[dict[str, str]]]:
    """Return the rows of each sheet, with cells by column letter; a formatted number ends in $."""
    with ZipFile(path) as book:
        names = sorted(name for name in book.namelist() if name.startswith("xl/worksheets/sheet"))
        texts = [book.read(name).decode() for name in names]
    cell = re.compile(
        r'<c r="([A-Z]+)\d+"(?: s="(\d)")?(?: t="inlineStr")?>(?:<is><t[^>]*>(.*?)</t></is>|<v>(.*?)</v>)'
    )
    return [
        [
            {column: text or f"{number}{'$' if style else ''}" for column, style, text, number in cell.findall(row)}
            for row in re.findall(r"<row .*?</row>", text, flags=re.DOTALL)
        ]
        for text in texts
    ]


def test_an_export_of_any_store_verifies(place: Place, tmp_path: Path) -> None:
    log = place.open()
    log.append([draft(0), draft(1, name='quote" back\\slash ü')])
    path = tmp_path / "log.jsonl"
    assert write_jsonl(log.rows(), path) == 3
    with open_source(str(path)) as source:
        assert verify_log(source.rows(), log.public_key, log.head(), every_seal=True).is_intact
        assert [stored_of(line) for line in source.rows()] == list(log.read())
        assert source.damages() == []


def test_a_line_has_only_one_spelling() -> None:
    log, _ = hand_of_two()
    for line in log.rows():
        text = row_to_json(line)
        again = row_from_json(text)
        assert (again.body, again.hash, again.seal, again.fault) == (line.body, line.hash, line.seal, "")
        assert row_from_json(text.replace(b'"hash":', b'"hash": ')).fault
        assert row_from_json(text.upper()).fault
        assert row_from_json(text[:-1]).fault == "has a line without an end: the file was cut or changed there"


def test_an_export_can_be_limited_to_a_stream_and_later_entries() -> None:
    log, _ = hand_of_two()
    assert [stored_of(line).entry.stream for line in select_rows(log.rows(), stream="house")] == ["house"]
    later = [stored_of(line).entry.sequence for line in select_rows(log.rows(), after=12, stream="table/golden")]
    assert later == list(range(13, len(later) + 13))


def test_an_export_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    log, _ = hand_of_two()

    def broken() -> Iterator[LogRow]:
        yield from log.rows(until=5)
        raise InterruptedError

    for write, name in ((write_jsonl, "log.jsonl"), (write_xlsx, "log.xlsx")):
        with pytest.raises(InterruptedError):
            write(broken(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_spreadsheet_has_a_row_for_each_event_with_dollars(tmp_path: Path) -> None:
    log, game = hand_of_two()
    path = tmp_path / "log.xlsx"
    assert write_xlsx(log.rows(), path) == len([*log.rows()])
    (rows,) = sheets_of(path)
    heading, *events = rows
    assert len(events) == len(game.events) + 1
    assert [heading[column] for column in "AEJLNOP"] == [
        *("Sequence", "Hand", "Event", "Wager", "Amount", "Winnings", "Vigorish"),
    ]
    won = next(row for row in events if row.get("J") == "wager-won/1")
    assert {column: won[column] for column in "CEFHJKLMNO" if column in won} == {
        "C": "table/golden",
        "E": "1",
        "F": "passline",
        "J": "wager-won/1",
        "K": "2",
        "L": "place_win",
        "M": "8",
        "N": "12$",
        "O": "14$",
    }


def test_text_typed_by_players_is_never_a_formula(tmp_path: Path) -> None:
    log, _ = hand_of_two()
    log.append([draft(0, actor="=1+1", name="https://x.example")])
    write_xlsx(log.rows(), tmp_path / "log.xlsx")
    with ZipFile(tmp_path / "log.xlsx") as book:
        text = book.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in text
    assert "<hyperlink" not in text
    assert "=1+1" in text


def test_rows_that_do_not_fit_a_sheet_go_to_the_next(tmp_path: Path) -> None:
    log, game = hand_of_two()
    write_xlsx(log.rows(), tmp_path / "log.xlsx", rows_max=10)
    sheets = sheets_of(tmp_path / "log.xlsx")
    assert [row["A"] for row in [*sheets[0]][:1]] == ["Sequence"]
    assert {len(rows) for rows in sheets[:-1]} == {10}
    assert sum(len(rows) - 1 for rows in sheets) == len(game.events) + 1
