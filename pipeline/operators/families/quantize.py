"""QuantizeLinear and DequantizeLinear: one scale for all, one a slice of an axis, or one a block along it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import UnsupportedError
from texelscope.pipeline.operators.affine import strides_of
from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator
from texelscope.pipeline.operators.element_types import is_integer, is_small_float, small_float_constants, whole_range
from texelscope.pipeline.operators.rounding import UNIT_ROUNDOFF, pointwise

_WIDEST = np.iinfo(np.uint16)


class QuantizeLinear(Operator):
    """y = round(x / scale) + zero point, saturated."""

    op_types = ("QuantizeLinear",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """The element, its scale and zero point."""
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
        """One step where x / scale is so near a tie that the division's rounding (2.5 ulp) decides."""
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
        """The element, its scale and zero point."""
        return _elements(call, element)


class DequantizeLinear(Operator):
    """y = (x − zero point) · scale."""

    op_types = ("DequantizeLinear",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """The element, its scale and zero point."""
        return Kernel(
            ("quantize/scales.glsl", "quantize/dequantize.glsl"), _reads(call), MappingProxyType(_places(call))
        )

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """A product's rounding, u·|y|."""
        y = np.asarray(evaluation.output, dtype=np.float64)
        return pointwise(evaluation, 2.0 * evaluation.unit * np.abs(y))

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]]:
        """The element, its scale and zero point."""
        return _elements(call, element)


def quotients(call: Call, x: Array, scale: Array) -> NDArray[np.float64]:
    """x / scale, each element by its own scale, in the shape of x: what a QuantizeLinear rounds."""
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
    """How a scale is found; the names under which `quantize/scales.glsl` knows it."""
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
    """As the shader's `scale_of`."""
    count, inner, block, outer_stride, axis_stride, inner_stride = (int(value) for value in places.values())  # type: ignore[arg-type]
    a = index // inner % count
    return index // inner // count * outer_stride + a // block * axis_stride + index % inner * inner_stride


def integer_range(call: Call, target: str) -> tuple[float, float]:
    """Lowest and highest number of an integer type. Raises UnsupportedError for one of more than 16 bits."""
    limits = whole_range(target) if is_integer(target) else None
    if limits is None or limits[1] > _WIDEST.max:
        raise UnsupportedError(
            call.who, "integers of up to 16 bits, or floats of up to 8", f"'{target}'", "Quantize to fewer bits."
        )
    return float(limits[0]), float(limits[1])


OPERATORS = (QuantizeLinear(), DequantizeLinear())
