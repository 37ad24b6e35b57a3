"""Checks a dispatch against its shader's text, its tensors and the device, before it is made."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from texelscope.pipeline.device import WorkGroups
from texelscope.pipeline.errors import nearest
from texelscope.pipeline.glsl.lines import GENERATED, Line, line_map
from texelscope.pipeline.glsl.resources import FORMATS, Image, blocks_of, images_of, local_size
from texelscope.pipeline.glsl.source_text import without_comments
from texelscope.pipeline.plan import BufferBinding, Dispatch, ImageBinding, Pass, ProgramSource, StoredTensor

_LANE_BYTES = {"float32": 4, "float16": 2, "uint8": 1}
# The format of a tensor's image, by storage and lanes.
_OWN_FORMAT = {
    ("float32", 1): "r32f", ("float32", 4): "rgba32f", ("float16", 1): "r16f", ("float16", 4): "rgba16f",
    ("uint8", 1): "r8", ("uint8", 4): "rgba8",
}  # fmt: skip
# So that a shader may read a whole vector where the last one is not full.
_VECTOR_BYTES = 16
# A dispatch may have so many work groups, however small its tensors are.
_FREE_GROUPS = 1 << 16


@dataclass(frozen=True)
class DispatchProblem:
    """Says why a pass cannot be dispatched: expected, got, what to do, where; `key` as in a pipeline file."""

    key: str
    expected: str
    got: str
    do_next: str
    line: Line

    @property
    def message(self) -> str:
        """The message of a refused shader."""
        return f"{self.key}: expected {self.expected}, got {self.got}"


def buffer_bytes(stored: StoredTensor) -> int:
    """Returns the bytes of the buffer of a tensor: its texels, and zeros up to a whole vector of four."""
    height, width = stored.texture_shape
    size = height * width * stored.layout.lanes * _LANE_BYTES[stored.storage]
    return -(-size // _VECTOR_BYTES) * _VECTOR_BYTES


def dispatch_problems(
    shader_pass: Pass, program: ProgramSource, textures: Mapping[str, StoredTensor], groups: WorkGroups | None
) -> Iterator[DispatchProblem]:
    """Yields what keeps the pass from being dispatched with that program; nothing for a drawn one.

    `groups` are the device's limits; None for one without compute shaders.
    """
    if shader_pass.dispatch is not None and program.refused is None:
        yield from _Check(shader_pass, shader_pass.dispatch, program, textures, groups).problems()


class _Check:
    def __init__(
        self,
        shader_pass: Pass,
        dispatch: Dispatch,
        program: ProgramSource,
        textures: Mapping[str, StoredTensor],
        groups: WorkGroups | None,
    ) -> None:
        self._outputs = shader_pass.outputs
        self._keys = {*shader_pass.outputs, *shader_pass.reads}
        self._dispatch = dispatch
        self._text = program.fragment
        self._lines = line_map(program)
        self._file = program.files[0].path if program.files else GENERATED
        self._textures = textures
        self._groups = groups
        self._blocks, self._images = blocks_of(program.fragment), images_of(program.fragment)

    def problems(self) -> Iterator[DispatchProblem]:
        if self._groups is None:
            yield self._problem("dispatch", "a device with OpenGL 4.3", "an older one", "Draw a fragment shader there.")
            return
        yield from self._of_groups(self._groups)
        yield from self._of_buffers(self._groups)
        for binding in self._dispatch.images:
            yield from self._of_image(binding)
        yield from self._of_outputs()
        yield from self._of_inputs()

    def _problem(self, key: str, expected: str, got: str, do_next: str, line: int = 0) -> DispatchProblem:
        """Returns a problem at a line of the text, or with the whole file."""
        place = self._lines[line - 1] if line else (self._file, 1)
        return DispatchProblem(key, expected, got, do_next, place)

    def _of_groups(self, allowed: WorkGroups) -> Iterator[DispatchProblem]:
        if any(not 1 <= count <= most for count, most in zip(self._dispatch.groups, allowed.count, strict=True)):
            most = " x ".join(map(str, allowed.count))
            got = " x ".join(map(str, self._dispatch.groups))
            yield self._problem("dispatch", f"1 to {most} work groups on this device", got, "Divide it otherwise.")
        elif math.prod(self._dispatch.groups) > (useful := max(_FREE_GROUPS, self._count())):
            # A driver cannot be stopped, and billions of work groups take it hours.
            got, what = " x ".join(map(str, self._dispatch.groups)), "one for each number that is read or written"
            yield self._problem("dispatch", f"at most {useful} work groups, {what}", got, "Correct it.")
        size = local_size(self._text)
        if size is not None and math.prod(size) > allowed.invocations:
            line = next((n for n, text in enumerate(self._text.split("\n"), 1) if "local_size_" in text), 1)
            got = f"{math.prod(size)} ({' x '.join(map(str, size))})"
            most = f"at most {allowed.invocations} invocations a work group on this device"
            yield self._problem("local_size", most, got, "Make it smaller.", line)

    def _count(self) -> int:
        """Counts the numbers in all tensors of the pass, padding too."""
        stored = [self._textures[key] for key in self._keys]
        return sum(math.prod(each.texture_shape) * each.layout.lanes for each in stored)

    def _of_buffers(self, allowed: WorkGroups) -> Iterator[DispatchProblem]:
        bound = {binding.block for binding in self._dispatch.buffers}
        for name, block in self._blocks.items():
            if name not in bound:
                advice = f"Add 'buffers.{name} = …'."
                yield self._problem(
                    "buffers", "a tensor for every storage block", f"none for '{name}'", advice, block.line
                )
        if len(bound) > allowed.blocks:
            most = f"at most {allowed.blocks} storage blocks on this device"
            yield self._problem("buffers", most, str(len(bound)), "Split the pass.")
        for binding in self._dispatch.buffers:
            key, found = f"buffers.{binding.block}", self._blocks.get(binding.block)
            if found is None and not self._mentions(binding.block):
                free = [name for name in self._blocks if name not in bound] or [*self._blocks]
                yield self._problem(
                    key, "a storage block of the shader", f"'{binding.block}'", nearest(binding.block, free)
                )
                continue
            line = found.line if found is not None else 0
            size = buffer_bytes(self._textures[binding.key])
            if size > allowed.block_bytes:
                most = f"at most {allowed.block_bytes} bytes in a storage block of this device"
                yield self._problem(key, most, str(size), "Use float16, or split the tensor.", line)
            if found is not None and found.is_readonly and binding.key in self._outputs:
                yield self._problem(
                    key, "a block that the shader may write", "a readonly one", "Remove 'readonly'.", line
                )
            yield from self._of_start(key, binding, line)

    def _of_image(self, binding: ImageBinding) -> Iterator[DispatchProblem]:
        key, image = f"images.{binding.uniform}", self._images.get(binding.uniform)
        if image is None:
            if not self._mentions(binding.uniform):
                yield self._problem(
                    key, "an image of the shader", f"'{binding.uniform}'", nearest(binding.uniform, [*self._images])
                )
            return
        stored = self._textures[binding.key]
        height, width = stored.texture_shape
        measured = binding.size or (width, height)
        if len(measured) != image.dimensions:
            got = f"{len(measured)}: {' x '.join(map(str, measured))}"
            advice = f"Write 'size' with {image.dimensions} numbers."
            yield self._problem(f"{key}.size", f"{image.dimensions} dimensions", got, advice, image.line)
        elif not 1 <= math.prod(measured) <= height * width:
            most = f"1 to {height * width} texels, which '{stored.key}' has"
            yield self._problem(f"{key}.size", most, str(math.prod(measured)), "Correct the size.", image.line)
        yield from self._of_format(key, image, stored, binding.key in self._outputs)
        yield from self._of_start(key, binding, image.line)

    def _of_format(
        self,
        key: str,
        image: Image,
        stored: StoredTensor,
        is_output: bool,  # noqa: FBT001 - one caller
    ) -> Iterator[DispatchProblem]:
        own = _OWN_FORMAT[stored.storage, stored.layout.lanes]
        if image.is_sampler:
            if is_output:
                yield self._problem(key, "an image to write", "a sampler", "Declare it as an image.", image.line)
            return
        if image.format and FORMATS[image.format][1] != FORMATS[own][1]:
            got = f"{image.format}, where '{stored.key}' is stored as {own}"
            yield self._problem(key, f"a format of {FORMATS[own][1]} bytes", got, f"Declare it {own}.", image.line)
        elif not image.format and not image.is_writeonly:
            got = "none that OpenGL knows"
            yield self._problem(key, "a format, since the image may be read", got, f"Declare it {own}.", image.line)
        elif is_output and image.is_readonly:
            yield self._problem(key, "an image that may be written", "a readonly one", "Remove 'readonly'.", image.line)

    def _of_start(self, key: str, binding: BufferBinding | ImageBinding, line: int) -> Iterator[DispatchProblem]:
        if not binding.starts_as:
            return
        start, own = self._textures[binding.starts_as], self._textures[binding.key]
        if _kind(start) != _kind(own):
            yield self._problem(
                f"{key}.starts_as", f"a tensor stored as '{own.key}' ({_described(own)})",
                f"'{start.key}' ({_described(start)})", "Give them one shape, layout and dtype.", line,
            )  # fmt: skip

    def _of_outputs(self) -> Iterator[DispatchProblem]:
        places = {
            (each.key, each.size if isinstance(each, ImageBinding) else "buffer") for each in self._dispatch.bound
        }
        count = Counter(key for key, _ in places)
        for key in self._outputs:
            if count[key] != 1:
                got = f"'{key}' in {count[key]} places" if count[key] else f"'{key}' bound to nothing"
                yield self._problem("output", "each output in one buffer or image", got, f"Bind '{key}' once.")

    def _of_inputs(self) -> Iterator[DispatchProblem]:
        """Finds writes, as far as the text shows them, to tensors other than outputs: later readers would not know."""
        bound: dict[str, BufferBinding | ImageBinding] = {
            **{f"buffers.{each.block}": each for each in self._dispatch.buffers if self._may_write(each)},
            **{f"images.{each.uniform}": each for each in self._dispatch.images if self._may_write(each)},
        }
        if not bound:
            return
        from texelscope.pipeline.glsl.semantics.block_text import accesses  # a parser that a start does not wait for
        from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse

        writes = accesses(parse(constructors_as_calls(self._text.encode()))).writes
        for key, each in bound.items():
            for node in writes.get(key.partition(".")[2], [])[:1]:
                advice = (
                    f"Write an output of this pass; one that begins as '{each.key}' has starts_as = \"{each.key}\"."
                )
                got = f"a write to '{each.key}'"
                yield self._problem(key, "outputs alone to be written", got, advice, node.row + 1)

    def _may_write(self, each: BufferBinding | ImageBinding) -> bool:
        found = self._blocks.get(each.block) if isinstance(each, BufferBinding) else self._images.get(each.uniform)
        return each.key not in self._outputs and found is not None and not found.is_readonly

    def _mentions(self, name: str) -> bool:
        """Whether a word of the text is `name`: a declaration behind a macro is not found, but is no error."""
        return re.search(rf"\b{re.escape(name)}\b", without_comments(self._text)) is not None


def _kind(stored: StoredTensor) -> tuple[object, ...]:
    return stored.texture_shape, stored.layout.lanes, stored.storage


def _described(stored: StoredTensor) -> str:
    height, width = stored.texture_shape
    return f"{width}x{height} texels of {stored.layout.lanes} {stored.storage}"
