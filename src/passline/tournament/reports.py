"""The papers of a tournament's money: its form of entrants, the form of prizes, the tax of a month, the log of fees.

Each is made from the events, so that it cannot differ from them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from msgspec import Struct

from passline.acts.state import ActState
from passline.documents.sheet import Cell, SheetTable
from passline.refusal import Refusal
from passline.rules.schema import Rule
from passline.tournament import events as e
from passline.tournament.events import Paid, TournamentEvent
from passline.tournament.evolve import evolve_tournament
from passline.tournament.judges.rounds import standing_of
from passline.tournament.prize_forms import prize_forms_table
from passline.tournament.results.ranking import ranks_of
from passline.tournament.rules import TournamentRules
from passline.tournament.state import KnownEntry, TournamentState

TOURNAMENT_LISTS = ("entrants", "prizes", "tax", "log", "sign-in", "standings", "money", "chips", "tax-forms")
"""The papers of a tournament that are lists: made from the events, and printed in any form."""
Local = Callable[[str], datetime]
"""The local time of a moment of the log."""
_HOW = ("cash", "in_kind", "complimentary", "voucher")


class Taken(Struct, frozen=True):
    """Money that was taken from an entrant, or the value of what was accepted instead."""

    at: str  # written
    occurred: str  # taken
    entry: int
    what: str  # fee, buy_in, rebuy or add_on
    paid: Paid
    cashier: str
    is_back: bool = False  # it was given back


class TournamentBooks(Struct):
    """The events of a tournament from which its papers are made."""

    state: TournamentState
    taken: list[Taken] = []
    paid: list[tuple[str, e.PrizePaid]] = []
    vouchers: list[tuple[str, e.VoucherIssued]] = []
    counted: list[tuple[str, e.FeesCounted]] = []
    office: ActState = ActState()  # of its regulation, which knows patrons


def books_of(entries: Iterable[tuple[str, str, Sequence[TournamentEvent]]]) -> TournamentBooks:
    """Return the books from the entries of a tournament's stream: when, by whom, and what happened."""
    books = TournamentBooks(TournamentState())
    for at, by, events in entries:
        for event in events:
            _book(books, at, by, event)
            books.state = evolve_tournament(books.state, event)
    return books


def _book(books: TournamentBooks, at: str, by: str, event: TournamentEvent) -> None:
    match event:
        case e.PlayerEntered():
            for what, paid in (("fee", event.fee), ("buy_in", event.buy_in)):
                if paid.cents:
                    books.taken.append(Taken(at, event.occurred, event.entry, what, paid, event.cashier))
        case e.ChipsBought():
            books.taken.append(Taken(at, at, event.entry, event.kind, event.paid, by))
        case e.EntryWithdrawn() | e.EntryRefunded():
            mine = [taken for taken in books.taken if taken.entry == event.entry]
            books.taken += (Taken(at, at, taken.entry, taken.what, taken.paid, by, is_back=True) for taken in mine)
        case e.PrizePaid():
            books.paid.append((at, event))
        case e.VoucherIssued():
            books.vouchers.append((at, event))
        case e.FeesCounted():
            books.counted.append((at, event))
        case _:
            pass


def _cite(rules: TournamentRules, words: str, *entries: Rule | None) -> str:
    """Return words with the clauses that have them so, where the text has any."""
    return f"{words} [{rules.clause(*entries)}]" if any(entries) else words


def _name(books: TournamentBooks, entry: int) -> str:
    return books.state.entries[str(entry)].name


def entrants_table(rules: TournamentRules, books: TournamentBooks) -> SheetTable | Refusal:
    """Return the tournament form: every entrant with the value of fee and buy-ins, however they were paid.

    It is refused while anybody stands there without a fee though others have one.
    """
    pages = rules.pages
    entries = [entry for entry in books.state.entries.values() if entry.status != "withdrawn"]
    without = [entry for entry in entries if not entry.fee.cents and entry.fee.how != "voucher"]
    if pages.fee.each and without and any(entry.fee.cents for entry in entries):
        names = ", ".join(entry.name for entry in without)
        return Refusal(rules.clause(pages.fee.each), f"without an entry fee on the form: {names}")
    rows = tuple(_entrant(rules, books, entry) for entry in entries)
    fees, buy_ins = sum(entry.fee.cents for entry in entries), sum(_buy_in_cents(books, entry) for entry in entries)
    total: tuple[Cell, ...] = ("", "Total", "", "", fees, "", buy_ins)
    return SheetTable(
        title=f"Tournament form [{rules.clause(pages.fee.form)}]",
        heads=("entry", "entrant", "event", "fee paid", "fee $", "buy-in paid", "buy-ins $"),
        rows=(*rows, total),
        widths=(0.6, 2, 1.4, 1.4, 1, 1.4, 1),
        totals=(len(rows),),
    )


