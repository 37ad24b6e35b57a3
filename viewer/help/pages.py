"""The pages of the documentation that lie beside this copy of the program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from texelscope.pipeline.installation import SHIPPED

# Where somebody begins; all others follow by name.
_FIRST = ("first-bug.md", "guide.md")


@dataclass(frozen=True)
class HelpPage:
    """A file and the title that it begins with."""

    path: Path
    title: str


def pages(folder: Path = SHIPPED / "docs") -> tuple[HelpPage, ...]:
    """All of them, in reading order; none where the program was installed without its source."""
    found = [HelpPage(path, _title(path)) for path in sorted(folder.glob("*.md"))]
    return tuple(sorted(found, key=lambda page: (page.path.name not in _FIRST, page.path.name)))


def _title(path: Path) -> str:
    """What stands in its first heading."""
    with path.open(encoding="utf-8") as lines:
        return next((line[2:].strip() for line in lines if line.startswith("# ")), path.stem)
