"""Keys that nobody waits for: what the crew meant is in the log, or shown as not placed, at any delay."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser.slow_network import SlowNetwork, slow_network
from tests.web.browser.walk_ins import Floor, floor_of

pytestmark = pytest.mark.long

DESKTOP = {"width": 1440, "height": 900}
DELAYS = (0.0, 0.06, 0.15, 0.6, 2.0)  # seconds, there and back together
SOME_DELAYS = [delay if delay == 0.15 else pytest.param(delay, marks=pytest.mark.sweep) for delay in DELAYS]
ANSWERED_MS = 60_000


@pytest.fixture(scope="module")
def floor(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with floor_of(browser, tmp_path_factory.mktemp("floor")) as floor:
        yield floor


@pytest.fixture(scope="module")
def network(floor: Floor) -> Iterator[SlowNetwork]:
    with slow_network(floor.house.server.address) as network:
        yield network


def opened(floor: Floor, name: str, **fields: Any) -> str:  # noqa: ANN401 - of a table to open
    """Open a table with three players; the shooter has a pass wager, and the point is 6."""
    table = floor.open(name, **fields)
    floor.seat(table, ("Abe", "Bea W", "Cal"))
    floor.does("Stan", table, "accept-dice", seat=1)
    floor.does("Dee", table, "make-wager", seat=1, wager="pass", cents=10_00)
    floor.does("Stan", table, "dice-out")
    floor.does("Stan", table, "key-dice", first=2, second=4)
    return table


def stick_at(floor: Floor, network: SlowNetwork, table: str, delay: float) -> Page:
    """Open the stickperson's console over a network that becomes slow once the page is there, and begin wagers."""
    network.delay = 0
    page = floor.house.open("Stan", f"{network.address}/tables/{table}/crew?role=stickperson")
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    expect(page.locator("#state")).to_contain_text("with the shooter")
    page.keyboard.press("m")
    network.delay = delay / 2
    return page


def recorded(floor: Floor, table: str) -> list[str]:
    """Return the rolls and wagers that Stan recorded at a table since it was opened, in order."""
    found, after = list[str](), 0
    while entries := floor.house.client("Olga").get(f"/api/log?after={after}&limit=1000")["entries"]:
        after = max(entry["sequence"] for entry in entries)
        own = (one for one in entries if one["stream"] == f"table/{table}" and one["role"] == "stickperson")
        found += [line for entry in own for line in told(entry["command"])]
    return found[1:]  # after the roll that set the point


def told(command: dict[str, Any]) -> list[str]:
    match command["command"]:
        case "key-dice":
            return [f"roll {command['first']}-{command['second']}"]
        case "make-wager":
            return [f"seat {command['seat']} {command['wager']} {command.get('number', 0)} {command['cents'] // 100}"]
    return []


@pytest.mark.whole
@pytest.mark.parametrize("delay", SOME_DELAYS)
@pytest.mark.parametrize("requires_dice_out", [False, pytest.param(True, marks=pytest.mark.sweep)])
def test_a_wager_typed_right_after_a_roll_is_no_second_roll(
    floor: Floor, network: SlowNetwork, delay: float, *, requires_dice_out: bool
) -> None:
    """Issue 30: a roll, then seat 3 places the 4; what was recorded was a seven that nobody threw."""
    table = opened(floor, f"Example {delay} {requires_dice_out}", requires_dice_out=requires_dice_out)
    page = stick_at(floor, network, table, delay)
    for key in ("Space", "5", "4", "3", "4", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#queue .is-done").filter(has_text="Seat 3: Place 4")).to_be_visible(timeout=ANSWERED_MS)
    assert recorded(floor, table) == ["roll 5-4", "seat 3 place_win 4 5"]
    expect(page.locator("#refused")).to_be_hidden()
    page.close()


WAGERS = {"5": "place_win 5", "8": "place_win 8", "9": "place_win 9", "f": "field 0", "7": "any_seven 0"}
TOTALS_LEFT_OUT = (6, 7)  # the point and the seven would end the hand


def acts_of(random: Random) -> tuple[list[str], list[str]]:
    """Return the keys of some rolls and wagers, and what they mean; after a roll it may be asked whether it was one."""
    keys, meant = list[str](), list[str]()
    for _ in range(random.randint(3, 6)):
        if random.random() < 0.5:
            seat, (area, wager), amount = (
                random.choice((2, 3)),
                random.choice([*WAGERS.items()]),
                5 * random.randint(1, 3),
            )
            cents = 6 * amount // 5 if area == "8" else amount
            keys += [str(seat), area, *str(cents), "Enter"]
            meant.append(f"seat {seat} {wager} {cents}")
            continue
        first, second = random.randint(1, 6), random.randint(1, 6)
        if first + second not in TOTALS_LEFT_OUT:
            keys += ["Space", str(first), str(second), "Shift+Enter"]
            meant.append(f"roll {first}-{second}")
    return keys, meant


def type_at_once(floor: Floor, network: SlowNetwork, delay: float, seeds: range) -> None:
    """Type at several consoles without waiting for anything, and compare the log with what was meant."""
    typed = []
    for seed in seeds:
        table = opened(floor, f"At once {delay} {seed}")
        typed.append((stick_at(floor, network, table, 0.0), table, *acts_of(Random(seed))))
    network.delay = delay / 2
    for page, _, keys, _ in typed:
        for key in keys:
            page.keyboard.press(key)
    for page, table, keys, meant in typed:
        expect(page.locator("#queue li:not(.is-done)")).to_have_count(0, timeout=ANSWERED_MS)
        assert recorded(floor, table) == meant, (keys, page.locator("#refused").inner_text())
        stops = page.locator("#refused:not(.is-note)")
        expect(stops).to_be_hidden()
    network.delay = 0
    for page, *_ in typed:
        page.close()


@pytest.mark.parametrize("delay", SOME_DELAYS)
@pytest.mark.whole
def test_what_is_typed_without_waiting_is_in_the_log_as_it_was_meant(
    floor: Floor, network: SlowNetwork, delay: float
) -> None:
    type_at_once(floor, network, delay, range(2))


@pytest.mark.sweep
@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("first", [100, 110])
def test_100_sequences_typed_without_waiting_are_in_the_log_as_they_were_meant(
    floor: Floor, network: SlowNetwork, delay: float, first: int
) -> None:
    """Twenty at each delay, ten consoles at a time."""
    type_at_once(floor, network, delay, range(first, first + 10))
