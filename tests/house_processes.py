"""The processes that a server has started, as Linux lists them."""

from __future__ import annotations

from pathlib import Path


def children_of(pid: int) -> dict[int, str]:
    """Return the processes that a server started, with their command lines; not Python's own beside them."""
    found = {}
    for folder in Path("/proc").iterdir():
        try:
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found[int(folder.name)] = (folder / "cmdline").read_text()
        except (OSError, ValueError):
            continue
    return {child: line for child, line in found.items() if "resource_tracker" not in line}


def named_children(pid: int) -> dict[str, int]:
    """Return the processes that a server started by the names that ps shows."""
    found = {}
    for child in children_of(pid):
        try:
            found[Path(f"/proc/{child}/comm").read_text().strip()] = child
        except OSError:  # it has ended
            continue
    return found
