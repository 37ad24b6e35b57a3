"""Proposes forgotten parts of an index: a variable times a size, a factor, the quotient beside a remainder."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.repair.indices.named_sizes import is_size, sizes_at
from texelscope.pipeline.repair.words.mutation import NUMBER, Mutation, is_target, put, swap

# Lanes, taps and steps that no size names.
_COUNTS = (2.0, 3.0, 4.0)
# The nearest so many variables; longer indices are skipped.
_MOST, _LONGEST = 6, 120
_WHOLE = (InitDeclarator, Assignment, ArgumentList, Subscript, ReturnStatement)  # fmt: skip
_OPERANDS = (Identifier, FieldAccess, Parenthesised, FunctionCall)
_OTHER = {"%": "/", "/": "%"}
# The largest factor or stride of a picture's side.
_LARGEST = 1 << 16


def index_terms(
    node: SyntaxNode, types: Types, scope: NameScope, numbers: tuple[float, ...], sizes: tuple[float, ...]
) -> Iterator[Mutation]:
    """Proposes additions to an integer node: an index, or an operand of one."""
    parent, text = node.parent, node.text
    if types.of(node) != "int" or parent is None or is_target(node) or len(text) > _LONGEST or "#" in text:
        return
    steps = [each for each in dict.fromkeys((*_COUNTS, *numbers, *sizes)) if each.is_integer() and 1 < each < _LARGEST]
    if isinstance(parent, _WHOLE) and sides_of(parent)[0] is not node:
        used = {each.text for each in node.walk() if isinstance(each, Identifier | FieldAccess)}
        for name in [each for each in scope.of_type(node, "int") if each not in used | {*types.macros}][:_MOST]:
            template = f"({name} * int({NUMBER}.x) + {text})"
            for step in steps:
                yield put(node, f"{name} * {int(step)} + {text}", template, (step, step))
    is_counted = isinstance(parent, BinaryExpression) and parent.operator == "*" and isinstance(node, _OPERANDS)
    if is_counted or (isinstance(parent, _WHOLE) and sides_of(parent)[0] is not node):
        for name in [each for each in scope.of_type(node, "int") if each != text and not is_size(each, types)][:_MOST]:
            for size in sizes_at(node, types, scope):
                yield put(node, f"({name} * {size} + {text})" if is_counted else f"{name} * {size} + {text}")
    if isinstance(node, _OPERANDS) and isinstance(parent, BinaryExpression) and parent.operator in ("+", "-"):
        for step in steps:
            yield put(node, f"{text} * {int(step)}", f"({text} * int({NUMBER}.x))", (step, step))
    if isinstance(parent, ArgumentList) and parent.parent is not None:
        yield from (swap(node, each) for each in _left_over(node, parent.parent) if each != text)


def _left_over(node: SyntaxNode, call: SyntaxNode) -> Iterator[str]:
    """Yields beside a % k the quotient a / k, and beside that the remainder: the other coordinate of the grid."""
    for beside in arguments(call):
        inner = bare(beside)
        if inner != node and isinstance(inner, BinaryExpression) and (sign := inner.operator) in _OTHER:
            yield f"{inner.named_children[0].text} {_OTHER[sign]} {inner.named_children[-1].text}"
