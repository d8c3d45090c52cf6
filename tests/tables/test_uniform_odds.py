"""What is paid beyond the list is the same at every table of the casino, however many servers open tables."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from passline.refusal import Refused
from passline.rules.house_check import payout_lines
from passline.rules.pages.texts import read_pages
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.rules import Rules
from passline.store.memory import MemoryLog
from passline.store.timestamps import later
from passline.streams.course import Answer, Ask
from passline.tables import uniform_odds
from passline.tables.commands import AdoptRulebook, CloseTable
from passline.tables.house_events import OddsSet
from passline.tables.runtime.floor import Floor, RunningTable
from passline.tables.terms import TERMS
from passline.tables.uniform_odds import odds_to_set, recently_set, set_odds, unset_odds
from passline.tables.verify import decision_faults
from tests.loaded_dice import LoadedDice
from tests.tables.changed_rulebook import installed_in, new_process
from tests.tables.running_floor import OPENING, OWNER, falling, floor_over
from tests.tables.sitting import Sitting, draft_of

AT = "2026-11-15T08:00:00.000000Z"
TRIPLE = {"payouts": {"field 12": "3 to 1"}, "payouts_uniform": True}
CLAUSE = {"colorado": "CO-2306-1-higher", "section2": "S2-d2.higher"}
ALIKE = {"payouts": {"field 12": "6 to 2"}, "payouts_uniform": True}  # the same, said otherwise


def opening(number: int, rules: str, house: Mapping[str, Any] = {}, **changes: Any) -> Ask:  # noqa: ANN401 - of any field
    command = replace(OPENING, name=f"Craps {number}", house={"rules": rules, **house}, **changes)
    return Ask(f"open-{number}", command, OWNER, "flo")


async def opened(floor: Floor, ask: Ask) -> str:
    """Return why a table does not open, or nothing."""
    _id, answer = await floor.open(ask)
    return str(answer) if isinstance(answer, Refused) else ""


@pytest.mark.parametrize(
    ("rules", "other"),
    [
        pytest.param(
            "colorado", "craps_free_craps", marks=pytest.mark.clause("CO-2306-1-higher", "CO-2317.03-gap-floor")
        ),
        pytest.param("section2", "mini_craps", marks=pytest.mark.clause("S2-d2.higher")),
    ],
)
def test_a_second_table_with_other_odds_is_not_opened(rules: str, other: str) -> None:
    """CO-2306-1-higher, S2-d2.higher: better odds are the casino's, at either of its games, not one table's."""

    async def play() -> None:
        now = [AT]
        log = MemoryLog(at=AT)
        floor = Floor(log, clock=lambda: now[0], keys=LoadedDice(falling(), log.log_id))
        await floor.start()
        assert await opened(floor, opening(1, rules)) == ""
        said = await opened(floor, opening(2, rules, TRIPLE))
        assert CLAUSE[rules] in said, said
        assert "field 12 3 to 1 here, 2 to 1 at Craps 1" in said
        assert CLAUSE[rules] in await opened(floor, opening(3, rules, {**TRIPLE, "game": other}))
        assert await opened(floor, opening(4, rules, TRIPLE, practice_cents_max=100_00)) == "", (
            "play money pays nothing"
        )
        table = await floor.table("craps-1")
        assert table is not None
        assert isinstance(await table.stream.ask(Ask("close", CloseTable(), OWNER, "flo")), Answer)
        assert "just now" in await opened(floor, opening(2, rules, TRIPLE)), "another server may be opening one like it"
        now[0] = later(AT, 61)
        assert await opened(floor, opening(2, rules, TRIPLE)) == ""
        assert CLAUSE[rules] in await opened(floor, opening(1, rules)), "nor the other way round"
        assert await opened(floor, opening(3, rules, {**TRIPLE, "game": other})) == ""
        assert await opened(floor, opening(5, rules, ALIKE)) == ""
        assert await opened(floor, opening(6, "maryland")) == "", "another regulation has its own list"
        again = await table.stream.ask(replace(opening(1, rules), id="past"))
        assert isinstance(again, Refused), "nor past the floor, to the table itself"
        assert CLAUSE[rules] in str(again)
        await floor.close()
        assert list(decision_faults(log.read())) == []

    asyncio.run(play())


def test_of_two_openings_at_once_with_other_odds_one_is_refused() -> None:
    """At one server one comes after the other; at two, which do not hear of each other, the house's stream decides."""

    async def play(servers: int) -> None:
        log = MemoryLog()
        floors = [floor_over(log) for _ in range(servers)]
        for floor in floors:
            await floor.start()
        asks = (opening(1, "colorado"), opening(2, "colorado", TRIPLE))
        said = await asyncio.gather(*(opened(floors[place % servers], ask) for place, ask in enumerate(asks)))
        assert sorted(map(bool, said)) == [False, True], said
        for floor in floors:
            await floor.close()
        assert list(decision_faults(log.read())) == []

    for servers in (1, 2):
        asyncio.run(play(servers))


