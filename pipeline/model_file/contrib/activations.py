"""Expands activations, alone or of a sum with a bias, and sums that models have beside them."""

from __future__ import annotations

from collections.abc import Mapping

from texelscope.pipeline.model_file.contrib.quantised import per_tensor
from texelscope.pipeline.model_file.contrib.writer import Write, Writer


def gelu(node: Writer) -> None:
    """Expands Gelu: y = x·Φ(x). Takes X of any shape."""
    node.result(0, node.add("Gelu", node.x(0)))


def bias_gelu(node: Writer) -> None:
    """Expands BiasGelu: y = Gelu(a + b), b along the last axis. Takes A of any shape, B [last axis of A]."""
    node.result(0, node.add("Gelu", node.add("Add", node.x(0), node.x(1), label="sum")))


def bias_split_gelu(node: Writer) -> None:
    """Expands BiasSplitGelu: the left half of x + bias times Gelu of the right half. Takes X [N, S, D], bias [D]."""
    biased = node.add("Add", node.x(0), node.x(1), label="biased")
    left, right = node.add_several("Split", biased, labels=("left", "right"), axis=-1, num_outputs=2)
    node.result(0, node.add("Mul", left, node.add("Gelu", right)))


def fast_gelu(node: Writer) -> None:
    """Expands FastGelu: Gelu by a hyperbolic tangent, of x or of x + bias. Takes X, perhaps a bias [last axis of X]."""
    x = node.add("Add", node.x(0), node.x(1), label="sum") if node.has(1) else node.x(0)
    node.result(0, node.add("Gelu", x, approximate="tanh"))


def quick_gelu(node: Writer) -> None:
    """Expands QuickGelu: y = x · sigmoid(α·x). Takes X of any shape."""
    scaled = node.add("Mul", node.x(0), node.constant(node.attribute("alpha", 1.702), label="alpha"), label="scaled")
    node.result(0, node.add("Mul", node.x(0), node.add("Sigmoid", scaled, label="gate")))


def scaled_silu(node: Writer) -> None:
    """Expands ScaledSiLU: y = z · sigmoid(z), z = scale · x. Takes X, and a scale that overrides `alpha`."""
    scale = per_tensor(node, 1) if node.has(1) else node.constant(float(node.attribute("alpha", 1.0)), label="alpha")
    scaled = node.add("Mul", node.x(0), scale, label="scaled")
    node.result(0, node.add("Mul", scaled, node.add("Sigmoid", scaled, label="gate")))


def bias_add(node: Writer) -> None:
    """Expands BiasAdd: y = x + bias + skip, the bias along the last axis. Takes X, skip [N, S, C], bias [C]."""
    node.result(0, node.add("Add", node.add("Add", node.x(0), node.x(1), label="biased"), node.x(2)))


def bias_softmax(node: Writer) -> None:
    """Expands BiasSoftmax: softmax(x + bias) over the axes from one on.

    Takes X, and a bias that lacks, or has of size 1, the axes that it is repeated along.
    """
    given, bias = node.given(0), node.given(1)
    axis = int(node.attribute("axis", 1)) % given.rank
    if bias.rank != given.rank:
        raise node.refusal(f"a bias of {given.rank} axes", str(list(bias.shape)))
    total = node.add("Add", given.name, bias.name, label="sum")
    if axis == given.rank - 1:
        node.result(0, node.add("Softmax", total, axis=-1))
        return
    share = node.add("Softmax", node.add("Flatten", total, axis=axis), axis=-1)
    node.result(0, node.reshape(share, *given.shape))


def gated_add(node: Writer) -> None:
    """Expands GatedAdd: y = a + b · gate, one gate per row. Takes A and B […, C], gate […, 1]."""
    node.result(0, node.add("Add", node.x(0), node.add("Mul", node.x(1), node.x(2), label="gated")))


OPERATORS: Mapping[str, Write] = {
    "Gelu": gelu,
    "BiasGelu": bias_gelu,
    "BiasSplitGelu": bias_split_gelu,
    "FastGelu": fast_gelu,
    "QuickGelu": quick_gelu,
    "ScaledSiLU": scaled_silu,
    "BiasAdd": bias_add,
    "BiasSoftmax": bias_softmax,
    "GatedAdd": gated_add,
}
