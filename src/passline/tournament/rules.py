"""What a regulation says of tournaments: its pages, entry by entry, read with what every tournament needs.

Each entry has its clause. An entry that a text lacks is None, and nothing is asked. Most entries have no figure: they
hold simply because they are there.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

from passline.rules.pages.amendments import text_day
from passline.rules.pages.day import day_in_force
from passline.rules.pages.layers import PRACTICE_LAYER, LayeredPages
from passline.rules.pages.library import folder_of
from passline.rules.pages.structure import KeyFault, nearest_words
from passline.rules.pages.texts import RulebookError
from passline.rules.rulebook_reader import rulebook_of, sound_regulations
from passline.rules.schema import CentsAmount, Rule, cites_of

SheetSource = Literal[
    "form", "games", "dates", "times", "place", "licensees", "criteria", "entries", "reentry", "rounds",
    "pool", "vouchers", "in_kind", "amounts", "rebuys", "house_rules", "prize_count", "prizes", "changes",
    "points", "stacks", "wager_limit", "colours", "ties", "cut_ties", "undecided", "order", "seat_draw", "counts",
    "split", "statement", "final_round", "conclusion", "elimination", "cash_handling", "lapse_of_rounds",
]  # fmt: skip
"""What a part of the rule sheet is made from."""
Few = Annotated[int, Meta(ge=1, le=100)]
_FOLDER = "tournament"


class Said(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A duty, ban or permission without a figure, which holds because the text has it."""


