"""Builds what a package index shows: the README with links that lead somewhere from there too."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

__all__ = ["ReadmeHook", "readme_for_index"]

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)")


def readme_for_index(text: str, source: str) -> str:
    """Return the README with its links below the address of the source; as plain words while there is none.

    >>> readme_for_index("![A felt](docs/felt.png) See [Security](docs/security.md#keys).", "https://example.org/passline")
    '![A felt](https://example.org/passline/docs/felt.png) See [Security](https://example.org/passline/docs/security.md#keys).'
    >>> readme_for_index("![A felt](docs/felt.png) See [Security](docs/security.md#keys).", "")
    ' See Security.'
    """

    def absolute(link: re.Match[str]) -> str:
        picture, words, to = link.groups()
        if source:
            return f"{picture}[{words}]({source.rstrip('/')}/{to})"
        return "" if picture else words

    return _LINK.sub(absolute, text)


class ReadmeHook(MetadataHookInterface):
    """Sets the addresses of the project, as far as they are filled in, and its description from README.md.

    The links of the description lead below `Source`.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the addresses and the readme."""
        metadata["urls"] = {name: address for name, address in self.config.get("urls", {}).items() if address}
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = str(metadata["urls"].get("Source", ""))
        metadata["readme"] = {"content-type": "text/markdown", "text": readme_for_index(text, source)}
