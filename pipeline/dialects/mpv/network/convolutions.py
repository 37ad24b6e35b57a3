"""Sums of weighted texels as nodes: tensors passed on as they are, and convolutions over all that is read alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from texelscope.pipeline.dialects.mpv.network.nodes import Nodes
from texelscope.pipeline.dialects.mpv.network.sources import (
    LANES,
    ConvolutionWindow,
    SourceSums,
    SourceWeights,
    SummedSource,
    constants_of,
    kernel,
    same_weights,
)
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture
from texelscope.pipeline.dialects.mpv.network.values import NotUnderstoodError

_CENTRE = (0, 0)
# Places of one convolution's window: beyond, a shader reads far apart and is none.
_LARGEST_WINDOW = 1 << 14


class SumNodes:
    """Makes nodes of sums; `hidden` makes the tensor of functions of sums."""

    def __init__(
        self, nodes: Nodes, textures: Mapping[str, BlockTexture], hidden: Callable[[SummedSource, SourceWeights], str]
    ) -> None:
        self._nodes = nodes
        self._textures = textures
        self._hidden = hidden

    def tensor(self, sums: SourceSums) -> str:
        """The tensor with a channel for each row."""
        passed, weighted = self._passed_on(sums)
        if not passed and not weighted:
            raise NotUnderstoodError("a result that reads nothing")
        groups: dict[tuple[Any, ...], list[tuple[SummedSource, SourceWeights]]] = {}
        for source, weights in weighted:
            window = ConvolutionWindow.around(weights.offsets())
            if window.size[0] * window.size[1] > _LARGEST_WINDOW:
                raise NotUnderstoodError("reads {}x{} texels apart".format(*window.size))
            step, border = ((1, 1), "edge") if source.border == "group" else (source.step, source.border)
            groups.setdefault((window, step, border), []).append((source, weights))
        parts: list[str] = []
        bias = constants_of(sums.constants)
        for (window, step, border), group in groups.items():
            own = bias if not parts else None
            parts.append(self._convolution(group, sums.rows, window, step, border, own))
        if not parts and bias[0].any():
            shape = (1, sums.rows, 1, 1)
            parts.append(self._nodes.constant("bias", bias[0].reshape(shape), bias[1].reshape(shape)))
        total = None
        for part in [*parts, *passed]:
            total = part if total is None else self._nodes.node("Add", [total, part], sums.rows)
        assert total is not None
        return total

    # -- tensors as they are -----------------------------------------------------------------------------------

    def _passed_on(self, sums: SourceSums) -> tuple[list[str], list[tuple[SummedSource, SourceWeights]]]:
        """The tensors that are added as they are, channels picked; and the sources that are weighted."""
        open_sets: list[dict[int, tuple[SummedSource, int]]] = []
        members: list[list[tuple[SummedSource, SourceWeights]]] = []
        weighted: list[tuple[SummedSource, SourceWeights]] = []
        for source, weights in sums.sources.items():
            picks = _picks(source, weights)
            if picks is None:
                weighted.append((source, weights))
                continue
            at = next((i for i, each in enumerate(open_sets) if not each.keys() & picks.keys()), len(open_sets))
            if at == len(open_sets):
                open_sets.append({})
                members.append([])
            open_sets[at].update({row: (source, channel) for row, channel in picks.items()})
            members[at].append((source, weights))
        passed = []
        for rows, group in zip(open_sets, members, strict=True):
            if len(rows) == sums.rows:
                passed.append(self._picked([rows[row] for row in range(sums.rows)]))
            else:
                weighted.extend(group)
        return passed, weighted

    def _picked(self, picks: Sequence[tuple[SummedSource, int]]) -> str:
        """The tensor whose channels are those of the sources."""
        sources = list(dict.fromkeys(source for source, _ in picks))
        tensors = [self._of(source, None) for source in sources]
        first, count = {}, 0
        for source, tensor in zip(sources, tensors, strict=True):
            first[source] = count
            count += self._nodes.channels[tensor]
        whole = self._joined(tensors)
        wanted = [first[source] + channel for source, channel in picks]
        if wanted == list(range(count)):
            return whole
        indices = self._nodes.constant("channels", np.array(wanted, np.int64))
        return self._nodes.shared("Gather", [whole, indices], len(wanted), {"axis": 1})

    # -- convolutions ------------------------------------------------------------------------------------------

    def _convolution(
        self,
        group: Sequence[tuple[SummedSource, SourceWeights]],
        rows: int,
        window: ConvolutionWindow,
        step: tuple[int, int],
        border: str,
        bias: tuple[Any, Any] | None,
    ) -> str:
        tensors, kernels = self._inputs(group, rows, window)
        padded = self._padded(tensors, window, step, border)
        values = np.concatenate([each[0] for each in kernels], axis=1)
        lines = np.concatenate([each[1] for each in kernels], axis=1)
        inputs = [padded, self._nodes.constant("weight", values, lines)]
        if bias is not None:
            inputs.append(self._nodes.constant("bias", *bias))
        width, height = window.size
        attributes = {"kernel_shape": (height, width), "strides": (step[1], step[0])}
        return self._nodes.node("Conv", inputs, rows, attributes)

    def _inputs(
        self, group: Sequence[tuple[SummedSource, SourceWeights]], rows: int, window: ConvolutionWindow
    ) -> tuple[str, list[tuple[Any, Any]]]:
        """What is convolved, all channels in one tensor; and each part's weights."""
        alike: list[tuple[list[SummedSource], SourceWeights]] = []
        for source, weights in group:
            known = next((each for each in alike if not source.function and same_weights(each[1], weights)), None)
            if known is not None and not known[0][0].function:
                known[0].append(source)
            else:
                alike.append(([source], weights))
        if all(len(sources) == 1 and _is_rectified(sources[0]) for sources, _ in alike):
            signed = [self._signed(sources[0]) for sources, _ in alike]
            joined = self._joined(signed)
            whole = self._nodes.shared("Relu", [joined], self._nodes.channels[joined])
            channels = [self._nodes.channels[each] for each in signed]
        else:
            tensors = [self._added([self._of(source, weights) for source in sources]) for sources, weights in alike]
            whole = self._joined(tensors)
            channels = [self._nodes.channels[each] for each in tensors]
        made = [kernel(weights, window, rows, count) for (_, weights), count in zip(alike, channels, strict=True)]
        return whole, made

    def _padded(self, tensor: str, window: ConvolutionWindow, step: tuple[int, int], border: str) -> str:
        before = [-each for each in window.low]
        after = [max(0, window.high[axis] - step[axis] + 1) for axis in (0, 1)]
        if not any(before) and not any(after):
            return tensor
        amounts = np.array([0, 0, before[1], before[0], 0, 0, after[1], after[0]], np.int64)
        pads = self._nodes.constant("pads", amounts)
        mode = "edge" if border == "edge" else "constant"
        return self._nodes.shared("Pad", [tensor, pads], self._nodes.channels[tensor], {"mode": mode})

    # -- sources -----------------------------------------------------------------------------------------------

    def _of(self, source: SummedSource, weights: SourceWeights | None) -> str:
        """The source's tensor."""
        if not source.texture:
            assert weights is not None
            return self._hidden(source, weights)
        if source.sampled:
            texture = self._textures[source.texture]
            scales = np.array([1.0, 1.0, float(texture.scale[1]), float(texture.scale[0])], np.float32)
            inputs = [source.texture, "", self._nodes.constant("scales", scales)]
            attributes = {"mode": "linear", "coordinate_transformation_mode": "half_pixel"}
            return self._nodes.shared("Resize", inputs, texture.channels, attributes)
        if not source.function:
            return self._grouped(source, source.texture)
        signed = self._signed(source)
        numbers = [self._nodes.constant("number", np.array(number, np.float32)) for number in source.numbers]
        return self._nodes.shared(source.function, [signed, *numbers], self._nodes.channels[signed])

    def _signed(self, source: SummedSource) -> str:
        texture = self._grouped(source, source.texture)
        channels = self._nodes.channels[texture]
        return self._nodes.shared("Neg", [texture], channels) if source.sign < 0 else texture

    def _grouped(self, source: SummedSource, texture: str) -> str:
        """The tensor with the texels of a group as channels, row by row, LANES each; as it is if it has no groups."""
        if source.border != "group":
            return texture
        width, height = source.step
        channels = self._nodes.channels[texture]
        spots = np.zeros((LANES * height * width, channels, height, width), np.float32)
        for row in range(len(spots)):
            spot, lane = divmod(row, LANES)
            if lane < channels:
                spots[row, lane, spot // width, spot % width] = 1.0
        places = self._nodes.constant("places", spots)
        attributes = {"strides": (height, width), "kernel_shape": (height, width)}
        return self._nodes.shared("Conv", [texture, places], len(spots), attributes)

    def _joined(self, tensors: Sequence[str]) -> str:
        if len(tensors) == 1:
            return tensors[0]
        channels = sum(self._nodes.channels[tensor] for tensor in tensors)
        return self._nodes.shared("Concat", tensors, channels, {"axis": 1})

    def _added(self, tensors: Sequence[str]) -> str:
        total = tensors[0]
        for tensor in tensors[1:]:
            total = self._nodes.shared("Add", [total, tensor], self._nodes.channels[tensor])
        return total


def _is_rectified(source: SummedSource) -> bool:
    return source.function == "Relu" and bool(source.texture)


def _picks(source: SummedSource, weights: SourceWeights) -> dict[int, int] | None:
    """Row → channel if the source is added as it is, each row one channel of it; None otherwise."""
    if not source.texture or (source.step != (1, 1) and source.border != "group"):
        return None
    picks: dict[int, int] = {}
    for (row, channel, offset), weight in weights.of.items():
        if weight.value == 0.0:
            continue
        if weight.value != 1.0 or offset != _CENTRE or row in picks:
            return None
        picks[row] = channel
    return picks
