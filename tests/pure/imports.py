"""Reads the imports of Python source without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Import:
    """One imported module, `a.b.c`. `for_types` if it stands under `if TYPE_CHECKING` and never runs."""

    module: str
    line: int
    for_types: bool

    @property
    def package(self) -> str:
        """The part before the first dot."""
        return self.module.split(".")[0]


def in_folders(module: str) -> str:
    """The name of a module by its folder in the checkout: `texelscope.pipeline.plan` lies in `pipeline/`."""
    folder = module.removeprefix("texelscope.")
    return folder if folder.split(".")[0] in ("layouts", "pipeline", "viewer") else module


def imports_of(tree: ast.AST) -> list[Import]:
    """Every import, wherever it stands; `from a import b` counts as both `a` and `a.b`."""
    return list(_below(tree, for_types=False))


def _below(node: ast.AST, *, for_types: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        yield from (Import(in_folders(alias.name), node.lineno, for_types) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        names = [f"{module}.{alias.name}" for alias in node.names]
        # `from texelscope import pipeline` imports that folder, not the command line's package.
        of_folders = module == "texelscope" and all(in_folders(name) != name for name in names)
        yield from (Import(in_folders(name), node.lineno, for_types) for name in [module][of_folders:] + names)
    elif isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
        for statement in node.body:
            yield from _below(statement, for_types=True)
        for statement in node.orelse:
            yield from _below(statement, for_types=for_types)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _below(child, for_types=for_types)
