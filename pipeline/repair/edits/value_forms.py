"""Forms of a value that are taken for one another: without an operand, through a function, by its lanes, guarded.

Where something was done once too often an operand goes, variables and all; where something was forgotten at a divisor,
a factor or an argument, it is done there, and not to the whole.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from pipeline.glsl.syntax import READS, arguments, function_called, parents, text_of, walk
from pipeline.repair.edits.proposal import Proposal, is_target, put, sign_of, swap
from pipeline.repair.edits.scope import Scope
from pipeline.repair.edits.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of

_LONGEST, _MOST, _GUARDS = 200, 4, 3
_SUMS, _PRODUCTS = frozenset("+-"), frozenset("*/")
_ALONE = frozenset({"identifier", "field_expression", "call_expression", "parenthesized_expression",
                    "subscript_expression"})  # fmt: skip
# What is done to an operand, and what a function of the shader is taken for.
_THROUGH = ("sqrt({0})", "({0} * {0})", "(1.0 / {0})", "exp({0})", "(1.0 - {0})", "abs({0})")
_INSTEAD = ("tanh({0})", "1.0 / (1.0 + exp(-{0}))", "max({0}, 0.0)", "exp({0})", "sqrt({0})", "({0})")
_BENT = frozenset({"exp", "exp2", "tanh", "max", "min", "log", "sinh", "atan"})
_PAIRS_OF_LANES = ("xyxy", "xxyy", "xxzz", "zzww", "zwzw", "yyww")


def value_forms(node: tree_sitter.Node, types: Types, scope: Scope) -> Iterator[Proposal]:
    """What may stand in place of a node, a number that is worked out."""
    text, kind, parent = text_of(node), types.of(node), node.parent
    if parent is None or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    if node.type == "binary_expression" and scalar_of(kind) and not is_matrix(kind):
        yield from _without_an_operand(node, kind, types)
    if scalar_of(kind) != "float" or is_matrix(kind) or is_in_a_table(node):
        return
    if node.type == "binary_expression":
        yield from _regrouped(node)
    if node.type in _ALONE:
        yield from _as_an_operand(node, kind, types, scope)
    if node.type == "call_expression":
        yield from _other_functions(node, kind, types)
    if kind == "vec4":
        yield from _by_lanes(node, types)


def _without_an_operand(node: tree_sitter.Node, kind: str, types: Types) -> Iterator[Proposal]:
    left, right, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
    if left is None or right is None or not (sign in _SUMS or sign in _PRODUCTS or sign == "%"):
        return
    if types.of(left) == kind:
        yield swap(node, text_of(left) if left.type in _ALONE else f"({text_of(left)})")
    if types.of(right) == kind and sign in ("+", "*"):
        yield swap(node, text_of(right) if right.type in _ALONE else f"({text_of(right)})")
    elif types.of(right) == kind and sign == "-":
        yield swap(node, f"(-({text_of(right)}))")


def _regrouped(node: tree_sitter.Node) -> Iterator[Proposal]:
    """Of a * b - c the product a * (b - c)."""
    left, right, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
    if sign in _SUMS and left is not None and right is not None and sign_of(left) == "*":
        first, second = left.child_by_field_name("left"), left.child_by_field_name("right")
        if first is not None and second is not None:
            yield swap(node, f"{text_of(first)} * ({text_of(second)} {sign} {text_of(right)})")


def _as_an_operand(node: tree_sitter.Node, kind: str, types: Types, scope: Scope) -> Iterator[Proposal]:
    """A function of an operand, a factor of it that is at hand, its own square, nothing where that is asked for."""
    parent, text = node.parent, text_of(node)
    if parent is None:
        return
    bare = text[1:-1] if node.type == "parenthesized_expression" else text
    is_operand = sign_of(parent) in _PRODUCTS or sign_of(parent) in _SUMS
    is_bent = parent.type == "argument_list" and function_called(parent.parent or node) in _BENT
    if not (is_operand or is_bent):
        return
    if is_bent:
        yield swap(node, f"-{text}")
    for form in _THROUGH:
        inner = bare if form.startswith(("sqrt", "exp", "abs")) else text
        yield put(node, form.format(inner))
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


def _other_functions(node: tree_sitter.Node, kind: str, types: Types) -> Iterator[Proposal]:
    """A built-in function in place of one of the shader, of one value."""
    given, name = arguments(node), function_called(node)
    if len(given) != 1 or types.function(name) != kind or types.of(given[0]) != kind or name in READS:
        return
    inner = text_of(given[0])
    for form in _INSTEAD:
        if form.startswith(("tanh", "max", "exp", "sqrt", "(")):
            yield swap(node, form.format(inner))
        else:
            yield swap(node, f"({form.format(inner if given[0].type in _ALONE else f'({inner})')})")


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
