"""Tables with Colorado's Super Front Line Winner."""

from tests.clauses.side.colorado import Logged, offered
from tests.clauses.table import ANN, BOB

FRONT = "front_line_winner"
ELEVEN = "5-6"


def front_line_table(table: str = "1", **house: object) -> Logged:
    """Open a table at which Ann has a pass wager and Bob a don't pass wager."""
    play = offered(FRONT, table, house)
    play.make(ANN, "pass", 5_00)
    play.make(BOB, "dont_pass", 5_00)
    return play
