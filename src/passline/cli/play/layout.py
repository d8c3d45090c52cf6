"""The layout drawn in a terminal. All names, numbers, odds and bars come from the rules in force.

Wagers that every casino has lie where every casino has them. Any other has a row of its own: in the centre while there
is room, then below the layout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from passline.cli.play.canvas import Canvas, Span
from passline.cli.play.centre import centre_rows
from passline.cli.play.lamps import chip_style, lamp_rows
from passline.cli.play.messages import SEAT
from passline.dice import number_text
from passline.game.markers import Marker
from passline.game.position import Table, Wager
from passline.game.spots import Spot, is_off
from passline.layout.printed import felt_label
from passline.money import short_dollars
from passline.rules.explain.payouts import short_pays
from passline.rules.rules import Rules, WagerRule
from passline.rules.schema import Line, OneRoll

WIDTH, HEIGHT = 80, 14  # the minimum
_TALL = 19
_BAR = 6  # the don't come bar
_CENTRE = 23
_BOX_GROWS, _CENTRE_MAX = 5, 34
_BOXES_MAX = 6  # in one row; a game with more points has two rows of lower boxes
_WHOLE = 99  # no limit on a chip's text
_WORDY = 10  # boxes of this width name wagers in words
_NAMES = {6: "SIX", 9: "NINE"}
_DICE = " ⚀⚁⚂⚃⚄⚅"
# The strips of a number's box from top to bottom: the wagers in each, with their letters and words.
_STRIPS = (
    (("dont_come", "D", "don't "), ("lay", "L", "lay "), ("place_lose", "N", "lose ")),
    (("come", "C", "come "), ("put", "P", "put "), ("buy", "B", "buy ")),
)
_STRIP_KINDS = {kind for strip in _STRIPS for kind, _letter, _word in strip}
_EACH_NUMBER = {"hardway", "big", "horn_high"}  # a cell for each number, or for the one that is up


class DrawnArea(Struct, frozen=True):
    """A part of the picture that stands for a wager, for the mouse."""

    x: int
    y: int
    width: int
    height: int
    spot: Spot  # the wager that a click makes
    up: Spot | None = None  # the wager that lies there, if it is another


class Picture(Struct, frozen=True):
    """The layout as rows of styled text, and the area of each wager."""

    rows: tuple[tuple[Span, ...], ...]
    areas: tuple[DrawnArea, ...]

    def texts(self) -> list[str]:
        """Return the rows as plain text."""
        return ["".join(span.text for span in row).rstrip() for row in self.rows]

    def spot_at(self, x: int, y: int, *, is_up: bool = False) -> Spot | None:
        """Return the wager that a click on this cell makes or, with `is_up`, the one that lies there."""
        for area in self.areas:
            if area.x <= x < area.x + area.width and area.y <= y < area.y + area.height:
                return area.up or area.spot if is_up else area.spot
        return None


def picture_of(
    rules: Rules, table: Table, *, width: int = WIDTH, height: int = HEIGHT, markers: Mapping[str, Marker] | None = None
) -> Picture:
    """Draw the layout as large as it fits, and below it the side wagers with their markers."""
    return _Drawing(rules, table, width, height, markers or {}).picture()


class _Drawing:
    def __init__(self, rules: Rules, table: Table, width: int, height: int, markers: Mapping[str, Marker]) -> None:
        self.rules = rules
        self.table = table
        self.points = sorted(rules.points)
        self.is_double = len(self.points) > _BOXES_MAX
        self.columns = (len(self.points) + 1) // 2 if self.is_double else len(self.points)
        self.has_bar = self._rule("dont_come") is not None
        spare = max(width - WIDTH, 0)
        least = (WIDTH - _CENTRE - 2 - (_BAR + 1) * self.has_bar) // self.columns - 1
        self.box = min(least + spare * 2 // (3 * self.columns), least + _BOX_GROWS)
        spare -= (self.box - least) * self.columns
        self.centre = min(_CENTRE + spare, _CENTRE_MAX)
        self.bar = _BAR + min(spare - (self.centre - _CENTRE), 4) if self.has_bar else -1
        self.left = self.bar + 1 + self.columns * (self.box + 1)  # the column of the line between the two parts
        wide = self.left + self.centre + 2
        self.areas: list[DrawnArea] = []
        mine = [wager for wager in table.position.layout if wager.seat == SEAT]
        self.up = {(wager.kind, wager.number): wager for wager in mine if wager.owner == "player"}
        self.tips = {(wager.kind, wager.number): wager for wager in mine if wager.owner == "crew"}
        self.lamps = lamp_rows(rules, table, markers, width=wide, rows_max=height - HEIGHT)
        self.tall = height - len(self.lamps) >= _TALL
        self.rows = _TALL if self.tall else HEIGHT
        self.middle, self.below = centre_rows(rules, self.up, rows_max=self.rows - 2, has_lines=self.tall)
        self.canvas = Canvas(wide, self.rows + len(self.below) + len(self.lamps))

    def picture(self) -> Picture:
        bottom = self.rows - 1
        self.canvas.box(0, 0, self.left, bottom)
        self.canvas.box(self.left, 0, self.canvas.width - 1, bottom)
        top = self._number_boxes()
        self._self_service(top, bottom)
        self._centre_wagers()
        for y, spots in enumerate(self.below, start=self.rows):
            self._side_by_side(1, y, wide=self.canvas.width - 2, spots=spots)
        self._side_wagers()
        if marks := self.rules.rulebook.general.live.layout:  # words that the layout must bear
            legends = "   ".join(legend.says.upper() for legend in marks.legends)
            self._put_centred(1, bottom, self.left - 1, f" {legends} " if legends else "")
        return Picture(tuple(tuple(row) for row in self.canvas.rows()), tuple(self.areas))

    # chips

    def _chip(self, wager: Wager, *, room: int, name: str = "") -> str:
        """Return a chip with its amount: filled if it works on the next roll, hollow if it is off."""
        off = is_off(self.rules, self.table.position, wager)
        is_tip = wager.owner == "crew"
        text = f"{'◆' if is_tip else '○' if off else '●'}{name}{short_dollars(wager.cents)}"
        odds = next((other for (kind, number), other in self.up.items() if self._is_behind(kind, number, wager)), None)
        if odds is not None:
            text += f"{'○' if is_off(self.rules, self.table.position, odds) else '+'}{short_dollars(odds.cents)}"
        if not is_tip and (tip := self.tips.get((wager.kind, wager.number))):
            text += f"◆{short_dollars(tip.cents)}"
        mark = " OFF" if off else " ON" if wager.working == "on" else ""
        return text + mark if len(text + mark) <= room else text[:room]

    def _is_behind(self, kind: str, number: int, wager: Wager) -> bool:
        return self.rules.wagers[kind].behind == wager.kind and number == wager.number != 0

    def _wager(self, kind: str, number: int = 0) -> Wager | None:
        return self.up.get((kind, number)) or self.tips.get((kind, number))

    def _rule(self, kind: str) -> WagerRule | None:
        rule = self.rules.wagers.get(kind)
        return rule if rule is not None and rule.is_offered else None

    def _area(self, x: int, y: int, width: int, height: int, spot: Spot) -> None:
        self.areas.append(DrawnArea(x, y, width, height, spot))

    def _put_centred(self, x: int, y: int, width: int, text: str, style: str = "print") -> None:
        self.canvas.put(x + (width - len(text)) // 2, y, text[:width], style)

    # number boxes

    def _number_boxes(self) -> int:
        """Draw the don't come bar and a box for each point; return the row of their lower line."""
        rows = (3 if self.tall else 2) if self.is_double else 6 if self.tall else 4
        under = rows + 1
        if self.has_bar:
            bottom = 2 * under if self.is_double else under
            self.canvas.box(0, 0, self.bar + 1, bottom)
            self._dont_come_bar(bottom - 1)
        for index, point in enumerate(self.points):
            row, column = divmod(index, self.columns)
            x = self.bar + 1 + column * (self.box + 1)
            y = row * under
            self.canvas.box(x, y, x + self.box + 1, y + under)
            if self.is_double:
                self._low_box(x + 1, y + 1, point)
            else:
                self._number_box(x + 1, point)
        return under * 2 if self.is_double else under

    def _low_box(self, x: int, y: int, point: int) -> None:
        """Draw a box of two rows: the number with its place wager, and all other wagers."""
        is_on = self.table.position.puck == point
        name = f"{point} ON" if is_on else str(point)
        self.canvas.put(x + self.tall, y, name, "on" if is_on else "number")
        strip = (*_STRIPS[0], *_STRIPS[1])
        is_low = self.tall or not any(self._wager(kind, point) for kind, _letter, _word in strip)
        beside = 0 if self.tall else self.box - len(name) - 1
        self._place(x, y + is_low, point, room=beside, above=y)
        self._strip(x, y + 1 + self.tall, point, strip)
        self._area(x, y, self.box, 1 + self.tall, Spot("place_win", point))
        up = next((Spot(*key) for key in (*self.up, *self.tips) if key[1] == point and key[0] in _STRIP_KINDS), None)
        if self._rule("buy"):
            self.areas.append(DrawnArea(x, y + 1 + self.tall, self.box, 1, Spot("buy", point), up))

    def _dont_come_bar(self, rows: int) -> None:
        rule = self._rule("dont_come")
        if rule is None:
            return
        words = [*felt_label(rule).split(), *_bar_words(rule)]
        for row, word in enumerate(words, start=1):
            self._put_centred(1, row, self.bar, word)
        if wager := self._wager("dont_come"):
            text = self._chip(wager, room=self.bar)
            self._put_centred(1, rows, self.bar, text, chip_style(wager.cents))
        self._area(1, 1, self.bar, rows, Spot("dont_come"))

    def _number_box(self, x: int, point: int) -> None:
        gap = 1 if self.tall else 0
        self._strip(x, 1, point, _STRIPS[0])
        self._strip(x, 2 + gap, point, _STRIPS[1])
        name = _NAMES.get(point, str(point))
        number_row, place_row = 3 + gap, 4 + 2 * gap
        if self.table.position.puck == point:
            text = f"{name} ON"
            self.canvas.put(x + (self.box - len(text)) // 2, number_row, text, "on")
        else:
            self._put_centred(x, number_row, self.box, name, "number")
        self._place(x, place_row, point)
        self._area(x, number_row, self.box, place_row - number_row + 1, Spot("place_win", point))
        for y, height, kind, strip in ((1, 1 + gap, "lay", _STRIPS[0]), (2 + gap, 1, "buy", _STRIPS[1])):
            up = next((Spot(kind, point) for kind, _, _ in strip if self._wager(kind, point)), None)
            if self._rule(kind):
                self.areas.append(DrawnArea(x, y, self.box, height, Spot(kind, point), up))

    def _place(self, x: int, y: int, point: int, *, room: int = 0, above: int = 0) -> None:
        """Draw the place wager on a number, or what it pays: right of the number if `room` is there, else in row y."""
        rule = self._rule("place_win")
        if rule is None:
            return
        text, style = "", "odds"
        if wager := self._wager("place_win", point):
            text, style = self._chip(wager, room=room or self.box), chip_style(wager.cents)
        elif point in rule.payouts:
            text = str(rule.payouts[point].pays)
        if len(text) <= room:
            self.canvas.put(x + self.box - len(text), above, text, style)
        elif y > above:
            self._put_centred(x, y, self.box, text, style)

    def _strip(self, x: int, y: int, point: int, kinds: Iterable[tuple[str, str, str]]) -> None:
        """Draw the wagers of one strip; if they do not fit side by side, their sum and count."""
        found = [(wager, letter, word) for kind, letter, word in kinds if (wager := self._wager(kind, point))]
        if not found:
            return
        text = self._chip(found[0][0], room=_WHOLE, name=found[0][2]) if len(found) == 1 else ""
        if not text or self.box < _WORDY or len(text) > self.box:
            text = " ".join(self._chip(wager, room=self.box, name=letter) for wager, letter, _word in found)
        if len(text) > self.box:
            text = f"●{short_dollars(sum(wager.cents for wager, _, _ in found))} in {len(found)}"
        self._put_centred(x, y, self.box, text, chip_style(sum(wager.cents for wager, _, _ in found)))

    # come, field, don't pass and pass

    def _self_service(self, top: int, bottom: int) -> None:
        gap = 1 if self.tall else 0
        field = top + 2 + gap
        dont_pass = field + 2 + gap
        rule = self._rule("dont_pass")
        pass_line = dont_pass + (2 if rule else 0)
        for upper, lower in ((top, field), (field, dont_pass), (dont_pass, pass_line), (pass_line, bottom)):
            self.canvas.box(0, upper, self.left, lower)
        self._come_row(top + 1, gap)
        self._field_row(field + 1)
        if rule:
            self._line_row(dont_pass + 1, "dont_pass", f"{felt_label(rule)}  {' '.join(_bar_words(rule))}".rstrip())
        self._line_row(pass_line + 1, "pass")

    def _come_row(self, y: int, gap: int) -> None:
        right = self.left
        big = self._rule("big")
        for number in sorted(big.numbers, reverse=True) if big else ():
            x = right - 12
            self.canvas.box(x, y - 1, right, y + 1 + gap)
            self._cell(x + 1, y, right - x - 1, Spot("big", number))
            right = x
        self._row(y, right - 1, "come")

    def _row(self, y: int, width: int, kind: str, name: str = "") -> None:
        if (rule := self._rule(kind)) is None:
            return
        name = name or felt_label(rule)
        self.canvas.put(3, y, name, "name")
        self._area(1, y, width, 1, Spot(kind))
        if wager := self._wager(kind):
            self.canvas.put(4 + len(name), y, self._chip(wager, room=12), chip_style(wager.cents))

    def _field_row(self, y: int) -> None:
        rule = self._rule("field")
        if rule is None or not isinstance(rule.entry, OneRoll):
            return
        better = {_total(code): str(payout.pays) for code, payout in rule.payouts.items() if payout.pays.ratio != 1}
        totals = " ".join(f"({total})" if total in better else str(total) for total in sorted(rule.entry.win.totals))
        by_pays: dict[str, list[str]] = {}
        for total in sorted(better):
            by_pays.setdefault(better[total], []).append(f"({total})")
        self._row(y, self.left - 1, "field")
        wager = self._wager("field")
        x = 5 + len(felt_label(rule)) + (len(self._chip(wager, room=12)) + 1 if wager else 0)
        pays = "  ".join(f"{''.join(circled)} {text}" for text, circled in by_pays.items())
        self.canvas.put(x, y, totals)
        if x + len(totals) + 2 + len(pays) < self.left:
            self.canvas.put(x + len(totals) + 2, y, pays, "odds")

    def _line_row(self, y: int, kind: str, name: str = "") -> None:
        self._row(y, self.left - 1, kind, name)
        base = self._wager(kind)
        odds_kind, puck = f"{kind}_odds", self.table.position.puck
        odds = self._wager(odds_kind, puck)
        has_odds = (rule := self._rule(odds_kind)) is not None and puck in rule.numbers
        x = self.left * 3 // 5
        if odds:
            self.canvas.put(x, y, "odds")
            self.canvas.put(x + 5, y, self._chip(odds, room=12), chip_style(odds.cents))
        elif base and has_odds:
            pays = self.rules.wagers[odds_kind].payouts[puck].pays
            self.canvas.put(x, y, f"odds pay {pays}", "odds")
        if base and has_odds:
            self.areas.insert(0, DrawnArea(x, y, self.left - x, 1, Spot(odds_kind, puck)))

    # side wagers

    def _side_wagers(self) -> None:
        for y, row in enumerate(self.lamps, start=self.rows):
            for cell in row:
                x = cell.x
                self._area(x, y, cell.width, 1, cell.spot)
                for span in cell.spans:
                    self.canvas.put(x, y, span.text, span.style)
                    x += len(span.text)

    # the centre

    def _centre_wagers(self) -> None:
        left = self.left + 1
        for y, row in enumerate(self.middle, start=1):
            if isinstance(row, str):
                self._draw_frame(left, y, row)
            else:
                self._side_by_side(left, y, wide=self.centre, spots=row)

    def _side_by_side(self, x: int, y: int, *, wide: int, spots: list[Spot]) -> None:
        """Draw wagers beside each other in a row, with lines between them."""
        for index, spot in enumerate(spots):
            start, end = ((wide + 1) * step // len(spots) for step in (index, index + 1))
            self._cell(x + start, y, end - start - 1, spot)
            if index:
                self.canvas.put(x + start - 1, y, "│", "line")

    def _several(self, kind: str) -> str:
        """Return the chips in a cell that stands for several numbers: their sum, and the number or how many."""
        up = [wager for (its, _), wager in self.up.items() if its == kind]
        if not up:
            return ""
        names = f"on {len(up)}" if len(up) > 1 else number_text(up[0].number)
        return f"●{short_dollars(sum(wager.cents for wager in up))} {names}".rstrip()

    def _draw_frame(self, x: int, y: int, title: str) -> None:
        self.canvas.box(self.left, 0, self.canvas.width - 1, y)
        if title:
            self.canvas.put(x + (self.centre - len(title) - 2) // 2, y, f" {title} ", "line")

    def _cell(self, x: int, y: int, width: int, spot: Spot) -> None:
        """Draw a name, what it pays and its chips; only the chips if both do not fit."""
        rule = self.rules.wagers[spot.kind]
        is_made = spot.number in rule.numbers  # else it has travelled there
        made = spot if is_made else Spot(spot.kind)
        self.areas.append(DrawnArea(x, y, width, 1, made, spot))
        wager = self._wager(spot.kind, spot.number)
        name = _cell_name(rule, spot, is_up=wager is not None)
        self.canvas.put(x, y, name[:width], "name")
        room = width - len(name) - 1
        is_shared = spot.kind not in _EACH_NUMBER and (len(rule.numbers) > 1 or not is_made)
        chip = self._several(spot.kind) if is_shared else self._chip(wager, room=room) if wager else ""
        odds = "" if rule.parts or (is_shared and chip) else short_pays(self.rules, rule, made.number)
        if chip and len(chip) + 1 + len(odds) <= room:
            self.canvas.put(x + len(name) + 1, y, odds, "odds")
        elif not chip and len(odds) <= room:
            self.canvas.put(x + width - len(odds), y, odds, "odds")
        if chip:
            self.canvas.put(x + width - len(chip), y, chip, chip_style(wager.cents if wager else 0))


def _cell_name(rule: WagerRule, spot: Spot, *, is_up: bool) -> str:
    if rule.kind == "hardway":
        return _hard_name(spot.number)
    if rule.kind == "horn_high" and is_up:
        return f"HIGH {spot.number}"
    return felt_label(rule, spot.number)


def _hard_name(number: int) -> str:
    face = _DICE[number // 2]
    return f"{number:<2}{face}{face}"


def _bar_words(rule: WagerRule) -> list[str]:
    """Return the bar of a don't wager: the total that neither wins nor loses."""
    entry = rule.entry
    if not isinstance(entry, Line) or entry.first_void is None:
        return []
    return [f"BAR {'/'.join(map(str, entry.first_void.totals))}"]


def _total(code: int) -> int:
    """Return the total of a pair of dice coded as a number, such as 113 for 1-3."""
    return code % 100 // 10 + code % 10
