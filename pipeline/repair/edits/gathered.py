"""What several values are gathered by where all are written out: their largest, their smallest, their sum or mean."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, bare, function_called, text_of
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, sign_of, swap
from texelscope.pipeline.repair.words.types import Types, is_matrix, scalar_of

# Members of a window that somebody writes out; two alone are other modules' to exchange.
_FEWEST, _MOST = 3, 16
_LONGEST = 400
_ENDS = ("max", "min")


def gathered(node: tree_sitter.Node, types: Types) -> Iterator[Mutation]:
    """What may stand in place of a whole expression."""
    text, kind = text_of(node), types.of(node)
    if is_target(node) or scalar_of(kind) != "float" or is_matrix(kind) or len(text) > _LONGEST or "#" in text:
        return
    parent = node.parent
    if parent is not None and parent.type in ("binary_expression", "parenthesized_expression"):
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


def _lengths(node: tree_sitter.Node, types: Types, kind: str) -> Iterator[str]:
    """Of |a| + |b| the root of the sum of squares, and of that the other."""
    is_root = node.type == "call_expression" and function_called(node) == "sqrt"
    found = _of_sum(bare(arguments(node)[0] if is_root and len(arguments(node)) == 1 else node))
    if len(found) < 2 or any(types.of(each) != kind for each in found):
        return
    if is_root:
        pairs = [[text_of(part) for part in each.named_children] for each in found if sign_of(each) == "*"]
        if len(pairs) == len(found) and all(len(pair) == 2 and pair[0] == pair[1] for pair in pairs):
            yield " + ".join(f"abs({pair[0]})" for pair in pairs)
        return
    sides = [
        text_of(arguments(each)[0])
        for each in found
        if each.type == "call_expression" and function_called(each) == "abs" and len(arguments(each)) == 1
    ]
    if len(sides) == len(found):
        yield f"sqrt({' + '.join(f'{side} * {side}' for side in (_enclosed(each) for each in sides))})"


def _members(node: tree_sitter.Node, types: Types, kind: str) -> tuple[str, list[str]]:
    """By what an expression gathers values of its own type, and these."""
    name = function_called(node) if node.type == "call_expression" else ""
    if name in _ENDS:
        return name, _of_calls(node, name)
    inner, is_mean = bare(node), False
    left, right, sign = inner.child_by_field_name("left"), inner.child_by_field_name("right"), sign_of(inner)
    if sign in ("*", "/") and left is not None and right is not None:
        for one, other in ((left, right), (right, left))[: 1 if sign == "/" else 2]:
            if other.type == "number_literal":
                inner, is_mean = bare(one), True
                break
    found = _of_sum(inner)
    are_alike = all(types.of(each) == kind and each.type != "number_literal" for each in found)
    return ("mean" if is_mean else "sum"), [text_of(each) for each in found] if are_alike else []


def _of_calls(node: tree_sitter.Node, name: str) -> list[str]:
    given = arguments(node)
    if node.type != "call_expression" or function_called(node) != name or len(given) != 2:
        return [text_of(node)] if node.type != "number_literal" else []
    return [each for part in given for each in _of_calls(part, name)]


def _of_sum(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if sign_of(node) != "+" or left is None or right is None:
        return [node]
    return [*_of_sum(left), *_of_sum(right)]


def _nested(name: str, members: list[str]) -> str:
    if len(members) == 1:
        return members[0]
    half = len(members) // 2
    return f"{name}({_nested(name, members[:half])}, {_nested(name, members[half:])})"


def _enclosed(text: str) -> str:
    return text if all(letter.isalnum() or letter in "._" for letter in text) else f"({text})"
