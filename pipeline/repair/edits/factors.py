"""Factors of a value that were forgotten: one of a summand, one more of a product, one that the whole sum has."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import parents, text_of, walk
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, put, sign_of, swap
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_in_a_table, is_matrix, scalar_of

_LONGEST, _MOST = 200, 4
_SUMS, _PRODUCTS = frozenset("+-"), frozenset("*/")
_ALONE = frozenset({"identifier", "field_expression", "call_expression", "parenthesized_expression",
                    "subscript_expression"})  # fmt: skip


def factors(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """What may stand in place of a node, a number that is worked out."""
    text, kind, parent = text_of(node), types.of(node), node.parent
    if parent is None or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    if scalar_of(kind) != "float" or is_matrix(kind) or is_in_a_table(node):
        return
    if node.type == "binary_expression":
        yield from _regrouped(node)
    if node.type in _ALONE:
        yield from _as_an_operand(node, kind, types, scope)


def _regrouped(node: tree_sitter.Node) -> Iterator[Mutation]:
    """Of a * b - c the product a * (b - c)."""
    left, right, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
    if sign in _SUMS and left is not None and right is not None and sign_of(left) == "*":
        first, second = left.child_by_field_name("left"), left.child_by_field_name("right")
        if first is not None and second is not None:
            yield swap(node, f"{text_of(first)} * ({text_of(second)} {sign} {text_of(right)})")


def _as_an_operand(node: tree_sitter.Node, kind: str, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """A factor of an operand that is at hand, or stands in its product already."""
    parent, text = node.parent, text_of(node)
    if parent is None:
        return
    if sign_of(parent) in _SUMS:
        own = {text_of(each) for each in walk(parent) if each.type in ("identifier", "field_expression")}
        near = [name for name in scope.of_type(node, kind)[: 2 * _MOST] if name != text]
        for name in sorted(near, key=lambda name: name not in own)[:_MOST]:
            yield put(node, f"{text} * {name}")
    if sign_of(parent) in _PRODUCTS and node == parent.child_by_field_name("right"):
        whole = _product(parent)
        factors = {text_of(each) for each in walk(whole) if each.type == "identifier" and types.of(each) == kind}
        for name in sorted(factors)[:_MOST]:
            if sign_of(parent) == "*":
                yield put(node, f"{text} * {name}")


def _product(node: tree_sitter.Node) -> tree_sitter.Node:
    """The whole product that an operand of one is in."""
    for each in parents(node):
        if sign_of(each) != "*":
            break
        node = each
    return node
