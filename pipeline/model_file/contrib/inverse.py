"""Inverse: of small matrices, by determinants of what is left without a row and a column, over that of the whole."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.model_file.contrib.writer import Writer

OPERATOR = "Inverse"
LARGEST = 4  # rows; Det knows no larger ones


def write(node: Writer) -> None:
    """X […, n, n]."""
    shape, size = node.given(0).shape, node.given(0).shape[-1]
    if size > LARGEST:
        raise node.refusal(f"matrices of at most {LARGEST} rows", str(size), "Go on after it with the oracle's value.")
    if size == 1:
        node.result(0, node.add("Reciprocal", node.x(0)))
        return
    rows = np.arange(size)
    others = np.array([np.delete(rows, row) for row in rows])  # [row, n - 1]
    # At [j, i] stand the elements without row i and column j, in order.
    places = others[None, :, :, None] * size + others[:, None, None, :]
    flat = node.reshape(node.x(0), *shape[:-2], size * size, label="flat")
    minors = node.add("Gather", flat, node.constant(places, "int64", "places"), axis=len(shape) - 2, label="minors")
    signs = node.constant((-1.0) ** np.add.outer(rows, rows), label="signs")
    cofactors = node.add("Mul", node.add("Det", minors, label="determinants"), signs, label="cofactors")
    whole = node.add("Unsqueeze", node.add("Det", node.x(0)), node.whole(-2, -1, label="axes"), label="determinant")
    node.result(0, node.add("Div", cofactors, whole))
