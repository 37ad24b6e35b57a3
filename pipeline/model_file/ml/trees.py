"""Expands ensembles of trees, which are tables: one column per node, leaves too, and the weights that leaves add."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from texelscope.pipeline.graph import OWN_DOMAIN
from texelscope.pipeline.model_file.contrib.writer import Write, Writer
from texelscope.pipeline.model_file.ml.features import as_float, labels, numbers, transformed

# The second row of the table: 0 for a leaf. The last one is for a set of members.
MODES = ("LEAF", "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER")
_AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
_TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


@dataclass(frozen=True)
class Trees:
    """Has `nodes` [8, count]: feature, mode, value, nodes if it holds and if not, whether NaN counts as holding, the
    first of the leaf's weights or the branch's members, and their number. `weights` [2, count]: target, weight.
    """

    nodes: NDArray[np.float32]
    weights: NDArray[np.float32]
    members: NDArray[np.float32]
    roots: NDArray[np.float32]
    depth: int


def sums(node: Writer, trees: Trees, targets: int, aggregate: str, base: Sequence[float]) -> str:
    """Adds the trees' sums for X [N, features], [N, targets], and the base values."""
    if aggregate not in ("SUM", "AVERAGE", "MIN", "MAX"):
        raise node.refusal("aggregate_function SUM, AVERAGE, MIN or MAX", f"'{aggregate}'")
    tables = {
        name: numpy_helper.from_array(np.ascontiguousarray(table), name)
        for name, table in (("nodes", trees.nodes), ("weights", trees.weights), ("members", trees.members),
                            ("roots", trees.roots))
    }  # fmt: skip
    found = node.add(
        "TreeEnsemble", as_float(node), label="sums", domain=OWN_DOMAIN, **tables,
        targets=targets, aggregate=aggregate, depth=trees.depth,
    )  # fmt: skip
    return node.add("Add", found, node.constant(base, label="base")) if len(base) else found


def depth_of(nodes: NDArray[np.float32], roots: Sequence[int]) -> int:
    """Counts branches on the longest path. Raises ValueError for a path that does not end."""
    level, depth = {int(root) for root in roots}, 0
    while level:
        branches = [at for at in level if nodes[1, at]]
        level = {int(nodes[row, at]) for at in branches for row in (3, 4)}
        depth += bool(branches)
        if depth > nodes.shape[1]:
            raise ValueError("a tree that runs in a circle")
    return depth


def classic(node: Writer, prefix: str) -> Trees:
    """Reads the trees of TreeEnsembleRegressor (`prefix` is target) and TreeEnsembleClassifier (class)."""
    owners = list(zip(node.required("nodes_treeids"), node.required("nodes_nodeids"), strict=True))
    place = {owner: at for at, owner in enumerate(owners)}
    modes = [MODES.index(str(mode)) for mode in node.required("nodes_modes")]
    values = node.attribute("nodes_values_as_tensor", node.attribute("nodes_values", ()))
    nan = node.attribute("nodes_missing_value_tracks_true", ()) or (0,) * len(owners)
    nodes = np.zeros((8, len(owners)), dtype=np.float32)
    nodes[0], nodes[1], nodes[2], nodes[5] = node.required("nodes_featureids"), modes, np.asarray(values), nan
    for row, name in ((3, "nodes_truenodeids"), (4, "nodes_falsenodeids")):
        for at, ((tree, _), child) in enumerate(zip(owners, node.required(name), strict=True)):
            nodes[row, at] = place[tree, child] if modes[at] else 0
    leaves = list(zip(node.required(f"{prefix}_treeids"), node.required(f"{prefix}_nodeids"), strict=True))
    amounts = node.attribute(f"{prefix}_weights_as_tensor", node.attribute(f"{prefix}_weights", ()))
    order = sorted(range(len(leaves)), key=lambda i: place[leaves[i]])
    targets = node.required(f"{prefix}_ids")
    weights = np.array([[targets[i] for i in order], [amounts[i] for i in order]], dtype=np.float32)
    for position, i in enumerate(order):
        at = place[leaves[i]]
        nodes[6, at] = position if not nodes[7, at] else nodes[6, at]
        nodes[7, at] += 1
    sides = (node.required("nodes_truenodeids"), node.required("nodes_falsenodeids"))
    children = {(tree, side[at]) for at, (tree, _) in enumerate(owners) if modes[at] for side in sides}
    roots = [at for at, owner in enumerate(owners) if owner not in children]
    return Trees(nodes, weights, np.zeros(1, np.float32), np.array(roots, np.float32), depth_of(nodes, roots))


