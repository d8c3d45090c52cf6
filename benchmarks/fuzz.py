"""Random play: COUNT commands (1,000,000) at random houses of each game, with every step checked.

Run it with `./x bench fuzz [COUNT]`. Chips and the position are checked after every command, and after every 20th all
of tests/game/invariants.py: folding one event at a time, JSON and notation that parse back, answers that do not depend
on what `Rules` remembers, stakes within their limits, and that play can go on. Now and then a command has a field of
the wrong type, and each table's log is replayed at its end. The run fails if a check fails, or if some command, event,
wager, side wager or tip of a regulation was never reached.
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, get_args

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the generator is shared with the tests

from passline.game import events as e
from passline.game.notation import format_table
from passline.rules.rulebook_reader import rulebook_of
from passline.rules.schema import Hand, SideWager, wagers_of
from tests.game.invariants import Watched
from tests.game.random_commands import COMMANDS, Commands
from tests.game.random_houses import GAMES, random_rules

COUNT = 1_000_000
COMMANDS_A_TABLE = 1_000
ENOUGH = 100_000  # commands after which every wager must have been made, won and lost
OF_SIDE_WAGERS = frozenset({e.WagerProgressed, e.WindowClosed, e.SurveillanceNotified})
OF_TIPS = ("WagerMade", "WagerIncreased", "WagerReduced", "WagerRemoved", "WagerWon", "WagerLost", "odds")
FULLY_EVERY = 20
ILL_TYPED_EVERY = 50


class Tally:
    """What random play has reached in one game of one regulation, and what it must reach."""

    def __init__(self, regulation: str, game: str) -> None:
        rulebook = rulebook_of(regulation)
        entries = wagers_of(rulebook, rulebook.games[game])
        self.side = {kind: entry for kind, entry in entries.items() if isinstance(entry, SideWager)}
        self.has_tips = rulebook.general.tips is not None
        self.tips: Counter[str] = Counter()
        self.beside: Counter[str] = Counter()
        self.turned_away: Counter[str] = Counter()
        self.asked = 0
        self.commands: Counter[type] = Counter()
        self.refused: Counter[type] = Counter()
        self.events: Counter[type] = Counter()
        self.wagers: Counter[tuple[str, str]] = Counter()
        self.bookable: set[str] = set()

    def add(self, table: Watched) -> None:
        """Add what happened at a table."""
        self.asked += table.commands.total() + table.refused.total()
        self.commands += table.commands
        self.refused += table.refused
        self.events += table.events
        self.tips += table.tips
        self.beside += table.beside
        self.turned_away += table.turned_away
        rules = table.rules.wagers.values()
        self.bookable |= {rule.kind for rule in rules if rule.is_offered and not rule.breakdown}
        for what, counted in (("made", table.made), ("won", table.won), ("lost", table.lost)):
            for kind, times in counted.items():
                self.wagers[kind, what] += times

    def never(self) -> list[str]:
        """Return what was never reached: commands, events, side wagers and, in a long run, each wager's results."""
        reachable: list[tuple[str, int]] = [(kind.__name__, self.commands[kind]) for kind in COMMANDS]
        reachable += [(kind.__name__, self.events[kind]) for kind in get_args(e.Event) if self._can_be(kind)]
        for kind, entry in self.side.items():
            decided = self.wagers[kind, "won"] + self.wagers[kind, "lost"]
            reachable += [(f"{kind} made", self.wagers[kind, "made"]), (f"{kind} decided", decided)]
            reachable += [(f"{kind} refused", self.turned_away[kind])]
            reachable += [(f"{kind} beside another", self.beside[kind])] if entry.beside else []
            reachable += [(f"{kind} for the crew", self.tips[kind])] if entry.tips else []
        reachable += [(f"{what} of a tip", self.tips[what]) for what in OF_TIPS if self.has_tips]
        for kind in sorted(self.bookable | self.side.keys()) if self.asked >= ENOUGH else ():
            reachable += [(f"{kind} {what}", self.wagers[kind, what]) for what in ("made", "won", "lost")]
        return [name for name, times in reachable if not times]

    def _can_be(self, event: type) -> bool:
        """Return whether this game has such events."""
        if event in {e.MeterClosed, e.MeterOpened}:  # acts at a live table, not commands of the game
            return False
        if event in {e.MeterRaised, e.MeterPaid}:
            return any(entry.progressive for entry in self.side.values())
        if event is e.SurveillanceNotified:
            return any(isinstance(entry, Hand) and entry.notice for entry in self.side.values())
        return bool(self.side) or event not in OF_SIDE_WAGERS


