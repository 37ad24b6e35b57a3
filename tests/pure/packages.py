"""The graph of packages: who imports whom, as nodes that tests/pure/floors.txt lists from the ground up.

A node is a package with the modules that lie in it; modules that lie loose in `pipeline/`, `viewer/` and
`texelscope/`, the `model.py` of a feature of the window, and `app.py`, are nodes of their own.
"""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.pure.imports import in_folders
from tests.pure.source_tree import LIBRARY, files, syntax_of, text_of

ORDER = Path("tests/pure/floors.txt")
# Their modules stand on floors of their own.
_LOOSE = ("pipeline", "viewer", "texelscope", "")


@dataclass(frozen=True)
class Edge:
    """Module `importer` imports module `imported`, on `line`."""

    importer: str
    imported: str
    line: int


def module_of(path: Path) -> str:
    """The dotted name of a file, relative to the root; a package's is that of its `__init__.py`."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@cache
def modules() -> Mapping[str, Path]:
    """Returns every module of the product by its dotted name."""
    return {module_of(path): path for path in files((".py",), below=("app.py", *LIBRARY))}


def node_of(module: str) -> str:
    """The node that a module belongs to."""
    path = modules().get(module)
    if path is not None and path.name == "__init__.py":
        return module
    package = module.rpartition(".")[0]
    return module if package in _LOOSE or _is_model(module) else package


def _is_model(module: str) -> bool:
    """Whether it is the model of a feature of the window, which stands below what shows it."""
    return module.startswith("viewer.") and module.endswith(".model")


def edges(sources: Mapping[str, ast.AST] | None = None) -> tuple[Edge, ...]:
    """Every import of one module by another, those for type checkers too; of `sources` in place of what is on disk."""
    if sources is None:
        return _on_disk()
    known = modules()
    return tuple(
        Edge(importer, imported, line)
        for importer, tree in sources.items()
        for imported, line in _imported(tree, known)
        if imported != importer
    )


@cache
def _on_disk() -> tuple[Edge, ...]:
    return edges({name: syntax_of(path) for name, path in modules().items()})


def _imported(tree: ast.AST, known: Collection[str]) -> Iterator[tuple[str, int]]:
    """Modules of the product that `tree` imports, wherever it does; `from a import b` is `a.b` where that is one."""
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in map(in_folders, names):
            parts = name.split(".")
            prefixes = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
            if found := next((prefix for prefix in prefixes if prefix in known), None):
                assert isinstance(node, ast.Import | ast.ImportFrom)
                yield found, node.lineno


def floors() -> tuple[str, ...]:
    """The nodes from the ground up, as tests/pure/floors.txt lists them; `viewer.*` are those that it does not name."""
    lines = [line.partition("#")[0].strip() for line in text_of(ORDER).splitlines()]
    others = sorted({node_of(module) for module in modules()} - set(lines))
    return tuple(node for line in lines if line for node in (fnmatch.filter(others, line) if "*" in line else (line,)))


def upward(found: Iterable[Edge], order: Iterable[str]) -> list[str]:
    """One text for each import of a node by one that stands below it."""
    floor = {node: height for height, node in enumerate(order)}
    return [
        f"{edge.importer}:{edge.line} imports {edge.imported}, which stands above it"
        for edge in found
        if floor[node_of(edge.imported)] > floor[node_of(edge.importer)]
    ]


def circles(found: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Groups of names that import each other, round about; none where imports have an order."""
    imports: dict[str, set[str]] = {}
    for importer, imported in found:
        imports.setdefault(importer, set()).add(imported)
        imports.setdefault(imported, set())
    left = dict(imports)
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    # Whoever imports a circle is left as well: those that nobody left imports go.
    while top := [name for name in left if not any(name in left[other] for other in left)]:
        for name in top:
            del left[name]
    return [sorted(left)] if left else []
