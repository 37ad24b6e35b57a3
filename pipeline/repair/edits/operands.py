"""An operand or an argument otherwise: of the other sign, squared, through a function or through another one."""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from texelscope.pipeline.glsl.syntax import arguments, bare, function_called, text_of
from texelscope.pipeline.repair.edits.proposals import APART, is_all_there
from texelscope.pipeline.repair.words.mutation import Kind, Mutation, is_target, sign_of
from texelscope.pipeline.repair.words.scope import NameScope
from texelscope.pipeline.repair.words.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of

# What an operand goes through, or is put in its place.
_THROUGH = ("tanh({0})", "abs({0})", "exp({0})", "sqrt({0})", "(-{1})", "(1.0 - {1})", "max({0}, 0.0)",
            "min({0}, 0.0)", "clamp({0}, 0.0, 1.0)", "(1.0 / (1.0 + exp(-{1})))")  # fmt: skip
_ARGUMENT_THROUGH = ("sqrt({0})", "abs({0})", "exp({0})", "1.0 - {1}")
# Factors of what a function is asked for.
_FACTORS = ("0.5", "2.0")
# In place of a function of the shader.
_BUILT_IN = ("tanh({0})", "max({0}, 0.0)", "1.0 / (1.0 + exp(-{1}))", "exp({0})", "sqrt({0})")
# Functions of a value whose sign may be forgotten, and of one value.
_BOUNDS = frozenset({"max", "min"})
_OF_ONE = frozenset({"exp", "exp2", "tanh", "sinh", "atan", "log", "sqrt", "abs", "sin", "cos"})
_OF_MORE = frozenset({"mix", "pow", "clamp", "dot"})
_SIGNS = frozenset("+-*/")
_ALONE = frozenset({"identifier", "call_expression", "field_expression", "subscript_expression"})
_LEAVES = frozenset({"identifier", "field_expression", "subscript_expression"})
# Variables that may be taken off an operand, and functions that it may go through.
_MOST, _LONGEST = 4, 200


