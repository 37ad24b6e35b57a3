"""Proposes conditions: a value only where something holds, and a condition with one more part."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import function_around, names_in
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import DoWhileLoop, ForLoop, IfStatement, WhileLoop
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.indices.named_sizes import sizes_at
from texelscope.pipeline.repair.text.mutation import Mutation, is_target, put

# The nearest so many conditions known at a place, and sizes of which an index may be a multiple.
_MOST, _MOST_SIZES = 4, 2
_LONGEST = 200
_COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!="})
_VALUES = (Identifier, FunctionCall, FieldAccess, Subscript)
_JOINED = frozenset({"&&", "||"})
_ASKING = (IfStatement, ConditionalExpression)
_LOOPS = (ForLoop, WhileLoop, DoWhileLoop)


def guards(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of a summand, of a condition, or of one of its operands."""
    text, parent = node.text, node.parent
    if parent is None or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    kind = types.of(node)
    made: Iterator[str]
    if kind == "bool":
        made = itertools.chain(_turned(node), _with_one_more(node, types, scope))
    elif scalar_of(kind) == "float" and not is_matrix(kind) and not is_in_a_table(node) and _is_summand(node):
        nothing = "0.0" if lanes_of(kind) == 1 else f"{kind}(0.0)"
        made = (f"({each} ? {text} : {nothing})" for each in _conditions(node, scope))
    else:
        return
    yield from (put(node, new) for new in dict.fromkeys(made) if new != text)


def _is_summand(node: SyntaxNode) -> bool:
    """Whether a value is added to something."""
    parent = node.parent
    if not isinstance(node, _VALUES) or parent is None:
        return False
    if isinstance(parent, Assignment):
        return parent.operator == "+="
    return isinstance(parent, BinaryExpression) and parent.operator == "+"


def _turned(node: SyntaxNode) -> Iterator[str]:
    """Yields the negation of a condition's operand; whole conditions are negated by `statements`."""
    parent = node.parent
    if parent is not None and parent.operator in _JOINED and isinstance(node, _VALUES):
        yield f"!{node.text}"


def _with_one_more(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields a condition with one more: another known at that place, or that an index is a multiple of a size."""
    if not _is_asked(node) or isinstance(node, Parenthesised):
        return
    text = node.text
    inside = {each.text for each in node.walk()}
    whole = text if isinstance(node, _VALUES) or node.operator not in _JOINED else f"({text})"
    for other in _conditions(node, scope):
        if other not in inside:
            yield from (f"{whole} {sign} {other}" for sign in ("&&", "||"))
    signs = {each.operator for each in node.walk() if each.operator in _JOINED}
    for value in dict.fromkeys(_compared(node)):
        kind, text = types.of(value), value.text
        rests = [f"{text} % {size}" for size in (*sizes_at(node, types, scope)[:_MOST_SIZES], "2")]
        for rest, nothing in ((each, "0") for each in rests if kind == "int"):
            yield from _joined(whole, signs, f"{rest} != {nothing}", f"{rest} == {nothing}")
        if kind == "float":
            yield from _joined(whole, signs, f"fract({text}) > 0.0", f"fract({text}) == 0.0")


def _joined(whole: str, signs: set[str], either: str, both: str) -> Iterator[str]:
    """Yields a condition joined with one test or its opposite, depending on its operators."""
    if "&&" not in signs:
        yield f"{whole} || {either}"
    if "||" not in signs:
        yield f"{whole} && {both}"


def _compared(node: SyntaxNode) -> Iterator[SyntaxNode]:
    for each in node.of_type(BinaryExpression):
        if each.operator in _COMPARING and isinstance(each.left, Identifier | FieldAccess):
            yield each.left


def _is_asked(node: SyntaxNode) -> bool:
    """Whether it is the whole condition of an `if` or a choice."""
    around = node.parent
    while around is not None and isinstance(around, Parenthesised):
        node, around = around, around.parent
    return around is not None and isinstance(around, _ASKING) and around.condition == node


def _conditions(node: SyntaxNode, scope: NameScope) -> Iterator[str]:
    """Yields Booleans known at a node, and comparisons of known values that its function makes."""
    names = {name for name, _ in scope.variables(node)}
    known = [name for name, kind in scope.variables(node) if kind == "bool"]
    function = function_around(node)
    for each in function.walk() if function is not None else ():
        used = {*names_in(each)}
        if each.operator in _COMPARING and used <= names and not _is_a_loop_s(each):
            known.append(each.text)
    own = node.text
    yield from [each for each in dict.fromkeys(known) if own not in each and each not in own][:_MOST]


def _is_a_loop_s(comparison: SyntaxNode) -> bool:
    around = comparison.parent
    return around is not None and isinstance(around, _LOOPS)
