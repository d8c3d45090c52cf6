"""The end of a round: who goes on, and how ties are broken, by the rule sheet or by lot."""

from __future__ import annotations

from itertools import pairwise

from passline.provable_dice import digest_of_key
from passline.refusal import Refusal
from passline.tournament import commands as c
from passline.tournament import events as e
from passline.tournament.judges.prize_money import places_of, ranks_in
from passline.tournament.judges.rounds import PLAYERS_MIN, is_key, standing_of
from passline.tournament.judges.scene import FORM, TournamentScene, TournamentVerdict
from passline.tournament.results.lot import drawn_order
from passline.tournament.results.ranking import Standing, entries_by_lot, entries_through
from passline.tournament.state import HeldRound, KnownEntry, TournamentState

_BY_ORDER = ("roll_off", "earlier_lead")  # what the director records; shares and lots need no order from anybody


def part_tie(scene: TournamentScene, command: c.PartTie) -> TournamentVerdict:
    """Put tied entries in order, by the method that the rule sheet names."""
    sheet = scene.state.plan.sheet
    ways = [way for way in dict.fromkeys((sheet.ties, sheet.way_at_cut)) if way in _BY_ORDER]
    entries = [scene.state.entry(number) for number in command.entries]
    held = scene.state.round
    refusals = []
    if command.how not in ways:
        way = " or ".join(ways) or sheet.ties or "nothing"
        refusals.append(Refusal("sheet", f"the rule sheet parts ties by {way}, not by {command.how!r}"))
    if len(entries) < PLAYERS_MIN or None in entries or len({*command.entries}) != len(entries):
        refusals.append(Refusal(FORM, "name two entries or more, each once"))
    elif len({(entry.round, entry.points) for entry in entries if entry}) != 1:
        refusals.append(Refusal(FORM, "these entries are not level"))
    elif held and held.phase == "playing" and {*map(str, command.entries)} & (held.stacks.keys() - held.points.keys()):
        refusals.append(Refusal(FORM, f"{held.name} is being played: a tie is parted when its points are in"))
    elif missing := _level_with(scene.state, entries[0]) - {*command.entries}:
        numbers = " and ".join(map(str, sorted(missing)))
        why = f"these are level with entry {numbers} too: a tie is parted with everybody in it"
        refusals.append(scene.refusal(why, scene.pages.chips.rank))
    return refusals or [e.TieParted(command.entries, command.how)]


def _level_with(state: TournamentState, entry: KnownEntry | None) -> set[int]:
    """Return the entries of an event that are tied with this one and may still win."""
    assert entry is not None
    return {
        other.number
        for other in state.of_event(entry.event_name)
        if (other.round, other.points) == (entry.round, entry.points)
        and other.status not in {"disqualified", "withdrawn"}
    }


def end_round(scene: TournamentScene, _command: c.EndRound) -> TournamentVerdict:
    """End a round once every table has reported: the best go on, the others are out."""
    state, held = scene.state, scene.state.round
    if held is None or held.phase != "playing":
        return [Refusal(FORM, "no round is being played")]
    if missing := [table for table in held.tables if table not in held.house]:
        return [Refusal(FORM, f"{', '.join(missing)} still play")]
    if held.cut_version:
        return [Refusal(FORM, "the lot between those who are level is being drawn")]
    planned, way = state.plan_of(held), state.plan.sheet.way_at_cut
    if _is_last(state, held):
        return [e.RoundEnded(held.number, ())]
    sure, tied = entries_through(_standings(state, held), of_each=planned.advance, wild_cards=planned.wild_cards)
    if tied and way == "by_lot":
        return [e.CutTied(held.number, tied)]
    if tied and way != "all_go_on":
        who = ", ".join(f"{entry} ({state.entries[str(entry)].name})" for entry in tied)
        return [scene.refusal(f"entries {who} are level for the last place: part them first", scene.pages.chips.rank)]
    return _over(state, held, tuple(sorted((*sure, *tied))))


