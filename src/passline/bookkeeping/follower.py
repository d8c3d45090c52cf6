"""`AccountsFollower`: keeps the accounts of tables, crews, dice, players and hands as the log grows.

Entries are added up at the finest place first (a hand of a table in a shift, a player at a table in a shift). When a
batch is stored, those sums are added to the accounts of the shift that runs, and when the next shift begins, these to
the accounts of every longer period: a few rows a batch, however much was played. A player's time runs while the player
has a seat; where nothing at all happens at a table, ten minutes of it count at most.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import ClassVar, NamedTuple

from msgspec import Struct, json
from msgspec.structs import replace

from passline.acts.course import OFFICE_CODEC, OFFICE_STREAM
from passline.bookkeeping.account import (
    ACCOUNTS_INDEXES,
    ACCOUNTS_TABLES,
    NOBODYS,
    PERIODS,
    AccountKey,
    OpenShift,
    Period,
    PlayAccount,
    Scope,
    Span,
    add_up,
    keep_accounts,
    keep_open_shift,
    kept_account,
    of_player,
    open_shift,
)
from passline.bookkeeping.accrual import CREW_TIPS, UNCHANGED, entry_accrual, is_covered
from passline.bookkeeping.accrual_sums import Accrual, total_of
from passline.bookkeeping.chance import on_shared_dice
from passline.bookkeeping.dice_kept import (
    DICE_INDEXES,
    DICE_TABLES,
    KeptDice,
    keep_dice,
    keep_dice_sets,
    newest_dice_set,
)
from passline.bookkeeping.dice_sets import DiceSet
from passline.bookkeeping.dice_watch import DiceWatch, dice_changes, is_about_dice
from passline.bookkeeping.estimates import ESTIMATES_INDEXES, ESTIMATES_TABLES, keep_estimates
from passline.bookkeeping.offices_around import AROUND_TABLES, OfficesAround
from passline.bookkeeping.reading import accounts_of_shift
from passline.exact.luck_evidence import NO_PRICES, scale_of
from passline.game import events as g
from passline.store.entry import Entry, Stored
from passline.streams.projection_store import ViewWriter
from passline.tables.entries import TableEntry
from passline.tables.live import LiveTable, Player
from passline.tables.views.projected import TableFollower

_ROWS_MAX = 20_000  # accounts in memory; others are read again when something is added to them
_SILENCE = 600  # seconds without any entry of a table that count as play at most
_CLOCKS = {"table_clocks": "CREATE TABLE table_clocks (stream TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID"}


class _Place(NamedTuple):
    """The finest place of a table's accounts."""

    rules: str
    span: Span
    table: str
    pit: str
    crew: str
    dice: str
    game: str
    hand: int


class _Visit(NamedTuple):
    """The finest place of a player's accounts."""

    rules: str
    span: Span
    player: str
    table: str


class _Sums:
    """What a batch adds at one place."""

    __slots__ = (*("_added", "at", "first", "last", "points", "scale", "scaled_by", "seconds", "stream", "unkeyed"),)

    def __init__(self, stream: str, sequence: int, at: str) -> None:
        self._added: dict[int, tuple[Accrual, int]] = {}  # each by its identity, and how often: wagers come again
        self.unkeyed = self.points = self.seconds = 0
        self.scale = self.scaled_by = 0
        self.stream, self.first, self.last, self.at = stream, sequence, sequence, at

    def add(self, brought: Accrual, sequence: int) -> None:
        """Add what an entry brings."""
        if not self.scaled_by and brought.prices is not NO_PRICES:
            self.scale, self.scaled_by = scale_of(brought.variance), sequence
        known = self._added.get(id(brought))
        self._added[id(brought)] = brought, known[1] + 1 if known else 1

    @property
    def sums(self) -> Accrual:
        """All that was added."""
        return total_of(self._added.values())


class _Clock(Struct):
    """When something last happened at a table, and who has sat there since, for how many seconds."""

    rules: str
    table: str
    at: str
    players: dict[int, Player]
    span: Span
    sequence: int  # from which on they have sat there in this shift, and when that was
    since: str
    seconds: float = 0.0


