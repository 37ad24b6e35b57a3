"""Makes the long description of a built package from README.md, for readers outside the repository.

A package index shows that text alone: a picture or a page that README.md names by its path is not there. Pictures are
left out, and links between pages become the plain words. Every one of those pages is in the package itself, in the
window's Help menu. The build backend calls this module (`tool.hatch.metadata.hooks.custom` in pyproject.toml).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|mailto:)[^)]*\)")


def long_description(readme: str) -> str:
    """Returns the text without pictures and links that only the repository can follow."""
    return LINK.sub(r"\1", PICTURE.sub("", readme))


class LongDescription(MetadataHookInterface):
    """Gives the backend the long description."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets the field `readme` of the project's metadata."""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": long_description(readme)}
