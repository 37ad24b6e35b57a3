"""Syntax trees of GLSL: parsed, walked, asked for functions; what loops and assignments are; and insertions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import tree_sitter
import tree_sitter_glsl

from texelscope.pipeline.glsl.lines import Line

READS = frozenset(
    {
        "texture", "textureLod", "textureGrad", "textureOffset", "textureLodOffset", "texelFetch", "texelFetchOffset",
        "texture2D", "texture2DLod",
    }
)  # fmt: skip

# Reads that have no wrapper: said by name, never passed over.
OTHER_READS = frozenset(
    {
        "texture2DProj", "textureProj", "textureProjOffset", "textureProjLod",
        "textureProjGrad", "textureGradOffset", "textureGather", "textureGatherOffset", "imageLoad",
    }
)  # fmt: skip

# A name, a number or a sign.
WORD = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\.\d[\w.]*|\S")

_CAPITALS = re.compile(r"\b(INT|UINT|FLOAT|DOUBLE|BOOL)(?=\s*\()")
# The precision of a function's parameter, which the parser takes for its type.
_PRECISION = re.compile(rb"(?<=[(,])(\s*(?:(?:const|in|out|inout)\s+)*)(highp|mediump|lowp)(?=\s+\w+\s+\w+\s*[,)\[])")
_CONSTRUCTOR = re.compile(rb"\b(int|uint|float|double|bool)(\s*\()")


_DECIDES = frozenset({"for_statement", "while_statement", "do_statement", "if_statement", "conditional_expression"})
_VECTOR = re.compile(r"float|vec[234]")
# From a result back to where its value is made.
_MOST_STEPS = 8


@dataclass(frozen=True)
class ForLoop:
    """A for loop: where its head is, and the text of its condition."""

    line: Line
    condition: str
    variable: str
    depth: int


@dataclass(frozen=True)
class Statement:
    """An assignment: the variable it changes, its operator (`=`, `+=` …), its text."""

    line: Line
    variable: str
    operator: str
    text: str
    depth: int
    value: tree_sitter.Node | None = None


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_glsl.language()))


def parse(source: bytes) -> tree_sitter.Node:
    """The syntax tree of GLSL text; what does not parse is an ERROR node in it."""
    return _parser().parse(source).root_node


def constructors_as_calls(source: bytes) -> bytes:
    """Text as long as `source`, for the parser alone, in which `int(x)` is a call of a function.

    Otherwise it takes `(int(x) * y)` for a cast, as in C, and calls within for declarations.
    """
    return _CONSTRUCTOR.sub(lambda match: match[1].upper() + match[2], source)


def calls_as_constructors(text: str) -> str:
    """A part of such a text as its author writes it."""
    return _CAPITALS.sub(lambda match: match[0].lower(), text)


def without_precisions(source: bytes) -> bytes:
    """Text as long as `source`, for the parser alone, in which no parameter of a function has a precision.

    Otherwise it takes the precision for a type, and the whole function for nothing.
    """
    return _PRECISION.sub(lambda match: match[1] + b" " * len(match[2]), source)


@dataclass
class Edits:
    """Insertions by byte offset; those at one offset by their rank, and those of one rank keep their order."""

    at: dict[int, list[tuple[tuple[int, ...], str]]] = field(default_factory=dict)

    def insert(self, offset: int, text: str, rank: tuple[int, ...] = (0,)) -> None:
        self.at.setdefault(offset, []).append((rank, text))

    def apply(self, source: bytes) -> str:
        parts, last = [], 0
        for offset in sorted(self.at):
            parts.append(source[last:offset].decode())
            parts.extend(text for _, text in sorted(self.at[offset], key=lambda each: each[0]))
            last = offset
        return "".join([*parts, source[last:].decode()])


def walk(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The node and all below it, in the order of the text, however deep."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(current.children))


def parents(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What the node is in, from the inside out."""
    current = node.parent
    while current is not None:
        yield current
        current = current.parent


def text_of(node: tree_sitter.Node) -> str:
    """The node's text, as it was parsed."""
    return (node.text or b"").decode()


def bare(node: tree_sitter.Node) -> tree_sitter.Node:
    """What stands inside of the parentheses around an expression."""
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        node = node.named_children[0]
    return node