class AccountsFollower(TableFollower):
    """The accounts, ratings and dice of all tables for money; practice tables have none."""

    tables: ClassVar[dict[str, str]] = {
        **ACCOUNTS_TABLES,
        **AROUND_TABLES,
        **DICE_TABLES,
        **ESTIMATES_TABLES,
        **_CLOCKS,
    }
    indexes: ClassVar[tuple[str, ...]] = (*ACCOUNTS_INDEXES, *DICE_INDEXES, *ESTIMATES_INDEXES)

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget all that is in memory."""
        self._around = OfficesAround()
        self._places: dict[_Place, _Sums] = {}
        self._visits: dict[_Visit, _Sums] = {}
        self._rows: OrderedDict[AccountKey, PlayAccount] = OrderedDict()
        self._open: dict[str, OpenShift | None] = {}  # by regulation
        self._clocks: dict[str, _Clock] = {}
        self._ticked: set[str] = set()
        self._watch = DiceWatch()
        self._dice: dict[tuple[str, str, int], DiceSet] = {}

    def note(self, writer: ViewWriter, stored: Stored, decision: TableEntry | None) -> None:
        """Take the next entry of the log."""
        if decision is not None:
            if not decision.after.practice_cents_max:
                self._note_table(writer, decision)
        else:
            self._around.take(writer, stored.entry)
            self._note_new_dice(writer, stored.entry)

    def gaming_day(self, writer: ViewWriter, rules: str, at: str) -> str:
        """Return the gaming day of a moment, as the office of the regulation reckons it."""
        return self._around.span(writer, rules, at).day

    def _note_table(self, writer: ViewWriter, decision: TableEntry) -> None:
        entry, before, after = decision.entry, decision.before, decision.after
        rules = str(after.house["rules"])
        span = self._around.span(writer, rules, entry.at)
        self._follow_shift(writer, rules, span, entry.at)
        self._note_time(writer, decision, rules, span)
        if after.dice == "physical" and is_about_dice(decision.events):
            self._note_dice(writer, decision, rules)
        if not is_covered(after):
            rolls = sum(isinstance(event, g.RollSettled) for event in decision.events)
            if rolls:
                sums = self._sums(self._place(writer, rules, span, after), decision)
                if after.points is None:
                    sums.unkeyed += rolls
                else:
                    sums.points += rolls
            keep_estimates(writer, decision, rules, span)
            return
        accrual = entry_accrual(before, after, decision.events)
        if accrual is UNCHANGED:
            return
        if accrual.total is not _NOTHING:
            sums = self._sums(self._place(writer, rules, span, after), decision)
            sums.add(accrual.total, entry.sequence)
        by_player: dict[str, Accrual] = {}
        for seat, own in accrual.seats.items():
            player = NOBODYS if seat == CREW_TIPS else _account_at(seat, before, after)
            so_far = by_player.get(player)
            by_player[player] = own if so_far is None else on_shared_dice([so_far, own])
        for player, own in by_player.items():
            visit = _Visit(rules, span, player, after.id)
            known = self._visits.get(visit)
            if known is None:
                known = self._visits[visit] = _Sums(entry.stream, entry.sequence, entry.at)
            known.add(own, entry.sequence)
            known.last = entry.sequence

    def _place(self, writer: ViewWriter, rules: str, span: Span, live: LiveTable) -> _Place:
        office = self._around.office(writer, rules)
        crew, pit = office.crews.get(live.id, ""), office.pits.get(live.id, "")
        dice = "electronic"
        if live.dice == "physical":
            in_play = self._watch.of(rules, live.id) or newest_dice_set(writer, rules, live.id)
            dice = str(in_play.number if in_play else 0)
        return _Place(rules, span, live.id, pit, crew, f"{live.id}/{dice}", live.house["game"], live.track.hand)

    def _sums(self, place: _Place, decision: TableEntry) -> _Sums:
        known = self._places.get(place)
        if known is None:
            entry = decision.entry
            known = self._places[place] = _Sums(entry.stream, entry.sequence, entry.at)
        known.last = decision.entry.sequence
        return known

    # --- Time ---------------------------------------------------------------------------------------------------------

    def _note_time(self, writer: ViewWriter, decision: TableEntry, rules: str, span: Span) -> None:
        """Let the time of everybody who has a seat run up to an entry."""
        entry, after = decision.entry, decision.after
        players = after.players if after.points is None else {}
        clock = self._clock(writer, entry.stream)
        self._ticked.add(entry.stream)
        if clock is None:
            self._clocks[entry.stream] = _Clock(rules, after.id, entry.at, players, span, entry.sequence, entry.at)
            return
        passed = (datetime.fromisoformat(entry.at) - datetime.fromisoformat(clock.at)).total_seconds()
        clock.seconds += min(max(passed, 0.0), _SILENCE)
        clock.at = entry.at
        if clock.players is not players or clock.span != span:
            self._pass_time(entry.stream, clock)
            clock.players, clock.span = players, span
            clock.sequence, clock.since = entry.sequence, entry.at

    def _pass_time(self, stream: str, clock: _Clock) -> None:
        """Let the time run of everybody who has had a seat since the last time."""
        seconds = int(clock.seconds)
        if not seconds:
            return
        clock.seconds -= seconds
        for player in clock.players.values():
            visit = _Visit(clock.rules, clock.span, f"account/{player.account}", clock.table)
            known = self._visits.get(visit)
            if known is None:
                known = self._visits[visit] = _Sums(stream, clock.sequence, clock.since)
            known.first, known.at = min(known.first, clock.sequence), min(known.at, clock.since)
            known.last = max(known.last, clock.sequence)
            known.seconds += seconds

    def _clock(self, writer: ViewWriter, stream: str) -> _Clock | None:
        known = self._clocks.get(stream)
        if known is None:
            rows = writer.query("SELECT body FROM table_clocks WHERE stream = ?", (stream,))
            if rows:
                known = self._clocks[stream] = _clocks.decode(zlib.decompress(writer.unseal("clock", rows[0][0])))
        return known

    # --- Dice ---------------------------------------------------------------------------------------------------------

    def _note_dice(self, writer: ViewWriter, decision: TableEntry, rules: str) -> None:
        entry, table = decision.entry, decision.after.id
        for dice_set in self._watch.take(
            rules,
            table,
            sequence=entry.sequence,
            at=entry.at,
            events=decision.events,
            one_in=self._around.office(writer, rules).one_in,
            before=KeptDice(writer),
        ):
            self._dice[rules, dice_set.table, dice_set.number] = dice_set

    def _note_new_dice(self, writer: ViewWriter, entry: Entry) -> None:
        if not entry.stream.startswith(OFFICE_STREAM) or b'"die"' not in bytes(entry.events):
            return
        rules, changes = entry.stream.removeprefix(OFFICE_STREAM), dice_changes(OFFICE_CODEC.events(entry))
        for dice_set in self._watch.take_office(rules, changes, at=entry.at, before=KeptDice(writer)):
            self._dice[rules, dice_set.table, dice_set.number] = dice_set

    # --- Storing ------------------------------------------------------------------------------------------------------

    def store(self, writer: ViewWriter) -> None:
        """Add what the batch brought to the accounts of every scope and period."""
        for stream in self._ticked:
            clock = self._clocks[stream]
            self._pass_time(stream, clock)
        bodies = {stream: zlib.compress(json.encode(self._clocks[stream]), 1) for stream in self._ticked}
        clocks = [(stream, writer.seal("clock", body)) for stream, body in bodies.items()]
        writer.write("INSERT OR REPLACE INTO table_clocks VALUES (?, ?)", clocks)
        self._ticked.clear()
        self._store_sums(writer)
        keep_dice_sets(writer, self._dice.values())
        keep_dice(writer, self._watch.moved)
        self._watch.moved.clear()
        self._dice.clear()
        self._around.store(writer)

    def _store_sums(self, writer: ViewWriter) -> None:
        """Add up what came since the last time, in the accounts of its shift and, once that is over, of all periods."""
        changed = _Changed(writer, self._rows)
        for place, batch in self._places.items():
            brought = self._batch_account(
                writer, (place.rules, "hand", f"{place.table}/{place.hand}"), place.span, batch
            )
            changed.put(replace(changed.add(replace(brought, is_open=False)), crew=place.crew, dice=place.dice))
            for scope, subject in _subjects(place):
                changed.add_for_good(replace(brought, scope=scope, subject=subject), place.span)
        for visit, batch in self._visits.items():
            subject = f"{visit.player}@{visit.table}"
            brought = self._batch_account(writer, (visit.rules, "visit", subject), visit.span, batch)
            changed.add_for_good(brought, visit.span)
        self._places.clear()
        self._visits.clear()
        self._keep(writer, changed)

    def _keep(self, writer: ViewWriter, changed: _Changed) -> None:
        keep_accounts(writer, changed.accounts.values())
        self._rows.update(changed.accounts)
        while len(self._rows) > _ROWS_MAX:
            self._rows.popitem(last=False)

    def _batch_account(
        self, writer: ViewWriter, subject: tuple[str, Scope, str], span: Span, batch: _Sums
    ) -> PlayAccount:
        """Return what a batch brings as the account of a shift."""
        running = self._shift(writer, subject[0])
        key = AccountKey(subject[0], subject[1], "shift", span.name("shift"), subject[2])
        return PlayAccount(
            **key._asdict(),
            sums=batch.sums,
            unkeyed=batch.unkeyed,
            points=batch.points,
            seconds=batch.seconds,
            first=batch.first,
            last=batch.last,
            stream=batch.stream,
            at=batch.at,
            scale=batch.scale,
            scaled_by=batch.scaled_by,
            is_open=running is not None and running.span == span,
        )

    # --- Shifts -------------------------------------------------------------------------------------------------------

    def _shift(self, writer: ViewWriter, rules: str) -> OpenShift | None:
        """Return the shift that runs under a regulation."""
        if rules not in self._open:
            self._open[rules] = open_shift(writer, rules)
        return self._open[rules]

    def _follow_shift(self, writer: ViewWriter, rules: str, span: Span, at: str) -> None:
        """Notice that a shift has begun: the one before it is added to the longer periods. A late entry begins none."""
        running = self._shift(writer, rules)
        if running is not None and (running.span == span or at < running.since):
            return
        self._store_sums(writer)  # so that it makes no difference where a batch ends
        if running is not None:
            changed = _Changed(writer, self._rows)
            for account in accounts_of_shift(writer, rules, running.span.name("shift")):
                if account.is_open:
                    changed.put(replace(account, is_open=False))
                    changed.add_to_longer(account, running.span)
            self._keep(writer, changed)
        begun = self._open[rules] = OpenShift(span, at)
        keep_open_shift(writer, rules, begun)


class _Changed:
    """The accounts that change together, as they are to be written."""

    def __init__(self, writer: ViewWriter, known: Mapping[AccountKey, PlayAccount]) -> None:
        self.accounts: dict[AccountKey, PlayAccount] = {}
        self._writer, self._known = writer, known

    def put(self, account: PlayAccount) -> None:
        """Take an account as it now is."""
        self.accounts[account.key] = account

    def add(self, brought: PlayAccount) -> PlayAccount:
        """Add to the account of the same key, and return that."""
        key = brought.key
        known = self.accounts.get(key) or self._known.get(key) or kept_account(self._writer, key)
        after = self.accounts[key] = add_up(known, brought)
        return after

    def add_for_good(self, brought: PlayAccount, span: Span) -> None:
        """Add to the account of a shift, and where that is not open also to those of longer periods."""
        if not self.add(brought).is_open:
            self.add_to_longer(replace(brought, is_open=False), span)

    def add_to_longer(self, brought: PlayAccount, span: Span) -> None:
        """Add what a shift brought to the accounts of longer periods; a visit is added to its player's, shift and all.

        The longer periods of a visit itself are nobody's account.
        """
        periods: Sequence[Period] = PERIODS[1:]
        if brought.scope == "visit":
            periods, brought = PERIODS, of_player(brought)
        for period in periods:
            self.add(replace(brought, period=period, span=span.name(period), is_open=False))


_NOTHING = Accrual()
_clocks = json.Decoder(_Clock)


def _subjects(place: _Place) -> Iterator[tuple[Scope, str]]:
    """Yield whose accounts a table's play goes to."""
    yield from (("house", ""), ("game", place.game), ("table", place.table), ("crew", place.crew), ("dice", place.dice))
    known: tuple[tuple[Scope, str], ...] = (("pit", place.pit), ("shift", place.span.shift))
    yield from (each for each in known if each[1])


def _account_at(seat: int, before: LiveTable | None, after: LiveTable) -> str:
    """Return the player of a seat, who may have just come or left."""
    for live in (before, after):
        if live is not None and (player := live.players.get(seat) or live.left.get(seat)) is not None:
            return f"account/{player.account}"
    return NOBODYS