def test_a_table_opened_past_the_house_is_found() -> None:
    """`verify` compares every opening with what the house said last, in the log's order."""

    async def play() -> None:
        log = MemoryLog()
        floor = floor_over(log)
        await floor.start()
        assert await opened(floor, opening(1, "colorado", TRIPLE)) == ""
        await floor.close()
        entries = list(log.read())
        said = next(place for place, one in enumerate(entries) if b"odds-set/1" in bytes(one.entry.events))
        faults = [fault.what for fault in decision_faults([*entries[:said], *entries[said + 1 :]])]
        assert any("CO-2306-1-higher" in fault for fault in faults), faults

    asyncio.run(play())


@pytest.mark.clause("S2-d2.higher")
def test_S2_d2_higher__a_table_from_before_adopts_a_rulebook_only_if_it_pays_like_the_others(tmp_path: Path) -> None:
    """S2-d2.higher: the terms of an opening come with the text, so other odds are refused then as well."""

    async def play(root: Path) -> None:
        log, now = MemoryLog(at=AT), [AT]
        odds = {"Craps 1": TRIPLE, "Craps 2": {**TRIPLE, "payouts": {"field 12": "4 to 1"}}, "Craps 3": TRIPLE}
        for name, house in odds.items():
            old = Sitting("section2", name=name, house=house, dice="physical", automate=(), terms=0)
            log.append([draft_of(stored.entry) for stored in old.entries])
        page = root / "section2" / "general.toml"
        page.write_bytes(page.read_bytes() + b"\n# read again\n")
        adopt = AdoptRulebook(digest=read_pages(page.parent).digest)
        new_process()
        floor = Floor(log, clock=lambda: now[0], keys=LoadedDice(falling(), log.log_id))
        await floor.start()
        one, two, three = await floor.load_all()

        async def adopted(table: RunningTable, id_: str) -> str:
            ask = Ask(id_, adopt, OWNER, "flo")
            answer = await floor.unlike_adopted(table, ask) or await table.stream.ask(ask)
            return str(answer) if isinstance(answer, Refused) else ""

        for table in (one, two, three):
            assert "S2-d2.higher" in await adopted(table, "first")
        assert "field 12 4 to 1 here, 3 to 1 at Craps 1" in await adopted(two, "first")
        past = await one.stream.ask(Ask("past", adopt, OWNER, "flo"))
        assert "were not compared with those at the other tables" in str(past), "nor past the floor"
        assert isinstance(await two.stream.ask(Ask("close", CloseTable(), OWNER, "flo")), Answer)
        assert await adopted(one, "second") == ""
        assert await adopted(one, "second") == "", "the same answer again"
        assert await adopted(three, "second") == ""
        assert (one.live.terms, three.live.terms) == (TERMS, TERMS)
        await floor.close()
        assert list(decision_faults(log.read())) == []
        without = [stored for stored in log.read() if b"odds-set/1" not in bytes(stored.entry.events)]
        faults = [fault.what for fault in decision_faults(without)]
        assert any("adopt-rulebook" in fault and "S2-d2.higher" in fault for fault in faults), faults

    with installed_in(tmp_path) as root:
        asyncio.run(play(root))


def test_the_house_says_what_every_table_pays_and_nothing_else_for_a_minute() -> None:
    triple, listed = (Rules.of("colorado", house=house) for house in (TRIPLE, {}))
    first = set_odds(odds_to_set(triple, {}, table="craps-1"), {}, AT)
    assert isinstance(first, OddsSet)
    assert first.payouts == {"field 6-6, listed at 2 to 1": "3 to 1"}
    known = {"colorado": first}
    assert unset_odds(triple, known) == []
    assert unset_odds(triple, recently_set(known, later(AT, 59))) == []
    assert unset_odds(triple, recently_set(known, later(AT, 60))), "by then another server may have set others"
    assert unset_odds(listed, known)
    assert unset_odds(listed, {}), "somebody must have said it first"
    assert unset_odds(Rules.of("maryland"), {}) == []
    change = odds_to_set(listed, known, table="craps-2")
    refused = set_odds(change, known, later(AT, 59))
    assert "other payouts were set for the table craps-1 just now" in str(refused)
    assert isinstance(set_odds(change, known, later(AT, 60)), OddsSet)
    again = set_odds(odds_to_set(triple, known, table="craps-3"), known, later(AT, 1))
    assert isinstance(again, OddsSet)
    assert again.until == later(AT, 61)


@pytest.mark.parametrize("rules", ["colorado", "section2"])
def test_a_payout_is_named_as_a_house_file_names_it(rules: str) -> None:
    rulebook = rulebook_of(rules)
    for game in rulebook.games:
        names = [one.name for one in uniform_odds._payouts(Rules.of(rules, game=game)).values()]
        assert {"field 12", "field 2", "place_win 6"} <= {*names}
        assert [name for name in names if not payout_lines(rulebook, name, game)] == []
