"""A hall in Arizona and the people who work there, for tests of what pages show before a table is open."""

from __future__ import annotations

from passline.acts.calendar.facility import Facility

HALL = Facility(name="Mesa Hall", zone="America/Phoenix", subdivision="AZ", areas=("pit-1",))
STAFF = {
    "olga": "owner", "cora": "compliance", "cus": "custodian", "dan": "dealer", "dora": "dealer", "stu": "stickperson",
    "sam": "supervisor", "bob": "boxperson", "flo": "floorperson", "sid": "surveillance", "cass": "cashier",
    "ned": "counter", "abe": "accountant", "gus": "security",
}  # fmt: skip
