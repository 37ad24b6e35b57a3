"""What holds for a part of the picture alone: a value where something is so, and a condition with one more part."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import function_around, text_of, walk
from texelscope.pipeline.repair.indices.named_sizes import sizes_at
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, put, sign_of
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of

# Of conditions that are known at a place, the nearest so many; of sizes that an index is a multiple of.
_MOST, _MOST_SIZES = 4, 2
_LONGEST = 200
_COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!="})
_VALUES = frozenset({"identifier", "call_expression", "field_expression", "subscript_expression"})
_JOINED = frozenset({"&&", "||"})
_ASKING = frozenset({"if_statement", "conditional_expression"})
_LOOPS = frozenset({"for_statement", "while_statement", "do_statement"})


def guards(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """What may stand in place of a summand, of an operand of a condition, or of a condition."""
    text, parent = text_of(node), node.parent
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


def _is_summand(node: tree_sitter.Node) -> bool:
    """Whether a value is added to something."""
    parent = node.parent
    if node.type not in _VALUES or parent is None:
        return False
    if parent.type == "assignment_expression":
        return any(child.type == "+=" for child in parent.children)
    return parent.type == "binary_expression" and sign_of(parent) == "+"


def _turned(node: tree_sitter.Node) -> Iterator[str]:
    """The opposite of an operand of a condition; of a whole one a statement says so."""
    parent = node.parent
    if parent is not None and sign_of(parent) in _JOINED and node.type in _VALUES:
        yield f"!{text_of(node)}"


def _with_one_more(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    """A whole condition, and another that is known there, or that an index is a multiple of something."""
    if not _is_asked(node) or node.type == "parenthesized_expression":
        return
    text = text_of(node)
    inside = {text_of(each) for each in walk(node)}
    whole = text if node.type in _VALUES or sign_of(node) not in _JOINED else f"({text})"
    for other in _conditions(node, scope):
        if other not in inside:
            yield from (f"{whole} {sign} {other}" for sign in ("&&", "||"))
    signs = {sign_of(each) for each in walk(node) if sign_of(each) in _JOINED}
    for value in dict.fromkeys(_compared(node)):
        kind, text = types.of(value), text_of(value)
        rests = [f"{text} % {size}" for size in (*sizes_at(node, types, scope)[:_MOST_SIZES], "2")]
        for rest, nothing in ((each, "0") for each in rests if kind == "int"):
            yield from _joined(whole, signs, f"{rest} != {nothing}", f"{rest} == {nothing}")
        if kind == "float":
            yield from _joined(whole, signs, f"fract({text}) > 0.0", f"fract({text}) == 0.0")


def _joined(whole: str, signs: set[str], either: str, both: str) -> Iterator[str]:
    """A condition or the one, where it is of such; and the other, where it is of those."""
    if "&&" not in signs:
        yield f"{whole} || {either}"
    if "||" not in signs:
        yield f"{whole} && {both}"


def _compared(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for each in walk(node):
        left = each.child_by_field_name("left") if sign_of(each) in _COMPARING else None
        if left is not None and left.type in ("identifier", "field_expression"):
            yield left


def _is_asked(node: tree_sitter.Node) -> bool:
    """Whether it is all that an `if` or a choice asks."""
    around = node.parent
    while around is not None and around.type == "parenthesized_expression":
        node, around = around, around.parent
    return around is not None and around.type in _ASKING and around.child_by_field_name("condition") == node


def _conditions(node: tree_sitter.Node, scope: NameScope) -> Iterator[str]:
    """Truths that are known at a node, and comparisons that its function makes of what is known there."""
    names = {name for name, _ in scope.variables(node)}
    known = [name for name, kind in scope.variables(node) if kind == "bool"]
    function = function_around(node)
    for each in walk(function) if function is not None else ():
        used = {text_of(inner) for inner in walk(each) if inner.type == "identifier"}
        if sign_of(each) in _COMPARING and used <= names and not _is_a_loop_s(each):
            known.append(text_of(each))
    own = text_of(node)
    yield from [each for each in dict.fromkeys(known) if own not in each and each not in own][:_MOST]


def _is_a_loop_s(comparison: tree_sitter.Node) -> bool:
    around = comparison.parent
    return around is not None and around.type in _LOOPS
