"""Random play and random papers at one table: the ledger sums to zero, agrees with the game, and verifies."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from passline.game import commands as c
from passline.streams.course import THE_HOUSE, Actor
from passline.tables import commands as k
from passline.tables.commands import TableCommand
from passline.tables.verify import decision_faults
from tests.cases import budget
from tests.tables.sitting import ANN, BOX, DEALER, FLOOR, STICK, Sitting

OPENER = k.Opener(office="maryland", entry=1, act=1, cents=500_00, on_record=505_00)
_PAPERS = ("opener", "shift", "closer", "fill", "credit", "credit_back", "drop", "soft_count", "tips")
_ACTS: tuple[tuple[TableCommand, Actor], ...] = (
    (c.TakeSeat(seat=1), ANN),
    (c.BuyIn(seat=1, cents=100_00), DEALER),
    (c.AcceptDice(seat=1), ANN),
    (c.MakeWager(seat=1, wager="pass", cents=10_00), DEALER),
    (k.KeyDice(first=3, second=4), STICK),
    (k.KeyDice(first=2, second=2), STICK),
    (k.CorrectRoll(first=5, second=4, reason="misread"), BOX),
    (c.RemoveWager(seat=1, wager="pass"), ANN),
    (c.LeaveSeat(seat=1), ANN),
    (c.Fill(cents=100_00), BOX),
    (k.CloseTable(), FLOOR),
    (k.RatePlayer(name="Ann", average_cents=10_00, minutes=5), FLOOR),
)
_steps = st.lists(
    st.one_of(
        st.sampled_from(_ACTS),
        st.tuples(st.sampled_from(_PAPERS), st.integers(0, 200).map(lambda chips: chips * 5_00), st.sampled_from("AB")),
    ),
    max_size=60,
)


@settings(max_examples=budget(50, in_sweep=150))
@given(steps=_steps, is_keyed=st.booleans())
def test_the_books_balance_whatever_happens(steps: list[tuple[object, ...]], *, is_keyed: bool) -> None:
    sitting = Sitting(opener=OPENER, dice="physical", is_keyed=is_keyed)
    entered = 1
    for number, step in enumerate(steps, start=2):
        if len(step) == 2:
            sitting.ask(*step)  # type: ignore[arg-type]  # refused or not: `Sitting` checks the ledger after each
            continue
        paper, cents, box = step
        assert isinstance(cents, int)
        what = k.EnterPaper(office="maryland", entry=number, act=number, paper=str(paper), cents=cents, about=str(box))
        sitting.do(what, THE_HOUSE)  # a paper has happened: it is never refused
        entered = number
    books = sitting.table.books
    assert books is not None
    assert books.entered == entered
    assert not list(decision_faults(sitting.entries))