def _entrant(rules: TournamentRules, books: TournamentBooks, entry: KnownEntry) -> tuple[Cell, ...]:
    """Return an entrant's line; a voucher's parts stand under fee and buy-in, or all of it is a buy-in."""
    fee, buy_in = _words(entry.fee), _words(entry.buy_in)
    voucher = books.state.vouchers.get(str(entry.voucher))
    if entry.fee.how == "in_kind":
        fee = _cite(rules, fee, rules.pages.fee.in_kind_form)
    if entry.buy_in.how == "in_kind":
        buy_in = _cite(rules, buy_in, rules.pages.pool.in_kind_form)
    if voucher and voucher.is_prize:
        part = f"voucher {voucher.number}"
        fee, buy_in = (_cite(rules, part, rules.pages.voucher.form) for _ in range(2))
    elif voucher:
        fee, buy_in = "", _cite(rules, f"voucher {voucher.number}", rules.pages.voucher.no_fee)
    number, bought = str(entry.number), _buy_in_cents(books, entry)
    return number, entry.name, entry.event_name, fee, entry.fee.cents, buy_in, bought


def _words(paid: Paid) -> str:
    return f"in kind: {paid.item}" if paid.item else paid.how


def _buy_in_cents(books: TournamentBooks, entry: KnownEntry) -> int:
    """Return the value of everything that an entry put into the pool."""
    mine = (taken for taken in books.taken if taken.entry == entry.number and not taken.is_back)
    return sum(taken.paid.cents for taken in mine if taken.what != "fee")


def prizes_table(rules: TournamentRules, books: TournamentBooks) -> SheetTable:
    """Return the prize form: each winner with what was really received; vouchers that are prizes among them."""
    form = rules.pages.prizes.form
    kinds = form.of if form else ("cash", "merchandise")
    rows: list[tuple[str | int | None, ...]] = []
    for at, paid in books.paid:
        cash = paid.pool_cents + paid.house_cents
        if cash and "cash" in kinds:
            rows.append((at[:10], str(paid.entry), _name(books, paid.entry), "cash", cash))
        if paid.item and "merchandise" in kinds:
            rows.append((at[:10], str(paid.entry), _name(books, paid.entry), paid.item, paid.item_cents))
    if rules.pages.voucher.prize:
        for at, voucher in books.vouchers:
            if voucher.is_prize and books.state.vouchers[str(voucher.number)].state != "returned":
                worth = voucher.fee_cents + voucher.buy_in_cents
                what = f"voucher {voucher.number} for {voucher.event_name}"
                what = _cite(rules, what, rules.pages.voucher.prize)
                rows.append((at[:10], str(voucher.entry), _name(books, voucher.entry), what, worth))
    total = sum(int(row[-1] or 0) for row in rows)
    return SheetTable(
        title=f"Prizes [{rules.clause(form, rules.pages.split.recorded)}]",
        heads=("day", "entry", "winner", "received", "value $"),
        rows=(*rows, ("", "", "Total", "", total)),
        widths=(1, 0.6, 2, 3, 1.2),
        totals=(len(rows),),
    )


def tax_forms_table(books: TournamentBooks) -> SheetTable | Refusal:
    """Return the winners whose prizes want a tax form; a voucher that is a prize counts as what it is worth."""
    prizes, paid = Counter[int](), Counter[int]()
    for _, prize in books.paid:
        prizes[prize.entry] += prize.pool_cents + prize.house_cents + prize.item_cents
    for _, voucher in books.vouchers:
        if voucher.is_prize and books.state.vouchers[str(voucher.number)].state != "returned":
            prizes[voucher.entry] += voucher.fee_cents + voucher.buy_in_cents
    for taken in books.taken:
        if taken.paid.how in {"cash", "in_kind"}:
            paid[taken.entry] += -taken.paid.cents if taken.is_back else taken.paid.cents
    return prize_forms_table(books.state.entries, prizes, paid, books.office)


