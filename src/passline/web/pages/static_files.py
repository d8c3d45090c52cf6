"""Style sheets and scripts under an address that changes with them: browsers keep them, and never mix two versions.

Pages name `/static/DIGEST/base.css`; scripts and style sheets name each other by relative paths, so the digest of the
whole folder goes with them. Without it, or with that of another version (a page that was open over an upgrade), what
is served is looked at again each time.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).resolve().parent.parent / "static"
"""The folder of style sheets and scripts."""
_FOREVER = "public, max-age=31536000, immutable"
_ASKED_AGAIN = "no-cache"
_DIGITS = 16
_DIGEST = re.compile(rf"[0-9a-f]{{{_DIGITS}}}")


@cache
def static_digest() -> str:
    """Return the digest of all files and their names; they are read once, when the server starts."""
    digest = sha256()
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(STATIC).as_posix()}\0".encode())
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:_DIGITS]


def static_address() -> str:
    """Return the path under which pages name style sheets and scripts.

    >>> static_address().startswith("/static/")
    True
    """
    return f"/static/{static_digest()}"


class StaticPages(StaticFiles):
    """The folder, with or without its digest in front."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with a file, and for how long a browser may keep it."""
        first, *rest = Path(path).parts or ("",)
        is_digest = _DIGEST.fullmatch(first) is not None
        response = await super().get_response(str(Path(*rest)) if is_digest else path, scope)
        response.headers["Cache-Control"] = _FOREVER if first == static_digest() else _ASKED_AGAIN
        return response
