"""Proposes changes of an operand or argument: negated, squared, through a function or another one."""

from __future__ import annotations

from collections.abc import Iterator

from texelscope.pipeline.glsl.semantics.expressions import (
    ArgumentList,
    BinaryExpression,
    ConditionalExpression,
    FieldAccess,
    FunctionCall,
    Identifier,
    NumberLiteral,
    Parenthesised,
    Subscript,
    UnaryExpression,
)
from texelscope.pipeline.glsl.semantics.questions import arguments, bare, function_called, sides_of
from texelscope.pipeline.glsl.semantics.scope import NameScope
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, is_in_a_table, is_matrix, lanes_of, scalar_of
from texelscope.pipeline.repair.edits.proposals import APART, is_all_there
from texelscope.pipeline.repair.text.mutation import Kind, Mutation, is_target

# Functions of an operand, and replacements of it.
_THROUGH = ("tanh({0})", "abs({0})", "exp({0})", "sqrt({0})", "(-{1})", "(1.0 - {1})", "max({0}, 0.0)",
            "min({0}, 0.0)", "clamp({0}, 0.0, 1.0)", "(1.0 / (1.0 + exp(-{1})))")  # fmt: skip
_ARGUMENT_THROUGH = ("sqrt({0})", "abs({0})", "exp({0})", "1.0 - {1}")
# Factors of a function's argument.
_FACTORS = ("0.5", "2.0")
# Replacements of a function of the shader.
_BUILT_IN = ("tanh({0})", "max({0}, 0.0)", "1.0 / (1.0 + exp(-{1}))", "exp({0})", "sqrt({0})")
# Functions of a value whose sign may be forgotten, and functions of one value.
_BOUNDS = frozenset({"max", "min"})
_OF_ONE = frozenset({"exp", "exp2", "tanh", "sinh", "atan", "log", "sqrt", "abs", "sin", "cos"})
_OF_MORE = frozenset({"mix", "pow", "clamp", "dot"})
_SIGNS = frozenset("+-*/")
_ALONE = (Identifier, FunctionCall, FieldAccess, Subscript)
_LEAVES = (Identifier, FieldAccess, Subscript)
# The most variables to subtract from an operand, and the longest operand of a function.
_MOST, _LONGEST = 4, 200


