"""A house whose office has filed three documents: two with one act, one with a value."""

from pathlib import Path

from passline.acts.calendar.facility import Facility
from passline.acts.commands import DoAct, SetValue
from passline.acts.documents import Documents
from passline.refusal import Refused
from passline.store.data_folder import DOCUMENTS_FOLDER, open_log
from tests.office.bookkeeping import KeptOffice

PROCEDURES, LETTER, LIMIT = b"how dice are kept", b"a letter of the TGO", b"the compact"


def filed_house(folder: Path, database: str = "") -> Path:
    """Make the house in a new data folder, and return it."""
    log = open_log(folder, database)
    documents = Documents(folder / DOCUMENTS_FOLDER)
    office = KeptOffice("arizona", Facility(name="Harbour", zone="America/Phoenix"), {"olga": "owner"})
    office.go_to("2026-03-02", "10:00")
    paper = {"document": documents.put(LETTER), "reference": "letter 7", "received": "2026-03-01"}
    procedures = {"procedures": documents.put(PROCEDURES)}
    done = office.send(DoAct(act="approve_dice_procedures", fields=procedures, paper=paper), "olga")
    assert not isinstance(done, Refused), done
    paper = {"document": documents.put(LIMIT), "reference": "compact", "received": "2026-03-01"}
    assert not isinstance(office.send(SetValue(key="table_limit", value=4, **paper), "olga"), Refused)
    office.write(log)
    log.close()
    return folder
