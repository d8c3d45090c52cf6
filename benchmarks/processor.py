"""The processor that a figure was measured on."""

from __future__ import annotations

import platform
from pathlib import Path


def processor_name() -> str:
    """Return the processor's name with its family and model, as Linux tells them."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").split("\n\n")[0].splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    told = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    name = told.get("model name") or told.get("CPU part") or platform.machine()
    return f"{name}, family {told.get('cpu family', '?')}, model {told.get('model', '?')}"
