"""Defines the syntax tree of a text in WGSL. Every node has the 0-based `row` of the text that it begins in.

Nodes are compared by identity, so that each has a type of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, eq=False)
class NumberNode:
    """A literal number, or `true` or `false`, as it is spelled."""

    row: int
    text: str


@dataclass(frozen=True, eq=False)
class NameNode:
    """A name, of a type too; `arguments` are those in `<…>`."""

    row: int
    name: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, eq=False)
class UnaryNode:
    """Holds an operator before its operand: `-`, `!`, `~`, `&` and `*`."""

    row: int
    operator: str
    operand: Expression


@dataclass(frozen=True, eq=False)
class BinaryNode:
    """Holds an operator between its operands."""

    row: int
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class CallNode:
    """Calls a function, or makes a value of a type."""

    row: int
    callee: NameNode
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class ElementNode:
    """Stands for an element of a vector, matrix or array."""

    row: int
    whole: Expression
    index: Expression


@dataclass(frozen=True, eq=False)
class MemberNode:
    """Stands for a member of a structure, or components of a vector."""

    row: int
    whole: Expression
    name: str


@dataclass(frozen=True, eq=False)
class BracketedNode:
    """Holds an expression in parentheses."""

    row: int
    inner: Expression


Expression = NumberNode | NameNode | UnaryNode | BinaryNode | CallNode | ElementNode | MemberNode | BracketedNode


def parts_of(node: Expression) -> tuple[Expression, ...]:
    """Returns the expressions that one is made of; none of a number and of a name."""
    match node:
        case UnaryNode():
            return (node.operand,)
        case BinaryNode():
            return (node.left, node.right)
        case CallNode():
            return node.arguments
        case ElementNode():
            return (node.whole, node.index)
        case MemberNode():
            return (node.whole,)
        case BracketedNode():
            return (node.inner,)
        case _:
            return ()


@dataclass(frozen=True, eq=False)
class AttributeNode:
    """What `@name(…)` says."""

    row: int
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class VariableNode:
    """Declares a name, in a function or outside: `let`, `var`, `const` or `override`.

    `space` and `access` are those of `var<space, access>`, empty where they are not said.
    """

    row: int
    keyword: Literal["let", "var", "const", "override"]
    name: str
    type: NameNode | None
    value: Expression | None
    space: str = ""
    access: str = ""
    attributes: tuple[AttributeNode, ...] = ()


@dataclass(frozen=True, eq=False)
class AssignmentNode:
    """An assignment; `operator` is `=`, `+=` and the like, or `++` and `--` without a value. No target is `_`."""

    row: int
    target: Expression | None
    operator: str
    value: Expression | None


@dataclass(frozen=True, eq=False)
class CallStatementNode:
    """A call whose result, if it has one, is not used."""

    row: int
    call: CallNode


@dataclass(frozen=True, eq=False)
class BlockNode:
    """Statements in braces; `last_row` is the row of the closing one."""

    row: int
    statements: tuple[Statement, ...]
    last_row: int


@dataclass(frozen=True, eq=False)
class IfNode:
    """An `if`; what follows `else` is another `if`, a block or nothing."""

    row: int
    condition: Expression
    then: BlockNode
    otherwise: IfNode | BlockNode | None


@dataclass(frozen=True, eq=False)
class ForNode:
    """A `for` with its head, each part of which may be missing."""

    row: int
    first: Statement | None
    condition: Expression | None
    update: Statement | None
    body: BlockNode


@dataclass(frozen=True, eq=False)
class WhileNode:
    """Holds a `while`."""

    row: int
    condition: Expression
    body: BlockNode


@dataclass(frozen=True, eq=False)
class LoopNode:
    """A `loop`; `continuing` runs behind each turn, and ends the loop where `break_if` is true."""

    row: int
    body: BlockNode
    continuing: BlockNode | None
    break_if: Expression | None


@dataclass(frozen=True, eq=False)
class CaseNode:
    """A case of a `switch`; a selector that is None is `default`."""

    row: int
    selectors: tuple[Expression | None, ...]
    body: BlockNode


@dataclass(frozen=True, eq=False)
class SwitchNode:
    """Holds a `switch`."""

    row: int
    value: Expression
    cases: tuple[CaseNode, ...]


@dataclass(frozen=True, eq=False)
class ReturnNode:
    """Holds a `return`."""

    row: int
    value: Expression | None


@dataclass(frozen=True, eq=False)
class JumpNode:
    """Stands for a `break`, `continue` or `discard`."""

    row: int
    keyword: Literal["break", "continue", "discard"]


Statement = (
    VariableNode
    | AssignmentNode
    | CallStatementNode
    | BlockNode
    | IfNode
    | ForNode
    | WhileNode
    | LoopNode
    | SwitchNode
    | ReturnNode
    | JumpNode
)


@dataclass(frozen=True, eq=False)
class ParameterNode:
    """Declares a parameter of a function, or a member of a structure."""

    row: int
    name: str
    type: NameNode
    attributes: tuple[AttributeNode, ...] = ()


@dataclass(frozen=True, eq=False)
class FunctionNode:
    """A function; `result_attributes` are those of what it returns."""

    row: int
    name: str
    parameters: tuple[ParameterNode, ...]
    result: NameNode | None
    body: BlockNode
    attributes: tuple[AttributeNode, ...] = ()
    result_attributes: tuple[AttributeNode, ...] = ()


@dataclass(frozen=True, eq=False)
class StructureNode:
    """Declares a structure."""

    row: int
    name: str
    members: tuple[ParameterNode, ...]


@dataclass(frozen=True, eq=False)
class AliasNode:
    """Gives a type another name."""

    row: int
    name: str
    type: NameNode


Declaration = FunctionNode | StructureNode | AliasNode | VariableNode


@dataclass(frozen=True)
class Module:
    """A whole text: the features that it enables, with their rows, and its declarations in order."""

    features: tuple[tuple[str, int], ...]
    declarations: tuple[Declaration, ...]


def attribute_of(attributes: tuple[AttributeNode, ...], name: str) -> AttributeNode | None:
    """Returns the attribute of a name; None without one."""
    return next((each for each in attributes if each.name == name), None)
