"""Lines whose automata are the same are solved once, and no others."""

from passline.exact.par.lines import Offered, offered_by_house, permitted_lines, smallest_exact_stake
from passline.exact.par.par import ParCache, automaton_key, par_of
from passline.rules.rules import Rules


def test_lines_that_two_games_share_are_solved_once() -> None:
    solver = ParCache()
    kinds = ("pass", "place_win", "fire")
    for game in ("craps", "mini_craps"):
        for one in offered_by_house(Rules.of("maryland", game=game, house={"side_wagers": {"fire": "A"}})):
            if one.kind in kinds and not one.odds:
                stake = smallest_exact_stake(one)
                assert stake
                shared = solver.par(one, stake)
                assert shared == par_of(one.rules, kind=one.kind, number=one.number, cents=stake)
    assert len(solver._known) == 1 + 6 + 1


def test_lines_that_are_settled_differently_have_different_keys() -> None:
    place = [one for one in permitted_lines("colorado", "craps") if one.kind == "place_win"]
    assert len({automaton_key(one) for one in place}) == len(place)
    rounding = Rules.of("colorado", house={"unpayable": "round_up"})
    plain, rounded = (Offered(rules=rules, kind="place_win", number=6) for rules in (place[0].rules, rounding))
    assert automaton_key(plain) != automaton_key(rounded)
    tables = [one for one in permitted_lines("maryland", "craps") if one.kind in {"all", "boom_or_bust"}]
    assert [one.option for one in tables] == ["A", "B", "A", "B"]
    assert len({automaton_key(one) for one in tables}) == 2, "they need the same totals and pay the same"
