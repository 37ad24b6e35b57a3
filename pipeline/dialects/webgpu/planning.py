"""Plans a recording: each dispatch becomes a pass of the page's own text, each content of a buffer a tensor.

A dispatch that a pass cannot be is not run: what it wrote is an input of the dispatches that read it, and a warning
says why.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.linear import LinearLayout
from texelscope.pipeline.device import Limits
from texelscope.pipeline.dialects.recordings.files import Files
from texelscope.pipeline.dialects.recordings.recorded_graph import recorded_graph
from texelscope.pipeline.dialects.webgpu.contents import bytes_of, numbers_of
from texelscope.pipeline.dialects.webgpu.dispatches import BoundBuffer, Fitting, RunnableDispatch, not_run_lines
from texelscope.pipeline.dialects.webgpu.kinds import MANIFEST
from texelscope.pipeline.dialects.webgpu.linking import Links, linked
from texelscope.pipeline.dialects.webgpu.manifest import WebgpuRecording, read_manifest
from texelscope.pipeline.dialects.webgpu.programs import WgslPrograms
from texelscope.pipeline.dialects.webgpu.shapes import shape_of
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.glsl.semantics.block_text import accesses
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.pipeline_file.uniform_members import by_any_name, settable_uniforms
from texelscope.pipeline.plan import BufferBinding, Dispatch, Pass, Plan, Role, StoredTensor, UniformValue
from texelscope.pipeline.planning.memory import check_textures
from texelscope.pipeline.recorded_run import RecordedRun
from texelscope.pipeline.short_text import cut

_MOST_LETTERS = 400
_ENGINE = "the recorded page"
_REASON = "recorded so"
# A minifier's names of classes, which engines use as labels.
_SHORTEST_LABEL = 3
Values = Mapping[str, NDArray[np.float32]]


def plan_recording(files: Files, limits: Limits) -> Plan:
    """Returns the plan of a recording. Raises TexelscopeError for missing, malformed or oversized parts."""
    return DispatchPlanner(files, limits).plan()


def recorded_run(files: Files) -> tuple[Mapping[str, str], dict[str, NDArray[np.float32]], dict[str, float | None]]:
    """Returns the page's own report and every tensor by key; a page tells no times."""
    planner = DispatchPlanner(files, Limits())
    return planner.recording.about, dict(planner.values()), {}