def operands(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """What may stand in place of a float that something is made of."""
    text, parent, kind = text_of(node), node.parent, types.of(node)
    if parent is None or is_target(node) or len(text) > _LONGEST or "#" in text or "//" in text or is_matrix(kind):
        return
    if is_in_a_table(node) or (kind and scalar_of(kind) != "float"):
        return
    kinds: tuple[tuple[Kind, Iterator[str]], ...] = (
        ("replaced", _of_the_other_sign(node, types)),
        ("swapped", _through_another(node, types, scope)),
        ("swapped", _squared(node, types)),
        ("put in", _through(node, types, scope)),
    )
    for each, made in kinds:
        for new in dict.fromkeys(made):
            if new != text:
                yield Mutation(node.start_byte, node.end_byte, text, new, each, f"({new})")


def without_one(node: tree_sitter.Node, types: Types) -> Iterator[Mutation]:
    """A sum or product of variables without one of its operands, which is none and one there."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = sign_of(node) if node.type == "binary_expression" else ""
    if sign not in _SIGNS or left is None or right is None:
        return
    kind, scalar, text = types.of(node), scalar_of(types.of(node)), text_of(node)
    if scalar not in ("float", "int") or is_matrix(kind) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    for kept, other in ((left, right), (right, left))[: 2 if sign in "+*" else 1]:
        own = types.of(other)
        if types.of(kept) != kind or not own or is_matrix(own) or is_all_there(node, kept) or (
            scalar == "int" and sign == "/"
        ):  # fmt: skip
            continue
        inner = kept
        while inner.type == "parenthesized_expression" and inner.named_child_count == 1 and _is_apart(node):
            inner = inner.named_children[0]
        nothing = f"{own}({int(sign in '*/')})"
        at = other.start_byte, other.end_byte
        each: Kind = "replaced" if scalar == "float" else "swapped"
        yield Mutation(node.start_byte, node.end_byte, text, text_of(inner), each, nothing, (0.0, 0.0), at)


def _is_apart(node: tree_sitter.Node) -> bool:
    """Whether an expression needs no parentheses where it stands."""
    return node.parent is not None and node.parent.type in APART


def _of_the_other_sign(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """Of max(x, 0) and exp(x) the same of -x; a macro's parameter has no type."""
    call = _call_around(node)
    if call is None or node.type in ("number_literal", "unary_expression"):
        return
    name, given = function_called(call), arguments(call)
    is_of_one = len(given) == 1 and (name in _OF_ONE or bool(types.function(name)))
    if (name in _BOUNDS and node == given[0]) or (is_of_one and types.of(call) == types.of(node) != ""):
        yield f"-{_alone(node)}"


def _through_another(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    """A call of a function of one value, of which there are others: the shader's own, and those that GLSL has."""
    given, kind = arguments(node) if node.type == "call_expression" else [], types.of(node)
    if len(given) != 1 or not kind or types.of(given[0]) != kind:
        return
    name, whole, alone = function_called(node), text_of(given[0]), _alone(given[0])
    if types.function(name):
        yield from (form.format(whole, alone) for form in _BUILT_IN)
    elif name in _OF_ONE:
        yield from (f"{other}({whole})" for other in scope.of_one(kind, node)[:_MOST])
        yield f"(1.0 / (1.0 + exp(-{alone})))"


def _squared(node: tree_sitter.Node, types: Types) -> Iterator[str]:
    """The square of a variable: a factor that is forgotten where it stands more than once."""
    parent = node.parent
    if parent is None or not lanes_of(types.of(node)):
        return
    if node.type == "call_expression" and function_called(node) == "abs":
        yield f"pow({text_of(node)}, 2.0)"
    if node.type not in _LEAVES:
        return
    text, sign = text_of(node), sign_of(parent) if parent.type == "binary_expression" else ""
    if sign in ("+", "-", "*") and not (sign == "-" and parent.child_by_field_name("left") == node):
        yield f"{text} * {text}"
    elif sign in _SIGNS:
        yield f"({text} * {text})"
    elif (call := _call_around(node)) is not None and _is_of_values(call, types):
        yield f"{text} * {text}"


def _through(node: tree_sitter.Node, types: Types, scope: NameScope) -> Iterator[str]:
    """A factor, a summand, a choice or an argument through a function, or less another variable."""
    parent, kind = node.parent, types.of(node)
    if parent is None or not kind or node.type not in (*_ALONE, "parenthesized_expression"):
        return
    inner = bare(node)
    text, alone = text_of(inner), _alone(inner)
    is_choice = parent.type == "conditional_expression" and parent.child_by_field_name("condition") != node
    if is_choice or (parent.type == "binary_expression" and sign_of(parent) in _SIGNS):
        yield from (form.format(text, alone) for form in _THROUGH)
        yield from (f"{name}({text})" for name in scope.of_one(kind, node)[:_MOST])
        if node.type in _ALONE and node.type != "identifier" and lanes_of(kind):
            kinds = dict.fromkeys((kind, "float"))
            yield from (f"({text} - {other})" for own in kinds for other in scope.of_type(node, own)[:_MOST])
    elif (call := _call_around(node)) is not None and _is_of_values(call, types):
        yield from (form.format(text, alone) for form in _ARGUMENT_THROUGH)
        if function_called(call) in _OF_ONE:
            yield from (f"{factor} * {alone}" for factor in _FACTORS)
            yield from (f"{text} - {other}" for other in scope.of_type(node, kind)[:_MOST] if other != text)
        yield from (f"{name}({text})" for name in scope.of_one(kind, node)[:_MOST] if name != function_called(call))


def _call_around(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The call that an expression is an argument of."""
    parent = node.parent
    return parent.parent if parent is not None and parent.type == "argument_list" else None


def _is_of_values(call: tree_sitter.Node, types: Types) -> bool:
    """Whether a function is of values, as far as its name or its type tells: nothing that reads, no constructor."""
    name, given = function_called(call), arguments(call)
    if types.function(name):
        return len(given) == 1 and types.of(call) == types.of(given[0])
    return name in _BOUNDS | _OF_ONE | _OF_MORE


def _alone(node: tree_sitter.Node) -> str:
    return (
        text_of(node) if node.type in (*_ALONE, "number_literal", "parenthesized_expression") else f"({text_of(node)})"
    )
