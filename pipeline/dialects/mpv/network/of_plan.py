"""Extracts the network from the plan of an mpv user shader; gives the plan an oracle: that, or a graph.

The network's tensors have the names of the passes' results.
"""

from __future__ import annotations

import dataclasses
import re
from fractions import Fraction
from types import MappingProxyType
from typing import TypeVar

from texelscope.pipeline.dialects.mpv.blocks import Compute, HookParameter
from texelscope.pipeline.dialects.mpv.network.block_text import BlockText
from texelscope.pipeline.dialects.mpv.network.network import Network, network_of
from texelscope.pipeline.dialects.mpv.network.surroundings import WorkGroup
from texelscope.pipeline.dialects.mpv.network.textures import BlockTexture
from texelscope.pipeline.dialects.mpv.network.values import LiteralNumber
from texelscope.pipeline.dialects.mpv.passes import MadeBlock, ShaderPlan
from texelscope.pipeline.dialects.mpv.prelude import AUTHOR
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.glsl.assemble import read_shader
from texelscope.pipeline.glsl.lines import LINES_PER_FILE
from texelscope.pipeline.graph import Graph
from texelscope.pipeline.oracle.graph_oracle import GraphOracle
from texelscope.pipeline.plan import Pass, Plan

JudgedPlan = TypeVar("JudgedPlan", bound=ShaderPlan)
# Matches the author's part of a program: behind the directive that names the file, up to the next.
_BODY = re.compile(rf"^#line (?P<line>[0-9]+) {AUTHOR}\n(?P<text>.*?)(?=^#line |\Z)", re.MULTILINE | re.DOTALL)

# mpv's functions, whose text a block that calls them is read with.
_LIGHT = re.compile(r"\b(?:de)?linearize\s{0,9}\(")
# mpv's words for sizes that a block alone does not determine.
_SIZES = ("input_size", "target_size", "tex_offset")
# The reason if every condition of the file is 0.
NOTHING_RUNS = "No block of the file runs."
_DEFINE = re.compile(r"^#define (?P<name>\w+)(?:\([^)]*\))?(?P<body>[^\n]*)$", re.MULTILINE)


def network_of_plan(plan: ShaderPlan, *, goes_on: bool = False) -> Network:
    """Extracts the network of the plan's blocks. Raises TexelscopeError if the author's contain none.

    With `goes_on` the result of a block that is none is a further input, and what follows is read too; blocks that
    depend on the size of the picture are read for the plan's.
    Its graph has the shapes of the plan: a block whose reading has others, or adds tensors of two sizes, is left out.
    """
    constants = {name: value for each in plan.parameters for name, value in _constants(each).items()}
    inputs = {plan.textures[key].tensor: plan.textures[key].shape for key in plan.inputs}
    programs = {plan.textures[each.output].tensor: each.program.fragment for each in plan.passes}
    texts = [_text(block, constants, programs[block.target.key]) for block in plan.blocks]
    if goes_on:
        texts = [_at_its_size(*each) for each in zip(texts, plan.blocks, plan.passes, strict=True)]
    authors = [block for block in plan.blocks if not block.is_own]
    if not authors:
        raise TexelscopeError(
            plan.name, "a block that runs", "none: every condition is 0", "Set its parameters with --param."
        )
    without: dict[str, str] = {}
    further = {block.target.key: block.target.shape for block in plan.blocks} if goes_on else {}
    while True:
        network = network_of(plan.name, texts, inputs, without, further)
        if not any(block.target.key in network.of_block for block in authors):
            raise network.left_out[0].error
        network = dataclasses.replace(network, file=authors[0].file)
        misread = misread_tensor(network, plan)
        if misread is None or misread[0] in without:
            return network
        without[misread[0]] = misread[1]


def misread_tensor(network: Network, plan: Plan) -> tuple[str, str] | None:
    """Returns a tensor of the network whose reading has sizes that do not fit, with the reason; None for none."""
    try:
        graph = network.graph()
    except TexelscopeError as error:
        blocks = [tensor for tensor in network.of_block if f"'{tensor}'" in error.who or f"'{tensor}/" in error.who]
        reason = f"values of sizes that fit no sum or product: {error.got}"
        return (max(blocks, key=len), reason) if blocks else None
    for stored in plan.textures.values():
        info = graph.tensors.get(stored.tensor)
        if info is not None and info.shape != stored.shape and stored.tensor in network.of_block:
            return stored.tensor, f"a reading of shape {list(info.shape)} where {list(stored.shape)} is written"
    return None


def network_of_pass(plan: ShaderPlan, tensor: str, program: str) -> Network:
    """Extracts the network of one pass, which writes `tensor`, from its program's present text.

    Raises TexelscopeError for a tensor that no block writes, and for text that is no network.
    """
    block = next((each for each in plan.blocks if each.target.key == tensor), None)
    body = _BODY.search(program)
    if block is None or body is None:
        raise TexelscopeError(f"tensor '{tensor}'", "one that a block makes", "another", "Name a pass of the shader.")
    line = int(body["line"]) % LINES_PER_FILE
    constants = {name: value for each in plan.parameters for name, value in _constants(each).items()}
    inputs = {bound.picture.key: bound.picture.shape for bound in block.bound}
    text = _text(dataclasses.replace(block, text=body["text"], line=line), constants, program)
    return network_of(tensor, [text], inputs)


