"""Builds the form of passes that only move elements: transpositions and reshapes in a row, as one draw.

An element of the result is one of the input's. Where that lies is a sum over digits of the element's number: a
transposition puts digits in another order, and a reshape changes none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from texelscope.layouts.channel_tiles_rgba import ChannelTilesRgba
from texelscope.layouts.grid import Grid, ceil_div
from texelscope.layouts.row_major_rgba import RowMajorRgba
from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.glsl.assemble import literal
from texelscope.pipeline.graph import Node
from texelscope.pipeline.lowerings.lowering import Lowering, LoweringStep
from texelscope.pipeline.lowerings.text import VERSION
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import ProgramSource, StoredTensor

# Up to here places are found with floating-point numbers without error.
_MOST_ELEMENTS = 1 << 21
_RESHAPES = {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity"}


@dataclass(frozen=True)
class Digit:
    """Describes a digit of an element's number: it counts to `size`, and each step is so many elements of the input."""

    size: int
    stride: int


def is_move(node: Node) -> bool:
    """Reports whether each element of the node's output is one of its first input's, each once."""
    return not node.domain and (node.op_type == "Transpose" or node.op_type in _RESHAPES)


def whole(count: int) -> tuple[Digit, ...]:
    """Returns the digits of `count` elements in their own order."""
    return (Digit(count, 1),) if count > 1 else ()


def moved(call: Call, digits: Sequence[Digit]) -> tuple[Digit, ...] | None:
    """Returns the digits of a move's output, the last digit first, from those of its input.

    A reshape changes none. None for a transposition of axes that begin or end within a digit.
    """
    if call.node.op_type != "Transpose":
        return tuple(digits)
    shape, rest = call.shape(0), [*reversed(digits)]
    of_axis: list[list[Digit]] = []
    for size in reversed(shape):
        found = _taken(rest, size)
        if found is None:
            return None
        of_axis.append(found)
    axes = call.attribute("perm") or tuple(reversed(range(len(shape))))
    in_order = [digit for axis in reversed(axes) for digit in of_axis[len(shape) - 1 - axis]]
    return _joined(in_order)


