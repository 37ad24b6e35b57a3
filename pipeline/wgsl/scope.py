"""Says what names mean at a place of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from texelscope.pipeline.wgsl.syntax import FunctionNode
from texelscope.pipeline.wgsl.types import StructType, Type


@dataclass(frozen=True)
class NameMeaning:
    """A variable, constant or parameter: its type and how GLSL writes it.

    `value` is a constant's number. `is_size` says that it is the same in every invocation and no runtime value: a
    uniform, a constant, or made of those alone; `is_natural`, that it is a whole number of 0 or more. `by_member` says
    that a buffer's members are variables of their own in GLSL, whose names begin with `text`; `is_block`, that GLSL has
    no value of all members together.
    """

    type: Type
    text: str
    value: float | int | bool | None = None
    is_size: bool = False
    is_natural: bool = False
    by_member: bool = False
    is_block: bool = False


@dataclass(frozen=True)
class Signature:
    """A function of the author's: how GLSL writes its name, and the types of its parameters and result."""

    text: str
    parameters: tuple[Type, ...]
    result: Type
    declared: FunctionNode


@dataclass
class Scope:
    """Holds what names mean, the names of the blocks around first.

    `structures`, `functions` and `aliases` (types with another name) are those of the text that its entry point uses,
    `declared` are all names of it. `defines` are the values that the pipeline file gives overrides.
    """

    symbols: dict[str, NameMeaning] = field(default_factory=dict)
    structures: dict[str, StructType] = field(default_factory=dict)
    functions: dict[str, Signature] = field(default_factory=dict)
    aliases: dict[str, Type] = field(default_factory=dict)
    defines: Mapping[str, str] = field(default_factory=dict)
    declared: tuple[str, ...] = ()

    def inner(self) -> Scope:
        """Returns a scope whose names hide those of this one."""
        return Scope(dict(self.symbols), self.structures, self.functions, self.aliases, self.defines, self.declared)

    def known(self) -> list[str]:
        """Returns the names that mean something, or that the text declares."""
        return [*dict.fromkeys([*self.symbols, *self.declared])]
