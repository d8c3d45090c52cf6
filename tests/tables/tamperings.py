"""Ways to tamper with what was dealt and with who may act; `./x bench tamper` tries them thousands of times.

The tamperer owns the database; where it says "with the key", also the key that seals the log.
"""

from __future__ import annotations

import asyncio
import io
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from argon2 import PasswordHasher
from msgspec import json

from passline.cli.main import main
from passline.game import commands as c
from passline.people.desk import FrontDesk
from passline.people.sessions import Link, Welcome
from passline.provable_dice import DiceKeys
from passline.rules.pages.texts import Pages, packed_pages, unpacked_pages
from passline.store.data_folder import dice_secret, open_log
from passline.store.entry import ZERO_HASH, Entry, chain_hash, head_message
from passline.store.genesis import begun_in
from passline.store.keys import load_key
from passline.store.timestamps import utc_now
from passline.streams.course import Actor, Answer, Ask
from passline.tables.commands import Roll, TableCommand
from passline.tables.runtime.floor import Floor
from passline.web.startup import Settings, prepare

_PASSWORD, _PIN = "an honest password", "7294"
_ROLLS = 6
_Body = dict[str, Any]


class DealtHouse:
    """A house with people and rolls, and a copy of its data folder to tamper with."""

    def __init__(self, folder: Path) -> None:
        self.kept, self.folder = folder / "kept", folder / "copy"
        prepare(Settings(data=self.kept))
        log = open_log(self.kept)
        desk = FrontDesk(log, utc_now, hasher=PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        link = desk.first_owner()
        assert link is not None
        owner = _in(desk.accept_invitation(link.token, name="Olga", password=_PASSWORD, pin=_PIN))
        invited = desk.invite(by=owner.session.account.id, roles=("boxperson",))
        assert isinstance(invited, Link)
        _in(desk.accept_invitation(invited.token, name="Bea", password=_PASSWORD + " too", pin="8305"))
        ann = _in(desk.register(name="Ann", password=_PASSWORD + " as well"))
        asyncio.run(self._play(log, Actor(ann.session.account.id, "Ann", "player")))
        log.close()
        with closing(sqlite3.connect(self.kept / "log.sqlite")) as connection:
            for name in ("entries_stay", "entries_stay_as_they_are"):  # they protect the rows from mistakes only
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute("PRAGMA journal_mode = DELETE")

    async def _play(self, log: Any, ann: Actor) -> None:  # noqa: ANN401 - of any store
        floor = Floor(log, clock=utc_now, keys=DiceKeys(dice_secret(self.kept), log.log_id))
        await floor.start()
        [id_] = floor.ids()
        table = await floor.table(id_)
        assert table is not None
        commands: tuple[TableCommand, ...] = (c.TakeSeat(seat=1), c.BuyIn(seat=1, cents=1_000_00))
        again: tuple[TableCommand, ...] = (c.AcceptDice(seat=1), c.MakeWager(seat=1, wager="pass", cents=10_00))
        for number, command in enumerate(commands):
            assert isinstance(await table.stream.ask(Ask(f"begin {number}", command, ann)), Answer)
        while table.live.track.roll < _ROLLS:
            for number, command in enumerate((*again, Roll(seat=1))):
                await table.stream.ask(Ask(f"{table.live.version} {number}", command, ann))
            await table.course.completion.wait_until_landed()
        await floor.close()

    def renew(self) -> None:
        """Make the copy anew."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.kept, self.folder)

    def is_found(self) -> bool:
        """Return whether `passline verify`, with the key file at hand, finds something."""
        with redirect_stdout(io.StringIO()):
            return main(["verify", str(self.folder)]) != 0

    def change(self, sql: str, values: tuple[object, ...] = ()) -> list[Any]:
        """Run a statement in the copy's database."""
        with closing(sqlite3.connect(self.folder / "log.sqlite", isolation_level=None)) as connection:
            return connection.execute(sql, values).fetchall()

    def forge(self, change: Callable[[list[_Body]], None]) -> None:
        """Change entries, then chain and seal the log again with its own key."""
        key = load_key(self.folder / "log.key")
        bodies = [json.decode(body) for [body] in self.change("SELECT body FROM entries ORDER BY sequence")]
        change(bodies)
        hash_, seal, log_id = ZERO_HASH, b"", ""
        for body in bodies:
            text = json.encode(body)
            entry = json.decode(text, type=Entry)
            begun = begun_in(entry)
            log_id = begun.log_id if begun else log_id
            hash_ = chain_hash(hash_, seal, text)
            seal = key.sign(head_message(log_id, entry.sequence, hash_))
            sql = "UPDATE entries SET body = ?, hash = ?, seal = ? WHERE sequence = ?"
            self.change(sql, (text, hash_, seal, entry.sequence))


def _in(welcome: object) -> Welcome:
    assert isinstance(welcome, Welcome), welcome
    return welcome


def _a_forged_session(house: DealtHouse, random: Random) -> None:
    [[people]] = house.change("SELECT COUNT(*) FROM entries WHERE stream = 'people'")
    assert people
    bodies = [json.decode(body) for [body] in house.change("SELECT body FROM entries WHERE stream = 'people'")]
    accounts = [event["account"] for body in bodies for event in body["events"] if event["account"]]
    kept = json.encode({"account": random.choice(accounts), "generation": random.randrange(1, 3)})
    value = random.choice((kept, b"\x01" + random.randbytes(32) + kept))
    row = ("session", sha256(random.randbytes(32)).hexdigest(), value, "2999-01-01T00:00:00.000000Z")
    house.change("INSERT INTO secrets VALUES (?, ?, ?, ?)", row)


def _a_swapped_secret(house: DealtHouse, random: Random) -> None:
    rows = house.change("SELECT kind, key, value FROM secrets WHERE kind IN ('password', 'pin')")
    kind, key, value = random.choice(rows)
    others = [one for _, _, one in rows if one != value]
    house.change("UPDATE secrets SET value = ? WHERE kind = ? AND key = ?", (random.choice(others), kind, key))


def _a_bit_of_the_vault(house: DealtHouse, random: Random) -> None:
    rows = house.change("SELECT kind, key, value FROM secrets WHERE kind <> 'probe' AND length(value) > 0")
    kind, key, value = random.choice(rows)
    bit, changed = random.randrange(len(value) * 8), bytearray(value)
    changed[bit // 8] ^= 1 << bit % 8
    house.change("UPDATE secrets SET value = ? WHERE kind = ? AND key = ?", (bytes(changed), kind, key))


def _a_forged_rulebook(house: DealtHouse, random: Random) -> None:
    def change(bodies: list[_Body]) -> None:
        [command] = [body["command"] for body in bodies if body["command"]["command"] == "keep-rulebook"]
        pages = unpacked_pages(command["name"], command["pages"])
        name = random.choice(sorted(pages.texts))
        text = bytearray(pages.texts[name])
        digits = [place for place, byte in enumerate(text) if chr(byte).isdigit()]
        place = random.choice(digits or [0])
        text[place] = ord(str((text[place] - ord("0") + 1) % 10)) if digits else ord("#")
        command["pages"] = packed_pages(Pages(pages.name, {**pages.texts, name: bytes(text)}))

    house.forge(change)


def _a_forged_roll(house: DealtHouse, random: Random) -> None:
    def change(bodies: list[_Body]) -> None:
        body = random.choice([one for one in bodies if one["command"]["command"] == "complete-roll"])
        events = {event["event"]: event for event in body["events"]}
        landed, revealed, committed = (
            events[name] for name in ("dice-landed/1", "dice-revealed/1", "dice-committed/1")
        )
        other = random.randbytes(32).hex()
        match random.randrange(5):
            case 0:
                landed["first"] = landed["first"] % 6 + 1
            case 1:
                revealed["key"] = body["command"]["key"] = other
            case 2:
                revealed["hash"] = body["command"]["hash"] = other
            case 3:
                revealed["nonce"] = body["command"]["nonce"] = other
            case _:
                committed["digest"] = body["command"]["next_digest"] = other

    house.forge(change)


def _a_forged_payment(house: DealtHouse, random: Random) -> None:
    def change(bodies: list[_Body]) -> None:
        money = [
            (event, field)
            for body in bodies
            for event in body["events"]
            for field, value in event.items()
            if field in {"cents", "winnings"} and value
        ]
        event, field = random.choice(money)
        event[field] += 5_00

    house.forge(change)


KINDS: dict[str, Callable[[DealtHouse, Random], None]] = {
    "a forged session": _a_forged_session,
    "a swapped password or PIN": _a_swapped_secret,
    "a bit of the vault": _a_bit_of_the_vault,
    "a rulebook forged with the key": _a_forged_rulebook,
    "a roll forged with the key": _a_forged_roll,
    "an amount forged with the key": _a_forged_payment,
}
"""Every kind of tampering by name."""
