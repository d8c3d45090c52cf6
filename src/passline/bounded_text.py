"""JSON and TOML that strangers send: bounds are checked first, in time that grows with the length, then it is parsed.

Files that people name are read here too, up to a bound, since a device may have no end; what cannot be read is named.

Parsers are quick with what people write. A text made to be slow is another matter: `tomllib` takes a minute for 60 KB
of dotted keys, and thousands of digits or brackets end in errors that nobody expects. So a text is refused, with what
is too large in it, before any parser sees it.
"""

from __future__ import annotations

import re
import sys
import tomllib
from glob import escape
from pathlib import Path
from typing import Any

import msgspec

from passline.errors import CrapsError

TEXT_MAX = 64 * 1024
"""The most bytes in a text."""
DEPTH_MAX = 32
"""The most lists and tables within each other."""
DIGITS_MAX = 18
"""The most digits in a row outside quotes: 64 bits hold any such number."""
ITEMS_MAX = 4_000
"""The most keys and items in all."""
DOTS_MAX = 8
"""The most dots in a key or the name of a table."""
SHORT = 512
"""Bytes of a text whose depth and digits no parser minds; nearly every command is shorter."""

FILE_MAX = 4_000_000
"""The most bytes in a file that somebody names, if nothing else is said: all pages of a rulebook have 71,000."""

_MANY_DIGITS = b"0" * (DIGITS_MAX + 1)
_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_TO_ROUND = bytes.maketrans(b"{}", b"[]")

# No group is possessive, since Python before 3.11.5 matches those wrongly; what follows one cannot fail, so none is
# tried again.
_TOML_TOKEN = re.compile(
    r"""
    (?P<block>"{3}(?:[^"\\]++|\\.|"(?!""))*(?:"{3,5})? | '{3}(?:[^']++|'(?!''))*(?:'{3,5})?)
    | (?P<quoted>"(?:[^"\\\n]++|\\[^\n])*"? | '[^'\n]*+'?)
    | (?P<comment>\#[^\n]*+)
    | (?P<word>[^\s\[\]{},=."'\#]++)
    | (?P<dot>\.)
    | (?P<open>[\[{])
    | (?P<close>[\]}])
    | (?P<item>[,=])
    | (?P<line>\n)
    | (?P<other>[^\S\n]++)
    """,
    re.VERBOSE | re.DOTALL,
)


class TooLarge(CrapsError):
    """A text that is refused before it is parsed; the message says what is too large in it, and what is allowed."""


class OnEventLoop(RuntimeError):
    """A parser that may be slow was called on an event loop: a fault of the program."""


