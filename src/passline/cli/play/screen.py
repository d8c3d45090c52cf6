"""The full-screen table: the layout, the messages below it, and a command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message as TextualMessage
from textual.screen import ModalScreen
from textual.suggester import Suggester
from textual.widgets import Input, RichLog, Static

from passline.cli.play.canvas import FELT, STYLES
from passline.cli.play.controller import charge_of, respond, summary
from passline.cli.play.layout import HEIGHT, WIDTH, Picture, picture_of
from passline.cli.play.messages import SEAT, Message, ban_on_aids, completions, hint, own_name, own_wagers, short_name
from passline.cli.play.play_state import PlayState, Reply, in_house_currency, markers
from passline.dice import Roll
from passline.game.decide import decide
from passline.game.position import find
from passline.game.spots import Spot, default_cents, is_off, lawful, wish_for
from passline.money import dollar_amount
from passline.refusal import Refused
from passline.rules.explain.payouts import pay_table_text, vigorish_text

_TONES = {
    "say": "#d7dbe0",
    "call": "bold #ffe08a",
    "win": "bold #7ee2a0",
    "lose": "#ff9b9b",
    "note": "#9fb8c9",
    "refusal": "bold #ffb454",
    "head": "bold #ffffff",
}
_FACES = " ⚀⚁⚂⚃⚄⚅"
_SIDE = 32  # the width of the panel beside the table
_WIDE = 118
_HISTORY = 10
_LOG_ROWS = 6
_GAP = 2
_PLACEHOLDER = "type a wager, or Enter to roll"
_LOG_ROWS_MIN = 3  # with side wagers, which take rows of their own


class TableView(Static):
    """The layout. A click makes the usual wager, a right click takes it down, hovering describes it."""

    class Pointed(TextualMessage):
        """The pointer moved over an area of the layout, or left it."""

        def __init__(self, spot: Spot | None) -> None:
            self.spot = spot
            super().__init__()

    class Clicked(TextualMessage):
        """An area of the layout was clicked."""

        def __init__(self, spot: Spot, *, is_down: bool) -> None:
            self.spot = spot
            self.is_down = is_down
            super().__init__()

    picture: Picture | None = None

    def draw(self, picture: Picture) -> None:
        """Show a new picture."""
        self.picture = picture
        text = Text(no_wrap=True)
        for number, row in enumerate(picture.rows):
            text.append("\n" if number else "")
            for span in row:
                text.append(span.text, Style.parse(STYLES[span.style]))
        self.update(text)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Post the area under the pointer."""
        self.post_message(self.Pointed(self.picture.spot_at(event.x, event.y) if self.picture else None))

    def on_leave(self) -> None:
        """Post that the pointer left the layout."""
        self.post_message(self.Pointed(None))

    def on_click(self, event: events.Click) -> None:
        """Post a click; the right button takes a wager down."""
        is_down = event.button != 1
        spot = self.picture.spot_at(event.x, event.y, is_up=is_down) if self.picture else None
        if spot is not None:
            self.post_message(self.Clicked(spot, is_down=is_down))


class Page(ModalScreen[None]):
    """A page of text; any key returns to the table."""

    def __init__(self, lines: tuple[Message, ...]) -> None:
        self._lines = lines
        super().__init__()

    def compose(self) -> ComposeResult:
        """Lay out the lines in a scrolling frame."""
        text = Text("\n").join(Text(line.text, _TONES[line.tone]) for line in self._lines)
        with Vertical(id="page"):
            yield Static("Arrows scroll; any other key returns to the table.", id="page-foot")
            with VerticalScroll():
                yield Static(text)

    def on_key(self, event: events.Key) -> None:
        """Scroll, or return to the table."""
        scroll = self.query_one(VerticalScroll)
        moves = {"down": scroll.scroll_down, "up": scroll.scroll_up, "pagedown": scroll.scroll_page_down}
        moves |= {"pageup": scroll.scroll_page_up, "home": scroll.scroll_home, "end": scroll.scroll_end}
        event.stop()
        if event.key in moves:
            moves[event.key](animate=False)
        else:
            self.dismiss()

    def on_click(self) -> None:
        """Return to the table."""
        self.dismiss()


