"""group_ignored: the wrong values are those of the layer whose groups read other channels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.normalised import normalised
from pipeline.diagnose.clues.taken_channels import filters_at, with_channels
from pipeline.diagnose.clues.weights import weight_tensor
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.redo.redo import WindowChange
from pipeline.diagnose.redo.window_sum import WindowSum
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import window_with
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, LineOf, Rule
from pipeline.graph import Node
from pipeline.operators.families.registry import facts_of

_BEYOND: tuple[Beyond, ...] = ("texel", "fetch")


class GroupIgnored(Rule):
    """A grouped convolution reads the first group's channels for every group, or takes another group's."""

    cause = "group_ignored"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Ways in which a group's first channel, its filters, or its statistics are worked out wrongly."""
        for window in case.windows():
            if window.weights is not None and window.groups > 1:
                node = next(each for each in case.redo.nodes if each.name == window.node)
                transposed = facts_of(node).window == "transposed"
                yield from self._channels(case, window, transposed=transposed)
                yield from self._filters(case, window, transposed=transposed)
        for node in case.redo.node("Normalise"):
            yield from self._statistics(case, node)

    def _channels(self, case: Case, window: WindowSum, *, transposed: bool) -> Iterator[Hypothesis]:
        total = window.channels.shape[1] * window.groups
        seen = {window.channels.tobytes()}
        for weight, (says, channels) in enumerate(_firsts(window)):
            if channels.tobytes() in seen or channels.min() < 0:
                continue
            seen.add(channels.tobytes())
            light = 1.0 + weight / 100.0
            for beyond in _BEYOND if channels.max() >= total else _BEYOND[:1]:
                change = with_channels(case, window, channels, beyond)
                if change is not None:
                    yield self._of_window(window, says, change, light, pairs=weight == 0)
            if transposed:  # there a weight belongs to an input channel
                held = np.minimum(channels, total - 1)
                change = window_with(window.node, channels=held, weights=_weights_of(window, held))
                yield self._of_window(window, f"{says}, and their weights", change, light + 0.001)

    def _filters(self, case: Case, window: WindowSum, *, transposed: bool) -> Iterator[Hypothesis]:
        """The right channels with filters that are not those of the group."""
        outputs, inputs = window.channels.shape
        per_group = outputs // window.groups
        o, i = np.arange(outputs)[:, None], np.arange(inputs)
        first = o // per_group * inputs
        own, every_o, every_i = o % per_group + 0 * i, o + 0 * i, i + 0 * o
        if transposed:
            ways = (("of output o, not of o in its group", first + i, every_o), ("of the first group", every_i, own))
        else:
            ways = (("of the first group", own, every_i), ("of input i of all, not of its group", every_o, first + i))
        for weight, (says, outer, inner) in enumerate(ways):
            for beyond in _BEYOND:
                weights = filters_at(case, window, outer, inner, beyond, transposed=transposed)
                if weights is not None:
                    change = window_with(window.node, weights=weights)
                    line = lines.asked(weight_tensor(case, window.node))
                    yield self._of_window(window, f"takes the weights {says}", change, 1.5 + weight / 100, line=line)

    def _of_window(
        self,
        window: WindowSum,
        says: str,
        change: WindowChange,
        weight: float,
        *,
        pairs: bool = False,
        line: LineOf | None = None,
    ) -> Hypothesis:
        outputs, inputs = window.channels.shape
        return Hypothesis(
            self.cause,
            says,
            f"Start at channel (o / {outputs // window.groups}) * {inputs} for output o.",
            {"groups": window.groups},
            (change,),
            line=line or lines.asked(),
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
    yield "starts at channel o", np.minimum(o + i, total - 1)
    yield "starts at channel g", np.minimum(group + i, total - 1)
    yield "reads every groups-th channel", np.minimum(group + i * groups, total - 1)
    for modulus in sorted({2, 3, 4, 8, groups, per_group, inputs}):
        for factor in sorted({1, inputs}):
            yield f"starts at channel (o mod {modulus}) * {factor}", o % modulus * factor + i
    for divisor in sorted({1, 2, 3, 4, 6, 8, groups, per_group, inputs, outputs}):
        for factor in sorted({1, inputs, per_group, groups}):
            yield f"starts at channel (o / {divisor}) * {factor}", o // divisor * factor + i


def _weights_of(window: WindowSum, channels: NDArray[np.int64]) -> NDArray[Any]:
    """For each output the weights that stand at input channel `channels[o, i]` of the tensor."""
    assert window.weights is not None
    outputs, inputs = window.channels.shape
    per_group = outputs // window.groups
    o = np.arange(outputs)[:, None]
    return np.asarray(window.weights[channels // inputs * per_group + o % per_group, channels % inputs])
