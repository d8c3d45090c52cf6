"""What Passline raises on purpose, and what to do about it.

CrapsError                  show the message; the traceback says nothing more
  WagerRefused              refusal.py: make a lawful wager; every clause it broke is listed
  MissingExtra              extras.py: install the extra that the message names
  TooLarge                  bounded_text.py: send a text with less in it; the message says what there is too much of
  TooSlow                   side_processes.py: send less at a time; the work was ended
  Stopped                   side_processes.py: nothing; whoever wanted the work has gone
  NumberError               dice.py: correct the number of a wager
  DiceError                 dice_sources.py: choose dice that exist
  MoneyError                money.py: correct the amount or the payout
  ChartError                journals/chart.py: correct the chart of accounts at the key named
  ConformanceError          rules/conformance.py: name a regulation and a part of the clause matrix
  RulebookError             rules/pages/texts.py: correct the rulebook or house file at the key named
    RulebookFaults          rules/pages/texts.py: correct every fault listed, each at its file and key
    HouseBreaches           rules/elections.py: correct every election listed, each by its clause
    NoTournaments           tournament/rules.py: choose a regulation whose text has tournaments
  ElectionError             rules/elected.py: write the election as KEY=VALUE
  NotationError             game/notation.py: correct the line that should be a table
  HandError                 game/hand_files/steps.py: correct the hand file at the line named
  ExpressionError           expression_words.py: correct the expression at the file, key and column named
    StrategyError           strategy/interface.py: correct the strategy file at the key named, or the strategy's name
  Untraceable               automaton/traced_money.py: nothing; the engine deals such a strategy
  UnlawfulWish              strategy/strategy_table.py: correct the strategy, which wished for something unlawful
  TooManyStates             automaton/exploration.py: simplify the strategy, or raise the limit
  TooManyPayingStates       automaton/paying.py: let the engine deal these strategies
  MenuError                 automaton/decisions/menu.py: name wagers and sizes that the rules have
  TooManyDecisions          automaton/decisions/compiler.py: leave out what the message names, or choose a larger unit
  SessionError              automaton/terms.py: correct the terms of the session
  NotProved                 exact/best/unlimited.py: choose a larger unit, or report the menu
  PolicyTooLarge            exact/best/policy_text.py: choose a larger unit, or fewer rolls
  ChainError                exact/chain/chains.py: ask for something that comes to an end
  SheetError                exact/par/sheet.py: name a wager, number and stake that the house offers
  GpuError                  simulation/backends/gpu/device.py: install CuPy, look at the driver, or play on the CPU
  LogError                  store/log.py: free what holds the log up, then retry; if it is damaged, run passline verify
    LogChanged              store/log.py: find out who rewrote or cut the log; nothing more is written to it
    CommitInDoubt           store/log.py: append the same drafts again, which tells whether they were written
  ViewsNotReady             streams/projection_store.py: try again in a moment; they are made again from the log
  ViewsStopped              streams/projection_runner.py: nothing; the process is started again, its reason is above
  ImageError                streams/image.py: nothing; the log is read in one piece
  NotInParts                verification/segment_check.py: nothing; the log is read in one piece, for the reason it says
  LogDown                   streams/writer.py: free the disk or the database, then send the command again with its id
    InDoubt                 streams/writer.py: ask again with the same id, which tells whether it was done
  SecondFactorNeeded        people/second_factor.py: sign again, with the authenticator that the browser asks for
  ProviderAway              people/provider/vouching.py: log in with name and password until the provider answers
  NotVouched                people/provider/vouching.py: log in again, or ask whoever runs the identity provider
  UnknownPlace              streams/feed.py: begin the feed again at an entry that this log has
  RequestRefused            client/answers.py: correct the request; every clause is listed
  RollNotProved             client/live_table.py: dispute the roll, and keep the proof that the message has
  Unreachable               client/answers.py: send the command again with the same id, which acts once
  SubprocessFailed          web/server/subprocesses.py: read what the command printed
  NotUnderstood             cli/play/parser.py: type it another way; the nearest words are suggested
"""


class CrapsError(Exception):
    """A fault of the input (a house, a hand, a wager), worded for the person who can put it right.

    >>> str(CrapsError("house.toml: no such election: odds_max"))
    'house.toml: no such election: odds_max'
    """
