"""Describes layers with weights: convolution (plain and 1x1 stride 1), convolutiondepthwise, innerproduct."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.dialects.ncnn.layers.base import (
    BLOB_DEFAULTS,
    Blob,
    LayerDispatch,
    LayerParameters,
    Meaning,
    NcnnLayer,
    ShaderName,
    Size,
    SizedLayer,
    in_groups,
    noise,
    work_of,
)
from texelscope.pipeline.errors import TexelscopeError

_BOUND = {"bottom_blob": "x", "top_blob": "y", "weight_blob": "weight", "bias_blob": "bias"}
_SIZES = {"": "x", "out": "y"}
_WINDOW = {"kernel_w": 3, "kernel_h": 3, "dilation_w": 1, "dilation_h": 1, "stride_w": 1, "stride_h": 1}
# Values of activation_type for ncnn's fused activations with an ONNX node; 0 is none.
_ACTIVATIONS = {1: "Relu", 4: "Sigmoid"}


def _activated(
    operator: str, inputs: tuple[str, ...], attributes: Mapping[str, object], kind: int
) -> tuple[Meaning, ...]:
    """Returns the node, and that of its activation."""
    if kind == 0:
        return (Meaning(operator, inputs, "y", attributes),)
    if kind not in _ACTIVATIONS:
        raise TexelscopeError(
            f"{operator} activation_type", "0 (none), 1 (relu) or 4 (sigmoid)", str(kind), "Set another one."
        )
    return Meaning(operator, inputs, "sum", attributes), Meaning(_ACTIVATIONS[kind], ("sum",), "y")


class Convolution(NcnnLayer):
    """Convolves over all channels; ncnn pads before, with a separate layer. Weights are packed by both packs."""

    families = ("convolution",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, **_WINDOW, "out_channels": 24, "activation_type": 0})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case: an invocation computes four places and two groups of channels."""
        window = {each: values[each] for each in _WINDOW}
        bottom = values.shape()
        kernel = (window["kernel_h"], window["kernel_w"])
        top = Blob((1, values["out_channels"], *_places(bottom, window)), name.out_pack)
        weight = Blob((values["out_channels"], bottom[1], *kernel), name.pack, "weights", name.out_pack)
        x, y, z = (ceil_div(size, 2) for size in work_of(top))
        return _convolution(name, values, _Product(Blob(bottom, name.pack), top, weight, (x, y, z)), window)


class Convolution1x1(NcnnLayer):
    """Convolves with a 1x1 window: the product of a matrix and the channels' places, four of these per invocation."""

    families = ("convolution_1x1s1d1",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, "out_channels": 24, "activation_type": 0})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case with work groups of 8 by 8, as its shared memory requires."""
        n, c, h, w = values.shape()
        top = Blob((n, values["out_channels"], h, w), name.out_pack)
        weight = Blob((values["out_channels"], c, 1, 1), name.pack, "weights", name.out_pack)
        work = (ceil_div(h * w, 4), values["out_channels"] // name.out_pack, 1)
        product = _Product(Blob((n, c, h, w), name.pack), top, weight, work, local_size=(8, 8, 1))
        return _convolution(name, values, product, {})


class ConvolutionDepthWise(NcnnLayer):
    """Convolves each channel by itself."""

    families = ("convolutiondepthwise",)
    defaults = MappingProxyType({**BLOB_DEFAULTS, **_WINDOW, "activation_type": 0})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case with as many groups as channels."""
        window = {each: values[each] for each in _WINDOW}
        bottom = values.shape()
        top = Blob((1, bottom[1], *_places(bottom, window)), name.pack)
        weight = Blob((bottom[1], 1, window["kernel_h"], window["kernel_w"]), 1, "weights", name.pack, flat=True)
        product = _Product(Blob(bottom, name.pack), top, weight, work_of(top), groups=bottom[1])
        return _convolution(name, values, product, window)


class InnerProduct(NcnnLayer):
    """Multiplies a matrix and a vector."""

    families = ("innerproduct",)
    defaults = MappingProxyType({"channels": 32, "out_channels": 16, "activation_type": 0})

    def case(self, name: ShaderName, values: LayerParameters) -> SizedLayer:
        """Returns the case: Gemm with the weights transposed."""
        inputs, outputs = values["channels"], values["out_channels"]
        bottom, top = Blob((1, inputs), name.pack, "vector"), Blob((1, outputs), name.out_pack, "vector")
        in_groups(name, [bottom, top])
        kind = values["activation_type"]
        nodes = _activated("Gemm", ("x", "weight", "biases"), {"transB": 1}, kind)
        weights, bias = noise(0, outputs, inputs), noise(1, outputs)
        step = LayerDispatch(
            "innerproduct", "y", _BOUND, work_of(top), _SIZES, {"bias_term": 1, "activation_type": kind}
        )
        blobs = {
            "x": bottom, "y": top, "bias": Blob((1, outputs), name.out_pack, "vector"),
            "weight": Blob((outputs, inputs), name.pack, "weights", name.out_pack, flat=True),
        }  # fmt: skip
        return SizedLayer(nodes, blobs, ("x",), (step,), {"weight": weights, "biases": bias}, {"bias": bias[None]})


def _places(shape: tuple[int, ...], window: Mapping[str, int]) -> tuple[int, int]:
    """Returns rows and columns of the result."""
    found = []
    for axis, side in ((2, "h"), (3, "w")):
        extent = (window[f"kernel_{side}"] - 1) * window[f"dilation_{side}"] + 1
        found.append((shape[axis] - extent) // window[f"stride_{side}"] + 1)
    return found[0], found[1]


@dataclass(frozen=True)
class _Product:
    """Describes what a convolution reads and writes, and its work groups."""

    bottom: Blob
    top: Blob
    weight: Blob
    work: Size
    groups: int = 1
    local_size: Size = (4, 4, 4)


def _convolution(name: ShaderName, values: LayerParameters, product: _Product, window: Mapping[str, int]) -> SizedLayer:
    in_groups(name, [product.bottom, product.top])
    top, weight = product.top, product.weight
    attributes = {
        "kernel_shape": weight.shape[2:], "group": product.groups,
        "strides": [window.get(f"stride_{side}", 1) for side in "hw"],
        "dilations": [window.get(f"dilation_{side}", 1) for side in "hw"],
    }  # fmt: skip
    kind = values["activation_type"]
    nodes = _activated("Conv", ("x", "weight", "biases"), attributes, kind)
    bias = noise(1, top.shape[1])
    own = {**window, "bias_term": 1, "activation_type": kind, "group": product.groups}
    step = LayerDispatch(name.family, "y", _BOUND, product.work, _SIZES, own, local_size=product.local_size)
    bias_blob = Blob((1, top.shape[1]), name.out_pack, "vector")
    blobs = {"x": product.bottom, "y": top, "weight": weight, "bias": bias_blob}
    constants = {"weight": noise(0, *weight.shape), "biases": bias}
    return SizedLayer(nodes, blobs, ("x",), (step,), constants, {"bias": bias[None]})


LAYERS = (Convolution(), Convolution1x1(), ConvolutionDepthWise(), InnerProduct())
