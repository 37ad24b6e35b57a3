"""Splits a sum over a window into work groups: what each computes, by which shader, in how many shares of k.

Both multiply matrices: rows are groups of four channels of the output, columns its pixels, k counts taps and groups of
four channels of the input.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.device import Limits

TEXEL_BYTES = 16


@dataclass(frozen=True)
class WorkGroupBlock:
    """Describes `window_sum.comp.glsl`: rows by columns a work group, own rows by own columns a thread, `step` of k."""

    rows: int
    columns: int
    step: int
    own_rows: int
    own_columns: int

    shader = "window_sum.comp.glsl"

    @property
    def threads(self) -> int:
        """Invocations of a work group."""
        return (self.rows // self.own_rows) * (self.columns // self.own_columns)

    @property
    def shared_bytes(self) -> int:
        """Shared memory of a work group."""
        return 2 * self.step * (self.columns + 4 * self.rows) * TEXEL_BYTES

    def constants(self) -> Mapping[str, int]:
        """Returns compile-time constants of the shader."""
        return {
            "ROWS": self.rows,
            "COLUMNS": self.columns,
            "STEP": self.step,
            "OWN_ROWS": self.own_rows,
            "OWN_COLUMNS": self.own_columns,
            "THREADS": self.threads,
            "ROW_THREADS": self.rows // self.own_rows,
            "COLUMN_THREADS": self.columns // self.own_columns,
            "SUMS": self.own_rows * self.own_columns,
            "PIXELS": ceil_div(self.columns, self.threads),
            "X_LOADS": ceil_div(self.step * self.columns, self.threads),
            "W_LOADS": ceil_div(self.step * 4 * self.rows, self.threads),
        }


@dataclass(frozen=True)
class Lines:
    """Describes `few_pixels.comp.glsl`: `rows` threads a line, `slices` lines alternate at k, `loads` at a time."""

    rows: int
    columns: int
    slices: int
    loads: int

    shader = "few_pixels.comp.glsl"

    @property
    def step(self) -> int:
        """Returns how much of k a work group processes at a time."""
        return self.slices * self.loads

    @property
    def threads(self) -> int:
        """Invocations of a work group."""
        return self.rows * self.slices

    @property
    def shared_bytes(self) -> int:
        """Shared memory of a work group."""
        return (self.step * self.columns + self.threads * self._together) * TEXEL_BYTES

    @property
    def _together(self) -> int:
        return min(self.columns, 4)

    def constants(self) -> Mapping[str, int]:
        """Returns compile-time constants of the shader."""
        return {
            "ROWS": self.rows,
            "PIXELS": self.columns,
            "SLICES": self.slices,
            "LOADS": self.loads,
            "STEP": self.step,
            "THREADS": self.threads,
            "WEIGHTS": 4 * self.loads,
            "TOGETHER": self._together,
            "TURNS": ceil_div(self.columns, self._together),
        }


# This many invocations fill a large device: two work groups on each of 132 multiprocessors.
WANTED_GROUPS = 264


@dataclass(frozen=True)
class WorkGroupCounts:
    """Counts work groups along columns and rows, of each parity and share; `share` is the part of k that one sums."""

    kind: WorkGroupBlock | Lines
    columns: int
    rows: int
    shares: int
    share: int


def deal(rows: int, columns: int, k: int, parities: int, limits: Limits) -> WorkGroupCounts | None:
    """Returns the split for a product of that size; None where work groups are too small or too few for any."""
    own = limits.work_groups
    if own is None:
        return None
    for kind in _kinds(rows, columns, parities):
        if kind.shared_bytes <= own.shared_bytes and kind.threads <= own.invocations:
            found = dealt(kind, rows, columns, k, parities, workspace=limits.workspace_bytes)
            sizes = (found.columns, found.rows, parities * found.shares)
            if all(size <= most for size, most in zip(sizes, own.count, strict=True)):
                return found
    return None


def dealt(
    kind: WorkGroupBlock | Lines,
    rows: int,
    columns: int,
    k: int,
    parities: int,
    wanted: int = WANTED_GROUPS,
    workspace: int | None = None,
) -> WorkGroupCounts:
    """Returns a split into whole steps, with enough work groups, if their parts take no more than `workspace`."""
    across, down = ceil_div(columns, kind.columns), ceil_div(rows, kind.rows)
    steps = max(ceil_div(k, kind.step), 1)
    most = steps if workspace is None else workspace // (rows * columns * parities * TEXEL_BYTES)
    shares = max(min(wanted // (across * down * parities), steps, most), 1)
    share = ceil_div(steps, shares) * kind.step
    return WorkGroupCounts(kind, across, down, max(ceil_div(k, share), 1), share)


def _kinds(rows: int, columns: int, parities: int) -> tuple[WorkGroupBlock | Lines, ...]:
    """Returns the kinds that suit the size, the best first, the last small enough for any device.

    Measured on an NVIDIA H200, with every layer of the U-Net of 16 and of 64 channels and eight to ten arrangements of
    each: from 2 TFLOP/s where a layer has one row or 16 pixels to 22 where it has more than enough of both.
    """
    if columns == 1:
        best: WorkGroupBlock | Lines = Lines(32, 1, 8, 4)
    elif columns <= 4 or (columns <= 16 and rows <= 64):
        best = Lines(16, 4, 16, 2)
    elif rows == 1:
        best = WorkGroupBlock(1, 128, 4, 1, 1)
    elif rows <= 4:
        best = WorkGroupBlock(4, 128, 4, 1, 4)
    elif columns <= 16:
        best = WorkGroupBlock(16, 16, 8, 1, 4)
    elif rows <= 8 or (columns <= 64 and rows <= 32):
        best = WorkGroupBlock(8, 64, 4, 1, 4)
    elif rows <= 16 or rows * columns * parities < 1 << 14:
        best = WorkGroupBlock(16, 64, 4, 2, 4)
    else:
        best = WorkGroupBlock(32, 64, 4, 4, 4)
    return (best, WorkGroupBlock(4, 16, 4, 1, 1))
