"""Where numba keeps compiled kernels: a folder that can be written to, wherever Passline is installed.

Numba keeps them beside the module or in the user's cache, and raises where neither can be written: in a container with
a package of the administrator's and a user without a home. There they are kept for as long as the process lives.
A kernel is found again as long as its sources, the path of its module, numba, the processor and the minor version of
Python match. Of the sources numba compares the kernel's own file only, though constants and calls of other modules are
compiled in, and it fails on reading a kept kernel that names a class which is gone. So each module with kernels has a
folder for each version of itself and of all that it imports of Passline, however far; an edit elsewhere keeps it.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])
_PACKAGE = Path(__file__).resolve().parent
_SETTING = "NUMBA_CACHE_DIR"
_FOLDER = "CACHE_DIR"  # of numba's settings, which it reads where a function is to be kept
VERSIONS_KEPT = 4
"""How many versions of the kernels of a module are kept: of several checkouts or releases, and of the last edits."""
UNUSED_SECONDS = 7 * 24 * 3600
"""After which others are removed: a process that began earlier may still keep kernels there."""
_COMMENT = re.compile(r"#.*|\bas\s+\w+")
_NAME = re.compile(r"[\w.]+")
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+import[ \t]*(\((?:[^)#]|#.*)*\)|.*)|import[ \t]+(.*))", re.MULTILINE
)


def kernel(*, nogil: bool = False) -> Callable[[_Function], _Function]:
    """Return a decorator that has numba compile a function, and keep it in the folder of its module's version."""
    from numba import config, njit  # noqa: PLC0415 - slow to import, and needed by modules with kernels only

    def compile_(function: _Function) -> _Function:
        base = _base()
        if base is None:
            return cast("_Function", njit(nogil=nogil)(function))
        before, folder = getattr(config, _FOLDER), _folder_of(base, function.__module__)
        setattr(config, _FOLDER, str(folder))
        try:
            return cast("_Function", njit(cache=True, nogil=nogil)(function))
        finally:
            setattr(config, _FOLDER, before)

    return compile_


def has_kernels(module: str) -> bool:
    """Return whether kernels of a module are kept, so that they are only loaded."""
    base = _base()
    return base is not None and any((base / _version_of(module)).glob("*/*.nbi"))


@cache
def _base() -> Path | None:
    """Return the folder of all kernels, which processes that this one starts keep theirs in too."""
    chosen = os.environ.get(_SETTING)  # the user's own choice, or that of the process that started this one
    base = Path(chosen) if chosen else kernel_cache_folder()
    if base is not None:
        os.environ[_SETTING] = str(base)
    return base


@cache
def _folder_of(base: Path, module: str) -> Path:
    """Return the folder of a module's kernels as it is now; those of versions long unused are removed."""
    folder = base / _version_of(module)
    with suppress(OSError):  # it is full, or can only be read
        is_new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # used now
        if is_new:
            name = re.escape(folder.name.rpartition("-")[0])  # which earlier releases leave out
            found = [path for path in base.iterdir() if re.fullmatch(rf"({name}-)?[0-9a-f]{{12}}", path.name)]
            versions = sorted((path.stat().st_mtime, path) for path in found)
            for used, path in versions[:-VERSIONS_KEPT]:
                if used < time.time() - UNUSED_SECONDS:
                    shutil.rmtree(path, ignore_errors=True)
    return folder


def _version_of(module: str, package: Path = _PACKAGE) -> str:
    """Return a name for a module and all that it imports of the package, which changes with any line of them."""
    sources = sorted(kernel_sources(module, package).items())
    digest = sha256(b"\0".join(part for file, source in sources for part in (file.encode(), source)))
    return f"{module.partition('.')[2] or module}-{digest.hexdigest()[:12]}"


def kernel_sources(module: str, package: Path = _PACKAGE) -> dict[str, bytes]:
    """Return the files that a module of a package and its imports are made of, by their places in the package.

    >>> sorted(kernel_sources("passline.exact.session.loss_limit_kernels"))
    ['exact/session/kernels.py', 'exact/session/loss_limit_kernels.py', 'kernel_cache.py']
    """
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        file = _file_of(waiting.pop(), package)
        if file is not None and file not in found:
            found[file] = (package / file).read_bytes()
            waiting += _imports_of(found[file])
    return found


@cache
def _imports_of(source: bytes) -> tuple[str, ...]:
    """Return the modules that a source may import: those it names, and whatever it takes from them."""
    modules: list[str] = []
    for origin, names, plain in _IMPORT.findall(source.decode()):
        taken = _NAME.findall(_COMMENT.sub("", names or plain))
        modules += [origin, *(f"{origin}.{name}" for name in taken)] if origin else taken
    return tuple(modules)


@cache
def _file_of(module: str, package: Path) -> str | None:
    """Return the file of a module of the package; None of what is no module of it."""
    first, *parts = module.split(".")
    if first != package.name:
        return None
    places = ("/".join((*parts, "__init__.py")), "/".join(parts) + ".py")
    return next((place for place in places if (package / place).is_file()), None)


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
