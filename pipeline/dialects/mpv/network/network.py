"""Builds the network of a sequence of blocks: one tensor per block's result, with the weights of the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from texelscope.pipeline.dialects.mpv.network.block_text import BlockText, ResultLanes, read_lanes
from texelscope.pipeline.dialects.mpv.network.layers import Layers
from texelscope.pipeline.dialects.mpv.network.nodes import Nodes
from texelscope.pipeline.dialects.mpv.network.values import NotUnderstoodError
from texelscope.pipeline.errors import TexelscopeError
from texelscope.pipeline.graph import Graph, Shape, TensorInfo
from texelscope.pipeline.model_file.graph_builder import graph_of
from texelscope.pipeline.model_file.writing import model_of

if TYPE_CHECKING:
    import onnx

NOTHING: Mapping[str, str] = MappingProxyType({})
NO_SHAPES: Mapping[str, Shape] = MappingProxyType({})
_DIMENSIONS = ("height", "width")


@dataclass(frozen=True)
class LeftOut:
    """A block left out of the network: its result, the line that is the reason (0: an earlier block), and why."""

    tensor: str
    file: str
    line: int
    reason: str

    @property
    def error(self) -> TexelscopeError:
        """The reason as an error."""
        return TexelscopeError(
            f"{self.file}:{self.line}" if self.line else f"{self.file}, '{self.tensor}'",
            "sums of weights times texels, and functions of them",
            self.reason,
            f"The network ends before '{self.tensor}'.",
        )


@dataclass(frozen=True)
class Network:
    """A model whose tensors are named after the blocks' results.

    `lines` has for every weight the line of its literal in `file` (int32 of the weight's shape; 0: it has none);
    `of_block` names the constants of a block, by its result, and `descriptions` has the file's text about it.
    """

    name: str
    file: str
    model: onnx.ModelProto
    inputs: Mapping[str, Shape]
    lines: Mapping[str, NDArray[np.int32]]
    of_block: Mapping[str, tuple[str, ...]]
    constants: Mapping[str, NDArray[Any]]
    left_out: tuple[LeftOut, ...] = ()
    descriptions: Mapping[str, str] = field(default_factory=dict)

    def graph(self) -> Graph:
        """Returns the model as a graph, with its inputs at the size at which the blocks were read.

        Raises TexelscopeError, naming a node, where tensors of two sizes are added or multiplied.
        """
        return self._graph

    @cached_property
    def _graph(self) -> Graph:
        return graph_of(self.model, self.name, self.inputs)


def network_of(
    name: str,
    blocks: Sequence[BlockText],
    inputs: Mapping[str, Shape],
    without: Mapping[str, str] = NOTHING,
    further: Mapping[str, Shape] = NO_SHAPES,
) -> Network:
    """Reads the blocks, in order, into a model over `inputs`, shapes [1, channels, height, width] by tensor.

    Unsupported blocks are left out, with all that follow, and so are those that make the tensors `without`, with the
    reason. A result among the tensors `further` is an input of what follows instead. Raises TexelscopeError if nothing
    is left.
    """
    nodes, inputs = Nodes(), dict(inputs)
    for tensor, shape in inputs.items():
        nodes.channels[tensor] = shape[1]
    known, left_out = set(inputs), []
    of_block: dict[str, tuple[str, ...]] = {}
    for block in blocks:
        nodes.begin(block.tensor)
        try:
            if block.tensor in without:
                raise NotUnderstoodError(without[block.tensor], block.first_line)
            _add(nodes, block, known)
        except NotUnderstoodError as error:
            left_out.append(LeftOut(block.tensor, block.file, error.line, error.what))
            nodes.take_back()
            if block.tensor in further:
                inputs[block.tensor] = further[block.tensor]
                nodes.channels[block.tensor] = inputs[block.tensor][1]
                known.add(block.tensor)
            continue
        known.add(block.tensor)
        of_block[block.tensor] = tuple(each for each in nodes.lines if each.startswith(f"{block.tensor}."))
    if not of_block:
        raise left_out[0].error if left_out else _empty(name)
    used = nodes.used
    said = {block.tensor: block.description for block in blocks}
    model = model_of_nodes(name, nodes, said, inputs, list(of_block))
    return Network(
        name,
        blocks[0].file,
        model,
        {tensor: shape for tensor, shape in inputs.items() if tensor in used},
        nodes.lines,
        of_block,
        nodes.constants,
        tuple(left_out),
        said,
    )


def _add(nodes: Nodes, block: BlockText, known: set[str]) -> None:
    """Adds the block's nodes, with the name of its result. Raises NotUnderstoodError."""
    lanes = read_lanes(block)
    textures = {texture.tensor: texture for texture in block.textures.values()}
    missing = [tensor for tensor in textures if tensor not in known and _is_read(lanes, tensor)]
    if missing:
        raise NotUnderstoodError(f"'{missing[0]}', which is not in the network")
    try:
        with np.errstate(over="raise"):
            nodes.finish(Layers(nodes, textures).tensor(lanes), block.tensor)
    except (NotUnderstoodError, FloatingPointError, RecursionError) as error:
        what = error.what if isinstance(error, NotUnderstoodError) else "numbers or nesting beyond what a model holds"
        raise NotUnderstoodError(what, block.first_line) from error


def _empty(name: str) -> TexelscopeError:
    return TexelscopeError(name, "blocks that make a network", "none", "Open another shader.")


def _is_read(lanes: ResultLanes, tensor: str) -> bool:
    return any(form.reads(tensor) for forms in lanes.forms.values() for form in forms)


def model_of_nodes(
    name: str, nodes: Nodes, said: Mapping[str, str], inputs: Mapping[str, Shape], results: Sequence[str]
) -> onnx.ModelProto:
    """Returns the message: inputs of any height and width; outputs are `results` that no other one reads.

    `said` describes results, by their tensors.
    """
    used = nodes.used
    outputs = [tensor for tensor in results if tensor not in used]
    infos = [TensorInfo(tensor, shape) for tensor, shape in inputs.items() if tensor in used]
    made = {tensor: TensorInfo(tensor, (1, nodes.channels[tensor], 1, 1)) for tensor in outputs}
    model = model_of(name, nodes.made, infos, nodes.constants, made)
    for value in (*model.graph.input, *model.graph.output):
        for axis, dimension in enumerate(_DIMENSIONS, 2):
            value.type.tensor_type.shape.dim[axis].dim_param = f"{value.name}_{dimension}"
    for node in model.graph.node:
        node.doc_string = said.get(node.output[0], "")
    return model
