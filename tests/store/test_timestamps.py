"""The clock of a house: steady while the system's clock jumps, and at a standstill only for dealing."""

from __future__ import annotations

import re
from random import Random

import pytest

from passline.store.timestamps import CLOCK_SECONDS_MAX, ClockJump, HouseClock, later
from tests.store.machine import START, Machine


def test_it_follows_a_clock_that_is_right() -> None:
    machine = Machine()
    clock = machine.clock()
    assert clock() == START
    for _ in range(10):
        machine.passes(60, jump=0.01)  # a time service at work
    assert clock() == later(START, 600).replace("000000Z", "100000Z")
    assert (clock.fault, clock.jumps()) == ("", [])


@pytest.mark.parametrize("seconds", [-10, -CLOCK_SECONDS_MAX + 1])
def test_a_clock_set_back_is_noticed_and_time_goes_on(seconds: int) -> None:
    machine = Machine()
    clock = machine.clock()
    machine.passes(100, jump=seconds)
    assert clock() >= later(START, 90)  # by the steady clock, a tenth slower
    (jump,) = clock.jumps()
    assert jump == ClockJump(later(START, 100), later(START, 100 + seconds))
    assert clock.fault == ""
    machine.passes(-seconds * 10)
    assert clock() == later(START, 100 + seconds - seconds * 10)  # the two agree again
    clock.forget_jump(jump)
    assert clock.jumps() == []


@pytest.mark.parametrize(("seconds", "where"), [(-CLOCK_SECONDS_MAX - 1, "behind"), (CLOCK_SECONDS_MAX + 1, "ahead")])
def test_a_clock_that_is_far_off_stops_the_dealing_but_not_the_time(seconds: int, where: str) -> None:
    machine = Machine()
    clock = machine.clock()
    machine.passes(10, jump=seconds)
    assert clock() == later(START, 10)
    assert f"is 6 minutes {where}" in clock.fault
    machine.passes(50)
    assert clock() == later(START, 60)  # sessions end when they would have ended
    machine.passes(0, jump=-seconds)
    assert clock() == later(START, 60)
    assert clock.fault == ""
    assert len(clock.jumps()) == 2  # there and back


def test_a_clock_set_back_while_no_server_ran_is_noticed_at_the_start() -> None:
    machine = Machine()
    assert machine.clock(later(START, 60))() == later(START, 60)
    assert machine.clock(later(START, 60)).jumps() == [ClockJump(later(START, 60), START)]
    late = machine.clock(later(START, 3600))
    assert "is 60 minutes behind the time of the log: set it right" in late.fault
    assert machine.clock(later(START, -3600)).fault == ""  # the house was closed for an hour
    assert machine.clock(later(START, -3600)).jumps() == []


def test_a_house_whose_clock_was_ahead_at_a_start_deals_again_from_the_moment_that_is_told() -> None:
    machine = Machine()
    machine.passes(0, jump=3600)
    clock = machine.clock()
    machine.passes(2, jump=-3600)  # a time service has set it right
    newest = clock()
    (until,) = re.findall(r"set it right, or stop the server until (\S+) if it is right$", clock.fault)
    assert until == later(newest, 1).replace(".000000", "")
    machine.passes(3590)
    assert clock.fault, "as long as the server runs, so does the time of its house"
    machine.passes(11)
    assert machine.clock(newest)() >= later(newest, 1)
    assert machine.clock(newest).fault == ""


def test_time_never_goes_back_whatever_the_clock_does() -> None:
    random, machine = Random(12), Machine()
    clock, before = machine.clock(), ""
    for _ in range(5000):
        machine.passes(random.random() * 10, jump=random.choice((0, 0, 0, random.uniform(-1000, 1000))))
        now = clock()
        assert now >= before
        before = now


def test_the_steady_clock_of_this_machine_runs() -> None:
    clock = HouseClock()
    first = clock()
    assert first <= clock()
    assert (clock.fault, clock.jumps()) == ("", [])
