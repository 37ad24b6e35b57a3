"""Reads expressions of WGSL (WGSL, 8.18)."""

from __future__ import annotations

import re

from texelscope.pipeline.wgsl.reader import TokenReader
from texelscope.pipeline.wgsl.syntax import (
    BinaryNode,
    BracketedNode,
    CallNode,
    ElementNode,
    Expression,
    MemberNode,
    NameNode,
    NumberNode,
    UnaryNode,
)

# From what binds least. Those of one row may stand in one expression without parentheses.
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!=", "<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_LEVEL_OF = {sign: level for level, signs in enumerate(_LEVELS) for sign in signs}
_ADDITIVE = _LEVELS.index(("+", "-"))
# Names that may have arguments in `<…>`; no author can declare another one.
_TEMPLATED = re.compile(r"(?:vec[234]|mat[234]x[234]|array|atomic|ptr|bitcast|binding_array|texture_\w+)$")


def expression(reader: TokenReader) -> Expression:
    """Reads an expression. Raises AuthorTextError where there is none."""
    return _binary(reader, 0)


def type_name(reader: TokenReader, where: str) -> NameNode:
    """Reads a type. Raises AuthorTextError where there is none; `where` says what it belongs to."""
    token = reader.expect_kind("name", f"a type {where}")
    return NameNode(token.row, token.text, _template(reader, token.text))


def arguments(reader: TokenReader) -> tuple[Expression, ...]:
    """Reads the arguments of a call with their parentheses."""
    reader.expect("(", "before arguments")
    found: list[Expression] = []
    while not reader.is_at(")"):
        found.append(expression(reader))
        if not reader.took(","):
            break
    reader.expect(")", "behind the arguments")
    return tuple(found)


def _binary(reader: TokenReader, least: int) -> Expression:
    """Reads operators that bind at least as much as those of a level, and their operands."""
    reader.deeper()
    left = _unary(reader)
    while (level := _LEVEL_OF.get(sign := reader.sign(), -1)) >= least:
        row = reader.row
        reader.take_sign(sign)
        left = BinaryNode(row, sign, left, _binary(reader, level + 1))
    reader.back()
    return left


def _unary(reader: TokenReader) -> Expression:
    token = reader.next
    if token.kind == "sign" and token.text in ("-", "!", "~", "&", "*"):
        reader.take()
        reader.deeper()
        operand = _unary(reader)
        reader.back()
        return UnaryNode(token.row, token.text, operand)
    if reader.is_at("--") or reader.is_at("&&"):  # two signs before one operand
        reader.take()
        return UnaryNode(token.row, token.text[0], UnaryNode(token.row, token.text[0], _unary(reader)))
    return _with_parts(reader, _single(reader))


def _single(reader: TokenReader) -> Expression:
    token = reader.next
    if token.kind in ("int", "float") or token.text in ("true", "false"):
        reader.take()
        return NumberNode(token.row, token.text)
    if reader.took("("):
        inner = expression(reader)
        reader.expect(")", "behind the expression")
        return BracketedNode(token.row, inner)
    name = reader.expect_kind("name", "an expression")
    callee = NameNode(name.row, name.text, _template(reader, name.text))
    return CallNode(name.row, callee, arguments(reader)) if reader.is_at("(") else callee


def _with_parts(reader: TokenReader, whole: Expression) -> Expression:
    """Reads the elements and members behind an expression."""
    while True:
        row = reader.row
        if reader.took("["):
            index = expression(reader)
            reader.expect("]", "behind the index")
            whole = ElementNode(row, whole, index)
        elif reader.took("."):
            whole = MemberNode(row, whole, reader.expect_kind("name", "a member's name").text)
        else:
            return whole


def _template(reader: TokenReader, name: str) -> tuple[Expression, ...]:
    """Reads `<…>` behind a name that may have it."""
    if _TEMPLATED.match(name) is None or not reader.took("<"):
        return ()
    found: list[Expression] = []
    while not reader.is_at(">"):
        found.append(_binary(reader, _ADDITIVE))
        if not reader.took(","):
            break
    reader.expect(">", f"behind the arguments of {name}")
    return tuple(found)
