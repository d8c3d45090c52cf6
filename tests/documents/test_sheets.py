"""One sheet as text, PDF, xlsx and HTML: all of it is there, nothing breaks out, and there is no other way."""

from __future__ import annotations

import io
import re
import zipfile
from html import escape
from random import Random

import pytest
from msgspec.structs import replace

from passline.documents.as_html import as_html
from passline.documents.as_pdf import as_pdf, as_pictures
from passline.documents.as_text import as_text, table_text
from passline.documents.as_xlsx import as_xlsx, tables_xlsx
from passline.documents.pictures import ChartItem, SheetDrawing, chart_of, picture_svg
from passline.documents.sheet import PrintedSheet, SheetFigure, SheetTable, SignatureLine, Styled
from passline.documents.slip_height import is_short_slip
from tests.source import FILES, SRC, imports_of, place

_WRITERS = {"typst", "xlsxwriter", "openpyxl", "reportlab", "weasyprint", "docx"}
_TABLE = SheetTable(
    title="<table>",
    code="<code>",
    clause="<clause>",
    heads=("<name>", "amount $", "share %", "count"),
    rows=(
        ("<row>", 1_234_56, 0.25, 7),
        ((Styled("<strong>", "strong"), Styled("<mono>", "mono"), Styled("<cited>", "clauses")), -5, None, None),
        ("=1+1", 5_00, 0.5, 12),
    ),
    about=("<under the title>",),
    notes=((Styled("<note>"),),),
    totals=(2,),
    flagged=(1,),
    groups=((1, "<group>"),),
)
_LIST = SheetTable(
    title="seen",
    rows=(((Styled("", "box"), Styled("<a tip box>")), (Styled("<MD-2.E>", "clauses"),)), ("<done>", "")),
)
_SHEET = PrintedSheet(
    title="<title>",
    owner="<owner>",
    regulation="<regulation>",
    about="<about>",
    dated="<dated>",
    facts=(("<fact>", "<it is so>"),),
    figures=(SheetFigure("<figure>", (("<3x>", "<4, 10>"),)),),
    tables=(_TABLE, _LIST),
    signatures=(SignatureLine("<signs>", ("", "<Flo>"), "<act 3>"),),
    small_print="<small print>",
    foot=("<foot>",),
)
_ON_PAGES = {"<foot>"}  # which a page of HTML and text does not have
_NOT_IN_TEXT = {"<owner>", "<regulation>", "<dated>", "<act 3>"}


def _words_of(sheet: PrintedSheet) -> set[str]:
    return set(re.findall(r"<[^<>/]+>", repr(sheet)))


def test_html_has_every_word_of_a_sheet_and_nothing_breaks_out_of_it() -> None:
    page = as_html("<papers>", _SHEET)
    words = _words_of(_SHEET)
    assert len(words) == 29
    for text in words - _ON_PAGES:
        assert escape(text) in page.replace("&lt;A ", "&lt;a "), text
    body = page.partition("<body>")[2]
    assert not [text for text in words - {"<table>", "<strong>", "<code>", "<title>"} if text in body]
    assert body.count("<table>") == 2
    assert body.count("<code>") == 2  # the code of the table, and what is set in typewriter letters
    assert not re.search(r"(?:src|href)=|url\(|@import|<script", page)


def test_text_has_every_word_of_a_sheet() -> None:
    text = as_text(_SHEET)
    assert not [words for words in _words_of(_SHEET) - _ON_PAGES - _NOT_IN_TEXT if words not in text]
    assert "  [ ] <a tip box> [<MD-2.E>]" in text
    assert re.search(r"^<row> +1,234\.56  25\.0000      7$", text, flags=re.MULTILINE)


def test_a_table_without_rows_has_a_sentence() -> None:
    assert table_text(SheetTable(title="Fills", heads=("slip",), nothing="No fills.")) == "Fills\nNo fills."