def draw_cut(scene: TournamentScene, command: c.DrawCut) -> TournamentVerdict:
    """Draw who goes on of those who are level, by the key that was committed to before they were."""
    state, held = scene.state, scene.state.round
    if held is None or held.phase != "playing" or not held.cut_version or held.cut_version != command.prepared:
        return [Refusal(FORM, "nobody is level for a last place that a lot decides")]
    if not is_key(command.key) or not is_key(command.hash):
        return [Refusal(FORM, "a key and a hash have 32 bytes each, in hex")]
    key, closing = bytes.fromhex(command.key), bytes.fromhex(command.hash)
    if digest_of_key(key) != state.lot_digest:
        return [Refusal("lot", f"this key is not the one that lot {state.lot} was committed with")]
    planned = state.plan_of(held)
    through, level = entries_by_lot(
        _standings(state, held),
        of_each=planned.advance,
        wild_cards=planned.wild_cards,
        order=drawn_order(held.entries, key, closing),
    )
    chosen = tuple(entry for entry in level if entry in through)
    drawn = e.CutDrawn(held.number, state.lot, command.hash, command.key, level, chosen)
    events: list[e.TournamentEvent] = [drawn, e.LotCommitted(state.lot + 1, command.next_digest)]
    return [*events, *_over(state, held, through)]


def _is_last(state: TournamentState, held: HeldRound) -> bool:
    event = state.event(held.event_name)
    assert event is not None
    return state.plan_of(held) == event.rounds[-1]


def _standings(state: TournamentState, held: HeldRound) -> dict[str, list[Standing]]:
    """Return how those who are still in stand at each table of a round."""
    at: dict[str, list[Standing]] = {table: [] for table in held.tables}
    for seat in held.seats:
        entry = state.entries[str(seat.entry)]
        if entry.status == "in":
            at[seat.table].append(standing_of(entry))
    return at


def _over(state: TournamentState, held: HeldRound, through: tuple[int, ...]) -> list[e.TournamentEvent]:
    """Return the end of a round: who does not go on is out."""
    # who has lost all chips and may still buy again is out only when the next round is prepared without them
    out = [
        entry
        for entry in held.entries
        if entry not in through and state.entries[str(entry)].status == "in" and not state.entries[str(entry)].is_back
    ]
    return [*(e.PlayerEliminated(entry, held.number) for entry in out), e.RoundEnded(held.number, through)]


def level_groups(state: TournamentState) -> list[tuple[str, tuple[int, ...]]]:
    """Return who must be put in order by the director now, and how: at a cut, or for a prize of an event that ends."""
    held = state.round
    if held is None or held.event_name in state.concluded or any(table not in held.house for table in held.tables):
        return []
    planned, sheet = state.plan_of(held), state.plan.sheet
    if not _is_last(state, held):
        if held.phase != "playing" or sheet.way_at_cut not in _BY_ORDER:
            return []
        _, tied = entries_through(_standings(state, held), of_each=planned.advance, wild_cards=planned.wild_cards)
        return [(sheet.way_at_cut, group) for group in _whole_groups(state, tied)]
    event = state.event(held.event_name)
    assert event is not None
    if held.phase not in {"playing", "ended"} or sheet.ties not in _BY_ORDER:
        return []
    ranks = ranks_in(state, event)
    paid = len(places_of(state, event)) + 1  # the last that is paid may be level with the next
    shared = {rank.place for rank, after in pairwise(ranks[:paid]) if rank.place == after.place}
    return [(sheet.ties, group) for group in _whole_groups(state, [r.entry for r in ranks if r.place in shared])]


def _whole_groups(state: TournamentState, entries: list[int] | tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return groups of level entries with everybody who is level with them, each once."""
    groups = (tuple(sorted(_level_with(state, state.entry(entry)))) for entry in entries)
    return list(dict.fromkeys(groups))
