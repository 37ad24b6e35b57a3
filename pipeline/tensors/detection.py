"""Boxes that are left of those that overlap."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Node
from texelscope.pipeline.oracle.reference import Reference
from texelscope.pipeline.tensors.tensor import Tensor


def non_maximum_suppression(
    boxes: Tensor, scores: Tensor, *, iou_threshold: float = 0.5, score_threshold: float | None = None, most: int = 0
) -> NDArray[Any]:
    """Places of the boxes that are kept, int64, best scores first; `most` of them, or all.

    `boxes` are [n, 4], two opposite corners each, `scores` [n]. How many are kept depends on the numbers, and there
    may be none: no pass can write that. It is computed by the reference on the processor, of boxes and scores that are
    read back, and what comes out is an array.
    """
    count = boxes.shape[0] if boxes.ndim else 0
    if boxes.shape != (count, 4) or scores.shape != (count,):
        got = f"{list(boxes.shape)} and {list(scores.shape)}"
        raise TexelscopeError("non_maximum_suppression", "boxes [n, 4] and scores [n]", got, "Reshape them.")
    names = ("boxes", "scores", "most", "iou", "score")
    given = [
        boxes.numpy()[None],
        scores.numpy()[None, None],
        np.array([most or count], np.int64),
        np.array([iou_threshold], np.float32),
    ]
    if score_threshold is not None:
        given.append(np.array([score_threshold], np.float32))
    node = Node("kept", "NonMaxSuppression", names[: len(given)], ("kept",), {"center_point_box": 0}, opset=11)
    (kept,) = Reference().run_node(node, given)
    return np.asarray(kept, np.int64).reshape(-1, 3)[:, 2]
