"""What bugs are planted in: a healthy plan with its inputs, generated or written by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from unittest.mock import patch

from tests.faults.models import Array, Model, Shape
from texelscope import layouts, pipeline
from texelscope.layouts.base import Layout
from texelscope.layouts.grid import Grid
from texelscope.pipeline.device import Limits
from texelscope.pipeline.glsl import assemble
from texelscope.pipeline.importers.onnx_model import load
from texelscope.pipeline.operators.base import Kernel
from texelscope.pipeline.plan import (
    BufferBinding,
    Dispatch,
    Filter,
    Pass,
    Plan,
    ProgramSource,
    Role,
    Sampler,
    SourceFile,
    Storage,
    StoredTensor,
    UniformValue,
    Wrap,
)
from texelscope.pipeline.planning.planner import lower

_FASTEST = assemble.shader_files
FOLDER = Path(__file__).resolve().parent

RGBA = "channel_tiles_rgba"
FLAT = "row_major_rgba"
UNPACKED = "tfjs_unpacked"
PACKED = "tfjs_packed"


@dataclass(frozen=True)
class Subject:
    """A plan without a fault, its inputs by key in logical shape, and the pass that faults go into."""

    title: str
    plan: Plan
    inputs: Mapping[str, Array]
    name: str

    def fed(self, **inputs: Array) -> Subject:
        """The same with other inputs."""
        return dataclasses.replace(
            self, title=f"{self.title}, fed otherwise", inputs=MappingProxyType({**self.inputs, **inputs})
        )


@cache
def _planned(title: str, layout: str, precision: Storage, gradients: str, proto: bytes) -> Plan:
    import onnx

    model = onnx.ModelProto.FromString(proto)
    with patch.object(assemble, "shader_files", _plain):
        return pipeline.plan_of(model, layout=layout, precision=precision, gradients=gradients)


def _plain(kernel: Kernel, stored: Mapping[str, StoredTensor], output: StoredTensor) -> tuple[str, ...]:
    """The shaders that bugs are planted in: of the faster ones that stand beside them, those of convolutions alone."""
    if kernel.shaders[0].startswith("conv"):
        return _FASTEST(kernel, stored, output)
    return tuple(f"operators/{name}" for name in kernel.shaders)


def generated(
    model: Model,
    layout: str = "channel_tiles",
    *,
    name: str = "",
    precision: Storage = "float32",
    gradients: str = "",
) -> Subject:
    """The model planned as any model is, with the backward passes of `gradients`; `name` is the pass under test.

    By default that is the one of the output.
    """
    plan = _planned(model.title, layout, precision, gradients, model.proto.SerializeToString())
    title = f"generated {model.title}, {layout}{'' if precision == 'float32' else ', ' + precision}"
    return Subject(f"{title}{', pass ' + name if name else ''}", plan, model.inputs, name or model.output)


@dataclass(frozen=True)
class Bound:
    """A tensor bound to a sampler: its layout, where it is not one that an earlier stage writes."""

    tensor: str
    layout: str | Layout = "channel_tiles"
    filter: Filter = "nearest"
    wrap: Wrap = "clamp_to_edge"


Uniforms = dict[str, UniformValue]
Samplers = dict[str, str | Bound]


@dataclass(frozen=True)
class Stage:
    """A pass of a shader written by hand: `shader` as `shader_text` takes it, the tensor that it writes, and how."""

    shader: str
    samplers: Mapping[str, str | Bound]
    tensor: str = "y"
    layout: str | Layout = "channel_tiles"
    uniforms: Mapping[str, UniformValue] = field(default_factory=lambda: MappingProxyType({}))
    vertex: str = ""


def written(model: Model, *stages: Stage, name: str = "") -> Subject:
    """Complete shaders over the model's tensors, as a pipeline file would plan them; the model is the oracle."""
    graph = lower(load(model.proto), Limits())
    textures: dict[str, StoredTensor] = {}
    passes: list[Pass] = []
    for stage in stages:
        bindings = []
        for uniform, value in stage.samplers.items():
            bound = Bound(value) if isinstance(value, str) else value
            if bound.tensor not in textures:
                role: Role = "constant" if bound.tensor in graph.constants else "input"
                shape = graph.tensors[bound.tensor].shape
                textures[bound.tensor] = StoredTensor(
                    bound.tensor, bound.tensor, shape, _layout(bound.layout), "float32", role
                )
            bindings.append(Sampler(uniform, bound.tensor, bound.filter, bound.wrap))
        shape = graph.tensors[stage.tensor].shape
        textures[stage.tensor] = StoredTensor(stage.tensor, stage.tensor, shape, _layout(stage.layout))
        passes.append(
            Pass(
                stage.tensor, "Shader", (stage.tensor,), tuple(bindings), _program(stage),
                MappingProxyType(dict(stage.uniforms)),
            )
        )  # fmt: skip
    plan = Plan(
        name=model.title,
        textures=MappingProxyType(textures),
        passes=tuple(passes),
        inputs=tuple(key for key, stored in textures.items() if stored.role == "input"),
        outputs=(model.output,),
        graph=graph,
    )
    shaders = ", ".join(stage.shader for stage in stages)
    written_in = _layout(stages[-1].layout)
    return Subject(f"{shaders}: {model.title}, {written_in}", plan, model.inputs, name or model.output)


