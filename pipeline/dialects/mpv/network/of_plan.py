"""The network behind the plan of an mpv user shader: its tensors are called as those that the passes make."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from pipeline.dialects.mpv.blocks import Compute, Parameter
from pipeline.dialects.mpv.made import MadeBlock, ShaderPlan
from pipeline.dialects.mpv.network.block_text import BlockText
from pipeline.dialects.mpv.network.network import Network, network_of
from pipeline.dialects.mpv.network.surroundings import Group
from pipeline.dialects.mpv.network.textures import Texture


def network_of_plan(plan: ShaderPlan) -> Network:
    """The network of the plan's blocks. Raises TexelscopeError if there is none in the author's."""
    constants = {name: value for each in plan.parameters for name, value in _constants(each).items()}
    inputs = {plan.textures[key].tensor: plan.textures[key].shape for key in plan.inputs}
    network = network_of(plan.name, [_text(block, constants) for block in plan.blocks], inputs)
    authors = [block for block in plan.blocks if not block.is_own]
    if not any(block.target.key in network.of_block for block in authors):
        raise network.left_out[0].error
    return dataclasses.replace(network, file=authors[0].file)


def _text(block: MadeBlock, constants: dict[str, float]) -> BlockText:
    target = block.target
    textures: dict[str, Texture] = {}
    for bound in block.bound:
        picture = bound.picture
        scale = (Fraction(target.width, picture.width), Fraction(target.height, picture.height))
        texture = Texture(picture.key, picture.components, scale, moved=bound.shift, shift=picture.offset)
        textures.update(dict.fromkeys(bound.names, texture))
    group = _group(block.compute) if block.compute is not None else None
    return BlockText(
        target.key,
        target.components,
        block.file,
        block.line,
        block.text,
        textures,
        group,
        constants,
        block.description,
    )


def _group(compute: Compute) -> Group:
    width, height = (max(1, compute.block[axis] // compute.threads[axis]) for axis in (0, 1))
    return Group((width, height), compute.threads)


def _constants(parameter: Parameter) -> dict[str, float]:
    return {parameter.name: parameter.initial, **{name: float(i) for i, name in enumerate(parameter.choices)}}
