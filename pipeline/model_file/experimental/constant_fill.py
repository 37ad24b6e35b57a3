"""ConstantFill: one value everywhere."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto, helper

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.experimental.filled import filled_shape

OPERATOR = "ConstantFill"


def write(node: Writer) -> None:
    """The shape is an attribute or that of the input."""
    dtype = np.dtype(helper.tensor_dtype_to_np_dtype(int(node.attribute("dtype", TensorProto.FLOAT))))
    value = helper.make_tensor("value", helper.np_dtype_to_tensor_dtype(dtype), [1], [node.attribute("value", 0.0)])
    shape = node.whole(*filled_shape(node), label="shape")
    node.result(0, node.add("ConstantOfShape", shape, value=value))
