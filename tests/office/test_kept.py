"""House files are read under the rulebook that the log keeps, whatever is installed since."""

from passline.acts.papers.houses import rules_of_file
from passline.office.kept import house_of_log, kept_house_rules
from passline.rules.pages.texts import Pages, installed_folder, read_pages
from passline.store.memory import MemoryLog
from passline.tables.house import HouseState
from passline.tables.rules_in_force import learn_rulebook


def _older() -> Pages:
    """Maryland's rulebook with another text: a comment, so that only its digest differs."""
    pages = read_pages(installed_folder("maryland"))
    name = next(iter(pages.texts))
    return Pages("maryland", {**pages.texts, name: pages.texts[name] + b"\n# as it was\n"})


def test_the_newest_kept_rulebook_of_its_regulation_reads_a_house_file() -> None:
    older, installed = learn_rulebook(_older()), rules_of_file({"rules": "maryland"}).rulebook
    assert older.digest != installed.digest
    read = kept_house_rules(HouseState(rulebooks={installed.digest: 2, older.digest: 5}))
    assert read({"rules": "maryland"}).rulebook.digest == older.digest
    assert read({"rules": "colorado"}).rulebook.name == "colorado"
    assert kept_house_rules(None)({"rules": "maryland"}).rulebook.digest == installed.digest


def test_a_log_says_which_rulebooks_it_keeps() -> None:
    log = MemoryLog()
    state = house_of_log(log)
    assert state is not None
    assert state.rulebooks == {}
