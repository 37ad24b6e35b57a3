"""An expression with two things otherwise at once: a name wherever it stands, a stride and what it counts, a function.

Each is one slip of its author's: the same size taken twice, rows for columns, another activation written out.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, function_called, text_of
from texelscope.pipeline.repair.indices.named_sizes import is_size, sizes_at
from texelscope.pipeline.repair.words.mutation import Mutation, is_target, sign_of, swap
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of

# Of names in scope, the nearest so many.
_MOST_NAMES, _MOST_VARIABLES = 8, 5
_LONGEST = 200
_VALUES = frozenset({"init_declarator", "assignment_expression", "return_statement"})
_LEAVES = frozenset({"identifier", "field_expression"})
# What indices are counted by where no size says it.
_COUNTS = ("2", "3", "4")
# A value through one of the functions of a value that layers have.
_FUNCTIONS = (
    "1.0 / (1.0 + exp(-{0}))", "tanh({0})", "max({0}, 0.0)", "clamp({0}, 0.0, 6.0)", "clamp({0} / 6.0 + 0.5, 0.0, 1.0)",
    "clamp(0.2 * {0} + 0.5, 0.0, 1.0)", "{0} / (1.0 + exp(-{0}))", "{0} * clamp({0} / 6.0 + 0.5, 0.0, 1.0)",
    "log(1.0 + exp({0}))", "{0} / (1.0 + abs({0}))", "{0} * tanh(log(1.0 + exp({0})))", "exp({0})", "abs({0})",
    "{0} * {0}", "sqrt({0})", "{0}", "{0} / (1.0 + exp(-1.702 * {0}))",
    "0.5 * {0} * (1.0 + tanh(0.7978845608 * ({0} + 0.044715 * {0} * {0} * {0})))",
)  # fmt: skip


def rewritten(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """What may stand in place of an expression."""
    text = text_of(node)
    if is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    made = itertools.chain(
        _renamed(node, types, scope),
        _counted(node, types, scope),
        _regrouped(node, types),
        _without_a_size(node, types),
        _all_lanes(node, types),
        _all_ends(node, types),
        _through_another(node, types),
        _variables(node, types, scope),
    )
    for new in dict.fromkeys(made):
        if new != text:
            yield swap(node, new)


def _renamed(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    """With another name for one that stands in it more than once, in more than one of its parts."""
    if node.type not in ("binary_expression", "call_expression"):
        return
    parts = node.child_by_field_name("arguments") or node
    leaves = [leaf for part in parts.named_children for leaf in _leaves(part)]
    counts = Counter(text_of(leaf) for leaf in leaves)
    for name, count in counts.items():
        in_parts = sum(any(text_of(leaf) == name for leaf in _leaves(part)) for part in parts.named_children)
        kind = next(types.of(leaf) for leaf in leaves if text_of(leaf) == name)
        if count < 2 or in_parts < 2 or not scalar_of(kind) or is_matrix(kind):
            continue
        places = [leaf for leaf in leaves if text_of(leaf) == name]
        sizes = sizes_at(node, types, scope) if kind == "int" else []
        for other in dict.fromkeys((*sizes, *scope.of_type(node, kind)[:_MOST_NAMES])):
            is_fixed = is_size(other, types) and any(_is_index(place) for place in places)
            if other != name and not is_fixed:  # of an array's elements not always the same, which may be none
                yield _with(node, places, other)


def _counted(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    """Of a * k + b the same the other way about, b * size + a, by any size."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if types.of(node) != "int" or sign_of(node) != "+" or left is None or right is None:
        return
    for product, other in ((left, right), (right, left)):
        if product.type != "binary_expression" or sign_of(product) != "*":
            continue
        factors = [text_of(each) for each in product.named_children]
        is_alone = other.type in (*_LEAVES, "call_expression", "parenthesized_expression")
        outer = text_of(other) if is_alone else f"({text_of(other)})"
        for inner, stride in (factors, factors[::-1]):
            for size in dict.fromkeys((*sizes_at(node, types, scope), *_COUNTS)):
                if size not in (inner, outer):
                    yield f"({outer} * {size} + {inner})"
                if size not in (inner, stride, outer):
                    yield f"({inner} * {size} + {outer})"


