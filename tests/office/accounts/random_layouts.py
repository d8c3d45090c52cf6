"""Random play at houses that offer all they may, with rolls that are chosen, and a record of what it reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, get_args

from msgspec import to_builtins
from msgspec.structs import replace

from passline.authority.roles import Role
from passline.bookkeeping.accrual import entry_accrual
from passline.bookkeeping.accrual_sums import Accrual
from passline.dice import OUTCOMES, Roll
from passline.game import commands as c
from passline.game import events as e
from passline.game.decide import act
from passline.game.judges.working import calls_of
from passline.game.position import Table, Wager
from passline.refusal import Refused
from passline.rules.elections import House
from passline.rules.rules import AUTOMATED, Rules
from passline.rules.schema import SideWager
from passline.tables import commands as k
from passline.tables import events as t
from passline.tables.approvals import Approval, Approvals, approvable
from passline.tables.commands import TableCommand
from passline.tables.decide import decide
from passline.tables.live import LiveTable
from passline.tables.rules_in_force import rules_of
from tests.game.random_commands import which_wager
from tests.tables.random_commands import RandomCommands
from tests.tables.sitting import AT, CREW, PLAYERS, Sitting

_SIGNER = "signer"  # of what another person signs: nobody who plays or works at the table
_APPROVED = Approvals(
    tuple(
        Approval(kind, authority, "7", "2026-01-02")
        for kind, rule in approvable().items()
        for authority in rule.authorities
    )
)
_PLACES = 3
_RACK = 100_000_00
_COUPONS = 5_000_00
_THROWS = (c.RollDice, c.ThrowDice, c.LandDice, k.Roll, k.KeyDice)
_FACES = (c.LeaveSeat, c.CallNoRoll, c.DecideDispute, c.DisputeFaces)
_OF_WAGERS = tuple(one for one in get_args(e.Event) if "wager" in one.__struct_fields__)
_STEPS_MAX = 60
_ATTEMPTS = 8
_SEATS = (1, 2)
_LATE = 0.2
_LATE_ACTS = 4
_ACTS_BEFORE_CORRECTION = 3
_TWICE = 0.3
_CALLED = 0.5
_TAKEN = 0.05
_IN_CASH = 0.1
_WITH_COUPON = 0.3


def table_of(house: House, *, is_automated: bool) -> LiveTable:
    """A table of a house with physical dice, where two players have chips and coupons."""
    sitting = Sitting(
        house.rules,
        house={**to_builtins(house), "seats": _PLACES},
        approvals=_APPROVED,
        dice="physical",
        bank=9_000_000_00,
        automate=tuple(sorted(AUTOMATED)) if is_automated else (),
    )
    media = rules_of(sitting.table).rulebook.general.media
    for seat, who in zip(_SEATS, PLAYERS, strict=False):
        sitting.sit(who, seat)
        coupon = _COUPONS if "match_play" in media else 0
        sitting.do(c.BuyIn(seat=seat, cents=_RACK, coupon=coupon), CREW["dealer"])
    return sitting.table


def all_of(rules: Rules, *, is_automated: bool) -> set[str]:
    """All that random play under rules must have had on the layout when dice were thrown, and all that it must do."""
    offered = [rule for rule in rules.wagers.values() if rule.is_offered and not rule.breakdown]
    side = [rule.entry for rule in offered if isinstance(rule.entry, SideWager)]
    calls = {call for rule in offered for call in calls_of(rules, rule)}
    charged = [(rule.vigorish, number) for rule in offered if rule.vigorish for number in rule.numbers]
    tips, general = rules.rulebook.general.tips, rules.rulebook.general
    wanted = {rule.kind for rule in offered} | {f"called {call}" for call in calls}
    wanted |= {"vigorish charged" for one, number in charged if one.is_due_when_made(number)}
    wanted |= {"vigorish on a win" for one, number in charged if not one.is_due_when_made(number)}
    wanted |= {"match play"} & {name.replace("_", " ") for name in general.media}
    if tips is not None and (not tips.elect or getattr(rules.house, tips.elect)):
        wanted.add("tip")
    wanted |= {f"tip on {one.name}" for one in side if one.tips and getattr(rules.house, one.tips.elect)}
    wanted |= {"come_out", "point", "clearing", "corrected", "corrected again", "corrected with acts undone"}
    if not is_automated:
        wanted |= {"corrected before it was settled", "decided in a dispute"}
    return wanted | {one.__name__ for one in _OF_WAGERS if _can_be(one, rules, calls, is_automated=is_automated)}


def _can_be(event: type, rules: Rules, calls: set[str], *, is_automated: bool) -> bool:
    if event in {e.WagerCalled, e.ButtonPlaced, e.CallLapsed}:
        return bool(calls)
    if event in {e.MeterRaised, e.MeterPaid}:
        return bool(rules.progressives)
    if event is e.WagerProgressed:
        return any(rule.lines for rule in rules.wagers.values())
    return event is not e.WagerConfirmed or not is_automated


class RandomLayouts:
    """Random acts and chosen rolls at one table, what each adds to the accounts, and all that was reached."""

    def __init__(self, live: LiveTable, random: Random) -> None:
        self.rules = rules_of(live)
        self.quick = Rules(self.rules.rulebook, self.rules.house)  # every step automated
        self.random = random
        self.for_crew = ({"owner": "crew", "coupon": 0},) if self.rules.rulebook.general.tips else ()
        self.commands = RandomCommands(live)
        self.reached: set[str] = set()

    def do(self, live: LiveTable, command: TableCommand) -> tuple[LiveTable, Accrual] | None:
        """What a command leads to and what it adds to the accounts; None: it is refused."""
        by = self.commands._fitting(self.random, live, command)
        if isinstance(command, k.CorrectRoll):
            by = CREW["boxperson"]
        verdict = decide(live, command, by=by, at=AT, approvals=_APPROVED, signed_by=_SIGNER)
        if isinstance(verdict, Refused):
            return None
        accrual = entry_accrual(live, verdict.after, verdict.events).total
        self._note(live, verdict.events)
        return verdict.after, accrual

    def _note(self, live: LiveTable, events: tuple[object, ...]) -> None:
        self.reached.update(type(event).__name__ for event in events)
        for event in events:
            if isinstance(event, e.RollSettled):
                self._note_layout(live)
            elif isinstance(event, e.WagerWon) and event.vigorish:
                self.reached.add("vigorish on a win")
            elif isinstance(event, t.RollCorrected) and event.dropped:
                self.reached.add("corrected with acts undone")

    def _note_layout(self, live: LiveTable) -> None:
        position = live.game.position
        self.reached.add(position.phase)
        for wager in position.layout:
            self.reached.add(wager.kind)
            entry = self.rules.wagers[wager.kind].entry
            if wager.working in {"on", "off"}:
                self.reached.add(f"called {wager.working}")
            if wager.vigorish:
                self.reached.add("vigorish charged")
            if wager.coupon:
                self.reached.add("match play")
            if wager.owner != "player":
                self.reached.add(f"tip on {entry.name}" if isinstance(entry, SideWager) else "tip")

    def acts(self, live: LiveTable, number: int) -> tuple[LiveTable, Accrual]:
        """The table after so many random acts that throw no dice."""
        total = Accrual()
        for _ in range(number):
            command = self.drawn(live)
            if not isinstance(command, (*_THROWS, *_FACES)) and (done := self.do(live, command)):
                live, total = done[0], total + done[1]
        return live, total

    def drawn(self, live: LiveTable) -> TableCommand:
        """A random command of the game."""
        return self.commands.commands.draw(self.random, live.game)

    def seeded(self, live: LiveTable) -> tuple[LiveTable, Accrual]:
        """The table after each player has tried to make every wager, and again for the crew."""
        total = Accrual()
        for seat in _SEATS:
            for draw in self.commands.commands.make_each(self.random, seat):
                in_cash = {"media": ("cash",)} if self.random.random() < _IN_CASH else {}
                for changes in (in_cash, *self.for_crew):
                    done = self._made(live, draw, changes)
                    live, total = (done[0], total + done[1]) if done else (live, total)
        return self._touched(live, total)

    def _made(
        self, live: LiveTable, draw: Callable[[Table], c.MakeWager], changes: dict[str, Any]
    ) -> tuple[LiveTable, Accrual] | None:
        """The table after a wager is made, for which a player may try other amounts; None: it cannot be."""
        tries = (self.do(live, self._drawn(live, draw, changes)) for _attempt in range(_ATTEMPTS))
        return next((done for done in tries if done is not None), None)

    def _drawn(self, live: LiveTable, draw: Callable[[Table], c.MakeWager], changes: dict[str, Any]) -> c.MakeWager:
        """A command to make a wager, now and then with a coupon as large as its chips."""
        command = draw(live.game)
        has_coupon = "match_play" in self.rules.rulebook.general.media and self.random.random() < _WITH_COUPON
        return replace(command, **{"coupon": command.cents if has_coupon else command.coupon, **changes})

    def _touched(self, live: LiveTable, total: Accrual) -> tuple[LiveTable, Accrual]:
        """The table after the crew has confirmed what waits for it, and players have called, reduced and taken down."""
        for wager in live.game.position.layout:
            for command in self._touches(wager):
                if done := self.do(live, command):
                    live, total = done[0], total + done[1]
        return live, total

    def _touches(self, wager: Wager) -> Iterator[c.Command]:
        rules, which = self.rules, which_wager(wager)
        yield from (c.ConfirmWager(**which, by=roles.split("|")[0]) for roles in wager.pending)  # type: ignore[arg-type]
        if (calls := calls_of(rules, rules.wagers[wager.kind])) and self.random.random() < _CALLED:
            yield c.CallWager(**which, call=self.random.choice(calls))
            yield c.PlaceButton(**which, by=self._role(rules.rulebook.general.call_on.button_by))
        if self.random.random() < _TAKEN:
            yield c.ReduceWager(**which, cents=wager.cents // 2)
        if self.random.random() < _TAKEN:
            yield c.RemoveWager(**which)

    def clearing(self, live: LiveTable) -> LiveTable | None:
        """The table when the shooter, without a line wager, throws only to decide the come wagers."""
        for _ in range(_STEPS_MAX):
            position = live.game.position
            if position.is_clearing:
                return live
            lines = [one for one in position.layout if one.kind in self.rules.procedures.shooter.line_wagers]
            removed = [done for one in lines if (done := self.do(live, c.RemoveWager(**which_wager(one))))]
            declined: dict[str, c.Command] = {
                "cup": c.OfferDice(
                    by=self._role(self.rules.procedures.dice.offered_by), dice=self.rules.house.dice_set
                ),
                "offered": (c.DeclineDice if position.declined else c.AcceptDice)(seat=position.offered_to),
                "accepted": c.ChooseDice(seat=position.shooter, chosen=(1, 2)),
                "held": c.DeclineLineWager(seat=position.shooter),
            }
            done = removed[0] if removed else self.do(live, declined[position.dice])
            if done is None:
                return None
            live = done[0]
        return None

    def _role(self, by: tuple[str, ...]) -> Role:
        return self.rules.roles(by)[0]  # type: ignore[return-value]

    def ready(self, live: LiveTable) -> tuple[LiveTable, Accrual] | None:
        """The table when the dice can be thrown, or are in the air; None: nobody came to throw them."""
        total = Accrual()
        for _ in range(_STEPS_MAX):
            if self._can_throw(live):
                if self.random.random() < _LATE and (done := self.do(live, k.DiceOut())):
                    live, total = self._late(done[0], total + done[1])
                return (live, total) if self._can_throw(live) else None
            command = self.commands.commands._dice_step(self.random, live.game)
            if not isinstance(command, (*_THROWS, *_FACES, c.SurrenderDice)) and (done := self.do(live, command)):
                live, total = done[0], total + done[1]
        return None

    def _late(self, live: LiveTable, total: Accrual) -> tuple[LiveTable, Accrual]:
        """The table after players have tried to wager while the dice are in the air; the crew confirms some."""
        for _ in range(_LATE_ACTS):
            if done := self.do(live, self.commands.commands._making(self.random, live.game)):
                live, total = done[0], total + done[1]
        return self._touched(live, total) if self.random.randrange(2) else (live, total)

    def _can_throw(self, live: LiveTable) -> bool:
        if live.game.position.dice not in {"held", "air"}:
            return False
        keyed = k.KeyDice(first=1, second=1)
        by = self.commands._fitting(self.random, live, keyed)
        return not isinstance(decide(live, keyed, by=by, at=AT, approvals=_APPROVED, signed_by=_SIGNER), Refused)

    # A roll whose faces are chosen: keyed in rightly, or wrongly and put right in one of the ways that there are.

    def rolled(self, live: LiveTable, roll: Roll) -> tuple[LiveTable, Accrual]:
        """The table after a roll, settled and with its faces right, and what all of it adds."""
        way = self.random.choice((self._keyed, self._keyed, self._corrected, self._corrected_early, self._disputed))
        return way(live, roll) or self._must(self._keyed(live, roll))

    def many(self, live: LiveTable, number: int) -> tuple[LiveTable, Accrual]:
        """The table after so many rolls at most of one shooter, who makes a new line wager when that is needed.

        They are settled in one step, and nothing of a live table but its game is looked at.
        """
        total = Accrual()
        for _ in range(number):
            roll, position = self.random.choice(OUTCOMES), live.game.position
            commands: list[c.Command] = [c.RollDice(first=roll.first, second=roll.second)]
            if position.phase == "come_out" and position.shooter:
                line = self.random.choice(self.rules.procedures.shooter.line_wagers)
                commands.insert(0, c.MakeWager(seat=position.shooter, wager=line, cents=self.rules.wagers[line].min))
            for command in commands:
                outcome = act(self.quick, live.game, command)
                if isinstance(outcome, Refused):
                    continue
                after = replace(live, game=outcome[1])
                self._note(live, outcome[0])
                live, total = after, total + entry_accrual(live, after, outcome[0]).total
            if isinstance(outcome, Refused):
                break
        return live, total

    @staticmethod
    def _must(done: tuple[LiveTable, Accrual] | None) -> tuple[LiveTable, Accrual]:
        assert done is not None
        return done

    def keyed(self, live: LiveTable, roll: Roll) -> LiveTable:
        """The table after a roll that is keyed in rightly."""
        return self._must(self._keyed(live, roll))[0]

    def _keyed(self, live: LiveTable, roll: Roll) -> tuple[LiveTable, Accrual] | None:
        """Key in a roll and settle it."""
        if (landed := self.do(live, k.KeyDice(first=roll.first, second=roll.second))) is None:
            return None
        return self._settled(*landed)

    def _settled(self, live: LiveTable, total: Accrual) -> tuple[LiveTable, Accrual]:
        """Call, settle and pass, as far as that does not happen by itself."""
        procedures, faces = self.rules.procedures.throw, live.game.position.faces
        for by, step in (
            (procedures.called_by.by, c.CallRoll(total=sum(faces))),
            (procedures.settled_first.by, c.Settle()),
            (procedures.passed_by.by, c.PassDice()),
        ):
            if done := self.do(live, replace(step, by=self._role(by))):
                live, total = done[0], total + done[1]
        assert not live.game.position.is_rolling
        return live, total

    def _wrong(self, roll: Roll) -> Roll:
        return self.random.choice([one for one in OUTCOMES if {one.first, one.second} != {roll.first, roll.second}])

    def _corrected(self, live: LiveTable, roll: Roll) -> tuple[LiveTable, Accrual] | None:
        """Key in wrong faces, settle them and go on; then correct them, now and then to wrong ones again."""
        if (done := self._keyed(live, self._wrong(roll))) is None:
            return None
        after, total = done
        after, acts = self.acts(after, _ACTS_BEFORE_CORRECTION)
        total += acts
        faces = [self._wrong(roll)] if self.random.random() < _TWICE else []
        for place, right in enumerate((*faces, roll)):
            command = k.CorrectRoll(first=right.first, second=right.second, reason="misread")
            if (corrected := self.do(after, command)) is None:
                return None
            after, total = corrected[0], total + corrected[1]
            self.reached.add("corrected again" if place else "corrected")
        return after, total

    def _corrected_early(self, live: LiveTable, roll: Roll) -> tuple[LiveTable, Accrual] | None:
        """Key in wrong faces, and correct them before they are settled."""
        wrong = self._wrong(roll)
        landed = self.do(live, k.KeyDice(first=wrong.first, second=wrong.second))
        if landed is None or not landed[0].game.position.is_rolling:
            return None
        corrected = self.do(landed[0], k.CorrectRoll(first=roll.first, second=roll.second, reason="misread"))
        if corrected is None:
            return None
        self.reached.add("corrected before it was settled")
        return self._settled(corrected[0], landed[1] + corrected[1])

    def _disputed(self, live: LiveTable, roll: Roll) -> tuple[LiveTable, Accrual] | None:
        """Key in wrong faces, which a player disputes; who decides names the right ones."""
        wrong = self._wrong(roll)
        landed = self.do(live, k.KeyDice(first=wrong.first, second=wrong.second))
        if landed is None or (disputed := self.do(landed[0], c.DisputeFaces(seat=_SEATS[0]))) is None:
            return None
        by = self.rules.procedures.dispute.by[0]
        decided = self.do(disputed[0], c.DecideDispute(by=by, first=roll.first, second=roll.second))
        if decided is None:
            return None
        self.reached.add("decided in a dispute")
        return self._settled(decided[0], landed[1] + disputed[1] + decided[1])