def dispatched(
    model: Model,
    shader: str,
    blocks: Mapping[str, str],
    groups: tuple[int, int, int],
    uniforms: Mapping[str, UniformValue],
) -> Subject:
    """One compute pass over the model's tensors, of which each is in the buffer of a block."""
    graph = lower(load(model.proto), Limits())
    text = shader_text(shader)
    program = ProgramSource(text, (SourceFile(1, Path(shader).name, text),), stage="compute")
    stored: dict[str, StoredTensor] = {}
    for name in blocks.values():
        role: Role = "constant" if name in graph.constants else "activation" if name == model.output else "input"
        stored[name] = StoredTensor(name, name, graph.tensors[name].shape, _layout("linear"), "float32", role)
    dispatch = Dispatch(groups, tuple(BufferBinding(block, name) for block, name in blocks.items()))
    output, values = (model.output,), MappingProxyType(dict(uniforms))
    each = Pass(model.output, "Shader", output, (), program, values, dispatch=dispatch)
    inputs = tuple(name for name, tensor in stored.items() if tensor.role == "input")
    plan = Plan(model.title, MappingProxyType(stored), (each,), inputs, output, graph)
    return Subject(f"{shader}: {model.title}", plan, model.inputs, model.output)


def shader_text(name: str) -> str:
    """A shader written by hand: `seen/conv_tiles.frag` is `conv_tiles.frag` in the folder `shaders` of that half."""
    half, file = name.split("/", 1)
    return (FOLDER / half / "shaders" / file).read_text(encoding="utf-8")


def _layout(layout: str | Layout) -> Layout:
    return layouts.layout(layout) if isinstance(layout, str) else layout


def _program(stage: Stage) -> ProgramSource:
    text = shader_text(stage.shader)
    vertex = shader_text(stage.vertex) if stage.vertex else None
    return ProgramSource(text, (SourceFile(1, Path(stage.shader).name, text),), vertex)


def in_layout(layout: str, **tensors: str) -> Samplers:
    """Samplers of tensors that are all in one layout."""
    return {name: Bound(tensor, layout) for name, tensor in tensors.items()}


def shapes(model: Model) -> dict[str, Shape]:
    """Logical shape of every tensor of the model."""
    return {name: info.shape for name, info in load(model.proto).tensors.items()}


def grid(count: int) -> tuple[float, float]:
    """Columns and rows of a grid of `count` tiles."""
    made = Grid.of(count)
    return float(made.columns), float(made.rows)
