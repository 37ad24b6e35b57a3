"""Proposes two related changes at once: a name in all its places, a stride with what it counts, a function.

Each is one mistake: the same size used twice, rows for columns, another activation written out.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    Assignment,
    BinaryExpression,
    FieldAccess,
    FunctionCall,
    NumberLiteral,
    Parenthesised,
    Subscript,
)
from texelscope.pipeline.glsl.semantics.questions import argument_of, arguments, function_called, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.statements import InitDeclarator, ReturnStatement
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.indices.named_sizes import is_size, sizes_at
from texelscope.pipeline.repair.text.mutation import LEAVES, Mutation, around, is_target, leaves_of, swap, with_texts

# The nearest so many names in scope.
_MOST_NAMES, _MOST_VARIABLES = 8, 5
_LONGEST = 200
_VALUES = (InitDeclarator, Assignment, ReturnStatement)
# Strides that no size names.
_COUNTS = ("2", "3", "4")
# Functions of a value that layers have.
_FUNCTIONS = (
    "1.0 / (1.0 + exp(-{0}))", "tanh({0})", "max({0}, 0.0)", "clamp({0}, 0.0, 6.0)", "clamp({0} / 6.0 + 0.5, 0.0, 1.0)",
    "clamp(0.2 * {0} + 0.5, 0.0, 1.0)", "{0} / (1.0 + exp(-{0}))", "{0} * clamp({0} / 6.0 + 0.5, 0.0, 1.0)",
    "log(1.0 + exp({0}))", "{0} / (1.0 + abs({0}))", "{0} * tanh(log(1.0 + exp({0})))", "exp({0})", "abs({0})",
    "{0} * {0}", "sqrt({0})", "{0}", "{0} / (1.0 + exp(-1.702 * {0}))",
    "0.5 * {0} * (1.0 + tanh(0.7978845608 * ({0} + 0.044715 * {0} * {0} * {0})))",
)  # fmt: skip


def rewritten(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of an expression."""
    text = node.text
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


