"""A sheet of characters with styles: boxes whose lines join, and text put into them."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["Canvas", "Run"]

_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8
_JOINTS = {
    _NORTH: "│", _SOUTH: "│", _NORTH | _SOUTH: "│", _EAST: "─", _WEST: "─", _EAST | _WEST: "─",
    _EAST | _SOUTH: "┌", _WEST | _SOUTH: "┐", _NORTH | _EAST: "└", _NORTH | _WEST: "┘",
    _NORTH | _EAST | _SOUTH: "├", _NORTH | _WEST | _SOUTH: "┤", _EAST | _SOUTH | _WEST: "┬",
    _NORTH | _EAST | _WEST: "┴", _NORTH | _EAST | _SOUTH | _WEST: "┼",
}  # fmt: skip


class Run(Struct, frozen=True):
    """A piece of a row in one style."""

    text: str
    style: str


class Canvas:
    """Characters and styles by row and column."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._characters = [[" "] * width for _ in range(height)]
        self._styles = [["felt"] * width for _ in range(height)]
        self._lines = [[0] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "print") -> None:
        """Write text; what does not fit on the sheet is cut off."""
        for column, character in enumerate(text, start=x):
            if 0 <= column < self.width and 0 <= y < self.height:
                self._characters[y][column] = character
                self._styles[y][column] = style

    def box(self, x: int, y: int, right: int, bottom: int) -> None:
        """Draw a frame; where it meets another the lines join.

        >>> canvas = Canvas(5, 3)
        >>> canvas.box(0, 0, 2, 2)
        >>> canvas.box(2, 0, 4, 2)
        >>> canvas.texts()
        ['┌─┬─┐', '│ │ │', '└─┴─┘']
        """
        for column in range(x, right):
            for row in (y, bottom):
                self._lines[row][column] |= _EAST
                self._lines[row][column + 1] |= _WEST
        for row in range(y, bottom):
            for column in (x, right):
                self._lines[row][column] |= _SOUTH
                self._lines[row + 1][column] |= _NORTH

    def rows(self) -> list[list[Run]]:
        """Give each row as pieces of one style."""
        return [self._row(y) for y in range(self.height)]

    def _row(self, y: int) -> list[Run]:
        runs: list[Run] = []
        text, style = "", ""
        for x in range(self.width):
            is_line = self._lines[y][x] and self._styles[y][x] == "felt"  # text lies on top of lines
            character = _JOINTS[self._lines[y][x]] if is_line else self._characters[y][x]
            its_style = "line" if is_line else self._styles[y][x]
            if its_style != style and text:
                runs.append(Run(text, style))
                text = ""
            text, style = text + character, its_style
        return [*runs, Run(text, style)]

    def texts(self) -> list[str]:
        """Give each row as plain text."""
        return ["".join(run.text for run in runs).rstrip() for runs in self.rows()]
