"""Where a value is made: behind names, parameters and constructors; and functions that only hand values on."""

from __future__ import annotations

import re
from collections.abc import Collection

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    ConditionalExpression,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
)
from texelscope.pipeline.glsl.semantics.questions import (
    OTHER_READS,
    READS,
    declared_name,
    function_around,
    name_around,
    value_of,
)
from texelscope.pipeline.glsl.semantics.statements import (
    DoWhileLoop,
    ExpressionStatement,
    ForLoop,
    FunctionDefinition,
    IfStatement,
    InitDeclarator,
    WhileLoop,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.variables import words_of

_DECIDES = (ForLoop, WhileLoop, DoWhileLoop, IfStatement, ConditionalExpression)
_VECTOR = re.compile(r"float|vec[234]")
# From a result back to where its value is made.
_MOST_STEPS = 8


def accessors(root: SyntaxNode) -> frozenset[str]:
    """Functions that return what they read of a sampler handed to them, or what such a one returns.

    They decide nothing, and have nothing worked out into variables by another function.
    """
    found: set[str] = set()
    for _ in range(2):
        for node in root.of_type(FunctionDefinition):
            called = {each.name for each in node.of_type(FunctionCall)}
            own = called & (READS | OTHER_READS) and any("sampler" in each.text for each in node.parameters)
            stated = list(node.of_type(ExpressionStatement))
            is_plain = len(stated) <= 1 and not any(
                isinstance(child, FunctionCall) for each in stated for child in each.named_children[:1]
            )
            decides = any(isinstance(each, _DECIDES) for each in node.walk())
            if (called & found or own) and not decides and is_plain:
                found.add(node.name)
    return frozenset(found - {"main"})


def maker_of(root: SyntaxNode, node: SyntaxNode) -> SyntaxNode:
    """The expression that makes the value of `node`: behind names, parameters, and vectors of one value.

    A running sum is made where it is taken, not where something is added to it last; a variable where it is assigned,
    and where it is declared if all that follows is to hand it on to another function.
    """
    first = function_around(node)
    for _ in range(_MOST_STEPS):
        inner = _carried(node)
        function = function_around(inner)
        if not isinstance(inner, Identifier) or function is None:
            return node
        behind = _assigned(root, function, inner.text, before=inner.start_byte)
        if behind is None or (isinstance(behind.parent, InitDeclarator) and function == first):
            return node
        node = behind
    return node


def written_through(root: SyntaxNode, names: Collection[str]) -> frozenset[tuple[str, str]]:
    """Functions and their `out` parameters through which variables of these names get values, from call to call."""
    parameters = {node.name: tuple(map(_handed_out, node.parameters)) for node in root.of_type(FunctionDefinition)}
    calls = [call for call in root.of_type(FunctionCall) if any(parameters.get(call.name, ()))]
    found: frozenset[tuple[str, str]] = frozenset()
    for _ in range(_MOST_STEPS):
        more = {
            (call.name, parameter)
            for call in calls
            for argument, parameter in zip(call.arguments, parameters[call.name], strict=False)
            if parameter and (argument.text in names or (name_around(call), argument.text) in found)
        }
        if more <= found:
            break
        found |= more
    return found


def _handed_out(parameter: SyntaxNode) -> str:
    """The name of an `out` or `inout` parameter; empty for any other."""
    return declared_name(parameter) if {"out", "inout"} & {*words_of(parameter)} else ""


def _carried(node: SyntaxNode) -> SyntaxNode:
    """Within parentheses, and constructors of vectors beside numbers, the one value."""
    while isinstance(node, Parenthesised | FunctionCall):
        if isinstance(node, FunctionCall) and not _VECTOR.fullmatch(node.name):
            break
        inside = node.arguments if isinstance(node, FunctionCall) else node.named_children
        values = [each for each in inside if not isinstance(each, NumberLiteral)]
        if len(values) != 1:
            break
        node = values[0]
    return node


def _assigned(root: SyntaxNode, function: FunctionDefinition, name: str, *, before: int) -> SyntaxNode | None:
    """What a variable was given last, or a parameter by the one call; None for a running sum and for anything else."""
    last: SyntaxNode | None = None
    for node in function.of_type(InitDeclarator, Assignment):
        target = node.left if isinstance(node, Assignment) else node.declarator
        if node.start_byte < before and re.split(r"[.\[]", target.text)[0].strip() == name:
            last = node
    if last is not None:
        is_whole = isinstance(last, InitDeclarator) or last.operator == "="
        return value_of(last) if is_whole else None
    names = [declared_name(each) for each in function.parameters]
    calls = [call for call in root.of_type(FunctionCall) if call.name == function.name]
    if name not in names or len(calls) != 1 or len(calls[0].arguments) != len(names):
        return None
    return calls[0].arguments[names.index(name)]
