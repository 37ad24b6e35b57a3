"""The parser and its words for constructs stay in `pipeline/glsl`: all else asks the typed tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_glsl

from tests.pure.source_tree import LIBRARY, files, syntax_of

HOME = Path("pipeline", "glsl")
PARSERS = ("tree_sitter", "tree_sitter_glsl")
# Words that others use too.
COMMON = frozenset(
    {"true", "false", "null", "comment", "identifier", "declaration", "attribute", "character", "qualifier"}
)


def kinds() -> frozenset[str]:
    """The parser's names for constructs."""
    language = tree_sitter.Language(tree_sitter_glsl.language())
    numbers = (each for each in range(language.node_kind_count) if language.node_kind_is_named(each))
    return frozenset(name for each in numbers if (name := language.node_kind_for_id(each)) and not name.startswith("_"))


def breaches(tree: ast.AST, words: frozenset[str]) -> Iterator[str]:
    """What a module says that only the home of the parser may."""
    for node in ast.walk(tree):
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from (f"{node.lineno}: imports {name}" for name in names if name.partition(".")[0] in PARSERS)  # type: ignore[attr-defined]
        if isinstance(node, ast.Attribute) and node.attr in ("child_by_field_name", "children_by_field_name"):
            yield f"{node.lineno}: calls {node.attr}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in words:
            yield f"{node.lineno}: says {node.value!r}"


def test_only_glsl_parses() -> None:
    words = kinds() - COMMON
    outside = [path for path in files((".py",), below=LIBRARY) if HOME not in path.parents]
    assert [f"{path}:{each}" for path in outside for each in breaches(syntax_of(path), words)] == []


@pytest.mark.parametrize(
    "text",
    [
        "import tree_sitter",
        "from tree_sitter import Node",
        "node.type == 'binary_expression'",
        "KINDS = {'for_statement'}",
        "node.child_by_field_name('left')",
    ],
)
def test_a_breach_is_found(text: str) -> None:
    assert len(list(breaches(ast.parse(text), kinds() - COMMON))) == 1
