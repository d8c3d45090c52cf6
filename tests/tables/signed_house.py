"""A house for tests: a log that begins with the house's key, one table, and signed commands to the house."""

from msgspec import Raw, json

from passline.store.entry import Draft, Head
from passline.store.genesis import genesis_draft
from passline.store.keys import SigningKey
from passline.streams.course import Actor, Decision
from passline.tables import commands as k
from passline.tables.entries import HOUSE_CODEC
from passline.tables.house import HouseState, decide, fold
from tests.tables.sitting import AT, Sitting, draft_of


class SignedHouse(Sitting):
    """A table in a house whose log has begun."""

    def __init__(self) -> None:
        self.key = SigningKey.new()
        self.state = HouseState()
        super().__init__()
        table, self.entries = self.entries, []
        begun = genesis_draft(self.key.public, log_id="a-log", at=AT)
        self.add(begun)
        self.state = fold(None, HOUSE_CODEC.events(self.entries[0].entry))
        self.add(draft_of(table[0].entry))

    def do_house(self, command: k.HouseCommand, by: Actor, signed_by: str = "") -> Decision:
        """Carry out a command to the house that must be accepted."""
        last = self.entries[-1]
        head = Head(last.entry.sequence, last.hash.hex(), "")
        verdict = decide(
            self.state,
            command,
            by=by,
            at=AT,
            head=head,
            tables=(self.table,),
            sign=self.key.sign,
            signed_by=signed_by,
        )
        assert isinstance(verdict, Decision), str(verdict)
        self.add(
            Draft(
                stream="house",
                expected=self.state.version,
                at=self.at,
                actor=by.account,
                role=by.role,
                signed_by=signed_by,
                id=f"house {len(self.entries)}",
                command=Raw(json.encode(command)),
                events=Raw(json.encode(verdict.events)),
            )
        )
        self.state = verdict.after
        return verdict
