"""`passline replay`: one simulated session, dealt roll by roll by the real engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.options import session as s
from passline.cli.options.dice import SessionDiceOption, dice_line, session_dice_from
from passline.cli.options.game import GameOption, HouseOption, RulesOption, SetOption, rules_from
from passline.dice import ROLLS_PER_HOUR

if TYPE_CHECKING:
    from passline.simulation.replay import ReplayStep

_COMPILED_MAX = 2000  # states; of a larger strategy only those are explored that the session reaches


def replay(
    strategy: Annotated[
        str,
        typer.Argument(
            metavar="STRATEGY", help="A strategy, named as for `passline simulate`.", autocompletion=s.complete_strategy
        ),
    ],
    *,
    rules: RulesOption = "",
    house: HouseOption = None,
    game: GameOption = "",
    elected: SetOption = None,
    dice: SessionDiceOption = "fair",
    seed: Annotated[str, typer.Option(help="The seed of the simulation.")] = "0",
    session: Annotated[int, typer.Option(min=0, max=2**64 - 1, help="The number of the session, from 0.")] = 0,
    bankroll: s.BankrollOption = "500",
    rolls: s.RollsOption = None,
    decisions: s.DecisionsOption = None,
    hands: s.HandsOption = None,
    goal: s.GoalOption = "",
    shooter_loss: s.ShooterLossOption = "",
    stop_loss: s.StopLossOption = "",
    trailing_stop: s.TrailingStopOption = "",
    line_wins: s.LineWinsOption = None,
    line_losses: s.LineLossesOption = None,
    minutes: s.MinutesOption = None,
    short: s.ShortOption = "stop",
    pace: s.PaceOption = ROLLS_PER_HOUR,
) -> None:
    """Print one session of a seed roll by roll, as the engine deals it, and check that the simulator plays the same."""
    from passline.automaton.arrays import ENDINGS
    from passline.dice_sources import seed_of
    from passline.errors import CrapsError
    from passline.money import dollars
    from passline.simulation.backends.cpu.backend import session_records
    from passline.simulation.recorded_dice import RecordedDice
    from passline.simulation.reference_session import SessionRecord
    from passline.simulation.replay import replay as replayed
    from passline.simulation.simulation import is_dealt, prepare_strategy
    from passline.strategy.lookup import strategy_of

    chosen, key = rules_from(rules, house, game, elected), seed_of(seed)
    thrown = session_dice_from(dice, chosen)
    terms = s.terms_in(locals())
    played = strategy_of(strategy, chosen)
    if not played.reads_money:  # says what is wrong with strategy and terms
        prepare_strategy(chosen, played, terms, short=short, compiled_max=1, sessions=1)
    if said := dice_line(thrown):
        print(said)
    if isinstance(thrown, RecordedDice):
        print(f"the session begins with roll {thrown.start_of(key, session) + 1:,} of the record", flush=True)
    print(f"session {session} of seed {key}: {played.name}, {terms}", flush=True)
    last = None
    for last in replayed(chosen, played, terms, seed=key, session=session, short=short, dice=thrown):
        for line in _lines(last):
            print(line)
    assert last is not None
    assert last.ending is not None
    ended = f"after {last.rolls} rolls with {dollars(last.equity_cents)}, {dollars(last.wagered_cents)} wagered"
    print(f"ended: {ENDINGS[last.ending]} {ended}")
    prepared = prepare_strategy(chosen, played, terms, short=short, compiled_max=_COMPILED_MAX, sessions=1, dice=thrown)
    if is_dealt(prepared):
        words = ", ".join(sorted(played.reads_money))
        print(f"not compared with the simulator: {played.name} reads {words}, and is not compiled here")
        return
    ((_, rows),) = session_records(prepared.tables, prepared.limits, seed=key, first=session, sessions=1)
    simulated = SessionRecord(*map(int, rows[0]))
    final = prepared.limits.cents(simulated.final, prepared.tables.unit)
    if (simulated.ending, simulated.rolls, final) != (last.ending, last.rolls, last.equity_cents):
        raise CrapsError(f"the simulator plays it differently: {simulated}; please report this")
    print("the simulator plays the same session")


def _lines(step: ReplayStep) -> list[str]:
    """Return the lines of one roll: the wagers made before it, the dice with the equity after it, the settlements."""
    from passline.money import dollars

    if step.roll is None:
        return [f"   0       {dollars(step.equity_cents):>12}"]
    note = "  sits out until the next shooter" if step.sits_out else ""
    return [
        *(f"           {line}" for line in step.acted),
        f"{step.rolls:>4}  {step.roll.first}-{step.roll.second}  {dollars(step.equity_cents):>12}{note}",
        *(f"           {line}" for line in step.settled),
    ]
