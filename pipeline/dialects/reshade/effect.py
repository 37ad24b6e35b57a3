"""Holds a ReShade effect as data: its textures, samplers, uniforms and passes, each with its place in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texelscope.pipeline.dialects.mpv.blocks import HookParameter
from texelscope.pipeline.dialects.mpv.places import FileLine

BACK_BUFFER = "BackBuffer"


@dataclass(frozen=True)
class Property:
    """Holds `NAME = value;` of a declaration or of a pass."""

    value: str
    place: FileLine


@dataclass(frozen=True)
class DeclaredObject:
    """Holds a texture, a sampler, a storage or a pass: its properties, by name."""

    kind: str
    name: str
    place: FileLine
    properties: Mapping[str, Property]
    semantic: str = ""


@dataclass(frozen=True)
class ReshadeEffect:
    """Holds a whole file: `text` as read from `path`.

    `code` is HLSL without what is declared otherwise, with as many lines; `places` are those of its rows, None for rows
    of no file. `passes` are those of all techniques, in order.
    """

    path: str
    text: str
    code: str
    places: tuple[tuple[int, int] | None, ...]
    textures: Mapping[str, DeclaredObject]
    samplers: Mapping[str, DeclaredObject]
    storages: Mapping[str, DeclaredObject]
    parameters: tuple[HookParameter, ...]
    passes: tuple[DeclaredObject, ...]
