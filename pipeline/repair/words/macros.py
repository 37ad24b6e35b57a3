"""What stands behind `#define`: bodies that are expressions or statements, each a place of its own to be edited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import tree_sitter

from texelscope.pipeline.glsl.syntax import (
    OTHER_READS,
    READS,
    WORD,
    arguments,
    constructors_as_calls,
    function_called,
    function_name,
    parse,
    text_of,
    walk,
)
from texelscope.pipeline.repair.words.scope import MACRO, NameScope, declared
from texelscope.pipeline.repair.words.types import Types, scalar_of

# What has to be known before the shader runs: sizes, layouts, conditions of the preprocessor, constants.
_CONSTANT = (
    r"\[[^]]*\b{0}\b|layout\s*\([^)]*\b{0}\b|#\s*(?:if|elif|define)\b[^\n]*\b{0}\b|const\b[^;]*\b{0}\b|case\s+{0}\b"
)


@dataclass(frozen=True)
class Macro:
    """A macro's body: its expression, by how much its bytes lie farther on, its line, and how often it is used.

    Of one that does something, as an assignment or what declares variables, it is all that.
    """

    expression: tree_sitter.Node
    shift: int
    line: int
    uses: int


def _bodies(root: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """What macros stand for, where that is an expression: some macros are used in others alone."""
    for node in walk(root):
        value = node.child_by_field_name("value") if node.type in ("preproc_function_def", "preproc_def") else None
        body = text_of(value).partition("//")[0].rstrip() if value is not None else ""
        inner = _expression(b"float body() { return ", body) if body else None
        if inner is not None:
            yield inner


def macros_of(root: tree_sitter.Node, source: str, types: Types, scope: NameScope) -> Iterator[Macro]:
    """Those whose body is an expression of a known type that need not be a constant; `types` learns them all.

    Names of the functions that it is used in are known in a body that has some of them.
    """
    calls: dict[str, list[tree_sitter.Node]] = {}
    for tree in (root, *_bodies(root)):
        for node in walk(tree):
            if node.type == "call_expression":
                calls.setdefault(function_called(node), arguments(node))
    for node in walk(root):
        if node.type not in ("preproc_function_def", "preproc_def"):
            continue
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None:
            continue
        body = text_of(value).partition("//")[0].rstrip()
        head = f"float {MACRO}{text_of(name)}() {{ return ".encode()
        inner = _expression(head, body)
        is_done = inner is None or inner.type == "assignment_expression"
        if inner is None:
            head = f"void {MACRO}{text_of(name)}() {{ ".encode()
            inner = _statements(head, body)
        if inner is None:
            continue
        given = node.child_by_field_name("parameters")
        for parameter, argument in zip(
            given.named_children if given is not None else (), calls.get(text_of(name), ()), strict=False
        ):
            types.learn_parameter(f"{MACRO}{text_of(name)}", text_of(parameter), kind := types.of(argument))
            scope.learn_around(f"{MACRO}{text_of(name)}", {text_of(parameter): kind} if scalar_of(kind) else {})
        is_call = node.type == "preproc_function_def"
        kind = types.of(inner)
        types.learn(text_of(name), kind, is_call=is_call)
        uses = len(re.findall(rf"\b{re.escape(text_of(name))}\b", source)) - 1
        if not (is_done or scalar_of(kind)) or not uses:
            continue
        types.learn_declarations(inner)
        _learn_around(inner, text_of(name), given, uses, types, scope)
        if not is_call and re.search(_CONSTANT.format(re.escape(text_of(name))), _without(source, node)):
            continue
        yield Macro(inner, value.start_byte - len(head), value.start_point[0], uses)


def _learn_around(
    body: tree_sitter.Node, name: str, given: tree_sitter.Node | None, uses: int, types: Types, scope: NameScope
) -> None:
    """What functions call their variables, where a macro of theirs speaks of some."""
    around, count = scope.where_used(name)
    own = {text_of(each) for each in given.named_children} if given is not None else set[str]()
    words = {text_of(each) for each in walk(body) if each.type == "identifier"} - own
    if count == uses and words & around.keys():
        own |= {name for each in walk(body) for name in declared(each)}
        for each in around.keys() - own:
            types.learn_parameter(f"{MACRO}{name}", each, around[each])
        scope.learn_around(f"{MACRO}{name}", {each: kind for each, kind in around.items() if each not in own})


def _expression(head: bytes, body: str) -> tree_sitter.Node | None:
    root = parse(head + constructors_as_calls(body.encode()) + b"; }")
    found = next((each for each in walk(root) if each.type == "return_statement"), None)
    if root.has_error or found is None or found.named_child_count != 1:
        return None
    return found.named_children[0]


def _statements(head: bytes, body: str) -> tree_sitter.Node | None:
    """All of a body that declares something, or that is the head of a statement."""
    for end in ("; }", " {} }"):
        root = parse(head + constructors_as_calls(body.replace("\\\n", "  ").encode()) + end.encode())
        found = next((each for each in walk(root) if each.type == "compound_statement"), None)
        if not root.has_error and found is not None and any(each.type == "declaration" for each in walk(found)):
            return found
    return None


def _without(source: str, node: tree_sitter.Node) -> str:
    data = source.encode()
    return (data[: node.start_byte] + data[node.end_byte :]).decode()


def reading_macros(root: tree_sitter.Node) -> frozenset[str]:
    """Macros that read something, themselves or by what they call, and so may be told where."""
    bodies: dict[str, set[str]] = {}
    macros = set[str]()
    for each in walk(root):
        if each.type == "function_definition":
            bodies[function_name(each)] = {*WORD.findall(text_of(each))}
        elif each.type == "preproc_function_def" and (name := each.child_by_field_name("name")) is not None:
            macros.add(text_of(name))
            bodies[text_of(name)] = {*WORD.findall(text_of(each))}
    found, reading = frozenset[str](), READS | OTHER_READS | {"["}
    while more := {name for name, words in bodies.items() if name not in found and words & (reading | found)}:
        found |= more
    return found & macros
