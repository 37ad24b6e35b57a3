"""padding_mode: the wrong values are those of the layer padded in another way."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.diagnose.clues.parts import with_attributes
from texelscope.pipeline.diagnose.fault_models.enlarged import resized_beyond
from texelscope.pipeline.diagnose.model_slice.model_slice import ModelEdit, NodeChange
from texelscope.pipeline.diagnose.model_slice.window_sum import WindowSum
from texelscope.pipeline.diagnose.trial import lines
from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass
from texelscope.pipeline.diagnose.trial.hypothesis import Hypothesis, Rule, Stage, Traits
from texelscope.pipeline.diagnose.trial.model_edits import node_as, window_with
from texelscope.pipeline.graph import Node

_WINDOW = (("edge", "the nearest element"), ("wrap", "the opposite side"), ("reflect", "the mirrored element"))

Array = NDArray[Any]
Widths = tuple[tuple[int, int], ...]
_SIDES: Mapping[str, tuple[int, ...]] = {"both sides": (0, 1), "the near sides": (0,), "the far sides": (1,)}
_BEYOND = {"wrap": "the opposite side", "reflect": "the mirrored element", "zero": "0"}


class PaddingMode(Rule):
    """Beyond the picture's border another value is read: the edge's, the opposite side's, the mirrored one, zero."""

    cause = "padding_mode"
    stage = Stage.WINDOW
    family = "reading"
    traits = Traits(
        edits=(
            "put in",
            "statement",
        ),
        confirmed_by=frozenset({"double_counted", "extra_channels", "padding_mode", "tile_bleed"}),
        denied_by_reads=frozenset({"alike"}),
    )

    def propose(self, case: FailingPass) -> Iterator[Hypothesis]:
        """Proposes other paddings of windows, and other modes of Pad."""
        for window in case.windows():
            # Recorded reads cannot decide this: repeated and mirrored elements belong to the window anyway.
            yield from self._window(window)
        for node, change, got in resized_beyond(case, ("wrap", "reflect", "zero")):
            says = f"interpolates with {_BEYOND[got]} beyond the border, where the model clamps to the edge"
            yield self._hypothesis(says, "edge", got, NodeChange(node.name, change))
        for node in case.model_slice.node("Pad"):
            yield from self._pad(case, node)

    def _window(self, window: WindowSum) -> Iterator[Hypothesis]:
        right = "zero" if window.kind == "sum" else "nothing"
        for got, text in _WINDOW:
            says = f"reads {text} beyond the border, where the model reads {right}"
            yield self._hypothesis(says, right, got, window_with(window.node, beyond=got), pairs=True)
        if window.kind == "largest":
            says = "reads 0 beyond the border, where the model reads nothing"
            yield self._hypothesis(says, right, "zero", window_with(window.node, outside=0.0))

    def _pad(self, case: FailingPass, node: Node) -> Iterator[Hypothesis]:
        right = _name(str(node.attributes.get("mode", "constant")))
        for mode in ("constant", "edge", "reflect", "wrap"):
            if _name(mode) != right:
                says = f"pads by {_name(mode)} where the model pads by {right}"
                change = node_as(case, node, with_attributes(node, mode=mode))
                yield self._hypothesis(says, right, _name(mode), change)
        widths = _widths(case, node)
        if widths is None:
            return
        for sides, axes in itertools.product(_SIDES, ((-2, -1), (-2,), (-1,))):
            whole = sides == "both sides" and len(axes) == 2
            for mode in ("constant", "edge", "reflect", "wrap", "symmetric"):
                if _name(mode) == right or (whole and mode != "symmetric"):
                    continue
                along = "" if len(axes) == 2 else f" along {'y' if axes == (-2,) else 'x'}"
                says = f"pads by {_name(mode)} on {sides}{along}, where the model pads by {right}"
                modes = {(axis, side): mode for axis in axes for side in _SIDES[sides]}
                change = NodeChange(node.name, _padded(widths, right, modes))
                yield self._hypothesis(says, right, _name(mode), change, prior=1.1)

    def _hypothesis(
        self, says: str, right: str, got: str, change: ModelEdit, *, pairs: bool = False, prior: float = 1.0
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            f"Test the position against the picture's size; beyond it read {right}.",
            {"expected": right, "got": got},
            (change,),
            line=lines.read(),
            in_pairs=pairs,
            prior=prior,
        )


def _widths(case: FailingPass, node: Node) -> Widths | None:
    """Returns a Pad's widths before and behind each axis; None if it crops, or pads by more than there is."""
    inputs = case.model_slice.inputs_of(node)
    pads = np.asarray(node.attributes.get("pads", ()) if len(inputs) < 2 or inputs[1] is None else inputs[1])
    source = inputs[0]
    if source is None or source.ndim < 2 or pads.size != 2 * source.ndim or (pads < 0).any():
        return None
    widths = tuple((int(near), int(far)) for near, far in zip(*np.split(pads.reshape(-1), 2), strict=True))
    return widths if all(max(pair) < size for pair, size in zip(widths, source.shape, strict=True)) else None


def _padded(widths: Widths, right: str, modes: Mapping[tuple[int, int], str]):  # type: ignore[no-untyped-def]
    """Returns a Pad whose sides in `modes` (axis, 0 for near or 1 for far) are padded by another mode."""

    def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
        value = np.asarray(inputs[0])
        for axis, side in itertools.product(range(-2, 0), (0, 1)):
            width = [(0, 0)] * value.ndim
            width[axis] = (widths[axis][0], 0) if side == 0 else (0, widths[axis][1])
            mode = modes.get((axis, side), "constant" if right == "zero" else right)
            value = np.pad(value, width, mode=mode)  # type: ignore[call-overload]
        return np.asarray(value)

    return change


def _name(mode: str) -> str:
    return "zero" if mode == "constant" else mode
