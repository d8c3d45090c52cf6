"""Where numba keeps compiled kernels: a folder that can be written to, wherever Passline is installed.

Numba keeps them beside the module or in the user's cache, and raises where neither can be written: in a container with
a package of the administrator's and a user without a home. There they are kept for as long as the process lives.
A kernel is found again as long as its sources, the path of its module, numba, the processor and the minor version of
Python match. Of the sources numba compares the kernel's own file only, and it fails on reading a kept kernel that names
a class which is gone: so each version of the sources has a folder of its own.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SETTING = "NUMBA_CACHE_DIR"
# the folders with kernels and the constants in them
_MADE_OF = ("automaton", "exact", "gym", "simulation", "tournament/rehearsal", "tournament/advice")


def choose_kernel_cache(package: Path = _PACKAGE) -> None:
    """Have numba keep compiled kernels where it can; call this before a module with kernels is imported."""
    chosen = os.environ.get(_SETTING)  # the user's own choice, or that of the process that started this one
    base = Path(chosen) if chosen else kernel_cache_folder(package)
    if base is None:
        _keep_nothing()
        return
    version = _version_of_sources(package)
    folder = str(base if base.name == version else base / version)
    os.environ[_SETTING] = folder
    if numba := sys.modules.get("numba"):
        numba.config.CACHE_DIR = folder  # it has read its environment already


def has_kernels(folder: str) -> bool:
    """Return whether kernels of the modules in a folder of this name are kept, so that they are only loaded."""
    kept = os.environ.get(_SETTING)
    return bool(kept) and any(Path(kept or "").glob(f"{folder}_*/*.nbi"))


def _version_of_sources(package: Path) -> str:
    """Return a name for the sources of all kernels, which changes with any line of them."""
    files = sorted(file for name in _MADE_OF for file in (package / name).rglob("*.py"))
    return sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()[:12]


def kernel_cache_folder(package: Path = _PACKAGE) -> Path | None:
    """Return the first folder that can be written to: one in the checkout, the user's cache, a temporary one.

    An installed package prefers the user's cache, which outlives it. None if nothing can be written anywhere.
    """
    is_installed = any(part in {"site-packages", "dist-packages"} for part in package.parts)
    own = package / "__pycache__" / "kernels"
    places = [users_cache("kernels"), own] if is_installed else [own, users_cache("kernels")]
    for place in places:
        if place is not None and _is_writable(place):
            return place
    try:
        made = tempfile.mkdtemp(prefix="passline-kernels-")
    except OSError:
        return None
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)


def users_cache(name: str) -> Path | None:
    """Return the folder in the user's cache for what has this name; None without a home."""
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "passline" / name
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
