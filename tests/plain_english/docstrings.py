"""Finds docstrings whose first line is no sentence, because it has no verb."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.plain_english.offence import Offence
from tests.plain_english.verbs import has_verb

RULE = "docstring without a verb"


def without_verb(file: str, tree: ast.AST) -> Iterator[Offence]:
    """Offences of the module, its classes, and its public functions other than properties."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        first = (ast.get_docstring(node) or "").partition("\n")[0]
        if first and _is_checked(node) and not has_verb(first):
            yield Offence(file, node.body[0].lineno, RULE, getattr(node, "name", "<module>"), first)


def _is_checked(node: ast.AST) -> bool:
    """A property's docstring says what its value is: a noun is enough. What is private need not be a sentence."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    is_property = any("property" in ast.unparse(decorator) for decorator in node.decorator_list)
    return not is_property and not node.name.startswith("_")
