"""What each extra brings, and one message for whatever needs an extra that is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from passline.errors import CrapsError

MODULES_OF = {
    "exact": ("matplotlib", "numba", "llvmlite", "numpy", "typst", "xlsxwriter"),
    "client": ("httpx", "websockets"),
    "serve": (
        *("argon2", "cryptography", "fastapi", "holidays", "httptools", "jinja2", "prometheus_client"),
        *("segno", "starlette", "structlog", "uvicorn", "uvloop"),
    ),
    "postgres": ("psycopg",),
    "escpos": ("escpos",),
    "identity": ("authlib", "joserfc", "webauthn"),
    "cluster": ("ray",),
    "gpu": ("cupy",),
    "gym": ("gymnasium",),
}
"""The modules that each extra brings, each under the smallest extra that has it; pyproject.toml has the packages."""


class MissingExtra(CrapsError, ImportError):
    """Something needs an extra that is not installed; the message has the command that installs it."""


def missing_extra(error: ImportError, what: str) -> MissingExtra | None:
    """Return what to tell somebody about a failed import; None if the module belongs to no extra.

    >>> print(missing_extra(ModuleNotFoundError("No module named 'numpy.linalg'", name="numpy.linalg"), "odds"))
    odds needs numpy, which is not installed: pip install 'passline[exact]'
    """
    module = (error.name or "").partition(".")[0]
    extra = next((extra for extra, modules in MODULES_OF.items() if module in modules), None)
    if extra is None:
        return None
    return MissingExtra(f"{what} needs {module}, which is not installed: pip install 'passline[{extra}]'")


@contextmanager
def extra_for(what: str) -> Iterator[None]:
    """Raise MissingExtra, which says what needs it, if an import in the block fails for want of an extra."""
    try:
        yield
    except ImportError as error:
        missing = missing_extra(error, what)
        if missing is None:
            raise
        raise missing from error
