"""What is supervised at a table follows its events, and nothing else changes it."""

from passline.tables import events as t
from passline.tables.supervised import SUPERVISED, Irregularity, Supervision, supervision_after

EVENTS: tuple[t.TableEvent, ...] = (
    t.DiceSetPutIn(1, "2026-11-15T08:00:00.000000Z", "x"),
    t.IrregularityReported(1, "paid twice", "x"),
    t.IrregularityReported(2, "die under the rail", "x"),
    t.ActionDirected(1, "take it back", "x"),
    t.DiceCondemned(1, "lost", "", "x"),
)
LATE = t.WagerPastPosted(3, 1, "player", "field", 0, 500, "x")


def _after(*events: t.TableEvent) -> Supervision:
    now = Supervision()
    for event in events:
        now = supervision_after(now, event)
    return now


def test_each_event_changes_its_own_part() -> None:
    now = _after(*EVENTS)
    assert now == Supervision(
        EVENTS[0],  # type: ignore[arg-type]
        EVENTS[-1],  # type: ignore[arg-type]
        2,
        (Irregularity(1, "paid twice", "take it back"), Irregularity(2, "die under the rail")),
    )
    assert supervision_after(now, t.ActionObserved(1, "x")).irregularities == (Irregularity(2, "die under the rail"),)
    assert supervision_after(now, LATE).past_posted == (LATE,)
    new = t.DiceSetPutIn(2, "2026-11-16T08:00:00.000000Z", "x")
    assert (supervision_after(now, new).dice, supervision_after(now, new).condemned) == (new, None)
    assert {type(event) for event in (*EVENTS, t.ActionObserved(1, "x"), LATE)} == SUPERVISED


def test_other_events_change_nothing() -> None:
    now = _after(*EVENTS)
    assert supervision_after(now, t.TableReleased("flat")) is now