def _parts(book: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        return {name: parts.read(name).decode() for name in parts.namelist()}


def test_a_workbook_has_numbers_as_numbers_and_words_as_words() -> None:
    parts = _parts(tables_xlsx("All", [_TABLE]))
    page = parts["xl/worksheets/sheet1.xml"]
    assert re.search(r'<c r="B2" s="\d+"><v>1234\.56</v></c><c r="C2" s="\d+"><v>0\.25</v></c>', page)
    assert "<f>" not in page  # what people typed is no formula
    assert "=1+1" in parts["xl/sharedStrings.xml"]
    assert '<autoFilter ref="A1:D4"/>' in page
    assert 'xSplit="1" ySplit="1"' in page


def test_a_page_of_a_workbook_has_facts_tables_and_signatures() -> None:
    book = as_xlsx("All", [_SHEET, replace(_SHEET, title="other")])
    assert book == as_xlsx("All", [_SHEET, replace(_SHEET, title="other")])
    parts = _parts(book)
    assert re.findall(r'<sheet name="([^"]+)"', parts["xl/workbook.xml"]) == ["&lt;title&gt;", "other"]
    on_pages = {"<title>", "<owner>", "<regulation>", "<about>", "<dated>", "<small print>", "<act 3>"} | _ON_PAGES
    left_out = {"<figure>", "<3x>", "<4, 10>", "<under the title>", "<code>", "<clause>", "<group>"}
    for words in _words_of(_SHEET) - on_pages - left_out:
        assert escape(words) in parts["xl/sharedStrings.xml"], words


def test_pages_of_a_workbook_have_names_of_their_own_however_long_their_titles_are() -> None:
    long = (*(f"A house of {'x' * n} name" for n in (40, 50)), f"hands {chr(0x1F3B2) * 20} at two dice")
    titles = ("Bay: [Casino]", "bay casino", "1 Bay Casino", "", *long)
    parts = _parts(as_xlsx("All", [PrintedSheet(title=title) for title in titles]))
    names = re.findall(r'<sheet name="([^"]+)"', parts["xl/workbook.xml"])
    assert names[:4] == ["Bay Casino", "1 bay casino", "1 1 Bay Casino", "Sheet"]
    assert len({name.lower() for name in names}) == len(titles)
    assert all(len(name.encode("utf-16-le")) <= 2 * 31 for name in names)


def test_a_long_table_repeats_its_heads_on_every_page() -> None:
    """The pages after the first differ when only the heads do."""
    rows = tuple((f"Player {number}", "fee") for number in range(90))
    sheets = [
        PrintedSheet(title="Entrants", tables=(SheetTable(title="All", heads=heads, rows=rows),))
        for heads in (("name", "paid"), ("player", "bought"))
    ]
    one, other = (as_pictures(sheet, ppi=30) for sheet in sheets)
    assert len(one) == len(other) > 1
    assert all(page != same for page, same in zip(one, other, strict=True))


def test_what_every_sheet_can_have_is_printed() -> None:
    """Each part changes the picture of the page: none is lost between a sheet and its template."""
    whole = as_pictures(_SHEET, ppi=50)
    assert len(whole) == 1
    for field in ("owner", "regulation", "about", "dated", "facts", "figures", "tables", "signatures", "foot"):
        empty = "" if isinstance(getattr(_SHEET, field), str) else ()
        assert as_pictures(replace(_SHEET, **{field: empty}), ppi=50) != whole, field


def test_equal_sheets_are_equal_bytes_and_are_set_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was set lately is kept, as long as it is not too much."""
    made, other = as_pdf(_SHEET), replace(_SHEET, title="another")
    monkeypatch.setattr("passline.documents.as_pdf._SET", {})
    assert as_pdf(_SHEET) == made
    with monkeypatch.context() as without:
        without.setattr("typst.compile", lambda *_content, **_options: b"anew")
        assert as_pdf(_SHEET) == made
        assert as_pdf(other) == b"anew"
        without.setattr("passline.documents.as_pdf._SET_BYTES_MAX", len(made))
        assert as_pdf(replace(_SHEET, title="a third")) == b"anew"  # and the first is kept no more
        assert as_pdf(_SHEET) == b"anew"


@pytest.mark.parametrize("rows", [1, 60])
def test_a_placard_is_one_page_however_much_it_says(rows: int) -> None:
    table = SheetTable(title="", heads=("wager", "pays"), rows=(("Field", "1 to 1"),) * rows, widths=(0, 1))
    assert len(as_pictures(PrintedSheet(title="Craps", tables=(table,), form="placard"), ppi=20)) == 1


def test_charts_and_drawings_become_pictures_of_a_sheet() -> None:
    items = [ChartItem("<T1>", 0.2), ChartItem("T2", None)]
    chart = chart_of("<Hold>", "<of the drop>", items, lambda share: f"<{share:.1f}>")
    assert chart is not None
    svg = picture_svg(chart)
    assert escape("<T1>") in svg
    assert escape("<0.2>") in svg
    assert "not known" in svg
    assert svg.count("<rect") == 1
    drawing = SheetDrawing(title="", about="", svg=svg, inches_wide=2.0)
    sheet = PrintedSheet(title="Day", pictures=(chart, drawing), form="landscape")
    assert as_html("Day", sheet).count("<svg") == 2
    assert as_pictures(sheet, ppi=30) != as_pictures(replace(sheet, pictures=(chart,)), ppi=30)


def test_no_second_way_to_pdf_xlsx_or_html() -> None:
    """Whatever is printed or filed becomes a file here, so that a slip's print is changed in one place."""
    documents = SRC / "passline" / "documents"
    elsewhere = [path for path in FILES if documents not in path.parents]
    writers = [
        f"{place(path, line)} imports {name}: make a PrintedSheet, and use passline.documents"
        for path in elsewhere
        if any(name in path.read_text(encoding="utf-8") for name in _WRITERS)  # only those are parsed
        for name, line in imports_of(path)
        if name.partition(".")[0] in _WRITERS
    ]
    pages = [str(path) for path in elsewhere if "<!doctype html" in path.read_text(encoding="utf-8").lower()]
    templates = [path for path in (SRC / "passline").rglob("*.typ") if path.parent != documents]
    assert (writers, pages, templates) == ([], [], [])


_SAID = ("the", "Table", "Wmm", "chips", "taken BACK", "WWW", "drop box", "minimum", "2026-11-16")


def _slip(chance: Random) -> PrintedSheet:
    """Make up a slip with little or much on it, in narrow and in wide letters."""

    def words(most: int) -> str:
        return " ".join(chance.choice(_SAID) for _ in range(chance.randrange(most + 1)))

    columns = range(chance.randrange(1, 5))
    table = SheetTable(
        title=words(3),
        heads=tuple(words(2) for _ in columns),
        widths=tuple(chance.choice((0.8, 1.0, 2.0)) for _ in columns),
        rows=tuple(tuple(words(3) for _ in columns) for _ in range(chance.randrange(6))),
        notes=tuple(words(8) for _ in range(chance.randrange(2))),
    )
    return PrintedSheet(
        title=words(3) or "Slip",
        number=f"F-{chance.randrange(10**6):06}",
        owner=words(4),
        regulation=words(6),
        about=words(4),
        copy=words(8),
        stamp=chance.choice(("", "void", "taken back")),
        code=chance.choice(("", "PASSLINE:7:0123456789ABCDEF:F-1")),
        facts=tuple((words(3), words(6)) for _ in range(chance.randrange(8))),
        tables=(table,) * chance.randrange(2),
        signatures=tuple(SignatureLine(words(5), (), words(4)) for _ in range(chance.randrange(8))),
        foot=tuple(words(6) for _ in range(chance.randrange(7))),
        form="slip",
    )


@pytest.mark.whole
def test_a_slip_that_is_not_measured_fits_on_its_third_of_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set with every slip measured, and not in parts, pages look the same point by point."""
    chance = Random(7)
    slips = [_slip(chance) for _ in range(150)]
    short = [slip for slip in slips if is_short_slip(slip)]
    assert 30 < len(short) < len(slips)
    unmeasured = as_pictures(*short, ppi=100)
    monkeypatch.setattr("passline.documents.as_pdf.is_short_slip", lambda _slip: False)
    measured = as_pictures(*short, ppi=100)
    unlike = [page for page, (one, other) in enumerate(zip(unmeasured, measured, strict=True)) if one != other]
    assert not unlike
    assert len(measured) == -(-len(short) // 3)
