"""A consumer of the event feed: it writes every line to a file once, whatever is killed, and its place to another.

Run it as `PASSLINE_PASSWORD=... python follow_feed.py http://127.0.0.1:8000 Sue surveillance FOLDER`. It needs nothing
but Python. The server delivers at least once; the file has each line exactly once, since a line is written before the
place that it stands for, and one that comes again is known by its number.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

PAUSE_SECONDS = 1.0
_NOT_LOGGED_IN, _REFUSED = 401, (403, 404, 409, 422)


class Kept:
    """The lines that were written, and the place after which to ask next."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._lines, self._place = folder / "lines.ndjson", folder / "place"
        self.place = self._place.read_text(encoding="ascii") if self._place.exists() else ""
        written = self._lines.read_bytes() if self._lines.exists() else b""
        whole = written[: written.rfind(b"\n") + 1]  # a line that was cut off by a kill comes again
        self._file = self._lines.open("ab")
        self._file.truncate(len(whole))
        last = whole.splitlines()[-1:]
        self._newest = number_of(json.loads(last[0])["id"]) if last else 0

    def keep(self, page: bytes) -> dict[str, Any]:
        """Write the lines of an answer that are new, then the place after them; return its last line."""
        *lines, end = page.splitlines(keepends=True)
        for line in lines:
            if (number := number_of(json.loads(line)["id"])) > self._newest:
                self._file.write(line)
                self._newest = number
        self._file.flush()
        os.fsync(self._file.fileno())  # what was written is on disk before the place says that it need not come again
        told: dict[str, Any] = json.loads(end)
        if told["after"] != self.place:
            self.place = told["after"]
            new = self._place.with_suffix(".new")
            new.write_text(self.place, encoding="ascii")
            new.replace(self._place)
        return told


def number_of(id_: str) -> int:
    """Return the number of an entry by its id: they are in order, without a gap."""
    return int(id_.partition(":")[0])


def follow(address: str, name: str, password: str, feed: str, kept: Kept) -> None:
    """Keep what comes, for ever."""
    token = ""
    while True:
        try:
            token = token or log_in(address, name, password)
            path = f"{address}/api/feed/{quote(feed)}?after={quote(kept.place)}"
            asked = Request(path, headers={"Authorization": f"Bearer {token}"})  # noqa: S310 - the address is yours
            with urlopen(asked, timeout=30) as answer:  # noqa: S310
                behind = kept.keep(answer.read())["behind"]
        except HTTPError as error:
            if error.code in _REFUSED:
                sys.exit(error.read().decode())
            token = "" if error.code == _NOT_LOGGED_IN else token
            behind = 0
        except (URLError, OSError, EOFError, ValueError):  # the server is away, or was cut off in an answer
            behind = 0
        if not behind:
            time.sleep(PAUSE_SECONDS)


def log_in(address: str, name: str, password: str) -> str:
    """Log in and return the token: it ends after some hours, and is asked for again then."""
    body = json.dumps({"name": name, "password": password}).encode()
    asked = Request(f"{address}/api/log-in", data=body, headers={"Content-Type": "application/json"})  # noqa: S310
    with urlopen(asked, timeout=30) as answer:  # noqa: S310
        return str(json.load(answer)["token"])


if __name__ == "__main__":
    follow(sys.argv[1], sys.argv[2], os.environ["PASSLINE_PASSWORD"], sys.argv[3], Kept(Path(sys.argv[4])))
