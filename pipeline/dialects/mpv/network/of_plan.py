"""The network behind the plan of an mpv user shader: its tensors are called as those that the passes make."""

from __future__ import annotations

import dataclasses
import re
from fractions import Fraction

from texelscope.pipeline.dialects.mpv.blocks import Compute, HookParameter
from texelscope.pipeline.dialects.mpv.made import MadeBlock, ShaderPlan
from texelscope.pipeline.dialects.mpv.network.block_text import BlockText
from texelscope.pipeline.dialects.mpv.network.network import Network, network_of
from texelscope.pipeline.dialects.mpv.network.surroundings import WorkGroup
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture
from texelscope.pipeline.dialects.mpv.prelude import AUTHOR
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.lines import LINES_PER_FILE

# The author's part of a program: behind the directive that names the file, up to the next.
_BODY = re.compile(rf"^#line (?P<line>[0-9]+) {AUTHOR}\n(?P<text>.*?)(?=^#line |\Z)", re.MULTILINE | re.DOTALL)


def network_of_plan(plan: ShaderPlan) -> Network:
    """The network of the plan's blocks. Raises TexelscopeError if there is none in the author's."""
    constants = {name: value for each in plan.parameters for name, value in _constants(each).items()}
    inputs = {plan.textures[key].tensor: plan.textures[key].shape for key in plan.inputs}
    network = network_of(plan.name, [_text(block, constants) for block in plan.blocks], inputs)
    authors = [block for block in plan.blocks if not block.is_own]
    if not any(block.target.key in network.of_block for block in authors):
        raise network.left_out[0].error
    return dataclasses.replace(network, file=authors[0].file)


def network_of_pass(plan: ShaderPlan, tensor: str, program: str) -> Network:
    """The network of one pass, which makes `tensor`, as its program's text now has it.

    Raises TexelscopeError for a tensor that no block makes, and for text that is no network.
    """
    block = next((each for each in plan.blocks if each.target.key == tensor), None)
    body = _BODY.search(program)
    if block is None or body is None:
        raise TexelscopeError(f"tensor '{tensor}'", "one that a block makes", "another", "Name a pass of the shader.")
    line = int(body["line"]) % LINES_PER_FILE
    constants = {name: value for each in plan.parameters for name, value in _constants(each).items()}
    inputs = {bound.picture.key: bound.picture.shape for bound in block.bound}
    text = dataclasses.replace(_text(block, constants), text=body["text"], first_line=line)
    return network_of(tensor, [text], inputs)


def _text(block: MadeBlock, constants: dict[str, float]) -> BlockText:
    target = block.target
    textures: dict[str, BlockTexture] = {}
    for bound in block.bound:
        picture = bound.picture
        scale = (Fraction(target.width, picture.width), Fraction(target.height, picture.height))
        texture = BlockTexture(picture.key, picture.components, scale, moved=bound.shift, shift=picture.offset)
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


def _group(compute: Compute) -> WorkGroup:
    width, height = (max(1, compute.block[axis] // compute.threads[axis]) for axis in (0, 1))
    return WorkGroup((width, height), compute.threads)


def _constants(parameter: HookParameter) -> dict[str, float]:
    return {parameter.name: parameter.initial, **{name: float(i) for i, name in enumerate(parameter.choices)}}
