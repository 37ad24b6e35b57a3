"""Runs a pass's shader symbolically for one invocation: a fragment, or one of a dispatch."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.glsl.macros import MacroError, expand_all
from texelscope.pipeline.glsl.semantics.expressions import FieldAccess, FunctionCall, Identifier, Subscript
from texelscope.pipeline.glsl.semantics.outputs import declared_outputs
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_precisions
from texelscope.pipeline.glsl.semantics.statements import (
    Declaration,
    FunctionDefinition,
    StructMembers,
    StructSpecifier,
)
from texelscope.pipeline.glsl.semantics.tree import SyntaxNode
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.glsl.semantics.variables import members_of, variables_of
from texelscope.pipeline.plan import ProgramSource, UniformValue
from texelscope.pipeline.sampler_kinds import kind_called
from texelscope.pipeline.symbolic import builtins
from texelscope.pipeline.symbolic.bound import BoundTexels
from texelscope.pipeline.symbolic.expressions import Run, uncommented
from texelscope.pipeline.symbolic.statements import StatementCompiler
from texelscope.pipeline.symbolic.terms import single, value_of
from texelscope.pipeline.symbolic.values import UnknownTextError, blank, filled, matrix_size, scalar_type

_PRECISION = re.compile(r"\b(highp|mediump|lowp)\b")
_ARRAY_FIRST = re.compile(r"\b([A-Za-z_]\w*)\s*(\[\s*\w*\s*\])\s+([A-Za-z_]\w*)(?=\s*[=;,)])")
_FETCHES = frozenset({"texelFetch", "texelFetchOffset", "imageLoad"})
_SAMPLES = frozenset({"texture", "textureLod", "texture2D", "texture2DLod", "textureOffset", "textureLodOffset"})
_SIZES = frozenset({"textureSize", "imageSize"})
_OFFSETS: Mapping[str, int] = {"texelFetchOffset": 3, "textureOffset": 2, "textureLodOffset": 3}
_BARRIERS = frozenset({"barrier", "memoryBarrier", "memoryBarrierShared", "memoryBarrierBuffer", "groupMemoryBarrier"})
_BUILT_IN = ("gl_FragCoord", "gl_GlobalInvocationID", "gl_LocalInvocationID", "gl_WorkGroupID", "gl_WorkGroupSize",
             "gl_NumWorkGroups", "gl_LocalInvocationIndex")  # fmt: skip


class Machine(StatementCompiler):
    """A program, compiled once; `run` runs it for one invocation."""

    def __init__(
        self,
        program: ProgramSource,
        uniforms: Mapping[str, UniformValue],
        bound: Mapping[str, BoundTexels],
        known: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`bound` are textures, images and blocks by their names in the text.

        `known` are functions of the text that stand for built-in ones, as `builtins` names those.

        Raises UnknownTextError for text that is not known.
        """
        try:
            text = expand_all(program.fragment)
        except MacroError as error:
            raise UnknownTextError(str(error)) from None
        text = _ARRAY_FIRST.sub(r"\1 \3\2", _PRECISION.sub(lambda match: " " * len(match[0]), text))
        root = parse(constructors_as_calls(without_precisions(text.encode())))
        super().__init__(Types(root))
        self.lines: list[Line] = line_map(program)
        self.outputs: list[str] = []
        self._uniforms, self.bound, self._known = uniforms, bound, known
        self._blocks: dict[str, tuple[BoundTexels, int, str]] = {}
        self._built_in: dict[str, int] = {name: self.declare(name, "") for name in _BUILT_IN}
        self._varyings: list[int] = []
        starts: list[Run] = []
        for name, kind, value in (("gl_FragColor", "vec4", (0.0,) * 4), ("gl_FragData", "vec4[]", [(0.0,) * 4] * 8)):
            self.declare(name, kind, value)
        for node in root.named_children:
            if isinstance(node, FunctionDefinition):
                self.define(node)
            elif isinstance(node, StructSpecifier):
                self._structure(node)
            elif isinstance(node, Declaration):
                starts += self._global(node)
        for start in starts:
            start()
        if not self.outputs:
            self.outputs = [each.name for each in declared_outputs(root)] or ["gl_FragColor"]
        main = self.function("main", (), 0)
        if main is None:
            raise UnknownTextError("a text without main")
        self._main = main
        self._before = list(self.memory)

    def run(self, given: Mapping[str, Any], varying: tuple[float, float] = (0.0, 0.0)) -> None:
        """Runs main; `given` are built-in variables by name, `varying` the place in the target, from 0 to 1.

        Raises UnknownTextError, TooLongError, DiscardedError.
        """
        self.memory[:] = self._before
        self.turns = 0
        for texels in self.bound.values():
            texels.begin()
        for name, value in given.items():
            self.memory[self._built_in[name]] = value
        for slot in self._varyings:
            self.memory[slot] = varying
        self._main()

    def output(self, name: str) -> Any:
        """Returns the value of an output variable after a run."""
        return self.memory[self.slot_of(name)[0]]

    # -- declarations --------------------------------------------------------------------------------------------

    def _structure(self, node: StructSpecifier) -> None:
        if node.name is not None:
            members = [(each.type, each.name, self.sizes(each)) for each in members_of(node)]
            self.structures[node.name.text] = tuple(members)

    def _global(self, node: Declaration) -> list[Run]:
        members = next((each for each in node.walk() if isinstance(each, StructMembers)), None)
        is_structure = isinstance(node.type, StructSpecifier)
        if members is not None and not is_structure:
            self._declare_block(node, members)
            return []
        if is_structure and isinstance(node.type, StructSpecifier):
            self._structure(node.type)
        words = {each.text for each in node.children}
        variables = variables_of(node)
        if "uniform" in words:
            for each in variables:
                kind = each.type
                if each.name in self.bound:
                    texels = self.bound[each.name]
                    sampler = kind_called(kind)
                    texels.numbers = sampler.numbers if sampler is not None else _image_numbers(kind)
                    self.declare(each.name, kind, texels)
                    continue
                if kind_called(kind) is not None or "image" in kind:
                    self.declare(each.name, kind, None)  # unbound: a read of it is unknown
                    continue
                sizes = self.sizes(each)
                self.declare(each.name, kind + "[]" * len(sizes), self._uniform(each.name, kind, sizes))
            return []
        if words & {"in", "varying"} and "const" not in words:
            for each in variables:
                if each.type != "vec2":
                    raise UnknownTextError(f"the value of {each.name}")
                self._varyings.append(self.declare(each.name, each.type))
            return []
        if "shared" in words:
            raise UnknownTextError("shared memory")
        if "out" in words:
            self.outputs += [each.name for each in variables]
        return [self.declaration(node)] if variables else []

    def _uniform(self, name: str, kind: str, sizes: Sequence[int]) -> Any:
        if kind in self.structures:
            if sizes:
                return [self._uniform(f"{name}[{at}]", kind, sizes[1:]) for at in range(sizes[0])]
            return {member: self._uniform(f"{name}.{member}", of, inner) for of, member, inner in self.structures[kind]}
        value = self._uniforms.get(name)
        if value is None:
            return blank(kind, sizes, self.structures)
        numbers = list(value) if isinstance(value, tuple) else [value]
        columns, rows = matrix_size(kind)
        wanted = columns * rows or scalar_type(kind)[1]
        for size in sizes:
            wanted *= size
        if not wanted or len(numbers) > wanted:
            raise UnknownTextError(f"the uniform {name}")
        return filled(kind, sizes, [*numbers, *[0] * (wanted - len(numbers))])

    def _declare_block(self, node: Declaration, members: StructMembers) -> None:
        """Makes the members of a block known: an array of a storage block, or the values of uniforms."""
        words = [each.text for each in node.children]
        name = next((each.text for each in node.walk() if each.text in self.bound), "")
        behind = [each.text for each in node.named_children
                  if isinstance(each, Identifier) and each.start_byte >= members.end_byte]  # fmt: skip
        instance = behind[0] if behind else ""
        variables = [each for line in members.lines for each in variables_of(line)]
        if "uniform" in words and not name:
            for each in variables:
                sizes = self.sizes(each)
                value = next((self._uniform(full, each.type, sizes) for full in self._names_of(node, each.name)), None)
                if instance or value is None:
                    raise UnknownTextError(f"the block of {each.name}")
                self.declare(each.name, each.type + "[]" * len(sizes), value)
            return
        lanes = scalar_type(variables[-1].type)[1] if variables else 0
        if len(variables) != 1 or not name or not lanes or lanes == 3:
            raise UnknownTextError(f"the block {' '.join(words[:6])}")
        texels = self.bound[name]
        texels.numbers = scalar_type(variables[0].type)[0]
        if texels.stored.storage != "float32":
            raise UnknownTextError("a block of packed numbers")
        own = f"{instance}.{variables[0].name}" if instance else variables[0].name
        self._blocks[own] = (texels, lanes, variables[0].type)

    def _names_of(self, node: Declaration, member: str) -> list[str]:
        words = [each.text for each in node.walk() if isinstance(each, Identifier)]
        return [full for full in (member, *(f"{word}.{member}" for word in words)) if full in self._uniforms]

    # -- what is bound -------------------------------------------------------------------------------------------

    def call_of(self, name: str, node: FunctionCall) -> Run | None:
        given = uncommented(node.arguments)
        if name in _BARRIERS:
            return lambda: None
        if name in self._known:
            parts, row = [self.compile(each) for each in given], node.row
            return lambda: builtins.call(self._known[name], [each() for each in parts], row)
        if name == "imageStore":
            return self._store(given)
        if name in _FETCHES or name in _SAMPLES or name in _SIZES:
            return self._read(name, given, node.row)
        return self.function(name, given, node.row)

    def _read(self, name: str, given: Sequence[SyntaxNode], row: int) -> Run:
        texels, parts = self.compile(given[0]), [self.compile(each) for each in given[1:]]
        offset = parts[_OFFSETS[name] - 1] if name in _OFFSETS else None

        def run() -> Any:
            bound = texels()
            if not isinstance(bound, BoundTexels):
                raise UnknownTextError(f"what '{given[0].text}' is bound to")
            if name in _SIZES:
                return bound.dimensions
            at = parts[0]()
            at = at if isinstance(at, tuple) else (at,)
            if name in _SAMPLES:
                if offset is not None:
                    moved = zip(at, offset(), bound.dimensions, strict=False)
                    at = tuple(single(value_of(u) + value_of(by) / size) for u, by, size in moved)
                return bound.sample(at, row)
            if offset is not None:
                at = tuple(value_of(place) + value_of(by) for place, by in zip(at, offset(), strict=False))
            return bound.fetch(at, row)

        return run

    def _store(self, given: Sequence[SyntaxNode]) -> Run:
        texels, at, value = (self.compile(each) for each in given)

        def run() -> None:
            bound, place = texels(), at()
            number = bound.texel_number(place if isinstance(place, tuple) else (place,))
            self.writes += 1
            if number is not None:
                bound.write(number, value())

        return run

    def _block_of(self, node: SyntaxNode) -> tuple[BoundTexels, int, str] | None:
        if not isinstance(node, Identifier | FieldAccess) or node.text not in self._blocks:
            return None
        return self._blocks[node.text]

    def loaded(self, node: Subscript) -> Run | None:
        found = self._block_of(node.argument)
        if found is None:
            return None
        (texels, lanes, _), index, row = found, self.compile(node.index), node.row

        def run() -> Any:
            start = int(value_of(index())) * lanes
            values = tuple(texels.element(start + lane, row) for lane in range(lanes))
            return values[0] if lanes == 1 else values

        return run

    def stored(self, node: SyntaxNode, value: Run) -> Run | None:
        letters, element = None, node
        if isinstance(node, FieldAccess) and isinstance(node.argument, Subscript):
            element, letters = node.argument, node.field.text
        found = self._block_of(element.argument) if isinstance(element, Subscript) else None
        if found is None or not isinstance(element, Subscript):
            return None
        (texels, lanes, _), index = found, self.compile(element.index)
        places = range(lanes) if letters is None else ["xyzwrgba".index(letter) % 4 for letter in letters]

        def run() -> Any:
            start, new = int(value_of(index())) * lanes, value()
            self.writes += 1
            for lane, number in zip(places, new if isinstance(new, tuple) else (new,), strict=True):
                texels.write_element(start + lane, number)
            return new

        return run


def _image_numbers(kind: str) -> str:
    return (
        "int" if kind.startswith("i") and not kind.startswith("image") else "uint" if kind.startswith("u") else "float"
    )
