"""Planted bugs between invocations: shared memory without barriers, and places that several write."""

from __future__ import annotations

from tests.faults.changes import Dispatched, Edit
from tests.faults.fault import Fault
from tests.faults.seen.subjects import dispatches

FAULTS: tuple[Fault, ...] = (
    Fault(
        "no barrier between filling a tile and reading it",
        "missing_barrier",
        dispatches.conv_shared,
        (Edit("        barrier();  // everything is in the tile\n", ""),),
    ),
    Fault(
        "no barrier between the turns of a sum by halves",
        "missing_barrier",
        dispatches.mean_shared,
        (Edit("        barrier();  // of this turn\n", ""),),
        where=("if (own < left)",),
    ),
    Fault(
        "invocations beyond the right border write into the next row",
        "write_race",
        dispatches.conv_shared,
        (Edit("if (at.x < u_size.z && at.y < u_size.y)", "if (at.y < u_size.y)"),),
    ),
    Fault(
        "more work groups than channels, each of which begins anew",
        "write_race",
        dispatches.mean_shared,
        (Dispatched((12, 3, 1)), Edit("i < u_count; i += 64", "i < u_count; i += 64 + 64 * int(gl_WorkGroupID.y)")),
        where=("y[channel] =",),
    ),
)
