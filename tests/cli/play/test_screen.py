"""The full-screen table: keys, mouse, pages, sizes."""

import asyncio
from collections.abc import Callable, Coroutine

import pytest
from textual.pilot import Pilot
from textual.widgets import RichLog, Static

from passline.cli.play.messages import Message
from passline.cli.play.play_state import PlayState, begin_play
from passline.cli.play.screen import CommandLine, Page, TableApp, TableView
from passline.game.spots import Spot
from passline.rules.rules import Rules
from tests.cli.play.player import rolls_of

pytestmark = pytest.mark.long

Play = Callable[[TableApp, Pilot[PlayState]], Coroutine[None, None, None]]


def _play(
    play: Play, *dice: str, name: str = "maryland", size: tuple[int, int] = (80, 24), typed: bool = False
) -> TableApp:
    state = begin_play(Rules.of(name), bankroll=500_00, is_typed=typed)
    source = None if typed else iter(rolls_of(*dice))
    app = TableApp(state, source, title=" House", greeting=(Message("Welcome."),))

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await play(app, pilot)

    asyncio.run(run())
    return app


async def _type(pilot: Pilot[PlayState], text: str) -> None:
    pilot.app.query_one(CommandLine).value = text
    await pilot.press("enter")
    await pilot.pause()


def _up(app: TableApp) -> list[tuple[str, int]]:
    return [(wager.kind, wager.cents) for wager in app.state.table.position.layout]


def _log(app: TableApp) -> str:
    return " ".join(strip.text.strip() for strip in app.query_one(RichLog).lines)


def _shown(app: TableApp, name: str) -> str:
    return str(app.query_one(name, Static).visual)


def _picture(app: TableApp) -> str:
    picture = app.query_one(TableView).picture
    assert picture is not None
    return "\n".join(picture.texts())


def test_a_hand_is_played_with_the_keyboard() -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        assert "Welcome." in _log(app)
        assert "OFF" in _shown(app, "#status")
        await pilot.press(*"pass", "space", *"10", "enter")
        assert "PASS LINE \u25cf10" in _picture(app)
        await pilot.press("space")
        assert "SIX ON" in _picture(app)
        assert "ON 6" in _shown(app, "#status")
        assert "Six, easy six, mark the point" in _shown(app, "#title")
        assert "odds 50" in _shown(app, "#hint")
        await pilot.press("enter")
        assert "Your Pass Line wins 10.00 (10.00 at 1 to 1)" in _log(app)
        assert "Rack $510" in _shown(app, "#status")
        assert "Before: 6" in _shown(app, "#status")

    _play(play, "2-4", "3-3")


def test_keys_undo_repeat_help_and_quit() -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        await _type(pilot, "pass 10")
        await pilot.press("ctrl+z")
        assert not _up(app)
        await _type(pilot, "pass 10")
        await _type(pilot, "")
        await pilot.press("ctrl+r")
        assert _up(app) == [("pass", 10_00)]
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(app.screen, Page)
        await pilot.press("down", "pagedown", "pageup")
        assert isinstance(app.screen, Page)
        await pilot.press("x")
        await pilot.pause()
        assert not isinstance(app.screen, Page)
        await pilot.press("ctrl+q")

    app = _play(play, "5-6")
    assert app.return_value is not None
    assert app.return_value.is_over


def test_a_refusal_is_shown_with_its_clause() -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        await pilot.press("enter")
        assert "[MD-8.A.bet]" in _log(app)
        await _type(pilot, "psas 5")
        assert "did you mean pass" in _log(app)

    _play(play)


def test_tab_completes_a_line_with_what_is_lawful() -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        await pilot.press(*"pl")
        await pilot.pause()
        await pilot.press("tab")
        line = app.query_one(CommandLine)
        assert line.value == "place 4 5"
        line.value = ""
        await pilot.press(*"come")
        await pilot.pause()
        await pilot.press("tab")
        assert line.value == "come"  # no come wager before a come-out roll
        line.value = ""
        await _type(pilot, "field 5")
        await pilot.press("up")
        assert line.value == "field 5"
        await pilot.press("down")
        assert line.value == ""

    _play(play)


