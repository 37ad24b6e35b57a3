"""Proposes other groupings of an expression: a function over another part, a division dropped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    ConditionalExpression,
    FunctionCall,
    NumberLiteral,
    Parenthesised,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, function_called, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, scalar_of
from texelscope.pipeline.repair.indices.lanes import whole_of_a_lane
from texelscope.pipeline.repair.words.mutation import Mutation, is_target

_SIGNS, _BOUNDS = ("+", "-", "*", "/"), frozenset({"max", "min", "clamp"})
# The nearest so many other integers.
_MOST = 4
_LONGEST = 200


def regrouped(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of an expression."""
    text = node.text
    if is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    for new in dict.fromkeys(_otherwise(node, types, scope)):
        if new != text:
            yield Mutation(node.start_byte, node.end_byte, text, new, "swapped", f"({new})")


def _otherwise(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    left, right = sides_of(node)
    sign = node.operator
    kind = types.of(node)
    if left is not None and right is not None and not is_matrix(types.of(left)) and not is_matrix(types.of(right)):
        if sign in _SIGNS and scalar_of(kind) == "float":
            yield from _through(left, sign, right, types, scope)
        if sign in ("/", "%") and scalar_of(kind) == "int" and types.of(left) == kind:
            yield f"({left.text})"
        if sign == "<" and isinstance(right, NumberLiteral) and types.of(left) == "int":
            for other in scope.of_type(node, "int")[:_MOST]:
                yield f"({left.text} <= {other})"
    yield from _out_of_bounds(node, types)
    yield from whole_of_a_lane(node, types)
    given = _only_argument(node, types, scope)
    if given is not None:
        inner = given.named_children[0] if isinstance(given, Parenthesised) else given
        a, b = sides_of(inner)
        inside = inner.operator
        if isinstance(inner, BinaryExpression) and a is not None and b is not None and inside in _SIGNS:
            name = node.children[0].text
            if types.of(a) == types.of(b) == kind:
                yield f"({name}({a.text}) {inside} {_whole(b)})"
                yield f"({_whole(a)} {inside} {name}({b.text}))"
    if isinstance(node, FunctionCall) and kind and _is_all_numbers(node):
        yield from (each for each in scope.of_type(node, kind)[:_MOST] if scalar_of(kind) == "int")


def _through(left: SyntaxNode, sign: str, right: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Turns f(a) + b into the function of the sum, and into the sum with the function of the other operand."""
    for call, other, is_first in ((left, right, True), (right, left, False)):
        if (bounds := _bounds(call, types)) and types.of(bounds[0]) == types.of(other):
            value, ends = _whole(bounds[0]), ", ".join(each.text for each in bounds[1:])
            both = f"{value} {sign} {_whole(other)}" if is_first else f"{_whole(other)} {sign} {value}"
            yield f"{function_called(call)}({both}, {ends})"
        given = _only_argument(call, types, scope)
        if given is None or types.of(other) != types.of(given):
            continue
        name = call.children[0].text
        first, second = (given, other) if is_first else (other, given)
        yield f"{name}({_whole(first)} {sign} {_whole(second)})"
        if not isinstance(other, NumberLiteral):
            moved = (_whole(given), f"{name}({other.text})")
            yield f"({' '.join((moved[0], sign, moved[1]) if is_first else (moved[1], sign, moved[0]))})"


def _out_of_bounds(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Turns max(a + b, 0) into a sum with the bound at one summand."""
    bounds = _bounds(node, types)
    inner = bounds[0] if bounds else None
    if not isinstance(inner, BinaryExpression) or (sign := inner.operator) not in _SIGNS:
        return
    a, b = inner.left, inner.right
    if types.of(a) == types.of(b) == types.of(node):
        name, ends = function_called(node), ", ".join(each.text for each in bounds[1:])
        yield f"({name}({a.text}, {ends}) {sign} {_whole(b)})"
        yield f"({_whole(a)} {sign} {name}({b.text}, {ends}))"


def _bounds(call: SyntaxNode, types: Types) -> Sequence[SyntaxNode]:
    """Returns what is clamped, and the bounds, if these are written out."""
    if (
        not isinstance(call, FunctionCall)
        or function_called(call) not in _BOUNDS
        or scalar_of(types.of(call)) != "float"
    ):
        return []
    given = arguments(call)
    are_written = all(isinstance(each, NumberLiteral) or _is_all_numbers(each) for each in given[1:])
    return given if len(given) > 1 and are_written and types.of(given[0]) == types.of(call) else []


def _only_argument(call: SyntaxNode, types: Types, scope: NameScope) -> SyntaxNode | None:
    """Returns the only argument of a function with a result of the same type; no constructor, no read."""
    given = arguments(call) if isinstance(call, FunctionCall) else []
    if len(given) != 1 or scalar_of(types.of(call)) != "float" or types.of(call) != types.of(given[0]):
        return None
    name = call.children[0].text
    return (
        None
        if name in ("FLOAT", "vec2", "vec3", "vec4") or (scope.is_read(call) and not types.function(name))
        else given[0]
    )


def _whole(node: SyntaxNode) -> str:
    text = node.text
    return f"({text})" if isinstance(node, BinaryExpression | ConditionalExpression) else text


def _is_all_numbers(call: SyntaxNode) -> bool:
    given = arguments(call)
    return bool(given) and all(isinstance(each, NumberLiteral) for each in given)
