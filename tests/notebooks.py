"""Notebooks of examples/notebooks: `python -m tests.notebooks` runs them and writes what they print into them."""

from __future__ import annotations

import ast
import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "notebooks"


def notebooks() -> list[Path]:
    """Return the notebooks, in order of their names."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    """Return a notebook's content."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def code_cells(content: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the cells with code."""
    return [cell for cell in content["cells"] if cell["cell_type"] == "code"]


def run(content: dict[str, Any]) -> list[str]:
    """Run the cells one after the other, and return what each prints, its last value as in a notebook."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_run_cell("".join(cell["source"]), names) for cell in code_cells(content)]


def _run_cell(source: str, names: dict[str, Any]) -> str:
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102 - a notebook of our own
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)  # noqa: S307 - as above
        if value is not None:
            print(repr(value))  # noqa: T201 - as a notebook shows it
    return printed.getvalue()


def outputs(cell: dict[str, Any]) -> str:
    """Return what a cell shows."""
    return "".join("".join(output["text"]) for output in cell["outputs"])


def write() -> None:
    """Run every notebook, and write what its cells print."""
    for path in notebooks():
        content = read(path)
        for number, (cell, printed) in enumerate(zip(code_cells(content), run(content), strict=True), 1):
            text = printed.splitlines(keepends=True)
            cell["execution_count"] = number
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
