"""Breaks code that is loaded already: functions get the code of the changed module, and its constants their new values.

So a break needs no new process with everything imported anew, and can be taken back.
"""

from __future__ import annotations

import ast
import gc
import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

_CACHED = type(lru_cache(len))
_OURS = ("passline", "tests")
_KEEPING = tuple(f"{one}.{part}" for one in _OURS for part in ("tournament", "office"))
_Key = tuple[str, int]


@contextmanager
def patched(path: str, tree: ast.Module) -> Iterator[None]:
    """Have a loaded module, known by its path below the root, behave as this tree says, until the block ends."""
    name = module_of(path)
    module = importlib.import_module(name)
    before = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    undo: list[Callable[[], None]] = []
    try:
        _put_code(name, compile(tree, str(module.__file__), "exec", dont_inherit=True), undo)
        for old, new in zip(before.body, tree.body, strict=True):
            if isinstance(new, ast.Assign | ast.AnnAssign) and ast.dump(old) != ast.dump(new):
                _put_value(name, new, undo)
        clear_caches()
        yield
    finally:
        for back in reversed(undo):
            back()
        clear_caches()


def module_of(path: str) -> str:
    """Return the name of a module by its path.

    >>> module_of("src/passline/tournament/state.py")
    'passline.tournament.state'
    """
    return path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def clear_caches() -> None:
    """Forget what functions keep of the pages of offices and tournaments: broken code or pages make something else."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_KEEPING):
            for one in vars(module).values():
                if isinstance(one, _CACHED):
                    one.cache_clear()


def _put_code(name: str, code: CodeType, undo: list[Callable[[], None]]) -> None:
    """Put changed code into every function of a module; one whose code is the same keeps it."""
    made = {_key(one): one for one in _codes(code)}
    gc.unfreeze()  # the tests freeze what they have collected, and the collector lists nothing frozen
    for function in [one for one in gc.get_objects() if type(one) is FunctionType and one.__module__ == name]:
        was = function.__code__
        now = made.get(_key(was))
        if now is not None and now != was and now.co_freevars == was.co_freevars:
            function.__code__ = now
            undo.append(lambda function=function, was=was: setattr(function, "__code__", was))  # type: ignore[misc]


def _key(code: CodeType) -> _Key:
    return code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _put_value(name: str, statement: ast.Assign | ast.AnnAssign, undo: list[Callable[[], None]]) -> None:
    """Make a constant anew, wherever it was imported to."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    if not isinstance(target, ast.Name):
        return
    space = vars(sys.modules[name])
    was = space[target.id]
    made = dict[str, Any](space)
    exec(compile(ast.Module([statement], []), name, "exec", dont_inherit=True), made)  # noqa: S102  # our own code
    for other, module in list(sys.modules.items()):
        if other.partition(".")[0] in _OURS and vars(module).get(target.id) is was:
            setattr(module, target.id, made[target.id])
            undo.append(lambda module=module: setattr(module, target.id, was))  # type: ignore[misc]
