"""A house with manual slips in its pits, and an outage in which they were used."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from passline.acts import commands as c
from passline.acts import events as e
from passline.acts.calendar.facility import Facility
from passline.acts.rules import ActRules, office_of
from passline.acts.schema import Condition, Value
from passline.refusal import Refused
from passline.store.timestamps import later
from tests.office.bookkeeping import KeptOffice

HARBOUR = Facility(name="Harbour Lights", zone="America/New_York", subdivision="NJ", areas=("pit-1", "pit-2"))
"""Where the house deals."""
PEOPLE = {
    "olga": "owner", "cora": "compliance", "abe": "accountant", "ada": "auditor", "cass": "cashier",
    "carl": "cashier", "cus": "custodian", "ned": "counter", "flo": "floorperson", "fay": "floorperson",
    "sam": "supervisor", "bob": "boxperson", "bea": "boxperson", "dan": "dealer", "dora": "dealer",
}  # fmt: skip
TRAY = {"100": 200, "500": 400, "2500": 300}
"""What lies in the tray of a table."""
SLIPS = 6
"""How many slips of each kind are printed."""
BEGUN, BACK = "14:00", "17:00"
"""When the outage began and when it was over, on the day of the story."""
DAY = "2026-03-02"
"""The day of the story."""
Lines = list[dict[str, Any]]


class OutageOffice(KeptOffice):
    """An office with two tables, whose server was down in the afternoon."""

    def __init__(self, rules: ActRules | str = "section2", *forms: str) -> None:
        super().__init__(rules, HARBOUR, PEOPLE)
        self.go_to("2026-03-01", "09:00")
        units = {unit: count * 10 for unit, count in TRAY.items()}
        self.does("cass", "receive_chips", units=units, delivery="note 71", signs=("abe", "witness"))
        self.does("cass", "issue_chips", units=units, signs=("abe", "witness"))
        for table, pit in (("T1", "pit-1"), ("T2", "pit-2")):
            self.does("cora", "register_table", table, area=pit)
            self.does("cora", "enter_drop_box", f"{table}-A")
            self.does("cora", "enter_drop_box", f"{table}-B")
            self.does("flo", "attach_drop_box", table, drop_box=f"{table}-A")
        for form in ("fill_slip", "shift_inventory", "drop_sheet"):
            self.does("sam", "print_slips", form=form, pieces=SLIPS)
        for series in ("MF", "MS", "MD"):
            self.does("sam", "hand_out_slips", *numbers(series, 1, 2, 3), table="T1")
            self.does("sam", "hand_out_slips", *numbers(series, 4, 5), area="pit-2", holder="fay")
        for form in forms:
            self.does("sam", "print_slips", form=form, pieces=1)
        self.go_to(DAY, "10:00")
        for table in ("T1", "T2"):
            self.fills(table, TRAY)
            self.does("dan", "count_opener", table, chips=TRAY, shift="day")
            self.signs("bob", "second", chips=TRAY)
        self.go_to(DAY, BEGUN)
        self.does("cora", "enter_patron", "rex", name="Rex Harlow", identification="seen")

    @classmethod
    def printing(cls, form: str) -> OutageOffice:
        """Return the office with one slip more, of another form, which nobody was handed."""
        return cls("section2", form)

    def fills(self, table: str, units: dict[str, int]) -> None:
        """Fill a table as on any day."""
        self.does("flo", "request_fill", table=table, units=units)
        slip = f"F-{self.state.numbers['F']:06}"
        for who, act in (("cass", "prepare_fill"), ("fay", "carry_fill"), ("dan", "accept_fill")):
            self.does(who, act, slip)

    def comes_back(self, ago: str = BEGUN, reason: str = "the power failed") -> str:
        """Record that the outage is over; return its number."""
        self.go_to(DAY, BACK)
        begun = self.facility.moment(self.facility.today(self.at), ago)
        answer = self.send(c.DoAct(act="record_outage", fields={"reason": reason}, occurred=begun), "sam")
        assert not isinstance(answer, Refused), answer
        self.at = later(self.at, 60)
        return f"O-{self.state.numbers['O']:06}"

    def tells(
        self, outage: str, lines: Lines, by: str = "sam", second: str = "abe"
    ) -> Refused | tuple[e.ActEvent, ...]:
        """Tell what was done in the outage, signed at once by a second person if one is named."""
        scan = {"scan": self.letter()} if lines else {}
        command = c.DoAct(
            act="enter_outage", things=(outage,), fields={"lines": lines, **scan}, signs="second" if second else ""
        )
        return self.send(command, by, second)

    def voids(self, *slips: str) -> None:
        """Void slips that were spoilt."""
        self.does("sam", "void_slips", *slips, reason="spilt on", handed_back=True, signs=("bob", "witness"))


def numbers(series: str, *places: int) -> tuple[str, ...]:
    """Return numbers of a series."""
    return tuple(f"{series}-{place:06}" for place in places)


def at(time: str) -> str:
    """Return a moment in the outage, as people write it."""
    return f"{DAY} {time}"


def fill_lines(slip: str, table: str = "T1", begins: str = "14:10", **units: int) -> Lines:
    """Return the four lines of a fill on one manual slip."""
    fields = {"table": table, "units": {key.removeprefix("u"): count for key, count in units.items()} or {"500": 40}}
    minute = int(begins[3:])
    hands = (("flo", "request_fill"), ("cass", "prepare_fill"), ("fay", "carry_fill"), ("dan", "accept_fill"))
    return [
        {"slip": slip, "act": act, "by": who, "occurred": at(f"{begins[:3]}{minute + place:02}")}
        | ({"fields": fields} if place == 0 else {})
        for place, (who, act) in enumerate(hands)
    ]


def count_line(slip: str, table: str, chips: dict[str, int], when: str = "15:00", **more: object) -> dict[str, Any]:
    """Return the line of an inventory on one manual slip."""
    return {
        "slip": slip, "act": "count_shift", "things": [table], "fields": {"chips": chips, "shift": "day"},
        "by": "dan", "occurred": at(when), "signed": {"second": "bea"}, **more,
    }  # fmt: skip


def drop_line(slip: str, table: str, when: str = "15:05") -> dict[str, Any]:
    """Return the line of a drop on one manual slip."""
    boxes = {"shift": "day", "dropped": f"{table}-A", "drop_box": f"{table}-B"}
    return {
        "slip": slip, "act": "drop_table", "things": [table], "fields": boxes, "by": "ned",
        "occurred": at(when), "signed": {"viewer": "fay"},
    }  # fmt: skip


def whole_batch() -> Lines:
    """Return what was done in the outage: a fill and a count at T1, and a drop there; one slip was spoilt."""
    chips = {**TRAY, "500": TRAY["500"] + 40 - 7}
    return [
        *fill_lines("MF-000001"),
        count_line("MS-000001", "T1", chips),
        drop_line("MD-000001", "T1"),
        {
            "act": "void_slips", "things": ["MF-000002"], "by": "flo", "occurred": at("14:30"),
            "fields": {"reason": "wrong table", "handed_back": True}, "signed": {"witness": "bob"},
        },
    ]  # fmt: skip


def accept(answer: Refused | tuple[e.ActEvent, ...]) -> tuple[e.ActEvent, ...]:
    """Return the events of an answer that must not be a refusal."""
    assert not isinstance(answer, Refused), answer
    return answer


def incidents(answer: Refused | tuple[e.ActEvent, ...]) -> list[str]:
    """Return why incidents were opened."""
    return [event.why for event in accept(answer) if isinstance(event, e.IncidentOpened)]


def refused(answer: object) -> str:
    """Return why something was refused."""
    assert isinstance(answer, Refused), answer
    return str(answer)


HANDED = [slip for series in ("MD", "MF", "MS") for slip in numbers(series, 1, 2, 3, 4, 5)]
"""The slips that were handed out before the outage."""


def timed_office() -> OutageOffice:
    """An office whose tables are dropped at set times of the day, for which its pages ask."""
    rules = office_of("section2")
    drop = rules.pages.acts["drop_table"]
    need = Condition(says="it is not the time of a drop", scheduled="drop_times", cite="practice")
    timed = replace(drop, is_fact=True, needs={**drop.needs, "time": need})
    value = Value(name="times of the drop", type="times", cite="practice")
    pages = replace(
        rules.pages,
        acts={**rules.pages.acts, "drop_table": timed},
        values={**rules.pages.values, "drop_times": value},
    )
    office = OutageOffice(replace(rules, pages=pages))
    office.set_value("olga", "drop_times", ["15:00-15:10"])
    office.at = later(office.at, 120)
    return office
