"""A process that appends to a log others append to: `python racer.py DATA DATABASE NAME COUNT`."""

import sys
from pathlib import Path

from passline.store.data_folder import open_log
from passline.store.log import Conflict, Log
from tests.store.drafts import draft

__all__ = ["race"]


def race(log: Log, name: str, count: int) -> list[int]:
    """Append so many entries to the one stream all write, deciding anew after every conflict; give their sequences."""
    sequences = []
    version = 0
    for index in range(count):
        while True:
            (outcome,) = log.append([draft(version, actor=name, name=str(index))])
            if not isinstance(outcome, Conflict):
                break
            version = outcome.version
        version = outcome.stored.entry.version
        sequences.append(outcome.stored.entry.sequence)
    return sequences


if __name__ == "__main__":
    data, database, name, count = sys.argv[1:]
    house = open_log(Path(data), database)
    sys.stdout.write(" ".join(map(str, race(house, name, int(count)))))
    house.close()