def _text(block: MadeBlock, constants: dict[str, LiteralNumber], program: str) -> BlockText:
    """Describes the block as its reader sees it, which takes the branches that the driver takes."""
    target, before = block.target, program[: found.start() if (found := _BODY.search(program)) is not None else 0]
    textures: dict[str, BlockTexture] = {}
    for bound in block.bound:
        picture = bound.picture
        scale = (Fraction(target.width, picture.width), Fraction(target.height, picture.height))
        texture = BlockTexture(picture.key, picture.components, scale, moved=bound.shift, shift=picture.offset)
        textures.update(dict.fromkeys(bound.names, texture))
    group = _group(block.compute) if block.compute is not None else None
    supplied = read_shader("mpv/linearize.glsl") if _LIGHT.search(block.text) else ""
    return BlockText(
        target.key,
        target.components,
        block.file,
        block.line - supplied.count("\n"),
        supplied + block.text,
        textures,
        group,
        constants,
        block.description,
        {match["name"]: (match["body"] or "").strip() for match in _DEFINE.finditer(before)},
    )


def _at_its_size(text: BlockText, block: MadeBlock, made: Pass) -> BlockText:
    """Returns a block that may be read for the size of its picture alone."""
    known = {name: made.uniforms[name] for name in _SIZES if name in made.uniforms}
    sizes = {
        name: tuple(LiteralNumber(float(each)) for each in value)
        for name, value in known.items()
        if isinstance(value, tuple)
    }
    return dataclasses.replace(
        text, size=(block.target.width, block.target.height), constants={**text.constants, **sizes}
    )


def _group(compute: Compute) -> WorkGroup:
    width, height = (max(1, compute.block[axis] // compute.threads[axis]) for axis in (0, 1))
    return WorkGroup((width, height), compute.threads)


def _constants(parameter: HookParameter) -> dict[str, LiteralNumber]:
    is_whole = parameter.type != "float"
    choices = {name: LiteralNumber(float(i), integer=True) for i, name in enumerate(parameter.choices)}
    initial = float(int(parameter.initial)) if is_whole else parameter.initial
    return {parameter.name: LiteralNumber(initial, integer=is_whole), **choices}


def judged_by_itself(plan: ShaderPlan) -> ShaderPlan:
    """Adds the network in the plan's own text as its oracle; unsupported parts are not judged, with a reason."""
    if all(block.is_own for block in plan.blocks):
        unjudged = {plan.textures[each.output].tensor: NOTHING_RUNS for each in plan.passes}
        return dataclasses.replace(plan, unjudged=MappingProxyType(unjudged))
    try:
        network = network_of_plan(plan, goes_on=True)
    except TexelscopeError as error:
        reasons = {plan.textures[each.output].tensor: reason_of(error) for each in plan.passes}
        return dataclasses.replace(plan, unjudged=MappingProxyType(reasons))
    reasons = {each.tensor: reason_of(each.error) for each in network.left_out}
    try:
        return judged_by(dataclasses.replace(plan, unjudged=MappingProxyType(reasons)), network.graph())
    except TexelscopeError as error:  # a reading that fits no model is no reason to run nothing
        unread = {plan.textures[each.output].tensor: reason_of(error) for each in plan.passes}
        return dataclasses.replace(plan, unjudged=MappingProxyType(unread | reasons))


def reason_of(error: TexelscopeError) -> str:
    """Explains in one sentence why a block's text is no part of a network."""
    return f"It contains no readable network: {error.who} has {error.got}."


def judged_by(plan: JudgedPlan, graph: Graph) -> JudgedPlan:
    """Adds a graph as the plan's oracle; each pass covers the nodes between its inputs and its output.

    Raises TexelscopeError for a tensor of another shape.
    """
    oracle = GraphOracle(graph)
    for stored in plan.textures.values():
        info = graph.tensors.get(stored.tensor)
        if info is not None and info.shape != stored.shape:
            raise TexelscopeError(
                f"tensor '{stored.tensor}' ({graph.name})", f"shape {list(stored.shape)}, as {plan.name} makes it",
                f"{list(info.shape)}", "Name the model of this shader with --oracle.",
            )  # fmt: skip
    passes = tuple(_covering(plan, each, graph, oracle) for each in plan.passes)
    return dataclasses.replace(plan, graph=graph, passes=passes)


def _covering(plan: ShaderPlan, shader_pass: Pass, graph: Graph, oracle: GraphOracle) -> Pass:
    read = [plan.textures[key].tensor for key in shader_pass.reads]
    nodes: dict[str, str] = {}
    for key in shader_pass.outputs:
        wanted = plan.textures[key].tensor
        if wanted not in graph.tensors:
            continue
        try:
            nodes |= {node.name: node.op_type for node in oracle.between(read, wanted)}
        except TexelscopeError:  # it reads other tensors than the model, and is judged only end to end
            return shader_pass
    operators = "+".join(nodes.values()) or shader_pass.operator
    return dataclasses.replace(shader_pass, nodes=tuple(nodes), operator=operators)
