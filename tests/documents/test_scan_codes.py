"""Codes to scan: those of forms, which are made here, are segno's module for module."""

from __future__ import annotations

import random
import string

import pytest
import segno

from passline.acts.papers.form_codes import FormCode
from passline.documents.quick_codes import quick_code
from passline.documents.scan_codes import scan_code
from tests.cases import one_in

_SIGNS = string.digits + string.ascii_uppercase + " $%*+-./:"
_SHORTEST, _LONGEST = 68, 154  # of those that are made here


def _by_segno(text: str) -> str:
    code = segno.make(text, error="m", micro=False)
    return str(code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None))


@pytest.mark.parametrize("length", one_in(4, range(_SHORTEST, _LONGEST + 1), others=pytest.mark.whole))
def test_code_of_every_length_is_as_segno_draws_it(length: int) -> None:
    text = "".join(random.Random(length).choices(_SIGNS, k=length))
    assert quick_code(text) is not None
    assert scan_code(text) == _by_segno(text)


@pytest.mark.parametrize("seed", range(40))
def test_code_of_a_form_is_as_segno_draws_it(seed: int) -> None:
    chance = random.Random(seed)
    code = FormCode(chance.randint(1, 10**7), chance.randbytes(32).hex(), f"F-{chance.randint(1, 999_999):06}")
    assert quick_code(str(code)) is not None
    assert scan_code(str(code)) == _by_segno(str(code))


@pytest.mark.parametrize("sequence", [1, 10**18 - 1])
@pytest.mark.parametrize("number", ["A", "A" * 60])
def test_every_code_of_a_form_is_made_here(sequence: int, number: str) -> None:
    assert quick_code(str(FormCode(sequence, "ab" * 32, number))) is not None


@pytest.mark.parametrize("text", ["A" * (_SHORTEST - 1), "A" * (_LONGEST + 1), "a" * _SHORTEST, "http://host/"])
def test_other_texts_are_left_to_segno(text: str) -> None:
    assert quick_code(text) is None
    assert scan_code(text) == _by_segno(text)
