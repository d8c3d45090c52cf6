"""A wager that was judged before is decided in one step, and exactly as all judges decide it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from msgspec.structs import replace

from passline.game import commands as c
from passline.game.decide import act
from passline.game.events import Event
from passline.game.judges.fast_path import WagersInARow, make_known_wager
from passline.game.position import Table, find
from passline.streams.course import Actor
from passline.tables import decide as decide_module
from passline.tables import live as live_module
from passline.tables import wager_check
from passline.tables.approvals import Approvals
from passline.tables.commands import TableCommand
from passline.tables.decide import decide
from passline.tables.entries import TABLE, TABLE_CODEC
from passline.tables.events import LimitsNoticed
from passline.tables.known_wager import decide_known_wager
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from passline.tables.verify import LogCheck, decision_faults
from tests.tables.sitting import ALL, ANN, AT, BOB, LABORATORY, Sitting

FIELD = c.MakeWager(seat=1, wager="field", cents=10_00)


@pytest.fixture
def sitting() -> Sitting:
    sitting = Sitting(dice="electronic", approvals=LABORATORY, automate=ALL, buy_in="self")
    sitting.sit(ANN, 1)
    sitting.sit(BOB, 2)
    sitting.shoot(ANN)
    return sitting


def cases(sitting: Sitting) -> Iterator[tuple[LiveTable, TableCommand, Actor]]:
    """Yield wagers as they may come: made once more, with nothing special about them or with one thing."""
    live = sitting.table
    for seat, who, cents in ((1, ANN, 10_00), (2, BOB, 25_00), (1, ANN, 5_000_00), (1, BOB, 10_00), (3, ANN, 10_00)):
        for kind, number in (("pass", 0), ("field", 0), ("place_win", 6), ("hardway", 8), ("no_such", 0), ("pass", 4)):
            yield live, c.MakeWager(seat=seat, wager=kind, number=number, cents=cents), who
    yield live, replace(FIELD, media=("cash",)), ANN
    yield live, replace(FIELD, by="dealer"), ANN
    yield live, replace(FIELD, seat=True), ANN
    yield live, replace(FIELD, seat=[1]), ANN
    yield live, replace(FIELD, cents=10_00.0), ANN
    yield live, FIELD, replace(ANN, is_employee=True)
    yield replace(live, status="frozen", frozen=None), FIELD, ANN
    notice = LimitsNoticed(15_00, 500_00, live.house["limits"], AT, "")
    yield replace(live, notice=notice), FIELD, ANN
    game = live.game
    poor = replace(game, money=replace(game.money, racks=(9_99, *game.money.racks[1:])))
    yield replace(live, game=poor), FIELD, ANN
    owing = replace(game, money=replace(game.money, bank=-1))
    yield replace(live, game=owing), FIELD, ANN
    for limit in (1_999, 2_000):  # commands since the last throw, after which it cannot be corrected
        assert live.since
        yield replace(live, since=live.since[:1] * limit), FIELD, ANN


@pytest.mark.parametrize("is_after_a_roll", [False, True])
def test_it_is_decided_as_by_all_judges(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch, *, is_after_a_roll: bool
) -> None:
    sitting.wager(ANN, "pass", 10_00)
    sitting.roll(2, 2)
    if is_after_a_roll:
        sitting.roll(2, 2)

    def answers() -> list[str]:
        found = []
        for live, command, by in cases(sitting):
            try:
                found.append(repr(decide(live, command, by=by, at=AT, approvals=Approvals())))
            except AssertionError as error:  # a frozen table without a dispute is no table of ours
                found.append(repr(error))
        return found

    answers()  # now every judgement is known
    quick = [
        known is not None
        for live, command, by in cases(sitting)
        if isinstance(command, c.MakeWager) and by.role == "player"
        for known in [decide_known_wager(live, command, by.account)]
    ]
    found = answers()
    assert any(quick)
    assert not all(quick)
    monkeypatch.setattr(decide_module, "decide_known_wager", lambda *_: None)
    monkeypatch.setattr(live_module, "fold_wagers", _fold_by_kinds)
    assert answers() == found


def _fold_by_kinds(live: LiveTable, wagers: Sequence[tuple[c.MakeWager, Event]], game: Table) -> LiveTable:
    """Fold a wager as any other event is folded: another kind of command leads past the short way."""
    [(command, made)] = wagers

    class Likewise(c.MakeWager, frozen=True, kw_only=True, tag="make-wager", cache_hash=True):
        """A wager that is not known as one."""

    alike = Likewise(**{name: getattr(command, name) for name in command.__struct_fields__})
    after = live_module.fold(live, alike, (made,), game=game)
    if after.before_roll is None:
        return after
    since = (*live.since, live_module.Redoable(command))
    gone: dict[str, object] = {"before_roll": None, "since": (), "left": {}}
    return replace(after, **({"since": since} if len(since) <= live_module._SINCE_MAX else gone))


@pytest.fixture
def played(sitting: Sitting) -> Sitting:
    """Return a sitting with rounds of wagers, some of them added to, after which both players have them."""
    sitting.wager(ANN, "pass", 10_00)
    for dice in ((1, 3), (2, 3), (4, 5)):
        for who, cents in ((ANN, 10_00), (BOB, 25_00)):
            for kind, number in (("field", 0), ("place_win", 6), ("place_win", 8), ("field", 0), ("place_win", 6)):
                sitting.wager(who, kind, cents * 6 // 5 if number else cents, number)
        sitting.roll(*dice)
    return sitting


def _count_runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many wagers each run has, from now on."""
    lengths: list[int] = []
    real = wager_check.WagerRun.table

    def counted(run: wager_check.WagerRun) -> LiveTable:
        lengths.append(len(run.wagers))
        return real(run)

    monkeypatch.setattr(wager_check.WagerRun, "table", counted)
    return lengths


