"""Prepares a program's text for a symbolic run and parses it; every row stays in its place."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from texelscope.pipeline.glsl.macros import MacroError, expand_all
from texelscope.pipeline.glsl.semantics.expressions import FunctionCall
from texelscope.pipeline.glsl.semantics.parsing import (
    constructors_as_calls,
    parse,
    without_precisions,
)
from texelscope.pipeline.glsl.semantics.statements import FunctionDefinition
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.symbolic.values import UnknownTextError

_PRECISION = re.compile(r"\b(highp|mediump|lowp)\b")
_ARRAY_FIRST = re.compile(r"\b([A-Za-z_]\w*)\s*((?:\[[^\[\]]*\]\s*)+)\s+([A-Za-z_]\w*)(?=\s*[=;,)])")
# `layout(...) in;`: the parser takes the next declaration for a part of it.
_BARE_LAYOUT = re.compile(r"\blayout\s*\((?:[^()]|\([^()]*\))*\)\s*(?:in|out|buffer|uniform)\s*;")
# A name alone in parentheses with a sign behind, which the parser takes for a cast, as in C.
_CAST = re.compile(r"((?:[-+*/%<>=!&|^?:,(;{}\[]|\breturn\b)\s*)\((\s*[A-Za-z_]\w*\s*)\)(?=\s*[-+*&~!(])")
_BARRIER = "barrier"
# What some texts write alone where they rely on invocations that run side by side.
_MEMORY_BARRIERS = frozenset({"memoryBarrierShared", "groupMemoryBarrier", "memoryBarrier"})
BARRIERS = frozenset({_BARRIER, "memoryBarrierBuffer", "memoryBarrierImage"}) | _MEMORY_BARRIERS


def expanded(fragment: str) -> str:
    """Returns a text without macros. Raises UnknownTextError."""
    try:
        return expand_all(fragment)
    except MacroError as error:
        raise UnknownTextError(str(error)) from None


def parsed(text: str) -> SyntaxNode:
    """Returns the syntax tree of a text without macros."""
    if "mediump" in text or "highp" in text or "lowp" in text:
        text = _PRECISION.sub(_blank, text)
    if "layout" in text:
        text = _BARE_LAYOUT.sub(_blank, text)
    text = _CAST.sub(r"\1 \2 ", text)
    text = _ARRAY_FIRST.sub(r"\1 \3\2", text)
    return parse(constructors_as_calls(without_precisions(text.encode())))


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def waiting_functions(root: SyntaxNode, *, shares: bool) -> frozenset[str]:
    """Returns the functions in which an invocation waits for its work group, built-in ones among them.

    `shares` says whether the text has shared memory.
    """
    if b"arrier" not in root.tree.source:
        return frozenset()
    called = {
        node.name: {call.name for call in node.of_type(FunctionCall)}
        for node in root.named_children
        if isinstance(node, FunctionDefinition)
    }
    found = _reaching({_BARRIER}, called)
    return found if "main" in found or not shares else _reaching(_MEMORY_BARRIERS, called)


def _reaching(names: Collection[str], called: Mapping[str, set[str]]) -> frozenset[str]:
    """Returns names, and the functions that call one of them or one another on the way."""
    found = {*names}
    while more := {name for name, calls in called.items() if name not in found and calls & found}:
        found |= more
    return frozenset(found)
