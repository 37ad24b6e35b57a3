"""group_ignored: the wrong values are those of the layer whose groups read other channels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import frame_with
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule


class GroupIgnored(Rule):
    """A grouped convolution reads the first group's channels for every group, or takes another group's."""

    cause = "group_ignored"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Ways in which a group's first channel is worked out wrongly."""
        for frame in case.frames():
            outputs, inputs = frame.channels.shape
            if frame.weights is None or frame.groups < 2:
                continue
            o, i, total = np.arange(outputs)[:, None], np.arange(inputs), inputs * frame.groups
            group = o // (outputs // frame.groups)
            ways = (
                ("reads the first group's channels for every group", i + 0 * o),
                ("counts groups by o mod groups", o % frame.groups * inputs + i),
                ("reads the last group's channels for every group", total - inputs + i + 0 * o),
                ("reads the next group's channels", (group + 1) % frame.groups * inputs + i),
                ("reads the groups in reverse", (frame.groups - 1 - group) * inputs + i),
                ("starts at channel o", np.minimum(o + i, total - 1)),
                ("starts at channel g", np.minimum(group + i, total - 1)),
                ("reads every groups-th channel", np.minimum(group + i * frame.groups, total - 1)),
            )
            for weight, (says, channels) in enumerate(ways):
                yield Hypothesis(
                    self.cause,
                    says,
                    f"Start at channel (o / {outputs // frame.groups}) * {inputs} for output o.",
                    {"groups": frame.groups},
                    (frame_with(frame.node, channels=channels),),
                    place=places.summand(),
                    weight=1.0 + weight / 100.0,
                    in_pairs=weight == 0,
                )
