"""Expands steps of optimisers: inputs and outputs come by weight, and a share of the weight joins its gradient."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from onnx import TensorProto

from texelscope.pipeline.model_file.contrib.writer import Write, Writer

# The rate and the count of steps come before the weights.
FIRST = 2


def weights(node: Writer, kinds: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yields for each weight its tensors, one of each kind (X, G, …), and its number."""
    count = (len(node.inputs) - FIRST) // kinds
    for number in range(count):
        yield tuple(node.x(FIRST + kind * count + number) for kind in range(kinds)), number


def results(node: Writer, number: int, tensors: Sequence[str]) -> None:
    """Makes `tensors`, one of each kind, the outputs of the weight of that number."""
    count = len(node.outputs) // len(tensors)
    for kind, tensor in enumerate(tensors):
        node.result(kind * count + number, tensor)


def scalar(node: Writer, name: str, default: float) -> str:
    """Returns an attribute as a constant."""
    return node.constant(float(node.attribute(name, default)), label=name)


def regularised(node: Writer, x: str, gradient: str) -> str:
    """Returns G + norm_coefficient · X."""
    share = node.add("Mul", x, scalar(node, "norm_coefficient", 0.0), label="share")
    return node.add("Add", gradient, share, label="gradient")


def steps(node: Writer) -> str:
    """Returns T in float32."""
    return node.add("Cast", node.x(1), label="steps", to=TensorProto.FLOAT)


def mixed(node: Writer, old: str, new: str, share: str, label: str) -> str:
    """Returns share · old + (1 − share) · new."""
    rest = node.add("Sub", node.constant(1.0, label="one"), share, label=f"{label}_rest")
    kept = node.add("Mul", share, old, label=f"{label}_kept")
    return node.add("Add", kept, node.add("Mul", rest, new, label=f"{label}_taken"), label=label)


def adagrad(node: Writer) -> None:
    """Expands Adagrad: H' = H + G²; X' = X − R / (1 + T · decay) · G / (√H' + ε). Takes R, T, all X, all G, all H."""
    decay = node.add("Mul", steps(node), scalar(node, "decay_factor", 0.0), label="decay")
    slower = node.add("Add", node.constant(1.0, label="one"), decay, label="slower")
    rate = node.add("Div", node.x(0), slower, label="rate")
    for (x, given, squares), number in weights(node, 3):
        gradient = regularised(node, x, given)
        remembered = node.add("Add", squares, node.add("Mul", gradient, gradient, label="square"), label="squares")
        deviation = node.add("Add", node.add("Sqrt", remembered), scalar(node, "epsilon", 0.0), label="deviation")
        step = node.add("Div", node.add("Mul", rate, gradient, label="scaled"), deviation, label="step")
        results(node, number, (node.add("Sub", x, step), remembered))


def adam(node: Writer) -> None:
    """Expands Adam: V' = α·V + (1 − α)·G; H' = β·H + (1 − β)·G²; X' = X − R · √(1 − β^T) / (1 − α^T) · V' / (√H' + ε).

    Takes R, T, all X, all G, all V, all H → all X', all V', all H'. Before the first step the rate is R itself.
    """
    alpha, beta = scalar(node, "alpha", 0.9), scalar(node, "beta", 0.999)
    rate = _rate(node, alpha, beta)
    one = node.constant(1.0, label="one")
    shrink = node.add("Sub", one, scalar(node, "norm_coefficient_post", 0.0), label="shrink")
    for (x, given, momentum, squares), number in weights(node, 4):
        gradient = regularised(node, x, given)
        mean = mixed(node, momentum, gradient, alpha, "mean")
        remembered = mixed(node, squares, node.add("Mul", gradient, gradient, label="square"), beta, "squares")
        deviation = node.add("Add", node.add("Sqrt", remembered), scalar(node, "epsilon", 0.0), label="deviation")
        step = node.add("Div", node.add("Mul", rate, mean, label="scaled"), deviation, label="step")
        results(node, number, (node.add("Mul", shrink, node.add("Sub", x, step)), mean, remembered))


def _rate(node: Writer, alpha: str, beta: str) -> str:
    one, count = node.constant(1.0, label="one"), steps(node)
    first = node.add("Sub", one, node.add("Pow", alpha, count, label="alpha_power"), label="of_mean")
    second = node.add("Sub", one, node.add("Pow", beta, count, label="beta_power"), label="of_squares")
    adjusted = node.add("Div", node.add("Mul", node.x(0), node.add("Sqrt", second)), first, label="adjusted")
    started = node.add("Greater", count, node.constant(0.0, label="zero"), label="started")
    return node.add("Where", started, adjusted, node.x(0), label="rate")


def momentum(node: Writer) -> None:
    """Expands Momentum: V' = α·V + β·G, before the first step with 1 for β; X' = X − R·V', or by Nesterov R·(G + α·V').

    Takes R, T, all X, all G, all V → all X', all V'. Raises UnsupportedError for another mode.
    """
    mode = str(node.attribute("mode", "standard"))
    if mode not in ("standard", "nesterov"):
        raise node.refusal("mode standard or nesterov", f"'{mode}'")
    alpha = scalar(node, "alpha", 0.9)
    started = node.add("Greater", steps(node), node.constant(0.0, label="zero"), label="started")
    beta = node.add("Where", started, scalar(node, "beta", 1.0), node.constant(1.0, label="one"), label="share")
    for (x, given, momentum), number in weights(node, 3):
        gradient = regularised(node, x, given)
        kept = node.add("Mul", alpha, momentum, label="kept")
        mean = node.add("Add", kept, node.add("Mul", beta, gradient, label="taken"), label="mean")
        ahead = mean
        if mode == "nesterov":
            ahead = node.add("Add", gradient, node.add("Mul", alpha, mean, label="next"), label="ahead")
        results(node, number, (node.add("Sub", x, node.add("Mul", node.x(0), ahead, label="step")), mean))


OPERATORS: Mapping[str, Write] = {
    "Adagrad": adagrad,
    "Adam": adam,
    "Momentum": momentum,
}
