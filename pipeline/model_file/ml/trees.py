"""Trees as tables: a column a node, leaves among them, and the weights that leaves add to targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from onnx import numpy_helper

from texelscope.pipeline.graph import OWN_DOMAIN
from texelscope.pipeline.model_file.contrib.writer import Writer
from texelscope.pipeline.model_file.ml.numbers import as_float

# The second row of the table: 0 for a leaf. The last one is for a set of members.
MODES = ("LEAF", "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER")


@dataclass(frozen=True)
class Trees:
    """`nodes` [8, count]: feature, mode, value, nodes if it holds and if not, whether NaN counts as holding, and the
    first of the leaf's weights or the branch's members, and their number. `weights` [2, count]: target, weight.
    """

    nodes: NDArray[np.float32]
    weights: NDArray[np.float32]
    members: NDArray[np.float32]
    roots: NDArray[np.float32]
    depth: int


def sums(node: Writer, trees: Trees, targets: int, aggregate: str, base: Sequence[float]) -> str:
    """What the trees make of X [N, features], [N, targets], and the base values added to it."""
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
    """Branches on the longest way. Raises ValueError where a way does not end."""
    level, depth = {int(root) for root in roots}, 0
    while level:
        branches = [at for at in level if nodes[1, at]]
        level = {int(nodes[row, at]) for at in branches for row in (3, 4)}
        depth += bool(branches)
        if depth > nodes.shape[1]:
            raise ValueError("a tree that runs in a circle")
    return depth


def classic(node: Writer, prefix: str) -> Trees:
    """Those of TreeEnsembleRegressor (`prefix` is target) and TreeEnsembleClassifier (class)."""
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
    """Those of TreeEnsemble: leaves have numbers of their own, and one weight each."""
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
