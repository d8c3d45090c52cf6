"""What a rule sheet says of rounds in words, derived from the rounds of the plan.

>>> from passline.tournament.plan.reader import example_plan
>>> print(words_of_rounds(example_plan("arizona")).final_round)
the 12 players who come through Round 1 play 45 minutes at one table, anew with 1,000 points each; the most points win
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from passline.tournament.plan.figures import round_sizes
from passline.tournament.plan.schema import Event, Plan, Round


class RoundWords(Struct, frozen=True):
    """The words of a rule sheet that follow from its rounds."""

    final_round: str
    conclusion: str
    elimination: str


def with_derived_words(plan: Plan) -> Plan:
    """Return a plan whose sheet says of its rounds what they are; as it is, while an event has no rounds."""
    if not plan.events or not all(event.rounds for event in plan.events):
        return plan
    words = words_of_rounds(plan)
    sheet = replace(
        plan.sheet, final_round=words.final_round, conclusion=words.conclusion, elimination=words.elimination
    )
    return replace(plan, sheet=sheet)


def words_of_rounds(plan: Plan) -> RoundWords:
    """Return what the rounds of a plan come to: how the final is decided, how it all ends, and who is out when."""
    *_, event = plan.events
    last = event.rounds[-1]
    whole = f" of {event.name}" if len(plan.events) > 1 else ""
    return RoundWords(
        final_round=_final_text(event),
        conclusion=f"the winner is the player with the most points after the {_lower(last.name)}{whole}",
        elimination="; ".join(["a player who has no points left and cannot buy more", *_out_texts(plan)]),
    )


def _final_text(event: Event) -> str:
    *before, last = event.rounds
    size = round_sizes(event, event.entries_max)[-1]
    where = "at one table" if size.tables <= 1 else f"at {size.tables} tables"
    who = f"the {size.players} players who come through {before[-1].name}" if before else "all players"
    return f"{who} play {_length(last)} {where}{_stack_text(event)}; the most points win"


def _stack_text(event: Event) -> str:
    """Return with what the final begins, where rounds come before it: anew, or with the points that players have."""
    if len(event.rounds) == 1:
        return ""
    is_carried = event.rounds[-2].carries_points
    return ", with the points they have" if is_carried else f", anew with {event.points:,} points each"


def _out_texts(plan: Plan) -> list[str]:
    return [
        f"a player who is not among the best {planned.advance} of a table after {planned.name}"
        + (f", nor among the best {planned.wild_cards} of all others" if planned.wild_cards else "")
        for event in plan.events
        for planned in event.rounds[:-1]
        if planned.advance
    ]


def _length(planned: Round) -> str:
    return f"{planned.rolls} rolls" if planned.rolls else f"{planned.minutes} minutes"


def _lower(name: str) -> str:
    """Return the name of a round within a sentence.

    >>> _lower("Final"), _lower("Round 2"), _lower("Super Final")
    ('final', 'round 2', 'Super Final')
    """
    first, *rest = name.split(" ")
    return name if any(word[:1].isupper() for word in rest) else " ".join([first.lower(), *rest])
