"""Figures that are kept at hand: those of long ago are found without looking at the others."""

from __future__ import annotations

import random

from passline.acts.figures import Figure, FiguresAtHand, MovedFigure

_DAYS = [f"2026-{month:02}-{day:02}" for month in (3, 4, 5) for day in range(1, 29)]


def _figures(*, told_late: int) -> FiguresAtHand:
    """Fifty acts a day; some of the first days are told again at the end, as corrections are."""
    figures, chance = FiguresAtHand(), random.Random(told_late)
    for number in range(50 * len(_DAYS)):
        figure = Figure("count_box", "drop_box", ("D1",), {}, number, _DAYS[number // 50], "")
        figures = figures.put(str(number), number, figure)
    for number in chance.sample(range(1_000), told_late):
        figures = figures.put(str(number), 0, Figure("count_box", "drop_box", ("D2",), {}, 9_999, _DAYS[-1], ""))
    return figures


def test_those_of_long_ago_are_found_as_if_all_were_looked_at() -> None:
    for told_late in (0, 40):
        figures = _figures(told_late=told_late)
        for moment in (_DAYS[0], _DAYS[7], _DAYS[40], "2027"):
            every = [item for item in figures.items() if item[1].at < moment]
            assert [item for item in figures.items(before=moment) if item[1].at < moment] == every


def test_few_are_looked_at_once_old_ones_are_gone() -> None:
    figures = _figures(told_late=40)
    old = frozenset(int(number) for number, figure in figures.items() if figure.at < _DAYS[30])
    left = figures.without(old)
    assert len([*left.items()]) == 50 * len(_DAYS) - len(old)
    assert len([*left.items(before=_DAYS[30])]) < 40, "what came last waits beside the others"
    assert len([*left.items(before=_DAYS[31])]) < 200, "a day has fifty"


def test_the_first_move_of_all_is_found_whatever_stands_for_what() -> None:
    """Also where a figure was put again, without its first move, and both the old and the new one are still there."""
    figures, chance = FiguresAtHand(), random.Random(3)
    for number in range(300):
        acts = (number, chance.randrange(number + 1))
        for act in acts:
            moved = tuple(MovedFigure(chance.randrange(5, 900), "chips", "chips", "cage", "players", "") for _ in "ab")
            figures = figures.put(str(act), number, Figure("count_box", "", (), {}, act, "", "", moved))
        orders = [move.order for figure in figures.values() for move in figure.moved]
        assert figures.oldest_move() == min(orders)
    assert figures.without(frozenset(range(300))).oldest_move() is None
