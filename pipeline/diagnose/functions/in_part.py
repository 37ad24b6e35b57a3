"""A mistake that is made in a part of the result alone: in a lane, some channels, odd rows, the border."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.region import regions
from texelscope.pipeline.diagnose.model_slice.does_not_apply import DoesNotApplyError
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange, OutputChange
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis
from texelscope.pipeline.graph import Node

Array = NDArray[Any]

# What would be right of the wrong elements, were it done to all, before parts are looked for.
_MOST, _FRACTION = 0.9, 1.0 / 16.0


def in_parts(case: FailingPass, whole: Hypothesis) -> Iterator[Hypothesis]:
    """The hypothesis where elements are wrong, and the oracle elsewhere: one for each way to say where that is.

    Nothing where it does not reproduce what is wrong, or nothing is right.
    """
    if len(whole.changes) != 1 or case.wrong.all() or not reproduces_wrong(case, whole.changes):
        return
    for number, region in enumerate(regions(case.wrong, case.address)):
        change = _limited(case, whole.changes[0], region.mask)
        if change is not None:
            yield dataclasses.replace(
                whole,
                says=f"{whole.says} in {region}",
                parameters={**whole.parameters, "part": str(region)},
                changes=(change,),
                weight=whole.weight + 0.2 + number / 1000.0,
                in_pairs=False,
                fitted=whole.fitted + region.numbers,
            )


def reproduces_wrong(case: FailingPass, changes: Sequence[ModelEdit]) -> bool:
    """Whether most of what is wrong comes out so under changes, whatever becomes of the rest."""
    try:
        left, before = case.errors_at_sample(changes), case.errors_at_sample(())
    except DoesNotApplyError:
        return False
    with np.errstate(all="ignore"):
        return bool(left.size and np.mean(left <= _FRACTION * before) >= _MOST)


def _limited(case: FailingPass, change: ModelEdit, mask: NDArray[np.bool_]) -> ModelEdit | None:
    """The change inside the mask alone; None for one of something that does not lie as the output does."""
    if isinstance(change, OutputChange):
        return OutputChange(lambda y: np.where(mask, change.change(y), y))
    if not isinstance(change, NodeChange):
        return None
    node = next(each for each in case.redo.nodes if each.name == change.node)
    if not _leads_straight(case, node):
        return None
    inside = mask.reshape(case.redo.values[node.outputs[0]].shape)

    def changed(node: Node, inputs: Sequence[Array | None]) -> Array:
        return np.where(inside, change.change(node, inputs), case.redo.run_node(node, inputs))

    return NodeChange(node.name, changed)


def _leads_straight(case: FailingPass, node: Node) -> bool:
    """Whether each of the node's elements is that of the result in the same place."""
    tail = case.redo.tail()
    straight = {*(name for each in tail for name in each.outputs), case.redo.before_tail()}
    return node.outputs[0] in straight and case.redo.values[node.outputs[0]].size == case.wrong.size
