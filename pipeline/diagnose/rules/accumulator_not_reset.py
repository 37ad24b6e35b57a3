"""accumulator_not_reset: the wrong values are running sums over the lanes of a texel, or over a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import frame_with
from pipeline.diagnose.frames import in_view
from pipeline.diagnose.hypothesis import Band, Hypothesis, Line, Rule
from pipeline.diagnose.redo import NodeChange
from pipeline.graph import Node

Array = NDArray[Any]


class AccumulatorNotReset(Rule):
    """A sum goes on from the previous lane or element instead of starting anew."""

    cause = "accumulator_not_reset"
    band = Band.PARTS

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Sums that go on from lane to lane, and partial sums written inside a loop."""
        if case.output.layout.lanes > 1:
            yield from self._lanes(case)
        yield from self._loops(case)

    def _lanes(self, case: Case) -> Iterator[Hypothesis]:
        """Element k of a texel holds the sums of elements 0 to k; the bias is in each sum, or added afterwards."""
        for node in case.redo.nodes:
            frame = case.redo.frame(node)
            if frame is None or frame.kind != "sum" or case.redo.values[node.outputs[0]].shape != case.output.shape:
                continue
            for text, with_bias in (("and its bias", True), ("alone", False)):
                if frame.bias is None and not with_bias:
                    continue
                yield Hypothesis(
                    self.cause,
                    f"every lane holds the sums of the lanes before it too (the sum {text})",
                    "Set the accumulator to zero inside the function or loop that computes one element.",
                    {"of": "lanes"},
                    (NodeChange(node.name, _cumulative(case, node, with_bias=with_bias)),),
                    place=places.first(_summing, places.result),
                )

    def _loops(self, case: Case) -> Iterator[Hypothesis]:
        """The sum is added to the result at every step of a loop: channel i counts (count - i) times."""
        for frame in case.frames():
            if frame.kind != "sum" or frame.weights is None or frame.channels.shape[1] < 2:
                continue
            count = frame.channels.shape[1]
            times = np.arange(count, 0, -1, dtype=np.float32)[:, None, None]
            yield Hypothesis(
                self.cause,
                "each channel's partial sum is added to the result again at every later one",
                "Write the result after the loops, not inside them.",
                {"of": "channels"},
                (frame_with(frame.node, weights=frame.weights * times),),
                place=places.first(_summing, places.result),
                weight=1.2,
            )


def _summing(case: Case) -> Line | None:
    """Where the sum goes on."""
    sums = case.text.sums()
    return sums[-1].line if sums else None


def _cumulative(case: Case, node: Node, *, with_bias: bool) -> Callable[[Node, Sequence[Array | None]], Array]:
    frame = case.redo.frame(node)
    assert frame is not None

    def change(_node: Node, _inputs: Sequence[Array | None]) -> Array:
        sums = in_view((frame if with_bias else frame.replaced(bias=None)).evaluate(), frame.shape)
        texels = case.to_texels(sums)
        total = case.of_texels(np.cumsum(texels, axis=2, dtype=np.float32)).reshape(frame.shape)
        if with_bias or frame.bias is None:
            return total
        bias = (
            frame.bias.reshape(-1, *(1,) * (len(frame.shape) - 2)) if len(frame.shape) > 2 else frame.bias.reshape(-1)
        )
        return np.asarray(total + bias, dtype=np.float32)

    return change
