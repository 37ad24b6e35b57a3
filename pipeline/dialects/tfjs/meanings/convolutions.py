"""Convolutions, and the rearrangement that TensorFlow.js makes a matrix product of one with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.dialects.tfjs.meanings.activations import finished
from texelscope.pipeline.dialects.tfjs.meanings.registry import Reading
from texelscope.pipeline.dialects.tfjs.meanings.step import NodeBuilder, NoMeaningError
from texelscope.pipeline.dialects.tfjs.meanings.windows import window_attributes
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program

_NAMES = frozenset({"Conv2DProgram", "Conv2DPackedProgram"})
_DEPTHWISE = frozenset({"DepthwiseConv2DProgram", "DepthwiseConvPacked2DProgram"})
_BACKWARDS = frozenset({"Conv2DDerInputProgram", "Conv2DDerInputPackedProgram"})
# Of the filters that pick one tap each; more would make opening slow.
_MOST_WEIGHTS = 1 << 22


def readings(program: Program, _text: str) -> Sequence[Reading]:
    """Of the classes of convolutions; those over channels-first images are told by their recorded values alone."""
    if program.attributes.get("dataFormat") == "NCHW":
        return ()
    if program.name in _NAMES:
        return (_convolution,)
    if program.name in _DEPTHWISE:
        return (_depthwise,)
    if program.name in _BACKWARDS:
        return (_backwards,)
    return (_rows,) if program.name == "Im2ColPackedProgram" else ()


def _convolution(step: NodeBuilder) -> None:
    _, height, width, _ = step.shape("x")
    rows, columns, _, _ = step.shape("W")
    attributes = window_attributes(step, (rows, columns), (height, width))
    y = step.add("Conv", step.image("x"), step.filters("W"), group=1, **attributes)
    step.ends_image(finished(step, y, image=True))


def _depthwise(step: NodeBuilder) -> None:
    """Filter h, w, c, m: channel c has m filters, which make channels c·m … of the output."""
    _, height, width, _ = step.shape("x")
    rows, columns, channels, each = step.shape("W")
    attributes = window_attributes(step, (rows, columns), (height, width))
    turned = step.add("Transpose", step.plain("W"), perm=(2, 3, 0, 1))
    filters = step.reshaped(turned, (channels * each, 1, rows, columns))
    y = step.add("Conv", step.image("x"), filters, group=channels, **attributes)
    step.ends_image(finished(step, y, image=True))


def _backwards(step: NodeBuilder) -> None:
    """What a convolution's gradient asks of its input: pads are those that it would have."""
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
    """Row (y·kw + x)·C + c, column by place: what a filter with one 1, at tap y, x of channel c, makes."""
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
