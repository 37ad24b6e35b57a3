"""The variables in an expression, and the expression with others in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import tree_sitter

from texelscope.pipeline.glsl.syntax import text_of

LEAVES = frozenset({"identifier", "field_expression"})


def leaves_of(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Variables in an expression, in the order of the text, fields as wholes; no names of functions."""
    if node.type in LEAVES:
        yield node
        return
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    for child in node.named_children:
        if child != called:
            yield from leaves_of(child)


def with_texts(node: tree_sitter.Node, texts: Mapping[tree_sitter.Node, str]) -> str:
    """The text of a node with others in place of some nodes in it, which do not overlap."""
    whole, start = node.text or b"", node.start_byte
    for each in sorted(texts, key=lambda place: -place.start_byte):
        whole = whole[: each.start_byte - start] + texts[each].encode() + whole[each.end_byte - start :]
    return whole.decode()


def around(node: tree_sitter.Node) -> str:
    """The text of an operand, in parentheses where something else would bind it otherwise."""
    text = text_of(node)
    return f"({text})" if node.type in ("binary_expression", "conditional_expression") else text
