"""Lists the documentation pages beside this copy of the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.installation import SHIPPED

# The first pages for a beginner; all others follow by name.
_FIRST = ("first-bug.md", "guide.md")


@dataclass(frozen=True)
class HelpPage:
    """Names a documentation file and its title."""

    path: Path
    title: str


def pages(folder: Path = SHIPPED / "docs") -> tuple[HelpPage, ...]:
    """Returns all pages in reading order; none if the program was installed without its source."""
    found = [HelpPage(path, _title(path)) for path in sorted(folder.glob("*.md"))]
    return tuple(sorted(found, key=lambda page: (page.path.name not in _FIRST, page.path.name)))


def _title(path: Path) -> str:
    """Returns the text of the first heading."""
    with path.open(encoding="utf-8") as lines:
        return next((line[2:].strip() for line in lines if line.startswith("# ")), path.stem)
