"""Convolutions and matrix products of quantised tensors: the zero points taken away, the product, and what scales it.

Integers are exact in float textures as long as sums stay below 2^24, so the plain operators do the work.
"""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.graph import Shape, TensorInfo
from texelscope.pipeline.operators.base import Call, Composite, Rewrite
from texelscope.pipeline.operators.rewriting import Passes

FLOAT = 1  # TensorProto.FLOAT
INT32 = 6  # TensorProto.INT32


class ConvInteger(Composite):
    """Convolution of integers, less their zero points."""

    op_types = ("ConvInteger",)

    def passes(self, call: Call) -> Rewrite:
        """Plain convolution of shifted inputs."""
        passes = Passes(call.node.name)
        x = _shifted(passes, call, 0, 2, ())
        w = _shifted(passes, call, 1, 3, _outputs_first(call.shape(1)))
        product = TensorInfo(f"{call.node.name}/product", call.output_shape())
        passes.add_onnx("Conv", (x, w), product, **call.node.attributes)
        passes.add_onnx("Cast", (product.name,), call.output_info(), to=INT32)
        return passes.rewrite()


class MatMulInteger(Composite):
    """Matrix product of integers, less their zero points (of all, of each row of A, of each column of B)."""

    op_types = ("MatMulInteger",)

    def passes(self, call: Call) -> Rewrite:
        """Plain product of shifted inputs."""
        passes = Passes(call.node.name)
        a = _shifted(passes, call, 0, 2, (-1, 1))
        b = _shifted(passes, call, 1, 3, ())
        product = TensorInfo(f"{call.node.name}/product", call.output_shape())
        passes.add_onnx("MatMul", (a, b), product)
        passes.add_onnx("Cast", (product.name,), call.output_info(), to=INT32)
        return passes.rewrite()


class QLinearConv(Composite):
    """Convolution of quantised tensors, quantised again."""

    op_types = ("QLinearConv",)

    def passes(self, call: Call) -> Rewrite:
        """Shifted inputs, plain convolution with the bias, the product of the scales, quantisation."""
        passes = Passes(call.node.name)
        shape = _outputs_first(call.shape(3))
        x = _shifted(passes, call, 0, 2, ())
        w = _shifted(passes, call, 3, 5, shape)
        bias = (_as_float(passes, call, 8),) if call.has(8) else ()
        product = TensorInfo(f"{call.node.name}/product", call.output_shape())
        passes.add_onnx("Conv", (x, w, *bias), product, **call.node.attributes)
        _requantised(passes, call, product, (1, 4, 6, 7), (1, *shape[:-1]))
        return passes.rewrite()


class QLinearMatMul(Composite):
    """Matrix product of quantised tensors, quantised again."""

    op_types = ("QLinearMatMul",)

    def passes(self, call: Call) -> Rewrite:
        """Shifted inputs, plain product, the product of the scales, quantisation."""
        passes = Passes(call.node.name)
        a = _shifted(passes, call, 0, 2, (-1, 1))
        b = _shifted(passes, call, 3, 5, ())
        product = TensorInfo(f"{call.node.name}/product", call.output_shape())
        passes.add_onnx("MatMul", (a, b), product)
        _requantised(passes, call, product, (1, 4, 6, 7), ())
        return passes.rewrite()


OPERATORS = (ConvInteger(), MatMulInteger(), QLinearConv(), QLinearMatMul())


def _outputs_first(weight: Shape) -> Shape:
    """The shape in which one number an output channel meets the weights."""
    return (-1, *(1,) * (len(weight) - 1))


def _as_float(passes: Passes, call: Call, position: int) -> str:
    """The input in float32, known before the run if the input is."""
    info, value = call.info(position), call.constant(position)
    if value is not None:
        return passes.constant(f"{info.name}/float", value.astype(np.float32))
    if info.dtype == "float32":
        return info.name
    output = TensorInfo(f"{call.node.name}/{info.name}/float", info.shape)
    return passes.add_onnx("Cast", (info.name,), output, to=FLOAT)


def _vector(passes: Passes, call: Call, position: int, shape: Shape) -> str:
    """A scale or zero point in float32; one with an axis of several elements is put into `shape`."""
    name, info = _as_float(passes, call, position), call.info(position)
    if info.count == 1 or not shape or len(info.shape) != 1:
        return name
    target = tuple(info.count if size == -1 else size for size in shape)
    sizes = passes.constant(f"{info.name}/sizes", np.array(target, dtype=np.int64))
    return passes.add_onnx("Reshape", (name, sizes), TensorInfo(f"{call.node.name}/{info.name}/spread", target))


def _shifted(passes: Passes, call: Call, position: int, zero_position: int, shape: Shape) -> str:
    """The input less its zero point, in float32."""
    value = _as_float(passes, call, position)
    if not call.has(zero_position):
        return value
    zero = _vector(passes, call, zero_position, shape)
    output = TensorInfo(f"{call.node.name}/{call.info(position).name}/shifted", call.shape(position))
    return passes.add_onnx("Sub", (value, zero), output)


def _requantised(
    passes: Passes, call: Call, product: TensorInfo, positions: tuple[int, int, int, int], shape: Shape
) -> None:
    """The product by x_scale · w_scale / y_scale, rounded, plus y's zero point."""
    x_scale, w_scale, y_scale, y_zero = positions
    name = call.node.name
    first = _vector(passes, call, x_scale, (-1, 1) if not shape else ())
    second = _vector(passes, call, w_scale, shape)
    third = _vector(passes, call, y_scale, ())
    sizes = np.broadcast_shapes(_shape_of(passes, call, first), _shape_of(passes, call, second))
    both = passes.add_onnx("Mul", (first, second), TensorInfo(f"{name}/scales", sizes))
    ratio = passes.add_onnx("Div", (both, third), TensorInfo(f"{name}/ratio", sizes))
    scaled = passes.add_onnx("Mul", (product.name, ratio), TensorInfo(f"{name}/scaled", product.shape))
    one = passes.constant("one", np.ones((), dtype=np.float32))
    zero = (call.node.inputs[y_zero],) if call.has(y_zero) else ()
    passes.add_onnx("QuantizeLinear", (scaled, one, *zero), call.output_info(), axis=1)


def _shape_of(passes: Passes, call: Call, name: str) -> Shape:
    for info in passes.tensors:
        if info.name == name:
            return info.shape
    return passes.constants[name].shape if name in passes.constants else call.graph.tensors[name].shape
