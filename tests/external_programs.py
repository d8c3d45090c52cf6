"""Programs that some tests drive and pip cannot install: a browser, a database server."""

import os
import shutil
from pathlib import Path

import pytest

SERVERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)


def program_path(*names: str, package: str) -> str:
    """Return the path of the first of these programs that is there.

    If none is, skip the test, or fail it in CI, and say what to install.
    """
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), *map(str, SERVERS)])
    for name in names:
        if path := shutil.which(name, path=places):
            return path
    message = f"{' or '.join(names)} is not on this machine; on Debian: apt install {package}"
    if os.environ.get("CI"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)
