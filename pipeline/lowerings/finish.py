"""Describes what a form does with each sum before storing it: bias, activations, added tensors, stores; as GLSL text.

A finish is a chain of values in registers, each of four neighbouring channels. Value 0 is the sum itself. Each
value is stored directly in its place, even in a part of a larger tensor: a concatenation of whole groups of channels
needs no copy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from texelscope.layouts.channel_tiles_rgba import ChannelTilesRgba
from texelscope.layouts.grid import Grid, ceil_div
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.glsl.assemble import constant_text, library_functions
from texelscope.pipeline.lowerings.lowering import Constants, Numbers, PackedConstants
from texelscope.pipeline.operators.base import Constant
from texelscope.pipeline.plan import StoredTensor

# A finish has at most this many stores; every driver of OpenGL 4.3 can write eight images (GL_MAX_IMAGE_UNITS).
MAX_STORES = 6
_FORMATS = {"float32": "rgba32f", "float16": "rgba16f"}
Place = tuple[int, int, int, int]


@dataclass(frozen=True)
class ChannelParameter:
    """Describes a number per channel, by `key`; `make` returns them, float32 [channels], from the model's constants."""

    key: str
    make: Callable[[Constants], Numbers] = field(compare=False, repr=False)


@dataclass(frozen=True)
class Operation:
    """Computes one value from earlier ones. `formula` is GLSL over `{0}`, `{1}` … for `values` (vec4) and `{p0}` … for
    `parameters`.

    `function` is the text of a file that defines `float unary(float x)`, with its `constants`; `{f}` calls it. `other`
    is the key of a tensor that is read at the same place, as `{other}`.
    """

    formula: str
    values: tuple[int, ...]
    parameters: tuple[ChannelParameter, ...] = ()
    function: str = ""
    constants: tuple[tuple[str, Constant], ...] = ()
    other: str = ""


@dataclass(frozen=True)
class ValueStore:
    """Stores value number `value` in the tensor stored as `key`, from its group of channels number `group` on.

    With `count` that tensor has this many groups, and groups outside of them are not stored: `group` is
    negative where it begins with a later group of the value.
    """

    value: int
    key: str
    group: int = 0
    count: int = 0


@dataclass(frozen=True)
class Finish:
    """Holds operations in order, value i + 1 being the result of operation i, and their stores."""

    operations: tuple[Operation, ...] = ()
    stores: tuple[ValueStore, ...] = ()

    def parameters(self) -> tuple[ChannelParameter, ...]:
        """Returns parameters in the order in which they are packed."""
        return tuple(parameter for operation in self.operations for parameter in operation.parameters)

    def others(self) -> tuple[str, ...]:
        """Returns keys of the tensors read beside the sum, each once."""
        return tuple(dict.fromkeys(operation.other for operation in self.operations if operation.other))

    def writes(self) -> tuple[str, ...]:
        """Returns keys of the tensors stored, each once."""
        return tuple(dict.fromkeys(store.key for store in self.stores))

    def images(self) -> tuple[str, ...]:
        """Returns the key behind each store, in the order of the images' units."""
        return tuple(store.key for store in self.stores)

    def packed(self, channels: int) -> tuple[PackedConstants, ...]:
        """Returns the parameters by group of four channels; nothing if there are none."""
        return packed_by_group(self.parameters(), channels)


def packed_by_group(parameters: Sequence[ChannelParameter], channels: int) -> tuple[PackedConstants, ...]:
    """Packs the parameters by group of four channels, all of a group behind each other; nothing if there are none."""
    if not parameters:
        return ()

    def make(constant: Constants) -> Numbers:
        groups = ceil_div(channels, 4)
        table = np.zeros((len(parameters), groups * 4), dtype=np.float32)
        for row, parameter in zip(table, parameters, strict=True):
            row[:channels] = parameter.make(constant)
        return np.ascontiguousarray(table.reshape(-1, groups, 4).transpose(1, 0, 2)).reshape(-1, 4)

    return (PackedConstants("|".join(["finish", *(parameter.key for parameter in parameters)]), make),)


def places(finish: Finish, textures: Mapping[str, StoredTensor], own: Place = (0, 0, 0, 0)) -> list[Place]:
    """Returns the entries of `u_stores`: each store's grid columns, groups per batch entry, first group, count.

    `own` is that of a scratch texture, which no key of `textures` names.
    """
    found = [_place(store, textures[store.key]) if store.key in textures else own for store in finish.stores]
    return found + [(0, 0, 0, 0)] * (MAX_STORES - len(found))


def _place(store: ValueStore, stored: StoredTensor) -> Place:
    n, channels, _, _ = as_nchw(stored.shape)
    groups = ceil_div(channels, 4)
    return Grid.of(n * groups).columns, groups, store.group, store.count


def has_groups(stored: StoredTensor) -> bool:
    """Reports whether a form can read and write the tensor: four channels per texel, numbers unchanged."""
    return (
        stored.layout == ChannelTilesRgba()
        and stored.storage in _FORMATS
        and stored.dtype == "float32"
        and len(stored.shape) == 4
    )