def _taken(rest: list[Digit], size: int) -> list[Digit] | None:
    """Takes the digits of an axis of that size from the end of `rest`, the last first; None if none ends there."""
    found = []
    while size > 1:
        digit = rest.pop()
        if size % digit.size == 0:
            found.append(digit)
            size //= digit.size
        elif digit.size % size == 0:
            found.append(Digit(size, digit.stride))
            rest.append(Digit(digit.size // size, digit.stride * size))
            size = 1
        else:
            return None
    return found


def _joined(digits: Sequence[Digit]) -> tuple[Digit, ...]:
    """Joins digits that count on where the one before them ends."""
    found: list[Digit] = []
    for digit in digits:
        if found and digit.stride == found[-1].size * found[-1].stride:
            found[-1] = Digit(found[-1].size * digit.size, found[-1].stride)
        else:
            found.append(digit)
    return tuple(found)


def can_move(stored: StoredTensor) -> bool:
    """Reports whether the form can read and write the tensor."""
    is_plain = stored.dtype == "float32" and stored.storage == "float32"
    is_known = isinstance(stored.layout, RowMajorRgba | ChannelTilesRgba)
    return is_plain and is_known and math.prod(stored.texture_shape) * 4 <= _MOST_ELEMENTS


def move_form(
    digits: Sequence[Digit], x: str, y: str, covers: Sequence[str], textures: Mapping[str, StoredTensor]
) -> Lowering:
    """Returns the draw of the tensor stored as `y`, whose elements are those of `x` in the order of the digits."""
    height, width = textures[y].texture_shape
    body = [
        *_own_number(textures[y]),
        *(f"    Y.{lane} = element(source(number + {literal(float(i))} * next));" for i, lane in enumerate("xyzw")),
        "    Y = mix(vec4(0.0), Y, is_inside);",
    ]
    title = "// Each element, from where its number's digits say that it lies in the input"
    head = [VERSION, title, "layout(binding = 0) uniform sampler2D t_X;", "layout(location = 0) out vec4 Y;"]
    text = [*head, *_source(digits), *_element(textures[x]), "void main() {", *body, "}"]
    step = LoweringStep(
        program=ProgramSource("\n".join(text) + "\n", ()),
        size=(width, height, 1),
        textures=(x,),
        images=(),
        targets=(y,),
    )
    return Lowering(tuple(covers), (x,), (y,), (step,))


def _source(digits: Sequence[Digit]) -> list[str]:
    """Returns the function from an element's number in the output to that in the input."""
    lines = ["float source(float number) {", "    float rest = number, found = 0.0, digit;"]
    for each in digits[:-1]:
        lines += [
            f"    digit = floor((rest + 0.5) * {literal(1 / each.size)});",
            f"    found += (rest - digit * {literal(float(each.size))}) * {literal(float(each.stride))};",
            "    rest = digit;",
        ]
    last = f" + rest * {literal(float(digits[-1].stride))}" if digits else ""
    return [*lines, f"    return found{last};", "}"]


def _quotient(name: str, of: str, by: int, rest: str) -> list[str]:
    """Returns statements for the quotient of two whole numbers and for what is left."""
    return [
        f"    float {name} = floor(({of} + 0.5) * {literal(1 / by)});",
        f"    float {rest} = {of} - {name} * {literal(float(by))};",
    ]


def _element(x: StoredTensor) -> list[str]:
    """Returns the function that reads the element of a number from its texel."""
    height, width = x.texture_shape
    lines = ["float element(float number) {"]
    if isinstance(x.layout, RowMajorRgba):
        lines += [*_quotient("texel", "number", 4, "lane"), *_quotient("row", "texel", width, "column")]
        at = "vec2(column, row)"
    else:
        n, channels, tall, wide = as_nchw(x.shape)
        groups = ceil_div(channels, 4)
        lines += [
            *_quotient("above", "number", wide, "w"),
            *_quotient("plane", "above", tall, "h"),
            *_quotient("image", "plane", channels, "channel"),
            *_quotient("group", "channel", 4, "lane"),
            f"    float tile = image * {literal(float(groups))} + group;",
            *_quotient("tile_y", "tile", Grid.of(n * groups).columns, "tile_x"),
        ]
        at = f"vec2(tile_x * {literal(float(wide))} + w, tile_y * {literal(float(tall))} + h)"
    return [
        *lines,
        f"    vec4 v = textureLod(t_X, ({at} + 0.5) * vec2({literal(1 / width)}, {literal(1 / height)}), 0.0);",
        "    return lane < 0.5 ? v.x : lane < 1.5 ? v.y : lane < 2.5 ? v.z : v.w;",
        "}",
    ]


def _own_number(y: StoredTensor) -> list[str]:
    """Returns statements for the `number` of the first lane's element, how much the `next` lane's is larger, and which
    lanes hold elements, `is_inside`."""
    count = math.prod(y.shape)
    if isinstance(y.layout, RowMajorRgba):
        _, width = y.texture_shape
        return [
            f"    float number = 4.0 * (floor(gl_FragCoord.y) * {literal(float(width))} + floor(gl_FragCoord.x));",
            "    float next = 1.0;",
            f"    bvec4 is_inside = lessThan(number + vec4(0.0, 1.0, 2.0, 3.0), vec4({literal(float(count))}));",
        ]
    n, channels, tall, wide = as_nchw(y.shape)
    groups = ceil_div(channels, 4)
    return [
        "    vec2 own = floor(gl_FragCoord.xy);",
        *_quotient("tile_x", "own.x", wide, "w"),
        *_quotient("tile_y", "own.y", tall, "h"),
        f"    float tile = tile_y * {literal(float(Grid.of(n * groups).columns))} + tile_x;",
        *_quotient("image", "tile", groups, "group"),
        f"    float plane = image * {literal(float(channels))} + 4.0 * group;",
        f"    float number = (plane * {literal(float(tall))} + h) * {literal(float(wide))} + w;",
        f"    float next = {literal(float(tall * wide))};",
        "    vec4 channel = 4.0 * group + vec4(0.0, 1.0, 2.0, 3.0);",
        f"    float channels = tile < {literal(float(n * groups))} ? {literal(float(channels))} : 0.0;",
        "    bvec4 is_inside = lessThan(channel, vec4(channels));",
    ]
