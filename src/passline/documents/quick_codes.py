"""QR codes of the length that codes of forms have, made soon: the file of a busy day has some hundred.

Texts of 68 to 154 capital letters, figures and a few signs take version 4, 5 or 6 at error level M (ISO/IEC 18004), and
only those are made here. The modules of a code are the digits of one number, row by row, so that each of the eight
masks is put on and judged by a few operations on whole numbers. Tests hold the codes against segno's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from operator import itemgetter

from msgspec import Struct

_SIGNS = {sign: number for number, sign in enumerate("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")}
_MODE, _MODE_BITS, _LENGTH_BITS, _PAIR_BITS, _SIGN_BITS = 0b0010, 4, 9, 11, 6
_LEAST = 68  # characters; fewer are drawn smaller, or with more to correct errors by
_PADDING = b"\xec\x11"
_FIELD = 0x11D  # the polynomial by which bytes are multiplied
_FORMAT, _FORMAT_MASK = 0b10100110111, 0b101010000010010  # by what the format is divided, and what is put on it
_LIGHT, _DARK = "0", "1"
_FINDER, _TIMING, _FORMAT_LINE = 7, 6, 8  # the side of a corner's square; the line of dots; the line after the squares
_REST = 7  # modules that are left over, light before a mask is put on
_RUN, _RUN_MARKS, _BLOCK_MARKS, _FINDER_MARKS, _SHARE_MARKS = 5, 3, 3, 40, 10
_Place = tuple[int, int]  # row and column
_MASKS: tuple[Callable[[int, int], int], ...] = (  # a module is changed where it is 0
    lambda row, column: (row + column) % 2,
    lambda row, _: row % 2,
    lambda _, column: column % 3,
    lambda row, column: (row + column) % 3,
    lambda row, column: (row // 2 + column // 3) % 2,
    lambda row, column: row * column % 2 + row * column % 3,
    lambda row, column: (row * column % 2 + row * column % 3) % 2,
    lambda row, column: ((row + column) % 2 + row * column % 3) % 2,
)


class _Version(Struct, frozen=True):
    """A size of code: how many signs it holds, and its blocks, each with bytes of data and bytes to correct them."""

    side: int
    signs: int
    blocks: int
    data: int
    correction: int


_VERSIONS = (_Version(33, 90, 2, 32, 18), _Version(37, 122, 2, 43, 24), _Version(41, 154, 4, 27, 16))


def quick_code(text: str) -> list[str] | None:
    """Return the rows of a code, with 1 for each dark module; None for a text that is not of this length and kind.

    >>> rows = quick_code(f"PASSLINE:17:{'AB' * 32}:F-000001")
    >>> len(rows), rows[0][:7]
    (33, '1111111')
    >>> quick_code("http://192.168.1.20:8000/") is None
    True
    """
    version = next((version for version in _VERSIONS if _LEAST <= len(text) <= version.signs), None)
    if version is None or not _SIGNS.keys() >= {*text}:
        return None
    frame = _frame(version)
    bits = _bits(text, version) + _LIGHT + _DARK
    across, down = (int("".join(look(bits)), 2) for look in (frame.across, frame.down))
    marks = [
        _line_marks(across ^ over, frame) + _line_marks(down ^ turned, frame) + _area_marks(across ^ over, frame)
        for over, turned in frame.masks
    ]
    best = marks.index(min(marks))
    rows = f"{(across ^ frame.masks[best][0]) | frame.formats[best]:0{version.side**2}b}"
    return [rows[first : first + version.side] for first in range(0, len(rows), version.side)]


def _bits(text: str, version: _Version) -> str:
    """Return a text as the bits of a code, with those that correct errors."""
    values = [_SIGNS[sign] for sign in text]
    found = f"{_MODE:0{_MODE_BITS}b}{len(text):0{_LENGTH_BITS}b}"
    pairs = zip(values[::2], values[1::2], strict=False)
    found += "".join([f"{first * len(_SIGNS) + second:0{_PAIR_BITS}b}" for first, second in pairs])
    found += f"{values[-1]:0{_SIGN_BITS}b}" if len(values) % 2 else ""
    whole = version.blocks * version.data
    found += _LIGHT * _MODE_BITS  # nothing is read after these
    found += _LIGHT * (8 - len(found) % 8)  # as segno does, also where a byte is full
    data = (int(found, 2).to_bytes(len(found) // 8, "big") + _PADDING * whole)[:whole]
    blocks = [data[first : first + version.data] for first in range(0, whole, version.data)]
    checks = [_correction(block, version.correction) for block in blocks]
    mixed = bytes(chain(chain.from_iterable(zip(*blocks, strict=True)), chain.from_iterable(zip(*checks, strict=True))))
    return f"{int.from_bytes(mixed, 'big'):0{len(mixed) * 8}b}" + _LIGHT * _REST


def _correction(block: bytes, length: int) -> bytes:
    """Return the bytes that correct a block: what is left when it is divided by the polynomial of so many."""
    steps, left, top = _steps(length), 0, 8 * (length - 1)
    for byte in block:
        first = left >> top
        left = ((left ^ first << top) << 8) ^ steps[byte ^ first]
    return left.to_bytes(length, "big")


@cache
def _steps(length: int) -> list[int]:
    """Return the polynomial of so many bytes of correction, without its first, times each byte."""
    factors, power = [1], 1
    for _ in range(length):
        grown = [*factors, 0]
        for place, factor in enumerate(factors, start=1):
            grown[place] ^= _times(factor, power)
        factors, power = grown, _times(power, 2)
    return [int.from_bytes([_times(factor, byte) for factor in factors[1:]], "big") for byte in range(256)]


def _times(first: int, other: int) -> int:
    """Return the product of two bytes in the field of codes."""
    product = 0
    while other:
        product ^= first if other & 1 else 0
        first = first << 1 ^ (_FIELD if first & 0x80 else 0)
        other >>= 1
    return product


class _Frame(Struct, frozen=True):
    """What all codes of a size have: where bits go, what each mask changes, and which modules a rule looks at."""

    side: int
    across: Callable[[str], tuple[str, ...]]  # of bits, followed by a light and a dark one: the modules row by row
    down: Callable[[str], tuple[str, ...]]  # and column by column
    masks: tuple[tuple[int, int], ...]  # row by row, and column by column
    formats: tuple[int, ...]  # of each mask: the dark modules that name it
    since: tuple[int, ...]  # for each column: the modules in it or after it


@cache
def _frame(version: _Version) -> _Frame:
    side = version.side
    places = [(row, column) for row in range(side) for column in range(side)]
    fixed = _fixed_places(side)
    data = {place: number for number, place in enumerate(_path(side, fixed))}
    dark = len(data) + 1  # a light and a dark one follow the bits
    sources = {place: data[place] if place in data else dark - (fixed[place] == _LIGHT) for place in places}
    changed = [[place for place in data if not mask(*place)] for mask in _MASKS]
    return _Frame(
        side=side,
        across=itemgetter(*(sources[place] for place in places)),
        down=itemgetter(*(sources[column, row] for row, column in places)),
        masks=tuple((_number(side, own), _number(side, [(column, row) for row, column in own])) for own in changed),
        formats=tuple(_number(side, _format(side, mask)) for mask in range(len(_MASKS))),
        since=tuple(_number(side, [place for place in places if place[1] >= column]) for column in range(side)),
    )


def _number(side: int, places: Iterable[_Place]) -> int:
    return sum(1 << (side * side - 1 - row * side - column) for row, column in places)


def _fixed_places(side: int) -> dict[_Place, str]:
    """Return the modules that no text changes: squares, dots, and room for the format, which is light at first."""
    found = dict[_Place, str]()
    last = side - _FINDER
    squares = [(top + 3, left + 3, 4, {0, 1, 3}) for top, left in ((0, 0), (0, last), (last, 0))]
    for middle_row, middle_column, reach, rings in (*squares, (last, last, 2, {0, 2})):
        for row in range(max(middle_row - reach, 0), min(middle_row + reach + 1, side)):
            for column in range(max(middle_column - reach, 0), min(middle_column + reach + 1, side)):
                ring = max(abs(row - middle_row), abs(column - middle_column))
                found[row, column] = _DARK if ring in rings else _LIGHT
    for along in range(side):
        for place in ((_TIMING, along), (along, _TIMING)):
            found.setdefault(place, _LIGHT if along % 2 else _DARK)
    for along in (*range(_FORMAT_LINE + 1), *range(side - _FORMAT_LINE, side)):
        for place in ((_FORMAT_LINE, along), (along, _FORMAT_LINE)):
            found.setdefault(place, _LIGHT)
    return found


def _path(side: int, fixed: dict[_Place, str]) -> Iterator[_Place]:
    """Yield the modules of a text in order: two columns at a time from the right, up and down by turns."""
    columns = [column for column in range(side - 1, -1, -1) if column != _TIMING]
    for turn, pair in enumerate(zip(columns[::2], columns[1::2], strict=True)):
        for row in range(side) if turn % 2 else range(side - 1, -1, -1):
            yield from ((row, column) for column in pair if (row, column) not in fixed)


def _format(side: int, mask: int) -> Iterator[_Place]:
    """Yield the dark modules that name the error level M, which is 0, and a mask; and the one that is always dark."""
    left = mask << 10
    for place in range(14, 9, -1):
        left ^= _FORMAT << place - 10 if left >> place & 1 else 0
    bits = (mask << 10 | left) ^ _FORMAT_MASK
    for number in range(_FORMAT_LINE):
        beside = number + (number >= _TIMING)
        if bits >> number & 1:
            yield from ((beside, _FORMAT_LINE), (_FORMAT_LINE, side - 1 - number))
        if bits >> 14 - number & 1 and number < _FINDER:
            yield from ((_FORMAT_LINE, beside), (side - 1 - number, _FORMAT_LINE))
    yield side - _FORMAT_LINE, _FORMAT_LINE


def _line_marks(dark: int, frame: _Frame) -> int:
    """Return the marks against modules for the rows of a code: long runs of one colour, and what looks like a corner.

    Beyond the edge it is light. Of two likenesses of a corner that overlap the first counts.
    """
    since, light = frame.since, frame.since[0] & ~dark
    same = since[1] & ~(dark ^ dark >> 1)  # as the module before
    runs = same & same >> 1 & same >> 2 & same >> 3
    marks = runs.bit_count() + (_RUN_MARKS - 1) * (runs & ~(runs << 1)).bit_count()
    alike = since[6] & dark & light >> 1 & dark >> 2 & dark >> 3 & dark >> 4 & light >> 5 & dark >> 6
    before, after = alike, alike
    for beyond in range(1, 5):
        before &= light >> 6 + beyond | ~since[6 + beyond]
        after &= light << beyond | since[frame.side - beyond]
    alike = before | after
    return marks + _FINDER_MARKS * (alike & ~(alike >> 4) & ~(alike >> 6)).bit_count()


def _area_marks(dark: int, frame: _Frame) -> int:
    """Return the marks against modules for squares of four of one colour, and for the share of dark ones."""
    side, whole = frame.side, frame.side**2
    same = frame.since[1] & ~(dark ^ dark >> 1)
    squares = same & same >> side & ~(dark ^ dark >> side)
    uneven = abs(dark.bit_count() * 100 - whole * 50) // (whole * 5)
    return _BLOCK_MARKS * squares.bit_count() + _SHARE_MARKS * uneven
