"""Measures modules and functions in lines, and packages in modules, and compares them with what a reader takes in."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["module", "function", "package"]

# A module fits on a few screens and a function on one; a package's modules are listed on one.
MOST: Mapping[Kind, int] = {"module": 400, "function": 60, "package": 16}
UNITS: Mapping[Kind, str] = {"module": "lines", "function": "lines", "package": "modules"}


@dataclass(frozen=True)
class Size:
    """How large something is: `name` is a module's path, `path: function`, or a package's dotted name."""

    kind: Kind
    name: str
    count: int

    @property
    def exceeds(self) -> bool:
        """Whether it is larger than a reader takes in at once."""
        return self.count > MOST[self.kind]


def of_module(path: str, text: str) -> Size:
    """A module's lines."""
    return Size("module", path, text.count("\n"))


def of_functions(path: str, tree: ast.AST) -> Iterator[Size]:
    """The lines of each function from `def` to the last statement, of methods and inner functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Size("function", f"{path}: {node.name}", (node.end_lineno or node.lineno) - node.lineno + 1)


def of_packages(modules: Iterable[Path]) -> Iterator[Size]:
    """The modules that lie in each folder, without `__init__.py`."""
    shown = Counter(path.parent for path in modules if path.name != "__init__.py")
    return (Size("package", ".".join(folder.parts), count) for folder, count in shown.items() if folder.parts)
