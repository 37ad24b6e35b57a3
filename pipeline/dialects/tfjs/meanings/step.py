"""Collects one program's nodes and evaluates them on the recorded inputs, which exposes a wrong reading."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from texelscope.layouts.storage_order import ORDERS
from texelscope.pipeline.dialects.tfjs.recording.manifest import Program
from texelscope.pipeline.dialects.tfjs.recording.tensors import IMAGE_RANK, RecordedTensor, is_widened
from texelscope.pipeline.graph import OWN_DOMAIN, Node, Shape
from texelscope.pipeline.oracle.reference import Reference

Array = NDArray[Any]
# The ONNX opset of the nodes here.
OPSET = 18
TO_IMAGE, FROM_IMAGE = (0, 3, 1, 2), (0, 2, 3, 1)
TO_FILTERS = (3, 2, 0, 1)
# Adds one column at the right of n, h, w, c.
_WIDER = (0, 0, 0, 0, 0, 0, 1, 0)


class NoMeaningError(Exception):
    """Raised if this reading does not fit the program."""


class NodeBuilder:
    """Collects nodes from a program's tensors to its output. `values` are those recorded, by the tensors' names."""

    def __init__(
        self,
        name: str,
        program: Program,
        text: str,
        tensors: Mapping[int, tuple[str, RecordedTensor]],
        values: Mapping[str, Array],
        reference: Reference,
        makers: Mapping[int, Program] = MappingProxyType({}),
    ) -> None:
        self.program = program
        self.text = text
        self.is_guess = False
        self.nodes: list[Node] = []
        self.values: dict[str, Array] = {}
        self.constants: dict[str, Array] = {}
        self._name = name
        self._tensors = tensors
        self._recorded = values
        self._reference = reference
        self._makers = makers
        self._output, self._held = tensors[program.output]

    # -- inputs of the program -----------------------------------------------------------------------------

    def shape(self, uniform: str) -> Shape:
        """Returns the shape of a variable in the program."""
        read = self.program.read(uniform)
        if read is None:
            raise NoMeaningError(uniform)
        return read.shape

    @property
    def output_shape(self) -> Shape:
        """Returns the shape of the output in the program."""
        return self._held.texture.shape

    def attribute(self, name: str, default: Any = None) -> Any:
        """Returns an attribute of the kernel. One that the recording lacks, though the kernel has it, makes a guess."""
        if name not in self.program.attributes:
            self.is_guess = True
        return self.program.attributes.get(name, default)

    def optional(self, name: str, default: Any) -> Any:
        """Returns an attribute that a kernel may lack, by documentation or in some releases: then it is `default`."""
        found = self.program.attributes.get(name)
        return default if found is None else found

    def maker(self, uniform: str) -> Program | None:
        """Returns the program that wrote a variable's texture; None for an upload or a uniform."""
        read = self.program.read(uniform)
        return self._makers.get(read.texture) if read is not None and read.texture is not None else None

    def shape_made(self, program: Program) -> Shape:
        """Returns the shape of another program's output."""
        return self._tensors[program.output][1].texture.shape

    def is_of_storage(self, uniform: str, storage: str) -> bool:
        """Reports whether a variable's texture stores its texels so."""
        read = self.program.read(uniform)
        if read is None or read.texture is None:
            return False
        return self._tensors[read.texture][1].texture.storage == storage

    @property
    def makes_packed(self) -> bool:
        """Reports whether the output is packed; a minified class does not say so."""
        return self._held.texture.arrangement == "packed"

    @property
    def operands(self) -> list[str]:
        """Returns the variables in TensorFlow.js's order, A before B, T2 before T10; drivers list them in any."""
        return sorted((read.uniform for read in self.program.reads), key=lambda name: (len(name), name))

    def uniform(self, name: str) -> tuple[float, ...]:
        """Returns the numbers of a uniform."""
        if name not in self.program.uniforms:
            raise NoMeaningError(name)
        value = self.program.uniforms[name]
        return tuple(float(each) for each in value) if isinstance(value, tuple) else (float(value),)

    def plain(self, uniform: str) -> str:
        """Returns a variable in the program's shape."""
        shape = self.shape(uniform)
        tensor, held = self._held_by(uniform)
        if held is None:
            return tensor
        if held.order != "nchw":
            tensor = self.add("Transpose", tensor, perm=ORDERS[held.order])
        if is_widened(held.texture, held.seen, shape):
            tensor = self.add("Pad", tensor, self.whole(*_WIDER), mode="constant")
        return self.reshaped(tensor, shape)

    def image(self, uniform: str) -> str:
        """Returns a variable of n, h, w, c, or of fewer axes from the back, as n, c, h, w."""
        shape = self.shape(uniform)
        tensor, held = self._held_by(uniform)
        if held is not None and held.order == "nhwc" and held.seen == shape:
            return tensor
        full = (1,) * (IMAGE_RANK - len(shape)) + shape
        if len(full) != IMAGE_RANK:
            raise NoMeaningError(uniform)
        if sum(size > 1 for size in full) <= 1:
            return self.reshaped(self.plain(uniform), tuple(full[axis] for axis in TO_IMAGE))
        return self.add("Transpose", self.reshaped(self.plain(uniform), full), perm=TO_IMAGE)

    def texels(self, uniform: str) -> str:
        """Returns a variable as its texture holds it: h, w, lane, for any shape in the program."""
        read = self.program.read(uniform)
        if read is None or read.texture is None:
            raise NoMeaningError(uniform)
        tensor, _ = self._tensors[read.texture]
        self.values[tensor] = self._recorded[tensor]
        return tensor

    def filters(self, uniform: str) -> str:
        """Returns a variable of height, width, channels, filters as filters, channels, height, width."""
        tensor, held = self._held_by(uniform)
        if held is not None and held.order == "hwio" and held.seen == self.shape(uniform):
            return tensor
        return self.add("Transpose", self.plain(uniform), perm=TO_FILTERS)

    def _held_by(self, uniform: str) -> tuple[str, RecordedTensor | None]:
        read = self.program.read(uniform)
        if read is None:
            raise NoMeaningError(uniform)
        if read.texture is None:
            if len(read.values) < math.prod(read.shape):
                raise NoMeaningError(uniform)
            count = math.prod(read.shape)
            return self.constant(np.array(read.values[:count], dtype=np.float32).reshape(read.shape)), None
        tensor, held = self._tensors[read.texture]
        if not held.is_the_same(read.shape):
            raise NoMeaningError(uniform)
        self.values[tensor] = self._recorded[tensor]
        return tensor, held

    # -- nodes ---------------------------------------------------------------------------------------------

    def add(self, op_type: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """Adds a node; returns the name of its output."""
        name = f"{self._name}/{op_type.lower()}{len(self.nodes)}"
        node = Node(
            name, op_type, inputs, (name,), MappingProxyType(attributes), domain, 1 if domain == OWN_DOMAIN else OPSET
        )
        (value,) = self._reference.run_node(node, [self.values[each] if each else None for each in inputs])
        assert value is not None
        self.nodes.append(node)
        self.values[name] = value
        return name

    def constant(self, value: Array) -> str:
        """Adds a constant; returns its name."""
        name = f"{self._name}/constant{len(self.constants)}"
        self.constants[name] = self.values[name] = value
        return name

    def whole(self, *numbers: int) -> str:
        """Adds a constant of whole numbers, for sizes and axes."""
        return self.constant(np.array(numbers, dtype=np.int64))

    def reshaped(self, tensor: str, shape: Shape) -> str:
        """Returns the tensor in another shape of as many elements."""
        if self.values[tensor].shape == shape:
            return tensor
        if self.values[tensor].size != math.prod(shape):
            raise NoMeaningError(tensor)
        return self.add("Reshape", tensor, self.whole(*shape), allowzero=0)

    # -- the end -------------------------------------------------------------------------------------------

    @property
    def makes_image(self) -> bool:
        """Reports whether the output is stored as n, c, h, w in the program's own shape."""
        return self._held.order == "nhwc" and self._held.seen == self.output_shape

    def ends(self, tensor: str) -> None:
        """Declares the tensor, in TensorFlow.js's order, as the program's output."""
        seen = self._held.seen
        if is_widened(self._held.texture, seen, self.values[tensor].shape):
            tensor = self.reshaped(tensor, (seen[0], seen[1], seen[2] + 1, seen[3]))
            tensor = self.add("Slice", tensor, self.whole(0), self.whole(seen[2]), self.whole(2), self.whole(1))
        tensor = self.reshaped(tensor, seen)
        if self._held.order != "nchw":
            tensor = self.add("Transpose", tensor, perm=_inverse(ORDERS[self._held.order]))
        self._end(tensor)

    def ends_image(self, tensor: str) -> None:
        """Declares the tensor, n, c, h, w, as the program's output."""
        if self.makes_image and self.values[tensor].shape == self._held.shape:
            self._end(tensor)
        else:
            self.ends(self.add("Transpose", tensor, perm=FROM_IMAGE))

    def _end(self, tensor: str) -> None:
        """Adds the last node, which computes the output and has its name."""
        if not self.nodes or self.nodes[-1].outputs != (tensor,):
            tensor = self.add("Identity", tensor)
        last = self.nodes[-1]
        self.values[self._output] = self.values.pop(tensor)
        self.nodes[-1] = Node(
            self._output, last.op_type, last.inputs, (self._output,), last.attributes, last.domain, last.opset
        )

    @property
    def result(self) -> Array:
        """Returns the nodes' result on the recorded inputs."""
        if self._output not in self.values:
            raise NoMeaningError(self._output)
        return self.values[self._output]


def _inverse(permutation: Sequence[int]) -> tuple[int, ...]:
    return tuple(permutation.index(axis) for axis in range(len(permutation)))


_PLAIN = {"relu": "Relu", "sigmoid": "Sigmoid", "tanh": "Tanh"}
# Kernels with the attribute `activation`, and kernels that have none.
_FUSED = frozenset({"FusedConv2D", "FusedDepthwiseConv2D", "_FusedMatMul"})
_WITHOUT = frozenset({"Conv2D", "DepthwiseConv2dNative", "Conv2DBackpropInput", "BatchMatMul"})


def finished(step: NodeBuilder, tensor: str, *, image: bool) -> str:
    """Returns the tensor with the program's bias and activation; `image` says that it is n, c, h, w."""
    read = step.image if image else step.plain
    if step.program.read("bias") is not None:
        tensor = step.add("Add", tensor, read("bias"))
    kernel = step.program.kernel
    if kernel in _WITHOUT or (kernel not in _FUSED and "activation(" not in step.text):
        return tensor
    kind = step.attribute("activation", "linear")
    if kind in _PLAIN:
        return step.add(_PLAIN[kind], tensor)
    if kind == "elu":
        return step.add("Elu", tensor, alpha=1.0)
    if kind == "relu6":
        return step.add("Clip", tensor, *(step.constant(np.array(end, dtype=np.float32)) for end in (0.0, 6.0)))
    if kind == "prelu" or (kind == "leakyrelu" and step.program.read("leakyreluAlpha") is not None):
        # The slope as the program reads it: half floats round it.
        slope = "preluActivationWeights" if kind == "prelu" else "leakyreluAlpha"
        return step.add("PRelu", tensor, read(slope))
    if kind == "leakyrelu":
        return step.add("LeakyRelu", tensor, alpha=float(step.attribute("leakyreluAlpha", 0.2)))
    if kind == "linear":
        return tensor
    raise NoMeaningError(str(kind))
