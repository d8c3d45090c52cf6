"""Checks that texts can be read, and compares names and numbers as people read them."""

from __future__ import annotations

import re
from typing import Any

from passline.acts.rules import ActRules
from passline.people.accounts import has_unseen, name_key

_LINES = str.maketrans("\r\n\t", "   ")  # a text may have several
_BETWEEN = re.compile(r"[\W_]+")
# Small letters of the Cyrillic and the Greek alphabet that look like Latin ones, themselves or as capitals.
_CYRILLIC = (
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0455\u0458",
    "abekmhopctyxisj",
)
_GREEK = ("\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7", "abezhikmnoptyx")
_LATIN = str.maketrans(_CYRILLIC[0] + _GREEK[0], _CYRILLIC[1] + _GREEK[1])


def text_fault(rules: ActRules, text: str) -> str:
    """Return why people could not read a text, or an empty string; older pages accept any text."""
    if rules.pages.writing is None or not rules.pages.writing.visible:
        return ""
    if has_unseen(text.translate(_LINES)):
        return "has signs that nobody sees: write it anew"
    return "" if any(sign.isalnum() for sign in text) else "says nothing: write it in letters or digits"


def written_key(text: str) -> str:
    """Return a key that is equal for two numbers of seals, licences or documents that people would read as the same.

    >>> written_key("TG-100") == written_key("tg \u2010 100"), written_key("TG-100") == written_key("TG-1-00")
    (True, False)
    >>> written_key("TC-7") == written_key("\u0422\u0421-7")  # in Cyrillic letters
    True
    """
    return _BETWEEN.sub(" ", name_key(text).translate(_LATIN)).strip()


def compares_alike(rules: ActRules) -> bool:
    """Return whether the pages treat names as the same that people would read as the same."""
    return rules.pages.writing is not None and rules.pages.writing.alike


def facts_alike(rules: ActRules, kind: str, fact: str) -> bool:
    """Return whether a fact of a kind of thing is a text, and the pages compare texts as people read them."""
    texts = (act.fields.get(fact) for act in rules.pages.acts.values() if act.thing == kind)
    return compares_alike(rules) and any(field is not None and field.type == "text" for field in texts)


def read_alike(value: Any) -> Any:  # noqa: ANN401 - as a fact has it
    """Return the key by which a fact is compared with others."""
    return written_key(value) if isinstance(value, str) else value
