"""Names say what a thing is or does: no function is a bare participle, and nothing is called `one`."""

from tests.source import FILES
from tests.words import participles, unnamed_variables

PUBLIC = {  # promised by `passline.__all__`: a new name would break its users
    "counted": "automaton/terms.py",
    "seen": "client/live_table.py",
}


def test_no_function_is_a_bare_participle() -> None:
    """A function is a verb with its object, or the noun that it returns: `write_news`, `names_of`, not `_told`."""
    wrong = [
        fault
        for path in FILES
        for fault in participles(path)
        if not any(fault.startswith(f"src/passline/{file}:") and f" {name}:" in fault for name, file in PUBLIC.items())
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_is_called_one() -> None:
    """A variable or argument names the thing: `fault`, `wager`, `entry`."""
    wrong = [fault for path in FILES for fault in unnamed_variables(path)]
    assert not wrong, "\n".join(wrong)