def fees_by_month(rules: TournamentRules, books: TournamentBooks, local: Local) -> SheetTable:
    """Return the proceeds for the tax return: entry fees by the month they were collected in, and how.

    Fees that the house gave away count; no month has less than nothing; without fees there is a zero.
    """
    pages, months = rules.pages.fee, _fees_taken(rules, books, local)
    rows: list[tuple[str | int | None, ...]] = [
        (month, *(sums[how] for how in _HOW), _proceeds(rules, sums)) for month, sums in sorted(months.items())
    ]
    nothing = "No entry fee was charged"
    nothing = f"{_cite(rules, f'{nothing}: the proceeds are 0.00', pages.free) if pages.free else nothing}."
    clauses = rules.clause(pages.taxed, pages.complimentary, pages.month, pages.no_loss)
    return SheetTable(
        title=f"Adjusted gross proceeds [{clauses}]",
        heads=("month", "cash $", "in kind $", "complimentary $", "voucher part $", "proceeds $"),
        rows=tuple(rows),
        nothing=nothing,
    )


def taxed_fees(rules: TournamentRules, books: TournamentBooks, local: Local) -> dict[str, int]:
    """Return the proceeds for the tax return by month; none where a text does not take fees for proceeds."""
    if not rules.pages.fee.taxed:
        return {}
    return {month: _proceeds(rules, sums) for month, sums in _fees_taken(rules, books, local).items()}


def _proceeds(rules: TournamentRules, sums: dict[str, int]) -> int:
    return max(sum(sums.values()), 0) if rules.pages.fee.no_loss else sum(sums.values())


def _fees_taken(rules: TournamentRules, books: TournamentBooks, local: Local) -> dict[str, dict[str, int]]:
    """Return the entry fees by the month in which they count, and how they were paid."""
    pages = rules.pages.fee
    months: dict[str, dict[str, int]] = {}
    for taken in books.taken:
        if taken.what != "fee" or (taken.paid.how == "complimentary" and not pages.complimentary):
            continue
        month = f"{local(taken.occurred if pages.month else taken.at):%Y-%m}"
        sums = months.setdefault(month, dict.fromkeys(_HOW, 0))
        sums[taken.paid.how] += -taken.paid.cents if taken.is_back else taken.paid.cents
    return months


def entry_log(rules: TournamentRules, books: TournamentBooks, local: Local) -> SheetTable:
    """Return the log of entry fees and buy-ins: who paid what, when it was taken and when written, and to whom."""
    fields = rules.pages.log.fields
    asked = fields.of if fields else ("patron", "amount")
    rows: list[tuple[str | int | None, ...]] = []
    for taken in books.taken:
        cents = -taken.paid.cents if taken.is_back else taken.paid.cents
        rows.append((
            f"{local(taken.occurred):%Y-%m-%d %H:%M:%S}", f"{local(taken.at):%Y-%m-%d %H:%M:%S}",
            _name(books, taken.entry) if "patron" in asked else "",
            taken.what.replace("_", "-"), _words(taken.paid), cents if "amount" in asked else None, taken.cashier,
        ))  # fmt: skip
    return SheetTable(
        title=f"Entry fee and buy-in log [{rules.clause(rules.pages.log.kept, fields, rules.pages.log.at_once)}]",
        heads=("taken", "written", "patron", "for", "paid", "amount $", "cashier"),
        rows=tuple(rows),
        widths=(1.6, 1.6, 1.8, 0.8, 1.2, 1, 1.2),
    )


def sign_in_sheet(rules: TournamentRules, books: TournamentBooks, event: str) -> SheetTable:
    """Return the sheet that players of an event sign when they are given the rules, with the chips of each."""
    planned = books.state.event(event)
    points = f"{planned.points:,}" if planned else ""
    rows = tuple(
        (str(entry.number), entry.name, points, "signed in, has the rules" if entry.has_signed_in else "")
        for entry in books.state.of_event(event)
        if entry.status != "withdrawn"
    )
    return SheetTable(
        title=_cite(rules, f"Sign-in sheet: {event}", rules.pages.play.equal_stacks),
        heads=("entry", "player", "points to begin with", "signature"),
        rows=rows,
    )


