"""A summand on the other side of a function: what is added behind an activation belongs before it.

`f(v) + b` becomes `f(v)` with `b` added where `v` is made, or right before it is used; the function may stand in
another statement, by a name.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, bare, function_around, function_called, parents, text_of, walk
from texelscope.pipeline.repair.places.leaves import around, leaves_of, with_texts
from texelscope.pipeline.repair.words.mutation import Mutation, Places, is_target, sign_of
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_matrix, lanes_of, scalar_of

_WHOLE = frozenset({"init_declarator", "assignment_expression", "return_statement", "argument_list"})
_STATEMENTS = frozenset({"expression_statement", "return_statement"})
_BOUNDS = frozenset({"max", "min", "clamp"})
_LONGEST, _LONGEST_STATEMENT = 400, 1200
# Variables of a function that something may have been meant to be added to.
_MOST = 2


def moved(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Places]:
    """What may stand in place of a sum, each with what stands otherwise at another place together with that."""
    parent, kind = node.parent, types.of(node)
    if node.type != "binary_expression" or sign_of(node) not in ("+", "-") or parent is None or is_target(node):
        return
    if parent.type not in _WHOLE or scalar_of(kind) != "float" or is_matrix(kind):
        return
    text = text_of(node)
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    for through, summand in ((left, right), *(((right, left),) if sign_of(node) == "+" else ())):
        if types.of(through) != kind or types.of(summand) not in (kind, "float"):
            continue
        added = f"{sign_of(node)} {around(summand)}"
        value = bare(through)
        if value.type == "identifier":
            for made in _given(value, text_of(value)):
                if _decides(made) and _is_known(summand, made, scope):
                    yield from ((_instead(node, text_of(value)), _instead(made, new))
                                for new in _under(made, added, types, scope))  # fmt: skip
        elif _decides(value):
            yield from _before(node, value, summand, added, types, scope)


def _before(
    node: tree_sitter.Node,
    value: tree_sitter.Node,
    summand: tree_sitter.Node,
    added: str,
    types: Types,
    scope: NameScope,
) -> Iterator[Places]:
    """The sum without the summand, which is added to a variable in it: where that is made, or right before."""
    alone = text_of(value)
    for name in _variables(value, types, scope):
        for made in [*_given(node, name)][-1:]:
            if _is_known(summand, made, scope):
                new = added.removeprefix("+ ") if _is_nothing(made) else f"{around(made)} {added}"
                yield _instead(node, alone), _instead(made, new)
        statement = next((each for each in parents(node) if each.type in _STATEMENTS), None)
        if statement is None or statement.parent is None or statement.parent.type != "compound_statement":
            continue
        old = text_of(statement)
        if len(old) <= _LONGEST_STATEMENT and "#" not in old and "//" not in old:
            sign, rest = added[:1], added[2:]
            new = f"{name} {sign}= {rest}; {with_texts(statement, {node: alone})}"
            instead = Mutation(statement.start_byte, statement.end_byte, old, new, "statement", new)
            yield ((statement, instead),)
    yield from ((_instead(node, new),) for new in _under(value, added, types, scope))


def _under(value: tree_sitter.Node, added: str, types: Types, scope: NameScope) -> Iterator[str]:
    """What decides something, with a summand added to what it decides on."""
    given = arguments(value) if value.type == "call_expression" else []
    if given and types.of(given[0]) == types.of(value) and (len(given) == 1 or function_called(value) in _BOUNDS):
        yield with_texts(value, {given[0]: f"{text_of(given[0])} {added}"})
        return
    for name in _variables(value, types, scope):
        places = {each for leaf in leaves_of(value) for each in walk(leaf) if text_of(each) == name}
        yield with_texts(value, {each: f"({name} {added})" for each in places if each.type == "identifier"})


def _variables(value: tree_sitter.Node, types: Types, scope: NameScope) -> list[str]:
    """Variables of the type of an expression that it is made of and that are no constants."""
    kind, fixed = types.of(value), types.uniforms | types.constants | {*types.macros}
    known = {name for name, own in scope.variables(value) if own == kind} - fixed
    names = (text_of(each) for leaf in leaves_of(value) for each in walk(leaf) if each.type == "identifier")
    return [name for name in dict.fromkeys(names) if name in known][:_MOST]


def _given(node: tree_sitter.Node, name: str) -> Iterator[tree_sitter.Node]:
    """What a variable is given as a whole, before a node in its function."""
    function = function_around(node)
    for each in walk(function) if function is not None else ():
        target = each.child_by_field_name("declarator") or each.child_by_field_name("left")
        value = each.child_by_field_name("value") or each.child_by_field_name("right")
        if each.type not in ("init_declarator", "assignment_expression") or target is None or value is None:
            continue
        is_whole = each.type == "init_declarator" or sign_of(each) == "="
        if is_whole and text_of(target) == name and each.end_byte < node.start_byte:
            yield value


def _decides(value: tree_sitter.Node) -> bool:
    """Whether it is no sum or product of what is in it."""
    return any(each.type == "conditional_expression" or _is_of_values(each) for each in walk(value))


def _is_of_values(node: tree_sitter.Node) -> bool:
    return node.type == "call_expression" and scalar_of(function_called(node)) == "" and bool(arguments(node))


def _is_known(summand: tree_sitter.Node, at: tree_sitter.Node, scope: NameScope) -> bool:
    """Whether what is added can be said at another place, before."""
    known = {name for name, _ in scope.variables(at)}
    own = {name for name, _ in scope.variables(summand)}
    names = {text_of(each) for leaf in leaves_of(summand) for each in walk(leaf) if each.type == "identifier"}
    return names & own <= known


def _is_nothing(value: tree_sitter.Node) -> bool:
    """Whether it is zero, of whatever type."""
    given = arguments(value) if value.type == "call_expression" else [value]
    is_made = (
        value.type != "call_expression" or lanes_of(function_called(value)) > 0 or function_called(value) == "FLOAT"
    )
    return is_made and all(each.type == "number_literal" and not text_of(each).strip("0.f") for each in given)


def _instead(node: tree_sitter.Node, new: str) -> tuple[tree_sitter.Node, Mutation]:
    return node, Mutation(node.start_byte, node.end_byte, text_of(node), new, "replaced", f"({new})")