def test_verify_decides_wagers_in_a_row_and_finds_one_that_was_changed(
    played: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths = _count_runs(monkeypatch)
    assert not list(decision_faults(played))
    assert lengths == [11, 10, 10], "those between two rolls, made and added to"
    entries = list(played)
    for event, before, after in ((b"wager-made", b"2500", b"2600"), (b"wager-increased", b"5000", b"5100")):
        place = max(number for number, stored in enumerate(entries) if event in stored.body and before in stored.body)
        entry = entries[place].entry
        forged = replace(entry, events=type(entry.events)(bytes(entry.events).replace(before, after)))
        changed = [*entries[:place], replace(entries[place], entry=forged), *entries[place + 1 :]]
        faults = list(decision_faults(changed))
        assert faults[0].sequence == entry.sequence
        assert after.decode() in faults[0].what


@pytest.mark.parametrize("asked_every", [1, 2, 7, 1_000])
def test_the_table_after_wagers_in_a_row_is_the_one_that_was_dealt(
    played: Sitting, monkeypatch: pytest.MonkeyPatch, asked_every: int
) -> None:
    """However many wagers are taken together, table, balances and who dealt them come out the same."""
    lengths = _count_runs(monkeypatch)
    check, stream, balances = LogCheck(), f"{TABLE}{played.table.id}", dict[int, dict[str, int]]()
    table: LiveTable | None = None
    for number, stored in enumerate(played):
        assert not list(check.entry_faults(stored))
        if stored.entry.stream == stream:
            codec = TABLE_CODEC
            table = live_module.fold(table, codec.command(stored.entry), codec.events(stored.entry))
            balances[table.version] = table.balances
        if number % asked_every == 0 and table is not None:
            assert check.state(stream) == table
    check.finish()
    assert lengths
    assert check.state(stream) == played.table == table
    assert {version: check.balances[stream].at(version) for version in balances} == balances
    assert check.balances[stream].at(played.table.version + 1) is None
    assert [(part.first, part.entries) for part in check.dealt_by.parts] == [(min(_of(stream, played)), len(balances))]


def _of(stream: str, sitting: Sitting) -> list[int]:
    return [stored.entry.sequence for stored in sitting if stored.entry.stream == stream]


def test_a_row_finds_the_judgements_that_single_wagers_find(sitting: Sitting) -> None:
    """What a row keeps of a wager holds only while puck, seat, what is up and what it stands behind are the same."""
    wagers = (("pass", 0), ("pass_odds", 0), ("come", 0), ("come_odds", 6), ("field", 0), ("place_win", 6))
    commands = [
        c.MakeWager(seat=seat, wager=kind, number=number, cents=cents)
        for seat in (1, 2, 3)
        for kind, number in wagers
        for cents in (10_00, 25_00, 60_00)
    ]
    rules, found = rules_of(sitting.table), 0
    sitting.wager(ANN, "pass", 10_00)
    for dice in ((2, 2), (3, 3), (1, 2), (4, 2), (1, 3), (3, 3), (2, 2), (5, 5)):
        position = sitting.table.game.position
        for who in (ANN, BOB):
            for kind, number in (("come", 0), ("field", 0)) if position.puck else (("pass", 0), ("field", 0)):
                if find(position, 1 if who is ANN else 2, kind, number) is None:
                    sitting.wager(who, kind, 10_00, number)
        if position.puck and find(position, 1, "pass_odds", position.puck) is None:
            sitting.wager(ANN, "pass_odds", 10_00)
        table = sitting.table.game
        poor = replace(table, money=replace(table.money, racks=(9_99, *table.money.racks[1:])))
        position = table.position
        left = replace(table, position=replace(position, seats=("", *position.seats[1:])))
        more = tuple(replace(up, cents=100_00) if up.kind in {"pass", "come"} else up for up in position.layout)
        rich = replace(table, position=replace(position, layout=more))
        for game in (rich, table, poor, left, table):
            for command in commands:
                act(rules, game, command)  # now it is known, if it can be
                for _ in range(2):  # the second time by what the first one kept
                    single = make_known_wager(rules, game, command)
                    judgement = WagersInARow(rules, game).judgement_of(command)
                    assert (judgement.events if judgement else None) == (single[0] if single else None)
                    found += judgement is not None
        sitting.roll(*dice)
    assert found > len(commands)
