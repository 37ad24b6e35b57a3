"""Proposes a summand on the other side of a function: added before an activation instead of after it.

`f(v) + b` becomes `f(v)` with `b` added where `v` is computed, or right before its use; the function may be in another
statement, which a name refers to.
"""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    ConditionalExpression,
    FunctionCall,
    Identifier,
    NumberLiteral,
)
from texelscope.pipeline.glsl.semantics.questions import (
    arguments,
    bare,
    function_around,
    function_called,
    target_of,
    value_of,
)
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    ExpressionStatement,
    InitDeclarator,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.places.leaves import around, leaves_of, with_texts
from texelscope.pipeline.repair.words.mutation import Mutation, Places, is_target

_WHOLE = (InitDeclarator, Assignment, ReturnStatement, ArgumentList)
_STATEMENTS = (ExpressionStatement, ReturnStatement)
_BOUNDS = frozenset({"max", "min", "clamp"})
_LONGEST, _LONGEST_STATEMENT = 400, 1200
# The most variables of a function to which something may be added.
_MOST = 2


def moved(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Places]:
    """Proposes replacements of a sum, each with another change that belongs to it."""
    parent, kind = node.parent, types.of(node)
    if not isinstance(node, BinaryExpression) or node.operator not in ("+", "-") or parent is None or is_target(node):
        return
    if not isinstance(parent, _WHOLE) or scalar_of(kind) != "float" or is_matrix(kind):
        return
    text = node.text
    left, right = node.left, node.right
    if len(text) > _LONGEST or "#" in text or "//" in text:
        return
    for through, summand in ((left, right), *(((right, left),) if node.operator == "+" else ())):
        if types.of(through) != kind or types.of(summand) not in (kind, "float"):
            continue
        added = f"{node.operator} {around(summand)}"
        value = bare(through)
        if isinstance(value, Identifier):
            for made in _given(value, value.text):
                if _decides(made) and _is_known(summand, made, scope):
                    yield from ((_instead(node, value.text), _instead(made, new))
                                for new in _under(made, added, types, scope))  # fmt: skip
        elif _decides(value):
            yield from _before(node, value, summand, added, types, scope)


def _before(
    node: SyntaxNode,
    value: SyntaxNode,
    summand: SyntaxNode,
    added: str,
    types: Types,
    scope: NameScope,
) -> Iterator[Places]:
    """Proposes to add the summand to a variable in the sum instead: where that is computed, or right before."""
    alone = value.text
    for name in _variables(value, types, scope):
        for made in [*_given(node, name)][-1:]:
            if _is_known(summand, made, scope):
                new = added.removeprefix("+ ") if _is_nothing(made) else f"{around(made)} {added}"
                yield _instead(node, alone), _instead(made, new)
        statement = node.enclosing(*_STATEMENTS)
        if statement is None or statement.parent is None or not isinstance(statement.parent, CompoundStatement):
            continue
        old = statement.text
        if len(old) <= _LONGEST_STATEMENT and "#" not in old and "//" not in old:
            sign, rest = added[:1], added[2:]
            new = f"{name} {sign}= {rest}; {with_texts(statement, {node: alone})}"
            instead = Mutation(statement.start_byte, statement.end_byte, old, new, "statement", new)
            yield ((statement, instead),)
    yield from ((_instead(node, new),) for new in _under(value, added, types, scope))


def _under(value: SyntaxNode, added: str, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields a choice with a summand added to the values that it compares."""
    given = arguments(value) if isinstance(value, FunctionCall) else []
    if given and types.of(given[0]) == types.of(value) and (len(given) == 1 or function_called(value) in _BOUNDS):
        yield with_texts(value, {given[0]: f"{given[0].text} {added}"})
        return
    for name in _variables(value, types, scope):
        places = {each for leaf in leaves_of(value) for each in leaf.walk() if each.text == name}
        yield with_texts(value, {each: f"({name} {added})" for each in places if isinstance(each, Identifier)})


def _variables(value: SyntaxNode, types: Types, scope: NameScope) -> list[str]:
    """Returns variables in an expression that have its type and are not constants."""
    kind, fixed = types.of(value), types.uniforms | types.constants | {*types.macros}
    known = {name for name, own in scope.variables(value) if own == kind} - fixed
    names = (each.text for leaf in leaves_of(value) for each in leaf.of_type(Identifier))
    return [name for name in dict.fromkeys(names) if name in known][:_MOST]


def _given(node: SyntaxNode, name: str) -> Iterator[SyntaxNode]:
    """Yields whole values that a variable is assigned before a node in its function."""
    function = function_around(node)
    for each in function.of_type(InitDeclarator, Assignment) if function is not None else ():
        target, value = target_of(each), value_of(each)
        if target is None or value is None:
            continue
        is_whole = isinstance(each, InitDeclarator) or each.operator == "="
        if is_whole and target.text == name and each.end_byte < node.start_byte:
            yield value


def _decides(value: SyntaxNode) -> bool:
    """Whether it is not a sum or product of its parts."""
    return any(isinstance(each, ConditionalExpression) or _is_of_values(each) for each in value.walk())


def _is_of_values(node: SyntaxNode) -> bool:
    return isinstance(node, FunctionCall) and scalar_of(function_called(node)) == "" and bool(arguments(node))


def _is_known(summand: SyntaxNode, at: SyntaxNode, scope: NameScope) -> bool:
    """Whether the summand can be written at another place, before."""
    known = {name for name, _ in scope.variables(at)}
    own = {name for name, _ in scope.variables(summand)}
    names = {each.text for leaf in leaves_of(summand) for each in leaf.of_type(Identifier)}
    return names & own <= known


def _is_nothing(value: SyntaxNode) -> bool:
    """Whether it is zero, of any type."""
    given = arguments(value) if isinstance(value, FunctionCall) else [value]
    is_made = (
        not isinstance(value, FunctionCall) or lanes_of(function_called(value)) > 0 or function_called(value) == "FLOAT"
    )
    return is_made and all(isinstance(each, NumberLiteral) and not each.text.strip("0.f") for each in given)


def _instead(node: SyntaxNode, new: str) -> tuple[SyntaxNode, Mutation]:
    return node, Mutation(node.start_byte, node.end_byte, node.text, new, "replaced", f"({new})")
