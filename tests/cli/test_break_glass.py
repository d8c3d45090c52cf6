"""`passline break-glass`: an hour is an hour by the time of the house, whatever the machine's clock says."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

from passline.cli.main import main
from passline.people.commands import CreateAccount
from passline.people.credentials import SignOff
from passline.people.desk import FrontDesk
from passline.store.authentic_vault import ROWS_PURPOSE, AuthenticVault
from passline.store.data_folder import open_log
from passline.store.log import Secret
from passline.store.timestamps import later, utc_now
from passline.streams.course import Answer
from tests.people.house import PIN, QUICK, House


def keep_time(data: Path, seconds: int) -> None:
    """Make a house whose time is ahead of the machine's: somebody has set the machine's clock back."""
    with closing(open_log(data)) as log:
        rows = AuthenticVault(log.vault, log.derive(ROWS_PURPOSE))
        rows.put(Secret("clock", "house", later(utc_now(), seconds).encode()))


@pytest.mark.parametrize("seconds", [0, 7200])
def test_the_glass_is_not_broken_by_a_clock_that_was_set_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seconds: int
) -> None:
    keep_time(tmp_path, seconds)
    code = main(["break-glass", str(tmp_path), "--reason", "Oskar is in hospital"])
    assert (code == 0) is (seconds == 0)
    error = capsys.readouterr().err
    assert ("minutes behind the time of the log: set it right" in error) is (code != 0)


def test_nothing_is_restored_by_a_clock_that_was_set_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, new = tmp_path / "backup.key", tmp_path / "new"
    keep_time(tmp_path / "house", 7200)
    assert main(["backup", "--new-key", str(key)]) == 0
    assert main(["backup", str(tmp_path / "b"), "--data", str(tmp_path / "house"), "--key", str(key)]) == 0
    assert main(["restore", str(tmp_path / "b"), "--data", str(new), "--key", str(key), "--reason", "a fire"]) != 0
    told = capsys.readouterr().err
    assert "behind the time of the log: set it right" in told
    assert "; nothing was restored" in told
    assert not new.exists() or not [*new.iterdir()]


def test_an_hour_that_a_clock_set_forward_began_is_not_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: set the clock ten years forward, break the glass, and set it right: alone for ten years."""
    log = open_log(tmp_path)
    house = House(log)
    house.clock.now = utc_now()
    olga = house.owner().session.account.id
    house.hire("Oskar", "owner", by=olga)
    real = time.time_ns
    with monkeypatch.context() as forward:
        forward.setattr(time, "time_ns", lambda: real() + 10 * 365 * 86_400 * 10**9)
        assert main(["break-glass", str(tmp_path), "--reason", "Oskar is in hospital"]) == 0
    desk = FrontDesk(log, utc_now, hasher=QUICK)
    command = CreateAccount(account="new", name="Max", roles=("boxperson",))
    assert "takes a second owner" in str(desk.do(command, by=olga))
    assert isinstance(desk.do(command, by=olga, sign_off=SignOff(name="Oskar", pin=PIN)), Answer)
    log.close()
