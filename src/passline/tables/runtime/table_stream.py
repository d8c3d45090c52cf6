"""The stream of a table: its commands, its dice, and the news for every screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import compress, count
from operator import ne
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec
from msgspec.structs import replace

from passline.authority.roles import PLAYER
from passline.game import commands as c
from passline.game.events import RollSettled
from passline.refusal import Refusal, Refused
from passline.store.anchors.anchors import BEHIND
from passline.store.entry import Entry, Head
from passline.streams.course import THE_HOUSE, Actor, Answer, Aside, Ask, Course, Decision, Happened
from passline.streams.subscriber import Subscriber
from passline.streams.writer import AGAIN_SECONDS, LogDown
from passline.tables import commands as k
from passline.tables.approvals import Approvals
from passline.tables.commands import TableCommand
from passline.tables.decide import decide
from passline.tables.dice.throwing import number_after
from passline.tables.entries import TABLE_CODEC
from passline.tables.events import TableEvent
from passline.tables.house_events import OddsSet
from passline.tables.limits import as_of
from passline.tables.live import LiveTable, fold, seat_of
from passline.tables.runtime.roll_completion import RollCompletion
from passline.tables.runtime.rulebook_watch import RulebookWatch
from passline.tables.terms import TERMS
from passline.tables.views.notices import has_notices
from passline.tables.views.settled import packed_settled
from passline.tables.views.table_view import news_between, own_of, view_of
from passline.tables.views.wording import call_of, has_private, lines_of, without_settled

if TYPE_CHECKING:
    from passline.streams.running import RunningStream

_encode = msgspec.json.Encoder().encode
_HOUSE = ""  # no account has this id
_DICE_WAIT = "the dice wait for the log, the anchor or their key: the server's own log says why; call the owner"
_UNANCHORED = "the anchor outside the database does not answer: electronic dice wait until it does; call the owner"
_AT_ANY_TIME = (
    k.TakeNonce,
    k.CompleteRoll,
    k.FreezeTable,
    k.ReleaseTable,
    k.ReportShown,
    k.ReportConduct,
    k.EnterPaper,
)
_ROLLS = (k.CompleteRoll, k.KeyDice, k.CorrectRoll)
_KEY_ELSEWHERE = (
    "these dice cannot be thrown here: the secret in this server's dice.key is not the one that key number {number} of "
    "this table was committed with; put the right dice.key back and restart, or give it up with renew-dice"
)


class TableCourse(Course[LiveTable]):
    """One table: its commands, its dice and the screens that follow it."""

    codec = TABLE_CODEC

    def __init__(
        self,
        completion: RollCompletion,
        *,
        approvals: Callable[[], Approvals],
        clock: Callable[[], str],
        employed: Callable[[str], bool],
        excluded: Callable[[str], str],
        is_sole_owner: Callable[[str], bool],
        rulebooks: RulebookWatch,
        is_behind: Callable[[], bool],
        is_unanchored: Callable[[], bool],
        odds: Callable[[], Mapping[str, OddsSet]],
    ) -> None:
        self.subscribers: set[Subscriber] = set()
        self.followers: list[Callable[[Sequence[Happened]], None]] = []  # called with what each commit wrote
        self.seen: dict[str, int] = {}  # by account: the newest sequence that one of its screens here has confirmed
        self.completion = completion
        self.stream: RunningStream[LiveTable]  # set by `run_on`
        self._id = uuid4().hex  # unique to this process
        self._throws: set[tuple[str, str]] = set()  # actor and id of the throws that this process decided
        self._approvals = approvals
        self._clock = clock
        self._employed, self._excluded = employed, excluded
        self._is_sole_owner = is_sole_owner
        self._rulebooks = rulebooks
        self._is_behind = is_behind
        self._is_unanchored = is_unanchored
        self._odds = odds
        self._told_at = ""  # when screens were last sent news: limits in force by then are on every screen
        self._told_by = Approvals()  # the approvals on file then
        self._stopped = ""  # why the table was stopped then
        self._timer: asyncio.TimerHandle | None = None
        self.is_telling = False  # the news of a roll are being made beside the event loop
        self._is_stale = False  # something else changed meanwhile

    # What the runtime calls.

    def run_on(self, stream: RunningStream[LiveTable]) -> None:
        """Set the stream that this course runs on."""
        self.stream = self.completion.stream = stream

    def begin(self) -> None:
        """Complete an open throw of a table that was just read, or commit to its first key."""
        live = self.stream.state
        if live is None or live.dice != "electronic" or live.status == "closed":
            return
        self.completion.begin(live)
        if live.commitment is None:
            command = k.CommitDice(digest=self.completion.digest(number_after(live)))
            self._record(Ask(f"commit-{live.version}", command, THE_HOUSE))

    def decide(self, live: LiveTable | None, ask: Ask, at: str, *, compares_odds: bool = True) -> Decision | Refused:
        """Decide a command, completed by what the server knows; the floor compares odds once nothing else is wrong."""
        if (stopped := self._rulebooks.refusal_of(live, ask.command)) is not None:
            return stopped
        decision = decide(
            live,
            ask.command if type(ask.command) is c.MakeWager else self._complete(live, ask.command),
            by=ask.by,
            at=at,
            approvals=self._approvals(),
            signed_by=ask.signed_by,
            employed=self._employed,
            excluded=self._excluded,
            rulebooks=self._rulebooks.rulebook,
            odds=self._odds() if compares_odds else None,
        )
        if isinstance(decision, Refused):
            is_waiting = live is not None and live.closing is not None and self.completion.fault
            return Refused((*decision.refusals, Refusal("house", _DICE_WAIT))) if is_waiting else decision
        if why := self._obstacle(live, ask):
            return Refused((Refusal("house", why),))
        if isinstance(ask.command, k.Roll):
            self._throws.add((ask.by.account, ask.id))
        return decision

    def _complete(self, live: LiveTable | None, command: TableCommand) -> TableCommand:
        """Return a command with what only the server knows."""
        match command:
            case k.FreezeTable():
                return replace(command, shown=self._shown_to(live))
            case k.OpenTable():
                needs_key = command.dice == "electronic" and not (live and self.completion.has_key(live))
                digest = self.completion.digest(number_after(live)) if needs_key else ""
                is_physical = command.dice == "physical"
                return replace(command, dice_digest=digest, terms=TERMS, puts_in_dice=is_physical)
            case k.AdoptRulebook() | k.ChangeHouse():
                return replace(command, terms=TERMS)
            case k.RenewDice():
                return replace(command, digest=self.completion.digest(number_after(live)))
            case _:
                return command

    def _obstacle(self, live: LiveTable | None, ask: Ask) -> str:
        """Return why this server cannot do what would be lawful, or an empty string."""
        if not isinstance(ask.command, _AT_ANY_TIME) and self._is_behind():
            return BEHIND
        if type(ask.command) is c.MakeWager:  # nine in ten
            return ""
        match ask.command:
            case k.Roll() if self._is_unanchored():
                return _UNANCHORED
            case k.Roll() if live and live.commitment and not self.completion.has_key(live):
                return _KEY_ELSEWHERE.format(number=live.commitment.number)
            case k.RenewDice() if live and self.completion.has_key(live):
                return "the key of the next roll is here, so there is nothing to renew"
            case _ if getattr(ask.command, "is_sole_owner", False) and not self._is_sole_owner(ask.by.account):
                return "this house has another owner, who can sign: leave is_sole_owner out"
            case _:
                return ""

    def _shown_to(self, live: LiveTable | None) -> dict[str, int]:
        """Return by seat what its screens here have confirmed; 0 if none has, or only one of another process."""
        players = live.players if live else {}
        return {str(seat): self.seen.get(player.account, 0) for seat, player in sorted(players.items())}

    def is_same(self, entry: Entry, ask: Ask) -> bool:
        """Return whether an entry came from this command, apart from what `decide` and the server completed."""
        return bool(_bare(TABLE_CODEC.command(entry), ask.by) == _bare(ask.command, ask.by))

    def marks(self, after: LiveTable) -> tuple[int, str]:
        """Return the hand and the version of the rules in force."""
        return after.hand, after.rules

    def fold(self, live: LiveTable | None, entry: Entry, events: Sequence[TableEvent]) -> LiveTable:
        """Return the table after an entry."""
        return fold(live, TABLE_CODEC.command(entry), events)

    def lines(self, before: LiveTable | None, after: LiveTable | None, events: Sequence[TableEvent]) -> tuple[str, ...]:
        """Return the public events in words, but for the wagers that a roll decided: pages have those as `settled`."""
        return () if after is None else lines_of(before, after, without_settled(events), seats=())

    def lines_to(self, by: Actor, happened: Happened) -> tuple[str, ...]:
        """Return the events in words for the sender: a player reads of their own buy-ins, the crew of all."""
        after: LiveTable | None = happened.after
        is_short = len(without_settled(happened.events)) < len(happened.events) and by is not THE_HOUSE
        if after is None or not (is_short or has_private(happened.events)):
            return happened.lines
        seats = (seat_of(after, by.account),) if by.role == PLAYER else None
        return lines_of(happened.before, after, happened.events, seats=seats)

    def is_long(self, ask: Ask) -> bool:
        """Return whether a command takes long to decide: it settles a roll."""
        return isinstance(ask.command, _ROLLS)

    def publish(self, happened: Sequence[Happened], *, begun: int, head: Head) -> Aside | None:
        """Send the news of a commit to every screen; those of a roll are made beside the event loop."""
        self.is_telling = False  # whatever was told before has ended
        first, last = happened[0], happened[-1]
        if first.before is not None and first.before.players is not last.after.players:
            seated = {player.account for player in last.after.players.values()}
            self.seen = {account: sequence for account, sequence in self.seen.items() if account in seated}
        self._report_shown(happened)
        for decision in happened:
            self.completion.follow(
                decision, is_ours=(decision.stored.entry.actor, decision.stored.entry.id) in self._throws
            )
        self._throws.clear()
        for follow in self.followers:
            follow(happened)
        told_at, told_by, stopped = self._mark_news_sent(last.after)
        if not self.subscribers:
            return None
        if first.before is None or first.before.status == "closed":
            self._tell_whole()
            return None
        states = as_of(first.before, told_at), as_of(last.after, self._told_at)
        changes = partial(news_between, *states, self._told_by, told_by, stopped=(stopped, self._stopped))
        readers = [(subscriber, subscriber.by) for subscriber in self.subscribers]
        work = partial(_told_to, readers, happened, changes, {"from": begun, "head": head})
        if any(isinstance(event, RollSettled) for decision in happened for event in decision.events):
            self.is_telling = True
            return Aside(work, partial(self._tell, last.stored.entry.sequence), self._tell_whole)
        self._tell(last.stored.entry.sequence, work())
        return None

    def _tell(self, sequence: int, told: Iterable[tuple[Subscriber, bytes]]) -> None:
        """Send each screen its news, unless it was sent the whole table meanwhile, or has left."""
        subscribers = self.subscribers
        for subscriber, message in told:
            if subscriber.sent < sequence and subscriber in subscribers:
                subscriber.tell_news(message, sequence)
        self.is_telling = False
        if self._is_stale:
            self.refresh()

    def _tell_whole(self) -> None:
        """Send every screen the whole table: its news would make no sense, or could not be made."""
        self.is_telling = self._is_stale = False
        for subscriber in self.subscribers:
            subscriber.lose()

    def _report_shown(self, happened: Sequence[Happened]) -> None:
        """Record what screens of this process had confirmed before a freeze, if another process froze the table."""
        live: LiveTable = happened[-1].after
        if live.frozen is None:
            return
        freeze = next(
            (decision.stored.entry for decision in happened if decision.stored.entry.version == live.froze), None
        )
        if freeze is None:
            return
        known = live.frozen.shown
        # A screen that connected meanwhile has confirmed the freeze itself: what it showed before is unknown.
        newer = {seat: n for seat, n in self._shown_to(live).items() if known.get(seat, 0) < n < freeze.sequence}
        if newer:
            report = k.ReportShown(freeze=freeze.version, shown=newer)
            self._record(Ask(f"{self._id}-{freeze.sequence}", report, THE_HOUSE))

    def _record(self, ask: Ask) -> None:
        """Submit a command of the server itself; if the log is down, try again with the same id."""

        def again(done: asyncio.Future[Answer | Refused]) -> None:
            if isinstance(done.exception(), LogDown):
                asyncio.get_running_loop().call_later(AGAIN_SECONDS, self._record, ask)

        self.stream.submit(ask).add_done_callback(again)

    def _mark_news_sent(self, live: LiveTable) -> tuple[str, Approvals, str]:
        """Record that news is sent now; return when it was last sent, under which approvals, and what stopped it."""
        before = self._told_at, self._told_by, self._stopped
        self._told_at, self._told_by = self._clock(), self._approvals()
        self._stopped = self._rulebooks.why_stopped(live)
        self.stop()
        if live.notice is not None and live.notice.at > self._told_at:
            wait = datetime.fromisoformat(live.notice.at) - datetime.fromisoformat(self._told_at)
            self._timer = asyncio.get_running_loop().call_later(wait.total_seconds(), self.refresh)
        return before

    def refresh(self) -> None:
        """Send every screen what changed without an entry of this table: limits in force, approvals of the house."""
        live = self.stream.state
        if live is None or live.status == "closed":
            return
        self._is_stale = self.is_telling
        if self._is_stale:  # the news of a roll come first
            return
        told_at, told_by, stopped = self._mark_news_sent(live)
        news = news_between(
            as_of(live, told_at), as_of(live, self._told_at), self._told_by, told_by, stopped=(stopped, self._stopped)
        )
        if news["changed"]:
            place = {"from": self.stream.sequence, "sequence": self.stream.sequence, "head": self.stream.head}
            told = _encode({"kind": "news", **place, **news, "said": []})
            for subscriber in self.subscribers:
                subscriber.tell(told, sequence=self.stream.sequence)

    def stop(self) -> None:
        """Cancel the timer of the next limits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # What screens call.

    @property
    def current(self) -> LiveTable:
        """The table as a command would find it now, with limits that came into force since the last entry."""
        assert self.stream.state is not None
        return as_of(self.stream.state, self._clock())

    def whole_view(self, by: Actor | None) -> dict[str, Any]:
        """Return the whole table as somebody sees it."""
        live = self.current
        return {
            "kind": "table",
            "sequence": self.stream.sequence,
            "table": view_of(live, self._approvals(), self._rulebooks.why_stopped(live)),
            "own": own_of(live, by),
            "head": self.stream.head,
            "at": self._clock(),
        }

    def whole(self, subscriber: Subscriber) -> bytes:
        """Return the whole table for a screen that is new or has fallen behind, and mark it as up to date."""
        subscriber.is_lost = False
        subscriber.sent = self.stream.sequence
        return _encode(self.whole_view(subscriber.by))


