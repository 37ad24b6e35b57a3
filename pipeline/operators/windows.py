"""Geometry of sliding windows: strides, dilations and padding of convolutions and pools.

Sizes and positions are in elements of the input's spatial axes. Shaders know two spatial axes (y, x) or three
(z, y, x); a node with one is rewritten to two, the first of size 1 (`in_two_dimensions`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Node, Shape, TensorInfo
from texelscope.pipeline.operators.base import Array, Call, Constant, Rewrite

# Suffixes and sides of the shaders' constants, from the last axis forwards.
_AXES = ("X", "Y", "Z")
_BEFORE = ("LEFT", "TOP", "FRONT")
_AFTER = ("RIGHT", "BOTTOM", "BACK")


@dataclass(frozen=True)
class Window:
    """A kernel sliding over the spatial axes; every tuple has one entry an axis."""

    kernel: Shape
    stride: Shape
    dilation: Shape
    pad_before: Shape
    pad_after: Shape

    @property
    def count(self) -> int:
        """Number of taps."""
        return int(np.prod(self.kernel, dtype=np.int64))

    def constants(self) -> dict[str, Constant]:
        """The names under which shaders know the window: KERNEL_Y, STRIDE_X, PAD_TOP …"""
        values: dict[str, Constant] = {}
        for i in range(len(self.kernel)):
            values[f"KERNEL_{_AXES[i]}"] = self.kernel[-1 - i]
            values[f"STRIDE_{_AXES[i]}"] = self.stride[-1 - i]
            values[f"DILATION_{_AXES[i]}"] = self.dilation[-1 - i]
            values[f"PAD_{_BEFORE[i]}"] = self.pad_before[-1 - i]
            values[f"PAD_{_AFTER[i]}"] = self.pad_after[-1 - i]
        return values

    def taps(self, axis: int, place: int, size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The taps of the window at output `place` that fall inside an axis of `size`, and where they fall."""
        taps = np.arange(self.kernel[axis])
        elements = place * self.stride[axis] - self.pad_before[axis] + taps * self.dilation[axis]
        inside = (elements >= 0) & (elements < size)
        return taps[inside], elements[inside]

    def elements(self, places: Shape, spatial: Shape) -> list[NDArray[np.int64]]:
        """For each axis, where the taps of the window at `places` fall inside the input."""
        return [self.taps(axis, places[axis], size)[1] for axis, size in enumerate(spatial)]


def window(call: Call, kernel: Shape) -> Window:
    """The window of a node whose first input is N, C and spatial axes; `kernel` has their sizes.

    Raises UnsupportedError for another number of spatial axes than two or three.
    """
    spatial = spatial_shape(call)
    rank = len(spatial)
    strides = tuple(call.attribute("strides") or (1,) * rank)
    dilations = tuple(call.attribute("dilations") or (1,) * rank)
    before, after = padding(call.node.attributes, spatial, kernel, strides, dilations)
    return Window(tuple(kernel), strides, dilations, before, after)


def spatial_shape(call: Call) -> Shape:
    """The spatial axes of the first input (N, C, y, x or N, C, z, y, x). Raises UnsupportedError for other ranks."""
    shape = call.shape(0)
    if len(shape) not in (4, 5):
        got = f"an input of shape {list(shape)}"
        raise UnsupportedError(call.who, "one to three spatial axes", got, "Reshape around the node.")
    return shape[2:]


def whole(call: Call) -> Window:
    """The window that covers all spatial axes at once. Raises UnsupportedError as `window` does."""
    spatial = call.shape(0)[2:]
    return window(call, spatial)


