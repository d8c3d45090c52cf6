"""Checking a house against the bounds of its rulebook: every breach, each with its clause."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from passline.authority.roles import STICKPERSON
from passline.dice import OUTCOMES
from passline.money import MoneyError, Pays, dollars, multiple_of, multiple_text
from passline.rules.checks.general import procedure_problems
from passline.rules.elections import (
    Breach,
    House,
    OfficeElection,
    choice_of,
    election_of,
    is_absent,
    limit_of,
    procedures_of,
)
from passline.rules.pages.structure import faults_of, nearest_words
from passline.rules.pages.texts import book_needs, installed_books, installed_presets
from passline.rules.schema import (
    ELECTIONS,
    Cite,
    Composite,
    Election,
    Game,
    Hand,
    OddsWager,
    OneRoll,
    PaysEntry,
    PaysRule,
    Procedures,
    Rulebook,
    Run,
    SideWager,
    all_wagers,
    clause_text,
    multiples_text,
    own_elections,
    wagers_of,
)

_SEATS_MAX = 40  # our own limit, where the regulation sets none
_TAKE_FIRST = "take_then_pay"
_DICE_MAX = 20  # our own limit: a set is handled by hand


def _breach(cite: Cite, key: str, problem: str) -> Breach:
    return Breach(clause_text(cite), key, problem)


def check_house(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    """Yield every breach of the rulebook's bounds."""
    closed = rulebook.general.closed_list.cite
    if house.rules != rulebook.name:
        yield _breach(closed, "rules", f"{house.rules!r} is not {rulebook.name!r}, the regulation checked")
    if house.game not in rulebook.games:
        games = f"choose {', '.join(rulebook.games)}{_begins(rulebook, house.game)}"
        yield _breach(closed, "game", f"{house.game!r} is not a game here; {games}")
        return
    for key, election in rulebook.elections.items():
        if key in ELECTIONS:
            yield from _check_election(key, election, getattr(house, key), house)
    yield from _check_own(rulebook, house)
    yield from _check_side_wagers(rulebook, house)
    yield from _check_money(rulebook, house)
    yield from _check_odds(rulebook, house)
    yield from _check_payouts(rulebook, house)
    yield from _check_table(rulebook, house)
    if house.office is not UNSET:
        yield from _check_office(house.office)


def _check_office(office: OfficeElection) -> Iterator[Breach]:
    """Yield what a house elects for its office and there is not."""
    if office.preset not in installed_presets() and (office.preset or not office.books):
        known = f"choose {', '.join(installed_presets())}"
        yield Breach("practice", "office.preset", f"there is no preset {office.preset!r}; {known}")
    if strange := [book for book in office.books if book not in installed_books()]:
        known = f"choose of {', '.join(installed_books())}"
        yield Breach("practice", "office.books", f"there is no book {', '.join(map(repr, strange))}; {known}")
    kept = [book for book in office.books if book in installed_books()]
    if lacking := {need for book in kept for need in book_needs(book)} - {*kept}:
        why = f"{' and '.join(kept)} cannot be kept without {', '.join(sorted(lacking))}: name that too"
        yield Breach("practice", "office.books", why)
    if len({*office.books}) < len(office.books):
        yield Breach("practice", "office.books", "a book is named twice")


