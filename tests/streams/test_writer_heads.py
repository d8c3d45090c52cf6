"""The head of each commit is told once it is durable, so that anchors can follow."""

from __future__ import annotations

import asyncio

from passline.store.entry import Head
from passline.store.memory import MemoryLog
from passline.streams.writer import ThreadWriter
from tests.store.drafts import draft


def test_the_head_of_every_commit_is_told_and_a_conflict_tells_none() -> None:
    log = MemoryLog()
    heads: list[Head] = []

    async def write() -> None:
        writer = ThreadWriter(log, committed=heads.append)
        for version in (0, 1, 0):  # the last one expects an older version
            done = asyncio.get_running_loop().create_future()
            writer.append([draft(version, name=f"{version}-{len(heads)}")], done.set_result)
            await done
        await writer.close()

    asyncio.run(write())
    assert [head.sequence for head in heads] == [2, 3]
    assert heads[-1] == log.head()
