"""Converts recorded textures to stored tensors: their shape, order of axes, and values.

A texture is read in several shapes of the same content. The most informative is kept: four axes where there
are any, an image's in the order n, c, h, w and a filter's as in ONNX; the layout keeps their order in memory.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.base import Layout
from texelscope.layouts.row_major_rgba import RowMajorRgba
from texelscope.layouts.storage_order import logical
from texelscope.layouts.tfjs_packed import TfjsPacked
from texelscope.layouts.tfjs_unpacked import TfjsUnpacked
from texelscope.pipeline.dialects.recordings.files import Files, numbers_of
from texelscope.pipeline.dialects.tfjs.recording.kinds import MANIFEST
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program, RecordedTexture, TfjsRecording
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.planning.storage import DTYPES, values_of

IMAGE_RANK = 4
# Variables of TensorFlow.js's programs that hold learned values.
WEIGHTS = frozenset({"W", "matrixB", "filter", "bias", "mean", "variance", "offset", "scale", "preluActivationWeights"})


# Prefixes of programs that rearrange numbers: their results of weights are weights.
_MOVES = ("EncodeMatrix", "Pack", "Unpack", "ReshapePacked")


@dataclass(frozen=True)
class RecordedTensor:
    """Describes a recorded texture as a tensor. `seen` is its shape in TensorFlow.js, `shape` the logical one.

    `order` is the order of `shape` in memory: see `layouts.storage_order`.
    """

    texture: RecordedTexture
    seen: Shape
    order: str
    layout: Layout

    @property
    def shape(self) -> Shape:
        """The logical shape: of four axes n, c, h, w."""
        return in_order(self.seen, self.order)

    def is_the_same(self, shape: Shape) -> bool:
        """Reports whether the texture also holds a tensor of `shape`, elements in the same places, padding aside."""
        return same_content(self.texture, self.seen, shape) or is_widened(self.texture, self.seen, shape)


def in_order(seen: Shape, order: str) -> Shape:
    """Returns the logical shape of a tensor of TensorFlow.js's shape `seen`."""
    return seen if order == "nchw" else logical(order, seen)


def same_content(texture: RecordedTexture, one: Shape, other: Shape) -> bool:
    """Reports whether two shapes put each element at the same place; in packed textures pairs of rows must not part."""
    if math.prod(one) != math.prod(other):
        return False
    if texture.arrangement != "packed":
        return True
    (rows, columns), (other_rows, other_columns) = _matrix(one), _matrix(other)
    return columns == other_columns and (rows == other_rows or (rows % 2 == 0 and other_rows % 2 == 0))


def is_widened(texture: RecordedTexture, image: Shape, shape: Shape) -> bool:
    """Reports whether `shape` is an image's rows in sequence, an odd one with the column that pads it.

    TensorFlow.js treats such rows of pixels as rows of a matrix, because their packed texels are the same.
    """
    if texture.arrangement != "packed" or len(image) != IMAGE_RANK or image[2] % 2 == 0:
        return False
    n, height, width, channels = image
    return shape == (1, n * height * (width + 1), channels)


def _matrix(shape: Shape) -> tuple[int, int]:
    rows, columns = (1, 1, *shape)[-2:]
    return rows, columns


def held_textures(recording: TfjsRecording) -> dict[int, RecordedTensor]:
    """Returns every texture that a program uses, by number. Raises TexelscopeError for sizes that do not fit."""
    readers: dict[int, list[tuple[Program, str, Shape]]] = {}
    used: dict[int, None] = {}
    for program in recording.programs:
        for read in program.reads:
            if read.texture is not None:
                readers.setdefault(read.texture, []).append((program, read.uniform, read.shape))
                used[read.texture] = None
        used[program.output] = None
    makers = {program.output: program for program in recording.programs}
    return {number: _held(recording.textures[number], readers.get(number, []), makers.get(number)) for number in used}


def _held(texture: RecordedTexture, readers: list[tuple[Program, str, Shape]], maker: Program | None) -> RecordedTensor:
    shapes = [texture.shape, *(shape for _, _, shape in readers)]
    usual = [
        shape
        for shape in shapes
        if same_content(texture, texture.shape, shape) or is_widened(texture, shape, texture.shape)
    ]
    # Every upload is written as a matrix: the shape of its readers is more informative, an image's the most.
    seen = next((shape for shape in usual if len(shape) == IMAGE_RANK), usual[min(1, len(usual) - 1)])
    order = _order(seen, readers, maker) if texture.arrangement in ("packed", "unpacked") else "nchw"
    layout = _layout(texture, seen, order)
    size = layout.texture_shape(in_order(seen, order))
    if size != (texture.height, texture.width):
        raise TexelscopeError(
            f"{MANIFEST} texture {texture.number}",
            f"{size[1]}x{size[0]} texels (width x height) for shape {list(seen)} in {texture.arrangement}",
            f"{texture.width}x{texture.height}", "Correct one of them, or record it again.",
        )  # fmt: skip
    return RecordedTensor(texture, seen, order, layout)


def _order(seen: Shape, readers: list[tuple[Program, str, Shape]], maker: Program | None) -> str:
    """Returns the order: channels last for images unless the kernel differs; filters are a convolution's."""
    programs = [program for program, _, _ in readers] + ([maker] if maker is not None else [])
    if len(seen) != IMAGE_RANK or any(program.attributes.get("dataFormat") == "NCHW" for program in programs):
        return "nchw"
    filters = {program.name for program, uniform, _ in readers if uniform == "W"}
    if not filters:
        return "nhwc"
    return "nchw" if any("Depthwise" in name for name in filters) else "hwio"


def _layout(texture: RecordedTexture, seen: Shape, order: str) -> Layout:
    if texture.arrangement in ("dense", "texels"):
        return RowMajorRgba(width=texture.width)
    kind = TfjsPacked if texture.arrangement == "packed" else TfjsUnpacked
    usual = kind(order=order)
    is_usual = usual.texture_shape(in_order(seen, order))[1] == texture.width
    return usual if is_usual else kind(width=texture.width, order=order)


def values_in(files: Files, held: RecordedTensor) -> NDArray[np.float32]:
    """Returns the recorded tensor in its logical shape. Raises TexelscopeError for a file of another size."""
    texture = held.texture
    kind = np.dtype("<f4") if texture.storage != "uint8" else np.dtype(DTYPES["uint8"])
    texels = numbers_of(files, texture.values, (texture.width, texture.height, texture.lanes), kind)
    return held.layout.decode(values_of(texels, texture.storage) if kind.itemsize == 1 else texels, held.shape)


def is_weight(recording: TfjsRecording) -> Mapping[int, bool]:
    """Reports by texture number whether it holds only weights; of textures that no program wrote all others are
    inputs. The second operand of a sum or product counts as a weight, and so does a single number: mostly they are.
    """
    feeds: dict[int, bool] = {}
    for program in reversed(recording.programs):
        for read in program.reads:
            if read.texture is not None:
                is_second = read.uniform == "B" and program.name.startswith("BinaryOp")
                is_likely = is_second or math.prod(read.shape) == 1
                moves = program.name.startswith(_MOVES) and feeds.get(program.output, False)
                learnt = read.uniform in WEIGHTS or is_likely or moves
                feeds[read.texture] = feeds.get(read.texture, True) and learnt
    return feeds
