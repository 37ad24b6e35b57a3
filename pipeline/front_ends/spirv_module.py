"""Reads the instructions of a SPIR-V module: its entry points, names and variables (SPIR-V 1.6, chapters 2 and 3)."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.old_words import Stage

MAGIC = 0x07230203
_HEADER_WORDS, _WORD_BYTES = 5, 4
# The universal limit of ids (SPIR-V 1.6, 2.17).
_MOST_IDS = 0x3FFFFF
_AGAIN = "Compile it again."

# Numbers of instructions, decorations, storage classes and models of execution.
OP_NAME, OP_MEMBER_NAME, OP_ENTRY_POINT, OP_CAPABILITY, OP_DECORATE = 5, 6, 15, 17, 71
OP_TYPE_ARRAY, OP_TYPE_RUNTIME_ARRAY, OP_TYPE_STRUCT, OP_TYPE_POINTER, OP_VARIABLE = 28, 29, 30, 32, 59
SPEC_ID, BINDING, DESCRIPTOR_SET = 1, 33, 34
_MODELS: Mapping[int, Stage] = {0: "vertex", 4: "fragment", 5: "compute"}


@dataclass(frozen=True)
class Instruction:
    """Holds one instruction: its number, and the words behind that."""

    number: int
    operands: tuple[int, ...]

    @property
    def words(self) -> tuple[int, ...]:
        """The instruction as in the file."""
        return ((len(self.operands) + 1) << 16 | self.number, *self.operands)


@dataclass(frozen=True)
class ModuleEntry:
    """Names a function that a stage begins at; `stage` is None for one that no pass has."""

    name: str
    stage: Stage | None


@dataclass(frozen=True)
class ModuleVariable:
    """Describes a variable: its id, its number of a storage class, and the id of the type that it holds."""

    id: int
    storage: int
    type: int


@dataclass(frozen=True)
class SpirvModule:
    """The header of a module and its instructions, whatever order of bytes its file has."""

    header: tuple[int, ...]
    instructions: tuple[Instruction, ...]

    @cached_property
    def entry_points(self) -> tuple[ModuleEntry, ...]:
        """The entry points in the order of the module."""
        return tuple(
            ModuleEntry(_text(each.operands[2:]), _MODELS.get(each.operands[0]))
            for each in self._all(OP_ENTRY_POINT, least=3)
        )

    @cached_property
    def capabilities(self) -> frozenset[int]:
        """The numbers of what the module needs of a device."""
        return frozenset(each.operands[0] for each in self._all(OP_CAPABILITY, least=1))

    @cached_property
    def names(self) -> Mapping[int, str]:
        """The names of things by their ids; a thing without one is not in it."""
        found = {each.operands[0]: _text(each.operands[1:]) for each in self._all(OP_NAME, least=2)}
        return {key: name for key, name in found.items() if name}

    @cached_property
    def member_names(self) -> Mapping[tuple[int, int], str]:
        """The names of members by the id of their structure and their number in it."""
        found = self._all(OP_MEMBER_NAME, least=3)
        return {(each.operands[0], each.operands[1]): _text(each.operands[2:]) for each in found}

    @cached_property
    def structures(self) -> Mapping[int, tuple[int, ...]]:
        """The ids of the types of each structure's members, by its id."""
        return {each.operands[0]: each.operands[1:] for each in self._all(OP_TYPE_STRUCT, least=1)}

    @cached_property
    def arrays(self) -> frozenset[int]:
        """The ids of types that are arrays."""
        return frozenset(
            each.operands[0] for number in (OP_TYPE_ARRAY, OP_TYPE_RUNTIME_ARRAY) for each in self._all(number, least=2)
        )

    @cached_property
    def variables(self) -> tuple[ModuleVariable, ...]:
        """The variables outside functions, and those in them."""
        held = {each.operands[0]: each.operands[2] for each in self._all(OP_TYPE_POINTER, least=3)}
        return tuple(
            ModuleVariable(each.operands[1], each.operands[2], held[each.operands[0]])
            for each in self._all(OP_VARIABLE, least=3)
            if each.operands[0] in held
        )

    def decorated(self, decoration: int) -> Mapping[int, int]:
        """Returns the number that a decoration gives to things, by their ids."""
        found = (each for each in self._all(OP_DECORATE, least=3) if each.operands[1] == decoration)
        return {each.operands[0]: each.operands[2] for each in found}

    def _all(self, number: int, *, least: int) -> Iterator[Instruction]:
        """Yields the instructions of a number that have so many operands; others are the converter's to refuse."""
        return (each for each in self.instructions if each.number == number and len(each.operands) >= least)


def read_module(data: bytes, who: str) -> SpirvModule:
    """Returns the module of a file's bytes.

    Raises TexelscopeError, naming `who`, for other bytes and for a file that is cut off.
    """
    order = _order_of(data, who)
    if len(data) % _WORD_BYTES:
        raise TexelscopeError(who, "whole words of 4 bytes", f"{len(data)} bytes", f"It is cut off. {_AGAIN}")
    words = struct.unpack(f"{order}{len(data) // _WORD_BYTES}I", data)
    if len(words) < _HEADER_WORDS:
        raise TexelscopeError(who, "a SPIR-V module with its header", f"{len(data)} bytes", f"It is cut off. {_AGAIN}")
    if words[3] > _MOST_IDS:
        raise TexelscopeError(who, f"at most {_MOST_IDS} ids in a SPIR-V module", f"{words[3]}", _AGAIN)
    return SpirvModule(words[:_HEADER_WORDS], tuple(_instructions(words, who)))


def as_bytes(header: Sequence[int], instructions: Iterable[Instruction]) -> bytes:
    """Returns a module's bytes, little end first."""
    words = [*header, *(word for each in instructions for word in each.words)]
    return struct.pack(f"<{len(words)}I", *words)


def text_words(text: str) -> tuple[int, ...]:
    """Returns a text as words: UTF-8 with at least one zero behind it."""
    data = text.encode()
    data += b"\0" * (_WORD_BYTES - len(data) % _WORD_BYTES)
    return struct.unpack(f"<{len(data) // _WORD_BYTES}I", data)


def _order_of(data: bytes, who: str) -> str:
    """Returns the order of bytes, as `struct` calls it, by the first word."""
    for order in "<>":
        if data[:_WORD_BYTES] == struct.pack(f"{order}I", MAGIC):
            return order
    expected = f"a SPIR-V module, which begins with 0x{MAGIC:08x}"
    if data.lstrip().startswith(b"; SPIR-V"):
        raise TexelscopeError(who, expected, "its assembly, a text", "Assemble it: spirv-as TEXT -o MODULE.spv.")
    got = f"a file that begins with 0x{data[:_WORD_BYTES].hex()}" if data else "an empty file"
    raise TexelscopeError(who, expected, got, _AGAIN)


def _instructions(words: Sequence[int], who: str) -> Iterator[Instruction]:
    at = _HEADER_WORDS
    while at < len(words):
        count, number = words[at] >> 16, words[at] & 0xFFFF
        if count == 0 or at + count > len(words):
            got = f"one of {count} words at word {at} of {len(words)}"
            raise TexelscopeError(who, "instructions that end in the file", got, f"It is cut off. {_AGAIN}")
        yield Instruction(number, tuple(words[at + 1 : at + count]))
        at += count


def _text(words: Sequence[int]) -> str:
    return struct.pack(f"<{len(words)}I", *words).partition(b"\0")[0].decode(errors="replace")
