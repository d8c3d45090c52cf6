"""The text of pages: their digest, how a log packs them, and what is known of those that it keeps."""

import zlib
from base64 import b64encode
from pathlib import Path

import pytest

from passline.acts.rules import OFFICE_RULES
from passline.rules.clauses import REGULATIONS
from passline.rules.pages.texts import Pages, RulebookError, installed_folder, packed_pages, read_pages, unpacked_pages
from passline.rules.rulebook_reader import load_rulebook, rulebook_from, rulebook_of
from tests.rules.rulebooks import HARBOUR


@pytest.mark.parametrize("name", REGULATIONS)
def test_a_rulebook_reads_the_same_from_its_folder_and_from_the_log(name: str) -> None:
    pages = read_pages(installed_folder(name))
    again = unpacked_pages(name, packed_pages(pages))
    assert again == pages
    assert rulebook_from(again) == rulebook_of(name)
    assert rulebook_of(name).digest == pages.digest
    assert len(packed_pages(pages)) < 20_000


def test_the_digest_is_over_the_bytes_that_were_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is read once: whoever changes it between two readings changes nothing."""
    read: list[str] = []
    whole = Path.read_bytes

    def once(path: Path) -> bytes:
        read.append(path.name)
        return whole(path)

    monkeypatch.setattr(Path, "read_bytes", once)
    monkeypatch.setattr(Path, "read_text", None)
    rulebook = load_rulebook(HARBOUR)
    assert sorted(read) == sorted({*read})
    assert len(read) == len([*HARBOUR.glob("*.toml")])
    assert rulebook.digest == read_pages(HARBOUR).digest
    (tmp_path / "notes.txt").write_bytes(b"not a page")
    assert read_pages(tmp_path).texts == {}


def test_every_byte_and_every_name_counts() -> None:
    pages = read_pages(HARBOUR)
    digests = {pages.digest}
    for page, text in pages.texts.items():
        rest = {name: other for name, other in pages.texts.items() if name != page}
        for changed in ({**rest, page: text + b"\n"}, rest, {**rest, f"x{page}": text}):
            digests.add(Pages(pages.name, changed).digest)
    assert len(digests) == 1 + 3 * len(pages.texts)


@pytest.mark.parametrize(
    "packed",
    ["", "?", b64encode(b"junk").decode(), b64encode(zlib.compress(b"[]")).decode()],
    ids=["empty", "not base64", "not zlib", "not pages"],
)
def test_damaged_pages_are_refused(packed: str) -> None:
    with pytest.raises(RulebookError, match=r"^the kept pages of maryland cannot be unpacked$"):
        unpacked_pages("maryland", packed)


def test_pages_that_would_fill_the_memory_are_refused() -> None:
    bomb = b64encode(zlib.compress(b'{"a":"' + b" " * 50_000_000 + b'"}', 9)).decode()
    assert len(bomb) < 100_000
    with pytest.raises(RulebookError, match="cannot be unpacked"):
        unpacked_pages("maryland", bomb)


def test_a_folder_in_place_of_a_page_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    (tmp_path / "wagers.toml").mkdir()
    with pytest.raises(RulebookError, match=r"wagers\.toml: is a folder"):
        read_pages(tmp_path)
    with pytest.raises(RulebookError, match="nowhere: No such file"):
        read_pages(tmp_path / "nowhere")


def test_kept_pages_are_known_by_their_digest_and_read_once() -> None:
    pages = OFFICE_RULES.installed_pages("maryland")
    kept = OFFICE_RULES.learn(pages)
    assert OFFICE_RULES.find(pages.digest) is kept is OFFICE_RULES.learn(pages)
    assert OFFICE_RULES.find("") is None
    other = OFFICE_RULES.learn(Pages("colorado", pages.texts))
    assert (other.name, other.digest) == ("colorado", pages.digest)
