"""Implements QuantizeLinear and DequantizeLinear: one scale for all, per slice of an axis, or per block along it.

Of convolutions and matrix products of quantised tensors it subtracts zero points, multiplies, and scales. Integers are
exact in float textures as long as sums stay below 2^24, so the plain operators do the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.graph import Shape, TensorInfo
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Composite, Constant, Evaluation, Kernel, Operator, Rewrite
from texelscope.pipeline.operators.element_types import is_integer, is_small_float, small_float_constants, whole_range
from texelscope.pipeline.operators.facts import Facts
from texelscope.pipeline.operators.rewriting import Passes
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF, pointwise

_WIDEST = np.iinfo(np.uint16)


class QuantizeLinear(Operator):
    """Computes y = round(x / scale) + zero point, saturated."""

    op_types = ("QuantizeLinear",)
    facts = Facts(rounded_by=("roundEven", "round"))

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the element, its scale and zero point."""
        target = call.output_info().dtype
        constants = _places(call)
        if is_small_float(target):
            files = ["cast/to_small_float.glsl", "quantize/to_small_float.glsl"]
            constants.update(small_float_constants(target), SATURATE=bool(call.attribute("saturate", 1)))
        else:
            files = ["quantize/to_integer.glsl"]
            constants["LOWEST"], constants["HIGHEST"] = integer_range(call, target)
        width = "float16" if call.info(0).dtype == "float16" and not call.attribute("precision") else "float32"
        return Kernel(
            (f"quantize/quotient_{width}.glsl", "quantize/scales.glsl", *files),
            _reads(call),
            MappingProxyType(constants),
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by one step where x / scale is so near a tie that the division's rounding (2.5 ulp) decides."""
        x, scale = (np.asarray(value) for value in evaluation.inputs[:2])
        unit = UNIT_ROUNDOFF.get(call.info(0).dtype, UNIT_ROUNDOFF["float32"])
        quotient = quotients(call, x, scale)
        reach = 8.0 * unit * np.abs(quotient)
        output = np.asarray(evaluation.output)
        if is_small_float(call.output_info().dtype):
            own = 2.0 * evaluation.unit * np.abs(output.astype(np.float64))
        else:
            own = np.where(np.abs(np.abs(quotient - np.floor(quotient)) - 0.5) <= reach, 0.5, 0.0)
        return pointwise(evaluation, own)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the element, its scale and zero point."""
        return _elements(call, element)


class DequantizeLinear(Operator):
    """Computes y = (x − zero point) · scale."""

    op_types = ("DequantizeLinear",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """Reads the element, its scale and zero point."""
        return Kernel(
            ("quantize/scales.glsl", "quantize/dequantize.glsl"), _reads(call), MappingProxyType(_places(call))
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """Bounds by a product's rounding, u·|y|."""
        y = np.asarray(evaluation.output, dtype=np.float64)
        return pointwise(evaluation, 2.0 * evaluation.unit * np.abs(y))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """Returns the element, its scale and zero point."""
        return _elements(call, element)


def quotients(call: Call, x: Array, scale: Array) -> NDArray[np.float64]:
    """Returns x / scale, each element by its own scale, in the shape of x, which a QuantizeLinear rounds."""
    indices = np.arange(x.size).reshape(x.shape)
    scales = scale.astype(np.float64).reshape(-1)[_scale_of(_places(call), indices)]
    return np.asarray(x.astype(np.float64) / scales)


def _reads(call: Call) -> dict[str, str | tuple[str, ...]]:
    reads: dict[str, str | tuple[str, ...]] = {"X": call.node.inputs[0], "SCALE": call.node.inputs[1]}
    if call.has(2):
        reads["Z"] = call.node.inputs[2]
    return reads


def _elements(call: Call, element: int) -> dict[int, NDArray[np.int64]]:
    which = np.atleast_1d(_scale_of(_places(call), np.array(element, dtype=np.int64)))
    reads = {0: np.array([element], dtype=np.int64), 1: which}
    return {**reads, 2: which} if call.has(2) else reads


def _places(call: Call) -> dict[str, Constant]:
    """Returns the constants of `quantize/scales.glsl` to find a scale."""
    shape, scales = call.shape(0), call.shape(1)
    names = ("AXIS_COUNT", "INNER_COUNT", "BLOCK", "OUTER_STRIDE", "AXIS_STRIDE", "INNER_STRIDE")
    if int(np.prod(scales, dtype=np.int64)) == 1:
        return dict(zip(names, (1, 1, 1, 0, 0, 0), strict=True))
    axis = call.axis(default=1)
    inner = strides_of(shape)[axis]
    if len(scales) == len(shape) and call.attribute("block_size", 0):
        block = int(call.attribute("block_size"))
        return dict(zip(names, (shape[axis], inner, block, scales[axis] * inner, inner, 1), strict=True))
    return dict(zip(names, (shape[axis], inner, 1, 0, 1, 0), strict=True))


def _scale_of(places: Mapping[str, Constant], index: NDArray[np.int64]) -> NDArray[np.int64]:
    """Finds a scale as the shader's `scale_of`."""
    count, inner, block, outer_stride, axis_stride, inner_stride = (int(value) for value in places.values())  # type: ignore[arg-type]
    a = index // inner % count
    return index // inner // count * outer_stride + a // block * axis_stride + index % inner * inner_stride


def integer_range(call: Call, target: str) -> tuple[float, float]:
    """Returns lowest and highest number of an integer type. Raises UnsupportedError for more than 16 bits."""
    limits = whole_range(target) if is_integer(target) else None
    if limits is None or limits[1] > _WIDEST.max:
        raise UnsupportedError(
            call.who, "integers of up to 16 bits, or floats of up to 8", f"'{target}'", "Quantize to fewer bits."
        )
    return float(limits[0]), float(limits[1])


FLOAT = 1  # TensorProto.FLOAT
INT32 = 6  # TensorProto.INT32


class ConvInteger(Composite):
    """Convolves integers, less their zero points."""

    op_types = ("ConvInteger",)

    def passes(self, call: Call) -> Rewrite:
        """Returns a plain convolution of shifted inputs."""
        passes = Passes(call.node.name)
        x = _shifted(passes, call, 0, 2, ())
        w = _shifted(passes, call, 1, 3, _outputs_first(call.shape(1)))
        product = TensorInfo(f"{call.node.name}/product", call.output_shape())
        passes.add_onnx("Conv", (x, w), product, **call.node.attributes)
        passes.add_onnx("Cast", (product.name,), call.output_info(), to=INT32)
        return passes.rewrite()


class MatMulInteger(Composite):
    """Multiplies matrices of integers, less their zero points (of all, of each row of A, of each column of B)."""

    op_types = ("MatMulInteger",)

    def passes(self, call: Call) -> Rewrite:
        """Returns a plain product of shifted inputs."""
        passes = Passes(call.node.name)
        a = _shifted(passes, call, 0, 2, (-1, 1))
        b = _shifted(passes, call, 1, 3, ())
        product = TensorInfo(f"{call.node.name}/product", call.output_shape())
        passes.add_onnx("MatMul", (a, b), product)
        passes.add_onnx("Cast", (product.name,), call.output_info(), to=INT32)
        return passes.rewrite()


class QLinearConv(Composite):
    """Convolves quantised tensors and quantises again."""

    op_types = ("QLinearConv",)

    def passes(self, call: Call) -> Rewrite:
        """Returns shifted inputs, plain convolution with the bias, the product of the scales, quantisation."""
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
    """Multiplies matrices of quantised tensors and quantises again."""

    op_types = ("QLinearMatMul",)

    def passes(self, call: Call) -> Rewrite:
        """Returns shifted inputs, plain product, the product of the scales, quantisation."""
        passes = Passes(call.node.name)
        a = _shifted(passes, call, 0, 2, (-1, 1))
        b = _shifted(passes, call, 3, 5, ())
        product = TensorInfo(f"{call.node.name}/product", call.output_shape())
        passes.add_onnx("MatMul", (a, b), product)
        _requantised(passes, call, product, (1, 4, 6, 7), ())
        return passes.rewrite()


def _outputs_first(weight: Shape) -> Shape:
    """Returns the shape in which one number per output channel broadcasts with the weights."""
    return (-1, *(1,) * (len(weight) - 1))


def _as_float(passes: Passes, call: Call, position: int) -> str:
    """Converts the input to float32, before the run if it is known then."""
    info, value = call.info(position), call.constant(position)
    if value is not None:
        return passes.constant(f"{info.name}/float", value.astype(np.float32))
    if info.dtype == "float32":
        return info.name
    output = TensorInfo(f"{call.node.name}/{info.name}/float", info.shape)
    return passes.add_onnx("Cast", (info.name,), output, to=FLOAT)


def _vector(passes: Passes, call: Call, position: int, shape: Shape) -> str:
    """Returns a scale or zero point in float32; with an axis of several elements in `shape`."""
    name, info = _as_float(passes, call, position), call.info(position)
    if info.count == 1 or not shape or len(info.shape) != 1:
        return name
    target = tuple(info.count if size == -1 else size for size in shape)
    sizes = passes.constant(f"{info.name}/sizes", np.array(target, dtype=np.int64))
    return passes.add_onnx("Reshape", (name, sizes), TensorInfo(f"{call.node.name}/{info.name}/spread", target))


def _shifted(passes: Passes, call: Call, position: int, zero_position: int, shape: Shape) -> str:
    """Returns the input less its zero point, in float32."""
    value = _as_float(passes, call, position)
    if not call.has(zero_position):
        return value
    zero = _vector(passes, call, zero_position, shape)
    output = TensorInfo(f"{call.node.name}/{call.info(position).name}/shifted", call.shape(position))
    return passes.add_onnx("Sub", (value, zero), output)


def _requantised(
    passes: Passes, call: Call, product: TensorInfo, positions: tuple[int, int, int, int], shape: Shape
) -> None:
    """Multiplies the product by x_scale · w_scale / y_scale, rounds, and adds y's zero point."""
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


OPERATORS = (QuantizeLinear(), DequantizeLinear(), ConvInteger(), MatMulInteger(), QLinearConv(), QLinearMatMul())
