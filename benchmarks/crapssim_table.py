"""crapssim's side of the engine benchmark: one table of eight players, in table rolls per CPU-second.

Eight players with $500 each, 200 rolls a session, one process.  A roll of the
dice counts once, however many of the eight players have money on it; time is
`time.process_time`.

crapssim 0.4.1 runs with its default table settings, and with its own strategy
classes where they fit.  Passline must match this to play the same game:

* No table minimum or maximum is enforced; a bet a player cannot fund in full,
  vig included, is silently dropped, never shrunk.
* Every player acts before every roll, in seat order, then one roll settles all
  bets.  A broke player stays seated; a session ends early only when all eight
  are finished.
* Odds are 3-4-5x (6x for the don't side).  Every odds bet placed here is off on
  the come-out, don't come odds included, and is returned if its base resolves.
* `BetPlace` and `DoubleTap` take place bets down on the come-out.  A winning
  place bet stays up; a winning buy, lay, hardway or prop comes down and is bet
  again before the next roll.
* Buy and lay bets go up at any time but are off on the come-out.  Their 5% vig
  (buy: of the bet, lay: of the win; half up to the nearest dollar) is paid when
  the bet goes up and is not returned when it wins.
* Hardways, the hop, World and the field always work; the field pays 2:1 on both
  2 and 12.

Run it with the interpreter that has crapssim:  python benchmarks/crapssim_table.py
"""

import random
import time
from collections.abc import Callable

from crapssim.bet import Field, HardWay
from crapssim.strategy.examples import (
    BuySampler,
    DoubleTap,
    HammerLock,
    LaySampler,
    PassLinePlace68,
    ThreePointDolly,
    ThreePointMolly,
)
from crapssim.strategy.odds import PassLineOddsMultiplier
from crapssim.strategy.single_bet import BetHop, BetPassLine, BetPlace, BetWorld
from crapssim.strategy.tools import AddIfNotBet, AddIfPointOn, AggregateStrategy, Strategy
from crapssim.table import Table

BANKROLL = 500


def pass_odds() -> Strategy:
    """Pass $10 with 2x odds."""
    return AggregateStrategy(BetPassLine(10), PassLineOddsMultiplier(2))


def molly() -> Strategy:
    """Pass $10 and up to two come bets of $10, 2x odds on each."""
    return ThreePointMolly(10, odds_multiplier=2)


def dolly() -> Strategy:
    """Don't pass $10 and up to two don't comes of $10, odds to win $10 on each."""
    return ThreePointDolly(10, win_multiplier=1)


def iron_cross() -> Strategy:
    """Pass $5 with 2x odds, place 5/6/8 except the point, field $5, point on.

    `examples.IronCross(5)` places twice as much on each number, so this puts
    its parts together with smaller bets.
    """
    return AggregateStrategy(
        BetPassLine(5),
        PassLineOddsMultiplier(2),
        BetPlace({5: 5.0, 6: 6.0, 8: 6.0}, skip_point=True),
        AddIfPointOn(Field(5)),
    )


def pass_place_68() -> Strategy:
    """Pass $10, place 6 and 8 for $12 each while the point is on, point or not."""
    return PassLinePlace68(10, six_amount=12, eight_amount=12, skip_point=False)


def hammerlock() -> Strategy:
    """Pass and don't pass $10, $60 lay odds, places that move and come down.

    Point on: 6 and 8 at $24 until one place win, then 5 and 9 at $10 and 6 and
    8 at $12 until a second, then no places.  Wins are counted over the whole
    hand; only a seven-out starts again.
    """
    return HammerLock(10)


def props_buy_lay() -> Strategy:
    """World $5 every roll, buy 4 and 10 for $25, lay 5 and 9 for $30."""
    return AggregateStrategy(BetWorld(5), BuySampler(25), LaySampler(30))


def double_tap() -> Strategy:
    """Place all six, pressed twice then regressed; hard 6 and 8 $5; hop 3-4 $1.

    Each number steps on its own hits, by 1, 2, 4, 1, 2, 4 times its start and
    then 1 until the seven-out.
    """
    return AggregateStrategy(
        DoubleTap(5),
        AddIfNotBet(HardWay(6, 5)),  # as BetHardWay, whose type for its number is wrong
        AddIfNotBet(HardWay(8, 5)),
        BetHop((3, 4), 1),
    )


LINEUP: tuple[Callable[[], Strategy], ...] = (
    pass_odds,
    molly,
    dolly,
    iron_cross,
    pass_place_68,
    hammerlock,
    props_buy_lay,
    double_tap,
)


def new_table(seed: int) -> Table:
    """Return a new table with the eight players seated in `LINEUP` order."""
    table = Table(seed=seed)
    for strategy in LINEUP:
        table.add_player(BANKROLL, strategy(), name=strategy.__name__)
    return table


def play(sessions: int, rolls: int, seed: int) -> int:
    """Play `sessions` fresh tables of up to `rolls` rolls; return the rolls played."""
    seeds = random.Random(seed)
    played = 0
    for _ in range(sessions):
        table = new_table(seeds.getrandbits(32))
        table.run(max_rolls=rolls, verbose=False)
        played += table.dice.n_rolls
    return played


def rate(sessions: int = 20, rolls: int = 200, seed: int = 7) -> float:
    """Return table rolls per CPU-second, seating included, after one untimed session."""
    play(1, rolls, seed)
    start = time.process_time()
    played = play(sessions, rolls, seed)
    return played / (time.process_time() - start)


if __name__ == "__main__":
    print(f"crapssim: {rate():,.0f} table rolls per CPU-second")