def declarations(finish: Finish, textures: Mapping[str, StoredTensor]) -> list[str]:
    """Declares the images that a finish writes, from unit 0 on; scratch textures hold float32."""
    storages = [textures[store.key].storage if store.key in textures else "float32" for store in finish.stores]
    return [
        f"layout({_FORMATS[storage]}, binding = {i}) writeonly uniform image2D i_Y{i};"
        for i, storage in enumerate(storages)
    ]


def finish_text(finish: Finish, channels: int, *, as_output: bool = False) -> str:
    """Returns the text of `begin(n, group, slice)` and `finish(place, sum)`, with the functions that they call.

    Lanes beyond the last channel are stored as zero. The values are stored in images, or `as_output`: that of the
    only store is the fragment's output Y.
    """
    parts: list[str] = []
    corners = [f"ivec2 corner_{i};" for i in range(len(finish.stores))]
    inside = [f"bool is_inside_{i};" for i, store in enumerate(finish.stores) if store.count]
    count = len(finish.parameters())
    parts.extend([*corners, *inside, *(f"vec4 parameter_{i};" for i in range(count))])
    if finish.others():
        parts.append("int own_tile;")
    rest = channels % 4
    if rest:
        parts.append("bvec4 is_padding;")
    names: dict[tuple[str, tuple[tuple[str, Constant], ...]], str] = {}
    for operation in finish.operations:
        _define(operation, names, parts)
    parts.append(_begin(finish, rest))
    parts.append(_finish(finish, names, rest, as_output=as_output))
    return "\n".join(parts)


def _define(operation: Operation, names: dict[Any, str], parts: list[str]) -> None:
    """Appends the function of an operation once, its constants under unique names."""
    key = (operation.function, operation.constants)
    if not operation.function or key in names:
        return
    names[key] = f"unary_{len(names)}"
    text = re.sub(r"\bunary\b", names[key], operation.function)
    for library in library_functions(operation.function).values():
        if library not in parts:
            parts.append(library)
    for name, value in operation.constants:
        own = f"{name}_{len(names)}"
        text = re.sub(rf"\b{name}\b", own, text)
        parts.append(constant_text(own, value))
    parts.append(text.rstrip())


def _begin(finish: Finish, rest: int) -> str:
    lines = [
        f"    tile = n * u_stores[{i}].y + group + u_stores[{i}].z;\n"
        f"    corner_{i} = ivec2(tile % u_stores[{i}].x * u_y.y, tile / u_stores[{i}].x * u_y.x);\n"
        f"    corner_{i}.y += slice * u_fragments.w;"
        for i in range(len(finish.stores))
    ]
    for i, store in enumerate(finish.stores):
        if store.count:
            lines.append(
                f"    int own_group_{i} = group + u_stores[{i}].z;\n"
                f"    is_inside_{i} = own_group_{i} >= 0 && own_group_{i} < u_stores[{i}].w;"
            )
    count = len(finish.parameters())
    # Once for all sums of a group: a compiler does not know that no store changes the buffer.
    lines += [f"    parameter_{i} = texelFetch(t_P, group * {count} + {i});" for i in range(count)]
    if finish.others():
        lines.append("    own_tile = n * u_y.w + group;")
    if rest:
        lines.append(
            f"    ivec4 beyond = ivec4(greaterThanEqual(ivec4(0, 1, 2, 3), ivec4({rest})));\n"
            f"    is_padding = bvec4(beyond * int(group == u_y.w - 1));"
        )
    body = "\n".join(["    int tile;", *lines])
    return f"void begin(int n, int group, int slice) {{\n{body}\n}}"


def _finish(finish: Finish, names: dict[Any, str], rest: int, *, as_output: bool) -> str:
    lines: list[str] = []
    parameter = 0
    others = finish.others()
    for i, operation in enumerate(finish.operations):
        fills: dict[str, str] = {}
        for j in range(len(operation.parameters)):
            fills[f"p{j}"] = f"parameter_{parameter}"
            parameter += 1
        if operation.other:
            sampler = f"t_O{others.index(operation.other)}"
            lines.append(f"    ivec2 place_{i} = ivec2(own_tile % u_y.z * u_y.y, own_tile / u_y.z * u_y.x) + place;")
            fills["other"] = f"texelFetch({sampler}, place_{i}, 0)"
        fills["f"] = names.get((operation.function, operation.constants), "")
        text = operation.formula.format(*(f"v{value}" for value in operation.values), **fills)
        lines.append(f"    vec4 v{i + 1} = {text};")
    for i, store in enumerate(finish.stores):
        value = f"v{store.value}"
        kept = f"mix({value}, vec4(0.0), is_padding)" if rest else value
        where = f"if (is_inside_{i}) " if store.count else ""
        put = f"Y = {kept};" if as_output else f"imageStore(i_Y{i}, corner_{i} + place, {kept});"
        lines.append(f"    {where}{put}")
    body = "\n".join(lines)
    return f"void finish(ivec2 place, vec4 v0) {{\n{body}\n}}"
