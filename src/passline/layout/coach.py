"""Sentences for newcomers at each moment of a hand: what may be done now and why, from the rules in force.

A page shows at most four of these sentences in a hand. They say what may be done. What it is worth is advice, and left
out where the regulation bans aids that nobody has approved.
"""

from __future__ import annotations

from msgspec import Struct

from passline.rules.explain.wagers import series
from passline.rules.rules import Rules
from passline.rules.schema import Line


class CoachWords(Struct, frozen=True):
    """One sentence for each moment of a hand; {point} stands for the point."""

    buy_in: str
    come_out: str
    offered: str
    roll: str
    throw: str  # the same where the dice are real
    wait: str
    point: str
    odds: str
    worth: str  # `odds` with advice: what they are worth
    no_line: str


def coach_of(rules: Rules) -> CoachWords:
    """Return the sentences for a table.

    >>> coach_of(Rules.of("maryland")).point
    'The point is {point}: Pass Line now wins if {point} comes before 7, and loses on 7.'
    """
    line, against = rules.wagers["pass"], rules.wagers.get("dont_pass")
    entry = line.entry
    assert isinstance(entry, Line)
    name = line.display_name()
    wins = series(entry.first_win.totals, "or")
    loses = f", loses on {series(entry.first_lose.totals, 'or')}" if entry.first_lose.totals else ""
    other = f" ({against.display_name()} bets against it)" if against is not None and against.is_offered else ""
    has_odds = (odds := rules.wagers.get("pass_odds")) is not None and odds.is_offered
    more = "Odds may be put behind it now"
    return CoachWords(
        buy_in="You have no chips: press Buy in, and what you change comes to your rack.",
        come_out=f"This is a come-out roll: a chip on {name}{other} wins at once on {wins}"
        f"{loses}, and any other number becomes its point.",
        offered="The dice are offered to you: take them and roll, or pass them on, and your wagers stand either way.",
        roll="You have the dice: press Roll when you are ready, and wagers are closed until they land.",
        throw="You have the dice: throw both to the far end when you are ready, and wagers are closed until they land.",
        wait="Your wager is up: the shooter throws next, and until then you may change it or add others.",
        point=f"The point is {{point}}: {name} now wins if {{point}} comes before 7, and loses on 7.",
        odds=f"{more}, and wagers be made on other numbers." if has_odds else "",
        worth=f"{more}: they are paid at their true chance, so on average they cost nothing." if has_odds else "",
        no_line="A point is on, so the line is closed to new wagers: a come wager or a number may be made instead.",
    )