def test_the_mouse_makes_takes_down_and_describes_wagers() -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        picture = app.query_one(TableView).picture
        assert picture is not None
        area = next(one for one in picture.areas if one.spot.kind == "place_win" and one.spot.number == 6)
        await pilot.hover(TableView, offset=(area.x + 1, area.y))
        await pilot.pause()
        assert "place 6: Place Bet to Win, $5 to $5000; click to wager $6" in _shown(app, "#hint")
        await pilot.click(TableView, offset=(area.x + 1, area.y))
        await pilot.pause()
        assert _up(app) == [("place_win", 6_00)]
        await pilot.click(TableView, offset=(area.x + 1, area.y), button=3)
        await pilot.pause()
        assert not _up(app)
        buy = next(one for one in picture.areas if one.spot == Spot("buy", 4))
        await pilot.hover(TableView, offset=(buy.x, buy.y))
        await pilot.pause()
        assert "vigorish 5% of the wager, taken when the wager is made" in _shown(app, "#hint")
        await pilot.press(*"buy", "space", "4", "space", *"25")
        await pilot.pause()
        assert _shown(app, "#hint") == "Enter takes $26: $25 and vigorish $1"
        await pilot.press(*["backspace"] * 8)
        come = next(one for one in picture.areas if one.spot.kind == "come")
        await pilot.hover(TableView, offset=(come.x + 1, come.y))
        await pilot.pause()
        assert "can be made only while the puck is ON [MD-3.A.3]" in _shown(app, "#hint")

    _play(play)


def test_a_click_behind_the_line_makes_odds() -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        await _type(pilot, "pass 10")
        await _type(pilot, "roll")
        picture = app.query_one(TableView).picture
        assert picture is not None
        odds = next(one for one in picture.areas if one.spot.kind == "pass_odds")
        await pilot.click(TableView, offset=(odds.x + 1, odds.y))
        await pilot.pause()
        assert _up(app) == [("pass", 10_00), ("pass_odds", 50_00)]

    _play(play, "2-4")


def test_the_table_grows_with_the_terminal() -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        await _type(pilot, "pass 10")
        assert len(_picture(app).splitlines()) == 14
        await pilot.resize_terminal(140, 40)
        await pilot.pause()
        assert len(_picture(app).splitlines()) == 19
        assert "Pass Line" in _shown(app, "#side")
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert not app.query_one(TableView).display, "a list takes its place"
        assert "Pass Line" in _shown(app, "#side")

    _play(play)


@pytest.mark.parametrize("name", ["maryland", "section2", "colorado", "arizona"])
def test_everything_fits_80_by_24(name: str) -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        await pilot.pause()
        assert app.query_one(RichLog).size.height >= 5
        assert app.query_one("#hint").region.bottom == 24
        assert app.query_one(TableView).size.width == 80

    _play(play, name=name)


def test_typed_dice_are_prompted_for() -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        await _type(pilot, "pass 10")
        await pilot.press("space")
        assert app.query_one(CommandLine).placeholder == "two digits, such as 34"
        await _type(pilot, "3 3")
        assert "Hard six" in _log(app)

    _play(play, typed=True)


def test_history_is_not_shown_where_aids_are_banned() -> None:
    """AZ-II.N.2: aids for predicting outcomes are banned."""

    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        for line in ("pass 10", "roll", "roll"):
            await _type(pilot, line)
        assert "Roll 2" in _shown(app, "#status")
        assert "Before" not in _shown(app, "#status")

    _play(play, "2-4", "2-2", name="arizona")


def _visible(app: TableApp) -> str:
    """Return the messages that are in sight."""
    log = app.query_one(RichLog)
    first = log.scroll_offset.y
    return " ".join(strip.text.strip() for strip in log.lines[first : first + log.size.height])


@pytest.mark.whole
def test_24_lines_show_the_roll_and_what_it_did() -> None:
    """A loser 7 with many wagers up says more than six lines: its first stays in sight, and the status has the sum."""

    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        for line in ("pass 10", "", "odds 20", "4 10", "5 10", "8 12", "9 10", "10 10", "hard 8 5", "hard 6 5"):
            await _type(pilot, line)
        await _type(pilot, "")
        await pilot.pause()
        assert "Roll 2: 3-4" in _visible(app)
        assert "3-4 -$9" in _shown(app, "#status")
        await pilot.press("pagedown", "pagedown", "pagedown")
        await pilot.pause()
        assert "on this roll; rack" in _visible(app)

    _play(play, "2-4", "3-4")


def test_40_columns_list_the_wagers_instead_of_half_a_layout() -> None:
    async def play(app: TableApp, pilot: Pilot[PlayState]) -> None:
        await _type(pilot, "pass 10")
        await _type(pilot, "")
        assert not app.query_one(TableView).display
        assert "Pass Line" in _shown(app, "#side")
        assert "This screen needs" not in _shown(app, "#hint")
        assert "2-4" in _shown(app, "#status")
        assert len(_shown(app, "#status")) <= 40

    _play(play, "2-4", size=(40, 24))
