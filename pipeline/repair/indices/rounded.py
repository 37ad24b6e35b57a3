"""Proposes sizes rounded up to whole packs of lanes, and sizes without that, in products and quotients of indices.

A layout that keeps four channels in a texel starts each batch with a new texel: batches lie as many channels apart as
the channels of one, rounded up to a multiple of four.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called, sides_of
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.indices.index import Index
from texelscope.pipeline.repair.text.mutation import NUMBER, Mutation

# Lanes of a texel, and of two.
_PACKS = (4, 8)
_WHOLE = frozenset({"int", "uint"})
_NUMBER = re.compile(r"(\d+)u?")


def rounded(index: Index) -> Iterator[Mutation]:
    """Proposes a size rounded up to a pack where an index is multiplied or divided by it, and the size alone."""
    node, parent = index.node, index.node.parent
    if parent is None or index.lanes != 1:
        return
    if (size := _rounded_up(node)) is not None:
        yield index.as_index(size.text)
    if not isinstance(node, Identifier | FieldAccess) or not isinstance(parent, BinaryExpression):
        return
    is_factor = parent.operator == "*" or (parent.operator in ("/", "%") and parent.right is node)
    if not is_factor or not _is_a_size(index, node):
        return
    if index.kind in _WHOLE and index.has_remainders:
        template = f"((({index.text} + {index.kind}({NUMBER}.y)) / {index.one}) * {index.one})"
        for pack, new in zip(_PACKS, rounded_up(index.text, "u" * (index.kind == "uint")), strict=True):
            yield _said(index, new, template, (float(pack), pack - 1.0))
    elif index.kind == "float":
        template = f"(ceil({index.text} / {index.one}) * {index.one})"
        for pack in _PACKS:
            yield _said(index, f"(ceil({index.text} / {pack}.0) * {pack}.0)", template, (float(pack), 0.0))


def rounded_up(size: str, suffix: str = "") -> tuple[str, ...]:
    """Returns a whole number rounded up to each pack, as an operand; `suffix` is that of its literals."""
    return tuple(f"(({size} + {pack - 1}{suffix}) / {pack}{suffix} * {pack}{suffix})" for pack in _PACKS)


def _said(index: Index, new: str, template: str, values: tuple[float, float]) -> Mutation:
    return Mutation(index.node.start_byte, index.node.end_byte, index.text, new, "index", template, values)


def _is_a_size(index: Index, node: SyntaxNode) -> bool:
    """Whether it is equal for every invocation: a uniform, a constant, or a variable that is declared as one."""
    value = index.addresses.value_of(node) if isinstance(node, Identifier) else None
    return index.is_fixed(node) or (value is not None and index.is_fixed(value))


def _rounded_up(node: SyntaxNode) -> SyntaxNode | None:
    """Returns x of (x + 3) / 4 * 4, ((x + 3) >> 2) << 2, (x + 3) & ~3 and ceil(x / 4.0) * 4.0; None for others."""
    left, right = sides_of(node)
    if left is None or right is None:
        return None
    inner, outer = bare(left), bare(right).text
    if node.operator == "&" and outer.startswith("~"):
        return _without(inner, outer.removeprefix("~").strip())
    dividing = {"*": "/", "<<": ">>"}.get(node.operator)
    if dividing is None:
        return None
    above, below = sides_of(inner)
    if inner.operator == dividing and above is not None and below is not None and bare(below).text == outer:
        number = _NUMBER.fullmatch(outer)
        if number is not None:
            pack = int(number[1]) if dividing == "/" else 1 << min(int(number[1]), 8)
            return _without(bare(above), str(pack - 1))
    given = arguments(inner) if isinstance(inner, FunctionCall) and function_called(inner) == "ceil" else []
    quotient = bare(given[0]) if len(given) == 1 else None
    if node.operator == "*" and isinstance(quotient, BinaryExpression) and quotient.operator == "/":
        return quotient.left if quotient.right.text == outer else None
    return None


def _without(node: SyntaxNode, more: str) -> SyntaxNode | None:
    """Returns x of x + `more`."""
    left, right = sides_of(node)
    if node.operator != "+" or left is None or right is None or not isinstance(bare(right), NumberLiteral):
        return None
    return left if bare(right).text.rstrip("u") == more.rstrip("u") else None
