"""Windows that take other channels, or other filters, than their own; also behind the last, as the texture has it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.diagnose.clues.weights import right_values, weight_tensor
from pipeline.diagnose.evidence.evidence import ReadTensor
from pipeline.diagnose.evidence.stored_values import Beyond
from pipeline.diagnose.redo.redo import WindowChange
from pipeline.diagnose.redo.window_sum import WindowSum
from pipeline.diagnose.trial.case import Case

Array = NDArray[Any]
Indices = NDArray[np.int64]


def channels_behind(read: ReadTensor, extra: int, beyond: Beyond) -> Array:
    """[N, extra, H, W]: what the layout's formula gives for channels behind the last."""
    N, C, H, W = read.values.dims
    n, c = np.arange(N)[:, None, None, None], C + np.arange(extra)[:, None, None]
    return np.asarray(read.values.read(n, c, np.arange(H)[:, None], np.arange(W), beyond))


def with_channels(case: Case, window: WindowSum, channels: Indices, beyond: Beyond) -> WindowChange | None:
    """The window on other channels, int [O, I]; None where there are none behind the last."""
    extra = int(channels.max()) + 1 - window.source.shape[1]
    read = case.read_of(window.stored.stored.tensor) if window.stored is not None else None
    if extra > 0 and (read is None or len(read.values.stored.shape) != 4):
        return None

    def change(same: WindowSum) -> WindowSum:
        if extra <= 0:
            return same.replaced(channels=channels)
        assert read is not None
        source = np.concatenate([same.source, channels_behind(read, extra, beyond)], axis=1)
        return same.replaced(source=source, channels=channels, stored=None)

    return WindowChange(window.node, change)


def filters_at(
    case: Case, window: WindowSum, outer: Indices, inner: Indices, beyond: Beyond, *, transposed: bool
) -> Array | None:
    """[O, I, P, Q]: the weights found at `outer`, `inner`, int [O, I], of their tensor's first two axes."""
    tensor = weight_tensor(case, window.node)
    read = case.read_of(tensor)
    if read is None or len(read.values.stored.shape) != 4:
        return None
    values = right_values(case, tensor) if read.values.stored.role == "constant" else read.values
    p, q = np.arange(window.kernel[0])[:, None], np.arange(window.kernel[1])
    found = values.read(outer[:, :, None, None], inner[:, :, None, None], p, q, beyond)
    return found[..., ::-1, ::-1] if transposed else found
