"""An office for tests of its pages: a little of everything that the pages of an office can say, and no regulation's."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest

from passline.acts import rules
from passline.acts.rules import OFFICE_RULES
from passline.rules.pages.texts import Pages

_INSTALLED = OFFICE_RULES.installed_pages

PRACTICE_OFFICE = """
[roles.agency]
body = "Agency"
cite = "practice"

[values.rest]
name = "how long dice rest"
type = "length"
by = ["agency"]
cite = "MD-7.E"

[values.tables_most]
name = "the most tables in play"
type = "count"
cite = "practice"

[things.table]
name = "table"
states = ["installed", "removed"]
final = ["removed"]
cite = "practice"
[acts.register_table]
name = "Enter a table"
page = "tables"
by = ["owner"]
thing = "table"
new = true
to = "installed"
cite = "practice"
[acts.register_table.fields.area]
name = "where it stands"
type = "choice"
of_areas = true
cite = "practice"
[acts.approve_table]
name = "The agency approves the table"
page = "tables"
by = ["agency"]
on_paper = true
thing = "table"
states = ["installed"]
cite = "MD-2.A"
[acts.approve_table.fields.plan]
name = "the approved plan"
type = "document"
cite = "MD-2.A"
[acts.check_table]
name = "Check a table"
page = "tables"
by = ["floorperson"]
thing = "table"
states = ["installed"]
cite = "MD-2.D.1"
[acts.check_table.fields.seen]
name = "what was seen"
type = "checklist"
of = ["table"]
cite = "MD-2.D.1"
[checklists.table]
name = "Table"
thing = "table"
cite = "practice"
[checklists.table.items.name]
says = "the layout bears the name of the house"
cite = "MD-2.D.1"
[checklists.table.items.legend]
says = "the layout says that call bets are not accepted"
cite = "MD-2.D.3"
[clocks.checked]
name = "A table is checked"
runs = "after"
starts = "register_table"
met = ["check_table"]
length = {count = 2, unit = "hours"}
owes = "floorperson"
to = ["agency"]
cite = "MD-2.D.1"

[gates.open_table]
name = "Open a table"
thing = "table"
cite = "practice"
[gates.open_table.items.checked]
says = "it was not checked"
done = "check_table"
mend = "check_table"
cite = "MD-2.D.1"
[gates.open_table.items.approved]
says = "the agency has not approved it"
done = "approve_table"
mend = "approve_table"
cite = "MD-2.A"

[papers.table_card]
name = "Card of a table"
thing = "table"
cite = "practice"
[papers.table_card.parts.area]
name = "where it stands"
source = "fact.area"
cite = "practice"

[things.die]
name = "die"
states = ["stored", "tested"]
cite = "MD-7.A"
[acts.receive_dice]
name = "Receive dice"
page = "dice"
by = ["custodian"]
thing = "die"
new = true
many = true
to = "stored"
cite = "MD-7.A"
[acts.test_dice]
name = "Test dice"
page = "dice"
by = ["supervisor"]
thing = "die"
many = true
states = ["stored"]
to = "tested"
cite = "MD-7.A"
[acts.test_dice.fields.table]
name = "the table they are for"
type = "thing"
of = ["table"]
cite = "MD-7.A"
[acts.test_dice.fields.tools]
name = "the tools used"
type = "some"
of = ["micrometer", "magnet"]
cite = "MD-7.A"
[acts.test_dice.fields.flat]
name = "on a flat surface"
type = "yes"
cite = "MD-7.A"
[acts.test_dice.fields.edge]
name = "the edge"
type = "per_thing"
min = 750
max = 775
unit = "thousandths of an inch"
cite = "MD-7.A"
[acts.test_dice.signs.dealer]
name = "the dealer who was present"
by = ["dealer"]
cite = "MD-7.A"

[stocks.chips]
name = "chips"
places = ["cage", "transit"]
outside = ["maker"]
cite = "practice"
[acts.receive_chips]
name = "Receive chips"
page = "money"
by = ["cashier"]
cite = "practice"
[acts.receive_chips.fields.units]
name = "chips by denomination"
type = "units"
cite = "practice"
[acts.receive_chips.moves]
stock = "chips"
field = "units"
source = "maker"
target = "cage"
cite = "practice"
[acts.count_cage]
name = "Count the cage"
page = "money"
by = ["cashier"]
cite = "practice"
[acts.count_cage.fields.units]
name = "chips by denomination"
type = "units"
cite = "practice"
[acts.count_cage.signs.second]
name = "who counts again"
by = ["floorperson"]
counts = true
cite = "practice"
[acts.count_cage.counts]
field = "units"
stock = "chips"
place = "cage"
incident = "the cage differs"
cite = "practice"

