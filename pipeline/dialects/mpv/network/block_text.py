"""Converts one block's text to the forms of its result's lanes, for every phase of the pixel."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from texelscope.pipeline.dialects.mpv.network.calls import Value, lanes_of
from texelscope.pipeline.dialects.mpv.network.evaluate import BlockEvaluation
from texelscope.pipeline.dialects.mpv.network.surroundings import BlockSurroundings, WorkGroup
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture, Pixel
from texelscope.pipeline.dialects.mpv.network.values import LinearForm, NotUnderstoodError, as_form
from texelscope.pipeline.glsl.macros import MacroError, expand_all
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse
from texelscope.pipeline.glsl.semantics.tree import ErrorNode

Phase: TypeAlias = tuple[int, int]
# The most pixels of a period, which are read one by one: no network's shader enlarges more than eightfold.
_MOST_PHASES = 64


@dataclass(frozen=True)
class BlockText:
    """Holds a block to read: GLSL `text` whose first line is line `first_line` of `file`.

    `tensor` is the model's name for its result, of `channels` channels; `textures` are by the block's names for them.
    `group` makes it a compute block. `constants` are words with a value: parameters, known sizes. `macros` are those
    that the driver's text defines before the block's, with their bodies.
    """

    tensor: str
    channels: int
    file: str
    first_line: int
    text: str
    textures: Mapping[str, BlockTexture]
    group: WorkGroup | None = None
    constants: Mapping[str, float] = field(default_factory=dict)
    description: str = ""
    macros: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ResultLanes:
    """Holds the forms of a result's channels, by the phase (x, y) of the pixel within `stride` (x, y) pixels."""

    stride: tuple[int, int]
    forms: Mapping[Phase, tuple[LinearForm, ...]]

    @property
    def channels(self) -> int:
        """Returns the number of channels, which each phase has."""
        return len(next(iter(self.forms.values())))

    def of(self, forms: Mapping[Phase, tuple[LinearForm, ...]]) -> ResultLanes:
        """Replaces the forms, for the same phases."""
        return ResultLanes(self.stride, forms)


def read_lanes(block: BlockText) -> ResultLanes:
    """Runs the block for every phase. Raises NotUnderstoodError with the line in the file."""
    try:
        return _read(block)
    except NotUnderstoodError as error:
        raise NotUnderstoodError(error.what, error.line or block.first_line) from error
    except RecursionError as error:
        raise NotUnderstoodError("expressions nested too deep", block.first_line) from error


def _read(block: BlockText) -> ResultLanes:
    try:
        source = constructors_as_calls(expand_all(block.text, block.macros).encode())
    except MacroError as error:
        raise NotUnderstoodError(f"a macro: {error.name} {error.reason}", block.first_line + error.line) from error
    root = parse(source)
    if root.has_error:
        broken = next((each for each in root.walk() if isinstance(each, ErrorNode) or each.is_missing), root)
        raise NotUnderstoodError("text that is no GLSL as it is parsed here", block.first_line + broken.row)
    tile = block.group.tile if block.group is not None else (1, 1)
    periods = [_period(block.textures, tile[axis], axis) for axis in (0, 1)]
    if periods[0] * periods[1] * tile[0] * tile[1] > _MOST_PHASES:
        raise NotUnderstoodError(f"a result that repeats after {periods[0]}x{periods[1]} pixels only")
    forms: dict[Phase, tuple[LinearForm, ...]] = {}
    for y in range(periods[1]):
        for x in range(periods[0]):
            around = BlockSurroundings(
                block.textures, Pixel((periods[0], periods[1]), (x, y), tile), block.group, block.constants
            )
            result = BlockEvaluation(root, around, block.first_line).run()
            stored = around.stored if block.group is not None else {(x, y): _returned(result)}
            for phase, lanes in stored.items():
                forms[phase] = tuple(as_form(lane) for lane in lanes[: block.channels])
    stride = (periods[0] * tile[0], periods[1] * tile[1])
    if len(forms) != stride[0] * stride[1] or any(len(lanes) < block.channels for lanes in forms.values()):
        raise NotUnderstoodError(f"a block that does not make all {block.channels} channels of every pixel")
    return ResultLanes(stride, forms)


def _returned(value: Value | None) -> tuple[LinearForm, ...]:
    if value is None:
        raise NotUnderstoodError("hook() without a result")
    return tuple(as_form(lane) for lane in lanes_of(value))


def _period(textures: Mapping[str, BlockTexture], tile: int, axis: int) -> int:
    """Returns the number of pixels (invocations) after which the place within every texture's texel repeats."""
    scales = [texture.scale[axis] / Fraction(tile) for texture in textures.values()]
    return math.lcm(*(scale.numerator for scale in scales)) if scales else 1
