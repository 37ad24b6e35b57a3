"""Evaluates some elements of a result under edits: goes back from the output, with whole tensors only where needed.

A hypothesis is first tried on a few hundred elements, which costs about a thousandth of the whole output.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.shapes import as_nchw
from texelscope.pipeline.diagnose.model_slice.model_slice import (
    InputChange,
    InputMove,
    ModelEdit,
    ModelSlice,
    NodeChange,
    OutputChange,
    OutputMove,
    WindowChange,
)
from texelscope.pipeline.diagnose.model_slice.window_sum import DoesNotApplyError
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Node
from texelscope.pipeline.operators.affine import aligned
from texelscope.pipeline.operators.families.registry import facts_of

Array = NDArray[Any]
Places = NDArray[np.int64]


def evaluate_at(model_slice: ModelSlice, changes: Sequence[ModelEdit], places: Places) -> Array:
    """Returns the result's elements at linear `places`, float32 [m]. Raises DoesNotApplyError."""
    after = [change for change in changes if isinstance(change, OutputChange | OutputMove)]
    before = [change for change in changes if not isinstance(change, OutputChange | OutputMove)]
    if any(isinstance(change, OutputMove) or not change.pointwise for change in after):
        if not before and len(after) == 1 and isinstance(after[0], OutputMove):
            at = np.unravel_index(places, as_nchw(model_slice.shape))
            return after[0].unchanged.read(*after[0].coordinates(*at), after[0].beyond)
        return model_slice.evaluate(changes).reshape(-1)[places]
    if any(isinstance(change, InputChange | InputMove) and change.node for change in before):
        return model_slice.evaluate(changes).reshape(-1)[places]
    with np.errstate(all="ignore"):
        try:
            result = np.asarray(_Sampled(model_slice, before).at(model_slice.wanted, places), dtype=np.float32)
        except TexelscopeError as error:  # edited indices that point out of their tensor
            raise DoesNotApplyError(str(error)) from error
        for change in after:
            assert isinstance(change, OutputChange)
            result = np.asarray(change.change(result), dtype=np.float32)
    return result


