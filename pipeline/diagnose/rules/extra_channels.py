"""extra_channels: the wrong values are those of the layer with terms that lie behind the last one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose import places
from pipeline.diagnose.case import Case
from pipeline.diagnose.changes import frame_with
from pipeline.diagnose.evidence import ReadTensor
from pipeline.diagnose.hypothesis import Band, Hypothesis, Rule
from pipeline.diagnose.redo import NodeChange
from pipeline.diagnose.stored_values import Beyond
from pipeline.diagnose.weights import weight_read
from pipeline.diagnose.window_sum import WindowSum
from pipeline.graph import Node

Array = NDArray[Any]


# What reads of the picture and of the weights behind their last channel give.
_BEYOND: tuple[tuple[Beyond, Beyond], ...] = (("texel", "texel"), ("fetch", "fetch"), ("texel", "zero"))


class ExtraChannels(Rule):
    """More channels (or terms) are read than there are: padding lanes, the next group, the next picture."""

    cause = "extra_channels"
    band = Band.WINDOW

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Padding lanes that are not zero, channels behind the last, elements behind a row of a softmax."""
        found = case.redrawn("unpadded")
        if found is not None and case.differ("unpadded", case.before_sampling):
            yield Hypothesis(
                self.cause, "with zeros in the inputs' padding lanes",
                "Stop at the last channel, or have whoever makes the input write zeros beyond it.", {},
                values=found[0], covers=found[1], is_cure=True, place=places.summand(), weight=0.5,
                order=2,
            )  # fmt: skip
        for frame in case.frames():
            if frame.kind == "sum" and frame.weights is not None:
                for extra in (1, 2, 3, 4):
                    yield from self._more(case, frame, extra)
        for node in case.redo.node("Softmax"):
            for extra in (1, 2, -1):
                yield self._softmax(case, node, extra)

    def _more(self, case: Case, frame: WindowSum, extra: int) -> Iterator[Hypothesis]:
        node = next(each for each in case.redo.nodes if each.name == frame.node)
        image, weights = case.read_of(node.inputs[0]), weight_read(case, frame.node)
        assert frame.weights is not None
        count = frame.channels.shape[1]
        for weight, (beyond_image, beyond_weights) in enumerate(_BEYOND):
            more = (
                _channels(image, extra, beyond_image)
                if image is not None and len(image.values.stored.shape) == 4
                else None
            )
            source = frame.source if more is None else np.concatenate([frame.source, more], axis=1)
            channels = np.concatenate(
                [frame.channels, frame.channels[:, -1:] + np.arange(1, extra + 1)], axis=1
            )  # the next group's, or those behind the last
            if channels.max() >= source.shape[1]:
                continue
            if weights is not None and node.op_type == "Conv" and beyond_weights != "zero":
                values = weights.values
                n = np.arange(values.dims[0])[:, None, None, None]
                c = count + np.arange(extra)[None, :, None, None]
                h, w = np.arange(values.dims[2])[:, None], np.arange(values.dims[3])
                added = values.read(n, c, h, w, beyond_weights)
            else:
                added = np.repeat(frame.weights[:, -1:], extra, axis=1)
            if not added.any():
                continue

            change = frame_with(
                frame.node,
                source=source,
                channels=channels,
                weights=np.concatenate([frame.weights, added], axis=1),
                stored=None,
            )
            yield Hypothesis(
                self.cause,
                f"reads {extra} channel{'s' * (extra > 1)} beyond the {count} there are",
                f"Stop the loop at channel {count - 1}.",
                {"count": extra},
                (change,),
                place=places.summand(),
                weight=1.0 + extra / 10 + weight / 100,
            )

    def _softmax(self, case: Case, node: Node, extra: int) -> Hypothesis:
        axis = int(node.attributes.get("axis", -1))

        def change(_node: Node, inputs: Sequence[Array | None]) -> Array:
            """Also sums `extra` elements behind (or before) the axis, as they lie in memory."""
            x = np.asarray(inputs[0], dtype=np.float64)
            rows = np.moveaxis(x, axis, -1)
            flat = x.reshape(-1)
            index = np.moveaxis(np.arange(x.size).reshape(x.shape), axis, -1)
            step = index[..., -1] - index[..., -2] if x.shape[axis] > 1 else np.ones(rows.shape[:-1], dtype=np.int64)
            largest = rows.max(axis=-1)
            total = np.exp(rows - largest[..., None]).sum(axis=-1)
            behind = [index[..., -1] + i * step for i in range(1, extra + 1)] if extra > 0 else [index[..., 0] - step]
            for place in behind:
                inside = (place >= 0) & (place < x.size)
                value = np.where(inside, flat[np.clip(place, 0, x.size - 1)], 0.0)
                total = total + np.exp(value - largest)
            return np.asarray(
                np.moveaxis(np.exp(rows - largest[..., None]) / total[..., None], -1, axis), dtype=np.float32
            )

        where = "behind" if extra > 0 else "before"
        return Hypothesis(
            self.cause,
            f"the sum takes in {abs(extra)} element{'s' * (abs(extra) > 1)} {where} the row",
            "Stop the loop at the end of the row.",
            {"count": abs(extra)},
            (NodeChange(node.name, change),),
            place=places.summand(),
            weight=1.0 + abs(extra) / 10,
        )


def _channels(image: ReadTensor, extra: int, beyond: Beyond) -> Array:
    """[N, extra, H, W]: what the layout's formula gives for channels behind the last."""
    N, C, H, W = image.values.dims
    return np.asarray(
        image.values.read(
            np.arange(N)[:, None, None, None],
            C + np.arange(extra)[:, None, None],
            np.arange(H)[:, None],
            np.arange(W),
            beyond,
        )
    )
