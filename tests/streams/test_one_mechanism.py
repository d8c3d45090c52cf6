"""One registry of running streams, one check that decides again, one trial, one way to commit: a second is found."""

import re

import pytest

from tests.source import MODULES, place

BELOW = ("passline.store.", "passline.game.")  # which know no streams


@pytest.mark.parametrize(
    ("line", "homes"),
    [
        # keeps running streams, or the tasks that read them, by name
        (r"self\.\w+: (Ordered)?[dD]ict\[str, .*(RunningStream|RunningTable|Task\[(?!None))", {"streams.registry"}),
        # compares the events of a decision, or of the judgement of a plain wager, with those of an entry
        (
            r"(?<!len\()(?<!\.)\b[\w.]+\.events\)* (==|!=)|(==|!=) ([\w.]+\()*[\w.]+\.events\b(?!\[)",
            {"streams.redecide", "tables.wager_check"},
        ),
        # a stream to be tried that is not of the base
        (r"class Trial(?!\w*\(Trial\[)", {"streams.trial"}),
        # appends to a log without settling what is in doubt, or begins another kind of writer
        (r"\blog\.append\(|class \w*Writer\(\w*Writer\b", {"streams.writer", "streams.commit_process"}),
    ],
    ids=["registry", "redecide", "trial", "writer"],
)
def test_there_is_no_second_one(line: str, homes: set[str]) -> None:
    texts = {name: path.read_text(encoding="utf-8") for name, path in MODULES.items() if not name.startswith(BELOW)}
    found = {
        name: [number for number, one in enumerate(text.splitlines(), start=1) if re.search(line, one)]
        for name, text in texts.items()
    }
    for home in homes:
        assert found.pop(f"passline.{home}"), f"{home} itself is not recognised any more: put the search right"
    wrong = [place(MODULES[name], number) for name, numbers in found.items() for number in numbers]
    assert not wrong, f"use that of streams/ instead: {', '.join(wrong)}"
