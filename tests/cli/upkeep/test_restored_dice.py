"""Restoring a backup makes a new secret of the dice: open throws are void, and `verify` tells of each key given up."""

import asyncio
from hashlib import sha256
from pathlib import Path

from passline.cli.main import main
from passline.game import commands as c
from passline.provable_dice import DiceKeys
from passline.store.data_folder import DICE_KEY_FILE, dice_secret, open_log
from passline.store.timestamps import utc_now
from passline.streams.course import Ask
from passline.tables.commands import RenewDice, Roll
from passline.tables.dice.proofs import DiceProofs
from passline.tables.runtime.floor import Floor
from passline.tables.verify import decision_faults
from tests.tables.running_floor import ANN, done, running

NONCE = bytes(range(32))


def test_a_restored_house_gets_new_keys_and_its_open_throws_are_void(tmp_path: Path) -> None:
    key = str(tmp_path / "backup.key")
    assert main(["backup", "--new-key", key]) == 0

    async def throw_and_stop() -> None:
        log = open_log(tmp_path / "house")
        keys = DiceKeys(dice_secret(tmp_path / "house"), log.log_id)
        async with running(log, keys=keys) as (_floor, table):
            await done(table, ANN, c.AcceptDice(seat=1))
            await done(table, ANN, c.MakeWager(seat=1, wager="pass", cents=10_00))
            await table.stream.ask(Ask("throw", Roll(seat=1, nonce_digest=sha256(NONCE).hexdigest()), ANN))
        log.close()

    async def deal_again() -> tuple[str, int]:
        log = open_log(tmp_path / "new")
        floor = Floor(log, clock=utc_now, keys=DiceKeys(dice_secret(tmp_path / "new"), log.log_id))
        await floor.start()
        table = await floor.table("craps-1")
        assert table is not None
        assert table.live.closing is None
        layout = len(table.live.game.position.layout)
        await done(table, ANN, Roll(seat=1))
        alone = await table.stream.ask(Ask("again", RenewDice(reason="a better key"), ANN))
        await floor.close()
        log.close()
        return str(alone), layout

    asyncio.run(throw_and_stop())
    backup = ["backup", str(tmp_path / "b"), "--data", str(tmp_path / "house"), "--key", key]
    assert main(backup) == 0
    restored = [
        "restore",
        str(tmp_path / "b"),
        "--data",
        str(tmp_path / "new"),
        "--key",
        key,
        "--reason",
        "it burned",
    ]
    assert main(restored) == 0
    secrets = [(tmp_path / folder / DICE_KEY_FILE).read_text() for folder in ("house", "new")]
    assert secrets[0] != secrets[1]
    refused, layout = asyncio.run(deal_again())
    assert "may not give renew-dice" in refused
    assert layout == 1, "the wager of the void throw stays"
    log = open_log(tmp_path / "new")
    proofs = DiceProofs()
    assert list(decision_faults(log.read(), proofs)) == []
    log.close()
    assert (proofs.proved, [one.what for one in proofs.given_up]) == (1, ["gives up a key: a backup was restored"])
