"""Says what names mean at a place of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from texelscope.pipeline.front_ends.wgsl.syntax import Function, Variable
from texelscope.pipeline.front_ends.wgsl.types import Struct, Type


@dataclass(frozen=True)
class Symbol:
    """A variable, constant or parameter: its type and how GLSL writes it.

    `value` is a constant's number. `is_size` says that it is the same in every invocation and no runtime value: a
    uniform, a constant, or made of those alone; `is_natural`, that it is a whole number of 0 or more. `by_member` says that a buffer's members are variables of their own in
    GLSL, whose names begin with `text`.
    """

    type: Type
    text: str
    value: float | int | bool | None = None
    is_size: bool = False
    is_natural: bool = False
    by_member: bool = False


@dataclass(frozen=True)
class Signature:
    """A function of the author's: how GLSL writes its name, and the types of its parameters and result."""

    text: str
    parameters: tuple[Type, ...]
    result: Type
    declared: Function


@dataclass
class Scope:
    """Holds what names mean, the names of the blocks around first.

    `structures` and `functions` are those of the whole text, `aliases` the types that have another name, and

    """

    symbols: dict[str, Symbol] = field(default_factory=dict)
    structures: dict[str, Struct] = field(default_factory=dict)
    functions: dict[str, Signature] = field(default_factory=dict)
    aliases: dict[str, Type] = field(default_factory=dict)
    defines: Mapping[str, str] = field(default_factory=dict)
    overrides: dict[str, Variable] = field(default_factory=dict)

    def inner(self) -> Scope:
        """Returns a scope whose names hide those of this one."""
        return Scope(dict(self.symbols), self.structures, self.functions, self.aliases, self.defines, self.overrides)

    def known(self) -> list[str]:
        """Returns the names that mean something."""
        return [*self.symbols, *self.functions, *self.structures, *self.aliases]
