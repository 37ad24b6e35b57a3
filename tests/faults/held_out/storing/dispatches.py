"""Plants bugs between invocations: shared memory without a barrier, and squares that overlap."""

from __future__ import annotations

from functools import cache

import numpy as np

from tests.faults import models
from tests.faults.changes import Edit
from tests.faults.fault import Fault
from tests.faults.subjects import Subject, dispatched


@cache
def transpose() -> Subject:
    """Returns rows and columns swapped, through squares in shared memory."""
    model = models.single("Transpose", (1, 3, 11, 14), perm=[0, 1, 3, 2])
    blocks = {"From": "x", "To": "y"}
    return dispatched(model, "held_out/transpose_tile.comp", blocks, (2, 2, 3), {"u_size": (14, 11)})


@cache
def enlarge() -> Subject:
    """Enlarges each element of a picture to a square of two by two."""
    scales = {"roi": np.zeros(0, np.float32), "scales": np.array([1, 1, 2, 2], np.float32)}
    model = models.single("Resize", (1, 2, 7, 9), scales, mode="nearest", coordinate_transformation_mode="asymmetric")
    blocks = {"Small": "x", "Large": "y"}
    return dispatched(model, "held_out/enlarge_scatter.comp", blocks, (8, 1, 1), {"u_size": (9, 7, 2)})


FAULTS: tuple[Fault, ...] = (
    Fault(
        "a square turned without waiting for it",
        "missing_barrier",
        transpose,
        (Edit("    memoryBarrierShared();\n    barrier();\n", ""),),
        where=("turned[own.x][own.y] =",),
    ),
    Fault(
        "squares of three by three where two by two are enlarged",
        "write_race",
        enlarge,
        (
            Edit("dy < 2", "dy < 3"),
            Edit("dx < 2", "dx < 3"),
        ),
        where=("large[(",),
    ),
)
