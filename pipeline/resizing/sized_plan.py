"""Plans one pass of a pipeline file at other sizes: its entries with other shapes, and a part of its model. No GL."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.graph import Graph, Shape
from texelscope.pipeline.oracle.function_oracle import FunctionOracle
from texelscope.pipeline.pipeline_file.build import PlanBuilder, file_folder
from texelscope.pipeline.pipeline_file.compute_pass import ComputeEntry
from texelscope.pipeline.pipeline_file.file_plan import FilePlan
from texelscope.pipeline.pipeline_file.schema import PassEntry, PipelineEntries, TensorEntry
from texelscope.pipeline.pipeline_file.table import Problems
from texelscope.pipeline.resizing.axes import AxisGroup, Cut, cut, is_valid_cut
from texelscope.pipeline.resizing.model_part import is_valid_part, part_of
from texelscope.pipeline.resizing.other_sizes import step_of
from texelscope.pipeline.resizing.output_shapes import is_valid_for_functions, shapes_by_functions
from texelscope.pipeline.resizing.size_numbers import Stored, following_size, resized
from texelscope.pipeline.resizing.subject import Array, PassSubject

_NUMBER = re.compile(r"(?<![\w.])(\d{1,9})(?:\.0*)?[uUfF]?(?![\w.])")
# A number below one, which may be one over a size.
_SHARE, _SMALLEST = re.compile(r"(?<![\w.])0?\.\d+"), 1e-5


@dataclass(frozen=True)
class SizedPlan:
    """A plan of one pass at other sizes, with values for its inputs.

    `before` and `after` are shape and layout of its outputs and of what it reads. It `is_certain` that a shader which
    is right in general is right here: no number that is written out lies where a size changes.
    """

    plan: FilePlan
    before: tuple[Stored, ...]
    after: tuple[Stored, ...]
    is_certain: bool


@dataclass(frozen=True)
class NumberReadings:
    """Plans at other sizes for each reading of numbers that an edit writes into the file.

    Such a number may be meant as it is, or follow a size: its own, if one of them `is_size`, or that of the number that
    it replaces. There is one reading where both are the same.
    """

    ways: tuple[tuple[SizedPlan, ...], ...]
    is_size: bool


class Resizer:
    """Plans one pass of a pipeline file at other sizes."""

    def __init__(self, plan: FilePlan, subject: PassSubject) -> None:
        """`subject` is the pass at its own sizes. Raises TexelscopeError where nothing states its shapes."""
        self._plan, self._own = plan, subject
        is_by_functions = (
            subject.oracle_file is not None and subject.shader_pass.output in subject.oracle_file.functions
        )
        self._functions = FunctionOracle(plan) if is_by_functions else None
        if self._functions is None and not subject.nodes:
            raise TexelscopeError(
                f"pass '{subject.name}'", "a part of a model that it stands for", "none", "Name its 'oracle'."
            )

    def is_valid(self, subject: PassSubject) -> bool:
        """Whether the oracle accepts the subject's values."""
        if self._functions is not None:
            return is_valid_for_functions(subject, self._functions)
        return is_valid_part(subject)

    def planned(
        self,
        subject: PassSubject,
        entries: PipelineEntries | None = None,
        *,
        with_numbers: bool = True,
        uniforms: Mapping[str, Any] = MappingProxyType({}),
    ) -> SizedPlan:
        """Returns the plan at the subject's sizes; `entries` replace the file's.

        Numbers of the file that are sizes become those of the subject, unless they stay (`with_numbers` false) or
        `uniforms` holds their values. Raises TexelscopeError where the plan cannot be made.
        """
        shapes, graph, derived = self._shapes(subject)
        entries = entries or self._plan.entries
        (entry,) = [each for each in entries.passes if each.name == subject.name]
        keys = (*subject.shader_pass.outputs, *subject.shader_pass.reads)
        before = tuple((subject.stored[key].shape, subject.stored[key].layout) for key in keys)
        after = tuple((shapes[key], subject.stored[key].layout) for key in keys)
        inputs = tuple(self._inputs(subject, shapes, graph))
        at_size = _sized_entry(entry, shapes, before, after if with_numbers else before)
        at_size = dataclasses.replace(at_size, uniforms=MappingProxyType({**at_size.uniforms, **uniforms}))
        sized = dataclasses.replace(
            entries,
            inputs=inputs,
            constants=(),
            passes=(at_size,),
            gradients="",
            wrt=(),
        )
        options = self._plan.options
        builder = PlanBuilder(
            sized, file_folder(self._plan.path), graph, options.limits or Limits(), Problems(self._plan.path.name)
        )
        plan = builder.build(options.trust).at(self._plan.frames.moment)
        values = {**subject.values, **derived}
        filled = {each.name: values[subject.stored[each.name].tensor] for each in inputs}
        plan = dataclasses.replace(plan, initial_inputs=MappingProxyType(filled), path=self._plan.path, options=options)
        numbers = [*_numbers_in(subject.program.fragment), *_raw_numbers(entry)]
        is_drawn = subject.shader_pass.dispatch is None
        is_certain = not any(_is_of_a_size(each, before, after, has_texels=is_drawn) for each in numbers)
        return SizedPlan(plan, before, after, is_certain and not _has_fixed_groups(entry))

    def ways(
        self,
        subject: PassSubject,
        entries: PipelineEntries | None = None,
        uniforms: Mapping[str, Any] = MappingProxyType({}),
    ) -> tuple[SizedPlan, ...]:
        """Returns the plans at the subject's sizes: with numbers of the file replaced, and as they are, if it has any.

        Raises TexelscopeError where none can be made.
        """
        one = self.planned(subject, entries, uniforms=uniforms)
        other = self.planned(subject, entries, with_numbers=False, uniforms=uniforms)
        (first,), (second,) = one.plan.passes, other.plan.passes
        return (one,) if first == second else (one, other)

    def as_numbers(self, subject: PassSubject, entries: PipelineEntries) -> NumberReadings:
        """Returns the `ways` at the subject's sizes for each reading of the numbers that `entries` give uniforms.

        Raises TexelscopeError where a plan cannot be made.
        """
        name = subject.name
        (own,), (other,) = (
            [each for each in some.passes if each.name == name] for some in (self._plan.entries, entries)
        )
        edited = {key: value for key, value in other.uniforms.items() if own.uniforms.get(key, value) != value}
        ways = self.ways(subject, entries)
        before, after = ways[0].before, ways[0].after
        following = {key: following_size(own.uniforms[key], value, before, after) for key, value in edited.items()}
        if following == edited:
            return NumberReadings((ways,), is_size=False)
        is_size = any(resized(value, before, after) != value for value in edited.values())
        return NumberReadings(tuple(self.ways(subject, entries, each) for each in (edited, following)), is_size=is_size)

    def is_followed(self, group: AxisGroup) -> bool:
        """Whether the shader follows a group's size, as far as its text shows.

        No number that is written out lies where the size changes, and a uniform or a constant depends on it; of a
        height or a width it may know by the texture itself.
        """
        step = step_of(group.size)
        for size in (group.size + step, group.size - step):
            cuts = {group: Cut(size)}
            if size > 0 and is_valid_cut(self._own, cuts, self.is_valid):
                return self._is_followed(cut(self._own, cuts), is_spatial=group.is_spatial)
        return False

    def _is_followed(self, subject: PassSubject, *, is_spatial: bool) -> bool:
        """Whether sizes are certain, and the pass has other uniforms, or another text, at the subject's sizes."""
        try:
            sized = self.planned(subject)
        except TexelscopeError:
            return False
        (now,), was = sized.plan.passes, self._plan.pass_called(subject.name)
        depends = now.uniforms != was.uniforms or now.program.fragment != was.program.fragment
        return sized.is_certain and (is_spatial or depends)

    def _shapes(self, subject: PassSubject) -> tuple[Mapping[str, Shape], Graph | None, Mapping[str, Array]]:
        """Returns the shapes of the pass's textures by key, the graph that states them, and further inputs."""
        if self._functions is not None:
            return shapes_by_functions(subject, self._functions), None, {}
        part = part_of(subject)
        return part.shapes, part.graph, part.derived

    def _inputs(self, subject: PassSubject, shapes: Mapping[str, Shape], graph: Graph | None) -> Iterator[TensorEntry]:
        """Yields an input for each texture that the pass reads and no constant of the graph fills."""
        constants = graph.constants if graph is not None else {}
        for key in dict.fromkeys(subject.shader_pass.reads):
            stored = subject.stored[key]
            if stored.tensor in constants and stored.role == "constant":
                continue
            oracle = stored.tensor if graph is not None and stored.tensor in graph.tensors else None
            yield TensorEntry(
                key,
                f"[[input]] '{key}'",
                shapes[key],
                stored.layout,
                stored.storage,
                oracle=oracle,
                quantization=stored.quantization,
            )


