"""Documents: stored under their digest, whole or not at all, and refused once they are changed."""

from hashlib import sha256
from pathlib import Path

import pytest

from passline.acts import commands as c
from passline.acts.documents import Documents, named_documents
from passline.acts.rules import office_of
from passline.store.log import LogError

LETTER = b"%PDF-1.7 a letter of the TGO"


def test_a_document_lies_under_its_digest(tmp_path: Path) -> None:
    documents = Documents(tmp_path / "documents")
    digest = documents.put(LETTER)
    assert digest == sha256(LETTER).hexdigest() == documents.put(LETTER)
    assert [str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*") if one.is_file()] == [
        f"documents/{digest[:2]}/{digest[2:]}"
    ]
    assert documents.read(digest) == LETTER
    assert documents.read("0" * 64) is None
    assert not documents.has("../../log.key")


def test_a_changed_document_is_refused_and_storing_it_again_mends_it(tmp_path: Path) -> None:
    documents = Documents(tmp_path)
    digest = documents.put(LETTER)
    (tmp_path / digest[:2] / digest[2:]).write_bytes(LETTER + b"!")
    with pytest.raises(LogError, match="was changed after it was stored"):
        documents.read(digest)
    assert list(documents.faults()) == [f"document {digest} was changed after it was stored"]
    documents.put(LETTER)
    assert documents.read(digest) == LETTER
    assert list(documents.faults()) == list(Documents().faults()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "documents").write_text("in the way")
    with pytest.raises(LogError, match="was not stored"):
        Documents(tmp_path / "documents").put(LETTER)


def test_the_documents_of_a_command_are_those_of_its_fields_and_of_its_paper() -> None:
    rules, digest = office_of("maryland"), "ab" * 32
    drawn = c.DoAct(act="draft_layout", things=("L1",), fields={"drawing": digest, "drop_box": "left"})
    assert named_documents(rules, drawn) == {"drawing": digest}
    paper = {"document": digest, "reference": "letter 7", "received": "2026-01-02"}
    assert named_documents(rules, c.DoAct(act="approve_layout", paper=paper)) == {"paper.document": digest}
    assert named_documents(rules, c.VoidAct(number=1, reason="a slip")) == {}