class Offer(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """That tournaments may be held, in which forms (without forms, in any), and from which day on as it says here."""

    forms: tuple[Literal["single", "series"], ...] = ()
    begins: date | None = None


class GameChoice(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The games that may be played, and the side wagers with them."""

    of: tuple[str, ...]
    side_wagers: tuple[str, ...] = ()


class LengthBound(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Within how many calendar months of its first day of play a tournament ends."""

    months: Few
    stops_play: bool = False  # no round begins after that, whatever the plan says; otherwise only plans are judged


class CentsBound(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The most that something may cost one player over the whole tournament."""

    cents_max: CentsAmount


class MostEntries(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """How many entries of one player may be alive at once."""

    most: Few
    asks_desk: bool = False  # whether two players are one, where their names are alike and accounts do not tell


class LogFields(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What a line of the log of fees and buy-ins says at least."""

    of: tuple[Literal["patron", "amount"], ...]


class PrizeForms(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Which prizes the authority's forms account for."""

    of: tuple[Literal["cash", "merchandise"], ...]


class FeeCount(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Cash of fees is held apart until it is counted."""

    agrees: bool = (
        False  # with what the entries paid, or somebody else has settled the difference, before the books close
    )


class WordsRule(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What the words of a plan must be before they are printed."""

    written: bool = False  # they have letters: dashes alone say nothing
    agree: bool = False  # they name no round, and no number of players or rolls, that the plan does not have


class NoticeRule(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The notice of what each colour stands for; `unless_printed`, only where chips do not say it themselves."""

    unless_printed: bool = False


class SheetEntry(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One part of the rule sheet: what it is called and what it is made from."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    source: SheetSource
    statement: str = ""  # words that the text prescribes, {casino} being the name of the casino
    optional: bool = False  # left out where the plan has nothing to say there


class SheetList(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Parts that the text wants on every sheet together, in their order."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    parts: tuple[str, ...]
    order: Annotated[int, Meta(ge=0, le=100)] = 0  # of the lists on the sheet


class _Group(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    pass


class PremisesRules(_Group, frozen=True, kw_only=True):
    """Where tournaments are held."""

    licensed: Said | None = None
    secured: Said | None = None  # security, surveillance and internal control


class JointRules(_Group, frozen=True, kw_only=True):
    """Tournaments of more than one licensee."""

    single: Said | None = None  # what yields taxable proceeds, that is any entry fee, is held by one licensee alone
    paid_back: Said | None = None  # all money that is taken goes back as prizes
    lead: Said | None = None  # one of them is named responsible
    prizes: Said | None = None  # that one alone sees to the prizes
    records: Said | None = None  # and keeps the accounts of the whole


class EntryRules(_Group, frozen=True, kw_only=True):
    """Who is in, and how often."""

    criteria_related: Said | None = None  # criteria of who may enter relate to gaming
    live: MostEntries | None = None
    reentry: Said | None = None  # after elimination, as a new entry, if the rules of the tournament allow it
    disqualified: Said | None = None  # who has more than that alive
    no_prize: Said | None = None  # for somebody so disqualified
    employees: Said | None = None  # of the house do not enter


class LimitRules(_Group, frozen=True, kw_only=True):
    """What a player could spend."""

    fee: CentsBound | None = None
    buy_ins: CentsBound | None = None
    combined: CentsBound | None = None
    initial_rounds: Said | None = None  # chips that can be bought in the initial rounds stay within `buy_ins`


class FeeRules(_Group, frozen=True, kw_only=True):
    """Entry fees and the tax on them."""

    kept_out: Said | None = None  # it is what does not go into the pool
    taxed: Said | None = None  # fees are adjusted gross proceeds
    complimentary: Said | None = None  # those that the house gives away too
    month: Said | None = None  # of the month in which they are collected
    free: Said | None = None  # without a fee for anybody the proceeds are zero
    no_loss: Said | None = None  # no loss is set against them
    in_kind: Said | None = None  # what is taken in place of money is worth the fee in cash
    in_kind_form: Said | None = None  # and stands with that value on the form
    form: Said | None = None  # the form lists every entrant with the value of the fee
    each: Said | None = None  # nobody is listed without one
    apart: FeeCount | None = None


class PoolRules(_Group, frozen=True, kw_only=True):
    """Buy-ins and the prize pool."""

    made_of_buy_ins: Said | None = None
    by_event: Said | None = None  # a pool for each event, what is left carried forward
    pays_all: Said | None = None  # all of it is paid when the tournament ends
    keeps_nothing: Said | None = None  # the house
    complimentary: Said | None = None  # buy-ins that the house gives away are added at their value
    in_kind: Said | None = None  # what is taken in place of money is worth the buy-in in cash
    in_kind_form: Said | None = None  # and stands with that value on the form


class VoucherRules(_Group, frozen=True, kw_only=True):
    """Vouchers for later events."""

    offer: Said | None = None  # won at the end of an event, for a later one of the same tournament
    owner: Said | None = None  # only the winner uses it
    form: Said | None = None  # into an event that has fee or buy-in: both parts stand on the form
    prize: Said | None = None  # and it is a prize payout
    no_fee: Said | None = None  # into an event that has neither: it is a buy-in and goes to the pool
    not_prize: Said | None = None  # and no prize payout
    listed: Said | None = None  # a plan lists its event after the one that awards it: events end in that order


class LogRules(_Group, frozen=True, kw_only=True):
    """The log of entry fees and buy-ins."""

    kept: Said | None = None
    fields: LogFields | None = None
    at_once: Said | None = None  # written when the money is taken


class PrizeRules(_Group, frozen=True, kw_only=True):
    """How prizes are accounted for."""

    form: PrizeForms | None = None


class PlayRules(_Group, frozen=True, kw_only=True):
    """How it is played."""

    base: Said | None = None  # by the ordinary rules of the game
    equal_stacks: Said | None = None  # for fee and first buy-in, at the start of each event
    equal_chance: Said | None = None  # to buy more
    elimination: Said | None = None  # without chips, and without the right or wish to buy more
    no_stand_ins: Said | None = None
    no_wagers_for_others: Said | None = None
    chips_on_table: Said | None = None  # only those there when a game begins are played in it
    no_hidden_chips: Said | None = None


class ChipRules(_Group, frozen=True, kw_only=True):
    """Tournament chips."""

    only: Said | None = None  # wagers are made with nothing else
    exchange: Said | None = None  # money is changed before play
    bars: Said | None = None  # money, coins, coupons, other chips and things of value
    no_value: Said | None = None  # points, no cash value
    no_limit: Said | None = None  # on the size of wagers
    no_redemption: Said | None = None
    rank: Said | None = None  # points decide winners and places
    notice: NoticeRule | None = None  # at every table: the points of each colour
    change: Said | None = None  # of a colour's points, between rounds only
    current: Said | None = None  # the notice always shows the points in force


class SplitRules(_Group, frozen=True, kw_only=True):
    """Agreements of the last players to share."""

    unanimous: Said | None = None  # allowed if the rules of the tournament say so, and all agree
    cash_only: Said | None = None
    not_encouraged: Said | None = None  # by the director
    understood: Said | None = None  # by each player, that it is voluntary and unanimous: the director sees to it
    no_pressure: Said | None = None  # the director stops it on any sign of pressure
    awarded: Said | None = None  # as agreed
    recorded: Said | None = None  # each with what was really received


class NonceRule(Rule, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Players who are present add nonces to a seat draw; for how long it waits for those that were promised."""

    seconds: Annotated[int, Meta(ge=1, le=600)]


class DrawRules(_Group, frozen=True, kw_only=True):
    """How seats are drawn."""

    nonces: NonceRule | None = None


class SignedRules(_Group, frozen=True, kw_only=True):
    """What a second person signs: the player whose it is, or a witness of what was signed on paper."""

    seats: Said | None = None  # moved after the draw
    ties: Said | None = None  # parted
    counts: Said | None = None  # of a player's chips
    prizes: Said | None = None  # handed out
    cancelling: Said | None = None  # of the whole tournament
    refunds: Said | None = None  # of one that is cancelled


class SheetRules(_Group, frozen=True, kw_only=True):
    """The printed rules: lists of parts, and what each part is."""

    lists: dict[str, SheetList] = {}
    parts: dict[str, SheetEntry] = {}
    words: WordsRule | None = None


class TournamentPages(_Group, frozen=True, kw_only=True):
    """All that a regulation's pages say of tournaments."""

    offer: Offer
    games: GameChoice | None = None
    length: LengthBound | None = None
    premises: PremisesRules = PremisesRules()
    joint: JointRules = JointRules()
    entry: EntryRules = EntryRules()
    limits: LimitRules = LimitRules()
    fee: FeeRules = FeeRules()
    pool: PoolRules = PoolRules()
    voucher: VoucherRules = VoucherRules()
    log: LogRules = LogRules()
    prizes: PrizeRules = PrizeRules()
    play: PlayRules = PlayRules()
    chips: ChipRules = ChipRules()
    split: SplitRules = SplitRules()
    signed: SignedRules = SignedRules()
    draw: DrawRules = DrawRules()
    sheet: SheetRules = SheetRules()


class NoTournaments(RulebookError):
    """Raised where a regulation's text has no tournaments."""


class TournamentRules(Struct, frozen=True):
    """What one regulation says of tournaments.

    >>> rules = tournament_of("colorado")
    >>> rules.clause(rules.pages.pool.pays_all), rules.clause(rules.pages.log.kept)
    ('CO-2315.05-payall', 'practice')
    """

    name: str  # the regulation
    digest: str
    pages: TournamentPages

    def clause(self, *rules: Rule | None) -> str:
        """Return the clauses of entries; where the text has none of them, it is practice."""
        found = dict.fromkeys(clause for rule in rules if rule is not None for clause in cites_of(rule.cite))
        return ", ".join(found) or PRACTICE_LAYER


def tournament_problems(pages: TournamentPages) -> Iterator[KeyFault]:
    """Yield a problem for every part that a list of the rule sheet names and that is not defined."""
    for key, listed in pages.sheet.lists.items():
        for part in listed.parts:
            if part not in pages.sheet.parts:
                hint = nearest_words(part, pages.sheet.parts)
                yield KeyFault(f"sheet.lists.{key}", f"the sheet has no part {part!r}{hint}")


def _no_tournaments(name: str) -> NoTournaments:
    title = rulebook_of(name).general.title  # or an error that there is no such regulation
    having = ", ".join(regulations_with_tournaments())
    return NoTournaments(f"{name}: its text ({title}) has no tournaments; those with tournaments are {having}")


def regulations_with_tournaments() -> tuple[str, ...]:
    """Return the regulations whose text has tournaments.

    >>> regulations_with_tournaments()
    ('colorado', 'arizona')
    """
    return tuple(name for name in sound_regulations() if (folder_of(name) / _FOLDER).is_dir())


TOURNAMENT_RULES = LayeredPages(
    _FOLDER, TournamentPages, TournamentRules, checks=tournament_problems, absent=_no_tournaments
)
"""Reads the pages of tournaments, and knows by their digest those that came with plans."""


def tournament_of(name: str) -> TournamentRules:
    """Return what one of the regulations in the package says of tournaments.

    Raise NoTournaments, with the name of the regulation, where its text has none, or none as yet.

    >>> from passline.rules.pages.day import days_told_by
    >>> with days_told_by(lambda name: date(2014, 7, 14)):
    ...     tournament_of("colorado")
    Traceback (most recent call last):
    passline.tournament.rules.NoTournaments: colorado: its rules of tournaments are in force only from 2014-07-15 on
    """
    rules = _tournament_in(str(folder_of(name)), name, text_day(name))
    begins = rules.pages.offer.begins
    if begins is not None and day_in_force(name) < begins:
        raise NoTournaments(f"{name}: its rules of tournaments are in force only from {begins} on")
    return rules


@cache
def _tournament_in(folder: str, name: str, day: date | None) -> TournamentRules:
    del folder, day  # of two libraries, the same name may mean two; and of two days
    return TOURNAMENT_RULES.read(TOURNAMENT_RULES.installed_pages(name))
