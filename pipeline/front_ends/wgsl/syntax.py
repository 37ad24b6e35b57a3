"""Defines the syntax tree of a text in WGSL. Every node has the 0-based `row` of the text that it begins in.

Nodes are compared by identity, so that each has a type of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, eq=False)
class Number:
    """A literal number, or `true` or `false`, as it is spelled."""

    row: int
    text: str


@dataclass(frozen=True, eq=False)
class Name:
    """A name, of a type too; `arguments` are those in `<…>`."""

    row: int
    name: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, eq=False)
class Unary:
    """An operator before its operand: `-`, `!`, `~`, `&` and `*`."""

    row: int
    operator: str
    operand: Expression


@dataclass(frozen=True, eq=False)
class Binary:
    """An operator between its operands."""

    row: int
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a function, or the making of a value of a type."""

    row: int
    callee: Name
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Element:
    """An element of a vector, matrix or array."""

    row: int
    whole: Expression
    index: Expression


@dataclass(frozen=True, eq=False)
class Member:
    """A member of a structure, or components of a vector."""

    row: int
    whole: Expression
    name: str


@dataclass(frozen=True, eq=False)
class Bracketed:
    """An expression in parentheses."""

    row: int
    inner: Expression


Expression = Number | Name | Unary | Binary | Call | Element | Member | Bracketed


@dataclass(frozen=True, eq=False)
class Attribute:
    """What `@name(…)` says."""

    row: int
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Variable:
    """A declaration, in a function or outside: `let`, `var`, `const` or `override`.

    `space` and `access` are those of `var<space, access>`, empty where they are not said.
    """

    row: int
    keyword: Literal["let", "var", "const", "override"]
    name: str
    type: Name | None
    value: Expression | None
    space: str = ""
    access: str = ""
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, eq=False)
class Assignment:
    """An assignment; `operator` is `=`, `+=` and the like, or `++` and `--` without a value. No target is `_`."""

    row: int
    target: Expression | None
    operator: str
    value: Expression | None


@dataclass(frozen=True, eq=False)
class CallStatement:
    """A call whose result, if it has one, is not used."""

    row: int
    call: Call


@dataclass(frozen=True, eq=False)
class Block:
    """Statements in braces; `last_row` is the row of the closing one."""

    row: int
    statements: tuple[Statement, ...]
    last_row: int


@dataclass(frozen=True, eq=False)
class If:
    """An `if`; what follows `else` is another `if`, a block or nothing."""

    row: int
    condition: Expression
    then: Block
    otherwise: If | Block | None


@dataclass(frozen=True, eq=False)
class For:
    """A `for` with its head, each part of which may be missing."""

    row: int
    first: Statement | None
    condition: Expression | None
    update: Statement | None
    body: Block


@dataclass(frozen=True, eq=False)
class While:
    """A `while`."""

    row: int
    condition: Expression
    body: Block


@dataclass(frozen=True, eq=False)
class Loop:
    """A `loop`; `continuing` runs behind each turn, and ends the loop where `break_if` is true."""

    row: int
    body: Block
    continuing: Block | None
    break_if: Expression | None


@dataclass(frozen=True, eq=False)
class Case:
    """A case of a `switch`; a selector that is None is `default`."""

    row: int
    selectors: tuple[Expression | None, ...]
    body: Block


@dataclass(frozen=True, eq=False)
class Switch:
    """A `switch`."""

    row: int
    value: Expression
    cases: tuple[Case, ...]


@dataclass(frozen=True, eq=False)
class Return:
    """A `return`."""

    row: int
    value: Expression | None


@dataclass(frozen=True, eq=False)
class Jump:
    """A `break`, `continue` or `discard`."""

    row: int
    keyword: Literal["break", "continue", "discard"]


Statement = Variable | Assignment | CallStatement | Block | If | For | While | Loop | Switch | Return | Jump


@dataclass(frozen=True, eq=False)
class Parameter:
    """A parameter of a function, or a member of a structure."""

    row: int
    name: str
    type: Name
    attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, eq=False)
class Function:
    """A function; `result_attributes` are those of what it returns."""

    row: int
    name: str
    parameters: tuple[Parameter, ...]
    result: Name | None
    body: Block
    attributes: tuple[Attribute, ...] = ()
    result_attributes: tuple[Attribute, ...] = ()


@dataclass(frozen=True, eq=False)
class Structure:
    """A structure."""

    row: int
    name: str
    members: tuple[Parameter, ...]


@dataclass(frozen=True, eq=False)
class Alias:
    """Another name of a type."""

    row: int
    name: str
    type: Name


Declaration = Function | Structure | Alias | Variable


@dataclass(frozen=True)
class Module:
    """A whole text: the features that it enables, with their rows, and its declarations in order."""

    features: tuple[tuple[str, int], ...]
    declarations: tuple[Declaration, ...]


def attribute_of(attributes: tuple[Attribute, ...], name: str) -> Attribute | None:
    """Returns the attribute of a name; None without one."""
    return next((each for each in attributes if each.name == name), None)
