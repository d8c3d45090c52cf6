"""`passline rehearse`: try on a copy whether a backup brings a house back that serves, deals and verifies."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from time import monotonic
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from passline.cli.exit_codes import FAILED
from passline.cli.output import progress_bar
from passline.cli.upkeep import (
    KeyOption,
    LeaveOutOption,
    PassphraseOption,
    after_restore,
    document_finder,
    file_key,
    machine_user,
)
from passline.errors import CrapsError

if TYPE_CHECKING:
    from passline.store.upkeep.documents import DamagedDocument
    from passline.store.upkeep.restore import Restoration

_READY = "Ctrl-C stops"
_STOP_SECONDS = 60
_START_SECONDS, _TIMES_AS_LONG = 300.0, 20.0
"""How long a server or verify may take: this, and so many times as long as restoring, which reads the whole log."""
_PIPE_BYTES = 65_536
_SHOWN_LINES = 12  # of what a server or verify said last
_SEAT, _BUY_IN_CENTS, _WAGER_CENTS = 1, 1_000_00, 10_00
_ROLLS_MAX = 1_000  # a longer hand than anybody has seen: then something is wrong
_PASSED = TypeVar("_PASSED")


class RehearsalFailed(Exception):
    """A part of a rehearsal that did not succeed, and why."""


def rehearse(
    file: Annotated[Path, typer.Argument(metavar="BACKUP", help="A backup of passline backup.", show_default=False)],
    *,
    key: KeyOption = None,
    passphrase: PassphraseOption = False,
    work: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where the copy is made, in a folder of its own that is removed at the end; by default "
            "the system's folder for temporary files.",
        ),
    ] = None,
    leave_out_damaged: LeaveOutOption = False,
) -> None:
    """Rehearse a restoration on a copy: restore the backup, serve it, play a hand, and verify the log.

    The house itself, its folder, database and anchors are not touched: everything happens in a new folder, with an
    anchor of its own. The exit code is 0 if all of it succeeds, 1 if a part of it fails, 2 if the backup cannot be
    read.
    """
    opener, begun = file_key(key, passphrase=passphrase, is_new=False), monotonic()
    damaged: list[DamagedDocument] = []
    with rehearsal_folder(work) as folder:
        print(f"rehearsing {file} in {folder}, which is removed at the end", flush=True)
        from passline.store.upkeep.restore import restore_backup

        def restore() -> Restoration:
            return restore_backup(
                file,
                opener,
                folder / "house",
                by=machine_user(),
                reason="a rehearsal, on a copy",
                anchors=(str(folder / "heads"),),
                after=after_restore,
                named=document_finder(),
                leave_out=damaged.append if leave_out_damaged else None,
            )

        done, took = _time("restoring", restore)
        backup = done.backup
        print(
            f"restored: {backup.head.sequence:,} entries, {backup.secrets:,} secrets, {backup.documents:,} documents, "
            f"in {took:.1f} s",
            flush=True,
        )
        for document in damaged:
            print(f"DAMAGED, and not restored: {document}", flush=True)
        try:
            _serve_and_verify(folder, done, _START_SECONDS + _TIMES_AS_LONG * took)
        except RehearsalFailed as failed:
            print(f"FAILED: {failed}")
            raise typer.Exit(FAILED) from None
    print(
        f"rehearsed: the backup of {backup.at}, up to entry {backup.head.sequence:,}, was restored, served, dealt and "
        f"verified, in {monotonic() - begun:.0f} s; restoring it took {took:.1f} s"
    )


@contextmanager
def rehearsal_folder(work: Path | None) -> Iterator[Path]:
    """Make a folder that only this user can read, for it gets the keys of the house; remove it at the end.

    It is removed, and the copy's server ended, also if a scheduler stops the rehearsal.
    """
    if work is not None and not work.is_dir():
        raise CrapsError(f"--work {work}: no such folder; name one with room for the whole house")
    folder = Path(tempfile.mkdtemp(prefix="passline-rehearsal-", dir=work))

    def stop(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        for number, handler in before.items():
            signal.signal(number, handler)


def _time(what: str, act: Callable[[], _PASSED]) -> tuple[_PASSED, float]:
    """Do a part of the rehearsal under a progress bar; return its result and how many seconds it took."""
    begun = monotonic()
    with progress_bar(what):
        done = act()
    return done, monotonic() - begun


def _serve_and_verify(folder: Path, done: Restoration, seconds_max: float) -> None:
    """Serve a restored copy, play there, and verify it; print each part, or raise RehearsalFailed."""
    table = _practice_table(folder / "house")
    with serve_copy(folder, seconds_max) as (address, ready_after):
        print(f"served: ready after {ready_after:.1f} s", flush=True)
        rolls, seconds = _time("playing", lambda: _played_hand(address, table))
        print(f"played: a hand of {rolls:,} rolls, each proved, in {seconds:.1f} s", flush=True)
    head = done.backup.head
    given = ["--head", f"{head.sequence}:{head.hash}:{head.seal}", "--key", done.backup.public_key]
    arguments = ["verify", str(folder / "house"), "--anchor", str(folder / "heads"), *given]
    said, seconds = _time("verifying", lambda: said_by(arguments, seconds_max))
    if said.returncode != 0:
        raise RehearsalFailed(f"the copy does not verify:\n{end_of(said.stdout + said.stderr)}")
    print(f"verified: {said.stdout.splitlines()[-1]}, in {seconds:.1f} s", flush=True)


def _practice_table(data: Path) -> str:
    """Open a table for play money in a copy, as a new house has one, and return its id."""
    import asyncio
    from uuid import uuid4

    from passline.provable_dice import DiceKeys
    from passline.refusal import Refused
    from passline.store.data_folder import dice_secret, open_log
    from passline.streams.course import THE_HOUSE, Ask
    from passline.tables.runtime.floor import Floor
    from passline.web.demo.players import first_table, newcomers_regulation
    from passline.web.server.clock_keeper import clock_of

    log = open_log(data, is_demo=False)

    async def open_table() -> str:
        floor = Floor(log, clock=clock_of(log), keys=DiceKeys(dice_secret(data), log.log_id))
        await floor.start()
        table = first_table(f"Rehearsal {secrets.token_hex(4)}", newcomers_regulation(), is_demo=False)
        id_, answer = await floor.open(Ask(uuid4().hex, table, THE_HOUSE))
        await floor.close()
        if isinstance(answer, Refused):
            raise RehearsalFailed(f"no practice table can be opened: {answer}")
        return id_

    try:
        return asyncio.run(open_table())
    finally:
        log.close()


@contextmanager
def serve_copy(folder: Path, seconds_max: float) -> Iterator[tuple[str, float]]:
    """Serve a copy, in a process as people run it; yield its address, and after how many seconds it was ready."""
    options = ["--port", "0", "--data", str(folder / "house"), "--anchor", str(folder / "heads")]
    begun, errors = monotonic(), folder / "server.err"
    with errors.open("w") as file:
        serve = _command("serve", *options)
        process = subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=file)  # noqa: S603 - this program
    try:
        with progress_bar("starting a server"):
            said = _greeting(process, seconds_max)
        address = re.search(r"http://[\d.]+:\d+", said)
        if _READY not in said or address is None or process.poll() is not None:
            late = f" within {seconds_max:,.0f} s" if monotonic() - begun >= seconds_max else ""
            raise RehearsalFailed(f"the copy is not served{late}:\n{end_of(said + errors.read_text(encoding='utf-8'))}")
        yield address[0], monotonic() - begun
    finally:
        process.terminate()
        try:
            process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _greeting(process: subprocess.Popen[bytes], seconds_max: float) -> str:
    """Return what a server says until it is ready, ends, or has taken too long."""
    assert process.stdout is not None
    said, until = b"", monotonic() + seconds_max
    while _READY.encode() not in said and (left := until - monotonic()) > 0:
        is_heard, _, _ = select([process.stdout], [], [], left)
        if not is_heard or not (part := os.read(process.stdout.fileno(), _PIPE_BYTES)):
            break
        said += part
    return said.decode(errors="replace")


def _played_hand(address: str, table: str) -> int:
    """Play a shooter's whole hand as a new player, with a wager on the pass line; return how many rolls it took."""
    from passline.client import Client, RequestRefused, RollNotProved, Unreachable
    from passline.game.commands import AcceptDice, BuyIn, MakeWager, TakeSeat

    try:
        with Client(address) as player:
            player.register(f"Rehearsal {secrets.token_hex(4)}", secrets.token_hex(16))
            with player.live(table) as live:
                live.do(TakeSeat(seat=_SEAT))
                live.do(BuyIn(seat=_SEAT, cents=_BUY_IN_CENTS))
                live.do(MakeWager(seat=_SEAT, wager="pass", cents=_WAGER_CENTS))
                live.do(AcceptDice(seat=_SEAT))
                for rolls in range(1, _ROLLS_MAX + 1):
                    after = live.roll(_SEAT).table
                    if after["shooter"] != _SEAT:
                        return rolls
                    if after["phase"] == "come_out":
                        live.do(MakeWager(seat=_SEAT, wager="pass", cents=_WAGER_CENTS))
    except (RequestRefused, RollNotProved, Unreachable) as error:
        raise RehearsalFailed(f"a hand cannot be played on the copy: {error}") from error
    raise RehearsalFailed(f"a hand did not end within {_ROLLS_MAX:,} rolls")


def said_by(arguments: list[str], seconds_max: float) -> subprocess.CompletedProcess[str]:
    """Run a command of this program as people do; raise RehearsalFailed if it does not end in time."""
    command = _command(*arguments)
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds_max)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise RehearsalFailed(f"passline {arguments[0]} of the copy did not end within {seconds_max:,.0f} s") from None


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "passline", *arguments]


def end_of(said: str) -> str:
    """Return the last lines of what a process said."""
    return "\n".join(said.strip().splitlines()[-_SHOWN_LINES:])
