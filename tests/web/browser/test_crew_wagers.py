"""Wagers for sixteen walk-ins keyed by one stickperson, who keys the dice too: what each act costs in keystrokes."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from tests.waiting import wait_until
from tests.web.browser.walk_ins import NAMES, Floor, floor_of

pytestmark = pytest.mark.long

DESKTOP, TABLET, PHONE = {"width": 1440, "height": 900}, {"width": 1024, "height": 768}, {"width": 390, "height": 844}
COMMONEST_MAX = 3  # keystrokes
SECONDS_A_ROLL = 3600 / 120


@pytest.fixture(scope="module")
def floor(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with floor_of(browser, tmp_path_factory.mktemp("floor")) as floor:
        yield floor


class Typist:
    """Somebody at a console who types acts, and counts the keystrokes of each kind."""

    def __init__(self, floor: Floor, page: Page, table: str) -> None:
        self.floor, self.page, self.table = floor, page, table
        self.keys: dict[str, list[int]] = defaultdict(list)

    def act(self, kind: str, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.keys[kind].append(len(keys))

    def for_seats(self, kind: str, seats: tuple[int, ...], *keys: str) -> None:
        for seat in seats:
            self.act(kind, seat_key(seat), *keys)

    def roll(self, first: int, second: int) -> None:
        """Announce and key a roll, and wait until the mode for wagers is back, as it is before the next wager."""
        rolls = self.view()["roll"]
        self.act("dice", "Space", str(first), str(second))
        wait_until(lambda: self.view()["roll"] == rolls + 1)
        self.settled()

    def settled(self) -> None:
        expect(self.page.locator("#refused")).to_be_hidden()
        expect(self.page.locator("#queue li:not(.is-done)")).to_have_count(0)

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.floor.people["Olga"].get(f"/api/tables/{self.table}")["table"]
        return view

    def up(self, kind: str) -> dict[int, int]:
        """Return the cents of a kind of wager by seat, all its numbers together."""
        found: Counter[int] = Counter()
        for wager in self.view()["wagers"]:
            if wager["kind"] == kind:
                found[wager["seat"]] += wager["cents"]
        return dict(found)

    def report(self, rolls: int) -> str:
        lines = [f"{'act':24}{'times':>6}{'keys':>6}{'most':>6}"]
        lines += [f"{kind:24}{len(keys):6}{sum(keys):6}{max(keys):6}" for kind, keys in self.keys.items()]
        total = sum(map(sum, self.keys.values()))
        rate = total / rolls / SECONDS_A_ROLL
        return "\n".join([*lines, f"{total} keystrokes for {rolls} rolls: {total / rolls:.0f} a roll, {rate:.2f} a second"])


def seat_key(seat: int) -> str:
    """Return the key of a seat: 1 to 9, 0 for 10, and with Shift 11 to 20."""
    return f"{'Shift+' if seat > 10 else ''}{'Digit' if seat > 10 else ''}{seat % 10}"


LINE, DONT = tuple(range(1, 14)), (14, 15)  # of sixteen, thirteen play the pass line, two the don'ts, one the field only


def test_sixteen_walk_ins_of_ordinary_play_need_three_keystrokes_an_act(floor: Floor) -> None:
    """The mix: line wagers and odds by nearly all, place and come by some, a field and a hardway now and then.

    A hand of a point, two numbers, a seven-out, a come-out winner and another point: what is usual is typed once and
    then repeated, left up or pressed.
    """
    table = floor.open("Sixteen", requires_dice_out=True)
    floor.seat(table)
    floor.does("Stan", table, "accept-dice", seat=1)
    page = floor.console("Stan", table, DESKTOP)
    typist = Typist(floor, page, table)
    page.keyboard.press("m")
    typist.for_seats("line", LINE, "p", "Enter")
    typist.for_seats("line", DONT, "d", "Enter")
    typist.settled()
    assert typist.up("pass") == dict.fromkeys(LINE, 5_00)
    assert typist.up("dont_pass") == dict.fromkeys(DONT, 5_00)

    typist.roll(2, 4)  # the point is 6
    typist.for_seats("odds", LINE[:10], "o")
    typist.for_seats("place", (2, 5, 11, 16), "8", "Enter")
    typist.for_seats("inside", (3,), "i", "Enter")
    typist.for_seats("come", (7, 12), "c", "Enter")
    typist.for_seats("field", (16,), "f", "Enter")
    typist.for_seats("hardway", (4,), "Shift+Digit8", "Enter")
    typist.settled()
    assert typist.up("pass_odds") == dict.fromkeys(LINE[:10], 5_00)
    assert typist.up("place_win") == {2: 6_00, 3: 16_00, 5: 6_00, 11: 6_00, 16: 6_00}  # inside without the point: 5, 8, 9
    assert (typist.up("come"), typist.up("field")) == ({7: 5_00, 12: 5_00}, {16: 5_00})
    assert typist.up("hardway") == {4: 1_00}

    typist.roll(3, 5)  # 8: place wins and comes down, come moves, the field and the hard eight lose
    typist.act("all winners stay up", "W")
    typist.for_seats("press", (2, 16), "+")
    typist.for_seats("same again", (16, 4), "=")
    typist.for_seats("odds", (7,), "o")  # the line has its odds: these are behind the come
    typist.settled()
    assert typist.up("place_win") == {2: 12_00, 3: 16_00, 5: 6_00, 11: 6_00, 16: 12_00}
    assert (typist.up("field"), typist.up("hardway")) == ({16: 5_00}, {4: 1_00})
    assert typist.up("come_odds") == {7: 5_00}

    typist.roll(3, 4)  # seven out
    floor.does("Stan", table, "accept-dice", seat=2)
    wait_until(lambda: typist.view()["dice_are"] == "held")
    typist.act("all same again", "R")
    typist.settled()
    assert typist.up("pass") == dict.fromkeys(LINE, 5_00)
    assert not typist.up("place_win")  # not before there is a point

    typist.roll(5, 6)  # the pass line wins and comes down, and is left up
    assert not typist.up("pass")
    typist.act("all winners stay up", "W")
    typist.settled()
    assert typist.up("pass") == dict.fromkeys(LINE, 5_00)
    typist.for_seats("same again", DONT, "=")

    typist.roll(4, 5)  # the point is 9
    typist.act("all odds", "O")
    typist.act("all same again", "R")
    typist.settled()
    assert set(typist.up("pass_odds")) == set(LINE[:10])
    assert typist.up("place_win")[16] == 12_00
    report = typist.report(rolls=5)
    print(report)  # noqa: T201 - the counts are what the test is for
    assert {kind: max(keys) for kind, keys in typist.keys.items() if max(keys) > COMMONEST_MAX} == {}, report
    assert sum(map(sum, typist.keys.values())) / 5 / SECONDS_A_ROLL < 2, report  # an unhurried typist has time to look
    page.close()
