"""What axe finds wrong with a page for people who see, hear or move otherwise."""

from __future__ import annotations

from typing import Any

from axe_core_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

IS_SWEEP = True
"""Whether states of a page are scanned too that differ little from others: with `./x test --all`, and by hand."""
_GRAVE = ("serious", "critical")
_RUN = """async (within) => {
  const { violations } = await axe.run(within ?? document, { resultTypes: ["violations"] });
  return violations;
}"""


def violations(page: Page, within: str | None = None, *, is_repeat: bool = False) -> list[dict[str, Any]]:
    """Return every violation on a page, or within a part of it; what passes is not collected, which takes long.

    `is_repeat`: the same page is scanned in another state, and in this one only by a sweep.
    """
    if is_repeat and not IS_SWEEP:
        return []
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(_RUN, within)
    return found


def grave_faults(page: Page, within: str | None = None, *, is_repeat: bool = False) -> list[str]:
    """Return each serious or critical violation, with what is at fault."""
    return [
        f"{page.url}: {one['impact']}: {one['id']}: {[node['html'][:200] for node in one['nodes']]}"
        for one in violations(page, within, is_repeat=is_repeat)
        if one["impact"] in _GRAVE
    ]
