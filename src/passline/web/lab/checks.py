"""A strategy looked at while it is written: why it cannot be played, what it says in vain, what each line costs."""

from __future__ import annotations

from passline.automaton.lint import Lint, lint
from passline.errors import CrapsError
from passline.refusal import Refusal
from passline.strategy.strategy_file import bind, value_text
from passline.strategy.strategy_table import fault_in_play
from passline.web.lab.answers import LabCheck
from passline.web.lab.questions import CheckAsked
from passline.web.lab.written import file_asked, rules_asked

_NOTHING = Lint((), (), "", 0, is_all=False, costs=())


def check_of(asked: CheckAsked) -> LabCheck:
    """Return what is found in a strategy; what keeps it from being read or played is a fault of it, and no error.

    >>> from passline.web.lab.questions import LabHouse, LabStrategy
    >>> wrong = check_of(CheckAsked(LabHouse("maryland"), LabStrategy(file="name = 'mine'")))
    >>> wrong.faults[0].why
    'your file: Object missing required field `description`'
    """
    rules = rules_asked(asked.house)
    try:
        file = file_asked(asked.strategy)
    except CrapsError as error:
        return _check("", "", str(error), _NOTHING, {})
    try:
        fault = fault_in_play(bind(file, rules), rules)
        found = _NOTHING if fault else lint(file, rules, with_costs=asked.with_costs)
    except CrapsError as error:  # an unlawful wish in a state that those rolls did not reach
        fault, found = str(error), _NOTHING
    return _check(file.name, file.description, fault, found, {key: value_text(v) for key, v in file.defaults.items()})


def _check(name: str, description: str, fault: str, found: Lint, parameters: dict[str, str]) -> LabCheck:
    return LabCheck(
        name=name,
        description=description,
        faults=(Refusal("lab", fault),) if fault else (),
        notes=(*found.unused, *found.never),
        seen=found.seen,
        states=found.states,
        is_all=found.is_all,
        costs=found.costs,
        parameters=parameters,
    )
