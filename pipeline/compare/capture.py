"""What a session held after a run, read back: what a comparison needs, free of GL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.device import Device


@dataclass(frozen=True)
class Capture:
    """What a session held after a run, on the CPU: tensors by key, errors and times by pass.

    `unwritten` says by key, in logical shape, which elements no fragment wrote; keys without any are left out. `inside`
    says by pass why there is nothing of it, though it was computed: a fused run stored only what came after it.
    `runs_as` says by pass which form computed it; those that ran by their own shader are not in it.
    """

    target: str
    device: Device
    tensors: Mapping[str, NDArray[np.float32]]
    errors: Mapping[str, str]
    gpu_ms: Mapping[str, float | None]
    injected: frozenset[str] = frozenset()
    unwritten: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: MappingProxyType({}))
    inside: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    runs_as: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
