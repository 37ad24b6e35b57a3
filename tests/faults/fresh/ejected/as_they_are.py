"""The right pipelines."""

from __future__ import annotations

from tests.faults.fresh.case import Healthy

HEALTHY = tuple(
    Healthy(f"as it is: {folder}", folder)
    for folder in ("separable", "unet", "squeeze", "inception", "shuffle", "modulated")
)
