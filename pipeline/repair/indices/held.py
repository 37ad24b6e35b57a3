"""Coordinates held within a picture, and scaled about its corner or the centres of its texels."""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, bare, function_called, text_of
from texelscope.pipeline.repair.indices.index import Index, enclosed
from texelscope.pipeline.repair.indices.named_sizes import is_size
from texelscope.pipeline.repair.words.mutation import Mutation, sign_of

# Of names of sizes, the nearest so many.
_MOST = 3
_HALF = re.compile(r"(vec2\()?0?\.50*\)?")
_BOUNDS = frozenset({"min", "max", "clamp"})
_COMPARED = frozenset({"<", "<=", ">", ">=", "==", "!="})


def held(index: Index) -> Iterator[Mutation]:
    """A coordinate held within a size, or no more so; mirrored or from the other side in place of its edge."""
    node = index.node
    given = arguments(node) if node.type == "call_expression" else []
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


def _let_go(index: Index, given: list[tree_sitter.Node]) -> Iterator[str]:
    yield text_of(given[0])
    if len(given) == 3:
        yield f"max({text_of(given[0])}, {text_of(given[1])})"
        yield f"min({text_of(given[0])}, {text_of(given[2])})"
    elif function_called(index.node) == "max" and index.scalar == "int":
        yield f"abs({text_of(given[0])})"


def _otherwise_beyond(index: Index) -> Iterator[str]:
    """Of what is held below a last one, mirrored there or from the other side again the other two of these."""
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
    """A coordinate, the last one there is, and what is done beyond that."""
    node = index.node
    given = arguments(node) if node.type == "call_expression" else []
    if function_called(node) == "min" and len(given) == 2 and index.is_fixed(given[1]):
        return enclosed(given[0]), text_of(bare(given[1])), "edge"
    a, b = node.child_by_field_name("left"), node.child_by_field_name("right")
    if a is None or b is None:
        return None
    if sign_of(node) == "%" and is_size(text_of(b), index.types):
        return enclosed(a), f"{text_of(b)} - 1", "round"
    if sign_of(node) == "-" and index.is_fixed(a) and function_called(b) == "abs":
        inner = bare(arguments(b)[0]) if len(arguments(b)) == 1 else b
        if inner.type == "binary_expression" and sign_of(inner) == "-":
            first, second = inner.named_children[0], inner.named_children[-1]
            place = second if index.is_fixed(first) else first
            return enclosed(place), text_of(bare(a)), "mirrored"
    return None


def about_centres(index: Index) -> Iterator[Mutation]:
    """Of a coordinate times a scale that about the centres of texels, and of that about centres the plain one."""
    node = index.node
    if index.scalar != "float" or node.type != "binary_expression":
        return
    a, b, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
    if a is None or b is None or index.lanes > 2:
        return
    if sign in ("*", "/") and not _is_scaled_on(node) and index.types.of(a) == index.kind:
        yield index.as_index(f"({text_of(bare(a))} + 0.5) {sign} {enclosed(b)} - 0.5")
    if sign == "-" and _HALF.fullmatch(text_of(b)):
        inner = bare(a)
        first = bare(inner.named_children[0]) if inner.type == "binary_expression" else inner
        if (
            sign_of(inner) in ("*", "/")
            and sign_of(first) == "+"
            and _HALF.fullmatch(text_of(first.named_children[-1]))
        ):
            plain = enclosed(bare(first.named_children[0]))
            yield index.as_index(f"{plain} {sign_of(inner)} {enclosed(inner.named_children[-1])}")


def _is_scaled_on(node: tree_sitter.Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type == "binary_expression"


def sized(node: tree_sitter.Node, index: Index) -> Iterator[Mutation]:
    """A size one more or less, where something is held against it, or where it is given another name."""
    parent = node.parent
    if parent is None or node.type not in ("identifier", "field_expression") or not is_size(index.text, index.types):
        return
    is_asked = parent.type == "binary_expression" and sign_of(parent) in _COMPARED
    if index.scalar in ("int", "float") and (is_asked or parent.type in ("init_declarator", "assignment_expression")):
        for number in (1, -1):
            shown = f"{index.text} {'+' if number > 0 else '-'} {index.shown(1)}"
            yield index.as_index(shown, f"{index.summand} + {index.one}", float(number))
