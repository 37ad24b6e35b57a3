"""What operators meant before opset 7, where onnx.reference knows the later meaning alone.

Binary operators broadcast only if told to (`broadcast`), and then line the second operand up with the first at
`axis`; slopes of PRelu are those of channels. `consumed_inputs`, a hint about memory in opset 1, never changed a
result; `output_sequence` of recurrent operators says what a missing output says too.
"""

from __future__ import annotations

from collections.abc import Sequence

from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.arithmetic.invocation import Array

_RECURRENT = frozenset(("GRU", "LSTM", "RNN"))
_BINARY = frozenset(("Add", "And", "Div", "Equal", "Greater", "Less", "Mul", "Or", "Pow", "Sub", "Xor"))


def is_old_binary(node: Node) -> bool:
    """Whether `node` is a binary operator that broadcasts in the old way."""
    return not node.domain and node.opset < 7 and node.op_type in _BINARY


def modern_name(node: Node) -> str:
    """What the operator is called by the evaluator."""
    return "ScatterElements" if not node.domain and node.op_type == "Scatter" else node.op_type


def obsolete_attributes(node: Node) -> frozenset[str]:
    """Attributes that the evaluator must not see."""
    if is_old_binary(node):
        return frozenset(("axis", "broadcast", "consumed_inputs"))
    if node.op_type in _RECURRENT:
        return frozenset(("output_sequence",))
    # There it is required, though as meaningless.
    return frozenset() if node.op_type == "BatchNormalization" else frozenset(("consumed_inputs",))


def lined_up(node: Node, inputs: Sequence[Array | None]) -> Sequence[Array | None]:
    """The inputs, of which the second one has trailing axes of 1 so that today's broadcasting lines it up at `axis`.

    Without `axis` the last axes are lined up, as today.
    """
    axis = _axis(node)
    if axis is None:
        return inputs
    first, second = inputs
    if first is None or second is None or second.size == 1:
        return inputs
    trailing = first.ndim - axis % first.ndim - second.ndim
    return first, second.reshape(*second.shape, *(1,) * max(0, trailing))


def _axis(node: Node) -> int | None:
    if not node.domain and node.op_type == "PRelu" and node.opset < 7:
        return 1
    return node.attributes.get("axis") if is_old_binary(node) and node.attributes.get("broadcast") else None