class DispatchPlanner:
    """Plans one recording. `recording` is what the page noted, `tensors` are those of the plan by key."""

    def __init__(self, files: Files, limits: Limits) -> None:
        self._files = files
        self._contents: dict[int, bytes] = {}
        self._read_back: dict[str, frozenset[str]] = {}
        self.recording: WebgpuRecording = read_manifest(files)
        self.dispatches, refused = Fitting(files, self.recording, WgslPrograms(files, self.recording)).fit()
        self._warnings = not_run_lines(refused)
        if not self.dispatches:
            reasons = " ".join([*self._warnings, *self.recording.notes]).rstrip(".")
            do_next = "Record a page that computes with floats in buffers."
            raise TexelscopeError(files.name, "a dispatch that a pass can be", f"none: {reasons}", do_next)
        self._links: Links = linked(self.recording, self.dispatches, self._depends)
        self._whole = self._measured()
        self.tensors = self._stored(limits)
        check_textures(files.name, self.tensors.values())

    def plan(self) -> Plan:
        """Returns the plan, without running anything."""
        values = self.values()
        passes = tuple(self._passes())
        inputs = tuple(name for name, tensor in self.tensors.items() if tensor.role == "input")
        read = {key for each in passes for key in each.reads}
        outputs = tuple(key for each in passes for key in each.outputs if key not in read)
        called = {key: each.operator for each in passes for key in each.outputs}
        return Plan(
            name=self._files.name,
            textures=MappingProxyType(dict(self.tensors)),
            passes=passes,
            inputs=inputs,
            outputs=outputs,
            graph=recorded_graph(self._files.name, passes, self.tensors, values, inputs, outputs),
            initial_inputs=MappingProxyType({name: values[name] for name in inputs}),
            warnings=(*self.recording.notes, *self._warnings),
            files=files_on_disk(self._files, self.recording),
            recorded=RecordedRun(_ENGINE, MappingProxyType(dict(values)), MappingProxyType(called)),
        )

    def values(self) -> Values:
        """Returns the recorded values of every tensor of the plan, in its logical shape."""
        found = {}
        for key, number in self._links.contents.items():
            if key not in self.tensors:
                continue
            shape = self.tensors[key].shape
            found[key] = self._numbers(number, self._links.dtypes.get(key, ""))[: math.prod(shape)].reshape(shape)
        return found

    def _numbers(self, content: int | None, dtype: str = "") -> NDArray[np.float32]:
        """Returns what a content holds, read once: its bits, or whole numbers of a dtype."""
        assert content is not None
        if content not in self._contents:
            self._contents[content] = bytes_of(self._files, self.recording.contents[content])
        return numbers_of(self._contents[content], dtype)

    def _depends(self, each: RunnableDispatch, bound: BoundBuffer) -> bool:
        """Whether it matters what a block that a pass writes holds before: it is read, or a part of it stays."""
        text = each.source.fragment
        if text not in self._read_back:
            self._read_back[text] = frozenset(accesses(parse(constructors_as_calls(text.encode()))).reads)
        if safe_name(bound.variable.name) in self._read_back[text]:
            return True
        before, after = self._numbers(bound.binding.before), self._numbers(bound.binding.after)
        shape = shape_of(each, bound.variable, after)
        count = after.size if shape is None else math.prod(shape)
        was, is_now = before[:count].view(np.uint32), after[:count].view(np.uint32)
        same = was == is_now
        # A run that is repeated finds in its buffers what it writes; a tensor may end before its buffer does.
        return bool(not same.all() and (same[-1] or (same & (was != 0)).any()))

    def _shapes(self) -> dict[str, Shape]:
        """Returns the shapes by key. What starts as a tensor of another shape gets a tensor of its own to start as."""
        told: dict[str, Shape] = {}
        for each in self.dispatches:
            for block in self._links.blocks[each.name]:
                for key in filter(None, (block.before, block.after)):
                    numbers = self._numbers(self._links.contents[key])
                    shape = shape_of(each, block.bound.variable, numbers)
                    is_whole = shape is not None and math.prod(shape) == numbers.size
                    if shape is not None and (is_whole or key not in self._whole):
                        told.setdefault(key, shape)
        counts = {key: self.recording.contents[number].size_bytes // 4 for key, number in self._links.contents.items()}
        found = {key: told.get(key, (1, 1, 1, count)) for key, count in counts.items()}
        for each in self.dispatches:
            for block in self._links.blocks[each.name]:
                if block.before and block.after and found[block.before] != found[block.after]:
                    self._links, start = self._links.with_own_start(each.name, block)
                    found[start] = found[block.after]
        used = {key for blocks in self._links.blocks.values() for each in blocks for key in (each.before, each.after)}
        return {key: shape for key, shape in found.items() if key in used}

    def _measured(self) -> frozenset[str]:
        """Returns the keys of the tensors whose whole size a program asks for."""
        return frozenset(
            key
            for each in self.dispatches
            for block in self._links.blocks[each.name]
            if block.bound.is_measured
            for key in (block.before, block.after)
        )

    def _stored(self, limits: Limits) -> dict[str, StoredTensor]:
        found, layout, most = {}, LinearLayout(), limits.max_texture_texels
        for key, shape in self._shapes().items():
            role: Role = "activation" if key in self._links.written else "input"
            dtype = self._links.dtypes.get(key, "float32")
            stored = StoredTensor(key, key, shape, layout, "float32", role, dtype, _REASON)
            if max(stored.texture_shape) > most:
                raise TexelscopeError(
                    f"'{key}'", f"at most {most}x{most} numbers, which is what this driver takes",
                    " x ".join(map(str, stored.texture_shape)), "Record the page with smaller buffers.",
                )  # fmt: skip
            found[key] = stored
        return found

    def _passes(self) -> Iterator[Pass]:
        for each in self.dispatches:
            blocks = self._links.blocks[each.name]
            outputs = tuple(block.after for block in blocks if block.after)
            buffers = tuple(
                BufferBinding(
                    safe_name(block.bound.variable.name),
                    block.after or block.before,
                    block.before if block.after else "",
                    block.bound.numbers,
                )
                for block in blocks
            )
            yield Pass(
                each.name, self._operator(each), outputs, (), each.source, self._uniforms(each),
                tuple(f"recorded {key}" for key in outputs), dispatch=Dispatch(each.groups, buffers),
                notes=self._notes(each), oracle="recording",
            )  # fmt: skip

    def _operator(self, each: RunnableDispatch) -> str:
        """Returns what the page calls the program: the label of its pipeline or of its module."""
        program = self.recording.programs[each.dispatch.program]
        labels = (each.dispatch.label, program.label)
        return next((label for label in labels if len(label) >= _SHORTEST_LABEL), f"Program{each.dispatch.program}")

    def _uniforms(self, each: RunnableDispatch) -> Mapping[str, UniformValue]:
        """Returns the uniforms that the translated text has, by OpenGL's names."""
        settable = settable_uniforms(each.source.fragment)
        found = {}
        for name, value in each.uniforms.items():
            known = by_any_name(settable, ".".join(map(safe_name, name.split("."))))
            if known is not None:
                found[known.in_driver] = value
        return MappingProxyType(found)

    def _notes(self, each: RunnableDispatch) -> tuple[tuple[str, str], ...]:
        """Returns what the inspector says of a dispatch: its program's file, its work groups, its uniforms."""
        found = {
            "program": self.recording.programs[each.dispatch.program].text,
            "dispatch": " x ".join(map(str, each.groups)),
            "overrides": ", ".join(f"{name} = {value:g}" for name, value in each.dispatch.constants.items()),
            "uniforms": ", ".join(f"{name} = {_value(value)}" for name, value in each.uniforms.items()),
        }
        return tuple((label, cut(" ".join(text.split()), _MOST_LETTERS)) for label, text in found.items() if text)


def _value(value: UniformValue) -> str:
    return f"({', '.join(map(_value, value))})" if isinstance(value, tuple) else f"{value:g}"


def files_on_disk(files: Files, recording: WebgpuRecording) -> tuple[Path, ...]:
    """Returns absolute paths of a recording's files, if it is a folder: the manifest, shaders, contents."""
    contents = [each.values for each in recording.contents.values() if each.values is not None]
    paths = dict.fromkeys([MANIFEST, *(each.text for each in recording.programs), *contents])
    return tuple(path for path in map(files.on_disk, paths) if path is not None)
