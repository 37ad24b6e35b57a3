"""Which functions an oracle file defines, read from its syntax; nothing of it runs here."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

from texelscope.pipeline.errors import TexelscopeError


@dataclass(frozen=True)
class Function:
    """A name defined at the top level. `required` are parameters without default; None if it is no plain `def`."""

    name: str
    line: int
    required: tuple[str, ...] | None


def functions_in(text: str, file: str) -> Mapping[str, Function]:
    """What the file defines at its top level, by name. Raises TexelscopeError, with the line, for a syntax error."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of a text that nobody asked to see
            module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # the last two where it is too deep
        line = f":{error.lineno}" if isinstance(error, SyntaxError) else ""
        raise TexelscopeError(
            f"{file}{line}", "Python", str(getattr(error, "msg", error)) or "a text too deep", "Correct it."
        ) from error
    found: dict[str, Function] = {}
    for node in module.body:
        for function in _defined(node):
            if not function.name.startswith("_"):
                found[function.name] = function
    return found


def _defined(node: ast.stmt) -> list[Function]:
    if isinstance(node, ast.FunctionDef):
        return [Function(node.name, node.lineno, _required(node.args))]
    if isinstance(node, ast.Assign):
        return [Function(target.id, node.lineno, None) for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.ImportFrom):
        return [Function(alias.asname or alias.name, node.lineno, None) for alias in node.names]
    return []


def _required(arguments: ast.arguments) -> tuple[str, ...]:
    positional = [*arguments.posonlyargs, *arguments.args]
    without_default = positional[: len(positional) - len(arguments.defaults)]
    keywords = [
        argument
        for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    ]
    return tuple(argument.arg for argument in [*without_default, *keywords])
