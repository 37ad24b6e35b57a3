"""What the tables of a step say in plain data, for who looks at the window from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from texelscope.viewer.variables.looking import Looking

if TYPE_CHECKING:  # imported with the first fragment that is stepped through
    from texelscope.pipeline.trace.sums import FragmentSum


def tables_seen(looking: Looking, sums: FragmentSum | None) -> dict[str, Any]:
    """Rows by name, what is lit, and what became of the sum."""
    return {
        "rows": dict(looking.told),
        "lit": looking.lit,
        "origin": looking.origin.what if looking.origin is not None else None,
        "sum": None
        if sums is None
        else {"terms": len(sums.terms), "first_wrong": sums.first_wrong, "reason": sums.reason},
    }
