"""DynamicQuantizeLSTM: an LSTM of quantised weights, whose input and state are quantised as they come."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.model_file.contrib.quantised import as_float
from pipeline.model_file.contrib.writer import Writer

OPERATOR = "DynamicQuantizeLSTM"
_FLOAT = 1  # TensorProto.FLOAT
# Steps that are written out; each is some forty passes.
_MOST_STEPS = 64
_PLAIN = ("Sigmoid", "Tanh", "Tanh")


@dataclass(frozen=True)
class _Weights:
    """Of one direction: codes less their zero point, whole numbers [rows, 4 · hidden], and their scales."""

    codes: str
    scale: str


def write(node: Writer) -> None:
    """X [S, B, I], W [D, I, 4 · H], R [D, H, 4 · H], B, lengths, states, P, then scale and zero point of W and R."""
    steps, directions = node.given(0).shape[0], node.given(1).shape[0]
    _check(node, steps)
    backward = [str(node.attribute("direction", "forward")) == "reverse", True][:directions]
    found = [_direction(node, direction, steps, backward=turned) for direction, turned in enumerate(backward)]
    axis = node.whole(1, label="axes")
    rows = [
        node.add("Concat", *(node.add("Unsqueeze", hidden[step], axis) for hidden, _ in found), axis=1, label="step")
        for step in range(steps)
    ]
    first = node.whole(0, label="axes")
    all_rows = [node.add("Unsqueeze", row, first) for row in rows]
    # A row is [B, D, H]; Y is [S, D, B, H].
    y = node.add("Transpose", node.add("Concat", *all_rows, axis=0), perm=[0, 2, 1, 3], label="all")
    node.result(0, y)
    last = [hidden[0 if turned else -1] for (hidden, _), turned in zip(found, backward, strict=True)]
    for position, ends in ((1, last), (2, [cell for _, cell in found])):
        if node.wants(position):
            stacked = [node.add("Unsqueeze", each, first) for each in ends]
            node.result(position, node.add("Concat", *stacked, axis=0, label="ends"))


def _check(node: Writer, steps: int) -> None:
    said = ("activations", "clip", "input_forget")
    asked = [name for name in said if node.attribute(name, 0)] + [
        what for position, what in ((4, "lengths"), (7, "peepholes")) if node.has(position)
    ]
    if node.attribute("activations", ()) in (_PLAIN, _PLAIN * 2):
        asked.remove("activations")
    if asked or steps > _MOST_STEPS:
        got = ", ".join(asked) or f"{steps} steps"
        raise node.refusal(f"a plain LSTM of at most {_MOST_STEPS} steps", got, "Run up to it.")


def _direction(node: Writer, direction: int, steps: int, *, backward: bool) -> tuple[list[str], str]:
    """The hidden states [B, H] by place in the sequence, and the last cell [B, H]."""
    inputs, states = _weights(node, 1, 8, 9, direction), _weights(node, 2, 10, 11, direction)
    gates = _product(node, node.x(0), inputs, "inputs")
    if node.has(3):
        both = _row(node, node.x(3), direction)
        parts = node.add_several("Split", both, labels=("bias/inputs", "bias/states"), axis=0, num_outputs=2)
        gates = node.add("Add", gates, node.add("Add", *parts, label="bias"), label="biased")
    labels = [f"gates/{step}" for step in range(steps)]
    first = node.whole(0, label="axes")
    by_step = [
        node.add("Squeeze", each, first)
        for each in node.add_several("Split", gates, labels=labels, axis=0, num_outputs=steps)
    ]
    hidden = _row(node, node.x(5), direction) if node.has(5) else ""
    cell = _row(node, node.x(6), direction) if node.has(6) else ""
    found = [""] * steps
    for step in reversed(range(steps)) if backward else range(steps):
        hidden, cell = _step(node, by_step[step], states, hidden, cell)
        found[step] = hidden
    return found, cell


def _step(node: Writer, gates: str, states: _Weights, hidden: str, cell: str) -> tuple[str, str]:
    """The next hidden state and cell; an empty name stands for zeros."""
    if hidden:
        gates = node.add("Add", gates, _product(node, hidden, states, "states"), label="gates")
    parts = node.add_several("Split", gates, labels=("i", "o", "f", "c"), axis=-1, num_outputs=4)
    enters, leaves, stays = (node.add("Sigmoid", part) for part in parts[:3])
    new = node.add("Mul", enters, node.add("Tanh", parts[3]), label="new")
    new = node.add("Add", node.add("Mul", stays, cell, label="kept"), new, label="cell") if cell else new
    return node.add("Mul", leaves, node.add("Tanh", new), label="hidden"), new


def _product(node: Writer, x: str, weights: _Weights, label: str) -> str:
    """`x`, quantised by its range, times weights, in real numbers."""
    codes, scale, zero = node.add_several(
        "DynamicQuantizeLinear", x, labels=(f"{label}/codes", f"{label}/scale", f"{label}/zero")
    )
    less = node.add("Sub", *(node.add("Cast", each, to=_FLOAT) for each in (codes, zero)), label=f"{label}/shifted")
    product = node.add("MatMul", less, weights.codes, label=f"{label}/product")
    return node.add("Mul", product, node.add("Mul", scale, weights.scale, label=f"{label}/scales"), label=label)


def _weights(node: Writer, position: int, scale: int, zero: int, direction: int) -> _Weights:
    codes = _row(node, as_float(node, position), direction)
    less = node.add("Sub", codes, _row(node, as_float(node, zero), direction), label="weights")
    return _Weights(less, _row(node, node.x(scale), direction))


def _row(node: Writer, x: str, direction: int) -> str:
    """What a tensor has for one direction, its first axis gone."""
    return node.add("Gather", x, node.constant(direction, "int64", "direction"), axis=0)
