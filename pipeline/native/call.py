"""Says what a native run of one pass needs, and what it gives. Both are handed from process to process."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class NativeBuffer:
    """A buffer by its place: the bytes it begins with; `is_wanted` says that those behind the run are asked for."""

    group: int
    binding: int
    kind: str  # as WebGPU calls it: "storage", "read-only-storage" or "uniform"
    data: bytes
    is_wanted: bool = False


@dataclass(frozen=True)
class NativeCall:
    """One dispatch: the text in WGSL, its entry point, the values of its overrides, work groups, buffers."""

    text: str
    entry: str
    constants: tuple[tuple[str, float], ...]
    groups: tuple[int, int, int]
    buffers: tuple[NativeBuffer, ...]
    needs_f16: bool = False


@dataclass(frozen=True)
class NativeResult:
    """Holds what a call gave: the bytes of the wanted buffers in their order, or why it did not run."""

    data: tuple[bytes, ...] = ()
    error: str = ""


@dataclass(frozen=True)
class NativeRun:
    """The results of all calls, on a device that is called `device`."""

    device: str
    results: tuple[NativeResult, ...]
