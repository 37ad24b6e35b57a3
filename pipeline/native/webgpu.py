"""Runs compute shaders in WGSL on a device of WebGPU: Vulkan, Metal, Direct3D 12 or OpenGL, by the package wgpu.

It is called in a process of its own (`run_apart`): a driver that fails there ends no window, and the contexts of
OpenGL here stay current.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.native.call import NativeBuffer, NativeCall, NativeResult, NativeRun
from texelscope.pipeline.workers.apart import WorkerEndedError, in_a_process

# Address space, of which a software driver reserves much and uses little.
_MOST_BYTES = 64 * 1024**3


def run_apart(calls: Sequence[NativeCall]) -> NativeRun:
    """Runs each call alone, in a process of its own.

    Raises TexelscopeError where the package wgpu is missing, where no device is found, and where the process ends.
    """
    if find_spec("wgpu") is None:
        raise TexelscopeError(
            "a native run of WGSL", "the package wgpu", "none", "Install it: pip install wgpu. Or leave it out."
        )
    who = "a native run of WGSL"
    try:
        found = in_a_process("texelscope.pipeline.native.webgpu:run", (tuple(calls),), who, _MOST_BYTES)
    except WorkerEndedError as error:
        if len(calls) == 1:
            return NativeRun("", (NativeResult(error=f"wgpu or its driver failed ({error.got})"),))
        alone = [run_apart([call]) for call in calls]
        return NativeRun(
            next((each.device for each in alone if each.device), ""), tuple(each.results[0] for each in alone)
        )
    assert isinstance(found, NativeRun)
    return found


def run(calls: Sequence[NativeCall]) -> NativeRun:
    """Runs each call alone, in this process. Raises TexelscopeError where no device is found."""
    with contextlib.redirect_stdout(io.StringIO()):  # the result is what is written there
        import wgpu

        try:
            adapter = wgpu.gpu.request_adapter_sync(power_preference="high-performance")
            wanted = ["shader-f16"] if any(call.needs_f16 for call in calls) else []
            features = [name for name in wanted if name in adapter.features]
            most = {name: adapter.limits[name] for name in _LIMITS if name in adapter.limits}
            device = adapter.request_device_sync(required_features=features, required_limits=most)
        except (RuntimeError, wgpu.GPUError) as error:
            raise TexelscopeError(
                "a native run of WGSL", "a device of Vulkan, Metal, Direct3D 12 or OpenGL", _first_line(error),
                "Install a driver; on Debian, mesa-vulkan-drivers has one in software.",
            ) from error  # fmt: skip
        name = f"{adapter.info['device']}, {adapter.info['backend_type']}"
        return NativeRun(name, tuple(_result(wgpu, device, call) for call in calls))


_LIMITS = (
    "max-compute-invocations-per-workgroup", "max-compute-workgroup-size-x", "max-compute-workgroup-size-y",
    "max-compute-workgroup-size-z", "max-compute-workgroup-storage-size", "max-storage-buffer-binding-size",
    "max-buffer-size", "max-storage-buffers-per-shader-stage",
)  # fmt: skip


def _result(wgpu: Any, device: Any, call: NativeCall) -> NativeResult:
    try:
        return NativeResult(_ran(wgpu, device, call))
    except (RuntimeError, ValueError, wgpu.GPUError) as error:
        return NativeResult(error=_first_line(error))


def _ran(wgpu: Any, device: Any, call: NativeCall) -> tuple[bytes, ...]:
    usage = wgpu.BufferUsage
    visible = wgpu.ShaderStage.COMPUTE
    groups = range(max((each.group for each in call.buffers), default=-1) + 1)
    by_group = [[each for each in call.buffers if each.group == group] for group in groups]
    layouts = [
        device.create_bind_group_layout(
            entries=[
                {"binding": each.binding, "visibility": visible, "buffer": {"type": each.kind}} for each in members
            ]
        )
        for members in by_group
    ]
    kinds = {"uniform": usage.UNIFORM | usage.COPY_DST}
    made: dict[NativeBuffer, Any] = {
        each: device.create_buffer_with_data(
            data=each.data, usage=kinds.get(each.kind, usage.STORAGE | usage.COPY_SRC | usage.COPY_DST)
        )
        for each in call.buffers
    }
    bound = [
        device.create_bind_group(
            layout=layout,
            entries=[
                {"binding": each.binding, "resource": {"buffer": made[each], "offset": 0, "size": len(each.data)}}
                for each in members
            ],
        )
        for layout, members in zip(layouts, by_group, strict=True)
    ]
    pipeline = device.create_compute_pipeline(
        layout=device.create_pipeline_layout(bind_group_layouts=layouts),
        compute={
            "module": device.create_shader_module(code=call.text),
            "entry_point": call.entry,
            "constants": dict(call.constants),
        },
    )
    encoder = device.create_command_encoder()
    computing = encoder.begin_compute_pass()
    computing.set_pipeline(pipeline)
    for number, group in enumerate(bound):
        computing.set_bind_group(number, group)
    computing.dispatch_workgroups(*call.groups)
    computing.end()
    device.queue.submit([encoder.finish()])
    return tuple(bytes(device.queue.read_buffer(made[each])) for each in call.buffers if each.is_wanted)


def _first_line(error: Exception) -> str:
    """Returns what is wrong in one line: the compiler's own, where it says one."""
    lines = [line.strip(" │╭─└>") for line in str(error).splitlines()]
    lines = [line for line in lines if line and not line.lower().startswith("caused by")]
    at = next((number for number, line in enumerate(lines) if line.lower().startswith(("error", "shader"))), None)
    said = lines[-2:] if at is None else [lines[at], *lines[-1:]]
    return ": ".join(dict.fromkeys(each.rstrip(".:") for each in said))[:300] or type(error).__name__
