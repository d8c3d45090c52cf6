"""A small kind of stream, for tests: it counts, and each count is kept under a rule that the log names."""

from collections.abc import Sequence

from msgspec import Struct

from passline.refusal import Refusal, Refused
from passline.store.entry import Entry
from passline.streams.course import Actor, Ask, Codec, Course, Decision

ANN = Actor("a1", "Ann", "owner")


class Add(Struct, frozen=True, tag_field="command", tag="add"):
    """Add to the count."""

    count: int


class Added(Struct, frozen=True, tag_field="event", tag="added/1"):
    """It was added."""

    count: int


class Counter(Course[int]):
    """Counts; less than 1 is refused. `known` is what this process learned: a state of the same size needs it."""

    codec = Codec(Add, Added, int)

    def __init__(self) -> None:
        self.known = 0

    def decide(self, state: int | None, ask: Ask, at: str) -> Decision | Refused:  # noqa: ARG002 - as Course has it
        if ask.command.count < 1:
            return Refused((Refusal("form", "add at least 1"),))
        return Decision(ask.command, (Added(ask.command.count),), (state or 0) + ask.command.count)

    def fold(self, state: int | None, entry: Entry, events: Sequence[Added]) -> int:
        self.learn_rules(entry, events)
        return (state or 0) + sum(event.count for event in events)

    def knows_rules(self, state: int) -> bool:
        return self.known >= state

    def learn_rules(self, entry: Entry, events: Sequence[Added]) -> None:  # noqa: ARG002 - as Course has it
        self.known += sum(event.count for event in events)

    def lines(self, before: int | None, after: int | None, events: Sequence[Added]) -> tuple[str, ...]:  # noqa: ARG002
        return tuple(f"{event.count} added" for event in events)


def add(count: int, id_: str = "id-1") -> Ask:
    """Return the command to add."""
    return Ask(id_, Add(count), ANN)
