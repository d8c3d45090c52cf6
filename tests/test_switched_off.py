"""The parts that `./x bench tables --without` switches off are still there to be switched off."""

from __future__ import annotations

import pytest

from benchmarks.live.profile.compare import ROOT
from benchmarks.live.profile.switched_off import SWITCHES, with_body


@pytest.mark.parametrize("name", SWITCHES)
def test_each_part_can_be_switched_off_in_this_version(name: str) -> None:
    for target, body in SWITCHES[name].bodies.items():
        module, _, function = target.partition(":")
        path = ROOT / "src" / f"{module.replace('.', '/')}.py"
        source = path.read_text(encoding="utf-8")
        changed = with_body(source, function, body)
        compile(changed, str(path), "exec")
        assert changed != source


def test_a_body_is_replaced_where_it_stands_and_nowhere_else() -> None:
    source = "class A:\n    def f(self):\n        return 1\n\n    async def g(self):\n        return 2\n\n\nx = A()\n"
    assert with_body(source, "A.g", "\n    y = 3\n    return y\n") == source.replace(
        "        return 2\n", "        y = 3\n        return y\n"
    )
    with pytest.raises(LookupError, match=r"there is no A\.h in this version"):
        with_body(source, "A.h", "return 0")
