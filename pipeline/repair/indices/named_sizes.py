"""Proposes uses of a shader's named sizes: an index clamped to one, divided by one, a mean over one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import function_called, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import ForLoop, InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, scalar_of
from texelscope.pipeline.repair.text.mutation import Mutation, is_target, put, swap

# At most this many sizes, and other integers that are combined with them.
_MOST_SIZES, _MOST_INDICES = 7, 5
_LONGEST = 120
_VALUES = (InitDeclarator, Assignment, ReturnStatement)
_BOUNDED = (*_VALUES, ArgumentList, BinaryExpression)
_OPERANDS = (Identifier, FunctionCall, FieldAccess, Subscript)
_BY_SIZE = ("{0} / {1}", "{0} % {1}", "{0} / {1} * {1}", "{0} - {1} / 2", "max({0} - {1} / 2, 0)")
_MEANS = ("{0} / float({1})", "{0} * float({1})", "{0} / sqrt(float({1}))", "{0} / float(4 * {1})")
_COMPARED = ("<", "<=")
# Elements of a texel.
_LANES = 4


def named_sizes(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of an integer index, and of a float factor or summand."""
    parent, kind, text = node.parent, types.of(node), node.text
    if parent is None or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    if kind == "int" and isinstance(parent, _BOUNDED) and sides_of(parent)[0] is not node:
        yield from (put(node, each) for each in _within(node, parent, types, scope))
    if kind == "int" and isinstance(parent, _VALUES) and sides_of(parent)[0] is not node:
        yield from (swap(node, each) for each in _by_a_size(node, types, scope) if each != text)
    if kind == "int" and isinstance(parent, ArgumentList) and isinstance(node, _OPERANDS):
        for size in sizes_at(node, types, scope):
            yield from (put(node, f"{text} {sign} {size}") for sign in "-+" if size != text)
    if kind == "int" and isinstance(parent, ArgumentList) and function_called(parent.parent or node) == "FLOAT":
        yield from (put(node, f"{text} * {size}") for size in sizes_at(node, types, scope))
        if isinstance(node, Identifier | FieldAccess) or node.operator == "*":
            yield swap(node, f"{_LANES} * {text}")  # elements are counted, not texels
    is_operand = (
        isinstance(parent, BinaryExpression) and parent.operator in ("*", "+", "-") and isinstance(node, _OPERANDS)
    )
    is_value = isinstance(parent, _VALUES) and sides_of(parent)[0] is not node and not isinstance(node, NumberLiteral)
    if (is_operand or is_value) and scalar_of(kind) == "float" and not is_matrix(kind) and not is_in_a_table(node):
        whole = text if is_operand else f"({text})"
        for size in sizes_at(node, types, scope):
            yield from (put(node, form.format(whole, size)) for form in _MEANS)


def _within(node: SyntaxNode, parent: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields an index clamped to a size or to zero, and the end of a loop clamped to a size."""
    text = node.text
    if isinstance(parent, BinaryExpression):
        if parent.operator not in _COMPARED or parent.parent is None or not isinstance(parent.parent, ForLoop):
            return
        yield from (f"min({text}, {size}{' - 1' * (parent.operator == '<=')})" for size in sizes_at(node, types, scope))
        return
    if isinstance(node, NumberLiteral):
        return
    yield f"max({text}, 0)"
    yield from (f"min({text}, {size} - 1)" for size in sizes_at(node, types, scope) if size != text)


def _by_a_size(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    sizes = sizes_at(node, types, scope)
    indices = [each for each in scope.of_type(node, "int") if not is_size(each, types)]
    for index in indices[:_MOST_INDICES]:
        for size in sizes:
            yield from (form.format(index, size) for form in _BY_SIZE)


def sizes_at(node: SyntaxNode, types: Types, scope: NameScope) -> list[str]:
    """Returns the nearest names of sizes in scope at a node."""
    lane = node.text.rpartition(".")[2] if isinstance(node, FieldAccess) else ""
    found = [each for each in scope.every_of_type(node, "int") if is_size(each, types)]
    every = sorted(found, key=lambda each: each.partition(".")[0] in types.sizes)  # fields of a structure come first
    alike = [each for each in every if lane and each.endswith(f".{lane}")]  # a size along the same axis comes first
    return [*dict.fromkeys((*alike, *every))][:_MOST_SIZES]


def is_size(expression: str, types: Types) -> bool:
    """Whether it is equal for every fragment: a uniform, a constant or a macro, or made of these alone."""
    base = re.split(r"[.\[]", expression, maxsplit=1)[0]
    is_named = base in types.uniforms or base in types.constants or base in types.macros or base in types.sizes
    return is_named or expression in types.members
