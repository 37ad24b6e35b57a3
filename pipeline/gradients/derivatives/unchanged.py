"""Functions that leave numbers as they are: Identity, Cast, CastLike, Dropout."""

from __future__ import annotations

from texelscope.pipeline.gradients.derivatives.backward import Backward
from texelscope.pipeline.gradients.derivatives.formulas import of_one_input


def cast(node: Backward) -> None:
    """dx = dy, in the element type of x."""
    is_same = node.given(0).dtype == node.y_info().dtype
    node.result(0, node.dy() if is_same else node.add("CastLike", node.dy(), node.x(0)))


def dropout(node: Backward) -> None:
    """dx = dy; in training dy / (1 − ratio) where the node's mask says that x was kept, else 0.

    Raises UnsupportedError for training without a mask, and where it depends on the run.
    """
    is_training = node.opset >= 12 and node.has(2) and bool(node.value(2, "training_mode").any())
    ratio = float(node.value(1, "a ratio").item()) if is_training and node.has(1) else 0.5 * is_training
    if ratio == 0.0:
        node.result(0, node.dy())
        return
    if not node.makes(1):
        raise node.refusal("a mask as second output in training", "none", "Give the node that output.")
    kept = node.scaled(node.dy(), 1.0 / (1.0 - ratio) if ratio < 1.0 else 0.0)
    node.result(0, node.add("Where", node.y(1), kept, node.constant(0.0)))


DERIVATIVES = {"Cast": cast, "CastLike": cast, "Dropout": dropout, **of_one_input({"Identity": lambda f: f.dy})}
FLAT = ("BitCast",)
