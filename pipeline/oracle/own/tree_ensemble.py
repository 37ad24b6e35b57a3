"""Evaluates ensembles of trees, which are tables as `pipeline.model_file.ml.trees` makes them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from texelscope.pipeline.arithmetic.invocation import Array, Evaluate, Invocation, Outputs

_LEAST_OR_LARGEST = {"MIN": np.minimum, "MAX": np.maximum}


def tree_ensemble(invocation: Invocation) -> Outputs:
    """Evaluates TreeEnsemble: y[n, t] = the sum (mean, least, largest) over trees of the leaf weights of row n for t.

    Maps X [N, features] and the tables of `pipeline.model_file.ml.trees` as attributes → [N, targets].
    """
    x = np.asarray(invocation.required(0))
    weights, kind = np.asarray(invocation.attribute("weights")), str(invocation.attribute("aggregate"))
    nodes, roots = np.asarray(invocation.attribute("nodes")), np.asarray(invocation.attribute("roots"), dtype=np.int64)
    total = np.zeros((len(x), int(invocation.attribute("targets"))), dtype=x.dtype)
    seen = np.zeros(total.shape, dtype=bool)
    rows = np.arange(len(x))
    for root in roots:
        leaves = _leaves(invocation, x, nodes, int(root))
        for i in range(int(nodes[7, leaves].max(initial=0))):
            there = nodes[7, leaves] > i
            places = (nodes[6, leaves[there]] + i).astype(np.int64)
            at = rows[there], weights[0, places].astype(np.int64)
            added = weights[1, places].astype(x.dtype)
            if kind in _LEAST_OR_LARGEST:
                total[at] = np.where(seen[at], _LEAST_OR_LARGEST[kind](total[at], added), added)
                seen[at] = True
            else:
                np.add.at(total, at, added)
    return (total / x.dtype.type(len(roots)) if kind == "AVERAGE" else total,)


def _leaves(invocation: Invocation, x: Array, nodes: Array, root: int) -> Array:
    """Finds the leaf of each row in the tree from `root`."""
    members = np.asarray(invocation.attribute("members"))
    at = np.full(len(x), root)
    for _ in range(int(invocation.attribute("depth"))):
        column = nodes[:, at]
        mode, value = column[1].astype(np.int64), column[2]
        given = x[np.arange(len(x)), column[0].astype(np.int64)]
        holds = np.select(
            [mode == 1, mode == 2, mode == 3, mode == 4, mode == 5, mode == 6],
            [given <= value, given < value, given >= value, given > value, given == value, given != value],
            default=False,
        )
        for row in np.flatnonzero(mode == 7):
            first, count = (int(number) for number in column[6:8, row])
            holds[row] = bool((members[first : first + count] == given[row]).any())
        holds |= np.isnan(given) & (column[5] > 0)
        at = np.where(mode == 0, at, np.where(holds, column[3], column[4]).astype(np.int64))
    return at


OPERATORS: Mapping[str, Evaluate] = {
    "TreeEnsemble": tree_ensemble,
}
