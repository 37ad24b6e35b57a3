"""The right pipelines as they are."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy

HEALTHY = tuple(
    Healthy(f"as it is: {folder}", folder) for folder in ("bunny", "moss", "postcard", "figurine", "grain", "cloud")
)
