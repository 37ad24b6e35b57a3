"""Parses watches: expressions that the driver computes before each statement where all of their names are known."""

from __future__ import annotations

from dataclasses import dataclass

from texelscope.pipeline.glsl.semantics.expressions import (
    Assignment,
    CommaExpression,
    FunctionCall,
    Identifier,
    Parenthesised,
    UpdateExpression,
)
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse

_HEAD = "void f() { x = ("
_CHANGING = (Assignment, UpdateExpression, CommaExpression)


@dataclass(frozen=True)
class Watch:
    """An expression, the variables and functions that it names; `problem` says why it is none."""

    text: str
    names: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    problem: str = ""


def watch_of(text: str) -> Watch:
    """Parses what a person typed as a watch."""
    if not text.isascii():  # letters that GLSL has in comments alone
        return Watch(text, problem="no expression")
    source = f"{_HEAD}{text}); }}".encode()
    root = parse(constructors_as_calls(source))
    inner = next(root.of_type(Parenthesised), None)
    whole = inner is not None and inner.end_byte == len(source) - len("; }") and not root.has_error
    if inner is None or not whole or "//" in text or "/*" in text or "#" in text:
        return Watch(text, problem="no expression")
    if any(isinstance(node, _CHANGING) for node in inner.walk()):
        return Watch(text, problem="an expression that changes a variable")
    calls = frozenset(node.name for node in inner.of_type(FunctionCall))
    called = {node.callee.start_byte for node in inner.of_type(FunctionCall)}
    names = {node.text for node in inner.of_type(Identifier) if node.start_byte not in called}
    return Watch(text, frozenset(names), calls)
