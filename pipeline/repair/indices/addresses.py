"""Which expressions of a shader say where something is read: indices, coordinates, and what these are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable

import tree_sitter

from texelscope.pipeline.glsl.syntax import (
    OTHER_READS,
    READS,
    arguments,
    declared_name,
    function_around,
    function_called,
    function_name,
    parameters,
    parents,
    text_of,
    walk,
)
from texelscope.pipeline.repair.words.types import Types, scalar_of

_GIVEN = frozenset({"init_declarator", "assignment_expression"})
_ENDS = frozenset({"compound_statement", "function_definition", "translation_unit"})
_ASKED = ("condition", "update")
_BASE = re.compile(r"\w+")


class Addresses:
    """Of one parsed shader and the bodies of its macros."""

    def __init__(self, roots: Iterable[tree_sitter.Node], types: Types) -> None:
        self._types = types
        every = [node for root in roots for node in walk(root)]
        self._parameters = {
            function_name(node): [declared_name(each) for each in parameters(node)]
            for node in every
            if node.type == "function_definition"
        }
        self._reading = {name for node in every if (name := _reading_macro(node))}
        self._names: set[tuple[str, str]] = set()
        # Functions that are called for an address: what they return is one, of whichever type.
        self._returning: set[str] = set()
        given = [node for node in every if node.type == "identifier"]
        calls = [node for node in every if function_called(node) in self._parameters]
        grown = -1
        while grown < len(self._names) + len(self._returning):  # what an address is made of is one
            grown = len(self._names) + len(self._returning)
            self._returning.update(function_called(call) for call in calls if self.has(call))
            calls = [call for call in calls if function_called(call) not in self._returning]
            self._names.update(_named(node) for node in given if self.has(node))
            given = [node for node in given if _named(node) not in self._names]

    def has(self, node: tree_sitter.Node) -> bool:
        """Whether an expression says where something is read, or is a part of what does."""
        inner = node
        for each in parents(node):
            if each.type in _ENDS or any(each.child_by_field_name(part) == inner for part in _ASKED):
                return False
            if each.type == "subscript_expression" and each.child_by_field_name("argument") != inner:
                return True
            if each.type == "return_statement":
                return scalar_of(self._types.of(inner)) == "int" or _function(node) in self._returning
            if each.type == "argument_list" and each.parent is not None and (said := self._says(each.parent, inner)):
                return said == "address"
            if each.type in _GIVEN:
                target = each.child_by_field_name("declarator") or each.child_by_field_name("left")
                name = _BASE.match(text_of(target)) if target is not None and target != inner else None
                return name is not None and (_function(node), name[0]) in self._names
            inner = each
        return False

    def is_name(self, node: tree_sitter.Node, name: str) -> bool:
        """Whether what goes by a name where a node stands says where something is read."""
        base = _BASE.match(name)
        return base is not None and (_function(node), base[0]) in self._names

    def _says(self, call: tree_sitter.Node, given: tree_sitter.Node) -> str:
        """What a function makes of what it is called with: an address, a value; empty where it hands that on."""
        name = function_called(call)
        if name in READS or name in OTHER_READS or name in self._reading:
            return "address"
        if name in self._parameters:
            pairs = zip(self._parameters[name], arguments(call), strict=False)
            if any(each == given and (name, own) in self._names for own, each in pairs):
                return "address"
            return "" if scalar_of(self._types.of(call)) == "int" else "value"
        return ""


def _named(node: tree_sitter.Node) -> tuple[str, str]:
    return _function(node), text_of(node)


def _function(node: tree_sitter.Node) -> str:
    return function_name(function_around(node))


def _reading_macro(node: tree_sitter.Node) -> str:
    """The name of a macro that reads something."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("value")
    if node.type != "preproc_function_def" or name is None or body is None:
        return ""
    return text_of(name) if {*_BASE.findall(text_of(body))} & (READS | OTHER_READS) else ""
