"""channel_permutation: the wrong values are those of the layer with channels in another order, tried or matched."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.moved import by, moved_input, moved_output, ordered, texels_of_input, texels_of_output
from pipeline.diagnose.clues.tap_pattern import in_order
from pipeline.diagnose.evidence.evidence import ReadTensor
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.redo.redo import Change
from pipeline.diagnose.trial import lines
from pipeline.diagnose.trial.case import Case
from pipeline.diagnose.trial.changes import Function
from pipeline.diagnose.trial.hypothesis import Band, Hypothesis, LineOf, Rule

Array = NDArray[Any]
Order = NDArray[np.int64]

# Beyond this many channels the search for an arbitrary order takes too long.
_MOST_CHANNELS = 1024
_SAMPLES = 24
_BEYOND: tuple[Beyond, ...] = ("texel", "fetch", "edge", "zero")
_IN_ORDER = (0, 1, 2, 3)


class ChannelPermutation(Rule):
    """Channels are read or written in another order: counted from the last, packed otherwise, red and blue swapped."""

    cause = "channel_permutation"
    band = Band.PLACES

    def propose(self, case: Case) -> Iterator[Hypothesis]:
        """Orders that shaders get by mistake, for each input and for the output; swizzles; the order that fits."""
        for read in case.activations():
            windowed = bool(case.windows()) and read.values.dims[1] > 1
            if not (windowed and in_order(case, read.tensor, 1)):
                yield from self._read(case, read)
        orders = [(text, order, 0) for text, order in _orders(case.dims[1])]
        matched = _matching(case)
        if matched is not None:
            orders.append(("in another order", matched, int(np.count_nonzero(matched != np.arange(len(matched))))))
        for weight, (text, order, fitted) in enumerate(orders):
            change = moved_output(case, ordered(order), "edge")
            light = (0.5 if case.writes_otherwise else 1.3) + weight / 100
            says, shown = f"writes the channels {text}", _short(order)
            yield self._hypothesis(says, change, lines.target, light, fitted=fitted, order=shown)
        if case.output.layout.lanes == 4:
            for lanes, name, light in _swizzles():
                out = texels_of_output(case, _picked(lanes))
                yield self._hypothesis(f"writes the lanes as .{name}", out, lines.result, 1.2 + light, lanes=name)

    def _read(self, case: Case, read: ReadTensor) -> Iterator[Hypothesis]:
        tensor, line = read.tensor, lines.handed(read.tensor)
        for weight, (text, order) in enumerate(_orders(read.values.dims[1])):
            change = moved_input(read, ordered(order), "edge")
            says = f"reads the channels of '{tensor}' {text}"
            yield self._hypothesis(says, change, line, 1.1 + weight / 100, order=_short(order))
        for offset in _offsets(case, read.values.dims[1]):
            for beyond in _BEYOND:
                says = f"reads channel c {offset:+d} of '{tensor}' for channel c"
                yield self._hypothesis(says, moved_input(read, by(dc=offset), beyond), line, 1.05, offset=offset)
        if read.values.stored.layout.lanes == 4:
            for lanes, name, light in _swizzles():
                says = f"reads the lanes of '{tensor}' as .{name}"
                yield self._hypothesis(
                    says, texels_of_input(read, _picked(lanes)), lines.read(tensor), 1.0 + light, lanes=name
                )

    def _hypothesis(
        self, says: str, change: Change, line: LineOf, weight: float, *, fitted: int = 0, **parameters: Any
    ) -> Hypothesis:
        return Hypothesis(
            self.cause,
            says,
            "Count channels as the layout does: tile or lane k holds channel k.",
            parameters,
            (change,),
            line=line,
            weight=weight,
            fitted=fitted,
        )


def _orders(count: int) -> Iterator[tuple[str, Order]]:
    """Orders that shaders get by mistake; [k] is the channel found at k."""
    index = np.arange(count)
    if count < 2:
        return
    yield "from the last to the first", index[::-1]
    for offset in (1, -1, 2, -2):
        if abs(offset) < count:
            yield f"{abs(offset)} {'further on' if offset > 0 else 'back'}, round the end", (index + offset) % count
    side = int(np.ceil(np.sqrt(count)))
    across = index % side * side + index // side
    if across.max() < count:
        yield "column by column of the grid", across
    for groups in (2, 3, 4):
        if count % groups == 0 and groups < count:
            yield f"shuffled in {groups} groups", index.reshape(groups, -1).T.reshape(-1)
            yield f"shuffled back from {groups} groups", index.reshape(-1, groups).T.reshape(-1)
    for block in (2, 3, 4):
        if count % (block * block) == 0:
            blocks = index.reshape(block, block, -1)
            yield f"with rows and columns of blocks of {block} swapped", blocks.swapaxes(0, 1).reshape(-1)
            inner = index.reshape(-1, block, block)
            yield f"with rows and columns of inner blocks of {block} swapped", inner.swapaxes(1, 2).reshape(-1)
            yield f"with blocks of {block} outside instead of inside", index.reshape(-1, block * block).T.reshape(-1)
            yield f"with blocks of {block} inside instead of outside", index.reshape(block * block, -1).T.reshape(-1)
    if count % 4 == 0:
        yield "in groups of four from the last", index.reshape(-1, 4)[:, ::-1].reshape(-1)
    if count % 2 == 0:
        yield "in swapped pairs", index.reshape(-1, 2)[:, ::-1].reshape(-1)
    if count >= 3:
        yield "with the first and the third swapped", np.concatenate([[2, 1, 0], index[3:]])


def _offsets(case: Case, count: int) -> list[int]:
    """Numbers of channels by which reads may be off: where nothing is summed up larger ones, as of a part, too."""
    far = (
        () if case.windows() else (4, -4, 3, -3, count // 2, -(count // 2), case.dims[1] - count, count - case.dims[1])
    )
    return [offset for offset in dict.fromkeys((1, -1, 2, -2, *far)) if offset and count > 1]


def _matching(case: Case) -> Order | None:
    """For each channel the one whose right values it holds, where every channel has one of its own.

    A choice for each channel, that its elements, four at least, agree on; counted as fitted.
    """
    _, C, H, W = case.dims
    if C < 2 or C > _MOST_CHANNELS or H * W < 4:
        return None
    chosen = np.random.default_rng(0).choice(H * W, size=min(_SAMPLES, H * W), replace=False)
    actual = case.actual[0].reshape(C, -1)[:, chosen]
    expected = case.expected[0].reshape(C, -1)[:, chosen]
    if not np.isfinite(actual).all():
        return None
    distance = np.zeros((C, C))
    for sample in range(len(chosen)):  # one after the other: C² of each is memory enough
        distance = np.maximum(distance, np.abs(actual[:, sample, None] - expected[None, :, sample]))
    order = distance.argmin(axis=1)
    near = distance[np.arange(C), order] <= 1e-4 * max(float(np.abs(expected).max()), 1e-30)
    proper = len(np.unique(order)) == C and not np.array_equal(order, np.arange(C))
    return order if near.all() and proper else None


def _swizzles() -> Iterator[tuple[tuple[int, ...], str, float]]:
    """Lanes, how GLSL writes them, and how far they are from the right order."""
    for lanes in itertools.permutations(range(4)):
        if lanes != _IN_ORDER:
            yield lanes, "".join("rgba"[lane] for lane in lanes), sum(a != b for a, b in enumerate(lanes)) / 100


def _picked(lanes: tuple[int, ...]) -> Function:
    return lambda texels: texels[..., list(lanes)]


def _short(order: Order) -> list[int]:
    return [int(channel) for channel in order[:16]]
