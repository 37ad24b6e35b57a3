"""Normalizer: each row by its largest element, its sum of absolute values, or the root of its sum of squares."""

from __future__ import annotations

from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import as_float

OPERATOR = "Normalizer"
_NORMS = {"MAX": "ReduceMax", "L1": "ReduceL1", "L2": "ReduceL2"}


def write(node: Writer) -> None:
    """X [N, C] or [C]. A row whose norm is 0 stays. Raises UnsupportedError for another norm."""
    kind = str(node.attribute("norm", "MAX"))
    if kind not in _NORMS:
        raise node.refusal(f"norm {', '.join(_NORMS)}", f"'{kind}'")
    x = as_float(node)
    norm = node.add(_NORMS[kind], x, node.whole(-1, label="axes"), label="norm")
    none = node.add("Equal", norm, node.constant(0.0, label="zero"))
    node.result(0, node.add("Div", x, node.add("Where", none, node.constant(1.0, label="one"), norm, label="divisor")))
