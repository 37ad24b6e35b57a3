"""Proposes forgotten factors of a value: of one summand, of a product, of the whole sum."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, scalar_of
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, put, swap

_LONGEST, _MOST = 200, 4
_SUMS, _PRODUCTS = frozenset("+-"), frozenset("*/")
_ALONE = (Identifier, FieldAccess, FunctionCall, Parenthesised, Subscript)  # fmt: skip


def factors(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of a node that is a computed number."""
    text, kind, parent = node.text, types.of(node), node.parent
    if parent is None or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    if scalar_of(kind) != "float" or is_matrix(kind) or is_in_a_table(node):
        return
    if isinstance(node, BinaryExpression):
        yield from _regrouped(node)
    if isinstance(node, _ALONE):
        yield from _as_an_operand(node, kind, types, scope)


def _regrouped(node: SyntaxNode) -> Iterator[Mutation]:
    """Turns a * b - c into the product a * (b - c)."""
    (left, right), sign = sides_of(node), node.operator
    if sign in _SUMS and left is not None and right is not None and left.operator == "*":
        first, second = sides_of(left)
        if first is not None and second is not None:
            yield swap(node, f"{first.text} * ({second.text} {sign} {right.text})")


def _as_an_operand(node: SyntaxNode, kind: str, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes a factor of an operand: a known variable, or one that its product has already."""
    parent, text = node.parent, node.text
    if parent is None:
        return
    if parent.operator in _SUMS:
        own = {each.text for each in parent.walk() if isinstance(each, Identifier | FieldAccess)}
        near = [name for name in scope.of_type(node, kind)[: 2 * _MOST] if name != text]
        for name in sorted(near, key=lambda name: name not in own)[:_MOST]:
            yield put(node, f"{text} * {name}")
    if parent.operator in _PRODUCTS and node is sides_of(parent)[1]:
        whole = _product(parent)
        factors = {each.text for each in whole.of_type(Identifier) if types.of(each) == kind}
        for name in sorted(factors)[:_MOST]:
            if parent.operator == "*":
                yield put(node, f"{text} * {name}")


def _product(node: SyntaxNode) -> SyntaxNode:
    """Returns the whole product that an operand belongs to."""
    for each in node.ancestors():
        if each.operator != "*":
            break
        node = each
    return node
