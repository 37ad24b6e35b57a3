"""TreeEnsembleClassifier: the class of the largest sum of leaves, and the sums.

Where ONNX says nothing this is what ONNX Runtime does. A class whose weights a row never meets is not chosen. With
weights for one of two classes alone their sum s decides, for the second class above ½ if no weight is negative,
otherwise above 0; and where they are said to be those of the first one, its score is 1 − s or −s.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from onnx import TensorProto

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import labels, numbers
from texelscope.pipeline.model_file.ml.post_transform import transformed
from texelscope.pipeline.model_file.ml.trees import Trees, classic, sums

OPERATOR = "TreeEnsembleClassifier"


def write(node: Writer) -> None:
    """X [N, features] → class [N] and scores [N, classes]."""
    classes = labels(node, "classlabels_int64s", "classlabels_strings")
    base = numbers(node, "base_values_as_tensor", "base_values").tolist()
    kind = str(node.attribute("post_transform", "NONE"))
    trees = classic(node, "class")
    if len(classes) == 2 and len(np.unique(trees.weights[0])) == 1:
        chosen, scores = _of_one(node, trees, base, kind)
    else:
        found = sums(node, trees, len(classes), "SUM", base)
        met = found if base else _where_met(node, trees, found, len(classes))
        chosen = node.add("ArgMax", met, label="best", axis=-1, keepdims=0)
        scores = transformed(node, found, kind)
    node.result(0, node.add("Gather", node.constant(classes, "int64", label="classes"), chosen))
    node.result(1, scores)


def _where_met(node: Writer, trees: Trees, found: str, classes: int) -> str:
    """The sums, −∞ for a class of which no leaf had a weight."""
    leaves = trees.nodes[:, trees.nodes[1] == 0]
    ranges = (trees.weights[0, int(first) : int(first + count)] for first, count in leaves[6:8].T)
    if all(len(np.unique(targets)) == classes for targets in ranges):
        return found
    ones = dataclasses.replace(trees, weights=np.stack([trees.weights[0], np.ones_like(trees.weights[1])]))
    none = node.add("Equal", sums(node, ones, classes, "MAX", ()), node.constant(0.0, label="zero"), label="none")
    return node.add("Where", none, node.constant(-np.inf, label="never"), found, label="met")


def _of_one(node: Writer, trees: Trees, base: Sequence[float], kind: str) -> tuple[str, str]:
    """Whether it is the second class, int64 [N], and the scores of both."""
    of_first = not trees.weights[0].any()
    found = sums(node, trees, 1 if of_first else 2, "SUM", base)
    last = node.add("Gather", found, node.whole(-1, label="last"), label="score", axis=1)
    shares = bool((trees.weights[1] >= 0).all())
    above = node.add("Greater", last, node.constant(0.5 if shares else 0.0, label="limit"), label="above")
    chosen = node.reshape(node.add("Cast", above, label="second", to=TensorProto.INT64), -1, label="chosen")
    if not of_first:
        return chosen, transformed(node, found, kind)
    opposite = shares and kind != "LOGISTIC"
    other = node.add("Sub", node.constant(1.0, label="one"), found) if opposite else node.add("Neg", found)
    both = node.add("Concat", other, found, label="both", axis=1)
    return chosen, transformed(node, both, "LOGISTIC") if kind == "LOGISTIC" else both
