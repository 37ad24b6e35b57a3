"""Finds public classes of the same name."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tests.plain_english.offence import Offence

RULE = "class name used twice"


def used_twice(trees: Mapping[str, ast.Module]) -> Iterator[Offence]:
    """One offence for each public class whose name another module's class has, too."""
    homes: dict[str, list[tuple[str, int]]] = {}
    for file, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append((file, node.lineno))
    for name, places in homes.items():
        for file, line in places if len(places) > 1 else ():
            others = ", ".join(other for other, _ in places if other != file)
            yield Offence(file, line, RULE, name, f"also in {others}")
