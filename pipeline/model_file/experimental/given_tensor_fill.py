"""GivenTensorFill: the values that the node holds, in a shape."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.experimental.filled import filled_shape

OPERATOR = "GivenTensorFill"


def write(node: Writer) -> None:
    """The shape is an attribute or that of the input."""
    values = np.asarray(node.required("values"), dtype=np.float32)
    node.result(0, node.constant(values.reshape(filled_shape(node))))
