"""Windows as TensorFlow.js's kernels are asked for them: strides, dilations, padding, to ONNX's attributes."""

from __future__ import annotations

from typing import Any

from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError


def pair(value: Any, default: int = 1) -> tuple[int, int]:
    """Height and width of a setting that may be one number for both."""
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
    """kernel_shape, strides, dilations and pads of a window over an image of that height and width.

    Raises NoMeaningError unless it has as many places as the output, or `made`: nothing larger is ever evaluated.
    """
    strides, dilations = pair(step.attribute("strides")), pair(step.attribute("dilations"))
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