def _bare(command: Any, by: Actor) -> Any:  # noqa: ANN401 - of any command
    """Return a command without what its actor and the server complete."""
    match command:
        case c.TakeSeat():
            return k.SeatPlayer(seat=command.seat, account=by.account, name="")
        case k.SeatPlayer():
            return k.SeatPlayer(seat=command.seat, account=command.account, name="", patron=command.patron)
        case k.FreezeTable():
            return replace(command, seat=0 if by.role == PLAYER else command.seat, shown={})
        case k.OpenTable():
            return replace(command, dice_digest="", terms=0, puts_in_dice=False, clearance=0, opener=None)
        case k.AdoptRulebook():
            return replace(command, terms=0)
        case k.ChangeHouse():
            return replace(command, terms=0, clearance=0)
        case k.RenewDice():
            return replace(command, digest="")
        case _:
            return replace(command, by="") if hasattr(command, "by") else command


def _accounts_touched(before: LiveTable, after: LiveTable) -> set[str]:
    """Return the accounts whose seat or chips changed, and the house's (empty) if anything did that the crew sees."""
    was, now = before.game.money, after.game.money
    if was is now and before.players is after.players:
        is_same = before.supervision is after.supervision and before.rulebook == after.rulebook
        return set() if is_same else {_HOUSE}
    moved = before.players.keys() ^ after.players.keys()
    for old, new in ((was.racks, now.racks), (was.coupons, now.coupons)):
        if old is not new:
            moved |= set(compress(count(1), map(ne, old, new)))
    known = [live.players[seat].account for live in (before, after) for seat in moved if seat in live.players]
    return {_HOUSE, *known}


