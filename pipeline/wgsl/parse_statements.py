"""Reads statements of WGSL (WGSL, 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.wgsl.parse_expressions import arguments, expression, type_name
from texelscope.pipeline.wgsl.reader import TokenReader
from texelscope.pipeline.wgsl.syntax import (
    AssignmentNode,
    AttributeNode,
    BlockNode,
    CallNode,
    CallStatementNode,
    CaseNode,
    Expression,
    ForNode,
    IfNode,
    JumpNode,
    LoopNode,
    ReturnNode,
    Statement,
    SwitchNode,
    UnaryNode,
    VariableNode,
    WhileNode,
)

_KEYWORDS: Mapping[str, Literal["let", "var", "const", "override"]] = {
    "let": "let", "var": "var", "const": "const", "override": "override",
}  # fmt: skip
_ASSIGNING = ("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
_JUMPS: Mapping[str, Literal["break", "continue", "discard"]] = {
    "break": "break",
    "continue": "continue",
    "discard": "discard",
}


def attributes(reader: TokenReader) -> tuple[AttributeNode, ...]:
    """Reads the `@…` before a declaration or statement."""
    found: list[AttributeNode] = []
    while reader.is_at("@"):
        row = reader.take().row
        name = reader.expect_kind("name", "an attribute's name").text
        found.append(AttributeNode(row, name, arguments(reader) if reader.is_at("(") else ()))
    return tuple(found)


def block(reader: TokenReader) -> BlockNode:
    """Reads statements in braces. Raises AuthorTextError where there are none."""
    attributes(reader)
    row = reader.expect("{", "before statements").row
    reader.deeper()
    statements: list[Statement] = []
    while not reader.is_at("}"):
        statements += _statement(reader)
    reader.back()
    return BlockNode(row, tuple(statements), reader.expect("}", "behind the statements").row)


def variable(reader: TokenReader, said: tuple[AttributeNode, ...] = ()) -> VariableNode:
    """Reads a declaration with `let`, `var`, `const` or `override`, without its semicolon."""
    token = reader.take()
    space = access = ""
    if token.text == "var" and reader.took("<"):
        space = reader.expect_kind("name", "an address space").text
        if reader.took(","):
            access = reader.expect_kind("name", "read, write or read_write").text
        reader.took(",")
        reader.expect(">", "behind the address space")
    name = reader.expect_kind("name", "a name").text
    declared = type_name(reader, f"of {name}") if reader.took(":") else None
    value = expression(reader) if reader.took("=") else None
    if value is None and (declared is None or token.text in ("let", "const")):
        raise reader.refused(f"a value of {name}")
    return VariableNode(token.row, _KEYWORDS[token.text], name, declared, value, space, access, said)


def _statement(reader: TokenReader) -> list[Statement]:
    """Reads one statement; none of `;` and of what holds only while compiling."""
    if reader.took(";"):
        return []
    attributes(reader)
    token = reader.next
    compound = _COMPOUND.get(token.text)
    if compound is not None and token.kind != "end":
        return [compound(reader)]
    if token.text == "const_assert":
        reader.take()
        expression(reader)
        found: list[Statement] = []
    else:
        found = [_simple(reader)]
    reader.expect(";", "behind the statement")
    return found


def _simple(reader: TokenReader) -> Statement:
    """Reads a statement that ends with a semicolon, without it."""
    token = reader.next
    if token.text in ("let", "var", "const"):
        return variable(reader)
    if token.text == "return":
        reader.take()
        return ReturnNode(token.row, None if reader.is_at(";") else expression(reader))
    if token.text in _JUMPS:
        reader.take()
        return JumpNode(token.row, _JUMPS[token.text])
    return _changing(reader)


def _changing(reader: TokenReader) -> Statement:
    """Reads an assignment or a call."""
    token = reader.next
    if token.text == "_" and reader.behind().text == "=":
        reader.take()
        reader.take()
        return AssignmentNode(token.row, None, "=", expression(reader))
    if token.kind != "name" and token.text not in ("(", "*", "&"):
        raise reader.refused("a statement")
    target = _target(reader)
    sign = reader.sign()
    if sign in _ASSIGNING:
        reader.take_sign(sign)
        return AssignmentNode(token.row, target, sign, expression(reader))
    if sign in ("++", "--"):
        reader.take()
        return AssignmentNode(token.row, target, sign, None)
    if isinstance(target, CallNode):
        return CallStatementNode(token.row, target)
    raise reader.refused("'=' behind what is assigned to")


def _target(reader: TokenReader) -> Expression:
    if reader.is_at("*"):
        row = reader.take().row
        return UnaryNode(row, "*", _target(reader))
    return expression(reader)


def _if(reader: TokenReader) -> IfNode:
    row = reader.take().row
    condition = expression(reader)
    then = block(reader)
    otherwise: IfNode | BlockNode | None = None
    if reader.took("else"):
        otherwise = _if(reader) if reader.is_at("if") else block(reader)
    return IfNode(row, condition, then, otherwise)


def _for(reader: TokenReader) -> ForNode:
    row = reader.take().row
    reader.expect("(", "behind for")
    first = None if reader.is_at(";") else _simple(reader)
    reader.expect(";", "behind the first part of for")
    condition = None if reader.is_at(";") else expression(reader)
    reader.expect(";", "behind the condition of for")
    update = None if reader.is_at(")") else _changing(reader)
    reader.expect(")", "behind the last part of for")
    return ForNode(row, first, condition, update, block(reader))


def _while(reader: TokenReader) -> WhileNode:
    row = reader.take().row
    return WhileNode(row, expression(reader), block(reader))


def _loop(reader: TokenReader) -> LoopNode:
    row = reader.take().row
    attributes(reader)
    first = reader.expect("{", "behind loop").row
    reader.deeper()
    statements: list[Statement] = []
    continuing: BlockNode | None = None
    break_if: Expression | None = None
    while not reader.is_at("}"):
        if reader.is_at("continuing"):
            reader.take()
            continuing, break_if = _continuing(reader)
            break
        statements += _statement(reader)
    reader.back()
    last = reader.expect("}", "at the end of loop").row
    return LoopNode(row, BlockNode(first, tuple(statements), last), continuing, break_if)


def _continuing(reader: TokenReader) -> tuple[BlockNode, Expression | None]:
    attributes(reader)
    row = reader.expect("{", "behind continuing").row
    statements: list[Statement] = []
    break_if: Expression | None = None
    while not reader.is_at("}"):
        if reader.is_at("break") and reader.behind().text == "if":
            reader.take()
            reader.take()
            break_if = expression(reader)
            reader.expect(";", "behind the condition")
            break
        statements += _statement(reader)
    return BlockNode(row, tuple(statements), reader.expect("}", "at the end of continuing").row), break_if


def _switch(reader: TokenReader) -> SwitchNode:
    row = reader.take().row
    value = expression(reader)
    attributes(reader)
    reader.expect("{", "behind the value of switch")
    cases: list[CaseNode] = []
    while not reader.is_at("}"):
        case_row = reader.row
        selectors: list[Expression | None] = []
        if reader.took("default"):
            selectors.append(None)
        else:
            reader.expect("case", "of switch")
            while not (reader.is_at(":") or reader.is_at("{")):
                selectors.append(None if reader.took("default") else expression(reader))
                if not reader.took(","):
                    break
        reader.took(":")
        cases.append(CaseNode(case_row, tuple(selectors), block(reader)))
    reader.take()
    if not any(None in each.selectors for each in cases):
        raise AuthorTextError(row, "a switch with a default", "none", "Add default: { }.")
    return SwitchNode(row, value, tuple(cases))


_COMPOUND: Mapping[str, Callable[[TokenReader], Statement]] = {
    "{": block,
    "if": _if,
    "for": _for,
    "while": _while,
    "loop": _loop,
    "switch": _switch,
}
