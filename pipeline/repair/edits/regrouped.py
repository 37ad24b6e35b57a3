"""The same parts of an expression put together otherwise: a function over another part, a division that is dropped."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, function_called, text_of
from texelscope.pipeline.repair.indices.lanes import whole_of_a_lane
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, sign_of
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_matrix, scalar_of

_SIGNS, _BOUNDS = ("+", "-", "*", "/"), frozenset({"max", "min", "clamp"})
# Of other whole numbers, the nearest so many.
_MOST = 4
_LONGEST = 200


def regrouped(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """What may stand in place of an expression."""
    text = text_of(node)
    if is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    for new in dict.fromkeys(_otherwise(node, types, scope)):
        if new != text:
            yield Mutation(node.start_byte, node.end_byte, text, new, "swapped", f"({new})")


def _otherwise(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = sign_of(node)
    kind = types.of(node)
    if left is not None and right is not None and not is_matrix(types.of(left)) and not is_matrix(types.of(right)):
        if sign in _SIGNS and scalar_of(kind) == "float":
            yield from _through(left, sign, right, types, scope)
        if sign in ("/", "%") and scalar_of(kind) == "int" and types.of(left) == kind:
            yield f"({text_of(left)})"
        if sign == "<" and right.type == "number_literal" and types.of(left) == "int":
            for other in scope.of_type(node, "int")[:_MOST]:
                yield f"({text_of(left)} <= {other})"
    yield from _out_of_bounds(node, types)
    yield from whole_of_a_lane(node, types)
    given = _only_argument(node, types, scope)
    if given is not None:
        inner = given.named_children[0] if given.type == "parenthesized_expression" else given
        a, b, inside = inner.child_by_field_name("left"), inner.child_by_field_name("right"), sign_of(inner)
        if inner.type == "binary_expression" and a is not None and b is not None and inside in _SIGNS:
            name = text_of(node.children[0])
            if types.of(a) == types.of(b) == kind:
                yield f"({name}({text_of(a)}) {inside} {_whole(b)})"
                yield f"({_whole(a)} {inside} {name}({text_of(b)}))"
    if node.type == "call_expression" and kind and _is_all_numbers(node):
        yield from (each for each in scope.of_type(node, kind)[:_MOST] if scalar_of(kind) == "int")


def _through(
    left: tree_sitter.Node, sign: str, right: tree_sitter.Node, types: Types, scope: NameScope
) -> Iterator[str]:
    """Of f(a) + b the sum under the function, and the other operand under it."""
    for call, other, is_first in ((left, right, True), (right, left, False)):
        if (bounds := _bounds(call, types)) and types.of(bounds[0]) == types.of(other):
            value, ends = _whole(bounds[0]), ", ".join(text_of(each) for each in bounds[1:])
            both = f"{value} {sign} {_whole(other)}" if is_first else f"{_whole(other)} {sign} {value}"
            yield f"{function_called(call)}({both}, {ends})"
        given = _only_argument(call, types, scope)
        if given is None or types.of(other) != types.of(given):
            continue
        name = text_of(call.children[0])
        first, second = (given, other) if is_first else (other, given)
        yield f"{name}({_whole(first)} {sign} {_whole(second)})"
        if other.type != "number_literal":
            moved = (_whole(given), f"{name}({text_of(other)})")
            yield f"({' '.join((moved[0], sign, moved[1]) if is_first else (moved[1], sign, moved[0]))})"


def _out_of_bounds(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Of max(a + b, 0) the sum with the bound at one summand."""
    bounds = _bounds(node, types)
    inner = bounds[0] if bounds else None
    if inner is None or inner.type != "binary_expression" or (sign := sign_of(inner)) not in _SIGNS:
        return
    a, b = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if a is not None and b is not None and types.of(a) == types.of(b) == types.of(node):
        name, ends = function_called(node), ", ".join(text_of(each) for each in bounds[1:])
        yield f"({name}({text_of(a)}, {ends}) {sign} {_whole(b)})"
        yield f"({_whole(a)} {sign} {name}({text_of(b)}, {ends}))"


def _bounds(call: tree_sitter.Node, types: Types) -> list[tree_sitter.Node]:
    """What a bound is set to, and its ends, where these are written out."""
    if call.type != "call_expression" or function_called(call) not in _BOUNDS or scalar_of(types.of(call)) != "float":
        return []
    given = arguments(call)
    are_written = all(each.type == "number_literal" or _is_all_numbers(each) for each in given[1:])
    return given if len(given) > 1 and are_written and types.of(given[0]) == types.of(call) else []


def _only_argument(call: tree_sitter.Node, types: Types, scope: NameScope) -> tree_sitter.Node | None:
    """What a function of one value is called with, where it gives one of the same type; no constructor, no read."""
    given = arguments(call) if call.type == "call_expression" else []
    if len(given) != 1 or scalar_of(types.of(call)) != "float" or types.of(call) != types.of(given[0]):
        return None
    name = text_of(call.children[0])
    return (
        None
        if name in ("FLOAT", "vec2", "vec3", "vec4") or (scope.is_read(call) and not types.function(name))
        else given[0]
    )


def _whole(node: tree_sitter.Node) -> str:
    text = text_of(node)
    return f"({text})" if node.type in ("binary_expression", "conditional_expression") else text


def _is_all_numbers(call: tree_sitter.Node) -> bool:
    given = arguments(call)
    return bool(given) and all(each.type == "number_literal" for each in given)
