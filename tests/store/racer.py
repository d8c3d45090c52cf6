"""A process that appends to a log together with others: `python racer.py DATA DATABASE NAME COUNT`."""

import sys
from pathlib import Path

from passline.store.data_folder import open_log
from passline.store.log import Conflict
from passline.store.sealed import Log
from tests.store.drafts import draft


def race(log: Log, name: str, count: int) -> list[int]:
    """Append entries to the stream that all write, retrying after every conflict; return their sequence numbers."""
    sequences = []
    version = 0
    for index in range(count):
        while True:
            (result,) = log.append([draft(version, actor=name, name=str(index))])
            if not isinstance(result, Conflict):
                break
            version = result.version
        version = result.stored.entry.version
        sequences.append(result.stored.entry.sequence)
    return sequences


if __name__ == "__main__":
    data, database, name, count = sys.argv[1:]
    house = open_log(Path(data), database)
    sys.stdout.write(" ".join(map(str, race(house, name, int(count)))))
    house.close()
