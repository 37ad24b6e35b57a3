"""Reads the network in the translated passes of an effect, as that of mpv's blocks, and judges the passes by it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from texelscope.pipeline.dialects.effects.passes import EffectPass, EffectPlan
from texelscope.pipeline.dialects.effects.reading import read_textures
from texelscope.pipeline.dialects.mpv.network.block_text import ResultLanes
from texelscope.pipeline.dialects.mpv.network.layers import Layers
from texelscope.pipeline.dialects.mpv.network.network import LeftOut, Network, model_of_nodes
from texelscope.pipeline.dialects.mpv.network.nodes import Nodes
from texelscope.pipeline.dialects.mpv.network.of_plan import judged_by, misread_tensor, reason_of
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture
from texelscope.pipeline.dialects.mpv.network.values import NotUnderstoodError
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import Line, line_map
from texelscope.pipeline.graph import Shape
from texelscope.pipeline.plan import Pass, ProgramSource


def network_of_effect(plan: EffectPlan, *, goes_on: bool = False) -> Network:
    """Extracts the network of the plan's passes. Raises TexelscopeError if they contain none.

    With `goes_on` what a pass makes that is none is a further input, and what follows is read too.
    """
    read = [_ReadPass.of(plan, each) for each in plan.passes]
    inputs = {plan.textures[key].tensor: plan.textures[key].shape for key in plan.inputs}
    inputs |= {plan.textures[key].tensor: plan.textures[key].shape for key in _constants(plan)}
    without: dict[str, str] = {}
    while True:
        network = _network(plan, read, inputs, without, goes_on=goes_on)
        misread = misread_tensor(network, plan)
        if misread is None or misread[0] in without:
            return network
        without[misread[0]] = misread[1]


def network_of_effect_pass(plan: EffectPlan, tensor: str, program: ProgramSource) -> Network:
    """Extracts the network of the pass that writes `tensor`, from its program's present text.

    Raises TexelscopeError for a tensor that no pass writes, and for text that is no network.
    """
    made = next((each for each in plan.passes if tensor in _tensors(plan, each)), None)
    if made is None:
        raise TexelscopeError(f"tensor '{tensor}'", "one that a pass makes", "another", "Name a pass of the effect.")
    read = _ReadPass.of(plan, dataclasses.replace(made, program=program))
    shapes = {plan.textures[key].tensor: plan.textures[key].shape for key in made.reads}
    network = _network(plan, [read], shapes, {}, goes_on=True)
    if tensor not in network.of_block:
        raise network.left_out[0].error
    return network


def judged_by_itself(plan: EffectPlan) -> EffectPlan:
    """Adds the network in the plan's own text as its oracle; unsupported parts are not judged, with a reason."""
    try:
        network = network_of_effect(plan, goes_on=True)
        reasons = {each.tensor: reason_of(each.error) for each in network.left_out}
        return judged_by(dataclasses.replace(plan, unjudged=MappingProxyType(reasons)), network.graph())
    except TexelscopeError as error:
        reasons = {tensor: reason_of(error) for each in plan.passes for tensor in _tensors(plan, each)}
        return dataclasses.replace(plan, unjudged=MappingProxyType(reasons))


@dataclasses.dataclass(frozen=True)
class _ReadPass:
    """A pass with what was read of each texture that it writes, by tensor; `places` are those of its rows."""

    effect_pass: EffectPass
    lanes: Mapping[str, ResultLanes | NotUnderstoodError]
    places: Sequence[Line]

    @classmethod
    def of(cls, plan: EffectPlan, shader_pass: Pass) -> _ReadPass:
        effect_pass = plan.effect_passes[shader_pass.name]
        program = shader_pass.program
        tensors = [texture.key for texture in effect_pass.writes.values()]
        lanes: Mapping[str, ResultLanes | NotUnderstoodError]
        try:
            lanes = read_textures(program.fragment, effect_pass, shader_pass.uniforms)
        except NotUnderstoodError as error:
            lanes = dict.fromkeys(tensors, error)
        return cls(effect_pass, lanes, line_map(program))

    def line(self, row: int) -> int:
        """Returns the line of the effect's own file for a row, counted from 1; 0 for a row of no line of it."""
        if not 0 < row <= len(self.places):
            return 0
        file, line = self.places[row - 1]
        return line if file == self.effect_pass.file else 0


