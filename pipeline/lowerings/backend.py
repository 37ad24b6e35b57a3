"""Chooses draws or dispatches to compute a form on a driver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.lowerings.compute_forms import compute_form, compute_texel_form
from texelscope.pipeline.lowerings.finish import Finish
from texelscope.pipeline.lowerings.lowering import Lowering
from texelscope.pipeline.lowerings.sums import sum_form, texel_form
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering
from texelscope.pipeline.plan import Backend, Plan, StoredTensor
from texelscope.pipeline.planning.memory import memory_use

# The most memory for parts of sums, relative to the tensors alive at once; and the amount that is always allowed.
WORKSPACE_OF_ALIVE = 0.25
LEAST_WORKSPACE = 1 << 18


def dispatches(backend: Backend, limits: Limits) -> bool:
    """Reports whether forms are dispatches where possible.

    Measurements decide. An NVIDIA H200 runs fragment shaders on few of its multiprocessors: there a copy of
    1024x1024 texels takes a draw 300 µs and a dispatch 11, and all convolutions of the U-Net of 64 channels 2 ms. On
    llvmpipe both run on the same cores, shared memory is one more copy, and the U-Net takes seven times as long.

    Raises TexelscopeError if dispatches are requested and the driver has no compute shaders.
    """
    if backend == "compute" and limits.work_groups is None:
        raise TexelscopeError(
            "backend 'compute'",
            "a driver with compute shaders, OpenGL 4.3 or newer",
            f"OpenGL {limits.version // 100}.{limits.version // 10 % 10}",
            "Take --backend fragment, or auto.",
        )
    return backend == "compute" or (backend == "auto" and limits.work_groups is not None and not limits.is_software)


def with_workspace(limits: Limits, plan: Plan) -> Limits:
    """Returns the limits for forms of that plan, whose parts of sums use a share of the memory that it needs anyway."""
    if limits.work_groups is None or not dispatches(plan.backend, limits):
        return limits
    most = max(int(WORKSPACE_OF_ALIVE * memory_use(plan).alive), LEAST_WORKSPACE)
    return replace(limits, work_groups=replace(limits.work_groups, workspace_bytes=most))


def best_form(
    sum_: WindowSumLowering | None,
    x: str,
    finish: Finish,
    covers: Sequence[str],
    textures: Mapping[str, StoredTensor],
    limits: Limits,
    backend: Backend,
) -> Lowering:
    """Returns the backend's form of the sum over the tensor stored as `x`; without a sum, of that tensor itself.

    `finish` says how it is finished and stored. Raises TexelscopeError as `dispatches`.
    """
    in_dispatches = dispatches(backend, limits)
    if sum_ is None:
        make = compute_texel_form if in_dispatches else texel_form
        return make(x, finish, covers, textures)
    form = compute_form(sum_, x, finish, covers, textures, limits) if in_dispatches else None
    return form or sum_form(sum_, x, finish, covers, textures, limits)
