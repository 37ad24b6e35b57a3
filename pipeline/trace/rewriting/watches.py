"""Watches: expressions that the driver computes before each statement where all of their names are known."""

from __future__ import annotations

from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.glsl.syntax import constructors_as_calls, function_called, parse, text_of, walk

_HEAD = "void f() { x = ("
_CHANGING = frozenset({"assignment_expression", "update_expression", "comma_expression"})


@dataclass(frozen=True)
class Watch:
    """An expression, the variables that it names, the functions that it calls; `problem` says why it is none."""

    text: str
    names: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    problem: str = ""


def watch_of(text: str) -> Watch:
    """What a person typed, as a watch."""
    if not text.isascii():  # letters that GLSL has in comments alone
        return Watch(text, problem="no expression")
    source = f"{_HEAD}{text}); }}".encode()
    root = parse(constructors_as_calls(source))
    inner = next((node for node in walk(root) if node.type == "parenthesized_expression"), None)
    whole = inner is not None and inner.end_byte == len(source) - len("; }") and not root.has_error
    if inner is None or not whole or "//" in text or "/*" in text or "#" in text:
        return Watch(text, problem="no expression")
    if any(node.type in _CHANGING for node in walk(inner)):
        return Watch(text, problem="an expression that changes a variable")
    calls = frozenset(function_called(node) for node in walk(inner) if node.type == "call_expression")
    called = {_function(node) for node in walk(inner) if node.type == "call_expression"}
    names = {text_of(node) for node in walk(inner) if node.type == "identifier" and node.start_byte not in called}
    return Watch(text, frozenset(names), calls)


def _function(call: tree_sitter.Node) -> int:
    function = call.child_by_field_name("function")
    return function.start_byte if function is not None else -1
