"""Makes native runs of a plan's passes: their texts in WGSL, with what their buffers and uniforms hold in a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.glsl.authored.refused import AuthorTextError
from texelscope.pipeline.glsl.reserved_words import safe_name
from texelscope.pipeline.native.call import NativeBuffer, NativeCall
from texelscope.pipeline.plan import BufferBinding, Pass, Plan, StoredTensor, TranslatedText, UniformValue
from texelscope.pipeline.planning.dispatches import buffer_bytes
from texelscope.pipeline.wgsl.layout import leaves, size_of, write
from texelscope.pipeline.wgsl.resources import Resource, interface_of
from texelscope.pipeline.wgsl.types import SamplerType, TextureType

LANGUAGE = "WGSL"
# Values of stored tensors by key, in their logical shapes.
Values = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class PassCall:
    """A pass's native run; `outputs` are the keys of the buffers whose bytes are wanted, with how they hold numbers.

    Without a call, `error` says why it cannot run natively.
    """

    name: str
    call: NativeCall | None
    outputs: tuple[BufferBinding, ...] = ()
    error: str = ""


def is_native(shader_pass: Pass) -> bool:
    """Whether a pass is a compute shader in WGSL."""
    origin = shader_pass.program.translated
    return origin is not None and origin.language == LANGUAGE and shader_pass.dispatch is not None


def calls_of(plan: Plan, values: Values) -> Iterator[PassCall]:
    """Yields the native run of each pass in WGSL, on the inputs that `values` has."""
    for shader_pass in plan.passes:
        origin = shader_pass.program.translated
        if origin is not None and is_native(shader_pass):
            try:
                yield _call(shader_pass, origin, plan.textures, values)
            except AuthorTextError as error:
                yield PassCall(shader_pass.name, None, error=error.got)


def numbers_of(data: bytes, binding: BufferBinding, stored: StoredTensor) -> NDArray[np.float32]:
    """Returns the values of a tensor, float32 in its logical shape, that its buffer's bytes hold."""
    held = np.frombuffer(data, dtype=binding.numbers or np.float32).astype(np.float32)
    height, width = stored.texture_shape
    texels = held[: height * width * stored.layout.lanes].reshape(height, width, stored.layout.lanes)
    return np.asarray(stored.layout.decode(texels, stored.shape), dtype=np.float32)


def _call(shader_pass: Pass, origin: TranslatedText, textures: Mapping[str, StoredTensor], values: Values) -> PassCall:
    constants = dict(origin.constants)
    interface = interface_of(origin.text, constants)
    points = [each for each in interface.entry_points if each.stage == "compute"]
    point = next((each for each in points if each.name == origin.entry), points[0] if points else None)
    assert point is not None, "the pass was translated from one"
    assert shader_pass.dispatch is not None, "it is a compute shader"
    bound = {each.block: each for each in shader_pass.dispatch.buffers}
    buffers: list[NativeBuffer] = []
    outputs: list[BufferBinding] = []
    for resource in sorted(interface.resources.values(), key=lambda each: (each.group, each.binding)):
        binding = bound.get(safe_name(resource.name))
        if resource.name not in point.uses:
            continue
        if isinstance(resource.type, TextureType | SamplerType):
            return PassCall(shader_pass.name, None, error="it reads textures")
        if resource.space == "uniform":
            buffers.append(_buffer(resource, "uniform", _uniform_bytes(resource, shader_pass.uniforms)))
        elif binding is None:
            buffers.append(_buffer(resource, _kind(resource), bytes(max(size_of(resource.type), 16))))
        else:
            stored = textures[binding.key]
            if stored.storage != "float32":
                return PassCall(shader_pass.name, None, error=f"'{stored.key}' is {stored.storage}")
            is_wanted = binding.key in shader_pass.outputs
            begin = binding.starts_as or ("" if is_wanted else binding.key)
            data = _tensor_bytes(stored, binding, values.get(begin))
            buffers.append(_buffer(resource, _kind(resource), data, is_wanted=is_wanted))
            outputs += [binding] if is_wanted else []
    numbers = tuple((interface.override_keys.get(name, name), float(value)) for name, value in origin.constants)
    call = NativeCall(origin.text, point.name, numbers, shader_pass.dispatch.groups, tuple(buffers))
    return PassCall(shader_pass.name, call, tuple(outputs))


def _kind(resource: Resource) -> str:
    return "storage" if resource.access == "read_write" else "read-only-storage"


def _buffer(resource: Resource, kind: str, data: bytes, *, is_wanted: bool = False) -> NativeBuffer:
    return NativeBuffer(resource.group, resource.binding, kind, data, is_wanted)


def _tensor_bytes(stored: StoredTensor, binding: BufferBinding, value: NDArray[np.float32] | None) -> bytes:
    """Returns what a tensor's buffer holds; zeros without a value."""
    size = buffer_bytes(stored)
    if value is None:
        return bytes(size)
    held = np.ravel(stored.encode(value))
    data = (np.rint(held).astype(np.int64).astype(binding.numbers) if binding.numbers else held).tobytes()
    return data + bytes(size - len(data))


def _uniform_bytes(resource: Resource, uniforms: Mapping[str, UniformValue]) -> bytes:
    """Returns what a uniform buffer holds: the values that the pipeline file gives, others are 0."""
    into = bytearray(-(-size_of(resource.type) // 16) * 16)
    name = safe_name(resource.name)
    places = {_in_glsl(leaf.path): leaf for leaf in leaves(resource.type)}
    for driver_name, value in uniforms.items():
        path = "" if driver_name == name else driver_name.removeprefix(f"{name}_block.")
        if path == driver_name:
            continue
        left = np.ravel(np.asarray(value, dtype=np.float64))
        for place, leaf in places.items():
            is_part = not path or place == path or place.startswith((f"{path}.", f"{path}["))
            if is_part and left.size >= leaf.count:
                write(leaf, left[: leaf.count], into)
                left = left[leaf.count :]
    return bytes(into)


def _in_glsl(path: str) -> str:
    """Returns a member's path with its names as GLSL has them."""
    return ".".join(
        f"{safe_name(part.partition('[')[0])}{part[len(part.partition('[')[0]) :]}" for part in path.split(".")
    )
