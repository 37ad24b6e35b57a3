"""Translates programs that only move numbers: packed, unpacked, up- and downloaded, sliced, joined, padded, turned."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import permutations
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading, guesses, stated
from texelscope.pipeline.dialects.tfjs.meanings.step import FROM_IMAGE, NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.dialects.tfjs.recording.tensors import IMAGE_RANK

_SAME = frozenset({
    "PackProgram", "UnpackProgram", "ReshapePackedProgram", "DecodeMatrixProgram", "DecodeMatrixPackedProgram",
})  # fmt: skip
_MOST_AXES, _MATRIX = 6, 2
# ONNX's number of bool.
_BOOL = 9


def readings(program: Program, _text: str) -> Sequence[Reading]:
    """Yields readings by the class; kernels other than the class's own do not state what it moves where."""
    name = program.name.removesuffix("Program").removesuffix("Packed")
    if program.name in _SAME:
        return stated(_the_same)
    if name == "EncodeMatrix":
        return stated(_first)
    if name == "Transpose":
        asked = program.attributes.get("perm")
        if isinstance(asked, list) and program.kernel == "Transpose":
            return stated(partial(_turned, tuple(asked)))
        rank = min(len(program.reads[0].shape) if program.reads else 0, IMAGE_RANK)
        return guesses(*(partial(_turned, perm) for perm in permutations(range(rank))))
    if name == "Concat":
        return (*(stated(_joined_as_asked) if program.kernel == "Concat" else ()), *_JOINED)
    if name == "Slice":
        return (*(stated(_sliced_as_asked) if program.kernel == "Slice" else ()), *guesses(_sliced))
    if name == "Pad":
        return stated(_padded) if program.kernel == "PadV2" else guesses(_padded)
    return stated(_OF_KERNEL[name]) if name == program.kernel and name in _OF_KERNEL else ()


def _the_same(step: NodeBuilder) -> None:
    if step.makes_image and step.shape("A") == step.output_shape:
        step.ends_image(step.image("A"))
        return
    step.ends(step.reshaped(step.plain("A"), step.output_shape))


def _first(step: NodeBuilder) -> None:
    """Selects as many of the uploaded texels' numbers as the tensor has."""
    read = step.program.reads[0]
    count = math.prod(step.output_shape)
    texels = step.texels(read.uniform)
    if step.is_of_storage(read.uniform, "uint8"):  # texels are shares of 255 then, and the class does not say of what
        texels = step.add("Mul", texels, step.constant(np.array(255.0, dtype=np.float32)))
        step.is_guess = True
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
    uniforms = step.operands
    shapes = [step.shape(each) for each in uniforms]
    rank = len(step.output_shape)
    fits = axis < rank and all(len(shape) == rank for shape in shapes)
    if not fits or sum(shape[axis] for shape in shapes) != step.output_shape[axis]:
        raise NoMeaningError("axis")
    step.ends(step.add("Concat", *(step.plain(each) for each in uniforms), axis=axis))


_JOINED = guesses(*(partial(_joined, axis) for axis in range(_MOST_AXES)))


def _joined_as_asked(step: NodeBuilder) -> None:
    """Joins along the kernel's axis; the unpacked program gets matrices, whose rows it joins."""
    rank = len(step.output_shape)
    if not step.makes_packed:
        if rank != _MATRIX:
            raise NoMeaningError("no matrix")
        _joined(1, step)
        return
    axis = step.attribute("axis")
    if not isinstance(axis, int) or not -rank <= axis < rank:
        raise NoMeaningError("axis")
    _joined(axis % rank, step)


def _sliced_as_asked(step: NodeBuilder) -> None:
    begin = step.attribute("begin")
    _sliced_from([begin] if isinstance(begin, int) else begin, step)


def _sliced(step: NodeBuilder) -> None:
    _sliced_from([int(place) for place in step.uniform("start")], step)


def _sliced_from(places: Sequence[int], step: NodeBuilder) -> None:
    """Takes as much as the output holds; axes without a place begin at 0."""
    uniform, rank = step.program.reads[0].uniform, len(step.output_shape)
    start = [*places, *([0] * rank)][:rank]
    sizes = zip(start, step.output_shape, step.shape(uniform), strict=True)
    if any(place < 0 or place + count > size for place, count, size in sizes):
        raise NoMeaningError("begin")
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
    value = step.constant(np.array(float(step.optional("constantValue", 0.0)), dtype=np.float32))
    step.ends(step.add("Pad", step.plain(step.program.reads[0].uniform), ends, value, mode="constant"))


def _mirrored(step: NodeBuilder) -> None:
    if step.attribute("mode") != "reflect":
        raise NoMeaningError("mode")  # ONNX has no other
    x, pads = step.operands[0], step.attribute("paddings")
    shape = step.shape(x)
    if not isinstance(pads, list) or len(pads) != len(shape):
        raise NoMeaningError("paddings")
    ends = step.whole(*(int(pair[0]) for pair in pads), *(int(pair[1]) for pair in pads))
    step.ends(step.add("Pad", step.plain(x), ends, mode="reflect"))


def _repeated(step: NodeBuilder) -> None:
    x, times = step.operands[0], step.attribute("reps")
    if not isinstance(times, list) or len(times) != len(step.shape(x)):
        raise NoMeaningError("reps")
    sizes = tuple(size * each for size, each in zip(step.shape(x), times, strict=True))
    if sizes != step.output_shape:
        raise NoMeaningError("reps")
    step.ends(step.add("Tile", step.plain(x), step.whole(*times)))


def _reversed(step: NodeBuilder) -> None:
    x, axes = step.operands[0], step.attribute("dims")
    rank = len(step.shape(x))
    if isinstance(axes, int):
        axes = [axes]
    if not isinstance(axes, list) or not all(isinstance(axis, int) and -rank <= axis < rank for axis in axes):
        raise NoMeaningError("dims")
    backwards = [step.whole(*(each for _ in axes)) for each in (-1, -(1 << 31))]
    tensor = step.plain(x)
    if axes:
        tensor = step.add("Slice", tensor, *backwards, step.whole(*axes), step.whole(*(-1 for _ in axes)))
    step.ends(tensor)


def _selected(step: NodeBuilder) -> None:
    uniforms = ("c", "a", "b")
    if any(step.shape(each) != step.output_shape for each in uniforms):
        raise NoMeaningError("a condition of fewer axes")
    condition, one, other = (step.plain(each) for each in uniforms)
    step.ends(step.add("Where", step.add("Cast", condition, to=_BOOL), one, other))


def _depth_in_space(step: NodeBuilder) -> None:
    x, block = step.operands[0], step.attribute("blockSize")
    if step.attribute("dataFormat") != "NHWC" or not isinstance(block, int) or len(step.output_shape) != IMAGE_RANK:
        raise NoMeaningError("another order")
    y = step.add("DepthToSpace", step.image(x), blocksize=block, mode="DCR")
    if tuple(step.values[y].shape[axis] for axis in FROM_IMAGE) != step.output_shape:
        raise NoMeaningError("another shape")
    step.ends_image(y)


# Kernels of one program, whose class has the kernel's name.
_OF_KERNEL: Mapping[str, Callable[[NodeBuilder], None]] = MappingProxyType({
    "MirrorPad": _mirrored, "Tile": _repeated, "Reverse": _reversed, "Select": _selected,
    "DepthToSpace": _depth_in_space,
})  # fmt: skip
