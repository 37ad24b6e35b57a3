"""Every pipeline as it stands."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy

HEALTHY = tuple(
    Healthy(f"as it is: {folder}", folder) for folder in ("keywords", "melbank", "ring", "stereo", "tcn", "wavenet")
)
