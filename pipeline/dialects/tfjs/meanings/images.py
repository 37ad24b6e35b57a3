"""Translates programs on images: convolutions and their gradients, pools, resizing, and batch normalisation.

One is the rearrangement with which TensorFlow.js makes convolutions matrix products.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.registry import AddNodes, Reading, guesses, stated
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError, finished
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.dialects.tfjs.recording.tensors import IMAGE_RANK


def pair(value: Any, default: int = 1) -> tuple[int, int]:
    """Returns height and width of a setting that may be one number for both."""
    if isinstance(value, list | tuple):
        if len(value) == 1:
            value = [value[0], value[0]]
        if len(value) != 2 or not all(isinstance(each, int) for each in value):
            raise NoMeaningError(str(value))
        return value[0], value[1]
    return (default, default) if not isinstance(value, int) else (value, value)


def window_attributes(
    step: NodeBuilder, kernel: tuple[int, int], size: tuple[int, int], made: tuple[int, int] | None = None
) -> dict[str, Any]:
    """Returns kernel_shape, strides, dilations and pads of a window over an image of that height and width.

    Raises NoMeaningError unless it has as many places as the output, or `made`: nothing larger is ever evaluated.
    """
    strides, dilations = pair(step.attribute("strides")), pair(step.optional("dilations", 1))
    if min(*kernel, *strides, *dilations) < 1:
        raise NoMeaningError("a window of nothing")
    asked = step.attribute("pad", "valid")
    before, after = [0, 0], [0, 0]
    if asked == "same":
        for axis in range(2):
            count = -(-size[axis] // strides[axis])
            reach = dilations[axis] * (kernel[axis] - 1) + 1
            total = max((count - 1) * strides[axis] + reach - size[axis], 0)
            before[axis], after[axis] = total // 2, total - total // 2
    elif isinstance(asked, int):
        before = after = [asked, asked]
    elif isinstance(asked, list):
        (before[0], after[0]), (before[1], after[1]) = pair(asked[1]), pair(asked[2])
    elif asked != "valid":
        raise NoMeaningError(str(asked))
    for axis, count in enumerate(made or step.output_shape[1:3]):
        reach = dilations[axis] * (kernel[axis] - 1) + 1
        if (size[axis] + before[axis] + after[axis] - reach) // strides[axis] + 1 != count:
            raise NoMeaningError("another number of places")
    return {
        "auto_pad": "NOTSET",
        "kernel_shape": kernel,
        "strides": strides,
        "dilations": dilations,
        "pads": (*before, *after),
    }


# The most filters that select one tap each; more would make opening slow.
_MOST_WEIGHTS = 1 << 22


def readings(program: Program, _text: str) -> Sequence[Reading]:
    """Yields readings by class and kernel; convolutions of images with channels first have none.

    The text does not show which pools give positions of the largest: another kernel does.
    """
    name, kernel = program.name, program.kernel
    if name == "Pool2DProgram" and kernel in ("MaxPool", "AvgPool"):
        return stated(_pool)
    if name.startswith("ResizeBilinear") and kernel == "ResizeBilinear":
        return stated(_linear)
    if name.startswith("ResizeNearestNeighbor") and kernel == "ResizeNearestNeighbor":
        return stated(_nearest)
    if name in ("BatchNormProgram", "BatchNormPackedProgram"):
        return stated(_normalised) if kernel == "FusedBatchNorm" else guesses(_normalised)
    if name not in _CONVOLUTIONS or program.attributes.get("dataFormat") == "NCHW":
        return ()
    kernels, convolution = _CONVOLUTIONS[name]
    return stated(convolution) if kernel in kernels else guesses(convolution)


def _convolution(step: NodeBuilder) -> None:
    _, height, width, _ = step.shape("x")
    rows, columns, _, _ = step.shape("W")
    attributes = window_attributes(step, (rows, columns), (height, width))
    y = step.add("Conv", step.image("x"), step.filters("W"), group=1, **attributes)
    step.ends_image(finished(step, y, image=True))


def _depthwise(step: NodeBuilder) -> None:
    """Reorders filters h, w, c, m: channel c has m filters, for output channels from c·m on."""
    _, height, width, _ = step.shape("x")
    rows, columns, channels, each = step.shape("W")
    attributes = window_attributes(step, (rows, columns), (height, width))
    turned = step.add("Transpose", step.plain("W"), perm=(2, 3, 0, 1))
    filters = step.reshaped(turned, (channels * each, 1, rows, columns))
    y = step.add("Conv", step.image("x"), filters, group=channels, **attributes)
    step.ends_image(finished(step, y, image=True))


def _backwards(step: NodeBuilder) -> None:
    """Returns the attributes of a convolution's gradient by its input: pads are those of the convolution."""
    _, height, width, _ = step.output_shape
    rows, columns, _, _ = step.shape("W")
    _, down, across, _ = step.shape("dy")
    attributes = window_attributes(step, (rows, columns), (height, width), (down, across))
    reach = [d * (k - 1) + 1 for d, k in zip(attributes["dilations"], (rows, columns), strict=True)]
    pads, strides = attributes["pads"], attributes["strides"]
    made = [s * (n - 1) + r for s, n, r in zip(strides, (down, across), reach, strict=True)]
    more = [size - (n - pads[i] - pads[i + 2]) for i, (size, n) in enumerate(zip((height, width), made, strict=True))]
    if min(more) < 0 or max(more) > max(strides):
        raise NoMeaningError("another size")
    y = step.add(
        "ConvTranspose", step.image("dy"), step.filters("W"), group=1, output_padding=tuple(more), **attributes
    )
    step.ends_image(y)


