"""How far apart indices count: a factor more or less, a size added or taken off, rows for columns of another size."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import bare, text_of
from texelscope.pipeline.repair.indices.index import OPERANDS, Index, enclosed
from texelscope.pipeline.repair.indices.named_sizes import is_size
from texelscope.pipeline.repair.words.mutation import Mutation, sign_of

# Of names of sizes, the nearest so many.
_MOST = 3
# A sum of more parts is taken as it is.
_MOST_PARTS = 5


def strided(index: Index) -> Iterator[Mutation]:
    """An index, or a part of one, counted in other steps or from another place."""
    yield from _scaled(index)
    yield from _shifted(index)
    yield from _unscaled(index)
    yield from _counted(index)
    yield from (index.as_index(new) for new in _of_the_other_tensor(index))


def _scaled(index: Index) -> Iterator[Mutation]:
    """Times a step, or a size: a whole index, a summand that is a vector or a number with a fraction, a factor."""
    node, parent = index.node, index.node.parent
    if parent is None or node.type == "number_literal" or index.is_fixed(node):
        return
    sign = sign_of(parent) if parent.type == "binary_expression" else ""
    is_first = sign == "*" and parent.child_by_field_name("left") == node and node.type in OPERANDS
    is_summand = sign in ("+", "-") and (index.scalar == "float" or index.lanes > 1) and node.type in OPERANDS
    if not (is_first or is_summand or index.is_whole):
        return
    text = enclosed(node)
    for step in index.steps:
        yield index.as_moved(f"{text} * {index.shown(step)}", f"{text} * {index.one}", step)
    if index.is_whole and index.kind == "int":
        for step in index.steps:
            for sign in "/%" if index.has_remainders else "/":
                yield index.as_moved(f"{text} {sign} {step}", f"{text} {sign} {index.one}", step)
    yield from (index.as_moved(f"{text} * {size}") for size in index.sizes(_MOST))


def _shifted(index: Index) -> Iterator[Mutation]:
    """On by a step or a size, or back: a whole index, or what a remainder is taken of."""
    node, parent = index.node, index.node.parent
    if parent is None or node.type == "number_literal" or index.is_fixed(node):
        return
    is_divided = sign_of(parent) in ("%", "/") and parent.child_by_field_name("left") == node
    if not index.is_whole and not (is_divided and node.type in OPERANDS):
        return
    for step in index.steps if index.is_whole and index.lanes == 1 else ():
        for sign, number in (("+", step), ("-", -step)):
            shown = f"{index.summand} {sign} {index.shown(step)}"
            yield index.as_moved(shown, f"{index.summand} + {index.one}", float(number))
    for size in index.sizes(_MOST):
        yield from (index.as_moved(f"{index.summand} {sign} {size}") for sign in "+-")
    if index.kind == "ivec2":  # a tensor beside another one, in one texture
        for size in index.sizes(_MOST, "int"):
            for sign, place in itertools.product("+-", (f"ivec2({size}, 0)", f"ivec2(0, {size})")):
                yield index.as_moved(f"{index.summand} {sign} {place}")


def _unscaled(index: Index) -> Iterator[Mutation]:
    """Without the size that is a factor, a divisor or a summand."""
    a, b, sign = (index.node.child_by_field_name(part) for part in ("left", "right", "operator"))
    if a is None or b is None or sign is None or index.node.type != "binary_expression":
        return
    for kept, other in ((a, b), (b, a)):
        is_second = sign.type in ("/", "-", "%") and kept == b
        if is_second or sign.type not in ("*", "/", "+", "-", "%") or index.types.of(kept) != index.kind:
            continue
        if index.is_fixed(other) and not index.is_fixed(kept) and not _is_a_number(other):
            yield index.as_index(text_of(kept))


def _counted(index: Index) -> Iterator[Mutation]:
    """Of a * k + b + c the same the other way about, (b + c) * s + a, and a * s + b + c, by any step or size."""
    parent = index.node.parent
    if sign_of(index.node) not in ("+", "-") or (parent is not None and sign_of(parent) in ("+", "-")):
        return
    parts = _summands(index.node)
    products = [each for sign, each in parts if sign == "+" and sign_of(each) == "*"]
    for product in products if len(parts) <= _MOST_PARTS else ():
        others = [(sign, each) for sign, each in parts if each != product]
        rest = " ".join(f"{sign} {text_of(each)}" for sign, each in others).removeprefix("+ ")
        outer = enclosed(others[0][1]) if len(others) == 1 and others[0][0] == "+" else f"({rest})"
        for inner, stride in (product.named_children, product.named_children[::-1]):
            if index.is_fixed(stride) and not index.is_fixed(inner):
                yield from _by_other_steps(index, outer, rest, (inner, stride))
                if len(others) > 1:
                    yield index.as_index(f"{outer} * {enclosed(stride)} + {text_of(inner)}")
                    yield from _with_another(index, parts, product, (inner, stride))


def _with_another(
    index: Index,
    parts: list[tuple[str, tree_sitter.Node]],
    product: tree_sitter.Node,
    factors: tuple[tree_sitter.Node, tree_sitter.Node],
) -> Iterator[Mutation]:
    """Of a longer sum with a * k and b among its parts the same with b * k and a, or b by any step or size."""
    inner, stride = factors
    for other in (each for sign, each in parts if sign == "+" and sign_of(each) != "*" and not index.is_fixed(each)):

        def whole(by: str, other: tree_sitter.Node = other) -> str:
            new = {product.id: text_of(inner), other.id: f"{enclosed(other)} * {by}"}
            shown = [f"{sign} {new.get(each.id, text_of(each))}" for sign, each in parts]
            return " ".join(shown).removeprefix("+ ")

        sizes = [each for each in index.sizes(2 * _MOST) if each != text_of(stride)]
        yield from (index.as_index(whole(each)) for each in (enclosed(stride), *sizes))
        yield from (index.as_moved(whole(index.shown(step)), whole(index.one), step) for step in index.steps)


def _by_other_steps(
    index: Index, outer: str, rest: str, product: tuple[tree_sitter.Node, tree_sitter.Node]
) -> Iterator[Mutation]:
    inner, stride = product
    for step in index.steps:
        shown, one = index.shown(step), index.one
        yield index.as_moved(f"{outer} * {shown} + {text_of(inner)}", f"{outer} * {one} + {text_of(inner)}", step)
        if not _is_a_number(stride):
            yield index.as_moved(f"{enclosed(inner)} * {shown} + {rest}", f"{enclosed(inner)} * {one} + {rest}", step)
    if index.kind != "int":  # other modules have these of whole numbers
        yield from (index.as_index(f"{outer} * {size} + {text_of(inner)}") for size in index.sizes(_MOST))


def _summands(node: tree_sitter.Node) -> list[tuple[str, tree_sitter.Node]]:
    """The parts of a sum with their signs, in order."""
    found: list[tuple[str, tree_sitter.Node]] = []
    while node.type == "binary_expression" and sign_of(node) in ("+", "-"):
        left, right = node.named_children[0], node.named_children[-1]
        found.insert(0, (sign_of(node), right))
        node = left
    return [("+", node), *found]


def _of_the_other_tensor(index: Index) -> Iterator[str]:
    """With the sizes of another tensor, whose names differ alike: of what goes in for what comes out."""
    if not index.is_whole or index.node.type in ("identifier", "field_expression"):
        return
    leaves = [*_leaves(index.node)]
    sizes = {text_of(each): index.types.of(each) for each in leaves if is_size(text_of(each), index.types)}
    if len(sizes) < 2:
        return
    seen: set[str] = set()
    for name, kind in sizes.items():
        for other in index.scope.every_of_type(index.node, kind):
            changed = _changed(name, other) if is_size(other, index.types) and other != name else None
            if changed is None:
                continue
            places = [each for each in leaves if text_of(each) in sizes and changed[0] in text_of(each)]
            names = {text_of(each): text_of(each).replace(*changed, 1) for each in places}
            known = all(new in index.scope.every_of_type(index.node, sizes[old]) for old, new in names.items())
            new = _renamed(index.node, places, names) if known and len(names) > 1 else ""
            if new and new not in seen:
                seen.add(new)
                yield new


def _leaves(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Names in an expression, fields as wholes."""
    if node.type in ("identifier", "field_expression"):
        yield node
        return
    for child in node.named_children:
        yield from _leaves(child)


def _changed(name: str, other: str) -> tuple[str, str] | None:
    """The one part in which two names differ, where they have something in common."""
    head = next((i for i, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))
    most = min(len(name), len(other)) - head
    tail = next((i for i in range(most) if name[-1 - i] != other[-1 - i]), most)
    old, new = name[head : len(name) - tail], other[head : len(other) - tail]
    return (old, new) if old and head + tail > 0 else None


def _renamed(node: tree_sitter.Node, places: list[tree_sitter.Node], names: dict[str, str]) -> str:
    whole, start = node.text or b"", node.start_byte
    for each in sorted(places, key=lambda place: -place.start_byte):
        whole = whole[: each.start_byte - start] + names[text_of(each)].encode() + whole[each.end_byte - start :]
    return whole.decode()


def _is_a_number(node: tree_sitter.Node) -> bool:
    return bare(node).type == "number_literal"
