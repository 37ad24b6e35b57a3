"""group_ignored: the wrong values are those of the layer whose groups read other channels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.moved import others_of
from pipeline.diagnose.clues.normalised import normalised
from pipeline.diagnose.maps.seen import Seen
from pipeline.diagnose.redo.redo import WindowChange
from pipeline.diagnose.redo.window_sum import WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of


class GroupIgnored(Seen):
    """A grouped convolution reads the first group's channels for every group, or takes another group's."""

    cause = "group_ignored"
    remedy = "Start at the first channel of the output's group."
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Ways in which a group's first channel, or its statistics are worked out wrongly."""
        for window in case.windows():
            if window.weights is not None and window.groups > 1:
                node = next(each for each in case.redo.nodes if each.name == window.node)
                transposed = facts_of(node).window == "transposed"
                yield from self._channels(window, transposed=transposed)
        for node in case.redo.node("Normalise"):
            yield from self._statistics(case, node)

    def _channels(self, window: WindowSum, *, transposed: bool) -> Iterator[Hypothesis]:
        seen = {window.channels.tobytes()}
        for weight, (says, channels) in enumerate(_firsts(window)):
            if channels.tobytes() in seen:
                continue
            seen.add(channels.tobytes())
            light = 1.0 + weight / 100.0
            change = window_with(window.node, channels=channels)
            yield self._of_window(window, says, change, light, pairs=weight == 0)
            if transposed:  # there a weight belongs to an input channel
                change = window_with(window.node, channels=channels, weights=_weights_of(window, channels))
                yield self._of_window(window, f"{says}, and their weights", change, light + 0.001)

    def _of_window(
        self,
        window: WindowSum,
        says: str,
        change: WindowChange,
        weight: float,
        *,
        pairs: bool = False,
    ) -> Hypothesis:
        outputs, inputs = window.channels.shape
        return Hypothesis(
            self.cause,
            says,
            f"Start at channel (o / {outputs // window.groups}) * {inputs} for output o.",
            {"groups": window.groups},
            (change,),
            line=lines.asked(),
            weight=weight,
            in_pairs=pairs,
        )

    def _statistics(self, case: Case, node: Node) -> Iterator[Hypothesis]:
        """Mean and variance of another group."""
        found = normalised(case, node)
        groups = 0 if found is None else found.variance.size
        if found is None or groups < 2:
            return
        seen = {np.arange(groups).tobytes()}
        for weight, (says, taken) in enumerate(others_of(found.variance.shape)):
            if taken.tobytes() in seen:
                continue
            seen.add(taken.tobytes())
            mean = None if found.mean is None else found.mean.reshape(-1)[taken].reshape(found.mean.shape)
            variance = found.variance.reshape(-1)[taken].reshape(found.variance.shape)
            yield Hypothesis(
                self.cause,
                f"normalises every group by the statistics of {says}",
                "Sum up, and divide by, the group that the element belongs to.",
                {"groups": groups},
                (found.change(mean=mean, variance=variance),),
                line=lines.asked(node.inputs[2] if case.read_of(node.inputs[2]) else None),
                weight=1.0 + weight / 100.0,
            )


def _firsts(window: WindowSum) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """In words, and int [O, I]: channels by mistakes in the number of the group, or in what it is multiplied by."""
    outputs, inputs = window.channels.shape
    groups, per_group, total = window.groups, outputs // window.groups, inputs * window.groups
    o, i = np.arange(outputs)[:, None], np.arange(inputs)
    group = o // per_group
    yield "reads the first group's channels for every group", i + 0 * o
    yield "counts groups by o mod groups", o % groups * inputs + i
    yield "counts groups by o mod outputs of a group", o % per_group * inputs + i
    yield "reads the last group's channels for every group", total - inputs + i + 0 * o
    yield "reads the next group's channels", (group + 1) % groups * inputs + i
    yield "reads the group's channels before", (group - 1) % groups * inputs + i
    yield "reads the groups in reverse", (groups - 1 - group) * inputs + i


def _weights_of(window: WindowSum, channels: NDArray[np.int64]) -> NDArray[Any]:
    """For each output the weights that stand at input channel `channels[o, i]` of the tensor."""
    assert window.weights is not None
    outputs, inputs = window.channels.shape
    per_group = outputs // window.groups
    o = np.arange(outputs)[:, None]
    return np.asarray(window.weights[channels // inputs * per_group + o % per_group, channels % inputs])
