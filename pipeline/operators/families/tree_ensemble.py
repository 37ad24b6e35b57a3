"""TreeEnsemble, of the program's own domain: decision trees as tables that every element walks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.operators.base import Array, Call, Constant, Evaluation, Kernel, Operator, turns_of
from texelscope.pipeline.operators.rounding import SMALLEST_NORMAL, gamma

AGGREGATES = ("SUM", "AVERAGE", "MIN", "MAX")


class TreeEnsemble(Operator):
    """What the leaves that a row falls into add up to, target by target."""

    op_types = ("TreeEnsemble",)

    def kernel(self, call: Call, output: int = 0) -> Kernel:
        """One element walks every tree from its root to a leaf."""
        names = {"NODES": "nodes", "WEIGHTS": "weights", "MEMBERS": "members", "ROOTS": "roots"}
        tables = {accessor: np.asarray(call.attribute(name)) for accessor, name in names.items()}
        nodes, trees = tables["NODES"], tables["ROOTS"].size
        depth = int(call.attribute("depth"))
        constants: dict[str, Constant] = {
            "TREES": trees,
            "DEPTH": depth,
            "AGGREGATE": AGGREGATES.index(str(call.attribute("aggregate"))),
        }
        longest = int(nodes[7].max(initial=0.0))
        turns = turns_of(trees, depth + longest)
        return Kernel(("tree_ensemble.glsl",), {"X": call.node.inputs[0]}, MappingProxyType(constants),
                      tables=MappingProxyType(tables), turns=turns)  # fmt: skip

    def error(self, call: Call, evaluation: Evaluation) -> Array:
        """γ(trees) of the weights' sizes; where a branch could go the other way, all that its weights may differ by."""
        weights, nodes = np.asarray(call.attribute("weights")), np.asarray(call.attribute("nodes"))
        trees = np.asarray(call.attribute("roots")).size
        largest = float(np.abs(weights[1]).max(initial=0.0))
        bound = np.full(evaluation.output.shape, 2.0 * gamma(trees + 3, evaluation.unit) * trees * largest)
        bound += trees * SMALLEST_NORMAL
        error = evaluation.errors[0]
        if error is None:
            return bound
        x = np.asarray(evaluation.inputs[0], dtype=np.float64)
        branches = nodes[:, nodes[1] > 0]
        features = branches[0].astype(np.int64)
        tips = (np.abs(x[:, features] - branches[2]) <= np.asarray(error)[:, features]).any(axis=1)
        return np.where(tips[:, None], bound + 2.0 * trees * largest, bound)

    def reads(self, call: Call, element: int) -> Mapping[int, NDArray[np.int64]] | None:
        """Which features decide is not known before the run."""
        return None


OPERATORS = (TreeEnsemble(),)