def _rows(step: NodeBuilder) -> None:
    """Returns row (y·kw + x)·C + c, column by place: the result of a filter with one 1, at tap y, x of channel c."""
    batch, height, width, channels = step.shape("A")
    count, places = step.output_shape[-2:]
    if step.program.kernel not in ("Conv2D", "FusedConv2D") or count % channels:
        raise NoMeaningError(step.program.kernel)
    across = int(step.uniform("itemsPerBlockRow")[0]) // channels
    down = count // channels // max(across, 1)
    if count * count > _MOST_WEIGHTS or down * across * channels != count:
        raise NoMeaningError("too many taps")
    taps = np.eye(count, dtype=np.float32).reshape(count, down, across, channels).transpose(0, 3, 1, 2)
    wide = int(step.uniform("outWidth")[0])
    attributes = window_attributes(step, (down, across), (height, width), (places // max(wide, 1), wide))
    y = step.add("Conv", step.image("A"), step.constant(np.ascontiguousarray(taps)), group=1, **attributes)
    step.ends(step.reshaped(y, (batch, count, places)))


def _pool(step: NodeBuilder) -> None:
    """Returns a pool; an average counts only elements inside the image."""
    _, height, width, _ = step.shape("x")
    if step.attribute("filterSize") is None:
        raise NoMeaningError("filterSize")
    attributes = window_attributes(step, pair(step.attribute("filterSize")), (height, width))
    is_average = step.program.kernel == "AvgPool"
    attributes["count_include_pad" if is_average else "storage_order"] = 0
    op_type = "AveragePool" if is_average else "MaxPool"
    if is_average and attributes.pop("dilations") != (1, 1):  # ONNX supports it from opset 19 on
        raise NoMeaningError("dilations")
    step.ends_image(step.add(op_type, step.image("x"), ceil_mode=0, **attributes))


def _linear(step: NodeBuilder) -> None:
    _resized(step, "linear", "round_prefer_floor")


def _nearest(step: NodeBuilder) -> None:
    """Returns the nearest element: TensorFlow.js rounds where corners are aligned, and else takes the floor.

    Of half pixels it takes floor((i + 1/2) · scale), which is ONNX's (i + 1/2) · scale - 1/2, rounded.
    """
    rounds = step.attribute("alignCorners") or step.optional("halfPixelCenters", False)
    _resized(step, "nearest", "round_prefer_ceil" if rounds else "floor")


def _resized(step: NodeBuilder, mode: str, nearest: str) -> None:
    by_half, by_corners = step.optional("halfPixelCenters", False), step.attribute("alignCorners")
    if by_half and by_corners:
        raise NoMeaningError("both")
    batch, height, width, channels = step.output_shape
    y = step.add(
        "Resize", step.image(step.program.reads[0].uniform), "", "", step.whole(batch, channels, height, width),
        coordinate_transformation_mode="align_corners" if by_corners else "half_pixel" if by_half else "asymmetric",
        mode=mode, nearest_mode=nearest, antialias=0, cubic_coeff_a=-0.75, exclude_outside=0,
        extrapolation_value=0.0, keep_aspect_ratio_policy="stretch",
    )  # fmt: skip
    step.ends_image(y)


def _normalised(step: NodeBuilder) -> None:
    shape = step.shape("x")
    channels = shape[-1]
    if len(shape) != IMAGE_RANK or any(math.prod(step.shape(each)) != channels for each in ("mean", "variance")):
        raise NoMeaningError("x")

    def vector(uniform: str, otherwise: float) -> str:
        if step.program.read(uniform) is None:
            return step.constant(np.full(channels, otherwise, dtype=np.float32))
        return step.reshaped(step.plain(uniform), (channels,))

    parameters = vector("scale", 1.0), vector("offset", 0.0), vector("mean", 0.0), vector("variance", 1.0)
    epsilon = float(step.optional("varianceEpsilon", 1e-3))
    step.ends_image(
        step.add("BatchNormalization", step.image("x"), *parameters, epsilon=epsilon, momentum=0.9, training_mode=0)
    )


_FORWARDS = frozenset({"Conv2D", "FusedConv2D"})
_BY_CHANNEL = frozenset({"DepthwiseConv2dNative", "FusedDepthwiseConv2D"})
_GRADIENT = frozenset({"Conv2DBackpropInput"})
# By class of program: the kernels whose attributes state the meaning.
_CONVOLUTIONS: Mapping[str, tuple[frozenset[str], AddNodes]] = {
    "Conv2DProgram": (_FORWARDS, _convolution),
    "Conv2DPackedProgram": (_FORWARDS, _convolution),
    "DepthwiseConv2DProgram": (_BY_CHANNEL, _depthwise),
    "DepthwiseConvPacked2DProgram": (_BY_CHANNEL, _depthwise),
    "Conv2DDerInputProgram": (_GRADIENT, _backwards),
    "Conv2DDerInputPackedProgram": (_GRADIENT, _backwards),
    "Im2ColPackedProgram": (_FORWARDS, _rows),
}
