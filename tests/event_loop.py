"""Tests that run on an event loop."""

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import Any


def asynchronous(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test on an event loop of its own; pytest still sees the test's arguments."""

    def run(*args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        asyncio.run(test(*args, **kwargs))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    run.__signature__ = inspect.signature(test)  # type: ignore[attr-defined]
    return run
