"""`passline replay`: one simulated session again, roll by roll through the real engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from passline.cli.options import GameOption, HouseOption, RulesOption, rules_from

if TYPE_CHECKING:
    from passline.simulate.replay import Step

__all__ = ["replay"]


def replay(
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help="As for `passline simulate`.")],
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    seed: Annotated[str, typer.Option(help="The seed of the simulation.")] = "0",
    session: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="The session, counted from 0.")] = 0,
    bankroll: Annotated[str, typer.Option(help="What the session starts with, in dollars.")] = "500",
    rolls: Annotated[int | None, typer.Option(help="End after so many rolls (200 if no limit is named).")] = None,
    decisions: Annotated[int | None, typer.Option(help="End after so many line decisions.")] = None,
    hands: Annotated[int | None, typer.Option(help="End after so many shooters' hands.")] = None,
    goal: Annotated[str, typer.Option(help="End when the bankroll reaches this, in dollars.")] = "",
    shooter_loss: Annotated[str, typer.Option(help="The most to lose per shooter, in dollars.")] = "",
    short: Annotated[
        Literal["stop", "ride", "reduce"],
        typer.Option(help="Short of money: leave, make nothing new, or drop the last wishes."),
    ] = "stop",
) -> None:
    """Print one session of a seed roll by roll, dealt by the engine, and compare it with what the simulator plays."""
    from passline.errors import CrapsError
    from passline.exact.law import Terms
    from passline.money import cents_from, dollars
    from passline.simulate.local import records_of
    from passline.simulate.replay import replay as replayed
    from passline.simulate.sessions import ENDINGS, Played
    from passline.simulate.simulation import player_of
    from passline.sources import seed_of
    from passline.strategy.catalogue import strategy_of

    chosen, key = rules_from(rules, house, game), seed_of(seed)
    limited = rolls is not None or decisions is not None or hands is not None
    terms = Terms(
        bankroll_cents=cents_from(bankroll),
        rolls=rolls if limited else 200,
        decisions=decisions,
        hands=hands,
        goal_cents=cents_from(goal) if goal else None,
        shooter_loss_cents=cents_from(shooter_loss) if shooter_loss else None,
    )
    player = player_of(chosen, strategy, terms, short=short)
    print(f"session {session} of seed {key}: {player.name}, {terms}")
    last = None
    for last in replayed(chosen, strategy_of(strategy, chosen), terms, seed=key, session=session, short=short):
        for line in _lines(last):
            print(line)
    assert last is not None
    assert last.ending is not None
    ended = f"after {last.rolls} rolls with {dollars(last.equity_cents)}, {dollars(last.wagered_cents)} wagered"
    print(f"ended: {ENDINGS[last.ending]} {ended}")
    ((_, rows),) = records_of(player.tables, player.limits, seed=key, first=session, sessions=1)
    simulated = Played(*map(int, rows[0]))
    final = player.limits.cents(simulated.final, player.tables.unit)
    if (simulated.ending, simulated.rolls, final) != (last.ending, last.rolls, last.equity_cents):
        raise CrapsError(f"the simulator says otherwise: {simulated}; please report this")
    print("the simulator plays the same session")


def _lines(step: Step) -> list[str]:
    """What one roll did: what was wagered before it, the dice and the equity after it, and what was settled."""
    from passline.money import dollars

    if step.roll is None:
        return [f"   0       {dollars(step.equity_cents):>12}"]
    note = "  sits out until the next shooter" if step.sits_out else ""
    return [
        *(f"           {line}" for line in step.acted),
        f"{step.rolls:>4}  {step.roll.first}-{step.roll.second}  {dollars(step.equity_cents):>12}{note}",
        *(f"           {line}" for line in step.settled),
    ]
