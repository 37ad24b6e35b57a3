"""What moves numbers and computes none: packed, unpacked, up- and downloaded, sliced, joined, padded, turned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import permutations

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.dialects.tfjs.recording.tensors import IMAGE_RANK

_SAME = frozenset({
    "PackProgram", "UnpackProgram", "ReshapePackedProgram", "DecodeMatrixProgram", "DecodeMatrixPackedProgram",
})  # fmt: skip
_MOST_AXES = 6


def readings(program: Program, _text: str) -> Sequence[Reading]:
    """By the class."""
    name = program.name.removesuffix("Program").removesuffix("Packed")
    if program.name in _SAME:
        return (_the_same,)
    if name == "EncodeMatrix":
        return (_first,)
    if name == "Transpose":
        rank = min(len(program.reads[0].shape) if program.reads else 0, IMAGE_RANK)
        asked = program.attributes.get("perm")
        found = [asked] if isinstance(asked, list) else permutations(range(rank))
        return [partial(_turned, tuple(perm)) for perm in found]
    if name == "Concat":
        return [partial(_joined, axis) for axis in range(_MOST_AXES)]
    if name == "Slice":
        return (_sliced,)
    return (_padded,) if name == "Pad" else ()


def _the_same(step: NodeBuilder) -> None:
    if step.makes_image and step.shape("A") == step.output_shape:
        step.ends_image(step.image("A"))
        return
    step.ends(step.reshaped(step.plain("A"), step.output_shape))


def _first(step: NodeBuilder) -> None:
    """Of texels that were uploaded as many numbers as the tensor has."""
    read = step.program.reads[0]
    count = math.prod(step.output_shape)
    texels = step.texels(read.uniform)
    flat = step.reshaped(texels, (step.values[texels].size,))
    if step.values[flat].size > count:
        flat = step.add("Slice", flat, step.whole(0), step.whole(count), step.whole(0), step.whole(1))
    step.ends(step.reshaped(flat, step.output_shape))


def _turned(perm: tuple[int, ...], step: NodeBuilder) -> None:
    shape = step.shape("A")
    if tuple(shape[axis] for axis in perm) != step.output_shape:
        raise NoMeaningError("perm")
    step.ends(step.add("Transpose", step.plain("A"), perm=perm))


def _joined(axis: int, step: NodeBuilder) -> None:
    uniforms = [read.uniform for read in step.program.reads]
    shapes = [step.shape(each) for each in uniforms]
    rank = len(step.output_shape)
    fits = axis < rank and all(len(shape) == rank for shape in shapes)
    if not fits or sum(shape[axis] for shape in shapes) != step.output_shape[axis]:
        raise NoMeaningError("axis")
    step.ends(step.add("Concat", *(step.plain(each) for each in uniforms), axis=axis))


def _sliced(step: NodeBuilder) -> None:
    uniform = step.program.reads[0].uniform
    start = [int(place) for place in step.uniform("start")][: len(step.output_shape)]
    stop = [place + size for place, size in zip(start, step.output_shape, strict=True)]
    axes, ones = step.whole(*range(len(start))), step.whole(*(1 for _ in start))
    step.ends(step.add("Slice", step.plain(uniform), step.whole(*start), step.whole(*stop), axes, ones))


def _padded(step: NodeBuilder) -> None:
    pads = step.attribute("paddings")
    shape = step.shape(step.program.reads[0].uniform)
    if not isinstance(pads, list) or len(pads) != len(shape):
        raise NoMeaningError("paddings")
    if tuple(size + sum(pair) for size, pair in zip(shape, pads, strict=True)) != step.output_shape:
        raise NoMeaningError("another shape")
    ends = step.whole(*(int(pair[0]) for pair in pads), *(int(pair[1]) for pair in pads))
    value = step.constant(np.array(float(step.attribute("constantValue") or 0.0), dtype=np.float32))
    step.ends(step.add("Pad", step.plain(step.program.reads[0].uniform), ends, value, mode="constant"))
