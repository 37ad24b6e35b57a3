"""Holds an mpv user shader as data: its blocks, textures and parameters, each with its place in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.dialects.mpv.rpn import Expression
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.sampler_kinds import SAMPLER_2D, SamplerKind

TextureFilter = Literal["linear", "nearest"]
Border = Literal["clamp_to_edge", "repeat"]
ParameterType = Literal["float", "int", "uint", "define"]


@dataclass(frozen=True)
class DirectiveName:
    """Holds a name in a directive, and its place."""

    name: str
    place: FileLine


@dataclass(frozen=True)
class Compute:
    """Holds `//!COMPUTE`: the texels that one work group writes, and its invocations (by default the same number)."""

    block: tuple[int, int]
    threads: tuple[int, int]
    place: FileLine


@dataclass(frozen=True)
class Offset:
    """Holds `//!OFFSET`: the shift of the result from the hooked texture, in texels of the result; ALIGN means none."""

    x: float = 0.0
    y: float = 0.0
    aligned: bool = False


@dataclass(frozen=True)
class HookBlock:
    """Describes one block, which is a pass of the file for each of its `hooks`.

    `save` is None where the result replaces the hooked texture. `width`, `height` and `when` are None where the
    file has none: the hooked texture's size, and always. `components` is None for the hooked texture's. `body`
    is the author's text in the file, its first line being line `body_line` (counted from 1). `macros` are names, each
    with its text, that are defined before it.
    """

    place: FileLine
    hooks: tuple[DirectiveName, ...]
    body: str
    body_line: int
    binds: tuple[DirectiveName, ...] = ()
    save: DirectiveName | None = None
    description: str = ""
    width: Expression | None = None
    height: Expression | None = None
    when: Expression | None = None
    offset: Offset = Offset()
    components: int | None = None
    compute: Compute | None = None
    macros: tuple[str, ...] = ()


@dataclass(frozen=True)
class EmbeddedTexture:
    """Holds `//!TEXTURE`: numbers in the file, `texels` float32[depth, height, width, lanes], as a shader reads them.

    `dimensions` counts which of width, height and depth the file gives. `is_storage` says that blocks read and write it
    as an image, which keeps its texels from block to block and from frame to frame.
    """

    name: str
    place: FileLine
    dimensions: int
    format: str
    filter: TextureFilter
    border: Border
    texels: NDArray[np.float32]
    is_storage: bool = False

    @property
    def shape(self) -> Shape:
        """The shape of its tensor: slices lie one below the other."""
        depth, height, width, lanes = self.texels.shape
        return (1, lanes, depth * height, width)

    @property
    def values(self) -> NDArray[np.float32]:
        """The values of its tensor."""
        lines = self.texels.reshape(1, self.shape[2], self.shape[3], self.shape[1])
        return np.ascontiguousarray(np.moveaxis(lines, 3, 1))

    @property
    def kind(self) -> SamplerKind:
        """The sampler that reads it."""
        return SAMPLER_2D if self.dimensions < 3 else SamplerKind(form="3D")

    @property
    def size(self) -> tuple[int, ...]:
        """What its sampler measures in texels, if these lie in slices."""
        return () if self.dimensions < 3 else (self.texels.shape[2], self.texels.shape[1], self.texels.shape[0])


@dataclass(frozen=True)
class HookParameter:
    """Holds `//!PARAM`: a number that a user may set. `choices` are the names of an ENUM's values, from 0.

    `initial` is its value, and `in_file` the one that the file has.
    """

    name: str
    place: FileLine
    type: ParameterType
    initial: float
    minimum: float | None = None
    maximum: float | None = None
    description: str = ""
    is_constant: bool = False
    choices: tuple[str, ...] = ()
    in_file: float = 0.0

    @property
    def numbers(self) -> Mapping[str, float]:
        """The values of its name and of its choices."""
        return {self.name: self.initial, **{choice: float(i) for i, choice in enumerate(self.choices)}}


@dataclass(frozen=True)
class UserShader:
    """Holds a whole file: `text` as read from `path`, and its sections in the order of the file."""

    path: str
    text: str
    blocks: tuple[HookBlock, ...]
    textures: tuple[EmbeddedTexture, ...] = ()
    parameters: tuple[HookParameter, ...] = ()

    @property
    def numbers(self) -> Mapping[str, float]:
        """Returns the values of all parameters' names and of their choices."""
        return {name: number for each in self.parameters for name, number in each.numbers.items()}
