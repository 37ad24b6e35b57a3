"""Forms of an index that are taken for one another: counted from the other end, by another size, along two axes.

Also what a literal index leaves out, and places that are halved or doubled from corners where centres are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from pipeline.glsl.syntax import arguments, function_called, text_of
from pipeline.repair.edits.named_sizes import is_size, sizes_at
from pipeline.repair.edits.proposal import NUMBER, Proposal, is_target, sign_of
from pipeline.repair.edits.scope import Scope
from pipeline.repair.edits.types import Types, lanes_of, scalar_of

# Lanes, taps and steps; variables and sizes that are tried at one place.
_COUNTS, _MOST, _MOST_SIZES = (2.0, 3.0, 4.0), 8, 4
_LONGEST, _LARGEST = 120, 1 << 16
_HELD = frozenset({"argument_list", "subscript_argument_list", "subscript_expression", "init_declarator",
                   "assignment_expression", "return_statement"})  # fmt: skip
_ALONE = frozenset({"identifier", "field_expression", "number_literal", "call_expression", "parenthesized_expression"})
_OTHER = {"%": "/", "/": "%"}
_PLACES = re.compile(r"i?vec[23]")
_CONSTRUCTORS = re.compile(r"ivec[234]")


def index_forms(
    node: tree_sitter.Node, types: Types, scope: Scope, numbers: tuple[float, ...], sizes: tuple[float, ...]
) -> Iterator[Proposal]:
    """What may stand in place of a node that says where something is; `numbers` and `sizes` as in `proposals`."""
    text, parent, kind = text_of(node), node.parent, types.of(node)
    if parent is None or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    steps = [each for each in dict.fromkeys((*numbers, *sizes)) if each.is_integer() and 1 < each < _LARGEST]
    if kind == "int":
        yield from _of_literal(node, types, scope)
        yield from _from_the_end(node, types, scope, steps)
        yield from _by_another_size(node, types, scope, [*_COUNTS, *steps])
        yield from _times(node, types, scope, [*_COUNTS, *steps])
    elif kind == "float" and parent.type == "argument_list":
        yield from _from_the_end(node, types, scope, steps)
    if kind in ("float", "vec2"):
        yield from _from_centres(node)
    if _PLACES.fullmatch(kind):
        yield from _of_a_place(node, kind, types, scope)
    yield from _at_the_edge(node, kind)


def _swap(node: tree_sitter.Node, new: str, template: str = "", value: float = 0.0) -> Proposal:
    return Proposal(
        node.start_byte, node.end_byte, text_of(node), new, "swapped", template or f"({new})", (value, value)
    )


def _bare(node: tree_sitter.Node) -> str:
    """An operand with parentheses where it needs some."""
    return text_of(node) if node.type in _ALONE else f"({text_of(node)})"


def _of_literal(node: tree_sitter.Node, types: Types, scope: Scope) -> Iterator[Proposal]:
    """A variable in place of a number within a constructor of places, or within brackets."""
    parent = node.parent
    if node.type != "number_literal" or parent is None:
        return
    is_of_a_place = parent.type == "argument_list" and _CONSTRUCTORS.fullmatch(function_called(parent.parent or node))
    if is_of_a_place and len(arguments(parent.parent or node)) > 1:
        yield from (_swap(node, each) for each in scope.of_type(node, "int")[:_MOST])
    elif parent.type in ("subscript_argument_list", "subscript_expression"):
        yield from (_swap(node, each) for each in scope.of_type(node, "int")[:_MOST] if not is_size(each, types))


def _from_the_end(node: tree_sitter.Node, types: Types, scope: Scope, steps: list[float]) -> Iterator[Proposal]:
    """N - 1 - e for e, and back."""
    parent, kind = node.parent, types.of(node)
    one = "1" if kind == "int" else "1.0"
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type == "binary_expression" and sign_of(node) == "-" and left is not None and right is not None:
        if left.type in ("binary_expression", "number_literal") and not is_size(text_of(right), types):
            yield _swap(node, text_of(right))
        return
    is_whole = parent is not None and parent.type in _HELD and parent.child_by_field_name("left") != node
    is_factor = parent is not None and parent.type == "binary_expression" and sign_of(parent) in ("*", "+")
    if node.type not in ("identifier", "field_expression", "call_expression") or not (is_whole or is_factor):
        return
    if is_size(text_of(node), types) or (kind == "float" and not _is_of_the_shader(node, types)):
        return
    for size in sizes_at(node, types, scope)[:_MOST_SIZES] if kind == "int" else ():
        yield _swap(node, f"({size} - {one} - {text_of(node)})" if is_factor else f"{size} - {one} - {text_of(node)}")
    number = f"int({NUMBER}.x)" if kind == "int" else f"{NUMBER}.x"
    for last in dict.fromkeys(step - 1 for step in (*_COUNTS, *steps)):
        shown = str(int(last)) if kind == "int" else f"{last:.1f}"
        new = f"{shown} - {text_of(node)}"
        yield _swap(node, f"({new})" if is_factor else new, f"({number} - {text_of(node)})", last)


def _is_of_the_shader(node: tree_sitter.Node, types: Types) -> bool:
    """Whether it is an argument of a function that the shader has."""
    around = node.parent.parent if node.parent is not None else None
    return around is not None and bool(types.function(function_called(around)))


def _by_another_size(node: tree_sitter.Node, types: Types, scope: Scope, steps: list[float]) -> Iterator[Proposal]:
    """The quotient or the rest by another size, or the one for the other."""
    left, right, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
    if node.type != "binary_expression" or sign not in _OTHER or left is None or right is None:
        return
    for size in sizes_at(node, types, scope)[:_MOST_SIZES]:
        if size != text_of(right):
            yield from (_swap(node, f"({_bare(left)} {other} {size})") for other in _OTHER)
    for step in dict.fromkeys(steps):
        for other in _OTHER:
            new, template = (f"({_bare(left)} {other} {by})" for by in (int(step), f"int({NUMBER}.x)"))
            if new != f"({text_of(node)})":
                yield _swap(node, new, template, step)


def _times(node: tree_sitter.Node, types: Types, scope: Scope, steps: list[float]) -> Iterator[Proposal]:
    """One more factor of a product in a sum."""
    parent = node.parent
    if node.type != "binary_expression" or sign_of(node) != "*" or parent is None or sign_of(parent) not in ("+", "-"):
        return
    text = text_of(node)
    for size in sizes_at(node, types, scope)[:_MOST_SIZES]:
        yield _swap(node, f"{text} * {size}")
    for step in dict.fromkeys(steps):
        yield _swap(node, f"{text} * {int(step)}", f"({text} * int({NUMBER}.x))", step)


def _from_centres(node: tree_sitter.Node) -> Iterator[Proposal]:
    """(e + 0.5) * k - 0.5 for e * k, and back: centres of texels are scaled, or their corners."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "binary_expression" or left is None or right is None:
        return
    if (sign := sign_of(node)) in ("*", "/"):
        if right.type == "number_literal" or left.type == "number_literal":
            scaled = right if left.type == "number_literal" else left
            other = left if scaled is right else right
            if scaled.type != "number_literal" and (sign == "*" or scaled is left):
                yield _swap(node, f"({_bare(scaled)} + 0.5) {sign} {text_of(other)} - 0.5")
    elif sign == "-" and text_of(right) in ("0.5", ".5") and sign_of(left) in ("*", "/"):
        inner = left.child_by_field_name("left")
        factor = left.child_by_field_name("right")
        whole = inner.named_children[0] if inner is not None and inner.named_child_count == 1 else None
        if whole is not None and factor is not None and sign_of(whole) == "+":
            first, half = whole.child_by_field_name("left"), whole.child_by_field_name("right")
            if first is not None and half is not None and text_of(half) in ("0.5", ".5"):
                yield _swap(node, f"{_bare(first)} {sign_of(left)} {text_of(factor)}")


