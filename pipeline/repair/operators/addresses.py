"""Finds the addresses of a shader: indices, coordinates, and what these are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable

from texelscope.pipeline.glsl.semantics.expressions import ArgumentList, Assignment, Identifier, Subscript
from texelscope.pipeline.glsl.semantics.questions import (
    OTHER_READS,
    READS,
    arguments,
    declared_name,
    function_called,
    is_decided_by,
    name_around,
    target_of,
)
from texelscope.pipeline.glsl.semantics.statements import (
    CompoundStatement,
    FunctionDefinition,
    InitDeclarator,
    ParameterMacro,
    ReturnStatement,
    TranslationUnit,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types, scalar_of

_ENDS = (CompoundStatement, FunctionDefinition, TranslationUnit)
_BASE = re.compile(r"\w+")


class Addresses:
    """Knows the addresses of one parsed shader and of the bodies of its macros."""

    def __init__(self, roots: Iterable[SyntaxNode], types: Types) -> None:
        self._types = types
        every = [node for root in roots for node in root.walk()]
        self._parameters = {
            node.name: [declared_name(each) for each in node.parameters]
            for node in every
            if isinstance(node, FunctionDefinition)
        }
        self._reading = {name for node in every if (name := _reading_macro(node))}
        self._values = {
            (name_around(node), node.declarator.text): node.value for node in every if isinstance(node, InitDeclarator)
        }
        self._names: set[tuple[str, str]] = set()
        # Functions whose results are used as addresses, of any type.
        self._returning: set[str] = set()
        given = [node for node in every if isinstance(node, Identifier)]
        calls = [node for node in every if function_called(node) in self._parameters]
        grown = -1
        while grown < len(self._names) + len(self._returning):  # parts of an address are addresses
            grown = len(self._names) + len(self._returning)
            self._returning.update(function_called(call) for call in calls if self.has(call))
            calls = [call for call in calls if function_called(call) not in self._returning]
            self._names.update(_named(node) for node in given if self.has(node))
            given = [node for node in given if _named(node) not in self._names]

    def has(self, node: SyntaxNode) -> bool:
        """Whether an expression is an address, or a part of one."""
        inner = node
        for each in node.ancestors():
            if isinstance(each, _ENDS) or is_decided_by(each, inner):
                return False
            if isinstance(each, Subscript) and each.argument != inner:
                return True
            if isinstance(each, ReturnStatement):
                return scalar_of(self._types.of(inner)) == "int" or name_around(node) in self._returning
            if isinstance(each, ArgumentList) and each.parent is not None and (said := self._says(each.parent, inner)):
                return said == "address"
            if isinstance(each, InitDeclarator | Assignment):
                target = target_of(each)
                name = _BASE.match(target.text) if target is not None and target is not inner else None
                return name is not None and (name_around(node), name[0]) in self._names
            inner = each
        return False

    def value_of(self, node: SyntaxNode) -> SyntaxNode | None:
        """Returns the value that a variable is declared with in its function; None if there is none."""
        return self._values.get(_named(node))

    def is_name(self, node: SyntaxNode, name: str) -> bool:
        """Whether a variable at a node is an address."""
        base = _BASE.match(name)
        return base is not None and (name_around(node), base[0]) in self._names

    def _says(self, call: SyntaxNode, given: SyntaxNode) -> str:
        """Returns what a function makes of its argument: an address or a value; empty if it passes that on."""
        name = function_called(call)
        if name in READS or name in OTHER_READS or name in self._reading:
            return "address"
        if name in self._parameters:
            pairs = zip(self._parameters[name], arguments(call), strict=False)
            if any(each == given and (name, own) in self._names for own, each in pairs):
                return "address"
            return "" if scalar_of(self._types.of(call)) == "int" else "value"
        return ""


def _named(node: SyntaxNode) -> tuple[str, str]:
    return name_around(node), node.text


def _reading_macro(node: SyntaxNode) -> str:
    """Returns the name of a macro that reads something."""
    if not isinstance(node, ParameterMacro) or node.body is None:
        return ""
    return node.name if {*_BASE.findall(node.body.text)} & (READS | OTHER_READS) else ""
