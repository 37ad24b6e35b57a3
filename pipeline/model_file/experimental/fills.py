"""Expands experimental operators that fill tensors, or take a part of one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from onnx import TensorProto, helper

from texelscope.pipeline.graph import Shape
from texelscope.pipeline.model_file.contrib.writer import Write, Writer


def filled_shape(node: Writer) -> Shape:
    """Returns the shape of the node's output. Raises UnsupportedError if it depends on the run."""
    if not node.has(0):
        return tuple(int(size) for size in node.required("shape"))
    given = node.value(0, "a shape") if node.attribute("input_as_shape", 0) else node.given(0).shape
    return (*(int(size) for size in given), *(int(size) for size in node.attribute("extra_shape", ())))


def constant_fill(node: Writer) -> None:
    """Expands ConstantFill: one value everywhere. Takes the shape from an attribute or from the input."""
    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(int(node.attribute("dtype", TensorProto.FLOAT))))
    value = helper.make_tensor("value", helper.np_dtype_to_tensor_dtype(dtype), [1], [node.attribute("value", 0.0)])
    shape = node.whole(*filled_shape(node), label="shape")
    node.result(0, node.add("ConstantOfShape", shape, value=value))


def given_tensor_fill(node: Writer) -> None:
    """Expands GivenTensorFill: the node's own values, in a shape. Takes that from an attribute or the input."""
    values = np.asarray(node.required("values"), dtype=np.float32)
    node.result(0, node.constant(values.reshape(filled_shape(node))))


def crop(node: Writer) -> None:
    """Expands Crop: the plane without its border, or a part of a given size that begins inside the border.

    Takes X [N, C, H, W]; `border` is left, top, right, bottom, `scale` height and width. Raises UnsupportedError for a
    border or a size that is not within the plane.
    """
    left, top, right, bottom = (int(size) for size in node.attribute("border", (0, 0, 0, 0)))
    height, width = node.given(0).shape[-2:]
    if "scale" in node.attributes:
        rows, columns = (int(size) for size in node.attributes["scale"])
    else:
        rows, columns = height - top - bottom, width - left - right
    if min(left, top) < 0 or min(rows, columns) < 1 or top + rows > height or left + columns > width:
        raise node.refusal("a part of the picture", f"{rows}x{columns} from {top}, {left} of {height}x{width}")
    starts, ends = node.whole(top, left, label="starts"), node.whole(top + rows, left + columns, label="ends")
    node.result(0, node.add("Slice", node.x(0), starts, ends, node.whole(2, 3, label="axes")))


def dynamic_slice(node: Writer) -> None:
    """Expands DynamicSlice: Slice with starts, ends and axes as inputs, as in opset 10.

    Takes data, starts, ends and perhaps axes.
    """
    node.result(0, node.add("Slice", *(node.x(position) for position in range(4 if node.has(3) else 3))))


OPERATORS: Mapping[str, Write] = {
    "ConstantFill": constant_fill,
    "GivenTensorFill": given_tensor_fill,
    "Crop": crop,
    "DynamicSlice": dynamic_slice,
}
