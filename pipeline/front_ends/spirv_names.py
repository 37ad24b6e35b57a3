"""Chooses the names that a pipeline file and the translated text have for what a SPIR-V module declares.

They are the author's, from the module's debug information: of GLSL the name of a block, as in a `.comp`; of HLSL the
name of the buffer, whose block is called after its type. A block that its author did not name in the text has no
instance name here either, and the elements of HLSL's buffer `A` are `A_elements`, as in other HLSL. Without debug
information a thing is called by its binding.

SPIRV-Cross makes a name unique by a number where two things share one. So it gets a module in which each of these
variables has a name that nothing else has, and what stands for it goes into the text (`spirv_blocks`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from texelscope.pipeline.front_ends.slang_blocks import elements_of
from texelscope.pipeline.front_ends.spirv_module import (
    BINDING,
    DESCRIPTOR_SET,
    OP_DECORATE,
    OP_MEMBER_NAME,
    OP_NAME,
    SPEC_ID,
    Instruction,
    ModuleVariable,
    SpirvModule,
    as_bytes,
    text_words,
)
from texelscope.pipeline.glsl.reserved_words import safe_name

_UNIFORM_CONSTANT, _UNIFORM, _PUSH_CONSTANT, _STORAGE_BUFFER = 0, 2, 9, 12
_BUFFER_BLOCK = 3
# What compilers of HLSL call the type of a buffer: DirectX's, and Slang's by its own road and through GLSL.
_BUFFER_TYPE = re.compile(r"(?:type\.)?(?:RW|RasterizerOrdered)?(?:StructuredBuffer|ByteAddressBuffer)")
# And that of a `cbuffer` or of global variables, whose members have no name in front of them; DirectX's compiler calls
# one after its variable.
_ALONE = re.compile(r"SLANG_ParameterGroup_|GlobalParams|EntryPointParams|(?:type\.)?\$?_?Globals?\b")
# And that of a ConstantBuffer<T> or of push constants.
_OF_A_TYPE = re.compile(r"type\.|.*_(?:std140|std430|natural|scalar)(?:_\d+)?$")
_MADE_MEMBER = re.compile(r"@data$|[_$]*member\d+$|_m\d+$|_data$")
# Instructions that come before and among names (SPIR-V 1.6, 2.4).
_UP_TO_NAMES = frozenset({2, 3, 4, 5, 6, 7, 10, 11, 14, 15, 16, 17, 331})
# Lines, sources and processes say nothing to SPIRV-Cross that is used here.
_SOURCES = frozenset({2, 3, 4, 8, 317, 330})
_EXT_INST_IMPORT, _EXT_INST, _SELECTION_MERGE, _LOOP_MERGE = 11, 12, 247, 246
# A name that no compiler makes, where it stands for a variable's.
_STANDS_FOR = "texelscopes"


@dataclass(frozen=True)
class BlockNames:
    """What a block's variable, called `stand_in` by SPIRV-Cross, is called: the block, its instance and its members.

    An empty `instance` is none. `members` are by their number; those that keep their name are not in it.
    """

    stand_in: str
    block: str
    instance: str
    members: Mapping[int, str]


@dataclass(frozen=True)
class NamedModule:
    """A module for SPIRV-Cross; `blocks` and `others`, by the stand-in, say what its variables are called."""

    data: bytes
    blocks: tuple[BlockNames, ...]
    others: Mapping[str, str]


def named(module: SpirvModule) -> NamedModule:
    """Returns the module for SPIRV-Cross, and the names of its blocks, textures, images and samplers."""
    return _Naming(module).run()


class _Naming:
    def __init__(self, module: SpirvModule) -> None:
        self._module = module
        self._bindings = module.decorated(BINDING)
        self._sets = module.decorated(DESCRIPTOR_SET)
        kinds: dict[int, set[int]] = {}
        for each in module.instructions:
            if each.number == OP_DECORATE and len(each.operands) > 1:
                kinds.setdefault(each.operands[0], set()).add(each.operands[1])
        self._kinds = kinds
        self._taken: set[str] = set()

    def run(self) -> NamedModule:
        interface = [each for each in self._module.variables if self._is_resource(each)]
        blocks = [self._block(each) for each in interface if each.type in self._module.structures]
        others = {
            _stand_in(each.id): self._unique(self._own_name(each.id) or self._by_binding(each.id))
            for each in interface
            if each.type not in self._module.structures
        }
        constants = {
            key: f"constant{number}"
            for key, number in self._module.decorated(SPEC_ID).items()
            if not self._module.names.get(key)
        }
        stand_ins = {each.id: _stand_in(each.id) for each in interface}
        structures = {each.type for each in interface if each.type in self._module.structures}
        data = as_bytes(self._module.header, self._instructions({**constants, **stand_ins}, structures))
        return NamedModule(data, tuple(blocks), others)

    def _is_resource(self, variable: ModuleVariable) -> bool:
        if variable.storage == _UNIFORM_CONSTANT:
            return True
        if variable.storage not in (_UNIFORM, _PUSH_CONSTANT, _STORAGE_BUFFER):
            return False
        return variable.type in self._module.structures

    def _block(self, variable: ModuleVariable) -> BlockNames:
        key = variable.id
        own, kind = self._own_name(key), self._module.names.get(variable.type, "")
        count = len(self._module.structures[variable.type])
        names = [self._module.member_names.get((variable.type, number), "") for number in range(count)]
        is_storage = variable.storage == _STORAGE_BUFFER or _BUFFER_BLOCK in self._kinds.get(variable.type, ())
        if not is_storage:
            return self._uniform_block(variable, own, kind, names)
        # An optimiser makes one type of two that are alike, with the name of one of them.
        is_made = not kind or _BUFFER_TYPE.match(kind) is not None or kind == own or self._is_shared(variable.type)
        block = self._unique((own if is_made else kind) or self._by_binding(key))
        if len(names) == 1 and _is_made(names[0]):
            return BlockNames(_stand_in(key), block, "", {0: self._unique(elements_of(block))})
        members = {number: self._unique(f"{block}_member{number}") for number, name in enumerate(names) if not name}
        if is_made or not own:
            members |= {number: self._unique(name) for number, name in enumerate(names) if name}
            return BlockNames(_stand_in(key), block, "", members)
        return BlockNames(_stand_in(key), block, self._unique(own), members)

    def _uniform_block(self, variable: ModuleVariable, own: str, kind: str, names: list[str]) -> BlockNames:
        key = variable.id
        members = {number: f"member{number}" for number, name in enumerate(names) if not name}
        fallback = "constants" if variable.storage == _PUSH_CONSTANT else self._by_binding(key)
        is_alone = _ALONE.match(kind) is not None or kind == f"type.{own}"
        if is_alone or (not own and any(names)):
            alone = {number: self._unique(name) for number, name in enumerate(names) if name}
            called = f"{own}_block" if is_alone and own else kind or f"{fallback}_block"
            return BlockNames(_stand_in(key), self._unique(called), "", {**members, **alone})
        is_made = not kind or kind == own or _OF_A_TYPE.match(kind) is not None
        instance = self._unique(own or fallback)
        block = self._unique(f"{instance}_block" if is_made else kind)
        return BlockNames(_stand_in(key), block, instance, members)

    def _is_shared(self, kind: int) -> bool:
        return sum(each.type == kind for each in self._module.variables) > 1

    def _own_name(self, key: int) -> str:
        return self._module.names.get(key, "")

    def _by_binding(self, key: int) -> str:
        number, group = self._bindings.get(key), self._sets.get(key, 0)
        if number is None:
            return f"unbound{key}"
        return f"binding{number}" if group == 0 else f"set{group}_binding{number}"

    def _unique(self, name: str) -> str:
        """Returns a name that GLSL may have and no other thing has: with a number behind it where one has."""
        plain = re.sub(r"\W", "_", name.removeprefix("gl_"), flags=re.ASCII)
        plain = safe_name(re.sub(r"_{2,}", "_", plain if not plain[:1].isdigit() else f"_{plain}"))
        made, number = plain, 1
        while made in self._taken:
            number += 1
            made = f"{plain}_{number}"
        self._taken.add(made)
        return made

    def _instructions(self, given: Mapping[int, str], structures: Collection[int]) -> Iterator[Instruction]:
        """Yields the instructions with the given names, and without what says nothing here."""
        waiting = [Instruction(OP_NAME, (key, *text_words(name))) for key, name in given.items()]
        mute = {
            each.operands[0] for each in self._module.instructions if each.number == _EXT_INST_IMPORT and _is_mute(each)
        }
        replaced = {*given, *structures}
        for each in self._module.instructions:
            if waiting and each.number not in _UP_TO_NAMES:
                yield from waiting
                waiting = []
            if each.number in _SOURCES or (each.number == _EXT_INST and set(each.operands[2:3]) & mute):
                continue
            if each.number == _EXT_INST_IMPORT and each.operands[0] in mute:
                continue
            if each.number == OP_NAME and each.operands[:1] and each.operands[0] in replaced:
                continue
            yield self._plain(each)

    def _plain(self, each: Instruction) -> Instruction:
        """Returns an instruction with a name that is free, and without advice to a driver on loops and branches."""
        if each.number == _SELECTION_MERGE:
            return Instruction(each.number, (*each.operands[:1], 0))
        if each.number == _LOOP_MERGE:
            return Instruction(each.number, (*each.operands[:2], 0))
        if each.number == OP_NAME and each.operands[:1]:
            name = self._module.names.get(each.operands[0], "")
            made = _sayable(name)
            made = f"{made}_local" if made in self._taken else made
            return each if made == name else Instruction(OP_NAME, (each.operands[0], *text_words(made)))
        if each.number == OP_MEMBER_NAME and len(each.operands) > 1:
            name = self._module.member_names.get((each.operands[0], each.operands[1]), "")
            made = _sayable(name)
            return each if made == name else Instruction(OP_MEMBER_NAME, (*each.operands[:2], *text_words(made)))
        return each


def _stand_in(key: int) -> str:
    return f"{_STANDS_FOR}{key}"


def _is_made(member: str) -> bool:
    return not member or _MADE_MEMBER.match(member) is not None


def _is_mute(each: Instruction) -> bool:
    """Whether a set of instructions is one for debuggers, which does nothing."""
    return bytes(byte for word in each.operands[1:] for byte in word.to_bytes(4, "little")).startswith(b"NonSemantic.")


def _sayable(name: str) -> str:
    """Returns a name as GLSL may have it; names of GLSL's own variables stay."""
    return name if name.startswith("gl_") or "__" in name else safe_name(name)