def function_around(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The definition of the function that the node is in; None outside all."""
    return next((each for each in parents(node) if each.type == "function_definition"), None)


def function_name(node: tree_sitter.Node | None) -> str:
    """The name in a function's definition, or in its declarator; empty where there is none."""
    if node is not None and node.type != "function_declarator":
        node = node.child_by_field_name("declarator")
    name = node.child_by_field_name("declarator") if node is not None else None
    return text_of(name) if name is not None else ""


def declared_name(node: tree_sitter.Node) -> str:
    """The name in a parameter's declaration; empty where it has none."""
    name = node.child_by_field_name("declarator")
    while name is not None and name.type == "array_declarator":
        name = name.child_by_field_name("declarator")
    return text_of(name) if name is not None else ""


def function_called(call: tree_sitter.Node) -> str:
    """The name of the function that a call calls; empty where it has none."""
    function = call.child_by_field_name("function")
    return text_of(function) if function is not None else ""


def accessors(root: tree_sitter.Node) -> frozenset[str]:
    """Functions that return what they read of a sampler handed to them, or what such a one returns.

    They decide nothing, and have nothing worked out into variables by another function.
    """
    found: set[str] = set()
    for _ in range(2):
        for node in walk(root):
            if node.type != "function_definition":
                continue
            inside = [each.type for each in walk(node)]
            called = {function_called(each) for each in walk(node) if each.type == "call_expression"}
            own = called & (READS | OTHER_READS) and any("sampler" in text_of(each) for each in parameters(node))
            stated = [each for each in walk(node) if each.type == "expression_statement"]
            is_plain = len(stated) <= 1 and not any(
                child.type == "call_expression" for each in stated for child in each.named_children[:1]
            )
            if (called & found or own) and _DECIDES.isdisjoint(inside) and is_plain:
                found.add(function_name(node))
    return frozenset(found - {"main"})


def parameters(function: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The declarations of a function's parameters, in order."""
    return [node for node in walk(function) if node.type == "parameter_declaration"]


def arguments(call: tree_sitter.Node) -> list[tree_sitter.Node]:
    """What a function is called with."""
    inner = call.child_by_field_name("arguments")
    return inner.named_children if inner is not None else []


def maker_of(root: tree_sitter.Node, node: tree_sitter.Node) -> tree_sitter.Node:
    """The expression that makes the value of `node`: behind names, parameters, and vectors of one value.

    A running sum is made where it is taken, not where something is added to it last; a variable where it is assigned,
    and where it is declared if all that follows is to hand it on to another function.
    """
    first = function_around(node)
    for _ in range(_MOST_STEPS):
        inner = _carried(node)
        function = function_around(inner)
        if inner.type != "identifier" or function is None:
            return node
        behind = _assigned(root, function, text_of(inner), before=inner.start_byte)
        declares = behind is not None and behind.parent is not None and behind.parent.type == "init_declarator"
        if behind is None or (declares and function == first):
            return node
        node = behind
    return node


def _carried(node: tree_sitter.Node) -> tree_sitter.Node:
    """Within parentheses, and constructors of vectors beside numbers, the one value."""
    while node.type in ("parenthesized_expression", "call_expression"):
        if node.type == "call_expression" and not _VECTOR.fullmatch(function_called(node)):
            break
        inside = arguments(node) if node.type == "call_expression" else node.named_children
        values = [each for each in inside if each.type != "number_literal"]
        if len(values) != 1:
            break
        node = values[0]
    return node


def _assigned(root: tree_sitter.Node, function: tree_sitter.Node, name: str, *, before: int) -> tree_sitter.Node | None:
    """What a variable was given last, or a parameter by the one call; None for a running sum and for anything else."""
    last: tree_sitter.Node | None = None
    for node in walk(function):
        kind = {"init_declarator": "declarator", "assignment_expression": "left"}.get(node.type)
        target = node.child_by_field_name(kind) if kind is not None else None
        if target is not None and node.start_byte < before and re.split(r"[.\[]", text_of(target))[0].strip() == name:
            last = node
    if last is not None:
        operator = last.child_by_field_name("operator")
        whole = last.type == "init_declarator" or (operator is not None and text_of(operator) == "=")
        return (last.child_by_field_name("value") or last.child_by_field_name("right")) if whole else None
    names = [declared_name(each) for each in parameters(function)]
    calls = [node for node in walk(root) if node.type == "call_expression"]
    calls = [node for node in calls if function_called(node) == function_name(function)]
    if name not in names or len(calls) != 1 or len(arguments(calls[0])) != len(names):
        return None
    return arguments(calls[0])[names.index(name)]
