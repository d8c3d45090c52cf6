"""The stickperson's keys, typed fast over slow networks and lost connections: the log holds what was acknowledged."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from passline.client import Client
from tests.waiting import wait_until
from tests.web.browser.house import House, crewed_house
from tests.web.browser.slow_network import SlowNetwork, slow_network

pytestmark = pytest.mark.long

STEPS = ["button", "choose", "offer", "pass", "settle"]  # the stickperson calls
OUT, CALL = {"command": "dice-out"}, {"command": "call-roll"}
WATCH = """() => { window.seen = new Map();
  new MutationObserver(() => document.querySelectorAll("#queue .is-done").forEach((one) =>
    window.seen.set(Number(one.dataset.sequence), one.childNodes[1].textContent)))
    .observe(document.getElementById("queue"), { childList: true, subtree: true }); }"""


@pytest.fixture(scope="module")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with crewed_house(browser, tmp_path_factory.mktemp("house"), Ann="player") as house:
        yield house


@pytest.fixture(scope="module")
def network(house: House) -> Iterator[SlowNetwork]:
    with slow_network(house.server.address) as network:
        yield network


def opened(house: House, name: str) -> str:
    """Open a table where Ann has the dice and a wager on the line."""
    table = house.open_table(name, automate=STEPS)
    for who, command, fields in (
        ("Ann", "take-seat", {}),
        ("Dee", "buy-in", {"cents": 500_00}),
        ("Ann", "accept-dice", {}),
        ("Ann", "make-wager", {"wager": "pass", "cents": 10_00}),
    ):
        house.does(who, table, command, seat=1, **fields)
    return table


def stick_at(house: House, network: SlowNetwork, table: str, delay: float) -> Page:
    """Open the stickperson's console over a network that becomes slow once the page is there."""
    network.delay = 0
    page = house.open("Stan", f"{network.address}/tables/{table}/crew?role=stickperson")
    expect(page.locator("#state")).to_contain_text("with the shooter")
    page.evaluate(WATCH)
    network.delay = delay
    return page


def keyed(first: int, second: int) -> dict[str, Any]:
    return {"command": "key-dice", "first": first, "second": second}


def in_the_log(owner: Client, table: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the sequence and the command of everything that Stan has done at a table."""
    entries = owner.get("/api/log?after=0&limit=1000")["entries"]
    return [
        (one["sequence"], {key: one["command"][key] for key in ("command", "first", "second") if key in one["command"]})
        for one in entries
        if one["stream"] == f"table/{table}" and one["role"] == "stickperson"
    ]


def agreed(owner: Client, page: Page, table: str, *expected: dict[str, Any]) -> None:
    """Wait until all is acknowledged, and check that the log has exactly what the page has shown as done."""
    expect(page.locator("#queue li:not(.is-done)")).to_have_count(0, timeout=40_000)
    found = in_the_log(owner, table)
    assert [command for _, command in found] == list(expected)
    seen = sorted(page.evaluate("[...window.seen]"))
    assert [sequence for sequence, _ in seen] == [sequence for sequence, _ in found]
    words = {"dice-out": "Dice out", "call-roll": "Call the roll"}
    assert [says for _, says in seen] == [
        words.get(one["command"]) or f"Dice {one['first']}-{one['second']}" for _, one in found
    ]


@pytest.mark.parametrize(
    "delay", [pytest.param(0.0, marks=pytest.mark.sweep), 0.15, pytest.param(0.8, marks=pytest.mark.sweep)]
)
@pytest.mark.whole
def test_keys_typed_ahead_are_done_in_order_over_slow_and_lost_connections(
    house: House, network: SlowNetwork, delay: float
) -> None:
    table = opened(house, f"Lag {delay}")
    page = stick_at(house, network, table, delay / 2)
    dice, faces = page.locator(".table-dice .die-box"), page.get_by_label("Dice on the table")
    page.keyboard.type("d64a")
    network.cut()
    page.keyboard.type("d54")
    page.keyboard.press("Shift+Enter")  # it came within a second of the other roll
    page.keyboard.type("ad")
    expect(page.locator("#queue .is-done").filter(has_text="Dice 6-4")).to_be_visible(timeout=20_000)
    network.is_mute = True  # the next answer is lost, and then the connection
    waiting, lost = page.locator("#queue li:not(.is-done)"), network.lost
    wait_until(lambda: network.lost > lost or not waiting.count())  # without a delay all may have been answered before
    network.cut()
    network.is_mute = False
    page.keyboard.type("5")  # half typed: the large dice do not show it
    expect(page.locator(".half-text").first).to_contain_text("5 and")
    page.keyboard.press("Escape")
    rolled = [OUT, keyed(6, 4), CALL, OUT, keyed(5, 4), CALL, OUT]
    agreed(house.client("Olga"), page, table, *rolled)
    expect(page.locator("#refused")).to_be_hidden()
    expect(faces).to_contain_text("in the air")

    page.keyboard.type("44")
    page.keyboard.press("Shift+Enter")  # in case it is asked about
    page.keyboard.type("31a6")  # the second pair has no dice out of its own: nothing of it is taken
    refused = page.locator("#refused")
    expect(refused).to_contain_text("Die 3: not placed")
    expect(refused).to_contain_text("Dice out first (Space or d)")
    expect(refused).to_contain_text("Not taken since: 1 a 6")
    expect(dice).to_have_text(["4", "4"])
    page.keyboard.type("a5")
    expect(refused).to_contain_text("Not taken since: 1 a 6 a 5")
    expect(dice).to_have_text(["4", "4"])
    agreed(house.client("Olga"), page, table, *rolled, keyed(4, 4))
    page.keyboard.press("Escape")
    expect(refused).to_be_hidden()
    page.keyboard.press("a")
    agreed(house.client("Olga"), page, table, *rolled, keyed(4, 4), CALL)
    expect(dice).to_have_text(["4", "4"])
    page.close()


@pytest.mark.whole
def test_what_was_not_sent_is_said_when_it_is_taken_back_or_the_page_is_loaded_again(
    house: House, network: SlowNetwork
) -> None:
    table = opened(house, "Taken back")
    page = stick_at(house, network, table, 1.0)  # long enough for Esc on a busy machine
    refused = page.locator("#refused")
    page.keyboard.type("d64a")
    page.keyboard.press("Escape")
    expect(refused).to_contain_text("Taken back with Esc before it was sent")
    expect(refused).to_contain_text("Not done: Dice 6-4, Call the roll")
    agreed(house.client("Olga"), page, table, OUT)
    page.keyboard.press("Escape")
    network.delay = 8  # the dice are still on their way when the page that is loaded again asks after them
    page.keyboard.type("64a")
    network.delay = 0
    page.reload()
    expect(refused).to_contain_text("The page was loaded again before everything was sent")
    expect(refused).to_contain_text("Not done: Call the roll")
    expect(refused).to_contain_text("Your last command: refused")
    expect(page.get_by_label("Dice on the table")).to_contain_text("in the air")
    page.keyboard.press("Escape")
    network.delay = 0.1
    page.keyboard.type("64e")
    page.keyboard.type("Wanda\na")  # what follows Enter is no text for the form
    expect(page.locator("#queue .is-done")).to_have_count(3)
    seated = {"command": "seat-player"}
    assert [command for _, command in in_the_log(house.client("Olga"), table)] == [OUT, keyed(6, 4), seated, CALL]
    page.close()
