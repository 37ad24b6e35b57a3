"""padding_mode: the wrong values are those of the layer padded in another way."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.diagnose.clues.parts import with_attributes
from pipeline.diagnose.mistakes.enlarged import resized_beyond
from pipeline.diagnose.redo.redo import Change, NodeChange
from pipeline.diagnose.redo.window_sum import WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import node_as, window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, Rule
from pipeline.graph import Node

_WINDOW = (("edge", "the nearest element"), ("wrap", "the opposite side"), ("reflect", "the mirrored element"))

_BEYOND = {"wrap": "the opposite side", "reflect": "the mirrored element", "zero": "0"}


class PaddingMode(Rule):
    """Beyond the picture's border another value is taken: the edge's, the opposite side's, the mirrored one, zero."""

    cause = "padding_mode"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Other paddings of windows, and other modes of Pad."""
        for window in case.windows():
            # Not asked of recorded reads: repeated and mirrored elements belong to the window anyway.
            yield from self._window(window)
        for node, change, got in resized_beyond(case, ("wrap", "reflect", "zero")):
            says = f"interpolates with {_BEYOND[got]} beyond the border, where the edge is held"
            yield self._hypothesis(says, "edge", got, NodeChange(node.name, change))
        for node in case.redo.node("Pad"):
            yield from self._pad(case, node)

    def _window(self, window: WindowSum) -> Iterator[Hypothesis]:
        right = "zero" if window.kind == "sum" else "nothing"
        for got, text in _WINDOW:
            says = f"reads {text} beyond the border, where {right} counts"
            yield self._hypothesis(says, right, got, window_with(window.node, beyond=got), pairs=True)
        if window.kind == "largest":
            says = "takes 0 beyond the border, where nothing counts"
            yield self._hypothesis(says, right, "zero", window_with(window.node, outside=0.0))

    def _pad(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        right = _name(str(node.attributes.get("mode", "constant")))
        for mode in ("constant", "edge", "reflect", "wrap"):
            if _name(mode) != right:
                says = f"pads by {_name(mode)} where the model pads by {right}"
                change = node_as(case, node, with_attributes(node, mode=mode))
                yield self._hypothesis(says, right, _name(mode), change)

    def _hypothesis(self, says: str, right: str, got: str, change: Change, *, pairs: bool = False) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            f"Test the place against the picture's size; beyond it {right} counts.",
            {"expected": right, "got": got},
            (change,),
            line=lines.read(),
            in_pairs=pairs,
        )


def _name(mode: str) -> str:
    return "zero" if mode == "constant" else mode
