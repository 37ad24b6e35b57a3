"""What stands behind `#define`: bodies that are expressions or statements, each a place of its own to be edited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from texelscope.pipeline.glsl.semantics.expressions import Assignment, FunctionCall
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.questions import OTHER_READS, READS, WORD, names_in
from texelscope.pipeline.glsl.semantics.scope import MACRO, NameScope, declared
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    Declaration,
    FunctionDefinition,
    MacroDefinition,
    ParameterMacro,
    ReturnStatement,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, scalar_of

# What has to be known before the shader runs: sizes, layouts, conditions of the preprocessor, constants.
_CONSTANT = (
    r"\[[^]]*\b{0}\b|layout\s*\([^)]*\b{0}\b|#\s*(?:if|elif|define)\b[^\n]*\b{0}\b|const\b[^;]*\b{0}\b|case\s+{0}\b"
)


@dataclass(frozen=True)
class Macro:
    """A macro's body: its expression, by how much its bytes lie farther on, its line, and how often it is used.

    Of one that does something, as an assignment or what declares variables, it is all that.
    """

    expression: SyntaxNode
    shift: int
    line: int
    uses: int


def _bodies(root: SyntaxNode) -> Iterator[SyntaxNode]:
    """What macros stand for, where that is an expression: some macros are used in others alone."""
    for node in root.of_type(MacroDefinition):
        inner = _expression(b"float body() { return ", node.meaning) if node.meaning else None
        if inner is not None:
            yield inner


def macros_of(root: SyntaxNode, source: str, types: Types, scope: NameScope) -> Iterator[Macro]:
    """Those whose body is an expression of a known type that need not be a constant; `types` learns them all.

    Names of the functions that it is used in are known in a body that has some of them.
    """
    calls: dict[str, tuple[SyntaxNode, ...]] = {}
    for tree in (root, *_bodies(root)):
        for call in tree.of_type(FunctionCall):
            calls.setdefault(call.name, call.arguments)
    for node in root.of_type(MacroDefinition):
        if node.body is None:
            continue
        name, function = node.name, f"{MACRO}{node.name}"
        head = f"float {function}() {{ return ".encode()
        inner = _expression(head, node.meaning)
        is_done = inner is None or isinstance(inner, Assignment)
        if inner is None:
            head = f"void {function}() {{ ".encode()
            inner = _statements(head, node.meaning)
        if inner is None:
            continue
        for parameter, argument in zip(node.parameters, calls.get(name, ()), strict=False):
            types.learn_parameter(function, parameter, kind := types.of(argument))
            scope.learn_around(function, {parameter: kind} if scalar_of(kind) else {})
        is_call = isinstance(node, ParameterMacro)
        kind = types.of(inner)
        types.learn(name, kind, is_call=is_call)
        uses = len(re.findall(rf"\b{re.escape(name)}\b", source)) - 1
        if not (is_done or scalar_of(kind)) or not uses:
            continue
        types.learn_declarations(inner)
        _learn_around(inner, node, uses, types, scope)
        if not is_call and re.search(_CONSTANT.format(re.escape(name)), _without(source, node)):
            continue
        yield Macro(inner, node.body.start_byte - len(head), node.body.row, uses)


def _learn_around(body: SyntaxNode, macro: MacroDefinition, uses: int, types: Types, scope: NameScope) -> None:
    """What functions call their variables, where a macro of theirs speaks of some."""
    name, own = macro.name, {*macro.parameters}
    around, count = scope.where_used(name)
    words = {*names_in(body)} - own
    if count == uses and words & around.keys():
        own |= {name for each in body.walk() for name in declared(each)}
        known = {each: kind for each, kind in around.items() if each not in own}
        for each, kind in known.items():
            types.learn_parameter(f"{MACRO}{name}", each, kind)
        scope.learn_around(f"{MACRO}{name}", known)


def _expression(head: bytes, body: str) -> SyntaxNode | None:
    root = parse(head + constructors_as_calls(body.encode()) + b"; }")
    found = next(root.of_type(ReturnStatement), None)
    if root.has_error or found is None or len(found.named_children) != 1:
        return None
    return found.named_children[0]


def _statements(head: bytes, body: str) -> SyntaxNode | None:
    """All of a body that declares something, or that is the head of a statement."""
    for end in ("; }", " {} }"):
        root = parse(head + constructors_as_calls(body.replace("\\\n", "  ").encode()) + end.encode())
        found = next(root.of_type(CompoundStatement), None)
        if not root.has_error and found is not None and any(isinstance(each, Declaration) for each in found.walk()):
            return found
    return None


def _without(source: str, node: SyntaxNode) -> str:
    data = source.encode()
    return (data[: node.start_byte] + data[node.end_byte :]).decode()


def reading_macros(root: SyntaxNode) -> frozenset[str]:
    """Macros that read something, themselves or by what they call, and so may be told where."""
    bodies: dict[str, set[str]] = {}
    macros = set[str]()
    for each in root.walk():
        if isinstance(each, FunctionDefinition):
            bodies[each.name] = {*WORD.findall(each.text)}
        elif isinstance(each, ParameterMacro):
            macros.add(each.name)
            bodies[each.name] = {*WORD.findall(each.text)}
    found, reading = frozenset[str](), READS | OTHER_READS | {"["}
    while more := {name for name, words in bodies.items() if name not in found and words & (reading | found)}:
        found |= more
    return found & macros
