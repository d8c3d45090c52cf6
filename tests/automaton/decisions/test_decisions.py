"""The automaton of decisions against the engine: what is lawful, what is dealt, and what a menu may say."""

from __future__ import annotations

from collections import Counter

import pytest

from passline.automaton.decisions.compiler import compile_decisions, size_of
from passline.automaton.decisions.menu import MenuError, menu_of
from passline.automaton.decisions.menu_seat import MenuSeat
from passline.automaton.seat import SeatState, StrategySeat
from passline.game import commands as c
from passline.game.decide import act
from passline.refusal import Refused
from passline.rules.rules import Rules
from passline.strategy.interface import Simple
from tests.cases import one_in

MARYLAND = Rules.of("maryland")
MENUS = {
    "line": ("line=10/20", 1),
    "several": ("pass=10, come=10, come_odds 6/8=10, place_win 6=12, field=5", 2),
    "vigorish": ("buy 4/10=20, lay 4=40, dont_come=10, pass=10", 2),
}


@pytest.mark.parametrize("name", one_in(3, MENUS, others=pytest.mark.whole))
def test_every_layout_is_dealt_as_the_engine_deals_it_whole(name: str) -> None:
    """Wagers are settled one by one and added; a strategy's seat settles the layout at once."""
    text, together = MENUS[name]
    menu = menu_of(text, MARYLAND, unit_cents=1_00 if name != "line" else 10_00, together=together)
    automaton = compile_decisions(MARYLAND, menu, most_cents=60_00)
    whole = StrategySeat(MARYLAND, Simple("none", shoots=False, wish=lambda _seen: ()))
    assert len(automaton.layouts) > 20
    for act_, layout in enumerate(automaton.act_layout.tolist()):
        position = automaton.positions[int(automaton.act_position[act_])]
        state = SeatState(position.puck, position.closed, automaton.layouts[layout], None)
        paid = sum(w.vigorish for w in automaton.layouts[layout]) - sum(w.vigorish for w in position.mine)
        dealt = Counter[tuple[str, int]]()
        for outcomes, rolled in whole.distinct_rolls(state, whole.acts(state)):
            dealt[str(rolled.after), rolled.cash - paid] += len(outcomes)
        arcs = range(automaton.arc_first[layout], automaton.arc_first[layout + 1])
        found = Counter[tuple[str, int]]()
        for arc in arcs:
            after = str(automaton.situations[automaton.arc_situation[arc]])
            found[after, int(automaton.arc_cash[arc]) * automaton.unit] += int(automaton.arc_weight[arc])
        assert found == dealt, str(state)


def test_odds_are_lawful_up_to_the_posted_multiple_and_cost_no_positions() -> None:
    automaton = compile_decisions(MARYLAND, menu_of("pass=10, pass_odds", MARYLAND, unit_cents=10_00), most_cents=90_00)
    assert len(automaton) == 13, "come-out, six points without and six with a pass wager"
    for point, most in ((4, 30_00), (5, 40_00), (6, 50_00)):
        position = next(p for p, at in enumerate(automaton.positions) if at.puck == point and at.mine)
        acts = range(automaton.act_first[position], automaton.act_first[position + 1])
        up = [automaton.layouts[automaton.act_layout[k]] for k in acts]
        assert max(wager.cents for mine in up for wager in mine if wager.kind == "pass_odds") == most
        assert all(any(wager.kind == "pass" for wager in mine) for mine in up), "a pass wager is locked"


def test_no_act_that_the_engine_accepts_is_missing() -> None:
    menu = menu_of("line=10/20/30", MARYLAND, unit_cents=10_00)
    automaton = compile_decisions(MARYLAND, menu, most_cents=100_00)
    seat = StrategySeat(MARYLAND, Simple("none", shoots=False, wish=lambda _seen: ()))
    for p, position in enumerate(automaton.positions):
        acts = range(automaton.act_first[p], automaton.act_first[p + 1])
        known = {automaton.layouts[automaton.act_layout[k]] for k in acts}
        table = seat.table_in(SeatState(position.puck, position.closed, position.mine, None))
        for kind in ("pass", "dont_pass", "pass_odds", "dont_pass_odds"):
            rule = MARYLAND.wagers[kind]
            for cents in range(10_00, 110_00, 10_00):
                if rule.behind and not any(wager.kind == rule.behind for wager in position.mine):
                    continue
                if not rule.behind and (position.mine or cents not in {10_00, 20_00, 30_00}):
                    continue
                command = c.MakeWager(seat=2, wager=kind, number=position.puck if rule.behind else 0, cents=cents)
                outcome = act(MARYLAND, table, command)
                if isinstance(outcome, Refused) or sum(w.cents for w in position.mine) + cents > 100_00:
                    continue
                mine = tuple(wager for wager in outcome[1].position.layout if wager.seat == 2)
                steps = {item.step for item in menu.items if (item.kind, item.number) == (kind, command.number)}
                assert mine in known or any(cents % step for step in steps), (str(position), str(command))


def test_sizes_are_bounded_before_they_are_explored() -> None:
    for text, together in (("line", 1), ("pass, place_win 6/8", 2)):
        menu = menu_of(text, MARYLAND, unit_cents=10_00, together=together)
        automaton = compile_decisions(MARYLAND, menu, most_cents=60_00)
        assert len(automaton.layouts) <= size_of(MARYLAND, menu, 60_00).layouts


@pytest.mark.parametrize(
    ("text", "unit_cents", "said"),
    [
        ("", 5_00, "the menu is empty"),
        ("pas", 5_00, "did you mean pass"),
        ("fire", 5_00, "the house does not offer it"),
        ("pass_odds", 5_00, "goes behind pass"),
        ("place_win 7", 5_00, "is not made on 7"),
        ("pass=0", 5_00, "names no size"),
        ("pass=x", 5_00, "pass=x"),
        ("house", 5_00, "at most 32"),
        ("pass", 50, "smallest chip"),
        ("pass 1 2 3", 5_00, "is not a wager"),
    ],
)
def test_a_menu_that_cannot_be_is_refused_in_words(text: str, unit_cents: int, said: str) -> None:
    with pytest.raises(MenuError, match=said):
        menu_of(text, MARYLAND, unit_cents=unit_cents)


def test_waiting_is_the_last_act_and_leads_round_the_points() -> None:
    seat = MenuSeat(MARYLAND, menu_of("pass=10", MARYLAND, unit_cents=10_00))
    acts = list(seat.acts(seat.start, 50_00))
    assert [len(lawful.mine) for lawful in acts] == [1, 0]
    assert sum(dealt.weight for dealt in seat.deal(seat.start, acts[-1])) == 36
    assert {dealt.cash for dealt in seat.deal(seat.start, acts[-1])} == {0}
