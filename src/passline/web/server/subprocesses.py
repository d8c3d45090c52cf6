"""Long work in a process of its own, so that no table waits for it."""

from __future__ import annotations

import asyncio
import os
import sys

from passline.errors import CrapsError

_AT_ONCE = asyncio.Semaphore(1)  # the other cores are for the tables
_SECONDS_MAX = 3600
_FAULTS_FOUND = 1  # the exit code of `passline verify` for a log that is not intact


class SubprocessFailed(CrapsError):
    """What a Passline command printed when it failed."""


async def run_passline(*arguments: str, log: str = "") -> bytes:
    """Run a Passline command at low priority and return what it prints.

    The log is named in the environment: a database URL may hold a password, and anybody on the machine can read a
    command line.
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
            preexec_fn=(lambda: os.nice(10)) if hasattr(os, "nice") else None,
        )
        try:
            printed, errors = await asyncio.wait_for(process.communicate(), _SECONDS_MAX)
        except BaseException:
            process.kill()
            await process.wait()
            raise
    if process.returncode not in {0, _FAULTS_FOUND} or (process.returncode and not printed):
        why = errors.decode(errors="replace").strip().removeprefix("passline: ")
        raise SubprocessFailed(why or "it was interrupted")
    return printed
