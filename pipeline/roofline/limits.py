"""The time that no pass on this device can go below, by its work and the measured peaks; and which of them says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from texelscope.pipeline.roofline.peaks import Peaks
from texelscope.pipeline.roofline.work import PassWork

By = Literal["compute", "reads", "writes"]


@dataclass(frozen=True)
class Limit:
    """Milliseconds at least: for the arithmetic (None: not counted), for reading, for writing; all at the same time."""

    compute_ms: float | None
    read_ms: float
    write_ms: float

    @property
    def ms(self) -> float:
        """The largest of the three."""
        return max(self.compute_ms or 0.0, self.read_ms, self.write_ms)

    @property
    def by(self) -> By:
        """Which of the three it is."""
        found: dict[By, float] = {"compute": self.compute_ms or 0.0, "reads": self.read_ms, "writes": self.write_ms}
        return max(found, key=lambda name: found[name])


def limit_of(work: PassWork, peaks: Peaks, *, in_compute: bool = False) -> Limit:
    """The limit of a pass in fragments, or in compute, where that was measured.

    Every texture that it reads counts once, at the rate at which memory or caches give four floats a texel, whichever
    is faster; every texel that it writes at the rate of its format.
    """
    rates = peaks.compute if in_compute and peaks.compute is not None else peaks.fragment
    return Limit(
        work.operations / rates.gflops / 1e6 if work.operations is not None else None,
        work.read_bytes / rates.texture_gbytes / 1e6,
        sum(each.texels / rates.fill.gtexels(each.lanes, each.storage) for each in work.written) / 1e6,
    )
