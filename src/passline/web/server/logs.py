"""The server's own logs: JSON lines on standard error, or plain text on a terminal, without secrets."""

from __future__ import annotations

import logging
import sys

import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

_SECRET = frozenset({"password", "pin", "token", "csrf", "cookie", "authorization", "sign_off"})


def configure_logs(*, is_terminal: bool) -> None:
    """Send our logs and uvicorn's to standard error in one format."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_secrets,
    ]
    shown = (
        structlog.dev.ConsoleRenderer(colors=True)
        if is_terminal
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, shown],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared, processors=[_without_extras, structlog.processors.format_exc_info, shown]
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    for name in ("uvicorn", "uvicorn.error", "asyncio", "passline"):
        foreign = logging.getLogger(name)
        foreign.handlers, foreign.propagate = [handler], False
        foreign.setLevel(logging.WARNING)


def logger() -> FilteringBoundLogger:
    """Return the logger."""
    log: FilteringBoundLogger = structlog.get_logger()
    return log


def _without_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    for key in _SECRET & event.keys():
        event[key] = "(withheld)"
    return event


def _without_extras(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Remove what structlog adds to the records of other libraries."""
    event.pop("_record", None)
    event.pop("_from_structlog", None)
    return event