def plain(node: Writer) -> Trees:
    """Reads the trees of TreeEnsemble: leaves have separate numbers, and one weight each."""
    modes = np.asarray(node.required("nodes_modes"), dtype=np.int64) + 1
    count, leaf_weights = len(modes), np.asarray(node.required("leaf_weights"), dtype=np.float32)
    nodes = np.zeros((8, count + len(leaf_weights)), dtype=np.float32)
    nodes[0, :count], nodes[1, :count] = node.required("nodes_featureids"), modes
    nodes[2, :count] = np.asarray(node.required("nodes_splits"))
    for row, side in ((3, "true"), (4, "false")):
        is_leaf = np.asarray(node.required(f"nodes_{side}leafs"))
        nodes[row, :count] = np.asarray(node.required(f"nodes_{side}nodeids")) + np.where(is_leaf, count, 0)
    nodes[5, :count] = node.attribute("nodes_missing_value_tracks_true", ()) or 0
    nodes[6, count:], nodes[7, count:] = np.arange(len(leaf_weights)), 1
    sets = np.asarray(node.attribute("membership_values", np.zeros(0)), dtype=np.float32).reshape(-1)
    start = 0
    for at in np.flatnonzero(modes == MODES.index("BRANCH_MEMBER")):  # one set after another, NaN behind each
        end = start + int(np.flatnonzero(np.isnan(sets[start:]))[0])
        nodes[6, at], nodes[7, at] = start, end - start
        start = end + 1
    weights = np.stack([np.asarray(node.required("leaf_targetids"), dtype=np.float32), leaf_weights])
    roots = [int(root) for root in node.required("tree_roots")]
    members = np.nan_to_num(sets) if sets.size else np.zeros(1, np.float32)
    return Trees(nodes, weights, members, np.array(roots, np.float32), depth_of(nodes, roots))


def tree_ensemble(node: Writer) -> None:
    """Expands TreeEnsemble: the sum of the leaves that a row reaches, target by target. Takes X [N, features]."""
    aggregate = _AGGREGATES[int(node.attribute("aggregate_function", 1))]
    found = sums(node, plain(node), int(node.required("n_targets")), aggregate, ())
    found = transformed(node, found, _TRANSFORMS[int(node.attribute("post_transform", 0))])
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(node.given(0).dtype))
    node.result(0, found if kind == TensorProto.FLOAT else node.add("Cast", found, to=kind))


def tree_ensemble_regressor(node: Writer) -> None:
    """Expands TreeEnsembleRegressor: the sum of the leaves that a row reaches, target by target.

    Takes X [N, features] → [N, targets].
    """
    base = numbers(node, "base_values_as_tensor", "base_values").tolist()
    targets = int(node.attribute("n_targets", 1))
    found = sums(node, classic(node, "target"), targets, str(node.attribute("aggregate_function", "SUM")), base)
    node.result(0, transformed(node, found, str(node.attribute("post_transform", "NONE"))))


def tree_ensemble_classifier(node: Writer) -> None:
    """Expands TreeEnsembleClassifier: the class of the largest sum of leaves, and the sums.

    Where ONNX is silent this follows ONNX Runtime. A class whose weights a row never reaches is not chosen. With
    weights for only one of two classes their sum s decides, for the second class above ½ if no weight is negative,
    otherwise above 0; and if they are declared as the first one's, its score is 1 − s or −s. Takes X [N, features] →
    class [N] and scores [N, classes].
    """
    classes = labels(node, "classlabels_int64s", "classlabels_strings")
    base = numbers(node, "base_values_as_tensor", "base_values").tolist()
    kind = str(node.attribute("post_transform", "NONE"))
    trees = classic(node, "class")
    if len(classes) == 2 and len(np.unique(trees.weights[0])) == 1:
        chosen, scores = _of_one(node, trees, base, kind)
    else:
        found = sums(node, trees, len(classes), "SUM", base)
        met = found if base else _where_met(node, trees, found, len(classes))
        chosen = node.add("ArgMax", met, label="best", axis=-1, keepdims=0)
        scores = transformed(node, found, kind)
    node.result(0, node.add("Gather", node.constant(classes, "int64", label="classes"), chosen))
    node.result(1, scores)


def _where_met(node: Writer, trees: Trees, found: str, classes: int) -> str:
    """Returns the sums, −∞ for a class of which no leaf had a weight."""
    leaves = trees.nodes[:, trees.nodes[1] == 0]
    ranges = (trees.weights[0, int(first) : int(first + count)] for first, count in leaves[6:8].T)
    if all(len(np.unique(targets)) == classes for targets in ranges):
        return found
    ones = dataclasses.replace(trees, weights=np.stack([trees.weights[0], np.ones_like(trees.weights[1])]))
    none = node.add("Equal", sums(node, ones, classes, "MAX", ()), node.constant(0.0, label="zero"), label="none")
    return node.add("Where", none, node.constant(-np.inf, label="never"), found, label="met")


def _of_one(node: Writer, trees: Trees, base: Sequence[float], kind: str) -> tuple[str, str]:
    """Returns whether it is the second class, int64 [N], and the scores of both."""
    of_first = not trees.weights[0].any()
    found = sums(node, trees, 1 if of_first else 2, "SUM", base)
    last = node.add("Gather", found, node.whole(-1, label="last"), label="score", axis=1)
    shares = bool((trees.weights[1] >= 0).all())
    above = node.add("Greater", last, node.constant(0.5 if shares else 0.0, label="limit"), label="above")
    chosen = node.reshape(node.add("Cast", above, label="second", to=TensorProto.INT64), -1, label="chosen")
    if not of_first:
        return chosen, transformed(node, found, kind)
    opposite = shares and kind != "LOGISTIC"
    other = node.add("Sub", node.constant(1.0, label="one"), found) if opposite else node.add("Neg", found)
    both = node.add("Concat", other, found, label="both", axis=1)
    return chosen, transformed(node, both, "LOGISTIC") if kind == "LOGISTIC" else both


OPERATORS: Mapping[str, Write] = {
    "TreeEnsemble": tree_ensemble,
    "TreeEnsembleRegressor": tree_ensemble_regressor,
    "TreeEnsembleClassifier": tree_ensemble_classifier,
}
