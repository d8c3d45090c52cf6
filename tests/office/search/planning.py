"""Ways to an act that is refused now: what its refusals name as missing is done first, and what that needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from passline.acts.calendar.shifts import is_scheduled
from passline.acts.schema import Act, Condition
from passline.store.timestamps import later
from tests.office.search.moves import server_moves
from tests.office.search.world import ALARM, CASH, SET, WAIT, Move, Step, World

Expand = Callable[[World, Sequence[str]], list[Step]]
Try = Callable[[World, Move], Step]
_SERIES = {"incident": ALARM, "cash_report": CASH}  # kinds that the server makes
_DAY = 25 * 3_600
_BEFORE_MAX = 10  # remedies that one act may want


class Planner:
    """Finds a way to an act by its remedies, depth first."""

    def __init__(self, expand: Expand, attempt: Try) -> None:
        self._expand = expand
        self._try = attempt
        self._left = 0  # moves that may still be tried for one goal

    def reach(self, world: World, act: str, *, flag: str = "", depth: int = 5, moves: int = 300) -> Step | None:
        """Return a step by which an act is accepted, with a flag set if one is named; without a breach if possible."""
        self._left = moves
        return self._reach(world, act, flag, depth, ())

    def _reach(self, world: World, act: str, flag: str, depth: int, above: tuple[str, ...]) -> Step | None:
        breach: Step | None = None  # accepted, and recorded as a breach
        for _ in range(_BEFORE_MAX):
            steps = self._tried(world, act, flag)
            done = {(move.act, move.things) for move in world.path}
            accepted = [one for one in steps if one.is_accepted]
            accepted.sort(key=lambda one: (len(one.breaches), (act, one.move.things) in done))
            if accepted and accepted[0].is_clean:
                return accepted[0]
            breach = breach or (accepted[0] if accepted else None)
            following = self._helped(world, act, steps, depth, above) if depth and self._left > 0 else None
            if following is None:
                return breach
            world = following
        return breach

    def _helped(
        self, world: World, act: str, steps: Sequence[Step], depth: int, above: tuple[str, ...]
    ) -> World | None:
        """Return the world after the first remedy that is accepted."""
        done = {str(move) for move in world.path if move.act != WAIT}
        for remedy in {str(one): one for one in self._remedies(world, act, steps)}.values():
            step: Step | None
            if self._left <= 0:
                return None
            if isinstance(remedy, Move):
                step = self._try(world, remedy) if str(remedy) not in done else None
                self._left -= 1
            elif remedy in above or remedy == act:
                continue
            else:
                step = self._reach(world, remedy, "", depth - 1, (*above, act))
                if step is not None and str(step.move) in done:
                    continue  # it was done on the way here, and has not helped
            if step is not None and step.is_accepted:
                return step.after
        return None

    def _tried(self, world: World, act: str, flag: str) -> list[Step]:
        if self._left < 0:
            return []
        steps = [one for one in self._expand(world, [act]) if one.move.act == act]
        self._left -= len(steps) + 1
        return [one for one in steps if one.move.given.get(flag)] if flag else steps

    def _remedies(self, world: World, name: str, steps: Sequence[Step]) -> Iterator[str | Move]:
        """Yield what may help: acts and figures that conditions name, who is designated, where things come from."""
        pages, act = world.office.rules.pages, world.office.rules.pages.acts[name]
        best = min(steps, key=lambda one: len(one.refusals) + len(one.breaches), default=None)
        reasons = best.reasons if best else ()
        if not steps:
            yield from self._sources(world, act)
        conditions: list[Condition] = list(act.needs.values())
        conditions += pages.gates[act.gate].items.values() if act.gate else ()
        done = {move.act for move in world.path}
        for one in conditions:
            if one.mend in done and one.ahead:
                yield from (
                    Move(WAIT, seconds=seconds) for seconds in _waits(world, one)
                )  # it was told: now it is late
            if not reasons or any(one.says in why for why in reasons):
                yield from (word for word in (one.mend, one.done, *_settling(world, one)) if word in pages.acts)
        for group in act.by:
            if (designated := world.office.rules.group(group).designated) in pages.acts:
                yield designated
        if steps:
            yield from self._sources(world, act)
        asked = {key for one in conditions for key in _figures(world, one)}
        yield from (move for move in server_moves(world) if move.act == SET and move.things[0] in asked)
        yield from (Move(WAIT, seconds=seconds) for one in conditions for seconds in _waits(world, one))

    @staticmethod
    def _sources(world: World, act: Act) -> Iterator[str | Move]:
        """Yield what brings things into the states that an act wants, and chips to the place it takes them from."""
        pages = world.office.rules.pages
        places = [(act.thing, act.states)] if act.thing and not act.new else []
        places += [(one.of[0], one.states) for one in act.fields.values() if one.type in {"thing", "things"}]
        for kind, states in places:
            if world.state.of_kind(kind, states):
                continue
            if kind in _SERIES and not world.state.of_kind(kind):
                yield from (move for move in server_moves(world) if move.act == SET and move.things[0] == kind)
                yield Move(_SERIES[kind], ("T1",)) if _SERIES[kind] == ALARM else Move(CASH)
            for key, one in pages.acts.items():
                leads = one.to in states if states else one.new
                named = any(field.of[:1] == (kind,) and field.to in states for field in one.fields.values() if field.to)
                if (one.thing == kind and leads) or named:
                    yield key
        for field in act.fields.values():
            yield from field.of if field.type == "act" else ()
        if act.moves:
            yield from (key for key, one in pages.acts.items() if one.moves and one.moves.target == act.moves.source)
        is_of_chips = act.moves is not None or any(field.type == "units" for field in act.fields.values())
        if is_of_chips and "chip" in pages.things:
            yield from (key for key, one in pages.acts.items() if one.thing == "chip")


def _figures(world: World, condition: Condition) -> Iterator[str]:
    """Yield the figures that a condition asks for."""
    clock = world.office.rules.pages.clocks.get(condition.ahead or condition.clock)
    yield from filter(None, (condition.value, condition.fewer, condition.scheduled, clock.value if clock else ""))


def _waits(world: World, condition: Condition) -> Iterator[int]:
    """Yield how long to wait for a condition: until a time of day that is approved, or until notice is over."""
    facility, times = world.state.facility, world.state.values.get(condition.scheduled)
    if condition.scheduled and times and facility:
        hours = (hour for hour in range(1, 24) if is_scheduled(later(world.at, hour * 3_600), times, facility))
        yield from (hour * 3_600 for hour in list(hours)[:1])
    if condition.ahead or condition.lapsed:
        yield 9 * _DAY


def _settling(world: World, condition: Condition) -> Iterator[str]:
    """Yield the acts that end slips, where a gaming day waits for them."""
    if condition.settled == "slips":
        pages = world.office.rules.pages
        for name, act in pages.acts.items():
            open_slips = world.state.of_kind(act.thing, act.states) if act.thing.endswith("_slip") else []
            if open_slips and act.to in pages.things[act.thing].final:
                yield name
