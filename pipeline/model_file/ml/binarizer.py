"""Binarizer: y = 1 where x > threshold, else 0."""

from __future__ import annotations

import numpy as np
from onnx import helper

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import as_float

OPERATOR = "Binarizer"


def write(node: Writer) -> None:
    """X of any shape and type of numbers, which is that of Y."""
    above = node.add("Greater", as_float(node), node.constant(node.attribute("threshold", 0.0), label="threshold"))
    node.result(0, node.add("Cast", above, to=helper.np_dtype_to_tensor_dtype(np.dtype(node.given(0).dtype))))
