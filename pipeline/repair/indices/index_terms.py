"""Parts of an index that were forgotten: a variable times a size, a factor, what a remainder leaves."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, bare, text_of, walk
from texelscope.pipeline.repair.indices.named_sizes import is_size, sizes_at
from texelscope.pipeline.repair.words.mutation import NUMBER, Mutation, is_target, put, sign_of, swap
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types

# Lanes, taps and steps: what indices are counted by where no size says it.
_COUNTS = (2.0, 3.0, 4.0)
# Of variables, the nearest so many; an index is no longer than this.
_MOST, _LONGEST = 6, 120
_WHOLE = frozenset({"init_declarator", "assignment_expression", "argument_list", "subscript_argument_list",
                    "subscript_expression", "return_statement"})  # fmt: skip
_OPERANDS = frozenset({"identifier", "field_expression", "parenthesized_expression", "call_expression"})
_OTHER = {"%": "/", "/": "%"}
# Factors and strides of a picture's sides at most.
_LARGEST = 1 << 16


def index_terms(
    node: tree_sitter.Node, types: Types, scope: NameScope, numbers: tuple[float, ...], sizes: tuple[float, ...]
) -> Iterator[Mutation]:
    """What is put to a node, which is a whole number: an index, or an operand of one."""
    parent, text = node.parent, text_of(node)
    if types.of(node) != "int" or parent is None or is_target(node) or len(text) > _LONGEST or "#" in text:
        return
    steps = [each for each in dict.fromkeys((*_COUNTS, *numbers, *sizes)) if each.is_integer() and 1 < each < _LARGEST]
    if parent.type in _WHOLE and parent.child_by_field_name("left") != node:
        used = {text_of(each) for each in walk(node) if each.type in ("identifier", "field_expression")}
        for name in [each for each in scope.of_type(node, "int") if each not in used | {*types.macros}][:_MOST]:
            template = f"({name} * int({NUMBER}.x) + {text})"
            for step in steps:
                yield put(node, f"{name} * {int(step)} + {text}", template, (step, step))
    is_counted = parent.type == "binary_expression" and sign_of(parent) == "*" and node.type in _OPERANDS
    if is_counted or (parent.type in _WHOLE and parent.child_by_field_name("left") != node):
        for name in [each for each in scope.of_type(node, "int") if each != text and not is_size(each, types)][:_MOST]:
            for size in sizes_at(node, types, scope):
                yield put(node, f"({name} * {size} + {text})" if is_counted else f"{name} * {size} + {text}")
    if node.type in _OPERANDS and parent.type == "binary_expression" and sign_of(parent) in ("+", "-"):
        for step in steps:
            yield put(node, f"{text} * {int(step)}", f"({text} * int({NUMBER}.x))", (step, step))
    if parent.type == "argument_list" and parent.parent is not None:
        yield from (swap(node, each) for each in _left_over(node, parent.parent) if each != text)


def _left_over(node: tree_sitter.Node, call: tree_sitter.Node) -> Iterator[str]:
    """Beside a % k the quotient a / k, and beside that the remainder: the other side of the same grid."""
    for beside in arguments(call):
        inner = bare(beside)
        if inner != node and inner.type == "binary_expression" and (sign := sign_of(inner)) in _OTHER:
            yield f"{text_of(inner.named_children[0])} {_OTHER[sign]} {text_of(inner.named_children[-1])}"
