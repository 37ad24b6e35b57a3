"""Expands operators that move, select or lay out elements: ONNX's own, with other inputs or defaults."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.model_file.contrib.quantised import per_tensor
from texelscope.pipeline.model_file.contrib.writer import Write, Writer

_INT64 = 7  # TensorProto.INT64
_MODES = {"bilinear": "linear", "bicubic": "cubic"}


def expand_dims(node: Writer) -> None:
    """Expands ExpandDims: one more axis, of one element. Takes X and the axis, int32."""
    axis = int(node.value(1, "the axis").reshape(()))
    node.result(0, node.add("Unsqueeze", node.x(0), node.whole(axis, label="axes")))


def gather_nd(node: Writer) -> None:
    """Expands GatherND of com.microsoft: the same as ONNX's. Takes X and indices, int32 or int64."""
    indices = node.x(1) if node.given(1).dtype == "int64" else node.add("Cast", node.x(1), to=_INT64, label="indices")
    node.result(0, node.add("GatherND", node.x(0), indices))


def grid_sample(node: Writer) -> None:
    """Expands GridSample: as ONNX's, with its former names of the modes. Takes X [N, C, H, W] and grid [N, h, w, 2]."""
    mode = str(node.attribute("mode", "bilinear"))
    y = node.add(
        "GridSample",
        *(node.x(0), node.x(1)),
        align_corners=int(node.attribute("align_corners", 0)),
        mode=_MODES.get(mode, mode),
        padding_mode=str(node.attribute("padding_mode", "zeros")),
    )
    node.result(0, y)


def pad(node: Writer) -> None:
    """Expands Pad of com.microsoft: as ONNX's, but pads may be a row of a matrix and the value may have an axis.

    Takes X, pads [2 · rank] or [1, 2 · rank], value; negative pads cut off first.
    """
    given, x = [int(pad) for pad in node.value(1, "pads").reshape(-1)], node.x(0)
    if min(given, default=0) < 0:
        shape = node.given(0).shape
        starts = (max(0, -pad) for pad in given[: len(shape)])
        ends = (size + min(0, pad) for size, pad in zip(shape, given[len(shape) :], strict=True))
        x = node.add("Slice", x, node.whole(*starts, label="starts"), node.whole(*ends, label="ends"), label="kept")
    pads = node.whole(*(max(0, pad) for pad in given), label="pads")
    value = (per_tensor(node, 2),) if node.has(2) else ()
    node.result(0, node.add("Pad", x, pads, *value, mode=str(node.attribute("mode", "constant"))))


def range_of_numbers(node: Writer) -> None:
    """Expands Range of com.microsoft: as ONNX's, but the step may be left out and numbers may have an axis.

    Takes start, limit, and step, which is 1 unless given.
    """
    step = per_tensor(node, 2) if node.has(2) else node.constant(1, node.given(0).dtype, "step")
    node.result(0, node.add("Range", per_tensor(node, 0), per_tensor(node, 1), step))


def trilu(node: Writer) -> None:
    """Expands Trilu of com.microsoft: the same as ONNX's. Takes X […, rows, columns], k or none."""
    inputs = [node.x(position) for position in range(2) if node.has(position)]
    node.result(0, node.add("Trilu", *inputs, upper=int(node.attribute("upper", 1))))


def unique(node: Writer) -> None:
    """Expands Unique: the distinct elements in order of appearance, each one's index, and their counts.

    Takes X [k]; the number of distinct elements must be known before the run.
    """
    distinct, _, places, counts = node.add_several(
        "Unique", node.x(0), labels=("distinct", "first", "places", "counts"), sorted=0
    )
    for position, found in enumerate((distinct, places, counts)):
        node.result(position, found)


OPERATORS: Mapping[str, Write] = {
    "ExpandDims": expand_dims,
    "GatherND": gather_nd,
    "GridSample": grid_sample,
    "Pad": pad,
    "Range": range_of_numbers,
    "Trilu": trilu,
    "Unique": unique,
}