def _renamed(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields it with another name for one that occurs in several of its parts."""
    if not isinstance(node, BinaryExpression | FunctionCall):
        return
    parts = node.argument_list if isinstance(node, FunctionCall) else node
    leaves = [leaf for part in parts.named_children for leaf in leaves_of(part)]
    counts = Counter(leaf.text for leaf in leaves)
    for name, count in counts.items():
        in_parts = sum(any(leaf.text == name for leaf in leaves_of(part)) for part in parts.named_children)
        kind = next(types.of(leaf) for leaf in leaves if leaf.text == name)
        if count < 2 or in_parts < 2 or not scalar_of(kind) or is_matrix(kind):
            continue
        places = [leaf for leaf in leaves if leaf.text == name]
        sizes = sizes_at(node, types, scope) if kind == "int" else []
        for other in dict.fromkeys((*sizes, *scope.of_type(node, kind)[:_MOST_NAMES])):
            is_fixed = is_size(other, types) and any(_is_index(place) for place in places)
            if other != name and not is_fixed:  # an array's elements vary and may be absent
                yield with_texts(node, dict.fromkeys(places, other))


def _counted(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Turns a * k + b into b * size + a, with any size."""
    left, right = sides_of(node)
    if types.of(node) != "int" or node.operator != "+" or left is None or right is None:
        return
    for product, other in ((left, right), (right, left)):
        if not isinstance(product, BinaryExpression) or product.operator != "*":
            continue
        factors = [each.text for each in product.named_children]
        is_alone = isinstance(other, (*LEAVES, FunctionCall, Parenthesised))
        outer = other.text if is_alone else f"({other.text})"
        for inner, stride in (factors, factors[::-1]):
            for size in dict.fromkeys((*sizes_at(node, types, scope), *_COUNTS)):
                if size not in (inner, outer):
                    yield f"({outer} * {size} + {inner})"
                if size not in (inner, stride, outer):
                    yield f"({inner} * {size} + {outer})"


def _regrouped(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Turns a / k + b into (a + b) / k and a / (k + b), and back; k * (a + b) into a factor of one summand."""
    (left, right), sign = sides_of(node), node.operator
    sides = [each for each in (left, right) if each is not None]
    operands = [*sides, *(each for side in sides for each in side.named_children)]
    if left is None or right is None or not types.of(node) or any(is_matrix(types.of(each)) for each in operands):
        return
    if sign in ("+", "-") and isinstance(left, BinaryExpression) and left.operator in ("*", "/"):
        a, k = left.named_children[0], left.named_children[-1]
        yield f"(({a.text} {sign} {around(right)}) {left.operator} {k.text})"
        yield f"({a.text} {left.operator} ({k.text} {sign} {around(right)}))"
    inner = right.named_children[0] if isinstance(right, Parenthesised) and len(right.named_children) else None
    if sign == "/" and inner is not None and inner.operator in ("+", "-"):
        b, e = inner.named_children[0], inner.named_children[-1]
        yield f"({left.text} / {around(b)} {inner.operator} {around(e)})"
    if sign == "*" and inner is not None and isinstance(inner, BinaryExpression) and inner.operator in ("+", "-"):
        a, b = inner.named_children[0], inner.named_children[-1]
        yield f"({a.text} {inner.operator} {left.text} * {around(b)})"
        yield f"({left.text} * {around(a)} {inner.operator} {around(b)})"


def _without_a_size(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields an index without the size that it adds or subtracts."""
    left, right = sides_of(node)
    if types.of(node) != "int" or node.operator not in ("+", "-") or left is None or right is None:
        return
    if is_size(right.text, types):
        yield left.text
    if is_size(left.text, types) and node.operator == "+":
        yield right.text


def _all_ends(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Turns the largest of three lanes of a vector into that of all four; so for the smallest."""
    name = function_called(node) if isinstance(node, FunctionCall) else ""
    if name not in ("max", "min") or types.of(node) != "float":
        return
    parts = [*arguments(node)]
    while len(inner := [each for each in parts if function_called(each) == name]):
        parts = [each for each in parts if each not in inner] + [each for part in inner for each in arguments(part)]
    lanes = {each.text for each in parts if isinstance(each, FieldAccess)}
    bases = {each.rpartition(".")[0] for each in lanes}
    base = argument_of(parts[0])
    if len(lanes) == len(parts) == 3 and len(bases) == 1 and base is not None and types.of(base) == "vec4":
        for letters in ("xyzw", "rgba"):
            if len(left := {*letters} - {each[-1] for each in lanes}) == 1:
                yield f"{name}({node.text}, {base.text}.{left.pop()})"


def _all_lanes(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Turns a sum of lanes of a vector into the sum of all of them."""
    if not isinstance(node, BinaryExpression) or node.operator != "+" or types.of(node) not in ("float", "int"):
        return
    if node.parent is not None and isinstance(node.parent, BinaryExpression) and node.parent.operator == "+":
        return
    summands: list[SyntaxNode] = [node]
    while isinstance(summands[0], BinaryExpression) and summands[0].operator == "+":
        summands[:1] = summands[0].named_children
    bases = {base.text for each in summands if (base := argument_of(each)) is not None}
    first = argument_of(summands[0])
    if len(bases) != 1 or first is None or any(not isinstance(each, FieldAccess) for each in summands):
        return
    said = {each.text.rpartition(".")[2] for each in summands}
    for letters in ("xyzw", "rgba"):
        lanes = letters[: lanes_of(types.of(first))]
        if said < {*lanes}:
            yield " + ".join(f"{first.text}.{letter}" for letter in lanes)


def _through_another(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields another function of the one variable in an expression."""
    parent, kind = node.parent, types.of(node)
    if parent is None or sides_of(parent)[0] is node:
        return
    is_part = isinstance(parent, ArgumentList) and lanes_of(function_called(parent.parent or node)) > 1
    if not is_part and not isinstance(parent, _VALUES):
        return
    if scalar_of(kind) != "float" or is_matrix(kind) or isinstance(node, (*LEAVES, NumberLiteral)):
        return
    leaves = [*leaves_of(node)]
    names = dict.fromkeys(leaf.text for leaf in leaves)
    if len(names) == 1 and all(types.of(leaf) == kind for leaf in leaves) and not {*names} & types.uniforms:
        yield from (form.format(next(iter(names))) for form in _FUNCTIONS)


def _variables(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields computed values in place of a number in a quotient."""
    parent = node.parent
    if not isinstance(node, NumberLiteral) or parent is None or types.of(node) != "float" or is_in_a_table(node):
        return
    if isinstance(parent, BinaryExpression) and parent.operator in ("*", "/"):
        fixed = types.uniforms | types.constants | {*types.macros}
        for kind, form in (("float", "{0}"), ("int", "float({0})")):
            names = [each for each in scope.of_type(node, kind) if each.split(".")[0] not in fixed]
            yield from (form.format(each) for each in names[:_MOST_VARIABLES])
        sides = [name for name, kind in scope.variables(node) if kind == "ivec2" and name not in fixed]
        yield from (f"float({name}.x * {name}.y)" for name in sides[:_MOST_VARIABLES])


def _is_index(node: SyntaxNode) -> bool:
    inner = node
    while inner.parent is not None and isinstance(inner.parent, BinaryExpression | Parenthesised):
        inner = inner.parent
    around = inner.parent
    return around is not None and isinstance(around, Subscript)
