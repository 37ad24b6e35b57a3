"""Reads the declarations of a text in WGSL (WGSL, 2.2)."""

from __future__ import annotations

from functools import lru_cache

from texelscope.pipeline.wgsl.parse_expressions import type_name
from texelscope.pipeline.wgsl.parse_statements import attributes, block, variable
from texelscope.pipeline.wgsl.reader import TokenReader
from texelscope.pipeline.wgsl.syntax import (
    AliasNode,
    AttributeNode,
    Declaration,
    FunctionNode,
    Module,
    NameNode,
    ParameterNode,
    StructureNode,
)
from texelscope.pipeline.wgsl.tokens import tokens_of


@lru_cache(maxsize=4)  # a recording asks for a text's resources, then for its translation
def module_of(text: str) -> Module:
    """Returns the syntax tree of a text. Raises AuthorTextError at the first row that is none of WGSL."""
    reader = TokenReader(tokens_of(text))
    features: list[tuple[str, int]] = []
    declarations: list[Declaration] = []
    while not reader.is_at_end():
        if reader.is_at("enable") or reader.is_at("requires"):
            features += _features(reader)
        elif reader.is_at("diagnostic") or reader.is_at("const_assert"):
            while not reader.is_at_end() and not reader.took(";"):
                reader.take()
        elif not reader.took(";"):
            declarations.append(_declaration(reader))
    return Module(tuple(features), tuple(declarations))


def _features(reader: TokenReader) -> list[tuple[str, int]]:
    is_enabled = reader.take().text == "enable"
    found: list[tuple[str, int]] = []
    while not reader.is_at(";") and not reader.is_at_end():
        token = reader.take()
        found.append((token.text, token.row))
        reader.took(",")
    reader.expect(";", "behind the features")
    return found if is_enabled else []


def _declaration(reader: TokenReader) -> Declaration:
    said = attributes(reader)
    if reader.is_at("fn"):
        return _function(reader, said)
    if reader.is_at("struct"):
        return _structure(reader)
    if reader.is_at("alias") or reader.is_at("type"):
        row = reader.take().row
        name = reader.expect_kind("name", "a name of a type").text
        reader.expect("=", f"behind {name}")
        found = AliasNode(row, name, type_name(reader, f"of {name}"))
        reader.expect(";", "behind the declaration")
        return found
    if reader.next.text in ("var", "const", "let", "override"):
        declared = variable(reader, said)
        reader.expect(";", "behind the declaration")
        return declared
    raise reader.refused("a declaration: fn, struct, var, const, override or alias")


def _function(reader: TokenReader, said: tuple[AttributeNode, ...]) -> FunctionNode:
    row = reader.take().row
    name = reader.expect_kind("name", "a function's name").text
    reader.expect("(", f"behind {name}")
    parameters = _parameters(reader, ")")
    result: NameNode | None = None
    result_attributes: tuple[AttributeNode, ...] = ()
    if reader.took("->"):
        result_attributes = attributes(reader)
        result = type_name(reader, f"that {name} returns")
    return FunctionNode(row, name, parameters, result, block(reader), said, result_attributes)


def _structure(reader: TokenReader) -> StructureNode:
    row = reader.take().row
    name = reader.expect_kind("name", "a structure's name").text
    reader.expect("{", f"behind {name}")
    return StructureNode(row, name, _parameters(reader, "}"))


def _parameters(reader: TokenReader, closing: str) -> tuple[ParameterNode, ...]:
    """Reads parameters or members, and what closes their list."""
    found: list[ParameterNode] = []
    while not reader.is_at(closing):
        said = attributes(reader)
        token = reader.expect_kind("name", "a name with its type")
        reader.expect(":", f"behind {token.text}")
        found.append(ParameterNode(token.row, token.text, type_name(reader, f"of {token.text}"), said))
        if not reader.took(",") and not reader.took(";"):
            break
    reader.expect(closing, "at the end of the list")
    return tuple(found)
