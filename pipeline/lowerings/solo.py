"""Builds the form of one pass alone: the same tensor in the same texture, faster, by draws or dispatches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from texelscope.layouts.grid import ceil_div
from texelscope.pipeline.device import Limits
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.other_stages import as_compute, as_drawn_image
from texelscope.pipeline.graph import Graph, Node
from texelscope.pipeline.lowerings.channel_products import ChannelProduct, channel_product, channel_product_form
from texelscope.pipeline.lowerings.colours import colours_form, texels_form
from texelscope.pipeline.lowerings.compute_forms import compute_form, compute_texel_form
from texelscope.pipeline.lowerings.depthwise import DepthwiseSum, depthwise_form, depthwise_sum
from texelscope.pipeline.lowerings.drawn_products import drawn_product_form
from texelscope.pipeline.lowerings.finish import ChannelParameter, Finish, Operation, ValueStore, has_groups
from texelscope.pipeline.lowerings.lowering import Constants, Lowering, LoweringStep, Numbers
from texelscope.pipeline.lowerings.products import product_form, product_of
from texelscope.pipeline.lowerings.repeated_sum import RepeatedSum, repeated_form
from texelscope.pipeline.lowerings.sums import can_sum, sum_form, texel_form
from texelscope.pipeline.lowerings.window_sum import WindowSumLowering, grouped_sum, window_sum
from texelscope.pipeline.operators.base import Call
from texelscope.pipeline.plan import Backend, Pass, Plan, ProgramSource, Sampler, StoredTensor
from texelscope.pipeline.planning.memory import memory_use

# The most scratch for parts of sums and for Winograd's products, relative to the tensors alive at once; and what parts
# of sums may always take.
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
    """Returns the limits for forms of that plan: their scratch may take a share of the memory that it needs anyway."""
    in_dispatches = dispatches(plan.backend, limits)
    if not (limits.is_software or in_dispatches):
        return limits
    most = int(WORKSPACE_OF_ALIVE * memory_use(plan).alive)
    return replace(limits, workspace_bytes=max(most, LEAST_WORKSPACE) if in_dispatches else most)


# What a form sums up before it finishes.
Sum = WindowSumLowering | RepeatedSum | DepthwiseSum | ChannelProduct


def sum_of(call: Call, plan: Plan, limits: Limits) -> Sum | None:
    """Returns the node as a sum for which there is a form; None for any other.

    Its weights are constants, or a tensor that a draw can pack before the sum: a draw reads them from a buffer, which
    has to hold them all. Raises TexelscopeError as `dispatches`.
    """
    found = window_sum(call)
    if dispatches(plan.backend, limits):
        return found if found is not None and not found.varies else None
    stores = limits.version >= STORES_VERSION
    if found is not None:
        return found if (stores or not found.varies) and can_sum(found, plan.textures, limits) else None
    if not stores:
        return None
    grouped = grouped_sum(call)
    if grouped is not None and can_sum(grouped, plan.textures, limits):
        return grouped
    return depthwise_sum(call, limits) or channel_product(call, plan, limits)


def best_form(
    sum_: Sum | None,
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
    if isinstance(sum_, RepeatedSum):
        return repeated_form(sum_, x, finish, covers, textures)
    if isinstance(sum_, DepthwiseSum):
        return depthwise_form(sum_, x, finish, covers, textures)
    if isinstance(sum_, ChannelProduct):
        return channel_product_form(sum_, x, finish, covers, textures)
    if limits.version < STORES_VERSION:
        form = None if sum_ is None else colours_form(sum_, x, finish, covers, textures, limits)
        assert (form is None) == (sum_ is None), "a sum whose weights vary has no form there"
        return form or texels_form(x, finish, covers, textures)
    if sum_ is None:
        make = compute_texel_form if in_dispatches else texel_form
        return make(x, finish, covers, textures)
    form = compute_form(sum_, x, finish, covers, textures, limits) if in_dispatches else None
    return form or sum_form(sum_, x, finish, covers, textures, limits)


# From this version of OpenGL on fragments write images and buffers, and a text says where these are bound.
STORES_VERSION = 430


def solo_forms(plan: Plan, limits: Limits) -> dict[str, Lowering]:
    """Returns by pass a form that computes its output alone; passes without a form are left out.

    Raises TexelscopeError if the plan asks for dispatches and the driver has none.
    """
    in_dispatches = dispatches(plan.backend, limits)
    graph = plan.graph
    if graph is None:
        return {}
    nodes = {node.name: node for node in graph.nodes}
    found: dict[str, Lowering | None] = {}
    for each in plan.passes:
        if not each.from_operator:
            continue
        node = nodes[each.nodes[0]]
        form = _form(each, node, graph, plan, limits)
        if form is None and (in_dispatches or limits.version >= STORES_VERSION):
            product = product_of(Call(node, graph))
            if product is not None:
                make = product_form if in_dispatches else drawn_product_form
                form = make(product, each.output, (each.name,), plan.textures, limits)
        if form is None and in_dispatches:
            form = dispatched(each, plan.textures)
        elif form is None and not limits.is_software and limits.version >= STORES_VERSION:
            form = drawn(each, plan.textures)
        found[each.name] = form
    return {name: form for name, form in found.items() if form is not None}


def _form(shader_pass: Pass, node: Node, graph: Graph, plan: Plan, limits: Limits) -> Lowering | None:
    found = sum_of(Call(node, graph), plan, limits)
    if found is None:
        return None
    output, x = node.outputs[0], node.inputs[0]
    textures = plan.textures
    if not all(key in textures and has_groups(textures[key]) for key in (x, output)):
        return None
    operations = (bias_of(found),) if found.bias else ()
    finish = Finish(operations, (ValueStore(len(operations), output),))
    return best_form(found, x, finish, (shader_pass.name,), textures, limits, plan.backend)


def bias_of(sum_: Sum) -> Operation:
    """Returns the bias, a number per channel, added to the sum."""

    def make(constant: Constants) -> Numbers:
        return constant(sum_.bias).reshape(-1)

    return Operation("{0} + {p0}", (0,), (ChannelParameter(sum_.bias, make),))


# A work group's invocations are texels of a square, or of a line where the texture is one.
_SQUARE, _ACROSS, _DOWN = (16, 16), (64, 1), (1, 64)
_STORAGES = ("float32", "float16")


def dispatched(shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> Lowering | None:
    """Returns the pass as one dispatch; None for a hand-written shader, or a texture that images cannot write."""
    if not _stores_an_image(shader_pass, textures):
        return None
    height, width = textures[shader_pass.output].texture_shape
    size = _ACROSS if height < _SQUARE[1] else _DOWN if width < _SQUARE[0] else _SQUARE
    text = as_compute(shader_pass.program.fragment, [sampler.uniform for sampler in shader_pass.samplers], size)
    return _image_form(shader_pass, text, (ceil_div(width, size[0]), ceil_div(height, size[1]), 1), "compute")


def drawn(shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> Lowering | None:
    """Returns the pass, as `dispatched`, as one draw without a framebuffer of its textures.

    An NVIDIA H200 takes 60 µs, and waits for earlier work, to draw into a texture for the first time, but none of
    that to store into it: this cost applies to each texture that a fused run frees and creates again.
    """
    if not _stores_an_image(shader_pass, textures):
        return None
    height, width = textures[shader_pass.output].texture_shape
    text = as_drawn_image(shader_pass.program.fragment, [sampler.uniform for sampler in shader_pass.samplers])
    return _image_form(shader_pass, text, (width, height, 1), "fragment")


def _stores_an_image(shader_pass: Pass, textures: Mapping[str, StoredTensor]) -> bool:
    plain = all(sampler == Sampler(sampler.uniform, sampler.key) for sampler in shader_pass.samplers)
    is_one = len(shader_pass.outputs) == 1 and textures[shader_pass.output].storage in _STORAGES
    return is_one and plain and not shader_pass.uniforms and shader_pass.program.refused is None


def _image_form(
    shader_pass: Pass, text: str | None, size: tuple[int, int, int], kind: Literal["fragment", "compute"]
) -> Lowering | None:
    if text is None:
        return None
    reads = tuple(sampler.key for sampler in shader_pass.samplers)
    step = LoweringStep(ProgramSource(text, shader_pass.program.files), size, reads, (shader_pass.output,), kind=kind)
    return Lowering((shader_pass.name,), tuple(dict.fromkeys(reads)), (shader_pass.output,), (step,))
