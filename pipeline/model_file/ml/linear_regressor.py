"""LinearRegressor: Y = X · Cᵀ + intercepts."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.linear import linear
from texelscope.pipeline.model_file.ml.post_transform import transformed

OPERATOR = "LinearRegressor"


def write(node: Writer) -> None:
    """X [N, features], coefficients [targets · features]."""
    scores = linear(node, int(node.attribute("targets", 1)))
    node.result(0, transformed(node, scores, str(node.attribute("post_transform", "NONE"))))
