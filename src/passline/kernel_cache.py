"""Where numba keeps compiled kernels: a folder that can be written to, wherever Passline is installed.

Numba keeps them beside the module or in the user's cache, and raises where neither can be written: in a container with
a package of the administrator's and a user without a home. There they are kept for as long as the process lives.
A kernel is found again as long as its source, the folder, numba, the processor and the minor version of Python match.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

__all__ = ["choose_kernel_cache", "kernel_cache_folder"]

_PACKAGE = Path(__file__).resolve().parent
_SETTING = "NUMBA_CACHE_DIR"


def choose_kernel_cache(package: Path = _PACKAGE) -> None:
    """Have numba keep compiled kernels where it can; call this before a module with kernels is imported."""
    if os.environ.get(_SETTING):
        return  # the user's own choice
    folder = kernel_cache_folder(package)
    if folder == package:
        return  # numba's own choice: beside each module
    if folder is None:
        _keep_nothing()
        return
    os.environ[_SETTING] = str(folder)
    if numba := sys.modules.get("numba"):
        numba.config.CACHE_DIR = str(folder)  # it has read its environment already


def kernel_cache_folder(package: Path = _PACKAGE) -> Path | None:
    """Return the first folder that can be written to: beside a checkout's modules, the user's cache, a temporary one.

    An installed package prefers the user's cache, which outlives it. None if nothing can be written anywhere.
    """
    is_installed = any(part in {"site-packages", "dist-packages"} for part in package.parts)
    places = [_users_cache(), package] if is_installed else [package, _users_cache()]
    for place in places:
        if place is not None and _is_writable(place):
            return place
    try:
        made = tempfile.mkdtemp(prefix="passline-kernels-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def _users_cache() -> Path | None:
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "passline" / "kernels"
    except RuntimeError:  # no home folder
        return None


def _is_writable(folder: Path) -> bool:
    """Return whether a file can be made in a folder, which is made if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _keep_nothing() -> None:
    """Have numba compile without keeping anything: slower, but it works on a system that is read only."""
    from numba.core.dispatcher import Dispatcher  # noqa: PLC0415 - slow to import, and needed here only

    setattr(Dispatcher, "enable_caching", lambda _self: None)  # noqa: B010 - a method of numba's, replaced on purpose