def operands(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[Mutation]:
    """Proposes replacements of a float operand."""
    text, parent, kind = node.text, node.parent, types.of(node)
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


def without_one(node: SyntaxNode, types: Types) -> Iterator[Mutation]:
    """Proposes a sum or product of variables without one of its operands, which becomes 0 or 1."""
    if not isinstance(node, BinaryExpression) or node.operator not in _SIGNS:
        return
    left, right, sign = node.left, node.right, node.operator
    kind, scalar, text = types.of(node), scalar_of(types.of(node)), node.text
    if scalar not in ("float", "int") or is_matrix(kind) or len(text) > _LONGEST or "#" in text or "//" in text:
        return
    for kept, other in ((left, right), (right, left))[: 2 if sign in "+*" else 1]:
        own = types.of(other)
        if types.of(kept) != kind or not own or is_matrix(own) or is_all_there(node, kept) or (
            scalar == "int" and sign == "/"
        ):  # fmt: skip
            continue
        inner = kept
        while isinstance(inner, Parenthesised) and len(inner.named_children) == 1 and _is_apart(node):
            inner = inner.named_children[0]
        nothing = f"{own}({int(sign in '*/')})"
        at = other.start_byte, other.end_byte
        each: Kind = "replaced" if scalar == "float" else "swapped"
        yield Mutation(node.start_byte, node.end_byte, text, inner.text, each, nothing, (0.0, 0.0), at)


def _is_apart(node: SyntaxNode) -> bool:
    """Whether an expression needs no parentheses where it stands."""
    return node.parent is not None and isinstance(node.parent, APART)


def _of_the_other_sign(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields max(-x, 0) for max(x, 0), and exp(-x) for exp(x); a macro's parameter has no type."""
    call = _call_around(node)
    if call is None or isinstance(node, NumberLiteral | UnaryExpression):
        return
    name, given = function_called(call), arguments(call)
    is_of_one = len(given) == 1 and (name in _OF_ONE or bool(types.function(name)))
    if (name in _BOUNDS and node == given[0]) or (is_of_one and types.of(call) == types.of(node) != ""):
        yield f"-{_alone(node)}"


def _through_another(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields calls of other functions of one value: the shader's own, and GLSL's."""
    given, kind = arguments(node) if isinstance(node, FunctionCall) else [], types.of(node)
    if len(given) != 1 or not kind or types.of(given[0]) != kind:
        return
    name, whole, alone = function_called(node), given[0].text, _alone(given[0])
    if types.function(name):
        yield from (form.format(whole, alone) for form in _BUILT_IN)
    elif name in _OF_ONE:
        yield from (f"{other}({whole})" for other in scope.of_one(kind, node)[:_MOST])
        yield f"(1.0 / (1.0 + exp(-{alone})))"


def _squared(node: SyntaxNode, types: Types) -> Iterator[str]:
    """Yields the square of a variable, if a factor that occurs twice was forgotten."""
    parent = node.parent
    if parent is None or not lanes_of(types.of(node)):
        return
    if isinstance(node, FunctionCall) and function_called(node) == "abs":
        yield f"pow({node.text}, 2.0)"
    if not isinstance(node, _LEAVES):
        return
    text, sign = node.text, parent.operator if isinstance(parent, BinaryExpression) else ""
    if sign in ("+", "-", "*") and not (sign == "-" and sides_of(parent)[0] is node):
        yield f"{text} * {text}"
    elif sign in _SIGNS:
        yield f"({text} * {text})"
    elif (call := _call_around(node)) is not None and _is_of_values(call, types):
        yield f"{text} * {text}"


def _through(node: SyntaxNode, types: Types, scope: NameScope) -> Iterator[str]:
    """Yields a factor, a summand, a choice or an argument through a function, or less another variable."""
    parent, kind = node.parent, types.of(node)
    if parent is None or not kind or not isinstance(node, (*_ALONE, Parenthesised)):
        return
    inner = bare(node)
    text, alone = inner.text, _alone(inner)
    is_choice = isinstance(parent, ConditionalExpression) and parent.condition != node
    if is_choice or (isinstance(parent, BinaryExpression) and parent.operator in _SIGNS):
        yield from (form.format(text, alone) for form in _THROUGH)
        yield from (f"{name}({text})" for name in scope.of_one(kind, node)[:_MOST])
        if isinstance(node, _ALONE) and not isinstance(node, Identifier) and lanes_of(kind):
            kinds = dict.fromkeys((kind, "float"))
            yield from (f"({text} - {other})" for own in kinds for other in scope.of_type(node, own)[:_MOST])
    elif (call := _call_around(node)) is not None and _is_of_values(call, types):
        yield from (form.format(text, alone) for form in _ARGUMENT_THROUGH)
        if function_called(call) in _OF_ONE:
            yield from (f"{factor} * {alone}" for factor in _FACTORS)
            yield from (f"{text} - {other}" for other in scope.of_type(node, kind)[:_MOST] if other != text)
        yield from (f"{name}({text})" for name in scope.of_one(kind, node)[:_MOST] if name != function_called(call))


def _call_around(node: SyntaxNode) -> SyntaxNode | None:
    """Returns the call that an expression is an argument of."""
    parent = node.parent
    return parent.parent if parent is not None and isinstance(parent, ArgumentList) else None


def _is_of_values(call: SyntaxNode, types: Types) -> bool:
    """Whether a function computes values, by its name or type: not a read, not a constructor."""
    name, given = function_called(call), arguments(call)
    if types.function(name):
        return len(given) == 1 and types.of(call) == types.of(given[0])
    return name in _BOUNDS | _OF_ONE | _OF_MORE


def _alone(node: SyntaxNode) -> str:
    return node.text if isinstance(node, (*_ALONE, NumberLiteral, Parenthesised)) else f"({node.text})"