def _told_to(
    readers: Iterable[tuple[Subscriber, Actor | None]],
    happened: Sequence[Happened],
    changes: Callable[[], dict[str, Any]],
    place: Mapping[str, Any],
) -> list[tuple[Subscriber, bytes]]:
    """Return the news for each screen: the public part is encoded once, a private part added where it changed."""
    before, last = happened[0].before, happened[-1]
    news = {"kind": "news", **place, "sequence": last.stored.entry.sequence, **changes()}
    if "settled" in news["changed"]:
        news["changed"]["settled"] = packed_settled(news["changed"]["settled"])
    news["said"] = [_public_words(decision) for decision in happened]
    public = _encode(news)
    touched = _accounts_touched(before, last.after)
    told = []
    for subscriber, by in readers:
        is_touched = by is not None and (by.account in touched if by.role == PLAYER else touched)
        message = b'%b,"own":%b}' % (public[:-1], _encode(own_of(last.after, by))) if is_touched else public
        told.append((subscriber, message))
    return told


def _public_words(decision: Happened) -> dict[str, Any]:
    """Return what everybody may read of a decision."""
    entry = decision.stored.entry
    call = call_of(decision.after, decision.events)
    said = {"sequence": entry.sequence, "at": entry.at, "lines": decision.lines, "call": call}
    return {**said, "has_notices": True} if has_notices(decision.events) else said  # a page then asks for its own