def money_table(rules: TournamentRules, books: TournamentBooks) -> SheetTable:
    """Return where all money of a tournament came from and where it is now; both add up to the same."""
    pages, balances = rules.pages, books.state.balances
    kinds = [("cash", None), ("in_kind", pages.pool.in_kind), ("complimentary", pages.pool.complimentary)]
    rows: list[tuple[str | int | None, ...]] = []
    for how, rule in kinds:
        words = {"cash": "money taken", "in_kind": "things in place of money, at their value"}
        name = words.get(how, "complimentary entries and chips, at their value")
        rows.append((_cite(rules, name, rule), -balances.get(how, 0), None))
    rows.append(("money added by the house", -balances.get("house", 0), None))
    rows.append(("prizes that the house pays itself", -balances.get("house_prizes", 0), None))
    came = sum(int(row[1] or 0) for row in rows)
    pools = sum(cents for name, cents in balances.items() if name.startswith("pool/"))
    rows += [
        (_cite(rules, "entry fees, kept out of the prize pool", pages.fee.kept_out), None, balances.get("fees", 0)),
        (_cite(rules, "prize pool, of the buy-ins, still to be paid", pages.pool.made_of_buy_ins), None, pools),
        (
            _cite(rules, "vouchers that are not used yet: prizes", pages.voucher.prize),
            None, _open_vouchers(books, is_prize=True),
        ),
        (
            _cite(rules, "vouchers that are not used yet: buy-ins, no prizes", pages.voucher.not_prize),
            None, _open_vouchers(books, is_prize=False),
        ),
        (_cite(rules, "paid to winners", pages.pool.pays_all), None, balances.get("paid", 0)),
    ]  # fmt: skip
    there = sum(int(row[2] or 0) for row in rows)
    return SheetTable(
        title="Money of the tournament",
        heads=("what", "came in $", "is there $"),
        rows=(*rows, ("Total", came, there)),
        widths=(4, 1, 1),
        totals=(len(rows),),
    )


def _open_vouchers(books: TournamentBooks, *, is_prize: bool) -> int:
    held = books.state.vouchers.values()
    return sum(
        voucher.fee_cents + voucher.buy_in_cents
        for voucher in held
        if voucher.state == "open" and voucher.is_prize == is_prize
    )


def chips_notice(rules: TournamentRules, books: TournamentBooks) -> SheetTable:
    """Return the notice for every table: what chips of each colour stand for now."""
    chips = rules.pages.chips
    return SheetTable(
        title=_cite(rules, "Points of each colour", chips.notice, chips.current),
        heads=("colour", "points"),
        rows=tuple((colour, f"{points:,}") for colour, points in books.state.colours.items()),
        nothing="The chips say themselves what they stand for.",
    )


def standings_table(books: TournamentBooks, event: str) -> SheetTable:
    """Return everybody's place in an event as it stands: who was disqualified has none."""
    entries = {entry.number: entry for entry in books.state.of_event(event) if entry.status != "withdrawn"}
    ranked = [entry for entry in entries.values() if entry.status != "disqualified"]
    rows: list[tuple[str | int | None, ...]] = [
        (str(rank.place), str(rank.entry), entries[rank.entry].name, str(rank.points), entries[rank.entry].status)
        for rank in ranks_of(standing_of(entry) for entry in ranked)
    ]
    rows += [
        ("", str(entry.number), entry.name, str(entry.points), entry.status)
        for entry in entries.values()
        if entry.status == "disqualified"
    ]
    return SheetTable(
        title=f"Standings: {event}",
        heads=("place", "entry", "player", "points", "state"),
        rows=tuple(rows),
        widths=(0.6, 0.6, 2, 1, 1.2),
    )


def tournament_table(
    rules: TournamentRules, books: TournamentBooks, name: str, *, local: Local, event: str = ""
) -> SheetTable | Refusal:
    """Return one of the lists of a tournament by its name; those of an event for this one, or else the first."""
    if event and books.state.event(event) is None:
        known = ", ".join(event.name for event in books.state.plan.events)
        return Refusal("form", f"this tournament has no event {event!r}; it has {known}")
    event = event or books.state.plan.events[0].name
    lists: dict[str, Callable[[], SheetTable | Refusal]] = {
        "entrants": lambda: entrants_table(rules, books),
        "prizes": lambda: prizes_table(rules, books),
        "tax": lambda: fees_by_month(rules, books, local),
        "log": lambda: entry_log(rules, books, local),
        "sign-in": lambda: sign_in_sheet(rules, books, event),
        "standings": lambda: standings_table(books, event),
        "money": lambda: money_table(rules, books),
        "chips": lambda: chips_notice(rules, books),
        "tax-forms": lambda: tax_forms_table(books),
    }
    if name not in lists:
        return Refusal("form", f"a tournament has no list {name[:40]!r}; it has {', '.join(TOURNAMENT_LISTS)}")
    return lists[name]()
