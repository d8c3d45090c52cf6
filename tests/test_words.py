"""Names say what a thing is or does: no function is a bare participle, and no loop calls its thing `one`."""

from tests.source import FILES, SRC
from tests.words import participles, unnamed_variables, word_faults

NOT_YET = (  # rooms still to be cleaned, and files that parallel changes write; a change only takes lines away
)
PUBLIC = {  # promised by `passline.__all__`: a new name would break its users
    "counted": "automaton/terms.py",
    "seen": "client/live_table.py",
}
_CLEAN = [path for path in FILES if not str(path.relative_to(SRC / "passline")).startswith(NOT_YET)]


def test_no_function_is_a_bare_participle() -> None:
    """A function is a verb with its object, or the noun that it returns: `write_news`, `names_of`, not `_told`."""
    wrong = [
        fault
        for path in _CLEAN
        for fault in participles(path)
        if not any(fault.startswith(f"src/passline/{file}:") and f" {name}:" in fault for name, file in PUBLIC.items())
    ]
    assert not wrong, "\n".join(wrong)


def test_no_loop_variable_is_called_one() -> None:
    """A variable names the thing: `fault`, `wager`, `entry`."""
    wrong = [fault for path in _CLEAN for fault in unnamed_variables(path)]
    assert not wrong, "\n".join(wrong)


def test_rooms_that_are_clean_are_not_listed_as_unclean() -> None:
    """Whoever cleans the last file of a room takes the room off the list."""
    rooms = [room for room in NOT_YET if (SRC / "passline" / room).is_dir()]
    clean = [room for room in rooms if not word_faults(SRC / "passline" / room)]
    assert not clean, f"clean, so take them off NOT_YET: {clean}"
