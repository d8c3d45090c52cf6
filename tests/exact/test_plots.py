"""Charts: they are drawn, and equal laws give equal files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from passline.automaton.terms import Terms
from passline.errors import CrapsError
from passline.exact.chain.hand_law import COUNTS, count_law, hand_length
from passline.exact.plots import draw_count, draw_hand_length, draw_laws, draw_ruin
from passline.exact.session.float_law import session_law
from passline.exact.session.law import SessionLaw
from passline.exact.session.rational_law import rational_law
from tests.cases import one_in
from tests.exact.automata import coin, pass_line

pytestmark = pytest.mark.long

TERMS = Terms(bankroll_cents=20_00, rolls=40, goal_cents=30_00)


def _laws() -> dict[str, SessionLaw[float]]:
    return {"pass": session_law(pass_line(), TERMS), "coin": session_law(coin(), TERMS)}


def _length(path: Path) -> None:
    draw_hand_length(hand_length(pass_line()), path)


def _points(path: Path) -> None:
    draw_count(count_law(pass_line(), COUNTS["points"](pass_line())), "points", path)


@pytest.mark.whole
@pytest.mark.parametrize("suffix", one_in(3, [".svg", ".png", ".pdf"]))
@pytest.mark.parametrize(
    "draw",
    one_in(
        4,
        [
            pytest.param(lambda path: draw_laws(_laws(), path), id="sessions"),
            pytest.param(lambda path: draw_ruin(_laws(), path), id="ruin"),
            pytest.param(_length, id="length"),
            pytest.param(_points, id="points"),
        ],
        others=pytest.mark.whole,
    ),
)
def test_equal_laws_give_equal_files(draw: Callable[[Path], None], suffix: str, tmp_path: Path) -> None:
    first, second = tmp_path / f"first{suffix}", tmp_path / f"second{suffix}"
    draw(first)
    draw(second)
    assert first.read_bytes() == second.read_bytes()
    assert first.stat().st_size > 5_000


def test_laws_that_are_exact_or_without_ruin_or_goal_are_drawn(tmp_path: Path) -> None:
    law = rational_law(coin(), Terms(bankroll_cents=20_00, rolls=9))
    draw_laws({"coin": law}, tmp_path / "exact.svg")
    draw_ruin({"coin": law}, tmp_path / "ruin.svg")
    certain = session_law(coin(), Terms(bankroll_cents=20_00, rolls=9, goal_cents=20_00))
    draw_laws({"there already": certain}, tmp_path / "certain.svg")
    assert len(list(tmp_path.iterdir())) == 3


def test_each_strategy_has_a_panel_with_its_name(tmp_path: Path) -> None:
    stopped = Terms(bankroll_cents=20_00, rolls=9, stop_loss_cents=5_00)
    laws = {f"coin {wins}": session_law(coin(wins), stopped) for wins in (12, 14, 16, 18, 20)}
    for draw, said in ((draw_laws, "coin {}: mean "), (draw_ruin, "coin {}: ")):
        draw(laws, tmp_path / "panels.svg")
        text = (tmp_path / "panels.svg").read_text(encoding="utf-8")
        assert all(said.format(wins) in text for wins in (12, 14, 16, 18, 20))
        assert ("stopped" in text) is (draw is draw_laws)


def test_empty_charts_and_unknown_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CrapsError, match="at least one law"):
        draw_laws({}, tmp_path / "empty.svg")
    with pytest.raises(CrapsError, match=r"law\.gif: a chart is written as \.png, \.svg, \.pdf"):
        draw_laws(_laws(), tmp_path / "law.gif")
