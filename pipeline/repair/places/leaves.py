"""Lists the variables in an expression, and replaces them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import tree_sitter

from texelscope.pipeline.glsl.syntax import text_of

LEAVES = frozenset({"identifier", "field_expression"})


def leaves_of(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Yields variables in an expression in text order, fields as wholes, without names of functions."""
    if node.type in LEAVES:
        yield node
        return
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    for child in node.named_children:
        if child != called:
            yield from leaves_of(child)


def with_texts(node: tree_sitter.Node, texts: Mapping[tree_sitter.Node, str]) -> str:
    """Returns the text of a node with some nodes in it replaced, which must not overlap."""
    whole, start = node.text or b"", node.start_byte
    for each in sorted(texts, key=lambda place: -place.start_byte):
        whole = whole[: each.start_byte - start] + texts[each].encode() + whole[each.end_byte - start :]
    return whole.decode()


def around(node: tree_sitter.Node) -> str:
    """Returns the text of an operand, in parentheses if its operators would bind wrongly."""
    text = text_of(node)
    return f"({text})" if node.type in ("binary_expression", "conditional_expression") else text