def check_json(text: bytes) -> None:
    """Raise TooLarge if JSON has too many bytes, levels, digits, keys or items. Other faults are not checked.

    >>> check_json(b'{"seat": 3, "cents": 500}')
    >>> check_json(b"[" * 600)
    Traceback (most recent call last):
    passline.bounded_text.TooLarge: lists and tables lie more than 32 deep in each other
    """
    _check_length(len(text))
    has_many_digits = _MANY_DIGITS in text.translate(_TO_ZERO)  # maybe within quotes
    if len(text) <= SHORT and not has_many_digits and text.count(b"[") + text.count(b"{") <= DEPTH_MAX:
        return
    plain = text.replace(rb"\\", b"").replace(rb"\"", b"")  # every quote that is left begins or ends a string
    if (quoted := plain.count(b'"') // 2) > ITEMS_MAX + 1:
        raise _too_many_items(quoted)
    bare = b'"'.join(plain.split(b'"')[::2])
    if has_many_digits and _MANY_DIGITS in bare.translate(_TO_ZERO):
        raise _too_many_digits()
    nests = max(bare.count(b"[") + bare.count(b"{"), bare.count(b"]") + bare.count(b"}"))
    if (items := bare.count(b",") + bare.count(b":") + nests) > ITEMS_MAX:
        raise _too_many_items(items)
    nested = bare.translate(_TO_ROUND, _NO_BRACKETS)
    for _ in range(DEPTH_MAX):
        if not nested:
            return
        nested = nested.replace(b"[]", b"")
    if b"[]" in nested or nested.count(b"[") > DEPTH_MAX:  # otherwise brackets are missing, which the parser tells
        raise _too_deep()


def check_toml(text: str) -> None:
    """Raise TooLarge if TOML has too many bytes, levels, dots in a key, digits, keys or items.

    >>> check_toml('odds = {"4" = 3}')
    >>> check_toml("a.a.a.a.a.a.a.a.a.a = 1")
    Traceback (most recent call last):
    passline.bounded_text.TooLarge: a key or the name of a table has more than 8 dots
    """
    _check_length(len(text.encode("utf-8", "surrogatepass")))
    depth = dots = items = at = 0
    while found := _TOML_TOKEN.match(text, at):
        at, kind = found.end(), found.lastgroup
        depth = max(depth + (kind == "open") - (kind == "close"), 0)
        dots = dots + 1 if kind == "dot" else 0 if kind in {"open", "close", "item", "line"} else dots
        items += kind in {"open", "item"}
        if depth > DEPTH_MAX:
            raise _too_deep()
        if dots > DOTS_MAX:
            raise TooLarge(f"a key or the name of a table has more than {DOTS_MAX} dots")
        if kind == "word" and _has_many_digits(found[0]):
            raise _too_many_digits()
    if items > ITEMS_MAX:
        raise _too_many_items(items)


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML within the bounds; raise CrapsError if it is not TOML. Never on an event loop: it may take a while.

    >>> parse_toml("seats = 16")
    {'seats': 16}
    >>> parse_toml("seats = ")
    Traceback (most recent call last):
    passline.errors.CrapsError: this is not TOML: Invalid value (at end of document)
    """
    _refuse_event_loop()
    check_toml(text)
    try:
        return tomllib.loads(text.removeprefix("\N{BYTE ORDER MARK}"))
    except (ValueError, RecursionError) as error:
        raise CrapsError(f"this is not TOML: {error}") from None


def parse_json(text: bytes) -> dict[str, Any]:
    """Parse a table of JSON within the bounds; raise CrapsError if it is not one. Never on an event loop.

    >>> parse_json(b'{"seats": 16}')
    {'seats': 16}
    """
    _refuse_event_loop()
    check_json(text)
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (ValueError, RecursionError) as error:
        raise CrapsError(f"this is not JSON: {error}") from None


def read_named_file(path: Path, most: int = FILE_MAX) -> bytes:
    """Return what is in a file that somebody named; raise CrapsError with what is there instead.

    >>> read_named_file(Path("nowhere.toml"))
    Traceback (most recent call last):
    passline.errors.CrapsError: nowhere.toml: there is no such file
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise CrapsError(f"{path}: there is no such file{_with_suffix(path)}") from None
    except IsADirectoryError:
        raise CrapsError(f"{path}: is a folder; name a file in it") from None
    except (OSError, ValueError) as error:  # a name with a null byte is no name
        raise CrapsError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise CrapsError(f"{path}: has more than {most:,} bytes, the most that are read: is it the right file?")
    return data


def _with_suffix(path: Path) -> str:
    """Return the question whether a file was meant whose name has a suffix more, or an empty string."""
    found = sorted(path.parent.glob(f"{escape(path.name)}.*")) if path.name and path.parent.is_dir() else []
    return f"; did you mean {found[0]}?" if found else ""


def text_of_file(data: bytes, label: str) -> str:
    """Return the text in the bytes of a file, without a byte-order mark; raise CrapsError if they are no text.

    >>> text_of_file(bytes.fromhex("efbbbf") + b"seats = 16", "ours.toml")
    'seats = 16'
    >>> text_of_file(bytes.fromhex("89504e47"), "ours.toml")
    Traceback (most recent call last):
    passline.errors.CrapsError: ours.toml: is not a text in UTF-8, but a binary file or another encoding
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise CrapsError(f"{label}: is not a text in UTF-8, but a binary file or another encoding")
    return text


def _refuse_event_loop() -> None:
    if (asyncio := sys.modules.get("asyncio")) is None:  # which takes long to import: without it no loop is running
        return
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise OnEventLoop("texts of strangers are parsed in a process of their own, never on the event loop")


def _has_many_digits(word: str) -> bool:
    """Return whether a bare word is a number of too many digits, rather than a long key."""
    if len(word) <= DIGITS_MAX:
        return False
    is_number = word[0] in "+-0123456789" and not word.strip("+-_0123456789abcdefABCDEFxo")
    return is_number and sum(character.isalnum() for character in word) > DIGITS_MAX


def _check_length(length: int) -> None:
    if length > TEXT_MAX:
        raise TooLarge(f"has {length} bytes; the most are {TEXT_MAX}")


def _too_deep() -> TooLarge:
    return TooLarge(f"lists and tables lie more than {DEPTH_MAX} deep in each other")


def _too_many_digits() -> TooLarge:
    return TooLarge(f"a number has more than {DIGITS_MAX} digits")


def _too_many_items(items: int) -> TooLarge:
    return TooLarge(f"has {items} keys and items; the most are {ITEMS_MAX}")
