"""Lists the values of a plan's passes: uniforms, push constants, defines and specialization constants.

A uniform's type is the shader's, a define's that of its value. What the shader uses and the file leaves out is listed
too, as far as its type is known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.vulkan import DeclaredConstant, vulkan_to_gl
from texelscope.pipeline.pipeline_file.compute_pass import as_uniform
from texelscope.pipeline.pipeline_file.declarations import Uniform
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.pipeline_file.oracle_functions import Function, functions_in
from texelscope.pipeline.pipeline_file.schema import PassEntry
from texelscope.pipeline.pipeline_file.tensor_uniforms import TensorUniform
from texelscope.pipeline.pipeline_file.uniform_members import by_any_name, settable_uniforms
from texelscope.pipeline.pipeline_values.value_names import ValueName, ValueTable
from texelscope.pipeline.plan import Pass
from texelscope.pipeline.toml_text import value_text

# What a value is made of: numbers of a type, a word or an expression, or the numbers of a tensor.
ValueKind = Literal["float", "int", "uint", "bool", "text", "tensor"]
# Tables whose values are in the text that the driver compiles.
COMPILED: tuple[ValueTable, ...] = ("defines", "specialization")
_MATRIX = re.compile(r"mat(?P<columns>[234])(?:x(?P<rows>[234]))?")


@dataclass(frozen=True)
class PassValue:
    """Describes one value of a pass.

    `numbers` are all of them, element after element, matrices by columns; None of a text, an expression or a tensor,
    and of a constant whose number only the shader has. `text` is the value as TOML, an expression or a word as it is.
    `type` is GLSL's, with the length of an array, and `columns` is that of a matrix, else 1. `is_set` says that the
    file gives the value. `now` has the numbers of an expression, unless they change from frame to frame. `oracle` says
    in a sentence whether the right values depend on it too.
    """

    name: ValueName
    kind: ValueKind
    type: str
    numbers: tuple[float, ...] | None
    text: str
    per_element: int = 1
    columns: int = 1
    is_set: bool = True
    oracle: str = ""
    now: tuple[float, ...] = ()

    @property
    def key(self) -> str:
        """Its name among the values of options: `PASS.TABLE.NAME`."""
        return self.name.text

    @property
    def is_compiled(self) -> bool:
        """Whether the shader is compiled again for another value."""
        return self.name.table in COMPILED

    def with_number(self, place: int, number: float) -> str:
        """Returns the value as TOML with another number at a place."""
        assert self.numbers is not None
        numbers = [*self.numbers]
        numbers[place] = number
        return value_text(numbers[0] if len(numbers) == 1 else numbers)


def pass_values(plan: FilePlan) -> tuple[PassValue, ...]:
    """Returns the values of all passes, in the order of the file."""
    functions: Mapping[str, Function] = {}
    if plan.oracle_file is not None and plan.oracle_file.trusted:
        try:
            functions = functions_in(plan.oracle_file.text, plan.oracle_file.path)
        except TexelscopeError:
            functions = {}
    found: list[PassValue] = []
    passes = {each.name: each for each in plan.passes}
    for entry in plan.entries.passes:
        if (shader_pass := passes.get(entry.name)) is not None:
            found += _Values(plan, entry, shader_pass, functions).all()
    return tuple(found)


class _Values:
    def __init__(self, plan: FilePlan, entry: PassEntry, shader_pass: Pass, functions: Mapping[str, Function]) -> None:
        self._plan, self._entry, self._pass, self._functions = plan, entry, shader_pass, functions
        program = shader_pass.program
        self._declared = {**settable_uniforms(program.vertex or ""), **settable_uniforms(program.fragment)}
        texts = [vulkan_to_gl(file.text, {}) for file in program.files]
        self._push = {each.name: each for text in texts for each in text.push}
        self._constants = [each for text in texts for each in text.constants]

    def all(self) -> Iterator[PassValue]:
        entry = self._entry
        compute = entry.compute or entry.constants
        for name, raw in entry.uniforms.items():
            yield self._value("uniforms", name, raw, by_any_name(self._declared, name))
        if compute is not None:
            for name, raw in compute.push.items():
                yield self._value("push", name, raw, _as_uniform(self._push.get(name)))
        yield from self._unset()
        for name, raw in entry.defines.items():
            yield self._value("defines", name, raw, None)
        if compute is not None:
            yield from self._specialization(compute.specialization)

    def _unset(self) -> Iterator[PassValue]:
        """Yields the uniforms and push constants that are 0 because the file leaves them out."""
        for each in self._pass.unset:
            table, _, key = each.key.partition(".")
            name = key.strip('"')
            declared = self._declared.get(name) if table == "uniforms" else _as_uniform(self._push.get(name))
            zero = False if each.kind == "bool" else 0.0 if each.kind == "float" else 0
            value = self._value("push" if table == "push" else "uniforms", name, [zero] * each.count, declared)
            yield replace(value, text="", is_set=False)

    def _specialization(self, given: Mapping[str, Any]) -> Iterator[PassValue]:
        """Yields the constants that the file specializes, and those that it leaves to the shader."""
        for name, raw in given.items():
            constant = next((each for each in self._constants if name in (each.name, str(each.number))), None)
            yield self._value("specialization", name, raw, _as_uniform(constant))
        for each in self._constants:
            if not {each.name, str(each.number)} & {*given} and each.type in ("int", "uint", "float", "bool"):
                own = ValueName(self._entry.name, "specialization", each.name)
                yield PassValue(own, "text", each.type, None, "", is_set=False, oracle=self._oracle_words("", ""))

    def _value(self, table: ValueTable, name: str, raw: Any, declared: Uniform | None) -> PassValue:
        own, words = ValueName(self._entry.name, table, name), self._oracle_words(table, name, declared)
        kind_words = _type_words(declared)
        if isinstance(raw, TensorUniform):
            return PassValue(own, "tensor", kind_words, None, raw.tensor, oracle=words)
        numbers = _flat(raw)
        kind = declared.kind if declared is not None else _kind_of(numbers)
        if numbers is None or kind is None or kind == "text":
            text = raw if isinstance(raw, str) else value_text(raw)
            return PassValue(own, "text", kind_words, None, text, oracle=words, now=self._now(name, declared))
        per_element = declared.component_count if declared is not None else 1
        matrix = _MATRIX.fullmatch(declared.type) if declared is not None else None
        columns = int(matrix["columns"]) if matrix is not None else 1
        return PassValue(
            own, cast(ValueKind, kind), kind_words, numbers, value_text(raw), per_element, columns, oracle=words
        )

    def _now(self, name: str, declared: Uniform | None) -> tuple[float, ...]:
        """Returns the numbers of an expression; none of one that changes from frame to frame, and of a word."""
        known = {name, declared.in_driver} if declared is not None else {name}
        if name in self._push:
            known = {self._push[name].uniform}
        if known & {*self._pass.by_frame}:
            return ()
        value = next((each for key, each in self._pass.uniforms.items() if key in known), ())
        return value if isinstance(value, tuple) else (value,)

    def _oracle_words(self, table: str, name: str, declared: Uniform | None = None) -> str:
        """Returns a sentence on whether the right values depend on a value."""
        plan = self._plan
        if plan.oracle_file is None:
            return "" if plan.graph is None else "Only the shader gets it: the model's values stay."
        if not self._functions:
            return ""
        called = [plan.oracle_file.functions[key] for key in self._pass.outputs if key in plan.oracle_file.functions]
        own = {name, declared.in_driver if declared is not None else name}
        is_offered = table in ("uniforms", "push")
        takers = [
            each
            for each in called
            if is_offered
            and (function := self._functions.get(each)) is not None
            and (function.takes_any or own & {*function.parameters})
        ]
        if takers:
            return f"The oracle's {takers[0]}() gets it too: the right values change with it."
        if called and is_offered:
            return f"Only the shader gets it: the oracle's {called[0]}() has no parameter of that name."
        return "Only the shader gets it: the oracle's values stay." if called else ""


def _as_uniform(constant: DeclaredConstant | None) -> Uniform | None:
    return as_uniform(constant) if constant is not None else None


def _type_words(declared: Uniform | None) -> str:
    if declared is None:
        return ""
    is_long = declared.array_count not in (None, 1) or declared.is_array
    return f"{declared.type}[{declared.array_count or ''}]" if is_long else declared.type


def _flat(raw: Any) -> tuple[float, ...] | None:
    """Returns all numbers of a value; None if anything in it is none."""
    if isinstance(raw, bool | int | float):
        return (raw,) if isinstance(raw, int) or math.isfinite(raw) else None
    if not isinstance(raw, list):
        return None
    parts = [_flat(each) for each in raw]
    return None if None in parts or not parts else tuple(number for part in parts for number in part or ())


def _kind_of(numbers: Sequence[float] | None) -> ValueKind:
    """Returns what numbers without a declaration are."""
    if numbers is None:
        return "text"
    if all(isinstance(each, bool) for each in numbers):
        return "bool"
    return "int" if all(isinstance(each, int) for each in numbers) else "float"
