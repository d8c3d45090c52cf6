"""Builders of strategy files and of what strategies see and hear: positions with own wagers, and settlements."""

from pathlib import Path

from passline.game.events import Event, WagerLost, WagerWon
from passline.game.position import Wager
from passline.money import Pays
from passline.rules.rules import Rules
from passline.strategy.interface import Seen
from passline.strategy.strategy_file import FileStrategy, bind, read_strategy

RULES = Rules.of("maryland")
HEAD = 'name = "mine"\ndescription = "What I do."\nsource = "Me."\n'
WISH = '[[wish]]\nmake = "pass"\ncents = "1000"\n'


def written(tmp_path: Path, text: str) -> Path:
    """Write a strategy file that has this text below its name, description and source."""
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def mine(tmp_path: Path, text: str, rules: Rules = RULES, **chosen: int) -> FileStrategy:
    """Return the strategy of such a file."""
    return bind(read_strategy(written(tmp_path, text)), rules, chosen)


def seen(puck: int, *wagers: tuple[str, int, int], closed: tuple[str, ...] = ()) -> Seen:
    """Return a position in which the player has these wagers (kind, number, cents) up."""
    mine = tuple(Wager(1, "player", kind, number, cents) for kind, number, cents in wagers)
    return Seen(puck, is_clearing=False, mine=mine, closed=closed)


def wager(kind: str, number: int = 0) -> Wager:
    """Return a wager of $10."""
    return Wager(1, "player", kind, number, 10_00)


def won(kind: str, number: int = 0, part: str = "") -> Event:
    """Return the event of a wager, or of a part of it, that wins."""
    return WagerWon(wager(kind, number), None, part, 10_00, Pays(1, to=1), 10_00, 0, "XX")


def lost(kind: str, number: int = 0, part: str = "") -> Event:
    """Return the event of a wager, or of a part of it, that loses."""
    return WagerLost(wager(kind, number), None, part, 10_00, "XX")
