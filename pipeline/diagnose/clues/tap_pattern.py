"""What recorded reads say: in which order a tensor is read."""

from __future__ import annotations

import numpy as np

from texelscope.pipeline.diagnose.trial.failing_pass import FailingPass


def in_order(case: FailingPass, tensor: str, axis: int) -> bool | None:
    """Whether recorded reads of `tensor` go up along an axis of its 4-d view, from 0, as loops do.

    Two tensors multiplied in orders that do not agree give the same sums whichever of them is turned around; the
    one that is read against the loop is the one to blame. None if nothing was recorded.
    """
    read = case.read_of(tensor)
    if read is None:
        return None
    for taps in case.evidence.taps:
        elements = [tap.elements[0] for tap in taps.reads if tap.key == read.values.stored.key and tap.elements]
        places = np.unravel_index(elements, read.values.dims)[axis] if elements else np.zeros(0, dtype=np.int64)
        steps = np.diff(places)
        if len(set(places.tolist())) > 1:
            lowest = int(places.min())
            forward = bool(((steps >= 0) | (places[1:] == lowest)).all())
            return forward and int(places[0]) == lowest
    return None
