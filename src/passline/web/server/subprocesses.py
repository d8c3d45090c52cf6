"""Long work beside the tables: it runs as a process of its own, so that no table waits for it."""

from __future__ import annotations

import asyncio
import os
import sys

from passline.errors import CrapsError

__all__ = ["ErrandError", "run_errand"]

_AT_ONCE = asyncio.Semaphore(1)  # the tables have the other cores
_SECONDS_MAX = 3600
_FAULTS_FOUND = 1  # the exit code of `passline verify` for a log that is not intact


class ErrandError(CrapsError):
    """What a command of Passline said when it could not be done."""


async def run_errand(*arguments: str, log: str = "") -> bytes:
    """Run a command of Passline at low priority and give what it prints.

    Which log it is about goes by the environment: the URL of a database may hold a password, and a command line is
    everybody's to read.
    """
    async with _AT_ONCE:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "passline",
            *arguments,
            env={**os.environ, "PASSLINE_LOG": log} if log else None,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            preexec_fn=_politely if hasattr(os, "nice") else None,
        )
        try:
            printed, said = await asyncio.wait_for(process.communicate(), _SECONDS_MAX)
        except BaseException:
            process.kill()
            await process.wait()
            raise
    if process.returncode not in {0, _FAULTS_FOUND} or (process.returncode and not printed):
        raise ErrandError(said.decode(errors="replace").strip().removeprefix("passline: ") or "it was interrupted")
    return printed


def _politely() -> None:
    os.nice(10)
