"""Holds what a session computed in a run, read back: all that a comparison needs, without GL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import DeviceInfo


@dataclass(frozen=True)
class Capture:
    """Holds what a session computed in a run, on the CPU: tensors by key, errors and times by pass.

    `unwritten` lists by key, in logical shape, the elements that no fragment wrote; keys without any are left out.
    `inside` says by pass why its result was not stored, though computed: a fused run stored only a later one.
    `runs_as` names by pass the form that computed it; passes that ran by their own shader are not in it.
    """

    target: str
    device: DeviceInfo
    tensors: Mapping[str, NDArray[np.float32]]
    errors: Mapping[str, str]
    gpu_ms: Mapping[str, float | None]
    injected: frozenset[str] = frozenset()
    unwritten: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: MappingProxyType({}))
    inside: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    runs_as: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