def _network(
    plan: EffectPlan, read: Sequence[_ReadPass], shapes: Mapping[str, Shape], without: Mapping[str, str],
    *, goes_on: bool,
) -> Network:  # fmt: skip
    nodes, inputs = Nodes(), dict(shapes)
    nodes.channels.update({tensor: shape[1] for tensor, shape in inputs.items()})
    left_out: list[LeftOut] = []
    of_pass: dict[str, tuple[str, ...]] = {}
    for each in read:
        for texture in each.effect_pass.writes.values():
            nodes.begin(texture.key)
            try:
                if texture.key in without:
                    raise NotUnderstoodError(without[texture.key])
                _add(nodes, each, texture.key, {*inputs, *of_pass})
            except NotUnderstoodError as error:
                line = each.line(error.line) or each.effect_pass.line
                left_out.append(LeftOut(texture.key, each.effect_pass.file, line, error.what))
                nodes.take_back()
                if goes_on:
                    inputs[texture.key] = texture.shape
                    nodes.channels[texture.key] = texture.channels
                continue
            own = [name for name in nodes.lines if name.startswith(f"{texture.key}.")]
            of_pass[texture.key] = tuple(own)
            for name in own:
                found = nodes.lines[name]
                nodes.lines[name] = np.array([each.line(int(row)) for row in found.flat], np.int32).reshape(found.shape)
    if not of_pass:
        raise (
            left_out[0].error if left_out
            else TexelscopeError(plan.name, "passes that make a network", "none", "Open another effect.")
        )  # fmt: skip
    said = {key: each.effect_pass.description for each in read for key in each.lanes}
    used = nodes.used
    return Network(
        plan.name,
        read[0].effect_pass.file,
        model_of_nodes(plan.name, nodes, said, inputs, list(of_pass)),
        {tensor: shape for tensor, shape in inputs.items() if tensor in used},
        nodes.lines,
        of_pass,
        nodes.constants,
        tuple(left_out),
        said,
    )


def _add(nodes: Nodes, read: _ReadPass, tensor: str, known: set[str]) -> None:
    """Adds the nodes of a texture that a pass writes. Raises NotUnderstoodError."""
    lanes = read.lanes[tensor]
    if isinstance(lanes, NotUnderstoodError):
        raise lanes
    target = next(each for each in read.effect_pass.writes.values() if each.key == tensor)
    textures: dict[str, BlockTexture] = {}
    for each in read.effect_pass.reads.values():
        texture = each.texture
        scale = (Fraction(target.width, texture.width), Fraction(target.height, texture.height))
        textures[texture.key] = BlockTexture(texture.key, texture.channels, scale)
    forms = [form for own in lanes.forms.values() for form in own]
    missing = [key for key in textures if key not in known and any(form.reads(key) for form in forms)]
    if missing:
        raise NotUnderstoodError(f"'{missing[0]}', which is not in the network")
    try:
        with np.errstate(over="raise"):
            nodes.finish(Layers(nodes, textures).tensor(lanes), tensor)
    except (FloatingPointError, RecursionError) as error:
        raise NotUnderstoodError("numbers or nesting beyond what a model holds") from error


def _tensors(plan: EffectPlan, shader_pass: Pass) -> list[str]:
    return [plan.textures[key].tensor for key in shader_pass.outputs]


def _constants(plan: EffectPlan) -> list[str]:
    return [key for key, each in plan.textures.items() if each.role == "constant"]