[things.fill_slip]
name = "fill slip"
states = ["requested", "prepared", "carried", "accepted", "void"]
final = ["accepted", "void"]
series = "F"
cite = "practice"
[acts.request_fill]
name = "Ask for a fill"
page = "money"
by = ["floorperson"]
thing = "fill_slip"
new = true
to = "requested"
cite = "practice"
[acts.request_fill.fields.table]
name = "the table"
type = "thing"
of = ["table"]
cite = "practice"
[acts.request_fill.fields.units]
name = "chips by denomination"
type = "units"
cite = "practice"
[acts.prepare_fill]
name = "Make up a fill"
page = "money"
by = ["cashier"]
thing = "fill_slip"
states = ["requested"]
to = "prepared"
cite = "practice"
[acts.prepare_fill.moves]
stock = "chips"
field = "units"
source = "cage"
target = "transit"
cite = "practice"
[acts.carry_fill]
name = "Take a fill to the table"
page = "money"
by = ["supervisor"]
thing = "fill_slip"
states = ["prepared"]
to = "carried"
cite = "practice"
[acts.accept_fill]
name = "Accept a fill"
page = "money"
by = ["dealer"]
thing = "fill_slip"
states = ["carried"]
to = "accepted"
cite = "practice"
[acts.accept_fill.moves]
stock = "chips"
field = "units"
source = "transit"
target = "@table"
cite = "practice"

[acts.note_everything]
name = "Note everything"
page = "notes"
by = ["owner"]
cite = "practice"
[acts.note_everything.fields.text]
name = "a text"
type = "text"
cite = "practice"
[acts.note_everything.fields.number]
name = "a number"
type = "number"
min = 1
max = 9
cite = "MD-7.A"
[acts.note_everything.fields.amount]
name = "an amount"
type = "cents"
cite = "practice"
[acts.note_everything.fields.choice]
name = "a choice"
type = "choice"
of = ["one", "two"]
cite = "practice"
[acts.note_everything.fields.day]
name = "a day"
type = "day"
cite = "practice"
[acts.note_everything.fields.moment]
name = "a moment"
type = "moment"
cite = "practice"
[acts.note_everything.fields.dice]
name = "some dice"
type = "things"
of = ["die"]
cite = "practice"
[acts.note_everything.fields.person]
name = "a dealer"
type = "person"
of = ["dealer"]
cite = "practice"
[acts.note_everything.fields.people]
name = "several people"
type = "people"
min = 2
cite = "practice"
[acts.note_everything.fields.alone]
name = "nobody watched"
type = "flag"
cite = "practice"
[acts.note_everything.fields.watcher]
name = "who watched"
type = "text"
unless = "alone"
cite = "practice"
[acts.note_everything.fields.remark]
name = "a remark"
type = "text"
optional = true
cite = "practice"
"""


def practice_pages(name: str, presets: Iterable[str] = ()) -> Pages:
    """Return the pages of this office for Maryland, whose clauses it cites, with what every office has of incidents.

    The other regulations have their own offices.
    """
    if name != "maryland":
        return _INSTALLED(name, presets)
    return Pages(name, {"practice/common.toml": _COMMON.encode(), f"{name}/office.toml": PRACTICE_OFFICE.encode()})


_COMMON = """
[things.incident]
name = "incident"
states = ["open", "under_investigation", "closed"]
final = ["closed"]
series = "I"
cite = "practice"
[acts.investigate_incident]
name = "Look into an incident"
page = "incidents"
by = ["floorperson", "owner"]
thing = "incident"
states = ["open"]
to = "under_investigation"
cite = "practice"
[acts.investigate_incident.fields.finding]
name = "what was found"
type = "text"
cite = "practice"
"""


@contextmanager
def office_of_practice() -> Iterator[None]:
    """Have Maryland's office be this one; what was read of it is forgotten before and after."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(OFFICE_RULES, "installed_pages", practice_pages)
        rules._office_in.cache_clear()
        yield
    rules._office_in.cache_clear()