def _regrouped(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Of a / k + b the quotients (a + b) / k and a / (k + b), and back; of k * (a + b) the factor at one summand."""
    left, right, sign = node.child_by_field_name("left"), node.child_by_field_name("right"), sign_of(node)
    sides = [each for each in (left, right) if each is not None]
    operands = [*sides, *(each for side in sides for each in side.named_children)]
    if left is None or right is None or not types.of(node) or any(is_matrix(types.of(each)) for each in operands):
        return
    if sign in ("+", "-") and left.type == "binary_expression" and sign_of(left) in ("*", "/"):
        a, k = left.named_children[0], left.named_children[-1]
        yield f"(({text_of(a)} {sign} {_whole(right)}) {sign_of(left)} {text_of(k)})"
        yield f"({text_of(a)} {sign_of(left)} ({text_of(k)} {sign} {_whole(right)}))"
    inner = right.named_children[0] if right.type == "parenthesized_expression" and right.named_child_count else None
    if sign == "/" and inner is not None and sign_of(inner) in ("+", "-"):
        b, e = inner.named_children[0], inner.named_children[-1]
        yield f"({text_of(left)} / {_whole(b)} {sign_of(inner)} {_whole(e)})"
    if sign == "*" and inner is not None and inner.type == "binary_expression" and sign_of(inner) in ("+", "-"):
        a, b = inner.named_children[0], inner.named_children[-1]
        yield f"({text_of(a)} {sign_of(inner)} {text_of(left)} * {_whole(b)})"
        yield f"({text_of(left)} * {_whole(a)} {sign_of(inner)} {_whole(b)})"


def _without_a_size(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """An index without the size that is added to it, or taken off."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if types.of(node) != "int" or sign_of(node) not in ("+", "-") or left is None or right is None:
        return
    if is_size(text_of(right), types):
        yield text_of(left)
    if is_size(text_of(left), types) and sign_of(node) == "+":
        yield text_of(right)


def _all_ends(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Of the largest of three lanes of a vector that of all four, and of the smallest."""
    name = function_called(node) if node.type == "call_expression" else ""
    if name not in ("max", "min") or types.of(node) != "float":
        return
    parts = [*arguments(node)]
    while len(inner := [each for each in parts if function_called(each) == name]):
        parts = [each for each in parts if each not in inner] + [each for part in inner for each in arguments(part)]
    lanes = {text_of(each) for each in parts if each.type == "field_expression"}
    bases = {each.rpartition(".")[0] for each in lanes}
    base = parts[0].child_by_field_name("argument")
    if len(lanes) == len(parts) == 3 and len(bases) == 1 and base is not None and types.of(base) == "vec4":
        for letters in ("xyzw", "rgba"):
            if len(left := {*letters} - {each[-1] for each in lanes}) == 1:
                yield f"{name}({text_of(node)}, {text_of(base)}.{left.pop()})"


def _all_lanes(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Of a sum of lanes of a vector the sum of all of them."""
    if node.type != "binary_expression" or sign_of(node) != "+" or types.of(node) not in ("float", "int"):
        return
    if node.parent is not None and node.parent.type == "binary_expression" and sign_of(node.parent) == "+":
        return
    summands = [node]
    while summands[0].type == "binary_expression" and sign_of(summands[0]) == "+":
        summands[:1] = summands[0].named_children
    bases = {text_of(base) for each in summands if (base := each.child_by_field_name("argument")) is not None}
    first = summands[0].child_by_field_name("argument")
    if len(bases) != 1 or first is None or any(each.type != "field_expression" for each in summands):
        return
    said = {text_of(each).rpartition(".")[2] for each in summands}
    for letters in ("xyzw", "rgba"):
        lanes = letters[: lanes_of(types.of(first))]
        if said < {*lanes}:
            yield " + ".join(f"{text_of(first)}.{letter}" for letter in lanes)


def _through_another(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Of what is made of one variable the variable through another function."""
    parent, kind = node.parent, types.of(node)
    if parent is None or parent.child_by_field_name("left") == node:
        return
    is_part = parent.type == "argument_list" and lanes_of(function_called(parent.parent or node)) > 1
    if not is_part and parent.type not in _VALUES:
        return
    if scalar_of(kind) != "float" or is_matrix(kind) or node.type in (*_LEAVES, "number_literal"):
        return
    leaves = [*_leaves(node)]
    names = dict.fromkeys(text_of(leaf) for leaf in leaves)
    if len(names) == 1 and all(types.of(leaf) == kind for leaf in leaves) and not {*names} & types.uniforms:
        yield from (form.format(next(iter(names))) for form in _FUNCTIONS)


def _variables(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    """Of a number that something is divided by, or that is divided, what was worked out."""
    parent = node.parent
    if node.type != "number_literal" or parent is None or types.of(node) != "float" or is_in_a_table(node):
        return
    if parent.type == "binary_expression" and sign_of(parent) in ("*", "/"):
        fixed = types.uniforms | types.constants | {*types.macros}
        for kind, form in (("float", "{0}"), ("int", "float({0})")):
            names = [each for each in scope.of_type(node, kind) if each.split(".")[0] not in fixed]
            yield from (form.format(each) for each in names[:_MOST_VARIABLES])
        sides = [name for name, kind in scope.variables(node) if kind == "ivec2" and name not in fixed]
        yield from (f"float({name}.x * {name}.y)" for name in sides[:_MOST_VARIABLES])


def _leaves(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Variables in an expression, fields as wholes; no names of functions."""
    if node.type in _LEAVES:
        yield node
        return
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    for child in node.named_children:
        if child != called:
            yield from _leaves(child)


def _is_index(node: tree_sitter.Node) -> bool:
    inner = node
    while inner.parent is not None and inner.parent.type in ("binary_expression", "parenthesized_expression"):
        inner = inner.parent
    around = inner.parent
    return around is not None and around.type in ("subscript_argument_list", "subscript_expression")


def _with(node: tree_sitter.Node, places: list[tree_sitter.Node], name: str) -> str:
    whole, start = node.text or b"", node.start_byte
    for each in sorted(places, key=lambda place: -place.start_byte):
        whole = whole[: each.start_byte - start] + name.encode() + whole[each.end_byte - start :]
    return whole.decode()


def _whole(node: tree_sitter.Node) -> str:
    return f"({text_of(node)})" if node.type in ("binary_expression", "conditional_expression") else text_of(node)
