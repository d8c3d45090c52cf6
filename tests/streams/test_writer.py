"""Commits in doubt: each command acts once, and none is called undone that may have been done."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest

from passline.game import commands as c
from passline.refusal import Refused
from passline.store.log import LogError
from passline.store.verify import verify_log
from passline.streams.course import Answer, Ask
from passline.streams.writer import InDoubt, LogDown
from tests.event_loop import asynchronous
from tests.people.house import NEW, PASSWORD, House
from tests.streams.doubtful_log import DoubtfulLog
from tests.tables.running_floor import ANN, BOB, ask, running

PASS = c.MakeWager(seat=1, wager="pass", cents=10_00)
FIELD = c.MakeWager(seat=2, wager="field", cents=5_00)
Loss = Literal["request", "answer"]
each_loss = pytest.mark.parametrize("loss", ["request", "answer"])


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("passline.streams.writer._SETTLE_SECONDS", (0.01, 0.01, 0.01))


@each_loss
@asynchronous
async def test_a_commit_in_doubt_is_settled_and_every_sender_is_answered_once(loss: Loss) -> None:
    log = DoubtfulLog()
    async with running(log) as (_floor, table):
        log.lose(loss, 2)
        answers = await asyncio.gather(ask(table, ANN, PASS, "one"), ask(table, BOB, FIELD, "two"))
        assert all(isinstance(answer, Answer) for answer in answers)
        assert table.live.game.money.racks[:2] == (990_00, 995_00)
        again = await ask(table, ANN, PASS, "one")
        assert again == answers[0]
    assert verify_log(log.rows(), log.public_key, log.head()).is_intact


@each_loss
@asynchronous
async def test_what_cannot_be_settled_is_in_doubt_and_asking_by_its_id_tells(loss: Loss) -> None:
    log = DoubtfulLog()
    async with running(log) as (_floor, table):
        log.lose(loss, 1_000)
        with pytest.raises(InDoubt, match="not known yet whether this was done"):
            await ask(table, ANN, PASS, "one")
        with pytest.raises(InDoubt):
            await table.stream.outcome(ANN, "one")  # not known while the log does not answer
        log.lose("down", 1_000)
        with pytest.raises(InDoubt):
            await ask(table, ANN, PASS, "one")  # this sending did nothing, but the first may have
        log.lose(loss, 0)
        found = await table.stream.outcome(ANN, "one")
        assert isinstance(found, Answer) == (loss == "answer")
        answer = await ask(table, ANN, PASS, "one")
        if loss == "answer":
            assert isinstance(answer, Answer)
        else:  # its sender was told that it was not done: it never acts
            assert isinstance(answer, Refused)
            assert "found not to be done" in str(answer)
        assert table.live.game.money.racks[0] == (990_00 if loss == "answer" else 1_000_00)
        assert isinstance(await ask(table, BOB, FIELD), Answer)  # the stream goes on


@each_loss
@asynchronous
async def test_a_command_in_doubt_that_is_sent_again_acts_once(loss: Loss) -> None:
    log = DoubtfulLog()
    async with running(log) as (_floor, table):
        log.lose(loss, 1_000)
        with pytest.raises(InDoubt):
            await ask(table, ANN, PASS, "one")
        log.lose(loss, 0)
        assert isinstance(await ask(table, ANN, PASS, "one"), Answer)
        assert table.live.game.money.racks[0] == 990_00


@asynchronous
async def test_a_log_that_is_down_did_nothing_unless_the_command_was_sent_before() -> None:
    log = DoubtfulLog()
    async with running(log) as (_floor, table):
        log.lose("down", 1_000)
        with pytest.raises(LogDown) as down:
            await ask(table, ANN, PASS, "one")
        assert not isinstance(down.value, InDoubt)
        with pytest.raises(InDoubt):
            await table.stream.ask(Ask("two", PASS, ANN, again=True))
        log.lose("down", 0)


@asynchronous
async def test_a_refusal_of_a_command_sent_again_waits_for_commits_under_way() -> None:
    log = DoubtfulLog()
    async with running(log) as (_floor, table):
        unlawful = c.MakeWager(seat=1, wager="pass", cents=1)
        assert isinstance(await ask(table, ANN, unlawful, "one"), Refused)
        log.lose("down", 1_000)
        with pytest.raises(InDoubt):
            await table.stream.ask(Ask("one", unlawful, ANN, again=True))
        log.lose("down", 0)
        assert isinstance(await table.stream.ask(Ask("one", unlawful, ANN, again=True)), Refused)


@each_loss
def test_no_password_is_forgotten_that_a_commit_in_doubt_may_refer_to(loss: Loss) -> None:
    log = DoubtfulLog()
    house = House(log)
    olga = house.owner().session.account.id
    log.lose(loss, 1_000)
    with pytest.raises(InDoubt):
        house.desk.set_password(by=olga, password=PASSWORD, new=NEW)
    log.lose(loss, 0)
    right, wrong = (NEW, PASSWORD) if loss == "answer" else (PASSWORD, NEW)
    assert not isinstance(house.desk.log_in(name="Olga", password=right), Refused)
    assert isinstance(house.desk.log_in(name="Olga", password=wrong), Refused)


def test_a_session_that_cannot_begin_after_its_account_was_opened_is_not_called_undone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House(DoubtfulLog())

    def full(*_given: object, **_named: object) -> None:
        raise LogError("the disk is full")

    monkeypatch.setattr(house.desk._sessions, "begin", full)
    with pytest.raises(InDoubt, match="it was recorded"):
        house.desk.register(name="Ann", password=PASSWORD)
    assert house.desk.people().account_named("Ann") is not None
