"""Builds forms in compute shaders: sums over a window as products of matrices in work groups, operations per texel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from texelscope.layouts.grid import Grid, ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.lowerings.finish import Finish, places
from texelscope.pipeline.lowerings.lowering import Constants, Lowering, LoweringStep, Numbers, PackedConstants
from texelscope.pipeline.lowerings.text import DispatchText, dispatch_program
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.lowerings.work_groups import TEXEL_BYTES, WorkGroupCounts, deal
from texelscope.pipeline.plan import StoredTensor

# Entries of the tables in the block of uniforms, for which every driver allows 16 KiB.
MAX_PARITIES = 4
MAX_TAPS = (64, 512)
SUM_THREADS = 64
_PARTS = "parts"
# (y, x) of the tap, and where it reads x for output 0 of its parity.
Tap = tuple[int, int, int, int]


@dataclass(frozen=True)
class ParityTaps:
    """Lists, by parity, the taps that read inside x for any output."""

    of_parity: tuple[tuple[Tap, ...], ...]

    @property
    def count(self) -> int:
        """The number of taps of all parities."""
        return sum(len(taps) for taps in self.of_parity)


def taps_of(sum_: WindowSumLowering) -> ParityTaps:
    """Returns the taps that matter: at the edge of a small input most taps of a window read padding alone."""
    rows, columns = sum_.places
    found = []
    for parity in range(sum_.parities):
        remainder = divmod(parity, sum_.spread[1])
        ys = _inside(sum_, 0, sum_.origins[remainder[0]], rows)
        xs = _inside(sum_, 1, sum_.origins[2 + remainder[1]], columns)
        found.append(tuple((p, q, y, x) for p, y in ys for q, x in xs))
    return ParityTaps(tuple(found))


def _inside(sum_: WindowSumLowering, axis: int, origin: int, count: int) -> list[tuple[int, int]]:
    """Returns number and first place of the taps that reach inside x along an axis."""
    firsts = [(tap, origin + tap * sum_.dilation[axis]) for tap in range(sum_.kernel[axis])]
    reached = [(tap, first, first + np.arange(count) * sum_.stride[axis]) for tap, first in firsts]
    return [(tap, first) for tap, first, at in reached if np.any((at >= 0) & (at < sum_.x_shape[axis]))]


def compute_form(
    sum_: WindowSumLowering,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    limits: Limits,
) -> Lowering | None:
    """Returns the dispatches of the sum over the tensor stored as `x`, finished and stored as `finish` says.

    None if the driver has no compute shaders, too small or too few work groups for any arrangement, or too small
    blocks for the weights or the window's taps.
    """
    taps = taps_of(sum_)
    if limits.work_groups is None or len(taps.of_parity) > MAX_PARITIES or taps.count > MAX_TAPS[-1]:
        return None
    rows, columns = sum_.places
    pixels = sum_.batch * rows * columns
    k = max(len(each) for each in taps.of_parity) * sum_.x_groups
    dealt = deal(sum_.y_groups, pixels, k, len(taps.of_parity), limits)
    texels = len(taps.of_parity) * sum_.y_groups * pixels
    weights = taps.count * sum_.x_groups * 4 * sum_.y_groups
    if dealt is None or max(weights, dealt.shares * texels) * TEXEL_BYTES > limits.work_groups.block_bytes:
        return None
    writer = _Writer(sum_, x, finish, textures, taps, dealt)
    return Lowering(
        tuple(covers),
        (x, *finish.others()),
        finish.writes(),
        writer.steps(texels),
        buffers=((_PARTS, dealt.shares * texels * TEXEL_BYTES),) if dealt.shares > 1 else (),
    )


@dataclass(frozen=True)
class _Writer:
    """Writes the steps of one form."""

    sum_: WindowSumLowering
    x: str
    finish: Finish
    textures: Mapping[str, StoredTensor]
    taps: ParityTaps
    dealt: WorkGroupCounts

    def steps(self, texels: int) -> tuple[LoweringStep, ...]:
        """Returns the steps: the sums, and where several work groups share a sum, the sums of their parts."""
        kind, shares = self.dealt.kind, self.dealt.shares
        groups = (self.dealt.columns, self.dealt.rows, len(self.taps.of_parity) * shares)
        if shares == 1:
            return (self._step(kind.shader, kind.constants(), groups, self.finish, reads=True),)
        second = {"THREADS": SUM_THREADS}
        return (
            self._step(kind.shader, kind.constants(), groups, Finish(), reads=True),
            self._step("shares.comp.glsl", second, (ceil_div(texels, SUM_THREADS), 1, 1), self.finish, reads=False),
        )

    def _step(
        self, file: str, constants: Mapping[str, int], size: tuple[int, int, int], finish: Finish, *, reads: bool
    ) -> LoweringStep:
        before = ("window_sum.shape.glsl", *(["window_sum.reads.glsl", "weights.glsl"] if reads else []))
        after = (*(["window_sum.puts.glsl"] if finish.stores else []), "parts.glsl")
        return LoweringStep(
            program=dispatch_program(
                DispatchText(file, (constants["THREADS"], 1), before, after, reads),
                {**constants, "MAX_PARITIES": MAX_PARITIES, "MAX_TAPS": self._room, "LAST_LANES": self.sum_.last_lanes},
                finish,
                self.textures,
                self.sum_.outputs,
            ),
            size=size,
            textures=(*([self.x] if reads else []), *finish.others()),
            images=finish.images(),
            packed=finish.packed(self.sum_.outputs),
            blocks=(self._weights(),) if reads else (),
            buffers=(_PARTS,) if self.dealt.shares > 1 else (),
            shape=self._shape(),
            kind="compute",
        )

    @property
    def _room(self) -> int:
        return next(count for count in MAX_TAPS if count >= self.taps.count)

    def _weights(self) -> PackedConstants:
        """Orders weights by tap that matters, parity by parity, channel of x and group of y: four outputs."""
        sum_, taps = self.sum_, self.taps

        def make(constant: Constants) -> Numbers:
            weights = sum_.weights(constant(sum_.weight))
            packed = np.zeros((taps.count, sum_.x_groups * 4, sum_.y_groups * 4), dtype=np.float32)
            places = [(parity, p, q) for parity, each in enumerate(taps.of_parity) for p, q, _, _ in each]
            for place, (parity, p, q) in enumerate(places):
                packed[place, : sum_.channels, : sum_.outputs] = weights[parity][:, :, p, q].T
            return packed.reshape(-1, 4)

        return PackedConstants(f"{sum_.operator}|{sum_.weight}|taps|{sum_.spread}|{taps.of_parity}", make)

    def _shape(self) -> bytes:
        """Returns the block of uniforms of `window_sum.shape.glsl`."""
        sum_, taps, room = self.sum_, self.taps, self._room
        x_columns = Grid.of(sum_.batch * sum_.x_groups).columns
        rows, columns = sum_.places
        integers = [
            (*sum_.x_shape, x_columns, sum_.x_groups),
            (*sum_.y_shape, Grid.of(sum_.batch * sum_.y_groups).columns, sum_.y_groups),
            (0, 0, 0, 0),
            (rows, columns, sum_.batch * rows * columns, len(taps.of_parity)),
            (*sum_.stride, *sum_.spread),
            (self.dealt.shares, self.dealt.share, 0, 0),
            *places(self.finish, self.textures),
        ]
        first, parities = 0, []
        for parity, each in enumerate(taps.of_parity):
            parities.append((first, len(each), *divmod(parity, sum_.spread[1])))
            first += len(each)
        tables = np.zeros((MAX_PARITIES + room, 4), dtype=np.int32)
        tables[: len(parities)] = parities
        if taps.count:
            tables[MAX_PARITIES : MAX_PARITIES + taps.count, :2] = [at[2:] for each in taps.of_parity for at in each]
        inverses = np.array([1 / sum_.x_groups, 1 / x_columns, 0, 0], dtype=np.float32)
        return np.array(integers, dtype=np.int32).tobytes() + inverses.tobytes() + tables.tobytes()


_SIZE = (16, 16)
_FILES = DispatchText("texels.comp.glsl", _SIZE, ("texels.shape.glsl",))


def compute_texel_form(x: str, finish: Finish, covers: Sequence[str], textures: Mapping[str, StoredTensor]) -> Lowering:
    """Returns a dispatch that reads the tensor stored as `x` per texel, and finishes and stores it by `finish`."""
    n, channels, *spatial = textures[x].shape
    groups = ceil_div(channels, 4)
    height, width = textures[x].texture_shape
    shape = [
        (*spatial, Grid.of(n * groups).columns, groups),
        (n * groups, 0, 0, 0),
        *places(finish, textures),
    ]
    step = LoweringStep(
        program=dispatch_program(_FILES, {}, finish, textures, channels),
        size=(ceil_div(width, _SIZE[0]), ceil_div(height, _SIZE[1]), 1),
        textures=(x, *finish.others()),
        images=finish.images(),
        packed=finish.packed(channels),
        shape=np.array(shape, dtype=np.int32).tobytes(),
        kind="compute",
    )
    return Lowering(tuple(covers), (x, *finish.others()), finish.writes(), (step,))
