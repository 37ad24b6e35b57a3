"""Lists what this adapter can do, as the protocol's `initialize` asks."""

from __future__ import annotations

from typing import Any

from texelscope.pipeline.debug_adapter.stops import Filter

# The filters of an editor's list of exceptions: label and description.
_FILTERS: dict[Filter, tuple[str, str]] = {
    "read": ("Reads", "Stops before each statement that reads a texture."),
    "nan": ("NaN and infinite values", "Stops before each statement that makes a value NaN or infinite."),
}

CAPABILITIES: dict[str, Any] = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsSteppingGranularity": True,
    "supportsRestartRequest": True,
    "supportsRestartFrame": True,
    "supportsTerminateRequest": True,
    "supportsExceptionInfoRequest": True,
    "supportsLoadedSourcesRequest": True,
    "supportsBreakpointLocationsRequest": True,
    "supportsDelayedStackTraceLoading": True,
    "exceptionBreakpointFilters": [
        {"filter": name, "label": label, "description": description, "default": False}
        for name, (label, description) in _FILTERS.items()
    ],
}