def _check_own(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    """Yield each breach of the elections that the rulebook declares itself, and of those that it does not have."""
    own, closed = own_elections(rulebook), rulebook.general.closed_list.cite
    given = {} if house.elections is UNSET else house.elections
    for key, value in given.items():
        path = f"elections.{key}"
        if key not in own:
            where = "; it stands beside this table, not in it" if key in ELECTIONS else nearest_words(key, own)
            yield _breach(closed, path, f"is not an election of this regulation{where}")
        elif (wrong := _type_problem(own[key], value)) is not None:
            yield _breach(own[key].cite, path, wrong)
        else:
            yield from _check_election(path, own[key], value, house)
    for key, elective in ELECTIONS.items():
        if is_absent(rulebook, key) and getattr(house, key) != elective.absent:
            yield _breach(closed, key, "this regulation leaves no such choice to a house; leave it out")


def _type_problem(election: Election, value: object) -> str | None:
    """Return what is wrong with the type of a value; None if it can be compared with the bounds."""
    if election.subset_of is not None:
        return None if isinstance(value, tuple) else f"{value!r} must be a list"
    if election.choices:
        fits = any(type(value) is type(choice) for choice in election.choices)
        return None if fits else f"{value!r} is not one of {', '.join(map(repr, election.choices))}"
    return None if type(value) is int else f"{value!r} must be a whole number"


def _begins(rulebook: Rulebook, path: str) -> str:
    """Return words to append that say between which days something is in force; "" if it has none."""
    versions = rulebook.versions.get(path, ())
    begins = [version["from"] for version in versions if "from" in version]
    ends = [version["to"] for version in versions if "to" in version]
    days = (f"from {min(begins)} on" if begins else "", f"before {max(ends)}" if ends else "")
    return f"; it is in force {', '.join(filter(None, days))}" if versions else ""


def _check_side_wagers(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    closed = rulebook.general.closed_list.cite
    for key, table in house.side_wagers.items():
        election = rulebook.elections.get(key)
        if election is None or key in ELECTIONS or key in own_elections(rulebook):
            problem = f"is not a side wager of this regulation{_begins(rulebook, f'elections.{key}')}"
            yield _breach(closed, f"side_wagers.{key}", problem)
        else:
            yield from _check_election(f"side_wagers.{key}", election, table, house)
            yield from _check_without(rulebook, house, key)
            yield from _check_beside(rulebook, house, key)
    for kind, reading in house.readings.items():
        entry = wagers_of(rulebook, rulebook.games[house.game]).get(kind) or rulebook.wagers.get(kind)
        if not isinstance(entry, Run) or reading not in entry.readings:
            yield _breach(closed, f"readings.{kind}", f"{reading!r} is not a reading of a wager of this regulation")


def _check_without(rulebook: Rulebook, house: House, key: str) -> Iterator[Breach]:
    """Yield a breach if the house offers a side wager that its game does not have."""
    game = rulebook.games[house.game]
    if house.side_wagers[key] == "none" or any(entry.offered == key for entry in wagers_of(rulebook, game).values()):
        return
    rules = [rule for kind, rule in game.without.items() if rulebook.wagers[kind].offered == key]
    cite = rules[0].cite if rules else rulebook.elections[key].cite
    yield _breach(cite, f"side_wagers.{key}", f"is not a wager of {house.game}")


def _check_beside(rulebook: Rulebook, house: House, key: str) -> Iterator[Breach]:
    """Yield a breach if a side wager that the house offers does not allow another of its elections."""
    entries = wagers_of(rulebook, rulebook.games[house.game]).values()
    offered = [entry for entry in entries if isinstance(entry, SideWager) and entry.offered == key]
    for entry in offered if house.side_wagers[key] != "none" else ():
        first = entry.take_first if isinstance(entry, Hand) else None
        if first and house.settlement != _TAKE_FIRST:
            problem = f"{house.settlement!r} must be {_TAKE_FIRST!r} at a table with the {entry.name}"
            yield _breach(first.cite, "settlement", f"{problem}: losing wagers are taken before winning ones are paid")
        amount, chip = entry.amount, max(house.smallest_chip_cents, 1)
        if amount and amount.chips and (amount.min % chip or amount.step % chip):
            steps = f"{dollars(amount.min)} to {dollars(amount.max)} in steps of {dollars(amount.step)}"
            problem = f"{dollars(chip)} chips cannot make every {entry.name}, {steps}; use a smaller chip"
            yield _breach(amount.chips.cite, "smallest_chip_cents", f"{problem}, or offer no {entry.name}")


def _check_election(key: str, election: Election, value: Any, house: House) -> Iterator[Breach]:  # noqa: ANN401
    kind, is_charge, _what = key.partition("_vigorish_")
    is_charge = is_charge if f"{kind}_vigorish_when" in ELECTIONS else ""
    choice = str(getattr(house, f"{kind}_vigorish_when") if is_charge else value)
    clause = clause_text(election.cite.get(choice, election.cite) if isinstance(election.cite, dict) else election.cite)
    if election.choices and value not in election.choices:
        yield Breach(clause, key, f"{value!r} is not one of {', '.join(repr(choice) for choice in election.choices)}")
    if election.min is not None and value < election.min:
        yield Breach(clause, key, f"{value} is below the minimum, {election.min}")
    if election.max is not None and value > election.max:
        yield Breach(clause, key, f"{value} is above the maximum, {election.max}")
    subset_of = election.subset_of or ()
    if isinstance(value, tuple) and (strange := [choice for choice in value if str(choice) not in subset_of]):
        allowed = ", ".join(subset_of) or "none"
        yield Breach(clause, key, f"{', '.join(map(str, strange))} may not be elected; allowed: {allowed}")
    if election.same_as in ELECTIONS and value != getattr(house, election.same_as):
        yield Breach(clause, key, f"{value!r} must be the same as {election.same_as}")


def _check_money(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    least, most = election_of(rulebook, "wager_cents_min"), election_of(rulebook, "wager_cents_max")
    wagers = wagers_of(rulebook, rulebook.games[house.game])
    if house.wager_cents_min > house.wager_cents_max:
        yield _breach(least.cite, "wager_cents_min", f"{house.wager_cents_min} is above wager_cents_max")
    if house.wager_cents_min % max(house.smallest_chip_cents, 1):
        yield _breach(least.cite, "wager_cents_min", "is not a multiple of the smallest chip")
    for kind, limit in house.limits.items():
        key = f"limits.{kind}"
        if kind != "centre" and kind not in all_wagers(rulebook):
            yield _breach(rulebook.general.closed_list.cite, key, "is not a wager of this regulation")
        if limit.min < 1:
            yield _breach(least.cite, key, f"the minimum {limit.min} is below 1 cent")
        if limit.min % max(house.smallest_chip_cents, 1):
            yield _breach(least.cite, key, f"{limit.min} cents is not a multiple of the smallest chip")
        highest = house.wager_cents_max if limit.max is None else limit.max
        if limit.min > highest:
            yield _breach(least.cite, key, f"the minimum {limit.min} is above the maximum {highest}")
        if most.max is not None and limit.max is not None and limit.max > most.max:
            yield _breach(most.cite, key, f"{limit.max} is above the maximum, {most.max}")
        if rulebook.general.limits.odds_outside_max and isinstance(odds := wagers.get(kind), OddsWager):
            problem = "has no effect: the table's limits do not bind odds; elect odds or odds_cents_max instead"
            yield _breach(odds.limit.cite, key, problem)


def _check_odds(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    wagers = _odds_wagers(rulebook, rulebook.games[house.game])
    points = {str(point) for entry in wagers.values() for point in entry.numbers}
    elsewhere = {
        str(point)
        for game in rulebook.games.values()
        for entry in _odds_wagers(rulebook, game).values()
        for point in entry.numbers
    }
    for kind, entry in wagers.items():
        limit, clause = entry.limit, clause_text(entry.limit.cite)
        if not points <= set(house.odds) <= elsewhere:
            yield Breach(clause, "odds", f"needs a multiple for each of {', '.join(sorted(points, key=int))}")
            return
        yield from _check_multiples(house, kind, entry)
        if house.odds_cents_max < 0:
            yield Breach(clause, "odds_cents_max", f"{kind} may not be refused outright")
        yield from _check_least_odds(rulebook, house, kind, entry)
        if limit.cents_max and house.odds_cents_max > limit.cents_max:
            yield Breach(clause, "odds_cents_max", f"{kind} may not be above {limit.cents_max} cents")


def _odds_wagers(rulebook: Rulebook, game: Game) -> dict[str, OddsWager]:
    return {kind: entry for kind, entry in wagers_of(rulebook, game).items() if isinstance(entry, OddsWager)}


def _check_multiples(house: House, kind: str, entry: OddsWager) -> Iterator[Breach]:
    """Yield each multiple of the house that is none, or is outside the bounds of some odds on their own numbers."""
    limit, clause = entry.limit, clause_text(entry.limit.cite)
    for number in sorted(map(int, entry.numbers)):
        key, written = f"odds.{number}", house.odds[str(number)]
        try:
            multiple = multiple_of(written)
        except MoneyError as error:
            yield Breach(clause, key, str(error))
            continue
        least, most = limit.least(number), limit.most(number)
        if multiple < (least or 1):
            yield Breach(clause, key, f"{kind} may not be limited below {multiple_text(least or 1)}")
        if most and multiple > most:
            yield Breach(clause, key, f"{kind} may not be above {multiple_text(most)}")


def _check_least_odds(rulebook: Rulebook, house: House, kind: str, entry: OddsWager) -> Iterator[Breach]:
    """Yield each maximum of odds that is lower than what an original wager entitles its player to."""
    clause, flat_max = clause_text(entry.limit.cite), limit_of(house, entry.behind)[1]
    least = _least_odds(entry, flat_max)
    each = multiples_text(entry.limit.multiple_min)
    problem = f"{kind} must be allowed at {each} every original wager, so up to {least} cents"
    if 0 < house.odds_cents_max < least:
        yield Breach(clause, "odds_cents_max", problem)
    unpayable = [number for number, unit in _units(house, kind, entry).items() if 0 < house.odds_cents_max < unit]
    if unpayable:
        on = ", ".join(unpayable)
        yield _breach(entry.make.cite, "odds_cents_max", f"leaves no amount of {kind} that can be paid on {on}")
    if not rulebook.general.limits.odds_outside_max:
        if kind in house.limits and limit_of(house, kind)[1] < least:
            yield Breach(clause, f"limits.{kind}", problem)
        if kind not in house.limits and house.wager_cents_max < flat_max:  # don't odds, by winnings, may exceed it
            problem = f"{kind} must be allowed behind a {entry.behind} of {flat_max} cents"
            yield Breach(clause, "wager_cents_max", problem)


def _units(house: House, kind: str, entry: OddsWager) -> dict[str, int]:
    """Return the least amount of odds that can be paid exactly on each number."""
    chip = max(house.smallest_chip_cents, 1)
    units = {}
    for line in entry.pays:
        for number in map(str, line.numbers or entry.numbers):
            text = house.payouts.get(f"{kind} {number}", house.payouts.get(kind, line.pays))
            units[number] = chip if house.unpayable == "round_up" else _unit(text, line.pays, chip)
    return units


def _unit(text: str, otherwise: str, chip: int) -> int:
    try:
        return Pays.parse(text).unit(chip)
    except MoneyError:  # reported as a breach of its own
        return Pays.parse(otherwise).unit(chip)


def _least_odds(entry: OddsWager, flat_max: int) -> int:
    """Return the odds that must be allowed behind the largest original wager, on any point."""
    if entry.limit.on == "stake":
        return max(int(entry.limit.least(int(number)) * flat_max) for number in entry.numbers)
    ratios = {
        int(number): Pays.parse(line.pays).ratio for line in entry.pays for number in line.numbers or entry.numbers
    }
    return max(int(entry.limit.least(number) * flat_max / ratio) for number, ratio in ratios.items())


def _check_payouts(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    needs: dict[str, str] = {}
    for key, text in house.payouts.items():
        rule = _pays_rule(rulebook, key)
        lines = payout_lines(rulebook, key, house.game)
        if not lines:
            yield _breach(rulebook.general.closed_list.cite, f"payouts.{key}", "is not a payout of this regulation")
            continue
        try:
            pays = Pays.parse(text)
        except MoneyError as error:
            yield _breach(rule.cite, f"payouts.{key}", str(error))
            continue
        for line in lines:
            if text not in {line.pays, line.or_pays}:
                needs |= dict.fromkeys(rule.needs, clause_text(rule.cite))
                yield from _check_payout(rulebook, house, key, pays=pays, line=line)
    for need, clause in needs.items():
        if not choice_of(rulebook, house, need):
            yield Breach(clause, need, "must be true for a house that does not pay the listed odds")


def _pays_rule(rulebook: Rulebook, key: str) -> PaysRule:
    general = rulebook.general
    return general.fixed_payouts if key.partition(" ")[0] in general.fixed_payouts.wagers else general.listed_payouts


def _check_payout(rulebook: Rulebook, house: House, key: str, *, pays: Pays, line: PaysEntry) -> Iterator[Breach]:
    """Yield a breach if a payout differs from its listed line in a way the regulation does not allow."""
    rule = _pays_rule(rulebook, key)
    clause = ", ".join(filter(None, (clause_text(line.cite), line.or_cite, clause_text(rule.cite))))
    flats = {odds.behind: odds.flat for odds in _odds_wagers(rulebook, rulebook.games[house.game]).values()}
    flat = flats.get(key.partition(" ")[0])
    if flat:
        yield _breach(flat.cite, f"payouts.{key}", f"must pay {flat.pays} when odds are behind it, not {pays}")
    elif rule.listed == "only":
        allowed = " or ".join(filter(None, (line.pays, line.or_pays)))
        yield Breach(clause, f"payouts.{key}", f"may only pay {allowed}, not {pays}")
    elif rule.listed == "least" and pays.ratio < Pays.parse(line.pays).ratio:
        yield Breach(clause, f"payouts.{key}", f"{pays} is less than {line.pays}")


def payout_lines(rulebook: Rulebook, key: str, game: str = "craps") -> tuple[PaysEntry, ...]:
    """Return the pay table lines that a key of `payouts` names: a wager, or a wager and a number, total or pair.

    >>> from passline.rules.rulebook_reader import rulebook_of
    >>> [line.pays for line in payout_lines(rulebook_of("maryland"), "field 12")]
    ['2 to 1']
    """
    kind, _, number = key.partition(" ")
    entry = wagers_of(rulebook, rulebook.games[game]).get(kind)
    if entry is None or isinstance(entry, (Composite, SideWager)):
        return ()
    if not number:
        return entry.pays
    totals = {str(roll.total): roll for roll in OUTCOMES}
    return tuple(
        line
        for line in entry.pays
        if number in map(str, line.numbers)
        or number in line.dice
        or (number in totals and int(number) in line.totals and isinstance(entry, OneRoll))
    )


def _check_crew(rulebook: Rulebook, house: House, procedures: Procedures) -> Iterator[Breach]:
    """Yield a breach for steps that nobody at this table may take."""
    throw, shooter, no_roll = procedures.throw, procedures.shooter, procedures.no_roll
    steps: dict[str, tuple[str, ...]] = {
        "offer the dice": procedures.dice.offered_by,
        "call the roll": throw.called_by.by,
        "settle the wagers": throw.settled_first.by,
        "pass the dice": throw.passed_by.by,
        "order the dice passed": shooter.order_to_pass.by,
        "call no roll": house.no_roll_callers or no_roll.by,
        "decide a dispute": procedures.dispute.by,
    }
    orphans = [step for step, by in steps.items() if not by]
    if orphans:
        yield _breach(rulebook.general.closed_list.cite, "procedures", f"nobody is named to {', '.join(orphans)}")
    alone = [step for step, by in steps.items() if set(by) == {STICKPERSON}]
    if alone and not house.stickperson:
        problem = f"{house.game} needs a stickperson: nobody else may {', '.join(alone)}"
        yield _breach(election_of(rulebook, "stickperson").cite, "stickperson", problem)


def _check_duties(game: Game, procedures: Procedures) -> Iterator[Breach]:
    """Yield a breach if a house's own procedures give a step to roles other than those with that duty."""
    for duty in game.duties.values():
        rule = getattr(procedures.throw, duty.throw) if duty.throw else None
        if rule is not None and {*rule.by} != {*duty.by}:
            problem = f"{' or '.join(rule.by)} is not the {' or '.join(duty.by)}, who {duty.does}"
            yield _breach(duty.cite, f"procedures.throw.{duty.throw}.by", problem)


def _check_table(rulebook: Rulebook, house: House) -> Iterator[Breach]:
    game, closed = rulebook.games[house.game], rulebook.general.closed_list.cite
    if game.procedures is not None and house.procedures is not None:
        yield _breach(game.procedures.dice.set_cite, "procedures", "must be left out: the regulation has its own")
        return
    if game.procedures is None and house.procedures is None:
        yield _breach(closed, "procedures", "must be supplied: the regulation has none")
        return
    if game.procedures is None and (faults := faults_of(house.procedures, Procedures)):
        yield from (_breach(closed, "procedures", str(fault)) for fault in faults)
        return
    procedures = procedures_of(rulebook, house)
    if house.procedures is not None:  # those of the game were checked with its rulebook
        problems = procedure_problems(rulebook, procedures)
        yield from (_breach(closed, "procedures", problem) for problem in problems)
        yield from _check_duties(game, procedures)
    if (election_of(rulebook, "dice_set").min or 0) <= house.dice_set < procedures.dice.set_min:
        problem = f"{house.dice_set} is below the minimum of a set, {procedures.dice.set_min}"
        yield _breach(procedures.dice.set_cite, "dice_set", problem)
    callers = procedures.no_roll.designated or procedures.no_roll.by
    electable = election_of(rulebook, "no_roll_callers").subset_of or ()
    if strange := [role for role in house.no_roll_callers if role in electable and role not in callers]:
        problem = f"{', '.join(strange)} may not call no roll at {house.game}"
        yield _breach(procedures.no_roll.cite, "no_roll_callers", problem)
    if house.dice_set > _DICE_MAX:
        yield _breach(procedures.dice.set_cite, "dice_set", f"{house.dice_set} is above the maximum, {_DICE_MAX}")
    yield from _check_crew(rulebook, house, procedures)
    most = game.seats.seats_max or _SEATS_MAX
    if not 1 <= house.seats <= most:
        limit = "" if game.seats.seats_max else " here, though the regulation sets no limit"
        yield _breach(game.seats.cite, "seats", f"{house.seats} places; {house.game} has 1 to {most}{limit}")
    if not 1 <= house.seat_left_of_stickperson <= house.seats:
        yield _breach(
            procedures.dice.first_cite, "seat_left_of_stickperson", f"there is no seat {house.seat_left_of_stickperson}"
        )
