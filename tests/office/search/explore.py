"""The search itself: breadth first over abstract states, cone by cone, then random walks beyond its edge.

Around each moment of the lawful day everything is tried that can be done to the kinds of things that the day is then
busy with; when the table may open, and when it is open, every act. For an act that is still refused a way is planned.
From the open table the search goes deeper in cones: the acts that touch one kind of thing. A cone forgets what it does
not touch, so that few states are left to tell apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from passline.acts.judges.gates import OPENING
from passline.acts.schema import Act
from tests.office.search.abstraction import abstract_state, coarse_state
from tests.office.search.findings import Finding, Findings
from tests.office.search.moves import is_searched, moves_of
from tests.office.search.oracles.answers import AnswerToNothing, UntrueStatement
from tests.office.search.oracles.evidence import ApprovalOfAnything, EvidenceOfAnother, OtherDoor, PeopleNotCovered
from tests.office.search.oracles.identity import OtherClass, SameNumber, UnreadFlag
from tests.office.search.oracles.lives import GreenForEver, Lives
from tests.office.search.oracles.watches import WatchLeft
from tests.office.search.planning import Planner
from tests.office.search.world import WAIT, Move, Office, Step, World

_ORACLES = (
    EvidenceOfAnother,
    PeopleNotCovered,
    ApprovalOfAnything,
    OtherDoor,
    WatchLeft,
    AnswerToNothing,
    UntrueStatement,
    SameNumber,
    OtherClass,
    UnreadFlag,
    GreenForEver,
)

_CLOSING = "close_gaming_day"
_CLOSING_MOVES = 2_000  # a day with slips, boxes and incidents wants many steps
_LEAVING_MOVES = 150
_DAYS_MAX = 10  # after which licences end, and nobody works
_DAY = 25 * 3_600
_TRIES_MAX = 4  # moves of an act that a walk tries at one place


@dataclass(frozen=True)
class Bounds:
    """How far a search goes: moves tried in each cone, their depth, and random walks beyond with their length."""

    share: int = 1  # of the moments of the lawful day, and of the acts at a table that may open, one in so many
    planned: int = 6000  # moves tried on the way to acts that are refused at first
    watched: int = 900  # moves that break, mend or leave what is watched
    moves_a_cone: int = 100
    depth: int = 5
    cone_walks: int = 1
    steps_an_act: int = 4  # of a walk in a cone
    walks: int = 3  # with all acts, from the edge of what was searched
    walk_length: int = 60
    days: int = 4  # states after which it is looked whether the day can be closed
    leaving: int = 10_000  # moves tried on the way to acts where something came into a state that they start from

    def deeper(self, level: int) -> Bounds:
        """Return bounds for a longer search: each level above the first doubles them."""
        factor = 2 ** max(0, level - 1)
        return Bounds(
            share=self.share,
            planned=self.planned * factor,
            watched=self.watched * factor,
            moves_a_cone=self.moves_a_cone * factor,
            depth=self.depth + level - 1,
            cone_walks=self.cone_walks * factor,
            walks=self.walks * factor,
            days=self.days * factor,
            leaving=self.leaving * factor,
        )


@dataclass
class Statistics:
    """What a search has covered."""

    states: int = 0
    tried: int = 0
    accepted: int = 0
    depth: int = 0
    acts_tried: Counter[str] = field(default_factory=Counter)
    acts_accepted: Counter[str] = field(default_factory=Counter)
    red: set[str] = field(default_factory=set)  # items of the opening list, by colour
    green: set[str] = field(default_factory=set)
    acts_clean: Counter[str] = field(default_factory=Counter)  # accepted without a breach
    flagged: set[tuple[str, str]] = field(default_factory=set)  # acts accepted with a flag set
    cones: Counter[str] = field(default_factory=Counter)  # states by cone


class Search:
    """One search through the office of a regulation."""

    def __init__(self, seeds: Sequence[World], bounds: Bounds, seed: int = 1) -> None:
        self.seeds = seeds
        self.office: Office = seeds[0].office
        self.bounds = bounds
        self.random = Random(seed)
        self.findings = Findings(self.office.rules.name)
        self.lives = Lives(self.office, self.findings)
        self.oracles = [*(oracle(self.office, self.findings) for oracle in _ORACLES), self.lives]
        self.statistics = Statistics()
        self._planner = Planner(self._expand, self._try)
        self._known: set[Hashable] = set()
        self._edge: list[World] = []

    def run(self) -> list[Finding]:
        """Search within the bounds; return every finding once."""
        *moments, ready, opened = self.seeds
        share = self.bounds.share
        for number, world in enumerate((ready, opened)):
            self._see_state(world, "")
            self._expand(world, None if share == 1 else list(self._acts)[number::share])
        self._follow_day(moments[::share])
        self._search_cone(opened, "watch", self._watched_acts(), self.bounds.watched)
        self._reach_all(opened)
        for kind, acts in self._cones().items():
            self._search_cone(opened, kind, acts, self.bounds.moves_a_cone)
            for _ in range(self.bounds.cone_walks):
                self._walk(opened, acts, len(acts) * self.bounds.steps_an_act)
        if share == 1:
            self._follow_sorts(opened)
        for _ in range(self.bounds.walks):
            self._walk(self.random.choice(self._edge or [opened]), list(self._acts), self.bounds.walk_length)
        self._close_days(opened)
        if self.bounds.leaving:
            self._leave_all()
        for oracle in self.oracles:
            oracle.finish()
        return self.findings.sorted

    def coverage(self) -> dict[str, object]:
        """Return what was covered: how many states, moves, acts and items of the opening list, and which never."""
        told, items = self.statistics, {*self.office.rules.pages.gates[OPENING].items}
        never = {*self._acts} - {*told.acts_accepted} - self.seeds[-1].state.marks.keys()  # nor on the day itself
        return {
            "states": told.states,
            "moves tried": told.tried,
            "moves accepted": told.accepted,
            "longest way": told.depth,
            "acts accepted": f"{len(self._acts) - len(never)} of {len(self._acts)}",
            "acts accepted without a breach": f"{sum(told.acts_clean[name] > 0 for name in self._acts)}",
            "items seen red": f"{len(told.red & items)} of {len(items)}",
            "items seen green": f"{len(told.green & items)} of {len(items)}",
            "acts never accepted": sorted(never),
            "items never red": sorted(items - told.red),
        }

    def _follow_day(self, moments: Sequence[World]) -> None:
        """Try, at each moment of the day, what can be done to the kinds of things that were just dealt with."""
        before: dict[str, int] = {}
        for world in moments:
            done = {name: max(one.number for one in marks.values()) for name, marks in world.state.marks.items()}
            new = [name for name, number in done.items() if number != before.get(name) and name in self._acts]
            before = done
            self._see_state(world, "")
            kinds = {self._acts[name].thing for name in new} - {"", "person", "table", "die"}
            for kind in sorted(kinds):
                self._expand(world, [name for name, act in self._acts.items() if act.thing == kind])

    def _reach_all(self, opened: World) -> None:
        """Look for a lawful way to every act that had none yet, then to every flag; try what is near there."""
        limit = self.statistics.tried + self.bounds.planned
        goals = [(name, "") for name in self._acts]
        goals += [
            (name, key) for name, act in self._acts.items() for key, one in act.fields.items() if one.type == "flag"
        ]
        for name, flag in goals:
            is_known = (name, flag) in self.statistics.flagged if flag else name in self.statistics.acts_clean
            if is_known or self.statistics.tried > limit:
                continue
            step = self._planner.reach(opened, name, flag=flag)
            if step is not None:
                kind = self._acts[name].thing
                near = [one for one, act in self._acts.items() if act.thing == kind]
                self._expand(step.before, [name])
                self._expand(step.after, near if kind != "table" else [name])
                self._edge.append(step.after)

    def _follow_sorts(self, opened: World) -> None:
        """Take a thing of each sort that can be entered through all states that it can come into, one way for each."""
        cones = self._cones()
        for kind, acts in cones.items():
            entering = [name for name in acts if self._acts[name].new and self._acts[name].thing == kind]
            for name in entering if len(entering) > 1 else ():
                world: World | None = opened
                for one in [*(other for other in entering if other != name), name]:
                    step = self._planner.reach(world, one) if world else None
                    world = step.after if step else None
                if world is not None and world.path[-1].things:
                    self._follow(world, kind, world.path[-1].things[0], acts)

    def _follow(self, start: World, kind: str, name: str, acts: list[str]) -> None:
        """Expand each state of one thing once, the first time that it is come into."""
        frontier, known = [start], set[str]()
        while frontier:
            world = frontier.pop(0)
            thing = world.state.thing(kind, name)
            if thing is None or thing.state in known:
                continue
            known.add(thing.state)
            frontier += [one.after for one in self._expand(world, acts) if one.is_accepted]

    def _close_days(self, opened: World) -> None:
        """Look whether the books of a day can be closed after what was done, where nothing of it was a breach."""
        if _CLOSING not in self._acts:
            return
        lawful = [world for world in (opened, *self._edge) if world.is_lawful and _waited(world) < _DAYS_MAX * _DAY]
        for world in lawful[:: max(1, len(lawful) // self.bounds.days)][: self.bounds.days]:
            later = self._try(world, Move(WAIT, seconds=_DAY)).after
            if self._planner.reach(later, _CLOSING, depth=6, moves=_CLOSING_MOVES) is None:
                tried = [one for one in self._expand(later, [_CLOSING]) if one.move.act == _CLOSING]
                for refusal in tried[0].refusals if tried else ():
                    item = refusal.why.partition(": ")[2].partition(" (")[0]
                    self.findings.add("a day that cannot be closed", item, refusal.clause, refusal.why, later)

    def _leave_all(self) -> None:
        """Look for what was not met from the states that things came into, not from the open table alone.

        First each act to a thing that came into a state nothing led out of, then a way to each act that was not lawful.
        """
        left, cones = set[tuple[str, str]](), self._cones()
        limit = self.statistics.tried + self.bounds.leaving
        while stuck := {one: world for one, world in self.lives.stuck.items() if one not in left}:
            for (kind, state), world in stuck.items():
                self._expand(world, cones.get(kind, ()))
                left.add((kind, state))
        tried = set[tuple[str, str, str]]()
        for name, start, world in iter(lambda: self._next_start(tried), None):
            tried.add((name, *start))
            if self.statistics.tried > limit:
                return
            self._planner.reach(world, name, moves=_LEAVING_MOVES)

    def _next_start(self, tried: set[tuple[str, str, str]]) -> tuple[str, tuple[str, str], World] | None:
        """Return an act that was not lawful yet, or not from a state, and where something is in that state."""
        stuck = self.lives.stuck
        for name, act in self._acts.items():
            starts = [(act.thing, one) for one in act.states]
            starts += [(one.of[0], state) for one in act.fields.values() if one.of for state in one.states]
            is_lawful = name in self.statistics.acts_clean
            for start in starts:
                if (is_lawful and start not in stuck) or (name, *start) in tried:
                    continue
                if (world := self.lives.met.get(start)) is not None:
                    return name, start, world
        return None

    @property
    def _acts(self) -> dict[str, Act]:
        return {name: act for name, act in self.office.rules.pages.acts.items() if is_searched(act)}

    def _cones(self) -> dict[str, list[str]]:
        """Return the acts that touch each kind of thing: done to it, or naming it and changing its state."""
        cones = {
            kind: [
                name
                for name, act in self._acts.items()
                if act.thing == kind or any(one.of[:1] == (kind,) and one.to for one in act.fields.values())
            ]
            for kind in self.office.rules.pages.things
        }
        cones["office"] = [name for name, act in self._acts.items() if not act.thing]
        return {kind: acts for kind, acts in cones.items() if acts}

    def _watched_acts(self) -> list[str]:
        """Return the acts that break or mend what is watched at a table, and those that move it as facts."""
        watches = [watch for watch in self.office.rules.pages.watches.values() if watch.thing == "table"]
        named = {word for one in watches for word in (one.needs.undone, one.needs.never, one.needs.done)}
        states = {state for one in watches for state in one.states}
        moving = {name for name, act in self._acts.items() if act.thing == "table" and act.to and act.to not in states}
        duty = {name for name, act in self._acts.items() if act.thing == "person" and "duty" in act.to}
        return [name for name in self._acts if name in named | moving | duty]

    def _search_cone(self, start: World, kind: str, acts: list[str], left: int) -> None:
        """Search breadth first with the acts of one cone, each abstract state once; new states of things first."""
        kinds = frozenset({kind, "table"})
        known: set[Hashable] = {abstract_state(start, kinds)}
        coarse: set[Hashable] = {coarse_state(start, kinds)}
        frontier = [start]
        for _ in range(self.bounds.depth):
            first: list[World] = []
            rest: list[World] = []
            for world in frontier:
                if left <= 0:
                    break
                steps = self._expand(world, acts)
                left -= len(steps)
                for step in steps:
                    key = abstract_state(step.after, kinds) if step.is_accepted else None
                    if key is None or key in known:
                        continue
                    known.add(key)
                    rough = coarse_state(step.after, kinds)
                    (rest if rough in coarse else first).append(step.after)
                    coarse.add(rough)
            frontier = [*first, *rest]
            self.statistics.cones[kind] += len(frontier)
            self._edge += [*first[-3:], *rest[-2:]]
            if left <= 0 or not frontier:
                break

    def _expand(self, world: World, acts: Iterable[str] | None) -> list[Step]:
        """Try every move in a state."""
        steps = [self._try(world, move) for move in moves_of(world, acts)]
        for oracle in self.oracles:
            oracle.see_tried(world, steps)
        return steps

    def _try(self, world: World, move: Move) -> Step:
        step = world.apply(move)
        self.statistics.tried += 1
        self.statistics.acts_tried[step.move.act] += 1
        if step.is_accepted:
            self.statistics.accepted += 1
            self.statistics.acts_accepted[step.move.act] += 1
            if step.is_clean:
                self.statistics.acts_clean[move.act] += 1
            self.statistics.flagged |= {(move.act, key) for key, value in move.fields if value is True}
            self.statistics.depth = max(self.statistics.depth, len(step.after.path))
            for oracle in self.oracles:
                oracle.see_step(step)
            self._see_state(step.after, step.move.act)
        return step

    def _see_state(self, world: World, by: str) -> None:
        key = abstract_state(world)
        if key in self._known:
            return
        self._known.add(key)
        self.statistics.states += 1
        for table in world.state.of_kind("table")[:2]:
            for item in world.opening(table.id):
                (self.statistics.green if item.is_green else self.statistics.red).add(item.key)
        for oracle in self.oracles:
            oracle.see_state(world, by)

    def _walk(self, world: World, acts: list[str], length: int) -> None:
        """Go on at random: each time one of some acts, and of the moves that it has now the first accepted."""
        for _ in range(length):
            moves = list(moves_of(world, [self.random.choice(acts)]))
            moves = [move for move in moves if move.act in self._acts] or moves
            self.random.shuffle(moves)
            steps = (self._try(world, move) for move in moves[:_TRIES_MAX])
            world = next((one.after for one in steps if one.is_accepted), world)


def _waited(world: World) -> int:
    return sum(move.seconds for move in world.path)