def _sized_entry(
    entry: PassEntry, shapes: Mapping[str, Shape], before: Sequence[Stored], after: Sequence[Stored]
) -> PassEntry:
    """Returns the entry with other shapes, and with its raw numbers that are sizes replaced."""

    def in_size(values: Mapping[str, Any]) -> Mapping[str, Any]:
        return MappingProxyType({name: resized(value, before, after) for name, value in values.items()})

    outputs = tuple(dataclasses.replace(each, shape=shapes.get(each.name, each.shape)) for each in entry.outputs)
    textures = tuple(
        each if each.size is None else dataclasses.replace(each, size=resized(each.size, before, after))
        for each in entry.textures
    )
    compute = entry.compute
    if compute is not None:
        compute = dataclasses.replace(
            compute,
            push=in_size(compute.push),
            specialization=in_size(compute.specialization),
            dispatch=compute.dispatch if compute.dispatch is None else resized(compute.dispatch, before, after),
            images=tuple(
                each if each.size is None else dataclasses.replace(each, size=resized(each.size, before, after))
                for each in compute.images
            ),
        )
    return dataclasses.replace(
        entry,
        outputs=outputs,
        textures=textures,
        uniforms=in_size(entry.uniforms),
        defines=in_size(entry.defines),
        compute=compute,
    )


