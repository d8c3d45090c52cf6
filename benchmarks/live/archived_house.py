"""A house of many days that was archived, restored from its backup and archived again: it plays on, and how quickly.

A house of few days, none of which is archived, is the peer: the real server is started on both in turn, and asked for
Today, a search and a past hand. The restored house is played at and its office acts, before it is verified as
`passline verify` does it.
"""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from benchmarks.live.casino import OFFICE, make_casino
from benchmarks.live.house import PASSWORD, RunningServer, serving
from benchmarks.live.long_log import regulator
from passline.acts.commands import SetValue
from passline.cli.main import main
from passline.client import Client
from passline.game import commands as g
from passline.store.data_folder import open_log
from passline.store.log_source import open_source
from passline.tables.commands import Roll

TABLE, SEAT = "play-0", 1
KEEP_DAYS = 7
GOAL = 2.0
"""Times what a page may take when the house is old."""
_REASON = "a benchmark of archives"
_PAGES = {
    "Today": "/api/office/{office}/today",
    "search, a common word": "/api/log?text=pass&limit=25",
    "search, two words": "/api/log?text=wins+field&limit=25",
    "search, acts of the office": "/api/log?event=act-done&limit=25",
    "search, what never meets": "/api/log?event=act-done&text=fill&limit=25",
    "search, the first day": "/api/log?text=field&until={second}&limit=25",
    "search, nothing": "/api/log?text=elephant&limit=25",
    "recall, the hands": f"/api/tables/{TABLE}/hands?entry={{early}}",
    "recall, a hand": f"/api/tables/{TABLE}/hands/{{hand}}?limit=100",
    "recall, the table": f"/api/tables/{TABLE}/at/{{early}}",
}


def make_house(data: Path, days: int, last: date, *, fills: int = 9, play: int = 100) -> dict[str, Any]:
    """Make a house of one table whose days all have been."""
    data.mkdir()
    first = last - timedelta(days=days + 2)
    open_log(
        data, at=datetime(first.year, first.month, first.day, tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    ).close()
    return make_casino(data, days=days, last=last, tables=1, fills=fills, play=play)


def restore_from_archives(data: Path, folder: Path) -> Path:
    """Archive a house, back it up, restore it into an empty folder and archive that; return it."""
    key, backup, restored = folder / "backup.key", folder / "backup", folder / "restored"
    archive = ("archive", "--keep-days", str(KEEP_DAYS), "--data")
    _run(*archive, str(data))
    _run("backup", "--new-key", str(key))
    _run("backup", str(backup), "--data", str(data), "--key", str(key))
    _run("restore", str(backup), "--data", str(restored), "--key", str(key), "--reason", _REASON)
    _run(*archive, str(restored))
    return restored


def play_on(address: str, rolls: int) -> int:
    """Play at a house's table and set a figure of its office; return the entry of that."""
    with Client(address) as player, Client(address) as owner:
        player.log_in("Pia", PASSWORD)
        for _ in range(rolls):
            table = player.table(TABLE)["table"]
            if not table["shooter"]:
                player.command(TABLE, g.AcceptDice(seat=SEAT))
            player.command(TABLE, g.MakeWager(seat=SEAT, wager="field", cents=5_00))
            if not player.table(TABLE)["table"]["puck"]:
                player.command(TABLE, g.MakeWager(seat=SEAT, wager="pass", cents=5_00))
            player.command(TABLE, Roll(seat=SEAT))
        owner.log_in("Owner 1", PASSWORD)
        value = SetValue(key="count_team_min", value=3, reference="played on")
        return owner.office_command(OFFICE, value, role="owner").sequence


def is_intact(data: Path) -> bool:
    """Return whether `passline verify` finds a house intact."""
    return main(["verify", str(data)]) == 0


def measure_houses(folder: Path, days: tuple[int, int], times: int, rounds: int) -> dict[str, Any]:
    """Make both houses, restore the older one from archives, and print what their pages take; return it."""
    last = (datetime.now(UTC) - timedelta(days=2)).date()
    houses = {}
    for number in days:
        made = make_house(folder / str(number), number, last)
        print(f"A house of {number} days: {made['entries']:,} entries, {made['office']:,} of its office", flush=True)
        houses[number] = folder / str(number)
    short, long = days
    houses[long] = restore_from_archives(houses[long], folder)
    tokens, pages = {}, {}
    for number, data in houses.items():
        tokens[number], pages[number] = regulator(data), _pages_of(data)
    taken: dict[str, dict[int, list[float]]] = {}
    for turn in range(rounds):
        for number, data in houses.items():
            with serving(data) as server:
                if not turn:
                    play_on(server.base, 5)
                for name, path in pages[number].items():
                    found = taken.setdefault(name, {}).setdefault(number, [])
                    found.append(_page_seconds(server, tokens[number], path, times))
    figures = {name: {number: round(min(found) * 1e3, 2) for number, found in of.items()} for name, of in taken.items()}
    print(f"\nProcessor's ms a page          {short:>4} days {long:>9} days, archived and restored    ratio")
    for name, of in figures.items():
        ratio = of[long] / of[short]
        over = "" if ratio <= GOAL else f"  more than {GOAL:g} times"
        print(f"  {name:28} {of[short]:9.2f} {of[long]:14.2f} {ratio:27.2f}{over}", flush=True)
    intact = is_intact(houses[long])
    print(f"The restored house was played on and is {'intact' if intact else 'NOT INTACT'}")
    return {"pages": figures, "intact": intact}


def _pages_of(data: Path) -> dict[str, str]:
    """Return the paths of the pages, for a hand and a moment of the house's first day."""
    with open_source(str(data)) as source:
        at, early, hand = "", 0, 0
        for row in source.rows():
            assert row.columns is not None
            sequence, stream, version, _, _, of_hand = row.columns
            if stream == f"table/{TABLE}".encode() and version == _EARLY_VERSION:
                early, hand = sequence, of_hand
                at = row.body.partition(b'"at":"')[2][:10].decode()
                break
    second = date.fromisoformat(at) + timedelta(days=1)
    return {name: path.format(office=OFFICE, early=early, hand=hand, second=second) for name, path in _PAGES.items()}


_EARLY_VERSION = 40


def _page_seconds(server: RunningServer, token: str, path: str, times: int) -> float:
    """Return the processor's seconds that a server takes for a page."""
    with httpx.Client(base_url=server.base, headers={"Authorization": f"Bearer {token}"}, timeout=120) as client:
        while (answer := client.get(path)).status_code == httpx.codes.SERVICE_UNAVAILABLE:
            time.sleep(0.5)  # its views are still being made
        answer.raise_for_status()
        used = server.cpu_seconds()
        for _ in range(times):
            client.get(path).raise_for_status()
        return (server.cpu_seconds() - used) / times


def _run(*words: str) -> None:
    if code := main(list(words)):
        raise SystemExit(f"passline {' '.join(words)}: ended with {code}")