class _Sampled:
    """One evaluation; remembers which tensors the edits affect."""

    def __init__(self, model_slice: ModelSlice, changes: Sequence[ModelEdit]) -> None:
        self._redo = model_slice
        self._changes = changes
        self._touched = {change.tensor for change in changes if isinstance(change, InputChange | InputMove)}
        self._named = {change.node for change in changes if isinstance(change, WindowChange | NodeChange)}
        for node in model_slice.nodes:
            if node.name in self._named or self._touched.intersection(node.inputs):
                self._touched.update(name for name in node.outputs if name)

    def at(self, tensor: str, places: Places) -> Array:
        """Returns elements of a tensor."""
        model_slice = self._redo
        if model_slice.graph is None:
            return self._whole(tensor, places)
        if tensor not in self._touched:
            return model_slice.values[tensor].reshape(-1)[places]
        node = model_slice.makers.get(tensor)
        if node is None:
            return self._input(tensor, places)
        change = next((each for each in self._changes if isinstance(each, NodeChange) and each.node == node.name), None)
        if tensor != node.outputs[0] or (change is not None and not change.pointwise):
            return self._whole(tensor, places)
        facts = facts_of(node)
        if facts.pointwise:
            operands = self._operands(node, places)
            return change.change(node, operands) if change is not None else model_slice.run_node(node, operands)
        if change is not None:
            return self._whole(tensor, places)
        if facts.by_channel and self._has_channels(node):
            return self._of_channels(node, places)
        return self._window(node, places) if model_slice.window(node) is not None else self._moved(node, tensor, places)

    def _whole(self, tensor: str, places: Places) -> Array:
        return self._redo.whole(self._changes, tensor).reshape(-1)[places]

    def _input(self, tensor: str, places: Places) -> Array:
        old = self._redo.values[tensor]
        values: Array | None = None
        for change in self._changes:
            if not isinstance(change, InputChange | InputMove) or change.tensor != tensor:
                continue
            if isinstance(change, InputMove) and values is None:
                values = change.values.read(
                    *change.coordinates(*np.unravel_index(places, change.values.dims)), change.beyond
                )
            elif isinstance(change, InputChange) and change.pointwise:
                values = change.change(old.reshape(-1)[places] if values is None else values)
            else:
                return self._whole(tensor, places)
        # As for a tensor that is edited as a whole, integers stay integers.
        return old.reshape(-1)[places] if values is None else np.asarray(values).astype(old.dtype, copy=False)

    def _operands(self, node: Node, places: Places) -> list[Array | None]:
        count = facts_of(node).operands
        settings = [
            self._redo.whole(self._changes, name) if name else None for name in node.inputs[len(node.inputs[:count]) :]
        ]
        elements = [
            self._operand(node, position, places) if name else None for position, name in enumerate(node.inputs[:count])
        ]
        return [*elements, *settings]

    def _operand(self, node: Node, position: int, places: Places) -> Array:
        """Returns elements of an operand that broadcasts to the output."""
        name, full = node.inputs[position], self._redo.values[node.outputs[0]].shape
        if self._redo.values[name].shape == full:
            return self.at(name, places)
        shape = aligned(self._redo.call(node), position)
        index = np.unravel_index(places, full) if shape else ()
        held = tuple(np.where(size == 1, 0, place) for size, place in zip(shape, index, strict=True))
        linear = np.ravel_multi_index(held, shape) if shape else np.zeros(len(places), dtype=np.int64)
        return self.at(name, np.asarray(linear))

    def _has_channels(self, node: Node) -> bool:
        """Whether the node's operands really have one value per channel."""
        shape, operands = self._redo.values[node.outputs[0]].shape, [self._redo.values.get(n) for n in node.inputs[1:]]
        one_result = sum(bool(name) for name in node.outputs) == 1
        return one_result and len(shape) > 1 and all(v is not None and v.size == shape[1] for v in operands)

    def _of_channels(self, node: Node, places: Places) -> Array:
        """Evaluates the node on a picture of one pixel, whose channels are the requested elements."""
        channel = np.asarray(np.unravel_index(places, self._redo.values[node.outputs[0]].shape)[1])
        x = self.at(node.inputs[0], places)[None]
        made = self._redo.run_node(node, [x, *(self.at(name, channel) for name in node.inputs[1:])])
        return made.reshape(-1)

    def _window(self, node: Node, places: Places) -> Array:
        model_slice, source = self._redo, node.inputs[0]
        inputs: list[Array | None] = []
        for name in node.inputs:
            changed = name in self._touched and name != source
            inputs.append(
                None if not name else model_slice.whole(self._changes, name) if changed else model_slice.values[name]
            )
        maker = model_slice.makers.get(source)
        kept = model_slice.window(node)
        # A product has rows and columns of another kind: its window has no coordinates of the picture.
        in_place = kept is not None and kept.source.shape == as_nchw(model_slice.values[source].shape)
        by_element = in_place and (maker is None or facts_of(maker).pointwise)
        if source in self._touched and not by_element:
            inputs[0] = model_slice.whole(self._changes, source)
        window = model_slice.changed_window(node, inputs, self._changes)
        assert window is not None
        if source not in self._touched or not by_element:
            return window.evaluate_at(places)
        return window.evaluate_at(places, lambda n, c, y, x: self._read_source(source, n, c, y, x))

    def _read_source(self, source: str, n: Array, c: Array, y: Array, x: Array) -> Array:
        dims = as_nchw(self._redo.values[source].shape)
        linear = ((n * dims[1] + c) * dims[2] + y) * dims[3] + x
        return self.at(source, linear.reshape(-1)).reshape(linear.shape)

    def _moved(self, node: Node, tensor: str, places: Places) -> Array:
        found = self._redo.sources(node, places)
        if found is None:
            return self._whole(tensor, places)
        result = np.zeros(len(places), dtype=self._redo.values[tensor].dtype)
        for position in np.unique(found[0]):
            chosen = found[0] == position
            result[chosen] = self.at(node.inputs[position], found[1][chosen])
        return result
