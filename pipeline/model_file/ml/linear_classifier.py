"""LinearClassifier: the class of the largest of several linear functions, and what they are."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.linear import linear
from texelscope.pipeline.model_file.ml.numbers import labels, numbers
from texelscope.pipeline.model_file.ml.post_transform import transformed

OPERATOR = "LinearClassifier"


def write(node: Writer) -> None:
    """X [N, features]. Raises UnsupportedError for one function of two classes, which ONNX does not define."""
    classes = labels(node, "classlabels_ints", "classlabels_strings")
    functions = max(1, numbers(node, "intercepts").size)
    if functions != len(classes):
        raise node.refusal(f"a function for each of {len(classes)} classes", str(functions), "Export one for each.")
    scores = linear(node, functions)
    best = node.add("ArgMax", scores, label="best", axis=-1, keepdims=0)
    node.result(0, node.add("Gather", node.constant(classes, "int64", label="classes"), best))
    node.result(1, transformed(node, scores, str(node.attribute("post_transform", "NONE"))))
