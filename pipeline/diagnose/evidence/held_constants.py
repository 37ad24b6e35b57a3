"""Constants that the GPU holds otherwise than the model has them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texelscope.pipeline.diagnose.evidence.evidence import ReadTensor
from texelscope.pipeline.plan import Plan


def other_constants(plan: Plan, reads: Sequence[ReadTensor]) -> tuple[str, ...]:
    """Those among what a pass reads, by tensor; one that is stored narrower than float32 is not looked at."""
    different = []
    for read in reads:
        stored = read.values.stored
        value = plan.constant(stored.tensor) if stored.role == "constant" else None
        if value is not None and stored.storage == "float32":
            with np.errstate(over="ignore"):
                held = np.float32(value).reshape(-1)
            if not np.array_equal(read.values.elements.reshape(-1), held, equal_nan=True):
                different.append(stored.tensor)
    return tuple(different)
