"""Runs a pass's shader symbolically for one invocation: a fragment, or one of a dispatch, with its work group."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.glsl.resources import local_size
from texelscope.pipeline.glsl.semantics.expressions import Identifier
from texelscope.pipeline.glsl.semantics.outputs import declared_outputs
from texelscope.pipeline.glsl.semantics.statements import (
    Declaration,
    FunctionDefinition,
    InitDeclarator,
    StructMembers,
    StructSpecifier,
)
from texelscope.pipeline.glsl.semantics.types import Types
from texelscope.pipeline.glsl.semantics.variables import DeclaredVariable, members_of, variables_of
from texelscope.pipeline.plan import ProgramSource, UniformValue
from texelscope.pipeline.sampler_kinds import kind_called
from texelscope.pipeline.symbolic.bindings import BindingCompiler
from texelscope.pipeline.symbolic.blocks import OPEN, BlockRules
from texelscope.pipeline.symbolic.bound import BoundTexels
from texelscope.pipeline.symbolic.expressions import Run
from texelscope.pipeline.symbolic.phases import GroupRun, WaitingRun
from texelscope.pipeline.symbolic.slicing import unneeded_statements
from texelscope.pipeline.symbolic.text import expanded, parsed, waiting_functions
from texelscope.pipeline.symbolic.values import (
    UnknownTextError,
    blank,
    copied,
    filled,
    matrix_size,
    scalar_type,
)

_BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "gl_FragCoord": "vec4", "gl_GlobalInvocationID": "uvec3", "gl_LocalInvocationID": "uvec3",
        "gl_WorkGroupID": "uvec3", "gl_WorkGroupSize": "uvec3", "gl_NumWorkGroups": "uvec3",
        "gl_LocalInvocationIndex": "uint", "gl_VertexID": "int", "gl_InstanceID": "int",
    }
)  # fmt: skip
_UNSIGNED = re.compile(r"uint|uvec|UINT|usampler|uimage|gl_\w+ID|gl_\w+Index|\d[uU]\b")
# What an element of an array or a structure is at least apart by the rules of std140, in numbers.
_WIDE = 4


class Machine(BindingCompiler):
    """A program, compiled once; `run` runs it for one invocation."""

    def __init__(
        self,
        program: ProgramSource,
        uniforms: Mapping[str, UniformValue],
        bound: Mapping[str, BoundTexels],
        known: Mapping[str, str] = MappingProxyType({}),
        handed: Collection[str] = (),
        *,
        is_vertex: bool = False,
    ) -> None:
        """`bound` are textures, images and blocks by their names in the text; `handed` is what a vertex shader gives.

        `known` are functions of the text that stand for built-in ones, as `builtins` names those.

        Raises UnknownTextError for text that is not known.
        """
        text = expanded(program.fragment)
        root = parsed(text)
        super().__init__(Types(root), known)
        self.has_unsigned = _UNSIGNED.search(text) is not None
        self.lines: list[Line] = line_map(program)
        self.outputs: list[str] = []
        self.local_size = local_size(text) or local_size(program.fragment) or (1, 1, 1)
        self._uniforms, self.bound = uniforms, bound
        self._built_in: dict[str, int] = {name: self.declare(name, kind) for name, kind in _BUILT_IN.items()}
        self.memory[self._built_in["gl_WorkGroupSize"]] = self.local_size
        # Types of variables that get their value from outside: attributes, or what a vertex shader hands over.
        self.inputs: dict[str, str] = {}
        self._handed, self._is_vertex = handed, is_vertex
        # Slots of variables outside functions: shared ones, and arrays and structures that can change.
        self._shared: list[int] = []
        self._changing: list[int] = []
        for name, kind, value in (
            ("gl_FragColor", "vec4", (0.0,) * 4),
            ("gl_FragData", "vec4[]", [(0.0,) * 4] * 8),
            ("gl_Position", "vec4", (0.0, 0.0, 0.0, 1.0)),
            ("gl_PointSize", "float", 1.0),
        ):
            self._changing.append(self.declare(name, kind, value))
        for node in root.named_children:
            if isinstance(node, FunctionDefinition):
                self.define(node)
            elif isinstance(node, StructSpecifier):
                self._structure(node)
            elif isinstance(node, Declaration):
                self._global(node)
        if not self.outputs:
            self.outputs = [each.name for each in declared_outputs(root)] or ["gl_FragColor"]
        self.waiting = waiting_functions(root, shares=bool(self._shared))
        self._main, self._waiting_main, self._others = self._compiled_main()
        self._before = list(self.memory)

    def _compiled_main(self) -> tuple[Run | None, WaitingRun | None, WaitingRun | None]:
        """Returns main as a plain function.

        Where it waits for the work group: what starts it for one invocation, and for all others.
        """
        main = self.resolved("main", ())
        if main is None:
            raise UnknownTextError("a text without main")
        if "main" not in self.waiting:
            return self.function("main", (), main.definition), None, None
        with self.inside(main):
            whole = self.waiting_statement(main.definition.body)
            self.left_out = unneeded_statements(main.definition, self.waiting, self.definitions)
            others = self.waiting_statement(main.definition.body)
            self.left_out = frozenset()
        return None, whole, others

    @property
    def has_phases(self) -> bool:
        """Whether invocations wait for their work group, so that all of it is run."""
        return self._waiting_main is not None

    def run(self, given: Mapping[str, Any], inputs: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Runs main; `given` are built-in variables by name, `inputs` has values for `self.inputs`.

        Raises UnknownTextError, TooLongError, DiscardedError.
        """
        self._begin()
        for name, value in given.items():
            self.memory[self._built_in[name]] = value
        for name, value in inputs.items():
            if name in self.inputs:
                self.memory[self.slot_of(name)[0]] = value
        if self._main is None:
            raise UnknownTextError("a barrier")
        self._main()

    def run_group(self, given: Sequence[Mapping[str, Any]], wanted: int) -> None:
        """Runs main for a work group until its invocation `wanted` has ended; `given` has built-in variables of each.

        Raises UnknownTextError, TooLongError, DiscardedError.
        """
        assert self._waiting_main is not None
        assert self._others is not None
        self._begin()
        slots = [{self._built_in[name]: value for name, value in each.items()} for each in given]
        GroupRun(self.memory, self._shared, self._changing, self._waiting_main, self._others, self.take_turn).run(
            slots, wanted
        )

    def _begin(self) -> None:
        self.memory[:] = self._before
        for slot in (*self._shared, *self._changing):
            self.memory[slot] = copied(self.memory[slot])
        self.turns = 0
        for texels in self.bound.values():
            texels.begin()

    def output(self, name: str) -> Any:
        """Returns the value of an output variable after a run."""
        return self.memory[self.slot_of(name)[0]]

    # -- declarations --------------------------------------------------------------------------------------------

    def _structure(self, node: StructSpecifier) -> None:
        if node.name is not None:
            members = [(each.type, each.name, self.sizes(each)) for each in members_of(node)]
            self.structures[node.name.text] = tuple(members)

    def _global(self, node: Declaration) -> None:
        """Declares variables outside functions, or a block; those with a value get it."""
        members = next((each for each in node.walk() if isinstance(each, StructMembers)), None)
        if members is not None and not isinstance(node.type, StructSpecifier):
            self._declare_block(node, members)
            return
        if isinstance(node.type, StructSpecifier):
            self._structure(node.type)
        words = {each.text for each in node.children}
        variables = variables_of(node)
        if "uniform" in words:
            values = self._initial(node)
            for each in variables:
                self._declare_uniform(each, has_value=each.name in values)
            return
        incoming = {"in", "attribute"} if self._is_vertex else {"in", "varying"}
        if words & incoming and "const" not in words:
            for each in variables:
                if each.type != "vec2" and each.name not in self._handed and not self._is_vertex:
                    raise UnknownTextError(f"the value of {each.name}")
                kind = each.type + "[]" * len(each.sizes)
                self.declare(each.name, kind)
                self.inputs[each.name] = kind
            return
        if "out" in words or (self._is_vertex and "varying" in words):
            self.outputs += [each.name for each in variables]
        if variables:
            self.declaration(node)()
        slots = [self.slot_of(each.name)[0] for each in variables]
        if "shared" in words:
            self._shared += slots
        elif "const" not in words:
            self._changing += slots

    def _initial(self, node: Declaration) -> set[str]:
        """Returns the names of uniforms that the text gives a value, which they keep unless they are set."""
        given = {each.name for each in variables_of(node) if each.value and each.name not in self._uniforms}
        if given and any(isinstance(each, InitDeclarator) for each in node.declarators):
            self.declaration(node)()
        return given

    def _declare_uniform(self, variable: DeclaredVariable, *, has_value: bool) -> None:
        name, kind = variable.name, variable.type
        if has_value:
            return
        if name in self.bound:
            texels = self.bound[name]
            sampler = kind_called(kind)
            texels.numbers = sampler.numbers if sampler is not None else _image_numbers(kind)
            self.declare(name, kind, texels)
        elif kind_called(kind) is not None or "image" in kind:
            self.declare(name, kind, None)  # unbound: a read of it is unknown
        else:
            sizes = self.sizes(variable)
            self.declare(name, kind + "[]" * len(sizes), self._uniform(name, kind, sizes))

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
        """Makes the members of a block known: what a storage block holds, or the values of uniforms."""
        words = [each.text for each in node.children]
        behind = [each.text for each in node.named_children
                  if isinstance(each, Identifier) and each.start_byte >= members.end_byte]  # fmt: skip
        before = [each.text for each in node.named_children
                  if isinstance(each, Identifier) and each.end_byte <= members.start_byte]  # fmt: skip
        instance = behind[0] if behind else ""
        variables = [each for line in members.lines for each in variables_of(line)]
        if "buffer" not in words:
            self._declare_values([*before, instance], instance, variables)
            return
        name = next((each for each in (*before, *behind) if each in self.bound), "")
        if not name:
            raise UnknownTextError(f"the block {' '.join(words[:6])}")
        texels = self.bound[name]
        layout = node.text[: members.start_byte - node.start_byte]
        rules = BlockRules(self.structures, _WIDE if "std140" in layout else 1)
        sized = [(each.type, each.name, self._member_sizes(each)) for each in variables]
        lines = {each.name: line for line in members.lines for each in variables_of(line)}
        row_major = {name for name, line in lines.items() if "row_major" in (line.text + layout)}
        block = rules.structure(sized, frozenset(row_major - _columns(lines)))
        if instance:
            self.bind_block(instance, texels, block, 0)
            return
        for member, (start, of) in block.members.items():
            self.bind_block(member, texels, of, start)

    def _member_sizes(self, variable: DeclaredVariable) -> tuple[int, ...]:
        """Returns the sizes of a member's array; the first one may be left open."""
        if not variable.sizes or variable.sizes[0]:
            return self.sizes(variable)
        return (OPEN, *(self.constant_size(each) for each in variable.sizes[1:]))

    def _declare_values(self, names: Sequence[str], instance: str, variables: Sequence[DeclaredVariable]) -> None:
        """Declares the members of a block of uniforms, by one of the block's names or by their own."""
        found: dict[str, Any] = {}
        for each in variables:
            full = next(self._known([each.name, *(f"{name}.{each.name}" for name in names)]), each.name)
            sizes = self.sizes(each)
            found[each.name] = self._uniform(full, each.type, sizes)
            if not instance:
                self.declare(each.name, each.type + "[]" * len(sizes), found[each.name])
        if instance:
            kind = f"{instance} {{}}"
            self.structures[kind] = tuple((each.type, each.name, self.sizes(each)) for each in variables)
            self.declare(instance, kind, found)

    def _known(self, names: Sequence[str]) -> Iterator[str]:
        for name in names:
            if any(key == name or key.startswith((f"{name}.", f"{name}[")) for key in self._uniforms):
                yield name


def _columns(lines: Mapping[str, Any]) -> set[str]:
    return {name for name, line in lines.items() if "column_major" in line.text}


def _image_numbers(kind: str) -> str:
    return (
        "int" if kind.startswith("i") and not kind.startswith("image") else "uint" if kind.startswith("u") else "float"
    )
