"""Extracts functions of an oracle file with their dependencies in it. The file is read, never run."""

from __future__ import annotations

import ast
from collections.abc import Collection


def only(text: str, functions: Collection[str]) -> str:
    """Returns the file's text with just those functions, their callees, and the imports and constants in use."""
    statements = [each for each in ast.parse(text).body if _defined(each)]
    needed, kept = set(functions), set[int]()
    grew = True
    while grew:
        grew = False
        for position, statement in enumerate(statements):
            if position not in kept and (_defined(statement) & needed or _is_future(statement)):
                kept.add(position)
                needed |= _used(statement)
                grew = True
    lines = text.splitlines()
    parts = [_lines(lines, statements[position]) for position in sorted(kept)]
    return "\n\n".join(parts) + "\n"


def _defined(statement: ast.stmt) -> set[str]:
    """Returns the names that a statement of the file defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).split(".")[0] for alias in statement.names}
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _used(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"


def _lines(lines: list[str], statement: ast.stmt) -> str:
    decorated = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(each.lineno for each in decorated)])
    return "\n".join(lines[first - 1 : statement.end_lineno])
