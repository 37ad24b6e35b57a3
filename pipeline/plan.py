"""Defines the plan: ordered passes over stored tensors, pure data, no GL.

A planner (`pipeline.planning.planner` for graphs, an importer for pipeline files) makes it; a session runs it.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from texelscope.layouts.base import Layout
from texelscope.pipeline.errors import TexelscopeError, nearest
from texelscope.pipeline.frames import Frames, Moment
from texelscope.pipeline.graph import Graph, Shape
from texelscope.pipeline.quantization import Quantization
from texelscope.pipeline.recorded_run import OracleKind, RecordedRun
from texelscope.pipeline.sampler_kinds import SAMPLER_2D, SamplerKind

# The last two are formats of three or four lanes in 32 bits; the lanes of one round differently.
Storage = Literal["float32", "float16", "uint8", "rgb10_a2", "r11g11b10"]
# What computes a model's passes that a form can replace: draws, dispatches, or what is faster on the driver.
Backend = Literal["auto", "fragment", "compute"]
Filter = Literal["nearest", "linear"]
Wrap = Literal["clamp_to_edge", "repeat"]
Role = Literal["input", "constant", "activation"]
Stage = Literal["fragment", "compute"]
# Beyond 2^24 not every integer is a float32: the bits after the leading one, and that one.
EXACT_INTEGERS = 1 << (np.finfo(np.float32).nmant + 1)

# Vectors, matrices (by columns) and arrays are flat.
UniformValue = int | float | bool | tuple[int, ...] | tuple[float, ...] | tuple[bool, ...]


class FrameUniform(Protocol):
    """A uniform that changes from frame to frame."""

    def at(self, moment: Moment) -> UniformValue:
        """Returns its value in one frame. Raises TexelscopeError where it has none, as for a division by zero."""


@dataclass(frozen=True)
class StoredTensor:
    """A tensor in a texture. `key` is unique in a plan; `tensor` is its name for the oracle.

    One tensor may be stored twice in two layouts, under two keys. `reason` says briefly why it has its layout; it is
    empty where a file sets the layout. `quantization` says what the steps of 8 bits stand for, where they are not the
    numbers from 0 to 1. `padding` is what lanes without an element hold where values are written from here; a shader
    may write anything into them.
    """

    key: str
    tensor: str
    shape: Shape
    layout: Layout
    storage: Storage = "float32"
    role: Role = "activation"
    dtype: str = "float32"
    reason: str = ""
    quantization: Quantization | None = None
    padding: float = 0.0

    @property
    def texture_shape(self) -> tuple[int, int]:
        """Height and width in texels."""
        return self.layout.texture_shape(self.shape)

    def encode(self, values: ArrayLike) -> NDArray[np.float32]:
        """Returns the texels, float32 [height, width, lanes], as a shader reads them, before the storage rounds."""
        array = np.asarray(values)
        if self.quantization is not None:
            array = self.quantization.texels(array.reshape(self.shape))
        return self.layout.encode(array.reshape(self.shape), self.padding)

    def decode(self, texels: NDArray[Any]) -> NDArray[np.float32]:
        """Returns the tensor, float32 in its logical shape, whose texels a shader reads."""
        values = self.layout.decode(texels, self.shape)
        return values if self.quantization is None else self.quantization.values(values)


@dataclass(frozen=True)
class Sampler:
    """Binds a sampler uniform of type `kind` to a stored tensor.

    `size` is what an array or 3-d texture measures in texels, x first, where it is not the tensor's channels that are
    its slices: it holds the texels of the tensor's texture in their order, x running fastest.
    """

    uniform: str
    key: str
    filter: Filter = "nearest"
    wrap: Wrap = "clamp_to_edge"
    kind: SamplerKind = SAMPLER_2D
    size: tuple[int, ...] = ()


@dataclass(frozen=True)
class SourceFile:
    """A file of shader text in a program: `number` is its source-string number in `#line`."""

    number: int
    path: str
    text: str


@dataclass(frozen=True)
class Refusal:
    """Says why a program is not given to a driver, and which file is the reason."""

    file: str
    reason: str


@dataclass(frozen=True)
class TranslatedText:
    """The text in another language that a program was translated of, with its includes in place.

    `language` is its name, `entry` the function that it begins at, empty for the only one, and `constants` are the
    values that the pipeline file gives its constants, by name.
    """

    language: str
    text: str
    entry: str = ""
    constants: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ProgramSource:
    """Holds what GL compiles (`fragment`, and `vertex` where it is the author's) and the files it came from.

    For a program of the `compute` stage `fragment` is the compute shader's text, and there is no vertex shader. Where a
    program was `refused`, the shader that is the reason is empty. The first `supplied_lines` of the first file are
    those that an engine puts before every author's text. `fragment` may be `translated` of another language.
    """

    fragment: str
    files: tuple[SourceFile, ...]
    vertex: str | None = None
    refused: Refusal | None = None
    stage: Stage = "fragment"
    supplied_lines: int = 0
    translated: TranslatedText | None = None

    def with_fragment(self, text: str) -> ProgramSource:
        """Returns the program with another fragment (or compute) shader; it stays refused for its vertex shader."""
        return dataclasses.replace(self, fragment=text, refused=self.refused if self.vertex == "" else None)


@dataclass(frozen=True)
class BufferBinding:
    """Binds a storage block of a compute shader, by the block's name, to the buffer of a stored tensor.

    The buffer holds the tensor's texels row by row, lanes in order: lane `lane` of texel (tx, ty) is element
    `(ty * width + tx) * lanes + lane`, in the tensor's storage (of float16 two in a `uint`, the first in its low half).
    Several blocks may show one tensor. A shader that changes an output in place names in `starts_as` the key of the
    tensor whose texels it begins with: one of the same texture shape, lanes and storage. Elsewhere an unwritten element
    of an output keeps the value of an earlier run, zero at first, as in a target that is drawn into.

    With `numbers`, `int32` or `uint32`, the buffer holds the elements as such whole numbers: those that are read are
    converted from the texels' floats, and those that are written back into floats, exact up to 16,777,216.
    """

    block: str
    key: str
    starts_as: str = ""
    numbers: str = ""


@dataclass(frozen=True)
class ImageBinding:
    """Binds an image (or a sampler of 1 or 3 dimensions) of a compute shader to a stored tensor.

    `size` is what the image measures in texels, x first: one, two or three numbers. Empty, the default, stands for
    the width and height of the tensor's texture, which is then bound itself. Otherwise the image holds the texture's
    texels in the order of a buffer (`BufferBinding`), x running fastest. What the image is (dimensions, format,
    `readonly`) the text says where it declares `uniform`. `starts_as` is as for a buffer.
    """

    uniform: str
    key: str
    size: tuple[int, ...] = ()
    starts_as: str = ""


@dataclass(frozen=True)
class Dispatch:
    """Sets how a compute shader runs: the work groups along x, y and z, and the bindings beside its samplers.

    Every output of the pass is bound as a buffer or an image. A tensor may be bound more than once.
    """

    groups: tuple[int, int, int]
    buffers: tuple[BufferBinding, ...] = ()
    images: tuple[ImageBinding, ...] = ()

    @property
    def bound(self) -> tuple[BufferBinding | ImageBinding, ...]:
        """Buffers, then images."""
        return (*self.buffers, *self.images)


@dataclass(frozen=True)
class UnsetUniform:
    """Describes a uniform that a shader uses and a pipeline file leaves at 0: OpenGL's `name`, and its `key` in a file.

    It holds `count` numbers, all elements of an array together, of `kind` `float`, `int`, `uint` or `bool`.
    """

    name: str
    key: str
    kind: str
    count: int


@dataclass(frozen=True)
class Pass:
    """Runs one program: a draw into a framebuffer, or a `dispatch` of a compute shader.

    `outputs` are keys of stored tensors: of a drawn pass one a colour attachment, in order. `nodes` names the graph's
    nodes that the pass covers; empty if there is no graph. `from_operator` says that the program is the operator's own,
    so that a form (`pipeline.lowerings`) may replace it. `notes` are what the program's engine reported of it, label
    and text, and `recorded_ms` is how long it took there. `oracle` says of a recorded program what it is compared with.
    `unset` are the uniforms of a person's own shader that the file says nothing about. `by_frame` are the uniforms that
    change from frame to frame, by name; `uniforms` has their values in the plan's frame. `computed_inputs` are inputs
    of the model that the program does not read but computes, such as positions: their keys.
    """

    name: str
    operator: str
    outputs: tuple[str, ...]
    samplers: tuple[Sampler, ...]
    program: ProgramSource
    uniforms: Mapping[str, UniformValue] = field(default_factory=lambda: MappingProxyType({}))
    nodes: tuple[str, ...] = ()
    from_operator: bool = False
    dispatch: Dispatch | None = None
    notes: tuple[tuple[str, str], ...] = ()
    recorded_ms: float | None = None
    oracle: OracleKind = ""
    unset: tuple[UnsetUniform, ...] = ()
    by_frame: Mapping[str, FrameUniform] = field(default_factory=lambda: MappingProxyType({}))
    computed_inputs: tuple[str, ...] = ()
    looked_at: int = field(default=0, compare=False)

    @property
    def output(self) -> str:
        """The key of the output in view: the first, unless `Plan.find` was asked for another."""
        return self.outputs[self.looked_at]

    @property
    def called(self) -> str:
        """The name by which `Plan.find` returns this pass with this output in view."""
        return self.output if self.looked_at else self.name

    def at(self, moment: Moment) -> Self:
        """Returns the pass with the uniforms of another frame."""
        if not self.by_frame:
            return self
        values = {name: each.at(moment) for name, each in self.by_frame.items()}
        return dataclasses.replace(self, uniforms=MappingProxyType({**self.uniforms, **values}))

    @cached_property  # following a tensor through a plan asks every pass
    def reads(self) -> tuple[str, ...]:
        """Keys of the tensors that the pass depends on, each once, in the order in which they are bound."""
        return tuple(dict.fromkeys((*(key for _, key in self.bound_reads), *self.computed_inputs)))

    @cached_property  # asked for each texel that is read
    def readers(self) -> tuple[Sampler, ...]:
        """The samplers, and other bindings that act as plain samplers of their names."""
        own = {sampler.uniform for sampler in self.samplers}
        return (*self.samplers, *(Sampler(name, key) for name, key in self.bound_reads if name not in own))

    @cached_property
    def bound_reads(self) -> tuple[tuple[str, str], ...]:
        """What the shader reads: a sampler's, block's or image's name in its text, and the key of its tensor.

        Outputs are not among them, even buffers that the shader reads back, unless a sampler shows them; the tensor
        that an output starts as is.
        """
        bound = self.dispatch.bound if self.dispatch is not None else ()
        names = [each.block if isinstance(each, BufferBinding) else each.uniform for each in bound]
        read = [(sampler.uniform, sampler.key) for sampler in self.samplers]
        read += [(name, each.key) for name, each in zip(names, bound, strict=True) if each.key not in self.outputs]
        return (*read, *((name, each.starts_as) for name, each in zip(names, bound, strict=True) if each.starts_as))


@dataclass(frozen=True)
class NotRun:
    """A pass that cannot run, with the reason, an error's text; `waits_for` is its unknown input, if any."""

    name: str
    operator: str
    outputs: tuple[str, ...]
    reason: str
    waits_for: str = ""


@dataclass(frozen=True)
class Tolerance:
    """A user's own bound for one tensor, which replaces the rounding bound: |error| ≤ atol + rtol·|expected|."""

    rtol: float = 0.0
    atol: float = 0.0


@dataclass(frozen=True)
class OracleFile:
    """Holds a file of Python functions that compute expected values: foreign code, run only if `trusted`.

    `text` was read once and is what runs. `functions` maps the key of a stored tensor to the function that
    gives its value.
    """

    path: str
    text: str
    functions: Mapping[str, str]
    trusted: bool = False

    @property
    def digest(self) -> str:
        """SHA-256 of the text: what a person's trust refers to."""
        return hashlib.sha256(self.text.encode()).hexdigest()


_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Plan:
    """Holds everything a session needs: `textures` by key, `passes` in order, and the `graph` for the oracle.

    A pipeline file adds what a model does not have: `constants` by tensor name beside those of the graph,
    `initial_inputs` in logical shape by key, `tolerances` by pass, an `oracle_file` in place of a graph, `warnings`, a
    line each, about what runs but is likely to surprise, and the `files` beside its shaders. `unjudged` gives, by
    tensor, a reason why the oracle does not judge it. `bound_at` gives, by pass and sampler (block, image), the file
    and line of the binding. `backend` computes the passes of a model; a person's own shaders run as they are.
    `recorded` is the run that a recording is of. `frames` says what changes from one run of the passes to the next.
    """

    name: str
    textures: Mapping[str, StoredTensor]
    passes: tuple[Pass, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    graph: Graph | None = None
    not_run: tuple[NotRun, ...] = ()
    constants: Mapping[str, NDArray[Any]] = field(default_factory=lambda: _NOTHING)
    initial_inputs: Mapping[str, NDArray[Any]] = field(default_factory=lambda: _NOTHING)
    tolerances: Mapping[str, Tolerance] = field(default_factory=lambda: _NOTHING)
    oracle_file: OracleFile | None = None
    warnings: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    backend: Backend = "auto"
    unjudged: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    bound_at: Mapping[tuple[str, str], tuple[str, int]] = field(default_factory=lambda: MappingProxyType({}))
    recorded: RecordedRun | None = None
    frames: Frames = field(default_factory=Frames)

    @property
    def given(self) -> tuple[str, ...]:
        """Keys of the tensors that a frame begins with: the inputs, and what the frame before handed on."""
        return (*self.inputs, *self.frames.keys)

    @property
    def has_frames(self) -> bool:
        """Whether a frame may differ from the one before, or a whole run has several."""
        return self.frames.count > 1 or bool(self.frames.carried) or any(each.by_frame for each in self.passes)

    def at(self, moment: Moment) -> Self:
        """Returns the plan of another frame; the plan itself if no pass has uniforms that change.

        Raises TexelscopeError if a uniform has no value in that frame.
        """
        if moment == self.frames.moment or not any(each.by_frame for each in self.passes):
            return self
        passes = tuple(each.at(moment) for each in self.passes)
        return dataclasses.replace(self, passes=passes, frames=dataclasses.replace(self.frames, moment=moment))

    @property
    def gradients(self) -> Mapping[str, str]:
        """By tensor, the tensor that is its gradient."""
        return self.graph.gradients if self.graph is not None else _NOTHING

    @cached_property
    def backward(self) -> frozenset[str]:
        """Names of the passes that compute gradients, those that cannot run among them."""
        made = self.graph.made_backward if self.graph is not None else ()
        stored = ((name, self.stored(name)) for name in self.layers)
        return frozenset(name for name, each in stored if each is not None and each.tensor in made)

    def constant(self, tensor: str) -> NDArray[Any] | None:
        """Returns the value of a constant tensor: the file's own, or the graph's."""
        if tensor in self.constants:
            return self.constants[tensor]
        return self.graph.constants.get(tensor) if self.graph is not None else None

    def find(self, name: str) -> Pass | None:
        """Returns the pass of that name, or the pass that makes the tensor of that name or key, with it in view."""
        position = self._positions.get(name)
        return self._makers.get(name) if position is None else self.passes[position]

    @cached_property
    def _positions(self) -> Mapping[str, int]:
        """The index in `passes` of each name, of the first where several have it."""
        return {each.name: i for i, each in reversed(tuple(enumerate(self.passes)))}

    @cached_property
    def _makers(self) -> Mapping[str, Pass]:
        """The first pass that makes the tensor of a name or key."""
        made = ((each, i, key) for each in self.passes for i, key in enumerate(each.outputs))
        looking = ((dataclasses.replace(each, looked_at=i) if i else each, key) for each, i, key in made)
        names = ((name, each) for each, key in looking for name in (key, self.textures[key].tensor))
        return dict(reversed(tuple(names)))

    @cached_property
    def _missing(self) -> Mapping[str, NotRun]:
        return {each.name: each for each in reversed(self.not_run)}

    def missing(self, name: str) -> NotRun | None:
        """Returns the `NotRun` of that name; None for a pass and for anything else."""
        return self._missing.get(name)

    def operator_of(self, name: str) -> str:
        """Returns what the layer called `name` computes, or would; `input` for an input."""
        return found.operator if (found := self.missing(name) or self.find(name)) is not None else "input"

    def stored(self, name: str) -> StoredTensor | None:
        """Returns the tensor of that pass, input, key or `NotRun`; None without a known shape."""
        missing, found = self.missing(name), self.find(name)
        if missing is not None:
            return self.textures.get(missing.outputs[0])
        return self.textures.get(name if name in self.textures and found is None else found.output if found else name)

    @cached_property
    def layers(self) -> tuple[str, ...]:
        """Names of the passes in the graph's order, those that cannot run among them."""
        if self.graph is None or not self.not_run:
            return tuple(each.name for each in self.passes)
        position = {output: i for i, node in enumerate(self.graph.nodes) for output in node.outputs}
        entries = [(position.get(self.textures[each.output].tensor, 0), each.name) for each in self.passes]
        entries += [(position.get(each.outputs[0], 0), each.name) for each in self.not_run]
        return tuple(name for _, name in sorted(entries, key=lambda entry: entry[0]))

    def between(self, first: str | None, last: str | None) -> tuple[Pass, ...]:
        """Returns the passes from `first` to `last` in order; None means the plan's first or last pass."""
        start = self.position(self.pass_called(first).name) if first else 0
        end = self.position(self.pass_called(last).name) + 1 if last else len(self.passes)
        return self.passes[start:end]

    def position(self, name: str) -> int:
        """Returns the index of the pass called `name` in `passes`. Raises ValueError if there is none."""
        if name not in self._positions:
            raise ValueError(name)
        return self._positions[name]

    def pass_called(self, name: str) -> Pass:
        """Returns what `find` does. Raises TexelscopeError, with the nearest name, if there is no such pass."""
        found = self.find(name)
        if found is None:
            valid = [each.name for each in self.passes]
            raise TexelscopeError(f"pass '{name}'", "a pass of the plan", "another name", nearest(name, valid))
        return found

    def tensor_called(self, name: str) -> StoredTensor:
        """Returns the tensor of that key, or the output of the pass of that name.

        Raises TexelscopeError, with the nearest name, if there is neither.
        """
        if name in self.textures:
            return self.textures[name]
        found = self.find(name)
        if found is None:
            info = self.graph.tensors.get(name) if self.graph is not None else None
            if info is not None and 0 in info.shape:
                got = f"one of shape {list(info.shape)}, without any"
                raise TexelscopeError(f"tensor '{name}'", "a tensor with elements", got, "Nothing is computed for it.")
            near = nearest(name, [*self.textures, *(each.name for each in self.passes)])
            raise TexelscopeError(f"tensor '{name}'", "a tensor or pass of the plan", "another name", near)
        return self.textures[found.output]
