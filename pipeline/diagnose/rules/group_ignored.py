"""group_ignored: the wrong values are those of the layer whose groups read other channels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import frame_with
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.normalised import normalised
from pipeline.diagnose.redo import FrameChange
from pipeline.diagnose.window_sum import WindowSum
from pipeline.graph import Node


class GroupIgnored(Rule):
    """A grouped convolution reads the first group's channels for every group, or takes another group's."""

    cause = "group_ignored"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Ways in which a group's first channel is worked out wrongly."""
        for frame in case.frames():
            if frame.weights is not None and frame.groups > 1:
                yield from self._channels(frame, transposed=bool(case.redo.node("ConvTranspose")))
        for node in case.redo.node("Normalise"):
            yield from self._statistics(case, node)

    def _channels(self, frame: WindowSum, *, transposed: bool) -> Iterator[Hypothesis]:
        outputs, inputs = frame.channels.shape
        o, i, total = np.arange(outputs)[:, None], np.arange(inputs), inputs * frame.groups
        group = o // (outputs // frame.groups)
        ways = (
            ("reads the first group's channels for every group", i + 0 * o),
            ("counts groups by o mod groups", o % frame.groups * inputs + i),
            ("reads the last group's channels for every group", total - inputs + i + 0 * o),
            ("reads the next group's channels", (group + 1) % frame.groups * inputs + i),
            ("reads the group's channels before", (group - 1) % frame.groups * inputs + i),
            ("reads the groups in reverse", (frame.groups - 1 - group) * inputs + i),
            ("starts at channel o", np.minimum(o + i, total - 1)),
            ("starts at channel g", np.minimum(group + i, total - 1)),
            ("reads every groups-th channel", np.minimum(group + i * frame.groups, total - 1)),
        )
        for weight, (says, channels) in enumerate(ways):
            light = 1.0 + weight / 100.0
            yield self._of_frame(frame, says, frame_with(frame.node, channels=channels), light, pairs=weight == 0)
            if transposed:  # there a weight belongs to an input channel
                moved = _weights_of(frame, channels)
                change = frame_with(frame.node, channels=channels, weights=moved)
                yield self._of_frame(frame, f"{says}, and their weights", change, light + 0.001)

    def _of_frame(
        self, frame: WindowSum, says: str, change: FrameChange, weight: float, *, pairs: bool = False
    ) -> Hypothesis:
        outputs, inputs = frame.channels.shape
        return Hypothesis(
            self.cause,
            says,
            f"Start at channel (o / {outputs // frame.groups}) * {inputs} for output o.",
            {"groups": frame.groups},
            (change,),
            place=places.summand(),
            weight=weight,
            in_pairs=pairs,
        )

    def _statistics(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        """Mean and variance of another group."""
        found = normalised(case, node)
        groups = 0 if found is None else found.variance.size
        if found is None or groups < 2:
            return
        index = np.arange(groups)
        ways = (
            ("the first group", 0 * index), ("the last group", 0 * index + groups - 1),
            ("the next group", (index + 1) % groups), ("the group before", (index - 1) % groups),
            ("the groups in reverse", groups - 1 - index), ("the first half's groups", index % (groups // 2 or 1)),
        )  # fmt: skip
        for weight, (says, taken) in enumerate(ways):
            mean = None if found.mean is None else found.mean.reshape(-1)[taken].reshape(found.mean.shape)
            variance = found.variance.reshape(-1)[taken].reshape(found.variance.shape)
            yield Hypothesis(
                self.cause,
                f"normalises every group by the statistics of {says}",
                "Sum up, and divide by, the group that the element belongs to.",
                {"groups": groups},
                (found.change(mean=mean, variance=variance),),
                place=places.summand(),
                weight=1.0 + weight / 100.0,
            )


def _weights_of(frame: WindowSum, channels: NDArray[np.int64]) -> NDArray[Any]:
    """For each output the weights that stand at input channel `channels[o, i]` of the tensor."""
    assert frame.weights is not None
    outputs, inputs = frame.channels.shape
    per_group = outputs // frame.groups
    o = np.arange(outputs)[:, None]
    return np.asarray(frame.weights[channels // inputs * per_group + o % per_group, channels % inputs])