def play_table(tally: Tally, regulation: str, game: str, number: int, commands: int) -> None:
    """Play one table, whose name is its seed; on a failure print the state and the command that led to it."""
    random = Random(f"{regulation} {game} {number}")
    rules = random_rules(random, regulation, game)
    has_coins = "coins" in rules.rulebook.general.media and random.random() < 0.3
    table = Watched(rules, has_coins=has_coins)
    generator = Commands(rules, has_coins=has_coins)
    command: Any = None
    step = 0
    try:
        for step in range(commands):
            if step % ILL_TYPED_EVERY == 0:
                command = generator.ill_typed(random, table.table)
                table.ask(command)
            command = generator.draw(random, table.table)
            table.play(command, fully=step % FULLY_EVERY == 0)
        command = "replay"
        table.check_replay()
    except Exception as error:
        print(f"\n{regulation} {game}, table {number}, command {step}: {command}\n{format_table(table.table)}")
        print(f"automated: {', '.join(sorted(rules.automate)) or 'nothing'}; {rules.house}")
        error.add_note(f"table {number} of {regulation} {game} at command {step}")
        raise
    finally:
        tally.add(table)


def play_game(regulation: str, game: str, count: int) -> dict[str, Any]:
    """Play one game of one regulation and print its row; return its figures."""
    tally = Tally(regulation, game)
    start = time.process_time()
    shown = time.monotonic()
    played = number = 0
    while played < count:
        commands = min(COMMANDS_A_TABLE, count - played)
        play_table(tally, regulation, game, number, commands)
        played, number = played + commands, number + 1
        if time.monotonic() - shown > 10:
            shown = time.monotonic()
            print(f"... {regulation} {game}: {played:,} of {count:,}", file=sys.stderr, flush=True)
    seconds = time.process_time() - start
    rate, refused = played / seconds, tally.refused.total() / tally.asked
    print(f"{regulation:<10} {game:<16} {played:>10,} {number:>7,} {rate:>12,.0f} {refused:>9.1%}", flush=True)
    never = tally.never()
    if never:
        print(f"  never reached: {', '.join(never)}", flush=True)
    return {
        "commands": played,
        "tables": number,
        "commands_per_second": round(rate),
        "refused": round(refused, 4),
        "events": tally.events.total(),
        "never": never,
    }


def main(arguments: list[str]) -> int:
    """Play every game; return 0 if no check failed and everything was reached."""
    try:
        count = int(arguments[0].replace("_", "").replace(",", "")) if arguments else COUNT
    except ValueError:
        count = 0
    if count < 1 or len(arguments) > 1:
        print(f"fuzz: {' '.join(arguments)!r} is not a number of commands, such as 20000", file=sys.stderr)
        return 2
    print(
        f"{'regulation':<10} {'game':<16} {'commands':>10} {'tables':>7} {'commands/s':>12} {'refused':>9}", flush=True
    )
    results: dict[str, dict[str, Any]] = {}
    failure = ""
    try:
        for regulation, game in GAMES:
            results[f"{regulation} {game}"] = play_game(regulation, game, count)
    except KeyboardInterrupt:
        failure = "interrupted"
    except Exception as error:  # noqa: BLE001 - any exception is a result of random play
        failure = f"{type(error).__name__}: {error}"
        print(failure)
    is_done = not failure and not any(result["never"] for result in results.values())
    print(json.dumps({"bench": "fuzz", "count": count, "failure": failure, "games": results}))
    return 0 if is_done else 130 if failure == "interrupted" else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
