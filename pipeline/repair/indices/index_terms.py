"""Proposes forgotten parts of an index: a variable times a size, a factor, the quotient beside a remainder.

To the start of an index belong those of its block, the size of another block, and the step of its groups.
"""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, declared_name, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import ForLoop, InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.repair.indices.index import Index
from texelscope.pipeline.repair.indices.named_sizes import is_size, sizes_at
from texelscope.pipeline.repair.text.mutation import NUMBER, Mutation, is_target, put, swap

# The nearest so many variables, and names of sizes.
_MOST_STARTS, _MOST_SIZES = 4, 4
# A window has at most this many taps along an axis.
_WIDEST = 16
# Lanes, taps and steps that no size names.
_COUNTS = (2.0, 3.0, 4.0)
# The nearest so many variables; longer indices are skipped.
_MOST, _LONGEST = 6, 120
_WHOLE = (InitDeclarator, Assignment, ArgumentList, Subscript, ReturnStatement)  # fmt: skip
_OPERANDS = (Identifier, FieldAccess, Parenthesised, FunctionCall)
_OTHER = {"%": "/", "/": "%"}
# The largest factor or stride of a picture's side.
_LARGEST = 1 << 16


def added(index: Index) -> Iterator[Mutation]:
    """Proposes an index, or a part of one, with an addend."""
    node, parent = index.node, index.node.parent
    if parent is None or isinstance(node, NumberLiteral):
        return
    if index.is_whole and not index.is_fixed(node):
        used = {each.text for each in node.walk() if isinstance(each, Identifier | FieldAccess)}
        nearest = dict.fromkeys((*_turned(index), *index.variables(2 * _MOST_STARTS)))
        names = [each for each in nearest if each not in used][:_MOST_STARTS]
        if index.lanes > 1:
            yield from (index.as_index(f"{name} + {index.summand}") for name in names)
        elif index.scalar == "float":
            sizes = sorted(index.sizes(2 * _MOST_SIZES), key=lambda size: "." in size)[:_MOST_SIZES]
            yield from (index.as_moved(f"{name} * {size} + {index.summand}") for name in names for size in sizes)
    if parent.operator in ("+", "-") and index.lanes == 1:
        yield from _as_a_summand(index)


def _as_a_summand(index: Index) -> Iterator[Mutation]:
    node, text = index.node, index.text
    if isinstance(node, Identifier | FieldAccess) and index.is_fixed(node):
        yield from (index.as_index(f"{text} + {size}") for size in index.sizes(_MOST_SIZES))
    if node.operator in ("/", "%"):
        for step in index.steps:
            yield index.as_moved(f"{text} * {index.shown(step)}", f"{text} * {index.one}", step)
        yield from (index.as_moved(f"{text} * {size}") for size in index.sizes(_MOST_SIZES))
    if isinstance(node, Identifier) and index.kind == "int" and index.text in _turned(index):
        for step in (each for each in index.steps if each <= _WIDEST):
            yield index.as_moved(f"{step - 1} - {text}", f"{index.one} - {text}", step - 1.0)


def _turned(index: Index) -> list[str]:
    """Returns counters, of its type, of the loops around it."""
    starts = (each.initializer for each in index.node.ancestors() if isinstance(each, ForLoop))
    inside = (each for start in starts if start is not None for each in start.walk())
    names = (declared_name(each) for each in inside if isinstance(each, InitDeclarator))
    return [name for name in names if index.types.at(index.node, name) == index.kind]


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
