"""TreeEnsembleRegressor: what the leaves that a row falls into add up to, target by target."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import numbers
from texelscope.pipeline.model_file.ml.post_transform import transformed
from texelscope.pipeline.model_file.ml.trees import classic, sums

OPERATOR = "TreeEnsembleRegressor"


def write(node: Writer) -> None:
    """X [N, features] → [N, targets]."""
    base = numbers(node, "base_values_as_tensor", "base_values").tolist()
    targets = int(node.attribute("n_targets", 1))
    found = sums(node, classic(node, "target"), targets, str(node.attribute("aggregate_function", "SUM")), base)
    node.result(0, transformed(node, found, str(node.attribute("post_transform", "NONE"))))
