"""Proposes other combinations of values that are written out: maximum, minimum, sum or mean."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import BinaryExpression, FunctionCall, NumberLiteral, Parenthesised
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called, sides_of
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, scalar_of
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, swap

# Sizes of a written-out window; other operators exchange two values.
_FEWEST, _MOST = 3, 16
_LONGEST = 400
_ENDS = ("max", "min")


def gathered(node: SyntaxNode, types: Types) -> Iterator[Mutation]:
    """Proposes replacements of a whole expression."""
    text, kind = node.text, types.of(node)
    if is_target(node) or scalar_of(kind) != "float" or is_matrix(kind) or len(text) > _LONGEST or "#" in text:
        return
    parent = node.parent
    if parent is not None and isinstance(parent, BinaryExpression | Parenthesised):
        return
    yield from (swap(node, new) for new in _lengths(node, types, kind))
    own, members = _members(node, types, kind)
    if not _FEWEST <= len(members) <= _MOST:
        return
    for name in _ENDS:
        if name != own:
            yield swap(node, _nested(name, members))
    whole = " + ".join(members)
    if own != "mean":
        yield swap(node, f"({whole}) / {float(len(members))}")
    if own in _ENDS:
        yield swap(node, f"({whole})")


def _lengths(node: SyntaxNode, types: Types, kind: str) -> Iterator[str]:
    """Yields the root of the sum of squares for |a| + |b|, and the other way round."""
    is_root = isinstance(node, FunctionCall) and function_called(node) == "sqrt"
    found = _of_sum(bare(arguments(node)[0] if is_root and len(arguments(node)) == 1 else node))
    if len(found) < 2 or any(types.of(each) != kind for each in found):
        return
    if is_root:
        pairs = [[part.text for part in each.named_children] for each in found if each.operator == "*"]
        if len(pairs) == len(found) and all(len(pair) == 2 and pair[0] == pair[1] for pair in pairs):
            yield " + ".join(f"abs({pair[0]})" for pair in pairs)
        return
    sides = [
        (arguments(each)[0]).text
        for each in found
        if isinstance(each, FunctionCall) and function_called(each) == "abs" and len(arguments(each)) == 1
    ]
    if len(sides) == len(found):
        yield f"sqrt({' + '.join(f'{side} * {side}' for side in (_enclosed(each) for each in sides))})"


def _members(node: SyntaxNode, types: Types, kind: str) -> tuple[str, list[str]]:
    """Returns by what an expression combines values of its own type, and these."""
    name = function_called(node) if isinstance(node, FunctionCall) else ""
    if name in _ENDS:
        return name, _of_calls(node, name)
    inner, is_mean = bare(node), False
    (left, right), sign = sides_of(inner), inner.operator
    if sign in ("*", "/") and left is not None and right is not None:
        for one, other in ((left, right), (right, left))[: 1 if sign == "/" else 2]:
            if isinstance(other, NumberLiteral):
                inner, is_mean = bare(one), True
                break
    found = _of_sum(inner)
    are_alike = all(types.of(each) == kind and not isinstance(each, NumberLiteral) for each in found)
    return ("mean" if is_mean else "sum"), [each.text for each in found] if are_alike else []


def _of_calls(node: SyntaxNode, name: str) -> list[str]:
    given = arguments(node)
    if not isinstance(node, FunctionCall) or function_called(node) != name or len(given) != 2:
        return [node.text] if not isinstance(node, NumberLiteral) else []
    return [each for part in given for each in _of_calls(part, name)]


def _of_sum(node: SyntaxNode) -> list[SyntaxNode]:
    left, right = sides_of(node)
    if node.operator != "+" or left is None or right is None:
        return [node]
    return [*_of_sum(left), *_of_sum(right)]


def _nested(name: str, members: list[str]) -> str:
    if len(members) == 1:
        return members[0]
    half = len(members) // 2
    return f"{name}({_nested(name, members[:half])}, {_nested(name, members[half:])})"


def _enclosed(text: str) -> str:
    return text if all(letter.isalnum() or letter in "._" for letter in text) else f"({text})"
