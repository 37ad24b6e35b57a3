"""Forms of a value that are taken for one another: two lanes for four, a factor more or within, nothing where asked."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from pipeline.glsl.syntax import arguments, function_called, parents, text_of, walk
from pipeline.repair.edits.proposal import Proposal, is_target, put, sign_of, swap
from pipeline.repair.edits.scope import Scope
from pipeline.repair.edits.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of

_LONGEST, _MOST, _GUARDS = 200, 4, 3
_SUMS, _PRODUCTS = frozenset("+-"), frozenset("*/")
_ALONE = frozenset({"identifier", "field_expression", "call_expression", "parenthesized_expression",
                    "subscript_expression"})  # fmt: skip
_PAIRS_OF_LANES = ("xyxy", "xxyy", "xxzz", "zzww", "zwzw", "yyww")


def value_forms(node: tree_sitter.Node, types: Types, scope: Scope) -> Iterator[Proposal]:
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
    if kind == "vec4":
        yield from _by_lanes(node, types)


def _regrouped(node: tree_sitter.Node) -> Iterator[Proposal]:
    """Of a * b - c the product a * (b - c)."""
    left, right, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
    if sign in _SUMS and left is not None and right is not None and sign_of(left) == "*":
        first, second = left.child_by_field_name("left"), left.child_by_field_name("right")
        if first is not None and second is not None:
            yield swap(node, f"{text_of(first)} * ({text_of(second)} {sign} {text_of(right)})")


def _as_an_operand(node: tree_sitter.Node, kind: str, types: Types, scope: Scope) -> Iterator[Proposal]:
    """A factor of an operand that is at hand or stands in its product already, and nothing where that is asked for."""
    parent, text = node.parent, text_of(node)
    if parent is None:
        return
    bare = text[1:-1] if node.type == "parenthesized_expression" else text
    if sign_of(parent) in _SUMS:
        own = {text_of(each) for each in walk(parent) if each.type in ("identifier", "field_expression")}
        near = [name for name in scope.of_type(node, kind)[: 2 * _MOST] if name != text]
        for name in sorted(near, key=lambda name: name not in own)[:_MOST]:
            yield put(node, f"{text} * {name}")
        for asked in scope.of_type(node, "bool")[:_GUARDS]:
            yield put(node, f"({asked} ? {bare} : {kind}(0.0))")
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


def _by_lanes(node: tree_sitter.Node, types: Types) -> Iterator[Proposal]:
    """Two lanes for four, as rows or columns of two by two have them."""
    given = arguments(node) if node.type == "call_expression" else []
    if function_called(node) == "vec4" and len(given) == 1 and given[0].type == "field_expression":
        base = given[0].child_by_field_name("argument")
        if base is not None and lanes_of(types.of(base)) == 4:
            name = text_of(base)
            yield from (swap(node, f"{name}.{lanes}") for lanes in _PAIRS_OF_LANES)
            yield swap(node, name)
        return
    parent = node.parent
    is_used = parent is not None and (sign_of(parent) in _SUMS | _PRODUCTS or parent.type == "init_declarator")
    if is_used and node.type in ("identifier", "call_expression") and function_called(node) != "vec4":
        yield from (swap(node, f"{text_of(node)}.{lanes}") for lanes in _PAIRS_OF_LANES)
