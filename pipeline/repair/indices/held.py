"""Proposes coordinates clamped to a picture, and scaled about its corner or about texel centres."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called, sides_of
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.repair.indices.index import Index, enclosed
from texelscope.pipeline.repair.indices.named_sizes import is_size
from texelscope.pipeline.repair.words.mutation import Mutation

# The nearest so many names of sizes.
_MOST = 3
_HALF = re.compile(r"(vec2\()?0?\.50*\)?")
_BOUNDS = frozenset({"min", "max", "clamp"})
_COMPARED = frozenset({"<", "<=", ">", ">=", "==", "!="})


def held(index: Index) -> Iterator[Mutation]:
    """Proposes a coordinate clamped to a size, or unclamped; mirrored or wrapped instead of clamped."""
    node = index.node
    given = arguments(node) if isinstance(node, FunctionCall) else []
    if function_called(node) in _BOUNDS and len(given) > 1 and all(index.is_fixed(each) for each in given[1:]):
        yield from (index.as_index(new) for new in _let_go(index, given))
    yield from (index.as_index(new) for new in _otherwise_beyond(index))
    if not index.is_whole or index.is_fixed(node) or index.scalar == "uint":
        return
    one, nothing = index.shown(1), index.shown(0)
    if index.kind == "int":
        for step in index.steps:
            yield index.as_moved(f"min({index.text}, {step - 1})", f"min({index.text}, {index.one})", step - 1.0)
        return
    yield index.as_index(f"max({index.text}, {nothing})")
    for size in index.sizes(_MOST):
        yield index.as_index(f"min({index.text}, {size} - {one})")
        yield index.as_index(f"clamp({index.text}, {index.kind}({nothing}), {size} - {one})")
        if index.scalar == "float":
            yield index.as_moved(f"clamp({index.text}, {index.kind}(0.5), {size} - 0.5)")


def _let_go(index: Index, given: Sequence[SyntaxNode]) -> Iterator[str]:
    yield given[0].text
    if len(given) == 3:
        yield f"max({given[0].text}, {given[1].text})"
        yield f"min({given[0].text}, {given[2].text})"
    elif function_called(index.node) == "max" and index.scalar == "int":
        yield f"abs({given[0].text})"


def _otherwise_beyond(index: Index) -> Iterator[str]:
    """Yields for clamped, mirrored and wrapped coordinates the other two."""
    found = _beyond(index)
    if found is None or index.scalar == "uint":
        return
    text, last, said = found
    tail = f" - {index.shown(1)}"
    size = last.removesuffix(tail) if last.endswith(tail) else f"({last} + {index.shown(1)})"
    forms = {
        "edge": f"min({text}, {last})",
        "mirrored": f"({last}) - abs({text} - ({last}))",
        "round": f"{text} % {size}" if index.scalar == "int" else f"mod({text}, {size})",
    }
    yield from (form for name, form in forms.items() if name != said and ("%" not in form or index.has_remainders))


def _beyond(index: Index) -> tuple[str, str, str] | None:
    """Returns a coordinate, the last valid one, and the behaviour beyond that."""
    node = index.node
    given = arguments(node) if isinstance(node, FunctionCall) else []
    if function_called(node) == "min" and len(given) == 2 and index.is_fixed(given[1]):
        return enclosed(given[0]), bare(given[1]).text, "edge"
    a, b = sides_of(node)
    if a is None or b is None:
        return None
    if node.operator == "%" and is_size(b.text, index.types):
        return enclosed(a), f"{b.text} - 1", "round"
    if node.operator == "-" and index.is_fixed(a) and function_called(b) == "abs":
        inner = bare(arguments(b)[0]) if len(arguments(b)) == 1 else b
        if isinstance(inner, BinaryExpression) and inner.operator == "-":
            first, second = inner.named_children[0], inner.named_children[-1]
            place = second if index.is_fixed(first) else first
            return enclosed(place), bare(a).text, "mirrored"
    return None


def about_centres(index: Index) -> Iterator[Mutation]:
    """Proposes for a scale about the corner the same about texel centres, and the other way round."""
    node = index.node
    if index.scalar != "float" or not isinstance(node, BinaryExpression):
        return
    a, b, sign = node.left, node.right, node.operator
    if index.lanes > 2:
        return
    if sign in ("*", "/") and not _is_scaled_on(node) and index.types.of(a) == index.kind:
        yield index.as_index(f"({bare(a).text} + 0.5) {sign} {enclosed(b)} - 0.5")
    if sign == "-" and _HALF.fullmatch(b.text):
        inner = bare(a)
        first = bare(inner.named_children[0]) if isinstance(inner, BinaryExpression) else inner
        if inner.operator in ("*", "/") and first.operator == "+" and _HALF.fullmatch(first.named_children[-1].text):
            plain = enclosed(bare(first.named_children[0]))
            yield index.as_index(f"{plain} {inner.operator} {enclosed(inner.named_children[-1])}")


def _is_scaled_on(node: SyntaxNode) -> bool:
    parent = node.parent
    return parent is not None and isinstance(parent, BinaryExpression)


def sized(node: SyntaxNode, index: Index) -> Iterator[Mutation]:
    """Proposes a size one more or less in a comparison, or in a declaration."""
    parent = node.parent
    if parent is None or not isinstance(node, Identifier | FieldAccess) or not is_size(index.text, index.types):
        return
    is_asked = isinstance(parent, BinaryExpression) and parent.operator in _COMPARED
    if index.scalar in ("int", "float") and (is_asked or isinstance(parent, InitDeclarator | Assignment)):
        for number in (1, -1):
            shown = f"{index.text} {'+' if number > 0 else '-'} {index.shown(1)}"
            yield index.as_index(shown, f"{index.summand} + {index.one}", float(number))
