"""Lists the variables in an expression, and replaces them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode

LEAVES = (Identifier, FieldAccess)


def leaves_of(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yields variables in an expression in text order, fields as wholes, without names of functions."""
    if isinstance(node, LEAVES):
        yield node
        return
    called = node.callee if isinstance(node, FunctionCall) else None
    for child in node.named_children:
        if child != called:
            yield from leaves_of(child)


def with_texts(node: SyntaxNode, texts: Mapping[SyntaxNode, str]) -> str:
    """Returns the text of a node with some nodes in it replaced, which must not overlap."""
    whole, start = node.text.encode(), node.start_byte
    for each in sorted(texts, key=lambda place: -place.start_byte):
        whole = whole[: each.start_byte - start] + texts[each].encode() + whole[each.end_byte - start :]
    return whole.decode()


def around(node: SyntaxNode) -> str:
    """Returns the text of an operand, in parentheses if its operators would bind wrongly."""
    text = node.text
    return f"({text})" if isinstance(node, BinaryExpression | ConditionalExpression) else text
