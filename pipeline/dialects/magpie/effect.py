"""Holds a Magpie effect as data: its textures, samplers, parameters and passes, each with its place in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.pipeline.dialects.magpie.sizes import SizeExpression
from texelscope.pipeline.dialects.mpv.blocks import HookParameter
from texelscope.pipeline.dialects.mpv.places import FileLine
from texelscope.pipeline.plan import Filter, Wrap

INPUT, OUTPUT = "INPUT", "OUTPUT"
_SIGNED, _UNSIGNED = (-1.0, 1.0), (0.0, 1.0)


@dataclass(frozen=True)
class TextureFormat:
    """Says how many channels a format has, and between which numbers they lie; None for floats."""

    channels: int
    limits: tuple[float, float] | None = None


FORMATS: Mapping[str, TextureFormat] = MappingProxyType(
    {
        "R32G32B32A32_FLOAT": TextureFormat(4),
        "R16G16B16A16_FLOAT": TextureFormat(4),
        "R16G16B16A16_UNORM": TextureFormat(4, _UNSIGNED),
        "R16G16B16A16_SNORM": TextureFormat(4, _SIGNED),
        "R32G32_FLOAT": TextureFormat(2),
        "R10G10B10A2_UNORM": TextureFormat(4, _UNSIGNED),
        "R11G11B10_FLOAT": TextureFormat(3),
        "R8G8B8A8_UNORM": TextureFormat(4, _UNSIGNED),
        "R8G8B8A8_SNORM": TextureFormat(4, _SIGNED),
        "R16G16_FLOAT": TextureFormat(2),
        "R16G16_UNORM": TextureFormat(2, _UNSIGNED),
        "R16G16_SNORM": TextureFormat(2, _SIGNED),
        "R32_FLOAT": TextureFormat(1),
        "R8G8_UNORM": TextureFormat(2, _UNSIGNED),
        "R8G8_SNORM": TextureFormat(2, _SIGNED),
        "R16_FLOAT": TextureFormat(1),
        "R16_UNORM": TextureFormat(1, _UNSIGNED),
        "R16_SNORM": TextureFormat(1, _SIGNED),
        "R8_UNORM": TextureFormat(1, _UNSIGNED),
        "R8_SNORM": TextureFormat(1, _SIGNED),
    }
)


@dataclass(frozen=True)
class DeclaredTexture:
    """Holds `//!TEXTURE`: a size, or the file `source` with its texels. INPUT and OUTPUT may have neither."""

    name: str
    place: FileLine
    width: SizeExpression | None = None
    height: SizeExpression | None = None
    format: TextureFormat | None = None
    source: str = ""


@dataclass(frozen=True)
class DeclaredSampler:
    """Holds `//!SAMPLER`."""

    name: str
    place: FileLine
    filter: Filter
    wrap: Wrap


@dataclass(frozen=True)
class EffectSection:
    """Holds text of a section, whose first line is line `line` of the file."""

    text: str
    line: int


@dataclass(frozen=True)
class DeclaredPass:
    """Holds `//!PASS`: what it reads and writes, and its text.

    `block` are the texels that a work group writes, and `threads` its invocations; both are None with `//!STYLE PS`,
    where a function returns the value of one texel.
    """

    number: int
    place: FileLine
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    body: EffectSection
    block: tuple[int, int] | None = None
    threads: tuple[int, int, int] | None = None
    description: str = ""


@dataclass(frozen=True)
class MagpieEffect:
    """Holds a whole file: `text` as read from `path`, its sections, and whether it asks for MulAdd and for frames."""

    path: str
    text: str
    textures: Mapping[str, DeclaredTexture]
    samplers: Mapping[str, DeclaredSampler]
    parameters: tuple[HookParameter, ...]
    common: tuple[EffectSection, ...]
    passes: tuple[DeclaredPass, ...]
    has_multiply_add: bool = False
    has_frames: bool = False
