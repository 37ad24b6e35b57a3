"""Det: the cofactors of each matrix."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.gradients.derivatives.backward import Backward


def det(node: Backward) -> None:
    """dX = dy · cofactors of X: determinants of what is left without a row and a column, with signs in turn.

    That is det X · (X⁻¹)ᵀ, and holds where X has no inverse.
    """
    *batch, size, _ = node.shape(0)
    count = node.count(tuple(batch))
    dy = node.to_shape(node.dy(), (count, 1, 1), label="dy_of_matrix")
    if size == 1:
        node.result(0, node.to_shape(dy, node.shape(0), label="dx"))
        return
    places = np.arange(size * size).reshape(size, size)
    left = [np.delete(np.delete(places, row, 0), column, 1) for row in range(size) for column in range(size)]
    rows = node.to_shape(node.x(0), (count, size * size), label="x_rows")
    picked = node.constant(np.concatenate([each.reshape(-1) for each in left]), "int64", "places")
    taken = node.add("Gather", rows, picked, label="x_left", axis=1)
    minors = node.add(
        "Det", node.to_shape(taken, (count * size * size, size - 1, size - 1), label="matrices_left"), label="minors"
    )
    signs = 1.0 - 2.0 * (np.indices((size, size)).sum(0) % 2)
    of_each = node.to_shape(minors, (count, size, size), label="minors_of_matrix")
    cofactors = node.add("Mul", of_each, node.constant(signs, label="signs"), label="cofactors")
    made = node.add("Mul", cofactors, dy, label="dx_of_matrix")
    node.result(0, node.to_shape(made, node.shape(0), label="dx"))


DERIVATIVES = {"Det": det}
FLAT = ()