def padding(
    attributes: Mapping[str, Any], spatial: Shape, kernel: Shape, strides: Shape, dilations: Shape
) -> tuple[Shape, Shape]:
    """What a convolution or pool with these attributes pads before and after each spatial axis of its input."""
    auto_pad = attributes.get("auto_pad", "NOTSET")
    rank = len(spatial)
    if auto_pad == "VALID":
        return (0,) * rank, (0,) * rank
    if auto_pad in ("NOTSET", ""):
        pads = tuple(attributes.get("pads") or (0,) * (2 * rank))
        return pads[:rank], pads[rank:]
    before, after = [], []
    for size, k, stride, dilation in zip(spatial, kernel, strides, dilations, strict=True):
        outputs = -(-size // stride)
        total = max((outputs - 1) * stride + (k - 1) * dilation + 1 - size, 0)
        small, large = total // 2, total - total // 2
        before.append(large if auto_pad == "SAME_LOWER" else small)
        after.append(small if auto_pad == "SAME_LOWER" else large)
    return tuple(before), tuple(after)


def in_two_dimensions(call: Call, planes: tuple[int, ...] = (0,)) -> Rewrite | None:
    """A node with one spatial axis as reshapes around the same node with two; None if it has not just one.

    `planes` are the positions of the inputs that have the spatial axis (activations, convolution weights); all
    outputs have it.
    """
    if len(call.shape(0)) != 3:
        return None
    node, name = call.node, call.node.name
    tensors: list[TensorInfo] = []
    constants: dict[str, Array] = {}
    before: list[Node] = []
    inputs = list(node.inputs)
    for position in planes:
        info = call.info(position)
        wide = _wide(info.shape)
        inputs[position] = f"{name}/{info.name}[2d]"
        value = call.constant(position)
        if value is not None:
            constants[inputs[position]] = value.reshape(wide)
        else:
            tensors.append(TensorInfo(inputs[position], wide, info.dtype))
            before.append(_reshape(inputs[position], info.name, inputs[position], wide, constants))
    outputs, after = [], []
    for position, output in enumerate(node.outputs):
        outputs.append(f"{output}[2d]" if output else "")
        if output:
            result = call.output_info(position)
            tensors.append(TensorInfo(outputs[-1], _wide(result.shape), result.dtype))
            after.append(_reshape(f"{name}/{output}", outputs[-1], output, result.shape, constants))
    attributes = MappingProxyType(dict(node.attributes) | _plane_attributes(node.attributes))
    middle = dataclasses.replace(node, inputs=tuple(inputs), outputs=tuple(outputs), attributes=attributes)
    return Rewrite((*before, middle, *after), tuple(tensors), MappingProxyType(constants))


def _wide(shape: Shape) -> Shape:
    return (*shape[:2], 1, *shape[2:])


def _plane_attributes(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Window attributes of one axis, with a neutral axis in front."""
    neutral = {"kernel_shape": 1, "strides": 1, "dilations": 1, "output_padding": 0, "output_shape": 1}
    wide: dict[str, Any] = {key: (fill, *attributes[key][-1:]) for key, fill in neutral.items() if attributes.get(key)}
    if attributes.get("pads"):
        start, end = attributes["pads"]
        wide["pads"] = (0, start, 0, end)
    return wide


def _reshape(name: str, source: str, target: str, shape: Shape, constants: dict[str, Array]) -> Node:
    constants[f"{name}/shape"] = np.array(shape, dtype=np.int64)
    return Node(name, "Reshape", (source, f"{name}/shape"), (target,), MappingProxyType({"allowzero": 0}), opset=14)


def check_channels(call: Call, weight_channels: int, outputs: int, *, bias: int = 2) -> None:
    """Raises UnsupportedError for a convolution whose input, groups and bias do not go with its weight.

    `weight_channels` are those of an input that does, over all groups; `outputs` the channels that come out; `bias`
    the number of that input.
    """
    channels, group = call.shape(0)[1], int(call.attribute("group", 1))
    advice = "Check 'group' or the exporting script."
    if channels != weight_channels:
        expected = f"an input of {weight_channels} channels, as its weight in {group} groups"
        raise UnsupportedError(call.who, expected, f"{channels}", advice)
    if channels % group or outputs % group:
        raise UnsupportedError(call.who, f"channels in {group} groups", f"{channels} into {outputs}", advice)
    if call.has(bias) and call.shape(bias) != (outputs,):
        raise UnsupportedError(call.who, f"a bias of {outputs} elements", f"one of {list(call.shape(bias))}", advice)
