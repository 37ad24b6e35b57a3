"""What the steps share: which inputs and outputs belong together, and the gradient with its share of the weight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onnx import TensorProto

from texelscope.pipeline.model_file.contrib.writer import Writer

# The rate and the count of steps come before the weights.
FIRST = 2


def weights(node: Writer, kinds: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """For each weight its tensors, one of each kind (X, G, …), and its number."""
    count = (len(node.inputs) - FIRST) // kinds
    for number in range(count):
        yield tuple(node.x(FIRST + kind * count + number) for kind in range(kinds)), number


def results(node: Writer, number: int, tensors: Sequence[str]) -> None:
    """Makes `tensors`, one of each kind, the outputs of the weight of that number."""
    count = len(node.outputs) // len(tensors)
    for kind, tensor in enumerate(tensors):
        node.result(kind * count + number, tensor)


def scalar(node: Writer, name: str, default: float) -> str:
    """An attribute as a constant."""
    return node.constant(float(node.attribute(name, default)), label=name)


def regularised(node: Writer, x: str, gradient: str) -> str:
    """G + norm_coefficient · X."""
    share = node.add("Mul", x, scalar(node, "norm_coefficient", 0.0), label="share")
    return node.add("Add", gradient, share, label="gradient")


def steps(node: Writer) -> str:
    """T in float32."""
    return node.add("Cast", node.x(1), label="steps", to=TensorProto.FLOAT)


def mixed(node: Writer, old: str, new: str, share: str, label: str) -> str:
    """share · old + (1 − share) · new."""
    rest = node.add("Sub", node.constant(1.0, label="one"), share, label=f"{label}_rest")
    kept = node.add("Mul", share, old, label=f"{label}_kept")
    return node.add("Add", kept, node.add("Mul", rest, new, label=f"{label}_taken"), label=label)
