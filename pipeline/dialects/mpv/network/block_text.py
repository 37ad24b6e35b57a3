"""Converts one block's text to the forms of its result's lanes, for every phase of the pixel."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from texelscope.pipeline.dialects.mpv.network.evaluate import BlockEvaluation
from texelscope.pipeline.dialects.mpv.network.expressions import UNSIZED
from texelscope.pipeline.dialects.mpv.network.surroundings import BlockSurroundings, WorkGroup
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture, Pixel
from texelscope.pipeline.dialects.mpv.network.values import LinearForm, LiteralNumber, NotUnderstoodError, as_form
from texelscope.pipeline.dialects.mpv.network.variable_types import Value, lanes_of
from texelscope.pipeline.glsl.macros import MacroError, expand_all
from texelscope.pipeline.glsl.semantics.parsing import constructors_as_calls, parse, without_precisions
from texelscope.pipeline.glsl.semantics.tree import ErrorNode

Phase: TypeAlias = tuple[int, int]
# The most pixels of a period, which are read one by one: no network's shader enlarges more than eightfold.
_MOST_PHASES = 64
# `const in`, which means `const`; an array's size behind its type; and a constructor of an array without a size.
_CONST_IN = re.compile(r"\b(const\s+)in\b")
_ARRAY_TYPE = re.compile(r"\b([A-Za-z_]\w*)((?:[ \t]{0,99}\[[^][()]*\])+)([ \t]+)([A-Za-z_]\w*)(?=\s*[=;,)])")
_UNSIZED = re.compile(r"\b([A-Za-z_]\w*)(\[\s{0,99}\]\s{0,99})\(")


@dataclass(frozen=True)
class BlockText:
    """Holds a block to read: GLSL `text` whose first line is line `first_line` of `file`.

    `tensor` is the model's name for its result, of `channels` channels; `textures` are by the block's names for them.
    `group` makes it a compute block. `constants` are words with a value: parameters, known sizes. `macros` are those
    that the driver's text defines before the block's, with their bodies. `size` is the result's, as width and height,
    if a block that depends on the size of the picture may be read for that one.
    """

    tensor: str
    channels: int
    file: str
    first_line: int
    text: str
    textures: Mapping[str, BlockTexture]
    group: WorkGroup | None = None
    constants: Mapping[str, LiteralNumber | tuple[LiteralNumber, ...]] = field(default_factory=dict)
    description: str = ""
    macros: Mapping[str, str] = field(default_factory=dict)
    size: tuple[int, int] | None = None


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
        return _read_at_a_size(block)
    except NotUnderstoodError as error:
        raise NotUnderstoodError(error.what, error.line or block.first_line) from error
    except RecursionError as error:
        raise NotUnderstoodError("expressions nested too deep", block.first_line) from error


def _read_at_a_size(block: BlockText) -> ResultLanes:
    """Reads the block for pictures of any size, else for the size that it has."""
    try:
        return _read(block)
    except NotUnderstoodError as error:
        if block.size is None:
            raise
        try:
            return _read(block, block.size)
        except (NotUnderstoodError, RecursionError):
            raise error from None


def _read(block: BlockText, size: tuple[int, int] | None = None) -> ResultLanes:
    try:
        source = parsed_as(expand_all(block.text, block.macros))
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
                block.textures, Pixel((periods[0], periods[1]), (x, y), tile, size), block.group, block.constants
            )
            result = BlockEvaluation(root, around, block.first_line).run()
            stored = around.stored if block.group is not None else {(x, y): _returned(result)}
            for phase, lanes in stored.items():
                forms[phase] = tuple(defined(as_form(lane)) for lane in lanes[: block.channels])
    stride = (periods[0] * tile[0], periods[1] * tile[1])
    if len(forms) != stride[0] * stride[1] or any(len(lanes) < block.channels for lanes in forms.values()):
        raise NotUnderstoodError(f"a block that does not make all {block.channels} channels of every pixel")
    return ResultLanes(stride, forms)


def parsed_as(text: str) -> bytes:
    """Returns text as long as `text`, as UTF-8, in the words that the parser knows for what GLSL has and C has not."""
    text = _CONST_IN.sub(lambda match: f"{match[1]}  ", text)
    text = _ARRAY_TYPE.sub(lambda match: f"{match[1]}{match[3]}{match[4]}{match[2]}", text)
    text = _UNSIZED.sub(lambda match: f"{match[1]}{UNSIZED * len(match[2])}(", text)
    return constructors_as_calls(without_precisions(text.encode()))


def defined(form: LinearForm) -> LinearForm:
    """Returns the form. Raises NotUnderstoodError if a variable is in it to which nothing was assigned."""
    if form.unset is not None:
        raise NotUnderstoodError(
            f"'{form.unset.name}', which is read before anything is assigned to it", form.unset.line
        )
    return form


def _returned(value: Value | None) -> tuple[LinearForm, ...]:
    if value is None:
        raise NotUnderstoodError("hook() without a result")
    return tuple(as_form(lane) for lane in lanes_of(value))


def _period(textures: Mapping[str, BlockTexture], tile: int, axis: int) -> int:
    """Returns the number of pixels (invocations) after which the place within every texture's texel repeats."""
    scales = [texture.scale[axis] / Fraction(tile) for texture in textures.values()]
    return math.lcm(*(scale.numerator for scale in scales)) if scales else 1