def _numbers_in(text: str) -> Iterator[int]:
    """Yields the whole numbers that a shader's text holds, without those of directives of the compiler."""
    for line in without_comments(text).split("\n"):
        if not line.lstrip().startswith(("#version", "#line", "#extension")):
            yield from (int(match[1]) for match in _NUMBER.finditer(line))
            yield from (round(1.0 / float(match[0])) for match in _SHARE.finditer(line) if float(match[0]) > _SMALLEST)


def _raw_numbers(entry: PassEntry) -> Iterator[int]:
    """Yields the whole numbers that a pass's entry holds itself, not in an expression."""
    compute = entry.compute or ComputeEntry()
    pending: list[Any] = [
        *entry.uniforms.values(), *entry.defines.values(), *compute.push.values(), *compute.specialization.values(),
        compute.dispatch, *(each.size for each in compute.images), *(each.size for each in entry.textures),
    ]  # fmt: skip
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending += value
        elif isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer():
            yield int(value)


def _has_fixed_groups(entry: PassEntry) -> bool:
    """Whether the number of work groups along an axis is written out, and not one."""
    given = entry.compute.dispatch if entry.compute is not None else ()
    return any(
        each not in (1, 1.0) and not isinstance(each, str)
        for each in (given if isinstance(given, list | tuple) else [given])
    )


def _is_of_a_size(number: int, before: Sequence[Stored], after: Sequence[Stored], *, has_texels: bool) -> bool:
    """Whether a number is, or lies between, sizes of which one becomes the other, or counts texels or elements."""
    for (old, layout), (new, _) in zip(before, after, strict=True):
        was, now = as_nchw(old), as_nchw(new)
        for one, other in zip(was, now, strict=True):
            if one != other and min(one, other) <= number <= max(one, other) and (number > 1 or one == 1):
                return True
        counts, others = ([each[2] * each[3], each[1] * each[2] * each[3], math.prod(each)] for each in (was, now))
        if has_texels:
            counts += layout.texture_shape(old)
            others += layout.texture_shape(new)
        if number > 1 and any(number == one != other for one, other in zip(counts, others, strict=True)):
            return True
    return False
