"""An extension of the page of Python names: examples in docstrings become blocks of code."""

from __future__ import annotations

from typing import Any

import griffe


def fenced(text: str) -> str:
    r"""Return a docstring with a fence around each of its examples.

    >>> print(fenced("Two.\n\n>>> 1 + 1\n2\n\nThen."))
    Two.
    <BLANKLINE>
    ```python
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    Then.
    """
    return "\n\n".join(
        f"```python\n{part}\n```" if part.lstrip().startswith(">>> ") else part for part in text.split("\n\n")
    )


class FencedDoctests(griffe.Extension):  # type: ignore[misc]  # mypy does not see griffe: ./x docs alone installs it
    """Fences the examples of every name that is shown."""

    def on_object(self, *, obj: Any, **_others: Any) -> None:  # noqa: ANN401 - griffe's
        """Change the docstring of one name."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