class _Lawful(Suggester):
    """Completes a line with what is lawful now."""

    def __init__(self) -> None:
        super().__init__(use_cache=False)
        self.lines: list[str] = []

    async def get_suggestion(self, value: str) -> str | None:
        return next((line for line in self.lines if value.strip() and line.startswith(value.lower())), None)


class CommandLine(Input):
    """The command line. Space rolls while it is empty; the arrows recall earlier lines."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "cursor_right", "complete", show=False, priority=True)]

    class Roll(TextualMessage):
        """The player wants to roll."""

    def __init__(self, suggester: Suggester) -> None:
        super().__init__(placeholder=_PLACEHOLDER, suggester=suggester, id="command", compact=True)
        self._typed: list[str] = []
        self._place = 0

    def remember(self, text: str) -> None:
        """Keep a line for the arrow keys."""
        if text and text not in self._typed[-1:]:
            self._typed.append(text)
        self._place = len(self._typed)

    def on_key(self, event: events.Key) -> None:
        """Roll on space in an empty line; recall earlier lines on up and down."""
        if event.key == "space" and not self.value:
            event.prevent_default().stop()
            self.post_message(self.Roll())
        elif event.key in {"up", "down"} and self._typed:
            event.prevent_default().stop()
            step = -1 if event.key == "up" else 1
            self._place = min(max(self._place + step, 0), len(self._typed))
            self.value = self._typed[self._place] if self._place < len(self._typed) else ""
            self.cursor_position = len(self.value)


class TableApp(App[PlayState]):
    """A craps table for one player."""

    TITLE = "Passline"
    ENABLE_COMMAND_PALETTE = False
    CSS = f"""
    Screen {{ background: #10151a; color: #d7dbe0; }}
    #title, #status, #hint {{ height: 1; width: 100%; }}
    #title {{ background: #1d2a33; color: #ffffff; }}
    #status {{ background: #1d2a33; }}
    #hint {{ color: #9fb8c9; }}
    #felt {{ height: auto; }}
    #layout {{ width: auto; background: {FELT}; }}
    #side {{ width: 1fr; padding: 0 1; display: none; }}
    #side.shown {{ display: block; }}
    #log {{ height: 1fr; background: #10151a; scrollbar-size-vertical: 1; padding: 0 1; }}
    #prompt {{ height: 1; }}
    #arrow {{ width: 2; color: #ffe08a; }}
    #command {{ width: 1fr; background: #10151a; }}
    Page {{ align: center middle; background: #000000 60%; }}
    #page {{ width: 90%; max-width: 110; height: auto; max-height: 90%; border: round #7fae98; padding: 0 1; }}
    #page {{ background: #10151a; }}
    #page VerticalScroll {{ height: auto; max-height: 100%; margin-bottom: 1; scrollbar-size-vertical: 1; }}
    #page-foot {{ color: #9fb8c9; height: 1; dock: bottom; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "say('undo')", "undo"),
        Binding("ctrl+r", "say('repeat')", "repeat"),
        Binding("f1", "say('help')", "help"),
        Binding("pageup", "read(-1)", "earlier"),
        Binding("pagedown", "read(1)", "later"),
        Binding("ctrl+c,ctrl+q,ctrl+d", "say('quit')", "quit", priority=True),
    ]

    def __init__(
        self, state: PlayState, dice: Iterator[Roll] | None, *, title: str, greeting: tuple[Message, ...]
    ) -> None:
        super().__init__()
        self.state = state
        self._dice = dice
        self._title = title
        self._greeting = greeting
        self._suggester = _Lawful()
        self._ban = ban_on_aids(state.rules)

    def compose(self) -> ComposeResult:
        """Lay out the screen: title, table, messages, status, command line and hint."""
        yield Static(id="title")
        with Horizontal(id="felt"):
            yield TableView(id="layout")
            yield Static(id="side")
        yield RichLog(id="log", wrap=True, markup=False, min_width=20)
        yield Static(id="status")
        with Horizontal(id="prompt"):
            yield Static("> ", id="arrow")
            yield CommandLine(self._suggester)
        yield Static(id="hint", markup=False)

    def on_mount(self) -> None:
        """Show the greeting and focus the command line."""
        self.query_one(RichLog).can_focus = False
        self.query_one(CommandLine).focus()
        self._say(self._greeting)
        self._show()

    def on_resize(self) -> None:
        """Redraw the layout for the new size."""
        self.call_after_refresh(self._show)

    # input

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer a typed line; an empty one rolls."""
        self.query_one(CommandLine).remember(event.value.strip())
        self.query_one(CommandLine).value = ""
        self._answer(event.value)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say what a wager costs beside its stake while it is typed, before it is made."""
        self.query_one("#hint", Static).update(charge_of(self.state, event.value) or self._hint())

    def on_command_line_roll(self) -> None:
        """Roll the dice."""
        self._answer("")

    def action_say(self, text: str) -> None:
        """Answer a key binding as if its text had been typed."""
        self._answer(text)

    def action_read(self, step: int) -> None:
        """Scroll the messages."""
        log = self.query_one(RichLog)
        log.scroll_relative(y=step * max(log.size.height - 1, 1), animate=False)

    def on_table_view_clicked(self, message: TableView.Clicked) -> None:
        """Answer a click as if it had been typed."""
        spot = message.spot
        if self.state.rules.wagers[spot.kind].behind:
            name = f"{short_name(Spot(spot.kind))} on {spot.number}"
        else:
            name = short_name(spot)
        self._answer(f"down {name}" if message.is_down else name)

    def on_table_view_pointed(self, message: TableView.Pointed) -> None:
        """Show a description of the area under the pointer."""
        text = (
            self._hint() if message.spot is None else in_house_currency(self.state.rules, self._describe(message.spot))
        )
        self.query_one("#hint", Static).update(text)

    def _describe(self, spot: Spot) -> str:
        """Describe an area: its wager, limits and chips, and whether it can be made now or why not."""
        rules, table = self.state.rules, self.state.table
        rule = rules.wagers[spot.kind]
        wager = find(table.position, SEAT, spot.kind, spot.number)
        limits = f", {dollar_amount(rule.min)} to {dollar_amount(rule.max)}" if not rule.behind else ""
        limits += f", vigorish {vigorish_text(rule.vigorish, spot.number)}" if rule.vigorish else ""
        up = f", {dollar_amount(wager.cents)} up" if wager else ""
        pays = f", pays {pay_table_text(rules, rule)}" if rule.lines else ""
        text = f"{short_name(spot)}: {rule.name}{limits}{up}{pays}"
        if spot.number not in rule.numbers:
            return text
        cents = default_cents(rules, table, spot, SEAT)
        if lawful(rules, table, spot, SEAT):
            takes = charge_of(self.state, short_name(spot), by="a click") or f"click to wager {dollar_amount(cents)}"
            return f"{text}; {takes}"
        verdict = decide(rules, table, wish_for(spot, cents, SEAT))
        return f"{text}; {verdict.refusals[0]}" if isinstance(verdict, Refused) else text

    def _answer(self, text: str) -> None:
        reply = respond(self.state, text, self._dice)
        self.state = reply.state
        if reply.state.is_over:
            self.exit(reply.state)
            return
        self._tell(reply)
        self._show()

    def _tell(self, reply: Reply) -> None:
        if reply.is_page and len(reply.lines) > 1:
            self.push_screen(Page(reply.lines))
        else:
            self._say(reply.lines)

    def _say(self, lines: tuple[Message, ...]) -> None:
        """Write lines below the others; if more than fit, the first of them stays in sight, and PgDn shows the rest."""
        log = self.query_one(RichLog)
        first = len(log.lines)
        for line in lines:
            log.write(Text(line.text, _TONES[line.tone]), expand=True, scroll_end=False)
        written = len(log.lines) - first
        if log.size.height and written > log.size.height:
            self.call_after_refresh(log.scroll_to, y=first, animate=False)
        else:
            log.scroll_end(animate=False)

    # display

    def _show(self) -> None:
        rules, table = self.state.rules, self.state.table
        wide = self.size.width >= _WIDE
        room = self.size.width - (_SIDE if wide else 0)
        lamps = markers(self.state)
        height = self.size.height - (_LOG_ROWS_MIN if lamps else _LOG_ROWS) - 4
        self.query_one(TableView).display = not self._is_small
        side = self.query_one("#side", Static)
        side.set_class(wide or self._is_small, "shown")
        if self._is_small:  # a list of wagers takes the place of the layout
            side.styles.height = min(len(table.position.layout) + 2, max(self.size.height // 3, 2))
        else:
            picture = picture_of(rules, table, width=room, height=height, markers=lamps)
            self.query_one(TableView).draw(picture)
            side.styles.height = len(picture.rows)
        side.update(self._side())
        self.query_one("#title", Static).update(self._heading())
        self.query_one("#status", Static).update(self._status())
        self.query_one("#hint", Static).update(self._hint())
        self._suggester.lines = completions(rules, table)
        self.query_one(CommandLine).placeholder = "two digits, such as 34" if self.state.is_asked else _PLACEHOLDER

    @property
    def _is_small(self) -> bool:
        """Whether the layout does not fit with some lines of messages below it."""
        return self.size.width < WIDTH or self.size.height < HEIGHT + 4 + _LOG_ROWS_MIN

    def _heading(self) -> Text:
        """Return the title line: the house on the left and the last call on the right."""
        call = self.state.rolls[-1].call if self.state.rolls else ""
        room = self.size.width - len(self._title) - len(call) - 1
        if room < _GAP:  # the call matters more than the house
            return Text(call or self._title, _TONES["call"] if call else "", no_wrap=True, overflow="ellipsis")
        text = Text(self._title, no_wrap=True)
        text.append(" " * max(room, 2))
        text.append(call, _TONES["call"])
        return text

    def _hint(self) -> str:
        state = self.state
        told = hint(state.rules, state.table, may_repeat=bool(state.last), is_typed=state.is_typed)
        return in_house_currency(state.rules, told)

    def _status(self) -> Text:
        state = self.state
        puck = state.table.position.puck
        text = Text(no_wrap=True)
        text.append(*((f" ON {puck} ", "bold #000000 on #ffffff") if puck else (" OFF ", "bold #ffffff on #000000")))
        text.append(f"  Rack {state.rack_text}", "bold #ffffff")
        up = sum(wager.cents for wager in own_wagers(state.table))
        text.append(f"  Up {state.amount(up)}", "#ffffff")
        if state.rolls:
            roll = state.rolls[-1].roll
            text.append("  " if self._is_small else f"  Roll {state.roll_count}: ", "#d7dbe0")
            faces = "" if self._is_small else f"{_FACES[roll.first]} {_FACES[roll.second]} "
            text.append(f"{faces}{roll}", "bold #ffe08a")
            if net := state.rolls[-1].net:
                text.append(f" {'+' * (net > 0)}{state.amount(net)}", _TONES["win" if net > 0 else "lose"])
        if len(state.rolls) > 1 and not self._ban and not self._is_small:
            text.append("  Before: ", "#9fb8c9")
            text.append(" ".join(str(roll.roll.total) for roll in state.rolls[-_HISTORY - 1 : -1][::-1]), "#d7dbe0")
        return text

    def _side(self) -> Text:
        rules, table = self.state.rules, self.state.table
        text = Text()
        text.append("Your wagers\n", _TONES["head"])
        for wager in table.position.layout:
            name = own_name(rules, wager)
            off = "  off" if is_off(rules, table.position, wager) else ""
            text.append(f"{name:<17}{self.state.amount(wager.cents):>7}{off}\n", _TONES["note" if off else "say"])
        if not table.position.layout:
            text.append("none yet\n", _TONES["note"])
        return text

    def farewell(self) -> tuple[Message, ...]:
        """Return the result of the game."""
        return summary(self.state)
