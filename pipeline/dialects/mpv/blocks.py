"""What an mpv user shader says, as data: its blocks, textures and parameters, each with its place in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.dialects.mpv.rpn import Expression

TextureFilter = Literal["linear", "nearest"]
Border = Literal["clamp_to_edge", "repeat"]
ParameterType = Literal["float", "int", "uint", "define"]


@dataclass(frozen=True)
class Named:
    """A name that a directive gives, and where."""

    name: str
    place: FileLine


@dataclass(frozen=True)
class Compute:
    """`//!COMPUTE`: the texels that one work group writes, and its invocations (those texels where none are given)."""

    block: tuple[int, int]
    threads: tuple[int, int]
    place: FileLine


@dataclass(frozen=True)
class Offset:
    """`//!OFFSET`: how far the result lies from what is hooked, in texels of the result; ALIGN asks for none at all."""

    x: float = 0.0
    y: float = 0.0
    aligned: bool = False


@dataclass(frozen=True)
class HookBlock:
    """One pass of the file for each of its `hooks`.

    `save` is None where the result takes the place of what is hooked. `width`, `height` and `when` are None where the
    file says nothing: the size of what is hooked, and always. `components` is None for those of what is hooked. `body`
    is the author's text as it stands in the file, its first line being line `body_line` (counted from 1).
    """

    place: FileLine
    hooks: tuple[Named, ...]
    body: str
    body_line: int
    binds: tuple[Named, ...] = ()
    save: Named | None = None
    description: str = ""
    width: Expression | None = None
    height: Expression | None = None
    when: Expression | None = None
    offset: Offset = Offset()
    components: int | None = None
    compute: Compute | None = None


@dataclass(frozen=True)
class EmbeddedTexture:
    """`//!TEXTURE`: numbers in the file itself, `texels` float32[depth, height, width, lanes], as a shader reads them.

    `dimensions` is how many of width, height and depth the file gives.
    """

    name: str
    place: FileLine
    dimensions: int
    format: str
    filter: TextureFilter
    border: Border
    texels: NDArray[np.float32]


@dataclass(frozen=True)
class HookParameter:
    """`//!PARAM`: a number that a person may set. `choices` are the names of an ENUM's values, from 0."""

    name: str
    place: FileLine
    type: ParameterType
    initial: float
    minimum: float | None = None
    maximum: float | None = None
    description: str = ""
    is_constant: bool = False
    choices: tuple[str, ...] = ()

    @property
    def numbers(self) -> Mapping[str, float]:
        """What its name, and those of its choices, stand for."""
        return {self.name: self.initial, **{choice: float(i) for i, choice in enumerate(self.choices)}}


@dataclass(frozen=True)
class UserShader:
    """A whole file: `text` as it was read from `path`, and what it says in the order of the file."""

    path: str
    text: str
    blocks: tuple[HookBlock, ...]
    textures: tuple[EmbeddedTexture, ...] = ()
    parameters: tuple[HookParameter, ...] = ()

    @property
    def numbers(self) -> Mapping[str, float]:
        """What the names of all parameters, and those of their choices, stand for."""
        return {name: number for each in self.parameters for name, number in each.numbers.items()}
