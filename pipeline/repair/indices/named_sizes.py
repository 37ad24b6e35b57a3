"""What the names of sizes in a shader are for: an index within one, its quotient and rest by one, a mean of one."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import function_called, text_of
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, put, sign_of, swap
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_in_a_table, is_matrix, scalar_of

# So many sizes, and so many other whole numbers that are put together with them.
_MOST_SIZES, _MOST_INDICES = 7, 5
_LONGEST = 120
_VALUES = frozenset({"init_declarator", "assignment_expression", "return_statement"})
_BOUNDED = _VALUES | {"argument_list", "subscript_argument_list", "binary_expression"}
_OPERANDS = frozenset({"identifier", "call_expression", "field_expression", "subscript_expression"})
_BY_SIZE = ("{0} / {1}", "{0} % {1}", "{0} / {1} * {1}", "{0} - {1} / 2", "max({0} - {1} / 2, 0)")
_MEANS = ("{0} / float({1})", "{0} * float({1})", "{0} / sqrt(float({1}))", "{0} / float(4 * {1})")
_COMPARED = ("<", "<=")
# Elements of a texel.
_LANES = 4


def named_sizes(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """What may stand in place of a node: of a whole number that is an index, of a factor or a summand of floats."""
    parent, kind, text = node.parent, types.of(node), text_of(node)
    if parent is None or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    if kind == "int" and parent.type in _BOUNDED and parent.child_by_field_name("left") != node:
        yield from (put(node, each) for each in _within(node, parent, types, scope))
    if kind == "int" and parent.type in _VALUES and parent.child_by_field_name("left") != node:
        yield from (swap(node, each) for each in _by_a_size(node, types, scope) if each != text)
    if kind == "int" and parent.type == "argument_list" and node.type in _OPERANDS:
        for size in sizes_at(node, types, scope):
            yield from (put(node, f"{text} {sign} {size}") for sign in "-+" if size != text)
    if kind == "int" and parent.type == "argument_list" and function_called(parent.parent or node) == "FLOAT":
        yield from (put(node, f"{text} * {size}") for size in sizes_at(node, types, scope))
        if node.type in ("identifier", "field_expression") or sign_of(node) == "*":
            yield swap(node, f"{_LANES} * {text}")  # elements are counted, not texels
    is_operand = parent.type == "binary_expression" and sign_of(parent) in ("*", "+", "-") and node.type in _OPERANDS
    is_value = parent.type in _VALUES and parent.child_by_field_name("left") != node and node.type != "number_literal"
    if (is_operand or is_value) and scalar_of(kind) == "float" and not is_matrix(kind) and not is_in_a_table(node):
        whole = text if is_operand else f"({text})"
        for size in sizes_at(node, types, scope):
            yield from (put(node, form.format(whole, size)) for form in _MEANS)


def _within(node: tree_sitter.Node, parent: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    """An index held within a size, or above the first; the end of a loop within one."""
    text = text_of(node)
    if parent.type == "binary_expression":
        if sign_of(parent) not in _COMPARED or parent.parent is None or parent.parent.type != "for_statement":
            return
        yield from (f"min({text}, {size}{' - 1' * (sign_of(parent) == '<=')})" for size in sizes_at(node, types, scope))
        return
    if node.type == "number_literal":
        return
    yield f"max({text}, 0)"
    yield from (f"min({text}, {size} - 1)" for size in sizes_at(node, types, scope) if size != text)


def _by_a_size(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    sizes = sizes_at(node, types, scope)
    indices = [each for each in scope.of_type(node, "int") if not is_size(each, types)]
    for index in indices[:_MOST_INDICES]:
        for size in sizes:
            yield from (form.format(index, size) for form in _BY_SIZE)


def sizes_at(node: tree_sitter.Node, types: Types, scope: NameScope) -> list[str]:
    """Names of sizes that are in scope at a node, the nearest so many."""
    lane = text_of(node).rpartition(".")[2] if node.type == "field_expression" else ""
    found = [each for each in scope.every_of_type(node, "int") if is_size(each, types)]
    every = sorted(found, key=lambda each: each.partition(".")[0] in types.sizes)  # what has an owner comes first
    alike = [each for each in every if lane and each.endswith(f".{lane}")]  # a size along the same axis comes first
    return [*dict.fromkeys((*alike, *every))][:_MOST_SIZES]


def is_size(expression: str, types: Types) -> bool:
    """Whether it is the same for every fragment: a uniform, a constant or a macro, or what is made of these alone."""
    base = re.split(r"[.\[]", expression, maxsplit=1)[0]
    is_named = base in types.uniforms or base in types.constants or base in types.macros or base in types.sizes
    return is_named or expression in types.members
