"""Interprets a shader's declarations, and calls its functions."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import tree_sitter

from tests.glsl_interpreter.expressions import Expressions
from tests.glsl_interpreter.places import Place, blank, filled, leaves
from tests.glsl_interpreter.ran import Ran
from tests.glsl_interpreter.textures import Texels
from tests.glsl_interpreter.tree import declared_name, parse
from tests.glsl_interpreter.values import GlslError, Value, as_type
from texelscope.pipeline.glsl.lines import GENERATED, Line, line_map
from texelscope.pipeline.glsl.macros import expand_all
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls
from texelscope.pipeline.plan import ProgramSource

_PRECISION = re.compile(r"\b(highp|mediump|lowp)\b")
_ARRAY_FIRST = re.compile(r"\b([A-Za-z_]\w*)\s*(\[\s*\w*\s*\])\s+([A-Za-z_]\w*)(?=\s*[=;,)])")


class Returned(Exception):  # noqa: N818 - control flow
    """`return`, with its value."""

    def __init__(self, value: Value | None) -> None:
        super().__init__()
        self.value = value


@dataclass
class Frame:
    """A call under way: its scopes, innermost last, and the turns of its loops."""

    function: str
    is_authored: bool = True
    scopes: list[dict[str, Value]] = field(default_factory=lambda: [{}])
    turns: list[int] = field(default_factory=list)


class Declarations(Expressions):
    """A program with its variables; what its statements do is the subclass's."""

    def __init__(
        self,
        program: ProgramSource,
        uniforms: Mapping[str, Any],
        textures: Mapping[str, Texels],
        given: Mapping[str, Value],
        most_steps: int = 20_000,
    ) -> None:
        """`uniforms` are numbers or tuples of them; `given` holds gl_FragCoord and what comes from the vertex shader.

        Raises GlslError for text that is not known.
        """
        text = _PRECISION.sub(lambda match: " " * len(match[0]), expand_all(program.fragment))
        self._source = _ARRAY_FIRST.sub(r"\1 \3\2", text).encode()
        self._root = parse(constructors_as_calls(self._source))
        self._lines: list[Line] = line_map(program)
        self._most = most_steps
        self._functions: dict[str, list[tree_sitter.Node]] = {}
        self._frames: list[Frame] = []
        self._uniforms = dict(uniforms)
        self._globals: dict[str, Value] = dict(given)
        self._given = frozenset(given)
        self._current: list[Ran] = []
        self._lane: int | None = None
        self.textures = dict(textures)
        self.structs: dict[str, tuple[tuple[str, str], ...]] = {}
        self.steps: list[Ran] = []
        self.outputs: dict[str, Value] = {}
        self.discarded = False
        self.called: set[str] = set()

    @abstractmethod
    def run_block(self, node: tree_sitter.Node) -> None:
        """Runs the statements between braces, in a new scope."""

    def text(self, node: tree_sitter.Node) -> str:
        """Returns a node's text, as its author wrote it."""
        return self._source[node.start_byte : node.end_byte].decode()

    def _struct(self, node: tree_sitter.Node) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        assert name is not None
        assert body is not None
        members = []
        for each in body.named_children:
            for declarator in each.children_by_field_name("declarator"):
                members.append((self._type(each, declarator), self._name(declarator)))
        self.structs[self.text(name)] = tuple(members)

    def _name(self, declarator: tree_sitter.Node) -> str:
        while declarator.type in ("init_declarator", "array_declarator"):
            inner = declarator.child_by_field_name("declarator")
            assert inner is not None
            declarator = inner
        return self.text(declarator)

    def _type(self, declaration: tree_sitter.Node, declarator: tree_sitter.Node, made: Value | None = None) -> str:
        kind = declaration.child_by_field_name("type")
        assert kind is not None
        if declarator.type == "init_declarator":
            inner = declarator.child_by_field_name("declarator")
            assert inner is not None
            declarator = inner
        sizes = []
        while declarator.type == "array_declarator":
            size, inner = declarator.child_by_field_name("size"), declarator.child_by_field_name("declarator")
            assert inner is not None
            length = len(made.lanes) if size is None and made is not None else None
            sizes.append(f"[{self.value(size).number if size is not None else length}]")
            declarator = inner
        return self.text(kind) + "".join(reversed(sizes))

    def _global(self, node: tree_sitter.Node) -> list[str]:
        """Declares global variables; the names of those that are outputs."""
        words = {child.type for child in node.children}
        names = []
        for declarator in node.children_by_field_name("declarator"):
            name = self._name(declarator)
            if not name or name in self._given:
                continue
            if "uniform" in words and self._is_sampler(node):
                self._globals[name] = Value("sampler2D", (name,))
                continue
            if "in" in words or "varying" in words:
                raise GlslError(f"no value of {name}")
            self._declare(self._globals, node, declarator)
            if "uniform" in words and name in self._uniforms:
                numbers = self._uniforms[name]
                lanes = numbers if isinstance(numbers, tuple | list) else (numbers,)
                self._globals[name] = filled(self._globals[name], iter(lanes))
            names += [name] if "out" in words else []
        return names

    def _is_sampler(self, node: tree_sitter.Node) -> bool:
        kind = node.child_by_field_name("type")
        return kind is not None and self.text(kind) == "sampler2D"

    def _declare(self, scope: dict[str, Value], node: tree_sitter.Node, declarator: tree_sitter.Node) -> bool:
        """One variable of a declaration; whether it got a value."""
        written = declarator.child_by_field_name("value")
        made = self.value(written) if written is not None else None
        kind = self._type(node, declarator, made)
        name = self._name(declarator)
        scope[name] = as_type(made, kind) if made is not None else blank(kind, self.structs)
        return made is not None

    # -- what expressions need ------------------------------------------------------------------------------------

    def scope_of(self, name: str) -> dict[str, Value]:
        """The innermost scope that has a variable."""
        scopes = [*reversed(self._frames[-1].scopes), self._globals] if self._frames else [self._globals]
        for scope in scopes:
            if name in scope:
                return scope
        raise GlslError(f"the variable {name}")

    def assigned(self, place: Place, value: Value) -> Value:
        """Puts a value into a place and notes it."""
        made = place.set(value)
        if self._frames and self._frames[-1].is_authored:
            self._note({place.text: made})
        return made

    def read(self) -> None:
        """A texel was read."""
        if self._current:
            self._current[-1].reads += 1

    def has_function(self, name: str) -> bool:
        """Whether the text defines a function."""
        self.called.add(name)
        return name in self._functions

    def call_function(self, name: str, arguments: Sequence[tree_sitter.Node]) -> Value:
        """Runs one of the text's functions: takes arguments, runs its body, returns the arguments that it changed."""
        definition = self._overload(name, arguments)
        parameters = self._parameters(definition)
        frame = Frame(name, self._is_authored(definition))
        back: list[tuple[Place, str]] = []
        for argument, parameter in zip(arguments, parameters, strict=True):
            words = {child.type for child in parameter.children}
            inner = parameter.child_by_field_name("declarator")
            assert inner is not None
            kind = self._type(parameter, inner)
            parameter_name = declared_name(parameter)
            if "out" in words or "inout" in words:
                back.append((self.place(argument), parameter_name))
            if "out" in words:
                frame.scopes[0][parameter_name] = blank(kind, self.structs)
                continue
            value = self.value(argument)
            frame.scopes[0][parameter_name] = value if value.type == "sampler2D" else as_type(value, kind)
        if frame.is_authored:
            given = {name: value for name, value in frame.scopes[0].items() if value.type != "sampler2D"}
            for _, changed in back:
                given.pop(changed)
            self._note(given)
        result = self._called(definition, frame)
        for place, parameter_name in back:
            place.set(frame.scopes[0][parameter_name])
        return result

    def _called(self, definition: tree_sitter.Node, frame: Frame) -> Value:
        self._frames.append(frame)
        depth = len(self._current)
        try:
            self.run_block(self._body_of(definition))
        except Returned as returned:
            return returned.value if returned.value is not None else Value("void", ())
        finally:
            self._frames.pop()
            del self._current[depth:]
        return Value("void", ())

    def _parameters(self, definition: tree_sitter.Node) -> list[tree_sitter.Node]:
        declarator = definition.child_by_field_name("declarator")
        assert declarator is not None
        listed = declarator.child_by_field_name("parameters")
        assert listed is not None
        found = [each for each in listed.named_children if each.type == "parameter_declaration"]
        return [each for each in found if self.text(each) != "void"]

    def _overload(self, name: str, arguments: Sequence[tree_sitter.Node]) -> tree_sitter.Node:
        fitting = [each for each in self._functions[name] if len(self._parameters(each)) == len(arguments)]
        if len(fitting) != 1:
            raise GlslError(f"{len(fitting)} functions {name}")
        return fitting[0]

    def _body(self, name: str) -> tree_sitter.Node:
        return self._body_of(self._functions[name][0])

    def _body_of(self, definition: tree_sitter.Node) -> tree_sitter.Node:
        body = definition.child_by_field_name("body")
        assert body is not None
        return body

    def _is_authored(self, node: tree_sitter.Node) -> bool:
        return self._lines[node.start_point[0]][0] != GENERATED

    def _note(self, values: Mapping[str, Value]) -> None:
        if self._current:
            for name, value in values.items():
                self._current[-1].assigned.extend(leaves(name, value))