def _of_a_place(node: tree_sitter.Node, kind: str, types: Types, scope: Scope) -> Iterator[Proposal]:
    """A place held within the picture, or one step of several; a flat index dealt out to rows and columns."""
    parent, text, scalar = node.parent, text_of(node), scalar_of(kind)
    one, zero = ("1", "0") if scalar == "int" else ("1.0", "0.0")
    given = arguments(node) if node.type == "call_expression" else []
    if kind == "ivec2" and function_called(node) == "ivec2" and len(given) == 2 and text_of(given[1]) == "0":
        flat = text_of(given[0]) if given[0].type in _ALONE else f"({text_of(given[0])})"
        for size in [*sizes_at(node, types, scope)[:_MOST_SIZES], *(str(int(each)) for each in _COUNTS)]:
            yield _swap(node, f"ivec2({flat} % {size}, {flat} / {size})")
    if kind == "ivec2" and function_called(node) == "ivec2" and len(given) == 1 and text_of(given[0]) == "0":
        for name in scope.of_type(node, "int")[:_MOST]:
            yield from (_swap(node, each) for each in (f"ivec2({name}, 0)", f"ivec2(0, {name})"))
    if parent is None:
        return
    if parent.type in _HELD and parent.child_by_field_name("left") != node:
        for size in [each for each in scope.every_of_type(node, kind) if is_size(each, types) and each != text][:2]:
            yield _swap(node, f"min({text}, {size} - {one})")
            yield _swap(node, f"clamp({text}, {kind}({zero}), {size} - {one})")
        yield _swap(node, f"max({text}, {kind}({zero}))")
        if text in types.uniforms:
            yield _swap(node, f"{text} - {one}")
    if sign_of(parent) in ("+", "-") and node.type in ("identifier", "call_expression", "field_expression"):
        number = f"int({NUMBER}.x)" if scalar == "int" else f"{NUMBER}.x"
        for step in _COUNTS:
            shown = str(int(step)) if scalar == "int" else f"{step:.1f}"
            yield _swap(node, f"{shown} * {text}", f"({number} * {text})", step)


def _at_the_edge(node: tree_sitter.Node, kind: str) -> Iterator[Proposal]:
    """The mirrored element beyond a border for the edge's, and back."""
    if lanes_of(kind) == 0 or node.type not in ("call_expression", "binary_expression"):
        return
    if node.type == "call_expression":
        given, name = [text_of(each) for each in arguments(node)], function_called(node)
        if name == "min" and len(given) == 2:
            yield _swap(node, f"({given[1]}) - abs({given[0]} - ({given[1]}))")
        elif name == "max" and len(given) == 2 and given[1].rstrip(".0") in ("", "0"):
            yield _swap(node, f"abs({given[0]})")
        elif name == "abs" and len(given) == 1 and kind == "int":
            yield _swap(node, f"max({given[0]}, 0)")
        elif name == "clamp" and len(given) == 3 and kind == "int":
            yield _swap(node, f"({given[2]}) - abs(({given[2]}) - abs({given[0]}))")
        return
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if sign_of(node) == "-" and left is not None and right is not None and function_called(right) == "abs":
        inside = arguments(right)
        if len(inside) == 1 and sign_of(inside[0]) == "-" and (first := inside[0].child_by_field_name("left")):
            yield _swap(node, f"min({text_of(first)}, {text_of(left)})")
