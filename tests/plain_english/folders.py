"""Finds imports between folders that run against the direction of most of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.plain_english.offence import Offence
from tests.pure.packages import Edge

RULE = "import upwards"


def upwards(edges: Iterable[Edge], paths: Mapping[str, Path]) -> Iterator[Offence]:
    """Where two folders import each other, directly, the imports in the rarer direction."""
    between: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in sorted(set(edges), key=lambda edge: (edge.importer, edge.line, edge.imported)):
        importer, imported = folder_of(paths[edge.importer]), folder_of(paths[edge.imported])
        if importer != imported and importer and imported:
            between[importer, imported].append(edge)
    for (importer, imported), found in between.items():
        back = between.get((imported, importer), [])
        if back and (len(found), importer) < (len(back), imported):
            for edge in found:
                text = f"{imported} imports {importer} in {len(back)} places, and is imported here"
                yield Offence(paths[edge.importer].as_posix(), edge.line, RULE, edge.imported, text)


def folder_of(path: Path) -> str:
    """The folder below a top one, such as `pipeline/repair`; empty for a module that lies loose.

    The model of a feature of the window, a module or a package, counts apart: it stands below what shows it.
    """
    parts = path.parent.parts[:2]
    if parts[:1] == ("viewer",) and len(parts) == 2 and "model" in (path.stem, *path.parent.parts[2:3]):
        return "/".join((*parts, "model"))
    return "/".join(parts) if len(parts) == 2 else ""
