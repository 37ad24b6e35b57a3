"""What scores become at the end: shares, logistic functions, or what they are."""

from __future__ import annotations

from onnx import TensorProto

from texelscope.pipeline.model_file.contrib.writer import Writer


def transformed(node: Writer, scores: str, kind: str) -> str:
    """`scores` [N, targets] after the transformation. Raises UnsupportedError for a kind that is none of ONNX's."""
    match kind:
        case "NONE":
            return scores
        case "SOFTMAX":
            return node.add("Softmax", scores, axis=-1)
        case "LOGISTIC":
            return node.add("Sigmoid", scores, label="logistic")
        case "SOFTMAX_ZERO":  # scores of 0 stay 0 and take no share
            zero = node.constant(0.0, label="zero")
            here = node.add("Not", node.add("Equal", scores, zero), label="here")
            largest = node.add("ReduceMax", scores, node.whole(-1, label="axes"), label="largest")
            power = node.add("Exp", node.add("Sub", scores, largest))
            kept = node.add("Mul", power, node.add("Cast", here, to=TensorProto.FLOAT), label="kept")
            total = node.add("ReduceSum", kept, node.whole(-1, label="axes"), label="total")
            some = node.add("Where", node.add("Equal", total, zero), node.constant(1.0, label="one"), total)
            return node.add("Div", kept, some)
    raise node.refusal("post_transform NONE, SOFTMAX, SOFTMAX_ZERO or LOGISTIC", f"'{kind}'", "Transform the scores.")
