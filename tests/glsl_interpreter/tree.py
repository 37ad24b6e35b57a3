"""The parser's own tree of a text: an interpreter that others are checked with reads nothing that they read."""

from __future__ import annotations

from functools import cache

import tree_sitter
import tree_sitter_glsl


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_glsl.language()))


def parse(source: bytes) -> tree_sitter.Node:
    """The root of a text's tree."""
    return _parser().parse(source).root_node


def text_of(node: tree_sitter.Node | None) -> str:
    """A node's text; empty of none."""
    return (node.text or b"").decode() if node is not None else ""


def function_name(definition: tree_sitter.Node) -> str:
    """The name of a function, by its definition."""
    declarator = definition.child_by_field_name("declarator")
    return text_of(declarator.child_by_field_name("declarator")) if declarator is not None else ""


def declared_name(parameter: tree_sitter.Node) -> str:
    """The name of a parameter."""
    name = parameter.child_by_field_name("declarator")
    while name is not None and name.type == "array_declarator":
        name = name.child_by_field_name("declarator")
    return text_of(name)
